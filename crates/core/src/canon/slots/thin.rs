//! Thinning the graph that colours are refined on, without changing the fixpoint on the moved slots.
//!
//! Everything that does not depend on the state is refined once, into fixed colours. Then vertices that add nothing to the
//! colours of moved slots are removed:
//! * one whose fixed colour is unique: it contributes the same to all its neighbours, whose fixed colours show it already;
//! * a node (or a slot that never changes) with one neighbour: it contributes only what that neighbour has;
//! * one with two neighbours: it only passes the colour of each to the other, so an edge between them does the same;
//! * one that is not connected with any moved slot.

use std::collections::BTreeMap;

use super::refine::fold;
use crate::structure::Structure;

pub struct Thinned {
    /// Fixed colours of the moved slots, then of the nodes that are left.
    pub colours: Vec<u64>,
    pub edges: Vec<Directed>,
}

/// A contribution of `source` to the colour of `target`.
#[derive(Clone, Copy)]
pub struct Directed {
    pub target: u32,
    pub source: u32,
    pub key: u64,
}

/// An edge between two vertices: the keys of what the first gets from the second, and the second from the first.
#[derive(Clone, Copy)]
struct Tie {
    ends: [u32; 2],
    keys: [u64; 2],
}

pub fn thinned(structure: &Structure, moved: usize, orbits: &[u32]) -> Thinned {
    let colours = fixed_colours(structure, orbits);
    let ties = ties(structure);
    let mut graph = TieGraph::new(moved, &colours, ties);
    graph.drop_unshared();
    graph.drop_echoes();
    graph.contract();
    graph.finish()
}

fn ties(structure: &Structure) -> Vec<Tie> {
    let key = |label: u64, side: u64| fold(label.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (0x1357 + side));
    let tie = |&(node, vertex, label): &(u32, u32, u64)| Tie {
        ends: [node, vertex],
        keys: [key(label, 0), key(label, 1)],
    };
    structure.edges().iter().map(tie).collect()
}

/// Refines (kind, orbit) until the number of colours is stable.
fn fixed_colours(structure: &Structure, orbits: &[u32]) -> Vec<u64> {
    let slots = structure.slots();
    let start = |vertex: usize| match orbits.get(vertex) {
        Some(&orbit) if vertex < slots => fold(u64::from(orbit) ^ 0xfeed_beef_0bad_cafe),
        _ => fold(structure.colour(vertex) ^ 0xa5a5_1234_9876_5a5a),
    };
    let mut colours: Vec<u64> = (0..structure.vertices()).map(start).collect();
    let ties = ties(structure);
    let mut cells = count(&colours);
    loop {
        let mut next: Vec<u64> = colours.iter().map(|&colour| fold(colour ^ 0x3c3c_c3c3)).collect();
        for tie in &ties {
            for (here, there) in [(0, 1), (1, 0)] {
                let added = fold(colours[tie.ends[there] as usize] ^ tie.keys[here]);
                let sum = &mut next[tie.ends[here] as usize];
                *sum = sum.wrapping_add(added);
            }
        }
        colours = next;
        let now = count(&colours);
        if now <= cells {
            return colours;
        }
        cells = now;
    }
}

fn count(colours: &[u64]) -> usize {
    let mut sorted = colours.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}

struct TieGraph<'c> {
    moved: usize,
    colours: &'c [u64],
    ties: Vec<Option<Tie>>,
    /// By vertex: the numbers of its ties, some perhaps gone.
    around: Vec<Vec<u32>>,
}

