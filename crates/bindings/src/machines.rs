//! Machines: from the table of `burnside.ir.encoding` to counts, traces and values.

use burnside_core::canon::values::{Symmetry, ValuesCanonicaliser};
use burnside_core::canon::{Cancel, Canonicaliser, Guide};
use burnside_core::machine::operators::Undefined;
use burnside_core::machine::values::{Value, View};
use burnside_core::machine::{
    CompiledMachine, ERROR, FAILS, Failure, MAX_OUTCOMES, MAX_SETUPS, MAX_TURNS, Refusal, Span as CoreSpan,
    Why,
};
use burnside_core::model::{Model, Step};
use burnside_core::search as core;
use burnside_core::search::Settings;
use burnside_core::trace;
use num_bigint::BigUint;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyFrozenSet, PyTuple};

use crate::counts::Counts;
use crate::exploring::{Method, order_of, report};
use crate::programs::{ElementGroup, StateGraph};
use crate::self_check;

pyo3::create_exception!(
    _core,
    MachineError,
    PyValueError,
    "(what, about, (line, column, length, source) or None)"
);

/// Expressions may be nested deeper than the stack of a Python thread allows.
const STACK: usize = 256 << 20;

fn deep<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| {
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            let thread = thread.map_err(|error| PyRuntimeError::new_err(format!("no thread: {error}")))?;
            Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    })
}

type Span = Option<(i64, i64, i64, Option<String>)>;
/// What it is, what it is about (a name, a number), where.
type Complaint = (&'static str, String, Span);

#[pyclass(frozen, module = "burnside._core")]
pub struct Machine {
    machine: CompiledMachine,
    texts: Vec<String>,
}

/// (operation, arguments, results, ordinal): the number of operations is the set-up, one more the initialisation.
type Happening<'py> = (u32, Vec<Bound<'py, PyAny>>, Vec<Bound<'py, PyAny>>, u32);

#[pymethods]
impl Machine {
    #[new]
    #[pyo3(signature = (texts, rows, assume_numbers=false))]
    fn new(
        py: Python<'_>,
        texts: Vec<String>,
        rows: Vec<(String, Vec<i64>)>,
        assume_numbers: bool,
    ) -> PyResult<Machine> {
        let compiled = py.detach(|| CompiledMachine::new(&texts, &rows, assume_numbers));
        match compiled {
            Ok(machine) => Ok(Machine { machine, texts }),
            Err(Refusal::Malformed(what)) => Err(PyRuntimeError::new_err(format!("not a machine: {what}"))),
            Err(Refusal::Unbounded { name, span }) => {
                Err(MachineError::new_err(("unbounded", name, located(&texts, span))))
            }
        }
    }

    #[getter]
    fn slots(&self) -> usize {
        self.machine.schema().slots().len()
    }

    /// The states to begin with: (label, state); None as state where finding it fails.
    fn starts(&self, py: Python<'_>) -> PyResult<Vec<(u32, Option<Vec<u64>>)>> {
        let starts = deep(py, || self.machine.starts(&mut self.machine.workspace()))?;
        self.check_limit()?;
        let shown = |start: burnside_core::model::Start| {
            (start.label, (start.step == Step::Taken).then_some(start.values))
        };
        Ok(starts.into_iter().map(shown).collect())
    }

    /// (label, successor) for each step, and the labels that fail.
    #[allow(clippy::type_complexity)] // plain data for Python
    fn successors(&self, py: Python<'_>, state: Vec<u64>) -> PyResult<(Vec<(u32, Vec<u64>)>, Vec<u32>)> {
        self.check(&state)?;
        let found = deep(py, || {
            let mut workspace = self.machine.workspace();
            let (mut labels, mut failures) = (Vec::new(), Vec::new());
            self.machine.enabled(&state, &mut workspace, &mut labels, &mut |label, _| failures.push(label));
            let mut successors = Vec::new();
            for label in labels {
                let mut next = state.clone();
                if let Ok(Step::Taken) = self.machine.fire(&mut next, label, &mut workspace) {
                    successors.push((label, next));
                }
            }
            (successors, failures)
        })?;
        self.check_limit()?;
        Ok(found)
    }

    /// The numbers of the properties that a state violates (goals: satisfies).
    fn judge(&self, py: Python<'_>, state: Vec<u64>) -> PyResult<Vec<usize>> {
        self.check(&state)?;
        let found = deep(py, || {
            let mut found = Vec::new();
            self.machine.judge(&state, &mut self.machine.workspace(), &mut |property| found.push(property));
            found
        })?;
        self.check_limit()?;
        Ok(found)
    }

    /// The value of each constant and variable; None before it has one.
    fn values<'py>(&self, py: Python<'py>, state: Vec<u64>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.check(&state)?;
        self.machine.state_values(&state).into_iter().map(|value| self.shown(py, value)).collect()
    }

    /// What a label stands for.
    fn event<'py>(&self, py: Python<'py>, label: u32) -> PyResult<Happening<'py>> {
        let event =
            self.machine.event(label).ok_or_else(|| PyValueError::new_err("not a label of this machine"))?;
        let parameters = if event.operation < self.machine.setup_event() {
            self.machine.arity(event.operation as usize).0
        } else {
            0
        };
        let parameters = parameters.min(event.values.len());
        let shown = |values: &[Value]| -> PyResult<Vec<_>> {
            values.iter().map(|&value| self.shown(py, value)).collect()
        };
        let (arguments, results) = event.values.split_at(parameters);
        let results = if event.ordinal == FAILS { &[] } else { results };
        Ok((event.operation, shown(arguments)?, shown(results)?, event.ordinal))
    }

    /// Why a step fails in a state, or (no label) why a claim has no truth value in it.
    #[pyo3(signature = (state, label=None))]
    fn explain(&self, py: Python<'_>, state: Vec<u64>, label: Option<u32>) -> PyResult<Option<Complaint>> {
        self.check(&state)?;
        let failure = deep(py, || self.machine.explain(&state, label))?;
        Ok(failure.map(|failure| self.complaint(failure)))
    }

    /// Names of which not all values were tried so far: (name, place).
    fn cut_domains(&self) -> Vec<(&str, Span)> {
        self.machine.cut_domains().map(|(name, span)| (name, located(&self.texts, span))).collect()
    }

    /// Values interned so far, and their bytes.
    fn interned(&self) -> (usize, usize) {
        (self.machine.values().size(), self.machine.values().bytes())
    }
}

