//! The kinds of models: what each brings, and what all of them can then do.
//!
//! A kind prepares a model for a group and a method: a `Model`, a `Canonicaliser`, and the translation between their numbers
//! and those of the user's side (places instead of slots, transitions instead of classes of them). Everything else is
//! written once, in `Subject`, for all kinds: exploring, lifting of traces, graphs, components, canonical forms.

mod element_group;
pub mod machine;
pub mod net;
pub mod program;
mod subject;
mod table;

pub use element_group::ElementGroup;
use subject::on_stack;
pub use subject::{Report, Subject, TracedViolation, on_deep_stack};

use num_bigint::BigUint;

use crate::canon::{Canonicaliser, MINIMISE_LIMIT, Method};
use crate::group::Group;
use crate::model::{Label, Model, PackedModel};
use crate::saved::numbers::{read_number, write_number};
use crate::search::Exploration;
use crate::visited::{Codec, StateForm};

/// Why the core does not do what it is asked to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The method does not fit the group.
    Method(String),
    /// The model is larger than the core can hold.
    TooLarge(String),
    /// The call contradicts itself: a group of another model, a state of the wrong length.
    Call(String),
    /// A certified symmetry turned out to be none: a trace could not be lifted, ...
    Contradiction(String),
}

/// Something that only some kinds know of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    Number(u128),
    Numbers(Vec<u64>),
}

/// A model of some kind, prepared for a group and a method.
pub trait Kind: Sync {
    type Model: PackedModel + Clone + Send;
    type Canonicaliser: Canonicaliser;

    fn model(&self) -> &Self::Model;

    fn canonicaliser(&self) -> &Self::Canonicaliser;

    /// Properties are numbered below this.
    fn properties(&self) -> usize;

    /// The values of a state as the user's side gives it.
    fn values(&self, state: &[u64]) -> Result<Vec<u64>, Error>;

    /// The state that has these values, as the user's side knows it.
    fn state(&self, values: &[u64]) -> Vec<u64> {
        values.to_vec()
    }

    fn label(&self, label: Label) -> Label {
        label
    }

    /// Images of the user's points under an element that is given by images of positions in the group's base.
    fn element(&self, images: &[u32]) -> Vec<u32>;

    /// How many elements of the group leave every state as it is.
    fn kernel_order(&self) -> BigUint {
        BigUint::from(1u8)
    }

    /// By action: how often it was enabled, given that by label.
    fn firings(&self, model: &Self::Model, by_label: &[u64]) -> Vec<u64>;

    /// What else is known after a run.
    fn facts(&self, _found: &Exploration<Self::Model>) -> Vec<(&'static str, Fact)> {
        Vec::new()
    }

    /// The model on which traces are lifted after a run that may have been interrupted.
    fn restarted(&self, model: &Self::Model) -> Self::Model {
        model.clone()
    }

    /// How a file holds states. Packed words will do unless they hold numbers that were given in the course of a run.
    fn state_form(&self) -> StateForm<'_> {
        StateForm::Packed
    }

    /// Writes a state in a form that is the same in every process.
    fn encode(&self, values: &[u64], bytes: &mut Vec<u8>) {
        values.iter().for_each(|&value| write_number(value, bytes));
    }

    /// The values of a state that was written; None where the bytes are none.
    fn decode(&self, mut bytes: &[u8]) -> Option<Vec<u64>> {
        let slots = self.model().schema().slots().len();
        let values: Option<Vec<u64>> = (0..slots).map(|_| read_number(&mut bytes)).collect();
        values.filter(|_| bytes.is_empty())
    }
}

impl<K: Kind> Codec for K {
    fn encode_state(&self, values: &[u64], bytes: &mut Vec<u8>) {
        self.encode(values, bytes);
    }

    fn decode_state(&self, bytes: &[u8]) -> Option<Vec<u64>> {
        self.decode(bytes)
    }
}

/// Refuses what would be wrong (nauty on part of a group) or without bound (minimise on a large one). `complete`: is it the
/// whole automorphism group of the structure that nauty would see?
fn check_method(method: Method, group: &Group, complete: bool) -> Result<(), Error> {
    if method == Method::Nauty && !complete && !group.is_trivial() {
        return Err(Error::Method("nauty needs the whole group of automorphisms, not part of it".into()));
    }
    let order = group.order();
    if method == Method::Minimise && *order > BigUint::from(MINIMISE_LIMIT) {
        return Err(Error::Method(format!("minimise walks all {order} elements; at most {MINIMISE_LIMIT}")));
    }
    Ok(())
}

/// Images of all points under an element of a group that is given by images of positions in its base.
pub fn on_points(group: &Group, images: &[u32]) -> Vec<u32> {
    let base = group.chain().points();
    let mut element: Vec<u32> = (0..group.degree() as u32).collect();
    for (at, &image) in images.iter().enumerate() {
        element[base[at] as usize] = base[image as usize];
    }
    element
}
