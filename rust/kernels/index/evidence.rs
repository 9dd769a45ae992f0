//! Where in each candidate each word of the question was found.

use super::documents::VALUE_END;
use super::search::{Bm25Norm, Candidate, Group, SearchOptions};
use super::{FIELDS, Field, Index};

/// What the candidates of a question hold of it. Rows are candidates in their order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Evidence {
    /// n × groups: the alternative that was found, the weightiest first; −1 for none.
    pub found: Vec<i16>,
    /// n × groups: pooled weighted count of the group, field weights left out.
    pub counts: Vec<f32>,
    /// n × fields: idf share of the question whose own words the field holds, in [0, 1].
    pub field_share: Vec<f32>,
    /// n: idf share of the question that any field holds, alternatives by their weight.
    pub coverage: Vec<f32>,
    /// n: words of the candidate, its name included.
    pub lengths: Vec<f32>,
    /// n: whether the name and the question are the same set of words.
    pub named: Vec<bool>,
    /// n: closeness in [0, 1] of the question and the nearest synonym, as sets of words (Jaccard).
    pub synonym: Vec<f32>,
    /// n: idf share of the question that the candidate does not have with other accents only.
    pub spelt: Vec<f32>,
    /// n: BM25 of the pairs of the question's words that stand together in the text.
    pub pairs: Vec<f32>,
    /// n: BM25 of the question's function words.
    pub function_words: Vec<f32>,
    /// n: how much it speaks of what the best candidates speak of, in [0, 1].
    pub feedback: Vec<f32>,
}

/// How a word of the question is accented where a candidate has it.
#[derive(Debug, Clone, Copy, Default)]
struct Accents {
    same: bool,
    other: bool,
}

/// What is noted of each group while one candidate is looked into.
struct Notes {
    /// Its own word is in the field at hand.
    in_field: Vec<bool>,
    accents: Vec<Accents>,
}

/// A term of the question: the group and alternative that it stands for.
#[derive(Clone, Copy)]
struct Wanted {
    group: usize,
    alternative: i16,
}

/// The terms of a question, quick to tell from all others.
pub(super) struct Terms<'a> {
    groups: &'a [Group],
    /// By rising term, each with what it stands for.
    wanted: Vec<(u32, Wanted)>,
    /// A bit a term of the index: a document's words are nearly all strangers to the question.
    marks: Vec<u64>,
    /// Groups that are words, not compound pieces.
    asked: usize,
}

impl Index {
    /// Looks up the words of the question in each candidate.
    ///
    /// `idf` is the ranking's, one value a group; `function_words` are the question's by number. The
    /// signals that compare the question's own words (`field_share`, `named`, `synonym`) look at
    /// literal alternatives only; compound pieces, whose parts are groups of their own, weigh
    /// nothing in the shares.
    #[must_use]
    pub fn evidence(
        &self,
        candidates: &[Candidate],
        groups: &[Group],
        idf: &[f32],
        function_words: &[u16],
        options: &SearchOptions<'_>,
    ) -> Evidence {
        let terms = Terms::of(self, groups);
        let weigh = |group: &Group, idf: &f32| if group.whole { 0.0 } else { group.boost * idf };
        let mass: Vec<f32> = groups.iter().zip(idf).map(|(g, idf)| weigh(g, idf)).collect();
        let all: f32 = mass.iter().sum();
        let shares: Vec<f32> =
            mass.iter().map(|part| if all > 0.0 { part / all } else { 0.0 }).collect();
        let n = candidates.len();
        let mut evidence = Evidence {
            found: vec![-1; n * groups.len()],
            counts: vec![0.0; n * groups.len()],
            field_share: vec![0.0; n * FIELDS],
            ..Evidence::default()
        };
        let mut notes = Notes {
            in_field: vec![false; groups.len()],
            accents: vec![Accents::default(); groups.len()],
        };
        for (row, candidate) in candidates.iter().enumerate() {
            self.look_into(row, candidate.slot, &terms, &shares, &mut notes, &mut evidence);
        }
        let norm = Bm25Norm::new(self, options.k1, options.b);
        evidence.pairs = self.literal_likeness(candidates, &terms, groups, norm);
        evidence.function_words = self.function_word_likeness(candidates, function_words, norm);
        evidence.feedback = self.feedback(candidates, |term| terms.has(term), norm);
        evidence
    }

