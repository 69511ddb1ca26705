//! What can be done with a net, a program or a machine under a group and a method; each function is for all kinds.

use burnside_core::canon::{Guide, Method as CoreMethod, Selector};
use burnside_core::kinds::{self, Fact, Subject};
use burnside_core::search as core;
use num_bigint::BigUint;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::element_groups::ElementGroup;
use crate::errors::raised;
use crate::groups::Group;
use crate::machines::Machine;
use crate::method::Method;
use crate::nets::Net;
use crate::programs::Program;
use crate::self_check;
use crate::settings::{Settings, report};

/// The kinds, one line each.
pub fn prepared(
    subject: &Bound<'_, PyAny>,
    group: &Bound<'_, PyAny>,
    method: &Method,
    stats: bool,
) -> PyResult<Box<dyn Subject>> {
    let py = subject.py();
    if let Ok(net) = subject.cast::<Net>() {
        let (net, group) = (net.get(), group.cast::<Group>()?.get());
        return py.detach(|| net.prepared(group, method, stats));
    }
    if let Ok(program) = subject.cast::<Program>() {
        let (program, group) = (program.get(), group.cast::<ElementGroup>()?.get());
        return py.detach(|| program.prepared(group, method, stats));
    }
    if let Ok(machine) = subject.cast::<Machine>() {
        let (machine, group) = (machine.get(), group.cast::<ElementGroup>()?.get());
        return py.detach(|| machine.prepared(group, method, stats));
    }
    Err(PyTypeError::new_err("a Net, Program or Machine was expected"))
}

/// Refuses a method that does not fit the group, whichever kind of model it is of.
fn check_method(group: &Bound<'_, PyAny>, method: &Method) -> PyResult<()> {
    let fits = match group.cast::<Group>() {
        Ok(group) => group.get().group.check_method(method.method),
        Err(_) => group.cast::<ElementGroup>()?.get().symmetry.check_method(method.method),
    };
    fits.map_err(raised)
}

/// Raises the limit that a machine reached, which says more than that it gave up.
pub fn check_limit(subject: &Bound<'_, PyAny>) -> PyResult<()> {
    subject.cast::<Machine>().map_or(Ok(()), |machine| machine.get().check_limit())
}

/// For graphs: canonical, and the same states whatever the method of a check is.
fn for_graphs(method: &Method, subject: &Bound<'_, PyAny>) -> Method {
    let guide = if subject.is_instance_of::<Net>() { Guide::Partition } else { Guide::Tree };
    let search = CoreMethod::Search { guide, selector: Selector::LeastUnique };
    Method {
        method: if method.method == CoreMethod::None { CoreMethod::None } else { search },
        ..method.clone()
    }
}

/// Violated property, steps as (label, state), the label that fails in the last state.
type Violation = (usize, Vec<(u32, Vec<u64>)>, Option<u32>);

/// Stored states and seconds before it; did the run begin again; how many times as long as all the rest symmetry took; members of
/// an orbit.
type Change = (u64, f64, bool, f64, Option<f64>);

fn change(found: core::Change) -> Change {
    (found.after_states, found.seconds, found.restarted, found.why.factor, found.why.orbit)
}

#[pyclass(frozen, get_all, module = "burnside._core")]
pub struct Exploration {
    stopped: &'static str,
    states: u64,
    /// States whose successors are known; the one that fails is among them.
    expanded: u64,
    transitions: u64,
    initial_states: u64,
    deadlocks: u64,
    full_states: Option<BigUint>,
    depth: u32,
    violations: Vec<Violation>,
    violating: Vec<(usize, u64)>,
    covered: Vec<usize>,
    /// By action: in how many explored states, with how many parameters, it was enabled.
    firings: Vec<u64>,
    is_exact: bool,
    /// By name: what only some kinds know.
    facts: Py<PyDict>,
    trivial: u64,
    easy: u64,
    hard: u64,
    search_nodes: u64,
    most_search_nodes: u64,
    canonicalised: u64,
    seconds: f64,
    store_bytes: u64,
    packed_bits: u32,
    /// States on which the self-check was made, and under how many generators each, of how many.
    self_checked: u64,
    self_check_generators: (usize, usize),
    /// Where the run gave up reducing.
    change: Option<Change>,
    /// Violated properties for which there was no time to find a run.
    unlifted: Vec<usize>,
}

