//! Which documents hold a term, and how often.

/// One unit of a posting's count: field weights are whole eighths, so that a count is exact.
pub const COUNT_UNIT: f32 = 0.125;

/// The documents of one term by rising slot, each with its weighted count.
///
/// Two plain vectors and no compression: 6 bytes a posting, read in one straight pass.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Postings {
    slots: Vec<u32>,
    counts: Vec<u16>,
}

impl Postings {
    /// Takes two vectors of equal length, the slots rising.
    #[must_use]
    pub fn from_parts(slots: Vec<u32>, counts: Vec<u16>) -> Self {
        Self { slots, counts }
    }

    /// How many documents hold the term.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether no document holds the term.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The slots, rising.
    #[must_use]
    pub fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// The counts in units of [`COUNT_UNIT`], in the order of the slots.
    #[must_use]
    pub fn counts(&self) -> &[u16] {
        &self.counts
    }

    /// Each slot with its count in units of [`COUNT_UNIT`].
    pub fn iter(&self) -> impl Iterator<Item = (u32, f32)> + '_ {
        self.slots.iter().zip(&self.counts).map(|(&slot, &count)| (slot, f32::from(count)))
    }

    /// Adds a document that is not there yet. At the end, where new documents go, this is a push.
    pub fn insert(&mut self, slot: u32, count: u16) {
        if self.slots.last().is_none_or(|&last| last < slot) {
            self.slots.push(slot);
            self.counts.push(count);
            return;
        }
        let at = self.slots.partition_point(|&other| other < slot);
        self.slots.insert(at, slot);
        self.counts.insert(at, count);
    }

    /// Takes a document out; nothing happens when it is not there.
    pub fn remove(&mut self, slot: u32) {
        if let Ok(at) = self.slots.binary_search(&slot) {
            self.slots.remove(at);
            self.counts.remove(at);
        }
    }

    /// Gives back spare capacity.
    pub fn shrink(&mut self) {
        self.slots.shrink_to_fit();
        self.counts.shrink_to_fit();
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.slots.capacity() * 4 + self.counts.capacity() * 2
    }
}
