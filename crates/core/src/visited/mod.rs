//! The visited set: which states are stored, under which numbers, and from which state each was first reached.
//!
//! Searches see it through the trait `Visited`. `Sharded` is the set in memory that threads share; another one (on disk, in
//! another process) has to implement these few methods and nothing else.

mod hash;
mod links;
pub mod marks;
mod pending;
mod sharded;
mod table;

pub use hash::hash_words;
pub use pending::Pending;
pub use sharded::{Renumbering, Sharded};

use crate::model::Label;

/// The number of a stored state. With one thread numbers are given in order, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub u64);

/// How a state was first reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    Initial,
    From(StateId),
    /// Not explored: the state of its orbit that is (flooding).
    Shadow(StateId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inserted {
    Fresh(StateId),
    /// It, or one that the caller takes for the same, is there; shadows are resolved to the explored state.
    Known(StateId),
    /// Numbers have run out in this layout: a set of more shards has more.
    Full,
}

/// Packed states by number. All methods may be called from several threads.
pub trait Visited: Sync {
    /// Looks the state up and stores it where it is new.
    fn insert(&self, state: &[u64], link: Link) -> Inserted;

    /// As `insert`, for states that count as known where `same` says so; `hash` is equal for all of those.
    fn insert_class(
        &self,
        hash: u64,
        state: &[u64],
        link: Link,
        same: &mut dyn FnMut(&[u64]) -> bool,
    ) -> Inserted;

    /// Stores the first state of an orbit and the others as its shadows, unless the first is there.
    fn insert_orbit(&self, orbit: &[Vec<u64>], link: Link) -> Inserted;

    /// Stores what is pending; `each` is called with every state, in some order.
    fn insert_all(&self, pending: &mut Pending, each: impl FnMut(&[u64], Label, Inserted));

    /// The explored state that stands for this one, if it is stored.
    fn find(&self, state: &[u64]) -> Option<StateId>;

    fn read(&self, id: StateId, state: &mut [u64]) -> Link;

    /// Bytes in use.
    fn bytes(&self) -> usize;
}
