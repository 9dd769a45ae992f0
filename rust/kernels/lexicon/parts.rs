//! Which lemmas are verbs and which are nouns, by the groups of their meanings.

use super::{LemmaId, Lexicon};
use crate::kernels::text::roles::PartsOfSpeech;
use crate::kernels::text::stem::Language;

/// Meanings of a lemma that are looked at; what only the ninth says is no common use.
const SENSES: usize = 8;

impl Lexicon {
    /// Whether a lemma spelt like this has a meaning in a group of this part of speech.
    fn has_group(&self, lemma: &str, language: Language, part: &str, senses: usize) -> bool {
        self.spelt(language, lemma).filter_map(|index| u32::try_from(index).ok()).any(|index| {
            let groups = self.groups(language, LemmaId(index), senses);
            groups.iter().any(|group| group.starts_with(part))
        })
    }
}

impl PartsOfSpeech for Lexicon {
    fn is_verb(&self, lemma: &str, language: Language) -> bool {
        self.has_group(lemma, language, "verb.", SENSES)
    }

    fn is_noun(&self, lemma: &str, language: Language) -> bool {
        self.has_group(lemma, language, "noun.", SENSES)
    }

    fn is_verb_first(&self, lemma: &str, language: Language) -> bool {
        self.has_group(lemma, language, "verb.", 1)
    }
}
