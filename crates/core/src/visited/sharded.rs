//! The visited set in memory: exact, shared between threads, a few bytes per state beyond the packed words.
//!
//! States live in chunked arenas (no doubling, so no peak), in as many bytes as they need; hash tables hold only 32-bit
//! positions; beside each state stands the one it was first reached from. By which label is found again where a trace is
//! wanted. The set is cut into shards by hash; a thread locks one shard for one look-up. The hash is a function of the
//! packed words alone, or, for methods that compare, of an invariant that is then kept beside the state.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::links::{CHUNK, Links};
use super::pending::{Entry, Pending};
use super::table::Table;
use super::{Inserted, Link, StateId, Visited};
use crate::model::Label;
use crate::schema::Schema;

/// With several threads the set has 2^6 shards; alone, one is enough and a small space stays small.
const SHARD_BITS: u32 = 6;
/// States of one shard at most: positions in a shard have 32 bits. Unit tests have small shards, so that they are filled.
const SHARD_LIMIT: usize = if cfg!(test) { 1 << 12 } else { u32::MAX as usize };
/// From so many states on, the set asks to be laid out in more shards.
const NEARLY_FULL: usize = SHARD_LIMIT / 4 * 3;

#[derive(Default)]
struct Shard {
    table: Table,
    states: Vec<Box<[u8]>>,
    links: Links,
    /// Which states are shadows; as long as the last of them asks for.
    shadows: Vec<bool>,
    hashes: Vec<u64>,
    len: usize,
}

/// How many words a state has, and how many of their bytes are in use.
#[derive(Clone, Copy)]
struct Size {
    words: usize,
    bytes: usize,
}

/// States are a few words long: comparing them in place is faster than a call.
#[inline(always)]
fn are_equal(a: &[u8], b: &[u8]) -> bool {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    a.iter().zip(b).all(|(a, b)| u64::from_le_bytes(*a) == u64::from_le_bytes(*b))
        && a_rest.iter().zip(b_rest).all(|(a, b)| a == b)
}

/// Words as bytes, lowest first, so that the unused ones are the last.
#[inline(always)]
fn bytes_of(words: &[u64]) -> &[u8] {
    const { assert!(cfg!(target_endian = "little"), "states are stored by their low bytes") };
    bytemuck::cast_slice(words)
}

pub struct Sharded {
    shards: Vec<Mutex<Shard>>,
    shard_bits: u32,
    size: Size,
    keep_hashes: bool,
    nearly_full: AtomicBool,
    /// One thread stores an orbit at a time: else two could each take a state of one orbit for new.
    orbits: Mutex<()>,
}

impl Shard {
    #[inline(always)]
    fn state(&self, local: u32, size: Size) -> &[u8] {
        let start = (local as usize % CHUNK) * size.bytes;
        &self.states[local as usize / CHUNK][start..start + size.bytes]
    }

    #[inline(always)]
    fn read(&self, local: u32, size: Size, words: &mut [u64]) {
        if let Some(last) = words.last_mut() {
            *last = 0;
        }
        bytemuck::cast_slice_mut(words)[..size.bytes].copy_from_slice(self.state(local, size));
    }

    #[inline(always)]
    fn link(&self, local: u32) -> Link {
        let Some(number) = self.links.get(local as usize).map(StateId) else { return Link::Initial };
        match self.shadows.get(local as usize) {
            Some(true) => Link::Shadow(number),
            _ => Link::From(number),
        }
    }

    #[inline(always)]
    fn set_link(&mut self, local: usize, link: Link) {
        let (Link::From(StateId(number)) | Link::Shadow(StateId(number))) = link else {
            self.links.set(local, None);
            return;
        };
        self.links.set(local, Some(number));
        if matches!(link, Link::Shadow(_)) {
            if self.shadows.len() <= local {
                self.shadows.resize(local + 1, false);
            }
            self.shadows[local] = true;
        }
    }

    fn push(&mut self, state: &[u64], link: Link, size: Size) -> u32 {
        let local = self.len;
        if local.is_multiple_of(CHUNK) {
            self.states.push(vec![0; CHUNK * size.bytes].into());
            self.links.grow();
        }
        let start = (local % CHUNK) * size.bytes;
        let stored = &mut self.states[local / CHUNK][start..start + size.bytes];
        stored.copy_from_slice(&bytes_of(state)[..size.bytes]);
        self.len += 1;
        self.set_link(local, link);
        local as u32
    }

