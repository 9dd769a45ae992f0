//! How much a candidate resembles the question: BM25 on a common scale, and term distributions.
//!
//! Every function takes the whole pool of candidates in one call and returns one value each.

use super::checks::{check_each, is_count};
use super::error::KernelError;

/// What makes up the relevance of each of n candidates; the three add up to at most 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Shares {
    /// Of its own words.
    pub words: Vec<f64>,
    /// Of what neighbours lend it.
    pub loan: Vec<f64>,
    /// Of fitting what is asked beyond words.
    pub fit: Vec<f64>,
}

/// What is known of n candidates before their relevance is shared out, one value each.
#[derive(Debug, Clone, Copy)]
pub struct Parts<'a> {
    /// BM25 of the question's words.
    pub bm25: &'a [f32],
    /// BM25 of its function words.
    pub function_words: &'a [f32],
    /// What neighbours lend, in the same unit.
    pub lent: &'a [f32],
    /// A factor, 1 for no difference.
    pub fit: &'a [f32],
}

/// BM25 normalised within the question, `(v − lo)/(hi − lo) · min(1, hi)`, over the whole
/// relevance of a candidate, and that divided into its parts.
///
/// With `own = bm25 + share · function_words`, the relevance is `(own + lent) · fit`; `lo` is the
/// pool's least `own` (0 where all are alike), `hi` its largest relevance. The factor `min(1, hi)`
/// keeps a pool whose best match is weak from looking strong. A fit below 1 lowers words and loan;
/// what it adds above 1 is the fit's own part.
///
/// # Errors
///
/// - [`KernelError::Shape`] when the parts are not equally long.
/// - [`KernelError::OutOfRange`] when a value or the share is negative, NaN or infinite.
pub fn share_out(parts: Parts<'_>, share: f64) -> Result<Shares, KernelError> {
    let expected = parts.bm25.len();
    let given = [
        ("bm25", parts.bm25),
        ("function_words", parts.function_words),
        ("lent", parts.lent),
        ("fit", parts.fit),
    ];
    check_each("share", &[share], is_count, "a finite number from 0")?;
    for (what, values) in given {
        if values.len() != expected {
            return Err(KernelError::Shape { what, expected, found: values.len() });
        }
        let is_fine = |value: f32| is_count(f64::from(value));
        check_each(what, values, is_fine, "a finite number from 0")?;
    }
    let at = |values: &[f32], nth: usize| f64::from(values[nth]);
    let own: Vec<f64> = (0..expected)
        .map(|nth| at(parts.bm25, nth) + share * at(parts.function_words, nth))
        .collect();
    let whole = |nth: usize| own[nth] + at(parts.lent, nth);
    let highest = (0..expected).map(|nth| whole(nth) * at(parts.fit, nth)).fold(0.0, f64::max);
    if highest <= 0.0 {
        let nothing = vec![0.0; expected];
        return Ok(Shares { words: nothing.clone(), loan: nothing.clone(), fit: nothing });
    }
    let lowest = own.iter().copied().fold(f64::INFINITY, f64::min);
    let alike = own.iter().all(|&value| value <= lowest);
    // All alike, or one alone: what they say is all there is.
    let lowest = if alike { 0.0 } else { lowest };
    let mut shares = Shares { words: Vec::new(), loan: Vec::new(), fit: Vec::new() };
    let mut largest = 0.0_f64;
    for (nth, own) in own.iter().enumerate() {
        let fit = at(parts.fit, nth);
        let lowered = fit.min(1.0);
        let words = (own - lowest) * lowered;
        let loan = at(parts.lent, nth) * lowered;
        let gained = (fit - 1.0).max(0.0) * whole(nth);
        largest = largest.max(words + loan + gained);
        shares.words.push(words);
        shares.loan.push(loan);
        shares.fit.push(gained);
    }
    // `hi − lo` itself, but where the best of all fits so badly that another has more above `lo`.
    let scale = if largest > 0.0 { highest.min(1.0) / largest } else { 0.0 };
    for values in [&mut shares.words, &mut shares.loan, &mut shares.fit] {
        for value in values.iter_mut() {
            *value *= scale;
        }
    }
    Ok(shares)
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

    fn shared(bm25: &[f32], lent: &[f32], fit: &[f32]) -> Shares {
        let function_words = &vec![0.0; bm25.len()];
        share_out(Parts { bm25, function_words, lent, fit }, 0.25).unwrap()
    }

    #[test]
    fn the_best_of_a_pool_gets_the_ceiling_and_the_worst_gets_zero() {
        let ones = [1.0; 3];
        assert_eq!(shared(&[2.0, 6.0, 4.0], &[0.0; 3], &ones).words, [0.0, 1.0, 0.5]);
        let weak = shared(&[0.125, 0.25], &[0.0; 2], &ones[..2]);
        assert_eq!(weak.words, [0.0, 0.25]);
    }

    #[test]
    fn equal_scores_all_get_the_ceiling() {
        assert_eq!(shared(&[7.0, 7.0], &[0.0; 2], &[1.0; 2]).words, [1.0, 1.0]);
        assert_eq!(shared(&[0.25], &[0.0], &[1.0]).words, [0.25]);
        assert_eq!(shared(&[], &[], &[]).words, [0.0; 0]);
    }

    #[test]
    fn a_fit_above_one_is_a_part_of_its_own_and_one_below_lowers_the_others() {
        let shares = shared(&[1.0, 3.0], &[1.0, 0.0], &[2.0, 0.5]);
        // Relevance 4 and 1.5, least own word score 1: all over 3.
        assert_eq!(shares.words, [0.0, 1.0 / 3.0]);
        assert_eq!(shares.loan, [1.0 / 3.0, 0.0]);
        assert_eq!(shares.fit, [2.0 / 3.0, 0.0]);
    }

    #[test]
    fn shares_stay_within_one_where_all_fit_badly() {
        let shares = shared(&[10.0, 11.0], &[0.0, 0.0], &[0.2, 0.2]);
        assert_eq!(shares.words, [0.0, 1.0]);
    }

    #[test]
    fn parts_that_do_not_fit_are_refused() {
        let parts = Parts { bm25: &[1.0], function_words: &[], lent: &[0.0], fit: &[1.0] };
        assert!(matches!(share_out(parts, 0.0), Err(KernelError::Shape { .. })));
        let parts = Parts { function_words: &[f32::NAN], ..parts };
        assert!(matches!(share_out(parts, 0.0), Err(KernelError::OutOfRange { .. })));
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
        fn shares_stay_within_the_whole_and_keep_the_order_of_relevance(
            parts in prop::collection::vec((0.0..50.0_f32, 0.0..9.0_f32, 0.2..4.0_f32), 1..40)
        ) {
            let of = |part: fn(&(f32, f32, f32)) -> f32| parts.iter().map(part).collect::<Vec<_>>();
            let (bm25, lent, fit) = (of(|p| p.0), of(|p| p.1), of(|p| p.2));
            let shares = shared(&bm25, &lent, &fit);
            for nth in 0..parts.len() {
                let sum = shares.words[nth] + shares.loan[nth] + shares.fit[nth];
                prop_assert!((0.0..=1.0 + 1e-9).contains(&sum), "{sum}");
                prop_assert!(shares.words[nth] >= 0.0 && shares.fit[nth] >= 0.0);
            }
        }
    }
}
