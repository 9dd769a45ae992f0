//! What kind of answer a question wants, beside the words that it shares with it.

use super::fold::{fold_accents, fold_case};
use super::tokens::{TokenKind, tokens};
use super::traits::{key_of, year};

/// What a question asks for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Asking {
    /// It wants a point in time: `when`, `what year`, `¿cuándo?`.
    pub when: bool,
    /// It wants a span: `how long`, `¿cuánto tiempo?`.
    pub how_long: bool,
    /// It wants a number: `how many`, `¿cuántos?`.
    pub how_many: bool,
    /// The date that it speaks of.
    pub date: Option<AskedDate>,
    /// Its words that may be a name.
    pub names: Vec<AskedName>,
}

/// A date as people say it: a month, a day of it, a year, or some of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskedDate {
    /// 1 to 12.
    pub month: Option<u32>,
    /// 1 to 31; never without a month.
    pub day: Option<u32>,
    /// As written.
    pub year: Option<u32>,
}

/// A word of the question that may be a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedName {
    /// Case and accents folded.
    pub key: String,
    /// Written with a capital that the beginning of a sentence does not explain.
    pub capital: bool,
}

const MONTHS: [(&str, u32); 24] = [
    ("january", 1),
    ("february", 2),
    ("march", 3),
    ("april", 4),
    ("may", 5),
    ("june", 6),
    ("july", 7),
    ("august", 8),
    ("september", 9),
    ("october", 10),
    ("november", 11),
    ("december", 12),
    ("enero", 1),
    ("febrero", 2),
    ("marzo", 3),
    ("abril", 4),
    ("mayo", 5),
    ("junio", 6),
    ("julio", 7),
    ("agosto", 8),
    ("septiembre", 9),
    ("octubre", 10),
    ("noviembre", 11),
    ("diciembre", 12),
];

/// Prepositions that may stand before `what year` and `qué día`.
const BEFORE: [&str; 9] = ["in", "on", "at", "since", "by", "until", "en", "desde", "hasta"];

/// Names of moments that can be asked for.
const MOMENTS: [&str; 11] =
    ["date", "day", "month", "year", "time", "fecha", "dia", "mes", "año", "hora", "momento"];

/// Reads what a question asks for.
#[must_use]
pub fn asking(question: &str) -> Asking {
    let words: Vec<String> = tokens(question)
        .into_iter()
        .filter(|token| token.kind != TokenKind::Whole)
        .map(|token| fold_accents(&token.text).into_owned())
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let how_long = holds(&words, |pair| matches!(pair, ["how", "long"] | ["cuanto", "tiempo"]));
    let how_many = !how_long
        && (holds(&words, |pair| matches!(pair, ["how", "many" | "much" | "often" | "old"]))
            || words
                .iter()
                .any(|word| matches!(*word, "cuantos" | "cuantas" | "cuanto" | "cuanta")));
    Asking {
        when: asks_when(&words),
        how_long,
        how_many,
        date: date_in(&words),
        names: names_in(question),
    }
}

fn holds(words: &[&str], wanted: impl Fn([&str; 2]) -> bool) -> bool {
    words.windows(2).any(|pair| wanted([pair[0], pair[1]]))
}

fn asks_when(words: &[&str]) -> bool {
    let words = match words {
        [first, rest @ ..] if BEFORE.contains(first) => rest,
        all => all,
    };
    match words {
        ["when" | "cuando", ..] => true,
        ["what" | "which" | "que" | "cual", moment, ..] => MOMENTS.contains(moment),
        _ => false,
    }
}

