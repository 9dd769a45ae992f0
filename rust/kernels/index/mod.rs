//! The ranked text index: five fields a document, any-word questions, one pass a question.
//!
//! A question is a list of *groups*, one a word: the word itself and weighted alternatives for it
//! (translations, corrections). Counts of a group's alternatives pool into one pseudo-term before
//! BM25 saturates them, so an alternative can help its word but never outvote it (probabilistic
//! structured queries, Darwish & Oard 2003). The index is term-at-a-time over dense accumulators;
//! at the sizes of one memory that beats skipping (block-max WAND) and answers a question over
//! 100,000 documents in tenths of a millisecond.
//!
//! | file | holds |
//! |---|---|
//! | `vocabulary` | terms, word forms, what is spelt nearly like a word |
//! | `interned` | distinct texts by number |
//! | `documents` | ids, lengths, the forms of each document in order |
//! | `postings` | which documents hold a term, how often |
//! | `search` | the ranking |
//! | `scratch` | the accumulators of a search, kept for the next one |
//! | `neighbours` | what memories stored beside a memory lend it, whether order means anything |
//! | `evidence` | where in each candidate each word of the question was found |
//! | `families` | terms that share nearly all their letters |
//! | `affinity` | which memories a new one should be linked to |
//! | `attributes` | what is known of each document beside its words |
//! | `fit` | how well a document fits what is asked beyond its words |
//! | `literal` | pairs of words that stand together, and words that open a text |
//! | `function_words` | the small words that a question and a text share |
//! | `feedback` | what the best candidates have in common |
//! | `vectors` | documents and questions in a space of term vectors |
//! | `grams` | trigrams of words, and how many documents hold each |
//! | `certainty` | whether anything here answers the question at all |
//! | `persist` | to bytes and back |

pub mod affinity;
pub mod attributes;
pub mod certainty;
pub mod documents;
pub mod evidence;
mod families;
mod feedback;
mod fit;
#[cfg(test)]
pub(crate) mod fixtures;
mod function_words;
mod grams;
mod interned;
pub mod likeness;
mod literal;
pub mod neighbours;
pub mod persist;
pub mod postings;
mod scratch;
pub mod search;
pub mod vectors;
pub mod vocabulary;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use attributes::NewAttributes;
use documents::Documents;
use grams::Grams;
use postings::{COUNT_UNIT, Postings};
use scratch::ScratchPool;
use vocabulary::Vocabulary;

use super::error::KernelError;
use super::text::analysis::Form;
use super::text::stem::Language;

/// The fields of a document, in the order in which its texts are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// What the memory is called.
    Name,
    /// Other names for it.
    Synonyms,
    /// Its key nouns.
    KeyNouns,
    /// Questions that lead to it.
    Bridges,
    /// Its text.
    Body,
}

/// How many fields a document has.
pub const FIELDS: usize = 5;

/// What one occurrence in each field counts, in units of [`COUNT_UNIT`]: a name or a synonym says
/// in a word what the text is about, so it counts double or half as much again.
pub const FIELD_UNITS: [u16; FIELDS] = [16, 12, 8, 8, 8];

/// One document to store: its number, its language and its five analysed texts.
///
/// In a field that holds several values (synonyms, key nouns) each value is one inner list.
#[derive(Debug, Clone)]
pub struct NewDocument<'a> {
    /// Its number in the store; documents arrive in rising order.
    pub id: i64,
    /// The language that its body was read in.
    pub language: Language,
    /// The analysed values of each field.
    pub fields: [&'a [Vec<Form>]; FIELDS],
    /// What is known of it beside.
    pub attributes: NewAttributes<'a>,
}

/// An in-memory index over the documents of one store.
#[derive(Debug, Default)]
pub struct Index {
    vocabulary: Vocabulary,
    documents: Documents,
    postings: Vec<Postings>,
    scratch: ScratchPool,
    grams: OnceLock<Grams>,
    serial: Serial,
}

/// A number that no other index of this process has, so that what is computed for one is never
/// taken for another's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Serial(u64);

impl Default for Serial {
    fn default() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl Index {
    /// An empty index.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many documents it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.documents.live()
    }

    /// Whether it holds nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many documents are in the language.
    #[must_use]
    pub fn count_of_language(&self, language: Language) -> usize {
        self.documents.count_of_language(language)
    }

    /// The words and terms that it knows.
    #[must_use]
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// In how many documents a term occurs.
    #[must_use]
    pub fn document_frequency(&self, term: &str) -> usize {
        self.vocabulary.term(term).map_or(0, |term| self.postings[term as usize].len())
    }

    /// The terms of documents that share nearly all their letters with a term, by descending
    /// documents and then spelling; itself left out.
    #[must_use]
    pub fn kin(&self, term: &str) -> Vec<&str> {
        let documents = |number: u32| self.postings[number as usize].len();
        let mut found: Vec<(usize, &str)> = self
            .vocabulary
            .kin(term)
            .map(|number| (documents(number), self.vocabulary.term_text(number)))
            .filter(|&(documents, _)| documents > 0)
            .collect();
        found.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
        found.into_iter().map(|(_, term)| term).collect()
    }

