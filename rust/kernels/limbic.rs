//! The limbic score: relevance times salience, recency and company, for a whole candidate set.
//!
//! ```text
//! score      = base · (1 + β_sal · importance) · temporal · (1 + γ · cooccurrence)
//! importance = log₂(1 + accesses) / log₂(1 + max_accesses) · (1 + β_deg · min(degree, D) / D)
//! temporal   = max(floor, exp(−λ · hours))
//! cooccurrence = Σ over the other candidates  log₂(1 + count) · max(floor, exp(−λ · hours))
//! ```
//!
//! Co-occurrences come as adjacency rows, so that a set of n candidates costs n times the mean
//! degree, not n²: a bitmap of the candidates' ids says which neighbours are in the set.

// The lanes of the CPU at hand form only in a function that holds the whole body.
#![allow(clippy::inline_always)]

use super::checks::{check, check_each, check_length, is_count};
use super::elementary::{Plain, exp, log2_one_plus};
use super::error::KernelError;
use super::membership::Members;

/// The constants of the formula; the defaults are the specification's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LimbicParameters {
    /// Weight of importance (`β_sal`).
    pub beta_salience: f64,
    /// Weight of the degree within importance (`β_deg`).
    pub beta_degree: f64,
    /// Degree from which more links add nothing (`D`).
    pub degree_cap: f64,
    /// Decay rate an hour (λ): half is left after 289 days.
    pub decay_per_hour: f64,
    /// Weight of co-occurrence (γ).
    pub gamma: f64,
    /// Least temporal factor.
    pub temporal_floor: f64,
    /// Least temporal factor of a co-occurrence.
    pub cooccurrence_floor: f64,
}

impl Default for LimbicParameters {
    fn default() -> Self {
        Self {
            beta_salience: 0.5,
            beta_degree: 0.15,
            degree_cap: 15.0,
            decay_per_hour: 1e-4,
            gamma: 0.01,
            temporal_floor: 0.1,
            cooccurrence_floor: 0.1,
        }
    }
}

/// The candidates, one entry each in every slice; times in hours before the request's clock.
#[derive(Debug, Clone, Copy)]
pub struct Candidates<'a> {
    /// Node ids, all different.
    pub ids: &'a [i64],
    /// Relevance to the question, from 0.
    pub base: &'a [f64],
    /// How often each was accessed, at most `max_accesses`.
    pub accesses: &'a [f64],
    /// How many active relations each has.
    pub degrees: &'a [f64],
    /// Hours since the last access; times in the future (negative) count as 0.
    pub hours: &'a [f64],
    /// The largest number of accesses in the set that importance refers to.
    pub max_accesses: f64,
}

/// Co-occurrence rows of the candidates in compressed sparse row form.
#[derive(Debug, Clone, Copy)]
pub struct CooccurrenceRows<'a> {
    /// Row `i` is entries `row_starts[i]..row_starts[i + 1]`; one more entry than candidates.
    pub row_starts: &'a [i64],
    /// Node ids that a candidate was seen with; those outside the set are skipped, as is itself.
    pub neighbours: &'a [i64],
    /// How often the pair was seen.
    pub counts: &'a [f64],
    /// Hours since it was last seen; negative counts as 0.
    pub hours: &'a [f64],
}

/// The scores and the three factors that made them, in the candidates' order.
#[derive(Debug, Clone, PartialEq)]
pub struct LimbicScores {
    /// The score itself.
    pub scores: Vec<f64>,
    /// Importance, before `β_sal`.
    pub importance: Vec<f64>,
    /// Temporal factor.
    pub temporal: Vec<f64>,
    /// Sum over the other candidates, before γ.
    pub cooccurrence: Vec<f64>,
}

/// Score every candidate.
///
/// # Errors
///
/// - [`KernelError::Shape`] when the slices do not fit each other.
/// - [`KernelError::OutOfRange`] when a count or base is negative, NaN or infinite, an hour is NaN,
///   an id is repeated, a candidate has more accesses than `max_accesses`, the row starts do not
///   rise from 0, or a parameter lies outside its range.
pub fn limbic_scores(
    candidates: Candidates<'_>,
    rows: CooccurrenceRows<'_>,
    parameters: &LimbicParameters,
) -> Result<LimbicScores, KernelError> {
    check_parameters(parameters)?;
    check_candidates(&candidates)?;
    check_rows(&rows, candidates.ids.len())?;

    let members = Members::of(candidates.ids, rows.neighbours.len())?;

    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the CPU has `avx2`, the only feature that the function asks for.
        return Ok(unsafe { score_avx2(&candidates, &rows, &members, parameters) });
    }
    Ok(score(&candidates, &rows, &members, parameters))
}

