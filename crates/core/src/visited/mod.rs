//! The visited set: which states are stored, under which numbers, and from which state each was first reached.
//!
//! Searches see it through the trait `Visited`. `Sharded` is the set in memory that threads share; another one (on disk, in
//! another process) has to implement these few methods and nothing else.

mod hash;
mod links;
pub mod marks;
mod pending;
mod saved_states;
mod sharded;
mod table;

pub use hash::hash_words;
pub use pending::Pending;
pub use saved_states::{Codec, Invariant, Origin, SavedStates, StateForm};
pub use sharded::{Renumbering, Sharded};

use std::io::{self, Read, Write};

use crate::model::Label;
use crate::saved::LoadError;
use crate::schema::Schema;

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
    /// The state, or one that the caller considers the same, is stored; a shadow is resolved to the explored state.
    Known(StateId),
    /// This layout has no more numbers; one with more shards has.
    Full,
}

/// Packed states by number. All methods may be called from several threads.
pub trait Visited: Sync {
    /// Looks the state up and stores it where it is new.
    fn insert(&self, state: &[u64], link: Link) -> Inserted;

    /// As `insert`, for states that count as known if `same` returns true; all of those have the same `hash`.
    fn insert_class(
        &self,
        hash: u64,
        state: &[u64],
        link: Link,
        same: &mut dyn FnMut(&[u64]) -> bool,
    ) -> Inserted;

    /// Stores the first state of an orbit and the others as its shadows, unless the first is stored.
    fn insert_orbit(&self, orbit: &[Vec<u64>], link: Link) -> Inserted;

    /// Stores the pending states; `each` is called with every one of them, in some order.
    fn insert_all(&self, pending: &mut Pending, each: impl FnMut(&[u64], Label, Inserted));

    /// The number of the explored state that stands for this one, if it is stored.
    fn find(&self, state: &[u64]) -> Option<StateId>;

    /// Copies a stored state, and returns how it was first reached.
    fn read(&self, id: StateId, state: &mut [u64]) -> Link;

    /// Bytes in use.
    fn bytes(&self) -> usize;

    /// Writes all states with their links, laid out by this schema, as a section of a file. For a set that no thread inserts
    /// into.
    fn save(&self, schema: &Schema, origin: Origin<'_>, to: &mut impl Write) -> io::Result<()>;

    /// The set that was saved, laid out by another schema, for so many threads; and the numbers its states now have.
    /// `invariant`: the hash that `insert_class` is given for these values, for sets that are filled by it.
    fn load(
        saved: SavedStates<'_, impl Read>,
        schema: &Schema,
        threads: usize,
        invariant: Option<Invariant<'_>>,
    ) -> Result<(Self, Renumbering), LoadError>
    where
        Self: Sized;
}
