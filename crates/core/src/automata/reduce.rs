//! Smaller automata with the same language.
//!
//! In: a graph as the translation made it. Out: one without states that accept nothing, with few marks, states that simulate
//! each other merged, edges pruned that better ones stand for, labels as narrow as that allows. Simulation takes time
//! quadratic in the number of edges; in automata too large for that only identical states are merged.

use hashbrown::HashMap;

use super::graph::{Edge, Graph};
use super::marks::{Between, normalise};
use super::simulation::{Direction, reduce as reduce_by_simulation, sharpen};
use super::work::Work;

/// Steps that simulations and labels may take: some tenths of a second.
const MAX_WORK: u64 = 60_000_000;

/// Rounds of merging identical states, where every round may make more states identical.
const MAX_ROUNDS: usize = 16;

pub fn reduce(graph: &mut Graph) {
    let work = &mut Work::new(MAX_WORK);
    normalise(graph, Between::NoMarks);
    merge_identical(graph);
    let mut size = (usize::MAX, usize::MAX);
    while size > (graph.states.len(), graph.edge_count()) {
        size = (graph.states.len(), graph.edge_count());
        for (between, direction) in [
            (Between::NoMarks, Direction::Forward),
            (Between::AllMarks, Direction::Forward),
            (Between::NoMarks, Direction::Backward),
        ] {
            normalise(graph, between);
            if reduce_by_simulation(graph, direction, work).is_none() {
                normalise(graph, Between::NoMarks);
                return;
            }
        }
        normalise(graph, Between::NoMarks);
    }
    if let Some(simulation) = reduce_by_simulation(graph, Direction::Forward, work) {
        sharpen(graph, &simulation);
    }
    normalise(graph, Between::NoMarks);
}

/// Merges states with the same edges. Unlike a partition that is refined, this may stop at any time.
fn merge_identical(graph: &mut Graph) {
    for _ in 0..MAX_ROUNDS {
        let mut first: HashMap<Vec<Edge>, u32> = HashMap::new();
        let mut same: Vec<u32> = Vec::with_capacity(graph.states.len());
        for (state, edges) in graph.states.iter().enumerate() {
            let mut edges = edges.clone();
            // Loops are alike too.
            edges.iter_mut().filter(|edge| edge.target == state as u32).for_each(|edge| edge.target = LOOP);
            edges.sort_unstable();
            same.push(*first.entry(edges).or_insert(state as u32));
        }
        if first.len() == graph.states.len() {
            return;
        }
        graph.initial = same[graph.initial as usize];
        for edge in graph.states.iter_mut().flatten() {
            edge.target = same[edge.target as usize];
        }
        graph.restrict(|_| true);
    }
}

/// Stands for the state itself, whatever its number.
const LOOP: u32 = u32::MAX;
