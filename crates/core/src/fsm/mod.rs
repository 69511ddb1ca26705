//! Finite state machines for conformance testing (Romijn and Springintveld 1999). Numbers in, numbers out.
//!
//! Reading order: `machine` (states, actions, edges in compressed rows), `bisimulation` and `determinise`, `pattern` (templates
//! and their copies), `kernel`, `symmetry` (is a pattern a symmetry?), `mealy` (the table of a deterministic, input-enabled
//! machine), `separating` (words that tell states apart), `suite` (words of the W, Wp and HSI methods as a stream), `h_method`,
//! `mutants` (do the words find all faults?). The readable reference of all this is `burnside.testing.reference`.

pub mod bisimulation;
pub mod cover;
pub mod determinise;
mod h_method;
mod interner;
pub mod kernel;
pub mod lines;
pub mod machine;
pub mod mealy;
pub mod methods;
pub mod order_search;
pub mod pattern;
pub mod separating;
pub mod suite;
pub mod symmetry;
pub mod trie;

pub use machine::StateMachine;
pub use pattern::Pattern;

/// No number: an action that a copy does not have, a state that was not found.
pub const NONE: u32 = u32::MAX;

/// Why a computation ended without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The caller said so.
    Interrupted,
    /// More of something than numbers of 32 bits, or the given limit.
    TooLarge,
}

/// Asks the caller now and then whether to go on; a call costs an increment most of the time.
pub struct Watch<'a> {
    go_on: &'a mut dyn FnMut(u64) -> bool,
    count: u64,
}

impl<'a> Watch<'a> {
    const INTERVAL: u64 = 1 << 14;

    /// `go_on` gets the number of steps made so far.
    pub fn new(go_on: &'a mut dyn FnMut(u64) -> bool) -> Self {
        Watch { go_on, count: 0 }
    }

    #[inline]
    pub fn step(&mut self) -> Result<(), Stopped> {
        self.count += 1;
        if self.count.is_multiple_of(Self::INTERVAL) && !(self.go_on)(self.count) {
            return Err(Stopped::Interrupted);
        }
        Ok(())
    }
}
