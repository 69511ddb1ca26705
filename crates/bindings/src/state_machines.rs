//! Finite state machines: what they are like, kernels, symmetries.

use std::sync::Arc;

use burnside_core::fsm::bisimulation::classes;
use burnside_core::fsm::determinise::determinise;
use burnside_core::fsm::kernel::{self, Failure, kernel};
use burnside_core::fsm::order_search;
use burnside_core::fsm::pattern::Template;
use burnside_core::fsm::symmetry::{self, Flaw};
use burnside_core::fsm::{self, Stopped, Watch};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;

use crate::errors::TooLargeError;

/// How many states and inputs, and some of them.
type Places = (u64, Vec<(u32, u32)>);

#[pyclass(frozen, module = "burnside._core")]
pub struct StateMachine {
    pub machine: Arc<fsm::StateMachine>,
}

#[pymethods]
impl StateMachine {
    /// `edges`: source, action, target of each, unsigned numbers of 32 bits.
    #[new]
    fn new(
        py: Python<'_>,
        initial: Vec<u32>,
        observations: Vec<u32>,
        inputs: Vec<u32>,
        outputs: Vec<u32>,
        edges: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let edges = numbers(edges)?;
        let made = py.detach(|| fsm::StateMachine::new(initial, observations, inputs, outputs, &edges));
        let machine = made.ok_or_else(|| PyValueError::new_err("numbers do not fit each other"))?;
        Ok(StateMachine { machine: Arc::new(machine) })
    }

    /// By state: the length of a shortest trace to it, or None.
    fn distances(&self, py: Python<'_>) -> Vec<Option<u32>> {
        let found = py.detach(|| self.machine.distances());
        found.into_iter().map(|each| (each != fsm::NONE).then_some(each)).collect()
    }

    /// How many (state, input) have several edges, of reachable states or of all, and the first of them.
    fn ambiguous(&self, py: Python<'_>, reachable: bool, most: usize) -> Places {
        let found = py.detach(|| self.machine.ambiguous(self.is_asked(reachable), most));
        (found.count, found.first)
    }

    /// How many (state, input) have no edge, and the first of them.
    fn missing(&self, py: Python<'_>, reachable: bool, most: usize) -> Places {
        let found = py.detach(|| self.machine.missing(self.is_asked(reachable), most));
        (found.count, found.first)
    }

    fn classes(&self, py: Python<'_>) -> PyResult<Vec<u32>> {
        watched(py, None, |watch| classes(&self.machine, watch))
    }

    fn determinise(&self, py: Python<'_>, max_states: usize) -> PyResult<(Vec<Vec<u32>>, Vec<u32>)> {
        let found = watched(py, None, |watch| determinise(&self.machine, max_states, watch))?;
        Ok((found.members, found.edges))
    }
}

impl StateMachine {
    fn is_asked(&self, reachable: bool) -> impl Fn(u32) -> bool {
        let distances = if reachable { self.machine.distances() } else { Vec::new() };
        move |state| !reachable || distances[state as usize] != fsm::NONE
    }
}

#[pyclass(frozen, module = "burnside._core")]
pub struct Pattern {
    pattern: fsm::Pattern,
}

#[pymethods]
impl Pattern {
    /// `edges`: of the template; `colours`: of these; `images`: by copy and action of the template, the action of the machine.
    #[new]
    fn new(
        machine: &StateMachine,
        edges: &Bound<'_, PyAny>,
        colours: Vec<u32>,
        images: Vec<Vec<Option<u32>>>,
        initial: Vec<u32>,
    ) -> PyResult<Self> {
        let edges = numbers(edges)?;
        let numbered =
            |copy: Vec<Option<u32>>| copy.into_iter().map(|each| each.unwrap_or(fsm::NONE)).collect();
        let images: Vec<Vec<u32>> = images.into_iter().map(numbered).collect();
        let template = Template { edges: &edges, colours: &colours };
        let made = fsm::Pattern::new(&template, &images, initial, machine.machine.actions());
        let pattern = made.ok_or_else(|| PyValueError::new_err("the template is not deterministic"))?;
        Ok(Pattern { pattern })
    }

