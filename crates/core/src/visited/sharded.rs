//! The visited set in memory: exact, shared between threads, a few bytes per state beyond the packed words.
//!
//! States are stored in chunked arenas (no doubling, so no peak), in as many bytes as they need; hash tables hold only 32-bit
//! positions; with each state goes the number of the one it was first reached from. The label is found again when a trace is
//! built. The set is cut into shards by hash; a thread locks one shard for one look-up. The hash is a function of the
//! packed words alone, or, for methods that compare, of an invariant that is then kept beside the state.

mod relayout;
mod saving;
mod shard;

pub use relayout::Renumbering;

use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use shard::{Shard, Size, are_equal, bytes_of};

use super::hash::{hash_bytes, hash_words};
use super::pending::{Entry, Pending};
use super::saved_states::{Invariant, Origin, SavedStates};
use super::{Inserted, Link, StateId, Visited};
use crate::model::Label;
use crate::saved::LoadError;
use crate::schema::Schema;

/// With several threads the set has 2^6 shards; with one thread it has one, so that a small set stays small.
const SHARD_BITS: u32 = 6;
/// States of one shard at most: positions in a shard have 32 bits. Unit tests have small shards, so that they are filled.
const SHARD_LIMIT: usize = if cfg!(test) { 1 << 12 } else { u32::MAX as usize };
/// From so many states of one shard on, the set has to be laid out in more shards.
const NEARLY_FULL: usize = SHARD_LIMIT / 4 * 3;

pub struct Sharded {
    shards: Vec<Mutex<Shard>>,
    shard_bits: u32,
    size: Size,
    keep_hashes: bool,
    nearly_full: AtomicBool,
    /// Held while an orbit is stored: otherwise two threads could both find a state of the same orbit new.
    orbits: Mutex<()>,
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
        if shard.is_shadow(local)
            && let Link::Shadow(explored) = shard.link(local)
        {
            return explored;
        }
        self.id(number, local)
    }

    /// Does the set have to be laid out in more shards?
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
    fn save(&self, schema: &Schema, origin: Origin<'_>, to: &mut impl Write) -> io::Result<()> {
        self.save_to(schema, origin, to)
    }

    fn load(
        saved: SavedStates<'_, impl Read>,
        schema: &Schema,
        threads: usize,
        invariant: Option<Invariant<'_>>,
    ) -> Result<(Sharded, Renumbering), LoadError> {
        Sharded::load_from(saved, schema, threads, invariant)
    }
}