/// The first date of a question. A bare `may` is a verb unless a preposition or a number makes a
/// month of it.
fn date_in(words: &[&str]) -> Option<AskedDate> {
    let day = |word: &str| -> Option<u32> {
        let digits = word.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        let suffix = &word[digits.len()..];
        let plain = matches!(suffix, "" | "st" | "nd" | "rd" | "th");
        digits.parse().ok().filter(|day| plain && (1..=31).contains(day))
    };
    for (at, word) in words.iter().enumerate() {
        let Some(&(_, month)) = MONTHS.iter().find(|(name, _)| name == word) else { continue };
        let before = words[..at].iter().rev().find(|word| !matches!(**word, "of" | "de"));
        let after = words.get(at + 1).copied();
        let told = before.and_then(|word| day(word)).or_else(|| after.and_then(day));
        let named = words[at + 1..].iter().take(3).find_map(|word| year(word));
        let placed = at > 0
            && matches!(
                words[at - 1],
                "in" | "of"
                    | "during"
                    | "since"
                    | "last"
                    | "this"
                    | "early"
                    | "late"
                    | "until"
                    | "by"
            );
        if *word != "may" || told.is_some() || named.is_some() || placed {
            return Some(AskedDate { month: Some(month), day: told, year: named });
        }
    }
    let named = words.iter().find_map(|word| year(word))?;
    Some(AskedDate { month: None, day: None, year: Some(named) })
}

/// Every word, and whether it has a capital inside its sentence.
fn names_in(question: &str) -> Vec<AskedName> {
    let mut opens = true;
    let mut names: Vec<AskedName> = Vec::new();
    for piece in question.split_inclusive(|letter: char| !letter.is_alphanumeric()) {
        let word = piece.trim_end_matches(|letter: char| !letter.is_alphanumeric());
        if !word.is_empty() {
            let capital = word.starts_with(char::is_uppercase) && !opens;
            let key = key_of(&fold_case(word));
            match names.iter_mut().find(|name| name.key == key) {
                Some(known) => known.capital |= capital,
                None => names.push(AskedName { key, capital }),
            }
            opens = false;
        }
        opens |= piece.ends_with(['.', '!', '?', '¿', '¡', ':']);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::{AskedDate, asking};

    #[test]
    fn the_kind_of_answer_is_read_in_both_languages() {
        for text in
            ["When did it open?", "In what year was that?", "¿Cuándo abrió?", "¿En qué año?"]
        {
            assert!(asking(text).when, "{text}");
        }
        assert!(!asking("What happened when it opened?").when);
        assert!(!asking("Which gate opened?").when);
        assert!(asking("For how long was it shut?").how_long);
        assert!(asking("¿Cuánto tiempo duró?").how_long);
        assert!(asking("How many gates are there?").how_many);
        assert!(asking("¿Cuántas puertas hay?").how_many);
        let long = asking("how long");
        assert!(long.how_long && !long.how_many);
    }

    fn date(month: Option<u32>, day: Option<u32>, year: Option<u32>) -> AskedDate {
        AskedDate { month, day, year }
    }

    #[test]
    fn dates_are_read_as_people_say_them() {
        assert_eq!(asking("What broke in June 2023?").date, Some(date(Some(6), None, Some(2023))));
        assert_eq!(
            asking("What broke on May 3rd, 2023?").date,
            Some(date(Some(5), Some(3), Some(2023)))
        );
        assert_eq!(
            asking("¿Qué pasó el 3 de mayo de 2023?").date,
            Some(date(Some(5), Some(3), Some(2023)))
        );
        assert_eq!(asking("What was built in 1998?").date, Some(date(None, None, Some(1998))));
        assert_eq!(asking("What happened in May?").date, Some(date(Some(5), None, None)));
        assert_eq!(asking("What may happen?").date, None);
        assert_eq!(asking("Which gate is number 40?").date, None);
    }

    #[test]
    fn a_capital_inside_a_sentence_marks_a_name() {
        let names = asking("Where does Ana keep the key? Under it.").names;
        let of = |key: &str| names.iter().find(|name| name.key == key).map(|name| name.capital);
        assert_eq!(of("ana"), Some(true));
        assert_eq!(of("where"), Some(false));
        assert_eq!(of("under"), Some(false));
    }
}