    /// Touches what look-ups for these hashes will touch: the processor waits for many lines of memory at once here, and
    /// for one after the other there.
    fn warm_up(&self, hashes: impl Iterator<Item = u64> + Clone, size: Size) {
        let touched = hashes.clone().filter_map(|hash| self.table.first(hash)).fold(0, u32::wrapping_add);
        let met = hashes.filter_map(|hash| self.table.first(hash));
        let met = met.filter_map(|local| self.state(local, size).first().copied());
        std::hint::black_box((touched, met.fold(0u8, u8::wrapping_add)));
    }

    fn bytes(&self, size: Size) -> usize {
        self.table.bytes()
            + self.states.len() * CHUNK * size.bytes
            + self.links.bytes()
            + self.shadows.capacity()
            + self.hashes.capacity() * 8
    }
}

impl Sharded {
    pub fn new(schema: &Schema, keep_hashes: bool, threads: usize) -> Sharded {
        Sharded::of_shards(schema, keep_hashes, if threads > 1 { SHARD_BITS } else { 0 })
    }

    fn of_shards(schema: &Schema, keep_hashes: bool, shard_bits: u32) -> Sharded {
        let shards = (0..1 << shard_bits).map(|_| Mutex::default()).collect();
        let size = Size { words: schema.words(), bytes: schema.bytes() };
        Sharded {
            shards,
            shard_bits,
            size,
            keep_hashes,
            nearly_full: AtomicBool::default(),
            orbits: Mutex::default(),
        }
    }

    /// The table takes the upper bits and the lowest seven: the shard comes from between.
    #[inline(always)]
    fn shard_of(&self, hash: u64) -> usize {
        (hash >> 8) as usize & (self.shards.len() - 1)
    }

    /// The shard is in the lowest bits.
    #[inline(always)]
    fn id(&self, shard: usize, local: u32) -> StateId {
        StateId(u64::from(local) << self.shard_bits | shard as u64)
    }

    #[inline(always)]
    fn place(&self, id: StateId) -> (usize, u32) {
        (id.0 as usize & (self.shards.len() - 1), (id.0 >> self.shard_bits) as u32)
    }

    fn shard(&self, number: usize) -> MutexGuard<'_, Shard> {
        self.shards[number].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// As `insert`, in a shard that is locked.
    #[inline(always)]
    fn insert_into(
        &self,
        number: usize,
        shard: &mut Shard,
        hash: u64,
        state: &[u64],
        link: Link,
    ) -> Inserted {
        let size = self.size;
        let bytes = &bytes_of(state)[..size.bytes];
        let same = |shard: &Shard, local: u32| are_equal(shard.state(local, size), bytes);
        let rehash = |shard: &Shard, local: u32| hash_bytes(shard.state(local, size));
        self.enter(number, shard, (hash, state, link), same, rehash)
    }

    #[inline(always)]
    fn enter(
        &self,
        number: usize,
        shard: &mut Shard,
        (hash, state, link): (u64, &[u64], Link),
        mut same: impl FnMut(&Shard, u32) -> bool,
        rehash: impl Fn(&Shard, u32) -> u64,
    ) -> Inserted {
        let known = shard.table.find(hash, |local| same(shard, local));
        if let Some(local) = known {
            return Inserted::Known(self.explored(number, shard, local));
        }
        if shard.len >= NEARLY_FULL {
            self.nearly_full.store(true, Ordering::Relaxed);
            if shard.len >= SHARD_LIMIT {
                return Inserted::Full;
            }
        }
        let local = shard.push(state, link, self.size);
        if self.keep_hashes {
            shard.hashes.push(hash);
        }
        let mut table = std::mem::take(&mut shard.table);
        table.insert(hash, local, |local| rehash(shard, local));
        shard.table = table;
        Inserted::Fresh(self.id(number, local))
    }

    /// The state that is explored for a stored one: itself, unless it is a shadow.
    #[inline(always)]
    fn explored(&self, number: usize, shard: &Shard, local: u32) -> StateId {
        // Only flooding has shadows, so mostly no link is read.
        match shard.shadows.get(local as usize) {
            Some(true) => match shard.link(local) {
                Link::Shadow(explored) | Link::From(explored) => explored,
                Link::Initial => self.id(number, local),
            },
            _ => self.id(number, local),
        }
    }

