//! Rows of numbers, each kept once and known by the order of its first appearance.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use super::Stopped;

#[derive(Default)]
pub struct Interner {
    ends: Vec<usize>,
    numbers: Vec<u32>,
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl Interner {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn row(&self, id: u32) -> &[u32] {
        row(&self.ends, &self.numbers, id)
    }

    /// Its number, and whether it is new.
    pub fn intern(&mut self, given: &[u32]) -> Result<(u32, bool), Stopped> {
        let Interner { ends, numbers, table, hasher } = self;
        let hash = hasher.hash_one(given);
        if let Some(&known) = table.find(hash, |&id| row(ends, numbers, id) == given) {
            return Ok((known, false));
        }
        let id = u32::try_from(ends.len()).ok().filter(|&id| id != super::NONE).ok_or(Stopped::TooLarge)?;
        numbers.extend_from_slice(given);
        ends.push(numbers.len());
        table.insert_unique(hash, id, |&id| hasher.hash_one(row(ends, numbers, id)));
        Ok((id, true))
    }

    pub fn find(&self, given: &[u32]) -> Option<u32> {
        let hash = self.hasher.hash_one(given);
        self.table.find(hash, |&id| self.row(id) == given).copied()
    }
}

fn row<'a>(ends: &[usize], numbers: &'a [u32], id: u32) -> &'a [u32] {
    let id = id as usize;
    let start = if id == 0 { 0 } else { ends[id - 1] };
    &numbers[start..ends[id]]
}
