//! Small words that a question and a text share.
//!
//! Function words say nothing of what a text is about, so they bring no candidates; but among
//! short texts that say nearly the same, «how do I» against «can you» tells one intention from
//! another.

use super::Index;
use super::search::{Bm25Norm, Candidate, inverse_document_frequency};

impl Index {
    /// Of each candidate, BM25 over the question's function words (by number, each once).
    pub(super) fn function_word_likeness(
        &self,
        candidates: &[Candidate],
        asked: &[u16],
        norm: Bm25Norm,
    ) -> Vec<f32> {
        let attributes = self.documents.attributes();
        let weights: Vec<f32> = asked
            .iter()
            .map(|&number| attributes.frequency_of_function_word(number) as f32)
            .map(|frequency| inverse_document_frequency(self.len(), frequency))
            .collect();
        let of = |candidate: &Candidate| {
            let length = self.documents.length(candidate.slot);
            let mut rest = attributes.function_words(candidate.slot);
            let mut sum = 0.0;
            for (&number, idf) in asked.iter().zip(&weights) {
                rest = &rest[rest.partition_point(|&held| held < number)..];
                let count = rest.iter().take_while(|&&held| held == number).count() as f32;
                sum += idf * count / (count + norm.of(length));
            }
            sum
        };
        candidates.iter().map(of).collect()
    }
}
