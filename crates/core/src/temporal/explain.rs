//! Why a formula of CTL* does not hold in a state: the run that a person needs to see.
//!
//! In: the labels of all rows, a state. Out: a path. A formula that fails for a run (A p, or E p under a negation) is shown by that
//! run; at its end the explanation goes on with the operand that holds or fails there. What fails because no run exists, or because of
//! all of them, needs no run: the path ends.

use super::branching::{Branching, Row, Simple};
use super::emptiness::Emptiness;
use super::ground::Ground;
use super::lasso::{Explored, Path};
use super::state_set::StateSet;
use crate::automata::Operator;
use crate::quotient::Unfinished;

/// A path from a state that shows why a row fails there.
pub fn explain<G: Ground>(
    formula: &Branching<'_>,
    labels: &[Option<StateSet>],
    ground: &mut G,
    row: usize,
    state: u32,
) -> Result<Path, Unfinished> {
    let mut explanation = Explanation { formula, labels, ground };
    let mut path = Path::at(state);
    let mut next = Some(row);
    while let Some(row) = next {
        let at = path.states[path.states.len() - 1];
        let (rest, decisive) = explanation.one_step(row, at)?;
        path.append(rest);
        next = decisive.filter(|_| path.loop_start.is_none());
    }
    Ok(path)
}

struct Explanation<'e, G> {
    formula: &'e Branching<'e>,
    labels: &'e [Option<StateSet>],
    ground: &'e mut G,
}

impl<G: Ground> Explanation<'_, G> {
    fn holds(&self, row: usize, state: u32) -> bool {
        self.labels[row].as_ref().is_some_and(|states| states.contains(state))
    }

    /// A path that belongs to this row alone, and the row that decides at its end.
    fn one_step(&mut self, row: usize, state: u32) -> Result<(Path, Option<usize>), Unfinished> {
        let here = Path::at(state);
        let value = self.holds(row, state);
        Ok(match &self.formula.rows[row] {
            Row::Path(Operator::Not(operand)) => (here, Some(*operand)),
            Row::Path(Operator::And(operands) | Operator::Or(operands)) => {
                // Of several operands that decide, one that a run shows.
                let deciding = || operands.iter().copied().filter(|&each| self.holds(each, state) == value);
                (here, deciding().find(|&each| self.has_run(each, state)).or_else(|| deciding().next()))
            }
            &Row::Exists(operand) if value => self.run(operand, false, state)?,
            &Row::Forall(operand) if !value => self.run(operand, true, state)?,
            _ => (here, None),
        })
    }

    /// Does a run show why this row has its value?
    fn has_run(&self, row: usize, state: u32) -> bool {
        let value = self.holds(row, state);
        match &self.formula.rows[row] {
            Row::Exists(_) => value,
            Row::Forall(_) => !value,
            Row::Path(operator) => operator.operands().iter().any(|&each| self.has_run(each, state)),
        }
    }

    /// A run from the state that satisfies the path formula of a row, or its negation.
    fn run(&mut self, row: usize, negated: bool, state: u32) -> Result<(Path, Option<usize>), Unfinished> {
        let here = Path::at(state);
        let is_fair = self.ground.is_fair();
        let Some((simple, negated)) = self.formula.simple(row, negated, self.labels, is_fair) else {
            return Ok((self.lasso(row, negated, state)?, None));
        };
        let Explanation { labels, ground, .. } = self;
        let set = |row: usize| labels[row].as_ref();
        let member = |row: usize, state: u32| set(row).is_some_and(|set| set.contains(state)) != negated;
        Ok(match simple {
            Simple::State(row) => (here, Some(row)),
            Simple::Next(row) | Simple::WeakNext(row) => {
                let targets = ground.edges(state)?.targets;
                match targets.iter().position(|&target| member(row, target)) {
                    Some(at) => (here.then(at as u32, targets[at]), Some(row)),
                    None => (here, None),
                }
            }
            Simple::Until(left, right) => {
                let path = here.shortest(*ground, |at| member(left, at), |at| member(right, at))?;
                (path, Some(right))
            }
            Simple::Release(left, right) => {
                let stays = |at: u32| member(right, at);
                let path = here.staying(*ground, stays, |structure, at| {
                    member(right, at) && (member(left, at) || structure.ends().contains(at))
                })?;
                (path, None)
            }
        })
    }

    /// For path formulas that are more than one operator.
    fn lasso(&mut self, row: usize, negated: bool, state: u32) -> Result<Path, Unfinished> {
        let Ok(claim) = self.formula.claim(row, negated, self.labels) else { return Ok(Path::at(state)) };
        let mut search = Emptiness::new(&claim);
        let found = search.run(&claim, self.ground, &[state])?;
        let mut explored = Explored { claim: &claim, nodes: &search.nodes, ground: self.ground };
        Ok(explored.path(&[state], &found)?.unwrap_or_else(|| Path::at(state)))
    }
}
