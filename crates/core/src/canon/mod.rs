//! Representatives of orbits: every canonicaliser behind one interface, chosen by name.
//!
//! In: the values of a state. Out: the representative in place, or (for `compare`) an invariant hash and an equivalence
//! test; and for every method the stabiliser of a state, which gives orbit sizes and transition pruning. Nothing here
//! depends on where values come from. `slots` is for groups that move slots (nets), `data` for groups that also rename the
//! elements stored in them (typed programs), `values` for groups that rename the elements inside nested values (machines of
//! sets). The searches of the last two are one piece of code, `points`.

mod cancel;
pub mod data;
pub mod points;
mod selector;
pub mod slots;
mod stabiliser;
pub mod values;

use std::ops::Range;

pub use cancel::{Cancel, Entered};
use num_bigint::BigUint;

use crate::perm::Perm;
pub use selector::Selector;
pub use stabiliser::Stabiliser;
pub(crate) use stabiliser::{join, root};

/// `minimise` walks the whole group, so it is refused above this order.
pub const MINIMISE_LIMIT: u32 = 40_320;

const ALL_SLOTS: Range<usize> = 0..usize::MAX;

/// What steers a search tree: the values themselves (A8) or an equitable partition (A9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guide {
    Marking,
    Partition,
    /// A partition that is refined again after each choice (A17, A18).
    Tree,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    None,
    /// All states of an orbit are stored, one is explored (Spermann 2009, 2.8).
    Flood,
    /// Canonical labelling of the characteristic graph, then the one compatible element (A7).
    Nauty,
    /// Smallest marking over the compatible elements, with prefix and stabiliser pruning (A8, A9).
    Search {
        guide: Guide,
        selector: Selector,
    },
    /// Smallest marking over all elements (A10, A24).
    Minimise,
    /// Invariant hash, then equivalence tests with stored states (A11).
    Compare,
    /// As `Search`, at most so many nodes; without a budget the first path (A12; Junttila 2003, 4.5.2).
    Representative {
        guide: Guide,
        selector: Selector,
        budget: Option<u64>,
    },
    /// States are distinguished by their markers alone (Leuschel and Massart): approximate, but see `is_exact`.
    Marker(MarkerOptions),
    /// As `Compare`, with the marker as the invariant; tests only where the marker may be shared by others.
    Hybrid(MarkerOptions),
}

/// Which markers: rounds of refinement, and whether every value without moving points counts as not symmetric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkerOptions {
    /// One is the published definition. In later ones a pair's partner is represented by its marker of the round before.
    pub rounds: u8,
    /// The published definition takes non-empty sets for symmetric even if they contain nothing that is.
    pub widened: bool,
}

impl MarkerOptions {
    pub const PUBLISHED: MarkerOptions = MarkerOptions { rounds: 1, widened: false };
}

/// How hard a marking was (Junttila 2003, 4.3 and 4.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hardness {
    Trivial,
    Easy,
    Hard,
}

/// What canonicalising one state cost.
#[derive(Clone, Copy, Debug)]
pub struct SearchCost {
    pub hardness: Hardness,
    pub nodes: u64,
}

/// Buffers of one thread; nothing is allocated per state.
pub trait Buffers: Send {
    /// Was the last answer cut short? Then it must not be used.
    fn is_cancelled(&self) -> bool;
}

pub trait Canonicaliser: Sync {
    type Scratch: Buffers;

    fn method(&self) -> Method;

    /// Is there anything to reduce by?
    fn reduces(&self) -> bool;

    /// Are states distinguished by equivalence tests, under an invariant hash?
    fn compares(&self) -> bool {
        matches!(self.method(), Method::Compare | Method::Marker(_) | Method::Hybrid(_)) && self.reduces()
    }

    /// Has every orbit one representative? Of markers this is known after all states were explored.
    fn is_exact(&self) -> bool {
        !matches!(self.method(), Method::Representative { .. } | Method::Marker(_)) || !self.reduces()
    }

    /// Is every state classified?
    fn keeps_stats(&self) -> bool;

    fn group_order(&self) -> BigUint;

    /// How many points the group moves.
    fn points(&self) -> usize;

    fn scratch(&self, cancel: &Cancel) -> Self::Scratch;

    /// Replaces the values by those of the representative.
    fn canonicalise(&self, values: &mut [u64], scratch: &mut Self::Scratch) -> SearchCost;

    /// As `canonicalise`, of a state that differs from the one that `open` was called with last in the slots `step` alone; they
    /// ascend.
    fn canonicalise_step(
        &self,
        values: &mut [u64],
        _step: &[u32],
        scratch: &mut Self::Scratch,
    ) -> SearchCost {
        self.canonicalise(values, scratch)
    }

    /// The slots in which the representative that was made last may differ from the state it was made of.
    fn changed<'s>(&self, _scratch: &'s Self::Scratch) -> &'s [Range<usize>] {
        std::slice::from_ref(&ALL_SLOTS)
    }

    /// The canonical form, whatever the method: what traces are lifted with.
    fn canonical_form(&self, values: &mut [u64], scratch: &mut Self::Scratch);

    /// A hash that equivalent states share.
    fn invariant(&self, values: &[u64], scratch: &mut Self::Scratch) -> u64;

    /// Is there an element that maps `a` to `b`?
    fn equivalent(&self, a: &[u64], b: &[u64], scratch: &mut Self::Scratch) -> bool;

    /// Looks for an element that maps `from` to `to`, and writes its images, by positions of the group's base.
    fn witness(&self, from: &[u64], to: &[u64], scratch: &mut Self::Scratch, images: &mut Vec<u32>) -> bool;

    /// Generators and order of the elements that leave the state as it is.
    fn stabiliser<'s>(&self, values: &[u64], scratch: &'s mut Self::Scratch) -> &'s Stabiliser;

    /// As `stabiliser`, of the state whose successors are canonicalised next: what they have in common with it is kept.
    fn open<'s>(&self, values: &[u64], scratch: &'s mut Self::Scratch) -> &'s Stabiliser {
        self.stabiliser(values, scratch)
    }

    /// How many generators the group has.
    fn generators(&self) -> usize;

    /// A generator, on the positions of the group's base.
    fn generator(&self, number: usize) -> &Perm;

    /// The image of a state under an element, given by the images of the positions of the group's base.
    fn moved_by(&self, element: &[u32], values: &[u64], image: &mut [u64]);
}
