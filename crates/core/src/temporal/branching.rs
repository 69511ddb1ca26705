//! CTL*: in which states of a structure a formula holds.
//!
//! In: a formula as a table of operators, operands before what is made of them, and a structure that is expanded completely. Out: for
//! every row that is a state formula the set of states where it holds. Path quantifiers over one operator (CTL) are computed
//! by fixpoints in time linear in the number of edges (Clarke, Emerson, Sistla 1986); over other path formulas by the automaton of
//! the formula, whose atoms are the maximal state formulas in it (Emerson, Lei 1987). Runs are infinite or end where no step is left:
//! X needs a next state, so a run that ends satisfies no X, and E not X p holds where it ends; with `stutters` the last state is repeated
//! instead.

use super::emptiness::Emptiness;
use super::fixpoints::{Fixpoints, Labelling};
use super::ground::Ground;
use super::product::{AtomSource, Claim};
use super::state_set::StateSet;
use super::structure::Structure;
use crate::automata::{self, End, Limits, Operator};
use crate::quotient::Unfinished;

/// A row of the table; numbers are rows before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row {
    Path(Operator),
    Exists(usize),
    Forall(usize),
}

impl Row {
    pub fn operands(&self) -> Vec<usize> {
        match self {
            Row::Path(operator) => operator.operands(),
            &(Row::Exists(operand) | Row::Forall(operand)) => vec![operand],
        }
    }
}

/// Why states were not labelled.
#[derive(Debug)]
pub enum Unlabelled {
    Unfinished(Unfinished),
    Automaton(automata::Error),
    /// An operator over paths stands outside of every path quantifier.
    NoStateFormula,
}

impl From<Unfinished> for Unlabelled {
    fn from(why: Unfinished) -> Self {
        Unlabelled::Unfinished(why)
    }
}

/// A formula of CTL*, with where its atoms are found.
#[derive(Clone, Copy)]
pub struct Branching<'f> {
    pub rows: &'f [Row],
    pub atoms: &'f [AtomSource],
    pub stutters: bool,
}

/// A path formula of CTL, over state formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Simple {
    State(usize),
    Next(usize),
    /// Not next not: holds where the run ends.
    WeakNext(usize),
    Until(usize, usize),
    Release(usize, usize),
}

