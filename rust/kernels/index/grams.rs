//! Character trigrams of words, and in how many documents each occurs.
//!
//! Words that differ by an ending, a slip or a cognate's spelling share most of their trigrams. The
//! table is made when a question first needs it and then follows every document that comes or goes,
//! so what it says depends on the documents alone and not on their history.

use rustc_hash::FxHashMap;

use super::documents::Documents;
use super::vocabulary::Vocabulary;

/// Bits that a character takes in a packed trigram.
const CHARACTER_BITS: u32 = 21;

/// The trigrams of every word of an index, by number, and their document frequencies.
#[derive(Debug, Default)]
pub(super) struct Grams {
    numbers: FxHashMap<u64, u32>,
    documents: Vec<u32>,
    /// Where the trigrams of each word end in `of_words`, by number of the word.
    ends: Vec<u32>,
    of_words: Vec<u32>,
    /// The count of the last document that was seen to hold each trigram.
    seen: Vec<u32>,
    looked_at: u32,
}

impl Grams {
    /// The table of these documents.
    pub(super) fn of(vocabulary: &Vocabulary, documents: &Documents) -> Self {
        let mut grams = Self::default();
        for slot in (0..documents.end()).filter(|&slot| documents.is_alive(slot)) {
            grams.add(vocabulary, documents, slot);
        }
        grams
    }

    /// How many trigrams there are.
    pub(super) fn len(&self) -> usize {
        self.documents.len()
    }

    /// The number of a packed trigram.
    pub(super) fn number(&self, gram: u64) -> Option<u32> {
        self.numbers.get(&gram).copied()
    }

    /// In how many documents each trigram occurs, by number.
    pub(super) fn document_frequencies(&self) -> &[u32] {
        &self.documents
    }

    /// The trigrams of a word of the vocabulary, in order, doublets too.
    #[inline]
    pub(super) fn of_word(&self, word: u32) -> &[u32] {
        let at = word as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.of_words[start as usize..self.ends[at] as usize]
    }

    /// Counts a document that has come.
    pub(super) fn add(&mut self, vocabulary: &Vocabulary, documents: &Documents, slot: u32) {
        self.learn_words(vocabulary);
        self.count(vocabulary, documents, slot, 1);
    }

    /// Counts a document that is about to go.
    pub(super) fn remove(&mut self, vocabulary: &Vocabulary, documents: &Documents, slot: u32) {
        self.count(vocabulary, documents, slot, -1);
    }

    pub(super) fn heap_bytes(&self) -> usize {
        4 * (self.documents.capacity() + self.seen.capacity())
            + 4 * (self.ends.capacity() + self.of_words.capacity())
            + self.numbers.capacity() * 13
    }

    fn learn_words(&mut self, vocabulary: &Vocabulary) {
        for word in self.ends.len()..vocabulary.words() {
            let spelling = vocabulary.spelling(u32::try_from(word).unwrap_or(u32::MAX));
            for gram in packed_trigrams(spelling) {
                let fresh = u32::try_from(self.documents.len()).unwrap_or(u32::MAX);
                let number = *self.numbers.entry(gram).or_insert(fresh);
                if number == fresh {
                    self.documents.push(0);
                    self.seen.push(0);
                }
                self.of_words.push(number);
            }
            self.ends.push(u32::try_from(self.of_words.len()).unwrap_or(u32::MAX));
        }
    }

    fn count(&mut self, vocabulary: &Vocabulary, documents: &Documents, slot: u32, by: i32) {
        self.looked_at = self.looked_at.wrapping_add(1);
        if self.looked_at == 0 {
            self.seen.fill(0);
            self.looked_at = 1;
        }
        for word in words_of(vocabulary, documents, slot) {
            let start = if word == 0 { 0 } else { self.ends[word as usize - 1] } as usize;
            for &gram in &self.of_words[start..self.ends[word as usize] as usize] {
                let seen = &mut self.seen[gram as usize];
                if *seen != self.looked_at {
                    *seen = self.looked_at;
                    let held = &mut self.documents[gram as usize];
                    *held = held.saturating_add_signed(by);
                }
            }
        }
    }
}

/// The words of a document in order, by number; compound pieces are there as their parts.
pub(super) fn words_of<'a>(
    vocabulary: &'a Vocabulary,
    documents: &'a Documents,
    slot: u32,
) -> impl Iterator<Item = u32> + 'a {
    documents
        .forms(slot)
        .filter(|&(_, form)| !vocabulary.is_whole(form))
        .map(|(_, form)| vocabulary.word_number_of(form))
}

/// The trigrams of a word with a blank on either side, each packed into a number: `key` has ` ke`,
/// `key` and `ey `.
pub(super) fn packed_trigrams(word: &str) -> impl Iterator<Item = u64> + '_ {
    const MASK: u64 = (1 << (3 * CHARACTER_BITS)) - 1;
    let mut packed = u64::from(u32::from(' '));
    word.chars()
        .chain(std::iter::once(' '))
        .map(move |letter| {
            packed = (packed << CHARACTER_BITS | u64::from(u32::from(letter))) & MASK;
            packed
        })
        .skip(1)
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{Texts, index_of, put};
    use super::*;
    use crate::kernels::index::Index;

    fn frequency(index: &Index, gram: &str) -> u32 {
        let grams = index.grams();
        let mut packed = 0;
        for letter in gram.chars() {
            packed = packed << CHARACTER_BITS | u64::from(u32::from(letter));
        }
        grams.number(packed).map_or(0, |number| grams.document_frequencies()[number as usize])
    }

    #[test]
    fn a_word_has_as_many_trigrams_as_letters() {
        assert_eq!(packed_trigrams("key").count(), 3);
        assert_eq!(packed_trigrams("a").count(), 1);
        assert_eq!(packed_trigrams("año").count(), 3);
        assert_eq!(packed_trigrams("").count(), 0);
    }

    #[test]
    fn frequencies_count_documents_not_occurrences() {
        let index = index_of(&["keyring keyring", "keyhole", "harbour"]);
        assert_eq!(frequency(&index, "key"), 2);
        assert_eq!(frequency(&index, " ha"), 1);
        assert_eq!(frequency(&index, "zzz"), 0);
    }

    #[test]
    fn a_table_that_followed_equals_one_made_at_the_end() {
        let mut followed = index_of(&["keyring", "harbour"]);
        assert_eq!(frequency(&followed, "key"), 1);
        put(&mut followed, 3, &Texts::body("keyhole harbour"));
        put(&mut followed, 1, &Texts::body("lighthouse"));
        followed.delete(2);
        let mut fresh = Index::new();
        put(&mut fresh, 1, &Texts::body("lighthouse"));
        put(&mut fresh, 3, &Texts::body("keyhole harbour"));
        for gram in ["key", " ha", "lig", "our", "ing"] {
            assert_eq!(frequency(&followed, gram), frequency(&fresh, gram), "{gram}");
        }
    }
}
