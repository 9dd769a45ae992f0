//! The ranking: pooled groups, BM25, and what neighbours lend.

use rustc_hash::FxHashSet;

use super::Index;
use super::fit::Fit;
use super::neighbours::Lending;
use super::postings::{COUNT_UNIT, Postings};
use super::scratch::{Best, Bm25, Scores, Scratch};
use crate::kernels::error::KernelError;
use crate::kernels::text::asking::Asking;

/// Where one slot in so many is a candidate, all are looked at in order of storage.
const CROWDED: usize = 2;

/// The smallest number above 0: what has no score is never among the best.
const SMALLEST: f32 = f32::from_bits(1);

/// Slots that are looked at together.
const BLOCK: usize = 64;

/// One spelling that stands for a word of the question.
#[derive(Debug, Clone, PartialEq)]
pub struct Alternative {
    /// The term as the index spells it.
    pub term: String,
    /// What one occurrence counts, in (0, 1].
    pub weight: f32,
    /// Whether it is the user's own word rather than a translation, synonym or correction.
    pub literal: bool,
}

/// A word of the question with everything that stands for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// What the group's score is multiplied by: 1, or more for a word that matters more.
    pub boost: f32,
    /// Whether it is a compound piece whose parts are groups of their own.
    pub whole: bool,
    /// Whether it was asked with accents.
    pub accented: bool,
    /// The spellings, the user's own first.
    pub alternatives: Vec<Alternative>,
}

/// Which of the matching documents are returned, and in which order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// The most relevant, best first.
    #[default]
    Relevance,
    /// The ones stored last, newest first.
    Newest,
    /// The ones stored first, oldest first.
    Oldest,
}

/// How to rank.
#[derive(Debug, Clone)]
pub struct SearchOptions<'a> {
    /// BM25 term saturation.
    pub k1: f32,
    /// BM25 length normalisation.
    pub b: f32,
    /// How far the order of storage is trusted, in [0, 1]; 0 asks no neighbour.
    pub trust_in_order: f32,
    /// What kind of answer is wanted; `None` looks at words alone.
    pub asking: Option<&'a Asking>,
    /// By relevance or by time.
    pub order: Order,
    /// How many candidates to return.
    pub limit: usize,
    /// The only documents that may be returned, rising; `None` for all.
    pub allowed: Option<&'a [i64]>,
    /// Documents that are never returned.
    pub excluded: &'a [i64],
    /// Documents that are returned whether or not they rank.
    pub included: &'a [i64],
}

/// One candidate of a question.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// The document's number.
    pub id: i64,
    /// Its slot in the index.
    pub slot: u32,
    /// BM25 of the pooled groups.
    pub bm25: f32,
    /// What its neighbours lend it, in the same unit.
    pub lent: f32,
    /// How well it fits what is asked beyond its words: a factor, 1 for no difference.
    pub fit: f32,
    /// The two together times the fit, 1 for the best own BM25 of the question; for the best loan
    /// when no allowed document holds a word of it.
    pub relevance: f32,
}

/// The candidates of a question, best first, and how many documents matched in all.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// By descending relevance, then rising number, or by time; the included ones that do not rank
    /// come last.
    pub candidates: Vec<Candidate>,
    /// How many allowed documents hold a word of the question or are lent one.
    pub matched: usize,
    /// Each group's inverse document frequency.
    pub idf: Vec<f32>,
}

/// BM25's length normalisation: what is added to a count before it divides it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bm25Norm {
    flat: f32,
    by_length: f32,
}

impl Bm25Norm {
    pub(super) fn new(index: &Index, k1: f32, b: f32) -> Self {
        Self { flat: k1 * (1.0 - b), by_length: k1 * b / index.documents.mean_length() }
    }

    #[inline]
    pub(super) fn of(self, length: f32) -> f32 {
        self.flat + self.by_length * length
    }
}

/// Inverse document frequency as Lucene's BM25 has it: never negative.
///
/// ln(1 + (N − df + ½)/(df + ½)), df held to [½, N].
#[must_use]
pub fn inverse_document_frequency(documents: usize, document_frequency: f32) -> f32 {
    let n = documents as f32;
    let df = document_frequency.clamp(0.5, n.max(0.5));
    // Not ln(1 + x): with f32 that is 0 for a word of all of 10 million documents.
    ((n - df + 0.5) / (df + 0.5)).ln_1p()
}

