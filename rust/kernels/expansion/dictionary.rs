//! The lexicon as the dictionary that questions are expanded with.

use super::Dictionary;
use crate::kernels::lexicon::{Lexicon, Weighted};
use crate::kernels::text::stem::Language;

/// Lemmas that an inflected word may stand for: those that share its stem.
const LEMMAS: usize = 6;

impl Dictionary for Lexicon {
    fn translations(&self, word: &str, from: Language) -> Vec<(String, f32)> {
        let lemmas = self.lemmas(from, word, LEMMAS);
        owned(Self::translations(self, from, &lemmas))
    }

    /// Of the first lemma alone: where a stem stands for several, the others are other words.
    fn synonyms(&self, word: &str, language: Language, senses: usize) -> Vec<(String, f32)> {
        let lemma = self.lemmas(language, word, 1).pop();
        lemma.map(|lemma| owned(Self::synonyms(self, language, lemma, senses))).unwrap_or_default()
    }

    fn near(&self, word: &str, language: Language, max_distance: u8) -> Vec<(String, u8)> {
        Self::near(self, language, word, max_distance)
            .into_iter()
            .map(|(lemma, distance)| (self.text(language, lemma).to_owned(), distance))
            .collect()
    }
}

fn owned(words: Vec<Weighted<'_>>) -> Vec<(String, f32)> {
    words.into_iter().map(|word| (word.text.to_owned(), word.weight)).collect()
}
