//! The exceptions of the core, and the one place where its errors become them.

use burnside_core::kinds::Error;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(_core, MethodError, PyValueError, "A method that does not fit a group, and why.");
pyo3::create_exception!(_core, TooLargeError, PyValueError, "A model that the core cannot hold, and why.");

pub fn raised(error: Error) -> PyErr {
    match error {
        Error::Method(why) => MethodError::new_err(why),
        Error::TooLarge(why) => TooLargeError::new_err(why),
        Error::Call(why) => PyValueError::new_err(why),
        Error::Contradiction(why) => PyRuntimeError::new_err(why),
    }
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("MethodError", m.py().get_type::<MethodError>())?;
    m.add("TooLargeError", m.py().get_type::<TooLargeError>())
}
