//! Results, weights and gradients laid out for lanes.
//!
//! Results are grouped in blocks of eight: a block holds feature 0 of its eight results, then
//! feature 1, and so on, so that one instruction serves several results. A last column of ones makes
//! the bias an ordinary weight. Lanes without a result hold zeros.

use std::ops::Range;

use super::{FEATURES, HIDDEN, PARAMETERS, Parameters};

/// Results in a block: two registers of four doubles, or one of eight.
pub(super) const LANES: usize = 8;
/// The features and the column of ones.
pub(super) const COLUMNS: usize = FEATURES + 1;
/// One cache line a column.
#[repr(align(64))]
#[derive(Clone)]
pub(super) struct Block(pub(super) [[f64; LANES]; COLUMNS]);

pub(super) type HiddenBlock = [[f64; LANES]; HIDDEN];

/// Some results, and the pages that they form.
pub(super) struct Tile {
    pub(super) blocks: Vec<Block>,
    pub(super) evidence: Vec<f64>,
    /// Each page's results, and which of them is its target.
    pub(super) pages: Vec<(Range<usize>, usize)>,
}

impl Tile {
    pub(super) fn of_results(features: &[f64]) -> Self {
        let results = features.len() / FEATURES;
        let mut blocks = vec![Block([[0.0; LANES]; COLUMNS]); results.div_ceil(LANES)];
        for (result, row) in features.chunks_exact(FEATURES).enumerate() {
            let Block(columns) = &mut blocks[result / LANES];
            for (column, &value) in columns.iter_mut().zip(row) {
                column[result % LANES] = value;
            }
            columns[FEATURES][result % LANES] = 1.0;
        }
        Self { blocks, evidence: Vec::new(), pages: Vec::new() }
    }
}

/// The weights in the order in which a block meets them.
pub(super) struct Weights {
    pub(super) columns: [[f64; HIDDEN]; COLUMNS],
    pub(super) output: [f64; HIDDEN],
}

impl Weights {
    pub(super) fn new(parameters: &Parameters) -> Self {
        let mut columns = [[0.0; HIDDEN]; COLUMNS];
        for (f, column) in columns.iter_mut().enumerate() {
            for (k, weight) in column.iter_mut().enumerate() {
                *weight = parameters[place_of(f, k)];
            }
        }
        let mut output = [0.0; HIDDEN];
        output.copy_from_slice(&parameters[PARAMETERS - HIDDEN..]);
        Self { columns, output }
    }

    /// Back to the order of [`Parameters`].
    pub(super) fn flattened(&self) -> Parameters {
        let mut parameters = [0.0; PARAMETERS];
        for (f, column) in self.columns.iter().enumerate() {
            for (k, &weight) in column.iter().enumerate() {
                parameters[place_of(f, k)] = weight;
            }
        }
        parameters[PARAMETERS - HIDDEN..].copy_from_slice(&self.output);
        parameters
    }
}

/// Where the weight from column `f` to hidden unit `k` lies; the last column is the bias.
fn place_of(f: usize, k: usize) -> usize {
    if f == FEATURES { HIDDEN * FEATURES + k } else { k * FEATURES + f }
}

/// Sums of the gradient, lane by lane.
pub(super) struct LaneGradient {
    pub(super) columns: [HiddenBlock; COLUMNS],
    pub(super) output: HiddenBlock,
}

impl LaneGradient {
    pub(super) fn zero() -> Self {
        let zero = [[0.0; LANES]; HIDDEN];
        Self { columns: [zero; COLUMNS], output: zero }
    }

    /// The lanes added up, always in the same order.
    pub(super) fn flattened(&self) -> Parameters {
        let total = |block: &HiddenBlock| block.map(|lanes| lanes.iter().sum::<f64>());
        Weights { columns: self.columns.map(|block| total(&block)), output: total(&self.output) }
            .flattened()
    }
}
