//! The forward and backward pass, tile by tile.
//!
//! Each pass stands alone: compiled into one function, the compiler leaves half of the lanes empty
//! (a training cycle took 41 ms instead of 28).

// The lanes of the CPU at hand form only in a function that holds the whole body.
#![allow(clippy::inline_always)]

use super::lanes::{Block, HiddenBlock, LANES, LaneGradient, Tile, Weights};
use super::{FEATURES, HIDDEN, Pages, Parameters, evidence_logit};
use crate::kernels::elementary::{Arithmetic, Plain, exp, tanh};
#[cfg(target_arch = "x86_64")]
use crate::kernels::elementary::{Fused, has_fused_lanes};

/// A tile is closed by the first page that brings it to this many results: about 60 KB, which
/// stays in the second-level cache from the forward to the backward pass.
const TILE_RESULTS: usize = 256;
/// `e^-700` is a probability of 0; evidence may differ by far more.
const LEAST_EXPONENT: f64 = -700.0;

/// The correction of each row of `features`.
pub(super) fn corrections(parameters: &Parameters, features: &[f64]) -> Vec<f64> {
    let tile = Tile::of_results(features);
    let weights = Weights::new(parameters);
    let mut hidden = vec![[[0.0; LANES]; HIDDEN]; tile.blocks.len()];
    let mut corrections = vec![[0.0; LANES]; tile.blocks.len()];
    forward(&tile, &weights, &mut hidden, &mut corrections);
    let mut corrections = corrections.into_flattened();
    corrections.truncate(features.len() / FEATURES);
    corrections
}

fn forward(
    tile: &Tile,
    weights: &Weights,
    hidden: &mut [HiddenBlock],
    corrections: &mut [[f64; LANES]],
) {
    #[cfg(target_arch = "x86_64")]
    if has_fused_lanes() {
        // SAFETY: the CPU has `avx2` and `fma`, the only features that the function asks for.
        return unsafe { forward_fused(tile, weights, hidden, corrections) };
    }
    forward_with::<Plain>(tile, weights, hidden, corrections);
}

/// Pages laid out for many passes, and the room that a pass needs.
pub(super) struct Batch {
    tiles: Vec<Tile>,
    pages: f64,
    hidden: Vec<HiddenBlock>,
    slopes: Vec<[f64; LANES]>,
}

impl Batch {
    /// Lay out pages that have been checked.
    pub(super) fn new(pages: Pages<'_>) -> Self {
        let mut tiles = Vec::new();
        let mut spans = Vec::new();
        let mut first = 0;
        for (page, &target) in pages.starts.windows(2).zip(pages.targets) {
            let (start, end) = (to_index(page[0]), to_index(page[1]));
            spans.push((start - first..end - first, to_index(target)));
            if end - first >= TILE_RESULTS || end == pages.scores.len() {
                let mut tile = Tile::of_results(&pages.features[first * FEATURES..end * FEATURES]);
                tile.evidence.extend(pages.scores[first..end].iter().copied().map(evidence_logit));
                tile.pages = std::mem::take(&mut spans);
                tiles.push(tile);
                first = end;
            }
        }
        let largest = tiles.iter().map(|tile| tile.blocks.len()).max().unwrap_or(0);
        Self {
            tiles,
            pages: pages.targets.len() as f64,
            hidden: vec![[[0.0; LANES]; HIDDEN]; largest],
            slopes: vec![[0.0; LANES]; largest],
        }
    }

    /// Mean loss of the pages and its gradient.
    pub(super) fn loss_and_gradient(&mut self, parameters: &Parameters) -> (f64, Parameters) {
        let weights = Weights::new(parameters);
        #[cfg(target_arch = "x86_64")]
        if has_fused_lanes() {
            // SAFETY: the CPU has `avx2` and `fma`, the only features that the function asks for.
            return unsafe { self.pass_fused(&weights) };
        }
        self.pass_plain(&weights)
    }

