//! Distinct texts, each with a number.

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// Finds the number of a text whose spelling is kept elsewhere: 5 bytes a text and no copy of it.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    table: HashTable<u32>,
}

impl Numbers {
    /// The number of a text; `spelling` gives the text of a number.
    pub(super) fn find<'a>(&self, text: &str, spelling: impl Fn(u32) -> &'a str) -> Option<u32> {
        self.table.find(hash(text), |&number| spelling(number) == text).copied()
    }

    /// Adds the number of a text that is not there yet.
    pub(super) fn insert<'a>(
        &mut self,
        text: &str,
        number: u32,
        spelling: impl Fn(u32) -> &'a str,
    ) {
        self.table.insert_unique(hash(text), number, |&held| hash(spelling(held)));
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.table.allocation_size()
    }
}

fn hash(text: &str) -> u64 {
    FxBuildHasher.hash_one(text)
}

/// Distinct texts by number, in order of arrival, one after another in one string: a store of
/// 100,000 memories has as many terms that occur once, and an allocation each would cost more than
/// everything else that is known of them.
#[derive(Debug, Default)]
pub(super) struct Interned {
    text: String,
    ends: Vec<u32>,
    numbers: Numbers,
}

impl Interned {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn get(&self, number: u32) -> &str {
        spelling(&self.text, &self.ends, number)
    }

    pub(super) fn find(&self, text: &str) -> Option<u32> {
        self.numbers.find(text, |number| self.get(number))
    }

    /// The number of a text, a new one when it is not there yet.
    pub(super) fn insert(&mut self, text: &str) -> u32 {
        if let Some(number) = self.find(text) {
            return number;
        }
        let number = u32::try_from(self.ends.len()).unwrap_or(u32::MAX);
        self.text.push_str(text);
        self.ends.push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
        let (held, ends) = (&self.text, &self.ends);
        self.numbers.insert(text, number, |number| spelling(held, ends, number));
        number
    }

    pub(super) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.text.capacity() + 4 * self.ends.capacity() + self.numbers.heap_bytes()
    }
}

fn spelling<'a>(text: &'a str, ends: &[u32], number: u32) -> &'a str {
    let at = number as usize;
    let start = if at == 0 { 0 } else { ends[at - 1] };
    &text[start as usize..ends[at] as usize]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Interned;

    proptest! {
        #[test]
        fn every_text_keeps_the_number_of_its_first_arrival(
            texts in prop::collection::vec("[abñ]{0,3}", 0..60),
        ) {
            let mut interned = Interned::default();
            let mut distinct: Vec<&str> = Vec::new();
            for text in &texts {
                let expected = distinct.iter().position(|held| held == text);
                let number = interned.insert(text);
                prop_assert_eq!(number as usize, expected.unwrap_or(distinct.len()));
                if expected.is_none() {
                    distinct.push(text);
                }
            }
            prop_assert_eq!(interned.len(), distinct.len());
            for (number, text) in (0..).zip(distinct) {
                prop_assert_eq!(interned.get(number), text);
                prop_assert_eq!(interned.find(text), Some(number));
            }
            prop_assert_eq!(interned.find("unheard"), None);
        }
    }
}
