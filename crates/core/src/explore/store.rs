//! The visited set: exact, shared between threads, a few bytes per state beyond the packed words.
//!
//! States live in chunked arenas (no doubling, so no peak), hash tables hold only 32-bit positions. The set is cut into
//! shards by hash; a thread locks one shard for one look-up. The hash is a function of the packed words alone, or, for
//! methods that compare, of an invariant that is then kept beside the state.

use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::HashTable;

use super::pending::Pending;
use crate::model::{Label, Model};
use crate::schema::Schema;

/// The number of a stored state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StateId(u32);

/// With several threads the set has 2^6 shards; alone, one is enough and a small space stays small.
const SHARD_BITS: u32 = 6;
const CHUNK: usize = 1 << 10;

/// How a state was first reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    Initial(Label),
    From(StateId, Label),
    /// Not explored: the state of its orbit that is (flooding).
    Shadow(StateId),
}

const NO_STATE: u32 = u32::MAX;
const SHADOW: u32 = u32::MAX;

impl Link {
    fn packed(self) -> (u32, u32) {
        match self {
            Link::Initial(label) => (NO_STATE, label),
            Link::From(id, label) => (id.0, label),
            Link::Shadow(id) => (id.0, SHADOW),
        }
    }

    fn unpacked((id, label): (u32, u32)) -> Link {
        match (id, label) {
            (NO_STATE, label) => Link::Initial(label),
            (id, SHADOW) => Link::Shadow(StateId(id)),
            (id, label) => Link::From(StateId(id), label),
        }
    }
}

pub enum Inserted {
    Fresh(StateId),
    /// It, or one the caller takes for the same, is there; shadows are resolved to the explored state.
    Known(StateId),
    /// No more ids.
    Full,
}

#[derive(Default)]
struct Shard {
    table: HashTable<u32>,
    states: Vec<Box<[u64]>>,
    links: Vec<Box<[(u32, u32)]>>,
    hashes: Vec<u64>,
    len: usize,
}

pub struct Store {
    shards: Vec<Mutex<Shard>>,
    shard_bits: u32,
    words: usize,
    keep_hashes: bool,
}

impl Shard {
    #[inline(always)]
    fn state(&self, local: u32, words: usize) -> &[u64] {
        let start = (local as usize % CHUNK) * words;
        &self.states[local as usize / CHUNK][start..start + words]
    }

    fn link(&self, local: u32) -> Link {
        Link::unpacked(self.links[local as usize / CHUNK][local as usize % CHUNK])
    }

    fn push(&mut self, state: &[u64], link: Link, words: usize) -> u32 {
        let local = self.len;
        if local.is_multiple_of(CHUNK) {
            self.states.push(vec![0; CHUNK * words].into());
            self.links.push(vec![(0, 0); CHUNK].into());
        }
        let start = (local % CHUNK) * words;
        self.states[local / CHUNK][start..start + words].copy_from_slice(state);
        self.links[local / CHUNK][local % CHUNK] = link.packed();
        self.len += 1;
        local as u32
    }

    fn bytes(&self, words: usize) -> usize {
        self.table.allocation_size()
            + self.states.len() * CHUNK * (8 * words + 8)
            + self.hashes.capacity() * 8
    }
}

impl Store {
    pub fn new(schema: &Schema, keep_hashes: bool, threads: usize) -> Store {
        Store::sharded(schema, keep_hashes, if threads > 1 { SHARD_BITS } else { 0 })
    }

    fn sharded(schema: &Schema, keep_hashes: bool, shard_bits: u32) -> Store {
        let shards = (0..1 << shard_bits).map(|_| Mutex::default()).collect();
        Store { shards, shard_bits, words: schema.words(), keep_hashes }
    }

    /// hashbrown takes the low bits for the bucket and the top seven for its tags: the shard comes from between.
    #[inline(always)]
    fn shard_of(&self, hash: u64) -> usize {
        (hash >> 40) as usize & (self.shards.len() - 1)
    }

