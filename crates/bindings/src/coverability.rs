//! Coverability and boundedness of nets. Omega crosses as `None`.

use burnside_core::coverability::{self as core, Goal, Limits, OMEGA, Order, System, Witness};
use burnside_core::search::Progress;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::errors;
use crate::groups::Group;
use crate::nets::Net;
use crate::settings::report;

type Marking = Vec<Option<u64>>;

/// What a forward search found.
#[pyclass(frozen, get_all, module = "burnside._core")]
pub struct Coverability {
    stopped: &'static str,
    /// The maximal omega-markings, one of each orbit.
    markings: Vec<Marking>,
    /// By place: the largest number that was found.
    bounds: Marking,
    /// By place: what P-semiflows say that it holds at most; None where they say nothing.
    upper_bounds: Vec<Option<u64>>,
    /// By transition: in how many omega-markings it was enabled.
    firings: Vec<u64>,
    /// Transitions, and the step from which on they can be repeated.
    pump: Option<(Vec<u32>, usize)>,
    /// By goal: was it found?
    found: Vec<bool>,
    /// By goal: the run, where it was found and is not too long.
    runs: Vec<Option<Vec<u32>>>,
    entered: u64,
    transitions: u64,
    depth: u32,
    /// Searches for a permutation, and how many of them were given up.
    searches: u64,
    given_up: u64,
    store_bytes: u64,
    seconds: f64,
}

/// What a backward search found.
#[pyclass(frozen, get_all, module = "burnside._core")]
pub struct BackwardCoverability {
    stopped: &'static str,
    run: Option<Vec<u32>>,
    kept: u64,
    steps: u64,
    seconds: f64,
}

#[pyfunction]
#[pyo3(signature = (
    net, group, goals, *, order="bfs", goals_only=false, max_states=None, max_seconds=None, max_memory=None, progress=None
))]
#[allow(clippy::too_many_arguments)] // the keywords of one Python call
fn coverability(
    py: Python<'_>,
    net: &Net,
    group: &Group,
    goals: Vec<Bound<'_, PyTuple>>,
    order: &str,
    goals_only: bool,
    max_states: Option<u64>,
    max_seconds: Option<f64>,
    max_memory: Option<u64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Coverability> {
    let system = system(net, group)?;
    let goals = goals_of(net, group, &system, &goals)?;
    let order = match order {
        "bfs" => Order::Breadth,
        "dfs" => Order::Depth,
        other => return Err(PyValueError::new_err(format!("no such order: {other}"))),
    };
    let limits = Limits { max_states, max_seconds, max_memory };
    let settings = core::Settings { order, goals_only, limits };
    let found = watched(py, progress, |watch| core::forward(&system, &goals, settings, watch))?;
    let runs = found.witnesses.iter().map(|witness| match witness {
        Some(Witness::Run(run)) => Some(run.clone()),
        _ => None,
    });
    Ok(Coverability {
        stopped: found.stopped.name(),
        markings: found.markings.iter().map(|marking| with_omegas(marking)).collect(),
        bounds: with_omegas(&found.bounds),
        upper_bounds: found.upper_bounds,
        firings: found.firings,
        pump: found.pump.map(|pump| (pump.run, pump.start)),
        found: found.witnesses.iter().map(Option::is_some).collect(),
        runs: runs.collect(),
        entered: found.entered,
        transitions: found.transitions,
        depth: found.depth,
        searches: found.searches,
        given_up: found.given_up,
        store_bytes: found.bytes,
        seconds: found.seconds,
    })
}

#[pyfunction]
#[pyo3(signature = (net, group, goal, *, max_states=None, max_seconds=None, max_memory=None, progress=None))]
#[allow(clippy::too_many_arguments)] // the keywords of one Python call
fn backward_coverability(
    py: Python<'_>,
    net: &Net,
    group: &Group,
    goal: Bound<'_, PyTuple>,
    max_states: Option<u64>,
    max_seconds: Option<f64>,
    max_memory: Option<u64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<BackwardCoverability> {
    let system = system(net, group)?;
    let goals = goals_of(net, group, &system, std::slice::from_ref(&goal))?;
    let limits = Limits { max_states, max_seconds, max_memory };
    let found = watched(py, progress, |watch| core::backward(&system, &goals[0], limits, watch))?;
    let too_many = || format!("the goal has more than {} minimal markings", core::MAX_BASIS);
    let found = found.ok_or_else(|| errors::TooLargeError::new_err(too_many()))?;
    Ok(BackwardCoverability {
        stopped: found.stopped.name(),
        run: found.run,
        kept: found.kept,
        steps: found.steps,
        seconds: found.seconds,
    })
}

/// Is `below` covered by an image of `above`? None where that is not known.
#[pyfunction]
fn covers(net: &Net, group: &Group, below: Marking, above: Marking) -> PyResult<Option<bool>> {
    let system = system(net, group)?;
    let numbers = |marking: Marking| -> PyResult<Vec<u64>> {
        net.marking(marking.into_iter().map(|n| n.unwrap_or(OMEGA)).collect())
    };
    Ok(core::covers(&system, &numbers(below)?, &numbers(above)?))
}

/// P-semiflows that are found in a limited time: weights by place.
#[pyfunction]
fn place_semiflows(net: &Net, group: &Group) -> PyResult<Vec<Vec<(u32, i128)>>> {
    Ok(core::place_semiflows(&system(net, group)?))
}

fn system(net: &Net, group: &Group) -> PyResult<System> {
    if !std::sync::Arc::ptr_eq(&net.net, &group.net) {
        return Err(PyValueError::new_err("the group belongs to another net"));
    }
    if !group.group.fixes(&net.net.initial) {
        return Err(PyValueError::new_err("the group moves the initial marking"));
    }
    Ok(System::new(&group.collapsed, &group.group))
}

fn goals_of(net: &Net, group: &Group, system: &System, given: &[Bound<'_, PyTuple>]) -> PyResult<Vec<Goal>> {
    let expressions = net.expressions(given)?;
    if group.group.first_changed(&group.collapsed, &expressions).is_some() {
        return Err(PyValueError::new_err("the group does not keep a goal"));
    }
    let not_closed = || PyValueError::new_err("a goal is not upward closed");
    expressions.iter().map(|e| Goal::new(system, e).ok_or_else(not_closed)).collect()
}

fn with_omegas(marking: &[u64]) -> Marking {
    marking.iter().map(|&n| (n != OMEGA).then_some(n)).collect()
}

/// Runs a search without the interpreter's lock; an error of the progress function is raised.
fn watched<R: Send>(
    py: Python<'_>,
    progress: Option<Py<PyAny>>,
    search: impl FnOnce(&mut dyn FnMut(&Progress) -> bool) -> R + Send,
) -> PyResult<R> {
    py.detach(|| {
        let mut failure = None;
        let mut watch = |now: &Progress| report(now, progress.as_ref(), &mut failure);
        let found = search(&mut watch);
        failure.map_or(Ok(found), Err)
    })
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Coverability>()?;
    m.add_class::<BackwardCoverability>()?;
    m.add_function(wrap_pyfunction!(coverability, m)?)?;
    m.add_function(wrap_pyfunction!(backward_coverability, m)?)?;
    m.add_function(wrap_pyfunction!(covers, m)?)?;
    m.add_function(wrap_pyfunction!(place_semiflows, m)?)
}
