//! The ranking neuron: a 29-6-1 perceptron that corrects the hand formula's order of a page.
//!
//! ```text
//! c(x) = v · tanh(W x + b)                            the correction of one result
//! g(s) = ln(s / (1 − s)), s in [1e-4, 1 − 1e-4)       a score as evidence, linear beyond
//! p    = softmax over the page of g(score) + c(x)
//! L(θ) = −mean over pages of ln p[target] + λ/2 ‖θ − anchor‖²
//! ```
//!
//! Training is full-batch Adam on exact gradients, some tens of steps a call. Everything is
//! float64: four lanes are fast enough at 1,200 pages of 10 results, and the loss curve is that of
//! any other float64 implementation. On CPUs without fused lanes the weights differ in the last
//! digits; a state that is resumed elsewhere stays valid.

mod adam;
mod batch;
mod lanes;

use super::checks::{check, check_each, check_length, is_count};
use super::error::KernelError;
use batch::Batch;

pub use adam::AdamState;

/// Inputs of one result (f).
pub const FEATURES: usize = 29;
/// Hidden units (h).
pub const HIDDEN: usize = 6;
/// All weights: W (h × f, row-major), then b (h), then v (h).
pub const PARAMETERS: usize = HIDDEN * FEATURES + HIDDEN + HIDDEN;

/// A weight beyond this has run away; the step that made it is not taken.
pub const LARGEST_WEIGHT: f64 = 1e3;

/// One set of weights.
pub type Parameters = [f64; PARAMETERS];

/// Pages to learn from, one after the other.
#[derive(Debug, Clone, Copy)]
pub struct Pages<'a> {
    /// One row of [`FEATURES`] a result, row-major.
    pub features: &'a [f64],
    /// Score of each result.
    pub scores: &'a [f64],
    /// Page `i` is results `starts[i]..starts[i + 1]`; one more entry than pages.
    pub starts: &'a [i64],
    /// Place within its page of the result that each page's question was about.
    pub targets: &'a [i64],
}

/// How to train.
#[derive(Debug, Clone, Copy)]
pub struct Schedule<'a> {
    /// Full-batch steps to take.
    pub steps: usize,
    /// Adam's step size.
    pub learning_rate: f64,
    /// λ: pull towards the anchor.
    pub l2: f64,
    /// The weights that λ pulls towards; zero where none are given.
    pub anchor: Option<&'a [f64]>,
}

/// What training made.
#[derive(Debug, Clone, PartialEq)]
pub struct Trained {
    /// The weights after the last step that was taken.
    pub parameters: Parameters,
    /// Adam's state after that step.
    pub adam: AdamState,
    /// The loss before each step that was tried.
    pub losses: Vec<f64>,
    /// How many steps were taken; fewer than asked when one was not healthy.
    pub steps_taken: usize,
}

/// Scores on the scale of evidence: the logit up to 0.9999, its tangent beyond, from 1e-4 to 50.
///
/// # Errors
///
/// [`KernelError::OutOfRange`] when a score is NaN or infinite.
pub fn evidence_logits(scores: &[f64]) -> Result<Vec<f64>, KernelError> {
    check_each("scores", scores, f64::is_finite, "a finite number")?;
    Ok(scores.iter().map(|&score| evidence_logit(score)).collect())
}

fn evidence_logit(score: f64) -> f64 {
    const EDGE: f64 = 1e-4;
    const TURN: f64 = 1.0 - EDGE;
    let score = score.clamp(EDGE, 50.0);
    if score < TURN {
        return (score / (1.0 - score)).ln();
    }
    (TURN / EDGE).ln() + (score - TURN) / (EDGE * TURN)
}

/// The correction of every result: `v · tanh(W x + b)`.
///
/// # Errors
///
/// - [`KernelError::Shape`] when `features` is not whole rows of [`FEATURES`], or `parameters` not
///   [`PARAMETERS`] weights.
/// - [`KernelError::OutOfRange`] when one of either is NaN or infinite.
pub fn corrections(parameters: &[f64], features: &[f64]) -> Result<Vec<f64>, KernelError> {
    let parameters = checked_parameters("parameters", parameters)?;
    let results = features.len() / FEATURES;
    check_length("features", features.len(), results * FEATURES)?;
    check_each("features", features, f64::is_finite, "a finite number")?;
    Ok(batch::corrections(parameters, features))
}

/// Loss over the pages and its exact gradient in every weight.
///
/// # Errors
///
/// - [`KernelError::Shape`] when the slices do not fit each other.
/// - [`KernelError::OutOfRange`] when a number is NaN or infinite, there is no page, a page is
///   empty, a target lies outside its page, or λ is negative.
pub fn loss_and_gradient(
    pages: Pages<'_>,
    parameters: &[f64],
    l2: f64,
    anchor: Option<&[f64]>,
) -> Result<(f64, Parameters), KernelError> {
    check_pages(&pages)?;
    let objective = Objective { l2, anchor: checked_anchor(anchor)? };
    objective.check()?;
    let parameters = checked_parameters("parameters", parameters)?;
    Ok(objective.loss_and_gradient(&mut Batch::new(pages), parameters))
}

