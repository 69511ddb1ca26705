//! Exploring: settings in, counts and traces out.

use std::sync::Arc;

use burnside_core::canon::slots::SlotCanonicaliser;
use burnside_core::canon::values::Encoding;
use burnside_core::canon::{
    Cancel, Canonicaliser, Guide, MINIMISE_LIMIT, MarkerOptions, Method as CoreMethod, Selector,
};
use burnside_core::net::compiled::{CompiledNet, Property, PropertyKind};
use burnside_core::search as core;
use burnside_core::search::{Order, Settings};
use burnside_core::trace;
use num_bigint::BigUint;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::counts::Counts;
use crate::groups::Group;
use crate::nets::Net;
use crate::self_check::{self, Translation};

pyo3::create_exception!(_core, MethodError, PyValueError, "A method that does not fit a group, and why.");
pyo3::create_exception!(_core, TooLargeError, PyValueError, "A model that the core cannot hold, and why.");

#[pyclass(frozen, module = "burnside._core")]
#[derive(Clone)]
pub struct Method {
    method: CoreMethod,
    prune: bool,
    encoding: Encoding,
}

#[pymethods]
impl Method {
    #[new]
    #[pyo3(signature = (
        name, guide="partition", selector=None, budget=None, prune=true, *, rounds=1, widened=false, layers=false
    ))]
    #[allow(clippy::too_many_arguments)] // the keywords of one Python call
    fn new(
        name: &str,
        guide: &str,
        selector: Option<&str>,
        budget: Option<u64>,
        prune: bool,
        rounds: u8,
        widened: bool,
        layers: bool,
    ) -> PyResult<Method> {
        let unknown = |what: &str, name: &str| PyValueError::new_err(format!("no such {what}: {name}"));
        let guide = match guide {
            "marking" => Guide::Marking,
            "partition" => Guide::Partition,
            "tree" => Guide::Tree,
            other => return Err(unknown("guide", other)),
        };
        let selector = match (selector, guide) {
            (Some(name), _) => Selector::named(name).ok_or_else(|| unknown("selector", name))?,
            (None, Guide::Marking) => Selector::MaxMinFrequency,
            (None, Guide::Partition | Guide::Tree) => Selector::LeastUnique,
        };
        let options = MarkerOptions { rounds, widened };
        let method = match name {
            "none" => CoreMethod::None,
            "flood" => CoreMethod::Flood,
            "nauty" => CoreMethod::Nauty,
            "search" => CoreMethod::Search { guide, selector },
            "minimise" => CoreMethod::Minimise,
            "compare" => CoreMethod::Compare,
            "representative" => CoreMethod::Representative { guide, selector, budget },
            "marker" => CoreMethod::Marker(options),
            "hybrid" => CoreMethod::Hybrid(options),
            other => return Err(unknown("method", other)),
        };
        let encoding = if layers { Encoding::Layers } else { Encoding::LabelSets };
        Ok(Method { method, prune, encoding })
    }
}

impl Method {
    /// Refuses what would be wrong (nauty on part of a group) or without bound (minimise on a large one).
    fn fits(&self, net: &Net, group: &Group) -> PyResult<()> {
        if !Arc::ptr_eq(&net.net, &group.net) {
            return Err(PyValueError::new_err("the group belongs to another net"));
        }
        self.fits_group(group.group.acting(), group.group.is_complete())
    }

    /// `complete`: is the group the whole automorphism group of the structure that nauty would see?
    pub fn fits_group(&self, group: &burnside_core::group::Group, complete: bool) -> PyResult<()> {
        if self.method == CoreMethod::Nauty && !complete && !group.is_trivial() {
            return Err(MethodError::new_err("nauty needs the whole group of automorphisms, not part of it"));
        }
        let order = group.order();
        if self.method == CoreMethod::Minimise && *order > BigUint::from(MINIMISE_LIMIT) {
            return Err(MethodError::new_err(format!(
                "minimise walks all {order} elements; at most {MINIMISE_LIMIT}"
            )));
        }
        Ok(())
    }

    pub fn core(&self) -> CoreMethod {
        self.method
    }

    /// The method that graphs are exported with: canonical, and the same states whatever the method of a check is.
    pub fn of_graphs(&self, guide: Guide) -> Method {
        let search = CoreMethod::Search { guide, selector: Selector::LeastUnique };
        let method = if self.method == CoreMethod::None { CoreMethod::None } else { search };
        Method { method, ..self.clone() }
    }

    pub fn nauty() -> Method {
        Method { method: CoreMethod::Nauty, prune: true, encoding: Encoding::Layers }
    }

