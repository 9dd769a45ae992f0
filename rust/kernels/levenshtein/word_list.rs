//! A growing list of words that can be asked for those near a given one.
//!
//! Nothing is built beyond the words themselves, so a push costs one pass over its characters.
//! A question looks only at words of a fitting length, discards nearly all of them by letter
//! mask, and computes the distance of the rest.

use std::collections::BTreeMap;

use super::letter_mask::{close_masks, letter_mask};
use super::pattern::Pattern;
use super::{Metric, banded};
use crate::kernels::cpu::Simd;

/// A word of the list that lies within the distance asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Near {
    /// Edits from the word that was asked about.
    pub distance: u8,
    /// The word's index in its list.
    pub index: u32,
}

/// Words in order of arrival; duplicates keep an index each.
#[derive(Debug, Clone, Default)]
pub struct WordList {
    /// All words, one after another.
    text: String,
    /// Where each word ends in `text`; it begins where the one before it ends.
    ends: Vec<u32>,
    /// The words of each length in characters.
    by_length: BTreeMap<usize, SameLength>,
}

/// Words of one length, in parallel arrays.
#[derive(Debug, Clone, Default)]
struct SameLength {
    masks: Vec<u64>,
    indices: Vec<u32>,
}

impl WordList {
    /// An empty list.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a word and returns its index: the number of words that came before it.
    ///
    /// # Panics
    ///
    /// When the words together pass 4 GiB of UTF-8, or 2^32 - 1 of them are held.
    pub fn push(&mut self, word: &str) -> u32 {
        let index = u32::try_from(self.ends.len()).expect("a word list holds 2^32 words");
        let end = u32::try_from(self.text.len() + word.len()).expect("a word list holds 4 GiB");
        self.text.push_str(word);
        self.ends.push(end);
        let group = self.by_length.entry(word.chars().count()).or_default();
        group.masks.push(letter_mask(word));
        group.indices.push(index);
        index
    }

    /// The number of words.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether the list has no words.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The word with this index.
    ///
    /// # Panics
    ///
    /// When the list gave this index to no word, as slices do.
    #[must_use]
    pub fn get(&self, index: u32) -> &str {
        let index = index as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.text[start as usize..self.ends[index] as usize]
    }

    /// The words at most `max_distance` edits from `word`, nearest first, then by index.
    ///
    /// A word equal to `word` is among them, at distance 0.
    #[must_use]
    pub fn near(&self, word: &str, max_distance: u8, metric: Metric) -> Vec<Near> {
        self.near_with(word, max_distance, metric, Simd::best())
    }

    fn near_with(&self, word: &str, max_distance: u8, metric: Metric, simd: Simd) -> Vec<Near> {
        let query = Query::new(word);
        let most = usize::from(max_distance);
        let lengths = query.length().saturating_sub(most)..=query.length() + most;
        let mut near = Vec::new();
        let mut candidates = Vec::new();
        for (&length, group) in self.by_length.range(lengths) {
            let limits = MaskLimits::new(query.length(), length, max_distance);
            candidates.clear();
            close_masks(&group.masks, query.mask, limits.total(), simd, &mut candidates);
            for &position in &candidates {
                if !limits.allow(query.mask, group.masks[position as usize]) {
                    continue;
                }
                let index = group.indices[position as usize];
                let distance = query.distance_within(self.get(index), max_distance, metric);
                near.extend(distance.map(|distance| Near { distance, index }));
            }
        }
        near.sort_unstable();
        near
    }

    /// Bytes that the list has allocated.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let groups: usize = self
            .by_length
            .values()
            .map(|group| 8 * group.masks.capacity() + 4 * group.indices.capacity())
            .sum();
        let per_group = size_of::<usize>() + size_of::<SameLength>();
        self.text.capacity() + 4 * self.ends.capacity() + groups + per_group * self.by_length.len()
    }
}

/// A word that is asked about, prepared for comparison with many.
struct Query {
    characters: Vec<char>,
    mask: u64,
    /// `None` when the word is too long for it.
    pattern: Option<Pattern>,
}

impl Query {
    fn new(word: &str) -> Self {
        let characters: Vec<char> = word.chars().collect();
        let pattern = Pattern::new(&characters);
        Self { characters, mask: letter_mask(word), pattern }
    }

    fn length(&self) -> usize {
        self.characters.len()
    }

    #[inline]
    fn distance_within(&self, other: &str, max_distance: u8, metric: Metric) -> Option<u8> {
        let distance = if let Some(pattern) = &self.pattern {
            pattern.distance(other.chars(), metric)
        } else {
            let other: Vec<char> = other.chars().collect();
            banded::distance_within(&self.characters, &other, metric, max_distance.into())?
        };
        u8::try_from(distance).ok().filter(|&distance| distance <= max_distance)
    }
}