impl Index {
    /// Ranks the documents for a question.
    ///
    /// BM25 (Robertson & Zaragoza 2009) over pooled groups: with tf the weighted count of a
    /// group's alternatives and df the weighted sum of their document frequencies,
    /// Σ boost · idf · tf / (tf + k1·(1 − b + b·length/mean length)).
    ///
    /// # Errors
    ///
    /// [`KernelError::OutOfRange`] for a weight outside (0, 1], a boost that is not positive, a
    /// negative k1, or b or the trust in order outside [0, 1].
    pub fn search(
        &self,
        groups: &[Group],
        options: &SearchOptions<'_>,
    ) -> Result<Ranking, KernelError> {
        check(groups, options)?;
        let question_words = groups.iter().filter(|group| !group.whole).count();
        let mut scratch = self.scratch.take();
        scratch.scores.fit(self.documents.slots());
        let when = options.asking.is_some_and(|asking| asking.when);
        scratch.lending.fit(self.documents.slots(), options.trust_in_order, question_words, when);
        let idf =
            groups.iter().map(|group| self.score_group(group, options, &mut scratch)).collect();
        let ranking = self.rank(&scratch, options, idf);
        scratch.scores.clear();
        scratch.lending.clear();
        self.scratch.give_back(scratch);
        Ok(ranking)
    }

    fn score_group(
        &self,
        group: &Group,
        options: &SearchOptions<'_>,
        Scratch { scores, lending }: &mut Scratch,
    ) -> f32 {
        let held: Vec<(f32, &Postings)> = group
            .alternatives
            .iter()
            .filter_map(|alternative| {
                let term = self.vocabulary.term(&alternative.term)?;
                Some((alternative.weight, &self.postings[term as usize]))
            })
            .collect();
        let document_frequency: f32 =
            held.iter().map(|(weight, postings)| weight * postings.len() as f32).sum();
        let idf = inverse_document_frequency(self.len(), document_frequency);
        let bm25 = Bm25 {
            most: group.boost * idf,
            flat: options.k1 * (1.0 - options.b),
            by_length: options.k1 * options.b / self.documents.mean_length(),
        };
        let lengths = self.documents.lengths();
        let lends = lending.lends(document_frequency, &self.documents);
        if let [(weight, postings)] = held[..] {
            scores.settle_alone(postings, weight * COUNT_UNIT, &bm25, lengths, lends);
        } else {
            for (weight, postings) in held {
                let unit = weight * COUNT_UNIT;
                postings.iter().for_each(|(slot, count)| scores.count(slot, unit * count));
            }
            scores.settle(&bm25, lengths, lends);
        }
        if lends {
            lending.lend(scores.last_group(), &self.documents);
        }
        scores.end_group();
        idf
    }

    fn rank(
        &self,
        Scratch { scores, lending }: &Scratch,
        options: &SearchOptions<'_>,
        idf: Vec<f32>,
    ) -> Ranking {
        let allowed = self.allowed_slots(options);
        let is_allowed = |slot: u32| allowed.as_ref().is_none_or(|set| set[slot as usize]);
        let borrowed = |slot: u32| lending.of(slot, self.documents.length(slot));
        let fit = options.asking.map(|asking| Fit::of(self, asking, options.trust_in_order));
        let attributes = self.documents.attributes();
        let fitting = |slot: u32| fit.map_or(1.0, |fit| fit.factor(slot, attributes));
        let mut best = Best::new(options.limit);
        let (mut best_own, mut best_borrowed) = (0.0_f32, 0.0_f32);
        let mut matched = 0;
        let few = scores.touched().len() + lending.borrowers().len() < scores.slots() / CROWDED;
        if few || allowed.is_some() {
            for &slot in scores.touched().iter().filter(|&&slot| is_allowed(slot)) {
                let (own, fit) = (scores.total(slot), fitting(slot));
                best_own = best_own.max(own * fit);
                matched += 1;
                best.offer((own + borrowed(slot)) * fit, slot);
            }
            let borrowers = lending.borrowers().iter().filter(|&&slot| scores.total(slot) == 0.0);
            for &slot in borrowers.filter(|&&slot| is_allowed(slot)) {
                let loan = borrowed(slot) * fitting(slot);
                best_borrowed = best_borrowed.max(loan);
                matched += 1;
                best.offer(loan, slot);
            }
        } else {
            let reach = fit.map_or(1.0, |fit| fit.most());
            let offered = |slot: u32, own: f32| ((own + borrowed(slot)), fitting(slot));
            (matched, best_own) = best_of_all(scores, lending, reach, offered, &mut best);
        }
        let measure = if best_own > 0.0 { best_own } else { best_borrowed };
        let scale = if measure > 0.0 { 1.0 / measure } else { 0.0 };
        let candidate = |slot: u32| {
            let (bm25, lent, fit) = (scores.total(slot), borrowed(slot), fitting(slot));
            let relevance = (bm25 + lent) * fit * scale;
            Candidate { id: self.documents.id(slot), slot, bm25, lent, fit, relevance }
        };
        let found = match options.order {
            Order::Relevance => best.finish(),
            by_time => self.first_by_time(by_time, options.limit, |slot| {
                is_allowed(slot) && (scores.total(slot) > 0.0 || borrowed(slot) > 0.0)
            }),
        };
        let mut candidates: Vec<Candidate> = found.into_iter().map(candidate).collect();
        if options.order == Order::Relevance {
            candidates
                .sort_unstable_by(|a, b| b.relevance.total_cmp(&a.relevance).then(a.id.cmp(&b.id)));
        }
        let mut present: FxHashSet<u32> =
            candidates.iter().map(|candidate| candidate.slot).collect();
        candidates.extend(
            options
                .included
                .iter()
                .filter_map(|&id| self.documents.slot_of(id))
                .filter(|&slot| is_allowed(slot) && present.insert(slot))
                .map(candidate),
        );
        Ranking { candidates, matched, idf }
    }

