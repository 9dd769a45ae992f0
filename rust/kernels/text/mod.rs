//! From raw text to the stems that every index, every vector and every question share.
//!
//! NFC, case folding, tokens, function words out, a language a word, Snowball stems, accents
//! folded with the ñ kept: one analysis, so that a word is spelt the same wherever it is stored
//! and wherever it is asked for.

pub mod analysis;
pub mod asking;
pub mod fold;
pub mod irregular;
pub mod language;
pub mod roles;
pub mod stem;
pub mod stopwords;
pub mod tokens;
pub mod traits;

/// Of what make the analysis is. A store whose texts were analysed by another is analysed again,
/// so this is counted up with every change of what terms a text gives.
pub const ANALYSIS_VERSION: u32 = 2;
