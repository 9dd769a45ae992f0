//! Pure numeric and text kernels: no Python types, no I/O, no global state.

pub mod bytes;
pub mod compression;
pub mod cpu;
pub mod error;
pub mod expansion;
pub mod hamming;
pub mod index;
pub mod levenshtein;
pub mod lexicon;
pub mod limbic;
pub mod similarity;
pub mod text;
