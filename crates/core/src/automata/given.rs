//! Automata that are given edge by edge, as never claims are.
//!
//! In: states, marks and edges from outside. Out: an `Automaton` with the same language, made smaller as those of formulas are.

use super::automaton::Automaton;
use super::graph::{Edge, Graph, MAX_MARKS, all_marks};
use super::{Error, Limits, reduce};

/// An automaton as it is written: state 0 is the initial one, and a run is accepted if every mark is on infinitely many of its edges.
#[derive(Clone, Debug)]
pub struct Given {
    pub states: usize,
    pub marks: u32,
    /// Sources and edges.
    pub edges: Vec<(u32, Edge)>,
}

impl Given {
    /// `Malformed` where an edge speaks of a state or mark that is not there, or of an atom that is true and false.
    pub fn automaton(&self, limits: Limits) -> Result<Automaton, Error> {
        if self.states > limits.states {
            return Err(Error::TooManyStates(limits.states));
        }
        if self.edges.len() > limits.edges {
            return Err(Error::TooManyEdges(limits.edges));
        }
        if self.marks > MAX_MARKS {
            return Err(Error::TooManyMarks(MAX_MARKS));
        }
        let is_right = |&(source, edge): &(u32, Edge)| {
            (source.max(edge.target) as usize) < self.states
                && edge.marks & !all_marks(self.marks) == 0
                && edge.label.positive & edge.label.negative == 0
        };
        if self.states == 0 || !self.edges.iter().all(is_right) {
            return Err(Error::Malformed);
        }
        let mut states = vec![Vec::new(); self.states];
        self.edges.iter().for_each(|&(source, edge)| states[source as usize].push(edge));
        let mut graph = Graph { states, initial: 0, mark_count: self.marks };
        reduce::reduce(&mut graph);
        Ok(Automaton::new(&graph))
    }
}
