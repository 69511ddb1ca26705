//! Colours of slots that respect the group: equitable refinement by hashing (Junttila 2003, 4.4.2; A16's hash-like
//! invariants).
//!
//! Every slot starts with (orbit, value) and repeatedly absorbs the colours around it. Whatever the hash does, equal
//! positions of equivalent states get equal colours, because only invariants are hashed: a collision costs precision,
//! never soundness. With a good hash the fixpoint is the coarsest equitable partition.
//!
//! The graph is thinned out once, when the refiner is built (`thin`).

use super::thin::{self, Thinned};
use crate::structure::Structure;

pub struct Refiner {
    moved: usize,
    /// By slot, then by node: the hash of all that does not depend on the state.
    fixed_colour: Vec<u64>,
    /// Edges into vertex v: `edges[start[v]..start[v + 1]]`; slots first, then nodes.
    edges: Vec<Edge>,
    start: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Edge {
    source: u32,
    key: u64,
}

/// Colours of the slots and nodes of one state.
pub struct Colours {
    moved: usize,
    /// Slots, then nodes.
    all: Vec<u64>,
    next: Vec<u64>,
    sorted: Vec<u64>,
}

impl Colours {
    /// Of the slots.
    pub fn current(&self) -> &[u64] {
        &self.all[..self.moved]
    }
}

/// Rounds that nearly always separate what can be separated; the rest goes on to the fixpoint.
pub const QUICK_ROUNDS: usize = 3;

impl Refiner {
    /// `moved`: the slots 0..moved are those the group moves. `orbits`: by slot, the name of its orbit.
    pub fn new(structure: &Structure, moved: usize, orbits: &[u32]) -> Refiner {
        let Thinned { colours, mut edges } = thin::thinned(structure, moved, orbits);
        edges.sort_by_key(|edge| (edge.target, edge.source));
        let mut start = vec![0u32; colours.len() + 1];
        for edge in &edges {
            start[edge.target as usize + 1] += 1;
        }
        for vertex in 0..colours.len() {
            start[vertex + 1] += start[vertex];
        }
        let edges = edges.iter().map(|edge| Edge { source: edge.source, key: edge.key }).collect();
        Refiner { moved, fixed_colour: colours, edges, start }
    }

    pub fn colours(&self) -> Colours {
        let all = self.fixed_colour.clone();
        Colours { moved: self.moved, next: all.clone(), all, sorted: vec![0; self.moved] }
    }

    /// A fixed number of rounds: respects the group, may be coarser than the fixpoint.
    #[inline]
    pub fn refine_quickly(&self, values: &[u64], colours: &mut Colours) {
        self.start(values, colours);
        for _ in 0..QUICK_ROUNDS {
            self.round(colours);
        }
    }

    /// To the fixpoint from where `colours` stand; the number of cells.
    pub fn refine_further(&self, colours: &mut Colours) -> usize {
        let mut cells = count_cells(colours);
        while cells < self.moved {
            // Two rounds, since what a node learns in one reaches the slots in the next.
            self.round(colours);
            self.round(colours);
            let now = count_cells(colours);
            if now == cells {
                break;
            }
            cells = now;
        }
        cells
    }

    pub fn refine_fully(&self, values: &[u64], colours: &mut Colours) -> usize {
        self.refine_quickly(values, colours);
        self.refine_further(colours)
    }

    #[inline]
    pub fn start(&self, values: &[u64], colours: &mut Colours) {
        let (slots, nodes) = colours.all.split_at_mut(self.moved);
        for ((colour, &fixed), &value) in slots.iter_mut().zip(&self.fixed_colour).zip(values) {
            *colour = fold(fixed.wrapping_add(value));
        }
        nodes.copy_from_slice(&self.fixed_colour[self.moved..]);
    }

    /// Nodes take in what is around them, then slots do, from the nodes' new colours.
    #[inline]
    pub fn round(&self, colours: &mut Colours) {
        let Colours { all, next, .. } = colours;
        for part in [self.moved..all.len(), 0..self.moved] {
            for vertex in part.clone() {
                let mut sum = fold(all[vertex] ^ 0x3c3c_c3c3);
                for edge in self.into(vertex) {
                    sum = sum.wrapping_add(fold(all[edge.source as usize] ^ edge.key));
                }
                next[vertex] = sum;
            }
            all[part.clone()].copy_from_slice(&next[part]);
        }
    }

    #[inline(always)]
    fn into(&self, vertex: usize) -> &[Edge] {
        &self.edges[self.start[vertex] as usize..self.start[vertex + 1] as usize]
    }
}

fn count_cells(colours: &mut Colours) -> usize {
    colours.sorted.copy_from_slice(&colours.all[..colours.moved]);
    colours.sorted.sort_unstable();
    usize::from(!colours.sorted.is_empty())
        + colours.sorted.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

/// One wide multiplication, both halves folded together.
#[inline(always)]
pub fn fold(x: u64) -> u64 {
    let product = u128::from(x ^ 0x2d35_8dcc_aa6c_78a5) * 0x8bb8_4b93_962e_acc9;
    (product as u64) ^ ((product >> 64) as u64)
}
