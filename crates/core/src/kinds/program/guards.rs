//! Guards: which labels are enabled in a state.
//!
//! Most guards begin by comparing slots with constants, and most of them fail there. These tests are taken out of the code
//! and made for 64 guards at once: for each slot that is tested, a table has, by code, the guards that pass. A state
//! costs one look-up for each such slot, however many guards there are. Where the rest of a guard reads
//! a few bits only, it is evaluated on all of their values beforehand, and is one more look-up.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::code::{Cell, Code, End, Memory, Op, Target};
use super::extents::extent;
use crate::model::Label;
use crate::schema::Schema;

#[derive(Clone)]
pub struct Guard {
    /// None: the code emits which of its many labels are enabled.
    pub label: Option<Label>,
    pub start: Target,
    end: Target,
    /// The first tests, among those of all guards.
    tests: std::ops::Range<usize>,
    /// Where the code goes on behind them; None: where they hold, so does the guard.
    pub rest: Option<Target>,
}

/// Has a slot this code?
struct Test {
    slot: u32,
    /// Is code 0 the undefined value, which must not be read?
    optional: bool,
    wanted: bool,
    code: u64,
}

pub struct Guards {
    guards: Vec<Guard>,
    /// Of all guards, one after the other.
    tests: Vec<Test>,
    blocks: Vec<Block>,
}

/// 64 guards.
struct Block {
    columns: Vec<Column>,
    /// The rests of guards that read few bits.
    rests: Vec<Rest>,
    /// Guards that `rests` decide.
    settled: u64,
    /// Guards whose tests are made one by one.
    apart: u64,
    all: u64,
}

/// By code of a slot: which guards of a block pass; the last entry is for all codes that none of them tests.
struct Column {
    slot: u32,
    entries: Vec<Entry>,
}

/// What the guards of a block say to the codes of some slots, put side by side.
struct Rest {
    /// (slot, bits)
    slots: Vec<(u32, u8)>,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy)]
struct Entry {
    /// Guards that go on.
    pass: u64,
    /// Guards that would read an undefined value, if they came so far: their tests are made one by one.
    unsure: u64,
}

/// Codes that a column has entries for at most.
const CODES: u64 = 1 << 10;
/// Bits that are tried out at most, and tables of them for each block.
const TRIED_BITS: u32 = 8;
const MAX_RESTS: usize = 16;

/// How far a guard came.
pub enum Verdict {
    Holds,
    /// The code from here on decides.
    Ask(Target),
}

impl Guard {
    pub fn new(label: Option<Label>, start: Target, end: Target) -> Guard {
        Guard { label, start, end, tests: 0..0, rest: Some(start) }
    }
}

impl Guards {
    pub fn new(mut guards: Vec<Guard>, code: &Code, schema: &Schema) -> Guards {
        let mut tests = Vec::new();
        guards.iter_mut().for_each(|guard| take_tests_out(code, guard, &mut tests));
        // What takes many turns is not tried out.
        let mut memory = code.memory(0, 0, &Arc::new(AtomicBool::new(true)));
        let blocks = guards.chunks(64).map(|guards| {
            let mut block = Block::new(guards, &tests);
            block.try_out(guards, (code, &mut memory), schema);
            block
        });
        Guards { blocks: blocks.collect(), guards, tests }
    }

    /// Calls `found` with each guard that may hold, in order, until it returns true; whether it did.
    #[inline(always)]
    pub fn visit(&self, values: &[u64], mut found: impl FnMut(&Guard, Verdict) -> bool) -> bool {
        for (block, guards) in self.blocks.iter().zip(self.guards.chunks(64)) {
            let (mut pass, mut unsure) = (block.all, block.apart);
            for column in &block.columns {
                let code = values[column.slot as usize] as usize;
                let entry = column.entries[code.min(column.entries.len() - 1)];
                pass &= entry.pass;
                unsure |= entry.unsure;
            }
            if pass & block.settled != 0 {
                for rest in &block.rests {
                    let entry = rest.entry(values);
                    pass &= entry.pass;
                    unsure |= entry.unsure;
                }
            }
            let mut waiting = pass | unsure;
            while waiting != 0 {
                let at = waiting.trailing_zeros();
                waiting &= waiting - 1;
                let guard = &guards[at as usize];
                let is_sure = unsure >> at & 1 == 0;
                let passes = if is_sure { Some(true) } else { self.passes(guard, values) };
                let verdict = match (passes, guard.rest, guard.label) {
                    (Some(false), ..) => continue,
                    (Some(true), Some(_), Some(_)) if is_sure && block.settled >> at & 1 == 1 => {
                        Verdict::Holds
                    }
                    (Some(true), None, Some(_)) => Verdict::Holds,
                    (Some(true), Some(rest), _) => Verdict::Ask(rest),
                    _ => Verdict::Ask(guard.start),
                };
                if found(guard, verdict) {
                    return true;
                }
            }
        }
        false
    }

    pub fn all(&self) -> &[Guard] {
        &self.guards
    }

    pub fn is_empty(&self) -> bool {
        self.guards.is_empty()
    }

    /// Do all tests hold? None where an undefined value would have to be read.
    fn passes(&self, guard: &Guard, values: &[u64]) -> Option<bool> {
        for test in &self.tests[guard.tests.clone()] {
            let code = values[test.slot as usize];
            if test.optional && code == 0 {
                return None;
            }
            if (code == test.code) != test.wanted {
                return Some(false);
            }
        }
        Some(true)
    }
}

