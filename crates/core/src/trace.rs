//! Counterexamples for people: a run of the unreduced model, from a path through representatives.
//!
//! A stored path jumps inside orbits at every step. It is lifted by walking the unreduced model: from the state at hand,
//! take an enabled label whose successor has the canonical form of the next representative. One exists, because the
//! state at hand is equivalent to the representative (Junttila 2003, Lemma 2.6 and Cor. 2.9).

use crate::canon::{Cancel, Canonicaliser};
use crate::model::{Label, Model, Step};
use crate::search::Violation;

/// A run of the unreduced model: each state with the label that led there.
pub struct Lifted {
    pub steps: Vec<(Label, Vec<u64>)>,
    /// The label whose step violates the property, in the last state or, where there is none, at the start.
    pub failing: Option<Label>,
}

/// None where no label fits: the reduction was no reduction, and the caller must say so.
pub fn lift<M: Model, C: Canonicaliser>(
    model: &M,
    canonicaliser: &C,
    violation: &Violation,
) -> Option<Lifted> {
    let mut scratch = canonicaliser.scratch(&Cancel::default());
    let mut workspace = model.workspace();
    let mut form = |values: &[u64]| {
        let mut values = values.to_vec();
        canonicaliser.canonical_form(&mut values, &mut scratch);
        values
    };
    let Some((first, rest)) = violation.path.split_first() else {
        return Some(Lifted { steps: Vec::new(), failing: violation.failing });
    };
    let root = form(first);
    let taken = model.starts(&mut workspace).into_iter().filter(|start| start.step == Step::Taken);
    let mut steps =
        vec![taken.map(|start| (start.label, start.values)).find(|start| form(&start.1) == root)?];
    for representative in rest {
        let wanted = form(representative);
        let state = &steps[steps.len() - 1].1;
        let step = enabled(model, state, &mut workspace).into_iter().find_map(|label| {
            let mut next = state.clone();
            let taken = model.fire(&mut next, label, &mut workspace).ok()? == Step::Taken;
            (taken && form(&next) == wanted).then_some((label, next))
        })?;
        steps.push(step);
    }
    let failing = match violation.failing {
        None => None,
        Some(hint) => {
            let last = &steps[steps.len() - 1].1;
            Some(failing(model, last, (hint, violation.property), &mut workspace)?)
        }
    };
    Some(Lifted { steps, failing })
}

fn enabled<M: Model>(model: &M, state: &[u64], workspace: &mut M::Workspace) -> Vec<Label> {
    let mut labels = Vec::new();
    model.enabled(state, workspace, &mut labels, &mut |_, _| {});
    labels
}

/// A label whose guard or whose step violates the property.
fn failing<M: Model>(
    model: &M,
    state: &[u64],
    (hint, property): (Label, usize),
    workspace: &mut M::Workspace,
) -> Option<Label> {
    let mut in_guards = Vec::new();
    model.enabled(state, workspace, &mut Vec::new(), &mut |label, number| {
        if number == property {
            in_guards.push(label);
        }
    });
    let fails = |label: &Label| {
        let step = model.fire(&mut state.to_vec(), *label, workspace);
        let mut is_noted = false;
        model.noted(workspace, &mut |number| is_noted |= number == property);
        step.is_ok_and(|step| step == Step::Failed(property) || is_noted && step != Step::Impossible)
    };
    let in_guard = in_guards.iter().copied().find(|&label| label == hint).or(in_guards.first().copied());
    in_guard.or_else(|| enabled(model, state, &mut model.workspace()).into_iter().find(fails))
}