impl Branching<'_> {
    /// By row: the states in which it holds; None for rows that are no state formulas.
    pub fn label<G: Ground>(
        &self,
        ground: &mut G,
        labelling: &mut Labelling,
    ) -> Result<Vec<Option<StateSet>>, Unlabelled> {
        let mut known: Vec<Option<StateSet>> = Vec::with_capacity(self.rows.len());
        labelling.set_bytes = 0;
        for row in self.rows {
            let states = match row {
                Row::Path(operator) => self.boolean(operator, ground.structure(), &known),
                &Row::Exists(operand) => Some(self.exists(operand, false, ground, labelling, &known)?),
                &Row::Forall(operand) => {
                    let mut states = self.exists(operand, true, ground, labelling, &known)?;
                    states.complement();
                    Some(states)
                }
            };
            labelling.set_bytes += states.as_ref().map_or(0, StateSet::bytes);
            known.push(states);
        }
        match known.last() {
            Some(Some(_)) => Ok(known),
            _ => Err(Unlabelled::NoStateFormula),
        }
    }

    /// Boolean operators of state formulas.
    fn boolean(
        &self,
        operator: &Operator,
        structure: &Structure,
        known: &[Option<StateSet>],
    ) -> Option<StateSet> {
        let count = structure.states() as usize;
        match operator {
            Operator::True => Some(StateSet::full(count)),
            Operator::False => Some(StateSet::empty(count)),
            &Operator::Atom(atom) => match self.atoms[atom as usize] {
                AtomSource::State(atom) => Some(StateSet::of(count, |state| structure.holds(state, atom))),
                _ => None,
            },
            &Operator::Not(operand) => {
                let mut states = known[operand].clone()?;
                states.complement();
                Some(states)
            }
            Operator::And(operands) => combined(operands, known, StateSet::full(count), StateSet::intersect),
            Operator::Or(operands) => combined(operands, known, StateSet::empty(count), StateSet::unite),
            _ => None,
        }
    }

    /// In which states some run satisfies the path formula of a row, or its negation.
    fn exists<G: Ground>(
        &self,
        row: usize,
        negated: bool,
        ground: &mut G,
        labelling: &mut Labelling,
        known: &[Option<StateSet>],
    ) -> Result<StateSet, Unlabelled> {
        let Some((simple, negated)) = self.simple(row, negated, known, ground.is_fair()) else {
            let claim = self.claim(row, negated, known).map_err(Unlabelled::Automaton)?;
            return Ok(Emptiness::accepting_states(&claim, ground)?);
        };
        let mut fixpoints = Fixpoints::new(ground, labelling, self.stutters);
        let set = |row: usize| -> StateSet {
            let mut states = known[row].clone().unwrap_or_default();
            if negated {
                states.complement();
            }
            states
        };
        Ok(match simple {
            Simple::State(row) => set(row),
            Simple::Next(row) => fixpoints.next(&set(row), false)?,
            Simple::WeakNext(row) => fixpoints.next(&set(row), true)?,
            Simple::Until(left, right) => fixpoints.until(&set(left), set(right))?,
            Simple::Release(left, right) => fixpoints.release(&set(left), set(right))?,
        })
    }

    /// A row as a path formula of CTL, if it is one, and whether its operands are negated. Where only fair runs count, fixpoints do
    /// not see which those are; but some fair run begins in every state.
    pub(super) fn simple(
        &self,
        row: usize,
        negated: bool,
        known: &[Option<StateSet>],
        is_fair: bool,
    ) -> Option<(Simple, bool)> {
        if known[row].is_some() {
            return Some((Simple::State(row), negated));
        }
        if is_fair {
            return None;
        }
        let Row::Path(operator) = &self.rows[row] else { return None };
        let simple = match *operator {
            Operator::Not(operand) => return self.simple(operand, !negated, known, is_fair),
            Operator::Next(operand) if negated => Simple::WeakNext(operand),
            Operator::Next(operand) => Simple::Next(operand),
            Operator::Until(left, right) if negated => Simple::Release(left, right),
            Operator::Release(left, right) if negated => Simple::Until(left, right),
            Operator::Until(left, right) => Simple::Until(left, right),
            Operator::Release(left, right) => Simple::Release(left, right),
            _ => return None,
        };
        operator.operands().iter().all(|&operand| known[operand].is_some()).then_some((simple, negated))
    }

    /// The automaton of the path formula of a row, or of its negation, over the maximal state formulas in it.
    pub(super) fn claim(
        &self,
        row: usize,
        negated: bool,
        known: &[Option<StateSet>],
    ) -> Result<Claim, automata::Error> {
        let mut builder =
            PathTable { branching: *self, known, rows: Vec::new(), atoms: Vec::new(), sets: Vec::new() };
        let top = builder.add(row);
        let PathTable { mut rows, mut atoms, sets, .. } = builder;
        if negated {
            rows.push(Operator::Not(top));
        }
        let end = if self.stutters {
            End::Stutter
        } else {
            atoms.push(AtomSource::Ends);
            End::StrongNext { ended: atoms.len() as u32 - 1 }
        };
        Ok(Claim::new(automata::translate(&rows, end, Limits::default())?, atoms, sets))
    }
}

/// The table of a path formula, made from part of the table of a formula of CTL*.
struct PathTable<'a> {
    branching: Branching<'a>,
    known: &'a [Option<StateSet>],
    rows: Vec<Operator>,
    atoms: Vec<AtomSource>,
    sets: Vec<StateSet>,
}

impl PathTable<'_> {
    /// Adds a row with what it is made of; its number here.
    fn add(&mut self, row: usize) -> usize {
        let operator = match &self.branching.rows[row] {
            Row::Path(Operator::Atom(atom)) => self.atom(self.branching.atoms[*atom as usize]),
            _ if self.known[row].is_some() => {
                self.sets.push(self.known[row].clone().unwrap_or_default());
                self.atom(AtomSource::Set(self.sets.len() - 1))
            }
            Row::Path(operator) => operator.renumbered(&mut |operand| self.add(operand)),
            Row::Exists(_) | Row::Forall(_) => unreachable!("quantified rows are state formulas"),
        };
        self.rows.push(operator);
        self.rows.len() - 1
    }

    fn atom(&mut self, source: AtomSource) -> Operator {
        let known = self.atoms.iter().position(|&other| other == source);
        let number = known.unwrap_or_else(|| {
            self.atoms.push(source);
            self.atoms.len() - 1
        });
        Operator::Atom(number as u32)
    }
}

fn combined(
    operands: &[usize],
    known: &[Option<StateSet>],
    mut states: StateSet,
    combine: impl Fn(&mut StateSet, &StateSet),
) -> Option<StateSet> {
    for &operand in operands {
        combine(&mut states, known[operand].as_ref()?);
    }
    Some(states)
}
