//! A machine in compressed rows: the edges of a state stand one behind the other.
//!
//! In: edges as (source, action, target) in any order; by action its input and output; by state what is observed of it. Edges of
//! a state keep the order in which they came.

use super::NONE;

pub struct StateMachine {
    pub initial: Vec<u32>,
    /// By action.
    pub inputs: Vec<u32>,
    /// By action; outputs that are equal have equal numbers.
    pub outputs: Vec<u32>,
    /// By state: output of a Moore machine, acceptance.
    pub observations: Vec<u32>,
    input_count: usize,
    starts: Vec<u32>,
    edges: Vec<Edge>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    pub action: u32,
    pub target: u32,
}

impl StateMachine {
    /// None where a number is out of range, or there are too many edges.
    pub fn new(
        initial: Vec<u32>,
        observations: Vec<u32>,
        inputs: Vec<u32>,
        outputs: Vec<u32>,
        triples: &[u32],
    ) -> Option<Self> {
        let states = observations.len();
        let count = triples.len() / 3;
        let fits = |edge: &[u32]| {
            (edge[0] as usize) < states && (edge[1] as usize) < inputs.len() && (edge[2] as usize) < states
        };
        if !triples.len().is_multiple_of(3)
            || count >= NONE as usize
            || states >= NONE as usize
            || inputs.len() != outputs.len()
            || initial.iter().any(|&state| state as usize >= states)
            || !triples.chunks_exact(3).all(fits)
        {
            return None;
        }
        let mut starts = vec![0; states + 1];
        for edge in triples.chunks_exact(3) {
            starts[edge[0] as usize + 1] += 1;
        }
        for state in 0..states {
            starts[state + 1] += starts[state];
        }
        let mut next = starts.clone();
        let mut edges = vec![Edge { action: 0, target: 0 }; count];
        for edge in triples.chunks_exact(3) {
            let place = &mut next[edge[0] as usize];
            edges[*place as usize] = Edge { action: edge[1], target: edge[2] };
            *place += 1;
        }
        let input_count = inputs.iter().max().map_or(0, |&most| most as usize + 1);
        Some(StateMachine { initial, inputs, outputs, observations, input_count, starts, edges })
    }

    pub fn states(&self) -> usize {
        self.observations.len()
    }

    pub fn actions(&self) -> usize {
        self.inputs.len()
    }

    pub fn input_count(&self) -> usize {
        self.input_count
    }

    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    pub fn edges(&self, state: u32) -> &[Edge] {
        &self.edges[self.range(state)]
    }

    /// The numbers of a state's edges.
    pub fn range(&self, state: u32) -> std::ops::Range<usize> {
        self.starts[state as usize] as usize..self.starts[state as usize + 1] as usize
    }

    pub fn edge(&self, number: usize) -> Edge {
        self.edges[number]
    }

    /// (source, edge), by number.
    pub fn all_edges(&self) -> impl Iterator<Item = (u32, Edge)> + '_ {
        (0..self.states() as u32).flat_map(|state| self.edges(state).iter().map(move |&edge| (state, edge)))
    }

    /// By state: the length of a shortest trace to it, or NONE.
    pub fn distances(&self) -> Vec<u32> {
        let mut distances = vec![NONE; self.states()];
        let mut queue = Vec::with_capacity(self.states());
        for &state in &self.initial {
            if distances[state as usize] == NONE {
                distances[state as usize] = 0;
                queue.push(state);
            }
        }
        let mut at = 0;
        while let Some(&state) = queue.get(at) {
            at += 1;
            for edge in self.edges(state) {
                if distances[edge.target as usize] == NONE {
                    distances[edge.target as usize] = distances[state as usize] + 1;
                    queue.push(edge.target);
                }
            }
        }
        distances
    }

    /// (state, input) with several edges, of the states for which `is_asked` holds.
    pub fn ambiguous(&self, is_asked: impl Fn(u32) -> bool, most: usize) -> Places {
        let mut found = Places::default();
        let mut seen = vec![(NONE, false); self.input_count];
        for state in (0..self.states() as u32).filter(|&state| is_asked(state)) {
            for edge in self.edges(state) {
                let input = self.inputs[edge.action as usize];
                let known = &mut seen[input as usize];
                if known.0 != state {
                    *known = (state, false);
                } else if !known.1 {
                    known.1 = true;
                    found.add((state, input), most);
                }
            }
        }
        found
    }

    /// (state, input) without an edge, of the states for which `is_asked` holds.
    pub fn missing(&self, is_asked: impl Fn(u32) -> bool, most: usize) -> Places {
        let mut found = Places::default();
        let mut seen = vec![NONE; self.input_count];
        for state in (0..self.states() as u32).filter(|&state| is_asked(state)) {
            for edge in self.edges(state) {
                seen[self.inputs[edge.action as usize] as usize] = state;
            }
            for input in (0..self.input_count as u32).filter(|&input| seen[input as usize] != state) {
                found.add((state, input), most);
            }
        }
        found
    }
}

/// How many there are, and the first of them.
#[derive(Default)]
pub struct Places {
    pub count: u64,
    pub first: Vec<(u32, u32)>,
}

impl Places {
    fn add(&mut self, place: (u32, u32), most: usize) {
        self.count += 1;
        if self.first.len() < most {
            self.first.push(place);
        }
    }
}
