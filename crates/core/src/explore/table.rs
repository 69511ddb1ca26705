//! A hash table of 32-bit numbers: five bytes for each place, and few places empty.
//!
//! Linear probing over one-byte tags; the numbers lie beside them, and what they stand for lies elsewhere. The table grows
//! by half, not to its double, so more than half of it is always full: 9.4 bytes for each number at most, 6.3 at least.

#[derive(Default)]
pub struct Table {
    /// 0: empty; else seven bits of the hash and one that is set.
    tags: Vec<u8>,
    numbers: Vec<u32>,
    len: usize,
}

const LEAST: usize = 64;

impl Table {
    /// The place where the search for a hash begins: the hash's upper bits, stretched over the table.
    #[inline(always)]
    fn start(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.tags.len() as u128) >> 64) as usize
    }

    /// The number that `same` takes for the wanted one.
    #[inline(always)]
    pub fn find(&self, hash: u64, mut same: impl FnMut(u32) -> bool) -> Option<u32> {
        if self.len == 0 {
            return None;
        }
        let wanted = tag(hash);
        let mut at = self.start(hash);
        loop {
            let tag = self.tags[at];
            if tag == wanted && same(self.numbers[at]) {
                return Some(self.numbers[at]);
            }
            if tag == 0 {
                return None;
            }
            at += 1;
            if at == self.tags.len() {
                at = 0;
            }
        }
    }

    /// Adds a number that is not there; `hash_of` is asked where the table grows.
    pub fn insert(&mut self, hash: u64, number: u32, hash_of: impl Fn(u32) -> u64) {
        if 5 * (self.len + 1) > 4 * self.tags.len() {
            self.grow(hash_of);
        }
        self.place(hash, number);
        self.len += 1;
    }

    #[inline(always)]
    fn place(&mut self, hash: u64, number: u32) {
        let mut at = self.start(hash);
        while self.tags[at] != 0 {
            at += 1;
            if at == self.tags.len() {
                at = 0;
            }
        }
        self.tags[at] = tag(hash);
        self.numbers[at] = number;
    }

    fn grow(&mut self, hash_of: impl Fn(u32) -> u64) {
        let places = (self.tags.len() + self.tags.len() / 2).max(LEAST);
        let tags = std::mem::replace(&mut self.tags, vec![0; places]);
        let numbers = std::mem::replace(&mut self.numbers, vec![0; places]);
        for (tag, number) in tags.into_iter().zip(numbers) {
            if tag != 0 {
                self.place(hash_of(number), number);
            }
        }
    }

    pub fn bytes(&self) -> usize {
        5 * self.tags.len()
    }
}

#[inline(always)]
fn tag(hash: u64) -> u8 {
    hash as u8 | 0x80
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::random::mix;

    proptest! {
        #[test]
        fn what_was_inserted_is_found(numbers in prop::collection::hash_set(any::<u32>(), 0..2000), few_hashes: bool) {
            let hash = |number: u32| mix(u64::from(if few_hashes { number % 7 } else { number }));
            let mut table = Table::default();
            for &number in &numbers {
                prop_assert_eq!(table.find(hash(number), |found| found == number), None);
                table.insert(hash(number), number, hash);
            }
            for &number in &numbers {
                prop_assert_eq!(table.find(hash(number), |found| found == number), Some(number));
            }
        }
    }
}