impl Machine {
    fn check(&self, state: &[u64]) -> PyResult<()> {
        let fits = state.len() == self.machine.schema().slots().len();
        if fits { Ok(()) } else { Err(PyValueError::new_err("not a state of this machine")) }
    }

    /// Raises where a limit was met, and forgets it.
    fn check_limit(&self) -> PyResult<()> {
        let limit = self.machine.limit();
        self.machine.resume();
        limit.map_or(Ok(()), |failure| Err(MachineError::new_err(self.complaint(failure))))
    }

    fn complaint(&self, failure: Failure) -> Complaint {
        let name = |slot: u32| self.machine.name_of(slot).to_string();
        let span = located(&self.texts, failure.span);
        let (what, about) = match failure.why {
            Why::Operator(why) => return undefined(why, span),
            Why::Unassigned(slot) => ("unassigned", name(slot)),
            Why::Infinite => ("infinite", String::new()),
            Why::Unbounded(slot) => ("unbounded", name(slot)),
            Why::TooManyCandidates => ("too-many-candidates", String::new()),
            Why::TooManyOutcomes => ("too-many-outcomes", MAX_OUTCOMES.to_string()),
            Why::TooManySetups => ("too-many-setups", MAX_SETUPS.to_string()),
            Why::TooManyTurns => ("too-many-turns", MAX_TURNS.to_string()),
            Why::Assertion => ("assertion", String::new()),
            Why::Precondition => ("precondition", String::new()),
            Why::LoopInvariant => ("loop-invariant", String::new()),
            Why::LoopVariant => ("loop-variant", String::new()),
            Why::WrittenTwice(slot) => ("written-twice", name(slot)),
        };
        (what, about, span)
    }

