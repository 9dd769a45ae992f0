//! Documents and questions in a space of term vectors, and how close they lie there.
//!
//! A space is a row a term, found by its spelling, and the term's weight at the time of training:
//! a document's vector follows from its words and the space alone, whenever it is computed. It is
//! kept in a byte a dimension and computed when it is first needed, so a document that was stored
//! after the space was trained takes part at once (fold-in).

use std::sync::{PoisonError, RwLock, RwLockWriteGuard};

use rustc_hash::FxHashMap;

use super::search::{Candidate, Group};
use super::{COUNT_UNIT, Index};
use crate::kernels::error::KernelError;

/// No row, no version.
const NONE: u32 = u32::MAX;

/// Term vectors of one training.
#[derive(Debug)]
pub struct VectorSpace {
    dims: usize,
    rows: FxHashMap<String, u32>,
    weights: Vec<f32>,
    scales: Vec<f32>,
    /// A byte a dimension; times the row's scale it is the vector.
    vectors: Vec<i8>,
    known: RwLock<Known>,
}

/// What was computed so far for one index.
#[derive(Debug, Default)]
struct Known {
    /// Which index.
    serial: u64,
    /// Of each term of the index its row, or [`NONE`]; terms beyond its end were not looked up.
    row_of_term: Vec<u32>,
    /// Of each slot which text its vector is of, or [`NONE`].
    versions: Vec<u32>,
    scales: Vec<f32>,
    documents: Vec<i8>,
}

impl VectorSpace {
    /// A space of these terms, each with its weight and its row of `dims` bytes, which times the
    /// row's scale are its vector.
    ///
    /// # Errors
    ///
    /// [`KernelError`] when the parts do not fit together.
    pub fn new(
        terms: Vec<String>,
        weights: Vec<f32>,
        scales: Vec<f32>,
        vectors: Vec<i8>,
        dims: usize,
    ) -> Result<Self, KernelError> {
        let fits = |what, expected, found| {
            if expected == found {
                Ok(())
            } else {
                Err(KernelError::Shape { what, expected, found })
            }
        };
        if dims == 0 {
            let rule = "must be 1 or more".to_owned();
            return Err(KernelError::OutOfRange { what: "dims", rule });
        }
        fits("weights", terms.len(), weights.len())?;
        fits("scales", terms.len(), scales.len())?;
        fits("vectors", terms.len() * dims, vectors.len())?;
        let rows = terms.into_iter().zip(0..).collect();
        Ok(Self { dims, rows, weights, scales, vectors, known: RwLock::default() })
    }

    /// How many dimensions it has.
    #[must_use]
    pub fn dims(&self) -> usize {
        self.dims
    }

    /// Whether it has a vector for a term.
    #[must_use]
    pub fn knows(&self, term: &str) -> bool {
        self.rows.contains_key(term)
    }

    /// The vector of a question, of length 1; zeros when none of its words has one. Alternatives
    /// count by their weights.
    #[must_use]
    pub fn question_vector(&self, groups: &[Group]) -> Vec<f32> {
        let mut sum = vec![0.0_f32; self.dims];
        for group in groups {
            for alternative in &group.alternatives {
                if let Some(&row) = self.rows.get(&alternative.term) {
                    let weight = group.boost * alternative.weight * self.weights[row as usize];
                    self.add(row, weight, &mut sum);
                }
            }
        }
        unit(&mut sum);
        sum
    }

    /// The cosine of a question and each candidate, 0 where it is negative or not known.
    #[must_use]
    pub fn cosines(&self, index: &Index, question: &[f32], candidates: &[Candidate]) -> Vec<f32> {
        let of_all = |known: &Known| {
            candidates.iter().map(|held| known.cosine(held.slot, question)).collect::<Vec<_>>()
        };
        // Nearly always all of them are known, and then searches do not wait for each other.
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if candidates.iter().all(|held| known.is_current(index, held.slot)) {
            return of_all(&known);
        }
        drop(known);
        let mut known = self.known_of(index);
        for candidate in candidates {
            self.compute(index, candidate.slot, &mut known);
        }
        of_all(&known)
    }

    /// The `limit` documents nearest a question, nearest first and then by number, with their
    /// cosines; none that is not above 0. `allowed` says which slots may be returned.
    #[must_use]
    pub fn nearest(&self, index: &Index, question: &[f32], limit: usize) -> Vec<(i64, f32)> {
        let mut known = self.known_of(index);
        let slots = (0..index.documents.end()).filter(|&slot| index.documents.is_alive(slot));
        let mut found: Vec<(i64, f32)> = Vec::new();
        for slot in slots {
            self.compute(index, slot, &mut known);
            let cosine = known.cosine(slot, question);
            if cosine > 0.0 {
                found.push((index.documents.id(slot), cosine));
            }
        }
        found.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.truncate(limit);
        found
    }

