//! The coloured graph that a group keeps: slots (points that carry values) and nodes (what ties them together).
//!
//! In: slots and nodes with colours, labelled edges from nodes to slots or to other nodes. Out: the automorphisms of
//! that graph, as permutations of the slots (Junttila 2003, Thm 3.7). Automorphisms are decided by the slots: no two
//! nodes may have the same colour and the same neighbours, which the builders guarantee by merging such nodes.

mod matching;
#[cfg(test)]
mod matching_tests;
mod partition;
mod parts;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::time::Duration;

use num_bigint::BigUint;

use crate::canon::Cancel;
use crate::nauty::Graph;
use crate::perm::Perm;

/// Between two questions whether to go on.
const FIRST_WAIT: Duration = Duration::from_micros(100);
const LONGEST_WAIT: Duration = Duration::from_millis(20);
/// nauty calls itself once for each level of its tree.
const STACK: usize = 64 << 20;

#[derive(Clone, Debug)]
pub struct Structure {
    slots: usize,
    colours: Vec<u64>,
    /// (node, vertex, label); vertices number the slots first, then the nodes.
    edges: Vec<(u32, u32, u64)>,
}

impl Structure {
    pub fn new(slot_colours: Vec<u64>) -> Self {
        Structure { slots: slot_colours.len(), colours: slot_colours, edges: Vec::new() }
    }

    pub fn slots(&self) -> usize {
        self.slots
    }

    pub fn edges(&self) -> &[(u32, u32, u64)] {
        &self.edges
    }

    pub fn vertices(&self) -> usize {
        self.colours.len()
    }

    pub fn colour(&self, vertex: usize) -> u64 {
        self.colours[vertex]
    }

    pub fn add_node(&mut self, colour: u64) -> u32 {
        self.colours.push(colour);
        self.colours.len() as u32 - 1
    }

    pub fn connect(&mut self, node: u32, vertex: u32, label: u64) {
        debug_assert!(node as usize >= self.slots);
        self.edges.push((node, vertex, label));
    }

    /// The same structure with slot `s` renamed to `new_name[s]`.
    pub fn renamed(&self, new_name: &[u32]) -> Structure {
        let rename = |v: u32| new_name.get(v as usize).copied().unwrap_or(v);
        let mut colours = self.colours.clone();
        for slot in 0..self.slots {
            colours[new_name[slot] as usize] = self.colours[slot];
        }
        let edges = self.edges.iter().map(|&(node, vertex, label)| (node, rename(vertex), label)).collect();
        Structure { slots: self.slots, colours, edges }
    }

    /// Generators on the slots and the order of the group, or of the part of it that was found when the token of this thread
    /// was set.
    pub fn automorphisms(&self) -> SlotAutomorphisms {
        let UnlabelledGraph { graph, colours } = self.plain();
        let mut names: BTreeMap<(bool, u64, u64), u64> = BTreeMap::new();
        colours.iter().for_each(|&colour| {
            names.insert(colour, 0);
        });
        (0..).zip(names.values_mut()).for_each(|(next, name)| *name = next);
        let colours: Vec<u64> = colours.iter().map(|colour| names[colour]).collect();
        let found = parts::automorphisms(&graph, &colours);
        let on_slots = |mut moves: Vec<(u32, u32)>| {
            moves.retain(|&(x, _)| (x as usize) < self.slots);
            moves.sort_unstable();
            Perm::from_sorted_moves(self.slots, moves)
        };
        let generators = found.generators.into_iter().map(on_slots).filter(|g| !g.is_identity()).collect();
        SlotAutomorphisms { generators, order: found.order, complete: found.complete }
    }

    /// All of them, as long as `goes_on`, which is asked all the time; None afterwards.
    pub fn automorphisms_while(&self, mut goes_on: impl FnMut() -> bool) -> Option<(Vec<Perm>, BigUint)> {
        let cancel = Cancel::current().child();
        std::thread::scope(|scope| {
            let run = || {
                let _entered = cancel.enter();
                self.automorphisms()
            };
            let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run).ok()?;
            let mut wait = FIRST_WAIT;
            while !worker.is_finished() {
                std::thread::sleep(wait);
                wait = (2 * wait).min(LONGEST_WAIT);
                if !goes_on() {
                    cancel.cancel();
                    break;
                }
            }
            let found = worker.join().ok()?;
            found.complete.then_some((found.generators, found.order))
        })
    }

    /// The order of the subgroup that moves none of these slots; None where there was no time to find it.
    pub fn fixing_order(&self, slots: impl Iterator<Item = u32>) -> Option<BigUint> {
        let mut fixed = self.clone();
        for (number, slot) in slots.enumerate() {
            fixed.colours[slot as usize] = u64::MAX - number as u64;
        }
        let found = fixed.automorphisms();
        found.complete.then_some(found.order)
    }

    /// The same automorphisms without edge labels: a node with several labels becomes a star of vertices, one for each
    /// label, the first standing for the node. Far fewer vertices than one for each arc (Junttila 2003, 4.2).
    pub fn plain(&self) -> UnlabelledGraph {
        let mut labels: Vec<Vec<u64>> = vec![Vec::new(); self.vertices() - self.slots];
        for &(node, _, label) in &self.edges {
            labels[node as usize - self.slots].push(label);
        }
        let mut colours: Vec<(u64, u64)> = self.colours[..self.slots].iter().map(|&c| (c, 0)).collect();
        let mut pairs = Vec::with_capacity(self.edges.len());
        let mut copy_of: Vec<BTreeMap<u64, u32>> = Vec::with_capacity(labels.len());
        let mut main_of: Vec<u32> = (0..self.slots as u32).collect();
        for (node, labels) in labels.iter_mut().enumerate() {
            labels.sort_unstable();
            labels.dedup();
            let main = colours.len() as u32;
            main_of.push(main);
            let mut copies = BTreeMap::new();
            for (index, &label) in labels.iter().enumerate() {
                copies.insert(label, main + index as u32);
                colours.push((self.colours[self.slots + node], label));
                if index > 0 {
                    pairs.push((main, main + index as u32));
                }
            }
            if labels.is_empty() {
                colours.push((self.colours[self.slots + node], 0));
            }
            copy_of.push(copies);
        }
        for &(node, vertex, label) in &self.edges {
            pairs.push((copy_of[node as usize - self.slots][&label], main_of[vertex as usize]));
        }
        // Two edges with one label are one: a vertex is there or not.
        pairs.sort_unstable();
        pairs.dedup();
        // Slot colours and node colours share no name: the flag keeps them apart.
        let coloured = |(v, &(c, l)): (usize, &(u64, u64))| (v >= self.slots, c, l);
        let colours: Vec<(bool, u64, u64)> = colours.iter().enumerate().map(coloured).collect();
        UnlabelledGraph { graph: Graph::from_pairs(colours.len(), &pairs), colours }
    }
}

/// Automorphisms, by what they do to the slots. `complete`: are they all?
pub struct SlotAutomorphisms {
    pub generators: Vec<Perm>,
    pub order: BigUint,
    pub complete: bool,
}

pub struct UnlabelledGraph {
    pub graph: Graph,
    pub colours: Vec<(bool, u64, u64)>,
}

/// Marks the last vertex of every run of equal colour.
pub fn cells<C: PartialEq>(sorted: &[u32], colour: impl Fn(u32) -> C) -> impl Iterator<Item = (u32, bool)> {
    sorted
        .iter()
        .enumerate()
        .map(move |(i, &v)| (v, sorted.get(i + 1).is_none_or(|&next| colour(next) != colour(v))))
}