    pub(super) fn pass_plain(&mut self, weights: &Weights) -> (f64, Parameters) {
        self.pass(weights, forward_with::<Plain>, loss_and_slopes::<Plain>, backward_with::<Plain>)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn pass_fused(&mut self, weights: &Weights) -> (f64, Parameters) {
        self.pass(
            weights,
            |tile, weights, hidden, corrections| forward_fused(tile, weights, hidden, corrections),
            |tile, values, pages| loss_and_slopes_fused(tile, values, pages),
            |tile, weights, hidden, slopes, sums| {
                backward_fused(tile, weights, hidden, slopes, sums);
            },
        )
    }

    fn pass(
        &mut self,
        weights: &Weights,
        forward: impl Fn(&Tile, &Weights, &mut [HiddenBlock], &mut [[f64; LANES]]),
        loss_and_slopes: impl Fn(&Tile, &mut [f64], f64) -> f64,
        backward: impl Fn(&Tile, &Weights, &mut [HiddenBlock], &[[f64; LANES]], &mut LaneGradient),
    ) -> (f64, Parameters) {
        let mut gradient = LaneGradient::zero();
        let mut loss = 0.0;
        for tile in &self.tiles {
            let hidden = &mut self.hidden[..tile.blocks.len()];
            let slopes = &mut self.slopes[..tile.blocks.len()];
            forward(tile, weights, hidden, slopes);
            loss += loss_and_slopes(tile, slopes.as_flattened_mut(), self.pages);
            backward(tile, weights, hidden, slopes, &mut gradient);
        }
        (loss / self.pages, gradient.flattened())
    }
}

/// A value that the checks found to be a place in a slice.
fn to_index(value: i64) -> usize {
    usize::try_from(value).unwrap_or(0)
}

/// Hidden units and corrections of a tile's results.
#[inline(always)]
fn forward_with<A: Arithmetic>(
    tile: &Tile,
    weights: &Weights,
    hidden: &mut [HiddenBlock],
    corrections: &mut [[f64; LANES]],
) {
    for ((Block(columns), hidden), correction) in tile.blocks.iter().zip(hidden).zip(corrections) {
        let mut sums = [[0.0; LANES]; HIDDEN];
        for (column, weights) in columns.iter().zip(&weights.columns) {
            for (sum, &weight) in sums.iter_mut().zip(weights) {
                for (sum, &x) in sum.iter_mut().zip(column) {
                    *sum = A::multiply_add(weight, x, *sum);
                }
            }
        }
        *hidden = sums;
        for unit in hidden.as_flattened_mut() {
            *unit = tanh::<A>(*unit);
        }
        *correction = [0.0; LANES];
        for (unit, &weight) in hidden.iter().zip(&weights.output) {
            for (sum, &value) in correction.iter_mut().zip(unit) {
                *sum = A::multiply_add(weight, value, *sum);
            }
        }
    }
}

/// Sum of the pages' losses; corrections become the slopes of the mean loss along them.
#[inline(always)]
fn loss_and_slopes<A: Arithmetic>(tile: &Tile, values: &mut [f64], pages: f64) -> f64 {
    let mut loss = 0.0;
    let (values, padding) = values.split_at_mut(tile.evidence.len());
    for (value, evidence) in values.iter_mut().zip(&tile.evidence) {
        *value += evidence;
    }
    for (span, target) in &tile.pages {
        let logits = &mut values[span.clone()];
        let highest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for logit in &mut *logits {
            *logit -= highest;
        }
        loss -= logits[*target];
    }
    for value in &mut *values {
        *value = exp::<A>(if *value > LEAST_EXPONENT { *value } else { LEAST_EXPONENT });
    }
    for (span, target) in &tile.pages {
        let shares = &mut values[span.clone()];
        let total: f64 = shares.iter().sum();
        loss += total.ln();
        let scale = 1.0 / (total * pages);
        for share in &mut *shares {
            *share *= scale;
        }
        shares[*target] -= 1.0 / pages;
    }
    padding.fill(0.0);
    loss
}

/// Add a tile's gradient to the sums; `hidden` is used up.
#[inline(always)]
fn backward_with<A: Arithmetic>(
    tile: &Tile,
    weights: &Weights,
    hidden: &mut [HiddenBlock],
    slopes: &[[f64; LANES]],
    sums: &mut LaneGradient,
) {
    for (hidden, slope) in hidden.iter_mut().zip(slopes) {
        for ((unit, sum), &weight) in hidden.iter_mut().zip(&mut sums.output).zip(&weights.output) {
            for ((value, sum), &slope) in unit.iter_mut().zip(sum).zip(slope) {
                *sum = A::multiply_add(slope, *value, *sum);
                // From here on the slope of the loss along the unit's input.
                *value = slope * weight * (1.0 - *value * *value);
            }
        }
    }
    for (f, total) in sums.columns.iter_mut().enumerate() {
        // A copy, so that the sums stay in registers over the blocks.
        let mut sums = *total;
        for (Block(columns), slopes) in tile.blocks.iter().zip(&*hidden) {
            for (sum, slopes) in sums.iter_mut().zip(slopes) {
                for ((sum, &slope), &x) in sum.iter_mut().zip(slopes).zip(&columns[f]) {
                    *sum = A::multiply_add(slope, x, *sum);
                }
            }
        }
        *total = sums;
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "avx2,fma")]
fn forward_fused(
    tile: &Tile,
    weights: &Weights,
    hidden: &mut [HiddenBlock],
    corrections: &mut [[f64; LANES]],
) {
    forward_with::<Fused>(tile, weights, hidden, corrections);
}

#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "avx2,fma")]
fn loss_and_slopes_fused(tile: &Tile, values: &mut [f64], pages: f64) -> f64 {
    loss_and_slopes::<Fused>(tile, values, pages)
}

#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "avx2,fma")]
fn backward_fused(
    tile: &Tile,
    weights: &Weights,
    hidden: &mut [HiddenBlock],
    slopes: &[[f64; LANES]],
    sums: &mut LaneGradient,
) {
    backward_with::<Fused>(tile, weights, hidden, slopes, sums);
}
