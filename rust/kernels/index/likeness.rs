//! Which documents are most like a document, and what words it is made of.

use super::Index;
use super::search::{Alternative, Group, Order, SearchOptions};

/// Terms of a document that look for others like it: the rarest, which say most.
const TERMS: usize = 32;

const K1: f32 = 0.9;
const B: f32 = 0.4;

impl Index {
    /// The numbers of the documents, rising.
    #[must_use]
    pub fn ids(&self) -> Vec<i64> {
        let slots = 0..self.documents.end();
        slots
            .filter(|&slot| self.documents.is_alive(slot))
            .map(|slot| self.documents.id(slot))
            .collect()
    }

    /// The `limit` documents most like a document, best first, itself left out: by BM25 of its
    /// rarest terms. Empty when there is no such document.
    #[must_use]
    pub fn nearest(&self, id: i64, limit: usize) -> Vec<i64> {
        let Some(slot) = self.documents.slot_of(id) else { return Vec::new() };
        let mut terms: Vec<(usize, &str)> = self
            .counts_of(slot)
            .into_iter()
            .map(|(term, _)| (self.postings[term as usize].len(), self.vocabulary.term_text(term)))
            .collect();
        terms.sort_unstable();
        terms.truncate(TERMS);
        let groups: Vec<Group> = terms
            .into_iter()
            .map(|(_, term)| Group {
                boost: 1.0,
                whole: false,
                accented: false,
                alternatives: vec![Alternative {
                    term: term.to_owned(),
                    weight: 1.0,
                    literal: true,
                }],
            })
            .collect();
        let options = SearchOptions {
            k1: K1,
            b: B,
            trust_in_order: 0.0,
            asking: None,
            order: Order::Relevance,
            limit,
            allowed: None,
            excluded: &[id],
            included: &[],
        };
        // The options are constants inside their ranges.
        self.search(&groups, &options).map_or_else(
            |_| Vec::new(),
            |ranking| ranking.candidates.iter().map(|candidate| candidate.id).collect(),
        )
    }

    /// The distinct words of a document by spelling, each with how many documents hold it.
    /// Compound pieces are there as their parts.
    #[must_use]
    pub fn document_words(&self, id: i64) -> Vec<(String, u32)> {
        let Some(slot) = self.documents.slot_of(id) else { return Vec::new() };
        let mut words: Vec<&str> = self
            .documents
            .forms(slot)
            .filter(|&(_, form)| !self.vocabulary.is_whole(form))
            .map(|(_, form)| self.vocabulary.word_of(form))
            .collect();
        words.sort_unstable();
        words.dedup();
        words
            .into_iter()
            .map(|word| {
                let documents = self.vocabulary.terms_of_word(word).map(|(_, count)| count).sum();
                (word.to_owned(), documents)
            })
            .collect()
    }
}