    /// Numbers and truth values as they are, an element as ("point", n), a text as a string, a pair as ("pair", a, b), a
    /// record as ("record", ...), a set as a frozenset.
    fn shown<'py>(&self, py: Python<'py>, value: Value) -> PyResult<Bound<'py, PyAny>> {
        let each = |values: &[Value]| -> PyResult<Vec<Bound<'py, PyAny>>> {
            values.iter().map(|&value| self.shown(py, value)).collect()
        };
        Ok(match self.machine.values().view(value) {
            View::Unset => py.None().into_bound(py),
            View::Number(number) => number.into_pyobject(py)?.into_any(),
            View::Truth(truth) => truth.into_pyobject(py)?.to_owned().into_any(),
            View::Point(point) => ("point", point).into_pyobject(py)?.into_any(),
            View::Text(text) => {
                let text = self.texts.get(text as usize).map_or("", String::as_str);
                text.into_pyobject(py)?.into_any()
            }
            View::Pair(left, right) => {
                ("pair", self.shown(py, left)?, self.shown(py, right)?).into_pyobject(py)?.into_any()
            }
            View::Record(fields) => {
                let mut parts = vec!["record".into_pyobject(py)?.into_any()];
                parts.extend(each(fields)?);
                PyTuple::new(py, parts)?.into_any()
            }
            View::Set(elements) => PyFrozenSet::new(py, &each(elements)?)?.into_any(),
        })
    }
}

fn located(texts: &[String], span: Option<CoreSpan>) -> Span {
    let (line, column, length, source) = span?;
    Some((line, column, length, source.and_then(|source| texts.get(source as usize).cloned())))
}

fn undefined(why: Undefined, span: Span) -> Complaint {
    let what = match why {
        Undefined::OutsideDomain => "outside-domain",
        Undefined::NotAFunction => "not-a-function",
        Undefined::DivisionByZero => "division-by-zero",
        Undefined::NegativeModulo => "negative-modulo",
        Undefined::NegativeExponent => "negative-exponent",
        Undefined::EmptyMin => "empty-min",
        Undefined::EmptyIntersection => "empty-intersection",
        Undefined::NotASequence => "not-a-sequence",
        Undefined::EmptySequence => "empty-sequence",
        Undefined::OutsideSequence => "outside-sequence",
        Undefined::NegativeIteration => "negative-iteration",
        Undefined::NumberTooLarge => "number-too-large",
        Undefined::SetTooLarge { size, .. } => return ("set-too-large", size.to_string(), span),
    };
    (what, String::new(), span)
}

type Steps = Vec<(u32, Vec<u64>)>;

#[pyclass(frozen, get_all, extends = Counts, module = "burnside._core")]
pub struct MachineExploration {
    violations: Vec<(usize, Steps, Option<u32>)>,
    /// By operation: how often, in the explored states.
    firings: Vec<u64>,
    /// Is there one state for each orbit? Of markers that is known only now.
    is_exact: bool,
    /// Slots that held values of which markers do not say all.
    imprecise: Vec<usize>,
    /// Values of the states that are shared between them, and their bytes.
    interned: u64,
    interned_bytes: u64,
    /// The limit that was met where it stopped for one.
    limit: Option<Complaint>,
}

fn canonicaliser(
    machine: &Machine,
    group: &ElementGroup,
    method: &Method,
    stats: bool,
) -> PyResult<ValuesCanonicaliser> {
    let points: u32 = machine.machine.sorts().iter().sum();
    if points as usize != group.group.degree() {
        return Err(PyValueError::new_err("the group belongs to another machine"));
    }
    method.fits_group(&group.group, group.whole)?;
    let symmetry = Symmetry { group: &group.group, kept: &group.kept, whole: group.whole };
    let values = machine.machine.shared_values();
    let packings = machine.machine.packings();
    Ok(ValuesCanonicaliser::new(method.core(), values, &packings, &symmetry, method.encoding(), stats))
}

/// The representative of a state, and the order of its stabiliser.
#[pyfunction]
fn canonical_values(
    machine: &Machine,
    group: &ElementGroup,
    method: &Method,
    state: Vec<u64>,
) -> PyResult<(Vec<u64>, BigUint)> {
    machine.check(&state)?;
    let canonicaliser = canonicaliser(machine, group, method, false)?;
    let mut scratch = canonicaliser.scratch(&Cancel::default());
    let order = canonicaliser.stabiliser(&state, &mut scratch).order();
    let mut state = state;
    canonicaliser.canonicalise(&mut state, &mut scratch);
    Ok((state, order))
}

/// Vertices and arcs of a state's layered graph (Spermann 2009, Tables C.1 and C.2).
#[pyfunction]
fn layered_graph_size(machine: &Machine, group: &ElementGroup, state: Vec<u64>) -> PyResult<(usize, usize)> {
    machine.check(&state)?;
    Ok(canonicaliser(machine, group, &Method::nauty(), false)?.graph_size(&state))
}

