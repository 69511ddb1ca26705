//! What an operation does in a state: its outcomes, each different one once and with a label.

use hashbrown::HashTable;

use crate::kinds::machine::CompiledMachine;
use crate::kinds::machine::compile::Operation;
use crate::kinds::machine::evaluate::memory::{
    Fault, FaultPlace, Halt, MAX_BUILT, MAX_OUTCOMES, Memory, Why,
};
use crate::kinds::machine::nodes::Slot;
use crate::kinds::machine::solve::Goal;
use crate::kinds::machine::stepping::Workspace;
use crate::kinds::machine::stepping::labels::{Event, FAILS};
use crate::kinds::machine::stepping::outcome_cache::Outcome;
use crate::kinds::machine::stepping::substitute::Ways;
use crate::kinds::machine::values::Value;
use crate::model::Label;
use crate::random::mix;

/// Outcomes before they have labels, in flat buffers.
#[derive(Default)]
pub struct PendingOutcomes {
    values: Vec<Value>,
    writes: Vec<(Slot, Value)>,
    /// Where the values and the writes of each end, and whether it fails.
    ends: Vec<(u32, u32, bool)>,
    /// Each came with larger values than the one before, so all are different.
    ascends: bool,
    order: Vec<u32>,
}

impl PendingOutcomes {
    pub fn clear(&mut self) {
        self.values.clear();
        self.writes.clear();
        self.ends.clear();
        self.ascends = true;
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// What was put into the buffers since the last one is one outcome.
    fn finish(&mut self, fails: bool) {
        self.ends.push((self.values.len() as u32, self.writes.len() as u32, fails));
        if self.ascends && self.len() > 1 {
            let (before, last) = (self.outcome(self.len() - 2), self.outcome(self.len() - 1));
            self.ascends = (before.0, before.1) < (last.0, last.1);
        }
    }

    /// After each outcome: there may be many, with large values.
    fn check_room(&self, sub: u32, m: &mut Memory) -> Result<(), Halt> {
        m.check_stopped()?;
        let why = match (self.len() > MAX_OUTCOMES, m.scratch.built > MAX_BUILT) {
            (true, _) => Why::TooManyOutcomes,
            (_, true) => Why::OutcomesTooLarge,
            _ => return Ok(()),
        };
        m.fault = Fault { place: FaultPlace::Sub(sub), why };
        Err(Halt::Limit)
    }

    pub fn outcome(&self, at: usize) -> (bool, &[Value], &[(Slot, Value)]) {
        let (first, second, fails) = self.ends[at];
        let (start, begin, _) = at.checked_sub(1).map_or((0, 0, false), |before| self.ends[before]);
        (fails, &self.values[start as usize..first as usize], &self.writes[begin as usize..second as usize])
    }

    /// Orders the outcomes, each different one once; `order` says how.
    fn arrange(&mut self) {
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend(0..self.len() as u32);
        if !self.ascends {
            for at in 0..self.len() {
                let begin = at.checked_sub(1).map_or(0, |before| self.ends[before].1 as usize);
                self.writes[begin..self.ends[at].1 as usize].sort_unstable();
            }
            order.sort_unstable_by(|&a, &b| self.outcome(a as usize).cmp(&self.outcome(b as usize)));
            order.dedup_by(|a, b| self.outcome(*a as usize) == self.outcome(*b as usize));
        }
        self.order = order;
    }
}

impl CompiledMachine {
    /// Each different outcome once, with its label.
    pub fn number_outcomes(&self, operation: usize, w: &mut Workspace) {
        w.pending.arrange();
        let is_init = operation == self.compiled.operations.len();
        let Workspace { pending, caches, numbers, named, .. } = w;
        let cache = &mut caches[operation];
        let order = &pending.order;
        let mut ordinal = 0;
        for at in 0..order.len() {
            let (fails, values, writes) = pending.outcome(order[at] as usize);
            let same = |other: usize| {
                order.get(other).is_some_and(|&other| {
                    let other = pending.outcome(other as usize);
                    other.0 == fails && other.1 == values
                })
            };
            let (follows, leads) =
                if pending.ascends { (false, false) } else { (at > 0 && same(at - 1), same(at + 1)) };
            if fails && follows {
                continue;
            }
            ordinal = match (follows, leads) {
                (true, _) => ordinal + 1,
                (false, true) => 1,
                (false, false) => u32::from(is_init),
            };
            let ordinal = if fails { FAILS } else { ordinal };
            let label = self.label(operation, ordinal, values, &mut numbers[operation], named);
            let start = cache.writes.len() as u32;
            cache.writes.extend_from_slice(writes);
            cache.outcomes.push(Outcome { label, start, length: writes.len() as u32, fails });
        }
    }

