//! A 64-bit summary of a word's letters, and the scan that discards words by it.
//!
//! Characters fall into 32 slots by their low five bits, which keeps the letters of an alphabet
//! apart (Latin a-z, Greek, Cyrillic). One half of a mask says which slots occur, the other which
//! occur at least twice. One edit takes away at most one character and brings at most one, so it
//! clears at most one bit and sets at most one: masks of near words are near.

use crate::kernels::cpu::{Level, Simd};

/// The summary of one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LetterMask {
    /// The slots that occur.
    pub once: u32,
    /// The slots that occur twice or more.
    pub twice: u32,
}

impl LetterMask {
    /// The mask of a word.
    pub fn of(word: &str) -> Self {
        let mut mask = Self { once: 0, twice: 0 };
        for character in word.chars() {
            let slot = 1 << (character as u32 % u32::BITS);
            mask.twice |= mask.once & slot;
            mask.once |= slot;
        }
        mask
    }
}

/// The masks of many words. The halves lie apart because the first alone discards nearly all.
#[derive(Debug, Clone, Default)]
pub struct LetterMasks {
    once: Vec<u32>,
    twice: Vec<u32>,
}

impl LetterMasks {
    pub fn push(&mut self, mask: LetterMask) {
        self.once.push(mask.once);
        self.twice.push(mask.twice);
    }

    pub fn shrink_to_fit(&mut self) {
        self.once.shrink_to_fit();
        self.twice.shrink_to_fit();
    }

    pub fn heap_bytes(&self) -> usize {
        size_of::<u32>() * (self.once.capacity() + self.twice.capacity())
    }

