//! Who does what to what, where and when: one statement a clause, by rules.
//!
//! No parser ships here. In a plain declarative clause of either language the subject stands before
//! the verb and the object behind it, up to the first preposition; what follows is the setting. A
//! clause whose verb is not found gives nothing: a missing statement costs a search less than a
//! wrong one.

use super::fold::{fold_accents, fold_case};
use super::irregular::{english_base, spanish_infinitives};
use super::stem::Language;

/// Sentences that are read, statements that are taken, words of a role.
const SENTENCES: usize = 6;
const STATEMENTS: usize = 8;
const LONGEST_ROLE: usize = 6;
const LONGEST_SETTING: usize = 8;

/// What a dictionary says of a word's part of speech.
pub trait PartsOfSpeech {
    /// Whether it is the base form of a verb.
    fn is_verb(&self, base: &str, language: Language) -> bool;
    /// Whether it is the base form of a noun or adjective.
    fn is_noun(&self, base: &str, language: Language) -> bool;
}

/// One statement of a text, each role in the text's own words; the action in its base form.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statement {
    /// Who, or what; empty where the text does not say.
    pub subject: String,
    /// What is done, or `be`, `ser`, `estar`.
    pub action: String,
    /// To whom, or what is said to be.
    pub object: String,
    /// Where, when, how.
    pub context: String,
}

const ENGLISH_BE: &[&str] = &["is", "are", "was", "were", "am", "be", "been", "being"];
const ENGLISH_AUXILIARIES: &[&str] = &[
    "has", "have", "had", "do", "does", "did", "will", "would", "can", "could", "shall", "should",
    "may", "might", "must",
];
const ENGLISH_DETERMINERS: &[&str] = &[
    "the", "a", "an", "this", "that", "these", "those", "my", "your", "his", "her", "its", "our",
    "their", "some", "any", "each", "every", "no", "all", "both",
];
const ENGLISH_PREPOSITIONS: &[&str] = &[
    "in", "on", "at", "by", "with", "from", "to", "for", "during", "before", "after", "behind",
    "under", "over", "near", "beside", "between", "into", "through", "since", "until", "against",
    "about", "without", "within", "among", "across", "around", "because", "when", "while", "as",
    "if", "where", "than", "every",
];
const ENGLISH_BOUNDARIES: &[&str] = &["and", "or", "but", "so", "that", "which", "who"];
const ENGLISH_PRONOUNS: &[&str] = &["i", "you", "he", "she", "it", "we", "they"];

const SPANISH_BE: &[(&str, &str)] = &[
    ("es", "ser"),
    ("son", "ser"),
    ("era", "ser"),
    ("eran", "ser"),
    ("fue", "ser"),
    ("fueron", "ser"),
    ("sera", "ser"),
    ("soy", "ser"),
    ("somos", "ser"),
    ("esta", "estar"),
    ("estan", "estar"),
    ("estaba", "estar"),
    ("estaban", "estar"),
    ("estoy", "estar"),
];
const SPANISH_AUXILIARIES: &[&str] = &[
    "ha", "han", "he", "hemos", "habia", "habian", "puede", "pueden", "debe", "deben", "va", "van",
    "quiere", "quieren", "suele", "suelen",
];
const SPANISH_DETERMINERS: &[&str] = &[
    "el", "la", "los", "las", "un", "una", "unos", "unas", "este", "esta", "estos", "estas", "ese",
    "esa", "mi", "tu", "su", "sus", "mis", "nuestro", "nuestra", "cada", "todo", "toda", "todos",
    "todas", "algun", "ningun", "lo", "al", "del",
];
const SPANISH_PREPOSITIONS: &[&str] = &[
    "en", "con", "desde", "hasta", "para", "por", "sin", "sobre", "bajo", "tras", "entre",
    "durante", "segun", "contra", "hacia", "ante", "cuando", "porque", "mientras", "si", "donde",
    "antes", "despues", "detras", "debajo", "cerca", "a", "al",
];
const SPANISH_BOUNDARIES: &[&str] = &["y", "e", "o", "pero", "que", "sino", "aunque"];
const SPANISH_CLITICS: &[&str] = &["se", "lo", "la", "los", "las", "le", "les", "me", "te", "nos"];
const SPANISH_PRONOUNS: &[&str] = &["yo", "ella", "nosotros", "ellos", "ellas", "usted"];

const NEGATIONS: &[&str] = &["not", "never", "no", "nunca", "also", "tambien", "ya", "still"];

/// A word as it stands and as it is looked up.
struct Word<'a> {
    text: &'a str,
    key: String,
    /// Case folded, accents on.
    folded: String,
    /// A comma, colon or bracket follows.
    ends: bool,
}

/// The statements of a text, in its order.
#[must_use]
pub fn statements(text: &str, language: Language, words: &dyn PartsOfSpeech) -> Vec<Statement> {
    let mut found = Vec::new();
    for sentence in sentences(text).take(SENTENCES) {
        if sentence.trim_end().ends_with('?') {
            continue; // a question states nothing
        }
        for clause in clauses(words_of(sentence)) {
            if let Some(statement) = statement(&clause, language, words) {
                found.push(statement);
            }
        }
    }
    found.truncate(STATEMENTS);
    found
}

