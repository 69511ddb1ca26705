//! The waist: all that searches, canonicalisers and traces see of a model.
//!
//! A state is a vector of values described by the schema; an action that can happen in it is a label (an action with
//! several outcomes has one label for each). A model is independent of groups, storage and search order; users of this trait
//! are independent of languages. `Model` is what a kind has to implement. `PackedModel` is the fast path on packed states:
//! its methods have defaults, which are only slower.
//!
//! Labels are listed before any of them is fired, instead of successors being handed to a callback: which labels need not be
//! fired is known from all of them together (`quotient`), and nothing is copied for a guard that does not hold.

use crate::schema::{Overflow, Schema};

/// A number for an action instance; its name is the language's business.
pub type Label = u32;

/// The number under which an error of the model is reported: it violates no property of its own.
pub const ERROR: usize = 1;

/// Labels that a sequence through transient states has at most; a longer one is an error of the model.
pub const MAX_SEQUENCE: usize = 100_000;

/// What happened when a label was fired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Taken,
    /// The model assumes the successor away: the step happens, but its target is not a state to explore.
    Discarded,
    /// The model says on the way that it cannot happen.
    Impossible,
    /// The step itself violates the property of this number.
    Failed(usize),
}

/// A start state, and the action that makes it.
#[derive(Clone)]
pub struct Start {
    pub label: Label,
    pub step: Step,
    pub values: Vec<u64>,
    /// Properties that the action violates on its way.
    pub noted: Vec<usize>,
}

/// What a kind of models records of every explored state beside what all kinds count; `()` where that is nothing.
pub trait Observations: Default + Send + Sync {
    fn merge(&mut self, other: &Self);
}

impl Observations for () {
    fn merge(&mut self, (): &()) {}
}

pub trait Model: Sync + Sized {
    /// Buffers of one thread.
    type Workspace: Send;
    type Observations: Observations;

    /// Is it certain that models of this kind have neither notes nor idle labels nor transient states?
    const IS_PLAIN: bool = true;

    fn workspace(&self) -> Self::Workspace;

    fn schema(&self) -> &Schema;

    fn starts(&self, workspace: &mut Self::Workspace) -> Vec<Start>;

    /// Appends the labels enabled in the state, ascending; `failed` is called with labels whose guard violates a property.
    fn enabled(
        &self,
        values: &[u64],
        workspace: &mut Self::Workspace,
        labels: &mut Vec<Label>,
        failed: &mut dyn FnMut(Label, usize),
    );

    /// As `enabled`, for labels that are enabled only where no other can happen: asked for where all others turned out to be
    /// impossible.
    fn idle(
        &self,
        _values: &[u64],
        _workspace: &mut Self::Workspace,
        _labels: &mut Vec<Label>,
        _failed: &mut dyn FnMut(Label, usize),
    ) {
    }

    /// May there be such labels?
    fn has_idle(&self) -> bool {
        false
    }

    /// May there be transient states, which steps go through, and searches neither store nor count? Initial states are none.
    fn has_transient(&self) -> bool {
        false
    }

    fn is_transient(&self, _values: &[u64]) -> bool {
        false
    }

    /// Labels of a state are to be fired that was given to `enabled` before another one was.
    fn resume(&self, _workspace: &mut Self::Workspace) {}

    /// Do runs begin in this initial state? Not where it is one of those before: constants are set up, variables are not.
    fn run_begins(&self, _values: &[u64]) -> bool {
        true
    }

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

    /// May steps violate properties on their way and go on?
    fn notes(&self) -> bool {
        false
    }

    /// Calls `found`, once, with the number of each property that the step fired last violated on its way. For steps
    /// that are not impossible, whatever else became of them.
    fn noted(&self, _workspace: &mut Self::Workspace, _found: &mut dyn FnMut(usize)) {}

    /// Is this property about the model as it was laid out, not about what the user wrote? Where it is violated all else that
    /// was found means nothing.
    fn is_limit(&self, _property: usize) -> bool {
        false
    }

    /// How many transitions of the user's model the label stands for.
    fn multiplicity(&self, _label: Label) -> u64 {
        1
    }

    /// Is a step that the model says on the way cannot happen one of the transitions that are counted?
    fn counts_impossible(&self) -> bool {
        true
    }

    /// Is a state dead also where every step leads back to it?
    fn stuttering_is_dead(&self) -> bool {
        false
    }

    /// Does a step that fails keep its state from being dead?
    fn failing_leads_on(&self) -> bool {
        true
    }

    /// Of a state without a step that leads on: is it certain that there is none?
    fn is_certainly_dead(&self, _values: &[u64], _workspace: &mut Self::Workspace) -> bool {
        true
    }

