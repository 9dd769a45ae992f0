//! A growing list of words that can be asked for those near a given one.
//!
//! Nothing is built beyond the words themselves, so a push costs one pass over its characters.
//! A question looks only at words of a fitting length, discards nearly all of them by letter
//! mask, and computes the distance of the rest, several at a time.

use std::collections::BTreeMap;

use super::letter_mask::{LetterMask, LetterMasks};
use super::pattern::{LANES, Pattern};
use super::{Metric, banded};
use crate::kernels::cpu::Simd;

/// Room made at first for candidates and results; it grows at need.
const EXPECTED_CANDIDATES: usize = 256;

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
    groups: Vec<Group>,
    /// The group of each shape: length in characters, then in bytes.
    group_of_shape: BTreeMap<(usize, usize), u32>,
    /// Where each word is.
    places: Vec<Place>,
}

/// Words of one shape, in parallel arrays.
///
/// All are equally long in characters, which lets them be compared in step, and in bytes, so that
/// a word's text is found by multiplication and not by one more read from cold memory.
#[derive(Debug, Clone, Default)]
struct Group {
    word_bytes: usize,
    text: String,
    masks: LetterMasks,
    indices: Vec<u32>,
}

impl Group {
    #[inline]
    fn word(&self, position: u32) -> &str {
        let start = position as usize * self.word_bytes;
        &self.text[start..start + self.word_bytes]
    }
}

#[derive(Debug, Clone, Copy)]
struct Place {
    group: u32,
    position: u32,
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
    /// When the list holds 2^32 words already.
    pub fn push(&mut self, word: &str) -> u32 {
        let index = u32::try_from(self.places.len()).expect("a list holds at most 2^32 words");
        let shape = (word.chars().count(), word.len());
        let number = *self.group_of_shape.entry(shape).or_insert_with(|| {
            self.groups.push(Group { word_bytes: word.len(), ..Group::default() });
            position_of_last(&self.groups)
        });
        let group = &mut self.groups[number as usize];
        group.text.push_str(word);
        group.masks.push(LetterMask::of(word));
        group.indices.push(index);
        self.places.push(Place { group: number, position: position_of_last(&group.indices) });
        index
    }

    /// The number of words.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether the list has no words.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The word with this index.
    ///
    /// # Panics
    ///
    /// When the list gave this index to no word, as slices do.
    #[must_use]
    pub fn get(&self, index: u32) -> &str {
        let place = self.places[index as usize];
        self.groups[place.group as usize].word(place.position)
    }

    /// The words at most `max_distance` edits from `word`, nearest first, then by index.
    ///
    /// A word equal to `word` is among them, at distance 0.
    #[must_use]
    pub fn near(&self, word: &str, max_distance: u8, metric: Metric) -> Vec<Near> {
        self.near_with(word, max_distance, metric, Simd::best())
    }

    fn near_with(&self, word: &str, max_distance: u8, metric: Metric, simd: Simd) -> Vec<Near> {
        let characters: Vec<char> = word.chars().collect();
        let mut comparison = Comparison::new(&characters, max_distance, metric, simd);
        let mask = LetterMask::of(word);
        let most = usize::from(max_distance);
        let shortest = characters.len().saturating_sub(most);
        let shapes = (shortest, 0)..=(characters.len() + most, usize::MAX);
        let mut candidates = Vec::with_capacity(EXPECTED_CANDIDATES);
        for (&(length, _), &number) in self.group_of_shape.range(shapes) {
            let group = &self.groups[number as usize];
            let limit = mask_limit(characters.len().abs_diff(length), max_distance);
            group.masks.find_close(mask, limit, simd, &mut candidates);
            comparison.expect_length(length);
            for &position in &candidates {
                comparison.add(group.word(position), group.indices[position as usize]);
            }
        }
        comparison.finish()
    }

    /// Gives back the room that growing vectors keep for words to come.
    pub fn shrink_to_fit(&mut self) {
        for group in &mut self.groups {
            group.text.shrink_to_fit();
            group.masks.shrink_to_fit();
            group.indices.shrink_to_fit();
        }
        self.groups.shrink_to_fit();
        self.places.shrink_to_fit();
    }

    /// Bytes that the list has allocated, but for the few of its table of shapes.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let of_group = |group: &Group| {
            group.text.capacity()
                + group.masks.heap_bytes()
                + size_of::<u32>() * group.indices.capacity()
        };
        self.groups.iter().map(of_group).sum::<usize>()
            + size_of::<Group>() * self.groups.capacity()
            + size_of::<Place>() * self.places.capacity()
    }
}