/// How far the letter masks of two words can differ when the words are near.
///
/// With s substitutions, i insertions and d deletions, s + i + d <= k and d - i the difference in
/// length, the first word has at most s + d mask bits of its own and the second at most s + i. A
/// transposition changes no mask.
struct MaskLimits {
    /// Bits that only the word asked about may have.
    own: u32,
    /// Bits that only the word of the list may have.
    other: u32,
}

impl MaskLimits {
    /// `length` and `other_length` differ by at most `max_distance`.
    fn new(length: usize, other_length: usize, max_distance: u8) -> Self {
        let most = usize::from(max_distance);
        let own = most - other_length.saturating_sub(length);
        let other = most - length.saturating_sub(other_length);
        #[allow(clippy::cast_possible_truncation)] // both are at most 255
        Self { own: own as u32, other: other as u32 }
    }

    /// Differing bits, whoever has them.
    fn total(&self) -> u32 {
        self.own + self.other
    }

    fn allow(&self, mask: u64, other_mask: u64) -> bool {
        (mask & !other_mask).count_ones() <= self.own
            && (other_mask & !mask).count_ones() <= self.other
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::kernels::levenshtein::distance;

    const METRICS: [Metric; 2] = [Metric::Levenshtein, Metric::Osa];

    fn list_of<S: AsRef<str>>(words: &[S]) -> WordList {
        let mut list = WordList::new();
        for word in words {
            list.push(word.as_ref());
        }
        list
    }

    /// Every word, compared one by one.
    fn oracle(words: &[String], word: &str, max_distance: u8, metric: Metric) -> Vec<Near> {
        let mut near: Vec<Near> = (0..)
            .zip(words)
            .map(|(index, other)| (index, distance(word, other, metric)))
            .filter(|&(_, distance)| distance <= max_distance.into())
            .map(|(index, distance)| Near { index, distance: u8::try_from(distance).unwrap() })
            .collect();
        near.sort_by_key(|near| (near.distance, near.index));
        near
    }

    #[test]
    fn words_keep_their_order_and_their_spelling() {
        let mut list = WordList::new();
        let words = ["niño", "", "日本", "niño"];
        assert!(list.is_empty());
        assert_eq!(words.map(|word| list.push(word)), [0, 1, 2, 3]);
        assert_eq!(list.len(), 4);
        assert_eq!([0, 1, 2, 3].map(|index| list.get(index)), words);
    }

    #[test]
    fn the_nearest_come_first_and_ties_by_arrival() {
        let list = list_of(&["casas", "casa", "masa", "cosa", "ventana", "casa"]);
        let found: Vec<_> = list
            .near("casa", 1, Metric::Levenshtein)
            .iter()
            .map(|near| (near.distance, near.index))
            .collect();
        assert_eq!(found, [(0, 1), (0, 5), (1, 0), (1, 2), (1, 3)]);
    }

    #[test]
    fn a_swap_is_one_edit_only_under_osa() {
        let list = list_of(&["porque"]);
        assert_eq!(list.near("proque", 1, Metric::Osa).len(), 1);
        assert_eq!(list.near("proque", 1, Metric::Levenshtein), []);
    }

    #[test]
    fn words_longer_than_one_machine_word_are_found() {
        let long: String = "áb".repeat(50);
        let list = list_of(&[&long, &long[..30]]);
        let typo = format!("x{}", &long[2..]);
        assert_eq!(list.near(&typo, 1, Metric::Osa), [Near { distance: 1, index: 0 }]);
        assert_eq!(list.near(&long[..30], 2, Metric::Osa), [Near { distance: 0, index: 1 }]);
    }

    #[test]
    fn the_memory_is_a_few_bytes_a_word_beyond_its_text() {
        let words: Vec<String> = (0..100_000).map(|i| format!("word{i:05}")).collect();
        // 9 bytes of text, 8 of mask, 4 of end, 4 of index; a growing vector is at most half empty.
        assert!(list_of(&words).heap_bytes() <= 2 * 25 * words.len());
    }

    proptest! {
        #[test]
        fn near_finds_what_comparing_with_every_word_finds(
            words in prop::collection::vec("[abcdñж]{0,9}", 0..80),
            word in "[abcdñж]{0,9}",
            max_distance in 0_u8..5,
        ) {
            let list = list_of(&words);
            for metric in METRICS {
                let expected = oracle(&words, &word, max_distance, metric);
                for simd in Simd::available() {
                    let found = list.near_with(&word, max_distance, metric, simd);
                    prop_assert_eq!(&found, &expected, "{:?}", simd);
                }
            }
        }

        #[test]
        fn no_distance_is_too_large_to_ask_for(
            words in prop::collection::vec(".{0,300}", 0..8),
            word in ".{0,300}",
            max_distance: u8,
        ) {
            for metric in METRICS {
                let found = list_of(&words).near(&word, max_distance, metric);
                prop_assert_eq!(found, oracle(&words, &word, max_distance, metric));
            }
        }
    }
}
