//! The ranked index of one store.

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::kernels::error::KernelError;
use crate::kernels::expansion::{
    Dictionary, ExpansionOptions, add_domain_words, add_foreign_words, expand,
};
use crate::kernels::index::affinity::Affinity;
use crate::kernels::index::attributes::NewAttributes;
use crate::kernels::index::certainty::{Hidden, LOOKED_AT};
use crate::kernels::index::search::{Order, SearchOptions};
use crate::kernels::index::{Index, NewDocument};
use crate::kernels::text::analysis::analyse_question;
use crate::kernels::text::language::LanguageEvidence;
use crate::kernels::text::stem::Language;
use crate::kernels::text::traits::{Speaker, key_of};

use super::documents::AnalysedDocuments;
use super::lexicon::Lexicon;
use super::question::PreparedQuestion;
use super::ranked::Ranked;
use super::spaces::VectorSpace;

/// The engine's own BM25 constants, for look-ups that have no settings.
const BEST_K1: f32 = 0.9;
const BEST_B: f32 = 0.5;

/// Links to make for one memory: the other one, the relation, the weight.
type Links = Vec<(i64, &'static str, f32)>;

type TermCounts<'py> = (
    Vec<String>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<f32>>,
    usize,
);

/// The ranked text index of one store. Searches run side by side; a write waits for them.
#[pyclass(frozen, module = "biorag._native")]
pub struct TextIndex {
    index: RwLock<Index>,
}

