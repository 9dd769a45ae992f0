//! The links between memories.

// Python's arguments arrive as owned handles.
#![allow(clippy::needless_pass_by_value)]

use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use pyo3::prelude::*;

use crate::kernels::error::KernelError;
use crate::kernels::graph::{self, Reached, Spreading};

/// What a memory was reached by: number, parent, value, hops.
type Steps = Vec<(i64, i64, f32, u32)>;

/// The links of one store. Readers run side by side; an addition waits for them.
#[pyclass(frozen, module = "biorag._native")]
pub struct Graph(RwLock<graph::Graph>);

impl Graph {
    fn read(&self) -> RwLockReadGuard<'_, graph::Graph> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Graph {
    #[new]
    fn new() -> Self {
        Self(RwLock::new(graph::Graph::new()))
    }

    fn __len__(&self) -> usize {
        self.read().len()
    }

    fn heap_bytes(&self) -> usize {
        self.read().heap_bytes()
    }

    fn add(&self, py: Python<'_>, links: Vec<(i64, i64, f32)>) {
        py.detach(|| {
            let mut graph = self.0.write().unwrap_or_else(PoisonError::into_inner);
            for (one, other, weight) in links {
                graph.add(one, other, weight);
            }
        });
    }

    fn degrees(&self, ids: Vec<i64>) -> Vec<usize> {
        let graph = self.read();
        ids.into_iter().map(|id| graph.degree(id)).collect()
    }

    fn neighbours(&self, id: i64, limit: usize) -> Vec<(i64, f32)> {
        self.read().neighbours(id, limit)
    }

    fn spread(
        &self,
        py: Python<'_>,
        seeds: Vec<(i64, f32)>,
        hops: u32,
        fan: usize,
        least: f32,
    ) -> Steps {
        let how = Spreading { hops, fan, least };
        steps(py.detach(|| self.read().spread(&seeds, how)))
    }

    fn context(
        &self,
        py: Python<'_>,
        seeds: Vec<i64>,
        depth: u32,
        per_node: usize,
        limit: usize,
    ) -> Steps {
        steps(py.detach(|| self.read().context(&seeds, depth, per_node, limit)))
    }

    fn smoothed(&self, ids: Vec<i64>, values: Vec<f32>, share: f32) -> PyResult<Vec<f32>> {
        if values.len() != ids.len() {
            let (expected, found) = (ids.len(), values.len());
            return Err(KernelError::Shape { what: "values", expected, found }.into());
        }
        Ok(self.read().smoothed(&ids, &values, share))
    }

    fn latent(
        &self,
        py: Python<'_>,
        ids: Vec<i64>,
        least: f32,
        decay: f32,
        limit: usize,
    ) -> Vec<(i64, i64, f32, u32)> {
        let found = py.detach(|| self.read().latent(&ids, least, decay, limit));
        found.into_iter().map(|pair| (pair.src, pair.dst, pair.weight, pair.hops)).collect()
    }
}

fn steps(found: Vec<Reached>) -> Steps {
    found.into_iter().map(|step| (step.id, step.parent, step.value, step.hops)).collect()
}

/// Adds this family to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Graph>()
}
