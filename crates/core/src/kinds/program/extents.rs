//! Which slots a piece of linked code may read, may write and surely writes.
//!
//! Most operands are known cells. Computed addresses are bounded by what makes them: an index inside its dimension, times
//! the stride, plus what is fixed. What is known of a cell holds up to the next target of a jump; from there on, it may hold
//! anything that the piece ever writes to it.

use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;

use super::code::{Cell, Code, Op};
use super::compile::target_of;

/// Lists of slots, ascending; None where it cannot be said beforehand, or where there are too many to be of use.
pub struct Extent {
    pub reads: Option<Vec<u32>>,
    pub writes: Option<Vec<u32>>,
    /// Written whenever the code comes to its end.
    pub surely: Vec<u32>,
}

/// Slots that a list holds at most.
const MOST: usize = 1 << 12;

type Bounds = RangeInclusive<i64>;

/// Looks at `ops[start..end]`, which is entered at its beginning and left at its end, or by failing.
pub fn extent(code: &Code, start: usize, end: usize) -> Extent {
    let mut survey = Survey { code, known: HashMap::new(), ever: HashMap::new() };
    let ops = &code.ops[start..end];
    let joins: HashSet<usize> = ops.iter().filter_map(target_of).map(|target| target as usize).collect();
    // Addresses are made from addresses: once round for those that come first, again for those made from them.
    for _ in 0..3 {
        survey.bound_addresses(ops);
    }
    let mut found = Accessed { slots: code.slots, reads: Some(Vec::new()), writes: Some(Vec::new()) };
    let mut surely = Vec::new();
    let mut farthest = start;
    let mut ended = false;
    for (at, op) in ops.iter().enumerate() {
        if joins.contains(&(start + at)) {
            survey.known.clear();
        }
        survey.look_at(op, &mut found);
        if let (false, true, Some((cell, count))) = (ended, start + at >= farthest, survey.sure_write(op)) {
            surely.extend((cell..cell + count).filter(|&cell| (cell as usize) < code.slots).take(MOST));
        }
        survey.learn(op);
        farthest = farthest.max(target_of(op).map_or(0, |target| target as usize));
        ended |= matches!(op, Op::Halt | Op::Discard);
    }
    surely.sort_unstable();
    surely.dedup();
    Extent { reads: found.reads.map(in_order), writes: found.writes.map(in_order), surely }
}

fn in_order(mut slots: Vec<u32>) -> Vec<u32> {
    slots.sort_unstable();
    slots.dedup();
    slots
}

struct Accessed {
    slots: usize,
    reads: Option<Vec<u32>>,
    writes: Option<Vec<u32>>,
}

impl Accessed {
    fn read(&mut self, region: Option<(Bounds, u32)>) {
        add(&mut self.reads, region, self.slots);
    }

    fn write(&mut self, region: Option<(Bounds, u32)>) {
        add(&mut self.writes, region, self.slots);
    }
}

/// Adds the cells from each of the bounds on, so many; None: any.
fn add(list: &mut Option<Vec<u32>>, region: Option<(Bounds, u32)>, slots: usize) {
    let Some(mut cells) = list.take() else { return };
    let Some((starts, count)) = region else { return };
    let (first, past) = ((*starts.start()).max(0), starts.end().saturating_add(i64::from(count)));
    cells.extend((first..past.min(slots as i64)).take(2 * MOST).map(|cell| cell as u32));
    if cells.len() > MOST {
        cells = in_order(cells);
    }
    *list = (cells.len() <= MOST).then_some(cells);
}

/// May the cell be among so many from one of these starts on?
fn may_cover((starts, count): &(Bounds, u32), cell: Cell) -> bool {
    let past = starts.end().saturating_add(i64::from(*count));
    (*starts.start()..past).contains(&i64::from(cell))
}

fn cell(cell: Cell) -> Option<(Bounds, u32)> {
    Some((i64::from(cell)..=i64::from(cell), 1))
}

struct Survey<'c> {
    code: &'c Code,
    /// What cells hold where the code stands.
    known: HashMap<Cell, Bounds>,
    /// What cells hold anywhere in the code; None: anything.
    ever: HashMap<Cell, Option<Bounds>>,
}

