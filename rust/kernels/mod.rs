//! Pure numeric and text kernels: no Python types, no I/O, no global state.

pub mod bytes;
mod checks;
pub mod cpu;
mod elementary;
pub mod error;
pub mod expansion;
pub mod graph;
pub mod hamming;
pub mod index;
pub mod levenshtein;
pub mod lexicon;
pub mod limbic;
mod membership;
pub mod mlp;
pub mod sdm;
pub mod similarity;
pub mod sparse;
pub mod text;
