//! Which documents hold a term, and how often.

/// One unit of a posting's count: field weights are whole eighths, so that a count is exact.
pub const COUNT_UNIT: f32 = 0.125;

/// The documents of one term by rising slot, each with its weighted count.
///
/// Two plain vectors and no compression: 6 bytes a posting, read in one straight pass. Most terms
/// of a store are in one document only; for those there is no vector at all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Postings(Held);

#[derive(Debug, Clone, Default, PartialEq, Eq)]
enum Held {
    #[default]
    None,
    One {
        slot: u32,
        count: u16,
    },
    Many(Box<Lists>),
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Lists {
    slots: Vec<u32>,
    counts: Vec<u16>,
}

impl Postings {
    /// Takes two vectors of equal length, the slots rising.
    #[must_use]
    pub fn from_parts(slots: Vec<u32>, counts: Vec<u16>) -> Self {
        match (&slots[..], &counts[..]) {
            ([], _) => Self::default(),
            (&[slot], &[count]) => Self(Held::One { slot, count }),
            _ => Self(Held::Many(Box::new(Lists { slots, counts }))),
        }
    }

    /// How many documents hold the term.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots().len()
    }

    /// Whether no document holds the term.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots().is_empty()
    }

    /// The slots, rising.
    #[must_use]
    pub fn slots(&self) -> &[u32] {
        match &self.0 {
            Held::None => &[],
            Held::One { slot, .. } => std::slice::from_ref(slot),
            Held::Many(lists) => &lists.slots,
        }
    }

    /// The counts in units of [`COUNT_UNIT`], in the order of the slots.
    #[must_use]
    pub fn counts(&self) -> &[u16] {
        match &self.0 {
            Held::None => &[],
            Held::One { count, .. } => std::slice::from_ref(count),
            Held::Many(lists) => &lists.counts,
        }
    }

    /// Each slot with its count in units of [`COUNT_UNIT`].
    pub fn iter(&self) -> impl Iterator<Item = (u32, f32)> + '_ {
        self.slots().iter().zip(self.counts()).map(|(&slot, &count)| (slot, f32::from(count)))
    }

    /// Adds a document that is not there yet. At the end, where new documents go, this is a push.
    pub fn insert(&mut self, slot: u32, count: u16) {
        match &mut self.0 {
            Held::None => self.0 = Held::One { slot, count },
            &mut Held::One { slot: held, count: held_count } => {
                let mut lists = Lists { slots: vec![held], counts: vec![held_count] };
                lists.insert(slot, count);
                self.0 = Held::Many(Box::new(lists));
            }
            Held::Many(lists) => lists.insert(slot, count),
        }
    }

    /// Takes a document out; nothing happens when it is not there.
    pub fn remove(&mut self, slot: u32) {
        match &mut self.0 {
            Held::One { slot: held, .. } if *held == slot => self.0 = Held::None,
            Held::Many(lists) => lists.remove(slot),
            Held::None | Held::One { .. } => {}
        }
    }

    /// Gives back spare capacity.
    pub fn shrink(&mut self) {
        if let Held::Many(lists) = &mut self.0 {
            lists.slots.shrink_to_fit();
            lists.counts.shrink_to_fit();
        }
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        match &self.0 {
            Held::None | Held::One { .. } => 0,
            Held::Many(lists) => {
                size_of::<Lists>() + lists.slots.capacity() * 4 + lists.counts.capacity() * 2
            }
        }
    }
}

impl Lists {
    fn insert(&mut self, slot: u32, count: u16) {
        if self.slots.last().is_none_or(|&last| last < slot) {
            self.slots.push(slot);
            self.counts.push(count);
            return;
        }
        let at = self.slots.partition_point(|&other| other < slot);
        self.slots.insert(at, slot);
        self.counts.insert(at, count);
    }

    fn remove(&mut self, slot: u32) {
        if let Ok(at) = self.slots.binary_search(&slot) {
            self.slots.remove(at);
            self.counts.remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::Postings;

    proptest! {
        #[test]
        fn postings_are_a_sorted_map(
            steps in prop::collection::vec((0_u32..6, prop::option::of(1_u16..9)), 0..24),
        ) {
            let mut postings = Postings::default();
            let mut map = BTreeMap::new();
            for (slot, count) in steps {
                postings.remove(slot);
                map.remove(&slot);
                if let Some(count) = count {
                    postings.insert(slot, count);
                    map.insert(slot, count);
                }
                prop_assert_eq!(postings.len(), map.len());
                prop_assert!(postings.slots().iter().eq(map.keys()));
                prop_assert!(postings.counts().iter().eq(map.values()));
            }
            let (slots, counts) = (postings.slots().to_vec(), postings.counts().to_vec());
            let again = Postings::from_parts(slots, counts);
            prop_assert!(again.iter().eq(postings.iter()));
        }
    }
}
