//! The waist: all that searches, canonicalisers and traces see of a model.
//!
//! A state is a vector of values described by the schema; an action that can happen in it is a label (an action with
//! several outcomes has one label for each). Nobody behind this trait knows the language, nobody in front of it knows
//! groups, storage or search order.

use crate::schema::{Overflow, Schema};

/// A number for an action instance; what it is called is the language's business.
pub type Label = u32;

pub trait Model: Sync + Sized {
    fn schema(&self) -> &Schema;

    /// The initial states, as values.
    fn initial_states(&self) -> Vec<Vec<u64>>;

    /// Appends the labels enabled in the state, ascending.
    fn enabled(&self, values: &[u64], labels: &mut Vec<Label>);

    /// Turns the state in place into its successor by an enabled label.
    fn fire(&self, values: &mut [u64], label: Label) -> Result<(), Overflow>;

    /// The same on packed states: what an unreduced search does all day.
    fn fire_packed(&self, state: &[u64], label: Label, successor: &mut [u64]) -> Result<(), Overflow>;

    /// How many transitions of the user's model the label stands for.
    fn multiplicity(&self, label: Label) -> u64;

    /// How many of the user's counters the slot stands for.
    fn slot_weight(&self, slot: usize) -> u64;

    /// The label that does to g s what `label` does to s, for a symmetry given by the images of the first slots (the
    /// others stay).
    fn image(&self, symmetry: &[u32], label: Label) -> Label;

    /// Calls `found` with the number of each property that the state violates (a goal: satisfies).
    fn judge(&self, values: &[u64], found: &mut dyn FnMut(usize));

    /// The same model with room for larger values in these slots.
    fn widened(&self, slots: &[u32], bits: u32) -> Self;
}
