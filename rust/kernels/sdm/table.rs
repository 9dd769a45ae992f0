//! The codes of a store's memories side by side, and those most alike one of them.

use super::super::hamming::{SDM_SEGMENTS, SegmentWeights, jaccard};
use super::CODE_BYTES;
use crate::kernels::error::KernelError;

/// Segments of a code.
pub const SEGMENTS: usize = SDM_SEGMENTS.len();

/// Codes by rising id, in one piece of memory: 274 bytes a memory.
#[derive(Debug, Default)]
pub struct CodeTable {
    ids: Vec<i64>,
    codes: Vec<u8>,
    /// How many bits of each segment are set, row by row.
    counts: Vec<[u16; SEGMENTS]>,
}

impl CodeTable {
    /// How many codes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Bytes held.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.ids.capacity() * size_of::<i64>()
            + self.codes.capacity()
            + self.counts.capacity() * size_of::<[u16; SEGMENTS]>()
    }

    /// The code of a memory, if it has one.
    #[must_use]
    pub fn code(&self, id: i64) -> Option<&[u8]> {
        self.ids.binary_search(&id).ok().map(|row| self.row(row))
    }

    /// Gives memories these codes, one after another in `codes`; those that had one get a new one.
    ///
    /// # Errors
    ///
    /// [`KernelError::Shape`] when there are not 256 bytes an id; nothing has changed then.
    pub fn put(&mut self, ids: &[i64], codes: &[u8]) -> Result<(), KernelError> {
        if codes.len() != ids.len() * CODE_BYTES {
            let (expected, found) = (ids.len() * CODE_BYTES, codes.len());
            return Err(KernelError::Shape { what: "bytes of the codes", expected, found });
        }
        let mut fresh: Vec<(i64, &[u8])> = Vec::new();
        for (&id, code) in ids.iter().zip(codes.chunks_exact(CODE_BYTES)) {
            match self.ids.binary_search(&id) {
                Ok(row) => {
                    self.codes[row * CODE_BYTES..][..CODE_BYTES].copy_from_slice(code);
                    self.counts[row] = counts(code);
                }
                Err(_) => fresh.push((id, code)),
            }
        }
        // Stable, so that of two codes of one id the later stays.
        fresh.sort_by_key(|&(id, _)| id);
        // A store's codes come all at once: doubling would leave half the room empty.
        if fresh.len() > self.len() {
            self.ids.reserve_exact(fresh.len());
            self.codes.reserve_exact(fresh.len() * CODE_BYTES);
            self.counts.reserve_exact(fresh.len());
        }
        for (id, code) in fresh {
            self.insert(id, code);
        }
        Ok(())
    }

    /// New ids are nearly always higher than all before, and then nothing moves.
    fn insert(&mut self, id: i64, code: &[u8]) {
        let row = match self.ids.binary_search(&id) {
            Ok(row) => {
                self.codes[row * CODE_BYTES..][..CODE_BYTES].copy_from_slice(code);
                self.counts[row] = counts(code);
                return;
            }
            Err(row) => row,
        };
        self.ids.insert(row, id);
        self.counts.insert(row, counts(code));
        let at = row * CODE_BYTES;
        self.codes.splice(at..at, code.iter().copied());
    }

    /// Forgets memories; returns how many of them had a code.
    pub fn delete(&mut self, ids: &[i64]) -> usize {
        let before = self.len();
        let mut gone = ids.to_vec();
        gone.sort_unstable();
        let mut kept = 0;
        for row in 0..before {
            if gone.binary_search(&self.ids[row]).is_err() {
                self.ids[kept] = self.ids[row];
                self.counts[kept] = self.counts[row];
                let from = row * CODE_BYTES;
                self.codes.copy_within(from..from + CODE_BYTES, kept * CODE_BYTES);
                kept += 1;
            }
        }
        self.ids.truncate(kept);
        self.counts.truncate(kept);
        self.codes.truncate(kept * CODE_BYTES);
        before - kept
    }

    /// The `k` memories most alike a code by weighted Jaccard, and how alike, most alike first,
    /// ties by id.
    ///
    /// `weights` are those of the five segments, `excluded` memories that do not count; nothing is
    /// returned that is less alike than `floor`.
    ///
    /// # Errors
    ///
    /// [`KernelError::Shape`] when the code has not 256 bytes; [`KernelError::OutOfRange`] when a
    /// weight breaks the rule of [`SegmentWeights::new`].
    pub fn most_alike(
        &self,
        code: &[u8],
        k: usize,
        floor: f32,
        weights: [f32; SEGMENTS],
        excluded: &[i64],
    ) -> Result<Vec<(i64, f32)>, KernelError> {
        let mut segments = SDM_SEGMENTS;
        for (segment, weight) in segments.iter_mut().zip(weights) {
            segment.1 = weight;
        }
        let tenths = weights.map(jaccard::whole_tenths);
        let row_tenths = |row: usize| {
            self.counts[row]
                .iter()
                .zip(tenths)
                .map(|(&bits, weight)| u32::from(bits) * weight)
                .sum()
        };
        let mut skipped = vec![false; if excluded.is_empty() { 0 } else { self.len() }];
        for id in excluded {
            if let Ok(row) = self.ids.binary_search(id) {
                skipped[row] = true;
            }
        }
        let skip = |row: usize| skipped.get(row).is_some_and(|&skipped| skipped);
        let weights = SegmentWeights::new(&segments)?;
        let found = jaccard::most_alike(code, &self.codes, &weights, k, row_tenths, skip)?;
        let alike = found.into_iter().take_while(|&(_, likeness)| likeness >= floor);
        Ok(alike.map(|(row, likeness)| (self.ids[row as usize], likeness)).collect())
    }

    fn row(&self, row: usize) -> &[u8] {
        &self.codes[row * CODE_BYTES..][..CODE_BYTES]
    }
}

