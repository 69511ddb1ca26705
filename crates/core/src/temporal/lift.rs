//! A run of the unreduced model from a path through the structure, followed exactly.
//!
//! A path jumps inside orbits at every step. Beside the state s that the path passes an element g is kept such that g s is the state
//! of the run. If a label leads from s to f, and the witness w maps f to the next state of the path, then by symmetry some label
//! leads from g s to g f, which is (g w^-1) of the next state. A cycle of the path that multiplies g by h is repeated until g s
//! is the same state again: after at most as many rounds as h has order.

use std::ops::ControlFlow;

use super::atoms::Steps;
use super::fairness::ActingSet;
use super::lasso::Path;
use super::structure::Structure;
use crate::canon::{Cancel, Canonicaliser};
use crate::model::{Label, PackedModel, Step};
use crate::quotient::{Detail, Quotient, Unfinished};
use crate::steps::{Event, each_step};

/// Steps of a counterexample at most.
const MAX_STEPS: usize = 1 << 20;

/// A run of the unreduced model: each state with the label that led there.
#[derive(Clone, Debug, Default)]
pub struct Run {
    pub steps: Vec<(Label, Vec<u64>)>,
    /// After the last step the run is again in the state of this number, by `closing`.
    pub loop_start: Option<usize>,
    pub closing: Option<Label>,
    /// The formula is decided when this state is reached, whatever follows.
    pub decided: Option<usize>,
    /// How many times the cycle of the quotient was followed, and by which element one round moves states.
    pub rounds: usize,
    pub holonomy: Vec<u32>,
}

/// Why a path was not lifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotLifted {
    /// States that were taken for equivalent are not: the method is approximate, or the reduction was wrong.
    NotEquivalent,
    TooLong,
    Unfinished(Unfinished),
}

impl From<Unfinished> for NotLifted {
    fn from(why: Unfinished) -> Self {
        NotLifted::Unfinished(why)
    }
}

pub struct Lifting<'s, 'q, 'a, M: PackedModel, C: Canonicaliser> {
    pub structure: &'s Structure,
    pub quotient: &'s mut Quotient<'q, M, C>,
    pub steps: &'s mut Steps<'a>,
    /// Maps the state of the path to the state of the run.
    element: Vec<u32>,
    run: Run,
}

impl<'s, 'q, 'a, M: PackedModel, C: Canonicaliser> Lifting<'s, 'q, 'a, M, C> {
    pub fn new(
        structure: &'s Structure,
        quotient: &'s mut Quotient<'q, M, C>,
        steps: &'s mut Steps<'a>,
    ) -> Self {
        Lifting { structure, quotient, steps, element: Vec::new(), run: Run::default() }
    }

    pub fn lift(mut self, path: &Path) -> Result<Run, NotLifted> {
        let before = self.structure.before(path.states[0]);
        self.begin(before.map_or(path.states[0], |(state, _)| state))?;
        if let Some((state, edge)) = before {
            self.follow(state, edge, path.states[0])?;
        }
        let repeated = path.loop_start.unwrap_or(path.states.len() - 1);
        for at in 0..=repeated {
            if path.decided == Some(at) {
                self.run.decided = Some(self.run.steps.len() - 1);
            }
            if at < repeated {
                self.follow(path.states[at], path.edges[at], path.states[at + 1])?;
            }
        }
        if path.loop_start.is_none() {
            return Ok(self.run);
        }
        let (begin, start) = (self.element.clone(), self.run.steps.len() - 1);
        loop {
            for at in repeated..path.states.len() {
                let next = path.states.get(at + 1).unwrap_or(&path.states[repeated]);
                self.follow(path.states[at], path.edges[at], *next)?;
            }
            self.run.rounds += 1;
            if self.run.rounds == 1 {
                self.run.holonomy = composed(&self.element, &inverse(&begin));
            }
            if self.run.steps[self.run.steps.len() - 1].1 == self.run.steps[start].1 {
                self.run.closing = self.run.steps.pop().map(|(label, _)| label);
                self.run.loop_start = Some(start);
                return Ok(self.run);
            }
        }
    }

