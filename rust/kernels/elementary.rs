//! Elementary functions without branches, which the compiler can run on several lanes at once.
//!
//! Only additions, multiplications and divisions in a fixed order: under [`Plain`] arithmetic every
//! lane width and every machine gives the same bits. Each function is within 4 ulp of the exact
//! value over the domain it states; outside of it the result is meaningless, not an error.

// Lanes form only in a caller that holds the whole body.
#![allow(clippy::inline_always)]

use std::f64::consts::{LN_2, LOG2_E};

/// How `a · b + c` is computed.
pub(crate) trait Arithmetic {
    fn multiply_add(a: f64, b: f64, c: f64) -> f64;
}

/// Rounded twice, which every CPU does well.
pub(crate) struct Plain;

impl Arithmetic for Plain {
    #[inline(always)]
    fn multiply_add(a: f64, b: f64, c: f64) -> f64 {
        a * b + c
    }
}

/// Rounded once: half the instructions where the CPU has one for it, very slow where it has not.
#[cfg(target_arch = "x86_64")]
pub(crate) struct Fused;

#[cfg(target_arch = "x86_64")]
impl Arithmetic for Fused {
    #[inline(always)]
    fn multiply_add(a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }
}

/// Whether this CPU runs [`Fused`] arithmetic on four doubles at once.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_fused_lanes() -> bool {
    std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma")
}

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

/// `c₀ + c₁ x + c₂ x² + …` by Horner's rule.
#[inline(always)]
fn polynomial<A: Arithmetic>(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, &term| A::multiply_add(sum, x, term))
}

/// `x = n ln 2 + r` as `(e^r − 1, n shifted up to the exponent's place)`.
#[inline(always)]
fn reduced_exponential<A: Arithmetic>(x: f64) -> (f64, u64) {
    let shifted = A::multiply_add(x, LOG2_E, ROUNDING);
    let n = shifted - ROUNDING;
    let r = A::multiply_add(-n, LN_2_LOW, x - n * LN_2_HIGH);
    let series = polynomial::<A>(&INVERSE_FACTORIALS, r);
    (series * r, shifted.to_bits() << MANTISSA_BITS)
}

/// `e^x` for `x` in [-700, 700].
#[inline(always)]
pub(crate) fn exp<A: Arithmetic>(x: f64) -> f64 {
    let (less_one, exponent) = reduced_exponential::<A>(x);
    f64::from_bits((1.0 + less_one).to_bits().wrapping_add(exponent))
}

/// Hyperbolic tangent of any number: `tanh |x| = (e^2|x| − 1) / (e^2|x| + 1)`.
///
/// Working with `e^2|x| − 1` keeps the digits of small arguments.
#[inline(always)]
pub(crate) fn tanh<A: Arithmetic>(x: f64) -> f64 {
    // From 20 on the nearest double is 1. Written so that NaN passes through.
    let magnitude = if x.abs() > 20.0 { 20.0 } else { x.abs() };
    let (less_one, exponent) = reduced_exponential::<A>(2.0 * magnitude);
    let power = f64::from_bits(1.0_f64.to_bits().wrapping_add(exponent));
    let exponential_less_one = A::multiply_add(power, less_one, power - 1.0);
    (exponential_less_one / (exponential_less_one + 2.0)).copysign(x)
}

/// `log₂(1 + count)` for finite `count >= 0`.
#[inline(always)]
pub(crate) fn log2_one_plus<A: Arithmetic>(count: f64) -> f64 {
    // x = 2^k m with m in [√½, √2), so that the series below is short.
    const SQRT_HALF: u64 = std::f64::consts::FRAC_1_SQRT_2.to_bits();
    // A whole number below 2^52 in the low bits of 2^52 is that number plus 2^52.
    const WHOLE: f64 = 4_503_599_627_370_496.0;
    let bits = (1.0 + count).to_bits();
    let k = (bits - SQRT_HALF) >> MANTISSA_BITS;
    let m = f64::from_bits(bits - (k << MANTISSA_BITS));
    let k = f64::from_bits(WHOLE.to_bits() | k) - WHOLE;
    // ln m = 2 artanh s = 2 s (1 + s²/3 + s⁴/5 + …), and s² <= 0.03.
    let s = (m - 1.0) / (m + 1.0);
    let square = s * s;
    let series = polynomial::<A>(&INVERSE_ODDS, square);
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
        let exact: [(f64, f64); 7] = [
            (exp::<Plain>(0.0), 1.0),
            (tanh::<Plain>(0.0), 0.0),
            (tanh::<Plain>(1e9), 1.0),
            (tanh::<Plain>(f64::NEG_INFINITY), -1.0),
            (log2_one_plus::<Plain>(0.0), 0.0),
            (log2_one_plus::<Plain>(1.0), 1.0),
            (log2_one_plus::<Plain>(1023.0), 10.0),
        ];
        for (found, expected) in exact {
            assert_eq!(found.to_bits(), expected.to_bits(), "{found} is not {expected}");
        }
        assert!(tanh::<Plain>(f64::NAN).is_nan());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn they_agree_with_the_standard_library(
            x in -700.0..700.0_f64, small in -1.0..1.0_f64, power in -300..0_i32, c in 0.0..1e9_f64
        ) {
            let tiny = small * 10.0_f64.powi(power);
            prop_assert!(close(exp::<Plain>(x), x.exp()), "exp {x}");
            prop_assert!(close(exp::<Plain>(small), small.exp()), "exp {small}");
            prop_assert!(close(tanh::<Plain>(x / 30.0), (x / 30.0).tanh()), "tanh {}", x / 30.0);
            prop_assert!(close(tanh::<Plain>(tiny), tiny.tanh()), "tanh {tiny}");
            #[cfg(target_arch = "x86_64")]
            for x in [x / 30.0, tiny] {
                prop_assert!(close(exp::<Fused>(x), x.exp()), "fused exp {x}");
                prop_assert!(close(tanh::<Fused>(x), x.tanh()), "fused tanh {x}");
            }
            prop_assert!(close(log2_one_plus::<Plain>(c), (1.0 + c).log2()), "log2 {c}");
            let fraction = small.abs();
            prop_assert!(close(log2_one_plus::<Plain>(fraction), (1.0 + fraction).log2()), "{fraction}");
        }
    }
}