    /// How nauty sees states of nested values.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    pub fn prunes(&self) -> bool {
        self.prune
    }
}

/// A net compiled for a group and a method.
struct Prepared {
    model: CompiledNet,
    canonicaliser: SlotCanonicaliser,
    /// Place classes in slot order.
    order: Vec<u32>,
}

fn prepare(group: &Group, method: &Method, properties: Vec<Property>, stats: bool) -> Prepared {
    let acting = group.group.acting();
    let minima = group.group.class_orbits();
    let mut order = acting.chain().points().to_vec();
    let mut moved = vec![false; acting.degree()];
    order.iter().for_each(|&class| moved[class as usize] = true);
    order.extend((0..acting.degree() as u32).filter(|&class| !moved[class as usize]));
    let model = CompiledNet::new(&group.collapsed, &order, &minima, properties);
    let orbits: Vec<u32> = order.iter().map(|&class| minima[class as usize]).collect();
    let structure = group.group.structure().renamed(model.slot_of_class());
    let canonicaliser = SlotCanonicaliser::new(method.method, acting, &orbits, &structure, stats);
    Prepared { model, canonicaliser, order }
}

impl Prepared {
    fn by_place(&self, group: &Group, values: &[u64]) -> Vec<u64> {
        let mut by_class = vec![0; values.len()];
        for (slot, &class) in self.order.iter().enumerate() {
            by_class[class as usize] = values[slot];
        }
        group.collapsed.marking_by_place(&by_class)
    }
}

#[pyclass(frozen, get_all, module = "burnside._core")]
pub struct Progress {
    states: u64,
    transitions: u64,
    frontier: u64,
    depth: u32,
    seconds: f64,
    memory_bytes: u64,
}

impl From<core::Progress> for Progress {
    fn from(p: core::Progress) -> Self {
        Progress {
            states: p.states,
            transitions: p.transitions,
            frontier: p.frontier,
            depth: p.depth,
            seconds: p.seconds,
            memory_bytes: p.memory_bytes,
        }
    }
}

type Trace = Vec<(Option<u32>, Vec<u64>)>;

#[pyclass(frozen, get_all, extends = Counts, module = "burnside._core")]
pub struct Exploration {
    violations: Vec<(usize, Trace)>,
    bounds: Vec<u64>,
    largest_total: u128,
    fired: Vec<bool>,
    firings: Vec<u64>,
}

