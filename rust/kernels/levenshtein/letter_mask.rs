//! A 64-bit summary of a word's letters, and the scan that discards words by it.
//!
//! Characters fall into 32 slots by their low five bits, which keeps the letters of an alphabet
//! apart (Latin a-z, Greek, Cyrillic). The low half of a mask says which slots occur, the high
//! half which occur at least twice. One edit takes away at most one character and brings at most
//! one, so it clears at most one bit and sets at most one: masks of near words are near.

use crate::kernels::cpu::{Level, Simd};

/// The mask of a word.
pub fn letter_mask(word: &str) -> u64 {
    let (mut once, mut twice) = (0_u32, 0_u32);
    for character in word.chars() {
        let slot = 1 << (character as u32 % u32::BITS);
        twice |= once & slot;
        once |= slot;
    }
    u64::from(twice) << u32::BITS | u64::from(once)
}

/// Appends to `hits` the positions of the masks that differ from `query` in at most `limit` bits.
pub fn close_masks(masks: &[u64], query: u64, limit: u32, simd: Simd, hits: &mut Vec<u32>) {
    match simd.level() {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a `Simd` of this level exists only on a CPU that was seen to have it.
        Level::Avx512 => unsafe { x86::close_masks_avx512(masks, query, limit, hits) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Level::Avx2 => unsafe { x86::close_masks_avx2(masks, query, limit, hits) },
        _ => close_masks_portable(masks, 0, query, limit, hits),
    }
}

/// `first` is the position of `masks[0]`.
#[inline]
#[allow(clippy::cast_possible_truncation)] // a word list hands out u32 positions
fn close_masks_portable(masks: &[u64], first: usize, query: u64, limit: u32, hits: &mut Vec<u32>) {
    for (i, &mask) in masks.iter().enumerate() {
        if (mask ^ query).count_ones() <= limit {
            hits.push((first + i) as u32);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    #[allow(clippy::wildcard_imports)] // two dozen intrinsics, each with a prefix of its own
    use std::arch::x86_64::*;

    use super::close_masks_portable;

    /// Masks looked at between two looks at the outcome: rarely is one of so many close.
    const BLOCK: usize = 32;

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]
    pub fn close_masks_avx512(masks: &[u64], query: u64, limit: u32, hits: &mut Vec<u32>) {
        let wanted = _mm512_set1_epi64(query.cast_signed());
        let most = _mm512_set1_epi64(i64::from(limit));
        let (blocks, rest) = masks.as_chunks::<BLOCK>();
        for (number, block) in blocks.iter().enumerate() {
            let mut close = 0_u32;
            for (i, eight) in block.as_chunks::<8>().0.iter().enumerate() {
                // SAFETY: `eight` is 64 readable bytes, and the load asks for no alignment.
                let found = unsafe { _mm512_loadu_si512(eight.as_ptr().cast()) };
                let differing = _mm512_popcnt_epi64(_mm512_xor_si512(found, wanted));
                close |= u32::from(_mm512_cmple_epu64_mask(differing, most)) << (8 * i);
            }
            push_set_bits(close, number * BLOCK, hits);
        }
        close_masks_portable(rest, masks.len() - rest.len(), query, limit, hits);
    }

    /// Counts bits by table look-up of nibbles (Muła, Kurz and Lemire 2018).
    #[target_feature(enable = "avx2,popcnt")]
    pub fn close_masks_avx2(masks: &[u64], query: u64, limit: u32, hits: &mut Vec<u32>) {
        let wanted = _mm256_set1_epi64x(query.cast_signed());
        let beyond = _mm256_set1_epi64x(i64::from(limit) + 1);
        let nibble = _mm256_set1_epi8(0x0f);
        let ones = _mm256_broadcastsi128_si256(_mm_setr_epi8(
            0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
        ));
        let (blocks, rest) = masks.as_chunks::<BLOCK>();
        for (number, block) in blocks.iter().enumerate() {
            let mut close = 0_u32;
            for (i, four) in block.as_chunks::<4>().0.iter().enumerate() {
                // SAFETY: `four` is 32 readable bytes, and the load asks for no alignment.
                let found = unsafe { _mm256_loadu_si256(four.as_ptr().cast()) };
                let differing = _mm256_xor_si256(found, wanted);
                let low = _mm256_and_si256(differing, nibble);
                let high = _mm256_and_si256(_mm256_srli_epi16::<4>(differing), nibble);
                let bytes = _mm256_add_epi8(
                    _mm256_shuffle_epi8(ones, low),
                    _mm256_shuffle_epi8(ones, high),
                );
                let counts = _mm256_sad_epu8(bytes, _mm256_setzero_si256());
                let within = _mm256_castsi256_pd(_mm256_cmpgt_epi64(beyond, counts));
                close |= _mm256_movemask_pd(within).cast_unsigned() << (4 * i);
            }
            push_set_bits(close, number * BLOCK, hits);
        }
        close_masks_portable(rest, masks.len() - rest.len(), query, limit, hits);
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation)] // a word list hands out u32 positions
    fn push_set_bits(mut bits: u32, first: usize, hits: &mut Vec<u32>) {
        while bits != 0 {
            hits.push(first as u32 + bits.trailing_zeros());
            bits &= bits - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_tells_present_from_present_twice() {
        assert_eq!(letter_mask(""), 0);
        assert_eq!(letter_mask("ab"), 0b110);
        assert_eq!(letter_mask("aba"), 0b110 | 0b10 << 32);
        assert_eq!(letter_mask("aaaa"), letter_mask("aa"));
    }

    #[test]
    fn every_path_finds_the_masks_that_the_portable_one_finds() {
        let mut state = 1_u64;
        let masks: Vec<u64> = std::iter::repeat_with(|| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state >> (state % 60) // from dense to nearly empty
        })
        .take(333)
        .collect();
        for length in [0, 1, 31, 32, 33, 64, 333] {
            for limit in [0, 3, 20, 64, 510] {
                let mut expected = Vec::new();
                close_masks_portable(&masks[..length], 0, masks[7], limit, &mut expected);
                for simd in Simd::available() {
                    let mut found = Vec::new();
                    close_masks(&masks[..length], masks[7], limit, simd, &mut found);
                    assert_eq!(found, expected, "{simd:?}, {length} masks, limit {limit}");
                }
            }
        }
    }
}
