//! Temporal formulas over a net, a program or a machine.

use std::sync::Mutex;

use burnside_core::automata::{MAX_ATOMS, Operator};
use burnside_core::search as core;
use burnside_core::temporal::{
    self, Actor, AtomSource, Classify, Formula, Individuals, Question, Row, StateAtom,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::automata::{Automaton, operator};
use crate::errors::raised;
use crate::method::Method;
use crate::settings::{Settings, report};
use crate::subjects::{check_limit, prepared};

/// A run that violates a formula: steps as (label, state); after the last one the label `closing` leads back to `loop_start`.
#[pyclass(frozen, get_all, module = "burnside._core")]
#[derive(Clone)]
pub struct TemporalRun {
    steps: Vec<(u32, Vec<u64>)>,
    loop_start: Option<usize>,
    closing: Option<u32>,
    decided: Option<usize>,
    rounds: usize,
    holonomy: Vec<u32>,
}

#[pyclass(frozen, get_all, module = "burnside._core")]
#[derive(Clone)]
pub struct TemporalAnswer {
    holds: Option<bool>,
    run: Option<TemporalRun>,
    why: Option<String>,
    automaton: Option<(usize, usize)>,
    nodes: u64,
    seconds: f64,
}

#[pyclass(frozen, get_all, module = "burnside._core")]
pub struct TemporalReport {
    stopped: &'static str,
    answers: Vec<TemporalAnswer>,
    states: u64,
    expanded: u64,
    edges: u64,
    has_failed: bool,
    lacks_witnesses: bool,
    bytes: u64,
    edge_bytes: u64,
    keeps_edges: bool,
    seconds: f64,
}

/// (is it linear, does the end of runs stutter, rows or the automaton of the runs that violate it, sources of the atoms)
type FormulaTable = (bool, bool, Body, Vec<(String, u64)>);

#[derive(FromPyObject)]
enum Body {
    Violations(Py<Automaton>),
    Rows(Vec<(String, Vec<u32>)>),
}

#[pyfunction]
#[pyo3(signature = (
    subject, group, method, settings, state_atoms, formulas, classify=None, progress=None, *, individuals=None,
    constants=0, keep_edges=true
))]
#[allow(clippy::too_many_arguments)] // the keywords of one Python call
fn check_formulas(
    py: Python<'_>,
    subject: &Bound<'_, PyAny>,
    group: &Bound<'_, PyAny>,
    method: &Method,
    settings: &Settings,
    state_atoms: Vec<(String, u64)>,
    formulas: Vec<FormulaTable>,
    classify: Option<Py<PyAny>>,
    progress: Option<Py<PyAny>>,
    individuals: Option<Py<PyAny>>,
    constants: usize,
    keep_edges: bool,
) -> PyResult<TemporalReport> {
    let prepared = prepared(subject, group, method, false)?;
    let state_atoms: PyResult<Vec<_>> = state_atoms.iter().map(|(what, of)| state_atom(what, *of)).collect();
    let formulas: PyResult<Vec<_>> = formulas.iter().map(formula).collect();
    let (state_atoms, formulas) = (state_atoms?, formulas?);
    let question = Question { state_atoms, constants, formulas, keeps_edges: keep_edges };
    check_atoms(&question)?;
    let core = settings.core(prepared.properties(), method.prune);
    let failed = Failed::default();
    let found = py.detach(|| {
        let mut failure = None;
        let mut watch =
            |now: &core::Progress| report(now, progress.as_ref(), &mut failure) && !failed.is_set();
        let classify = classify.as_ref().map(|of_label| -> Classify<'_> {
            let failed = &failed;
            Box::new(move |label, state| {
                failed.or_default(Python::attach(|py| {
                    of_label.call1(py, (label, state.to_vec()))?.extract::<u64>(py)
                }))
            })
        });
        let individuals = individuals
            .as_ref()
            .map(|object| -> Box<dyn Individuals + '_> { Box::new(Asked { object, failed: &failed }) });
        let found = prepared.temporal(&question, classify, individuals, &core, &mut watch);
        failure.map_or(Ok(found), Err)
    })?;
    failed.raised()?;
    check_limit(subject)?;
    Ok(temporal_report(found.map_err(raised)?))
}

/// The first error of a Python function that the core called: the run ends, and the error is raised.
#[derive(Default)]
struct Failed(Mutex<Option<PyErr>>);

impl Failed {
    fn is_set(&self) -> bool {
        self.0.lock().map_or(true, |error| error.is_some())
    }

    fn or_default<T: Default>(&self, found: PyResult<T>) -> T {
        found.unwrap_or_else(|error| {
            if let Ok(mut first) = self.0.lock() {
                first.get_or_insert(error);
            }
            T::default()
        })
    }

    fn raised(self) -> PyResult<()> {
        match self.0.into_inner() {
            Ok(Some(error)) => Err(error),
            _ => Ok(()),
        }
    }
}