/// [`score`] compiled for four lanes; the same operations, so the same bits.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn score_avx2(
    candidates: &Candidates<'_>,
    rows: &CooccurrenceRows<'_>,
    members: &Members,
    parameters: &LimbicParameters,
) -> LimbicScores {
    score(candidates, rows, members, parameters)
}

// The loops below run over slices in place: only then does the compiler fill the lanes.
#[inline(always)]
fn score(
    candidates: &Candidates<'_>,
    rows: &CooccurrenceRows<'_>,
    members: &Members,
    parameters: &LimbicParameters,
) -> LimbicScores {
    let importance = importance(candidates, parameters);
    let mut temporal = candidates.hours.to_vec();
    for factor in &mut temporal {
        *factor = recency(*factor, parameters.decay_per_hour, parameters.temporal_floor);
    }
    let ids = candidates.ids;
    let cooccurrence = match members {
        Members::Dense(bits) => cooccurrence(ids, rows, |id| bits.contains(id), parameters),
        Members::Sparse(set) => cooccurrence(ids, rows, |id| set.contains(&id), parameters),
    };
    let mut scores = candidates.base.to_vec();
    let factors = importance.iter().zip(&temporal).zip(&cooccurrence);
    for (score, ((importance, temporal), cooccurrence)) in scores.iter_mut().zip(factors) {
        *score *= (1.0 + parameters.beta_salience * importance)
            * temporal
            * (1.0 + parameters.gamma * cooccurrence);
    }
    LimbicScores { scores, importance, temporal, cooccurrence }
}

/// What is left of 1 after some hours, never below `floor`; the future counts as now.
#[inline(always)]
fn recency(hours: f64, decay_per_hour: f64, floor: f64) -> f64 {
    // Plain comparisons: `f64::max` would also answer for NaN, at twice the cost.
    let past = if hours > 0.0 { hours } else { 0.0 };
    let exponent = -decay_per_hour * past;
    let left = exp::<Plain>(if exponent > LEAST_EXPONENT { exponent } else { LEAST_EXPONENT });
    if left > floor { left } else { floor }
}

/// `e^-700` is 0 for every purpose of a factor in [0, 1].
const LEAST_EXPONENT: f64 = -700.0;

#[inline(always)]
fn importance(candidates: &Candidates<'_>, parameters: &LimbicParameters) -> Vec<f64> {
    if candidates.max_accesses <= 0.0 {
        return vec![0.0; candidates.ids.len()];
    }
    let scale = log2_one_plus::<Plain>(candidates.max_accesses);
    let cap = parameters.degree_cap;
    let mut importance = candidates.accesses.to_vec();
    for (value, &degree) in importance.iter_mut().zip(candidates.degrees) {
        let links = if degree < cap { degree } else { cap };
        *value =
            log2_one_plus::<Plain>(*value) / scale * (1.0 + parameters.beta_degree * links / cap);
    }
    importance
}

#[inline(always)]
fn cooccurrence(
    ids: &[i64],
    rows: &CooccurrenceRows<'_>,
    is_candidate: impl Fn(i64) -> bool,
    parameters: &LimbicParameters,
) -> Vec<f64> {
    let mut sums = vec![0.0; ids.len()];
    let mut block = Block::default();
    let mut entry = 0;
    for (owner, (&own, &end)) in ids.iter().zip(&rows.row_starts[1..]).enumerate() {
        let end = usize::try_from(end).unwrap_or(entry);
        while entry < end {
            let part = entry..end.min(entry + BLOCK - block.filled);
            entry = part.end;
            let seen = rows.counts[part.clone()].iter().zip(&rows.hours[part.clone()]);
            let pairs = rows.neighbours[part].iter().zip(seen);
            block.gather(owner, pairs, |id| id != own && is_candidate(id));
            if block.filled == BLOCK {
                block.add_to(&mut sums, parameters);
            }
        }
    }
    block.add_to(&mut sums, parameters);
    sums
}

