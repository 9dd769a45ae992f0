//! Adam (Kingma & Ba 2015, algorithm 1) over one set of weights.

use super::{PARAMETERS, Parameters, checked_parameters};
use crate::kernels::checks::{check_each, is_count};
use crate::kernels::error::KernelError;

const MEAN_DECAY: f64 = 0.9;
const SQUARE_DECAY: f64 = 0.999;
/// Keeps a weight without gradient from dividing by 0.
const EPSILON: f64 = 1e-8;

/// Running moments of the gradient; all zeros before the first step.
#[derive(Debug, Clone, PartialEq)]
pub struct AdamState {
    mean: Parameters,
    square: Parameters,
    steps: u32,
}

impl Default for AdamState {
    fn default() -> Self {
        Self { mean: [0.0; PARAMETERS], square: [0.0; PARAMETERS], steps: 0 }
    }
}

impl AdamState {
    /// A state that was kept from an earlier training.
    ///
    /// # Errors
    ///
    /// - [`KernelError::Shape`] when a moment has not one entry a weight.
    /// - [`KernelError::OutOfRange`] when an entry is not finite, or a square is negative.
    pub fn new(mean: &[f64], square: &[f64], steps: u32) -> Result<Self, KernelError> {
        let mean = *checked_parameters("mean", mean)?;
        let square = *checked_parameters("square", square)?;
        check_each("square", &square, is_count, "a finite number from 0")?;
        Ok(Self { mean, square, steps })
    }

    /// Running mean of the gradient.
    #[must_use]
    pub fn mean(&self) -> &Parameters {
        &self.mean
    }

    /// Running mean of its squares.
    #[must_use]
    pub fn square(&self) -> &Parameters {
        &self.square
    }

    /// Steps taken so far.
    #[must_use]
    pub fn steps(&self) -> u32 {
        self.steps
    }
}

/// The weights and the state after one step along `gradient`.
pub(super) fn step(
    parameters: &Parameters,
    state: &AdamState,
    gradient: &Parameters,
    learning_rate: f64,
) -> (Parameters, AdamState) {
    let mut next = AdamState { steps: state.steps.saturating_add(1), ..state.clone() };
    let mut moved = *parameters;
    let count = f64::from(next.steps);
    let mean_bias = 1.0 - MEAN_DECAY.powf(count);
    let square_bias = 1.0 - SQUARE_DECAY.powf(count);
    for (i, &slope) in gradient.iter().enumerate() {
        next.mean[i] = MEAN_DECAY * next.mean[i] + (1.0 - MEAN_DECAY) * slope;
        next.square[i] = SQUARE_DECAY * next.square[i] + (1.0 - SQUARE_DECAY) * slope * slope;
        let scale = (next.square[i] / square_bias).sqrt() + EPSILON;
        moved[i] -= learning_rate * (next.mean[i] / mean_bias) / scale;
    }
    (moved, next)
}
