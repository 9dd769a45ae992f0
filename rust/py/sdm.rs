//! Bindings of the codes of memories.

// Python's arguments arrive as owned handles.
#![allow(clippy::needless_pass_by_value)]

use std::sync::{PoisonError, RwLock};

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::kernels::error::KernelError;
use crate::kernels::sdm::{self, CODE_BYTES, Code, Features, roles, table};

/// Content, name, dimensions with their idf, category, neighbours.
type FeaturesIn = (String, String, Vec<(String, f32)>, String, Vec<String>);

/// The codes of documents, 256 bytes each, one after another.
#[pyfunction]
#[pyo3(signature = (documents, /))]
fn sdm_codes(py: Python<'_>, documents: Vec<FeaturesIn>) -> Bound<'_, PyBytes> {
    let codes = py.detach(|| {
        let mut codes = Vec::with_capacity(documents.len() * CODE_BYTES);
        for (content, name, dimensions, category, neighbours) in &documents {
            codes.extend(sdm::encode(&Features {
                content,
                name,
                dimensions,
                category,
                neighbours,
            }));
        }
        codes
    });
    PyBytes::new(py, &codes)
}

/// The codes of a store side by side.
#[pyclass(frozen, module = "biorag._native")]
#[derive(Default)]
pub struct CodeTable(RwLock<table::CodeTable>);

#[pymethods]
impl CodeTable {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    fn __len__(&self) -> usize {
        self.read().len()
    }

    fn heap_bytes(&self) -> usize {
        self.read().heap_bytes()
    }

    fn code<'py>(&self, py: Python<'py>, id: i64) -> Option<Bound<'py, PyBytes>> {
        self.read().code(id).map(|code| PyBytes::new(py, code))
    }

    fn put(&self, py: Python<'_>, ids: Vec<i64>, codes: &[u8]) -> PyResult<()> {
        Ok(py.detach(|| self.write().put(&ids, codes))?)
    }

    fn delete(&self, py: Python<'_>, ids: Vec<i64>) -> usize {
        py.detach(|| self.write().delete(&ids))
    }

    fn most_alike(
        &self,
        py: Python<'_>,
        code: &[u8],
        k: usize,
        floor: f32,
        weights: [f32; table::SEGMENTS],
        excluded: Vec<i64>,
    ) -> PyResult<Vec<(i64, f32)>> {
        Ok(py.detach(|| self.read().most_alike(code, k, floor, weights, &excluded))?)
    }
}

// A panic while the lock was held leaves codes that are old at worst, so poison says nothing.
impl CodeTable {
    fn read(&self) -> std::sync::RwLockReadGuard<'_, table::CodeTable> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, table::CodeTable> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pyfunction]
#[pyo3(signature = (one, other, /))]
fn hdc_bind<'py>(py: Python<'py>, one: &[u8], other: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &roles::bind(code_of(one)?, code_of(other)?)))
}

#[pyfunction]
#[pyo3(signature = (code, places, /))]
fn hdc_permute<'py>(py: Python<'py>, code: &[u8], places: usize) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &roles::permute(code_of(code)?, places)))
}

#[pyfunction]
#[pyo3(signature = (codes, /))]
fn hdc_bundle<'py>(py: Python<'py>, codes: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let (codes, rest) = codes.as_chunks();
    if !rest.is_empty() {
        let (expected, found) = (CODE_BYTES, rest.len());
        return Err(KernelError::Shape { what: "bytes of a code", expected, found }.into());
    }
    Ok(PyBytes::new(py, &py.detach(|| roles::bundle(codes))))
}

#[pyfunction]
#[pyo3(signature = (role, /))]
fn hdc_role<'py>(py: Python<'py>, role: &str) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &roles::role_code(role)?))
}

#[pyfunction]
#[pyo3(signature = (text, /))]
fn hdc_filler<'py>(py: Python<'py>, text: &str) -> Bound<'py, PyBytes> {
    PyBytes::new(py, &roles::filler_code(text))
}

#[pyfunction]
#[pyo3(signature = (fillers, /))]
fn hdc_statement(py: Python<'_>, fillers: Vec<(String, String)>) -> PyResult<Bound<'_, PyBytes>> {
    Ok(PyBytes::new(py, &roles::statement_code(&fillers)?))
}

#[pyfunction]
#[pyo3(signature = (statement, role, candidates, /))]
fn hdc_fills(
    py: Python<'_>,
    statement: &[u8],
    role: &str,
    candidates: Vec<String>,
) -> PyResult<Vec<f32>> {
    let statement = code_of(statement)?;
    Ok(py.detach(|| roles::fills(statement, role, &candidates))?)
}

fn code_of(bytes: &[u8]) -> PyResult<&Code> {
    bytes.try_into().map_err(|_| {
        let (expected, found) = (CODE_BYTES, bytes.len());
        KernelError::Shape { what: "bytes of a code", expected, found }.into()
    })
}

/// Adds this family to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<CodeTable>()?;
    module.add_function(wrap_pyfunction!(sdm_codes, module)?)?;
    module.add_function(wrap_pyfunction!(hdc_bind, module)?)?;
    module.add_function(wrap_pyfunction!(hdc_permute, module)?)?;
    module.add_function(wrap_pyfunction!(hdc_bundle, module)?)?;
    module.add_function(wrap_pyfunction!(hdc_role, module)?)?;
    module.add_function(wrap_pyfunction!(hdc_filler, module)?)?;
    module.add_function(wrap_pyfunction!(hdc_statement, module)?)?;
    module.add_function(wrap_pyfunction!(hdc_fills, module)?)
}
