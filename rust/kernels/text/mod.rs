//! From raw text to the stems that every index and every question share.

pub mod fold;
pub mod stem;
