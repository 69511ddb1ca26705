//! CTL*: in which states of a structure a formula holds.
//!
//! In: a formula as a table of operators, operands before what is made of them, and a structure that is expanded completely. Out: for
//! every row that is a state formula the set of states where it holds. Path quantifiers over one operator (CTL) are computed
//! by fixpoints in time linear in the number of edges (Clarke, Emerson, Sistla 1986); over other path formulas by the automaton of
//! the formula, whose atoms are the maximal state formulas in it (Emerson, Lei 1987). Runs are infinite or end where no step is left:
//! X needs a next state, so a run that ends satisfies no X, and E not X p holds where it ends; with `stutters` the last state is repeated
//! instead.

use super::emptiness::Emptiness;
use super::product::{AtomSource, Claim, Ground};
use super::structure::Structure;
use crate::automata::{self, End, Limits, Operator};
use crate::canon::Canonicaliser;
use crate::model::PackedModel;
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

/// A set of states.
pub type States = Vec<bool>;

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

/// For each state the states before it: the edges of a structure, reversed.
pub struct Predecessors {
    first: Vec<u32>,
    sources: Vec<u32>,
}

impl Predecessors {
    pub fn of(structure: &Structure) -> Predecessors {
        let mut first = vec![0u32; structure.states() as usize + 1];
        for state in structure.expanded_states() {
            structure.targets(state).iter().for_each(|&target| first[target as usize + 1] += 1);
        }
        for at in 1..first.len() {
            first[at] += first[at - 1];
        }
        let mut next = first.clone();
        let mut sources = vec![0; first[first.len() - 1] as usize];
        for state in structure.expanded_states() {
            for &target in structure.targets(state) {
                sources[next[target as usize] as usize] = state;
                next[target as usize] += 1;
            }
        }
        Predecessors { first, sources }
    }

    fn of_state(&self, state: u32) -> &[u32] {
        &self.sources[self.first[state as usize] as usize..self.first[state as usize + 1] as usize]
    }

    pub fn bytes(&self) -> usize {
        (self.first.capacity() + self.sources.capacity()) * 4
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
    pub fn label<M: PackedModel, C: Canonicaliser>(
        &self,
        ground: &mut Ground<'_, '_, '_, M, C>,
        predecessors: &Predecessors,
    ) -> Result<Vec<Option<States>>, Unlabelled> {
        let mut known: Vec<Option<States>> = Vec::with_capacity(self.rows.len());
        for row in self.rows {
            let states = match row {
                Row::Path(operator) => self.boolean(operator, ground.structure, &known),
                &Row::Exists(operand) => Some(self.exists(operand, false, ground, predecessors, &known)?),
                &Row::Forall(operand) => {
                    let mut states = self.exists(operand, true, ground, predecessors, &known)?;
                    states.iter_mut().for_each(|holds| *holds = !*holds);
                    Some(states)
                }
            };
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
        known: &[Option<States>],
    ) -> Option<States> {
        let count = structure.states() as usize;
        match operator {
            Operator::True => Some(vec![true; count]),
            Operator::False => Some(vec![false; count]),
            &Operator::Atom(atom) => match self.atoms[atom as usize] {
                AtomSource::State(atom) => {
                    Some((0..count as u32).map(|s| structure.holds(s, atom)).collect())
                }
                _ => None,
            },
            &Operator::Not(operand) => Some(known[operand].as_ref()?.iter().map(|&holds| !holds).collect()),
            Operator::And(operands) => combined(operands, known, vec![true; count], |a, b| a && b),
            Operator::Or(operands) => combined(operands, known, vec![false; count], |a, b| a || b),
            _ => None,
        }
    }

    /// In which states some run satisfies the path formula of a row, or its negation.
    fn exists<M: PackedModel, C: Canonicaliser>(
        &self,
        row: usize,
        negated: bool,
        ground: &mut Ground<'_, '_, '_, M, C>,
        predecessors: &Predecessors,
        known: &[Option<States>],
    ) -> Result<States, Unlabelled> {
        let is_fair = ground.steps.fairness.is_some();
        let Some((simple, negated)) = self.simple(row, negated, known, is_fair) else {
            let claim = self.claim(row, negated, known).map_err(Unlabelled::Automaton)?;
            return Ok(Emptiness::accepting_states(&claim, ground)?);
        };
        let fixpoints = Fixpoints { structure: ground.structure, predecessors, stutters: self.stutters };
        let set =
            |row: usize| -> States { known[row].iter().flatten().map(|&holds| holds != negated).collect() };
        Ok(match simple {
            Simple::State(row) => set(row),
            Simple::Next(row) => fixpoints.next(&set(row), false),
            Simple::WeakNext(row) => fixpoints.next(&set(row), true),
            Simple::Until(left, right) => fixpoints.until(&set(left), set(right)),
            Simple::Release(left, right) => fixpoints.release(&set(left), set(right)),
        })
    }

    /// A row as a path formula of CTL, if it is one, and whether its operands are negated. Where only fair runs count, fixpoints do
    /// not see which those are; but some fair run begins in every state.
    pub(super) fn simple(
        &self,
        row: usize,
        negated: bool,
        known: &[Option<States>],
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
        known: &[Option<States>],
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
        Ok(Claim { automaton: automata::translate(&rows, end, Limits::default())?, atoms, sets })
    }
}

/// The table of a path formula, made from part of the table of a formula of CTL*.
struct PathTable<'a> {
    branching: Branching<'a>,
    known: &'a [Option<States>],
    rows: Vec<Operator>,
    atoms: Vec<AtomSource>,
    sets: Vec<States>,
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
    known: &[Option<States>],
    mut states: States,
    combine: impl Fn(bool, bool) -> bool,
) -> Option<States> {
    for &operand in operands {
        let others = known[operand].as_ref()?;
        states.iter_mut().zip(others).for_each(|(holds, &other)| *holds = combine(*holds, other));
    }
    Some(states)
}

/// The fixpoints of CTL over one structure.
struct Fixpoints<'a> {
    structure: &'a Structure,
    predecessors: &'a Predecessors,
    stutters: bool,
}

