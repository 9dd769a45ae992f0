//! How much a candidate resembles the question: BM25 on a common scale, term distributions, and
//! compression.
//!
//! Every function takes the whole pool of candidates in one call and returns one value each.

use super::checks::{check_each, is_count};
use super::error::KernelError;

/// Smallest and largest magnitude of raw BM25 scores over a pool.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bm25Bounds {
    lowest: f64,
    highest: f64,
}

impl Bm25Bounds {
    /// Bounds that were kept from an earlier pool.
    ///
    /// # Errors
    ///
    /// [`KernelError::OutOfRange`] unless `0 <= lowest <= highest` and both are finite.
    pub fn new(lowest: f64, highest: f64) -> Result<Self, KernelError> {
        if lowest >= 0.0 && lowest <= highest && highest.is_finite() {
            return Ok(Self { lowest, highest });
        }
        Err(KernelError::OutOfRange {
            what: "bounds",
            rule: format!(
                "expected 0 <= lowest <= highest, both finite, found {lowest}, {highest}"
            ),
        })
    }

    /// Bounds of a pool; an empty pool has the bounds 0 and 0.
    ///
    /// # Errors
    ///
    /// [`KernelError::OutOfRange`] when a value is NaN or infinite.
    pub fn of(values: &[f64]) -> Result<Self, KernelError> {
        check_each("values", values, f64::is_finite, "a finite number")?;
        let magnitudes = || values.iter().map(|value| value.abs());
        let lowest = magnitudes().reduce(f64::min).unwrap_or(0.0);
        let highest = magnitudes().reduce(f64::max).unwrap_or(0.0);
        Ok(Self { lowest, highest })
    }

    /// Smallest magnitude.
    #[must_use]
    pub fn lowest(self) -> f64 {
        self.lowest
    }

    /// Largest magnitude.
    #[must_use]
    pub fn highest(self) -> f64 {
        self.highest
    }
}

/// Raw BM25 scores put on [0, 1] within the question: `(|v| − lo)/(hi − lo) · min(1, hi)`.
///
/// The sign is ignored, because FTS5 ranks downwards from 0. The factor `min(1, hi)` keeps a pool
/// whose best match is weak from looking strong. When all values agree, each gets `min(1, hi)`.
///
/// # Errors
///
/// [`KernelError::OutOfRange`] when a value is NaN or infinite.
pub fn normalise_bm25(values: &[f64]) -> Result<Vec<f64>, KernelError> {
    normalise_bm25_within(values, Bm25Bounds::of(values)?)
}

/// The same scale for candidates that arrive later, under the bounds of the first pool.
///
/// Nothing is clipped: a value above `hi` maps above `min(1, hi)` and one below `lo` below 0, so
/// that late candidates keep their order among themselves and against the first pool.
///
/// # Errors
///
/// [`KernelError::OutOfRange`] when a value is NaN or infinite.
pub fn normalise_bm25_within(values: &[f64], bounds: Bm25Bounds) -> Result<Vec<f64>, KernelError> {
    check_each("values", values, f64::is_finite, "a finite number")?;
    let Bm25Bounds { lowest, highest } = bounds;
    let ceiling = highest.min(1.0);
    let span = highest - lowest;
    if span == 0.0 {
        return Ok(vec![ceiling; values.len()]);
    }
    Ok(values.iter().map(|value| (value.abs() - lowest) / span * ceiling).collect())
}

/// How far term counts may add up past a length before it is an error and not rounding.
const LENGTH_TOLERANCE: f64 = 1e-9;

/// `1 − √JSD` between the question's term distribution and each candidate's, in [0, 1].
///
/// `query_counts` has `m` counts, one a term; they are scaled to sum to 1. `counts` is row-major
/// with one row of `m` counts a candidate, and `lengths` holds the candidates' total counts over
/// *all* their terms. Counts may be fractional: a pooled group of spellings counts by weight.
///
/// With base-2 logarithms the divergence of distributions P and Q is, in closed form,
///
/// ```text
/// JSD(P, Q) = 1 − ½ Σ_t (p_t + q_t) · H(p_t / (p_t + q_t)),   H the binary entropy,
/// ```
///
/// (Lin 1991, eq. 4.1, with equal weights), where a term that either side lacks adds 0. Hence the
/// question's terms are enough, nothing needs smoothing, and a candidate with none of the terms
/// scores exactly 0. The root makes it a metric (Endres & Schindelin 2003).
///
/// # Errors
///
/// - [`KernelError::Shape`] when `counts` is not `lengths.len()` rows of `m`.
/// - [`KernelError::OutOfRange`] when a count or length is negative, NaN or infinite, when the
///   question's counts sum to 0, or when a row adds up to more than its length.
pub fn jensen_shannon_similarity(
    query_counts: &[f64],
    counts: &[f64],
    lengths: &[f64],
) -> Result<Vec<f64>, KernelError> {
    let terms = query_counts.len();
    let expected = terms * lengths.len();
    if counts.len() != expected {
        return Err(KernelError::Shape { what: "counts", expected, found: counts.len() });
    }
    for (what, values) in [("query_counts", query_counts), ("counts", counts), ("lengths", lengths)]
    {
        check_each(what, values, is_count, "a finite number from 0")?;
    }
    let total: f64 = query_counts.iter().sum();
    if total <= 0.0 || !total.is_finite() {
        return Err(KernelError::OutOfRange {
            what: "query_counts",
            rule: format!("expected a positive finite sum, found {total}"),
        });
    }
    let query: Vec<f64> = query_counts.iter().map(|count| count / total).collect();
    counts
        .chunks_exact(terms)
        .zip(lengths)
        .map(|(row, &length)| similarity_to_row(&query, row, length))
        .collect()
}

