//! Pure numeric and text kernels: no Python types, no I/O, no global state.

mod checks;
pub mod compression;
mod elementary;
pub mod error;
pub mod limbic;
mod membership;
pub mod mlp;
pub mod similarity;
