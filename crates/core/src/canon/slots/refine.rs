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
    pub(super) moved: usize,
    pub(super) nodes: usize,
    /// By slot, then by node: the hash of all that does not depend on the state.
    pub(super) fixed_colour: Vec<u64>,
    /// What nodes take in, and what slots do. A source is a place in the window before the part (see `Colours`).
    into: [Arcs; 2],
    /// By slot, then by node: the nodes that take its colour in, and the slots that do.
    pub(super) out_of: [Arcs; 2],
}

/// Lists of arcs, one behind the other.
pub(super) struct Arcs {
    start: Vec<u32>,
    arcs: Vec<Arc>,
}

#[derive(Clone, Copy)]
pub(super) struct Arc {
    pub(super) end: u32,
    pub(super) key: u64,
}

impl Arcs {
    /// (list, arc), in any order.
    fn new(lists: usize, mut arcs: Vec<(u32, Arc)>) -> Arcs {
        arcs.sort_by_key(|&(list, arc)| (list, arc.end));
        let mut start = vec![0u32; lists + 1];
        arcs.iter().for_each(|&(list, _)| start[list as usize + 1] += 1);
        (0..lists).for_each(|list| start[list + 1] += start[list]);
        Arcs { start, arcs: arcs.into_iter().map(|(_, arc)| arc).collect() }
    }

    #[inline(always)]
    pub(super) fn of(&self, list: usize) -> &[Arc] {
        &self.arcs[self.start[list] as usize..self.start[list + 1] as usize]
    }

    /// What taking all of them in costs.
    pub(super) fn cost(&self) -> usize {
        self.arcs.len() + self.start.len()
    }
}

/// Colours of the slots and nodes of one state, after each of some rounds.
///
/// They stand in parts: those of nodes and those of slots at the start, then, for each round, those of nodes and those of
/// slots after it. So the colours that a part is made of are the *window* right before it, with the part's own vertices
/// first: as many colours as there are vertices.
pub struct Colours {
    pub(super) moved: usize,
    pub(super) nodes: usize,
    pub(super) all: Vec<u64>,
    /// Rounds since the colours that stand first.
    pub(super) rounds: usize,
    sorted: Vec<u64>,
}

impl Colours {
    /// Of the slots.
    #[inline(always)]
    pub fn current(&self) -> &[u64] {
        self.after(self.rounds)
    }

    /// Of the slots after so many rounds.
    #[inline(always)]
    pub(super) fn after(&self, rounds: usize) -> &[u64] {
        let end = (rounds + 1) * (self.nodes + self.moved);
        &self.all[end - self.moved..end]
    }

    /// Where a part begins; parts of nodes have even numbers.
    #[inline(always)]
    pub(super) fn begin(&self, part: usize) -> usize {
        part / 2 * (self.nodes + self.moved) + part % 2 * self.nodes
    }

    /// Takes over the colours after so many rounds, to go on from there.
    pub(super) fn go_on_from(&mut self, other: &Colours, rounds: usize) {
        let vertices = self.nodes + self.moved;
        self.all[..vertices].copy_from_slice(&other.all[rounds * vertices..(rounds + 1) * vertices]);
        self.rounds = 0;
    }
}

/// Rounds that nearly always separate what can be separated; the rest goes on to the fixpoint.
pub const QUICK_ROUNDS: usize = 3;

impl Refiner {
    /// `moved`: the slots 0..moved are those the group moves. `orbits`: by slot, the name of its orbit.
    pub fn new(structure: &Structure, moved: usize, orbits: &[u32]) -> Refiner {
        let Thinned { colours, edges } = thin::thinned(structure, moved, orbits);
        let nodes = colours.len() - moved;
        let is_slot = |vertex: u32| (vertex as usize) < moved;
        let in_part = |vertex: u32| if is_slot(vertex) { vertex } else { vertex - moved as u32 };
        // The vertices of the part come first in its window.
        let in_window = |source: u32, to_slots: bool| match is_slot(source) {
            true if !to_slots => in_part(source) + nodes as u32,
            false if to_slots => in_part(source) + moved as u32,
            _ => in_part(source),
        };
        let [mut into, mut out_of] = [[Vec::new(), Vec::new()], [Vec::new(), Vec::new()]];
        for edge in edges {
            let to_slots = is_slot(edge.target);
            let (target, source) = (in_part(edge.target), in_window(edge.source, to_slots));
            into[usize::from(to_slots)].push((target, Arc { end: source, key: edge.key }));
            out_of[usize::from(to_slots)].push((edge.source, Arc { end: target, key: edge.key }));
        }
        let [into_nodes, into_slots] = into;
        Refiner {
            moved,
            nodes,
            into: [Arcs::new(nodes, into_nodes), Arcs::new(moved, into_slots)],
            out_of: out_of.map(|arcs| Arcs::new(colours.len(), arcs)),
            fixed_colour: colours,
        }
    }

    /// How many vertices have colours.
    #[inline(always)]
    pub fn vertices(&self) -> usize {
        self.nodes + self.moved
    }

    pub fn colours(&self) -> Colours {
        Colours {
            moved: self.moved,
            nodes: self.nodes,
            all: vec![0; (QUICK_ROUNDS + 1) * self.vertices()],
            rounds: 0,
            sorted: vec![0; self.moved],
        }
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
        let (nodes, slots) = colours.all[..self.vertices()].split_at_mut(self.nodes);
        nodes.copy_from_slice(&self.fixed_colour[self.moved..]);
        for (slot, (colour, &value)) in slots.iter_mut().zip(values).enumerate() {
            *colour = self.first_colour(slot, value);
        }
        colours.rounds = 0;
    }

    #[inline(always)]
    pub(super) fn first_colour(&self, slot: usize, value: u64) -> u64 {
        fold(self.fixed_colour[slot].wrapping_add(value))
    }

    /// Nodes take in what is around them, then slots do, from the nodes' new colours.
    #[inline]
    pub fn round(&self, colours: &mut Colours) {
        let vertices = self.vertices();
        if colours.rounds == QUICK_ROUNDS {
            colours.all.copy_within(QUICK_ROUNDS * vertices.., 0);
            colours.rounds = 0;
        }
        colours.rounds += 1;
        self.compute(2 * colours.rounds, colours);
        self.compute(2 * colours.rounds + 1, colours);
    }

    /// Computes a part from the window before it.
    #[inline]
    pub(super) fn compute(&self, part: usize, colours: &mut Colours) {
        let vertices = self.vertices();
        let begin = colours.begin(part);
        let (window, rest) = colours.all[begin - vertices..].split_at_mut(vertices);
        let Arcs { start, arcs } = &self.into[part % 2];
        for ((colour, &own), of_own) in rest.iter_mut().zip(&*window).zip(start.windows(2)) {
            let mut sum = kept(own);
            for arc in &arcs[of_own[0] as usize..of_own[1] as usize] {
                sum = sum.wrapping_add(taken_in(window[arc.end as usize], arc.key));
            }
            *colour = sum;
        }
    }
}

/// What a vertex keeps of its own colour.
#[inline(always)]
pub(super) fn kept(colour: u64) -> u64 {
    fold(colour ^ 0x3c3c_c3c3)
}

#[inline(always)]
pub(super) fn taken_in(colour: u64, key: u64) -> u64 {
    fold(colour ^ key)
}

fn count_cells(colours: &mut Colours) -> usize {
    let end = (colours.rounds + 1) * (colours.nodes + colours.moved);
    colours.sorted.copy_from_slice(&colours.all[end - colours.moved..end]);
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
