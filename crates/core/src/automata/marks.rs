//! Acceptance marks, component by component: as few as possible, and none where they mean nothing.
//!
//! In: a graph. Out: the same language, without states that accept nothing. Only edges inside a component can be taken
//! infinitely often, so marks are numbered anew in each component, and the automaton needs as many as the component that needs
//! most. A component whose cycles are all accepting has all marks on all its edges, one whose cycles are all rejecting has none
//! (both are *weak*).

use super::graph::{Components, Edge, Graph, all_marks};

/// What stands on edges that lead from one component to another. No run takes them twice, so this is a choice: simulation finds
/// different pairs with different choices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Between {
    NoMarks,
    AllMarks,
}

/// What the edges inside a component decide.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Inside {
    Rejecting,
    /// The marks that are needed, ascending; none: every cycle is accepting.
    Accepting(Vec<u32>),
}

pub fn normalise(graph: &mut Graph, between: Between) {
    let components = graph.components();
    let inside = decided(graph, &components);
    remove_empty(graph, &components, &inside);
    let components = graph.components();
    let inside = decided(graph, &components);
    renumber(graph, &components, &inside, between);
}

/// Removes the states from which no accepting component can be reached.
fn remove_empty(graph: &mut Graph, components: &Components, inside: &[Inside]) {
    let mut useful: Vec<bool> = inside.iter().map(|each| *each != Inside::Rejecting).collect();
    // Successors have smaller numbers.
    let mut order: Vec<u32> = (0..graph.states.len() as u32).collect();
    order.sort_unstable_by_key(|&state| components.of[state as usize]);
    for state in order {
        let own = components.of[state as usize] as usize;
        useful[own] |= graph.states[state as usize]
            .iter()
            .any(|edge| useful[components.of[edge.target as usize] as usize]);
    }
    graph.restrict(|state| useful[components.of[state as usize] as usize]);
}

fn decided(graph: &Graph, components: &Components) -> Vec<Inside> {
    let mut present = vec![0; components.count];
    let mut has_edges = vec![false; components.count];
    for (source, edge) in graph.edges() {
        let own = components.of[source as usize];
        if components.of[edge.target as usize] == own {
            present[own as usize] |= edge.marks;
            has_edges[own as usize] = true;
        }
    }
    let accepting: Vec<bool> =
        (0..components.count).map(|at| has_edges[at] && present[at] == graph.all_marks()).collect();
    let mut needed = vec![graph.all_marks(); components.count];
    for mark in 0..graph.mark_count {
        drop_where_redundant(graph, components, &mut needed, mark);
    }
    (0..components.count)
        .map(|at| match accepting[at] {
            true => {
                Inside::Accepting((0..graph.mark_count).filter(|mark| needed[at] >> mark & 1 == 1).collect())
            }
            false => Inside::Rejecting,
        })
        .collect()
}

/// A mark is redundant in a component if every cycle with all other marks has it: without its edges, no component is left that
/// has all the others.
fn drop_where_redundant(graph: &Graph, components: &Components, needed: &mut [u64], mark: u32) {
    let bit = 1 << mark;
    let admitted = |source: u32, edge: &Edge| {
        edge.marks & bit == 0 && components.of[source as usize] == components.of[edge.target as usize]
    };
    let parts = graph.components_along(admitted);
    let mut present = vec![0; parts.count];
    let mut has_edges = vec![false; parts.count];
    let mut outer = vec![0; parts.count];
    for (source, edge) in graph.edges().filter(|(source, edge)| admitted(*source, edge)) {
        let part = parts.of[source as usize];
        if parts.of[edge.target as usize] == part {
            present[part as usize] |= edge.marks;
            has_edges[part as usize] = true;
            outer[part as usize] = components.of[source as usize];
        }
    }
    let mut redundant = vec![true; components.count];
    for part in 0..parts.count {
        let own = outer[part] as usize;
        let others = needed[own] & !bit;
        redundant[own] &= !(has_edges[part] && present[part] & others == others);
    }
    for (own, &redundant) in redundant.iter().enumerate() {
        if redundant {
            needed[own] &= !bit;
        }
    }
}

