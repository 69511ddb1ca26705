//! Searches over a quotient: each follows its edges and repeats none of its rules.
//!
//! `reach` finds all states, with several threads, and is what `check` runs; `worker` is one of its threads and `expanding` what it
//! does with a state, `frontier` the order, `tally` the counts, `summary` the answer, `monitor` the thread that watches limits,
//! `widening` what becomes of slots that are too narrow, `price` what symmetry costs, `self_check` the sample of states on which symmetries are checked. `export` gives a small space as a graph, `components` its strongly connected components.
//! `checkpoint` is a search that was cut off, in a file.

pub mod checkpoint;
pub mod components;
mod expanding;
pub mod export;
mod frontier;
mod ids;
pub(crate) mod monitor;
pub(crate) mod price;
pub(crate) mod reach;
mod recent;
mod self_check;
pub(crate) mod shared;
mod summary;
mod tally;
pub(crate) mod widening;
mod worker;

pub use export::{Graph, export};
pub use frontier::{Frontier, Order};
use num_bigint::BigUint;
pub use price::{Change, PriceRule, Why};
pub use reach::explore;
pub use self_check::{Contradiction, Difference, Effect, MAX_SAMPLED_GENERATORS, SelfCheck};
pub use tally::Tally;

use crate::model::{Label, Model, PackedModel};
use crate::quotient::Unfinished;

pub struct Settings {
    pub order: Order,
    pub threads: usize,
    pub keep_going: bool,
    /// The number of a property whose violation ends the run also where it would go on past others.
    pub fatal: Option<usize>,
    /// The number under which a deadlock is reported, where it is a violation.
    pub deadlock: Option<usize>,
    /// Fire one label per orbit of the state's stabiliser.
    pub prune: bool,
    /// When the run gives up reducing.
    pub price: PriceRule,
    /// On which states the law of symmetries is checked.
    pub self_check: SelfCheck,
    /// Which properties there are, by number.
    pub properties: usize,
    pub max_states: Option<u64>,
    pub max_seconds: Option<f64>,
    pub max_memory: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Stopped {
    Exhausted,
    Violation,
    MaxStates,
    MaxSeconds,
    MaxMemory,
    Interrupted,
    Overflow,
    /// The model has given up.
    Limit,
    /// The self-check failed.
    Contradiction,
    /// Symmetry costs more than it saves, and the search cannot go on without it.
    Price,
}

impl Stopped {
    const ALL: [Stopped; 10] = [
        Stopped::Exhausted,
        Stopped::Violation,
        Stopped::MaxStates,
        Stopped::MaxSeconds,
        Stopped::MaxMemory,
        Stopped::Interrupted,
        Stopped::Overflow,
        Stopped::Limit,
        Stopped::Contradiction,
        Stopped::Price,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Stopped::Exhausted => "exhausted",
            Stopped::Violation => "violation",
            Stopped::MaxStates => "max-states",
            Stopped::MaxSeconds => "max-seconds",
            Stopped::MaxMemory => "max-memory",
            Stopped::Interrupted => "interrupted",
            Stopped::Overflow => "overflow",
            Stopped::Limit => "limit",
            Stopped::Contradiction => "contradiction",
            Stopped::Price => "price",
        }
    }
}

/// What a run looks like from outside, while it runs.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    pub states: u64,
    pub transitions: u64,
    pub frontier: u64,
    pub depth: u32,
    pub seconds: f64,
    pub memory_bytes: u64,
}

/// A violated property and the stored states from an initial one to it.
pub struct Violation {
    pub property: usize,
    pub path: Vec<Vec<u64>>,
    /// The step that fails in the last state, or, where there is none, at the start.
    pub failing: Option<Label>,
}

pub struct Exploration<M: Model> {
    /// The model in its last layout.
    pub model: M,
    pub stopped: Stopped,
    pub states: u64,
    pub initial_states: u64,
    pub tally: Tally<M::Observations>,
    /// Sum of the orbit sizes of the explored states; None where several may share an orbit.
    pub full_states: Option<BigUint>,
    pub depth: u32,
    pub violations: Vec<Violation>,
    /// (property, how many stored states violate it): all that do where the run kept going.
    pub violating: Vec<(usize, u64)>,
    pub seconds: f64,
    pub visited_bytes: u64,
    pub packed_bits: u32,
    /// States on which the self-check was made.
    pub self_checked: u64,
    /// Under how many generators each, of how many.
    pub self_check_generators: (usize, usize),
    /// Where it failed: then nothing else here means anything.
    pub contradiction: Option<Contradiction>,
    /// Where the run gave up reducing.
    pub change: Option<Change>,
}

/// Runs a search in one layout after the other, until no value leaves its slot.
fn with_wide_slots<M: PackedModel + Clone, T>(
    model: &M,
    mut search: impl FnMut(&M) -> Result<T, Unfinished>,
) -> Result<T, Unfinished> {
    let mut model = model.clone();
    loop {
        match search(&model) {
            Err(Unfinished::Narrow(overflow)) if overflow.bits <= 64 => {
                model = model.widened(&[overflow.slot], overflow.bits);
            }
            other => return other,
        }
    }
}
