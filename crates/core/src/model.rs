//! The waist: all that searches, canonicalisers and traces see of a model.
//!
//! A state is a vector of values described by the schema; an action that can happen in it is a label (an action with
//! several outcomes has one label for each). Nobody behind this trait knows the language, nobody in front of it knows
//! groups, storage or search order.

use crate::schema::{Overflow, Schema};

/// A number for an action instance; what it is called is the language's business.
pub type Label = u32;

/// What happened when a label was fired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Taken,
    /// The model says afterwards that it does not want this step: it leads on, but not to where anybody looks.
    Discarded,
    /// The model says on the way that it cannot happen.
    Impossible,
    /// The step itself violates the property of this number.
    Failed(usize),
}

/// A state to begin with, and the action that makes it.
#[derive(Clone)]
pub struct Start {
    pub label: Label,
    pub step: Step,
    pub values: Vec<u64>,
}

pub trait Model: Sync + Sized {
    /// Buffers of one thread.
    type Workspace: Send;

    fn workspace(&self) -> Self::Workspace;

    fn schema(&self) -> &Schema;

    fn starts(&self, workspace: &mut Self::Workspace) -> Vec<Start>;

    /// Appends the labels enabled in the state, ascending; `failed` hears of labels of which that cannot be said, because
    /// asking violates a property.
    fn enabled(
        &self,
        values: &[u64],
        workspace: &mut Self::Workspace,
        labels: &mut Vec<Label>,
        failed: &mut dyn FnMut(Label, usize),
    );

    /// Turns the state in place into its successor by an enabled label.
    fn fire(
        &self,
        values: &mut [u64],
        label: Label,
        workspace: &mut Self::Workspace,
    ) -> Result<Step, Overflow>;

    /// The same for the state last given to `enabled`, which stays as it is.
    fn fire_enabled(
        &self,
        values: &[u64],
        label: Label,
        next: &mut [u64],
        workspace: &mut Self::Workspace,
    ) -> Result<Step, Overflow> {
        next.copy_from_slice(values);
        self.fire(next, label, workspace)
    }

    /// The same on a packed state, the one last given to `enabled`, as (values, words): what an unreduced search does all day.
    fn fire_packed(
        &self,
        state: (&[u64], &[u64]),
        label: Label,
        successor: &mut [u64],
        workspace: &mut Self::Workspace,
    ) -> Result<Step, Overflow>;

    /// The values of the successor that `fire_packed` just made from `values` by `label`.
    fn values_after(
        &self,
        values: &[u64],
        label: Label,
        successor: &[u64],
        next: &mut [u64],
        workspace: &mut Self::Workspace,
    );

    /// How many transitions of the user's model the label stands for.
    fn multiplicity(&self, _label: Label) -> u64 {
        1
    }

    /// Where values are numbers of things: how many of the user's counters each slot stands for.
    fn slot_weights(&self) -> Option<&[u64]> {
        None
    }

    /// Is a state dead also where everything it can do leads back to it?
    fn stuttering_is_dead(&self) -> bool {
        false
    }

    /// Is a state no dead end where everything it tries fails?
    fn failing_leads_on(&self) -> bool {
        true
    }

    /// Of a state from which nothing was found to lead on: is there nothing else that could?
    fn is_certainly_dead(&self, _values: &[u64], _workspace: &mut Self::Workspace) -> bool {
        true
    }

    /// The label that does to g s what `label` does to s, for a symmetry given by the images of the points that the group
    /// moves. A label that stays is always sound: it only means that fewer are known to be alike.
    fn image(&self, symmetry: &[u32], label: Label, workspace: &mut Self::Workspace) -> Label;

    /// Calls `found` with the number of each property that the state violates (a goal: satisfies).
    fn judge(&self, values: &[u64], workspace: &mut Self::Workspace, found: &mut dyn FnMut(usize));

    /// May there be anything to tell of this packed state, which `label` made from one of which there was nothing, or of
    /// an equivalent state?
    fn may_violate(&self, _label: Label, _state: &[u64], _workspace: &Self::Workspace) -> bool {
        true
    }

    /// As `judge`, of such a state, as (values, words): what the label does not touch needs no second look.
    fn judge_after(
        &self,
        _label: Label,
        (values, _state): (&[u64], &[u64]),
        workspace: &mut Self::Workspace,
        found: &mut dyn FnMut(usize),
    ) {
        self.judge(values, workspace, found);
    }

    /// Properties that want to be satisfied somewhere, and were, as far as this thread saw.
    fn covered(&self, _workspace: &Self::Workspace) -> Vec<usize> {
        Vec::new()
    }

    /// Starts to note these anew.
    fn forget_covered(&self, _workspace: &mut Self::Workspace) {}

    /// Somebody wants to stop: a step or a start that takes long may be given up, what it said is thrown away.
    fn interrupt(&self) {}

    /// Was a question met that takes more than is allowed? Then the answers since are worth nothing.
    fn has_given_up(&self) -> bool {
        false
    }

    /// Bytes that it holds for the states met so far, beside the states themselves.
    fn bytes(&self) -> usize {
        0
    }

    /// The same model with room for larger values in these slots.
    fn widened(&self, slots: &[u32], bits: u32) -> Self;
}