/// Take some full-batch Adam steps.
///
/// A step is taken only if the loss and the weights that it leads to are finite and no weight is
/// beyond [`LARGEST_WEIGHT`]. Otherwise training ends with the weights and the state before it:
/// the same data would lead to the same step again.
///
/// # Errors
///
/// As [`loss_and_gradient`], and [`KernelError::OutOfRange`] when the learning rate is negative
/// or not finite.
pub fn train(
    pages: Pages<'_>,
    parameters: &[f64],
    adam: AdamState,
    schedule: Schedule<'_>,
) -> Result<Trained, KernelError> {
    check_pages(&pages)?;
    let objective = Objective { l2: schedule.l2, anchor: checked_anchor(schedule.anchor)? };
    objective.check()?;
    let rate = schedule.learning_rate;
    check("learning_rate", rate, is_count(rate), "a finite number from 0")?;

    let parameters = *checked_parameters("parameters", parameters)?;
    let mut batch = Batch::new(pages);
    let mut trained = Trained { parameters, adam, losses: Vec::new(), steps_taken: 0 };
    while trained.steps_taken < schedule.steps {
        let (loss, gradient) = objective.loss_and_gradient(&mut batch, &trained.parameters);
        trained.losses.push(loss);
        let (moved, adam) = adam::step(&trained.parameters, &trained.adam, &gradient, rate);
        if !loss.is_finite() || !moved.iter().all(|weight| weight.abs() <= LARGEST_WEIGHT) {
            break;
        }
        trained = Trained {
            parameters: moved,
            adam,
            losses: trained.losses,
            steps_taken: trained.steps_taken + 1,
        };
    }
    Ok(trained)
}

/// What is minimised beside the pages' loss.
struct Objective<'a> {
    l2: f64,
    anchor: Option<&'a Parameters>,
}

impl Objective<'_> {
    fn check(&self) -> Result<(), KernelError> {
        check("l2", self.l2, is_count(self.l2), "a finite number from 0")
    }

    fn loss_and_gradient(&self, batch: &mut Batch, parameters: &Parameters) -> (f64, Parameters) {
        let (mut loss, mut gradient) = batch.loss_and_gradient(parameters);
        for (i, slope) in gradient.iter_mut().enumerate() {
            let distance = parameters[i] - self.anchor.map_or(0.0, |anchor| anchor[i]);
            loss += 0.5 * self.l2 * distance * distance;
            *slope += self.l2 * distance;
        }
        (loss, gradient)
    }
}

fn checked_parameters<'a>(
    what: &'static str,
    values: &'a [f64],
) -> Result<&'a Parameters, KernelError> {
    check_each(what, values, f64::is_finite, "a finite number")?;
    values.try_into().map_err(|_| KernelError::Shape {
        what,
        expected: PARAMETERS,
        found: values.len(),
    })
}

fn checked_anchor(anchor: Option<&[f64]>) -> Result<Option<&Parameters>, KernelError> {
    anchor.map(|anchor| checked_parameters("anchor", anchor)).transpose()
}

