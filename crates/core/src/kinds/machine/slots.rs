//! Sets of names, given by their slots in the environment.

use super::nodes::Slot;

/// A set of slots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slots(Vec<u64>);

impl Slots {
    pub fn one(slot: Slot) -> Slots {
        let mut slots = Slots::default();
        slots.insert(slot);
        slots
    }

    pub fn insert(&mut self, slot: Slot) {
        let word = slot as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (slot % 64);
    }

    pub fn remove(&mut self, slot: Slot) {
        if let Some(word) = self.0.get_mut(slot as usize / 64) {
            *word &= !(1 << (slot % 64));
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    pub fn contains(&self, slot: Slot) -> bool {
        self.0.get(slot as usize / 64).is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }

    pub fn add(&mut self, other: &Slots) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, &more) in self.0.iter_mut().zip(&other.0) {
            *word |= more;
        }
    }

    pub fn intersects(&self, other: &Slots) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    pub fn iter(&self) -> impl Iterator<Item = Slot> + '_ {
        (0..self.0.len() as u32 * 64).filter(|&slot| self.contains(slot))
    }

    pub fn intersection(&self, other: &Slots) -> Slots {
        let mut both = Slots(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect());
        while both.0.last() == Some(&0) {
            both.0.pop();
        }
        both
    }
}