    /// Bytes on the heap, for reports.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        self.vectors.capacity()
            + (self.scales.capacity() + self.weights.capacity()) * 4
            + self.rows.keys().map(|term| term.capacity() + 32).sum::<usize>()
            + known.documents.capacity()
            + (known.row_of_term.capacity() + known.versions.capacity() + known.scales.capacity())
                * 4
    }

    fn known_of(&self, index: &Index) -> RwLockWriteGuard<'_, Known> {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.serial != index.serial.0 {
            *known = Known { serial: index.serial.0, ..Known::default() };
        }
        let from = known.row_of_term.len();
        for term in from..index.vocabulary.terms() {
            let term = u32::try_from(term).unwrap_or(NONE);
            let row = self.rows.get(index.vocabulary.term_text(term)).copied();
            known.row_of_term.push(row.unwrap_or(NONE));
        }
        let slots = index.documents.slots();
        known.versions.resize(slots, NONE);
        known.scales.resize(slots, 0.0);
        known.documents.resize(slots * self.dims, 0);
        known
    }

    fn compute(&self, index: &Index, slot: u32, known: &mut Known) {
        let version = index.documents.version(slot);
        if known.versions[slot as usize] == version {
            return;
        }
        let mut sum = vec![0.0_f32; self.dims];
        let mut counts: Vec<(u32, f32)> = index
            .counts_of(slot)
            .into_iter()
            .map(|(term, count)| (known.row_of_term[term as usize], f32::from(count) * COUNT_UNIT))
            .filter(|&(row, _)| row != NONE)
            .collect();
        // By the space's own order: numbers of terms differ between processes, and so would sums.
        counts.sort_unstable_by_key(|&(row, _)| row);
        for (row, count) in counts {
            self.add(row, count.ln_1p() * self.weights[row as usize], &mut sum);
        }
        unit(&mut sum);
        let at = slot as usize;
        known.versions[at] = version;
        let kept = &mut known.documents[at * self.dims..(at + 1) * self.dims];
        known.scales[at] = quantise(&sum, kept);
    }

    fn add(&self, row: u32, weight: f32, sum: &mut [f32]) {
        let start = row as usize * self.dims;
        let weight = weight * self.scales[row as usize];
        for (sum, &value) in sum.iter_mut().zip(&self.vectors[start..start + self.dims]) {
            *sum += weight * f32::from(value);
        }
    }
}

impl Known {
    /// Whether the vector of a document is of the text that the index holds now.
    fn is_current(&self, index: &Index, slot: u32) -> bool {
        self.serial == index.serial.0
            && self.versions.get(slot as usize) == Some(&index.documents.version(slot))
    }

    fn cosine(&self, slot: u32, question: &[f32]) -> f32 {
        let start = slot as usize * question.len();
        let held = &self.documents[start..start + question.len()];
        let product: f32 = held.iter().zip(question).map(|(&a, b)| f32::from(a) * b).sum();
        (product * self.scales[slot as usize]).clamp(0.0, 1.0)
    }
}

/// Writes a vector as bytes; what each byte is to be multiplied by.
#[allow(clippy::cast_possible_truncation)] // between -127 and 127
fn quantise(vector: &[f32], bytes: &mut [i8]) -> f32 {
    let most = vector.iter().fold(0.0_f32, |most, value| most.max(value.abs()));
    for (byte, value) in bytes.iter_mut().zip(vector) {
        *byte = if most > 0.0 { (value / most * 127.0).round() as i8 } else { 0 };
    }
    most / 127.0
}

fn unit(vector: &mut [f32]) {
    let size = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    if size > 0.0 {
        for value in vector {
            *value /= size;
        }
    }
}

/// Counts of the terms of all documents, a row a term: what a space is trained on.
#[derive(Debug, Default)]
pub struct TermMatrix {
    /// By spelling.
    pub terms: Vec<String>,
    /// Where each term's counts begin, and where the last one's end.
    pub starts: Vec<u32>,
    /// The document of each count, by order of storage.
    pub columns: Vec<u32>,
    /// Weighted by field.
    pub counts: Vec<f32>,
    /// How many documents there are.
    pub documents: usize,
}

impl Index {
    /// The counts of all terms that at least `fewest` documents hold.
    #[must_use]
    pub fn term_matrix(&self, fewest: usize) -> TermMatrix {
        let mut place = vec![0_u32; self.documents.slots()];
        let mut documents = 0_u32;
        for slot in 0..self.documents.end() {
            if self.documents.is_alive(slot) {
                place[slot as usize] = documents;
                documents += 1;
            }
        }
        let mut terms: Vec<(&str, &super::Postings)> = (0..)
            .zip(&self.postings)
            .filter(|(_, postings)| postings.len() >= fewest.max(1))
            .map(|(term, postings)| (self.vocabulary.term_text(term), postings))
            .collect();
        terms.sort_unstable_by_key(|&(text, _)| text);
        let mut matrix =
            TermMatrix { starts: vec![0], documents: documents as usize, ..TermMatrix::default() };
        for (text, postings) in terms {
            matrix.terms.push(text.to_owned());
            for (slot, count) in postings.iter() {
                matrix.columns.push(place[slot as usize]);
                matrix.counts.push(count * COUNT_UNIT);
            }
            matrix.starts.push(u32::try_from(matrix.columns.len()).unwrap_or(u32::MAX));
        }
        matrix
    }
}

#[cfg(test)]
mod tests;
