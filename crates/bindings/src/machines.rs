//! Machines, from the table of `burnside.ir.encoding`, their values and their errors.

use burnside_core::canon::Method as CoreMethod;
use burnside_core::canon::values::Encoding;
use burnside_core::kinds::machine::operators::Undefined;
use burnside_core::kinds::machine::prepared::PreparedMachine;
use burnside_core::kinds::machine::values::{Value, View};
use burnside_core::kinds::machine::{
    CompiledMachine, FAILS, Failure, MAX_BUILT, MAX_OUTCOMES, MAX_SETUPS, MAX_TURNS, Refusal,
    Span as CoreSpan, Why,
};
use burnside_core::kinds::{Subject, on_deep_stack};
use burnside_core::model::{Model, Step};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyFrozenSet, PyTuple};

use crate::element_groups::ElementGroup;
use crate::errors::raised;
use crate::method::Method;

pyo3::create_exception!(
    _core,
    MachineError,
    PyValueError,
    "(what, about, (line, column, length, source) or None)"
);

fn deep<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| on_deep_stack(work)).map_err(raised)
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

    /// The start states: (label, state); None as state where finding it fails.
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
        self.machine.check_state(&state).map_err(raised)?;
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
        self.machine.check_state(&state).map_err(raised)?;
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
        self.machine.check_state(&state).map_err(raised)?;
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

    /// The same machine; values that are not tried are taken not to exist.
    fn assuming_bounds(&self) -> Machine {
        Machine { machine: self.machine.assuming_bounds(true), texts: self.texts.clone() }
    }

    /// The same machine; a run finds out how many elements the multisets of each set of variables have together at most.
    fn with_sums(&self, sums: Vec<Vec<usize>>) -> PyResult<Machine> {
        if sums.iter().flatten().any(|&slot| slot >= self.machine.state_names()) {
            return Err(PyValueError::new_err("not a variable of this machine"));
        }
        Ok(Machine { machine: self.machine.with_sums(sums), texts: self.texts.clone() })
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
    pub fn prepared(&self, group: &ElementGroup, method: &Method, stats: bool) -> PyResult<Box<dyn Subject>> {
        // A limit that an earlier call reached is cleared.
        self.machine.resume();
        let made =
            PreparedMachine::new(&self.machine, &group.symmetry, method.method, method.encoding, stats);
        Ok(Box::new(made.map_err(raised)?))
    }

    /// Raises where a limit was reached, and clears it.
    pub fn check_limit(&self) -> PyResult<()> {
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
            Why::OutcomesTooLarge => ("outcomes-too-large", MAX_BUILT.to_string()),
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

/// Vertices and arcs of a state's layered graph (Spermann 2009, Tables C.1 and C.2).
#[pyfunction]
fn layered_graph_size(machine: &Machine, group: &ElementGroup, state: Vec<u64>) -> PyResult<(usize, usize)> {
    let model = &machine.machine;
    let prepared = PreparedMachine::new(model, &group.symmetry, CoreMethod::Nauty, Encoding::Layers, false);
    prepared.and_then(|prepared| prepared.graph_size(&state)).map_err(raised)
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("MachineError", m.py().get_type::<MachineError>())?;
    m.add_class::<Machine>()?;
    m.add_function(wrap_pyfunction!(layered_graph_size, m)?)
}
