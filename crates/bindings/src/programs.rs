//! Typed programs: from the table of `burnside.ir.encoding` to counts and traces.

use std::sync::Arc;

use burnside_core::canon::data::DataCanonicaliser;
use burnside_core::canon::{Cancel, Canonicaliser, Guide};
use burnside_core::group::Group;
use burnside_core::model::{Model, Step};
use burnside_core::perm::Perm;
use burnside_core::program::{CompiledProgram, Refusal, TooLarge};
use burnside_core::search as core;
use burnside_core::search::Settings;
use burnside_core::trace;
use num_bigint::BigUint;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::counts::Counts;
use crate::exploring::{Method, TooLargeError, order_of, report};
use crate::self_check::{self, Translation};

#[pyclass(frozen, module = "burnside._core")]
pub struct Program {
    program: CompiledProgram,
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
            Refusal::Malformed(what) => PyRuntimeError::new_err(format!("not a program: {}", what.0)),
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
        self.check(&state)?;
        let (mut labels, mut failures) = (Vec::new(), Vec::new());
        let mut note = |label, property| failures.push((label, property));
        self.program.enabled(&state, &mut self.program.workspace(), &mut labels, &mut note);
        Ok((labels, failures))
    }

    /// ("taken", state), ("discarded", state) or ("failed", property).
    fn fire(&self, state: Vec<u64>, label: u32) -> PyResult<Fired> {
        self.check(&state)?;
        let mut state = state;
        let step = self.program.fire(&mut state, label, &mut self.program.workspace());
        Ok(match step {
            Ok(step) => shown(step, state),
            Err(_) => return Err(PyRuntimeError::new_err("a value does not fit its slot")),
        })
    }

    /// Everything that the program does in each of the given states, whether they are reachable or not.
    fn outcomes(&self, py: Python<'_>, states: Vec<Vec<u64>>) -> PyResult<Vec<Outcomes>> {
        states.iter().try_for_each(|state| self.check(state))?;
        py.detach(|| states.iter().map(|state| self.outcomes_of(state)).collect())
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
    fn outcomes_of(&self, state: &[u64]) -> PyResult<Outcomes> {
        let program = &self.program;
        let workspace = &mut program.workspace();
        let (mut labels, mut steps) = (Vec::new(), Vec::new());
        let mut fail = |label, property| steps.push((label, ("guard failed", None, Some(property))));
        program.enabled(state, workspace, &mut labels, &mut fail);
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

    fn check(&self, state: &[u64]) -> PyResult<()> {
        let slots = self.program.schema().slots();
        let fits = state.len() == slots.len() && state.iter().zip(slots).all(|(&v, slot)| v <= slot.mask());
        if fits { Ok(()) } else { Err(PyValueError::new_err("not a state of this program")) }
    }
}

/// A group on the elements of a program's sorts. Whoever makes one has certified the generators.
#[pyclass(frozen, module = "burnside._core")]
pub struct ElementGroup {
    pub group: Arc<Group>,
    pub kept: Vec<(u32, u32)>,
    /// Is it all permutations that keep its orbits and `kept`?
    pub whole: bool,
    /// Actions that some element maps to other actions.
    pub exchanged: Vec<u32>,
}

#[pymethods]
impl ElementGroup {
    #[new]
    #[pyo3(signature = (points, generators, kept=Vec::new(), whole=false, order=None, exchanged=Vec::new()))]
    fn new(
        py: Python<'_>,
        points: usize,
        generators: Vec<Vec<u32>>,
        kept: Vec<(u32, u32)>,
        whole: bool,
        order: Option<BigUint>,
        exchanged: Vec<u32>,
    ) -> PyResult<Self> {
        let perms = generators
            .iter()
            .map(|images| Perm::from_images(images).filter(|perm| perm.degree() == points))
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| PyValueError::new_err("a generator is no permutation of the elements"))?;
        let group = py.detach(|| Group::generated(points, perms, order.as_ref()));
        Ok(ElementGroup { group: Arc::new(group), kept, whole, exchanged })
    }

    #[getter]
    fn order(&self) -> BigUint {
        self.group.order().clone()
    }

    fn base(&self) -> Vec<u32> {
        let chain = self.group.chain();
        chain.levels().iter().map(|level| chain.points()[level.point as usize]).collect()
    }

    fn transversal_sizes(&self) -> Vec<usize> {
        self.group.chain().levels().iter().map(|level| level.orbit.len()).collect()
    }

    fn contains(&self, images: Vec<u32>) -> PyResult<bool> {
        let perm = Perm::from_images(&images).ok_or_else(|| PyValueError::new_err("not a permutation"))?;
        Ok(self.group.contains(&perm))
    }
}

impl ElementGroup {
    /// Raises where the self-check has found a contradiction.
    pub fn check<M: Model>(&self, py: Python<'_>, found: &core::Exploration<M>) -> PyResult<()> {
        let Some(contradiction) = &found.contradiction else { return Ok(()) };
        let translation = Translation {
            generator: &|number| self.group.generators()[number].images().to_vec(),
            state: &|values| values.to_vec(),
            label: &|label| label,
        };
        Err(self_check::error(py, contradiction, &translation))
    }
}

type Steps = Vec<(u32, Vec<u64>)>;

#[pyclass(frozen, get_all, extends = Counts, module = "burnside._core")]
pub struct ProgramExploration {
    violations: Vec<(usize, Steps, Option<u32>)>,
    covered: Vec<usize>,
    /// By action: in how many explored states, with how many parameters, it was enabled.
    firings: Vec<u64>,
}

