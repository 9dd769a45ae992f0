//! What memories stored beside a memory lend it.
//!
//! In a conversation, a manual or a diary a text is understood with the ones before it: the answer
//! need not repeat the word that the question before it had. So a document borrows, word by word,
//! what it lacks and a near neighbour has: it can gain by a neighbour, and a verbatim hit loses to
//! none but the answer that follows a question. Whether the order of storage means anything is
//! measured on the store itself (`trust_in_order`); in a shuffled store nothing is lent.

use rustc_hash::FxHashMap;

use super::Index;
use super::attributes::Attributes;
use super::documents::Documents;
use super::scratch::wipe;
use super::search::inverse_document_frequency;
use crate::kernels::text::traits::Traits;

/// How many neighbours on either side are asked, and how fast their word fades with distance.
/// Radius 2 to 8 and fading .4 to .8 measured alike within .005 nDCG.
const RADIUS: usize = 3;
const FADING: f32 = 0.5;

/// The share of its word that a neighbour lends. What came before explains more than what follows;
/// and what comes after a question is likely its answer, which may say none of its words: it
/// inherits more than the question itself has, unless a time is wanted, which answers seldom tell
/// in reply to the same question.
const FROM_BEFORE: f32 = 0.8;
const FROM_BEHIND: f32 = 0.5;
const FROM_A_QUESTION: f32 = 1.4;

/// Long texts need their neighbours less: half the loan at this many words.
const HALF_LOAN_LENGTH: f32 = 80.0;

/// A word that more of the store holds than this (a speaker's name) is not lent.
const TOO_COMMON: f32 = 0.2;

/// Consecutive texts must be this much more alike than random ones before order is believed, and
/// this much more again before it is believed in full. Conversations measured 2.6 and 4.0, manuals
/// 13.5, sets of unrelated texts 1.0 to 1.1.
const ALIKE_BY_CHANCE: f32 = 1.3;
const FULL_TRUST_SPAN: f32 = 1.0;

/// Pairs compared, and the fewest documents that allow a judgement.
const PAIRS: usize = 400;
const FEWEST_DOCUMENTS: usize = 50;

/// Collects, group by group, what documents borrow.
#[derive(Debug, Default)]
pub(super) struct Lending {
    /// What a whole loan counts; 0 when nothing is lent.
    factor: f32,
    lent: Vec<f32>,
    borrowers: Vec<u32>,
    cluster: Cluster,
    /// What a question lends the document after it.
    from_a_question: f32,
}

/// Documents that lend to each other, and [`RADIUS`] more on either side.
#[derive(Debug, Default)]
struct Cluster {
    /// Their slots, rising, empty ones left out.
    slots: Vec<u32>,
    /// What each has of its own, between [`RADIUS`] zeros at either end.
    own: Vec<f32>,
}

impl Cluster {
    fn begin(&mut self) {
        self.slots.clear();
        self.own.clear();
        self.own.extend([0.0; RADIUS]);
    }

    fn push(&mut self, slot: u32, own: f32) {
        self.slots.push(slot);
        self.own.push(own);
    }

    /// Forgets the last documents until `count` are left, and ends the cluster.
    fn end(&mut self, count: usize) {
        self.slots.truncate(count);
        self.own.truncate(RADIUS + count);
        self.own.extend([0.0; RADIUS]);
    }
}

impl Lending {
    /// A question of one word borrows nothing, one of two words half: there the context is noise.
    pub(super) fn fit(&mut self, slots: usize, trust: f32, question_words: usize, when: bool) {
        self.factor = trust * question_words.saturating_sub(1).min(2) as f32 / 2.0;
        self.from_a_question = if when { FROM_BEFORE } else { FROM_A_QUESTION };
        if self.factor > 0.0 {
            self.lent.resize(slots, 0.0);
        }
    }

    pub(super) fn clear(&mut self) {
        wipe(&mut self.lent, &self.borrowers);
        self.borrowers.clear();
    }

    /// Whether a word of this document frequency is lent at all.
    pub(super) fn lends(&self, document_frequency: f32, documents: &Documents) -> bool {
        self.factor > 0.0 && document_frequency <= TOO_COMMON * documents.live() as f32
    }

