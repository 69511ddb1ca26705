//! Direct simulation: states that can do whatever others can, with the same marks, step by step.
//!
//! In: a graph. Out: a smaller one with the same language. `t` simulates `s` if for every edge of `s` and every valuation on it
//! there is an edge of `t` for that valuation with at least its marks, to a state that simulates its target. States that
//! simulate each other are merged (Etessami and Holzmann 2000; Somenzi and Bloem 2000). An edge is pruned where
//! others to strictly better targets have its label (Clemente and Mayr 2013, pruning by P(id, <)). On the transposed graph this is
//! backward simulation, and keeps the language too: an infinite run of the quotient has all its finite prefixes in the graph, so
//! by König's lemma it has an infinite run there, with at least its marks.

use super::cube::{Cube, covers, irredundant};
use super::graph::{Edge, Graph};
use super::work::Work;

pub enum Direction {
    Forward,
    Backward,
}

/// Which state simulates which.
pub struct Simulation {
    count: usize,
    holds: Vec<bool>,
}

impl Simulation {
    /// Does `better` simulate `worse`?
    pub fn simulates(&self, better: u32, worse: u32) -> bool {
        self.holds[worse as usize * self.count + better as usize]
    }

    /// The greatest simulation; None where it takes more work than is left. `graph` is transposed for backward simulation: the
    /// initial state is then one that only itself can stand for.
    fn greatest(graph: &Graph, direction: &Direction, work: &mut Work) -> Option<Simulation> {
        let count = graph.states.len();
        let mut found = Simulation { count, holds: vec![true; count * count] };
        if matches!(direction, Direction::Backward) {
            for other in 0..count {
                found.holds[graph.initial as usize * count + other] = other == graph.initial as usize;
            }
        }
        loop {
            let mut changed = false;
            for at in 0..count * count {
                let (worse, better) = (at / count, at % count);
                if worse == better || !found.holds[at] {
                    continue;
                }
                if !found.can_follow(&graph.states[better], &graph.states[worse], work) {
                    found.holds[at] = false;
                    changed = true;
                }
                if work.is_exhausted() {
                    return None;
                }
            }
            if !changed {
                return Some(found);
            }
        }
    }

    fn can_follow(&self, better: &[Edge], worse: &[Edge], work: &mut Work) -> bool {
        let mut cover = Vec::new();
        worse.iter().all(|edge| {
            if !work.spend(better.len()) {
                return false;
            }
            cover.clear();
            cover.extend(
                better
                    .iter()
                    .filter(|each| edge.marks & !each.marks == 0 && self.simulates(each.target, edge.target))
                    .map(|each| each.label),
            );
            covers(&cover, edge.label, work)
        })
    }
}

/// Merges and prunes; what is found out about the merged states is returned. None: that takes more work than is left.
pub fn reduce(graph: &mut Graph, direction: Direction, work: &mut Work) -> Option<Simulation> {
    let mut seen = match direction {
        Direction::Forward => std::mem::take(graph),
        Direction::Backward => graph.transposed(),
    };
    let found = Simulation::greatest(&seen, &direction, work);
    if let Some(simulation) = &found {
        merge(&mut seen, simulation);
        prune(&mut seen, simulation, work);
    }
    *graph = match direction {
        Direction::Forward => seen,
        Direction::Backward => seen.transposed(),
    };
    found
}

/// States that simulate each other are represented by the one with the fewest edges, the others are not reached any more. A run
/// of the representatives follows any run of the graph, since a state's representative simulates it.
fn merge(graph: &mut Graph, simulation: &Simulation) {
    let count = graph.states.len() as u32;
    let representative: Vec<u32> = (0..count)
        .map(|state| {
            let alike = (0..count)
                .filter(|&other| simulation.simulates(state, other) && simulation.simulates(other, state));
            alike.min_by_key(|&other| (graph.states[other as usize].len(), other)).unwrap_or(state)
        })
        .collect();
    graph.initial = representative[graph.initial as usize];
    for (state, edges) in graph.states.iter_mut().enumerate() {
        if representative[state] != state as u32 {
            edges.clear();
        }
        for edge in edges.iter_mut() {
            edge.target = representative[edge.target as usize];
        }
        edges.sort_unstable();
        edges.dedup();
    }
}

/// Removes edges whose label others cover that lead to better targets, and joins labels.
fn prune(graph: &mut Graph, simulation: &Simulation, work: &mut Work) {
    for edges in &mut graph.states {
        let mut at = 0;
        while at < edges.len() {
            let edge = edges.swap_remove(at);
            let cover: Vec<Cube> = edges
                .iter()
                .filter(|each| {
                    edge.marks & !each.marks == 0 && simulation.simulates(each.target, edge.target)
                })
                .map(|each| each.label)
                .collect();
            if !covers(&cover, edge.label, work) {
                edges.push(edge);
                let last = edges.len() - 1;
                edges.swap(at, last);
                at += 1;
            }
        }
        join_labels(edges, work);
    }
}

/// Edges with the same target and marks get as few labels as possible.
fn join_labels(edges: &mut Vec<Edge>, work: &mut Work) {
    edges.sort_unstable();
    let mut joined = Vec::with_capacity(edges.len());
    for group in edges.chunk_by(|a, b| a.target == b.target && a.marks == b.marks) {
        let mut labels: Vec<Cube> = group.iter().map(|edge| edge.label).collect();
        irredundant(&mut labels, work);
        joined.extend(labels.into_iter().map(|label| Edge { label, ..group[0] }));
    }
    *edges = joined;
}

/// Takes from the label of each edge what edges to better targets have, and edges before it to the same target, where a cube is
/// left: runs then have fewer choices.
pub fn sharpen(graph: &mut Graph, simulation: &Simulation) {
    for edges in &mut graph.states {
        for at in 0..edges.len() {
            let edge = edges[at];
            let is_better = |(other, each): &(usize, &Edge)| {
                if (each.target, each.marks) == (edge.target, edge.marks) {
                    *other < at
                } else {
                    edge.marks & !each.marks == 0 && simulation.simulates(each.target, edge.target)
                }
            };
            let better: Vec<Cube> =
                edges.iter().enumerate().filter(is_better).map(|(_, each)| each.label).collect();
            let label = &mut edges[at].label;
            while let Some(smaller) = better.iter().find_map(|&each| label.minus(each)) {
                *label = smaller;
            }
        }
        edges.sort_unstable();
    }
}