/// Co-occurrences whose two ends are both candidates, gathered so that their shares are computed
/// on full lanes and in the first-level cache.
struct Block {
    owners: [usize; BLOCK],
    counts: [f64; BLOCK],
    hours: [f64; BLOCK],
    filled: usize,
}

/// A power of two, so that a mask replaces the bounds check.
const BLOCK: usize = 256;

impl Default for Block {
    fn default() -> Self {
        Self { owners: [0; BLOCK], counts: [0.0; BLOCK], hours: [0.0; BLOCK], filled: 0 }
    }
}

impl Block {
    /// Take in what counts of some pairs, no more than there is room for.
    #[inline(always)]
    fn gather<'a>(
        &mut self,
        owner: usize,
        pairs: impl Iterator<Item = (&'a i64, (&'a f64, &'a f64))>,
        counts: impl Fn(i64) -> bool,
    ) {
        let mut filled = self.filled;
        for (&neighbour, (&count, &hours)) in pairs {
            // Write first and advance only if it counts: no branch to mispredict.
            let slot = filled % BLOCK;
            self.owners[slot] = owner;
            self.counts[slot] = count;
            self.hours[slot] = hours;
            filled += usize::from(counts(neighbour));
        }
        self.filled = filled;
    }

    /// Add every share to its owner's sum, in the order of the entries, and start afresh.
    #[inline(always)]
    fn add_to(&mut self, sums: &mut [f64], parameters: &LimbicParameters) {
        let (decay, floor) = (parameters.decay_per_hour, parameters.cooccurrence_floor);
        for (count, &hours) in self.counts[..self.filled].iter_mut().zip(&self.hours) {
            *count = log2_one_plus::<Plain>(*count) * recency(hours, decay, floor);
        }
        // A running sum in a register: owners come in order, and a new one has no sum yet.
        let mut last = self.owners[0];
        let mut sum = sums.get(last).copied().unwrap_or(0.0);
        for (&owner, share) in self.owners[..self.filled].iter().zip(&self.counts) {
            sum = if owner == last { sum } else { 0.0 } + share;
            sums[owner] = sum;
            last = owner;
        }
        self.filled = 0;
    }
}

fn check_parameters(parameters: &LimbicParameters) -> Result<(), KernelError> {
    let unbounded = [
        ("beta_salience", parameters.beta_salience),
        ("beta_degree", parameters.beta_degree),
        ("decay_per_hour", parameters.decay_per_hour),
        ("gamma", parameters.gamma),
    ];
    for (what, value) in unbounded {
        check(what, value, is_count(value), "a finite number from 0")?;
    }
    let cap = parameters.degree_cap;
    check("degree_cap", cap, is_count(cap) && cap > 0.0, "a finite number above 0")?;
    let floors = [
        ("temporal_floor", parameters.temporal_floor),
        ("cooccurrence_floor", parameters.cooccurrence_floor),
    ];
    for (what, value) in floors {
        check(what, value, (0.0..=1.0).contains(&value), "a number in [0, 1]")?;
    }
    Ok(())
}

fn check_candidates(candidates: &Candidates<'_>) -> Result<(), KernelError> {
    let expected = candidates.ids.len();
    let counts = [
        ("base", candidates.base),
        ("accesses", candidates.accesses),
        ("degrees", candidates.degrees),
    ];
    for (what, values) in counts {
        check_length(what, values.len(), expected)?;
        check_each(what, values, is_count, "a finite number from 0")?;
    }
    check_length("hours", candidates.hours.len(), expected)?;
    check_each("hours", candidates.hours, |hours| !hours.is_nan(), "a number")?;
    let most = candidates.max_accesses;
    check("max_accesses", most, is_count(most), "a finite number from 0")?;
    check_each("accesses", candidates.accesses, |accesses| accesses <= most, "at most max_accesses")
}

