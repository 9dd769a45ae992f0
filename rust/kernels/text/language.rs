//! Which language a text and each of its words are in.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::stem::Language;
use super::stopwords::is_stop_word;
use super::tokens::{Token, TokenKind};

/// Points for the evidence that a text is in one language: a function word that only it has, a
/// word that only its lexicon knows, an accented letter, an opening question or exclamation mark.
const STOP_WORD: f32 = 1.0;
const KNOWN_WORD: f32 = 0.5;
const ACCENTED_WORD: f32 = 1.0;
const OPENING_MARK: f32 = 2.0;

/// Words that are looked at: enough to be sure, and a bound on what a long text costs.
const WORDS_READ: usize = 200;

/// A list of words that knows which language a word belongs to.
pub trait LanguageEvidence {
    /// Whether the language has this word, or a word with the same stem.
    fn knows(&self, word: &str, language: Language) -> bool;
    /// Whether the word itself is in the language's dictionary.
    fn knows_lemma(&self, word: &str, language: Language) -> bool;
}

/// Another word list whose answers are remembered: the texts of a batch share most of their words,
/// and a look-up costs more than the rest of a word's analysis.
pub struct Remembered<'a> {
    words: &'a dyn LanguageEvidence,
    /// Of each word asked for, whether each language knows it and has it as a lemma.
    known: RefCell<FxHashMap<Box<str>, [[bool; 2]; 2]>>,
}

impl<'a> Remembered<'a> {
    /// Remembers what `words` says.
    #[must_use]
    pub fn new(words: &'a dyn LanguageEvidence) -> Self {
        Self { words, known: RefCell::default() }
    }

    fn answers(&self, word: &str) -> [[bool; 2]; 2] {
        if let Some(&answers) = self.known.borrow().get(word) {
            return answers;
        }
        let answers = [
            Language::ALL.map(|language| self.words.knows(word, language)),
            Language::ALL.map(|language| self.words.knows_lemma(word, language)),
        ];
        self.known.borrow_mut().insert(word.into(), answers);
        answers
    }
}

impl LanguageEvidence for Remembered<'_> {
    fn knows(&self, word: &str, language: Language) -> bool {
        self.answers(word)[0][language as usize]
    }

    fn knows_lemma(&self, word: &str, language: Language) -> bool {
        self.answers(word)[1][language as usize]
    }
}

/// The language of a text, or `None` when nothing speaks for either.
#[must_use]
pub fn language_of_text(
    text: &str,
    tokens: &[Token],
    words: Option<&dyn LanguageEvidence>,
) -> Option<Language> {
    let mut spanish = 0.0_f32;
    let mut english = 0.0_f32;
    if text.contains(['¿', '¡']) {
        spanish += OPENING_MARK;
    }
    for token in tokens.iter().filter(|token| token.kind == TokenKind::Word).take(WORDS_READ) {
        let word = token.text.as_str();
        if has_spanish_letter(word) {
            spanish += ACCENTED_WORD;
        }
        let in_english = is_stop_word(word, Language::English);
        let in_spanish = is_stop_word(word, Language::Spanish);
        if in_english || in_spanish {
            english += if in_spanish { 0.0 } else { STOP_WORD };
            spanish += if in_english { 0.0 } else { STOP_WORD };
        } else if let Some(words) = words {
            let in_english = words.knows(word, Language::English);
            let in_spanish = words.knows(word, Language::Spanish);
            english += if in_english && !in_spanish { KNOWN_WORD } else { 0.0 };
            spanish += if in_spanish && !in_english { KNOWN_WORD } else { 0.0 };
        }
    }
    if spanish > english {
        Some(Language::Spanish)
    } else if english > spanish {
        Some(Language::English)
    } else {
        None
    }
}

/// The language of one word inside a text: the text's own, unless the word can only be the other.
#[must_use]
pub fn language_of_word(
    word: &str,
    text: Language,
    words: Option<&dyn LanguageEvidence>,
) -> Language {
    if word.contains('ñ') {
        return Language::Spanish;
    }
    match words {
        Some(words) if words.knows_lemma(word, text.other()) && !words.knows(word, text) => {
            text.other()
        }
        _ => text,
    }
}

fn has_spanish_letter(word: &str) -> bool {
    word.contains(['á', 'é', 'í', 'ó', 'ú', 'ñ', 'ü'])
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::{Language, language_of_text, language_of_word};

    fn guess(text: &str) -> Option<Language> {
        language_of_text(text, &tokens(text), None)
    }

    #[test]
    fn function_words_accents_and_marks_decide() {
        assert_eq!(guess("where is the key of the cellar"), Some(Language::English));
        assert_eq!(guess("dónde está la llave del sótano"), Some(Language::Spanish));
        assert_eq!(guess("¿llave sotano?"), Some(Language::Spanish));
    }

    #[test]
    fn without_evidence_there_is_no_guess() {
        assert_eq!(guess("xylo 417"), None);
        assert_eq!(guess(""), None);
    }

    #[test]
    fn a_word_with_an_enye_is_spanish_in_any_text() {
        assert_eq!(language_of_word("año", Language::English, None), Language::Spanish);
        assert_eq!(language_of_word("year", Language::English, None), Language::English);
    }
}
