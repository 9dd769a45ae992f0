//! Corrections of words that neither the store nor the dictionary knows.

use rustc_hash::FxHashMap;

use super::{
    Collected, ExpandedWord, Expander, Origin, PREFIXED, PREFIXED_WEIGHT, SHORTEST_PREFIX,
};
use crate::kernels::levenshtein::{Metric, distance};
use crate::kernels::text::analysis::QuestionWord;
use crate::kernels::text::stopwords;

/// Shortest word that is corrected, and the shortest that may have two slips.
const SHORTEST: usize = 4;
const SHORTEST_WITH_TWO: usize = 6;

/// Longest piece that is taken for a misspelt word.
const LONGEST: usize = 40;

/// Shortest word that may be two slips away from a dictionary word.
const SHORTEST_LEMMA_WITH_TWO: usize = 7;

/// Best corrections kept, and the weight that they share.
const CORRECTIONS: usize = 3;
const CORRECTED_WEIGHT: f32 = 0.8;

/// Dictionary words that an unknown word of the other language may stand for, and the weight of
/// their translations after one slip and after two; the second word counts half.
const NEAR_LEMMAS: usize = 2;
const ONE_SLIP: f32 = 0.7;
const TWO_SLIPS: f32 = 0.5;

impl Expander<'_> {
    pub(super) fn add_spellings(&self, word: &QuestionWord, collected: &mut Collected<'_>) {
        let letters = word.word.chars().count();
        // A number that is nearly another number is another number.
        if letters > LONGEST || word.word.chars().any(char::is_numeric) {
            return;
        }
        let before = collected.alternatives.len();
        if letters >= SHORTEST {
            self.add_corrections(&word.word, letters, collected);
            if !self.has_own_language {
                self.add_corrected_translations(word, letters, collected);
            }
        }
        if collected.alternatives.len() == before && letters >= SHORTEST_PREFIX {
            self.add_prefixed(&word.word, collected);
        }
    }

    /// Words of the store within one slip (two from six letters on), by likelihood:
    /// e^(−2·distance) · (documents + ½)^¼ · 2 for a likely slip · 2 for the same first letter.
    fn add_corrections(&self, word: &str, letters: usize, collected: &mut Collected<'_>) {
        let reach = if letters >= SHORTEST_WITH_TWO { 2 } else { 1 };
        let vocabulary = self.index.vocabulary();
        let mut by_term: FxHashMap<&str, (f32, &str)> = FxHashMap::default();
        for (near, edits) in vocabulary.near(word, reach) {
            if near.chars().any(char::is_numeric) {
                continue;
            }
            let likely = if is_likely_slip(word, near) { 2.0 } else { 1.0 };
            let same_start = if near.chars().next() == word.chars().next() { 2.0 } else { 1.0 };
            for (term, documents) in vocabulary.terms_of_word(near) {
                let common = (documents as f32 + 0.5).powf(0.25);
                let score = (-2.0 * f32::from(edits)).exp() * common * likely * same_start;
                by_term.entry(term).or_insert((0.0, near)).0 += score;
            }
        }
        let mut ranked: Vec<(&str, f32, &str)> =
            by_term.into_iter().map(|(term, (score, near))| (term, score, near)).collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
        ranked.truncate(CORRECTIONS);
        let sum: f32 = ranked.iter().map(|(_, score, _)| score).sum();
        for (term, score, near) in ranked {
            collected.add(term, CORRECTED_WEIGHT * score / sum, (Origin::Typo, near.to_owned()));
        }
    }

    /// Translations of the dictionary words that an unknown foreign word may stand for.
    fn add_corrected_translations(
        &self,
        word: &QuestionWord,
        letters: usize,
        collected: &mut Collected<'_>,
    ) {
        let Some(dictionary) = self.dictionary.filter(|_| self.options.meanings) else { return };
        let reach = if letters >= SHORTEST_LEMMA_WITH_TWO { 2 } else { 1 };
        let near = dictionary.near(&word.word, self.language, reach);
        for (nth, (lemma, edits)) in near.iter().take(NEAR_LEMMAS).enumerate() {
            let mass = if *edits <= 1 { ONE_SLIP } else { TWO_SLIPS };
            let mass = if nth == 0 { mass } else { mass / 2.0 };
            let found = dictionary.translations(lemma, self.language);
            let kind = (self.language.other(), Origin::Translation);
            self.add_meanings(&found, kind, (mass, super::TRANSLATIONS), collected);
        }
    }

    fn add_prefixed(&self, word: &str, collected: &mut Collected<'_>) {
        let vocabulary = self.index.vocabulary();
        let mut by_term: Vec<(&str, u32, &str)> = Vec::new();
        for (longer, _) in vocabulary.with_prefix(word, PREFIXED) {
            for (term, documents) in vocabulary.terms_of_word(longer) {
                match by_term.iter_mut().find(|(held, _, _)| *held == term) {
                    Some((_, held, _)) => *held += documents,
                    None => by_term.push((term, documents, longer)),
                }
            }
        }
        let sum: u32 = by_term.iter().map(|(_, documents, _)| documents).sum();
        for (term, documents, longer) in by_term {
            let share = documents as f32 / sum as f32;
            collected.add(term, PREFIXED_WEIGHT * share, (Origin::Prefix, longer.to_owned()));
        }
    }

    /// Whether a word that nothing stands for is one slip away from a function word.
    pub(super) fn is_slip_for_function_word(&self, held: &ExpandedWord) -> bool {
        let unknown = held.group.alternatives.iter().all(|alternative| {
            alternative.literal && self.index.document_frequency(&alternative.term) == 0
        });
        let known = self
            .dictionary
            .is_some_and(|dictionary| dictionary.knows(&held.surface, self.language));
        unknown
            && !known
            && held.word.chars().count() >= SHORTEST
            && stopwords::unaccented(self.language)
                .iter()
                .filter(|stop| stop.chars().count() >= SHORTEST)
                .any(|stop| distance(stop, &held.word, Metric::Osa) <= 1)
    }
}

