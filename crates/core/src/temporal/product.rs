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
    pub status: Status,
}

const STATUSES: [Status; 3] = [Status::Live, Status::Rejects, Status::Accepts];
/// In the table: no node.
const NONE: u32 = u32::MAX;
const MIN_TABLE: usize = 1 << 8;

/// Nodes, numbered in the order in which they were found, and found by their parts.
#[derive(Default)]
pub struct Nodes {
    /// The state, and the state of the automaton times 4 plus the status: automata are small.
    nodes: Vec<(u32, u32)>,
    /// Numbers of nodes at the places that hashes say or, where these are taken, after them. Its size is a power of two, and at
    /// most three quarters are taken.
    table: Vec<u32>,
}

impl Nodes {
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    pub fn get(&self, node: u32) -> Node {
        let (state, packed) = self.nodes[node as usize];
        Node { state, automaton: packed >> 2, status: STATUSES[(packed & 3) as usize] }
    }

    pub fn set_status(&mut self, node: u32, status: Status) {
        let packed = &mut self.nodes[node as usize].1;
        *packed = *packed & !3 | status as u32;
    }

    #[inline]
    fn place(&self, state: u32, automaton: u32) -> usize {
        let key = u64::from(state) << 32 | u64::from(automaton);
        let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        // The upper bits are the best mixed.
        ((hash ^ hash >> 29) >> 32) as usize & (self.table.len() - 1)
    }

    /// The number of a node, and its status.
    #[inline]
    pub fn find(&self, state: u32, automaton: u32) -> Option<(u32, Status)> {
        if self.table.is_empty() {
            return None;
        }
        let mut place = self.place(state, automaton);
        loop {
            let number = self.table[place];
            if number == NONE {
                return None;
            }
            let (found, packed) = self.nodes[number as usize];
            if found == state && packed >> 2 == automaton {
                return Some((number, STATUSES[(packed & 3) as usize]));
            }
            place = (place + 1) & (self.table.len() - 1);
        }
    }

    pub fn number(&self, (state, automaton): (u32, u32)) -> Option<u32> {
        self.find(state, automaton).map(|(number, _)| number)
    }

    /// Adds a node that is not there.
    pub fn add(&mut self, state: u32, automaton: u32) -> u32 {
        if self.nodes.len() >= self.table.len() / 4 * 3 {
            self.enlarge();
        }
        let number = self.nodes.len() as u32;
        push_gently(&mut self.nodes, (state, automaton << 2));
        self.enter(number);
        number
    }

    fn enter(&mut self, number: u32) {
        let (state, packed) = self.nodes[number as usize];
        let mut place = self.place(state, packed >> 2);
        while self.table[place] != NONE {
            place = (place + 1) & (self.table.len() - 1);
        }
        self.table[place] = number;
    }

    fn enlarge(&mut self) {
        let size = (self.table.len() * 2).max(MIN_TABLE);
        self.table = Vec::new();
        self.table.resize(size, NONE);
        (0..self.nodes.len() as u32).for_each(|number| self.enter(number));
    }

    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<(u32, u32)>() + self.table.capacity() * 4
    }
}
