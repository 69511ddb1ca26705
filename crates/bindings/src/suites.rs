//! Test suites of Mealy machines.

use std::sync::Arc;

use burnside_core::fsm::cover::Part;
use burnside_core::fsm::lines::{Format, Lines};
use burnside_core::fsm::mealy::{Mealy, Word};
use burnside_core::fsm::methods::Specification;
use burnside_core::fsm::separating::First;
use burnside_core::fsm::suite::{Plan, Walk};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::state_machines::{Kernel, StateMachine, watched};

/// A specification and a part of it, ready for test derivation.
#[pyclass(frozen, module = "burnside._core", name = "Specification")]
pub struct PySpecification {
    specification: Specification,
}

#[pymethods]
impl PySpecification {
    /// `kernel`: the part; without it, all of the machine. `first`: shortest | longest, of the characterising set.
    #[new]
    #[pyo3(signature = (machine, kernel=None, first="longest", progress=None))]
    fn new(
        py: Python<'_>,
        machine: &StateMachine,
        kernel: Option<&Kernel>,
        first: &str,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let first = match first {
            "shortest" => First::Shortest,
            "longest" => First::Longest,
            _ => return Err(PyValueError::new_err("shortest or longest was expected")),
        };
        let mealy = Mealy::new(&machine.machine)
            .ok_or_else(|| PyValueError::new_err("the machine is not deterministic and input enabled"))?;
        let part = match kernel {
            Some(kernel) => Part::of_kernel(&machine.machine, &kernel.kernel),
            None => Part::whole(&mealy),
        };
        let specification =
            watched(py, progress, |watch| Specification::new(Arc::new(mealy), part, first, watch))?;
        Ok(PySpecification { specification })
    }

    /// How many classes of bisimilar states meet the part.
    #[getter]
    fn classes(&self) -> usize {
        self.specification.states.len()
    }

    /// The states of the part, as a breadth-first search finds them.
    #[getter]
    fn states(&self) -> Vec<u32> {
        self.specification.access.states.clone()
    }

    #[getter]
    fn characterising_set(&self) -> Vec<Word> {
        self.specification.words.clone()
    }

    fn w(&self, extra: u32) -> Suite {
        Suite { plan: Arc::new(self.specification.w(extra)) }
    }

    fn wp(&self, py: Python<'_>, extra: u32) -> PyResult<Suite> {
        suite(watched(py, None, |watch| self.specification.wp(extra, watch)))
    }

    fn hsi(&self, py: Python<'_>, extra: u32) -> PyResult<Suite> {
        suite(watched(py, None, |watch| self.specification.hsi(extra, watch)))
    }

    fn h(&self, py: Python<'_>, extra: u32) -> PyResult<Suite> {
        suite(watched(py, None, |watch| self.specification.h(extra, watch)))
    }

    fn random(&self, py: Python<'_>, walks: usize, length: usize, seed: u64) -> PyResult<Suite> {
        suite(watched(py, None, |watch| self.specification.random(walks, length, seed, watch)))
    }

    fn of_words(&self, words: Vec<Word>) -> PyResult<Suite> {
        let inputs = self.specification.mealy.inputs() as u32;
        if words.iter().flatten().any(|&input| input >= inputs) {
            return Err(PyValueError::new_err("there is no such input"));
        }
        Ok(Suite { plan: Arc::new(self.specification.of_words(&words)) })
    }
}

fn suite(plan: PyResult<Plan>) -> PyResult<Suite> {
    Ok(Suite { plan: Arc::new(plan?) })
}

#[pyclass(frozen, module = "burnside._core")]
pub struct Suite {
    plan: Arc<Plan>,
}

#[pymethods]
impl Suite {
    /// How many tests there are, and how many inputs they have together; at most 2^128 - 1.
    fn size(&self, py: Python<'_>) -> PyResult<(u128, u128)> {
        let size = watched(py, None, |watch| self.plan.size(watch))?;
        Ok((size.tests, size.inputs))
    }

    /// The beginning of the first test that another machine answers otherwise, with its outputs; None where there is none.
    /// `rows`: output and target by state and input, all in the numbers of the specification.
    fn detects(&self, py: Python<'_>, initial: u32, rows: Vec<(u32, u32)>) -> PyResult<Option<(Word, Word)>> {
        let mutant = Mealy::of_rows(initial, self.plan.mealy.inputs(), rows)
            .ok_or_else(|| PyValueError::new_err("this is no table of a machine"))?;
        watched(py, None, |watch| self.plan.detects(&mutant, watch))
    }

    /// In alphabetical order, one after the other.
    fn tests(&self) -> Tests {
        Tests { walk: self.plan.walk() }
    }

    /// The bytes of a file, in pieces of about a megabyte. `format`: json, with names in quotation marks, or text.
    fn lines(&self, format: &str, inputs: Vec<String>, outputs: Vec<String>) -> PyResult<TestLines> {
        let format = match format {
            "json" => Format::Json,
            "text" => Format::Text,
            _ => return Err(PyValueError::new_err("json or text was expected")),
        };
        if inputs.len() < self.plan.mealy.inputs() {
            return Err(PyValueError::new_err("an input has no name"));
        }
        Ok(TestLines { walk: self.plan.walk(), lines: Lines::new(format, inputs, outputs) })
    }
}

/// An iterator over (inputs, outputs), by number.
#[pyclass(module = "burnside._core")]
pub struct Tests {
    walk: Walk,
}

#[pymethods]
impl Tests {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<(Word, Word)>> {
        let walk = &mut self.walk;
        let is_more = watched(py, None, |watch| walk.next(watch))?;
        Ok(is_more.then(|| (walk.inputs.clone(), walk.outputs.clone())))
    }
}

#[pyclass(module = "burnside._core")]
pub struct TestLines {
    walk: Walk,
    lines: Lines,
}

const PIECE: usize = 1 << 20;

#[pymethods]
impl TestLines {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let TestLines { walk, lines } = self;
        let mut bytes = Vec::with_capacity(PIECE + PIECE / 4);
        watched(py, None, |watch| {
            while bytes.len() < PIECE && walk.next(watch)? {
                lines.write(walk, &mut bytes);
            }
            Ok(())
        })?;
        Ok((!bytes.is_empty()).then(|| PyBytes::new(py, &bytes)))
    }
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<PySpecification>()?;
    m.add_class::<Suite>()?;
    m.add_class::<Tests>()?;
    m.add_class::<TestLines>()
}