fn check_rows(rows: &CooccurrenceRows<'_>, candidates: usize) -> Result<(), KernelError> {
    let entries = rows.neighbours.len();
    check_length("row_starts", rows.row_starts.len(), candidates + 1)?;
    check_length("counts", rows.counts.len(), entries)?;
    check_length("hours of co-occurrences", rows.hours.len(), entries)?;
    let ends_right =
        rows.row_starts.last().is_some_and(|&end| usize::try_from(end).ok() == Some(entries));
    if rows.row_starts[0] != 0 || !ends_right || !rows.row_starts.is_sorted() {
        let rule = format!("expected to rise from 0 to the {entries} entries");
        return Err(KernelError::OutOfRange { what: "row_starts", rule });
    }
    check_each("counts", rows.counts, is_count, "a finite number from 0")?;
    check_each("hours of co-occurrences", rows.hours, |hours| !hours.is_nan(), "a number")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Candidate 1, accessed 10 of 20 times, degree 8, last seen 30 days ago, with company.
    fn golden(hours: f64, counts: &[f64; 3]) -> LimbicScores {
        let candidates = Candidates {
            ids: &[1, 2, 3, 4],
            base: &[1.0 - 0.35, 0.0, 0.0, 0.0],
            accesses: &[10.0, 0.0, 0.0, 0.0],
            degrees: &[8.0, 0.0, 0.0, 0.0],
            hours: &[hours, 0.0, 0.0, 0.0],
            max_accesses: 20.0,
        };
        let rows = CooccurrenceRows {
            row_starts: &[0, 3, 3, 3, 3],
            neighbours: &[2, 3, 4],
            counts,
            hours: &[0.0; 3],
        };
        limbic_scores(candidates, rows, &LimbicParameters::default()).unwrap()
    }

    #[test]
    fn the_worked_example_gives_its_score_and_factors() {
        let scores = golden(30.0 * 24.0, &[5.0, 2.0, 1.0]);
        assert!((scores.scores[0] - 0.9067).abs() < 5e-5, "{scores:?}");
        assert!((scores.importance[0] - 0.8506).abs() < 5e-5, "{scores:?}");
        assert!((scores.temporal[0] - 0.9305).abs() < 5e-5, "{scores:?}");
        assert!((scores.cooccurrence[0] - 5.1699).abs() < 5e-5, "{scores:?}");
    }

    #[test]
    fn the_future_is_now_and_infinity_is_the_floor() {
        assert!((golden(-5.0, &[0.0; 3]).temporal[0] - 1.0).abs() < 1e-15);
        assert!((golden(f64::INFINITY, &[0.0; 3]).temporal[0] - 0.1).abs() < 1e-15);
    }

    proptest! {
        #[test]
        fn every_lane_width_gives_the_same_bits(
            nodes in prop::collection::vec((0.0..2.0_f64, 0.0..50.0_f64, -9.0..40_000.0_f64), 1..40),
            pairs in prop::collection::vec((0..60_i64, 0.0..1e6_f64, -9.0..40_000.0_f64), 0..900),
        ) {
            let ids: Vec<i64> = (0..).take(nodes.len()).collect();
            let base: Vec<f64> = nodes.iter().map(|node| node.0).collect();
            let accesses: Vec<f64> = nodes.iter().map(|node| node.1).collect();
            let hours: Vec<f64> = nodes.iter().map(|node| node.2).collect();
            let candidates = Candidates {
                ids: &ids,
                base: &base,
                accesses: &accesses,
                degrees: &accesses,
                hours: &hours,
                max_accesses: 50.0,
            };
            let mut row_starts = vec![0; nodes.len()];
            row_starts.push(i64::try_from(pairs.len()).unwrap());
            let neighbours: Vec<i64> = pairs.iter().map(|pair| pair.0).collect();
            let counts: Vec<f64> = pairs.iter().map(|pair| pair.1).collect();
            let since: Vec<f64> = pairs.iter().map(|pair| pair.2).collect();
            let rows = CooccurrenceRows {
                row_starts: &row_starts,
                neighbours: &neighbours,
                counts: &counts,
                hours: &since,
            };
            let parameters = LimbicParameters::default();
            let members = Members::of(&ids, neighbours.len()).unwrap();
            let portable = score(&candidates, &rows, &members, &parameters);
            prop_assert_eq!(limbic_scores(candidates, rows, &parameters).unwrap(), portable);
        }
    }

    #[test]
    fn row_starts_that_leave_the_entries_are_refused() {
        let candidates = Candidates {
            ids: &[1],
            base: &[1.0],
            accesses: &[0.0],
            degrees: &[0.0],
            hours: &[0.0],
            max_accesses: 0.0,
        };
        for row_starts in [&[0, 2][..], &[1, 1], &[0, -1], &[0], &[-1, 1]] {
            let rows =
                CooccurrenceRows { row_starts, neighbours: &[2], counts: &[1.0], hours: &[0.0] };
            assert!(limbic_scores(candidates, rows, &LimbicParameters::default()).is_err());
        }
    }
}