fn renumber(graph: &mut Graph, components: &Components, inside: &[Inside], between: Between) {
    let most = inside.iter().map(|each| match each {
        Inside::Rejecting => 0,
        Inside::Accepting(needed) => needed.len() as u32,
    });
    let mut count = most.max().unwrap_or(0);
    // Cycles are rejected by a mark that they lack, so there has to be one.
    let mut rejects = false;
    for (source, edge) in graph.edges() {
        let own = components.of[source as usize];
        rejects |= components.of[edge.target as usize] == own && inside[own as usize] == Inside::Rejecting;
    }
    count = count.max(u32::from(rejects));
    let all = all_marks(count);
    for (source, edges) in graph.states.iter_mut().enumerate() {
        let own = components.of[source];
        for edge in edges.iter_mut() {
            edge.marks = match &inside[own as usize] {
                _ if components.of[edge.target as usize] != own => match between {
                    Between::NoMarks => 0,
                    Between::AllMarks => all,
                },
                Inside::Rejecting => 0,
                Inside::Accepting(needed) => renamed(edge.marks, needed, all),
            };
        }
        edges.sort_unstable();
        edges.dedup();
    }
    graph.mark_count = count;
}

/// The needed marks become 0, 1, ..; the others that the automaton has are on every edge.
fn renamed(marks: u64, needed: &[u32], all: u64) -> u64 {
    let missing = needed.iter().enumerate().filter(|(_, mark)| marks >> **mark & 1 == 0);
    missing.fold(all, |named, (at, _)| named & !(1 << at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automata::cube::Cube;

    /// Edges as (source, target, marks).
    fn graph(count: usize, mark_count: u32, edges: &[(u32, u32, u64)]) -> Graph {
        let mut states = vec![Vec::new(); count];
        for &(source, target, marks) in edges {
            states[source as usize].push(Edge { target, marks, label: Cube::ALL });
        }
        Graph { states, initial: 0, mark_count }
    }

    fn normalised(mut graph: Graph, between: Between) -> (u32, Vec<(u32, u32, u64)>) {
        normalise(&mut graph, between);
        (graph.mark_count, graph.edges().map(|(source, edge)| (source, edge.target, edge.marks)).collect())
    }

    #[test]
    fn of_two_marks_on_the_same_edges_one_is_kept() {
        let twice = graph(2, 2, &[(0, 1, 0b11), (1, 0, 0), (1, 1, 0)]);
        let (count, edges) = normalised(twice, Between::NoMarks);
        assert_eq!(count, 1);
        assert_eq!(edges, [(0, 1, 1), (1, 0, 0), (1, 1, 0)]);
    }

    #[test]
    fn marks_that_are_needed_stay() {
        let edges = [(0, 0, 0b100), (0, 0, 0b010), (0, 0, 0b001)];
        assert_eq!(normalised(graph(1, 3, &edges), Between::NoMarks).0, 3);
        let renamed = graph(1, 3, &[(0, 0, 0b110), (0, 0, 0b011)]);
        // The middle one is on all edges.
        assert_eq!(normalised(renamed, Between::NoMarks), (2, vec![(0, 0, 0b01), (0, 0, 0b10)]));
    }

    #[test]
    fn marks_between_components_are_a_choice() {
        let two = || graph(2, 1, &[(0, 0, 0), (0, 1, 0), (1, 1, 1), (1, 1, 0)]);
        let edges = |marks| vec![(0, 0, 0), (0, 1, marks), (1, 1, 0), (1, 1, 1)];
        assert_eq!(normalised(two(), Between::NoMarks), (1, edges(0)));
        assert_eq!(normalised(two(), Between::AllMarks), (1, edges(1)));
    }

    #[test]
    fn states_that_accept_nothing_go() {
        let dead_end = graph(3, 1, &[(0, 1, 0), (0, 2, 0), (1, 1, 1), (2, 2, 0)]);
        assert_eq!(normalised(dead_end, Between::NoMarks), (0, vec![(0, 1, 0), (1, 1, 0)]));
        let empty = graph(2, 1, &[(0, 1, 1), (1, 1, 0)]);
        assert_eq!(normalised(empty, Between::NoMarks), (0, vec![]));
    }
}