impl Survey<'_> {
    /// What the cell may hold.
    fn bounds(&self, cell: Cell) -> Option<Bounds> {
        if let Some(at) = (cell as usize).checked_sub(self.code.slots)
            && let Some(&constant) = self.code.constants.get(at)
        {
            return Some(constant..=constant);
        }
        self.known.get(&cell).or_else(|| self.ever.get(&cell)?.as_ref()).cloned()
    }

    fn bound_addresses(&mut self, ops: &[Op]) {
        let mut ever: HashMap<Cell, Option<Bounds>> = HashMap::new();
        for op in ops {
            let Some(to) = result(op) else { continue };
            let bounds = self.made(op);
            let hull = |old: &Bounds, new: &Bounds| *old.start().min(new.start())..=*old.end().max(new.end());
            ever.entry(to)
                .and_modify(|old| *old = old.as_ref().zip(bounds.as_ref()).map(|(old, new)| hull(old, new)))
                .or_insert(bounds);
        }
        for op in ops {
            match self.overwritten(op) {
                Some(region) => {
                    let covered = ever.iter_mut().filter(|(cell, _)| may_cover(&region, **cell));
                    covered.for_each(|(_, bounds)| *bounds = None);
                }
                None => ever.values_mut().for_each(|bounds| *bounds = None),
            }
        }
        self.ever = ever;
    }

    /// The cells that an instruction writes beside its result; None: any.
    fn overwritten(&self, op: &Op) -> Option<(Bounds, u32)> {
        match *op {
            Op::Advance { counter: to, .. } => cell(to),
            Op::Put { base, offset, .. } => self.at_offset(base, offset),
            Op::Copy { to, count, .. } => self.region(to, count),
            Op::Zero { at, count } => self.region(at, count),
            Op::Take { bag, spec, .. }
            | Op::Remove { bag, spec, .. }
            | Op::RemoveFlagged { bag, spec, .. }
            | Op::Sort { bag, spec } => self.bag(bag, spec),
            Op::Restore => None,
            _ => Some((0..=0, 0)),
        }
    }

    /// The bounds of what an instruction makes, where it makes addresses.
    fn made(&self, op: &Op) -> Option<Bounds> {
        match *op {
            Op::Scale { dimension, .. } => {
                let dimension = self.code.dimensions[dimension as usize];
                Some(0..=(dimension.size - 1).checked_mul(dimension.stride)?)
            }
            Op::Move { from, .. } => self.bounds(from),
            Op::Plus { from, bias, .. } => {
                let (from, bias) = (self.bounds(from)?, i64::from(bias));
                Some(from.start().checked_add(bias)?..=from.end().checked_add(bias)?)
            }
            Op::Add { left, right, .. } => {
                let (left, right) = (self.bounds(left)?, self.bounds(right)?);
                Some(left.start().checked_add(*right.start())?..=left.end().checked_add(*right.end())?)
            }
            Op::Entry { bag, spec, .. } | Op::Take { bag, spec, .. } => {
                let (width, capacity) = self.code.bags[spec as usize];
                let (bag, last) = (self.bounds(bag)?, i64::from(capacity.max(1) - 1) * i64::from(width));
                Some(bag.start() + 1..=bag.end() + 1 + last)
            }
            _ => None,
        }
    }

    fn learn(&mut self, op: &Op) {
        match self.overwritten(op) {
            Some(region) => self.known.retain(|&cell, _| !may_cover(&region, cell)),
            None => self.known.clear(),
        }
        let Some(to) = result(op) else { return };
        match self.made(op) {
            Some(bounds) => self.known.insert(to, bounds),
            None => self.known.remove(&to),
        };
    }

    /// Cells from what the address cell holds on.
    fn region(&self, address: Cell, count: u32) -> Option<(Bounds, u32)> {
        Some((self.bounds(address)?, count))
    }

    fn bag(&self, bag: Cell, spec: u32) -> Option<(Bounds, u32)> {
        let (width, capacity) = self.code.bags[spec as usize];
        self.region(bag, width * capacity)
    }

    fn at_offset(&self, base: Cell, offset: Cell) -> Option<(Bounds, u32)> {
        let (offset, base) = (self.bounds(offset)?, i64::from(base));
        Some((offset.start().checked_add(base)?..=offset.end().checked_add(base)?, 1))
    }

    /// The same as far as slots are concerned: locals lie behind them, and an offset from there never comes back.
    fn slots_at_offset(&self, base: Cell, offset: Cell) -> Option<(Bounds, u32)> {
        if base as usize >= self.code.slots { cell(base) } else { self.at_offset(base, offset) }
    }

    /// One known place that the instruction writes, as (first, how many).
    fn sure_write(&self, op: &Op) -> Option<(Cell, u32)> {
        let fixed = |address: Cell| {
            let bounds = self.bounds(address)?;
            (bounds.start() == bounds.end()).then_some(*bounds.start() as Cell)
        };
        match *op {
            Op::Copy { to, count, .. } => Some((fixed(to)?, count)),
            Op::Zero { at, count } => Some((fixed(at)?, count)),
            // Left where the counter does not go on.
            Op::Advance { .. } => None,
            _ => Some((result(op)?, 1)),
        }
    }

    fn look_at(&self, op: &Op, found: &mut Accessed) {
        found.write(result(op).map_or(Some((0..=0, 0)), cell));
        found.write(match *op {
            Op::Put { base, offset, .. } => self.slots_at_offset(base, offset),
            _ => self.overwritten(op),
        });
        let mut read = |cells: &[Cell]| cells.iter().for_each(|&each| found.read(cell(each)));
        match *op {
            Op::Move { from, .. }
            | Op::Load { from, .. }
            | Op::Plus { from, .. }
            | Op::Encode { from, .. }
            | Op::Check { from, .. }
            | Op::Recode { from, .. }
            | Op::Negate { from, .. }
            | Op::Complement { from, .. }
            | Op::Wrap { from, .. }
            | Op::EmitCell { from } => read(&[from]),
            Op::Scale { index: test, .. }
            | Op::JumpIf { test, .. }
            | Op::JumpUnless { test, .. }
            | Op::JumpCode { at: test, .. }
            | Op::JumpNotCode { at: test, .. }
            | Op::Catch { label: test, .. } => read(&[test]),
            Op::Add { left, right, .. }
            | Op::Subtract { left, right, .. }
            | Op::Multiply { left, right, .. }
            | Op::Divide { left, right, .. }
            | Op::Remainder { left, right, .. }
            | Op::BitAnd { left, right, .. }
            | Op::BitOr { left, right, .. }
            | Op::BitXor { left, right, .. }
            | Op::ShiftLeft { left, right, .. }
            | Op::ShiftRight { left, right, .. }
            | Op::JumpEqual { left, right, .. }
            | Op::JumpNotEqual { left, right, .. }
            | Op::JumpLess { left, right, .. }
            | Op::JumpLessOrEqual { left, right, .. } => read(&[left, right]),
            Op::JumpPast { counter, end, step, .. } => read(&[counter, end, step]),
            Op::Advance { counter, step, .. } => read(&[counter, step]),
            Op::Fetch { base, offset, .. } => {
                read(&[offset]);
                found.read(self.slots_at_offset(base, offset));
            }
            Op::Put { offset, from, .. } => read(&[offset, from]),
            Op::Copy { from, count, .. } => found.read(self.region(from, count)),
            Op::Same { left, right, count, .. } => {
                found.read(self.region(left, count));
                found.read(self.region(right, count));
            }
            Op::Entry { bag, position, spec, .. }
            | Op::Present { bag, position, spec, .. }
            | Op::Remove { bag, position, spec } => {
                read(&[position]);
                found.read(self.bag(bag, spec));
            }
            Op::Take { bag, spec, .. } | Op::RemoveFlagged { bag, spec, .. } | Op::Sort { bag, spec } => {
                found.read(self.bag(bag, spec));
            }
            Op::Lookup { site, .. } => read(&self.code.sites[site as usize].cells),
            Op::Restore => found.read(None),
            Op::Zero { .. }
            | Op::Jump { .. }
            | Op::Emit { .. }
            | Op::Cover { .. }
            | Op::Note { .. }
            | Op::Uncatch
            | Op::Fail { .. }
            | Op::Discard
            | Op::Halt => {}
        }
    }
}

