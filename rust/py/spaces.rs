//! Vector spaces over an index's terms, and the sparse products that one is trained with.

// Python's arguments arrive as owned handles.
#![allow(clippy::needless_pass_by_value)]

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::kernels::index::vectors;
use crate::kernels::sparse::Sparse;

use super::index::TextIndex;
use super::question::PreparedQuestion;

type Row<'py, T> = Bound<'py, PyArray1<T>>;

/// Term vectors of one training, and the vectors of documents as they are needed.
#[pyclass(frozen, module = "biorag._native")]
pub struct VectorSpace(pub(super) vectors::VectorSpace);

#[pymethods]
impl VectorSpace {
    #[new]
    fn new(
        terms: Vec<String>,
        weights: PyReadonlyArray1<'_, f32>,
        scales: PyReadonlyArray1<'_, f32>,
        vectors: PyReadonlyArray2<'_, i8>,
    ) -> PyResult<Self> {
        let dims = vectors.as_array().ncols();
        let (weights, scales) = (weights.as_slice()?.to_vec(), scales.as_slice()?.to_vec());
        let vectors = vectors.as_slice()?.to_vec();
        Ok(Self(vectors::VectorSpace::new(terms, weights, scales, vectors, dims)?))
    }

    #[getter]
    fn dims(&self) -> usize {
        self.0.dims()
    }

    fn knows(&self, term: &str) -> bool {
        self.0.knows(term)
    }

    fn heap_bytes(&self) -> usize {
        self.0.heap_bytes()
    }

    /// The documents nearest a question, nearest first: numbers and cosines.
    fn nearest<'py>(
        &self,
        py: Python<'py>,
        index: PyRef<'_, TextIndex>,
        question: PyRef<'_, PreparedQuestion>,
        limit: usize,
    ) -> (Row<'py, i64>, Row<'py, f32>) {
        let (index, groups) = (&*index, &question.groups);
        let found =
            py.detach(|| self.0.nearest(&index.read(), &self.0.question_vector(groups), limit));
        let (ids, cosines): (Vec<i64>, Vec<f32>) = found.into_iter().unzip();
        (ids.into_pyarray(py), cosines.into_pyarray(py))
    }
}

/// A sparse matrix times a dense one, row by row.
#[pyfunction]
#[pyo3(signature = (starts, columns, values, dense, /))]
fn sparse_times<'py>(
    py: Python<'py>,
    starts: PyReadonlyArray1<'py, u32>,
    columns: PyReadonlyArray1<'py, u32>,
    values: PyReadonlyArray1<'py, f32>,
    dense: PyReadonlyArray2<'py, f32>,
) -> PyResult<Row<'py, f32>> {
    let width = dense.as_array().ncols();
    let sparse = Sparse {
        starts: starts.as_slice()?,
        columns: columns.as_slice()?,
        values: values.as_slice()?,
    };
    let dense = dense.as_slice()?;
    Ok(py.detach(|| sparse.times(dense, width))?.into_pyarray(py))
}

/// The transpose of a sparse matrix of so many columns: starts, columns and values.
#[pyfunction]
#[pyo3(signature = (starts, columns, values, width, /))]
#[allow(clippy::type_complexity)] // three arrays
fn sparse_transposed<'py>(
    py: Python<'py>,
    starts: PyReadonlyArray1<'py, u32>,
    columns: PyReadonlyArray1<'py, u32>,
    values: PyReadonlyArray1<'py, f32>,
    width: usize,
) -> PyResult<(Row<'py, u32>, Row<'py, u32>, Row<'py, f32>)> {
    let sparse = Sparse {
        starts: starts.as_slice()?,
        columns: columns.as_slice()?,
        values: values.as_slice()?,
    };
    let (starts, columns, values) = py.detach(|| sparse.transposed(width))?;
    Ok((starts.into_pyarray(py), columns.into_pyarray(py), values.into_pyarray(py)))
}

/// Adds this family to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<VectorSpace>()?;
    module.add_function(wrap_pyfunction!(sparse_times, module)?)?;
    module.add_function(wrap_pyfunction!(sparse_transposed, module)?)
}