    /// The same states and links under another schema, or in more shards where one was full. Hashes change with the schema and
    /// numbers name the shard of the hash, so states get new numbers.
    pub fn relaid(self, old: &Schema, new: &Schema) -> (Sharded, Renumbering) {
        let shards: Vec<Shard> = self
            .shards
            .into_iter()
            .map(|shard| shard.into_inner().unwrap_or_else(PoisonError::into_inner))
            .collect();
        let more = if self.nearly_full.into_inner() { SHARD_BITS } else { 0 };
        let wider = Sharded::of_shards(new, self.keep_hashes, self.shard_bits + more);
        let mut values = vec![0; old.slots().len()];
        let mut packed = vec![0; new.words()];
        let mut narrow = vec![0; self.size.words];
        let mut renumbering =
            Renumbering { shard_bits: self.shard_bits, new_of: Vec::with_capacity(shards.len()) };
        for shard in &shards {
            let mut new_of = Vec::with_capacity(shard.len);
            for local in 0..shard.len as u32 {
                shard.read(local, self.size, &mut narrow);
                old.unpack(&narrow, &mut values);
                // Wider slots hold what narrower ones held.
                let fits = new.pack(&values, &mut packed).is_ok();
                debug_assert!(fits);
                let inserted = if self.keep_hashes {
                    let hash = shard.hashes[local as usize];
                    wider.insert_class(hash, &packed, Link::Initial, &mut |_| false)
                } else {
                    wider.insert(&packed, Link::Initial)
                };
                let (Inserted::Fresh(id) | Inserted::Known(id)) = inserted else {
                    unreachable!("more shards have room for the states of fewer")
                };
                new_of.push(id.0);
            }
            renumbering.new_of.push(new_of);
        }
        for (number, shard) in shards.iter().enumerate() {
            for local in 0..shard.len as u32 {
                let link = match shard.link(local) {
                    Link::Initial => Link::Initial,
                    Link::From(id) => Link::From(renumbering.renumber(id)),
                    Link::Shadow(id) => Link::Shadow(renumbering.renumber(id)),
                };
                let old_id = StateId(u64::from(local) << self.shard_bits | number as u64);
                wider.set_link(renumbering.renumber(old_id), link);
            }
        }
        (wider, renumbering)
    }

    fn set_link(&self, id: StateId, link: Link) {
        let (number, local) = self.place(id);
        self.shard(number).set_link(local as usize, link);
    }

    /// Is it time for a layout of more shards?
    #[inline]
    pub fn is_nearly_full(&self) -> bool {
        self.nearly_full.load(Ordering::Relaxed)
    }
}

impl Visited for Sharded {
    #[inline]
    fn insert(&self, state: &[u64], link: Link) -> Inserted {
        let hash = hash_words(state);
        let number = self.shard_of(hash);
        self.insert_into(number, &mut self.shard(number), hash, state, link)
    }

    fn insert_class(
        &self,
        hash: u64,
        state: &[u64],
        link: Link,
        same: &mut dyn FnMut(&[u64]) -> bool,
    ) -> Inserted {
        debug_assert!(self.keep_hashes);
        let number = self.shard_of(hash);
        let size = self.size;
        let mut stored = vec![0; size.words];
        let same = |shard: &Shard, local: u32| {
            shard.read(local, size, &mut stored);
            same(&stored)
        };
        let rehash = |shard: &Shard, local: u32| shard.hashes[local as usize];
        self.enter(number, &mut self.shard(number), (hash, state, link), same, rehash)
    }

    fn insert_orbit(&self, orbit: &[Vec<u64>], link: Link) -> Inserted {
        let _alone = self.orbits.lock().unwrap_or_else(PoisonError::into_inner);
        let inserted = self.insert(&orbit[0], link);
        let Inserted::Fresh(id) = inserted else { return inserted };
        for image in &orbit[1..] {
            if let Inserted::Full = self.insert(image, Link::Shadow(id)) {
                return Inserted::Full;
            }
        }
        inserted
    }

    fn insert_all(&self, pending: &mut Pending, mut each: impl FnMut(&[u64], Label, Inserted)) {
        let Pending { words, entries, by_shard } = pending;
        let size = self.size;
        if self.shards.len() == 1 {
            let mut guard = self.shard(0);
            guard.warm_up(entries.iter().map(|entry| entry.hash), size);
            // States without slots have no words.
            let mut states = words.chunks_exact(size.words.max(1));
            for &Entry { hash, from, label } in entries.iter() {
                let state = states.next().unwrap_or_default();
                each(state, label, self.insert_into(0, &mut guard, hash, state, Link::From(from)));
            }
            return;
        }
        by_shard.resize_with(self.shards.len(), Vec::new);
        for (at, entry) in entries.iter().enumerate() {
            by_shard[self.shard_of(entry.hash)].push(at as u32);
        }
        // Workers start at different shards, so that they do not follow each other through the same locks.
        let start = entries.first().map_or(0, |entry| self.shard_of(entry.hash));
        for number in (start..self.shards.len()).chain(0..start) {
            if by_shard[number].is_empty() {
                continue;
            }
            let mut guard = self.shard(number);
            guard.warm_up(by_shard[number].iter().map(|&at| entries[at as usize].hash), size);
            for at in by_shard[number].drain(..) {
                let Entry { hash, from, label } = entries[at as usize];
                let state = &words[at as usize * size.words..(at as usize + 1) * size.words];
                each(state, label, self.insert_into(number, &mut guard, hash, state, Link::From(from)));
            }
        }
    }

