//! Pure numeric and text kernels: no Python types, no I/O, no global state.

pub mod error;
pub mod lexicon;
pub mod text;
