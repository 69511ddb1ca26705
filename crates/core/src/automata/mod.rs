//! Automata for linear temporal logic with past.
//!
//! In: a formula as a table of operators over numbered atoms. Out: an `Automaton` that accepts exactly the infinite words on which
//! the formula holds: a transition-based generalised Büchi automaton. Reading order, which is the data flow: `lower` (negation
//! normal form, and how finite runs end), `formula`, `simplify` and `implication` (formulas as data, made smaller), `past` (memory
//! bits), `terms` (the tableau rules) and `translate` (states and edges), `marks`, `simulation` and `reduce` (smaller
//! automata), `automaton` (what searches use), `hoa` (text). `given` makes automata of edges from
//! outside. `cube` and `graph` are what they share.

mod automaton;
mod cube;
mod formula;
mod given;
mod graph;
mod hoa;
mod implication;
mod lower;
mod marks;
mod past;
mod reduce;
mod simplify;
mod simulation;
mod terms;
mod translate;
mod work;

use std::fmt;

pub use automaton::{Automaton, ComponentKind};
pub use cube::{Cube, MAX_ATOMS};
pub use given::Given;
pub use graph::Edge;
pub use hoa::hoa;
pub use lower::{End, Operator};

use formula::Arena;
use past::Past;
use terms::Expansion;
use translate::Translation;

/// Pairs of formulas that may be compared: more than any formula written by hand needs.
const MAX_IMPLICATIONS: u32 = 1_000_000;

/// How large an automaton may become before it is made smaller, and how much work may be done for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub states: usize,
    pub edges: usize,
    /// Steps of the translation: a few hundred million in a second.
    pub work: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { states: 10_000, edges: 200_000, work: 400_000_000 }
    }
}

/// Why there is no automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    TooManyStates(usize),
    TooManyEdges(usize),
    TooMuchWork(u64),
    TooManyAtoms(usize),
    TooManyPastOperators(usize),
    TooManyPromises(usize),
    TooManyMarks(u32),
    TooDeep(usize),
    /// A row of the table refers to itself or to a later one, or there is none.
    Malformed,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::TooManyStates(most) => {
                write!(f, "the automaton of this formula has more than {most} states")
            }
            Error::TooManyEdges(most) => {
                write!(f, "the automaton of this formula has more than {most} edges")
            }
            Error::TooMuchWork(most) => {
                write!(f, "the automaton of this formula takes more than {most} steps to make")
            }
            Error::TooManyAtoms(most) => write!(f, "this formula has more than {most} atoms"),
            Error::TooManyPastOperators(most) => {
                write!(f, "this formula has more than {most} different past operators")
            }
            Error::TooManyPromises(most) => {
                write!(f, "this formula has more than {most} different eventualities")
            }
            Error::TooManyMarks(most) => {
                write!(f, "the automaton of this formula has more than {most} acceptance sets")
            }
            Error::TooDeep(most) => write!(f, "this formula is nested deeper than {most} operators"),
            Error::Malformed => write!(f, "the table of this formula is malformed"),
        }
    }
}

impl From<Error> for crate::kinds::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Malformed => crate::kinds::Error::Call(error.to_string()),
            _ => crate::kinds::Error::TooLarge(error.to_string()),
        }
    }
}

/// The automaton of the formula in the last row of a table. Atoms are numbered from 0; the work is recursive in the nesting
/// of the formula, so callers with small stacks use `kinds::on_deep_stack`.
pub fn translate(table: &[Operator], end: End, limits: Limits) -> Result<Automaton, Error> {
    let used = table.iter().filter_map(|row| match row {
        &Operator::Atom(atom) => Some(atom),
        _ => None,
    });
    let atom_count = used.chain(end.ended()).map(|atom| atom as usize + 1).max().unwrap_or(0);
    if atom_count > MAX_ATOMS {
        return Err(Error::TooManyAtoms(MAX_ATOMS));
    }
    let mut arena = Arena::new(end.ended(), MAX_IMPLICATIONS);
    let formula = lower::lower(table, end, &mut arena)?;
    let past = Past::new(formula, atom_count as u32, &mut arena)?;
    let expansion = Expansion::new(&mut arena, past, limits.work);
    let mut graph = Translation::new(expansion, end, limits).run()?;
    reduce::reduce(&mut graph);
    Ok(Automaton::new(&graph))
}
