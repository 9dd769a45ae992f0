//! Whether anything here answers the question at all.
//!
//! The scores of a page are measured against its best, so they cannot say that even the best is no
//! answer. This statistic can: it is nearly free of the question's length, knows what the question
//! could have scored, and needs no labels. Out of domain it orders questions better than any
//! classifier that was trained to.
//!
//! ```text
//! e(d) = BM25(q, d) · cos(q, d)                         evidence of one document
//! m(w) = 0.2 idf(w) + 0.8 idf(w's group)                what a word could have scored
//! C(q) = ½ (e₁ + e₃) / (Σ_w m(w))^0.6                    e₁, e₃: best and third of the first 50
//! ```
//!
//! cos compares character trigrams of words, (1 + ln tf)·idf. BM25 is the textbook's over pooled
//! groups, so that a translation or a correction is evidence; the mass below counts a fifth of each
//! word as the user wrote it, and a word that no document holds with the highest idf. The third
//! document keeps one chance match from looking like knowledge.

use std::borrow::Cow;

use super::documents::VALUE_END;
use super::grams::packed_trigrams;
use super::postings::COUNT_UNIT;
use super::search::{Candidate, Group};
use super::{FIELD_UNITS, FIELDS, Index};
use crate::kernels::error::KernelError;

/// Candidates that are looked at: all documents measured no better.
pub const LOOKED_AT: usize = 50;

/// The textbook's constants for short texts; settings that tune the ranking leave them alone.
const K1: f32 = 0.9;
const B: f32 = 0.4;

/// .5 to .75 measured alike; 1 favours short questions, 0 long ones.
const MASS_EXPONENT: f32 = 0.6;

/// Words of a document that are compared by their trigrams; the rest of a long text is not, so that
/// no question waits for it.
const COMPARED_WORDS: usize = 400;

/// The part of a word's mass that its own spelling has. More of it refuses more questions in the
/// store's other language, less of it answers more that nothing answers.
const OWN_SPELLING: f32 = 0.2;

/// Counts of a trigram in a document are told apart up to here.
const COUNTS: usize = 64;
#[allow(clippy::cast_possible_truncation)] // 63
const MOST_COUNTED: u8 = COUNTS as u8 - 1;

/// How a word of the question is spelt, and how what stands for it is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AskedWord {
    /// The word, case and accents folded.
    pub spelling: String,
    /// Translations, synonyms and corrections, each with its weight in (0, 1].
    pub others: Vec<(String, f32)>,
}

/// Documents that a question is judged without, as if they had never been stored.
#[derive(Debug, Clone, Default)]
pub struct Hidden {
    slots: Vec<u32>,
    marks: Vec<bool>,
}

impl Hidden {
    fn has(&self, slot: u32) -> bool {
        self.marks.get(slot as usize).copied().unwrap_or(false)
    }
}

/// How sure it is that the candidates of a question answer it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Certainty {
    /// C(q); 0 when nothing matches.
    pub value: f32,
    /// Of the first candidates, in order: the trigram cosine with the question, in [0, 1].
    pub gram_cosine: Vec<f32>,
    /// Of the same: e(d) over the largest.
    pub evidence: Vec<f32>,
}

/// The counts of the store without what is hidden.
struct Visible<'a> {
    documents: f32,
    mean_length: f32,
    /// ln(df + 1) of each trigram.
    rarities: Cow<'a, [f32]>,
}

impl Visible<'_> {
    /// Never 0, so that a trigram of every document still makes vectors longer.
    fn gram_idf(&self, rarity: f32) -> f32 {
        1.0 + self.documents.ln_1p() - rarity
    }
}

/// What the groups of a question weigh, and which terms count towards them.
struct Weighed {
    /// By rising term: the group and the weight of an occurrence.
    terms: Vec<(u32, usize, f32)>,
    /// A bit a term: most words of a document are strangers to the question.
    marks: Vec<u64>,
    idf: Vec<f32>,
    /// Whether a document holds the word itself.
    known: Vec<bool>,
    mass: f32,
}

impl Index {
    /// The documents of these numbers, to be judged without.
    #[must_use]
    pub fn hide(&self, ids: &[i64]) -> Hidden {
        let mut slots: Vec<u32> = ids.iter().filter_map(|&id| self.documents.slot_of(id)).collect();
        slots.sort_unstable();
        slots.dedup();
        let mut marks = vec![false; if slots.is_empty() { 0 } else { self.documents.slots() }];
        for &slot in &slots {
            marks[slot as usize] = true;
        }
        Hidden { slots, marks }
    }