#[pyfunction]
#[pyo3(signature = (
    net, group, method, *, order="bfs", alpha=0.5, seed=0, threads=1, deadlock=false, safe=false, invariants=Vec::new(),
    goals=Vec::new(), keep_going=false, max_states=None, max_seconds=None, max_memory=None, stats=false, self_check="off",
    progress=None
))]
#[allow(clippy::too_many_arguments)] // the keywords of one Python call
fn explore(
    py: Python<'_>,
    net: &Net,
    group: &Group,
    method: &Method,
    order: &str,
    alpha: f64,
    seed: u64,
    threads: usize,
    deadlock: bool,
    safe: bool,
    invariants: Vec<Bound<'_, PyTuple>>,
    goals: Vec<Bound<'_, PyTuple>>,
    keep_going: bool,
    max_states: Option<u64>,
    max_seconds: Option<f64>,
    max_memory: Option<u64>,
    stats: bool,
    self_check: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<Py<Exploration>> {
    method.fits(net, group)?;
    let order = order_of(order, alpha, seed)?;
    let properties = properties(net, group, safe, &invariants, &goals)?;
    let settings = Settings {
        order,
        threads,
        keep_going,
        fatal: None,
        deadlock: deadlock.then_some(0),
        prune: method.prune,
        self_check: self_check::mode(self_check)?,
        properties: 2 + invariants.len() + goals.len(),
        max_states,
        max_seconds,
        max_memory,
    };
    let (prepared, found) = py.detach(|| {
        let prepared = prepare(group, method, properties, stats);
        let mut failure = None;
        let mut watch = |now: &core::Progress| report(now, progress.as_ref(), &mut failure);
        let found = core::explore(prepared.model.clone(), &prepared.canonicaliser, &settings, &mut watch);
        failure.map_or(Ok((prepared, found)), Err)
    })?;
    if let Some(contradiction) = &found.contradiction {
        return Err(self_check::error(
            py,
            contradiction,
            &Translation {
                generator: &|number| group.on_places(number),
                state: &|values| prepared.by_place(group, values),
                label: &|label| group.collapsed.transition_classes[label as usize][0],
            },
        ));
    }
    Py::new(py, py.detach(|| translate(group, &prepared, found))?)
}

pub fn order_of(name: &str, alpha: f64, seed: u64) -> PyResult<Order> {
    Ok(match name {
        "bfs" => Order::Breadth,
        "dfs" => Order::Depth,
        "mixed" => Order::Mixed { alpha, seed },
        "random" => Order::Random { seed },
        other => return Err(PyValueError::new_err(format!("no such order: {other}"))),
    })
}

/// Looks for Ctrl-C and tells Python how far the run is; false to stop. An error of the callback is kept for the caller.
pub fn report(now: &core::Progress, progress: Option<&Py<PyAny>>, failure: &mut Option<PyErr>) -> bool {
    Python::attach(|py| {
        if py.check_signals().is_err() {
            return false;
        }
        let Some(progress) = progress else { return true };
        match progress.call1(py, (Progress::from(*now),)) {
            Ok(_) => true,
            Err(error) if error.is_instance_of::<PyKeyboardInterrupt>(py) => false,
            Err(error) => {
                *failure = Some(error);
                false
            }
        }
    })
}

/// From slots and labels back to places and transitions; traces are lifted to the unreduced net.
fn translate(
    group: &Group,
    prepared: &Prepared,
    found: core::Exploration<CompiledNet>,
) -> PyResult<(Exploration, Counts)> {
    let mut violations = Vec::new();
    for violation in &found.violations {
        let lifted = trace::lift(&found.model, &prepared.canonicaliser, violation).ok_or_else(|| {
            PyRuntimeError::new_err("a counterexample could not be lifted to the unreduced net")
        })?;
        let named = lifted.steps.into_iter().enumerate().map(|(at, (label, values))| {
            let transition = (at > 0).then(|| group.collapsed.transition_classes[label as usize][0]);
            (transition, prepared.by_place(group, &values))
        });
        violations.push((violation.property, named.collect()));
    }
    let counts = Counts::of(&found);
    let tally = &found.tally;
    let mut by_slot = tally.observations.by_slot.clone();
    by_slot.resize(prepared.order.len(), 0);
    let seen = prepared.by_place(group, &by_slot);
    let bounds = largest_by_orbit(&group.place_orbits(), &seen);
    let of_class = |&class: &u32| tally.firings.get(class as usize).copied().unwrap_or(0);
    let firings: Vec<u64> = group.collapsed.class_of_transition.iter().map(of_class).collect();
    let fired: Vec<bool> = firings.iter().map(|&times| times > 0).collect();
    let own = Exploration {
        violations,
        bounds,
        largest_total: tally.observations.largest_total,
        fired: largest_by_orbit(&group.transition_orbits(), &fired),
        firings,
    };
    Ok((own, counts))
}

/// A state stands for its orbit, so what one place has seen all places of its orbit have.
fn largest_by_orbit<T: Ord + Copy>(orbits: &[Vec<u32>], seen: &[T]) -> Vec<T> {
    let mut largest = seen.to_vec();
    for orbit in orbits {
        if let Some(most) = orbit.iter().map(|&x| seen[x as usize]).max() {
            orbit.iter().for_each(|&x| largest[x as usize] = most);
        }
    }
    largest
}

fn properties(
    net: &Net,
    group: &Group,
    safe: bool,
    invariants: &[Bound<'_, PyTuple>],
    goals: &[Bound<'_, PyTuple>],
) -> PyResult<Vec<Property>> {
    let on_classes = |e: &burnside_core::net::expression::Expression| {
        e.renamed(&|place| group.collapsed.class_of_place[place as usize])
    };
    let (invariants, goals) = (net.expressions(invariants)?, net.expressions(goals)?);
    let all: Vec<_> = invariants.iter().chain(&goals).cloned().collect();
    if let Some(number) = group.group.first_changed(&group.collapsed, &all) {
        // Judging it on representatives would judge one state for its whole orbit: refused, never warned about.
        return Err(PyValueError::new_err(format!("the group does not keep expression {number}")));
    }
    let mut properties = Vec::new();
    if safe {
        properties.push(Property { number: 1, kind: PropertyKind::Safe });
    }
    for (at, e) in invariants.iter().enumerate() {
        properties.push(Property { number: 2 + at, kind: PropertyKind::Invariant(on_classes(e)) });
    }
    for (at, e) in goals.iter().enumerate() {
        properties
            .push(Property { number: 2 + invariants.len() + at, kind: PropertyKind::Goal(on_classes(e)) });
    }
    Ok(properties)
}

/// A marking by place class; refused where it tells places apart that no reachable marking does.
fn by_class(net: &Net, group: &Group, marking: Vec<u64>) -> PyResult<Vec<u64>> {
    let unreachable =
        |why| PyValueError::new_err(format!("{why} hold different numbers: the marking is unreachable"));
    let by_class = group.collapsed.marking_by_class(&net.marking(marking)?);
    let by_class = by_class.ok_or_else(|| unreachable("identical places"))?;
    let moved = group.group.acting().chain().points();
    let orbits = group.group.class_orbits();
    let differs = |class: usize| by_class[class] != by_class[orbits[class] as usize];
    if (0..by_class.len()).any(|class| differs(class) && !moved.contains(&(class as u32))) {
        return Err(unreachable("frozen places"));
    }
    Ok(by_class)
}

#[pyfunction]
fn canonical(net: &Net, group: &Group, method: &Method, marking: Vec<u64>) -> PyResult<(Vec<u64>, BigUint)> {
    method.fits(net, group)?;
    let by_class = by_class(net, group, marking)?;
    let prepared = prepare(group, method, Vec::new(), false);
    let mut values: Vec<u64> = prepared.order.iter().map(|&class| by_class[class as usize]).collect();
    let mut scratch = prepared.canonicaliser.scratch(&Cancel::default());
    let stabiliser = prepared.canonicaliser.stabiliser(&values, &mut scratch).order();
    prepared.canonicaliser.canonicalise(&mut values, &mut scratch);
    // What moves only places that no reachable marking tells apart stabilises every marking.
    let kernel = group.group.order() / group.group.acting().order();
    Ok((prepared.by_place(group, &values), stabiliser * kernel))
}

#[pyfunction]
fn equivalent(net: &Net, group: &Group, a: Vec<u64>, b: Vec<u64>) -> PyResult<bool> {
    let (a, b) = (by_class(net, group, a)?, by_class(net, group, b)?);
    let method = Method { method: CoreMethod::Compare, prune: false, encoding: Encoding::default() };
    let prepared = prepare(group, &method, Vec::new(), false);
    let slots =
        |by_class: &[u64]| prepared.order.iter().map(|&class| by_class[class as usize]).collect::<Vec<u64>>();
    let mut scratch = prepared.canonicaliser.scratch(&Cancel::default());
    Ok(prepared.canonicaliser.equivalent(&slots(&a), &slots(&b), &mut scratch))
}

#[pyclass(frozen, get_all, module = "burnside._core")]
pub struct ReachabilityGraph {
    markings: Vec<Vec<u64>>,
    orbit_sizes: Vec<BigUint>,
    edges: Vec<(usize, u32, usize)>,
    redirected: Vec<bool>,
    redirected_starts: Vec<bool>,
    deadlocks: Vec<usize>,
    explored: usize,
    complete: bool,
}

#[pyfunction]
fn reachability_graph(
    py: Python<'_>,
    net: &Net,
    group: &Group,
    method: &Method,
    max_states: usize,
) -> PyResult<ReachabilityGraph> {
    method.fits(net, group)?;
    let method = method.of_graphs(Guide::Partition);
    py.detach(|| {
        let prepared = prepare(group, &method, Vec::new(), false);
        let graph = core::export(&prepared.model, &prepared.canonicaliser, max_states, false)
            .map_err(|_| TooLargeError::new_err("a place holds more tokens than 64 bits can count"))?;
        let transition = |label: u32| group.collapsed.transition_classes[label as usize][0];
        Ok(ReachabilityGraph {
            complete: graph.is_complete(),
            markings: graph.states.iter().map(|values| prepared.by_place(group, values)).collect(),
            orbit_sizes: graph.orbit_sizes,
            edges: graph.edges.iter().map(|&(from, label, to)| (from, transition(label), to)).collect(),
            redirected: graph.redirected,
            redirected_starts: graph.redirected_starts,
            deadlocks: graph.deadlocks,
            explored: graph.explored,
        })
    })
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("MINIMISE_LIMIT", MINIMISE_LIMIT)?;
    m.add("MethodError", m.py().get_type::<MethodError>())?;
    m.add("TooLargeError", m.py().get_type::<TooLargeError>())?;
    m.add_class::<Method>()?;
    m.add_class::<Progress>()?;
    m.add_class::<Exploration>()?;
    m.add_class::<ReachabilityGraph>()?;
    m.add_function(wrap_pyfunction!(explore, m)?)?;
    m.add_function(wrap_pyfunction!(canonical, m)?)?;
    m.add_function(wrap_pyfunction!(equivalent, m)?)?;
    m.add_function(wrap_pyfunction!(reachability_graph, m)?)
}
