//! The one-word lemmas that are spelt nearly like a word.

use super::LemmaId;
use super::format::Vocabulary;
use crate::kernels::levenshtein::{Metric, WordList};
use crate::kernels::text::fold::fold_accents;

/// The one-word lemmas of a language without their accents, ready to be asked.
#[derive(Debug)]
pub(super) struct Spellings {
    words: WordList,
    /// Of each word, its lemma.
    lemmas: Vec<LemmaId>,
}

impl Spellings {
    /// Copies the words out of the file: nothing else needs them apart, so this waits for the
    /// first misspelt word (10 ms and 2 MB a language).
    pub(super) fn of(file: &[u8], vocabulary: &Vocabulary) -> Self {
        let mut words = WordList::new();
        let mut lemmas = Vec::new();
        for index in 0..vocabulary.lemmas.len() {
            let lemma = vocabulary.lemmas.get(file, index);
            if let (false, Ok(id)) = (lemma.contains(' '), u32::try_from(index)) {
                words.push(&fold_accents(lemma));
                lemmas.push(LemmaId(id));
            }
        }
        Self { words, lemmas }
    }

    /// Lemmas within `max_distance` edits of a folded word, nearest first, then in their order.
    pub(super) fn near(&self, word: &str, max_distance: u8) -> Vec<(LemmaId, u8)> {
        self.words
            .near(word, max_distance, Metric::Osa)
            .into_iter()
            .map(|near| (self.lemmas[near.index as usize], near.distance))
            .collect()
    }
}