impl Fixpoints<'_> {
    /// Some next state is in the set; where the run ends, `at_end` decides, or the state itself where it is repeated.
    fn next(&self, set: &States, at_end: bool) -> States {
        let holds = |state: u32| match self.structure.targets(state) {
            [] => {
                if self.stutters {
                    set[state as usize]
                } else {
                    at_end
                }
            }
            targets => targets.iter().any(|&target| set[target as usize]),
        };
        (0..set.len() as u32).map(|state| self.structure.is_expanded(state) && holds(state)).collect()
    }

    /// The least fixpoint of right | left & EX: backwards from the right side.
    fn until(&self, left: &States, right: States) -> States {
        let mut found = right;
        let mut open: Vec<u32> = (0..found.len() as u32).filter(|&state| found[state as usize]).collect();
        while let Some(state) = open.pop() {
            for &source in self.predecessors.of_state(state) {
                if left[source as usize] && !found[source as usize] {
                    found[source as usize] = true;
                    open.push(source);
                }
            }
        }
        found
    }

    /// The greatest fixpoint of right & (left | the run ends | EX): states are taken away that have no successor left.
    fn release(&self, left: &States, right: States) -> States {
        let mut kept = right;
        let mut successors = vec![0u32; kept.len()];
        let mut open = Vec::new();
        for state in self.structure.expanded_states() {
            let targets = self.structure.targets(state);
            let needs_none = left[state as usize] || targets.is_empty();
            let inside = targets.iter().filter(|&&target| kept[target as usize]).count() as u32;
            successors[state as usize] = if needs_none { u32::MAX } else { inside };
        }
        for state in self.structure.expanded_states() {
            if kept[state as usize] && successors[state as usize] == 0 {
                kept[state as usize] = false;
                open.push(state);
            }
        }
        while let Some(state) = open.pop() {
            for &source in self.predecessors.of_state(state) {
                let left_over = &mut successors[source as usize];
                if *left_over != u32::MAX {
                    *left_over -= 1;
                    if *left_over == 0 && kept[source as usize] {
                        kept[source as usize] = false;
                        open.push(source);
                    }
                }
            }
        }
        kept
    }
}
