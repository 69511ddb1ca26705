//! The product of a structure and the automaton of a formula: runs of the model that the automaton accepts.
//!
//! A node is a state of the structure and one of the automaton. The letter that the automaton reads along an edge is the set
//! of atoms that hold in the state and of the step that is taken. A finite maximal run is continued by repeating its last state
//! for ever, where `Ends` holds; what that means for formulas is the translation's business (`automata::translate`).

use super::edge_lists::{Edges, FairEdge, push_gently};
use super::ground::Ground;
use super::state_set::StateSet;
use super::structure::Structure;
use crate::automata::{Automaton, Cube};
use crate::quotient::Unfinished;

/// A formula's automaton, and where its atoms are found.
pub struct Claim {
    pub automaton: Automaton,
    /// By atom of the automaton.
    atoms: Vec<AtomSource>,
    /// Sets of states that atoms refer to.
    sets: Vec<StateSet>,
    /// Atoms that steps decide.
    of_steps: u128,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomSource {
    /// The atom of this number in the structure.
    State(usize),
    /// The step is of this class.
    Taken(u64),
    /// The run ends in the state.
    Ends,
    /// The state is in the set of this number.
    Set(usize),
}

impl Claim {
    pub fn new(automaton: Automaton, atoms: Vec<AtomSource>, sets: Vec<StateSet>) -> Claim {
        let is_of_steps = |source: &AtomSource| matches!(source, AtomSource::Taken(_));
        let of_steps = atoms.iter().enumerate().filter(|(_, source)| is_of_steps(source));
        let of_steps = of_steps.fold(0, |found, (at, _)| found | 1u128 << at);
        Claim { automaton, atoms, sets, of_steps }
    }

    /// The part of the letter that the state alone decides.
    #[inline]
    pub fn state_letter(&self, structure: &Structure, state: u32) -> u128 {
        let mut letter = 0;
        for (at, source) in self.atoms.iter().enumerate() {
            let holds = match *source {
                AtomSource::State(atom) => structure.holds(state, atom),
                AtomSource::Ends => structure.ends().contains(state),
                AtomSource::Set(number) => self.sets[number].contains(state),
                AtomSource::Taken(_) => false,
            };
            letter |= u128::from(holds) << at;
        }
        letter
    }

    /// Can the automaton read a letter along an edge with this label, as far as the state decides it?
    #[inline]
    pub fn allows(&self, label: Cube, state_letter: u128) -> bool {
        label.without(self.of_steps).matches(state_letter)
    }

    /// And as far as the step decides it?
    #[inline]
    pub fn allows_step(&self, label: Cube, edges: &Edges<'_>, edge: usize) -> bool {
        if label.atoms() & self.of_steps == 0 {
            return true;
        }
        // Where the run has ended there is no step.
        let class = if edges.targets.is_empty() { 0 } else { edges.class(edge) };
        let taken = |(at, source): (usize, &AtomSource)| match *source {
            AtomSource::Taken(mask) if class & mask != 0 => 1u128 << at,
            _ => 0,
        };
        let letter = self.atoms.iter().enumerate().map(taken).fold(0, |letter, atom| letter | atom);
        label.without(!self.of_steps).matches(letter)
    }

    /// All edges of a node whose state is expanded.
    pub fn edges_of<G: Ground>(&self, ground: &mut G, node: Node) -> Result<Vec<ProductEdge>, Unfinished> {
        let letter = self.state_letter(ground.structure(), node.state);
        let edges = ground.edges(node.state)?;
        let here = [node.state];
        let targets = if edges.targets.is_empty() { &here } else { edges.targets };
        let mut found = Vec::new();
        for option in self.automaton.edges(node.automaton) {
            if !self.allows(option.label, letter) {
                continue;
            }
            for (at, &target) in targets.iter().enumerate() {
                if self.allows_step(option.label, &edges, at) {
                    let edge = (!edges.targets.is_empty()).then_some(at as u32);
                    let (target, marks, fair) = ((target, option.target), option.marks, edges.fair(at));
                    found.push(ProductEdge { edge, target, marks, fair });
                }
            }
        }
        Ok(found)
    }
}

/// A step of the product, along an edge of the structure (by its position among those of the state) or, where the run has
/// ended, in the state itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProductEdge {
    pub edge: Option<u32>,
    pub target: (u32, u32),
    pub marks: u64,
    pub fair: FairEdge,
}

/// What a search knows of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Its component may still grow.
    Live,
    /// Its component is complete, and no accepted run begins there.
    Rejects,
    /// Its component is complete, and an accepted run begins there.
    Accepts,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    pub state: u32,
    pub automaton: u32,
}

const STATUSES: [Status; 3] = [Status::Live, Status::Rejects, Status::Accepts];
/// In tables: no node.
const NONE: u32 = u32::MAX;
const MIN_TABLE: usize = 1 << 8;
/// Numbers of nodes have two bits less than entries of tables.
const MAX_NODES: usize = 1 << 30;
/// Automata with at most so many states get a table with a place for every node that there can be.
const MAX_DIRECT: u32 = 4;