impl<'c> TieGraph<'c> {
    fn new(moved: usize, colours: &'c [u64], ties: Vec<Tie>) -> TieGraph<'c> {
        let mut graph =
            TieGraph { moved, colours, ties: Vec::new(), around: vec![Vec::new(); colours.len()] };
        ties.into_iter().for_each(|tie| graph.add(tie));
        graph
    }

    fn add(&mut self, tie: Tie) {
        let number = self.ties.len() as u32;
        self.ties.push(Some(tie));
        tie.ends.iter().for_each(|&end| self.around[end as usize].push(number));
    }

    fn ties_of(&self, vertex: usize) -> Vec<u32> {
        self.around[vertex].iter().copied().filter(|&tie| self.ties[tie as usize].is_some()).collect()
    }

    fn drop_unshared(&mut self) {
        let mut shared: BTreeMap<u64, usize> = BTreeMap::new();
        for &colour in self.colours {
            *shared.entry(colour).or_default() += 1;
        }
        for vertex in (self.moved..self.colours.len()).filter(|&v| shared[&self.colours[v]] == 1) {
            for tie in self.ties_of(vertex) {
                self.ties[tie as usize] = None;
            }
        }
    }

    /// Removes nodes with one neighbour until there are none: the result does not depend on the order.
    fn drop_echoes(&mut self) {
        let mut waiting: Vec<usize> = (self.moved..self.colours.len()).collect();
        while let Some(vertex) = waiting.pop() {
            if let [tie] = self.ties_of(vertex)[..] {
                waiting.extend(
                    self.seen_from(vertex, tie)
                        .map(|(other, ..)| other as usize)
                        .filter(|&v| v >= self.moved),
                );
                self.ties[tie as usize] = None;
            }
        }
    }

    /// Replaces nodes with two neighbours by an edge. Of two such nodes beside each other both stay: which went first would
    /// decide the key of the edge, and symmetric parts of the graph must be treated alike.
    fn contract(&mut self) {
        let is_link: Vec<bool> =
            (0..self.colours.len()).map(|v| v >= self.moved && self.ties_of(v).len() == 2).collect();
        for vertex in (0..self.colours.len()).filter(|&v| is_link[v]) {
            let ties = self.ties_of(vertex);
            let sides: Vec<(u32, u64, u64)> =
                ties.iter().filter_map(|&tie| self.seen_from(vertex, tie)).collect();
            let [(a, to_a, from_a), (b, to_b, from_b)] = sides[..] else { continue };
            if is_link[a as usize] || is_link[b as usize] {
                continue;
            }
            ties.iter().for_each(|&tie| self.ties[tie as usize] = None);
            if a != b {
                let colour = self.colours[vertex];
                let through =
                    |from: u64, to: u64| fold(from ^ colour).wrapping_add(fold(to ^ 0x7e57)) ^ colour;
                self.add(Tie { ends: [a, b], keys: [through(from_b, to_a), through(from_a, to_b)] });
            }
        }
    }

    /// The neighbour at the other end, the key of what it gets from the vertex, and of what the vertex gets from it.
    fn seen_from(&self, vertex: usize, tie: u32) -> Option<(u32, u64, u64)> {
        let tie = self.ties[tie as usize]?;
        let here = usize::from(tie.ends[0] as usize != vertex);
        Some((tie.ends[1 - here], tie.keys[1 - here], tie.keys[here]))
    }

    fn finish(self) -> Thinned {
        let reached = self.reached_from_moved();
        let mut number = vec![u32::MAX; self.colours.len()];
        let mut colours = self.colours[..self.moved].to_vec();
        (0..self.moved).for_each(|slot| number[slot] = slot as u32);
        for vertex in (self.moved..self.colours.len()).filter(|&v| reached[v]) {
            number[vertex] = colours.len() as u32;
            colours.push(self.colours[vertex]);
        }
        let mut edges = Vec::new();
        for tie in self.ties.iter().flatten().filter(|tie| reached[tie.ends[0] as usize]) {
            for (here, there) in [(0, 1), (1, 0)] {
                let (target, source) = (number[tie.ends[here] as usize], number[tie.ends[there] as usize]);
                edges.push(Directed { target, source, key: tie.keys[here] });
            }
        }
        Thinned { colours, edges }
    }

    fn reached_from_moved(&self) -> Vec<bool> {
        let mut reached = vec![false; self.colours.len()];
        let mut waiting: Vec<usize> = (0..self.moved).collect();
        waiting.iter().for_each(|&slot| reached[slot] = true);
        while let Some(vertex) = waiting.pop() {
            for tie in self.ties_of(vertex) {
                let Some((other, ..)) = self.seen_from(vertex, tie) else { continue };
                if !std::mem::replace(&mut reached[other as usize], true) {
                    waiting.push(other as usize);
                }
            }
        }
        reached
    }
}
