//! The alternatives of one word of the question, as they are found.

use super::Origin;
use crate::kernels::index::Index;
use crate::kernels::index::search::Alternative;
use crate::kernels::text::analysis::QuestionWord;

/// Weight of a word of the same family, and how many are taken, commonest first (.15 to .6 measured
/// alike).
const KIN_WEIGHT: f32 = 0.3;
const KIN: usize = 8;

/// Collects the alternatives of one word, each term once, with the largest weight that came.
pub(super) struct Collected<'a> {
    pub(super) index: &'a Index,
    pub(super) alternatives: Vec<Alternative>,
    pub(super) origins: Vec<(Origin, String)>,
}

impl Collected<'_> {
    /// The word's stems in both languages, and every term under which the store has this spelling:
    /// the stemmer takes `cancion` and `canción` apart, the spelling brings them together.
    pub(super) fn add_literals(&mut self, word: &QuestionWord) {
        let spelt: Vec<String> = self
            .index
            .vocabulary()
            .terms_of_word(&word.word)
            .map(|(term, _)| term.into())
            .collect();
        for term in word.terms.iter().chain(&spelt) {
            if self.index.document_frequency(term) > 0 {
                self.add(term, 1.0, (Origin::Literal, word.surface.clone()));
            }
        }
        if self.alternatives.is_empty() {
            // Kept though no document has it: an unanswered word counts against every candidate.
            if let Some(term) = word.terms.first() {
                self.add(term, 1.0, (Origin::Literal, word.surface.clone()));
            }
        }
    }

    /// Terms of the word's family; of a stem that the other language's stemmer made, none.
    pub(super) fn add_kin(&mut self, word: &QuestionWord) {
        let Some(term) = word.terms.first() else { return };
        let index = self.index;
        for kin in index.kin(term).into_iter().take(KIN) {
            self.add(kin, KIN_WEIGHT, (Origin::Kin, kin.to_owned()));
        }
    }

    pub(super) fn add(&mut self, term: &str, weight: f32, (origin, text): (Origin, String)) {
        let weight = weight.min(1.0);
        if weight <= 0.0 {
            return;
        }
        let literal = origin == Origin::Literal;
        match self.alternatives.iter().position(|held| held.term == term) {
            Some(at) if self.alternatives[at].weight < weight => {
                self.alternatives[at].weight = weight;
                self.origins[at] = (origin, text);
            }
            Some(_) => {}
            None => {
                self.alternatives.push(Alternative { term: term.into(), weight, literal });
                self.origins.push((origin, text));
            }
        }
    }

    pub(super) fn document_frequency(&self) -> usize {
        self.alternatives.iter().map(|held| self.index.document_frequency(&held.term)).sum()
    }
}