fn similarity_to_row(query: &[f64], row: &[f64], length: f64) -> Result<f64, KernelError> {
    let found: f64 = row.iter().sum();
    if found > length * (1.0 + LENGTH_TOLERANCE) {
        return Err(KernelError::OutOfRange {
            what: "lengths",
            rule: format!("a candidate of length {length} cannot hold {found} terms"),
        });
    }
    let shared: f64 = query
        .iter()
        .zip(row)
        .filter(|&(&p, &count)| p > 0.0 && count > 0.0)
        .map(|(&p, &count)| {
            let q = count / length;
            p * ((p + q) / p).log2() + q * ((p + q) / q).log2()
        })
        .sum();
    // Rounding may carry the sum past its true bounds by a few ulps.
    let divergence = (1.0 - 0.5 * shared).clamp(0.0, 1.0);
    Ok(1.0 - divergence.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_best_of_a_pool_gets_the_ceiling_and_the_worst_gets_zero() {
        assert_eq!(normalise_bm25(&[-2.0, -6.0, -4.0]).unwrap(), [0.0, 1.0, 0.5]);
        assert_eq!(normalise_bm25(&[0.1, 0.3]).unwrap(), [0.0, 0.3]);
    }

    #[test]
    fn equal_scores_all_get_the_ceiling() {
        assert_eq!(normalise_bm25(&[7.0, 7.0]).unwrap(), [1.0, 1.0]);
        assert_eq!(normalise_bm25(&[0.25]).unwrap(), [0.25]);
        assert_eq!(normalise_bm25(&[]).unwrap(), [0.0; 0]);
    }

    #[test]
    fn a_late_candidate_may_leave_the_bounds_on_either_side() {
        let bounds = Bm25Bounds::new(2.0, 6.0).unwrap();
        assert_eq!(normalise_bm25_within(&[10.0, 0.0], bounds).unwrap(), [2.0, -0.5]);
        assert!(Bm25Bounds::new(6.0, 2.0).is_err());
        assert!(Bm25Bounds::new(f64::NAN, 2.0).is_err());
    }

    #[test]
    fn equal_distributions_are_fully_similar_and_disjoint_ones_not_at_all() {
        let similar = jensen_shannon_similarity(&[1.0, 2.0], &[2.0, 4.0, 0.0, 0.0], &[6.0, 9.0]);
        let similar = similar.unwrap();
        assert!((similar[0] - 1.0).abs() < 1e-7, "{similar:?}");
        assert_eq!(similar[1].to_bits(), 0.0_f64.to_bits());
    }

    #[test]
    fn a_row_longer_than_its_candidate_is_refused() {
        let error = jensen_shannon_similarity(&[1.0], &[3.0], &[2.0]).unwrap_err();
        assert!(matches!(error, KernelError::OutOfRange { what: "lengths", .. }), "{error}");
        assert!(jensen_shannon_similarity(&[1.0], &[f64::NAN], &[2.0]).is_err());
        assert!(jensen_shannon_similarity(&[0.0], &[1.0], &[2.0]).is_err());
        assert!(jensen_shannon_similarity(&[1.0], &[1.0, 1.0], &[2.0]).is_err());
    }

    proptest! {
        #[test]
        fn normalised_scores_keep_the_order_of_the_magnitudes(
            values in prop::collection::vec(-50.0..50.0_f64, 1..40)
        ) {
            let scaled = normalise_bm25(&values).unwrap();
            for (i, j) in (0..values.len()).flat_map(|i| (0..values.len()).map(move |j| (i, j))) {
                prop_assert!((0.0..=1.0).contains(&scaled[i]));
                if values[i].abs() < values[j].abs() {
                    prop_assert!(scaled[i] <= scaled[j]);
                }
            }
        }
    }
}
