//! How much a differing bit counts in each segment of a code.

use crate::kernels::error::KernelError;

/// The segments of an SDM code, in order: bits, and the weight of each that differs. They hold the
/// tokens of the content and of the name, the dimensions, the category and the neighbours.
pub const SDM_SEGMENTS: [(usize, f32); 5] =
    [(512, 1.0), (256, 1.0), (1024, 2.5), (128, 1.5), (128, 1.2)];

/// Weights are whole numbers of tenths inside, so that sums are exact in any order.
pub const TENTHS: f32 = 10.0;

/// Bits that share a weight come in words of so many.
const WORD_BITS: usize = 64;

/// The heaviest weight: in tenths, what a signed 16-bit lane holds.
const MAX_WEIGHT: f32 = 3276.7;

/// The weight of every word of a code; built from segments that were checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SegmentWeights {
    per_word: Vec<u64>,
}

impl SegmentWeights {
    /// Weights for codes that are cut into `segments`, each of some bits and one weight.
    ///
    /// # Errors
    ///
    /// [`KernelError::OutOfRange`] when there is no segment, the bits of one are no positive
    /// multiple of 64, its weight is no multiple of 0.1 in `0.0..=3276.7`, or the largest distance
    /// passes 2^31 - 1 tenths.
    pub fn new(segments: &[(usize, f32)]) -> Result<Self, KernelError> {
        let mut per_word = Vec::new();
        for &(bits, weight) in segments {
            if bits == 0 || bits % WORD_BITS != 0 {
                let rule = format!("{bits} is no positive multiple of {WORD_BITS}");
                return Err(KernelError::OutOfRange { what: "bits of a segment", rule });
            }
            per_word.extend(std::iter::repeat_n(tenths(weight)?, bits / WORD_BITS));
        }
        Self::checked(per_word)
    }

    /// Weights that count bits: distances are in bits, not in tenths.
    pub(super) fn unit(code_bytes: usize) -> Result<Self, KernelError> {
        if !(code_bytes * 8).is_multiple_of(WORD_BITS) {
            let rule = format!("{code_bytes} bytes are no whole number of {WORD_BITS}-bit words");
            return Err(KernelError::OutOfRange { what: "length of a code", rule });
        }
        Self::checked(vec![1; code_bytes * 8 / WORD_BITS])
    }

    fn checked(per_word: Vec<u64>) -> Result<Self, KernelError> {
        let largest: u64 = per_word.iter().map(|weight| weight * WORD_BITS as u64).sum();
        if per_word.is_empty() || i32::try_from(largest).is_err() {
            let rule = format!(
                "{} words with a largest distance of {largest} tenths; at least 1, at most {}",
                per_word.len(),
                i32::MAX
            );
            return Err(KernelError::OutOfRange { what: "segments of a code", rule });
        }
        Ok(Self { per_word })
    }

    /// The length of a code.
    #[must_use]
    pub fn code_bytes(&self) -> usize {
        self.per_word.len() * WORD_BITS / 8
    }

    /// The weight of each 64-bit word, at most `i16::MAX`.
    pub(super) fn per_word(&self) -> &[u64] {
        &self.per_word
    }
}

impl Default for SegmentWeights {
    /// The weights of [`SDM_SEGMENTS`].
    fn default() -> Self {
        let word_of = |&(bits, weight): &(usize, f32)| {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // our own constants
            std::iter::repeat_n((weight * TENTHS).round() as u64, bits / WORD_BITS)
        };
        Self { per_word: SDM_SEGMENTS.iter().flat_map(word_of).collect() }
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked just before
fn tenths(weight: f32) -> Result<u64, KernelError> {
    let tenths = (weight * TENTHS).round();
    // Written as a multiple of 0.1, it is the nearest number to that multiple.
    if (0.0..=MAX_WEIGHT).contains(&weight) && (tenths / TENTHS).to_bits() == weight.to_bits() {
        return Ok(tenths as u64);
    }
    let rule = format!("{weight} is no multiple of 0.1 in [0, {MAX_WEIGHT}]");
    Err(KernelError::OutOfRange { what: "weight of a segment", rule })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_the_sdm_layout() {
        assert_eq!(SegmentWeights::new(&SDM_SEGMENTS), Ok(SegmentWeights::default()));
        assert_eq!(SegmentWeights::default().code_bytes(), 256);
    }

    #[test]
    fn segments_that_break_a_rule_are_refused() {
        let refused: [&[(usize, f32)]; 8] = [
            &[],
            &[(0, 1.0)],
            &[(63, 1.0)],
            &[(64, -0.1)],
            &[(64, 0.25)],
            &[(64, f32::NAN)],
            &[(64, 3276.8)],
            &[(64 * 2000, 3276.7)],
        ];
        for segments in refused {
            let found = SegmentWeights::new(segments);
            assert!(matches!(found, Err(KernelError::OutOfRange { .. })), "{segments:?}");
        }
    }

    #[test]
    fn every_multiple_of_a_tenth_is_taken() {
        for tenths in 0..=32_767_u16 {
            let weights = SegmentWeights::new(&[(64, f32::from(tenths) / 10.0)]).unwrap();
            assert_eq!(weights.per_word(), [u64::from(tenths)]);
        }
    }
}
