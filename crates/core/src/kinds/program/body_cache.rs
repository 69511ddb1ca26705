//! A cache of what bodies do, on packed states.
//!
//! What a body writes is a function of the slots it reads and of those it may or may not write: its key. Most bodies of
//! protocols read a few small slots, so few keys occur, and what the body wrote for a key the first time is put into the
//! packed state the next time, without unpacking, running or packing anything. Bodies that fail or are discarded are run
//! each time.

use super::extents::Extent;
use crate::schema::Schema;

/// The bits of a packed state that are the key of a body, and those that it writes.
#[derive(Debug)]
pub struct Footprint {
    /// (word, bits): never empty, and never all bits of the first word, so that no key looks like an empty place.
    key: Box<[(u32, u64)]>,
    /// (word, bits that stay)
    left: Box<[(u32, u64)]>,
    pub written: Box<[u32]>,
}

/// A key of more bits than this would hardly occur twice.
const MAX_BITS: u32 = 48;
/// So many entries one body has at most, and all bodies together: what does not fit into the caches near the processor
/// is no faster than running the body.
const MAX_ENTRIES: u64 = 1 << 12;
const MAX_TOGETHER: usize = 1 << 15;
/// After so many misses a body is run each time.
const MAX_MISSES: u64 = 1 << 16;

impl Footprint {
    /// What a question reads that changes nothing.
    pub fn of_question(reads: &[u32], schema: &Schema) -> Option<Footprint> {
        let extent = Extent { reads: Some(reads.to_vec()), writes: Some(Vec::new()), surely: Vec::new() };
        Footprint::new(&extent, schema)
    }

    /// None where remembering would be useless.
    pub fn new(extent: &Extent, schema: &Schema) -> Option<Footprint> {
        let (Some(reads), Some(writes)) = (&extent.reads, &extent.writes) else { return None };
        let mut key = vec![0u64; schema.words()];
        let mut left = vec![0u64; schema.words()];
        let set = |words: &mut [u64], slot: u32| {
            let slot = schema.slots()[slot as usize];
            words[slot.word as usize] |= slot.mask() << slot.shift;
        };
        reads.iter().for_each(|&slot| set(&mut key, slot));
        for &slot in writes {
            set(&mut left, slot);
            if extent.surely.binary_search(&slot).is_err() {
                set(&mut key, slot);
            }
        }
        if key.iter().map(|bits| bits.count_ones()).sum::<u32>() > MAX_BITS {
            return None;
        }
        let used =
            |words: Vec<u64>| (0..).zip(words).filter(|&(_, bits)| bits != 0).collect::<Vec<(u32, u64)>>();
        let (mut key, left) = (used(key), used(left));
        if key.is_empty() && schema.words() > 0 {
            key.push((0, 0));
        }
        let left = left.into_iter().map(|(word, bits)| (word, !bits)).collect();
        (!key.is_empty()).then(|| Footprint { key: key.into(), left, written: writes.as_slice().into() })
    }

    fn empty(&self) -> u64 {
        !self.key[0].1
    }

    fn stride(&self) -> usize {
        self.key.len() + self.left.len()
    }

    #[inline(always)]
    fn hash(&self, state: &[u64]) -> u64 {
        let mixed = self.key.iter().fold(0u64, |hash, &(word, bits)| {
            (hash.rotate_left(29) ^ state[word as usize] & bits).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        });
        mixed ^ mixed >> 32
    }

    #[inline(always)]
    fn has_key(&self, place: &[u64], state: &[u64]) -> bool {
        self.key.iter().zip(place).all(|(&(word, bits), &key)| state[word as usize] & bits == key)
    }
}

/// The cache of one thread for one body: entries of a key and what was written for it.
#[derive(Default)]
struct BodyTable {
    places: Vec<u64>,
    /// How many places there are, a power of two, less one.
    mask: usize,
    entries: usize,
    /// Look-ups that found nothing.
    misses: u64,
}

#[derive(Default)]
pub struct BodyCache {
    tables: Vec<BodyTable>,
    entries: usize,
}

impl BodyCache {
    pub fn new(footprints: usize) -> BodyCache {
        BodyCache { tables: (0..footprints).map(|_| BodyTable::default()).collect(), entries: 0 }
    }

    /// Was the key of this state noted?
    #[inline(always)]
    pub fn knows(&self, number: usize, footprint: &Footprint, state: &[u64]) -> bool {
        self.tables[number].find(footprint, state).is_some()
    }

    /// Makes the successor, if what the body does there is known.
    #[inline(always)]
    pub fn recall(
        &mut self,
        number: usize,
        footprint: &Footprint,
        state: &[u64],
        successor: &mut [u64],
    ) -> bool {
        let Some(left) = self.tables[number].find(footprint, state) else { return false };
        successor.copy_from_slice(state);
        for (&(word, stays), &left) in footprint.left.iter().zip(left) {
            let word = &mut successor[word as usize];
            *word = *word & stays | left;
        }
        true
    }

