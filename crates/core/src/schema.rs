//! How a state is laid out: a vector of unsigned values, one per slot, packed into 64-bit words.
//!
//! Slots never straddle words, so a field is one shift and one mask away, and a constant change of several fields is a
//! word-wise addition. Widths start at what the initial states need and grow when a value does not fit any more: the
//! explorer then asks for a wider schema and lays the visited set out anew. So storage is exact without bounds known
//! beforehand. A permutation of points acts on a state through the schema alone; for nets slots are the points.

use std::ops::Range;

/// In a word with at most so many bits that are set, values are looked for by these.
const SPARSE: u32 = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    pub word: u32,
    pub shift: u8,
    pub bits: u8,
}

impl Slot {
    #[inline(always)]
    pub fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }

    #[inline(always)]
    pub fn read(self, state: &[u64]) -> u64 {
        (state[self.word as usize] >> self.shift) & self.mask()
    }
}

/// A value that its slot cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overflow {
    pub slot: u32,
    /// Bits that would hold it; more than 64: no schema can.
    pub bits: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    slots: Vec<Slot>,
    words: usize,
    /// By word: its slots are `first[word]..first[word + 1]`.
    first: Vec<u32>,
}

impl Schema {
    /// First fit by slot order, widths 1..=64.
    pub fn new(widths: &[u8]) -> Self {
        let mut slots = Vec::with_capacity(widths.len());
        let (mut word, mut used) = (0u32, 0u8);
        for &bits in widths {
            if used + bits > 64 {
                word += 1;
                used = 0;
            }
            slots.push(Slot { word, shift: used, bits });
            used += bits;
        }
        let words = if widths.is_empty() { 0 } else { word as usize + 1 };
        let before = |word: usize| slots.partition_point(|slot| (slot.word as usize) < word) as u32;
        let first = (0..=words).map(before).collect();
        Schema { slots, words, first }
    }

    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    pub fn words(&self) -> usize {
        self.words
    }

    /// Bytes that hold a state; the unused ones of the last word are not among them.
    pub fn bytes(&self) -> usize {
        self.slots
            .last()
            .map_or(0, |slot| 8 * slot.word as usize + (slot.shift as usize + slot.bits as usize).div_ceil(8))
    }

    /// Bits by slot.
    pub fn widths(&self) -> Vec<u8> {
        self.slots.iter().map(|slot| slot.bits).collect()
    }

    pub fn bits(&self) -> u32 {
        self.slots.iter().map(|slot| u32::from(slot.bits)).sum()
    }

    #[inline]
    pub fn unpack(&self, state: &[u64], values: &mut [u64]) {
        for (&word, range) in state.iter().zip(self.first.windows(2)) {
            let range = range[0] as usize..range[1] as usize;
            let (values, slots) = (&mut values[range.clone()], &self.slots[range]);
            if word.count_ones() > SPARSE {
                for (value, slot) in values.iter_mut().zip(slots) {
                    *value = (word >> slot.shift) & slot.mask();
                }
                continue;
            }
            values.fill(0);
            let mut rest = word;
            while rest != 0 {
                let bit = rest.trailing_zeros();
                let at = slots.partition_point(|slot| u32::from(slot.shift) <= bit) - 1;
                let slot = slots[at];
                values[at] = (word >> slot.shift) & slot.mask();
                rest &= !(slot.mask() << slot.shift);
            }
        }
    }

    #[inline]
    pub fn pack(&self, values: &[u64], state: &mut [u64]) -> Result<(), Overflow> {
        state.fill(0);
        for (index, (&value, slot)) in values.iter().zip(&self.slots).enumerate() {
            if value > slot.mask() {
                return Err(Overflow { slot: index as u32, bits: bits_for(value) });
            }
            state[slot.word as usize] |= value << slot.shift;
        }
        Ok(())
    }

    /// Packs the values in these ranges into a state that holds the others already.
    #[inline]
    pub fn pack_parts(
        &self,
        values: &[u64],
        parts: &[Range<usize>],
        state: &mut [u64],
    ) -> Result<(), Overflow> {
        for part in parts {
            let part = part.start..part.end.min(values.len());
            if part.len() == values.len() {
                return self.pack(values, state);
            }
            for index in part {
                let (value, slot) = (values[index], self.slots[index]);
                if value > slot.mask() {
                    return Err(Overflow { slot: index as u32, bits: bits_for(value) });
                }
                let word = &mut state[slot.word as usize];
                *word = *word & !(slot.mask() << slot.shift) | value << slot.shift;
            }
        }
        Ok(())
    }

    /// The schema in which each of `slots` has at least `bits` bits, rounded up to a power of two so that a counter
    /// that keeps growing costs few new layouts.
    pub fn widened(&self, slots: impl IntoIterator<Item = u32>, bits: u32) -> Schema {
        let mut widths = self.widths();
        for slot in slots {
            let width = &mut widths[slot as usize];
            *width = (*width).max(bits.next_power_of_two().min(64) as u8);
        }
        Schema::new(&widths)
    }
}

pub fn bits_for(value: u64) -> u32 {
    (64 - value.leading_zeros()).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn unpack_undoes_pack(fields in prop::collection::vec((prop_oneof![1u8..=4, 1u8..=64], any::<u64>(), 0..10), 0..90), zeros in 0..10) {
            let widths: Vec<u8> = fields.iter().map(|f| f.0).collect();
            let values: Vec<u64> =
                fields.iter().map(|f| if f.2 < zeros { 0 } else { f.1 >> (64 - f.0) }).collect();
            let schema = Schema::new(&widths);
            let mut state = vec![7; schema.words()];
            prop_assert_eq!(schema.pack(&values, &mut state), Ok(()));
            let mut back = vec![1; values.len()];
            schema.unpack(&state, &mut back);
            prop_assert_eq!(back, values);
        }
    }

    #[test]
    fn a_value_too_large_names_its_slot() {
        let schema = Schema::new(&[1, 2]);
        assert_eq!(schema.pack(&[1, 4], &mut [0]), Err(Overflow { slot: 1, bits: 3 }));
        let wider = schema.widened([1], 3);
        assert_eq!(wider.slots()[1].bits, 4);
    }
}
