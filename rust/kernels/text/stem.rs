//! Snowball stems, spelt without accents.

use rust_stemmers::{Algorithm, Stemmer};

use crate::kernels::text::fold::fold_accents;
use crate::kernels::text::irregular::english_base;

/// A language whose words are stemmed and looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Language {
    /// English.
    English,
    /// Spanish.
    Spanish,
}

impl Language {
    /// Both languages, in the order in which saved data lists them.
    pub const ALL: [Self; 2] = [Self::English, Self::Spanish];

    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::English => Self::Spanish,
            Self::Spanish => Self::English,
        }
    }

    /// Its ISO 639-1 code.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Spanish => "es",
        }
    }

    /// The language of an ISO 639-1 code, `en` or `es`.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        match code {
            "en" => Some(Self::English),
            "es" => Some(Self::Spanish),
            _ => None,
        }
    }
}

/// The Snowball stem of a case-folded word in NFC, accents folded afterwards; of an English
/// irregular form, that of its base.
///
/// In this order because the Spanish suffixes are accented (`-ción`, `-aría`): a stemmer that is
/// handed bare letters leaves half of them on.
#[must_use]
pub fn stem(word: &str, language: Language) -> String {
    let algorithm = match language {
        Language::English => Algorithm::English,
        Language::Spanish => Algorithm::Spanish,
    };
    let word = match language {
        Language::English => english_base(word).unwrap_or(word),
        Language::Spanish => word,
    };
    let stemmer = Stemmer::create(algorithm);
    let stem = stemmer.stem(word);
    fold_accents(&stem).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{Language, stem};

    #[test]
    fn forms_of_a_word_share_their_stem() {
        assert_eq!(stem("canciones", Language::Spanish), stem("canción", Language::Spanish));
        assert_eq!(stem("running", Language::English), stem("runs", Language::English));
    }

    #[test]
    fn a_stem_has_no_accent_but_keeps_its_enye() {
        assert_eq!(stem("árbol", Language::Spanish), "arbol");
        assert_eq!(stem("montañas", Language::Spanish), "montañ");
    }

    #[test]
    fn codes_name_languages() {
        for language in Language::ALL {
            assert_eq!(Language::from_code(language.code()), Some(language));
        }
        assert_eq!(Language::from_code("fr"), None);
        assert_eq!(Language::Spanish.other(), Language::English);
    }
}
