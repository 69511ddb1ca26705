//! Automorphisms of coloured graphs: what proposes symmetries of programs.

use std::time::{Duration, Instant};

use burnside_core::structure::Structure;
use num_bigint::BigUint;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

type Found = (Vec<Vec<u32>>, BigUint);

/// `edges`: (node, vertex, label), where vertices number the points first, then the nodes. None where the time is over.
#[pyfunction]
#[pyo3(signature = (points, nodes, edges, seconds=None))]
fn graph_automorphisms(
    py: Python<'_>,
    points: Vec<u64>,
    nodes: Vec<u64>,
    edges: Vec<(u32, u32, u64)>,
    seconds: Option<f64>,
) -> PyResult<Option<Found>> {
    let first = points.len() as u32;
    let mut structure = Structure::new(points);
    for colour in nodes {
        structure.add_node(colour);
    }
    for (node, vertex, label) in edges {
        if node < first || (node.max(vertex) as usize) >= structure.vertices() {
            return Err(PyValueError::new_err("an edge leads from a node to a vertex"));
        }
        structure.connect(node, vertex, label);
    }
    let limit = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds.max(0.0)).ok());
    let end = limit.and_then(|limit| Instant::now().checked_add(limit));
    let mut interrupted = Ok(());
    let found = py.detach(|| {
        structure.automorphisms_while(|| {
            interrupted = Python::attach(|py| py.check_signals());
            interrupted.is_ok() && end.is_none_or(|end| Instant::now() < end)
        })
    });
    interrupted?;
    let images = |(generators, order): (Vec<burnside_core::perm::Perm>, BigUint)| {
        (generators.iter().map(|g| g.images()).collect(), order)
    };
    Ok(found.map(images))
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(graph_automorphisms, m)?)
}
