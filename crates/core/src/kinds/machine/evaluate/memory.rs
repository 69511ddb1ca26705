//! The working memory of one thread while it evaluates expressions and runs plans: environment, partial values, limits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::kinds::machine::compile::Code;
use crate::kinds::machine::nodes::{Id, Slot};
use crate::kinds::machine::operators::memo::Memo;
use crate::kinds::machine::operators::{Scratch, Undefined};
use crate::kinds::machine::values::Value;

/// Why there is no answer; `Memory::fault` has the details of errors and limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// It depends on a name whose value is still being built.
    Unknown,
    Undefined,
    /// More work or larger sets than are allowed: never to be taken for "undefined".
    Limit,
    /// The run was interrupted.
    Stopped,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    Operator(Undefined),
    /// A local variable was read before it was assigned.
    Unassigned(Slot),
    /// All elements of an infinite set would be needed.
    Infinite,
    /// Nothing bounds this name.
    Unbounded(Slot),
    TooManyCandidates,
    TooManyOutcomes,
    OutcomesTooLarge,
    TooManySetups,
    TooManyTurns,
    /// A sequence or a loop body demanded something that does not hold.
    Assertion,
    Precondition,
    LoopInvariant,
    LoopVariant,
    WrittenTwice(Slot),
}

/// Where: a node, a substitution, or where a name is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultPlace {
    Node(Id),
    Sub(u32),
    Name(Slot),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    pub place: FaultPlace,
    pub why: Why,
}

/// A set or function that is being built: of the first `images.len()` elements of the domain it is decided what happens.
pub struct Partial {
    pub slot: Slot,
    /// A set, whose elements are points of the function, or elements that may be in the set.
    pub domain: Value,
    /// Functions: the image, or UNSET where there is none. Sets: TRUE or FALSE.
    pub images: Vec<Value>,
    pub is_function: bool,
}

/// The largest number of candidates that are tried for one condition.
pub const MAX_CANDIDATES: u64 = 20_000_000;
/// A set or function that is built and kept counts as this many candidates more.
const BUILDING: u64 = 4;
/// The largest number of outcomes of one operation in one state.
pub const MAX_OUTCOMES: usize = 1 << 20;
/// The largest number of elements that the large sets of all outcomes of one operation in one state have together.
pub const MAX_BUILT: usize = 1 << 27;
/// The largest number of set-ups of the constants: all are kept before the first is explored.
pub const MAX_SETUPS: usize = 1 << 22;
/// The largest number of iterations of a loop: each is a recursive call.
pub const MAX_TURNS: u32 = 50_000;
const LOOK_EVERY: u64 = 1024;

pub struct Memory {
    pub env: Vec<Value>,
    pub partials: Vec<Partial>,
    /// Is a condition evaluated while a value that it depends on is being built?
    pub is_partial: bool,
    /// Names whose definition is undefined.
    pub poisoned: Vec<(Slot, Fault)>,
    /// What is kept, and since which set-up of the constants.
    pub kept: Vec<(Value, u32)>,
    /// 0: the constants are being found.
    pub epoch: u32,
    /// How many there were.
    pub epochs: u32,
    pub scratch: Scratch,
    /// Results of operators on sets.
    pub memo: Memo,
    pub fault: Fault,
    pub steps: u64,
    pub limit: u64,
    pub stop: Arc<AtomicBool>,
    pub types: Vec<Value>,
    pub writes: Vec<(Slot, Value)>,
    /// Iterations of the loops that are running.
    pub turns: u32,
    /// Was a domain cut since this was last reset?
    pub has_cut: bool,
}

impl Default for Memory {
    fn default() -> Self {
        Memory {
            env: Vec::new(),
            partials: Vec::new(),
            is_partial: false,
            poisoned: Vec::new(),
            kept: Vec::new(),
            epoch: 0,
            epochs: 0,
            scratch: Scratch::default(),
            memo: Memo::default(),
            fault: Fault { place: FaultPlace::Node(0), why: Why::Infinite },
            steps: 0,
            limit: MAX_CANDIDATES,
            stop: Arc::default(),
            types: Vec::new(),
            turns: 0,
            has_cut: false,
            writes: Vec::new(),
        }
    }
}

impl Memory {
    /// Makes room for what the code needs, and starts counting.
    pub fn prepare(&mut self, code: &Code, limit: Option<u64>) {
        self.env.resize(code.slots.len(), Value::UNSET);
        self.kept.resize(code.kept_forever.len(), (Value::UNSET, 0));
        self.types.resize(code.arena.types.len(), Value::UNSET);
        self.limit = limit.unwrap_or(MAX_CANDIDATES);
        self.begin();
    }

    /// Starts a new condition, with a new count of candidates.
    #[inline(always)]
    pub fn begin(&mut self) {
        self.steps = 0;
    }

    #[inline(always)]
    pub fn tick(&mut self, place: Id) -> Result<(), Halt> {
        self.steps += 1;
        if self.steps.is_multiple_of(LOOK_EVERY) { self.look(FaultPlace::Node(place)) } else { Ok(()) }
    }

    /// A number tried for a name: its bounds may be written anywhere, or nowhere.
    #[inline(always)]
    pub fn tick_for_name(&mut self, slot: Slot) -> Result<(), Halt> {
        self.steps += 1;
        if self.steps.is_multiple_of(LOOK_EVERY) { self.look(FaultPlace::Name(slot)) } else { Ok(()) }
    }

    /// A candidate that has to be built.
    pub fn tick_for_set(&mut self, place: Id) -> Result<(), Halt> {
        let before = self.steps / LOOK_EVERY;
        self.steps += BUILDING;
        if self.steps / LOOK_EVERY > before { self.look(FaultPlace::Node(place)) } else { Ok(()) }
    }

    #[cold]
    fn look(&mut self, place: FaultPlace) -> Result<(), Halt> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Halt::Stopped);
        }
        if self.steps > self.limit {
            self.fault = Fault { place, why: Why::TooManyCandidates };
            return Err(Halt::Limit);
        }
        Ok(())
    }

    /// Was the run interrupted?
    pub fn check_stopped(&self) -> Result<(), Halt> {
        if self.stop.load(Ordering::Relaxed) { Err(Halt::Stopped) } else { Ok(()) }
    }

    #[cold]
    pub fn undefined(&mut self, place: Id, why: Why) -> Halt {
        self.fault = Fault { place: FaultPlace::Node(place), why };
        Halt::Undefined
    }

    #[cold]
    pub fn limited(&mut self, place: Id, why: Why) -> Halt {
        self.fault = Fault { place: FaultPlace::Node(place), why };
        Halt::Limit
    }

    #[cold]
    pub fn failed(&mut self, place: Id, why: Undefined) -> Halt {
        self.fault = Fault { place: FaultPlace::Node(place), why: Why::Operator(why) };
        if why.is_limit() { Halt::Limit } else { Halt::Undefined }
    }
}
