//! What the index keeps of each document: its number, length and words, in order of storage.

use rustc_hash::FxHashMap;

use super::FIELDS;
use super::attributes::{Attributes, NewAttributes};
use crate::kernels::error::KernelError;
use crate::kernels::text::stem::Language;

/// Stands between two values of a field that holds several; no form has this number.
pub const VALUE_END: u32 = u32::MAX;

/// A byte that stands for a length of as much or more.
const LONG: u8 = u8::MAX;

/// The documents of an index. A *slot* is a document's place in the order of storage; numbers rise
/// with slots, and a deleted document leaves its slot empty.
#[derive(Debug, Default)]
pub struct Documents {
    pub(super) ids: Vec<i64>,
    pub(super) alive: Vec<bool>,
    pub(super) languages: Vec<u8>,
    pub(super) lengths: Lengths,
    pub(super) starts: Vec<u32>,
    pub(super) ends: Vec<[u32; FIELDS]>,
    pub(super) forms: Vec<u32>,
    pub(super) counts: [usize; 2],
    pub(super) total_length: u64,
    pub(super) attributes: Attributes,
}

impl Documents {
    /// How many slots there are, empty ones too.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.ids.len()
    }

    /// How many documents there are.
    #[must_use]
    pub fn live(&self) -> usize {
        self.counts.iter().sum()
    }

    /// How many of them are in the language.
    #[must_use]
    pub fn count_of_language(&self, language: Language) -> usize {
        self.counts[language as usize]
    }

    /// The slot of a document that is there.
    #[must_use]
    pub fn slot_of(&self, id: i64) -> Option<u32> {
        self.place_of(id).filter(|&slot| self.is_alive(slot))
    }

    /// The slot that a document has or, deleted, had; it may come back to it.
    #[must_use]
    pub fn place_of(&self, id: i64) -> Option<u32> {
        self.ids.binary_search(&id).ok().and_then(|slot| u32::try_from(slot).ok())
    }

    /// The number of the document in a slot.
    #[must_use]
    pub fn id(&self, slot: u32) -> i64 {
        self.ids[slot as usize]
    }

    /// Whether the slot holds a document.
    #[must_use]
    pub fn is_alive(&self, slot: u32) -> bool {
        self.alive[slot as usize]
    }

    /// A number that changes with the text of a slot.
    #[must_use]
    pub fn version(&self, slot: u32) -> u32 {
        self.starts[slot as usize]
    }

    /// The slot after the last one.
    #[must_use]
    pub fn end(&self) -> u32 {
        u32::try_from(self.ids.len()).unwrap_or(u32::MAX)
    }

    /// What is known of each document beside its content words.
    #[must_use]
    pub fn attributes(&self) -> &Attributes {
        &self.attributes
    }

    /// Words of the document that count towards its length: all but the name's.
    #[must_use]
    pub fn length(&self, slot: u32) -> f32 {
        self.lengths.get(slot) as f32
    }

    /// The length of each slot's document.
    #[must_use]
    pub fn lengths(&self) -> &Lengths {
        &self.lengths
    }

    /// Mean length, at least 1, so that it can divide.
    #[must_use]
    pub fn mean_length(&self) -> f32 {
        if self.live() == 0 {
            return 1.0;
        }
        #[allow(clippy::cast_possible_truncation)] // a mean of u32 values
        let mean = (self.total_length as f64 / self.live() as f64) as f32;
        mean.max(1.0)
    }

    /// The forms of a document in order, each with the number of its field.
    pub fn forms(&self, slot: u32) -> impl Iterator<Item = (usize, u32)> + '_ {
        (0..FIELDS).flat_map(move |field| {
            self.field(slot, field)
                .iter()
                .filter(|&&form| form != VALUE_END)
                .map(move |&form| (field, form))
        })
    }

    /// The forms of one field, with [`VALUE_END`] between its values.
    #[must_use]
    pub fn field(&self, slot: u32, field: usize) -> &[u32] {
        let ends = &self.ends[slot as usize];
        let start = if field == 0 { self.starts[slot as usize] } else { ends[field - 1] };
        &self.forms[start as usize..ends[field] as usize]
    }

    /// Each form of a document once, rising.
    #[must_use]
    pub fn distinct_forms(&self, slot: u32) -> Vec<u32> {
        let mut forms: Vec<u32> = self.forms(slot).map(|(_, form)| form).collect();
        forms.sort_unstable();
        forms.dedup();
        forms
    }

    pub(super) fn append(&mut self, id: i64) -> Result<u32, KernelError> {
        if self.ids.last().is_some_and(|&last| last >= id) {
            return Err(KernelError::OutOfRange {
                what: "document id",
                rule: format!("{id} must be above every id that the index has seen"),
            });
        }
        let slot = u32::try_from(self.ids.len()).map_err(|_| too_many())?;
        self.ids.push(id);
        self.alive.push(false);
        self.languages.push(0);
        self.lengths.push(0);
        self.starts.push(0);
        self.ends.push([0; FIELDS]);
        self.attributes.push();
        Ok(slot)
    }

    pub(super) fn next_start(&self) -> Result<u32, KernelError> {
        u32::try_from(self.forms.len()).map_err(|_| too_many())
    }

    /// Fills a slot. The words of the document that it held before stay in the arena until the
    /// index is saved and loaded, or built again.
    pub(super) fn set(
        &mut self,
        slot: u32,
        language: Language,
        length: u32,
        forms: &[u32],
        ends: [u32; FIELDS],
        attributes: &NewAttributes<'_>,
    ) {
        self.kill(slot);
        self.attributes.set(slot, attributes);
        let at = slot as usize;
        self.starts[at] = ends[FIELDS - 1] - u32::try_from(forms.len()).unwrap_or(u32::MAX);
        self.ends[at] = ends;
        self.forms.extend_from_slice(forms);
        self.lengths.set(slot, length);
        self.languages[at] = language as u8;
        self.alive[at] = true;
        self.counts[language as usize] += 1;
        self.total_length += u64::from(length);
    }

    pub(super) fn kill(&mut self, slot: u32) {
        let at = slot as usize;
        if self.alive[at] {
            self.alive[at] = false;
            self.counts[self.languages[at] as usize] -= 1;
            self.total_length -= u64::from(self.lengths.get(slot));
            self.attributes.kill(slot);
        }
    }

    pub(super) fn shrink(&mut self) {
        self.ids.shrink_to_fit();
        self.alive.shrink_to_fit();
        self.languages.shrink_to_fit();
        self.lengths.shrink();
        self.starts.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.forms.shrink_to_fit();
        self.attributes.shrink();
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.ids.capacity() * (8 + 1 + 1 + 4 + 4 * FIELDS)
            + self.lengths.heap_bytes()
            + self.forms.capacity() * 4
            + self.attributes.heap_bytes()
    }
}

