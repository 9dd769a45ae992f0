//! The checks that the numeric kernels share; each names what was wrong and what would be right.

use super::error::KernelError;

/// Whether a value can be a count: finite and not negative.
pub(crate) fn is_count(value: f64) -> bool {
    (0.0..=f64::MAX).contains(&value)
}

/// Refuse one value that breaks its rule.
pub(crate) fn check(
    what: &'static str,
    value: f64,
    is_valid: bool,
    rule: &str,
) -> Result<(), KernelError> {
    if is_valid {
        return Ok(());
    }
    Err(KernelError::OutOfRange { what, rule: format!("expected {rule}, found {value}") })
}

/// Refuse the first value that breaks its rule.
pub(crate) fn check_each<T: Copy + std::fmt::Display>(
    what: &'static str,
    values: &[T],
    is_valid: impl Fn(T) -> bool,
    rule: &str,
) -> Result<(), KernelError> {
    // Without an early exit the good case runs on several lanes at once.
    if values.iter().fold(0, |bad, &value| bad | u64::from(!is_valid(value))) == 0 {
        return Ok(());
    }
    let at = values.iter().position(|&value| !is_valid(value)).unwrap_or_default();
    let rule = format!("expected {rule}, found {} at {at}", values[at]);
    Err(KernelError::OutOfRange { what, rule })
}

/// Refuse a slice whose length does not fit the others.
pub(crate) fn check_length(
    what: &'static str,
    found: usize,
    expected: usize,
) -> Result<(), KernelError> {
    if found == expected {
        return Ok(());
    }
    Err(KernelError::Shape { what, expected, found })
}
