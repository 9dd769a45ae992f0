//! What kind of thing a text says, beside its words: whether it asks, tells a time, a span or a
//! number, and who is speaking.
//!
//! A question that begins with «when» is answered by a text that tells a time, whatever its words
//! are; in a conversation the text after a question is likelier than others to be its answer.

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

use super::fold::{fold_accents, fold_case};
use super::stem::Language;
use super::stopwords::is_stop_word;
use super::tokens::{Token, TokenKind};

/// Kinds of statement that a text holds, a bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Traits(u8);

impl Traits {
    /// The text ends in a question.
    pub const ASKS: Self = Self(1);
    /// It tells a point in time: a date, a weekday, `last week`, `hace dos años`.
    pub const TIME: Self = Self(2);
    /// It tells a span of time: `three months`, `desde`.
    pub const SPAN: Self = Self(4);
    /// It tells a number.
    pub const NUMBER: Self = Self(8);
    /// Its speaker is named as in a script, `Ana: …`, rather than guessed from the first word.
    pub const LABELLED: Self = Self(16);

    const ALL: u8 = 31;

    /// Both together.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all of `other` is there.
    #[must_use]
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// As a byte.
    #[must_use]
    pub fn bits(self) -> u8 {
        self.0
    }

    /// From a byte that [`Traits::bits`] gave; unknown bits are dropped.
    #[must_use]
    pub fn from_bits(bits: u8) -> Self {
        Self(bits & Self::ALL)
    }
}

/// What a word can be to an expression of time or number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// A point in time by itself: a month, a weekday, `yesterday`.
    Moment,
    /// Makes a moment of the period beside it: `last`, `pasado`.
    Pointing,
    /// `week`, `año`.
    Period,
    /// `minute`, `hora`: a span, too short to place an event.
    ShortPeriod,
    /// `since`, `desde`.
    Since,
    /// A number in letters, `few`, `several`.
    Number,
    /// `a`, `un`: counts before a period only.
    One,
}

const MOMENTS: &str = "yesterday tomorrow tonight ago january february march april june july august \
    september october november december monday tuesday wednesday thursday friday saturday sunday \
    ayer anteayer anoche enero febrero marzo abril mayo junio julio agosto septiembre octubre \
    noviembre diciembre lunes martes miercoles jueves viernes sabado domingo";
const POINTING: &str = "last next past previous pasado pasada pasados pasadas proximo proxima hace";
const PERIODS: &str = "day days week weeks weekend weekends month months year years decade decades \
    summer winter spring autumn fall night season dia dias semana semanas mes meses año años decada \
    decadas verano invierno primavera otoño noche temporada";
const SHORT_PERIODS: &str = "minute minutes hour hours minuto minutos hora horas";
const SINCE: &str = "since desde";
const NUMBERS: &str = "one two three four five six seven eight nine ten eleven twelve twenty thirty \
    forty fifty hundred thousand million dozen couple few several once twice uno dos tres cuatro \
    cinco seis siete ocho nueve diez once doce veinte treinta cuarenta cincuenta cien ciento mil \
    millon docena par varios varias unos unas";
const ONES: &str = "a an un una";

static PARTS: LazyLock<FxHashMap<&'static str, Part>> = LazyLock::new(|| {
    let lists = [
        (MOMENTS, Part::Moment),
        (POINTING, Part::Pointing),
        (PERIODS, Part::Period),
        (SHORT_PERIODS, Part::ShortPeriod),
        (SINCE, Part::Since),
        (NUMBERS, Part::Number),
        (ONES, Part::One),
    ];
    let of_list =
        |(words, part): (&'static str, Part)| words.split(' ').map(move |word| (word, part));
    lists.into_iter().flat_map(of_list).filter(|(word, _)| !word.is_empty()).collect()
});

/// The years that are read as dates rather than numbers.
const YEARS: std::ops::RangeInclusive<u32> = 1900..=2099;

/// Whether a token is a year.
#[must_use]
pub fn year(token: &str) -> Option<u32> {
    (token.len() == 4).then(|| token.parse().ok()).flatten().filter(|year| YEARS.contains(year))
}

/// The traits of a text; `tokens` are its own, function words among them.
#[must_use]
pub fn traits_of(text: &str, tokens: &[Token]) -> Traits {
    let mut found = if ends_in_a_question(text) { Traits::ASKS } else { Traits::default() };
    let mut before: Option<Part> = None;
    let words = tokens.iter().filter(|token| token.kind != TokenKind::Whole);
    for token in words {
        let part = part_of(&token.text);
        let is_year = year(&token.text).is_some();
        match (before, part) {
            (_, Some(Part::Moment)) => found = found.with(Traits::TIME),
            (Some(Part::Pointing), Some(Part::Period))
            | (Some(Part::Period), Some(Part::Pointing)) => {
                found = found.with(Traits::TIME);
            }
            (Some(Part::Number), Some(Part::Period)) => {
                found = found.with(Traits::TIME).with(Traits::SPAN);
            }
            (Some(Part::One), Some(Part::Period | Part::ShortPeriod))
            | (Some(Part::Number), Some(Part::ShortPeriod))
            | (_, Some(Part::Since)) => found = found.with(Traits::SPAN),
            _ => {}
        }
        if is_year {
            found = found.with(Traits::TIME);
        }
        if part == Some(Part::Number) {
            found = found.with(Traits::NUMBER);
        }
        before = part;
    }
    found
}

fn part_of(word: &str) -> Option<Part> {
    if word.starts_with(|letter: char| letter.is_ascii_digit()) {
        return Some(Part::Number);
    }
    PARTS.get(word).or_else(|| PARTS.get(&*fold_accents(word))).copied()
}

