//! Every value of a machine has a number, its handle: equal handles are equal values.
//!
//! Numbers, truth values, texts and points (elements of sorts, numbered through all sorts in order) are in the handle itself,
//! and so is a pair of two small handles. Sets, records, other pairs and large numbers are interned: kept once, found by
//! hashing their parts. A set is the slice of its elements, ascending by handle; that order means nothing, but it is the same
//! for all sets.
//!
//! The handle's lowest bit is set for a pair in the handle: 15 bits of the left side, 16 of the right one, so pairs with one
//! left side are neighbours in a set and a function is applied by bisection. Else the next two bits say what the others are:
//! a number (zigzag: 0, -1, 1, ..), an index of what is interned, a point, or a truth value, UNSET or a text.
//!
//! Subsets of small sorts, and relations between them, have bits (`dense`): they are found by these, not by their slices.
//!
//! Any number of threads may intern at the same time; reading takes no lock.

use std::sync::{Mutex, PoisonError};

use crate::random::mix;

mod arena;
mod bits;
mod dense;
mod handle;
mod index;
mod packing;
mod renaming;
mod stable;

use arena::Arena;
use dense::Dense;
pub use dense::{Spot, Universe};
pub use handle::Value;
use handle::{
    INTERNED, KIND, LEFT_LIMIT, LEFT_SHIFT, LIMIT, NUMBER, OTHER, POINT, RIGHT_LIMIT, TEXTS_FROM, unzigzag,
};
use index::Index;
pub use packing::Packing;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View<'a> {
    Number(i64),
    Truth(bool),
    /// An element of a sort; elements are numbered through all sorts in order.
    Point(u32),
    /// Its number in a table of texts.
    Text(u32),
    Pair(Value, Value),
    Record(&'a [Value]),
    /// Ascending by handle.
    Set(&'a [Value]),
    Unset,
}

/// What an interned slice is: the two lower bits of its marks.
const SET: u8 = 0;
const PAIR: u8 = 1;
const RECORD: u8 = 2;
const LARGE: u8 = 3;
const KIND_OF_SLICE: u8 = 3;
/// A point occurs in it.
const HAS_POINTS: u8 = 4;
/// All elements are pairs in the handle, so they are ordered by their left sides.
const FLAT: u8 = 8;
/// A set whose hash is its bits.
const DENSE: u8 = 16;

const SHARDS: usize = 64;

#[repr(align(64))]
#[derive(Default)]
struct Shard(Mutex<Index>);

pub struct Values {
    arena: Arena<Value>,
    shards: Vec<Shard>,
    dense: Dense,
}

impl Default for Values {
    fn default() -> Self {
        Values::new()
    }
}

impl Values {
    pub const EMPTY: Value = Value::EMPTY;
    pub const UNSET: Value = Value::UNSET;

    pub fn new() -> Self {
        Values::of_sorts(&[])
    }

    /// For points of sorts of these sizes, which are numbered through; and for any other values.
    pub fn of_sorts(sizes: &[u32]) -> Self {
        let shards = (0..SHARDS).map(|_| Shard::default()).collect();
        let values = Values { arena: Arena::new(), shards, dense: Dense::new(sizes) };
        // In every universe it is the set without bits.
        let empty = values.arena.push(&[], SET | FLAT | DENSE, 0);
        assert_eq!(empty, Value::EMPTY.index_if(INTERNED));
        values
    }

    #[inline(always)]
    pub fn truth(truth: bool) -> Value {
        if truth { Value::TRUE } else { Value::FALSE }
    }

    #[inline(always)]
    pub fn point(point: u32) -> Value {
        Value::new(point, POINT)
    }

    #[inline(always)]
    pub fn text(text: u32) -> Value {
        Value::new(text + TEXTS_FROM, OTHER)
    }

    #[inline(always)]
    pub fn number(&self, number: i64) -> Value {
        let zigzag = (number << 1) ^ (number >> 63);
        match u32::try_from(zigzag as u64) {
            Ok(index) if index < LIMIT => Value(index << 3 | NUMBER),
            _ => self.intern(LARGE, &[Value(number as u32), Value((number >> 32) as u32)]),
        }
    }

    #[inline(always)]
    pub fn pair(&self, left: Value, right: Value) -> Value {
        if left.0 < LEFT_LIMIT && right.0 < RIGHT_LIMIT {
            Value::small_pair(left, right)
        } else {
            self.intern(PAIR, &[left, right])
        }
    }

    pub fn record(&self, fields: &[Value]) -> Value {
        self.intern(RECORD, fields)
    }

    /// The set of these, in any order and with doubles; it may order them.
    pub fn set(&self, elements: &mut Vec<Value>) -> Value {
        if let Some((universe, bits)) = self.as_bits(elements) {
            return self.dense_set(universe, bits);
        }
        elements.sort_unstable();
        elements.dedup();
        self.intern(SET, elements)
    }

    /// The set of these, which ascend.
    pub fn sorted_set(&self, elements: &[Value]) -> Value {
        debug_assert!(elements.is_sorted_by(|a, b| a < b));
        match self.as_bits(elements) {
            Some((universe, bits)) => self.dense_set(universe, bits),
            None => self.intern(SET, elements),
        }
    }

    #[inline(always)]
    pub fn view(&self, value: Value) -> View<'_> {
        if let Some((left, right)) = value.in_handle() {
            return View::Pair(left, right);
        }
        let index = value.0 >> 3;
        match value.0 & KIND {
            NUMBER => View::Number(unzigzag(index)),
            POINT => View::Point(index),
            INTERNED => self.interned(index),
            _ => match value {
                Value::FALSE => View::Truth(false),
                Value::TRUE => View::Truth(true),
                Value::UNSET => View::Unset,
                _ => View::Text(index - TEXTS_FROM),
            },
        }
    }

    #[inline(always)]
    fn interned(&self, index: u32) -> View<'_> {
        let (slice, marks) = self.slice(index);
        match marks & KIND_OF_SLICE {
            SET => View::Set(slice),
            PAIR => View::Pair(slice[0], slice[1]),
            RECORD => View::Record(slice),
            _ => View::Number(large(slice)),
        }
    }

    #[inline(always)]
    fn slice(&self, index: u32) -> (&[Value], u8) {
        self.arena.get(index).expect("a handle that was given out")
    }

    #[inline(always)]
    pub fn as_number(&self, value: Value) -> Option<i64> {
        match value.index_if(NUMBER) {
            Some(index) => Some(unzigzag(index)),
            None => match self.view(value) {
                View::Number(number) => Some(number),
                _ => None,
            },
        }
    }

    /// The elements of a set, ascending; of anything else: nothing.
    #[inline(always)]
    pub fn elements(&self, value: Value) -> &[Value] {
        match value.index_if(INTERNED).map(|index| self.slice(index)) {
            Some((slice, marks)) if marks & KIND_OF_SLICE == SET => slice,
            _ => &[],
        }
    }

    /// The fields of a record; of anything else: nothing.
    #[inline(always)]
    pub fn fields(&self, value: Value) -> &[Value] {
        match value.index_if(INTERNED).map(|index| self.slice(index)) {
            Some((slice, marks)) if marks & KIND_OF_SLICE == RECORD => slice,
            _ => &[],
        }
    }

    #[inline(always)]
    pub fn is_set(&self, value: Value) -> bool {
        value.index_if(INTERNED).is_some_and(|index| self.arena.marks(index) & KIND_OF_SLICE == SET)
    }

    #[inline(always)]
    pub fn as_pair(&self, value: Value) -> Option<(Value, Value)> {
        value.in_handle().or_else(|| match value.index_if(INTERNED).map(|index| self.slice(index)) {
            Some((&[left, right], marks)) if marks & KIND_OF_SLICE == PAIR => Some((left, right)),
            _ => None,
        })
    }

    /// Both sides of a pair; of anything else: UNSET.
    #[inline(always)]
    pub fn parts(&self, value: Value) -> (Value, Value) {
        self.as_pair(value).unwrap_or((Value::UNSET, Value::UNSET))
    }

    /// Are all elements of the set pairs, ascending by the handles of their left sides?
    #[inline(always)]
    pub fn is_ordered_by_left(&self, set: Value) -> bool {
        set.index_if(INTERNED).is_some_and(|index| self.arena.marks(index) & FLAT != 0)
    }

    /// The pairs with this left side, of a set that is ordered by left sides.
    #[inline(always)]
    pub fn with_left(ordered: &[Value], left: Value) -> &[Value] {
        if left.0 >= LEFT_LIMIT {
            return &[];
        }
        let from = ordered.partition_point(|pair| pair.0 >> LEFT_SHIFT < left.0);
        let rest = &ordered[from..];
        let count = rest.iter().take_while(|pair| pair.0 >> LEFT_SHIFT == left.0).count();
        &rest[..count]
    }

    /// Does a point occur in the value? What has none is its own image under every permutation.
    #[inline(always)]
    pub fn has_points(&self, value: Value) -> bool {
        if let Some((left, right)) = value.in_handle() {
            return self.has_points(left) || self.has_points(right);
        }
        match value.0 & KIND {
            POINT => true,
            INTERNED => self.arena.marks(value.0 >> 3) & HAS_POINTS != 0,
            _ => false,
        }
    }

    /// A hash of the value itself, independent of the order in which values were interned.
    pub fn hash(&self, value: Value) -> u64 {
        if let Some((left, right)) = value.in_handle() {
            return hash_of_pair(self.hash(left), self.hash(right));
        }
        match value.0 & KIND {
            NUMBER => hash_of_number(unzigzag(value.0 >> 3)),
            INTERNED => {
                let hash = self.arena.hash(value.0 >> 3);
                if self.arena.marks(value.0 >> 3) & DENSE == 0 { hash } else { mix(!hash) }
            }
            // Points and the others: their handles are what they are.
            _ => mix(u64::from(value.0) | 1 << 40),
        }
    }

    /// How many values are interned.
    pub fn size(&self) -> usize {
        self.arena.len()
    }

    pub fn bytes(&self) -> usize {
        self.arena.bytes()
            + self.dense.bytes()
            + self.shards.iter().map(|shard| shard.lock().bytes()).sum::<usize>()
    }

    /// What has no bits.
    fn intern(&self, kind: u8, parts: &[Value]) -> Value {
        if parts.is_empty() && kind == SET {
            return Value::EMPTY;
        }
        let key = key(kind, parts);
        // The shard by some bits, its index by others.
        let mut shard = self.shards[key as usize % SHARDS].lock();
        let hash = (key >> 32) as u32;
        let found = shard.find(hash, |index| {
            let (slice, marks) = self.slice(index);
            marks & KIND_OF_SLICE == kind && slice == parts
        });
        let index = match found {
            Some(index) => index,
            None => {
                let index = self.add(kind, parts);
                shard.insert(hash, index);
                index
            }
        };
        Value(index << 3 | INTERNED)
    }

    #[cold]
    fn add(&self, kind: u8, parts: &[Value]) -> u32 {
        let index = self.arena.push(parts, kind | self.marks(kind, parts), self.hash_of_slice(kind, parts));
        index.expect("room for one more value")
    }

    fn marks(&self, kind: u8, parts: &[Value]) -> u8 {
        let points = kind != LARGE && parts.iter().any(|&part| self.has_points(part));
        let flat = kind == SET && parts.iter().all(|part| part.0 & 1 == 1);
        (HAS_POINTS * u8::from(points)) | (FLAT * u8::from(flat))
    }

    fn hash_of_slice(&self, kind: u8, parts: &[Value]) -> u64 {
        match kind {
            PAIR => hash_of_pair(self.hash(parts[0]), self.hash(parts[1])),
            LARGE => hash_of_number(large(parts)),
            // A sum: elements come in an order that means nothing.
            SET => mix(parts
                .iter()
                .fold(parts.len() as u64, |sum, &part| sum.wrapping_add(mix(self.hash(part))))),
            _ => parts.iter().fold(RECORD.into(), |hash, &part| hash_of_pair(hash, self.hash(part))),
        }
    }
}

impl Shard {
    #[inline(always)]
    fn lock(&self) -> std::sync::MutexGuard<'_, Index> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn large(slice: &[Value]) -> i64 {
    i64::from(slice[0].0) | i64::from(slice[1].0) << 32
}

fn hash_of_number(number: i64) -> u64 {
    mix(number as u64 ^ 0x5851_f42d_4c95_7f2d)
}

fn hash_of_pair(left: u64, right: u64) -> u64 {
    mix(left.rotate_left(23).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(right))
}

/// By which a slice is found in its table: of the handles, so it is cheaper than `hash`.
#[inline(always)]
fn key(kind: u8, parts: &[Value]) -> u64 {
    let mut key = u64::from(kind) << 32 | parts.len() as u64;
    let pairs = parts.chunks_exact(2);
    let rest = pairs.remainder();
    for pair in pairs {
        key = step(key, u64::from(pair[0].0) << 32 | u64::from(pair[1].0));
    }
    if let [last] = rest {
        key = step(key, u64::from(last.0));
    }
    mix(key)
}

#[inline(always)]
fn step(key: u64, word: u64) -> u64 {
    (key.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95)
}

#[cfg(test)]
mod tests;
