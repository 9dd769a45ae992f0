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

/// A lead that the words of a dictionary are not asked to confirm.
const BEYOND_DOUBT: f32 = 3.0;

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
    /// Of each word asked for, the answers so far: known and lemma, in either language.
    answers: RefCell<FxHashMap<Box<str>, [Option<bool>; 4]>>,
}

impl<'a> Remembered<'a> {
    /// Remembers what `words` says.
    #[must_use]
    pub fn new(words: &'a dyn LanguageEvidence) -> Self {
        Self { words, answers: RefCell::default() }
    }

    fn answer(&self, word: &str, question: usize, ask: impl FnOnce() -> bool) -> bool {
        let mut answers = self.answers.borrow_mut();
        if let Some(held) = answers.get_mut(word) {
            return *held[question].get_or_insert_with(ask);
        }
        let mut held = [None; 4];
        let answer = *held[question].insert(ask());
        answers.insert(word.into(), held);
        answer
    }
}

impl LanguageEvidence for Remembered<'_> {
    fn knows(&self, word: &str, language: Language) -> bool {
        self.answer(word, language as usize, || self.words.knows(word, language))
    }

    fn knows_lemma(&self, word: &str, language: Language) -> bool {
        self.answer(word, 2 + language as usize, || self.words.knows_lemma(word, language))
    }
}

/// The language of a text, or `None` when nothing speaks for either.
///
/// Function words, accents and marks decide where they can; the word list, which costs more, is
/// asked when they leave a doubt.
#[must_use]
pub fn language_of_text(
    text: &str,
    tokens: &[Token],
    words: Option<&dyn LanguageEvidence>,
) -> Option<Language> {
    let read: Vec<&str> = tokens
        .iter()
        .filter(|token| token.kind == TokenKind::Word)
        .map(|token| token.text.as_str())
        .take(WORDS_READ)
        .collect();
    let mut lead = if text.contains(['¿', '¡']) { OPENING_MARK } else { 0.0 };
    let mut telling = Vec::new();
    for word in read {
        let in_english = is_stop_word(word, Language::English);
        let in_spanish = is_stop_word(word, Language::Spanish);
        lead += if has_spanish_letter(word) { ACCENTED_WORD } else { 0.0 };
        lead += STOP_WORD * for_spanish(in_english, in_spanish);
        if !in_english && !in_spanish {
            telling.push(word);
        }
    }
    if let Some(words) = words.filter(|_| lead.abs() < BEYOND_DOUBT) {
        for word in telling {
            let in_english = words.knows(word, Language::English);
            lead += KNOWN_WORD * for_spanish(in_english, words.knows(word, Language::Spanish));
        }
    }
    if lead > 0.0 {
        Some(Language::Spanish)
    } else if lead < 0.0 {
        Some(Language::English)
    } else {
        None
    }
}

/// 1 for evidence of Spanish alone, −1 of English alone, 0 of both or none.
fn for_spanish(in_english: bool, in_spanish: bool) -> f32 {
    match (in_english, in_spanish) {
        (false, true) => 1.0,
        (true, false) => -1.0,
        _ => 0.0,
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