    /// The label of an event, mostly one that this thread has used before.
    pub fn label(
        &self,
        operation: usize,
        ordinal: u32,
        values: &[Value],
        numbers: &mut HashTable<(u64, Label, u32)>,
        named: &mut Vec<Value>,
    ) -> Label {
        let mut hash = u64::from(ordinal);
        for value in values {
            hash = (hash.rotate_left(5) ^ u64::from(value.handle())).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
        let hash = mix(hash);
        let mark = Value::from_handle(ordinal);
        let same = |&(other, _, start): &(u64, Label, u32)| {
            let start = start as usize;
            // Values of a failing attempt are fewer.
            other == hash && named[start] == mark && named[start + 1..].starts_with(values)
        };
        if let Some(&(_, label, _)) = numbers.find(hash, same) {
            return label;
        }
        let is_init = operation == self.compiled.operations.len();
        let number = operation as u32 + u32::from(is_init);
        let label = self.labels.number(Event { operation: number, ordinal, values: values.into() });
        let start = named.len() as u32;
        named.push(mark);
        named.extend_from_slice(values);
        numbers.insert_unique(hash, (hash, label, start), |&(hash, ..)| hash);
        label
    }

    pub fn run_operation(
        &self,
        operation: &Operation,
        memory: &mut Memory,
        pending: &mut PendingOutcomes,
        faulty: &mut dyn FnMut(Fault),
    ) -> Result<(), Halt> {
        let evaluator = self.evaluator();
        let states = self.compiled.states as Slot;
        memory.begin();
        memory.scratch.built = 0;
        let mut found = |m: &mut Memory, _: bool| {
            let mut failed = false;
            let mut ways = Ways {
                failed: &mut |_, fault| {
                    failed = true;
                    faulty(fault);
                },
            };
            evaluator.run(operation.body, m, &mut ways, &mut |m, _| {
                pending.values.extend(operation.parameters.iter().map(|&slot| m.env[slot as usize]));
                for &result in &operation.results {
                    let written = m.writes.iter().find(|&&(slot, _)| slot == result);
                    pending.values.push(written.map_or(Value::UNSET, |&(_, value)| value));
                }
                // Also what stays as it is: elsewhere, with the same values of what is read, it may not.
                pending.writes.extend(m.writes.iter().filter(|&&(slot, _)| slot < states));
                for &slot in &operation.completed {
                    if !m.writes.iter().any(|&(written, _)| written == slot) {
                        pending.writes.push((slot, m.env[slot as usize]));
                    }
                }
                pending.finish(false);
                pending.check_room(operation.body, m)
            })?;
            if failed {
                pending.values.extend(operation.parameters.iter().map(|&slot| m.env[slot as usize]));
                pending.finish(true);
            }
            Ok(true)
        };
        let mut goal = Goal::lenient(&mut found);
        let plan = &self.compiled.code.plans[operation.plan as usize];
        evaluator.solve(&plan.steps, false, memory, &mut goal).map(|_| ())
    }

    pub fn run_initialisation(
        &self,
        memory: &mut Memory,
        pending: &mut PendingOutcomes,
        faulty: &mut dyn FnMut(Fault),
    ) -> Result<(), Halt> {
        let evaluator = self.evaluator();
        let states = self.compiled.states as Slot;
        memory.begin();
        memory.scratch.built = 0;
        let mut failed = false;
        let mut ways = Ways {
            failed: &mut |_, fault| {
                failed = true;
                faulty(fault);
            },
        };
        let variables = self.compiled.constants as Slot..states;
        evaluator.run(self.compiled.initialisation, memory, &mut ways, &mut |m, ways| {
            let is_written = |slot: Slot| m.writes.iter().any(|&(written, _)| written == slot);
            if let Some(slot) = variables.clone().find(|&slot| !is_written(slot)) {
                let place = FaultPlace::Sub(self.compiled.initialisation);
                (ways.failed)(m, Fault { place, why: Why::Unassigned(slot) });
                return Ok(());
            }
            pending.writes.extend(m.writes.iter().filter(|&&(slot, _)| slot < states));
            pending.writes.extend(self.phase().map(|slot| (slot, Value::TRUE)));
            pending.finish(false);
            pending.check_room(self.compiled.initialisation, m)
        })?;
        if failed {
            pending.finish(true);
        }
        Ok(())
    }
}