    /// Flags of states and edges (by source, in the order they came), and how many nodes were explored.
    #[pyo3(signature = (machine, ranks, progress=None))]
    fn kernel(
        &self,
        py: Python<'_>,
        machine: &StateMachine,
        ranks: Vec<u32>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Kernel> {
        if ranks.len() != machine.machine.actions() || machine.machine.initial.len() != 1 {
            return Err(PyValueError::new_err("a rank for each action and one initial state are needed"));
        }
        let found =
            watched(py, progress, |watch| match kernel(&machine.machine, &self.pattern, &ranks, watch) {
                Ok(found) => Ok(Ok(found)),
                Err(Failure::Uncovered(uncovered)) => Ok(Err(uncovered)),
                Err(Failure::Stopped(stopped)) => Err(stopped),
            })?;
        let found = found.map_err(uncovered)?;
        Ok(Kernel { kernel: found, machine: machine.machine.clone() })
    }

    /// Order, states, edges, kernels tried.
    #[pyo3(signature = (machine, order, restarts, tries, seed, progress=None))]
    #[allow(clippy::too_many_arguments)]
    fn search_order(
        &self,
        py: Python<'_>,
        machine: &StateMachine,
        order: Vec<u32>,
        restarts: usize,
        tries: usize,
        seed: u64,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Vec<u32>, usize, usize, usize)> {
        let found = watched(py, progress, |watch| {
            let sizes = (restarts, tries);
            match order_search::search(&machine.machine, &self.pattern, order, sizes, seed, watch) {
                Ok(found) => Ok(Ok(found)),
                Err(Failure::Uncovered(uncovered)) => Ok(Err(uncovered)),
                Err(Failure::Stopped(stopped)) => Err(stopped),
            }
        })?;
        let found = found.map_err(uncovered)?;
        Ok((found.order, found.states, found.edges, found.tried))
    }

    #[pyo3(signature = (machine, strict, progress=None))]
    fn check(
        &self,
        py: Python<'_>,
        machine: &StateMachine,
        strict: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<SymmetryVerdict> {
        if machine.machine.initial.len() != 1 {
            return Err(PyValueError::new_err("one initial state is needed"));
        }
        let found =
            watched(py, progress, |watch| symmetry::check(&machine.machine, &self.pattern, strict, watch))?;
        Ok(SymmetryVerdict {
            nodes: found.nodes,
            compared: found.compared,
            related: found.related,
            counterexample: found.counterexample.map(|each| {
                let flaw = match each.flaw {
                    Flaw::Uncovered => "uncovered",
                    Flaw::NotClosed => "not closed",
                    Flaw::NotPersistent => "not persistent",
                    Flaw::NotLoopPreserving => "not loop preserving",
                };
                (flaw, each.traces.0, each.traces.1, each.action, each.other)
            }),
        })
    }
}

/// Flaw, two traces, the action after the first, the action after the second.
type Counterexample = (&'static str, Vec<u32>, Vec<u32>, Option<u32>, Option<u32>);

#[pyclass(frozen, get_all, module = "burnside._core")]
pub struct SymmetryVerdict {
    nodes: usize,
    compared: usize,
    related: u64,
    counterexample: Option<Counterexample>,
}

#[pyclass(frozen, module = "burnside._core")]
pub struct Kernel {
    pub kernel: kernel::Kernel,
    pub machine: Arc<fsm::StateMachine>,
}

#[pymethods]
impl Kernel {
    /// A part of a machine that was found before: by edge, in the order in which they are kept, is it in?
    #[new]
    fn new(machine: &StateMachine, edges: Vec<bool>) -> PyResult<Self> {
        let machine = machine.machine.clone();
        if edges.len() != machine.edge_count() {
            return Err(PyValueError::new_err("a flag for each edge is needed"));
        }
        let mut states = vec![false; machine.states()];
        for &state in &machine.initial {
            states[state as usize] = true;
        }
        for ((source, edge), &is_in) in machine.all_edges().zip(&edges) {
            states[source as usize] |= is_in;
            states[edge.target as usize] |= is_in;
        }
        Ok(Kernel { kernel: kernel::Kernel { states, edges, visited: 0 }, machine })
    }

    #[getter]
    fn visited(&self) -> usize {
        self.kernel.visited
    }

    /// Ascending.
    #[getter]
    fn states(&self) -> Vec<u32> {
        (0..self.machine.states() as u32).filter(|&state| self.kernel.states[state as usize]).collect()
    }

    /// Source, action, target of each, as bytes: by source, in the order in which the machine's edges came.
    #[getter]
    fn edges(&self) -> Vec<u8> {
        let flagged = self.machine.all_edges().zip(&self.kernel.edges).filter(|(_, is_in)| **is_in);
        flagged
            .flat_map(|((source, edge), _)| [source, edge.action, edge.target])
            .flat_map(u32::to_ne_bytes)
            .collect()
    }

    #[getter]
    fn edge_count(&self) -> usize {
        self.kernel.edge_count()
    }
}

pyo3::create_exception!(
    _core,
    UncoveredError,
    PyValueError,
    "An action that no copy of a template can do: trace, state, vector, action."
);

fn uncovered(found: kernel::Uncovered) -> PyErr {
    UncoveredError::new_err((found.trace, found.state, found.vector, found.action))
}

/// A buffer of numbers of 32 bits. An empty one may not be aligned.
fn numbers(buffer: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
    if buffer.is_empty()? { Ok(Vec::new()) } else { PyBuffer::<u32>::get(buffer)?.to_vec(buffer.py()) }
}

/// Runs without the GIL; looks for Ctrl-C and reports the number of steps now and then.
pub fn watched<T: Send>(
    py: Python<'_>,
    progress: Option<Py<PyAny>>,
    work: impl FnOnce(&mut Watch<'_>) -> Result<T, Stopped> + Send,
) -> PyResult<T> {
    let mut failure = None;
    let found = py.detach(|| {
        let mut asked = std::time::Instant::now();
        let mut go_on = |count: u64| {
            if asked.elapsed().as_millis() < 50 {
                return true;
            }
            asked = std::time::Instant::now();
            let answer = Python::attach(|py| {
                py.check_signals()?;
                progress.as_ref().map_or(Ok(()), |progress| progress.call1(py, (count,)).map(drop))
            });
            failure = answer.err();
            failure.is_none()
        };
        work(&mut Watch::new(&mut go_on))
    });
    match found {
        Ok(found) => Ok(found),
        Err(Stopped::Interrupted) => Err(failure.unwrap_or_else(|| PyKeyboardInterrupt::new_err(()))),
        Err(Stopped::TooLarge) => Err(TooLargeError::new_err("the machine has too many states for this")),
    }
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("UncoveredError", m.py().get_type::<UncoveredError>())?;
    m.add_class::<StateMachine>()?;
    m.add_class::<Pattern>()?;
    m.add_class::<Kernel>()?;
    m.add_class::<SymmetryVerdict>()
}