#[pyfunction]
#[pyo3(signature = (
    machine, group, method, *, order="bfs", alpha=0.5, seed=0, threads=1, deadlock=false, keep_going=false,
    stop_at_errors=false, assume_bounds=false, max_states=None, max_seconds=None, max_memory=None, stats=false,
    self_check="off",
    progress=None
))]
#[allow(clippy::too_many_arguments)] // the keywords of one Python call
fn explore_machine(
    py: Python<'_>,
    machine: &Machine,
    group: &ElementGroup,
    method: &Method,
    order: &str,
    alpha: f64,
    seed: u64,
    threads: usize,
    deadlock: bool,
    keep_going: bool,
    stop_at_errors: bool,
    assume_bounds: bool,
    max_states: Option<u64>,
    max_seconds: Option<f64>,
    max_memory: Option<u64>,
    stats: bool,
    self_check: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<Py<MachineExploration>> {
    let settings = Settings {
        order: order_of(order, alpha, seed)?,
        threads,
        keep_going,
        fatal: stop_at_errors.then_some(ERROR),
        deadlock: deadlock.then_some(0),
        prune: method.prunes(),
        self_check: self_check::mode(self_check)?,
        properties: machine.machine.properties(),
        max_states,
        max_seconds,
        max_memory,
    };
    let canonicaliser = canonicaliser(machine, group, method, stats)?;
    let model =
        machine.machine.under(group.group.chain().points(), &group.exchanged).assuming_bounds(assume_bounds);
    model.resume();
    let found = py.detach(|| {
        let mut failure = None;
        let mut watch = |now: &core::Progress| report(now, progress.as_ref(), &mut failure);
        let found = core::explore(model, &canonicaliser, &settings, &mut watch);
        failure.map_or(Ok(found), Err)
    })?;
    let limit = machine.machine.limit().map(|failure| machine.complaint(failure));
    machine.machine.resume();
    group.check(py, &found)?;
    let told = if found.violations.is_empty() {
        translate(&canonicaliser, found, limit)
    } else {
        deep(py, || translate(&canonicaliser, found, limit))?
    };
    Py::new(py, told?)
}

/// Traces are lifted to the unreduced machine.
fn translate(
    canonicaliser: &ValuesCanonicaliser,
    found: core::Exploration<CompiledMachine>,
    limit: Option<Complaint>,
) -> PyResult<(MachineExploration, Counts)> {
    let mut violations = Vec::new();
    for violation in &found.violations {
        let lifted = trace::lift(&found.model, canonicaliser, violation).ok_or_else(|| {
            PyRuntimeError::new_err("a counterexample could not be lifted to the unreduced machine")
        })?;
        violations.push((violation.property, lifted.steps, lifted.failing));
    }
    let counts = Counts::of(&found);
    let tally = &found.tally;
    let mut firings = vec![0; found.model.operations()];
    for (label, times) in (0..).zip(&tally.firings).filter(|(_, times)| **times > 0) {
        let operation = found.model.event(label).map(|event| event.operation as usize);
        operation.and_then(|operation| firings.get_mut(operation)).into_iter().for_each(|all| *all += times);
    }
    let own = MachineExploration {
        violations,
        firings,
        is_exact: canonicaliser.is_exact(),
        imprecise: canonicaliser.imprecise_slots(),
        interned: found.model.values().size() as u64,
        interned_bytes: found.model.values().bytes() as u64,
        limit,
    };
    Ok((own, counts))
}

#[pyfunction]
fn machine_graph(
    py: Python<'_>,
    machine: &Machine,
    group: &ElementGroup,
    method: &Method,
    max_states: usize,
) -> PyResult<StateGraph> {
    method.fits_group(&group.group, group.whole)?;
    let canonicaliser = canonicaliser(machine, group, &method.of_graphs(Guide::Tree), false)?;
    let model = machine.machine.under(group.group.chain().points(), &group.exchanged);
    model.resume();
    let graph = deep(py, || core::export(&model, &canonicaliser, max_states, false))?;
    machine.check_limit()?;
    let graph = graph.map_err(|_| PyRuntimeError::new_err("a value does not fit its slot"))?;
    Ok(graph.into())
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("MachineError", m.py().get_type::<MachineError>())?;
    m.add_class::<Machine>()?;
    m.add_class::<MachineExploration>()?;
    m.add_function(wrap_pyfunction!(explore_machine, m)?)?;
    m.add_function(wrap_pyfunction!(canonical_values, m)?)?;
    m.add_function(wrap_pyfunction!(layered_graph_size, m)?)?;
    m.add_function(wrap_pyfunction!(machine_graph, m)?)
}
