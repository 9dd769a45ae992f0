//! Bindings of the edit distances.

// Python's arguments arrive as owned handles.
#![allow(clippy::needless_pass_by_value)]

use std::sync::{PoisonError, RwLock};

use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

use crate::kernels::levenshtein::{self, Metric};

fn metric(transpositions: bool) -> Metric {
    if transpositions { Metric::Osa } else { Metric::Levenshtein }
}

#[pyfunction]
#[pyo3(signature = (query, words, transpositions, /))]
fn edit_distances(
    py: Python<'_>,
    query: PyBackedStr,
    words: Vec<PyBackedStr>,
    transpositions: bool,
) -> Bound<'_, PyArray1<u32>> {
    let metric = metric(transpositions);
    py.detach(|| levenshtein::distances(&query, &words, metric)).into_pyarray(py)
}

/// The kernel's list behind a lock: many threads may ask while none adds.
#[pyclass(frozen, module = "biorag._native")]
#[derive(Default)]
struct WordList {
    words: RwLock<levenshtein::WordList>,
}

// A push that panics leaves whole words only, so a poisoned lock still guards a valid list.
#[pymethods]
impl WordList {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    #[pyo3(signature = (words, /))]
    fn extend(&self, py: Python<'_>, words: Vec<PyBackedStr>) {
        py.detach(|| {
            let mut list = self.words.write().unwrap_or_else(PoisonError::into_inner);
            list.extend(&words);
        });
    }

    #[pyo3(signature = (word, max_distance, transpositions, /))]
    fn near(
        &self,
        py: Python<'_>,
        word: PyBackedStr,
        max_distance: u8,
        transpositions: bool,
    ) -> Vec<(u32, u8)> {
        let near = py.detach(|| {
            let list = self.words.read().unwrap_or_else(PoisonError::into_inner);
            list.near(&word, max_distance, metric(transpositions))
        });
        near.into_iter().map(|near| (near.index, near.distance)).collect()
    }

    fn __len__(&self) -> usize {
        self.words.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    #[getter]
    fn heap_bytes(&self) -> usize {
        self.words.read().unwrap_or_else(PoisonError::into_inner).heap_bytes()
    }
}

/// Adds the functions and classes of this family to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<WordList>()?;
    module.add_function(wrap_pyfunction!(edit_distances, module)?)
}
