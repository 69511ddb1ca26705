//! A cache of the outcomes of an operation, by the values of the variables that it reads.
//!
//! An operation reads some variables only, so in most states its outcomes are known from another state. The same holds for
//! claims. Tables belong to a thread and are bounded; one with few hits turns itself off.

use hashbrown::HashTable;

use crate::kinds::machine::nodes::Slot;
use crate::kinds::machine::values::Value;
use crate::model::Label;
use crate::random::mix;

/// One outcome of an operation: what it writes is a stretch of the table's writes.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    pub label: Label,
    pub start: u32,
    pub length: u32,
    pub fails: bool,
}

const MAX_ENTRIES: usize = 1 << 20;
/// A table that answers too few of this many look-ups is turned off.
const TRIAL: u64 = 1 << 13;

#[derive(Clone, Copy)]
struct Entry {
    hash: u64,
    /// Where its values are among the keys; EXACT where the hash says them.
    key: u32,
    start: u32,
    length: u32,
}

/// From the slots an operation reads to its outcomes.
pub struct OutcomeCache {
    reads: Vec<Slot>,
    keys: Vec<u64>,
    entries: HashTable<Entry>,
    pub outcomes: Vec<Outcome>,
    pub writes: Vec<(Slot, Value)>,
    asked: u64,
    answered: u64,
    is_off: bool,
}

const EXACT: u32 = u32::MAX;

/// What is looked up: a hash, and whether it belongs to these values alone.
#[derive(Clone, Copy)]
pub struct Hash {
    hash: u64,
    is_exact: bool,
}

/// Few small values fit into one word side by side, of which `mix` makes another that no other word becomes.
#[inline(always)]
fn exact_hash(reads: &[Slot], values: &[u64]) -> Option<u64> {
    let value = |slot: Slot| values[slot as usize];
    let (width, word) = match *reads {
        [a] => (64, value(a)),
        [a, b] => (32, value(a) << 32 | value(b)),
        [a, b, c] => (21, value(a) << 42 | value(b) << 21 | value(c)),
        [a, b, c, d] => (16, value(a) << 48 | value(b) << 32 | value(c) << 16 | value(d)),
        _ => return None,
    };
    let all = reads.iter().fold(0, |all, &slot| all | value(slot));
    (width == 64 || all >> width == 0).then(|| mix(word))
}

impl OutcomeCache {
    pub fn new(reads: &[Slot]) -> OutcomeCache {
        OutcomeCache {
            reads: reads.to_vec(),
            keys: Vec::new(),
            entries: HashTable::new(),
            outcomes: Vec::new(),
            writes: Vec::new(),
            asked: 0,
            answered: 0,
            is_off: false,
        }
    }

    /// To be called before a state is expanded: nothing of the previous state is needed any more.
    #[inline(always)]
    pub fn make_room(&mut self) {
        let size = self.entries.len() + self.keys.len() + self.outcomes.len() + self.writes.len();
        if self.is_off || size > MAX_ENTRIES {
            self.clear();
        }
    }

    /// To be called where `find` found nothing.
    fn judge(&mut self) {
        if self.asked > TRIAL && self.answered * 16 < self.asked {
            self.is_off = true;
            self.entries.clear();
            self.entries.shrink_to(0, |entry| entry.hash);
        }
    }

    fn clear(&mut self) {
        self.entries.clear();
        self.keys.clear();
        self.outcomes.clear();
        self.writes.clear();
    }