    /// Notes a key that may be known.
    pub fn note_once(&mut self, number: usize, footprint: &Footprint, state: &[u64]) {
        if !self.knows(number, footprint, state) {
            self.note(number, footprint, state, &[]);
        }
    }

    /// Notes what the body made of a state where `recall` knew nothing.
    pub fn note(&mut self, number: usize, footprint: &Footprint, state: &[u64], successor: &[u64]) {
        let table = &mut self.tables[number];
        table.misses += 1;
        if table.misses > MAX_MISSES {
            // Too many keys to remember them all: what is known of a few is not worth looking for.
            self.entries -= std::mem::take(&mut table.entries);
            table.places = Vec::new();
        }
        if table.misses > MAX_ENTRIES || self.entries >= MAX_TOGETHER {
            return;
        }
        if 2 * (table.entries + 1) > table.places.len() / footprint.stride() {
            table.grow(footprint);
        }
        let key = footprint.key.iter().map(|&(word, bits)| state[word as usize] & bits);
        let left = footprint.left.iter().map(|&(word, stays)| successor[word as usize] & !stays);
        let entry: Vec<u64> = key.chain(left).collect();
        table.enter(footprint, footprint.hash(state), &entry);
        self.entries += 1;
    }
}

impl BodyTable {
    /// What was left at the key of this state.
    #[inline(always)]
    fn find(&self, footprint: &Footprint, state: &[u64]) -> Option<&[u64]> {
        if self.places.is_empty() {
            return None;
        }
        let stride = footprint.stride();
        let mut at = footprint.hash(state) as usize & self.mask;
        loop {
            let (key, left) = self.places[at * stride..(at + 1) * stride].split_at(footprint.key.len());
            if footprint.has_key(key, state) {
                return Some(left);
            }
            if key[0] == footprint.empty() {
                return None;
            }
            at = (at + 1) & self.mask;
        }
    }

    fn grow(&mut self, footprint: &Footprint) {
        let stride = footprint.stride();
        let places = (2 * self.places.len() / stride).max(8);
        let old = std::mem::replace(&mut self.places, vec![footprint.empty(); places * stride]);
        self.mask = places - 1;
        self.entries = 0;
        // A key is a state as far as the hash is concerned.
        let mut state = vec![0; footprint.key.iter().map(|&(word, _)| word as usize + 1).max().unwrap_or(0)];
        for entry in old.chunks_exact(stride).filter(|entry| entry[0] != footprint.empty()) {
            for (&(word, _), &key) in footprint.key.iter().zip(entry) {
                state[word as usize] = key;
            }
            self.enter(footprint, footprint.hash(&state), entry);
        }
    }

    fn enter(&mut self, footprint: &Footprint, hash: u64, entry: &[u64]) {
        let stride = footprint.stride();
        let mut at = hash as usize & self.mask;
        while self.places[at * stride] != footprint.empty() {
            at = (at + 1) & self.mask;
        }
        self.places[at * stride..(at + 1) * stride].copy_from_slice(entry);
        self.entries += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slot 0 is read, slot 1 is written if slot 0 says so, slot 2 is always written, slot 3 has nothing to do with it.
    fn footprint(schema: &Schema) -> Footprint {
        let extent = Extent { reads: Some(vec![0]), writes: Some(vec![1, 2]), surely: vec![2] };
        Footprint::new(&extent, schema).expect("few bits")
    }

    fn fired(values: [u64; 4]) -> [u64; 4] {
        [values[0], if values[0].is_multiple_of(3) { 5 } else { values[1] }, values[0] % 16, values[3]]
    }

    #[test]
    fn what_is_recalled_is_what_was_left() {
        let schema = Schema::new(&[10, 30, 4, 40]);
        let (footprint, mut cache) = (footprint(&schema), BodyCache::new(1));
        let packed = |values: &[u64]| {
            let mut words = vec![0; schema.words()];
            schema.pack(values, &mut words).expect("wide enough");
            words
        };
        let mut successor = vec![0; schema.words()];
        for round in 0..3 {
            for first in 0..900 {
                let values = [first, 7 * (first % 2), first % 5, 1000 * round + first];
                let (state, wanted) = (packed(&values), packed(&fired(values)));
                assert_eq!(cache.recall(0, &footprint, &state, &mut successor), round > 0);
                if round == 0 {
                    cache.note(0, &footprint, &state, &wanted);
                } else {
                    assert_eq!(successor, wanted);
                }
            }
        }
    }

    #[test]
    fn a_body_with_too_many_keys_is_forgotten() {
        let schema = Schema::new(&[30, 1, 1, 1]);
        let (footprint, mut cache) = (footprint(&schema), BodyCache::new(1));
        for key in 0..2 * MAX_MISSES {
            cache.note(0, &footprint, &[key], &[key]);
        }
        assert_eq!((cache.entries, cache.knows(0, &footprint, &[1])), (0, false));
    }

    #[test]
    fn wide_keys_are_not_remembered() {
        let extent = Extent { reads: Some(vec![0]), writes: Some(vec![]), surely: vec![] };
        assert!(Footprint::new(&extent, &Schema::new(&[64])).is_none());
    }
}