impl<S: AsRef<str>> Extend<S> for WordList {
    fn extend<I: IntoIterator<Item = S>>(&mut self, words: I) {
        for word in words {
            self.push(word.as_ref());
        }
    }
}

impl<S: AsRef<str>> FromIterator<S> for WordList {
    fn from_iter<I: IntoIterator<Item = S>>(words: I) -> Self {
        let mut list = Self::new();
        list.extend(words);
        list
    }
}

#[allow(clippy::cast_possible_truncation)] // `push` refuses the word that would not fit
fn position_of_last<T>(items: &[T]) -> u32 {
    (items.len() - 1) as u32
}

/// The most bits in which the letter masks of two words can differ when the words are near.
///
/// A substitution changes at most two bits, an insertion or a deletion one, a transposition none;
/// of at most `max_distance` edits, no fewer than the difference in length insert or delete.
fn mask_limit(length_difference: usize, max_distance: u8) -> u32 {
    let saved = u32::try_from(length_difference).unwrap_or(u32::MAX);
    (2 * u32::from(max_distance)).saturating_sub(saved)
}

/// A word under comparison with candidates, which wait until they fill all lanes.
struct Comparison<'a> {
    characters: &'a [char],
    /// `None` when the word is too long for one.
    pattern: Option<Pattern>,
    max_distance: u8,
    metric: Metric,
    simd: Simd,
    near: Vec<Near>,
    /// The bitmaps of the waiting candidates, a row a character.
    bitmaps: Vec<[u64; LANES]>,
    waiting: [u32; LANES],
    waiting_count: usize,
}

impl<'a> Comparison<'a> {
    fn new(characters: &'a [char], max_distance: u8, metric: Metric, simd: Simd) -> Self {
        Self {
            characters,
            pattern: Pattern::new(characters),
            max_distance,
            metric,
            simd,
            near: Vec::with_capacity(EXPECTED_CANDIDATES),
            bitmaps: Vec::with_capacity(characters.len() + usize::from(max_distance)),
            waiting: [0; LANES],
            waiting_count: 0,
        }
    }

    /// The length in characters of the candidates that follow.
    fn expect_length(&mut self, length: usize) {
        if length != self.bitmaps.len() {
            self.compare_waiting();
            self.bitmaps.resize(length, [0; LANES]);
        }
    }

    #[inline]
    fn add(&mut self, candidate: &str, index: u32) {
        let Some(pattern) = &self.pattern else {
            let candidate: Vec<char> = candidate.chars().collect();
            let limit = u32::from(self.max_distance);
            let distance = banded::distance_within(self.characters, &candidate, self.metric, limit);
            self.near.extend(distance.and_then(|distance| self.judge(index, distance)));
            return;
        };
        pattern.look_up(candidate, self.waiting_count, &mut self.bitmaps);
        self.waiting[self.waiting_count] = index;
        self.waiting_count += 1;
        if self.waiting_count == LANES {
            self.compare_waiting();
        }
    }

    fn compare_waiting(&mut self) {
        if let Some(pattern) = self.pattern.as_ref().filter(|_| self.waiting_count > 0) {
            let distances = pattern.distances(&self.bitmaps, self.metric, self.simd);
            for (&index, distance) in self.waiting[..self.waiting_count].iter().zip(distances) {
                self.near.extend(self.judge(index, distance));
            }
            self.waiting_count = 0;
        }
    }

    fn judge(&self, index: u32, distance: u32) -> Option<Near> {
        let distance = u8::try_from(distance).ok()?;
        (distance <= self.max_distance).then_some(Near { distance, index })
    }

    fn finish(mut self) -> Vec<Near> {
        self.compare_waiting();
        self.near.sort_unstable();
        self.near
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::kernels::levenshtein::distance;

    const METRICS: [Metric; 2] = [Metric::Levenshtein, Metric::Osa];

    fn list_of<S: AsRef<str>>(words: &[S]) -> WordList {
        words.iter().collect()
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
    fn a_word_costs_twenty_bytes_beyond_its_text() {
        let words: Vec<String> = (0..100_000).map(|i| format!("word{i:05}")).collect();
        let mut list = list_of(&words);
        assert!(list.heap_bytes() < 2 * 29 * words.len() + 1000); // vectors double as they grow
        list.shrink_to_fit();
        assert!(list.heap_bytes() < 29 * words.len() + 1000);
        assert_eq!(list.near("word00042", 0, Metric::Osa), [Near { distance: 0, index: 42 }]);
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
