//! The reduced (or full) reachability graph as data, for pictures: small spaces only.

use std::collections::HashMap;

use num_bigint::BigUint;

use crate::canon::{Canonicaliser, Patience};
use crate::model::{Label, Model, Step};

pub struct Graph {
    pub states: Vec<Vec<u64>>,
    pub orbit_sizes: Vec<BigUint>,
    /// How many of them, the first ones, are initial.
    pub initial: usize,
    /// (from, label, to), every enabled label.
    pub edges: Vec<(usize, Label, usize)>,
    /// False where there were more states than allowed.
    pub complete: bool,
}

/// Breadth first; canonical forms are those of the partition-guided search, so the canonicaliser's method only decides
/// whether to reduce at all (its chain is trivial where not). None where a value leaves 64 bits.
pub fn reachability_graph<M: Model, C: Canonicaliser>(
    model: &M,
    canonicaliser: &C,
    max_states: usize,
) -> Option<Graph> {
    let mut scratch = canonicaliser.scratch(&Patience::default());
    let mut graph =
        Graph { states: Vec::new(), orbit_sizes: Vec::new(), initial: 0, edges: Vec::new(), complete: true };
    let mut number: HashMap<Vec<u64>, usize> = HashMap::new();
    let mut enter = |mut values: Vec<u64>, graph: &mut Graph, scratch: &mut _| {
        canonicaliser.canonical_form(&mut values, scratch);
        if let Some(&known) = number.get(&values) {
            return Some(known);
        }
        if graph.states.len() >= max_states {
            graph.complete = false;
            return None;
        }
        let order = canonicaliser.stabiliser(&values, scratch).order();
        graph.orbit_sizes.push(canonicaliser.group_order() / order);
        graph.states.push(values.clone());
        number.insert(values, graph.states.len() - 1);
        Some(graph.states.len() - 1)
    };
    let mut workspace = model.workspace();
    for start in model.starts(&mut workspace) {
        if start.step == Step::Taken {
            enter(start.values, &mut graph, &mut scratch);
        }
    }
    graph.initial = graph.states.len();
    let mut labels = Vec::new();
    let mut at = 0;
    while at < graph.states.len() {
        labels.clear();
        model.enabled(&graph.states[at], &mut workspace, &mut labels, &mut |_, _| {});
        for &label in &labels {
            let mut values = graph.states[at].clone();
            if model.fire(&mut values, label, &mut workspace).ok()? != Step::Taken {
                continue;
            }
            if let Some(to) = enter(values, &mut graph, &mut scratch) {
                graph.edges.push((at, label, to));
            }
        }
        at += 1;
    }
    Some(graph)
}
