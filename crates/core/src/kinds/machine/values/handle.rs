//! Handles: what a value's number says by itself.
//!
//! The lowest bit is set for a pair in the handle: 15 bits of the left side, 16 of the right one, so pairs with one left side
//! are neighbours in a set. Else the next two bits say what the others are.

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Value(pub(super) u32);

pub(super) const KIND: u32 = 0b111;
pub(super) const NUMBER: u32 = 0b000;
pub(super) const INTERNED: u32 = 0b010;
pub(super) const POINT: u32 = 0b100;
pub(super) const OTHER: u32 = 0b110;
/// The other handles are below this, shifted by three bits.
pub(super) const LIMIT: u32 = 1 << 29;

pub(super) const LEFT_SHIFT: u32 = 17;
pub(super) const LEFT_LIMIT: u32 = 1 << 15;
pub(super) const RIGHT_LIMIT: u32 = 1 << 16;

pub(super) const TEXTS_FROM: u32 = 3;

impl Value {
    /// The set of nothing, of any type.
    pub const EMPTY: Value = Value(INTERNED);
    /// No value: what a variable has before it is initialised.
    pub const UNSET: Value = Value(2 << 3 | OTHER);
    pub const FALSE: Value = Value(OTHER);
    pub const TRUE: Value = Value(1 << 3 | OTHER);

    #[inline(always)]
    pub const fn handle(self) -> u32 {
        self.0
    }

    /// The value of a handle that `handle` gave.
    #[inline(always)]
    pub const fn from_handle(handle: u32) -> Value {
        Value(handle)
    }

    #[inline(always)]
    pub(super) fn new(index: u32, kind: u32) -> Value {
        assert!(index < LIMIT, "fewer than 2^29 points or texts");
        Value(index << 3 | kind)
    }

    #[inline(always)]
    pub(super) fn index_if(self, kind: u32) -> Option<u32> {
        (self.0 & KIND == kind).then_some(self.0 >> 3)
    }

    /// Is it kept once, its handle an index above three bits?
    #[inline(always)]
    pub fn is_interned(self) -> bool {
        self.0 & KIND == INTERNED
    }

    #[inline(always)]
    pub fn may_be_pair(self) -> bool {
        self.0 & 1 == 1 || self.is_interned()
    }

    #[inline(always)]
    pub fn as_truth(self) -> Option<bool> {
        match self {
            Value::FALSE => Some(false),
            Value::TRUE => Some(true),
            _ => None,
        }
    }

    #[inline(always)]
    pub fn as_point(self) -> Option<u32> {
        self.index_if(POINT)
    }

    /// The pair of two handles that are small enough.
    #[inline(always)]
    pub(super) fn small_pair(left: Value, right: Value) -> Value {
        debug_assert!(left.0 < LEFT_LIMIT && right.0 < RIGHT_LIMIT);
        Value(left.0 << LEFT_SHIFT | right.0 << 1 | 1)
    }

    /// The points of a pair in the handle, if both sides are points.
    #[inline(always)]
    pub(super) fn points_of_pair(self) -> Option<(u32, u32)> {
        const KINDS: u32 = KIND << LEFT_SHIFT | KIND << 1 | 1;
        const POINTS: u32 = POINT << LEFT_SHIFT | POINT << 1 | 1;
        (self.0 & KINDS == POINTS)
            .then_some((self.0 >> (LEFT_SHIFT + 3), (self.0 >> 4) & ((RIGHT_LIMIT >> 3) - 1)))
    }

    #[inline(always)]
    pub(super) fn in_handle(self) -> Option<(Value, Value)> {
        (self.0 & 1 == 1).then_some((Value(self.0 >> LEFT_SHIFT), Value((self.0 >> 1) & (RIGHT_LIMIT - 1))))
    }
}

#[inline(always)]
pub(super) fn unzigzag(index: u32) -> i64 {
    i64::from(index >> 1) ^ -i64::from(index & 1)
}
