//! Values as what a slot of a state holds: small where the type of the variable says what they are.
//!
//! UNSET is 0. What a type usually has needs no bits that say what it is: an element, a truth value, a small number, the index
//! of a set. Anything else (a large number, a pair) is beyond, so its slot becomes wide.

use super::handle::{INTERNED, KIND, LIMIT, NUMBER, OTHER, POINT, Value};

/// What the values of a variable usually are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Packing {
    Number,
    Point,
    TruthOrText,
    SetOrRecord,
    Pair,
}

impl Packing {
    #[inline(always)]
    const fn kind(self) -> u32 {
        match self {
            Packing::Number => NUMBER,
            Packing::Point => POINT,
            Packing::TruthOrText => OTHER,
            Packing::SetOrRecord => INTERNED,
            Packing::Pair => 1,
        }
    }

    #[inline(always)]
    pub fn pack(self, value: Value) -> u64 {
        if value == Value::UNSET {
            0
        } else if value.0 & KIND == self.kind() && self != Packing::Pair {
            1 + u64::from(value.0 >> 3)
        } else {
            1 + u64::from(LIMIT) + u64::from(value.0)
        }
    }

    #[inline(always)]
    pub fn unpack(self, slot: u64) -> Value {
        match slot {
            0 => Value::UNSET,
            _ if slot <= u64::from(LIMIT) => Value((slot as u32 - 1) << 3 | self.kind()),
            _ => Value((slot - 1 - u64::from(LIMIT)) as u32),
        }
    }
}
