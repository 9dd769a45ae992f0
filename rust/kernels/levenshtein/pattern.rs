//! A text of up to 64 characters, prepared for bit-parallel comparison with many others.

use super::Metric;

/// Characters that one machine word can hold a column of.
pub const MAX_PATTERN: usize = u64::BITS as usize;

/// Code points below this find their bitmap by index: ASCII and Latin-1, so Spanish throughout.
const DIRECT: usize = 256;

/// Slots of the table for all other code points: twice the characters a pattern can have, so
/// that an empty slot is always found, and soon. A power of two, larger than the alphabets, so
/// that letters of one script fall in slots of their own.
const SLOTS: usize = 2 * MAX_PATTERN;

/// Where each character stands in a text: bit `i` of its bitmap is set if it is character `i`.
pub struct Pattern {
    length: usize,
    direct: [u64; DIRECT],
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
        let mut pattern = Self { length: text.len(), direct: [0; DIRECT], others: Vec::new() };
        for (i, &character) in text.iter().enumerate() {
            *pattern.bitmap_mut(character) |= 1 << i;
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
    pub fn distance(&self, text: impl Iterator<Item = char>, metric: Metric) -> u32 {
        match metric {
            Metric::Levenshtein => self.column_scores::<false>(text),
            Metric::Osa => self.column_scores::<true>(text),
        }
    }

    /// Hyyrö (2003), figures 4 and 6, with his names: the vertical and horizontal differences
    /// that are positive (VP, HP) and negative (VN, HN), and the zeros of the diagonal (D0).
    #[inline]
    #[allow(clippy::cast_possible_truncation)] // a pattern has at most 64 characters
    fn column_scores<const TRANSPOSE: bool>(&self, text: impl Iterator<Item = char>) -> u32 {
        if self.length == 0 {
            return text.fold(0, |count, _| count + 1);
        }
        let last_row = self.length - 1;
        let mut score = self.length as u32;
        let (mut vp, mut vn) = (u64::MAX, 0_u64);
        let (mut d0, mut previous_matches) = (0_u64, 0_u64);
        for character in text {
            let matches = self.bitmap(character);
            let swap = if TRANSPOSE { ((!d0 & matches) << 1) & previous_matches } else { 0 };
            d0 = ((matches & vp).wrapping_add(vp) ^ vp) | matches | vn | swap;
            let hp = vn | !(d0 | vp);
            let hn = d0 & vp;
            // At most one of the two bits is set.
            score = score + (hp >> last_row & 1) as u32 - (hn >> last_row & 1) as u32;
            let hp = hp << 1 | 1;
            vp = hn << 1 | !(d0 | hp);
            vn = hp & d0;
            previous_matches = matches;
        }
        score
    }
}

/// The slot that holds `character`, or the free one where it would go.
fn slot_of(slots: &[(char, u64)], character: char) -> usize {
    let mut slot = character as usize % SLOTS;
    while slots[slot].1 != 0 && slots[slot].0 != character {
        slot = (slot + 1) % SLOTS;
    }
    slot
}
