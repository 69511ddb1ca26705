//! Transition-based generalised Büchi automata while they are being changed.
//!
//! In: states with their edges. Out: their components, the transposed graph, the part that matters. A run is accepted if every
//! mark is on infinitely many of its edges.

use super::cube::Cube;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Edge {
    pub target: u32,
    /// Acceptance marks, as bits.
    pub marks: u64,
    pub label: Cube,
}

/// Acceptance marks are bits of a `u64`.
pub const MAX_MARKS: u32 = 64;

#[derive(Clone, Debug, Default)]
pub struct Graph {
    pub states: Vec<Vec<Edge>>,
    pub initial: u32,
    pub mark_count: u32,
}

pub const NOT_INSIDE: u32 = u32::MAX;

/// Strongly connected components.
pub struct Components {
    /// By state. A component has a larger number than all that can be reached from it.
    pub of: Vec<u32>,
    pub count: usize,
}

impl Graph {
    pub fn all_marks(&self) -> u64 {
        all_marks(self.mark_count)
    }

    pub fn edge_count(&self) -> usize {
        self.states.iter().map(Vec::len).sum()
    }

    /// Every edge with its source.
    pub fn edges(&self) -> impl Iterator<Item = (u32, &Edge)> {
        self.states.iter().enumerate().flat_map(|(at, edges)| edges.iter().map(move |edge| (at as u32, edge)))
    }

    pub fn components(&self) -> Components {
        self.components_along(|_, _| true)
    }

    /// Components of the graph that has only the edges admitted (Tarjan 1972, without recursion).
    pub fn components_along(&self, admitted: impl Fn(u32, &Edge) -> bool) -> Components {
        let count = self.states.len();
        let mut search = Tarjan {
            index: vec![0; count],
            low: vec![0; count],
            stack: Vec::new(),
            found: Components { of: vec![NOT_INSIDE; count], count: 0 },
            discovered: 0,
        };
        for root in 0..count as u32 {
            if search.index[root as usize] == 0 {
                search.run(self, root, &admitted);
            }
        }
        search.found
    }

    /// The same edges backwards. Its initial state is that of the graph, and means that runs end there.
    pub fn transposed(&self) -> Graph {
        let mut states = vec![Vec::new(); self.states.len()];
        for (source, edge) in self.edges() {
            states[edge.target as usize].push(Edge { target: source, ..*edge });
        }
        Graph { states, ..*self }
    }

    /// Keeps the states for which `kept` holds, the initial one in any case, as far as they are reachable, in breadth-first order.
    pub fn restrict(&mut self, kept: impl Fn(u32) -> bool) {
        let mut number = vec![NOT_INSIDE; self.states.len()];
        let mut order = vec![self.initial];
        number[self.initial as usize] = 0;
        let mut at = 0;
        while at < order.len() {
            for edge in &self.states[order[at] as usize] {
                let target = edge.target as usize;
                if number[target] == NOT_INSIDE && kept(edge.target) {
                    number[target] = order.len() as u32;
                    order.push(edge.target);
                }
            }
            at += 1;
        }
        let mut states: Vec<Vec<Edge>> = Vec::with_capacity(order.len());
        for &old in &order {
            let mut edges = std::mem::take(&mut self.states[old as usize]);
            edges.retain(|edge| number[edge.target as usize] != NOT_INSIDE && kept(edge.target));
            for edge in &mut edges {
                edge.target = number[edge.target as usize];
            }
            edges.sort_unstable();
            edges.dedup();
            states.push(edges);
        }
        self.states = states;
        self.initial = 0;
    }
}

pub fn all_marks(count: u32) -> u64 {
    if count == 0 { 0 } else { u64::MAX >> (MAX_MARKS - count) }
}

struct Tarjan {
    /// Order of discovery, from 1; 0: not discovered.
    index: Vec<u32>,
    low: Vec<u32>,
    stack: Vec<u32>,
    found: Components,
    discovered: u32,
}

impl Tarjan {
    fn run(&mut self, graph: &Graph, root: u32, admitted: &impl Fn(u32, &Edge) -> bool) {
        let mut frames = vec![(root, 0usize)];
        self.discover(root);
        while let Some(frame) = frames.last_mut() {
            let state = frame.0;
            if let Some(edge) = graph.states[state as usize].get(frame.1) {
                frame.1 += 1;
                if !admitted(state, edge) {
                    continue;
                }
                let target = edge.target as usize;
                if self.index[target] == 0 {
                    self.discover(edge.target);
                    frames.push((edge.target, 0));
                } else if self.found.of[target] == NOT_INSIDE {
                    self.low[state as usize] = self.low[state as usize].min(self.index[target]);
                }
                continue;
            }
            frames.pop();
            let low = self.low[state as usize];
            if low == self.index[state as usize] {
                self.close(state);
            }
            if let Some(&(parent, _)) = frames.last() {
                self.low[parent as usize] = self.low[parent as usize].min(low);
            }
        }
    }

    fn discover(&mut self, state: u32) {
        self.discovered += 1;
        self.index[state as usize] = self.discovered;
        self.low[state as usize] = self.discovered;
        self.stack.push(state);
    }

    fn close(&mut self, root: u32) {
        while let Some(state) = self.stack.pop() {
            self.found.of[state as usize] = self.found.count as u32;
            if state == root {
                break;
            }
        }
        self.found.count += 1;
    }
}