/// Whether one word becomes the other by a slip that hands make: two letters swapped, a letter
/// doubled or not, a neighbouring key.
fn is_likely_slip(written: &str, meant: &str) -> bool {
    let written: Vec<char> = written.chars().collect();
    let meant: Vec<char> = meant.chars().collect();
    let same = written.iter().zip(&meant).take_while(|(one, other)| one == other).count();
    let (rest, rest_meant) = (&written[same..], &meant[same..]);
    let pairs_from_end = rest.iter().rev().zip(rest_meant.iter().rev());
    let tail = pairs_from_end.take_while(|(one, other)| one == other).count();
    match (&rest[..rest.len() - tail], &rest_meant[..rest_meant.len() - tail]) {
        ([first, second], [meant_first, meant_second]) => {
            first == meant_second && second == meant_first
        }
        ([key], [meant_key]) => are_neighbouring_keys(*key, *meant_key),
        // The letters before agree as far as they can, so a doublet's twin is the last of them.
        ([extra], []) | ([], [extra]) => same > 0 && written[same - 1] == *extra,
        _ => false,
    }
}

/// Rows of the keyboard that English and Spanish layouts share, each a key's half width further in.
const ROWS: [&str; 3] = ["qwertyuiop", "asdfghjklñ", "zxcvbnm"];

fn are_neighbouring_keys(a: char, b: char) -> bool {
    let place = |letter: char| {
        ROWS.iter().enumerate().find_map(|(row, keys)| {
            keys.chars().position(|key| key == letter).map(|column| (row, column))
        })
    };
    let (Some((row_a, column_a)), Some((row_b, column_b))) = (place(a), place(b)) else {
        return false;
    };
    row_a.abs_diff(row_b) <= 1 && column_a.abs_diff(column_b) <= 1
}

#[cfg(test)]
mod tests {
    use super::is_likely_slip;

    #[test]
    fn hands_swap_double_and_miss_by_a_key() {
        assert!(is_likely_slip("boilre", "boiler"));
        assert!(is_likely_slip("gardden", "garden"));
        assert!(is_likely_slip("lader", "ladder"));
        assert!(is_likely_slip("gatden", "garden"));
    }

    #[test]
    fn other_slips_are_less_likely() {
        assert!(!is_likely_slip("gapden", "garden"));
        assert!(!is_likely_slip("grden", "garden"));
        assert!(!is_likely_slip("boiler", "boiler"));
    }
}