    /// Ids are 32 bits, the shard in the lowest.
    #[inline(always)]
    fn id(&self, shard: usize, local: u32) -> StateId {
        StateId(local << self.shard_bits | shard as u32)
    }

    #[inline(always)]
    fn place(&self, id: StateId) -> (usize, u32) {
        (id.0 as usize & (self.shards.len() - 1), id.0 >> self.shard_bits)
    }

    /// So many states fit into one shard; the last ids mean something else.
    fn shard_limit(&self) -> usize {
        (u32::MAX >> self.shard_bits) as usize - 2
    }

    fn shard(&self, number: usize) -> MutexGuard<'_, Shard> {
        self.shards[number].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks the state up and, where it is not there, puts it in.
    #[inline]
    pub fn insert(&self, state: &[u64], link: Link) -> Inserted {
        let hash = hash_words(state);
        let number = self.shard_of(hash);
        self.insert_into(number, &mut self.shard(number), hash, state, link)
    }

    /// As `insert`, for states that count as known where `same` says so; `hash` is equal for all of those.
    pub fn insert_class(
        &self,
        hash: u64,
        state: &[u64],
        link: Link,
        same: impl FnMut(&[u64]) -> bool,
    ) -> Inserted {
        debug_assert!(self.keep_hashes);
        let number = self.shard_of(hash);
        let rehash = |shard: &Shard, local: u32| shard.hashes[local as usize];
        self.enter(number, &mut self.shard(number), (hash, state, link), same, rehash)
    }

    /// Stores what is pending, shard by shard; `met` hears of each state, in some order.
    pub fn insert_all(&self, pending: &mut Pending, mut met: impl FnMut(&[u64], Inserted)) {
        let Pending { words, entries, by_shard } = pending;
        by_shard.resize_with(self.shards.len(), Vec::new);
        for (at, &(hash, _)) in entries.iter().enumerate() {
            by_shard[self.shard_of(hash)].push(at as u32);
        }
        // Workers start at different shards, so that they do not follow each other through the same locks.
        let start = entries.first().map_or(0, |&(hash, _)| self.shard_of(hash));
        for number in (start..self.shards.len()).chain(0..start) {
            if by_shard[number].is_empty() {
                continue;
            }
            let mut guard = self.shard(number);
            for at in by_shard[number].drain(..) {
                let (hash, link) = entries[at as usize];
                let state = &words[at as usize * self.words..(at as usize + 1) * self.words];
                met(state, self.insert_into(number, &mut guard, hash, state, link));
            }
        }
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
        let words = self.words;
        let same = |stored: &[u64]| stored == state;
        let rehash = |shard: &Shard, local: u32| hash_words(shard.state(local, words));
        self.enter(number, shard, (hash, state, link), same, rehash)
    }

    #[inline(always)]
    fn enter(
        &self,
        number: usize,
        shard: &mut Shard,
        (hash, state, link): (u64, &[u64], Link),
        mut same: impl FnMut(&[u64]) -> bool,
        rehash: impl Fn(&Shard, u32) -> u64,
    ) -> Inserted {
        let known = shard.table.find(hash, |&local| same(shard.state(local, self.words)));
        if let Some(&local) = known {
            return match shard.link(local) {
                Link::Shadow(explored) => Inserted::Known(explored),
                _ => Inserted::Known(self.id(number, local)),
            };
        }
        if shard.len >= self.shard_limit() {
            return Inserted::Full;
        }
        let local = shard.push(state, link, self.words);
        if self.keep_hashes {
            shard.hashes.push(hash);
        }
        let mut table = std::mem::take(&mut shard.table);
        table.insert_unique(hash, local, |&local| rehash(shard, local));
        shard.table = table;
        Inserted::Fresh(self.id(number, local))
    }

    /// Is exactly this state stored?
    #[inline]
    pub fn contains(&self, state: &[u64]) -> bool {
        self.find(state).is_some()
    }

