//! Whether anything here answers the question at all.
//!
//! The scores of a page are measured against its best, so they cannot say that even the best is no
//! answer. This statistic can: it is nearly free of the question's length, knows what the question
//! could have scored, and needs no labels. Out of domain it orders questions better than any
//! classifier that was trained to (AUROC .987 against hits, mean of ten stores).
//!
//! ```text
//! e(d) = BM25(q, d) · cos(q, d)                         evidence of one document
//! C(q) = ½ (e₁ + e₃) / (Σ_w ½ (idf(w) + idf(w's group)))^0.6    e₁, e₃ best and third of the first 50
//! ```
//!
//! cos compares character trigrams of words, (1 + ln tf)·idf. BM25 is the textbook's over pooled
//! groups, so that a translation or a correction is evidence; the mass below counts half of each
//! word as the user wrote it, and a word that no document holds with the highest idf. The third
//! document keeps one chance match from looking like knowledge.

use std::borrow::Cow;

use super::grams::{packed_trigrams, words_of};
use super::postings::COUNT_UNIT;
use super::search::{Candidate, Group};
use super::{FIELD_UNITS, Index};
use crate::kernels::error::KernelError;

/// Candidates that are looked at: all documents measured no better.
pub const LOOKED_AT: usize = 50;

/// The textbook's constants for short texts; settings that tune the ranking leave them alone.
const K1: f32 = 0.9;
const B: f32 = 0.4;

/// .5 to .75 measured alike; 1 favours short questions, 0 long ones.
const MASS_EXPONENT: f32 = 0.6;

/// Counts whose logarithm is kept at hand.
const SMALL_COUNTS: usize = 32;

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
}

/// The counts of the store without what is hidden.
struct Visible<'a> {
    documents: f32,
    mean_length: f32,
    gram_documents: Cow<'a, [u32]>,
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
        let first = &candidates[..candidates.len().min(LOOKED_AT)];
        let gram_cosine = self.gram_cosines(first, groups, words, &weighed, &visible);
        let mut counts = vec![0.0; groups.len()];
        let mut evidence: Vec<f32> = first
            .iter()
            .zip(&gram_cosine)
            .map(|(candidate, cosine)| {
                cosine * self.strength(candidate.slot, &weighed, &visible, &mut counts)
            })
            .collect();
        evidence.sort_unstable_by(|a, b| b.total_cmp(a));
        let nth = |place: usize| evidence.get(place).copied().unwrap_or(0.0);
        let value = if weighed.mass > 0.0 {
            0.5 * (nth(0) + nth(2)) / weighed.mass.powf(MASS_EXPONENT)
        } else {
            0.0
        };
        Ok(Certainty { value, gram_cosine })
    }

    fn visible(&self, hidden: &Hidden) -> Visible<'_> {
        let grams = self.grams();
        let documents = (self.len() - hidden.slots.len().min(self.len())) as f32;
        let mut gram_documents = Cow::Borrowed(grams.document_frequencies());
        let mut length = self.documents.total_length;
        if !hidden.slots.is_empty() {
            let counts = gram_documents.to_mut();
            let mut seen = vec![u32::MAX; counts.len()];
            for &slot in &hidden.slots {
                length -= u64::from(self.documents.lengths().get(slot));
                let words = words_of(&self.vocabulary, &self.documents, slot);
                for &gram in words.flat_map(|word| grams.of_word(word)) {
                    if std::mem::replace(&mut seen[gram as usize], slot) != slot {
                        counts[gram as usize] -= 1;
                    }
                }
            }
        }
        #[allow(clippy::cast_possible_truncation)] // a mean of u32 values
        let mean_length = (length as f64 / f64::from(documents.max(1.0))).max(1.0) as f32;
        Visible { documents, mean_length, gram_documents }
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
            weighed.mass += 0.5 * (idf(documents, literal) + weighed.idf[at]);
        }
        weighed.terms.sort_unstable_by_key(|&(term, group, _)| (term, group));
        weighed
    }

    /// BM25 of one document.
    fn strength(
        &self,
        slot: u32,
        weighed: &Weighed,
        visible: &Visible<'_>,
        counts: &mut [f32],
    ) -> f32 {
        counts.fill(0.0);
        for (field, form) in self.documents.forms(slot) {
            let term = self.vocabulary.term_of(form);
            if weighed.marks[term as usize / 64] >> (term % 64) & 1 == 0 {
                continue;
            }
            let from = weighed.terms.partition_point(|&(other, _, _)| other < term);
            for &(_, group, weight) in
                weighed.terms[from..].iter().take_while(|&&(other, _, _)| other == term)
            {
                counts[group] += weight * f32::from(FIELD_UNITS[field]) * COUNT_UNIT;
            }
        }
        let length = self.documents.length(slot);
        let norm = K1 * (1.0 - B + B * length / visible.mean_length);
        counts.iter().zip(&weighed.idf).map(|(count, idf)| idf * count / (count + norm)).sum()
    }

    fn gram_cosines(
        &self,
        candidates: &[Candidate],
        groups: &[Group],
        words: &[AskedWord],
        weighed: &Weighed,
        visible: &Visible<'_>,
    ) -> Vec<f32> {
        let grams = self.grams();
        let idf = |documents: u32| gram_idf(visible.documents, documents);
        let (asked, asked_length) = self.asked_grams(groups, words, weighed, visible);
        let by_count: Vec<f32> = (0..SMALL_COUNTS).map(damped).collect();
        // Idf of the trigrams that were met, since most of the store's are not.
        let mut weights = vec![0.0_f32; grams.len()];
        let mut counts = vec![0_u32; grams.len()];
        let mut met: Vec<u32> = Vec::new();
        let cosine = |candidate: &Candidate| {
            for word in words_of(&self.vocabulary, &self.documents, candidate.slot) {
                for &gram in grams.of_word(word) {
                    let count = &mut counts[gram as usize];
                    if *count == 0 {
                        met.push(gram);
                    }
                    *count += 1;
                }
            }
            let (mut square, mut product) = (0.0_f32, 0.0_f32);
            for at in met.drain(..).map(|gram| gram as usize) {
                let count = std::mem::take(&mut counts[at]) as usize;
                if weights[at] == 0.0 {
                    weights[at] = idf(visible.gram_documents[at]);
                }
                let damped = by_count.get(count).copied().unwrap_or_else(|| damped(count));
                let weight = damped * weights[at];
                square += weight * weight;
                product += weight * asked[at];
            }
            let length = square.sqrt() * asked_length;
            if length > 0.0 { (product / length).min(1.0) } else { 0.0 }
        };
        candidates.iter().map(cosine).collect()
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
            let documents = number.map_or(0, |at| visible.gram_documents[at as usize]);
            let damped = if count > 1.0 { 1.0 + count.ln() } else { count };
            let weight = damped * gram_idf(visible.documents, documents);
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

/// Never 0, so that a trigram of every document still makes vectors longer.
fn gram_idf(documents: f32, document_frequency: u32) -> f32 {
    1.0 + ((documents + 1.0) / (document_frequency as f32 + 1.0)).ln()
}

fn damped(count: usize) -> f32 {
    if count == 0 { 0.0 } else { 1.0 + (count as f32).ln() }
}

#[cfg(test)]
mod tests;
