//! A hash table of 32-bit numbers: five bytes for each place, and few places empty.
//!
//! Linear probing; a place is a one-byte tag and a number side by side, so a look-up touches one cache line of the table and
//! one of what the number stands for. The table grows by three quarters, not to its double, so nearly half of it is always
//! full: 11.3 bytes for each number at most, 6.4 at least.

#[derive(Default)]
pub struct Table {
    places: Vec<Place>,
    len: usize,
}

/// A tag (0: empty; else seven bits of the hash and one that is set), then the number.
type Place = [u8; 5];

#[inline(always)]
fn number([_, a, b, c, d]: Place) -> u32 {
    u32::from_le_bytes([a, b, c, d])
}

const LEAST: usize = 64;

impl Table {
    /// The place where the search for a hash begins: the hash's upper bits, stretched over the table.
    #[inline(always)]
    fn start(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.places.len() as u128) >> 64) as usize
    }

    /// The number for which `same` returns true.
    #[inline(always)]
    pub fn find(&self, hash: u64, mut same: impl FnMut(u32) -> bool) -> Option<u32> {
        if self.len == 0 {
            return None;
        }
        let wanted = tag(hash);
        let mut at = self.start(hash);
        loop {
            let place = self.places[at];
            if place[0] == wanted && same(number(place)) {
                return Some(number(place));
            }
            if place[0] == 0 {
                return None;
            }
            at += 1;
            if at == self.places.len() {
                at = 0;
            }
        }
    }

    /// The number that a look-up would compare first, if its tag fits. The cache misses of several of these in a row overlap;
    /// those of look-ups do not.
    #[inline(always)]
    pub fn first(&self, hash: u64) -> Option<u32> {
        let place = self.places.get(self.start(hash))?;
        (place[0] == tag(hash)).then(|| number(*place))
    }

    /// Adds a number that is not in the table; `hash_of` is called for all others where the table grows.
    pub fn insert(&mut self, hash: u64, number: u32, hash_of: impl Fn(u32) -> u64) {
        if 9 * (self.len + 1) > 7 * self.places.len() {
            self.grow(hash_of);
        }
        self.place(hash, number);
        self.len += 1;
    }

    #[inline(always)]
    fn place(&mut self, hash: u64, number: u32) {
        let mut at = self.start(hash);
        while self.places[at][0] != 0 {
            at += 1;
            if at == self.places.len() {
                at = 0;
            }
        }
        let [a, b, c, d] = number.to_le_bytes();
        self.places[at] = [tag(hash), a, b, c, d];
    }

    fn grow(&mut self, hash_of: impl Fn(u32) -> u64) {
        let places = (self.places.len() + 3 * self.places.len() / 4).max(LEAST);
        let old = std::mem::replace(&mut self.places, vec![Place::default(); places]);
        for place in old.into_iter().filter(|place| place[0] != 0) {
            self.place(hash_of(number(place)), number(place));
        }
    }

    pub fn bytes(&self) -> usize {
        size_of::<Place>() * self.places.len()
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
