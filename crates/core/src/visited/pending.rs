//! Successors that are collected before they are stored, so that a worker locks each shard once for many of them.
//!
//! With several threads most of the cost of a look-up is that the cache lines of the lock and of the shard's head move from
//! core to core. Ten look-ups under one lock share that cost.

use super::StateId;
use crate::model::Label;

/// All of a pending state but its words: 24 bytes, as thousands of them pass through the cache.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub hash: u64,
    /// The state it was reached from, and by which label.
    pub from: StateId,
    pub label: Label,
}

#[derive(Default)]
pub struct Pending {
    pub(super) words: Vec<u64>,
    pub(super) entries: Vec<Entry>,
    /// By shard: numbers of its entries.
    pub(super) by_shard: Vec<Vec<u32>>,
}

/// Words of states that are collected at most: what a cache holds.
const MAX_WORDS: usize = 1 << 16;

impl Pending {
    /// Is it time to store what was collected?
    #[inline(always)]
    pub fn is_large(&self) -> bool {
        self.words.len() > MAX_WORDS
    }

    #[inline(always)]
    pub fn push(&mut self, hash: u64, state: &[u64], from: StateId, label: Label) {
        // States are a few words long: a loop is faster than a call.
        state.iter().for_each(|&word| self.words.push(word));
        self.entries.push(Entry { hash, from, label });
    }

    pub fn clear(&mut self) {
        self.words.clear();
        self.entries.clear();
    }
}
