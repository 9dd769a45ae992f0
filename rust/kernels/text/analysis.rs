//! The one analysis that documents and questions go through.

use super::asking::{Asking, asking};
use super::fold::fold_accents;
use super::language::{LanguageEvidence, language_of_text, language_of_word};
use super::stem::{Language, stem};
use super::stopwords::{is_stop_word, number_of};
use super::tokens::{Token, TokenKind, tokens};
use super::traits::{Speaker, Traits, speaker_of, traits_of};

/// A word as it stands in a text, and the term that it is indexed under.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Form {
    /// Case and accents folded, not stemmed: what a typo is compared with.
    pub word: String,
    /// The stem.
    pub term: String,
    /// A compound piece beside its parts; it adds nothing to the text's length.
    pub whole: bool,
    /// Written with accents that `word` has lost.
    pub accented: bool,
}

/// A document's text after analysis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Analysis {
    /// The language that it was read in.
    pub language: Language,
    /// Its content words in order, or all its words when they are all function words.
    pub forms: Vec<Form>,
    /// Its function words by number, rising; one that comes twice is there twice.
    pub function_words: Vec<u16>,
    /// What kinds of statement it holds.
    pub traits: Traits,
    /// Who speaks in it.
    pub speaker: Option<Speaker>,
}

/// One content word of a question: everything it may be indexed under.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionWord {
    /// Case folded, accents on: what a lexicon is asked for.
    pub surface: String,
    /// Case and accents folded.
    pub word: String,
    /// Its stems in the question's language and in the other one, without doublets. A store may
    /// hold the word in either.
    pub terms: Vec<String>,
    /// A compound piece beside its parts.
    pub whole: bool,
}

/// A question after analysis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The language that it was read in.
    pub language: Language,
    /// Its content words in order, or all its words when they are all function words.
    pub words: Vec<QuestionWord>,
    /// The function words that were left out, in order.
    pub ignored: Vec<String>,
    /// What kind of answer it wants.
    pub asking: Asking,
}

impl Question {
    /// The function words by number, rising, each once.
    #[must_use]
    pub fn function_words(&self) -> Vec<u16> {
        let mut numbers: Vec<u16> =
            self.ignored.iter().filter_map(|word| number_of(&fold_accents(word))).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}

/// The content words of a short text in a known language: a name, a synonym.
#[must_use]
pub fn forms_of(text: &str, language: Language, words: Option<&dyn LanguageEvidence>) -> Vec<Form> {
    let (content, function) = split_function_words(tokens(text), language);
    let kept = if content.is_empty() { function } else { content };
    kept.iter().map(|token| form(token, language, words)).collect()
}

/// Analyses a document's text.
///
/// `language` is the text's when it is known; else it is guessed, and `fallback` taken when
/// nothing speaks for either language.
#[must_use]
pub fn analyse(
    text: &str,
    language: Option<Language>,
    fallback: Language,
    words: Option<&dyn LanguageEvidence>,
) -> Analysis {
    let tokens = tokens(text);
    let language = language.or_else(|| language_of_text(text, &tokens, words)).unwrap_or(fallback);
    let traits = traits_of(text, &tokens);
    let speaker = speaker_of(text, language);
    let (content, function) = split_function_words(tokens, language);
    let mut function_words: Vec<u16> =
        function.iter().filter_map(|token| number_of(&fold_accents(&token.text))).collect();
    function_words.sort_unstable();
    let kept = if content.is_empty() { function } else { content };
    let forms = kept.iter().map(|token| form(token, language, words)).collect();
    Analysis { language, forms, function_words, traits, speaker }
}

/// Analyses a question; `fallback` is the language of most of the store.
#[must_use]
pub fn analyse_question(
    text: &str,
    fallback: Language,
    words: Option<&dyn LanguageEvidence>,
) -> Question {
    let tokens = tokens(text);
    let language = language_of_text(text, &tokens, words).unwrap_or(fallback);
    let (content, function) = split_function_words(tokens, language);
    let (kept, ignored) =
        if content.is_empty() { (function, Vec::new()) } else { (content, function) };
    Question {
        language,
        words: kept.into_iter().map(|token| question_word(token, language)).collect(),
        ignored: ignored.into_iter().map(|token| token.text).collect(),
        asking: asking(text),
    }
}

fn split_function_words(tokens: Vec<Token>, language: Language) -> (Vec<Token>, Vec<Token>) {
    tokens
        .into_iter()
        .partition(|token| token.kind != TokenKind::Word || !is_stop_word(&token.text, language))
}

fn form(token: &Token, language: Language, words: Option<&dyn LanguageEvidence>) -> Form {
    let word = fold_accents(&token.text).into_owned();
    let term = match token.kind {
        TokenKind::Word => stem(&token.text, language_of_word(&token.text, language, words)),
        TokenKind::Whole | TokenKind::Pair => word.clone(),
    };
    Form { accented: word != token.text, word, term, whole: token.kind == TokenKind::Whole }
}

fn question_word(token: Token, language: Language) -> QuestionWord {
    let word = fold_accents(&token.text).into_owned();
    let mut terms = match token.kind {
        TokenKind::Word => {
            vec![stem(&token.text, language), stem(&token.text, language.other())]
        }
        TokenKind::Whole | TokenKind::Pair => vec![word.clone()],
    };
    terms.dedup();
    QuestionWord { surface: token.text, word, terms, whole: token.kind == TokenKind::Whole }
}

#[cfg(test)]
mod tests {
    use super::{Language, analyse, analyse_question};

    fn terms(text: &str) -> Vec<String> {
        analyse(text, None, Language::English, None)
            .forms
            .into_iter()
            .map(|form| form.term)
            .collect()
    }

    #[test]
    fn function_words_go_and_the_rest_is_stemmed() {
        assert_eq!(terms("the keys of the cellars"), ["key", "cellar"]);
        assert_eq!(terms("las canciones del camino"), terms("la canción de los caminos"));
    }

    #[test]
    fn a_text_of_function_words_keeps_them() {
        assert_eq!(terms("to be or not to be").len(), 6);
    }

    #[test]
    fn a_question_carries_the_stems_of_both_languages() {
        let question = analyse_question("running boats", Language::English, None);
        assert_eq!(question.words[0].terms, ["run", "running"]);
        assert!(question.ignored.is_empty());
    }

    #[test]
    fn year_and_anus_stay_apart() {
        assert_ne!(terms("el año nuevo"), terms("el ano nuevo"));
    }
}