    fn look_into(
        &self,
        row: usize,
        slot: u32,
        terms: &Terms<'_>,
        shares: &[f32],
        Notes { in_field, accents }: &mut Notes,
        evidence: &mut Evidence,
    ) {
        let g = terms.groups.len();
        let found = &mut evidence.found[row * g..(row + 1) * g];
        let counts = &mut evidence.counts[row * g..(row + 1) * g];
        accents.fill(Accents::default());
        for field in 0..FIELDS {
            in_field.fill(false);
            let words = self.documents.field(slot, field).iter();
            for &form in words.filter(|&&form| form != VALUE_END) {
                for &Wanted { group, alternative } in terms.of_term(self.vocabulary.term_of(form)) {
                    let spellings = &terms.groups[group].alternatives;
                    let spelling = &spellings[usize::try_from(alternative).unwrap_or(0)];
                    counts[group] += spelling.weight;
                    let held = usize::try_from(found[group]).ok();
                    if held.is_none_or(|held| spellings[held].weight < spelling.weight) {
                        found[group] = alternative;
                    }
                    in_field[group] |= spelling.literal;
                    if spelling.literal {
                        let same =
                            self.vocabulary.is_accented(form) == terms.groups[group].accented;
                        accents[group].same |= same;
                        accents[group].other |= !same;
                    }
                }
            }
            let own = in_field.iter().zip(shares).filter(|(own, _)| **own);
            evidence.field_share[row * FIELDS + field] = share(own.map(|(_, share)| *share));
        }
        let covered = found.iter().enumerate().filter_map(|(group, &alternative)| {
            let alternative = usize::try_from(alternative).ok()?;
            Some(shares[group] * terms.groups[group].alternatives[alternative].weight)
        });
        evidence.coverage.push(share(covered));
        let differing = accents.iter().zip(shares).filter(|(held, _)| held.other && !held.same);
        evidence.spelt.push(1.0 - share(differing.map(|(_, share)| *share)));
        let name = self.documents.field(slot, Field::Name as usize);
        let named =
            name.iter().filter(|&&form| form != VALUE_END && !self.vocabulary.is_whole(form));
        evidence.lengths.push(self.documents.length(slot) + named.count() as f32);
        evidence.named.push(self.closeness(slot, Field::Name, terms) >= 1.0);
        evidence.synonym.push(self.closeness(slot, Field::Synonyms, terms));
    }

    /// Jaccard closeness of the question to the nearest value of a field.
    fn closeness(&self, slot: u32, field: Field, terms: &Terms<'_>) -> f32 {
        self.documents
            .field(slot, field as usize)
            .split(|&form| form == VALUE_END)
            .map(|value| self.value_closeness(value, terms))
            .fold(0.0, f32::max)
    }

    fn value_closeness(&self, value: &[u32], terms: &Terms<'_>) -> f32 {
        if !value.iter().any(|&form| terms.has(self.vocabulary.term_of(form))) {
            return 0.0;
        }
        let mut shared: Vec<usize> = Vec::new();
        let mut strange: Vec<u32> = Vec::new();
        for &form in value.iter().filter(|&&form| !self.vocabulary.is_whole(form)) {
            let term = self.vocabulary.term_of(form);
            let own = terms.of_term(term).filter(|held| terms.is_own_word(**held));
            let mut asked_for = false;
            // A question may say one word in two forms: this form then stands for both.
            for held in own {
                asked_for = true;
                if !shared.contains(&held.group) {
                    shared.push(held.group);
                }
            }
            if !asked_for && !strange.contains(&term) {
                strange.push(term);
            }
        }
        let union = terms.asked + strange.len();
        if union == 0 { 0.0 } else { shared.len() as f32 / union as f32 }
    }
}

/// The sum of parts of a whole, in [0, 1].
fn share(parts: impl Iterator<Item = f32>) -> f32 {
    // `sum` gives -0.0 for no parts, which a reader of the explanation would stumble over.
    parts.fold(0.0, |sum, part| sum + part).min(1.0)
}

impl<'a> Terms<'a> {
    fn of(index: &Index, groups: &'a [Group]) -> Self {
        let mut wanted: Vec<(u32, Wanted)> = Vec::new();
        let mut marks = vec![0_u64; index.vocabulary.terms().div_ceil(64)];
        for (group, spellings) in groups.iter().enumerate() {
            for (nth, alternative) in spellings.alternatives.iter().enumerate() {
                if let Some(term) = index.vocabulary.term(&alternative.term) {
                    let alternative = i16::try_from(nth).unwrap_or(i16::MAX);
                    wanted.push((term, Wanted { group, alternative }));
                    marks[term as usize / 64] |= 1 << (term % 64);
                }
            }
        }
        wanted.sort_by_key(|&(term, _)| term);
        let asked = groups.iter().filter(|group| !group.whole).count();
        Self { groups, wanted, marks, asked }
    }

    #[inline]
    fn has(&self, term: u32) -> bool {
        self.marks[term as usize / 64] >> (term % 64) & 1 == 1
    }

    #[inline]
    fn of_term(&self, term: u32) -> impl Iterator<Item = &Wanted> {
        let from = if self.has(term) {
            self.wanted.partition_point(|&(other, _)| other < term)
        } else {
            self.wanted.len()
        };
        self.wanted[from..]
            .iter()
            .take_while(move |&&(other, _)| other == term)
            .map(|(_, held)| held)
    }

    /// The groups whose own word a term is, in order.
    #[inline]
    pub(super) fn own_of_term(&self, term: u32) -> impl Iterator<Item = usize> + '_ {
        let held = self.of_term(term).filter(|held| self.is_own_word(**held));
        held.map(|held| held.group)
    }

    fn is_own_word(&self, Wanted { group, alternative }: Wanted) -> bool {
        let nth = usize::try_from(alternative).unwrap_or(0);
        let group = &self.groups[group];
        !group.whole && group.alternatives[nth].literal
    }
}

#[cfg(test)]
mod tests;