    /// The first `limit` slots of those that match, by time and then by number: of the same time,
    /// the one stored later is the newer.
    fn first_by_time(&self, order: Order, limit: usize, matches: impl Fn(u32) -> bool) -> Vec<u32> {
        let attributes = self.documents.attributes();
        let mut slots: Vec<u32> = (0..self.documents.end())
            .filter(|&slot| self.documents.is_alive(slot) && matches(slot))
            .collect();
        slots.sort_unstable_by(|&a, &b| {
            let by_time = attributes.created_at(a).total_cmp(&attributes.created_at(b));
            let oldest_first = by_time.then(a.cmp(&b));
            if order == Order::Newest { oldest_first.reverse() } else { oldest_first }
        });
        slots.truncate(limit);
        slots
    }

    /// Which slots may be returned; `None` for all.
    fn allowed_slots(&self, options: &SearchOptions<'_>) -> Option<Vec<bool>> {
        if options.allowed.is_none() && options.excluded.is_empty() {
            return None;
        }
        let mut allowed = vec![options.allowed.is_none(); self.documents.slots()];
        let mut set = |ids: &[i64], to: bool| {
            for slot in ids.iter().filter_map(|&id| self.documents.slot_of(id)) {
                allowed[slot as usize] = to;
            }
        };
        set(options.allowed.unwrap_or_default(), true);
        set(options.excluded, false);
        Some(allowed)
    }
}

/// Offers every slot that has a score or a loan; how many have, and the best score without loans.
///
/// `offered` gives a slot's score with its loan, and its factor, which is at most `reach`.
///
/// Block by block in order of storage, which for a crowd is faster than one by one as they were
/// found. A block is passed over when none of it could be among the best; its three sums over bits
/// are written so that they become vector instructions.
fn best_of_all(
    scores: &Scores,
    lending: &Lending,
    reach: f32,
    offered: impl Fn(u32, f32) -> (f32, f32),
    best: &mut Best,
) -> (usize, f32) {
    let mut matched = 0;
    let mut best_own = 0.0_f32;
    let mut first = 0_u32;
    for own in scores.totals().chunks(BLOCK) {
        let mut most = [0.0_f32; BLOCK];
        most[..own.len()].copy_from_slice(own);
        for (most, loan) in most.iter_mut().zip(lending.most_lent(first as usize, own.len())) {
            *most += loan;
        }
        for most in &mut most {
            *most *= reach;
        }
        let floor = best.floor().max(SMALLEST);
        let held: u32 = most.iter().map(|&most| u32::from(most > 0.0)).sum();
        let promising: u32 = most.iter().map(|&most| u32::from(most >= floor)).sum();
        let better: u32 = own.iter().map(|&own| u32::from(own * reach > best_own)).sum();
        matched += held as usize;
        if better > 0 {
            for (slot, &own) in (first..).zip(own) {
                if own * reach > best_own {
                    best_own = best_own.max(own * offered(slot, own).1);
                }
            }
        }
        if promising > 0 {
            for (slot, (&own, most)) in (first..).zip(own.iter().zip(most)) {
                if most >= floor {
                    let (sum, fit) = offered(slot, own);
                    best.offer(sum * fit, slot);
                }
            }
        }
        first = first.saturating_add(u32::try_from(BLOCK).unwrap_or(u32::MAX));
    }
    (matched, best_own)
}

fn check(groups: &[Group], options: &SearchOptions<'_>) -> Result<(), KernelError> {
    let range = |what: &'static str, value: f32, ok: bool, rule: &str| {
        if ok {
            Ok(())
        } else {
            Err(KernelError::OutOfRange { what, rule: format!("{value} is not {rule}") })
        }
    };
    range("k1", options.k1, options.k1 >= 0.0 && options.k1.is_finite(), "0 or more")?;
    range("b", options.b, (0.0..=1.0).contains(&options.b), "in [0, 1]")?;
    let trust = options.trust_in_order;
    range("trust in order", trust, (0.0..=1.0).contains(&trust), "in [0, 1]")?;
    for group in groups {
        range("boost", group.boost, group.boost > 0.0 && group.boost.is_finite(), "above 0")?;
        for alternative in &group.alternatives {
            let weight = alternative.weight;
            range("weight", weight, weight > 0.0 && weight <= 1.0, "in (0, 1]")?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