/// Whether the last thing in the text is a question mark; a bracketed note after it, such as a
/// picture's caption, does not count, nor do closing quotes.
fn ends_in_a_question(text: &str) -> bool {
    let closing = |letter: char| letter.is_whitespace() || "\"'»”’)".contains(letter);
    let mut rest = text.trim_end_matches(closing);
    if let Some(before) = rest.strip_suffix(']').and_then(|noted| noted.rsplit_once('[')) {
        rest = before.0.trim_end_matches(closing);
    }
    rest.ends_with('?')
}

/// Who speaks in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Speaker {
    /// First word of the name, case and accents folded.
    pub name: String,
    /// Named as in a script (`Ana: …`), not guessed from the first word.
    pub labelled: bool,
}

/// Words of a label, and the bytes among which its colon is looked for.
const LABEL_WORDS: usize = 3;
const LABEL_BYTES: usize = 48;

/// The speaker of a text: the label that opens it, if no other line has another one; else the
/// capitalised content word that opens it, which is often whom a note is about.
#[must_use]
pub fn speaker_of(text: &str, language: Language) -> Option<Speaker> {
    let mut labels = text.lines().filter_map(label);
    if let Some(first) = labels.next() {
        let alone = label(text.trim_start()) == Some(first) && labels.all(|label| label == first);
        return alone.then(|| Speaker { name: key_of(first), labelled: true });
    }
    let word =
        text.split(|letter: char| !letter.is_alphanumeric()).find(|word| !word.is_empty())?;
    let named = word.starts_with(char::is_uppercase)
        && !is_stop_word(&fold_case(word), language)
        && word.chars().nth(1).is_some();
    named.then(|| Speaker { name: key_of(word), labelled: false })
}

/// The first word of a name as it is compared: case and accents folded.
#[must_use]
pub fn key_of(name: &str) -> String {
    let first = name.split(|letter: char| !letter.is_alphanumeric()).find(|word| !word.is_empty());
    fold_accents(&fold_case(first.unwrap_or_default())).into_owned()
}

/// The label of a line of a script: one to three capitalised words, a colon, a space.
fn label(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let end = line.bytes().take(LABEL_BYTES).position(|byte| byte == b':')?;
    let name = line.get(..end)?;
    let spaced = line[end + 1..].chars().next().is_none_or(char::is_whitespace);
    let is_name = |word: &str| {
        word.starts_with(char::is_uppercase)
            && word.chars().all(|letter| letter.is_alphanumeric() || "'’.-_".contains(letter))
    };
    let words = name.split(' ');
    (spaced && words.clone().count() <= LABEL_WORDS && words.clone().all(is_name)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::{Language, Speaker, Traits, speaker_of, traits_of};
    use crate::kernels::text::tokens::tokens;

    fn traits(text: &str) -> Traits {
        traits_of(text, &tokens(text))
    }

    #[test]
    fn a_question_is_one_whatever_follows_its_mark() {
        for text in ["Where is it?", "¿Dónde está? ", "Did you? [shared image: a boat]", "«¿Sí?»"]
        {
            assert!(traits(text).has(Traits::ASKS), "{text}");
        }
        for text in ["Where? There.", "It is there.", "[really?] yes"] {
            assert!(!traits(text).has(Traits::ASKS), "{text}");
        }
    }

    #[test]
    fn times_are_told_in_both_languages() {
        for text in [
            "We met yesterday",
            "in June",
            "two weeks ago",
            "the summer of 2019",
            "last weekend",
            "Llegó ayer",
            "el martes",
            "hace tres años",
            "la semana pasada",
            "en el año 1998",
        ] {
            assert!(traits(text).has(Traits::TIME), "{text}");
        }
        for text in ["at the last gate", "the next step", "room 2400", "la próxima puerta"] {
            assert!(!traits(text).has(Traits::TIME), "{text}");
        }
    }

    #[test]
    fn spans_and_numbers_are_told_apart() {
        assert!(traits("It took three hours").has(Traits::SPAN.with(Traits::NUMBER)));
        assert!(traits("vive aquí desde marzo").has(Traits::SPAN));
        assert!(traits("un mes entero").has(Traits::SPAN));
        assert!(!traits("an old gate").has(Traits::SPAN));
        assert!(traits("doce tazas").has(Traits::NUMBER));
        assert!(!traits("a cup").has(Traits::NUMBER));
    }

    fn speaker(text: &str) -> Option<Speaker> {
        speaker_of(text, Language::English)
    }

    #[test]
    fn a_label_names_the_speaker() {
        let ana = |labelled| Some(Speaker { name: "ana".into(), labelled });
        assert_eq!(speaker("Ana: the gate is open"), ana(true));
        assert_eq!(speaker("  Ana María López: the gate"), ana(true));
        assert_eq!(speaker("Ana painted the gate"), ana(false));
        assert_eq!(speaker("Ana: hello\nAna: again"), ana(true));
    }

    #[test]
    fn a_conversation_has_no_one_speaker() {
        assert_eq!(speaker("Ana: hello\nLuis: hello"), None);
        assert_eq!(speaker("minutes\nAna: hello\nLuis: hello"), None);
    }

    #[test]
    fn what_opens_a_text_is_a_name_only_if_it_can_be_one() {
        assert_eq!(speaker("The gate is open"), None);
        assert_eq!(speaker("the gate"), None);
        assert_eq!(speaker("I was there"), None);
        assert_eq!(speaker(""), None);
        assert_eq!(speaker("12:30 lunch"), None);
    }

    #[test]
    fn an_address_is_no_label() {
        assert_eq!(speaker("Https://example.org").map(|speaker| speaker.labelled), Some(false));
    }
}