impl Block {
    fn new(guards: &[Guard], tests: &[Test]) -> Block {
        let all = u64::MAX >> (64 - guards.len());
        let mut block = Block { columns: Vec::new(), rests: Vec::new(), settled: 0, apart: 0, all };
        for (at, guard) in guards.iter().enumerate() {
            for test in &tests[guard.tests.clone()] {
                if test.code < CODES {
                    block.add(test, 1 << at);
                } else {
                    block.apart |= 1 << at;
                }
            }
        }
        block
    }

    fn add(&mut self, test: &Test, guard: u64) {
        let known = self.columns.iter().position(|column| column.slot == test.slot);
        let at = known.unwrap_or_else(|| {
            let entries = vec![Entry { pass: u64::MAX, unsure: 0 }];
            self.columns.push(Column { slot: test.slot, entries });
            self.columns.len() - 1
        });
        let entries = &mut self.columns[at].entries;
        while entries.len() < test.code as usize + 2 {
            entries.push(entries[entries.len() - 1]);
        }
        for (code, entry) in entries.iter_mut().enumerate() {
            if test.optional && code == 0 {
                entry.unsure |= guard;
            } else if (code as u64 == test.code) != test.wanted {
                entry.pass &= !guard;
            }
        }
    }
}

impl Block {
    /// Makes the tables of `rests`.
    fn try_out(&mut self, guards: &[Guard], (code, memory): (&Code, &mut Memory), schema: &Schema) {
        for (at, guard) in guards.iter().enumerate() {
            let (Some(_), Some(rest)) = (guard.label, guard.rest) else { continue };
            let ops = &code.ops[rest as usize..guard.end as usize];
            // What was covered must be noticed where it is.
            if ops.iter().any(|op| matches!(op, Op::Cover { .. } | Op::Restore)) {
                continue;
            }
            let Some(read) = extent(code, rest as usize, guard.end as usize).reads else { continue };
            let slots: Vec<(u32, u8)> =
                read.iter().map(|&slot| (slot, schema.slots()[slot as usize].bits)).collect();
            let bits: u32 = slots.iter().map(|&(_, bits)| u32::from(bits)).sum();
            let known = self.rests.iter().position(|rest| rest.slots == slots);
            if bits > TRIED_BITS || known.is_none() && self.rests.len() >= MAX_RESTS {
                continue;
            }
            let number = known.unwrap_or_else(|| {
                let entries = vec![Entry { pass: u64::MAX, unsure: 0 }; 1 << bits];
                self.rests.push(Rest { slots, entries });
                self.rests.len() - 1
            });
            self.rests[number].add(rest, 1 << at, (code, memory));
            self.settled |= 1 << at;
        }
    }
}

impl Rest {
    #[inline(always)]
    fn entry(&self, values: &[u64]) -> Entry {
        let index = self.slots.iter().fold(0, |index, &(slot, bits)| index << bits | values[slot as usize]);
        self.entries[index as usize]
    }

    /// Runs the code of a guard on all values.
    fn add(&mut self, start: Target, guard: u64, (code, memory): (&Code, &mut Memory)) {
        for (index, entry) in self.entries.iter_mut().enumerate() {
            let mut left = index as u64;
            for &(slot, bits) in self.slots.iter().rev() {
                memory.cells[slot as usize] = (left & (u64::MAX >> (64 - bits))) as i64;
                left >>= bits;
            }
            memory.emitted.clear();
            match code.run(memory, &[], start) {
                End::Done if memory.emitted.is_empty() => entry.pass &= !guard,
                End::Done => {}
                End::Discarded | End::Failed { .. } => entry.unsure |= guard,
            }
        }
    }
}

/// Finds the comparisons that a guard's code begins with, as long as each ends it where it fails.
fn take_tests_out(code: &Code, guard: &mut Guard, tests: &mut Vec<Test>) {
    let first = tests.len();
    let mut at = guard.start;
    let ends = |target: Target| matches!(code.ops[target as usize], Op::Halt);
    let constant = |cell: Cell| {
        let number = (cell as usize).checked_sub(code.slots)?;
        code.constants.get(number).map(|&value| value as u64)
    };
    while guard.label.is_some() {
        let (test, ops) = match code.ops[at as usize..] {
            [Op::JumpNotCode { at, code, target }, ..] if ends(target) => {
                (Some(Test { slot: at, optional: true, wanted: true, code: u64::from(code) }), 1)
            }
            [Op::JumpCode { at, code, target }, ..] if ends(target) => {
                (Some(Test { slot: at, optional: true, wanted: false, code: u64::from(code) }), 1)
            }
            [Op::JumpNotEqual { left, right, target }, ..] if ends(target) => {
                (constant(right).map(|code| Test { slot: left, optional: false, wanted: true, code }), 1)
            }
            [Op::JumpUnless { test, target }, ..] if ends(target) => {
                (Some(Test { slot: test, optional: false, wanted: false, code: 0 }), 1)
            }
            // A truth value that may be undefined. Nothing else reads the cell it is loaded into.
            [Op::Load { to, from, bias }, Op::JumpUnless { test, target }, ..]
                if test == to && ends(target) =>
            {
                let no = u64::try_from(-i64::from(bias)).ok();
                (no.map(|code| Test { slot: from, optional: true, wanted: false, code }), 2)
            }
            [Op::Load { to, from, bias }, Op::JumpIf { test, target }, ..] if test == to && ends(target) => {
                let no = u64::try_from(-i64::from(bias)).ok();
                (no.map(|code| Test { slot: from, optional: true, wanted: true, code }), 2)
            }
            _ => (None, 0),
        };
        match test {
            Some(test) if (test.slot as usize) < code.slots => tests.push(test),
            _ => break,
        }
        at += ops;
    }
    guard.tests = first..tests.len();
    let holds = matches!(code.ops[at as usize..], [Op::Emit { .. }, Op::Halt, ..]);
    guard.rest = if holds && guard.label.is_some() { None } else { Some(at) };
}