    #[inline(always)]
    fn hash(&self, values: &[u64]) -> Hash {
        if let Some(hash) = exact_hash(&self.reads, values) {
            return Hash { hash, is_exact: true };
        }
        let mut hash = 0u64;
        for &slot in &self.reads {
            hash = (hash.rotate_left(5) ^ values[slot as usize]).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
        Hash { hash: mix(hash), is_exact: false }
    }

    /// The outcomes found before for these values; else the hash under which they are to be kept.
    #[inline(always)]
    pub fn find(&mut self, values: &[u64]) -> Result<std::ops::Range<usize>, Hash> {
        if self.is_off {
            return Err(Hash { hash: 0, is_exact: false });
        }
        self.asked += 1;
        let hash = self.hash(values);
        let (keys, reads) = (&self.keys, &self.reads);
        let same = |entry: &Entry| {
            if entry.hash != hash.hash || (entry.key == EXACT) != hash.is_exact {
                return false;
            }
            let mut held = reads.iter().enumerate();
            hash.is_exact || held.all(|(at, &slot)| keys[entry.key as usize + at] == values[slot as usize])
        };
        match self.entries.find(hash.hash, same) {
            Some(entry) => {
                self.answered += 1;
                Ok(entry.start as usize..(entry.start + entry.length) as usize)
            }
            None => {
                self.judge();
                Err(hash)
            }
        }
    }

    /// Keeps the outcomes from `start` on.
    pub fn keep(&mut self, Hash { hash, is_exact }: Hash, values: &[u64], start: usize) {
        if self.is_off {
            return;
        }
        let key = if is_exact { EXACT } else { self.keys.len() as u32 };
        if !is_exact {
            self.keys.extend(self.reads.iter().map(|&slot| values[slot as usize]));
        }
        let length = (self.outcomes.len() - start) as u32;
        let entry = Entry { hash, key, start: start as u32, length };
        self.entries.insert_unique(hash, entry, |entry| entry.hash);
    }
}

/// From the slots a claim reads to its verdict: 0 nothing known, else one more than the verdict.
pub struct Verdicts {
    reads: Vec<Slot>,
    /// One slot: by its value.
    by_value: Vec<u8>,
    by_values: HashTable<(u64, u32, u8)>,
    keys: Vec<u64>,
    asked: u64,
    answered: u64,
}

const MAX_VALUES: usize = 1 << 22;

impl Verdicts {
    pub fn new(reads: &[Slot]) -> Verdicts {
        Verdicts {
            reads: reads.to_vec(),
            by_value: Vec::new(),
            by_values: HashTable::new(),
            keys: Vec::new(),
            asked: 0,
            answered: 0,
        }
    }

    fn hash(&self, values: &[u64]) -> u64 {
        let mut hash = 1u64;
        for &slot in &self.reads {
            hash = (hash.rotate_left(5) ^ values[slot as usize]).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
        mix(hash)
    }

    #[inline(always)]
    pub fn find_or(&mut self, values: &[u64], mut judge: impl FnMut() -> Option<u8>) -> Option<u8> {
        if let &[slot] = self.reads.as_slice() {
            let value = values[slot as usize] as usize;
            if value >= MAX_VALUES {
                return judge();
            }
            if let Some(&known) = self.by_value.get(value)
                && known != 0
            {
                return Some(known - 1);
            }
            let verdict = judge()?;
            if self.by_value.len() <= value {
                self.by_value.resize((value + 1).next_power_of_two(), 0);
            }
            self.by_value[value] = verdict + 1;
            return Some(verdict);
        }
        self.asked += 1;
        if self.asked > TRIAL && self.answered * 8 < self.asked {
            return judge();
        }
        let hash = self.hash(values);
        let (keys, reads) = (&self.keys, &self.reads);
        let same = |&(other, key, _): &(u64, u32, u8)| {
            other == hash
                && reads
                    .iter()
                    .enumerate()
                    .all(|(at, &slot)| keys[key as usize + at] == values[slot as usize])
        };
        if let Some(&(_, _, verdict)) = self.by_values.find(hash, same) {
            self.answered += 1;
            return Some(verdict);
        }
        let verdict = judge()?;
        if self.keys.len() > MAX_ENTRIES {
            self.keys.clear();
            self.by_values.clear();
        }
        let key = self.keys.len() as u32;
        self.keys.extend(self.reads.iter().map(|&slot| values[slot as usize]));
        self.by_values.insert_unique(hash, (hash, key, verdict), |&(hash, ..)| hash);
        Some(verdict)
    }
}