    /// How sure it is that any of the candidates answers the question.
    ///
    /// `words` has one entry a group. The candidates are the ranking's, none of them hidden; the
    /// store's counts are what they would be without the hidden documents.
    ///
    /// # Errors
    ///
    /// [`KernelError::Shape`] when there are not as many words as groups.
    pub fn certainty(
        &self,
        candidates: &[Candidate],
        groups: &[Group],
        words: &[AskedWord],
        hidden: &Hidden,
    ) -> Result<Certainty, KernelError> {
        if words.len() != groups.len() {
            let (expected, found) = (groups.len(), words.len());
            return Err(KernelError::Shape { what: "words", expected, found });
        }
        let visible = self.visible(hidden);
        let weighed = self.weigh(groups, hidden, visible.documents);
        let (asked, asked_length) = self.asked_grams(groups, words, &weighed, &visible);
        let mut comparison = Comparison::new(&weighed, asked, asked_length);
        let first = &candidates[..candidates.len().min(LOOKED_AT)];
        let mut gram_cosine = Vec::with_capacity(first.len());
        let mut evidence: Vec<f32> = Vec::with_capacity(first.len());
        for candidate in first {
            let cosine = self.compare(candidate.slot, &weighed, &visible, &mut comparison);
            let length = self.documents.length(candidate.slot);
            gram_cosine.push(cosine);
            evidence.push(cosine * weighed.bm25(&comparison.words, length / visible.mean_length));
        }
        let mut best = evidence.clone();
        best.sort_unstable_by(|a, b| b.total_cmp(a));
        let nth = |place: usize| best.get(place).copied().unwrap_or(0.0);
        let value = if weighed.mass > 0.0 {
            0.5 * (nth(0) + nth(2)) / weighed.mass.powf(MASS_EXPONENT)
        } else {
            0.0
        };
        if nth(0) > 0.0 {
            for part in &mut evidence {
                *part /= best[0];
            }
        }
        Ok(Certainty { value, gram_cosine, evidence })
    }

    fn visible(&self, hidden: &Hidden) -> Visible<'_> {
        let gone = &hidden.slots;
        let documents = (self.len() - gone.len().min(self.len())) as f32;
        let lengths = gone.iter().map(|&slot| u64::from(self.documents.lengths().get(slot)));
        let length = self.documents.total_length - lengths.sum::<u64>();
        let rarities = if gone.is_empty() {
            Cow::Borrowed(self.grams().rarities())
        } else {
            Cow::Owned(self.grams().rarities_without(&self.documents, gone))
        };
        #[allow(clippy::cast_possible_truncation)] // a mean of u32 values
        let mean_length = (length as f64 / f64::from(documents.max(1.0))).max(1.0) as f32;
        Visible { documents, mean_length, rarities }
    }

    fn weigh(&self, groups: &[Group], hidden: &Hidden, documents: f32) -> Weighed {
        let mut weighed = Weighed {
            terms: Vec::new(),
            marks: vec![0; self.vocabulary.terms().div_ceil(64)],
            idf: vec![0.0; groups.len()],
            known: vec![false; groups.len()],
            mass: 0.0,
        };
        // The parts of a compound piece are groups of their own.
        for (at, group) in groups.iter().enumerate().filter(|(_, group)| !group.whole) {
            let (mut literal, mut pooled) = (0.0, 0.0);
            for alternative in &group.alternatives {
                let Some(term) = self.vocabulary.term(&alternative.term) else { continue };
                let holders = self.postings[term as usize].slots();
                let gone = if hidden.slots.is_empty() {
                    0
                } else {
                    holders.iter().filter(|&&slot| hidden.has(slot)).count()
                };
                let holders = (holders.len() - gone) as f32;
                pooled += alternative.weight * holders;
                if alternative.literal {
                    literal += holders;
                }
                weighed.terms.push((term, at, alternative.weight));
                weighed.marks[term as usize / 64] |= 1 << (term % 64);
            }
            weighed.idf[at] = idf(documents, pooled);
            weighed.known[at] = literal > 0.0;
            weighed.mass +=
                OWN_SPELLING * idf(documents, literal) + (1.0 - OWN_SPELLING) * weighed.idf[at];
        }
        weighed.terms.sort_unstable_by_key(|&(term, group, _)| (term, group));
        weighed
    }

    /// Counts the question's words in a document, and gives the trigram cosine.
    fn compare(
        &self,
        slot: u32,
        weighed: &Weighed,
        visible: &Visible<'_>,
        comparison: &mut Comparison,
    ) -> f32 {
        let grams = self.grams();
        comparison.words.fill(0.0);
        let mut compared = 0;
        let mut met = 0;
        for field in 0..FIELDS {
            let forms = self.documents.field(slot, field).iter();
            for &form in forms.filter(|&&form| form != VALUE_END) {
                let term = self.vocabulary.term_of(form);
                weighed.count(term, field, &mut comparison.words);
                compared += 1;
                if compared <= COMPARED_WORDS {
                    met = comparison.meet(grams.of_form(form), met);
                }
            }
        }
        let highest = visible.gram_idf(0.0);
        let (mut square, mut product) = (0.0_f32, 0.0_f32);
        for &gram in &comparison.met[..met] {
            let at = gram as usize;
            let count = std::mem::take(&mut comparison.counts[at]);
            let damped = comparison.damped[usize::from(count) % COUNTS];
            let weight = damped * (highest - visible.rarities[at]);
            square += weight * weight;
            product += weight * comparison.asked[at];
        }
        let length = square.sqrt() * comparison.asked_length;
        if length > 0.0 { (product / length).min(1.0) } else { 0.0 }
    }

    /// The question's trigrams by number, and the length of their vector: those that no document
    /// has lengthen it, too.
    ///
    /// A word that some document holds stands for itself, another one for what stands for it.
    fn asked_grams(
        &self,
        groups: &[Group],
        words: &[AskedWord],
        weighed: &Weighed,
        visible: &Visible<'_>,
    ) -> (Vec<f32>, f32) {
        let mut counts: Vec<(u64, f32)> = Vec::new();
        let mut count = |spelling: &str, share: f32| {
            counts.extend(packed_trigrams(spelling).map(|gram| (gram, share)));
        };
        for (at, word) in words.iter().enumerate().filter(|&(at, _)| !groups[at].whole) {
            if weighed.known[at] || word.others.is_empty() {
                count(&word.spelling, 1.0);
                continue;
            }
            let whole = word.others.iter().map(|(_, weight)| weight).sum::<f32>().max(1.0);
            for (other, weight) in &word.others {
                count(other, weight / whole);
            }
        }
        counts.sort_by_key(|&(gram, _)| gram);
        let grams = self.grams();
        let mut asked = vec![0.0_f32; grams.len()];
        let mut square = 0.0_f32;
        for same in counts.chunk_by(|a, b| a.0 == b.0) {
            let count: f32 = same.iter().map(|(_, share)| share).sum();
            let number = grams.number(same[0].0);
            let rarity = number.map_or(0.0, |at| visible.rarities[at as usize]);
            let damped = if count > 1.0 { 1.0 + count.ln() } else { count };
            let weight = damped * visible.gram_idf(rarity);
            square += weight * weight;
            if let Some(at) = number {
                asked[at as usize] = weight;
            }
        }
        (asked, square.sqrt())
    }
}

