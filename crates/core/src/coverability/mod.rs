//! Coverability and boundedness of place/transition nets (Junttila 2003, 3.4).
//!
//! In: a net and a group of symmetries that fixes its initial marking (`system`), upward-closed goals (`goal`). Out: the minimal
//! coverability set modulo the group (`forward`), or an answer by backward search (`backward`), both with runs of the net
//! (`runs`). `covering` decides whether one omega-marking covers another under some symmetry, `antichain` keeps those that do
//! not, `semiflows` says which can be compared at all. `tokens` are numbers with omega, `clock` the limits.
//!
//! Theory and proofs: `docs/coverability.md`.

mod antichain;
mod backward;
mod clock;
mod covering;
mod forward;
mod goal;
mod runs;
mod semiflows;
mod shelf;
mod system;
mod tokens;

pub use backward::{Backward, MAX_BASIS, backward};
pub use clock::Limits;
pub use covering::covers;
pub use forward::{Forward, Order, Settings, forward};
pub use goal::Goal;
pub use runs::{Pump, Witness};
pub use semiflows::place_semiflows;
pub use system::System;
pub use tokens::OMEGA;
