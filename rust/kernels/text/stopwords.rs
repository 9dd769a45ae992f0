//! Function words of English and Spanish, which say nothing of what a text is about.

use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};

use super::fold::{fold_accents, fold_case};
use super::stem::Language;

/// Interrogatives that the Spanish list leaves out: every other question begins with one.
const SPANISH_INTERROGATIVES: [&str; 16] = [
    "adónde", "cómo", "cuál", "cuáles", "cuales", "cuándo", "cuánta", "cuánto", "cuántas",
    "cuántos", "cuanto", "cuantos", "dónde", "quién", "quiénes", "vez",
];

/// Auxiliaries that the Spanish list leaves out.
const SPANISH_AUXILIARIES: [&str; 18] = [
    "puede",
    "puedes",
    "puedo",
    "pueden",
    "podemos",
    "podría",
    "podrías",
    "podrían",
    "podríamos",
    "debe",
    "debes",
    "debo",
    "deben",
    "debemos",
    "debería",
    "deberías",
    "deberían",
    "deberíamos",
];

/// Auxiliaries that the English list leaves out.
const ENGLISH_AUXILIARIES: [&str; 4] = ["could", "would", "might", "must"];

struct StopWords {
    listed: FxHashSet<String>,
    unaccented: FxHashSet<String>,
}

impl StopWords {
    fn of(language: Language) -> Self {
        let (code, more): (&str, &[&str]) = match language {
            Language::English => ("en", &ENGLISH_AUXILIARIES),
            Language::Spanish => ("es", &SPANISH_AUXILIARIES),
        };
        let listed: FxHashSet<String> = stop_words::lookup(code)
            .unwrap_or_default()
            .iter()
            .chain(more)
            .chain(if language == Language::Spanish { &SPANISH_INTERROGATIVES[..] } else { &[] })
            .map(|word| fold_case(word).into_owned())
            .collect();
        let unaccented = listed.iter().map(|word| fold_accents(word).into_owned()).collect();
        Self { listed, unaccented }
    }
}

static ENGLISH: LazyLock<StopWords> = LazyLock::new(|| StopWords::of(Language::English));
static SPANISH: LazyLock<StopWords> = LazyLock::new(|| StopWords::of(Language::Spanish));

/// Whether a case-folded word is a function word of the language.
///
/// A word typed without its accents counts as the accented one (`como` for `cómo`), but an accent
/// that makes another word of it is respected: `te` is a stop word, `té` is tea.
#[must_use]
pub fn is_stop_word(word: &str, language: Language) -> bool {
    let words: &StopWords = match language {
        Language::English => &ENGLISH,
        Language::Spanish => &SPANISH,
    };
    words.listed.contains(word) || words.unaccented.contains(word)
}

/// Every function word of the language, accents folded, in no particular order.
#[must_use]
pub fn unaccented(language: Language) -> &'static FxHashSet<String> {
    let words: &'static StopWords = match language {
        Language::English => &ENGLISH,
        Language::Spanish => &SPANISH,
    };
    &words.unaccented
}

/// The function words of both languages, numbered by spelling.
static NUMBERS: LazyLock<FxHashMap<&'static str, u16>> = LazyLock::new(|| {
    let both = ENGLISH.unaccented.iter().chain(&SPANISH.unaccented);
    let mut words: Vec<&'static str> = both.map(String::as_str).collect();
    words.sort_unstable();
    words.dedup();
    words.into_iter().zip(0..).collect()
});

/// The number of a function word of either language, case and accents folded.
#[must_use]
pub fn number_of(word: &str) -> Option<u16> {
    NUMBERS.get(word).copied()
}

/// How many function words there are; their numbers lie below.
#[must_use]
pub fn count() -> usize {
    NUMBERS.len()
}

#[cfg(test)]
mod tests {
    use super::{Language, count, is_stop_word, number_of};

    #[test]
    fn each_language_has_its_own() {
        assert!(is_stop_word("the", Language::English));
        assert!(!is_stop_word("the", Language::Spanish));
        assert!(is_stop_word("son", Language::Spanish));
        assert!(!is_stop_word("son", Language::English));
    }

    #[test]
    fn a_missing_accent_is_forgiven_and_a_telling_one_respected() {
        assert!(is_stop_word("como", Language::Spanish));
        assert!(is_stop_word("cómo", Language::Spanish));
        assert!(is_stop_word("te", Language::Spanish));
        assert!(!is_stop_word("té", Language::Spanish));
    }

    #[test]
    fn every_function_word_has_a_number_of_its_own() {
        assert_eq!(number_of("the"), number_of("the"));
        assert_ne!(number_of("the"), number_of("los"));
        assert_eq!(number_of("boat"), None);
        assert!(number_of("como").is_some_and(|number| usize::from(number) < count()));
    }
}