/// Nodes, numbered in the order in which they were found, and found by their parts. An entry of the table is the number of
/// a node times 4 plus its status, so that for small automata one look into the table tells all that a search asks for: it waits
/// for memory most of the time.
pub struct Nodes {
    nodes: Vec<Node>,
    /// States of the automaton, where a node has its place by its parts; 0 where places are by hashes. Then nodes whose places are
    /// taken come after them, the size is a power of two, and at most three quarters are taken.
    width: u32,
    table: Vec<u32>,
}

impl Nodes {
    pub fn new(automaton: &Automaton) -> Nodes {
        let states = automaton.state_count() as u32;
        let width = if states <= MAX_DIRECT { states } else { 0 };
        Nodes { nodes: Vec::new(), width, table: Vec::new() }
    }

    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    pub fn get(&self, node: u32) -> Node {
        self.nodes[node as usize]
    }

    pub fn set_status(&mut self, node: u32, status: Status) {
        let Node { state, automaton } = self.get(node);
        if let Some(place) = self.place(state, automaton) {
            self.table[place] = self.table[place] & !3 | status as u32;
        }
    }

    /// The number of a node, and its status.
    #[inline]
    pub fn find(&self, state: u32, automaton: u32) -> Option<(u32, Status)> {
        let entry = self.table[self.place(state, automaton)?];
        Some((entry >> 2, STATUSES[(entry & 3) as usize]))
    }

    pub fn number(&self, (state, automaton): (u32, u32)) -> Option<u32> {
        self.find(state, automaton).map(|(number, _)| number)
    }

    /// The place of a node in the table, if it is there.
    #[inline]
    fn place(&self, state: u32, automaton: u32) -> Option<usize> {
        if self.width > 0 {
            let place = state as usize * self.width as usize + automaton as usize;
            return self.table.get(place).is_some_and(|&entry| entry != NONE).then_some(place);
        }
        if self.table.is_empty() {
            return None;
        }
        let mut place = self.first_place(state, automaton);
        loop {
            let entry = self.table[place];
            if entry == NONE {
                return None;
            }
            if self.nodes[(entry >> 2) as usize] == (Node { state, automaton }) {
                return Some(place);
            }
            place = (place + 1) & (self.table.len() - 1);
        }
    }

    #[inline]
    fn first_place(&self, state: u32, automaton: u32) -> usize {
        let key = u64::from(state) << 32 | u64::from(automaton);
        let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        // The upper bits are the best mixed.
        ((hash ^ hash >> 29) >> 32) as usize & (self.table.len() - 1)
    }

    /// Adds a node that is not there.
    pub fn add(&mut self, state: u32, automaton: u32) -> Result<u32, Unfinished> {
        if self.nodes.len() >= MAX_NODES - 1 {
            return Err(Unfinished::Full);
        }
        let number = self.nodes.len() as u32;
        push_gently(&mut self.nodes, Node { state, automaton });
        if self.width > 0 {
            let place = state as usize * self.width as usize + automaton as usize;
            while self.table.len() <= place {
                push_gently(&mut self.table, NONE);
            }
            self.table[place] = number << 2;
        } else {
            if number as usize >= self.table.len() / 4 * 3 {
                self.enlarge();
            }
            self.enter(number << 2);
        }
        Ok(number)
    }

    fn enter(&mut self, entry: u32) {
        let Node { state, automaton } = self.get(entry >> 2);
        let mut place = self.first_place(state, automaton);
        while self.table[place] != NONE {
            place = (place + 1) & (self.table.len() - 1);
        }
        self.table[place] = entry;
    }

    fn enlarge(&mut self) {
        let size = (self.table.len() * 2).max(MIN_TABLE);
        let old = std::mem::replace(&mut self.table, vec![NONE; size]);
        old.into_iter().filter(|&entry| entry != NONE).for_each(|entry| self.enter(entry));
    }

    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.table.capacity() * 4
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn nodes_are_found_by_their_parts(
            width in 0..=MAX_DIRECT,
            parts in prop::collection::vec((0u32..500, 0u32..MAX_DIRECT, 0usize..3), 0..800),
        ) {
            let mut nodes = Nodes { nodes: Vec::new(), width, table: Vec::new() };
            let mut known: HashMap<(u32, u32), (u32, Status)> = HashMap::new();
            for (state, automaton, status) in parts {
                let automaton = if width > 0 { automaton % width } else { automaton };
                prop_assert_eq!(nodes.find(state, automaton), known.get(&(state, automaton)).copied());
                let add = || (nodes.add(state, automaton).unwrap(), Status::Live);
                let entry = known.entry((state, automaton)).or_insert_with(add);
                prop_assert_eq!(nodes.get(entry.0), Node { state, automaton });
                entry.1 = STATUSES[status];
                nodes.set_status(entry.0, entry.1);
            }
            for (&(state, automaton), &found) in &known {
                prop_assert_eq!(nodes.find(state, automaton), Some(found));
            }
            prop_assert_eq!(nodes.count(), known.len());
        }
    }
}