    /// Whether the index holds a document of this number.
    #[must_use]
    pub fn contains(&self, id: i64) -> bool {
        self.documents.slot_of(id).is_some()
    }

    /// Stores a document, in place of an older one of the same number.
    ///
    /// # Errors
    ///
    /// [`KernelError::OutOfRange`] when the number is new but not above all others: the order of
    /// storage carries meaning here, so such an index must be built again.
    pub fn put(&mut self, document: &NewDocument<'_>) -> Result<(), KernelError> {
        let slot = match self.documents.place_of(document.id) {
            Some(slot) if self.documents.is_alive(slot) => {
                self.remove_postings(slot);
                slot
            }
            Some(slot) => slot,
            None => self.documents.append(document.id)?,
        };
        let mut forms: Vec<u32> = Vec::new();
        let mut ends = [0_u32; FIELDS];
        let mut length = 0_u32;
        let start = self.documents.next_start()?;
        for (field, values) in document.fields.iter().enumerate() {
            for (nth, value) in values.iter().enumerate() {
                if nth > 0 {
                    forms.push(documents::VALUE_END);
                }
                for form in value {
                    let form_id = self.vocabulary.add(form);
                    forms.push(form_id);
                    // A name labels the text, it does not lengthen it.
                    length += u32::from(!form.whole && field != Field::Name as usize);
                }
            }
            ends[field] = start + u32::try_from(forms.len()).unwrap_or(u32::MAX);
        }
        self.documents.set(slot, document.language, length, &forms, ends, &document.attributes);
        self.add_postings(slot);
        Ok(())
    }

    /// Forgets a document; `false` when there was none of this number.
    pub fn delete(&mut self, id: i64) -> bool {
        let Some(slot) = self.documents.slot_of(id) else { return false };
        self.remove_postings(slot);
        self.documents.kill(slot);
        true
    }

    /// Bytes on the heap, for reports.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.vocabulary.heap_bytes()
            + self.documents.heap_bytes()
            + self.scratch.heap_bytes()
            + self.grams.get().map_or(0, Grams::heap_bytes)
            + self.postings.iter().map(Postings::heap_bytes).sum::<usize>()
            + self.postings.capacity() * std::mem::size_of::<Postings>()
    }

    /// Gives back what growing by doubling took too much; worth it after a bulk load.
    pub fn shrink(&mut self) {
        self.vocabulary.shrink();
        self.documents.shrink();
        self.postings.iter_mut().for_each(Postings::shrink);
        self.postings.shrink_to_fit();
        if let Some(grams) = self.grams.get_mut() {
            grams.shrink();
        }
    }

    /// Whether a form is a mark between values, or a compound piece beside its parts.
    fn is_no_word(&self, form: u32) -> bool {
        form == documents::VALUE_END || self.vocabulary.is_whole(form)
    }

    /// Counts of each term of a document, weighted by field, in units of [`COUNT_UNIT`].
    fn counts_of(&self, slot: u32) -> Vec<(u32, u16)> {
        let mut counts: Vec<(u32, u16)> = self
            .documents
            .forms(slot)
            .map(|(field, form)| (self.vocabulary.term_of(form), FIELD_UNITS[field]))
            .collect();
        counts.sort_unstable_by_key(|&(term, _)| term);
        counts.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = kept.1.saturating_add(next.1);
            }
            same
        });
        counts
    }

    fn add_postings(&mut self, slot: u32) {
        self.postings.resize_with(self.vocabulary.terms(), Postings::default);
        for (term, count) in self.counts_of(slot) {
            self.postings[term as usize].insert(slot, count);
        }
        for form in self.documents.distinct_forms(slot) {
            self.vocabulary.count_document(form, 1);
        }
        if let Some(grams) = self.grams.get_mut() {
            grams.add(&self.vocabulary, &self.documents, slot);
        }
    }

    fn remove_postings(&mut self, slot: u32) {
        for (term, _) in self.counts_of(slot) {
            self.postings[term as usize].remove(slot);
        }
        for form in self.documents.distinct_forms(slot) {
            self.vocabulary.count_document(form, -1);
        }
        if let Some(grams) = self.grams.get_mut() {
            grams.remove(&self.documents, slot);
        }
    }

    /// The trigrams of the documents' words; the first to ask makes the table.
    fn grams(&self) -> &Grams {
        self.grams.get_or_init(|| Grams::of(&self.vocabulary, &self.documents))
    }
}

/// The count that one plain occurrence in the body gives.
#[must_use]
pub fn plain_count() -> f32 {
    f32::from(FIELD_UNITS[Field::Body as usize]) * COUNT_UNIT
}

#[cfg(test)]
mod tests;
