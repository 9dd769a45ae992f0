//! Buffers as long as the store is large, which searches use in turn.
//!
//! A fresh buffer costs more than a search: at a million documents the system hands out and zeroes
//! thousands of pages for a question that touches a few of them.

use std::sync::{Mutex, PoisonError};

use super::documents::Lengths;
use super::neighbours::Lending;
use super::postings::Postings;

/// Buffers that are kept for later searches; more at a time are made and dropped.
const KEPT: usize = 2;

/// Postings that are scored together.
const BLOCK: usize = 64;

/// The buffers of one search. Every number in them is 0 when a search begins and when it ends.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub(super) scores: Scores,
    pub(super) lending: Lending,
}

/// Buffers that no search uses at the moment.
#[derive(Debug, Default)]
pub(super) struct ScratchPool {
    idle: Mutex<Vec<Scratch>>,
}

impl ScratchPool {
    pub(super) fn take(&self) -> Scratch {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.pop().unwrap_or_default()
    }

    /// Takes back buffers that were cleared.
    pub(super) fn give_back(&self, scratch: Scratch) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < KEPT {
            idle.push(scratch);
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.iter().map(|held| held.scores.heap_bytes() + held.lending.heap_bytes()).sum()
    }
}

/// What a count in a document of some length gives, for one word of the question.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bm25 {
    /// What endless repetition would give: boost times inverse document frequency.
    pub(super) most: f32,
    /// k1·(1 − b)
    pub(super) flat: f32,
    /// k1·b / mean length
    pub(super) by_length: f32,
}

impl Bm25 {
    #[inline]
    fn part(&self, count: f32, length: f32) -> f32 {
        self.most * count / (count + self.flat + self.by_length * length)
    }
}

/// Dense accumulators: one number a slot, and the list of slots that have one.
#[derive(Debug, Default)]
pub(super) struct Scores {
    total: Vec<f32>,
    touched: Vec<u32>,
    counts: Vec<f32>,
    group: Vec<(u32, f32)>,
}

impl Scores {
    pub(super) fn fit(&mut self, slots: usize) {
        self.total.resize(slots, 0.0);
        self.counts.resize(slots, 0.0);
    }

    pub(super) fn clear(&mut self) {
        wipe(&mut self.total, &self.touched);
        self.touched.clear();
    }

    pub(super) fn total(&self, slot: u32) -> f32 {
        self.total[slot as usize]
    }

    pub(super) fn slots(&self) -> usize {
        self.total.len()
    }

    pub(super) fn totals(&self) -> &[f32] {
        &self.total
    }

    /// The slots that have a score, each once.
    pub(super) fn touched(&self) -> &[u32] {
        &self.touched
    }

    /// Counts an occurrence of one of a group's alternatives.
    pub(super) fn count(&mut self, slot: u32, count: f32) {
        let held = &mut self.counts[slot as usize];
        if *held == 0.0 {
            self.group.push((slot, 0.0));
        }
        *held += count;
    }

    /// Turns the counts of one group into its part of the score; `keep` when
    /// [`Scores::last_group`] will be asked for.
    pub(super) fn settle(&mut self, bm25: &Bm25, lengths: &Lengths, keep: bool) {
        if keep {
            self.group.sort_unstable_by_key(|&(slot, _)| slot);
        }
        for (slot, part) in &mut self.group {
            let count = std::mem::take(&mut self.counts[*slot as usize]);
            *part = bm25.part(count, lengths.get(*slot) as f32);
            add(&mut self.total, &mut self.touched, *slot, *part);
        }
    }

