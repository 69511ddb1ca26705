//! The code that programs are compiled to, and the machine that runs it.
//!
//! All values live in one memory of 64-bit cells: the slots of the state first, then constants, then locals and
//! temporaries, so an operand is always a cell and most of the user's places are known cells before anything runs. Slots
//! hold codes (see `layout`); other cells hold values. Whatever goes wrong in the user's model ends the run with the
//! number of a property.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::body_cache::BodyCache;
use super::observe::Lookups;
pub use super::ops::{Cell, Dimension, Op, Range, Site, SiteArgument, Target};
use crate::kinds::table::NOTHING;
use crate::shape::Bag;

/// Why the machine stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Done,
    Discarded,
    Failed { property: u32 },
}

/// Everything beside the instructions.
#[derive(Clone, Debug, Default)]
pub struct Code {
    pub ops: Vec<Op>,
    pub ranges: Vec<Range>,
    pub dimensions: Vec<Dimension>,
    /// (width of an entry, capacity)
    pub bags: Vec<(u32, u32)>,
    pub sites: Vec<Site>,
    /// The entries of all tables, one after the other; `NOTHING` where there is none.
    pub entries: Vec<i64>,
    /// What `Emit` numbers and memory sizes refer to.
    pub slots: usize,
    pub constants: Vec<i64>,
    pub cells: usize,
}

/// An error of the model that is no property of its own: an undefined value is read, a value leaves its type.
pub const ERROR: u32 = 1;

/// Iterations of loops between two polls of the interrupt flag.
const LOOK_AFTER: u32 = 1 << 12;

/// What the slots hold between runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// The state whose labels were asked for last.
    Parent,
    /// That state, after the body of this label.
    ParentAfter(u32),
    Other,
}

pub struct Memory {
    pub holds: Holds,
    pub cells: Vec<i64>,
    pub emitted: Vec<u32>,
    /// (label, property)
    pub failures: Vec<(u32, u32)>,
    pub covered: Vec<bool>,
    /// What the last body violated on its way.
    pub noted: Vec<u32>,
    pub body_cache: BodyCache,
    /// Set to interrupt: long runs end, and their results mean nothing.
    pub interrupted: Arc<AtomicBool>,
    /// Used instead of `covered` where guards are asked that are not those of the state at hand.
    pub covered_elsewhere: Vec<bool>,
    /// Where wanted: what tables are looked up for.
    pub observed: Option<Box<Lookups>>,
    /// What the slot for the process in control holds after the last body.
    pub control: u64,
    /// Values of a state that guards are asked about before it is known whether it is transient.
    pub next: Vec<u64>,
    /// Was the last successor taken from the body cache? Then the cells do not hold it.
    pub recalled: bool,
}

impl Code {
    pub fn memory(&self, properties: usize, cached: usize, interrupted: &Arc<AtomicBool>) -> Memory {
        let mut cells = vec![0; self.cells];
        cells[self.slots..self.slots + self.constants.len()].copy_from_slice(&self.constants);
        Memory {
            holds: Holds::Other,
            cells,
            emitted: Vec::new(),
            failures: Vec::new(),
            covered: vec![false; properties],
            noted: Vec::new(),
            body_cache: BodyCache::new(cached),
            interrupted: interrupted.clone(),
            covered_elsewhere: vec![false; properties],
            observed: None,
            control: 0,
            next: Vec::new(),
            recalled: false,
        }
    }

