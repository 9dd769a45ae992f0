//! Whether a node id is one of a given set, answered without a branch where ids lie close together.

// The loops that ask run on the lanes of the CPU at hand only if this is inside of them.
#![allow(clippy::inline_always)]

use rustc_hash::{FxBuildHasher, FxHashSet};

use super::error::KernelError;

/// A set of node ids.
pub(crate) enum Members {
    Dense(BitRange),
    /// For ids too far apart for bits.
    Sparse(FxHashSet<i64>),
}

impl Members {
    /// The set of `ids`, about to be asked `lookups` times.
    ///
    /// Bits are worth clearing when they are no more words than there are ids and lookups.
    ///
    /// # Errors
    ///
    /// [`KernelError::OutOfRange`] when an id is repeated.
    pub(crate) fn of(ids: &[i64], lookups: usize) -> Result<Self, KernelError> {
        let lowest = ids.iter().copied().min().unwrap_or(0);
        let highest = ids.iter().copied().max().unwrap_or(0);
        let words = highest.abs_diff(lowest) / u64::from(u64::BITS) + 1;
        match usize::try_from(words) {
            Ok(words) if words <= ids.len() + lookups => {
                let mut range = BitRange::of_words(lowest, words);
                let repeated = ids.iter().find(|&&id| !range.insert(id));
                repeated.map_or(Ok(Self::Dense(range)), |&id| Err(repeated_id(id)))
            }
            _ => {
                let mut set = FxHashSet::with_capacity_and_hasher(ids.len(), FxBuildHasher);
                let repeated = ids.iter().find(|&&id| !set.insert(id));
                repeated.map_or(Ok(Self::Sparse(set)), |&id| Err(repeated_id(id)))
            }
        }
    }
}

/// One bit an id, from `lowest` on, and a last word that stays empty.
pub(crate) struct BitRange {
    lowest: i64,
    bits: Vec<u64>,
    empty: usize,
}

impl BitRange {
    fn of_words(lowest: i64, words: usize) -> Self {
        Self { lowest, bits: vec![0; words + 1], empty: words }
    }

    #[inline(always)]
    pub(crate) fn contains(&self, id: i64) -> bool {
        let (word, bit) = self.place_of(id);
        (self.bits[word] >> bit) & 1 == 1
    }

    /// Whether the id was new; it must lie in the range.
    fn insert(&mut self, id: i64) -> bool {
        let is_new = !self.contains(id);
        let (word, bit) = self.place_of(id);
        self.bits[word] |= 1 << bit;
        is_new
    }

    /// Word and bit of an id. Ids outside the range fall on the empty word, not on a branch that
    /// half of the neighbours would mispredict; those below `lowest` wrap round to far beyond it.
    #[inline(always)]
    fn place_of(&self, id: i64) -> (usize, u64) {
        let offset = id.wrapping_sub(self.lowest).cast_unsigned();
        let word = usize::try_from(offset / u64::from(u64::BITS)).unwrap_or(usize::MAX);
        (word.min(self.empty), offset % u64::from(u64::BITS))
    }
}

fn repeated_id(id: i64) -> KernelError {
    KernelError::OutOfRange { what: "ids", rule: format!("{id} is there twice") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_and_sparse_membership_agree() {
        let (near, far) = ([7, -3, 90, 12], [7, -3, i64::MAX, 12]);
        let Members::Dense(bits) = Members::of(&near, 10).unwrap() else {
            panic!("ids of two words should be bits");
        };
        let Members::Sparse(set) = Members::of(&far, 10).unwrap() else {
            panic!("ids this far apart should be a set");
        };
        for id in [-4, -3, 0, 7, 12, 13, i64::MIN] {
            assert_eq!(bits.contains(id), near.contains(&id), "{id}");
            assert_eq!(set.contains(&id), far.contains(&id), "{id}");
        }
        assert!(Members::of(&[5, 5], 10).is_err());
        assert!(Members::of(&[i64::MIN, i64::MAX, i64::MIN], 0).is_err());
    }
}
