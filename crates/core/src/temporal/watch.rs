//! How the searching thread reports what it does, and learns that it has to stop or to save memory.

use std::sync::atomic::{AtomicU64, Ordering};

use super::structure::Structure;
use crate::model::PackedModel;
use crate::quotient::Unfinished;
use crate::search::Settings;
use crate::search::Stopped;
use crate::search::monitor::Watched;
use crate::search::shared::Shared;

/// What the watching thread sees.
pub(super) struct View<'m, M> {
    pub model: &'m M,
    pub held: Held,
}

/// Bytes of the structure, and of the search at hand.
#[derive(Default)]
pub(super) struct Held {
    structure: AtomicU64,
    search: AtomicU64,
}

impl Held {
    fn bytes(&self) -> u64 {
        self.structure.load(Ordering::Relaxed) + self.search.load(Ordering::Relaxed)
    }
}

impl<M: PackedModel> Watched for View<'_, M> {
    fn bytes(&self) -> Option<usize> {
        Some(self.held.bytes() as usize + self.model.bytes())
    }

    fn interrupt(&self) {
        self.model.interrupt();
    }
}

#[derive(Clone, Copy)]
pub struct Watch<'w> {
    shared: &'w Shared,
    held: &'w Held,
    max_states: Option<u64>,
    max_memory: Option<u64>,
}

impl<'w> Watch<'w> {
    pub(super) fn new(shared: &'w Shared, held: &'w Held, settings: &Settings) -> Watch<'w> {
        Watch { shared, held, max_states: settings.max_states, max_memory: settings.max_memory }
    }

    pub(super) fn shared(&self) -> &'w Shared {
        self.shared
    }

    /// After states were expanded.
    pub fn on_states(&self, structure: &Structure) -> Result<(), Unfinished> {
        if self.max_states.is_some_and(|most| u64::from(structure.states()) > most) {
            self.shared.stop(Stopped::MaxStates);
        }
        self.check()
    }

    /// Now and then: what the structure holds.
    pub fn on_structure(&self, structure: &Structure) {
        self.shared.states.store(u64::from(structure.states()), Ordering::Relaxed);
        self.shared.transitions.store(structure.edges, Ordering::Relaxed);
        self.held.structure.store(structure.bytes() as u64, Ordering::Relaxed);
    }

    /// Now and then: what the search at hand holds.
    pub fn on_search(&self, bytes: usize) {
        self.held.search.store(bytes as u64, Ordering::Relaxed);
    }

    pub fn check(&self) -> Result<(), Unfinished> {
        if self.shared.stopped().is_some() { Err(Unfinished::Cancelled) } else { Ok(()) }
    }

    /// How many states may be found at most before the run ends.
    pub fn states_left(&self, structure: &Structure) -> Option<u64> {
        self.max_states.map(|most| most.saturating_sub(u64::from(structure.states())))
    }

    /// Ends the run where too much is held.
    pub fn check_memory(&self, model: &impl PackedModel) {
        let held = self.held.bytes() + model.bytes() as u64;
        if self.max_memory.is_some_and(|most| held >= most) {
            self.shared.stop(Stopped::MaxMemory);
        }
    }

    /// Can so many bytes be held beside what is, and the model? A quarter of what is allowed stays free: lists grow by a quarter.
    pub fn has_room(&self, bytes: usize, model: &impl PackedModel) -> bool {
        let needed = self.held.bytes() + (bytes + model.bytes()) as u64;
        self.max_memory.is_none_or(|most| needed <= most / 4 * 3)
    }
}