/// A Python object with the methods `acting` and `image`.
struct Asked<'a> {
    object: &'a Py<PyAny>,
    failed: &'a Failed,
}

impl Individuals for Asked<'_> {
    fn acting(&mut self, label: u32, state: &[u64]) -> Vec<Actor> {
        let found: Vec<(u32, bool, bool)> = self.failed.or_default(Python::attach(|py| {
            self.object.call_method1(py, "acting", (label, state.to_vec()))?.extract(py)
        }));
        let actor = |(individual, is_strong, is_able)| Actor { individual, is_strong, is_able };
        found.into_iter().map(actor).collect()
    }

    fn image(&mut self, element: &[u32], individual: u32) -> u32 {
        self.failed.or_default(Python::attach(|py| {
            self.object.call_method1(py, "image", (element.to_vec(), individual))?.extract(py)
        }))
    }
}

fn temporal_report(found: temporal::Report) -> TemporalReport {
    let run = |run: temporal::Run| TemporalRun {
        steps: run.steps,
        loop_start: run.loop_start,
        closing: run.closing,
        decided: run.decided,
        rounds: run.rounds,
        holonomy: run.holonomy,
    };
    let answer = |answer: temporal::Answer| TemporalAnswer {
        holds: answer.holds,
        run: answer.run.map(run),
        why: answer.why,
        automaton: answer.automaton,
        nodes: answer.nodes,
        seconds: answer.seconds,
    };
    TemporalReport {
        stopped: found.stopped.name(),
        answers: found.answers.into_iter().map(answer).collect(),
        states: found.states,
        expanded: found.expanded,
        edges: found.edges,
        has_failed: found.has_failed,
        lacks_witnesses: found.lacks_witnesses,
        bytes: found.bytes,
        edge_bytes: found.edge_bytes,
        keeps_edges: found.keeps_edges,
        seconds: found.seconds,
    }
}

fn state_atom(what: &str, of: u64) -> PyResult<StateAtom> {
    Ok(match what {
        "satisfied" => StateAtom::Satisfied(of as usize),
        "enabled" => StateAtom::Enabled(of),
        "ends" => StateAtom::Ends,
        "sink" => StateAtom::Sink,
        "initial" => StateAtom::Initial,
        _ => return Err(PyValueError::new_err(format!("no such atom: {what}"))),
    })
}

fn formula((is_linear, stutters, body, atoms): &FormulaTable) -> PyResult<Formula> {
    let row = |(name, operands): &(String, Vec<u32>)| {
        Ok(match (name.as_str(), operands.as_slice()) {
            ("exists", &[operand]) => Row::Exists(operand as usize),
            ("forall", &[operand]) => Row::Forall(operand as usize),
            (name, operands) => Row::Path(operator(name, operands)?),
        })
    };
    let source = |(what, of): &(String, u64)| {
        Ok(match what.as_str() {
            "state" => AtomSource::State(*of as usize),
            "taken" => AtomSource::Taken(*of),
            _ => return Err(PyValueError::new_err(format!("no such atom: {what}"))),
        })
    };
    let (rows, violations) = match body {
        Body::Rows(rows) => (rows.iter().map(row).collect::<PyResult<Vec<Row>>>()?, None),
        Body::Violations(given) => (Vec::new(), Some(given.get().automaton.as_ref().clone())),
    };
    let atoms: PyResult<Vec<AtomSource>> = atoms.iter().map(source).collect();
    Ok(Formula { rows, violations, atoms: atoms?, is_linear: *is_linear, stutters: *stutters })
}

/// Numbers of rows and atoms come from outside.
fn check_atoms(question: &Question) -> PyResult<()> {
    let known = question.state_atoms.len();
    let is_right = |formula: &Formula| {
        let rows = formula.rows.iter().enumerate().all(|(at, row)| {
            row.operands().iter().all(|&operand| operand < at)
                && !matches!(row, Row::Path(Operator::Atom(atom)) if *atom as usize >= formula.atoms.len())
                && !(formula.is_linear && matches!(row, Row::Exists(_) | Row::Forall(_)))
        });
        let atoms = formula.atoms.iter().all(|atom| !matches!(atom, AtomSource::State(at) if *at >= known));
        let body = match &formula.violations {
            None => !formula.rows.is_empty(),
            Some(automaton) => {
                formula.is_linear
                    && formula.atoms.len() <= MAX_ATOMS
                    && automaton.atom_count() <= formula.atoms.len()
            }
        };
        rows && atoms && body
    };
    let atoms = &question.state_atoms;
    let are_different = atoms.iter().enumerate().all(|(at, atom)| !atoms[..at].contains(atom));
    if are_different && question.formulas.iter().all(is_right) {
        return Ok(());
    }
    Err(PyValueError::new_err("the table of a formula is malformed"))
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<TemporalRun>()?;
    m.add_class::<TemporalAnswer>()?;
    m.add_class::<TemporalReport>()?;
    m.add_function(wrap_pyfunction!(check_formulas, m)?)
}
