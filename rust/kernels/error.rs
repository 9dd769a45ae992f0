//! The one error type that kernels return.

use std::fmt;

/// Why a kernel refused its input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KernelError {
    /// Two lengths that a kernel needs to agree do not.
    Shape {
        /// What was measured.
        what: &'static str,
        /// The length that would have been right.
        expected: usize,
        /// The length that came.
        found: usize,
    },
    /// A parameter lies outside the range that its formula allows.
    OutOfRange {
        /// The parameter.
        what: &'static str,
        /// The value that came and the range that is allowed.
        rule: String,
    },
    /// Saved bytes are not what this version writes.
    Corrupt {
        /// What was being read.
        what: &'static str,
        /// What was wrong with it.
        reason: String,
    },
}

impl fmt::Display for KernelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape { what, expected, found } => {
                write!(f, "{what}: expected length {expected}, found {found}")
            }
            Self::OutOfRange { what, rule } => write!(f, "{what}: {rule}"),
            Self::Corrupt { what, reason } => write!(f, "{what} cannot be read: {reason}"),
        }
    }
}

impl std::error::Error for KernelError {}
