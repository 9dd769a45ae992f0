//! Bindings of the vector kernels. Arrays come read-only and contiguous from `biorag.kernels`.

// Python's arguments arrive as owned handles.
#![allow(clippy::needless_pass_by_value)]

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::kernels::hamming::{self, SegmentWeights};

type RowsAndDistances<'py> = (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<f32>>);

#[pyfunction]
#[pyo3(signature = (query, rows, /))]
fn hamming_distances<'py>(
    py: Python<'py>,
    query: PyReadonlyArray1<'py, u8>,
    rows: PyReadonlyArray2<'py, u8>,
) -> PyResult<Bound<'py, PyArray1<u32>>> {
    let (query, rows) = (query.as_slice()?, rows.as_slice()?);
    Ok(py.detach(|| hamming::distances(query, rows))?.into_pyarray(py))
}

#[pyfunction]
#[pyo3(signature = (query, rows, segments, k, /))]
fn nearest_codes<'py>(
    py: Python<'py>,
    query: PyReadonlyArray1<'py, u8>,
    rows: PyReadonlyArray2<'py, u8>,
    segments: Option<Vec<(usize, f32)>>,
    k: usize,
) -> PyResult<RowsAndDistances<'py>> {
    let (query, rows) = (query.as_slice()?, rows.as_slice()?);
    let weights = match segments {
        Some(segments) => SegmentWeights::new(&segments)?,
        None => SegmentWeights::default(),
    };
    let nearest = py.detach(|| hamming::nearest(query, rows, &weights, k))?;
    let (rows, distances): (Vec<u32>, Vec<f32>) = nearest.into_iter().unzip();
    Ok((rows.into_pyarray(py), distances.into_pyarray(py)))
}

/// Adds the functions of this family to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(hamming_distances, module)?)?;
    module.add_function(wrap_pyfunction!(nearest_codes, module)?)
}
