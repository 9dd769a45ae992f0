//! One pass over a table of codes: the order of its reads, and the portable distance.

use super::segments::SegmentWeights;
use crate::kernels::cpu::{Level, Simd};
use crate::kernels::error::KernelError;

/// Rows whose distances are computed together.
pub const GROUP: usize = 8;

/// Places of the table that are read in turn. A core that waits for several pages at once waits
/// less: from memory, a million codes take 21 ms with four streams and 24 ms with one.
const STREAMS: usize = 4;

/// The distances of a group of consecutive rows.
pub type GroupDistances = [u32; GROUP];

/// A query, a table and weights whose lengths agree.
pub struct Scan<'a> {
    query: &'a [u8],
    rows: &'a [u8],
    weights: &'a SegmentWeights,
}

impl<'a> Scan<'a> {
    pub fn new(
        query: &'a [u8],
        rows: &'a [u8],
        weights: &'a SegmentWeights,
    ) -> Result<Self, KernelError> {
        let row_bytes = weights.code_bytes();
        if query.len() != row_bytes {
            let (what, found) = ("bytes of the query", query.len());
            return Err(KernelError::Shape { what, expected: row_bytes, found });
        }
        if !rows.len().is_multiple_of(row_bytes) {
            let expected = rows.len().next_multiple_of(row_bytes);
            return Err(KernelError::Shape {
                what: "bytes of whole rows",
                expected,
                found: rows.len(),
            });
        }
        if u32::try_from(rows.len() / row_bytes).is_err() {
            let rule = format!("{} are more than 2^32 - 1", rows.len() / row_bytes);
            return Err(KernelError::OutOfRange { what: "rows", rule });
        }
        Ok(Self { query, rows, weights })
    }

    pub fn row_count(&self) -> usize {
        self.rows.len() / self.query.len()
    }

    pub fn query(&self) -> &[u8] {
        self.query
    }

    pub fn weights(&self) -> &[u64] {
        self.weights.per_word()
    }

    /// Gives `sink` the distances of every row, some consecutive ones a call: the first row's
    /// number and the distances. Each row comes once; the order of calls is not that of the rows.
    pub fn run(&self, simd: Simd, sink: impl FnMut(usize, &[u32])) {
        match simd.level() {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Simd` of this level exists only on a CPU that was seen to have it.
            Level::Avx512 => unsafe { super::x86::run_avx512(self, sink) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Level::Avx2 => unsafe { super::x86::run_avx2(self, sink) },
            _ => self.run_portable(sink),
        }
    }

    /// For any CPU, and for codes that do not fill the registers of better ones.
    #[inline(always)]
    #[allow(clippy::inline_always)] // target_feature functions need the body to get their features
    pub fn run_portable(&self, sink: impl FnMut(usize, &[u32])) {
        self.in_groups(sink, |group| {
            let mut distances = [0; GROUP];
            for (distance, row) in distances.iter_mut().zip(group.chunks_exact(self.query.len())) {
                *distance = self.distance(row);
            }
            distances
        });
    }

    /// Reads the table in groups of rows, for each of which `distances_of` is asked.
    #[inline(always)]
    #[allow(clippy::inline_always)] // as above
    pub fn in_groups(
        &self,
        mut sink: impl FnMut(usize, &[u32]),
        distances_of: impl Fn(&[u8]) -> GroupDistances,
    ) {
        let group_bytes = GROUP * self.query.len();
        let groups_a_stream = self.rows.len() / group_bytes / STREAMS;
        for step in 0..groups_a_stream {
            for stream in 0..STREAMS {
                let group = stream * groups_a_stream + step;
                let bytes = &self.rows[group * group_bytes..][..group_bytes];
                sink(group * GROUP, &distances_of(bytes));
            }
        }
        let first = STREAMS * groups_a_stream * GROUP;
        for (row, bytes) in (first..).zip(self.rows.chunks_exact(self.query.len()).skip(first)) {
            sink(row, &[self.distance(bytes)]);
        }
    }

    /// The weighted distance of one row.
    #[inline(always)]
    #[allow(clippy::inline_always)] // as above
    #[allow(clippy::cast_possible_truncation)] // the largest distance fits an i32
    fn distance(&self, row: &[u8]) -> u32 {
        let words = self.query.as_chunks().0.iter().zip(row.as_chunks().0);
        let differing =
            words.map(|(a, b)| (u64::from_ne_bytes(*a) ^ u64::from_ne_bytes(*b)).count_ones());
        let weighted = differing.zip(self.weights()).map(|(bits, &weight)| bits * weight as u32);
        weighted.sum()
    }
}
