//! A list of markings in which those that may cover, or be covered, are found by which parts of their profiles are marked.
//!
//! Short lists are looked through. A long one has a row of bits for each part: which entries are marked there. What covers a
//! marking is marked wherever it is; what it covers is marked nowhere else.

use super::tokens::Tokens;

/// Up to so many entries no bits are kept.
const SHORT: usize = 96;

/// Which entries are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Those that cover the marking.
    Above,
    /// Those that the marking covers.
    Below,
}

#[derive(Clone, Copy)]
pub struct Entry {
    pub id: u32,
    /// Which parts are marked, modulo 64.
    pub support: u64,
    pub total: u64,
}

#[derive(Default)]
pub struct Shelf {
    entries: Vec<Entry>,
    /// By block of 64 entries: which are still there. Empty in short lists, as are the rows.
    present: Vec<u64>,
    /// By part: its row, and how many entries are marked there.
    rows: Vec<Vec<u64>>,
    marked: Vec<u32>,
    gone: usize,
}

impl Shelf {
    pub fn len(&self) -> usize {
        self.entries.len() - self.gone
    }

    pub fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
            + self.present.len() * (self.rows.len() + 1) * size_of::<u64>()
    }

    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        let is_here = |at: usize| self.present.is_empty() || self.present[at / 64] >> (at % 64) & 1 == 1;
        self.entries.iter().enumerate().filter(move |&(at, _)| is_here(at)).map(|(_, entry)| entry)
    }

    /// `profile_of` gives the profiles of entries.
    pub fn push<'p, T: Tokens + 'p>(&mut self, entry: Entry, profile_of: &impl Fn(u32) -> &'p [T]) {
        self.entries.push(entry);
        if !self.rows.is_empty() {
            self.file(self.entries.len() - 1, profile_of(entry.id));
        } else if self.entries.len() > SHORT {
            self.rebuild(profile_of);
        }
    }

    fn rebuild<'p, T: Tokens + 'p>(&mut self, profile_of: &impl Fn(u32) -> &'p [T]) {
        let width = profile_of(self.entries[0].id).len();
        self.rows = vec![Vec::new(); width];
        self.marked = vec![0; width];
        (self.present, self.gone) = (Vec::new(), 0);
        for at in 0..self.entries.len() {
            self.file(at, profile_of(self.entries[at].id));
        }
    }

    fn file<T: Tokens>(&mut self, at: usize, profile: &[T]) {
        if at / 64 >= self.present.len() {
            self.present.push(0);
            self.rows.iter_mut().for_each(|row| row.push(0));
        }
        let bit = 1u64 << (at % 64);
        self.present[at / 64] |= bit;
        for (part, tokens) in profile.iter().enumerate() {
            if *tokens != T::default() {
                self.rows[part][at / 64] |= bit;
                self.marked[part] += 1;
            }
        }
    }

    /// Is `is_found` true for one of the entries that may be on that side of the marking? The newest are asked first.
    pub fn any<T: Tokens>(
        &self,
        profile: &[T],
        side: Side,
        mut is_found: impl FnMut(&Entry) -> bool,
    ) -> bool {
        if self.rows.is_empty() {
            return self.entries.iter().rev().any(is_found);
        }
        let parts = self.telling(profile, side);
        (0..self.present.len()).rev().any(|block| {
            let mut bits = self.candidates(block, &parts, side);
            while bits != 0 {
                let at = bits.ilog2();
                if is_found(&self.entries[block * 64 + at as usize]) {
                    return true;
                }
                bits &= !(1 << at);
            }
            false
        })
    }

    /// Takes out the entries on that side for which `is_found` is true; returns how many.
    pub fn remove<'p, T: Tokens + 'p>(
        &mut self,
        profile: &[T],
        side: Side,
        profile_of: &impl Fn(u32) -> &'p [T],
        mut is_found: impl FnMut(&Entry) -> bool,
    ) -> usize {
        let before = self.len();
        if self.rows.is_empty() {
            self.entries.retain(|entry| !is_found(entry));
            return before - self.len();
        }
        let parts = self.telling(profile, side);
        for block in 0..self.present.len() {
            let mut bits = self.candidates(block, &parts, side);
            while bits != 0 {
                let at = bits.ilog2();
                if is_found(&self.entries[block * 64 + at as usize]) {
                    self.present[block] &= !(1 << at);
                    self.gone += 1;
                }
                bits &= !(1 << at);
            }
        }
        let removed = before - self.len();
        if self.gone > self.entries.len() / 2 {
            self.entries = self.entries().copied().collect();
            (self.rows, self.present, self.gone) = (Vec::new(), Vec::new(), 0);
            if self.entries.len() > SHORT {
                self.rebuild(profile_of);
            }
        }
        removed
    }

    /// The parts whose rows exclude entries, those that exclude most first.
    fn telling<T: Tokens>(&self, profile: &[T], side: Side) -> Vec<usize> {
        let is_marked = |part: &usize| profile[*part] != T::default();
        let mut parts: Vec<usize> = match side {
            Side::Above => (0..profile.len()).filter(is_marked).collect(),
            Side::Below => (0..profile.len()).filter(|p| !is_marked(p) && self.marked[*p] > 0).collect(),
        };
        parts.sort_unstable_by_key(|&part| self.marked[part]);
        if side == Side::Below {
            parts.reverse();
        }
        parts
    }

    fn candidates(&self, block: usize, parts: &[usize], side: Side) -> u64 {
        let mut bits = self.present[block];
        for &part in parts {
            let row = self.rows[part][block];
            bits &= if side == Side::Above { row } else { !row };
            if bits == 0 {
                break;
            }
        }
        bits
    }
}
