//! A text of up to 64 characters, prepared for bit-parallel comparison with many others.

use super::Metric;
use crate::kernels::cpu::{Level, Simd};

/// Characters that one machine word can hold a column of.
pub const MAX_PATTERN: usize = u64::BITS as usize;

/// Texts that are compared in one go, to fill the widest registers: 8 columns of 64 bits.
pub const LANES: usize = 8;

/// Code points below this find their bitmap by index: ASCII and Latin-1, so Spanish throughout.
const DIRECT: usize = 256;

/// Slots of the table for all other code points: twice the characters a pattern can have, so
/// that an empty slot is always found, and soon. A power of two, larger than the alphabets, so
/// that letters of one script fall in slots of their own.
const SLOTS: usize = 2 * MAX_PATTERN;

/// Where each character stands in a text: bit `i` of its bitmap is set if it is character `i`.
pub struct Pattern {
    /// A bit for each character.
    rows: u64,
    direct: Box<[u64; DIRECT]>,
    /// Open addressing with linear probing; empty while the text has no character to put in it.
    /// A bitmap of 0 marks a free slot.
    others: Vec<(char, u64)>,
}

impl Pattern {
    /// The prepared text, or `None` when it is longer than [`MAX_PATTERN`] characters.
    pub fn new(text: &[char]) -> Option<Self> {
        if text.len() > MAX_PATTERN {
            return None;
        }
        let mut pattern = Self { rows: 0, direct: Box::new([0; DIRECT]), others: Vec::new() };
        for (i, &character) in text.iter().enumerate() {
            *pattern.bitmap_mut(character) |= 1 << i;
            pattern.rows |= 1 << i;
        }
        Some(pattern)
    }

    fn bitmap_mut(&mut self, character: char) -> &mut u64 {
        let code = character as usize;
        if code < DIRECT {
            return &mut self.direct[code];
        }
        if self.others.is_empty() {
            self.others = vec![('\0', 0); SLOTS];
        }
        let slot = slot_of(&self.others, character);
        self.others[slot].0 = character;
        &mut self.others[slot].1
    }

    #[inline]
    fn bitmap(&self, character: char) -> u64 {
        let code = character as usize;
        if code < DIRECT {
            self.direct[code]
        } else if self.others.is_empty() {
            0
        } else {
            self.others[slot_of(&self.others, character)].1
        }
    }

    /// The number of edits between the prepared text and another.
    #[allow(clippy::cast_possible_truncation)] // no text has 2^32 characters and fits memory
    pub fn distance(&self, text: impl Iterator<Item = char>, metric: Metric) -> u32 {
        let (mut column, mut length) = (Columns::<1>::START, 0_u32);
        match metric {
            Metric::Levenshtein => {
                for character in text {
                    column.advance::<false>(&[self.bitmap(character)]);
                    length += 1;
                }
            }
            Metric::Osa => {
                for character in text {
                    column.advance::<true>(&[self.bitmap(character)]);
                    length += 1;
                }
            }
        }
        length.wrapping_add_signed(column.rise(self.rows)[0])
    }

    /// Writes the bitmaps of a text's characters into one lane of `bitmaps`, of the same length.
    #[inline]
    pub fn look_up(&self, text: &str, lane: usize, bitmaps: &mut [[u64; LANES]]) {
        if text.len() == bitmaps.len() {
            // As many bytes as characters: each is its own code point.
            for (&byte, lanes) in text.as_bytes().iter().zip(bitmaps) {
                lanes[lane] = self.direct[usize::from(byte)];
            }
        } else {
            for (character, lanes) in text.chars().zip(bitmaps) {
                lanes[lane] = self.bitmap(character);
            }
        }
    }

    /// The number of edits between the prepared text and `LANES` others of one length, whose
    /// characters [`Pattern::look_up`] found.
    pub fn distances(&self, bitmaps: &[[u64; LANES]], metric: Metric, simd: Simd) -> [u32; LANES] {
        match simd.level() {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Simd` of this level exists only on a CPU that was seen to have it.
            Level::Avx512 => unsafe { distances_avx512(bitmaps, metric, self.rows) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Level::Avx2 => unsafe { distances_avx2(bitmaps, metric, self.rows) },
            _ => distances_portable(bitmaps, metric, self.rows),
        }
    }
}

/// A column of the dynamic programme for each of `N` texts, as differences between its cells.
///
/// The names are Hyyrö's (2003): the rows where the vertical difference is positive (VP) or
/// negative (VN), where the diagonal one is zero (D0), and the matches of the column (PM).
#[derive(Clone, Copy)]
struct Columns<const N: usize> {
    vp: [u64; N],
    vn: [u64; N],
    d0: [u64; N],
    pm: [u64; N],
}

impl<const N: usize> Columns<N> {
    /// The column before the first character: each cell one more than the one above it.
    const START: Self = Self { vp: [u64::MAX; N], vn: [0; N], d0: [0; N], pm: [0; N] };

    /// Moves to the next column, given the bitmaps of its characters.
    #[inline(always)]
    #[allow(clippy::inline_always)] // target_feature functions need the body to get their features
    fn advance<const TRANSPOSE: bool>(&mut self, bitmaps: &[u64; N]) {
        for (lane, &pm) in bitmaps.iter().enumerate() {
            let (vp, vn) = (self.vp[lane], self.vn[lane]);
            let mut d0 = ((pm & vp).wrapping_add(vp) ^ vp) | pm | vn;
            if TRANSPOSE {
                d0 |= ((!self.d0[lane] & pm) << 1) & self.pm[lane];
                self.d0[lane] = d0;
                self.pm[lane] = pm;
            }
            // The top row grows by one a column, so a one comes in from above.
            let hp = (vn | !(d0 | vp)) << 1 | 1;
            let hn = (d0 & vp) << 1;
            self.vp[lane] = hn | !(d0 | hp);
            self.vn[lane] = hp & d0;
        }
    }

    /// The last cell less the top one, in the given rows.
    #[inline(always)]
    #[allow(clippy::inline_always)] // as above
    fn rise(&self, rows: u64) -> [i32; N] {
        std::array::from_fn(|lane| {
            let up = (self.vp[lane] & rows).count_ones();
            let down = (self.vn[lane] & rows).count_ones();
            up.cast_signed() - down.cast_signed()
        })
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq")]
fn distances_avx512(bitmaps: &[[u64; LANES]], metric: Metric, rows: u64) -> [u32; LANES] {
    distances_portable(bitmaps, metric, rows)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn distances_avx2(bitmaps: &[[u64; LANES]], metric: Metric, rows: u64) -> [u32; LANES] {
    distances_portable(bitmaps, metric, rows)
}

#[inline(always)]
#[allow(clippy::inline_always)] // target_feature functions need the body to get their features
#[allow(clippy::cast_possible_truncation)] // no text has 2^32 characters and fits memory
fn distances_portable(bitmaps: &[[u64; LANES]], metric: Metric, rows: u64) -> [u32; LANES] {
    let mut columns = Columns::START;
    match metric {
        Metric::Levenshtein => bitmaps.iter().for_each(|next| columns.advance::<false>(next)),
        Metric::Osa => bitmaps.iter().for_each(|next| columns.advance::<true>(next)),
    }
    columns.rise(rows).map(|rise| (bitmaps.len() as u32).wrapping_add_signed(rise))
}

/// The slot that holds `character`, or the free one where it would go.
fn slot_of(slots: &[(char, u64)], character: char) -> usize {
    let mut slot = character as usize % SLOTS;
    while slots[slot].1 != 0 && slots[slot].0 != character {
        slot = (slot + 1) % SLOTS;
    }
    slot
}
