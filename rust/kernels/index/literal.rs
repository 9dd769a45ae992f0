//! How literally a candidate says what is asked: pairs of the question's words that stand together
//! in it.

use super::evidence::Terms;
use super::search::{Bm25Norm, Candidate, Group, inverse_document_frequency};
use super::{Field, Index};

/// What a pair of consecutive words of the question counts in a text: side by side, with a word
/// between them, and the same the other way round.
const TOGETHER: f32 = 1.0;
const APART: f32 = 0.5;
const TURNED: f32 = 0.5;
const TURNED_APART: f32 = 0.7;

impl Index {
    /// Of each candidate, BM25 over the pairs of consecutive words of the question that its text
    /// holds together, as if each pair were a term.
    ///
    /// The document frequency of a pair is counted among the candidates, where nearly all texts
    /// that hold both words are.
    pub(super) fn literal_likeness(
        &self,
        candidates: &[Candidate],
        terms: &Terms<'_>,
        groups: &[Group],
        norm: Bm25Norm,
    ) -> Vec<f32> {
        // Consecutive words: compound pieces stand beside their parts and are passed over.
        let mut order = vec![usize::MAX; groups.len()];
        let words = groups.iter().enumerate().filter(|(_, group)| !group.whole);
        for (place, (group, _)) in words.enumerate() {
            order[group] = place;
        }
        let mut found: Vec<(usize, usize, f32)> = Vec::new();
        let mut frequency = vec![0_u32; groups.len()];
        let mut sums = vec![0.0_f32; groups.len()];
        let mut hits: Vec<(usize, usize)> = Vec::new();
        for (row, candidate) in candidates.iter().enumerate() {
            hits.clear();
            let body = self.documents.field(candidate.slot, Field::Body as usize);
            let words = body.iter().filter(|&&form| !self.is_no_word(form));
            for (at, &form) in words.enumerate() {
                for held in terms.own_of_term(self.vocabulary.term_of(form)) {
                    hits.push((at, held));
                }
            }
            sums.fill(0.0);
            for (nth, &(at, group)) in hits.iter().enumerate() {
                let near = hits[nth + 1..].iter().take_while(|&&(next, _)| next <= at + 2);
                for &(next, other) in near.filter(|&&(next, _)| next > at) {
                    let beside = next == at + 1;
                    if order[other] == order[group].wrapping_add(1) {
                        sums[group] += if beside { TOGETHER } else { APART };
                    } else if order[group] == order[other].wrapping_add(1) {
                        sums[other] += if beside { TURNED } else { TURNED_APART };
                    }
                }
            }
            for (pair, &sum) in sums.iter().enumerate().filter(|&(_, &sum)| sum > 0.0) {
                frequency[pair] += 1;
                found.push((row, pair, sum));
            }
        }
        let mut pairs = vec![0.0_f32; candidates.len()];
        for (row, pair, sum) in found {
            let idf = inverse_document_frequency(self.len(), frequency[pair] as f32);
            let length = self.documents.length(candidates[row].slot);
            pairs[row] += idf * sum / (sum + norm.of(length));
        }
        pairs
    }
}
