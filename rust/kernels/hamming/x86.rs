//! The scan for x86-64 with AVX2 or AVX-512.

#[allow(clippy::wildcard_imports)] // two dozen intrinsics, each with a prefix of its own
use std::arch::x86_64::*;

use super::scan::{GROUP, GroupDistances, Scan};

/// Words of 64 bits in a 512-bit register, and so the least that codes are made of here.
const BLOCK: usize = 8;

/// Bytes of them.
const BLOCK_BYTES: usize = 64;

/// Blocks of an SDM code: given as a constant, its query and weights stay in registers.
const SDM_BLOCKS: usize = 4;

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]
pub fn run_avx512(scan: &Scan<'_>, sink: impl FnMut(usize, &[u32])) {
    let (query, rest) = scan.query().as_chunks::<BLOCK_BYTES>();
    let weights = scan.weights().as_chunks::<BLOCK>().0;
    if !rest.is_empty() {
        scan.run_portable(sink);
    } else if let Ok(query) = <&[_; SDM_BLOCKS]>::try_from(query) {
        scan.in_groups(sink, |group| group_avx512(query, weights, group));
    } else {
        scan.in_groups(sink, |group| group_avx512(query, weights, group));
    }
}

#[target_feature(enable = "avx2,popcnt")]
pub fn run_avx2(scan: &Scan<'_>, sink: impl FnMut(usize, &[u32])) {
    let (query, rest) = scan.query().as_chunks::<BLOCK_BYTES>();
    let weights = scan.weights().as_chunks::<BLOCK>().0;
    if rest.is_empty() {
        scan.in_groups(sink, |group| group_avx2(query, weights, group));
    } else {
        scan.run_portable(sink);
    }
}

/// Eight accumulators of eight 64-bit lanes, one a row, then one transposing sum of all.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq")]
fn group_avx512(
    query: &[[u8; BLOCK_BYTES]],
    weights: &[[u64; BLOCK]],
    group: &[u8],
) -> GroupDistances {
    let rows = group.as_chunks::<BLOCK_BYTES>().0;
    let mut sums = [_mm512_setzero_si512(); GROUP];
    for (sum, row) in sums.iter_mut().zip(rows.chunks_exact(query.len())) {
        for ((block, query), weights) in row.iter().zip(query).zip(weights) {
            prefetch(block, group.len());
            let differing = _mm512_xor_si512(load_512(block), load_512(query));
            // A lane's count and weight both fit its lowest 16 bits, and the rest is zero, so
            // the sum of products of 16-bit pairs is their product.
            let weighted = _mm512_madd_epi16(_mm512_popcnt_epi64(differing), load_512(weights));
            *sum = _mm512_add_epi32(*sum, weighted);
        }
    }
    // Two rows a lane: sums are below 2^31, so one fits beside the other in a lane.
    let beside = |a, b| _mm512_or_si512(a, _mm512_slli_epi64::<32>(b));
    let pairs = [0, 2, 4, 6].map(|row| beside(sums[row], sums[row + 1]));
    // Four rows in each 128 bits, then the sum of the four 128-bit parts.
    let fold = |a, b| _mm512_add_epi32(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
    let first = fold(pairs[0], pairs[1]);
    let second = fold(pairs[2], pairs[3]);
    let halves = _mm512_add_epi32(
        _mm512_shuffle_i32x4::<0b10_00_10_00>(first, second),
        _mm512_shuffle_i32x4::<0b11_01_11_01>(first, second),
    );
    let whole = _mm512_add_epi32(halves, _mm512_shuffle_i32x4::<0b10_11_00_01>(halves, halves));
    let whole = _mm512_castsi512_si256(_mm512_shuffle_i32x4::<0b10_00_10_00>(whole, whole));
    let mut distances = [0; GROUP];
    // SAFETY: `distances` is 32 writable bytes, and the store asks for no alignment.
    unsafe { _mm256_storeu_si256(distances.as_mut_ptr().cast(), whole) };
    distances
}

/// Counts bits by look-up of nibbles (Muła, Kurz and Lemire 2018).
#[inline]
#[target_feature(enable = "avx2")]
fn group_avx2(
    query: &[[u8; BLOCK_BYTES]],
    weights: &[[u64; BLOCK]],
    group: &[u8],
) -> GroupDistances {
    let nibble = _mm256_set1_epi8(0x0f);
    let ones =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    let rows = group.as_chunks::<BLOCK_BYTES>().0;
    let mut distances = [0; GROUP];
    for (distance, row) in distances.iter_mut().zip(rows.chunks_exact(query.len())) {
        let mut sum = _mm256_setzero_si256();
        for ((block, query), weights) in row.iter().zip(query).zip(weights) {
            prefetch(block, group.len());
            for second in [false, true] {
                let differing = _mm256_xor_si256(load_256(block, second), load_256(query, second));
                let low = _mm256_and_si256(differing, nibble);
                let high = _mm256_and_si256(_mm256_srli_epi16::<4>(differing), nibble);
                let bytes = _mm256_add_epi8(
                    _mm256_shuffle_epi8(ones, low),
                    _mm256_shuffle_epi8(ones, high),
                );
                let counts = _mm256_sad_epu8(bytes, _mm256_setzero_si256());
                let weighted = _mm256_mul_epu32(counts, load_256(weights, second));
                sum = _mm256_add_epi64(sum, weighted);
            }
        }
        let pair = _mm_add_epi64(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
        let total = _mm_add_epi64(pair, _mm_unpackhi_epi64(pair, pair));
        *distance = _mm_cvtsi128_si32(total).cast_unsigned();
    }
    distances
}

/// Asks for the cache line `ahead` bytes on: the same block of the next group. Prefetchers of the
/// CPU stop at the end of a page; this goes on, for 65 us instead of 82 at 10,000 codes.
#[inline(always)]
#[allow(clippy::inline_always)] // one instruction
#[allow(unused_unsafe)] // older compilers call the intrinsic unsafe
fn prefetch(block: &[u8; BLOCK_BYTES], ahead: usize) {
    // SAFETY: a prefetch is a hint and faults on no address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(block.as_ptr().wrapping_add(ahead).cast()) }
}

/// Types that fill a 512-bit register.
trait Block {}
impl Block for [u8; BLOCK_BYTES] {}
impl Block for [u64; BLOCK] {}

#[inline]
#[target_feature(enable = "avx512f")]
fn load_512<T: Block>(block: &T) -> __m512i {
    // SAFETY: a `Block` is 64 readable bytes, and the load asks for no alignment.
    unsafe { _mm512_loadu_si512(std::ptr::from_ref(block).cast()) }
}

/// The first half of a block, or the second.
#[inline]
#[target_feature(enable = "avx2")]
fn load_256<T: Block>(block: &T, second: bool) -> __m256i {
    // SAFETY: a `Block` is 64 readable bytes, of which these are the first or the last 32, and
    // the load asks for no alignment.
    unsafe {
        _mm256_loadu_si256(std::ptr::from_ref(block).cast::<__m256i>().add(usize::from(second)))
    }
}
