//! One shard of the visited set: an arena of states in as many bytes as they need, their links, and the table that finds them.
//!
//! A shard gives its states positions 0, 1, 2, .. and knows nothing of other shards, of locks and of numbers of states.

use crate::visited::links::{CHUNK, Links};
use crate::visited::table::Table;
use crate::visited::{Link, StateId};

#[derive(Default)]
pub struct Shard {
    pub table: Table,
    states: Vec<Box<[u8]>>,
    links: Links,
    /// Which states are shadows; as long as the last shadow needs.
    shadows: Vec<bool>,
    /// By state: the hash by which it was stored, where hashes are kept.
    pub hashes: Vec<u64>,
    pub len: usize,
}

/// How many words a state has, and how many of their bytes are in use.
#[derive(Clone, Copy)]
pub struct Size {
    pub words: usize,
    pub bytes: usize,
}

/// States are a few words long: comparing them in place is faster than a call.
#[inline(always)]
pub fn are_equal(a: &[u8], b: &[u8]) -> bool {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    a.iter().zip(b).all(|(a, b)| u64::from_le_bytes(*a) == u64::from_le_bytes(*b))
        && a_rest.iter().zip(b_rest).all(|(a, b)| a == b)
}

/// Words as bytes, lowest first, so that the unused ones are the last.
#[inline(always)]
pub fn bytes_of(words: &[u64]) -> &[u8] {
    const { assert!(cfg!(target_endian = "little"), "states are stored by their low bytes") };
    bytemuck::cast_slice(words)
}

impl Shard {
    #[inline(always)]
    pub fn state(&self, local: u32, size: Size) -> &[u8] {
        let start = (local as usize % CHUNK) * size.bytes;
        &self.states[local as usize / CHUNK][start..start + size.bytes]
    }

    #[inline(always)]
    pub fn read(&self, local: u32, size: Size, words: &mut [u64]) {
        if let Some(last) = words.last_mut() {
            *last = 0;
        }
        bytemuck::cast_slice_mut(words)[..size.bytes].copy_from_slice(self.state(local, size));
    }

    #[inline(always)]
    pub fn link(&self, local: u32) -> Link {
        let Some(number) = self.links.get(local as usize).map(StateId) else { return Link::Initial };
        if self.is_shadow(local) { Link::Shadow(number) } else { Link::From(number) }
    }

    #[inline(always)]
    pub fn is_shadow(&self, local: u32) -> bool {
        self.shadows.get(local as usize).is_some_and(|&is_shadow| is_shadow)
    }

    #[inline(always)]
    pub fn set_link(&mut self, local: usize, link: Link) {
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

    pub fn push(&mut self, state: &[u64], link: Link, size: Size) -> u32 {
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

    /// Reads what look-ups for these hashes will read first: here the cache misses overlap, there each would be waited for.
    pub fn warm_up(&self, hashes: impl Iterator<Item = u64> + Clone, size: Size) {
        let touched = hashes.clone().filter_map(|hash| self.table.first(hash)).fold(0, u32::wrapping_add);
        let first = hashes.filter_map(|hash| self.table.first(hash));
        let bytes = first.filter_map(|local| self.state(local, size).first().copied());
        std::hint::black_box((touched, bytes.fold(0u8, u8::wrapping_add)));
    }

    pub fn bytes(&self, size: Size) -> usize {
        self.table.bytes()
            + self.states.len() * CHUNK * size.bytes
            + self.links.bytes()
            + self.shadows.capacity()
            + self.hashes.capacity() * 8
    }
}
