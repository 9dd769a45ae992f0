//! Who does what in a text: a subject, an action, an object and the circumstances of each
//! statement, found by rules.
//!
//! A sentence is cut into words; its first finite verb, told from nouns by what stands beside it,
//! parts what comes before (the subject) from what comes after (the object, then phrases of time,
//! place and manner). What a clause joined by `and` or `that` says is a statement of its own.
//! Questions state nothing. A parser would know more, and cost a thousand times as much.

mod clause;
mod group;
mod verbs;
mod words;

use crate::kernels::text::fold::{fold_accents, fold_case};
use crate::kernels::text::stem::Language;

use self::clause::Clauses;
pub use self::verbs::PartsOfSpeech;
use self::verbs::{Verb, Verbs};
use self::words::{Class, class_of};

/// Sentences of a text that are read: what it is about stands there.
const SENTENCES: usize = 6;

/// Statements that are kept of a text.
const STATEMENTS: usize = 8;

/// Words of a sentence that are read; one that is longer is a list, or no sentence.
const LONGEST: usize = 60;

/// One thing that a text says; a role that nothing fills is empty.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Statement {
    /// Who or what does it, at most six words, as written, without article.
    pub subject: String,
    /// The base form of the verb, after `not` or `no` where it is denied.
    pub action: String,
    /// Whom or what it is done to, at most six words, without article.
    pub object: String,
    /// When, where, how and with what, at most twelve words.
    pub context: String,
}

/// A word of a sentence with what it can be.
#[derive(Debug, Clone)]
struct Word<'t> {
    /// As written, without the marks around it.
    text: &'t str,
    /// Case and accents folded.
    key: String,
    class: Class,
    verb: Option<Verb>,
    /// A comma, a colon, a bracket or a dash follows.
    breaks: bool,
    capital: bool,
}

/// Reads the statements of texts, and remembers the verbs that it has met.
pub struct Reader<'a> {
    verbs: Verbs<'a>,
}

impl<'a> Reader<'a> {
    /// Reads with a dictionary; without one only irregular and unmistakable verbs are known.
    #[must_use]
    pub fn new(book: Option<&'a dyn PartsOfSpeech>) -> Self {
        Self { verbs: Verbs::new(book) }
    }

    /// The statements of a text in their order, at most eight, of its first six sentences.
    #[must_use]
    pub fn statements(&self, text: &str, language: Language) -> Vec<Statement> {
        let mut found = Vec::new();
        for sentence in sentences(text).take(SENTENCES) {
            let words = self.words(sentence, language);
            found.extend(Clauses::new(&words, language));
            if found.len() >= STATEMENTS {
                found.truncate(STATEMENTS);
                break;
            }
        }
        found
    }

    /// The base form of a verb, as the action of a statement would be spelt.
    #[must_use]
    pub fn base(&self, word: &str, language: Language) -> Option<String> {
        let spelt = fold_case(word);
        let verb = self.verbs.read(&spelt, &fold_accents(&spelt), language)?;
        (!verb.base.is_empty()).then_some(verb.base)
    }

    fn words<'t>(&self, sentence: &'t str, language: Language) -> Vec<Word<'t>> {
        let mut words: Vec<Word<'t>> = Vec::new();
        for piece in sentence.split_whitespace().take(LONGEST) {
            let text = piece.trim_matches(is_mark);
            if text.is_empty() {
                // A dash, or marks alone.
                if let Some(before) = words.last_mut() {
                    before.breaks = true;
                }
                continue;
            }
            if piece.starts_with(['(', '[', '—', '–'])
                && let Some(before) = words.last_mut()
            {
                before.breaks = true;
            }
            let after = &piece[piece.find(text).unwrap_or(0) + text.len()..];
            let breaks = after.contains([',', ':', ')', ']', '—', '–']);
            self.push(text, breaks, language, &mut words);
        }
        words
    }

    /// One word, or two where English writes them as one: `it's`, `didn't`.
    fn push<'t>(&self, text: &'t str, breaks: bool, language: Language, words: &mut Vec<Word<'t>>) {
        let contracted = (language == Language::English)
            .then(|| text.find(['\'', '’']))
            .flatten()
            .filter(|&at| {
                let ending = text[at..].trim_start_matches(['\'', '’']);
                matches!(ending, "s" | "re" | "m" | "ve" | "ll" | "d")
                    && matches!(
                        class_of(&fold_case(&text[..at]), &fold_case(&text[..at]), language),
                        Class::Pronoun
                    )
            });
        let (text, ending) = contracted.map_or((text, ""), |at| text.split_at(at));
        let spelt = fold_case(text).replace('’', "'");
        let key = fold_accents(&spelt).into_owned();
        let class = class_of(&spelt, &key, language);
        let verb = match class {
            Class::Content => self.verbs.read(&spelt, &key, language),
            Class::Negation if key == "cannot" => self.verbs.read(&spelt, &key, language),
            _ => None,
        };
        let capital = text.starts_with(char::is_uppercase);
        words.push(Word { text, key, class, verb, breaks: breaks && ending.is_empty(), capital });
        let spoken = match ending.trim_start_matches(['\'', '’']) {
            "" => return,
            "ve" | "d" => "have",
            "ll" => "will",
            "re" => "are",
            "m" => "am",
            _ => "is",
        };
        let verb = self.verbs.read(spoken, spoken, language);
        let class = Class::Content;
        words.push(Word { text: ending, key: spoken.into(), class, verb, breaks, capital: false });
    }
}

/// Marks around a word; `#`, `$`, `%` and the like belong to it.
fn is_mark(letter: char) -> bool {
    !letter.is_alphanumeric() && !"#$%€£+&@/".contains(letter)
}

/// The sentences of a text that state something.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        while !rest.is_empty() {
            let end = sentence_end(rest);
            let sentence = rest[..end].trim();
            rest = &rest[end..];
            let asks = sentence.ends_with('?') || sentence.starts_with('¿');
            if !asks && sentence.contains(char::is_alphabetic) {
                return Some(sentence);
            }
        }
        None
    })
}

/// Where the first sentence ends: at a line's end, or at a mark before white space that does not
/// belong to a number or an initial.
fn sentence_end(text: &str) -> usize {
    for (at, mark) in text.char_indices() {
        let end = at + mark.len_utf8();
        match mark {
            '\n' | ';' => return end,
            '.' | '!' | '?' | '…' => {
                let spaced = text[end..].chars().next().is_none_or(|next| {
                    next.is_whitespace() || matches!(next, '"' | '\'' | '»' | ')' | '¿' | '¡')
                });
                let initial = mark == '.' && is_abbreviation(&text[..at]);
                if spaced && !initial {
                    return end;
                }
            }
            _ => {}
        }
    }
    text.len()
}

fn is_abbreviation(before: &str) -> bool {
    let word = before.rsplit(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    let initial = word.chars().count() == 1 && word.starts_with(char::is_uppercase);
    initial
        || matches!(word, "Dr" | "Dra" | "Mr" | "Mrs" | "Ms" | "Sr" | "Sra" | "St" | "vs" | "etc")
}
