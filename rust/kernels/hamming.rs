//! Hamming distances between packed binary codes, and the nearest rows of a table of them.
//!
//! Codes are whole 64-bit words of packed bits; the rows of a table lie one after another with no
//! padding, so row `i` starts at byte `i * row_bytes`. Bits differ or they do not, so the order of
//! bits in a byte is the caller's. A code can be cut into segments whose differing bits count with
//! a weight each, as the sparse distributed memory does (Kanerva 1988, ch. 3, for the plain form).

pub(super) mod jaccard;
mod scan;
mod segments;
mod top_k;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use segments::{SDM_SEGMENTS, SegmentWeights};

use super::cpu::Simd;
use super::error::KernelError;
use scan::Scan;
use top_k::TopK;

/// Distance in bits from `query` to every row of `rows`, in row order.
///
/// # Errors
///
/// [`KernelError::Shape`] when `rows` is not a whole number of codes as long as `query`;
/// [`KernelError::OutOfRange`] when `query` is no positive whole number of 64-bit words.
pub fn distances(query: &[u8], rows: &[u8]) -> Result<Vec<u32>, KernelError> {
    distances_with(query, rows, Simd::best())
}

fn distances_with(query: &[u8], rows: &[u8], simd: Simd) -> Result<Vec<u32>, KernelError> {
    let unweighted = SegmentWeights::unit(query.len())?;
    let scan = Scan::new(query, rows, &unweighted)?;
    let mut distances = vec![0; scan.row_count()];
    scan.run(simd, |first, group: &[u32]| {
        distances[first..first + group.len()].copy_from_slice(group);
    });
    Ok(distances)
}

/// The `k` rows nearest to `query` and their weighted distances, nearest first, ties by row.
///
/// A distance is the sum over segments of weight times differing bits. It is counted in whole
/// tenths, so it is exact, and the same on every CPU.
///
/// # Errors
///
/// [`KernelError::Shape`] when `query` is not a code of the segments' length, or `rows` is not a
/// whole number of such codes; [`KernelError::OutOfRange`] when there are 2^32 rows or more.
pub fn nearest(
    query: &[u8],
    rows: &[u8],
    weights: &SegmentWeights,
    k: usize,
) -> Result<Vec<(u32, f32)>, KernelError> {
    nearest_with(query, rows, weights, k, Simd::best())
}

fn nearest_with(
    query: &[u8],
    rows: &[u8],
    weights: &SegmentWeights,
    k: usize,
    simd: Simd,
) -> Result<Vec<(u32, f32)>, KernelError> {
    let scan = Scan::new(query, rows, weights)?;
    let mut nearest = TopK::new(k.min(scan.row_count()));
    scan.run(simd, |first, group: &[u32]| nearest.offer(first, group));
    Ok(nearest.into_sorted().into_iter().map(|(tenths, row)| (row, in_units(tenths))).collect())
}

