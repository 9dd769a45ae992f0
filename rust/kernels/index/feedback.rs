//! What the best candidates have in common beside the question's words (pseudo-relevance feedback,
//! Lavrenko & Croft 2001), as evidence for the candidates alone.

use rustc_hash::FxHashMap;

use super::postings::COUNT_UNIT;
use super::search::{Bm25Norm, Candidate, inverse_document_frequency};
use super::{FIELD_UNITS, Index};

/// Candidates that are listened to, and words that are taken from them.
const BEST: usize = 10;
const WORDS: usize = 15;

/// Words of fewer documents than this say nothing of others, of a larger share of the store
/// nothing at all.
const FEWEST: usize = 2;
const LARGEST_PART: usize = 10; // one in so many

/// Words at which a text's own words count half: a long one holds many by chance.
const HALF_VOICE_LENGTH: f32 = 20.0;

/// The mean share of the best candidates that hold the chosen words, from which on they are
/// believed in full: where the best have nothing in common, what they say is noise.
const AGREED: f32 = 0.3;

impl Index {
    /// Of each candidate in [0, 1]: how much it speaks of what the best ones speak of.
    ///
    /// `is_asked` says whether a term is the question's own; candidates are in order.
    pub(super) fn feedback(
        &self,
        candidates: &[Candidate],
        is_asked: impl Fn(u32) -> bool,
        norm: Bm25Norm,
    ) -> Vec<f32> {
        let mut likeness = vec![0.0_f32; candidates.len()];
        let best = candidates.iter().take(BEST).filter(|held| held.relevance > 0.0);
        let best: Vec<&Candidate> = best.collect();
        let Some(first) = best.first() else { return likeness };
        let mut heard: FxHashMap<u32, (f32, u32)> = FxHashMap::default();
        for candidate in &best {
            let voice = candidate.relevance
                / first.relevance
                / (1.0 + self.documents.length(candidate.slot) / HALF_VOICE_LENGTH);
            for (term, _) in self.counts_of(candidate.slot) {
                let frequency = self.postings[term as usize].len();
                if (FEWEST..=self.len() / LARGEST_PART).contains(&frequency) && !is_asked(term) {
                    let (weight, holders) = heard.entry(term).or_default();
                    *weight += voice * inverse_document_frequency(self.len(), frequency as f32);
                    *holders += 1;
                }
            }
        }
        let mut chosen: Vec<(u32, f32, u32)> =
            heard.into_iter().map(|(term, (weight, holders))| (term, weight, holders)).collect();
        // Term numbers depend on the store's history; spellings do not.
        chosen.sort_unstable_by(|a, b| {
            let spelling = |term: u32| self.vocabulary.term_text(term);
            b.1.total_cmp(&a.1).then_with(|| spelling(a.0).cmp(spelling(b.0)))
        });
        chosen.truncate(WORDS);
        let Some(&(_, loudest, _)) = chosen.first() else { return likeness };
        let agreed = chosen.iter().map(|&(_, _, holders)| holders as f32).sum::<f32>()
            / (chosen.len() * best.len()) as f32;
        let belief = (agreed / AGREED).min(1.0);
        let weights: FxHashMap<u32, (usize, f32)> = chosen
            .iter()
            .enumerate()
            .map(|(nth, &(term, weight, _))| {
                let frequency = self.postings[term as usize].len() as f32;
                let idf = inverse_document_frequency(self.len(), frequency);
                (term, (nth, weight / loudest * idf))
            })
            .collect();
        let mut counts = vec![0.0_f32; chosen.len()];
        for (candidate, likeness) in candidates.iter().zip(&mut likeness) {
            counts.fill(0.0);
            for (field, form) in self.documents.forms(candidate.slot) {
                if let Some(&(nth, _)) = weights.get(&self.vocabulary.term_of(form)) {
                    counts[nth] += f32::from(FIELD_UNITS[field]) * COUNT_UNIT;
                }
            }
            let norm = norm.of(self.documents.length(candidate.slot));
            // In the order of the choice, so that sums round alike in every process.
            let sum: f32 = chosen
                .iter()
                .zip(&counts)
                .map(|((term, _, _), &count)| weights[term].1 * count / (count + norm))
                .sum();
            *likeness = sum * candidate.fit;
        }
        let largest = likeness.iter().copied().fold(0.0, f32::max);
        if largest > 0.0 {
            for value in &mut likeness {
                *value *= belief / largest;
            }
        }
        likeness
    }
}
