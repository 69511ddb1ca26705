//! Cut domains: names of which a run did not try all values.

use std::sync::atomic::{AtomicBool, Ordering};

use super::evaluate::memory::Memory;
use super::nodes::Slot;

/// By slot: was a domain of this name cut? Never taken back: starts and outcomes of operations are cached, too.
#[derive(Default)]
pub struct Cuts(Vec<AtomicBool>);

impl Cuts {
    pub fn of_slots(slots: usize) -> Cuts {
        Cuts((0..slots).map(|_| AtomicBool::new(false)).collect())
    }

    #[cold]
    pub fn record(&self, slot: Slot, m: &mut Memory) {
        m.has_cut = true;
        // Writing again what is set already would cause contention for the cache line.
        if let Some(flag) = self.0.get(slot as usize)
            && !flag.load(Ordering::Relaxed)
        {
            flag.store(true, Ordering::Relaxed);
        }
    }

    pub fn slots(&self) -> impl Iterator<Item = Slot> {
        (0..).zip(&self.0).filter(|(_, flag)| flag.load(Ordering::Relaxed)).map(|(slot, _)| slot)
    }
}