    #[inline]
    fn find(&self, state: &[u64]) -> Option<StateId> {
        let hash = hash_words(state);
        let number = self.shard_of(hash);
        let shard = self.shard(number);
        let bytes = &bytes_of(state)[..self.size.bytes];
        let local = shard.table.find(hash, |local| are_equal(shard.state(local, self.size), bytes))?;
        Some(self.explored(number, &shard, local))
    }

    fn read(&self, id: StateId, state: &mut [u64]) -> Link {
        let (number, local) = self.place(id);
        let shard = self.shard(number);
        shard.read(local, self.size, state);
        shard.link(local)
    }

    fn bytes(&self) -> usize {
        (0..self.shards.len()).map(|number| self.shard(number).bytes(self.size)).sum()
    }
}

/// Where the states went in a new layout.
pub struct Renumbering {
    shard_bits: u32,
    new_of: Vec<Vec<u64>>,
}

impl Renumbering {
    pub fn renumber(&self, id: StateId) -> StateId {
        let shard = id.0 & !(u64::MAX << self.shard_bits);
        StateId(self.new_of[shard as usize][(id.0 >> self.shard_bits) as usize])
    }
}

/// A stable 64-bit hash of the packed words. Bytes that are not stored are 0, so it is one of the stored bytes too.
#[inline(always)]
pub fn hash_words(words: &[u64]) -> u64 {
    finished(words.iter().fold(SEED, |hash, &word| stirred(hash, word)))
}

#[inline(always)]
fn hash_bytes(bytes: &[u8]) -> u64 {
    let (whole, rest) = bytes.as_chunks::<8>();
    let hash = whole.iter().fold(SEED, |hash, word| stirred(hash, u64::from_le_bytes(*word)));
    if rest.is_empty() {
        return finished(hash);
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    finished(stirred(hash, u64::from_le_bytes(last)))
}

const SEED: u64 = 0x243f_6a88_85a3_08d3;

#[inline(always)]
fn stirred(hash: u64, word: u64) -> u64 {
    let product = u128::from(hash ^ word) * u128::from(0x9e37_79b9_7f4a_7c15u64);
    (product as u64) ^ ((product >> 64) as u64)
}

#[inline(always)]
fn finished(hash: u64) -> u64 {
    stirred(hash, 0xa076_1d64_78bd_642f)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_and_links_survive_a_new_layout() {
        let (narrow, wide) = (Schema::new(&[16, 2]), Schema::new(&[16, 40]));
        let set = Sharded::new(&narrow, false, 1);
        let packed = |schema: &Schema, number: u64| {
            let mut words = vec![0; schema.words()];
            schema.pack(&[number, number % 3], &mut words).expect("it fits");
            words
        };
        let mut before = Link::Initial;
        for number in 0..NEARLY_FULL as u64 + 100 {
            let inserted = set.insert(&packed(&narrow, number), before);
            assert_eq!(inserted, Inserted::Fresh(StateId(number)));
            before = Link::From(StateId(number));
        }
        assert!(set.is_nearly_full());
        let (set, renumbering) = set.relaid(&narrow, &wide);
        assert!(!set.is_nearly_full() && set.shards.len() == 1 << SHARD_BITS);
        let mut words = vec![0; wide.words()];
        for number in 0..NEARLY_FULL as u64 + 100 {
            let id = renumbering.renumber(StateId(number));
            assert_eq!(set.find(&packed(&wide, number)), Some(id));
            let before = number.checked_sub(1).map(|before| renumbering.renumber(StateId(before)));
            assert_eq!(set.read(id, &mut words), before.map_or(Link::Initial, Link::From));
            assert_eq!(words, packed(&wide, number));
        }
    }

    #[test]
    fn a_full_shard_takes_no_more() {
        let schema = Schema::new(&[16]);
        let set = Sharded::new(&schema, false, 1);
        for number in 0..SHARD_LIMIT as u64 {
            assert!(matches!(set.insert(&[number], Link::Initial), Inserted::Fresh(_)));
        }
        assert_eq!(set.insert(&[SHARD_LIMIT as u64], Link::Initial), Inserted::Full);
        assert_eq!(set.insert(&[7], Link::Initial), Inserted::Known(StateId(7)));
    }
}