    /// A start of the model that the first state of the path stands for.
    fn begin(&mut self, state: u32) -> Result<(), NotLifted> {
        let model = self.quotient.model;
        let canonicaliser = self.quotient.canonicaliser;
        let values = self.structure.values(model.schema(), state);
        let mut scratch = canonicaliser.scratch(&Cancel::default());
        for start in model.starts(&mut self.quotient.workspace) {
            if start.step == Step::Taken
                && canonicaliser.witness(&values, &start.values, &mut scratch, &mut self.element)
            {
                self.run.steps.push((start.label, start.values));
                return Ok(());
            }
        }
        Err(NotLifted::NotEquivalent)
    }

    /// Follows the edge of this position from one state of the path to the next.
    fn follow(&mut self, state: u32, edge: u32, next: u32) -> Result<(), NotLifted> {
        if self.run.steps.len() >= MAX_STEPS {
            return Err(NotLifted::TooLong);
        }
        let model = self.quotient.model;
        let (mut at, mut found) = (0, None);
        self.structure.edges_in_detail(self.quotient, state, Detail::Witnesses, |each| {
            if at == edge && each.target.0 == u64::from(next) {
                found = Some((each.labels().to_vec(), each.witness.map(<[u32]>::to_vec)));
            }
            at += 1;
        })?;
        let Some((labels, Some(witness))) = found else { return Err(NotLifted::NotEquivalent) };
        let stored = self.structure.values(model.schema(), state);
        // The edge as it leaves the state of the path, through transient states if there are any, and as the element maps it.
        let (mut values, mut wanted) = (stored.clone(), Vec::new());
        for &label in &labels {
            let taken = model.fire(&mut values, label, &mut self.quotient.workspace);
            if taken.map_err(Unfinished::from)? != Step::Taken {
                return Err(NotLifted::NotEquivalent);
            }
            let mut image = values.clone();
            self.quotient.canonicaliser.moved_by(&self.element, &values, &mut image);
            wanted.push(image);
        }
        let class = self.steps.class(labels[0], &stored);
        let acting = self.steps.fairness.as_mut().map(|fairness| {
            let set = fairness.acting_along(&labels, &stored);
            fairness.image_of_set(&self.element, set)
        });
        let here = self.run.steps[self.run.steps.len() - 1].1.clone();
        let mut taken =
            self.labels_along(&here, &wanted, class, acting.as_ref()).ok_or(NotLifted::NotEquivalent)?;
        self.run.steps.append(&mut taken);
        self.element = composed(&self.element, &inverse(&witness));
        Ok(())
    }

    /// Labels that lead from one state through these; the first is of this class, and these individuals act by them.
    fn labels_along(
        &mut self,
        from: &[u64],
        through: &[Vec<u64>],
        class: u64,
        acting: Option<&ActingSet>,
    ) -> Option<Vec<(Label, Vec<u64>)>> {
        let (model, workspace) = (self.quotient.model, &mut self.quotient.workspace);
        let (last, before) = through.split_last()?;
        let mut found = None;
        let steps = &mut *self.steps;
        each_step(model, from, workspace, &mut |tried| {
            let passes = || tried.path.iter().map(|(_, state)| state).eq(before);
            if tried.event != Event::Ended(Step::Taken) || tried.next != last.as_slice() || !passes() {
                return ControlFlow::Continue(());
            }
            let mut acts = |acting: &ActingSet| {
                steps.fairness.as_mut().is_some_and(|fairness| {
                    let labels: Vec<Label> = tried.path.iter().map(|&(label, _)| label).collect();
                    let set = fairness.acting_along(&[&labels[..], &[tried.label]].concat(), from);
                    fairness.set(set) == acting
                })
            };
            if acting.is_some_and(|acting| !acts(acting)) || steps.class(tried.first(), from) != class {
                return ControlFlow::Continue(());
            }
            let mut steps = tried.path.to_vec();
            steps.push((tried.label, tried.next.to_vec()));
            found = Some(steps);
            ControlFlow::Break(())
        });
        found
    }
}

/// First b, then a.
fn composed(a: &[u32], b: &[u32]) -> Vec<u32> {
    b.iter().map(|&image| a[image as usize]).collect()
}

fn inverse(element: &[u32]) -> Vec<u32> {
    let mut inverse = vec![0; element.len()];
    element.iter().enumerate().for_each(|(at, &image)| inverse[image as usize] = at as u32);
    inverse
}