/// The one cell that an instruction puts its result into.
fn result(op: &Op) -> Option<Cell> {
    match *op {
        Op::Move { to, .. }
        | Op::Load { to, .. }
        | Op::Plus { to, .. }
        | Op::Fetch { to, .. }
        | Op::Encode { to, .. }
        | Op::Recode { to, .. }
        | Op::Same { to, .. }
        | Op::Scale { to, .. }
        | Op::Wrap { to, .. }
        | Op::Lookup { to, .. }
        | Op::Add { to, .. }
        | Op::Subtract { to, .. }
        | Op::Multiply { to, .. }
        | Op::Divide { to, .. }
        | Op::Remainder { to, .. }
        | Op::BitAnd { to, .. }
        | Op::BitOr { to, .. }
        | Op::BitXor { to, .. }
        | Op::ShiftLeft { to, .. }
        | Op::ShiftRight { to, .. }
        | Op::Negate { to, .. }
        | Op::Complement { to, .. }
        | Op::Entry { to, .. }
        | Op::Present { to, .. }
        | Op::Take { to, .. } => Some(to),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::program::code::Dimension;

    /// Six slots, the constants 0 and 4 in cells 6 and 7, one dimension of three elements, each one slot wide.
    fn code(ops: &[Op]) -> Code {
        let dimensions = vec![Dimension { low: 0, size: 3, stride: 1 }];
        Code { ops: ops.to_vec(), dimensions, slots: 6, constants: vec![0, 4], cells: 20, ..Code::default() }
    }

    fn extent_of(ops: &[Op]) -> (Option<Vec<u32>>, Option<Vec<u32>>, Vec<u32>) {
        let extent = extent(&code(ops), 0, ops.len());
        (extent.reads, extent.writes, extent.surely)
    }

    #[test]
    fn an_index_reaches_its_array_only() {
        let scale = Op::Scale { to: 10, index: 0, dimension: 0 };
        let put = Op::Put { base: 2, offset: 10, from: 5 };
        assert_eq!(extent_of(&[scale, put, Op::Halt]), (Some(vec![0, 5]), Some(vec![2, 3, 4]), vec![]));
    }

    #[test]
    fn an_address_that_jumps_come_to_is_bounded_by_all_that_make_it() {
        let ops = [
            Op::Scale { to: 10, index: 0, dimension: 0 },
            Op::JumpIf { test: 1, target: 3 },
            Op::Move { to: 10, from: 7 },
            Op::Fetch { to: 11, base: 1, offset: 10 },
            Op::Halt,
        ];
        assert_eq!(extent_of(&ops).0, Some(vec![0, 1, 2, 3, 4, 5]));
    }

    #[test]
    fn an_address_from_anywhere_may_be_anything() {
        let fetch = Op::Fetch { to: 11, base: 1, offset: 10 };
        assert_eq!(extent_of(&[fetch, Op::Halt]).0, None);
        let counted = [Op::Move { to: 10, from: 6 }, Op::Advance { counter: 10, step: 7, target: 0 }, fetch];
        assert_eq!(extent_of(&counted).0, None);
    }

    #[test]
    fn a_lookup_reads_its_arguments() {
        use crate::kinds::program::code::{Site, SiteArgument};
        let dimension = Dimension { low: 0, size: 3, stride: 1 };
        let ops = [Op::Lookup { to: 5, site: 0 }, Op::Halt];
        let mut code = code(&ops);
        let arguments = [SiteArgument { cell: 2, dimension }].into();
        code.sites.push(Site { table: 0, first: 0, arguments, cells: [2, 7].into(), property: 1 });
        let extent = extent(&code, 0, ops.len());
        assert_eq!((extent.reads, extent.writes, extent.surely), (Some(vec![2]), Some(vec![5]), vec![5]));
    }

    #[test]
    fn what_a_jump_may_skip_is_not_sure_to_be_written() {
        let ops = [
            Op::Move { to: 0, from: 6 },
            Op::JumpIf { test: 3, target: 3 },
            Op::Move { to: 1, from: 6 },
            Op::Zero { at: 7, count: 2 },
            Op::Halt,
        ];
        assert_eq!(extent_of(&ops), (Some(vec![3]), Some(vec![0, 1, 4, 5]), vec![0, 4, 5]));
    }
}
