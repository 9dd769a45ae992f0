//! Bindings of the ranking kernels. Arrays come read-only and contiguous from `biorag.kernels`.

// Python's arguments arrive as owned handles.
#![allow(clippy::needless_pass_by_value)]

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::kernels::limbic::{self, Candidates, CooccurrenceRows, LimbicParameters};
use crate::kernels::similarity::{self, Parts};

type Single<'py> = PyReadonlyArray1<'py, f32>;

#[pyfunction]
#[pyo3(signature = (bm25, function_words, lent, fit, share, /))]
fn share_out<'py>(
    py: Python<'py>,
    bm25: Single<'py>,
    function_words: Single<'py>,
    lent: Single<'py>,
    fit: Single<'py>,
    share: f64,
) -> PyResult<(FloatsOut<'py>, FloatsOut<'py>, FloatsOut<'py>)> {
    let parts = Parts {
        bm25: bm25.as_slice()?,
        function_words: function_words.as_slice()?,
        lent: lent.as_slice()?,
        fit: fit.as_slice()?,
    };
    let shares = similarity::share_out(parts, share)?;
    Ok((shares.words.into_pyarray(py), shares.loan.into_pyarray(py), shares.fit.into_pyarray(py)))
}

#[pyfunction]
#[pyo3(signature = (query_counts, counts, lengths, /))]
fn jensen_shannon_similarity<'py>(
    py: Python<'py>,
    query_counts: PyReadonlyArray1<'py, f64>,
    counts: PyReadonlyArray2<'py, f64>,
    lengths: PyReadonlyArray1<'py, f64>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (query_counts, counts, lengths) =
        (query_counts.as_slice()?, counts.as_slice()?, lengths.as_slice()?);
    let similarities =
        py.detach(|| similarity::jensen_shannon_similarity(query_counts, counts, lengths))?;
    Ok(similarities.into_pyarray(py))
}

/// `biorag.kernels.ranking.LimbicParameters`, field by field.
#[derive(FromPyObject)]
struct ParametersIn {
    beta_salience: f64,
    beta_degree: f64,
    degree_cap: f64,
    decay_per_hour: f64,
    gamma: f64,
    temporal_floor: f64,
    cooccurrence_floor: f64,
}

impl From<ParametersIn> for LimbicParameters {
    fn from(parameters: ParametersIn) -> Self {
        Self {
            beta_salience: parameters.beta_salience,
            beta_degree: parameters.beta_degree,
            degree_cap: parameters.degree_cap,
            decay_per_hour: parameters.decay_per_hour,
            gamma: parameters.gamma,
            temporal_floor: parameters.temporal_floor,
            cooccurrence_floor: parameters.cooccurrence_floor,
        }
    }
}

type Integers<'py> = PyReadonlyArray1<'py, i64>;
type Floats<'py> = PyReadonlyArray1<'py, f64>;
type FloatsOut<'py> = Bound<'py, PyArray1<f64>>;

#[pyfunction]
#[pyo3(signature = (candidates, max_accesses, rows, parameters, /))]
fn limbic_scores<'py>(
    py: Python<'py>,
    candidates: (Integers<'py>, Floats<'py>, Floats<'py>, Floats<'py>, Floats<'py>),
    max_accesses: f64,
    rows: (Integers<'py>, Integers<'py>, Floats<'py>, Floats<'py>),
    parameters: ParametersIn,
) -> PyResult<(FloatsOut<'py>, FloatsOut<'py>, FloatsOut<'py>, FloatsOut<'py>)> {
    let candidates = Candidates {
        ids: candidates.0.as_slice()?,
        base: candidates.1.as_slice()?,
        accesses: candidates.2.as_slice()?,
        degrees: candidates.3.as_slice()?,
        hours: candidates.4.as_slice()?,
        max_accesses,
    };
    let rows = CooccurrenceRows {
        row_starts: rows.0.as_slice()?,
        neighbours: rows.1.as_slice()?,
        counts: rows.2.as_slice()?,
        hours: rows.3.as_slice()?,
    };
    let parameters = parameters.into();
    let scored = py.detach(|| limbic::limbic_scores(candidates, rows, &parameters))?;
    Ok((
        scored.scores.into_pyarray(py),
        scored.importance.into_pyarray(py),
        scored.temporal.into_pyarray(py),
        scored.cooccurrence.into_pyarray(py),
    ))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(share_out, module)?)?;
    module.add_function(wrap_pyfunction!(jensen_shannon_similarity, module)?)?;
    module.add_function(wrap_pyfunction!(limbic_scores, module)?)?;
    Ok(())
}