fn check_pages(pages: &Pages<'_>) -> Result<(), KernelError> {
    let results = pages.scores.len();
    check_length("features", pages.features.len(), results * FEATURES)?;
    check_length("starts", pages.starts.len(), pages.targets.len() + 1)?;
    check_each("features", pages.features, f64::is_finite, "a finite number")?;
    check_each("scores", pages.scores, f64::is_finite, "a finite number")?;
    let first = pages.starts.first().copied();
    let last = pages.starts.last().and_then(|&last| usize::try_from(last).ok());
    let rises = pages.starts.windows(2).all(|page| page[0] < page[1]);
    if pages.targets.is_empty() || first != Some(0) || last != Some(results) || !rises {
        let rule = format!("expected at least one page, and to rise from 0 to {results} results");
        return Err(KernelError::OutOfRange { what: "starts", rule });
    }
    let spans = pages.starts.windows(2).map(|page| page[1] - page[0]);
    match spans.zip(pages.targets).find(|(length, target)| !(0..*length).contains(*target)) {
        None => Ok(()),
        Some((length, target)) => Err(KernelError::OutOfRange {
            what: "targets",
            rule: format!("{target} is no place on a page of {length} results"),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::lanes::Weights;
    use super::*;
    use proptest::prelude::*;

    const STARTS: [i64; 4] = [0, 1, 11, 300];
    const TARGETS: [i64; 3] = [0, 9, 17];

    /// Numbers in [0, 1) that are the same in every run.
    fn spread(count: usize, seed: f64) -> Vec<f64> {
        (1..=count).map(|i| (i as f64 * 0.618_033_988_749_895 + seed).fract()).collect()
    }

    fn weights(seed: f64) -> Vec<f64> {
        spread(PARAMETERS, seed).iter().map(|x| 2.0 * x - 1.0).collect()
    }

    /// Three pages, of 1, 10 and 289 results: more than one tile and ragged blocks.
    fn with_pages<T>(body: impl FnOnce(Pages<'_>) -> T) -> T {
        let (features, scores) = (spread(300 * FEATURES, 0.3), spread(300, 0.7));
        body(Pages { features: &features, scores: &scores, starts: &STARTS, targets: &TARGETS })
    }

    /// The definition, result by result.
    fn correction(parameters: &[f64], x: &[f64]) -> f64 {
        let (w, rest) = parameters.split_at(HIDDEN * FEATURES);
        let (b, v) = rest.split_at(HIDDEN);
        let hidden = w
            .chunks_exact(FEATURES)
            .zip(b)
            .map(|(row, bias)| (row.iter().zip(x).map(|(w, x)| w * x).sum::<f64>() + bias).tanh());
        hidden.zip(v).map(|(h, v)| h * v).sum()
    }

    #[test]
    fn corrections_are_the_definition() {
        let (parameters, features) = (weights(0.1), spread(13 * FEATURES, 0.9));
        let found = corrections(&parameters, &features).unwrap();
        assert_eq!(found.len(), 13);
        for (found, x) in found.iter().zip(features.chunks_exact(FEATURES)) {
            assert!((found - correction(&parameters, x)).abs() < 1e-13);
        }
        assert!(corrections(&parameters, &[]).unwrap().is_empty());
        assert!(corrections(&parameters, &features[1..]).is_err());
        assert!(corrections(&parameters[1..], &features).is_err());
    }

    #[test]
    fn fused_and_plain_passes_agree() {
        let parameters: Parameters = weights(0.2).try_into().unwrap();
        let (found, plain) = with_pages(|pages| {
            let mut batch = Batch::new(pages);
            (batch.loss_and_gradient(&parameters), batch.pass_plain(&Weights::new(&parameters)))
        });
        assert!((found.0 - plain.0).abs() < 1e-12);
        // Sums of 300 terms in one order; only the rounding of each product differs.
        assert!(found.1.iter().zip(&plain.1).all(|(a, b)| (a - b).abs() < 1e-12));
    }

    #[test]
    fn the_gradient_is_that_of_central_differences() {
        let (anchor, parameters) = (weights(0.4), weights(0.2));
        with_pages(|pages| {
            let at = |i: usize, by: f64| {
                let mut moved = parameters.clone();
                moved[i] += by;
                loss_and_gradient(pages, &moved, 0.1, Some(&anchor)).unwrap().0
            };
            let (_, gradient) = loss_and_gradient(pages, &parameters, 0.1, Some(&anchor)).unwrap();
            for (i, slope) in gradient.iter().enumerate() {
                let difference = (at(i, 1e-5) - at(i, -1e-5)) / 2e-5;
                assert!((difference - slope).abs() < 1e-8, "{i}: {difference} {slope}");
            }
        });
    }

    #[test]
    fn training_in_two_calls_is_training_in_one() {
        with_pages(|pages| {
            let schedule = |steps| Schedule { steps, learning_rate: 0.03, l2: 1e-3, anchor: None };
            let once = train(pages, &weights(0.2), AdamState::default(), schedule(7)).unwrap();
            let first = train(pages, &weights(0.2), AdamState::default(), schedule(3)).unwrap();
            let second = train(pages, &first.parameters, first.adam, schedule(4)).unwrap();
            assert_eq!(once.parameters.map(f64::to_bits), second.parameters.map(f64::to_bits));
            assert_eq!(once.adam, second.adam);
            assert!(once.losses[6] < once.losses[0]);
        });
    }

    #[test]
    fn a_step_that_runs_away_is_not_taken() {
        with_pages(|pages| {
            let schedule = Schedule { steps: 5, learning_rate: 600.0, l2: 0.0, anchor: None };
            let trained = train(pages, &weights(0.2), AdamState::default(), schedule).unwrap();
            assert!(trained.steps_taken < 5);
            assert_eq!(trained.losses.len(), trained.steps_taken + 1);
            assert!(trained.parameters.iter().all(|weight| weight.abs() <= LARGEST_WEIGHT));
        });
    }

    #[test]
    fn pages_that_cannot_be_are_refused() {
        with_pages(|pages| {
            let refused = |pages| loss_and_gradient(pages, &weights(0.2), 0.0, None).is_err();
            assert!(refused(Pages { starts: &[0, 0, 11, 300], ..pages }));
            assert!(refused(Pages { starts: &[0, 1, 11, 299], ..pages }));
            assert!(refused(Pages { starts: &[1, 2, 11, 300], ..pages }));
            assert!(refused(Pages { starts: &[0], targets: &[], ..pages }));
            assert!(refused(Pages { targets: &[1, 0, 0], ..pages }));
            assert!(refused(Pages { targets: &[0, -1, 0], ..pages }));
            assert!(refused(Pages { scores: &pages.scores[1..], ..pages }));
        });
    }

    proptest! {
        #[test]
        fn evidence_rises_with_the_score(low in -1.0..60.0_f64, by in 0.0..1.0_f64) {
            prop_assert!(evidence_logit(low) <= evidence_logit(low + by));
            let inside = low.rem_euclid(0.9).max(1e-3);
            prop_assert!((evidence_logit(inside) - (inside / (1.0 - inside)).ln()).abs() < 1e-12);
        }
    }
}