/// ln(1 + (N − df + ½)/(df + ½)), for a word of no document, too.
fn idf(documents: f32, document_frequency: f32) -> f32 {
    let held = document_frequency.min(documents);
    ((documents - held + 0.5) / (held + 0.5)).ln_1p()
}

impl Weighed {
    /// Counts an occurrence of a term for each group that it stands for.
    #[inline]
    fn count(&self, term: u32, field: usize, counts: &mut [f32]) {
        if self.marks[term as usize / 64] >> (term % 64) & 1 == 0 {
            return;
        }
        let from = self.terms.partition_point(|&(other, _, _)| other < term);
        for &(_, group, weight) in
            self.terms[from..].iter().take_while(|&&(other, _, _)| other == term)
        {
            counts[group] += weight * f32::from(FIELD_UNITS[field]) * COUNT_UNIT;
        }
    }

    /// The score of a document that holds the groups so often; its length as a part of the mean.
    fn bm25(&self, counts: &[f32], length: f32) -> f32 {
        let norm = K1 * (1.0 - B + B * length);
        counts.iter().zip(&self.idf).map(|(count, idf)| idf * count / (count + norm)).sum()
    }
}

/// What one document after another is compared in. All counts of trigrams are 0 in between.
struct Comparison {
    /// How often the document holds each group.
    words: Vec<f32>,
    counts: Vec<u8>,
    /// The document's distinct trigrams come first; what follows means nothing.
    met: Vec<u32>,
    /// The question's trigrams by number, and the length of their vector.
    asked: Vec<f32>,
    asked_length: f32,
    /// 1 + ln of each count.
    damped: [f32; COUNTS],
}

impl Comparison {
    fn new(weighed: &Weighed, asked: Vec<f32>, asked_length: f32) -> Self {
        let mut damped = [0.0; COUNTS];
        for (count, damped) in damped.iter_mut().enumerate().skip(1) {
            *damped = 1.0 + (count as f32).ln();
        }
        let counts = vec![0; asked.len()];
        let words = vec![0.0; weighed.idf.len()];
        Self { words, counts, met: Vec::new(), asked, asked_length, damped }
    }

    /// Counts trigrams; how many distinct ones there are by now, `met` before.
    #[inline]
    fn meet(&mut self, grams: &[u32], mut met: usize) -> usize {
        if self.met.len() < met + grams.len() {
            self.met.resize(2 * (met + grams.len()), 0);
        }
        for &gram in grams {
            // Every one is noted and the note kept if it is the first: whether it is cannot be
            // foretold, so a branch would cost more.
            let count = &mut self.counts[gram as usize];
            self.met[met] = gram;
            met += usize::from(*count == 0);
            *count = (*count + 1).min(MOST_COUNTED);
        }
        met
    }
}

#[cfg(test)]
mod tests;