    /// Of a state from which no step leads on: may the model end there?
    fn is_proper_end(&self, _values: &[u64], _workspace: &mut Self::Workspace) -> bool {
        false
    }

    /// The label that does to g s what `label` does to s, for a symmetry given by the images of the points that the group
    /// moves. Returning the label itself is always sound: it only means that fewer are known to be equivalent.
    fn image(&self, symmetry: &[u32], label: Label, workspace: &mut Self::Workspace) -> Label;

    /// Is it certain that the image is the label itself, under a symmetry that moves these points and no others? For labels that
    /// depend on thousands of points, of which few move.
    fn is_fixed_by(&self, _moves: &[(u32, u32)], _label: Label) -> bool {
        false
    }

    /// Names the points, among those that the group moves, on which it depends what the image of the label is; false where that
    /// may be any.
    fn points_of(&self, _label: Label, _points: &mut Vec<u32>, _workspace: &mut Self::Workspace) -> bool {
        false
    }

    /// Calls `found` with the number of each property that the state violates (a goal: satisfies).
    fn judge(&self, values: &[u64], workspace: &mut Self::Workspace, found: &mut dyn FnMut(usize));

    /// Properties that are to be satisfied somewhere, and were, as far as this thread saw.
    fn covered(&self, _workspace: &Self::Workspace) -> Vec<usize> {
        Vec::new()
    }

    /// Starts to record these anew.
    fn forget_covered(&self, _workspace: &mut Self::Workspace) {}

    /// Records an explored state.
    fn observe(&self, _values: &[u64], _observations: &mut Self::Observations) {}

    /// Asks a step or a start that takes long to give up; its answer is thrown away.
    fn interrupt(&self) {}

    /// Did some question take more than is allowed? Then the answers since are worth nothing.
    fn has_given_up(&self) -> bool {
        false
    }

    /// Bytes held for the states explored so far, beside the states themselves.
    fn bytes(&self) -> usize {
        0
    }
}

/// A model whose states are stored packed. The defaults unpack, fire and pack again.
pub trait PackedModel: Model {
    /// As `fire_enabled`, on the state last given to `enabled`, as (values, words). On `Taken`, `successor` holds the words
    /// of the successor.
    fn fire_packed(
        &self,
        (values, _): (&[u64], &[u64]),
        label: Label,
        successor: &mut [u64],
        workspace: &mut Self::Workspace,
    ) -> Result<Step, Overflow> {
        let mut next = values.to_vec();
        let step = self.fire(&mut next, label, workspace)?;
        if step == Step::Taken {
            self.schema().pack(&next, successor)?;
        }
        Ok(step)
    }

    /// As `is_transient`, of a packed state.
    fn is_transient_packed(&self, _state: &[u64]) -> bool {
        false
    }

    /// The slots in which states that `fire_packed` makes by the label may differ from the state that it was fired in, ascending;
    /// None where that may be any.
    fn written_by(&self, _label: Label) -> Option<&[u32]> {
        None
    }

    /// The values of the successor that `fire_packed` just made from `values` by `label`.
    fn values_after(
        &self,
        _values: &[u64],
        _label: Label,
        successor: &[u64],
        next: &mut [u64],
        _workspace: &mut Self::Workspace,
    ) {
        self.schema().unpack(successor, next);
    }

    /// May this packed state violate anything, given that `label` made it from a state that violates nothing, or from one
    /// equivalent to such a state?
    fn may_violate(&self, _label: Label, _state: &[u64], _workspace: &Self::Workspace) -> bool {
        true
    }

    /// As `judge`, of such a state, as (values, words): properties that the label cannot affect need not be evaluated.
    fn judge_after(
        &self,
        _label: Label,
        (values, _state): (&[u64], &[u64]),
        workspace: &mut Self::Workspace,
        found: &mut dyn FnMut(usize),
    ) {
        self.judge(values, workspace, found);
    }

    /// The same model with room for larger values in these slots.
    fn widened(&self, slots: &[u32], bits: u32) -> Self;

    /// The same model with at least so many bits by slot: for states of a layout that became wide in another run.
    fn widened_to(&self, widths: &[u8]) -> Self
    where
        Self: Clone,
    {
        let mut model = self.clone();
        for bits in 1..=64 {
            let now = model.schema().widths();
            let is_narrow = |&slot: &u32| widths[slot as usize] == bits && now[slot as usize] < bits;
            let narrow: Vec<u32> = (0..now.len() as u32).filter(is_narrow).collect();
            if !narrow.is_empty() {
                model = model.widened(&narrow, u32::from(bits));
            }
        }
        model
    }
}