    /// Lends one group's word around: `parts` are the documents that have it by rising slot, each
    /// with its score.
    ///
    /// Documents further apart than twice the radius have no borrower in common, so they are taken
    /// cluster by cluster, each in a few bytes that lie together.
    pub(super) fn lend(&mut self, parts: &[(u32, f32)], documents: &Documents) {
        let mut rest = parts;
        while let Some((&(first, part), mut later)) = rest.split_first() {
            self.cluster.begin();
            let mut before = [0; RADIUS];
            let held = before.iter_mut().zip(preceding(documents, first));
            let count = held.map(|(slot, earlier)| *slot = earlier).count();
            before[..count].iter().rev().for_each(|&slot| self.cluster.push(slot, 0.0));
            self.cluster.push(first, part);
            let mut last = first;
            loop {
                let end = self.cluster.slots.len();
                let next = later.first().copied();
                let until = next.map_or(documents.end(), |(slot, _)| slot);
                let mut slot = last + 1;
                while slot < until && self.cluster.slots.len() < end + 2 * RADIUS {
                    if documents.is_alive(slot) {
                        self.cluster.push(slot, 0.0);
                    }
                    slot += 1;
                }
                match next {
                    Some((next, part)) if slot == next => {
                        self.cluster.push(next, part);
                        last = next;
                        later = &later[1..];
                    }
                    _ => {
                        self.cluster.end((end + RADIUS).min(self.cluster.slots.len()));
                        break;
                    }
                }
            }
            self.lend_in_cluster(documents.attributes());
            rest = later;
        }
    }

    fn lend_in_cluster(&mut self, attributes: &Attributes) {
        const SECOND: f32 = FADING;
        const THIRD: f32 = FADING * FADING;
        let windows = self.cluster.own.windows(2 * RADIUS + 1);
        let mut after_question = false;
        for (&slot, window) in self.cluster.slots.iter().zip(windows) {
            let &[third, second, first, own, after, after_second, after_third] = window else {
                continue;
            };
            let asks = attributes.traits(slot).has(Traits::ASKS);
            // A question after a question does not answer it.
            let share = if after_question && !asks { self.from_a_question } else { FROM_BEFORE };
            after_question = asks;
            let further = (SECOND * second).max(THIRD * third);
            let before = (share * first).max(FROM_BEFORE * further);
            let behind = after.max(SECOND * after_second).max(THIRD * after_third);
            let gain = before.max(FROM_BEHIND * behind) - own;
            if gain > 0.0 {
                let lent = &mut self.lent[slot as usize];
                if *lent == 0.0 {
                    self.borrowers.push(slot);
                }
                *lent += gain;
            }
        }
    }

    /// The slots that borrow something, each once.
    pub(super) fn borrowers(&self) -> &[u32] {
        &self.borrowers
    }

    /// The most that each of these slots can borrow, whatever its length; nothing when nothing is
    /// lent.
    pub(super) fn most_lent(&self, first: usize, count: usize) -> impl Iterator<Item = f32> + '_ {
        let lent = if self.factor > 0.0 { &self.lent[first..first + count] } else { &[] };
        lent.iter().map(|&lent| self.factor * lent)
    }

    /// What a document of this length borrows, once all groups are in.
    #[inline]
    pub(super) fn of(&self, slot: u32, length: f32) -> f32 {
        if self.factor <= 0.0 {
            return 0.0;
        }
        self.factor * self.lent[slot as usize] * HALF_LOAN_LENGTH / (HALF_LOAN_LENGTH + length)
    }

    pub(super) fn heap_bytes(&self) -> usize {
        4 * (self.lent.capacity() + self.borrowers.capacity())
    }
}

fn preceding(documents: &Documents, slot: u32) -> impl Iterator<Item = u32> + '_ {
    (0..slot).rev().filter(|&other| documents.is_alive(other)).take(RADIUS)
}

