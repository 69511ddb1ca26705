//! Counterexamples for people: a run of the unreduced model, from a path through representatives.
//!
//! A stored path jumps inside orbits at every step. It is lifted by walking the unreduced model: from the state at hand,
//! take an enabled label whose successor has the canonical form of the next representative. One exists, because the
//! state at hand is equivalent to the representative (Junttila 2003, Lemma 2.6 and Cor. 2.9). The transient states between two
//! stored ones are not on the path, and found on the way.

use std::ops::ControlFlow;

use crate::canon::{Cancel, Canonicaliser};
use crate::model::{ERROR, Label, Model, Step};
use crate::search::Violation;
use crate::steps::{Event, each_step};

/// A run of the unreduced model: each state with the label that led there.
pub struct Lifted {
    pub steps: Vec<(Label, Vec<u64>)>,
    /// The label whose step violates the property, in the last state or, where there is none, at the start. None also where
    /// the last state is the violation: it violates the property, or the sequence that leads there does not end.
    pub failing: Option<Label>,
}

/// Why a path could not be lifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotLifted {
    /// No label fits: the reduction was no reduction, and the caller must say so.
    Contradiction,
    /// The token of this thread was set.
    Cancelled,
}

/// `unreduced`: is the path, or its end, a run as it stands? Then states are compared as they are before their forms are.
pub fn lift<M: Model, C: Canonicaliser>(
    model: &M,
    canonicaliser: &C,
    violation: &Violation,
    unreduced: bool,
) -> Result<Lifted, NotLifted> {
    let cancel = Cancel::current();
    let lifted = lifted((model, canonicaliser), violation, unreduced, &cancel);
    // What was found afterwards means nothing.
    if cancel.is_cancelled() {
        return Err(NotLifted::Cancelled);
    }
    lifted.ok_or(NotLifted::Contradiction)
}

fn lifted<M: Model, C: Canonicaliser>(
    (model, canonicaliser): (&M, &C),
    violation: &Violation,
    unreduced: bool,
    cancel: &Cancel,
) -> Option<Lifted> {
    let mut scratch = canonicaliser.scratch(cancel);
    let mut workspace = model.workspace();
    let mut form = |values: &[u64]| {
        let mut values = values.to_vec();
        canonicaliser.canonical_form(&mut values, &mut scratch);
        values
    };
    let Some((first, rest)) = violation.path.split_first() else {
        return Some(Lifted { steps: Vec::new(), failing: violation.failing });
    };
    let mut starts = model.starts(&mut workspace);
    starts.retain(|start| start.step == Step::Taken);
    let same = starts.iter().find(|start| unreduced && start.values == *first);
    let start = match same {
        Some(start) => start,
        None => {
            let root = form(first);
            starts.iter().find(|start| form(&start.values) == root)?
        }
    };
    let mut steps = vec![(start.label, start.values.clone())];
    let mut before = first;
    for representative in rest {
        let state = steps[steps.len() - 1].1.clone();
        let mut step = |fits: &mut dyn FnMut(&[u64]) -> bool| {
            let mut found = Vec::new();
            each_step(model, &state, &mut workspace, &mut |tried| {
                if cancel.is_cancelled() {
                    return ControlFlow::Break(());
                }
                if tried.event != Event::Ended(Step::Taken) || !fits(tried.next) {
                    return ControlFlow::Continue(());
                }
                found.extend_from_slice(tried.path);
                found.push((tried.label, tried.next.to_vec()));
                ControlFlow::Break(())
            });
            found
        };
        let mut found = Vec::new();
        if unreduced && state == *before {
            found = step(&mut |next| next == representative.as_slice());
        }
        if found.is_empty() {
            let wanted = form(representative);
            found = step(&mut |next| form(next) == wanted);
        }
        if found.is_empty() {
            return None;
        }
        before = representative;
        steps.append(&mut found);
    }
    match violation.failing {
        None => Some(Lifted { steps, failing: None }),
        Some(hint) => {
            let last = steps[steps.len() - 1].1.clone();
            let mut found = failing(model, &last, (hint, violation.property), &mut workspace)?;
            steps.append(&mut found.steps);
            Some(Lifted { steps, failing: found.failing })
        }
    }
}

/// Steps through transient states to a label whose guard or whose step violates the property; one of those that begin with
/// `hint`, where there is one. A sequence that does not end is the steps to where it repeats itself.
fn failing<M: Model>(
    model: &M,
    state: &[u64],
    (hint, property): (Label, usize),
    workspace: &mut M::Workspace,
) -> Option<Lifted> {
    let mut found: Option<Lifted> = None;
    each_step(model, state, workspace, &mut |tried| {
        let is_endless = tried.event == Event::Endless && property == ERROR;
        if !is_endless && tried.violates() != Some(property) {
            return ControlFlow::Continue(());
        }
        let is_meant = tried.first() == hint;
        if found.is_none() || is_meant {
            let mut steps = tried.path.to_vec();
            if is_endless {
                steps.push((tried.label, tried.next.to_vec()));
            }
            found = Some(Lifted { steps, failing: (!is_endless).then_some(tried.label) });
        }
        if is_meant { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found
}