    /// The explored state that stands for this one, if it is stored.
    pub fn find(&self, state: &[u64]) -> Option<StateId> {
        let hash = hash_words(state);
        let number = self.shard_of(hash);
        let shard = self.shard(number);
        let local = *shard.table.find(hash, |&local| shard.state(local, self.words) == state)?;
        Some(match shard.link(local) {
            Link::Shadow(explored) => explored,
            _ => self.id(number, local),
        })
    }

    pub fn read(&self, id: StateId, state: &mut [u64]) -> Link {
        let (number, local) = self.place(id);
        let shard = self.shard(number);
        state.copy_from_slice(shard.state(local, self.words));
        shard.link(local)
    }

    pub fn bytes(&self) -> usize {
        (0..self.shards.len()).map(|number| self.shard(number).bytes(self.words)).sum()
    }

    /// The same states and links in another layout. Hashes change with the layout and ids name the shard of the hash, so
    /// states get new ids.
    pub fn relaid<M: Model>(self, old: &M, new: &M) -> (Store, Renumbering) {
        let store = Store::sharded(new.schema(), self.keep_hashes, self.shard_bits);
        let mut values = vec![0; old.schema().slots().len()];
        let mut packed = vec![0; new.schema().words()];
        let mut renumbering =
            Renumbering { shard_bits: self.shard_bits, new_of: Vec::with_capacity(self.shards.len()) };
        let shards: Vec<Shard> = self
            .shards
            .into_iter()
            .map(|shard| shard.into_inner().unwrap_or_else(PoisonError::into_inner))
            .collect();
        for shard in &shards {
            let mut new_of = Vec::with_capacity(shard.len);
            for local in 0..shard.len as u32 {
                old.schema().unpack(shard.state(local, self.words), &mut values);
                // Wider slots hold what narrower ones held.
                let fits = new.schema().pack(&values, &mut packed).is_ok();
                debug_assert!(fits);
                let inserted = if self.keep_hashes {
                    store.insert_class(shard.hashes[local as usize], &packed, Link::Initial(0), |_| false)
                } else {
                    store.insert(&packed, Link::Initial(0))
                };
                let (Inserted::Fresh(id) | Inserted::Known(id)) = inserted else { continue };
                new_of.push(id.0);
            }
            renumbering.new_of.push(new_of);
        }
        for (number, shard) in shards.iter().enumerate() {
            for local in 0..shard.len as u32 {
                let link = match shard.link(local) {
                    Link::Initial(label) => Link::Initial(label),
                    Link::From(id, label) => Link::From(renumbering.renumber(id), label),
                    Link::Shadow(id) => Link::Shadow(renumbering.renumber(id)),
                };
                let id = renumbering.renumber(store.id(number, local));
                store.set_link(id, link);
            }
        }
        (store, renumbering)
    }

    fn set_link(&self, id: StateId, link: Link) {
        let (number, local) = self.place(id);
        let mut shard = self.shard(number);
        let local = local as usize;
        shard.links[local / CHUNK][local % CHUNK] = link.packed();
    }
}

/// Where the states went in a new layout.
pub struct Renumbering {
    shard_bits: u32,
    new_of: Vec<Vec<u32>>,
}

impl Renumbering {
    pub fn renumber(&self, id: StateId) -> StateId {
        let shard = id.0 & !(u32::MAX << self.shard_bits);
        StateId(self.new_of[shard as usize][(id.0 >> self.shard_bits) as usize])
    }
}

/// A stable 64-bit hash of the packed words.
#[inline(always)]
pub fn hash_words(words: &[u64]) -> u64 {
    let mut hash = 0x243f_6a88_85a3_08d3u64;
    for &word in words {
        let product = u128::from(hash ^ word) * u128::from(0x9e37_79b9_7f4a_7c15u64);
        hash = (product as u64) ^ ((product >> 64) as u64);
    }
    let product = u128::from(hash) * u128::from(0xd6e8_feb8_6659_fd93u64);
    (product as u64) ^ ((product >> 64) as u64)
}
