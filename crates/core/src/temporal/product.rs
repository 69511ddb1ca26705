//! The product of a structure and the automaton of a formula: runs of the model that the automaton accepts.
//!
//! A node is a state of the structure and one of the automaton. The letter that the automaton reads along an edge is the set
//! of atoms that hold in the state and of the step that is taken. A finite maximal run is continued by repeating its last state
//! for ever, where `Ends` holds; what that means for formulas is the translation's business (`automata::translate`).

use super::answer::Watch;
use super::atoms::Steps;
use super::structure::Structure;
use crate::automata::Automaton;
use crate::canon::Canonicaliser;
use crate::model::PackedModel;
use crate::quotient::{Quotient, Unfinished};

/// A formula's automaton, and where its atoms are found.
pub struct Claim {
    pub automaton: Automaton,
    /// By atom of the automaton.
    pub atoms: Vec<AtomSource>,
    /// Sets of states that atoms refer to.
    pub sets: Vec<Vec<bool>>,
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
    /// The part of the letter that the state alone decides.
    #[inline]
    pub fn state_letter(&self, structure: &Structure, state: u32) -> u128 {
        let mut letter = 0;
        for (at, source) in self.atoms.iter().enumerate() {
            let holds = match *source {
                AtomSource::State(atom) => structure.holds(state, atom),
                AtomSource::Ends => structure.targets(state).is_empty(),
                AtomSource::Set(number) => self.sets[number][state as usize],
                AtomSource::Taken(_) => false,
            };
            letter |= u128::from(holds) << at;
        }
        letter
    }

    /// The part of the letter that the step decides.
    #[inline]
    pub fn step_letter(&self, class: u64) -> u128 {
        let mut letter = 0;
        for (at, source) in self.atoms.iter().enumerate() {
            if let &AtomSource::Taken(taken) = source {
                letter |= u128::from(class & taken != 0) << at;
            }
        }
        letter
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    pub state: u32,
    pub automaton: u32,
    /// The next node of the same state; NONE at the end.
    next: u32,
}

const NONE: u32 = u32::MAX;

/// Nodes by number, found by their parts.
#[derive(Default)]
pub struct Nodes {
    nodes: Vec<Node>,
    /// By state of the structure: its first node.
    head: Vec<u32>,
}

impl Nodes {
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    pub fn get(&self, node: u32) -> Node {
        self.nodes[node as usize]
    }

    #[inline]
    pub fn find(&self, state: u32, automaton: u32) -> Option<u32> {
        let mut at = self.head.get(state as usize).copied().unwrap_or(NONE);
        while at != NONE {
            let node = self.nodes[at as usize];
            if node.automaton == automaton {
                return Some(at);
            }
            at = node.next;
        }
        None
    }

    /// Adds a node that is not there.
    pub fn add(&mut self, state: u32, automaton: u32) -> u32 {
        if self.head.len() <= state as usize {
            self.head.resize(state as usize + 1, NONE);
        }
        let number = self.nodes.len() as u32;
        self.nodes.push(Node { state, automaton, next: self.head[state as usize] });
        self.head[state as usize] = number;
        number
    }

    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.head.capacity() * 4
    }
}

/// A step of the product, along an edge of the structure (by its position among those of the state) or, where the run has
/// ended, in the state itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProductEdge {
    pub edge: Option<u32>,
    pub target: (u32, u32),
    pub marks: u64,
}

/// Where an enumeration of the edges of one node stands.
#[derive(Clone, Copy, Debug)]
pub struct Cursor {
    letter: u128,
    edge: u32,
    option: u32,
}

/// What a search works on: the structure with the quotient that expands it.
pub struct Ground<'s, 'q, 'a, M: PackedModel, C: Canonicaliser> {
    pub structure: &'s mut Structure,
    pub quotient: &'s mut Quotient<'q, M, C>,
    pub steps: &'s mut Steps<'a>,
    pub watch: Watch<'s>,
}

impl<M: PackedModel, C: Canonicaliser> Ground<'_, '_, '_, M, C> {
    pub fn expand(&mut self, state: u32) -> Result<(), Unfinished> {
        if self.structure.is_expanded(state) {
            return Ok(());
        }
        self.structure.expand(self.quotient, self.steps, state)?;
        self.watch.on_expanded(self.structure)
    }
}

impl Claim {
    /// Begins with the edges of a node whose state is expanded.
    #[inline]
    pub fn open(&self, structure: &Structure, node: Node) -> Cursor {
        Cursor { letter: self.state_letter(structure, node.state), edge: 0, option: 0 }
    }

    /// The next edge of the node; None at the end.
    #[inline]
    pub fn next_edge(&self, structure: &Structure, node: Node, cursor: &mut Cursor) -> Option<ProductEdge> {
        let targets = structure.targets(node.state);
        let options = self.automaton.edges(node.automaton);
        let count = targets.len().max(1) as u32;
        while cursor.edge < count {
            let at = cursor.edge as usize;
            let (edge, target) = match targets.get(at) {
                Some(&target) => (Some(cursor.edge), target),
                None => (None, node.state),
            };
            let class = if edge.is_some() { structure.class(node.state, at) } else { 0 };
            let letter = cursor.letter | if class == 0 { 0 } else { self.step_letter(class) };
            while let Some(option) = options.get(cursor.option as usize) {
                cursor.option += 1;
                if option.label.matches(letter) {
                    let target = (target, option.target);
                    return Some(ProductEdge { edge, target, marks: option.marks });
                }
            }
            cursor.option = 0;
            cursor.edge += 1;
        }
        None
    }
}