fn in_units(tenths: u32) -> f32 {
    tenths as f32 / segments::TENTHS
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Bit by bit, as the definition says.
    fn oracle(query: &[u8], row: &[u8], segments: &[(usize, f32)]) -> f32 {
        let differs = |bit: usize| (query[bit / 8] ^ row[bit / 8]) >> (bit % 8) & 1 == 1;
        let mut tenths = 0.0;
        let mut start = 0;
        for &(bits, weight) in segments {
            let count = (start..start + bits).filter(|&bit| differs(bit)).count();
            tenths += (weight * 10.0).round() * count as f32;
            start += bits;
        }
        tenths / 10.0
    }

    fn codes(count: usize, row_bytes: usize, seed: u64) -> Vec<u8> {
        let mut state = seed;
        let random = std::iter::repeat_with(|| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state.to_be_bytes()[0]
        });
        random.take(count * row_bytes).collect()
    }

    #[test]
    fn a_code_is_at_distance_zero_from_itself() {
        let code = codes(1, 256, 1);
        assert_eq!(distances(&code, &code), Ok(vec![0]));
    }

    #[test]
    fn the_complement_is_at_the_full_distance() {
        assert_eq!(distances(&[0x00; 16], &[0xFF; 32]), Ok(vec![128, 128]));
    }

    #[test]
    fn each_sdm_segment_counts_with_its_weight() {
        let weights = SegmentWeights::default();
        let first_bits = [0, 512, 768, 1792, 1920];
        let found = first_bits.map(|bit| {
            let mut row = [0_u8; 256];
            row[bit / 8] = 1;
            nearest(&[0; 256], &row, &weights, 1)
        });
        let expected = [1.0, 1.0, 2.5, 1.5, 1.2];
        assert_eq!(found, expected.map(|weight| Ok(vec![(0, weight)])));
    }

    #[test]
    fn ties_go_to_the_lower_row() {
        let rows = vec![0x55; 100 * 256];
        let found = nearest(&[0; 256], &rows, &SegmentWeights::default(), 3).unwrap();
        assert_eq!(found.iter().map(|&(row, _)| row).collect::<Vec<_>>(), [0, 1, 2]);
    }

    #[test]
    fn asking_for_none_or_for_too_many_is_answered() {
        let rows = codes(5, 256, 2);
        let weights = SegmentWeights::default();
        assert_eq!(nearest(&rows[..256], &rows, &weights, 0), Ok(vec![]));
        assert_eq!(nearest(&rows[..256], &rows, &weights, usize::MAX).unwrap().len(), 5);
        assert_eq!(nearest(&rows[..256], &[], &weights, 3), Ok(vec![]));
    }

    #[test]
    fn lengths_that_do_not_fit_are_refused() {
        let weights = SegmentWeights::default();
        assert!(matches!(distances(&[0; 8], &[0; 12]), Err(KernelError::Shape { .. })));
        assert!(matches!(distances(&[], &[0; 8]), Err(KernelError::OutOfRange { .. })));
        assert!(matches!(distances(&[0; 6], &[0; 6]), Err(KernelError::OutOfRange { .. })));
        assert!(matches!(nearest(&[0; 8], &[], &weights, 1), Err(KernelError::Shape { .. })));
    }

    #[test]
    fn every_path_gives_the_same_bits() {
        let portable = Simd::available()[0];
        for row_bytes in [8, 24, 64, 128, 192, 256, 320] {
            for count in [1, 7, 8, 31, 32, 33, 100] {
                let rows = codes(count, row_bytes, 3);
                let query = codes(1, row_bytes, 4);
                // One word light, all others heavy.
                let mut segments = vec![(64, 2.5); row_bytes / 8];
                segments[0].1 = 0.3;
                let weights = SegmentWeights::new(&segments).unwrap();
                let plain = distances_with(&query, &rows, portable).unwrap();
                let weighted = nearest_with(&query, &rows, &weights, 10, portable).unwrap();
                for simd in Simd::available() {
                    assert_eq!(distances_with(&query, &rows, simd).as_ref(), Ok(&plain));
                    let found = nearest_with(&query, &rows, &weights, 10, simd);
                    assert_eq!(found.as_ref(), Ok(&weighted), "{simd:?} {row_bytes} {count}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn nearest_is_what_sorting_all_distances_gives(
            words in 1_usize..9,
            count in 0_usize..80,
            k in 0_usize..20,
            weight_tenths in 0_u16..40,
            seed: u64,
        ) {
            let row_bytes = words * 8;
            // Sparse differences make ties.
            let rows: Vec<u8> = codes(count, row_bytes, seed).iter().map(|byte| byte & 1).collect();
            let query = vec![0; row_bytes];
            let segments: Vec<(usize, f32)> = (0..words)
                .map(|word| (64, if word == 0 { f32::from(weight_tenths) / 10.0 } else { 1.2 }))
                .collect();
            let mut expected: Vec<(u32, f32)> = (0..)
                .zip(rows.chunks_exact(row_bytes))
                .map(|(row, code)| (row, oracle(&query, code, &segments)))
                .collect();
            expected.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
            expected.truncate(k);
            let weights = SegmentWeights::new(&segments).unwrap();
            for simd in Simd::available() {
                let found = nearest_with(&query, &rows, &weights, k, simd).unwrap();
                prop_assert_eq!(&found, &expected, "{:?}", simd);
            }
        }
    }
}
