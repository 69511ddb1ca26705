//! Counterexamples for people: a run of the unreduced model, from a path through representatives.
//!
//! A stored path jumps inside orbits at every step. It is lifted by walking the unreduced model: from the state at hand,
//! take an enabled label whose successor has the canonical form of the next representative. One exists, because the
//! state at hand is equivalent to the representative (Junttila 2003, Lemma 2.6 and Cor. 2.9).

use crate::canon::{Canonicaliser, Patience};
use crate::model::{Label, Model};

pub type Step = (Option<Label>, Vec<u64>);

/// None where no label fits: the reduction was no reduction, and the caller must say so.
pub fn lift<M: Model>(model: &M, canonicaliser: &Canonicaliser, path: &[Step]) -> Option<Vec<Step>> {
    let mut scratch = canonicaliser.scratch(&Patience::default());
    let mut form = |values: &[u64]| {
        let mut values = values.to_vec();
        canonicaliser.canonical_form(&mut values, &mut scratch);
        values
    };
    let (first, rest) = path.split_first()?;
    let root = form(&first.1);
    let mut state = model.initial_states().into_iter().find(|initial| form(initial) == root)?;
    let mut trace = vec![(None, state.clone())];
    let mut labels = Vec::new();
    for (hint, representative) in rest {
        let wanted = form(representative);
        labels.clear();
        model.enabled(&state, &mut labels);
        // The label of the stored step is right wherever the representative was not moved.
        let mut candidates: Vec<Label> =
            hint.iter().copied().filter(|label| labels.contains(label)).collect();
        candidates.extend(labels.iter().copied().filter(|label| Some(*label) != *hint));
        let (label, next) = candidates.into_iter().find_map(|label| {
            let mut next = state.clone();
            model.fire(&mut next, label).ok()?;
            (form(&next) == wanted).then_some((label, next))
        })?;
        trace.push((Some(label), next.clone()));
        state = next;
    }
    Some(trace)
}
