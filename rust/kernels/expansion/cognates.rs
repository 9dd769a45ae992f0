//! Words of the other language that a word is nearly spelt like: `photography`, `fotografía`.
//!
//! Technical words are often cognates that no dictionary has.

use super::{Collected, Expander, Origin};
use crate::kernels::levenshtein::{Metric, distance};
use crate::kernels::text::stopwords::is_stop_word;

/// Weight of a cognate that is spelt alike, and what share of its letters may differ.
const WEIGHT: f32 = 0.3;
const DIFFERENT: f32 = 0.25;

/// Shortest word that has cognates, most slips from it, and how many are taken.
const SHORTEST: usize = 5;
const REACH: u8 = 2;
const COGNATES: usize = 3;

/// Letters that cognates begin with alike.
const SAME_START: usize = 2;

/// How English spells what Spanish spells otherwise; of both languages what comes second is looked
/// for.
const SPELLINGS: [(&str, &str); 11] = [
    ("ph", "f"),
    ("th", "t"),
    ("ck", "c"),
    ("tion", "cion"),
    ("ct", "t"),
    ("cc", "c"),
    ("ss", "s"),
    ("mm", "m"),
    ("tt", "t"),
    ("ff", "f"),
    ("y", "i"),
];

impl Expander<'_> {
    /// Adds cognates of a word without a translation, where the store holds texts of the other
    /// language alone; a word that is closer counts more, .3 · (1 − 2·edits / letters).
    pub(super) fn add_cognates(&self, word: &str, collected: &mut Collected<'_>) {
        let plain = in_plain_spelling(word);
        let letters = plain.chars().count();
        // Where the store speaks the question's language, too, a near spelling is more often
        // another word of it.
        if self.translation_mass <= 0.0
            || self.has_own_language
            || letters < SHORTEST
            || plain.chars().any(|letter| !letter.is_alphabetic())
        {
            return;
        }
        let vocabulary = self.index.vocabulary();
        let mut found: Vec<(f32, &str)> = Vec::new();
        for (near, _) in vocabulary.near(&plain, REACH) {
            let other = in_plain_spelling(near);
            let share = distance(&plain, &other, Metric::Osa) as f32 / letters as f32;
            let begins_alike = plain.chars().take(SAME_START).eq(other.chars().take(SAME_START));
            if near != word
                && share <= DIFFERENT
                && begins_alike
                && !is_stop_word(near, self.language)
            {
                found.push((WEIGHT * (1.0 - 2.0 * share) * self.translation_mass, near));
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
        for (weight, near) in found.into_iter().take(COGNATES) {
            for (term, _) in vocabulary.terms_of_word(near) {
                collected.add(term, weight, (Origin::Cognate, near.to_owned()));
            }
        }
    }
}

/// A word, case and accents folded, as both languages would spell it.
fn in_plain_spelling(word: &str) -> String {
    let mut plain = word.to_owned();
    for (english, spanish) in SPELLINGS {
        if plain.contains(english) {
            plain = plain.replace(english, spanish);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::in_plain_spelling;

    #[test]
    fn cognates_meet_in_their_plain_spelling() {
        for (english, spanish) in
            [("photography", "fotografia"), ("function", "funcion"), ("system", "sistema")]
        {
            let (one, other) = (in_plain_spelling(english), in_plain_spelling(spanish));
            assert!(other.starts_with(&one[..one.len() - 1]), "{one} {other}");
        }
    }
}