    /// The positions of the masks at most `limit` bits from `query`, in order, into `hits`.
    pub fn find_close(&self, query: LetterMask, limit: u32, simd: Simd, hits: &mut Vec<u32>) {
        hits.clear();
        match simd.level() {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Simd` of this level exists only on a CPU that was seen to have it.
            Level::Avx512 => unsafe { x86::find_close_avx512(self, query, limit, hits) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Level::Avx2 => unsafe { x86::find_close_avx2(self, query, limit, hits) },
            _ => {
                scan_portable(&self.once, 0, query.once, limit, hits);
                self.keep_close(query, limit, hits);
            }
        }
    }

    /// Keeps the positions whose whole masks are close, of those whose first halves are.
    ///
    /// There is no branch on the outcome, which no CPU could predict.
    #[inline(always)]
    #[allow(clippy::inline_always)] // target_feature functions need the body to get their features
    fn keep_close(&self, query: LetterMask, limit: u32, hits: &mut Vec<u32>) {
        let mut kept = 0;
        for i in 0..hits.len() {
            let position = hits[i];
            let (once, twice) = (self.once[position as usize], self.twice[position as usize]);
            let differing = (once ^ query.once).count_ones() + (twice ^ query.twice).count_ones();
            hits[kept] = position;
            kept += usize::from(differing <= limit);
        }
        hits.truncate(kept);
    }
}

/// Appends to `hits` the positions of the words at most `limit` bits from `query`; that of
/// `words[0]` is `first`.
#[inline(always)]
#[allow(clippy::inline_always)] // as above
fn scan_portable(words: &[u32], first: u32, query: u32, limit: u32, hits: &mut Vec<u32>) {
    for (position, &word) in (first..).zip(words) {
        if (word ^ query).count_ones() <= limit {
            hits.push(position);
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)] // positions fit a u32
mod x86 {
    #[allow(clippy::wildcard_imports)] // two dozen intrinsics, each with a prefix of its own
    use std::arch::x86_64::*;

    use super::{LetterMask, LetterMasks, scan_portable};

    const CACHE_LINE_BYTES: usize = 64;

    /// Lanes of 32 bits in a 512-bit register.
    const LANES: usize = 16;

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]
    pub fn find_close_avx512(
        masks: &LetterMasks,
        query: LetterMask,
        limit: u32,
        hits: &mut Vec<u32>,
    ) {
        scan_avx512(&masks.once, query.once, limit, hits);
        masks.keep_close(query, limit, hits);
    }

    #[target_feature(enable = "avx2,popcnt")]
    pub fn find_close_avx2(
        masks: &LetterMasks,
        query: LetterMask,
        limit: u32,
        hits: &mut Vec<u32>,
    ) {
        scan_avx2(&masks.once, query.once, limit, hits);
        masks.keep_close(query, limit, hits);
    }

    /// As `scan_portable`, with no branch on the outcome: the positions that pass move together.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]
    fn scan_avx512(words: &[u32], query: u32, limit: u32, hits: &mut Vec<u32>) {
        // Loads within one cache line each are twice as fast as those across two.
        let aligned = words.as_ptr().align_offset(CACHE_LINE_BYTES).min(words.len());
        let (head, words) = words.split_at(aligned);
        scan_portable(head, 0, query, limit, hits);

        let query_lanes = _mm512_set1_epi32(query.cast_signed());
        let limit_lanes = _mm512_set1_epi32(limit.cast_signed());
        let counting = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        let next = _mm512_set1_epi32(LANES as i32);
        let mut positions = _mm512_add_epi32(counting, _mm512_set1_epi32(aligned as i32));
        let (rows, tail) = words.as_chunks::<LANES>();
        for some_rows in rows.chunks(64) {
            hits.reserve(some_rows.len() * LANES);
            for row in some_rows {
                // SAFETY: `row` is 64 readable bytes, and the load asks for no alignment.
                let row = unsafe { _mm512_loadu_si512(row.as_ptr().cast()) };
                let differing = _mm512_popcnt_epi32(_mm512_xor_si512(row, query_lanes));
                let close = _mm512_cmple_epu32_mask(differing, limit_lanes);
                let found = _mm512_maskz_compress_epi32(close, positions);
                let length = hits.len();
                // SAFETY: a row adds at most `LANES` positions and writes `LANES`; room for as
                // many as there are rows left was reserved, so the write ends within it. The
                // positions counted into the length were all written.
                unsafe {
                    _mm512_storeu_si512(hits.as_mut_ptr().add(length).cast(), found);
                    hits.set_len(length + close.count_ones() as usize);
                }
                positions = _mm512_add_epi32(positions, next);
            }
        }
        let tail_start = aligned + LANES * rows.len();
        scan_portable(tail, tail_start as u32, query, limit, hits);
    }

    /// As `scan_portable`; counts bits by look-up of nibbles (Muła, Kurz and Lemire 2018).
    #[target_feature(enable = "avx2,popcnt")]
    fn scan_avx2(words: &[u32], query: u32, limit: u32, hits: &mut Vec<u32>) {
        let query_lanes = _mm256_set1_epi32(query.cast_signed());
        let beyond = _mm256_set1_epi32(limit.cast_signed() + 1);
        let nibble = _mm256_set1_epi8(0x0f);
        let ones = _mm256_broadcastsi128_si256(_mm_setr_epi8(
            0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
        ));
        let (blocks, tail) = words.as_chunks::<32>();
        for (number, block) in blocks.iter().enumerate() {
            let mut close = 0_u32;
            for (i, row) in block.as_chunks::<8>().0.iter().enumerate() {
                // SAFETY: `row` is 32 readable bytes, and the load asks for no alignment.
                let row = unsafe { _mm256_loadu_si256(row.as_ptr().cast()) };
                let differing = _mm256_xor_si256(row, query_lanes);
                let low = _mm256_and_si256(differing, nibble);
                let high = _mm256_and_si256(_mm256_srli_epi16::<4>(differing), nibble);
                let bytes = _mm256_add_epi8(
                    _mm256_shuffle_epi8(ones, low),
                    _mm256_shuffle_epi8(ones, high),
                );
                let pairs = _mm256_maddubs_epi16(bytes, _mm256_set1_epi8(1));
                let counts = _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
                let within = _mm256_castsi256_ps(_mm256_cmpgt_epi32(beyond, counts));
                close |= _mm256_movemask_ps(within).cast_unsigned() << (8 * i);
            }
            while close != 0 {
                hits.push(32 * number as u32 + close.trailing_zeros());
                close &= close - 1;
            }
        }
        scan_portable(tail, (words.len() - tail.len()) as u32, query, limit, hits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mask(once: u32, twice: u32) -> LetterMask {
        LetterMask { once, twice }
    }

    #[test]
    fn a_mask_tells_present_from_present_twice() {
        assert_eq!(LetterMask::of(""), mask(0, 0));
        assert_eq!(LetterMask::of("ab"), mask(0b110, 0));
        assert_eq!(LetterMask::of("aba"), mask(0b110, 0b10));
        assert_eq!(LetterMask::of("aaaa"), LetterMask::of("aa"));
    }

    #[test]
    fn every_path_finds_the_masks_that_the_portable_one_finds() {
        let mut state = 1_u64;
        let random = std::iter::repeat_with(|| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let bits = state >> (state % 60); // from dense to nearly empty
            mask((bits >> 32) as u32, (bits & 0xffff_ffff) as u32)
        });
        let all: Vec<LetterMask> = random.take(333).collect();
        for length in [0, 1, 63, 64, 65, 128, 333] {
            let mut masks = LetterMasks::default();
            all[..length].iter().for_each(|&mask| masks.push(mask));
            for limit in [0, 3, 20, 64, 510] {
                let expected: Vec<u32> = (0..)
                    .zip(&all[..length])
                    .filter(|(_, mask)| {
                        let whole =
                            |mask: LetterMask| u64::from(mask.once) << 32 | u64::from(mask.twice);
                        (whole(**mask) ^ whole(all[7])).count_ones() <= limit
                    })
                    .map(|(position, _)| position)
                    .collect();
                for simd in Simd::available() {
                    let mut found = Vec::new();
                    masks.find_close(all[7], limit, simd, &mut found);
                    assert_eq!(found, expected, "{simd:?}, {length} masks, limit {limit}");
                }
            }
        }
    }
}
