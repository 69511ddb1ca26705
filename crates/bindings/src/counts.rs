//! What every exploration tells in numbers, whatever was explored: the base class of the others.

use burnside_core::model::Model;
use burnside_core::search as core;
use num_bigint::BigUint;
use pyo3::prelude::*;

#[pyclass(frozen, get_all, subclass, module = "burnside._core")]
pub struct Counts {
    stopped: &'static str,
    states: u64,
    /// States whose successors are known; the one that fails is among them.
    expanded: u64,
    transitions: u64,
    initial_states: u64,
    deadlocks: u64,
    full_states: Option<BigUint>,
    depth: u32,
    violating: Vec<(usize, u64)>,
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
}

impl Counts {
    pub fn of<M: Model>(found: &core::Exploration<M>) -> Counts {
        let tally = &found.tally;
        Counts {
            stopped: found.stopped.name(),
            states: found.states,
            expanded: tally.expanded,
            transitions: tally.transitions,
            initial_states: found.initial_states,
            deadlocks: tally.deadlocks,
            full_states: found.full_states.clone(),
            depth: found.depth,
            violating: found.violating.clone(),
            trivial: tally.trivial,
            easy: tally.easy,
            hard: tally.hard,
            search_nodes: tally.search_nodes,
            most_search_nodes: tally.most_search_nodes,
            canonicalised: tally.canonicalised,
            seconds: found.seconds,
            store_bytes: found.store_bytes,
            packed_bits: found.packed_bits,
            self_checked: found.self_checked,
            self_check_generators: found.self_check_generators,
        }
    }
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Counts>()
}