    /// Runs from `start`; `state` is what `Restore` goes back to.
    pub fn run(&self, memory: &mut Memory, state: &[u64], start: u32) -> End {
        let Memory { cells, emitted, failures, covered, noted, observed, interrupted, .. } = memory;
        let mut turns = 0u32;
        // As slices, their lengths can stay in registers.
        let (m, ops) = (cells.as_mut_slice(), self.ops.as_slice());
        let mut at = start as usize;
        let mut catch: Option<(Cell, Target)> = None;
        macro_rules! cell {
            ($cell:expr) => {
                m[$cell as usize]
            };
        }
        macro_rules! fail {
            ($property:expr) => {{
                let property = $property;
                match catch {
                    Some((label, target)) => {
                        failures.push((cell!(label) as u32, property));
                        at = target as usize;
                        continue;
                    }
                    None => return End::Failed { property },
                }
            }};
        }
        macro_rules! checked {
            ($to:expr, $value:expr) => {
                match $value {
                    Some(value) => cell!($to) = value,
                    None => fail!(ERROR),
                }
            };
        }
        loop {
            let op = ops[at];
            at += 1;
            match op {
                Op::Move { to, from } => cell!(to) = cell!(from),
                Op::Load { to, from, bias } => {
                    let code = cell!(from);
                    if code == 0 {
                        fail!(ERROR);
                    }
                    cell!(to) = code + i64::from(bias);
                }
                Op::Plus { to, from, bias } => cell!(to) = cell!(from) + i64::from(bias),
                Op::Fetch { to, base, offset } => cell!(to) = m[base as usize + cell!(offset) as usize],
                Op::Put { base, offset, from } => {
                    let to = base as usize + cell!(offset) as usize;
                    m[to] = cell!(from);
                }
                Op::Encode { to, from, range } => {
                    let (value, range) = (cell!(from), &self.ranges[range as usize]);
                    if value < range.low || value > range.high {
                        fail!(ERROR);
                    }
                    cell!(to) = value - range.shift;
                }
                Op::Check { from, range } => {
                    let (value, range) = (cell!(from), &self.ranges[range as usize]);
                    if value < range.low || value > range.high {
                        fail!(ERROR);
                    }
                }
                Op::Recode { to, from, bias, range } => {
                    let code = cell!(from);
                    if code == 0 {
                        cell!(to) = 0;
                    } else {
                        let (value, range) = (code + i64::from(bias), &self.ranges[range as usize]);
                        if value < range.low || value > range.high {
                            fail!(ERROR);
                        }
                        cell!(to) = value - range.shift;
                    }
                }
                Op::Copy { to, from, count } => {
                    let (to, from) = (cell!(to) as usize, cell!(from) as usize);
                    m.copy_within(from..from + count as usize, to);
                }
                Op::Zero { at, count } => {
                    let at = cell!(at) as usize;
                    m[at..at + count as usize].fill(0);
                }
                Op::Same { to, left, right, count } => {
                    let (left, right, count) = (cell!(left) as usize, cell!(right) as usize, count as usize);
                    cell!(to) = i64::from(m[left..left + count] == m[right..right + count]);
                }
                Op::Scale { to, index, dimension } => {
                    let dimension = &self.dimensions[dimension as usize];
                    let position = cell!(index).wrapping_sub(dimension.low);
                    if position < 0 || position >= dimension.size {
                        fail!(ERROR);
                    }
                    cell!(to) = position * dimension.stride;
                }
                Op::Wrap { to, from, range } => {
                    cell!(to) = self.ranges[range as usize].wrapped(cell!(from));
                }
                Op::Lookup { to, site } => {
                    let site = &self.sites[site as usize];
                    if let Some(observed) = observed {
                        observed.add(site, m);
                    }
                    match site.entry(m).map(|entry| self.entries[entry]) {
                        None | Some(NOTHING) => fail!(site.property),
                        Some(value) => cell!(to) = value,
                    }
                }
                Op::Add { to, left, right } => checked!(to, cell!(left).checked_add(cell!(right))),
                Op::Subtract { to, left, right } => checked!(to, cell!(left).checked_sub(cell!(right))),
                Op::Multiply { to, left, right } => checked!(to, cell!(left).checked_mul(cell!(right))),
                Op::Divide { to, left, right } => checked!(to, cell!(left).checked_div(cell!(right))),
                Op::Remainder { to, left, right } => checked!(to, remainder(cell!(left), cell!(right))),
                Op::BitAnd { to, left, right } => cell!(to) = cell!(left) & cell!(right),
                Op::BitOr { to, left, right } => cell!(to) = cell!(left) | cell!(right),
                Op::BitXor { to, left, right } => cell!(to) = cell!(left) ^ cell!(right),
                Op::ShiftLeft { to, left, right } => cell!(to) = shift(cell!(left), cell!(right)),
                Op::ShiftRight { to, left, right } => {
                    cell!(to) = shift(cell!(left), cell!(right).saturating_neg());
                }
                Op::Negate { to, from } => checked!(to, cell!(from).checked_neg()),
                Op::Complement { to, from } => cell!(to) = !cell!(from),
                Op::Jump { target } => at = target as usize,
                Op::JumpIf { test, target } => {
                    if cell!(test) != 0 {
                        at = target as usize;
                    }
                }
                Op::JumpUnless { test, target } => {
                    if cell!(test) == 0 {
                        at = target as usize;
                    }
                }
                Op::JumpEqual { left, right, target } => {
                    if cell!(left) == cell!(right) {
                        at = target as usize;
                    }
                }
                Op::JumpNotEqual { left, right, target } => {
                    if cell!(left) != cell!(right) {
                        at = target as usize;
                    }
                }
                Op::JumpLess { left, right, target } => {
                    if cell!(left) < cell!(right) {
                        at = target as usize;
                    }
                }
                Op::JumpLessOrEqual { left, right, target } => {
                    if cell!(left) <= cell!(right) {
                        at = target as usize;
                    }
                }
                Op::JumpCode { at: slot, code, target } => {
                    let found = cell!(slot);
                    if found == i64::from(code) {
                        at = target as usize;
                    } else if found == 0 {
                        fail!(ERROR);
                    }
                }
                Op::JumpNotCode { at: slot, code, target } => {
                    let found = cell!(slot);
                    if found != i64::from(code) {
                        if found == 0 {
                            fail!(ERROR);
                        }
                        at = target as usize;
                    }
                }
                Op::JumpPast { counter, end, step, target } => {
                    let (counter, end, step) = (cell!(counter), cell!(end), cell!(step));
                    if step == 0 {
                        fail!(ERROR);
                    }
                    if if step > 0 { counter > end } else { counter < end } {
                        at = target as usize;
                    }
                }
                Op::Advance { counter, step, target } => {
                    turns = turns.wrapping_add(1);
                    if turns.is_multiple_of(LOOK_AFTER) && interrupted.load(Ordering::Relaxed) {
                        return End::Discarded;
                    }
                    match cell!(counter).checked_add(cell!(step)) {
                        Some(next) => cell!(counter) = next,
                        None => at = target as usize,
                    }
                }
                Op::Entry { to, bag, position, spec } => {
                    let (width, capacity) = self.bags[spec as usize];
                    let (bag, position) = (cell!(bag) as usize, cell!(position));
                    if position < 0 || position >= i64::from(capacity) {
                        fail!(ERROR);
                    }
                    let entry = bag + position as usize * width as usize;
                    if m[entry] == 0 {
                        fail!(ERROR);
                    }
                    cell!(to) = entry as i64 + 1;
                }
                Op::Present { to, bag, position, spec } => {
                    let width = self.bags[spec as usize].0 as usize;
                    cell!(to) = m[cell!(bag) as usize + cell!(position) as usize * width];
                }
                Op::Take { to, bag, spec } => {
                    let (width, capacity) = self.bags[spec as usize];
                    let bag = cell!(bag) as usize;
                    let free = (0..capacity as usize).find(|entry| m[bag + entry * width as usize] == 0);
                    let Some(free) = free else { fail!(ERROR) };
                    let entry = bag + free * width as usize;
                    m[entry] = 1;
                    cell!(to) = entry as i64 + 1;
                }
                Op::Remove { bag, position, spec } => {
                    let (width, capacity) = self.bags[spec as usize];
                    let (bag, position) = (cell!(bag) as usize, cell!(position));
                    if position < 0 || position >= i64::from(capacity) {
                        fail!(ERROR);
                    }
                    let entry = bag + position as usize * width as usize;
                    if m[entry] == 0 {
                        fail!(ERROR);
                    }
                    m[entry..entry + width as usize].fill(0);
                }
                Op::RemoveFlagged { bag, flags, spec } => {
                    let (width, capacity) = self.bags[spec as usize];
                    let bag = cell!(bag) as usize;
                    for entry in 0..capacity as usize {
                        if m[flags as usize + entry] != 0 {
                            let start = bag + entry * width as usize;
                            m[start..start + width as usize].fill(0);
                        }
                    }
                }
                Op::Sort { bag, spec } => {
                    let (width, capacity) = self.bags[spec as usize];
                    let bag = Bag { first: cell!(bag) as u32, width, capacity };
                    // Names for entries that are gone may have been written through.
                    for entry in m[bag.slots()].chunks_exact_mut(width as usize).filter(|entry| entry[0] == 0)
                    {
                        entry.fill(0);
                    }
                    bag.sort(m);
                }
                Op::Emit { number } => emitted.push(number),
                Op::EmitCell { from } => emitted.push(cell!(from) as u32),
                Op::Cover { property } => covered[property as usize] = true,
                Op::Note { property } => noted.push(property),
                Op::Catch { label, target } => catch = Some((label, target)),
                Op::Uncatch => catch = None,
                Op::Restore => {
                    for (cell, &value) in m.iter_mut().zip(state) {
                        *cell = value as i64;
                    }
                }
                Op::Fail { property } => fail!(property),
                Op::Discard => match catch {
                    Some((_, target)) => at = target as usize,
                    None => return End::Discarded,
                },
                Op::Halt => return End::Done,
            }
        }
    }
}

/// Rounds towards zero; fails on zero alone.
pub fn remainder(left: i64, right: i64) -> Option<i64> {
    if right == 0 { None } else { Some(left.wrapping_rem(right)) }
}

/// To the left, or by a negative number to the right; everything may fall out.
pub fn shift(value: i64, by: i64) -> i64 {
    match by {
        0..64 => value << by,
        -63..0 => value >> -by,
        64.. => 0,
        _ => value >> 63,
    }
}
