//! Finds interned slices by hash: a table of indices with half of each hash beside them.
//!
//! Linear probing. The hashes are kept because computing them again, whenever the table grows, would fetch every value from
//! memory; they also keep look-ups from fetching any but the right one. The table grows by half: 10 to 15 bytes for each.

#[derive(Default)]
pub struct Index {
    /// The hash above; below, the index and one more. 0: nothing here.
    places: Vec<u64>,
    len: usize,
}

const LEAST: usize = 16;

impl Index {
    /// The index that `same` takes for the wanted one.
    #[inline(always)]
    pub fn find(&self, hash: u32, mut same: impl FnMut(u32) -> bool) -> Option<u32> {
        if self.len == 0 {
            return None;
        }
        let mut at = start(&self.places, hash);
        loop {
            let place = self.places[at];
            if place == 0 {
                return None;
            }
            if (place >> 32) as u32 == hash && same(place as u32 - 1) {
                return Some(place as u32 - 1);
            }
            at += 1;
            if at == self.places.len() {
                at = 0;
            }
        }
    }

    /// Adds an index (below 2^32 - 1) that is not there.
    pub fn insert(&mut self, hash: u32, index: u32) {
        if 5 * (self.len + 1) > 4 * self.places.len() {
            let size = (self.places.len() + self.places.len() / 2).max(LEAST);
            let old = std::mem::replace(&mut self.places, vec![0; size]);
            old.into_iter().filter(|&place| place != 0).for_each(|place| put(&mut self.places, place));
        }
        put(&mut self.places, u64::from(hash) << 32 | (u64::from(index) + 1));
        self.len += 1;
    }

    pub fn bytes(&self) -> usize {
        size_of_val(&self.places[..])
    }
}

#[inline(always)]
fn start(places: &[u64], hash: u32) -> usize {
    ((u64::from(hash) * places.len() as u64) >> 32) as usize
}

fn put(places: &mut [u64], place: u64) {
    let mut at = start(places, (place >> 32) as u32);
    while places[at] != 0 {
        at += 1;
        if at == places.len() {
            at = 0;
        }
    }
    places[at] = place;
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::random::mix;

    proptest! {
        #[test]
        fn what_was_inserted_is_found(numbers in prop::collection::hash_set(0..u32::MAX, 0..2000), few_hashes: bool) {
            let hash = |number: u32| mix(u64::from(if few_hashes { number % 7 } else { number })) as u32;
            let mut index = Index::default();
            for &number in &numbers {
                prop_assert_eq!(index.find(hash(number), |found| found == number), None);
                index.insert(hash(number), number);
            }
            for &number in &numbers {
                prop_assert_eq!(index.find(hash(number), |found| found == number), Some(number));
            }
        }
    }
}
