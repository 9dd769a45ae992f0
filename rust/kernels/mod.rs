//! Pure numeric and text kernels: no Python types, no I/O, no global state.

pub mod cpu;
pub mod error;
pub mod index;
pub mod levenshtein;
pub mod text;