fn canonicaliser(
    program: &Program,
    group: &ElementGroup,
    method: &Method,
    stats: bool,
) -> PyResult<DataCanonicaliser> {
    if program.program.shape().points != group.group.degree() {
        return Err(PyValueError::new_err("the group belongs to another program"));
    }
    method.fits_group(&group.group, group.whole)?;
    Ok(DataCanonicaliser::new(method.core(), program.program.shape(), &group.group, &group.kept, stats))
}

#[pyfunction]
#[pyo3(signature = (
    program, group, method, *, order="bfs", alpha=0.5, seed=0, threads=1, deadlock=false, keep_going=false,
    max_states=None, max_seconds=None, max_memory=None, stats=false, self_check="off",
    progress=None
))]
#[allow(clippy::too_many_arguments)] // the keywords of one Python call
fn explore_program(
    py: Python<'_>,
    program: &Program,
    group: &ElementGroup,
    method: &Method,
    order: &str,
    alpha: f64,
    seed: u64,
    threads: usize,
    deadlock: bool,
    keep_going: bool,
    max_states: Option<u64>,
    max_seconds: Option<f64>,
    max_memory: Option<u64>,
    stats: bool,
    self_check: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<Py<ProgramExploration>> {
    let settings = Settings {
        order: order_of(order, alpha, seed)?,
        threads,
        keep_going,
        fatal: None,
        deadlock: deadlock.then_some(0),
        prune: method.prunes(),
        self_check: self_check::mode(self_check)?,
        properties: program.program.properties(),
        max_states,
        max_seconds,
        max_memory,
    };
    let canonicaliser = canonicaliser(program, group, method, stats)?;
    let model = program.program.under(group.group.chain().points(), &group.exchanged);
    let found = py.detach(|| {
        let mut failure = None;
        let mut watch = |now: &core::Progress| report(now, progress.as_ref(), &mut failure);
        let found = core::explore(model, &canonicaliser, &settings, &mut watch);
        failure.map_or(Ok(found), Err)
    })?;
    group.check(py, &found)?;
    Py::new(py, py.detach(|| translate(&canonicaliser, found))?)
}

/// Traces are lifted to the unreduced program.
fn translate(
    canonicaliser: &DataCanonicaliser,
    found: core::Exploration<CompiledProgram>,
) -> PyResult<(ProgramExploration, Counts)> {
    let mut violations = Vec::new();
    let model = found.model.uninterrupted();
    for violation in &found.violations {
        let lifted = trace::lift(&model, canonicaliser, violation).ok_or_else(|| {
            PyRuntimeError::new_err("a counterexample could not be lifted to the unreduced program")
        })?;
        violations.push((violation.property, lifted.steps, lifted.failing));
    }
    let counts = Counts::of(&found);
    let tally = found.tally;
    let own = ProgramExploration {
        violations,
        covered: tally.covered.into_iter().collect(),
        firings: found.model.by_action(&tally.firings),
    };
    Ok((own, counts))
}

/// The representative of a state, and the order of its stabiliser.
#[pyfunction]
fn canonical_state(
    program: &Program,
    group: &ElementGroup,
    method: &Method,
    state: Vec<u64>,
) -> PyResult<(Vec<u64>, BigUint)> {
    program.check(&state)?;
    let canonicaliser = canonicaliser(program, group, method, false)?;
    let mut scratch = canonicaliser.scratch(&Cancel::default());
    let order = canonicaliser.stabiliser(&state, &mut scratch).order();
    let mut state = state;
    canonicaliser.canonicalise(&mut state, &mut scratch);
    Ok((state, order))
}

/// Of programs and machines.
#[pyclass(frozen, get_all, module = "burnside._core")]
pub struct StateGraph {
    states: Vec<Vec<u64>>,
    orbit_sizes: Vec<BigUint>,
    initial: usize,
    starts: Vec<(u32, usize)>,
    redirected_starts: Vec<bool>,
    edges: Vec<(usize, u32, usize)>,
    redirected: Vec<bool>,
    failures: Vec<(usize, u32)>,
    judged: Vec<(usize, usize)>,
    deadlocks: Vec<usize>,
    explored: usize,
    complete: bool,
}

impl From<core::Graph> for StateGraph {
    fn from(graph: core::Graph) -> StateGraph {
        StateGraph {
            initial: graph.initial(),
            complete: graph.is_complete(),
            states: graph.states,
            orbit_sizes: graph.orbit_sizes,
            starts: graph.starts,
            redirected_starts: graph.redirected_starts,
            edges: graph.edges,
            redirected: graph.redirected,
            failures: graph.failures,
            judged: graph.judged,
            deadlocks: graph.deadlocks,
            explored: graph.explored,
        }
    }
}

#[pyfunction]
fn state_graph(
    py: Python<'_>,
    program: &Program,
    group: &ElementGroup,
    method: &Method,
    max_states: usize,
) -> PyResult<StateGraph> {
    method.fits_group(&group.group, group.whole)?;
    let canonicaliser = canonicaliser(program, group, &method.of_graphs(Guide::Tree), false)?;
    let model = program.program.under(group.group.chain().points(), &group.exchanged);
    py.detach(|| {
        let graph = core::export(&model, &canonicaliser, max_states, false)
            .map_err(|_| PyRuntimeError::new_err("a value does not fit its slot"))?;
        Ok(graph.into())
    })
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Program>()?;
    m.add_class::<ElementGroup>()?;
    m.add_class::<ProgramExploration>()?;
    m.add_class::<StateGraph>()?;
    m.add_function(wrap_pyfunction!(explore_program, m)?)?;
    m.add_function(wrap_pyfunction!(canonical_state, m)?)?;
    m.add_function(wrap_pyfunction!(state_graph, m)?)
}
