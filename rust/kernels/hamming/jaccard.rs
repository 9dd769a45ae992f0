//! The rows most alike a query by weighted Jaccard: shared bits over bits of either.

use super::scan::Scan;
use super::segments::{SegmentWeights, TENTHS};
use super::top_k::TopK;
use crate::kernels::cpu::Simd;
use crate::kernels::error::KernelError;

/// Likeness is ordered as a distance in steps of 2^-32. Sums of SDM codes stay below 2^16 tenths,
/// so two different fractions are at least 2^-32 apart and never take the same step.
const STEPS: u64 = u32::MAX as u64;

/// The `k` rows most alike `query` and how alike, most alike first, ties by row.
///
/// The likeness of two codes is the weight of the bits that both have over the weight of the bits
/// that either has, in [0, 1]; 0 when neither has a bit that counts. With weights `W` of the bits
/// of each and `D` of those that differ it is `(W1 + W2 - D) / (W1 + W2 + D)`, so the scan that
/// finds distances finds it too.
///
/// `row_tenths` tells the weight of a row's bits in tenths, and `skip` which rows do not count.
///
/// # Errors
///
/// As [`super::nearest`].
pub fn most_alike(
    query: &[u8],
    rows: &[u8],
    weights: &SegmentWeights,
    k: usize,
    row_tenths: impl Fn(usize) -> u32,
    skip: impl Fn(usize) -> bool,
) -> Result<Vec<(u32, f32)>, KernelError> {
    let scan = Scan::new(query, rows, weights)?;
    let own = u64::from(tenths_of(query, weights));
    let mut kept = TopK::new(k.min(scan.row_count()));
    scan.run(Simd::best(), |first, group: &[u32]| {
        for (row, &differing) in (first..).zip(group) {
            if !skip(row) {
                kept.offer(row, &[steps(own + u64::from(row_tenths(row)), differing.into())]);
            }
        }
    });
    Ok(kept.into_sorted().into_iter().map(|(steps, row)| (row, likeness(steps))).collect())
}

/// The weight of a code's bits, in tenths.
#[allow(clippy::cast_possible_truncation)] // `SegmentWeights` holds the sum below 2^31
pub fn tenths_of(code: &[u8], weights: &SegmentWeights) -> u32 {
    let words = code.as_chunks().0.iter().map(|word| u64::from_ne_bytes(*word).count_ones());
    words.zip(weights.per_word()).map(|(bits, &weight)| bits * weight as u32).sum()
}

/// How unlike, in steps: `2 D / (W1 + W2 + D)`.
#[allow(clippy::cast_possible_truncation)] // at most `STEPS`
fn steps(both: u64, differing: u64) -> u32 {
    (2 * differing * STEPS).checked_div(both + differing).unwrap_or(STEPS) as u32
}

#[allow(clippy::cast_possible_truncation)] // a share in [0, 1]
fn likeness(steps: u32) -> f32 {
    (1.0 - f64::from(steps) / STEPS as f64) as f32
}

/// Whole tenths of a weight that was checked.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub fn whole_tenths(weight: f32) -> u32 {
    (weight * TENTHS).round() as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::SDM_SEGMENTS;
    use super::*;

    fn oracle(query: &[u8], row: &[u8]) -> f64 {
        let (mut shared, mut either, mut start) = (0.0, 0.0, 0);
        for (bits, weight) in SDM_SEGMENTS {
            for byte in start / 8..(start + bits) / 8 {
                shared += f64::from((query[byte] & row[byte]).count_ones()) * f64::from(weight);
                either += f64::from((query[byte] | row[byte]).count_ones()) * f64::from(weight);
            }
            start += bits;
        }
        if either == 0.0 { 0.0 } else { shared / either }
    }

    fn alike(query: &[u8], rows: &[u8], k: usize) -> Vec<(u32, f32)> {
        let weights = SegmentWeights::default();
        let tenths = |row: usize| tenths_of(&rows[row * 256..][..256], &weights);
        most_alike(query, rows, &weights, k, tenths, |_| false).unwrap()
    }

    #[test]
    fn a_code_is_wholly_alike_itself_and_not_at_all_its_complement() {
        let code = [0b0101_1010; 256];
        let complement = code.map(|byte: u8| !byte);
        assert_eq!(alike(&code, &[code, complement].concat(), 2), [(0, 1.0), (1, 0.0)]);
    }

    #[test]
    fn codes_without_a_bit_are_not_alike() {
        assert_eq!(alike(&[0; 256], &[0; 256], 1), [(0, 0.0)]);
    }

    #[test]
    fn skipped_rows_make_room_for_others() {
        let (code, weights) = ([1; 256], SegmentWeights::default());
        let rows = [code, code, code].concat();
        let tenths = |_| tenths_of(&code, &weights);
        let found = most_alike(&code, &rows, &weights, 2, tenths, |row| row == 0).unwrap();
        assert_eq!(found, [(1, 1.0), (2, 1.0)]);
    }

    proptest! {
        #[test]
        fn the_order_and_the_values_are_those_of_the_definition(
            codes in proptest::collection::vec(any::<u64>(), 1..50),
            k in 0_usize..20,
        ) {
            // Few bits, all over the code.
            let code = |seed: &u64| {
                let mut code = [0_u8; 256];
                for place in 0..5 {
                    let bit = usize::try_from(seed >> (place * 11) & 2047).unwrap();
                    code[bit / 8] |= 1 << (bit % 8);
                }
                code
            };
            let query = code(&codes[0]);
            let rows: Vec<u8> = codes.iter().flat_map(code).collect();
            let mut expected: Vec<(u32, f64)> =
                (0..).zip(rows.chunks(256)).map(|(row, other)| (row, oracle(&query, other))).collect();
            expected.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            let found = alike(&query, &rows, k);
            prop_assert_eq!(found.len(), k.min(codes.len()));
            for (&(row, value), &(wanted, likeness)) in found.iter().zip(&expected) {
                prop_assert_eq!(row, wanted);
                prop_assert!((f64::from(value) - likeness).abs() < 1e-6);
            }
        }
    }
}