#[pyfunction]
#[pyo3(signature = (subject, group, method, settings=None, progress=None))]
fn explore(
    py: Python<'_>,
    subject: &Bound<'_, PyAny>,
    group: &Bound<'_, PyAny>,
    method: &Method,
    settings: Option<&Settings>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Exploration> {
    let default = Settings::default();
    let settings = settings.unwrap_or(&default);
    let prepared = prepared(subject, group, method, settings.stats)?;
    let core = settings.core(prepared.properties(), method.prune);
    let found = py.detach(|| {
        let mut failure = None;
        let mut watch = |now: &core::Progress| report(now, progress.as_ref(), &mut failure);
        let found = prepared.explore(&core, &mut watch);
        failure.map_or(Ok(found), Err)
    })?;
    check_limit(subject)?;
    let found = found.map_err(raised)?;
    if let Some((contradiction, generator)) = &found.contradiction {
        return Err(self_check::error(py, contradiction, generator.clone()));
    }
    exploration(py, found)
}

fn exploration(py: Python<'_>, found: kinds::Report) -> PyResult<Exploration> {
    let facts = PyDict::new(py);
    for (name, fact) in found.facts {
        match fact {
            Fact::Number(number) => facts.set_item(name, number)?,
            Fact::Numbers(numbers) => facts.set_item(name, numbers)?,
        }
    }
    let tally = found.tally;
    let violations = found.violations.into_iter().map(|each| (each.property, each.steps, each.failing));
    Ok(Exploration {
        stopped: found.stopped,
        states: found.states,
        expanded: tally.expanded,
        transitions: tally.transitions,
        initial_states: found.initial_states,
        deadlocks: tally.deadlocks,
        full_states: found.full_states,
        depth: found.depth,
        violations: violations.collect(),
        violating: found.violating,
        covered: tally.covered.into_iter().collect(),
        firings: found.firings,
        is_exact: found.is_exact,
        facts: facts.unbind(),
        trivial: tally.trivial,
        easy: tally.easy,
        hard: tally.hard,
        search_nodes: tally.search_nodes,
        most_search_nodes: tally.most_search_nodes,
        canonicalised: tally.canonicalised,
        seconds: found.seconds,
        store_bytes: found.visited_bytes,
        packed_bits: found.packed_bits,
        self_checked: found.self_checked,
        self_check_generators: found.self_check_generators,
        change: found.change.map(change),
        unlifted: found.unlifted,
    })
}

#[pyclass(frozen, get_all, module = "burnside._core")]
pub struct StateGraph {
    states: Vec<Vec<u64>>,
    orbit_sizes: Vec<BigUint>,
    initial: usize,
    starts: Vec<(u32, usize)>,
    redirected_starts: Vec<bool>,
    edges: Vec<(usize, u32, usize)>,
    sequences: Vec<(usize, Vec<u32>)>,
    redirected: Vec<bool>,
    witnesses: Vec<Vec<u32>>,
    failures: Vec<(usize, u32)>,
    judged: Vec<(usize, usize)>,
    deadlocks: Vec<usize>,
    explored: usize,
    complete: bool,
}

#[pyfunction]
#[pyo3(signature = (subject, group, method, max_states, *, witnesses=false))]
fn state_graph(
    py: Python<'_>,
    subject: &Bound<'_, PyAny>,
    group: &Bound<'_, PyAny>,
    method: &Method,
    max_states: usize,
    witnesses: bool,
) -> PyResult<StateGraph> {
    // The graph is made by another method; what a check would refuse is refused here too.
    check_method(group, method)?;
    let prepared = prepared(subject, group, &for_graphs(method, subject), false)?;
    let graph = py.detach(|| prepared.graph(max_states, witnesses));
    check_limit(subject)?;
    let graph = graph.map_err(raised)?;
    Ok(StateGraph {
        initial: graph.initial(),
        complete: graph.is_complete(),
        states: graph.states,
        orbit_sizes: graph.orbit_sizes,
        starts: graph.starts,
        redirected_starts: graph.redirected_starts,
        edges: graph.edges,
        sequences: graph.sequences,
        redirected: graph.redirected,
        witnesses: graph.witnesses,
        failures: graph.failures,
        judged: graph.judged,
        deadlocks: graph.deadlocks,
        explored: graph.explored,
    })
}

/// (number of states, has an edge inside) of each component; None where there are more states than allowed.
#[pyfunction]
fn components(
    py: Python<'_>,
    subject: &Bound<'_, PyAny>,
    group: &Bound<'_, PyAny>,
    method: &Method,
    max_states: usize,
) -> PyResult<Option<Vec<(usize, bool)>>> {
    let prepared = prepared(subject, group, method, false)?;
    let found = py.detach(|| prepared.components(max_states));
    check_limit(subject)?;
    let found = found.map_err(raised)?;
    let sizes = found.members.iter().map(Vec::len).zip(found.has_edges);
    Ok((!found.is_cut).then(|| sizes.collect()))
}

/// The representative of a state, and the order of its stabiliser.
#[pyfunction]
fn canonical(
    subject: &Bound<'_, PyAny>,
    group: &Bound<'_, PyAny>,
    method: &Method,
    state: Vec<u64>,
) -> PyResult<(Vec<u64>, BigUint)> {
    prepared(subject, group, method, false)?.canonical(&state).map_err(raised)
}

#[pyfunction]
fn equivalent(
    subject: &Bound<'_, PyAny>,
    group: &Bound<'_, PyAny>,
    a: Vec<u64>,
    b: Vec<u64>,
) -> PyResult<bool> {
    let compare = Method { method: CoreMethod::Compare, prune: false, encoding: Default::default() };
    prepared(subject, group, &compare, false)?.is_equivalent(&a, &b).map_err(raised)
}

/// A state in a form that is the same in every process.
#[pyfunction]
fn encode(subject: &Bound<'_, PyAny>, group: &Bound<'_, PyAny>, state: Vec<u64>) -> PyResult<Vec<u8>> {
    prepared(subject, group, &Method::none(), false)?.encode(&state).map_err(raised)
}

/// The state that was written in that form.
#[pyfunction]
fn decode(subject: &Bound<'_, PyAny>, group: &Bound<'_, PyAny>, bytes: Vec<u8>) -> PyResult<Vec<u64>> {
    prepared(subject, group, &Method::none(), false)?.decode(&bytes).map_err(raised)
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Exploration>()?;
    m.add_class::<StateGraph>()?;
    m.add_function(wrap_pyfunction!(explore, m)?)?;
    m.add_function(wrap_pyfunction!(state_graph, m)?)?;
    m.add_function(wrap_pyfunction!(components, m)?)?;
    m.add_function(wrap_pyfunction!(canonical, m)?)?;
    m.add_function(wrap_pyfunction!(equivalent, m)?)?;
    m.add_function(wrap_pyfunction!(encode, m)?)?;
    m.add_function(wrap_pyfunction!(decode, m)?)
}
