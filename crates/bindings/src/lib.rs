//! The Python face of the core: converts, releases the GIL, maps errors, reports progress, stops on Ctrl-C.
//!
//! Everything here is numbers in, numbers out; names and words belong to Python. The typed face is
//! `python/burnside/_core.pyi`, which CI checks against this module.

mod counts;
mod exploring;
mod groups;
mod machines;
mod nets;
mod programs;
mod readers;
mod self_check;

use pyo3::prelude::*;

#[pymodule]
fn _core(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    readers::register(m)?;
    nets::register(m)?;
    groups::register(m)?;
    counts::register(m)?;
    self_check::register(m)?;
    exploring::register(m)?;
    programs::register(m)?;
    machines::register(m)
}
