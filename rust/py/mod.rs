//! The Python face of the kernels: convert, release the GIL, map errors. No arithmetic here.
//!
//! One file a family; each has a `register` that adds its functions and classes to the module.

mod documents;
mod graph;
mod index;
mod learning;
mod lexicon;
mod question;
mod ranked;
mod ranking;
mod roles;
mod sdm;
mod spaces;
mod spelling;
mod vectors;

use pyo3::prelude::*;

use crate::kernels::error::KernelError;

// The exception classes live in `biorag.errors`, so Python stays the one place that defines them.
pyo3::import_exception!(biorag.errors, KernelInputError);
pyo3::import_exception!(biorag.errors, ShapeError);
pyo3::import_exception!(biorag.errors, CorruptDataError);

impl From<KernelError> for PyErr {
    fn from(error: KernelError) -> Self {
        let message = error.to_string();
        match error {
            KernelError::Shape { .. } => ShapeError::new_err(message),
            KernelError::OutOfRange { .. } => KernelInputError::new_err(message),
            KernelError::Corrupt { .. } => CorruptDataError::new_err(message),
        }
    }
}

#[pymodule(gil_used = false)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    documents::register(module)?;
    graph::register(module)?;
    index::register(module)?;
    learning::register(module)?;
    lexicon::register(module)?;
    question::register(module)?;
    ranked::register(module)?;
    ranking::register(module)?;
    roles::register(module)?;
    sdm::register(module)?;
    spaces::register(module)?;
    spelling::register(module)?;
    vectors::register(module)?;
    Ok(())
}