    /// Adds the parts of a group of one alternative, whose counts need no pooling; `keep` when
    /// [`Scores::last_group`] will be asked for.
    ///
    /// In three passes over a few postings at a time: one that waits for memory, one that the
    /// compiler vectorises, one that waits for memory again.
    pub(super) fn settle_alone(
        &mut self,
        postings: &Postings,
        unit: f32,
        bm25: &Bm25,
        lengths: &Lengths,
        keep: bool,
    ) {
        let mut parts = [0.0_f32; BLOCK];
        let blocks = postings.slots().chunks(BLOCK).zip(postings.counts().chunks(BLOCK));
        for (slots, counts) in blocks {
            for (part, &slot) in parts.iter_mut().zip(slots) {
                *part = lengths.get(slot) as f32;
            }
            for (part, &count) in parts.iter_mut().zip(counts) {
                *part = bm25.part(unit * f32::from(count), *part);
            }
            // Every slot is noted and the note kept if it is the first: whether it is cannot be
            // foretold, so a branch would cost more.
            let mut noted = self.touched.len();
            self.touched.resize(noted + slots.len(), 0);
            for (&part, &slot) in parts.iter().zip(slots) {
                let held = &mut self.total[slot as usize];
                self.touched[noted] = slot;
                noted += usize::from(*held == 0.0);
                *held += part;
            }
            self.touched.truncate(noted);
            if keep {
                self.group.extend(slots.iter().copied().zip(parts));
            }
        }
    }

    /// Each document's part of the group's score, by rising slot.
    pub(super) fn last_group(&self) -> &[(u32, f32)] {
        &self.group
    }

    pub(super) fn end_group(&mut self) {
        self.group.clear();
    }

    fn heap_bytes(&self) -> usize {
        4 * (self.total.capacity() + self.counts.capacity() + self.touched.capacity())
            + 8 * self.group.capacity()
    }
}

#[inline]
fn add(total: &mut [f32], touched: &mut Vec<u32>, slot: u32, part: f32) {
    let held = &mut total[slot as usize];
    if *held == 0.0 {
        touched.push(slot);
    }
    *held += part;
}

/// Sets the touched values back to 0: one by one, or all where that is the shorter way.
pub(super) fn wipe(values: &mut [f32], touched: &[u32]) {
    if touched.len() > values.len() / 8 {
        values.fill(0.0);
    } else {
        for &slot in touched {
            values[slot as usize] = 0.0;
        }
    }
}

/// The best `limit` of many scored slots, in one pass and little room.
pub(super) struct Best {
    limit: usize,
    kept: Vec<(f32, u32)>,
    floor: f32,
}

impl Best {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, kept: Vec::new(), floor: 0.0 }
    }

    #[inline]
    pub(super) fn offer(&mut self, score: f32, slot: u32) {
        if score < self.floor {
            return;
        }
        self.kept.push((score, slot));
        if self.kept.len() >= self.limit.saturating_mul(2).saturating_add(64) {
            self.cut();
        }
    }

    /// What a score must reach to be kept.
    pub(super) fn floor(&self) -> f32 {
        self.floor
    }

    /// The kept slots, in no order.
    pub(super) fn finish(mut self) -> Vec<u32> {
        self.cut();
        self.kept.into_iter().map(|(_, slot)| slot).collect()
    }

    fn cut(&mut self) {
        if self.kept.len() <= self.limit {
            return;
        }
        let by_rank = |a: &(f32, u32), b: &(f32, u32)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        self.kept.select_nth_unstable_by(self.limit, by_rank);
        self.kept.truncate(self.limit);
        self.floor = self.kept.iter().map(|&(score, _)| score).fold(f32::INFINITY, f32::min);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Best;

    proptest! {
        #[test]
        fn the_best_are_those_of_a_full_sort(
            scores in prop::collection::vec(0_u8..20, 0..400), limit in 0_usize..30,
        ) {
            let mut best = Best::new(limit);
            let mut all: Vec<(u8, u32)> = Vec::new();
            for (slot, &score) in (0..).zip(&scores) {
                best.offer(f32::from(score), slot);
                all.push((score, slot));
            }
            all.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
            let mut expected: Vec<u32> = all.iter().take(limit).map(|&(_, slot)| slot).collect();
            let mut found = best.finish();
            expected.sort_unstable();
            found.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }
}