#[allow(clippy::cast_possible_truncation)] // a segment has 1,024 bits at most
fn counts(code: &[u8]) -> [u16; SEGMENTS] {
    let mut start = 0;
    SDM_SEGMENTS.map(|(bits, _)| {
        let bytes = &code[start..start + bits / 8];
        start += bits / 8;
        bytes.iter().map(|byte| byte.count_ones() as u16).sum()
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WEIGHTS: [f32; SEGMENTS] = [1.0, 1.0, 2.5, 1.5, 1.2];

    fn code(byte: u8) -> [u8; CODE_BYTES] {
        [byte; CODE_BYTES]
    }

    fn table(ids: &[i64]) -> CodeTable {
        let mut table = CodeTable::default();
        for &id in ids {
            table.put(&[id], &code(u8::try_from(id).unwrap())).unwrap();
        }
        table
    }

    #[test]
    fn the_nearest_of_a_code_is_itself_unless_it_is_left_out() {
        let table = table(&[3, 1, 7]);
        let ids = |excluded: &[i64]| {
            let found = table.most_alike(&code(3), 9, 0.0, WEIGHTS, excluded).unwrap();
            found.into_iter().map(|(id, _)| id).collect::<Vec<_>>()
        };
        assert_eq!(ids(&[]), [3, 7, 1]);
        assert_eq!(ids(&[3, 99]), [7, 1]);
    }

    #[test]
    fn what_is_less_alike_than_the_floor_stays_out() {
        let found = table(&[1, 3, 7]).most_alike(&code(3), 9, 0.6, WEIGHTS, &[]).unwrap();
        assert_eq!(found.len(), 2);
        assert!((found[1].1 - 2.0 / 3.0).abs() < 1e-6);
    }

    #[test]
    fn a_segment_of_weight_zero_does_not_count() {
        let mut other = code(1);
        other[64..].fill(0xff);
        let mut table = CodeTable::default();
        table.put(&[1], &other).unwrap();
        let found = table.most_alike(&code(1), 1, 0.0, [1.0, 0.0, 0.0, 0.0, 0.0], &[]).unwrap();
        assert_eq!(found, [(1, 1.0)]);
    }

    #[test]
    fn codes_of_another_length_are_refused_and_change_nothing() {
        let mut table = table(&[1]);
        assert!(matches!(table.put(&[2, 3], &code(1)), Err(KernelError::Shape { .. })));
        assert!(table.most_alike(&[0; 8], 1, 0.0, WEIGHTS, &[]).is_err());
        assert_eq!(table.len(), 1);
    }

    proptest! {
        #[test]
        fn it_holds_what_a_map_would(
            steps in proptest::collection::vec((any::<bool>(), proptest::collection::vec((0_i64..12, any::<u8>()), 0..6)), 0..12),
        ) {
            let mut table = CodeTable::default();
            let mut map = std::collections::BTreeMap::new();
            for (puts, pairs) in steps {
                let ids: Vec<i64> = pairs.iter().map(|&(id, _)| id).collect();
                if puts {
                    let codes: Vec<u8> = pairs.iter().flat_map(|&(_, byte)| code(byte)).collect();
                    table.put(&ids, &codes).unwrap();
                    map.extend(pairs);
                } else {
                    let before = map.len();
                    map.retain(|id, _| !ids.contains(id));
                    prop_assert_eq!(table.delete(&ids), before - map.len());
                }
                prop_assert_eq!(&table.ids, &map.keys().copied().collect::<Vec<_>>());
                for (row, (&id, &byte)) in map.iter().enumerate() {
                    prop_assert_eq!(table.code(id), Some(&code(byte)[..]));
                    prop_assert_eq!(table.counts[row], counts(&code(byte)));
                }
            }
            prop_assert_eq!(table.code(99), None);
        }
    }
}