impl TextIndex {
    // A panic while the lock was held can't leave the index half-written in a way that a rebuild
    // would not mend, and a poisoned lock would take the memory away for good.
    pub(super) fn read(&self) -> RwLockReadGuard<'_, Index> {
        self.index.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Index> {
        self.index.write().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl TextIndex {
    #[new]
    fn new() -> Self {
        Self { index: RwLock::new(Index::new()) }
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        py.detach(|| self.read().len())
    }

    fn __contains__(&self, py: Python<'_>, id: i64) -> bool {
        py.detach(|| self.read().contains(id))
    }

    /// How many documents are in English and in Spanish.
    fn count_by_language(&self, py: Python<'_>) -> (usize, usize) {
        py.detach(|| {
            let index = self.read();
            let count = |language| index.count_of_language(language);
            (count(Language::English), count(Language::Spanish))
        })
    }

    fn heap_bytes(&self, py: Python<'_>) -> usize {
        py.detach(|| self.read().heap_bytes())
    }

    fn shrink(&self, py: Python<'_>) {
        py.detach(|| self.write().shrink());
    }

    fn document_frequency(&self, py: Python<'_>, term: &str) -> usize {
        py.detach(|| self.read().document_frequency(term))
    }

    fn order_milestone(&self, py: Python<'_>) -> usize {
        py.detach(|| self.read().order_milestone())
    }

    fn trust_in_order(&self, py: Python<'_>) -> f32 {
        py.detach(|| self.read().trust_in_order())
    }

    #[pyo3(signature = (ids, documents, created_at=None, authors=None))]
    #[allow(clippy::needless_pass_by_value)] // PyO3 hands over what it has converted
    fn put(
        &self,
        py: Python<'_>,
        ids: Vec<i64>,
        documents: PyRef<'_, AnalysedDocuments>,
        created_at: Option<Vec<f64>>,
        authors: Option<Vec<Option<String>>>,
    ) -> PyResult<()> {
        let documents = &documents.documents;
        let fits = |what: &'static str, found: usize| match documents.len() {
            expected if expected == found => Ok(()),
            expected => Err(KernelError::Shape { what, expected, found }),
        };
        let created_at = created_at.unwrap_or_else(|| vec![0.0; documents.len()]);
        let authors = authors.unwrap_or_else(|| vec![None; documents.len()]);
        fits("ids", ids.len())?;
        fits("created_at", created_at.len())?;
        fits("authors", authors.len())?;
        py.detach(|| {
            let mut index = self.write();
            let about = ids.iter().zip(created_at).zip(&authors);
            about.zip(documents).try_for_each(|(((&id, created_at), author), document)| {
                let fields = document.fields.each_ref().map(Vec::as_slice);
                // Whoever is named as the author speaks, whatever the text begins with.
                let author = author
                    .as_deref()
                    .map(|author| Speaker { name: key_of(author), labelled: true });
                let attributes = NewAttributes {
                    created_at,
                    traits: document.traits,
                    speaker: author.as_ref().or(document.speaker.as_ref()),
                    function_words: &document.function_words,
                };
                index.put(&NewDocument { id, language: document.language, fields, attributes })
            })
        })?;
        Ok(())
    }

    /// Forgets documents; how many of them were there.
    #[allow(clippy::needless_pass_by_value)] // PyO3 hands over what it has converted
    fn delete(&self, py: Python<'_>, ids: Vec<i64>) -> usize {
        py.detach(|| {
            let mut index = self.write();
            ids.iter().filter(|&&id| index.delete(id)).count()
        })
    }

    /// Analyses a question and finds what stands for its words.
    #[pyo3(signature = (text, lexicon, /, *, protected, meanings, spellings))]
    #[allow(clippy::needless_pass_by_value)] // PyO3 hands over what it has converted
    fn prepare(
        &self,
        py: Python<'_>,
        text: &str,
        lexicon: Option<Py<Lexicon>>,
        protected: Vec<String>,
        meanings: bool,
        spellings: bool,
    ) -> PreparedQuestion {
        py.detach(|| {
            let index = self.read();
            let english = index.count_of_language(Language::English);
            let spanish = index.count_of_language(Language::Spanish);
            let fallback = if spanish > english { Language::Spanish } else { Language::English };
            let evidence =
                lexicon.as_ref().map(|lexicon| &lexicon.get().0 as &dyn LanguageEvidence);
            let question = analyse_question(text, fallback, evidence);
            let dictionary = lexicon.as_ref().map(|lexicon| &lexicon.get().0 as &dyn Dictionary);
            let options = ExpansionOptions { meanings, spellings };
            let words = expand(&question, &index, dictionary, &protected, options);
            PreparedQuestion::new(question, words)
        })
    }

    /// The question with what a dictionary of further languages says of each of its words.
    #[allow(clippy::needless_pass_by_value)] // PyO3 hands over what it has converted
    fn with_foreign_words(
        &self,
        py: Python<'_>,
        question: PyRef<'_, PreparedQuestion>,
        found: Vec<Vec<(String, f32)>>,
    ) -> PyResult<PreparedQuestion> {
        check_a_list_a_word(&question, &found)?;
        let mut words = question.words.clone();
        let question = question.question.clone();
        py.detach(|| add_foreign_words(&mut words, &self.read(), &found));
        Ok(PreparedQuestion::new(question, words))
    }

    /// The question with what the store's own texts use together with each of its words. What it
    /// asks stays: such words find candidates and are no evidence that one of them answers.
    #[allow(clippy::needless_pass_by_value)] // PyO3 hands over what it has converted
    fn with_domain_words(
        &self,
        py: Python<'_>,
        question: PyRef<'_, PreparedQuestion>,
        found: Vec<Vec<(String, f32)>>,
    ) -> PyResult<PreparedQuestion> {
        check_a_list_a_word(&question, &found)?;
        let mut words = question.words.clone();
        let (question, asked) = (question.question.clone(), question.asked.clone());
        py.detach(|| add_domain_words(&mut words, &self.read(), &found));
        let groups = words.iter().map(|word| word.group.clone()).collect();
        Ok(PreparedQuestion { question, words, groups, asked })
    }

    /// Ranks the documents for a question and looks up where its words are in each candidate.
    #[pyo3(signature = (question, /, *, k1, b, trust_in_order, fit, space, order, limit, allowed, excluded, included))]
    #[allow(clippy::too_many_arguments)] // named on the Python side, where the options are spelt out
    #[allow(clippy::needless_pass_by_value)] // PyO3 hands over what it has converted
    fn search(
        &self,
        py: Python<'_>,
        question: PyRef<'_, PreparedQuestion>,
        k1: f32,
        b: f32,
        trust_in_order: f32,
        fit: bool,
        space: Option<Py<VectorSpace>>,
        order: &str,
        limit: usize,
        allowed: Option<Vec<i64>>,
        excluded: Vec<i64>,
        included: Vec<i64>,
    ) -> PyResult<Ranked> {
        let order = match order {
            "relevance" => Order::Relevance,
            "newest" => Order::Newest,
            "oldest" => Order::Oldest,
            other => {
                let rule = format!("{other:?} is not one of relevance, newest, oldest");
                return Err(KernelError::OutOfRange { what: "order", rule }.into());
            }
        };
        let (groups, meanings) = (&question.groups, question.meanings());
        let (asked, literal) = (&question.question, &question.asked);
        let space = space.as_ref().map(|space| &space.get().0);
        let (ranking, evidence, cosines, certainty) = py.detach(|| {
            let index = self.read();
            let options = SearchOptions {
                k1,
                b,
                trust_in_order,
                asking: fit.then_some(&asked.asking),
                order,
                limit,
                allowed: allowed.as_deref(),
                excluded: &excluded,
                included: &included,
            };
            let ranking = index.search(groups, &options)?;
            let function_words = asked.function_words();
            let evidence = index.evidence(
                &ranking.candidates,
                groups,
                &ranking.idf,
                &function_words,
                &options,
            );
            let cosines = space.map_or_else(Vec::new, |space| {
                space.cosines(&index, &space.question_vector(groups), &ranking.candidates)
            });
            let mut certainty =
                index.certainty(&ranking.candidates, &meanings, literal, &Hidden::default())?;
            certainty.gram_cosine.resize(ranking.candidates.len(), 0.0);
            certainty.evidence.resize(ranking.candidates.len(), 0.0);
            Ok::<_, KernelError>((ranking, evidence, cosines, certainty))
        })?;
        Ok(Ranked::of(py, ranking, evidence, cosines, certainty))
    }

    /// Counts of the terms that at least `fewest` documents hold: terms by spelling, where the
    /// counts of each begin and end, the document of each count, the counts, and how many documents
    /// there are.
    fn term_matrix<'py>(&self, py: Python<'py>, fewest: usize) -> TermCounts<'py> {
        let matrix = py.detach(|| self.read().term_matrix(fewest));
        (
            matrix.terms,
            matrix.starts.into_pyarray(py),
            matrix.columns.into_pyarray(py),
            matrix.counts.into_pyarray(py),
            matrix.documents,
        )
    }

    /// How sure it is that a store without the hidden documents answers a question.
    #[allow(clippy::needless_pass_by_value)] // PyO3 hands over what it has converted
    fn certainty(
        &self,
        py: Python<'_>,
        question: PyRef<'_, PreparedQuestion>,
        hidden: Vec<i64>,
    ) -> PyResult<f32> {
        let (groups, asked) = (&question.groups, &question.asked);
        let certainty = py.detach(|| {
            let index = self.read();
            let options = SearchOptions {
                k1: BEST_K1,
                b: BEST_B,
                trust_in_order: 0.0,
                asking: None,
                order: Order::Relevance,
                limit: LOOKED_AT,
                allowed: None,
                excluded: &hidden,
                included: &[],
            };
            let ranking = index.search(groups, &options)?;
            index.certainty(&ranking.candidates, groups, asked, &index.hide(&hidden))
        })?;
        Ok(certainty.value)
    }

    /// The numbers of the documents, rising.
    fn ids(&self, py: Python<'_>) -> Vec<i64> {
        py.detach(|| self.read().ids())
    }

    /// The numbers of the `limit` documents most like a document, best first.
    fn nearest(&self, py: Python<'_>, id: i64, limit: usize) -> Vec<i64> {
        py.detach(|| self.read().nearest(id, limit))
    }

    /// Of each document the links that the rules make for it: number, relation, weight.
    fn affinities(&self, py: Python<'_>, ids: Vec<i64>) -> Vec<Links> {
        py.detach(|| {
            let index = self.read();
            let of = |id| index.own_words(id).map(|own| index.affinities(&own));
            ids.into_iter().map(|id| links(of(id).unwrap_or_default())).collect()
        })
    }

    /// The same of documents that are not stored yet.
    #[allow(clippy::needless_pass_by_value)] // PyO3 hands over what it has converted
    fn affinities_of(&self, py: Python<'_>, documents: PyRef<'_, AnalysedDocuments>) -> Vec<Links> {
        let documents = &documents.documents;
        py.detach(|| {
            let index = self.read();
            documents
                .iter()
                .map(|document| links(index.affinities(&index.own_words_of(document.terms()))))
                .collect()
        })
    }

    /// How closely the words of each pair of documents go together, in [0, 1].
    fn npmi(&self, py: Python<'_>, pairs: Vec<(i64, i64)>) -> Vec<f32> {
        py.detach(|| {
            let index = self.read();
            pairs.into_iter().map(|(one, other)| index.npmi(one, other).clamp(0.0, 1.0)).collect()
        })
    }

    /// The distinct words of a document by spelling, each with how many documents hold it.
    fn document_words(&self, py: Python<'_>, id: i64) -> Vec<(String, u32)> {
        py.detach(|| self.read().document_words(id))
    }

    /// The numbers of the best `limit` documents, for a caller that needs no more of them.
    #[allow(clippy::needless_pass_by_value)] // PyO3 hands over what it has converted
    fn best(
        &self,
        py: Python<'_>,
        question: PyRef<'_, PreparedQuestion>,
        limit: usize,
    ) -> PyResult<Vec<i64>> {
        let groups = &question.groups;
        let ranking = py.detach(|| {
            let options = SearchOptions {
                k1: BEST_K1,
                b: BEST_B,
                trust_in_order: 0.0,
                asking: None,
                order: Order::Relevance,
                limit,
                allowed: None,
                excluded: &[],
                included: &[],
            };
            self.read().search(groups, &options)
        })?;
        Ok(ranking.candidates.iter().map(|candidate| candidate.id).collect())
    }

    fn to_bytes<'py>(&self, py: Python<'py>, stamp: &str) -> Bound<'py, PyBytes> {
        let bytes = py.detach(|| self.read().to_bytes(stamp));
        PyBytes::new(py, &bytes)
    }

    /// The index and the stamp that `to_bytes` wrote.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<(Self, String)> {
        let (index, stamp) = py.detach(|| Index::from_bytes(bytes))?;
        Ok((Self { index: RwLock::new(index) }, stamp))
    }

    /// Words of the store within `max_distance` slips of a word, nearest first.
    fn near(&self, py: Python<'_>, word: &str, max_distance: u8) -> Vec<(String, u8)> {
        py.detach(|| {
            let index = self.read();
            let near = index.vocabulary().near(word, max_distance);
            near.into_iter().map(|(word, distance)| (word.to_owned(), distance)).collect()
        })
    }
}

fn links(found: Vec<Affinity>) -> Links {
    found.into_iter().map(|link| (link.other, link.rule.name(), link.weight)).collect()
}

fn check_a_list_a_word(
    question: &PreparedQuestion,
    found: &[Vec<(String, f32)>],
) -> Result<(), KernelError> {
    let (expected, found) = (question.words.len(), found.len());
    if found == expected {
        Ok(())
    } else {
        Err(KernelError::Shape { what: "found", expected, found })
    }
}

/// Adds this family to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<TextIndex>()
}
