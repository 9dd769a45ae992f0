//! What a search gives back: arrays, one row a candidate.

use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;

use crate::kernels::index::certainty::Certainty;
use crate::kernels::index::evidence::Evidence;
use crate::kernels::index::search::{Candidate, Ranking};

/// The candidates of a question: one row a candidate, best first.
#[pyclass(frozen, get_all, module = "biorag._native")]
pub struct Ranked {
    ids: Py<PyArray1<i64>>,
    bm25: Py<PyArray1<f32>>,
    lent: Py<PyArray1<f32>>,
    fit: Py<PyArray1<f32>>,
    relevance: Py<PyArray1<f32>>,
    idf: Py<PyArray1<f32>>,
    found: Py<PyArray1<i16>>,
    counts: Py<PyArray1<f32>>,
    field_share: Py<PyArray1<f32>>,
    coverage: Py<PyArray1<f32>>,
    lengths: Py<PyArray1<f32>>,
    named: Py<PyArray1<bool>>,
    synonym: Py<PyArray1<f32>>,
    spelt: Py<PyArray1<f32>>,
    pairs: Py<PyArray1<f32>>,
    function_words: Py<PyArray1<f32>>,
    feedback: Py<PyArray1<f32>>,
    cosines: Py<PyArray1<f32>>,
    gram_cosine: Py<PyArray1<f32>>,
    evidence: Py<PyArray1<f32>>,
    certainty: f32,
    matched: usize,
}

impl Ranked {
    /// Puts together what was found out about the candidates of a ranking.
    pub(super) fn of(
        py: Python<'_>,
        ranking: Ranking,
        evidence: Evidence,
        cosines: Vec<f32>,
        certainty: Certainty,
    ) -> Self {
        let column = |of: fn(&Candidate) -> f32| {
            let values: Vec<f32> = ranking.candidates.iter().map(of).collect();
            values.into_pyarray(py).unbind()
        };
        let ids: Vec<i64> = ranking.candidates.iter().map(|candidate| candidate.id).collect();
        Self {
            ids: ids.into_pyarray(py).unbind(),
            bm25: column(|candidate| candidate.bm25),
            lent: column(|candidate| candidate.lent),
            fit: column(|candidate| candidate.fit),
            relevance: column(|candidate| candidate.relevance),
            idf: ranking.idf.into_pyarray(py).unbind(),
            found: evidence.found.into_pyarray(py).unbind(),
            counts: evidence.counts.into_pyarray(py).unbind(),
            field_share: evidence.field_share.into_pyarray(py).unbind(),
            coverage: evidence.coverage.into_pyarray(py).unbind(),
            lengths: evidence.lengths.into_pyarray(py).unbind(),
            named: evidence.named.into_pyarray(py).unbind(),
            synonym: evidence.synonym.into_pyarray(py).unbind(),
            spelt: evidence.spelt.into_pyarray(py).unbind(),
            pairs: evidence.pairs.into_pyarray(py).unbind(),
            function_words: evidence.function_words.into_pyarray(py).unbind(),
            feedback: evidence.feedback.into_pyarray(py).unbind(),
            cosines: cosines.into_pyarray(py).unbind(),
            gram_cosine: certainty.gram_cosine.into_pyarray(py).unbind(),
            evidence: certainty.evidence.into_pyarray(py).unbind(),
            certainty: certainty.value,
            matched: ranking.matched,
        }
    }
}

/// Adds this family to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Ranked>()
}