/// Numbers of words by slot: a byte each, and those that need more aside. The ranking reads one
/// for every posting, so that how many fit a cache decides its speed.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Lengths {
    short: Vec<u8>,
    long: FxHashMap<u32, u32>,
}

impl Lengths {
    /// The number of words of the document in a slot.
    #[inline]
    #[must_use]
    pub fn get(&self, slot: u32) -> u32 {
        match self.short[slot as usize] {
            LONG => self.long.get(&slot).copied().unwrap_or(u32::from(LONG)),
            short => u32::from(short),
        }
    }

    pub(super) fn push(&mut self, length: u32) {
        let slot = u32::try_from(self.short.len()).unwrap_or(u32::MAX);
        self.short.push(0);
        self.set(slot, length);
    }

    fn set(&mut self, slot: u32, length: u32) {
        self.long.remove(&slot);
        self.short[slot as usize] = u8::try_from(length).unwrap_or(LONG);
        if length > u32::from(LONG) {
            self.long.insert(slot, length);
        }
    }

    fn shrink(&mut self) {
        self.short.shrink_to_fit();
        self.long.shrink_to_fit();
    }

    fn heap_bytes(&self) -> usize {
        self.short.capacity() + 9 * self.long.capacity()
    }
}

impl FromIterator<u32> for Lengths {
    fn from_iter<T: IntoIterator<Item = u32>>(lengths: T) -> Self {
        let mut held = Self::default();
        lengths.into_iter().for_each(|length| held.push(length));
        held
    }
}

fn too_many() -> KernelError {
    KernelError::OutOfRange {
        what: "index",
        rule: "holds at most 4,294,967,295 documents and as many words".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::Lengths;

    #[test]
    fn lengths_of_any_size_are_kept_and_replaced() {
        let all = [0, 1, 254, 255, 256, 70_000];
        let mut lengths: Lengths = all.into_iter().collect();
        assert_eq!([0, 1, 2, 3, 4, 5].map(|slot| lengths.get(slot)), all);
        lengths.set(5, 255);
        lengths.set(4, 3);
        lengths.set(0, 300);
        assert_eq!([0, 4, 5].map(|slot| lengths.get(slot)), [300, 3, 255]);
    }
}
