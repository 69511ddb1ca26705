//! Successors that wait to be stored, so that a worker goes to each shard once for many of them.
//!
//! With several threads, most of the cost of a look-up is not the look-up: the lock and the head of the shard travel from
//! one core to the other. Ten look-ups for one visit make that cheap.

use super::Link;
use crate::model::Label;

#[derive(Default)]
pub struct Pending {
    pub(super) words: Vec<u64>,
    /// Hash, where it was reached from, and by which label.
    pub(super) entries: Vec<(u64, Link, Label)>,
    /// By shard: numbers of its entries.
    pub(super) by_shard: Vec<Vec<u32>>,
}

impl Pending {
    pub fn push(&mut self, hash: u64, state: &[u64], link: Link, label: Label) {
        self.words.extend_from_slice(state);
        self.entries.push((hash, link, label));
    }

    pub fn clear(&mut self) {
        self.words.clear();
        self.entries.clear();
    }
}