impl Index {
    /// How far the order of storage means something, in [0, 1].
    ///
    /// Mean tf-idf cosine of consecutive documents over that of random pairs, from chance level
    /// (0) to [`FULL_TRUST_SPAN`] above it (1). Only the first documents up to a milestone are
    /// looked at (milestones lie a tenth apart), and document frequencies are those of the sample:
    /// so the judgement follows from these documents alone, whenever and wherever it is made, and
    /// changes seldom as a store grows. See [`Index::order_milestone`].
    #[must_use]
    pub fn trust_in_order(&self) -> f32 {
        let first = self.order_milestone();
        if first == 0 {
            return 0.0;
        }
        let slots: Vec<u32> = (0..u32::try_from(self.documents.slots()).unwrap_or(u32::MAX))
            .filter(|&slot| self.documents.is_alive(slot))
            .take(first)
            .collect();
        let mut random = SplitMix(first as u64);
        let pairs = PAIRS.min(first - 1);
        let consecutive: Vec<(u32, u32)> = (0..pairs)
            .map(|nth| nth * (first - 1) / pairs)
            .map(|at| (slots[at], slots[at + 1]))
            .collect();
        let arbitrary: Vec<(u32, u32)> = (0..pairs)
            .map(|_| {
                let a = random.below(first);
                (slots[a], slots[(a + 1 + random.below(first - 1)) % first])
            })
            .collect();
        let sample = Sample::of(self, consecutive.iter().chain(&arbitrary));
        let likeness =
            |pairs: &[(u32, u32)]| -> f64 { pairs.iter().map(|&(a, b)| sample.cosine(a, b)).sum() };
        let (beside, by_chance) = (likeness(&consecutive), likeness(&arbitrary));
        if by_chance <= 0.0 {
            return if beside > 0.0 { 1.0 } else { 0.0 };
        }
        #[allow(clippy::cast_possible_truncation)] // a ratio of a few units
        let ratio = (beside / by_chance) as f32;
        ((ratio - ALIKE_BY_CHANCE) / FULL_TRUST_SPAN).clamp(0.0, 1.0)
    }

    /// How many of the first documents [`Index::trust_in_order`] judges by; 0 when they are too
    /// few. While it stays and no document is changed or deleted, the judgement stays.
    #[must_use]
    pub fn order_milestone(&self) -> usize {
        if self.len() < FEWEST_DOCUMENTS {
            return 0;
        }
        std::iter::successors(Some(FEWEST_DOCUMENTS), |milestone| Some(milestone * 11 / 10))
            .take_while(|&milestone| milestone <= self.len())
            .last()
            .unwrap_or(FEWEST_DOCUMENTS)
    }
}

/// Some documents as tf-idf vectors, idf taken among themselves.
///
/// Terms are summed in the order of their numbers, which depends on the store's history; in double
/// precision the sums agree once they are rounded.
struct Sample {
    vectors: FxHashMap<u32, Vec<(u32, f64)>>,
}

impl Sample {
    fn of<'a>(index: &Index, pairs: impl Iterator<Item = &'a (u32, u32)>) -> Self {
        let mut counts: FxHashMap<u32, Vec<(u32, u16)>> = FxHashMap::default();
        for slot in pairs.flat_map(|&(a, b)| [a, b]) {
            counts.entry(slot).or_insert_with(|| index.counts_of(slot));
        }
        let mut frequency: FxHashMap<u32, f32> = FxHashMap::default();
        for (term, _) in counts.values().flatten() {
            *frequency.entry(*term).or_insert(0.0) += 1.0;
        }
        let size = counts.len();
        let weigh = |(term, count): (u32, u16)| {
            let count = f32::from(count) * super::postings::COUNT_UNIT;
            let idf = inverse_document_frequency(size, frequency[&term]);
            (term, f64::from(count.ln_1p() * idf))
        };
        let vectors = counts
            .into_iter()
            .map(|(slot, counts)| (slot, unit(counts.into_iter().map(weigh).collect())))
            .collect();
        Self { vectors }
    }

    /// Both vectors are by rising term and of length 1 (or 0).
    fn cosine(&self, a: u32, b: u32) -> f64 {
        let mut shared = 0.0;
        let mut rest = self.vectors[&b].as_slice();
        for &(term, weight) in &self.vectors[&a] {
            let at = rest.partition_point(|&(other, _)| other < term);
            rest = &rest[at..];
            match rest.first() {
                Some(&(other, other_weight)) if other == term => shared += weight * other_weight,
                _ => {}
            }
        }
        shared
    }
}

fn unit(mut vector: Vec<(u32, f64)>) -> Vec<(u32, f64)> {
    let size = vector.iter().map(|(_, weight)| weight * weight).sum::<f64>().sqrt();
    if size > 0.0 {
        for (_, weight) in &mut vector {
            *weight /= size;
        }
    }
    vector
}

/// `SplitMix64` (Steele et al. 2014): a sequence that is the same on every machine and in every
/// release, which no random-number crate promises.
struct SplitMix(u64);

impl SplitMix {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % bound as u64).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests;
