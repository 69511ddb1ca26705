//! Successors that wait to be stored, so that a worker goes to each shard once for many of them.
//!
//! With several threads, most of the cost of a look-up is not the look-up: the lock and the head of the shard travel from
//! one core to the other. Ten look-ups for one visit make that cheap.

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

impl Pending {
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
