//! Elementary functions without branches, which the compiler can run on several lanes at once.
//!
//! Only additions, multiplications and divisions in a fixed order, never fused: every lane width
//! and every machine gives the same bits. Each is within 4 ulp of the exact value over the domain
//! it states; outside of it the result is meaningless, not an error.

// Lanes form only in a caller that holds the whole body.
#![allow(clippy::inline_always)]

use std::f64::consts::{LN_2, LOG2_E};

/// ln 2 in two parts: the high one times a small whole number is exact.
const LN_2_HIGH: f64 = f64::from_bits(LN_2.to_bits() & !0xFFFF_FFFF);
const LN_2_LOW: f64 = (LN_2 - LN_2_HIGH) + 2.319_046_813_846_3e-17;

/// Adding this rounds to a whole number and leaves it in the low bits.
const ROUNDING: f64 = 6_755_399_441_055_744.0; // 1.5 · 2^52
const MANTISSA_BITS: u32 = 52;

/// `1/1!, 1/2!, …`: enough for `e^r − 1` to the last bit where `|r| <= ln 2 / 2`.
const INVERSE_FACTORIALS: [f64; 13] = {
    let mut terms = [1.0; 13];
    let mut factorial = 1.0;
    let mut k = 1;
    while k < terms.len() {
        factorial *= (k + 1) as f64;
        terms[k] = 1.0 / factorial;
        k += 1;
    }
    terms
};

/// `x = n ln 2 + r` as `(e^r − 1, n shifted up to the exponent's place)`.
#[inline(always)]
fn reduced_exponential(x: f64) -> (f64, u64) {
    let shifted = x * LOG2_E + ROUNDING;
    let n = shifted - ROUNDING;
    let r = (x - n * LN_2_HIGH) - n * LN_2_LOW;
    let series = INVERSE_FACTORIALS.iter().rev().fold(0.0, |sum, term| sum * r + term);
    (series * r, shifted.to_bits() << MANTISSA_BITS)
}

/// `e^x` for `x` in [-700, 700].
#[inline(always)]
pub(crate) fn exp(x: f64) -> f64 {
    let (less_one, exponent) = reduced_exponential(x);
    f64::from_bits((1.0 + less_one).to_bits().wrapping_add(exponent))
}

/// `log₂(1 + count)` for finite `count >= 0`.
#[inline(always)]
pub(crate) fn log2_one_plus(count: f64) -> f64 {
    // x = 2^k m with m in [√½, √2), so that the series below is short.
    const SQRT_HALF: u64 = std::f64::consts::FRAC_1_SQRT_2.to_bits();
    // A whole number below 2^52 in the low bits of 2^52 is that number plus 2^52.
    const WHOLE: f64 = 4_503_599_627_370_496.0;
    let bits = (1.0 + count).to_bits();
    let k = (bits - SQRT_HALF) >> MANTISSA_BITS;
    let m = f64::from_bits(bits - (k << MANTISSA_BITS));
    let k = f64::from_bits(WHOLE.to_bits() | k) - WHOLE;
    let s = (m - 1.0) / (m + 1.0);
    let square = s * s;
    let series = INVERSE_ODDS.iter().rev().fold(0.0, |sum, term| sum * square + term);
    k + 2.0 * LOG2_E * s * series
}

/// `1, 1/3, 1/5, …`.
const INVERSE_ODDS: [f64; 11] = {
    let mut terms = [1.0; 11];
    let mut k = 1;
    while k < terms.len() {
        terms[k] = 1.0 / (2 * k + 1) as f64;
        k += 1;
    }
    terms
};

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(found: f64, expected: f64) -> bool {
        (found - expected).abs() <= 4.0 * f64::EPSILON * expected.abs()
    }

    #[test]
    fn the_easy_values_are_exact() {
        let exact: [(f64, f64); 4] = [
            (exp(0.0), 1.0),
            (log2_one_plus(0.0), 0.0),
            (log2_one_plus(1.0), 1.0),
            (log2_one_plus(1023.0), 10.0),
        ];
        for (found, expected) in exact {
            assert_eq!(found.to_bits(), expected.to_bits(), "{found} is not {expected}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn they_agree_with_the_standard_library(
            x in -700.0..700.0_f64, small in -1.0..1.0_f64, c in 0.0..1e9_f64
        ) {
            prop_assert!(close(exp(x), x.exp()), "exp {x}");
            prop_assert!(close(exp(small), small.exp()), "exp {small}");
            prop_assert!(close(log2_one_plus(c), (1.0 + c).log2()), "log2 {c}");
            let fraction = small.abs();
            prop_assert!(close(log2_one_plus(fraction), (1.0 + fraction).log2()), "{fraction}");
        }
    }
}
