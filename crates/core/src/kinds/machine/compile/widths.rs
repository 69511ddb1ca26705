//! How a state holds the value of each constant and variable, and the initial number of bits.

use crate::kinds::machine::compile::{Compiled, Compiler};
use crate::kinds::machine::nodes::{Slot, Type, TypeId};
use crate::kinds::machine::values::Packing;
use crate::schema::bits_for;

/// Bits that a set or record starts with: the first of these with which a state fits into so many bits.
const COLLECTION_BITS: [u8; 3] = [12, 8, 4];
const FIRST_BITS: u32 = 128;
/// All sets of elements of sorts of at most so many are interned first, so they have small numbers.
pub const FEW_ELEMENTS: u32 = 5;
const NUMBER_BITS: u8 = 4;
const TEXT_BITS: u8 = 4;
const PAIR_BITS: u8 = 32;

impl Compiled {
    /// The widths of a state's slots before any state is known. Elements and truth values never need more than this; the
    /// numbers of sets grow with the run, and each new width costs a new layout of all states.
    pub fn first_widths(&self) -> Vec<u8> {
        let types = &self.code.arena.types;
        let few = self.sorts.iter().filter(|&&size| size <= FEW_ELEMENTS);
        let small: u64 = few.map(|&size| (1 << size) - 1).sum();
        let small = bits_for(1 + small) as u8;
        let is_small =
            |of: TypeId| matches!(types[of as usize], Type::Element(_, size) if size <= FEW_ELEMENTS);
        let widths = |collection: u8| {
            let of_slot = |slot: usize| match types[self.code.slots[slot].type_ as usize] {
                Type::Set(of) | Type::Bag(of) if is_small(of) => small.min(collection),
                Type::Element(first, size) => bits_for(u64::from(first) + u64::from(size)) as u8,
                Type::Boolean => 2,
                Type::Integer => NUMBER_BITS,
                Type::Text => TEXT_BITS,
                Type::Pair(..) | Type::Free(_) => PAIR_BITS,
                Type::Set(_) | Type::Bag(_) | Type::Record(_) => collection,
            };
            let mut widths: Vec<u8> = (0..self.states).map(of_slot).collect();
            if self.states == self.constants {
                // Where there is no variable, one more slot distinguishes the set-up of constants from later states.
                widths.push(2);
            }
            widths
        };
        let fits = |widths: &Vec<u8>| widths.iter().map(|&bits| u32::from(bits)).sum::<u32>() <= FIRST_BITS;
        let mut tried = COLLECTION_BITS.into_iter().map(widths);
        let narrowest = widths(COLLECTION_BITS[COLLECTION_BITS.len() - 1]);
        tried.find(fits).unwrap_or(narrowest)
    }
}

impl Compiler<'_> {
    pub fn packing(&self, slot: Slot) -> Packing {
        match self.code.arena.types[self.code.slots[slot as usize].type_ as usize] {
            Type::Integer => Packing::Number,
            Type::Boolean | Type::Text => Packing::TruthOrText,
            Type::Element(..) => Packing::Point,
            Type::Pair(..) | Type::Free(_) => Packing::Pair,
            Type::Set(_) | Type::Bag(_) | Type::Record(_) => Packing::SetOrRecord,
        }
    }
}
