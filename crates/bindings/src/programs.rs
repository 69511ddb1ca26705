//! Typed programs, from the table of `burnside.ir.encoding`.

use burnside_core::kinds::Subject;
use burnside_core::kinds::program::prepared::PreparedProgram;
use burnside_core::kinds::program::{CompiledProgram, Refusal, TooLarge};
use burnside_core::model::{Model, Step};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::element_groups::ElementGroup;
use crate::errors::{TooLargeError, raised};
use crate::method::Method;

#[pyclass(frozen, module = "burnside._core")]
pub struct Program {
    program: CompiledProgram,
}

#[pyclass(frozen, get_all, module = "burnside._core")]
pub struct Observed {
    lookups: Vec<Vec<Vec<i64>>>,
    values: Vec<Vec<u64>>,
    states: usize,
    complete: bool,
}

/// Labels, and (label, property) where a guard fails.
type Enabled = (Vec<u32>, Vec<(u32, usize)>);
/// What a step did, the state after it, the property it violates.
type Fired = (&'static str, Option<Vec<u64>>, Option<usize>);
/// The steps of a state with their labels, the properties it violates, the properties covered on the way.
type Outcomes = (Vec<(u32, Fired)>, Vec<usize>, Vec<usize>);

#[pymethods]
impl Program {
    #[new]
    fn new(py: Python<'_>, texts: Vec<String>, rows: Vec<(String, Vec<i64>)>) -> PyResult<Program> {
        let compiled = py.detach(|| CompiledProgram::new(&texts, &rows));
        compiled.map(|program| Program { program }).map_err(|refusal| match refusal {
            Refusal::Malformed(what) => PyRuntimeError::new_err(format!("not a program: {what}")),
            Refusal::TooLarge(TooLarge::Labels) => {
                TooLargeError::new_err("its actions have more than 2^31 instances")
            }
            Refusal::TooLarge(TooLarge::Starts) => {
                TooLargeError::new_err("it has more than 2^24 start states")
            }
            Refusal::TooLarge(TooLarge::Code) => TooLargeError::new_err(
                "its actions unfold to more code than fits: functions call functions too often",
            ),
            Refusal::TooManySlots(slots) => {
                TooLargeError::new_err(format!("a state of it has {slots} values; at most 2^20 are possible"))
            }
        })
    }

    #[getter]
    fn slots(&self) -> usize {
        self.program.schema().slots().len()
    }

    /// The labels enabled in a state, and those of which it cannot be said, with the property violated by asking.
    fn enabled(&self, state: Vec<u64>) -> PyResult<Enabled> {
        self.program.check_state(&state).map_err(raised)?;
        Ok(self.enabled_in(&state, &mut self.program.workspace()))
    }

    /// ("taken", state), ("discarded", state) or ("failed", property).
    fn fire(&self, state: Vec<u64>, label: u32) -> PyResult<Fired> {
        self.program.check_state(&state).map_err(raised)?;
        let mut state = state;
        let step = self.program.fire(&mut state, label, &mut self.program.workspace());
        Ok(match step {
            Ok(step) => shown(step, state),
            Err(_) => return Err(PyRuntimeError::new_err("a value does not fit its slot")),
        })
    }

    /// Everything that the program does in each of the given states, whether they are reachable or not.
    fn outcomes(&self, py: Python<'_>, states: Vec<Vec<u64>>) -> PyResult<Vec<Outcomes>> {
        states.iter().try_for_each(|state| self.program.check_state(state)).map_err(raised)?;
        py.detach(|| states.iter().map(|state| self.outcomes_of(state)).collect())
    }

    /// What it looks up, and which values its variables take, in at most so many states.
    #[pyo3(signature = (max_states, seed=0))]
    fn observe(&self, py: Python<'_>, max_states: usize, seed: u64) -> Observed {
        let found = py.detach(|| self.program.observe(max_states, seed));
        Observed {
            lookups: found.lookups,
            values: found.values,
            states: found.states,
            complete: found.is_complete,
        }
    }

    fn starts(&self) -> Vec<(u32, Fired)> {
        let starts = self.program.starts(&mut self.program.workspace());
        starts.into_iter().map(|start| (start.label, shown(start.step, start.values))).collect()
    }
}

fn shown(step: Step, state: Vec<u64>) -> Fired {
    match step {
        Step::Taken => ("taken", Some(state), None),
        Step::Discarded | Step::Impossible => ("discarded", None, None),
        Step::Failed(property) => ("failed", None, Some(property)),
    }
}

impl Program {
    pub fn prepared(&self, group: &ElementGroup, method: &Method, stats: bool) -> PyResult<Box<dyn Subject>> {
        let prepared = PreparedProgram::new(&self.program, &group.symmetry, method.method, stats);
        Ok(Box::new(prepared.map_err(raised)?))
    }

    fn enabled_in(&self, state: &[u64], workspace: &mut <CompiledProgram as Model>::Workspace) -> Enabled {
        let (mut labels, mut failures) = (Vec::new(), Vec::new());
        let mut failed = |label, property| failures.push((label, property));
        self.program.enabled(state, workspace, &mut labels, &mut failed);
        if self.program.has_idle() && failures.is_empty() && !self.happens(state, &labels) {
            let mut failed = |label, property| failures.push((label, property));
            self.program.idle(state, workspace, &mut labels, &mut failed);
        }
        (labels, failures)
    }

    /// Is one of these labels possible?
    fn happens(&self, state: &[u64], labels: &[u32]) -> bool {
        let workspace = &mut self.program.workspace();
        labels
            .iter()
            .any(|&label| self.program.fire(&mut state.to_vec(), label, workspace) != Ok(Step::Impossible))
    }

    fn outcomes_of(&self, state: &[u64]) -> PyResult<Outcomes> {
        let program = &self.program;
        let workspace = &mut program.workspace();
        let (labels, failures) = self.enabled_in(state, workspace);
        let failed = |(label, property)| (label, ("guard failed", None, Some(property)));
        let mut steps: Vec<(u32, Fired)> = failures.into_iter().map(failed).collect();
        for label in labels {
            let mut values = state.to_vec();
            let step = program
                .fire(&mut values, label, workspace)
                .map_err(|_| PyRuntimeError::new_err("a value does not fit its slot"))?;
            let impossible = step == Step::Impossible;
            steps.push((label, if impossible { ("impossible", None, None) } else { shown(step, values) }));
        }
        let mut violated = Vec::new();
        program.judge(state, workspace, &mut |property| violated.push(property));
        Ok((steps, violated, program.covered(workspace)))
    }
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Observed>()?;
    m.add_class::<Program>()
}
