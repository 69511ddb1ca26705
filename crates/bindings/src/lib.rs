//! The Python face of the core: converts, releases the GIL, maps errors, reports progress, stops on Ctrl-C.
//!
//! Everything here is numbers in, numbers out; names and words belong to Python. The typed face is
//! `python/burnside/_core.pyi`, which CI checks against this module.

mod automata;
mod coverability;
mod element_groups;
mod errors;
mod graphs;
mod groups;
mod machines;
mod method;
mod nets;
mod programs;
mod readers;
mod self_check;
mod settings;
mod state_machines;
mod subjects;
mod suites;
mod temporal;
mod tokens;
mod unfolding;

use pyo3::prelude::*;

#[pymodule]
fn _core(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    readers::register(m)?;
    nets::register(m)?;
    groups::register(m)?;
    coverability::register(m)?;
    graphs::register(m)?;
    element_groups::register(m)?;
    errors::register(m)?;
    method::register(m)?;
    settings::register(m)?;
    self_check::register(m)?;
    subjects::register(m)?;
    temporal::register(m)?;
    tokens::register(m)?;
    programs::register(m)?;
    machines::register(m)?;
    automata::register(m)?;
    state_machines::register(m)?;
    suites::register(m)?;
    unfolding::register(m)
}
