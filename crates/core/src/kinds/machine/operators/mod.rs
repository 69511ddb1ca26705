//! Set theory on interned values: every operator that expressions of machines have, where all operands are finite.
//!
//! Operands are handles, and so is the result. An operator may be undefined there (`Undefined`). Operands must have the
//! types of the operator: types are checked before. `Scratch` belongs to a thread, so that no operation allocates. `table`
//! finds operators by name, `spaces` tests membership in sets that are too large to be built, `enumeration` goes through
//! their members, `memo` caches the results of costly operators.

use super::values::{Value, Values};

pub mod arithmetic;
pub mod bags;
pub mod closures;
pub mod composition;
pub mod dense;
pub mod elements;
pub mod enumeration;
pub mod memo;
pub mod relations;
pub mod sequences;
pub mod sets;
pub mod spaces;
pub mod table;

#[cfg(test)]
pub(crate) mod tests;

/// Why an expression has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undefined {
    OutsideDomain,
    /// A relation was applied where it has two images.
    NotAFunction,
    DivisionByZero,
    /// `a mod b` with a < 0 or b < 0.
    NegativeModulo,
    NegativeExponent,
    /// `min` or `max` of no number.
    EmptyMin,
    /// `inter` of no set.
    EmptyIntersection,
    NotASequence,
    /// The first or last element, the tail or the front of no elements.
    EmptySequence,
    /// More elements taken or dropped than there are, or fewer than none.
    OutsideSequence,
    NegativeIteration,
    /// A number beyond 64 bits.
    NumberTooLarge,
    /// The set would have `size` elements (or more, where that cannot be said) and the limit is `limit`.
    SetTooLarge {
        size: u64,
        limit: u64,
    },
}

impl Undefined {
    /// It has a value, which was not computed: never to be taken for "false", even in a guard.
    pub fn is_limit(self) -> bool {
        matches!(self, Undefined::NumberTooLarge | Undefined::SetTooLarge { .. })
    }
}

pub type Outcome = Result<Value, Undefined>;

/// Buffers that operators borrow, and the number of elements that a set may have.
pub struct Scratch {
    pub limit: usize,
    /// Elements of the large sets that were built since this was last reset.
    pub built: usize,
    free: Vec<Vec<Value>>,
    pairs: Vec<Vec<(Value, Value)>>,
    indices: Vec<Vec<u32>>,
    counts: Vec<Vec<(Value, i64)>>,
}

pub const DEFAULT_LIMIT: usize = 1 << 20;
/// From so many elements on a set counts as built: what is smaller takes little beside the rest of a state.
const LARGE: usize = 1024;

impl Default for Scratch {
    fn default() -> Self {
        Scratch::new(DEFAULT_LIMIT)
    }
}

impl Scratch {
    pub fn new(limit: usize) -> Self {
        Scratch {
            limit,
            built: 0,
            free: Vec::new(),
            pairs: Vec::new(),
            indices: Vec::new(),
            counts: Vec::new(),
        }
    }

    /// An empty buffer; `give` it back.
    #[inline]
    pub fn take(&mut self) -> Vec<Value> {
        self.free.pop().unwrap_or_default()
    }

    #[inline]
    pub fn give(&mut self, mut buffer: Vec<Value>) {
        buffer.clear();
        self.free.push(buffer);
    }

    fn take_pairs(&mut self) -> Vec<(Value, Value)> {
        self.pairs.pop().unwrap_or_default()
    }

    fn give_pairs(&mut self, mut buffer: Vec<(Value, Value)>) {
        buffer.clear();
        self.pairs.push(buffer);
    }

    fn take_indices(&mut self) -> Vec<u32> {
        self.indices.pop().unwrap_or_default()
    }

    fn give_indices(&mut self, mut buffer: Vec<u32>) {
        buffer.clear();
        self.indices.push(buffer);
    }

    fn take_counts(&mut self) -> Vec<(Value, i64)> {
        self.counts.pop().unwrap_or_default()
    }

    fn give_counts(&mut self, mut buffer: Vec<(Value, i64)>) {
        buffer.clear();
        self.counts.push(buffer);
    }

    /// The set of what a buffer holds, in any order; the buffer is given back.
    #[inline]
    pub fn set(&mut self, values: &Values, mut buffer: Vec<Value>) -> Value {
        let set = values.set(&mut buffer);
        self.count(buffer.len());
        self.give(buffer);
        set
    }

    /// The set of what a buffer holds, ascending; the buffer is given back.
    #[inline]
    pub fn sorted_set(&mut self, values: &Values, buffer: Vec<Value>) -> Value {
        let set = values.sorted_set(&buffer);
        self.count(buffer.len());
        self.give(buffer);
        set
    }

    #[inline]
    fn count(&mut self, size: usize) {
        if size >= LARGE {
            self.built += size;
        }
    }

    /// Is a set of so many elements too large?
    #[inline]
    fn admit(&self, size: usize) -> Result<(), Undefined> {
        if size <= self.limit { Ok(()) } else { Err(self.too_large(size)) }
    }

    #[cold]
    fn too_large(&self, size: usize) -> Undefined {
        Undefined::SetTooLarge { size: size as u64, limit: self.limit as u64 }
    }
}
