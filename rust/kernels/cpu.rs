//! Which SIMD instructions this CPU runs: detection, and a value that proves it happened.

/// The instruction sets that kernels are written for, slowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Plain Rust, any CPU.
    Portable,
    /// x86-64 with AVX2 and `popcnt` (2013 on).
    Avx2,
    /// x86-64 with AVX-512 F, BW, VL and VPOPCNTDQ (Ice Lake, Zen 4 and later).
    Avx512,
}

/// A level that this CPU was seen to have.
///
/// Values come from [`Simd::best`] and [`Simd::available`] alone, so holding one is what makes a
/// call into a `#[target_feature]` function of its level sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Simd(Level);

impl Simd {
    /// The fastest level that this CPU has. The standard library caches the detection.
    #[must_use]
    pub fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if has_avx512() {
                return Self(Level::Avx512);
            }
            if has_avx2() {
                return Self(Level::Avx2);
            }
        }
        Self(Level::Portable)
    }

    /// Every level that this CPU has, slowest first: what a test compares.
    #[must_use]
    pub fn available() -> Vec<Self> {
        let mut levels = vec![Self(Level::Portable)];
        #[cfg(target_arch = "x86_64")]
        {
            if has_avx2() {
                levels.push(Self(Level::Avx2));
            }
            if has_avx512() {
                levels.push(Self(Level::Avx512));
            }
        }
        levels
    }

    /// The level, to branch on.
    #[must_use]
    pub fn level(self) -> Level {
        self.0
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("popcnt")
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    has_avx2()
        && std::arch::is_x86_feature_detected!("avx512f")
        && std::arch::is_x86_feature_detected!("avx512bw")
        && std::arch::is_x86_feature_detected!("avx512vl")
        && std::arch::is_x86_feature_detected!("avx512vpopcntdq")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_level_is_the_last_available_one() {
        assert_eq!(Simd::available().last(), Some(&Simd::best()));
    }

    #[test]
    fn the_portable_level_is_always_available() {
        assert_eq!(Simd::available()[0].level(), Level::Portable);
    }
}