/// Sentences with their closing mark; a point within a number or a name ends none.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        if rest.is_empty() {
            return None;
        }
        let end = rest
            .char_indices()
            .find(|&(at, letter)| {
                let after = rest[at + letter.len_utf8()..].chars().next();
                letter == '\n'
                    || matches!(letter, '!' | '?' | ';')
                    || letter == '.' && after.is_none_or(char::is_whitespace)
            })
            .map_or(rest.len(), |(at, letter)| at + letter.len_utf8());
        let (sentence, after) = rest.split_at(end);
        rest = after;
        Some(sentence)
    })
}

fn words_of(sentence: &str) -> Vec<Word<'_>> {
    sentence
        .split_whitespace()
        .filter_map(|piece| {
            let text = piece.trim_matches(|letter: char| !letter.is_alphanumeric());
            let folded = fold_case(text).into_owned();
            let key = fold_accents(&folded).into_owned();
            let ends = piece.ends_with([',', ':', ')', '—']);
            (!text.is_empty()).then_some(Word { text, key, folded, ends })
        })
        .collect()
}

/// A sentence at its commas; pieces of a word or two belong to a list and stay with what is before.
fn clauses(words: Vec<Word<'_>>) -> Vec<Vec<Word<'_>>> {
    const SHORTEST: usize = 3;
    let mut found: Vec<Vec<Word<'_>>> = vec![Vec::new()];
    for word in words {
        let ends = word.ends;
        if let Some(last) = found.last_mut() {
            last.push(word);
            if ends && last.len() >= SHORTEST {
                found.push(Vec::new());
            }
        }
    }
    found
}

fn statement(
    clause: &[Word<'_>],
    language: Language,
    words: &dyn PartsOfSpeech,
) -> Option<Statement> {
    let (verb, after, action) = match language {
        Language::English => english_verb(clause, words)?,
        Language::Spanish => spanish_verb(clause, words)?,
    };
    let [determiners, prepositions, boundaries] = match language {
        Language::English => [ENGLISH_DETERMINERS, ENGLISH_PREPOSITIONS, ENGLISH_BOUNDARIES],
        Language::Spanish => [SPANISH_DETERMINERS, SPANISH_PREPOSITIONS, SPANISH_BOUNDARIES],
    };
    let is = |list: &[&str], word: &Word<'_>| list.contains(&word.key.as_str());
    let opening = clause[..verb].iter().rposition(|word| is(boundaries, word));
    let subject = &clause[opening.map_or(0, |at| at + 1)..verb];
    let behind = &clause[after..];
    let end = behind
        .iter()
        .position(|word| is(prepositions, word) || is(boundaries, word))
        .unwrap_or(behind.len());
    let setting = behind[end..].iter().position(|word| is(boundaries, word));
    let context = &behind[end..setting.map_or(behind.len(), |at| end + at)];
    let little = |word: &&Word<'_>| {
        let clitic = language == Language::Spanish && is(SPANISH_CLITICS, word);
        !(clitic || is(determiners, word) || is(NEGATIONS, word))
    };
    let joined = |part: &[Word<'_>], most: usize| {
        let kept: Vec<&str> = part.iter().filter(little).map(|word| word.text).collect();
        kept[..kept.len().min(most)].join(" ")
    };
    let statement = Statement {
        subject: joined(subject, LONGEST_ROLE),
        action,
        object: joined(&behind[..end], LONGEST_ROLE),
        context: {
            let kept: Vec<&str> = context.iter().map(|word| word.text).collect();
            kept[..kept.len().min(LONGEST_SETTING)].join(" ")
        },
    };
    let says = !statement.object.is_empty() || !statement.context.is_empty();
    (says || !statement.subject.is_empty()).then_some(statement)
}

/// Where the verb begins, where what follows it begins, and its base.
fn english_verb(clause: &[Word<'_>], words: &dyn PartsOfSpeech) -> Option<(usize, usize, String)> {
    let is = |list: &[&str], at: usize| list.contains(&clause[at].key.as_str());
    for at in 1..clause.len() {
        if is(ENGLISH_BE, at) || is(ENGLISH_AUXILIARIES, at) {
            let mut next = at + 1;
            while next < clause.len()
                && (is(ENGLISH_BE, next)
                    || is(ENGLISH_AUXILIARIES, next)
                    || is(NEGATIONS, next)
                    || clause[next].key.ends_with("ly"))
            {
                next += 1;
            }
            if next < clause.len()
                && let Some(base) = english_base_of(&clause[next].key, words)
                && (!is(ENGLISH_BE, at) || is_participle(&clause[next].key))
            {
                return Some((at, next + 1, base));
            }
            let action = match clause[at].key.as_str() {
                "has" | "have" | "had" => "have",
                _ if is(ENGLISH_BE, at) => "be",
                _ => continue,
            };
            return Some((at, at + 1, action.to_owned()));
        }
        let before = &clause[at - 1];
        if is(ENGLISH_DETERMINERS, at - 1) || is(ENGLISH_PREPOSITIONS, at - 1) {
            continue;
        }
        let key = &clause[at].key;
        let Some(base) = english_base_of(key, words) else { continue };
        let past = english_base(key).is_some() || (key.ends_with("ed") && key.len() > 4);
        let third = key.ends_with('s') && base != *key;
        let pronoun = ENGLISH_PRONOUNS.contains(&before.key.as_str());
        let follows = clause.get(at + 1).is_none_or(|next| {
            ENGLISH_DETERMINERS.contains(&next.key.as_str())
                || ENGLISH_PREPOSITIONS.contains(&next.key.as_str())
                || next.text.starts_with(char::is_uppercase)
                || next.text.starts_with(char::is_numeric)
                || !words.is_verb(&next.key, Language::English)
        });
        if past || pronoun || (third && follows && !before.key.ends_with('s')) {
            return Some((at, at + 1, base));
        }
    }
    None
}

fn is_participle(key: &str) -> bool {
    key.ends_with("ed") || key.ends_with("ing") || english_base(key).is_some()
}

/// The verb that an English word is a form of.
fn english_base_of(key: &str, words: &dyn PartsOfSpeech) -> Option<String> {
    let is_verb = |base: &str| words.is_verb(base, Language::English);
    if let Some(base) = english_base(key).filter(|base| is_verb(base)) {
        return Some(base.to_owned());
    }
    let doubled = |stem: &str| {
        let mut letters = stem.chars().rev();
        letters.next() == letters.next()
    };
    for (ending, added) in [
        ("ies", "y"),
        ("ied", "y"),
        ("ing", ""),
        ("ing", "e"),
        ("ed", ""),
        ("ed", "e"),
        ("es", ""),
        ("s", ""),
    ] {
        let Some(stem) = key.strip_suffix(ending).filter(|stem| stem.len() > 1) else { continue };
        let base = format!("{stem}{added}");
        if is_verb(&base) {
            return Some(base);
        }
        if added.is_empty() && doubled(stem) && is_verb(&stem[..stem.len() - 1]) {
            return Some(stem[..stem.len() - 1].to_owned());
        }
    }
    is_verb(key).then(|| key.to_owned())
}

fn spanish_verb(clause: &[Word<'_>], words: &dyn PartsOfSpeech) -> Option<(usize, usize, String)> {
    let is = |list: &[&str], at: usize| list.contains(&clause[at].key.as_str());
    for at in 0..clause.len() {
        // `esta` without an accent is a determiner.
        let be = SPANISH_BE.iter().find(|(form, _)| *form == clause[at].key);
        if let Some((_, base)) = be.filter(|_| clause[at].folded != "esta") {
            let next = at + 1;
            if next < clause.len()
                && let Some(base) = spanish_participle(&clause[next], words)
            {
                return Some((at, next + 1, base));
            }
            return Some((at, next, (*base).to_owned()));
        }
        if is(SPANISH_AUXILIARIES, at) {
            for (next, word) in clause.iter().enumerate().skip(at + 1).take(2) {
                if words.is_verb(&word.key, Language::Spanish) {
                    return Some((at, next + 1, word.key.clone()));
                }
                if let Some(base) = spanish_participle(word, words) {
                    return Some((at, next + 1, base));
                }
            }
        }
        let behind_article = at > 0
            && (is(SPANISH_DETERMINERS, at - 1) || is(SPANISH_PREPOSITIONS, at - 1))
            && !is(SPANISH_CLITICS, at - 1);
        if behind_article {
            continue;
        }
        let found = spanish_infinitives(&clause[at].folded)
            .into_iter()
            .find(|held| words.is_verb(&held.text, Language::Spanish));
        let Some(infinitive) = found else { continue };
        let pronoun = at > 0
            && (is(SPANISH_PRONOUNS, at - 1) || is(SPANISH_CLITICS, at - 1) || is(&["no"], at - 1));
        let participle = clause[at].key.ends_with("ado") || clause[at].key.ends_with("ido");
        let only_verb = !words.is_noun(&clause[at].folded, Language::Spanish);
        // A clause that begins with its verb names its subject in the ending alone.
        let goes_on = at > 0
            || clause.get(1).is_some_and(|next| {
                SPANISH_DETERMINERS.contains(&next.key.as_str())
                    || SPANISH_PREPOSITIONS.contains(&next.key.as_str())
            });
        if (infinitive.surely && !participle) || pronoun || (goes_on && only_verb && !participle) {
            return Some((at, at + 1, infinitive.text));
        }
    }
    None
}

fn spanish_participle(word: &Word<'_>, words: &dyn PartsOfSpeech) -> Option<String> {
    let ends = [
        "ado", "ada", "ados", "adas", "ido", "ida", "idos", "idas", "ando", "endo", "cho", "to",
        "ta",
    ];
    if !ends.iter().any(|ending| word.key.ends_with(ending)) {
        return None;
    }
    spanish_infinitives(&word.folded)
        .into_iter()
        .find(|held| words.is_verb(&held.text, Language::Spanish))
        .map(|held| held.text)
}

#[cfg(test)]
mod tests;
