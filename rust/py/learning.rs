//! Bindings of the learning kernels. Arrays come read-only and contiguous from `biorag.kernels`.

// Python's arguments arrive as owned handles.
#![allow(clippy::needless_pass_by_value)]

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::kernels::mlp::{self, AdamState, Pages, Schedule};

type Integers<'py> = PyReadonlyArray1<'py, i64>;
type Floats<'py> = PyReadonlyArray1<'py, f64>;
type Matrix<'py> = PyReadonlyArray2<'py, f64>;
type FloatsOut<'py> = Bound<'py, PyArray1<f64>>;
type PagesIn<'py> = (Matrix<'py>, Floats<'py>, Integers<'py>, Integers<'py>);

fn pages_of<'a>(pages: &'a PagesIn<'_>) -> PyResult<Pages<'a>> {
    Ok(Pages {
        features: pages.0.as_slice()?,
        scores: pages.1.as_slice()?,
        starts: pages.2.as_slice()?,
        targets: pages.3.as_slice()?,
    })
}

#[pyfunction]
#[pyo3(signature = (scores, /))]
fn evidence_logits<'py>(py: Python<'py>, scores: Floats<'py>) -> PyResult<FloatsOut<'py>> {
    Ok(mlp::evidence_logits(scores.as_slice()?)?.into_pyarray(py))
}

#[pyfunction]
#[pyo3(signature = (parameters, features, /))]
fn mlp_corrections<'py>(
    py: Python<'py>,
    parameters: Floats<'py>,
    features: Matrix<'py>,
) -> PyResult<FloatsOut<'py>> {
    // One page takes a microsecond, less than to let go of the interpreter and take it again.
    Ok(mlp::corrections(parameters.as_slice()?, features.as_slice()?)?.into_pyarray(py))
}

#[pyfunction]
#[pyo3(signature = (pages, parameters, l2, anchor, /))]
fn mlp_loss_and_gradient<'py>(
    py: Python<'py>,
    pages: PagesIn<'py>,
    parameters: Floats<'py>,
    l2: f64,
    anchor: Option<Floats<'py>>,
) -> PyResult<(f64, FloatsOut<'py>)> {
    let (pages, parameters) = (pages_of(&pages)?, parameters.as_slice()?);
    let anchor = anchor.as_ref().map(PyReadonlyArray1::as_slice).transpose()?;
    let (loss, gradient) = py.detach(|| mlp::loss_and_gradient(pages, parameters, l2, anchor))?;
    Ok((loss, gradient.to_vec().into_pyarray(py)))
}

#[pyfunction]
#[pyo3(signature = (pages, parameters, adam, steps, learning_rate, l2, anchor, /))]
#[allow(clippy::too_many_arguments)] // Positional, for one wrapper.
#[allow(clippy::type_complexity)]
fn mlp_train<'py>(
    py: Python<'py>,
    pages: PagesIn<'py>,
    parameters: Floats<'py>,
    adam: (Floats<'py>, Floats<'py>, u32),
    steps: usize,
    learning_rate: f64,
    l2: f64,
    anchor: Option<Floats<'py>>,
) -> PyResult<(FloatsOut<'py>, (FloatsOut<'py>, FloatsOut<'py>, u32), FloatsOut<'py>, usize)> {
    let (pages, parameters) = (pages_of(&pages)?, parameters.as_slice()?);
    let adam = AdamState::new(adam.0.as_slice()?, adam.1.as_slice()?, adam.2)?;
    let anchor = anchor.as_ref().map(PyReadonlyArray1::as_slice).transpose()?;
    let schedule = Schedule { steps, learning_rate, l2, anchor };
    let trained = py.detach(|| mlp::train(pages, parameters, adam, schedule))?;
    let moments = (
        trained.adam.mean().to_vec().into_pyarray(py),
        trained.adam.square().to_vec().into_pyarray(py),
        trained.adam.steps(),
    );
    let parameters = trained.parameters.to_vec().into_pyarray(py);
    Ok((parameters, moments, trained.losses.into_pyarray(py), trained.steps_taken))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(evidence_logits, module)?)?;
    module.add_function(wrap_pyfunction!(mlp_corrections, module)?)?;
    module.add_function(wrap_pyfunction!(mlp_loss_and_gradient, module)?)?;
    module.add_function(wrap_pyfunction!(mlp_train, module)?)?;
    Ok(())
}
