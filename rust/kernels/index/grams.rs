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

/// The trigrams of every word form of an index, by number, and their document frequencies.
#[derive(Debug, Default)]
pub(super) struct Grams {
    numbers: FxHashMap<u64, u32>,
    documents: Vec<u32>,
    /// ln(df + 1) of each trigram: a question needs a thousand of them.
    rarity: Vec<f32>,
    /// Where the trigrams of each form end in `of_forms`; a compound piece kept whole has none,
    /// since its parts are forms of their own.
    ends: Vec<u32>,
    of_forms: Vec<u32>,
    /// The number of the last document that was seen to hold each trigram.
    seen: Vec<u32>,
    looked_at: u32,
}

impl Grams {
    /// The table of these documents.
    pub(super) fn of(vocabulary: &Vocabulary, documents: &Documents) -> Self {
        let mut grams = Self::default();
        grams.learn_forms(vocabulary);
        for slot in (0..documents.end()).filter(|&slot| documents.is_alive(slot)) {
            grams.count(documents, slot, |held, _| *held += 1);
        }
        grams.rarity = grams.documents.iter().map(|&documents| rarity(documents)).collect();
        grams.shrink();
        grams
    }

    /// Gives back what growing by doubling took too much.
    pub(super) fn shrink(&mut self) {
        self.numbers.shrink_to_fit();
        self.documents.shrink_to_fit();
        self.rarity.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.of_forms.shrink_to_fit();
        self.seen.shrink_to_fit();
    }

    /// How many trigrams there are.
    pub(super) fn len(&self) -> usize {
        self.documents.len()
    }

    /// The number of a packed trigram.
    pub(super) fn number(&self, gram: u64) -> Option<u32> {
        self.numbers.get(&gram).copied()
    }

    /// ln(df + 1) of each trigram, by number.
    pub(super) fn rarities(&self) -> &[f32] {
        &self.rarity
    }

    /// The same without some documents, each given once.
    pub(super) fn rarities_without(&self, documents: &Documents, slots: &[u32]) -> Vec<f32> {
        let mut counts = self.documents.clone();
        let mut rarities = self.rarity.clone();
        let mut seen = vec![u32::MAX; counts.len()];
        for &slot in slots {
            for &gram in documents.forms(slot).flat_map(|(_, form)| self.of_form(form)) {
                if std::mem::replace(&mut seen[gram as usize], slot) != slot {
                    counts[gram as usize] -= 1;
                }
            }
        }
        for (gram, _) in seen.iter().enumerate().filter(|&(_, &slot)| slot != u32::MAX) {
            rarities[gram] = rarity(counts[gram]);
        }
        rarities
    }

    /// The trigrams of a form, in order, doublets too.
    #[inline]
    pub(super) fn of_form(&self, form: u32) -> &[u32] {
        let at = form as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.of_forms[start as usize..self.ends[at] as usize]
    }

    /// Counts a document that has come.
    pub(super) fn add(&mut self, vocabulary: &Vocabulary, documents: &Documents, slot: u32) {
        self.learn_forms(vocabulary);
        self.count(documents, slot, |held, kept| {
            *held += 1;
            *kept = rarity(*held);
        });
    }

    /// Counts a document that is about to go.
    pub(super) fn remove(&mut self, documents: &Documents, slot: u32) {
        self.count(documents, slot, |held, kept| {
            *held -= 1;
            *kept = rarity(*held);
        });
    }

    pub(super) fn heap_bytes(&self) -> usize {
        4 * (self.documents.capacity() + self.rarity.capacity() + self.seen.capacity())
            + 4 * (self.ends.capacity() + self.of_forms.capacity())
            + self.numbers.capacity() * (size_of::<(u64, u32)>() + 1)
    }

    fn learn_forms(&mut self, vocabulary: &Vocabulary) {
        for form in self.ends.len()..vocabulary.forms() {
            let form = u32::try_from(form).unwrap_or(u32::MAX);
            if !vocabulary.is_whole(form) {
                for gram in packed_trigrams(vocabulary.word_of(form)) {
                    let fresh = u32::try_from(self.documents.len()).unwrap_or(u32::MAX);
                    let number = *self.numbers.entry(gram).or_insert(fresh);
                    if number == fresh {
                        self.documents.push(0);
                        self.rarity.push(0.0);
                        self.seen.push(0);
                    }
                    self.of_forms.push(number);
                }
            }
            self.ends.push(u32::try_from(self.of_forms.len()).unwrap_or(u32::MAX));
        }
    }

    /// Does something to the frequency of each trigram of a document, once.
    fn count(&mut self, documents: &Documents, slot: u32, change: impl Fn(&mut u32, &mut f32)) {
        self.looked_at = self.looked_at.wrapping_add(1);
        if self.looked_at == 0 {
            self.seen.fill(0);
            self.looked_at = 1;
        }
        for (_, form) in documents.forms(slot) {
            let start = if form == 0 { 0 } else { self.ends[form as usize - 1] } as usize;
            for &gram in &self.of_forms[start..self.ends[form as usize] as usize] {
                let at = gram as usize;
                if std::mem::replace(&mut self.seen[at], self.looked_at) != self.looked_at {
                    change(&mut self.documents[at], &mut self.rarity[at]);
                }
            }
        }
    }
}

fn rarity(documents: u32) -> f32 {
    // As good as `ln_1p` for whole numbers, and three times as fast.
    (documents as f32 + 1.0).ln()
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
        grams.number(packed).map_or(0, |number| grams.documents[number as usize])
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
        let grams = followed.grams();
        for (&documents, &kept) in grams.documents.iter().zip(grams.rarities()) {
            assert!((rarity(documents) - kept).abs() < 1e-6);
        }
    }
}
