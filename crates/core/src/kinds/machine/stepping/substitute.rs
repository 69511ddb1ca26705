//! The execution of substitutions: every outcome of the nondeterministic choices, one after the other.
//!
//! Values are read from the environment; what is written goes to a log, so that everything in parallel reads the values from
//! before. `then` is called with each outcome, while the log holds it. An error of the model ends one outcome, not the
//! others.

use crate::kinds::machine::evaluate::memory::{Fault, FaultPlace, Halt, MAX_TURNS, Memory, Why};
use crate::kinds::machine::evaluate::{Answer, Evaluator};
use crate::kinds::machine::nodes::{Id, Slot};
use crate::kinds::machine::operators::arithmetic::number;
use crate::kinds::machine::plan::Sub;
use crate::kinds::machine::solve::Goal;
use crate::kinds::machine::values::Value;

/// What is done with each outcome.
pub struct Ways<'w> {
    pub failed: &'w mut dyn FnMut(&mut Memory, Fault),
}

type Then<'t> = &'t mut dyn FnMut(&mut Memory, &mut Ways) -> Answer<()>;

impl Evaluator<'_> {
    pub fn run(&self, sub: u32, m: &mut Memory, ways: &mut Ways, then: Then) -> Answer<()> {
        match &self.code.subs[sub as usize] {
            Sub::Assign(names, values) => self.assign(sub, names, values, m, ways, then),
            Sub::Parallel(parts) => self.parallel(parts, m, ways, then),
            Sub::Sequence(parts) => {
                let start = m.writes.len();
                self.sequence(sub, parts, start, m, ways, then)
            }
            Sub::Choose { plan, body, .. } => {
                let steps = &self.code.plans[*plan as usize].steps;
                let mut found = |m: &mut Memory, _: bool| self.run(*body, m, ways, then).map(|()| true);
                let mut goal = Goal::lenient(&mut found);
                self.solve(steps, false, m, &mut goal).map(|_| ())
            }
            Sub::Alternatives(branches, otherwise) => {
                let mut any = false;
                for &(condition, body) in branches {
                    match self.truth(condition, m) {
                        Ok(true) => {
                            any = true;
                            self.run(body, m, ways, then)?;
                        }
                        Ok(false) | Err(Halt::Undefined) => {}
                        Err(halt) => return Err(halt),
                    }
                }
                match otherwise {
                    Some(otherwise) if !any => self.run(*otherwise, m, ways, then),
                    _ => Ok(()),
                }
            }
            Sub::If(branches, otherwise) => {
                for &(condition, body) in branches {
                    match self.truth(condition, m) {
                        Ok(true) => return self.run(body, m, ways, then),
                        Ok(false) => {}
                        Err(halt) => return self.fail(halt, m, ways),
                    }
                }
                self.run(*otherwise, m, ways, then)
            }
            Sub::Demand { is_precondition, condition, body } => match self.truth(*condition, m) {
                Ok(true) => self.run(*body, m, ways, then),
                Ok(false) => {
                    let why = if *is_precondition { Why::Precondition } else { Why::Assertion };
                    m.fault = Fault { place: FaultPlace::Sub(sub), why };
                    self.fail(Halt::Undefined, m, ways)
                }
                Err(halt) => self.fail(halt, m, ways),
            },
            Sub::Local(names, body) => self.local(names, *body, m, ways, then),
            Sub::While { .. } => self.turn(sub, None, m, ways, then),
        }
    }

    /// An undefined expression here is an error of the model.
    fn fail(&self, halt: Halt, m: &mut Memory, ways: &mut Ways) -> Answer<()> {
        match halt {
            Halt::Undefined => {
                let fault = m.fault;
                (ways.failed)(m, fault);
                Ok(())
            }
            halt => Err(halt),
        }
    }

    fn assign(
        &self,
        sub: u32,
        names: &[Slot],
        values: &[Id],
        m: &mut Memory,
        ways: &mut Ways,
        then: Then,
    ) -> Answer<()> {
        let before = m.writes.len();
        for (&name, &value) in names.iter().zip(values) {
            match self.value(value, m) {
                Ok(value) => {
                    let value_slot = (name, value);
                    m.writes.push(value_slot);
                }
                Err(halt) => {
                    m.writes.truncate(before);
                    return self.fail(halt, m, ways);
                }
            }
        }
        // Parts of one assignment may not write to the same name either.
        if let [(name, _)] = m.writes[before..] {
            if m.writes[..before].iter().any(|&(other, _)| other == name) {
                return self.written_twice(sub, name, before, m, ways);
            }
        } else {
            for at in before..m.writes.len() {
                let name = m.writes[at].0;
                if m.writes[..at].iter().any(|&(other, _)| other == name) {
                    return self.written_twice(sub, name, before, m, ways);
                }
            }
        }
        let result = then(m, ways);
        m.writes.truncate(before);
        result
    }

    #[cold]
    fn written_twice(
        &self,
        sub: u32,
        name: Slot,
        before: usize,
        m: &mut Memory,
        ways: &mut Ways,
    ) -> Answer<()> {
        m.writes.truncate(before);
        m.fault = Fault { place: FaultPlace::Sub(sub), why: Why::WrittenTwice(name) };
        self.fail(Halt::Undefined, m, ways)
    }

    /// Parts have no order: one that fails counts only where all others are possible.
    fn parallel(&self, parts: &[u32], m: &mut Memory, ways: &mut Ways, then: Then) -> Answer<()> {
        let (part, rest) = match parts {
            [] => return then(m, ways),
            &[part] => return self.run(part, m, ways, then),
            [part, rest @ ..] => (*part, rest),
        };
        let mut fault = None;
        let mut own = Ways { failed: &mut |_, failed| fault = Some(failed) };
        self.run(part, m, &mut own, &mut |m, _| self.parallel(rest, m, ways, then))?;
        match fault {
            Some(fault) if self.are_possible(rest, m)? => {
                m.fault = fault;
                self.fail(Halt::Undefined, m, ways)
            }
            _ => Ok(()),
        }
    }

    /// Has each of the parts an outcome, if only a failure?
    #[cold]
    fn are_possible(&self, parts: &[u32], m: &mut Memory) -> Answer<bool> {
        for &part in parts {
            let (mut ends, mut fails) = (false, false);
            let mut ways = Ways { failed: &mut |_, _| fails = true };
            self.run(part, m, &mut ways, &mut |_, _| {
                ends = true;
                Ok(())
            })?;
            if !ends && !fails {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Runs the parts one after the other; what was written since `start` is what the sequence wrote.
    #[allow(clippy::too_many_arguments)] // the parts that are left and what follows them
    fn sequence(
        &self,
        sub: u32,
        parts: &[u32],
        start: usize,
        m: &mut Memory,
        ways: &mut Ways,
        then: Then,
    ) -> Answer<()> {
        let Some((&part, rest)) = parts.split_first() else { return then(m, ways) };
        if rest.is_empty() && m.writes.len() == start {
            return self.run(part, m, ways, then);
        }
        // The part has a log of its own: what it writes replaces what was written before it.
        let log = std::mem::take(&mut m.writes);
        let result = self.run(part, m, ways, &mut |m, ways| {
            let beside = |&&(name, _): &&(Slot, Value)| log[..start].iter().any(|&(other, _)| other == name);
            if let Some(&(name, _)) = m.writes.iter().find(beside) {
                m.fault = Fault { place: FaultPlace::Sub(sub), why: Why::WrittenTwice(name) };
                return self.fail(Halt::Undefined, m, ways);
            }
            let own = std::mem::take(&mut m.writes);
            let mut merged = log[..start].to_vec();
            merged
                .extend(log[start..].iter().filter(|(name, _)| !own.iter().any(|(other, _)| other == name)));
            merged.extend_from_slice(&own);
            let saved: Vec<(Slot, Value)> =
                own.iter().map(|&(name, _)| (name, m.env[name as usize])).collect();
            m.writes = merged;
            let result = if rest.is_empty() {
                then(m, ways)
            } else {
                own.iter().for_each(|&(name, value)| m.env[name as usize] = value);
                let mut restored = |m: &mut Memory, ways: &mut Ways| {
                    // What comes after the sequence, and beside it, sees the values from before it.
                    let inside: Vec<Value> = saved.iter().map(|&(name, _)| m.env[name as usize]).collect();
                    saved.iter().for_each(|&(name, value)| m.env[name as usize] = value);
                    let result = then(m, ways);
                    saved.iter().zip(inside).for_each(|(&(name, _), value)| m.env[name as usize] = value);
                    result
                };
                let result = self.sequence(sub, rest, start, m, ways, &mut restored);
                saved.iter().for_each(|&(name, value)| m.env[name as usize] = value);
                result
            };
            m.writes = own;
            result
        });
        m.writes = log;
        result
    }

    fn local(&self, names: &[Slot], body: u32, m: &mut Memory, ways: &mut Ways, then: Then) -> Answer<()> {
        for &name in names {
            m.env[name as usize] = Value::UNSET;
        }
        self.run(body, m, ways, &mut |m, ways| {
            if !m.writes.iter().any(|(name, _)| names.contains(name)) {
                return then(m, ways);
            }
            let log = m.writes.clone();
            m.writes.retain(|(name, _)| !names.contains(name));
            let result = then(m, ways);
            m.writes = log;
            result
        })
    }

    /// One turn of a loop, and the rest of them.
    fn turn(&self, sub: u32, last: Option<i64>, m: &mut Memory, ways: &mut Ways, then: Then) -> Answer<()> {
        let Sub::While { test, body, invariant, variant } = self.code.subs[sub as usize] else {
            unreachable!("turns are those of loops");
        };
        m.tick(test)?;
        if m.turns >= MAX_TURNS {
            m.fault = Fault { place: FaultPlace::Sub(sub), why: Why::TooManyTurns };
            return Err(Halt::Limit);
        }
        let violated = |why: Why, m: &mut Memory, ways: &mut Ways| {
            m.fault = Fault { place: FaultPlace::Sub(sub), why };
            self.fail(Halt::Undefined, m, ways)
        };
        match self.truth(invariant, m) {
            Ok(true) => {}
            Ok(false) => return violated(Why::LoopInvariant, m, ways),
            Err(halt) => return self.fail(halt, m, ways),
        }
        match self.truth(test, m) {
            Ok(true) => {}
            Ok(false) => return then(m, ways),
            Err(halt) => return self.fail(halt, m, ways),
        }
        let now = match self.value(variant, m) {
            Ok(value) => number(self.values, value),
            Err(halt) => return self.fail(halt, m, ways),
        };
        if now < 0 || last.is_some_and(|last| now >= last) {
            return violated(Why::LoopVariant, m, ways);
        }
        // The body and the turns after it are a sequence.
        let start = m.writes.len();
        m.turns += 1;
        let result = self.then_turn(sub, body, now, start, m, ways, then);
        m.turns -= 1;
        result
    }

    #[allow(clippy::too_many_arguments)] // one turn and what follows it
    fn then_turn(
        &self,
        sub: u32,
        body: u32,
        variant: i64,
        start: usize,
        m: &mut Memory,
        ways: &mut Ways,
        then: Then,
    ) -> Answer<()> {
        let log = std::mem::take(&mut m.writes);
        let result = self.run(body, m, ways, &mut |m, ways| {
            let own = std::mem::take(&mut m.writes);
            let saved: Vec<(Slot, Value)> =
                own.iter().map(|&(name, _)| (name, m.env[name as usize])).collect();
            own.iter().for_each(|&(name, value)| m.env[name as usize] = value);
            let mut after = |m: &mut Memory, ways: &mut Ways| {
                let later = std::mem::take(&mut m.writes);
                let mut merged = log[..start].to_vec();
                let is_new = |(name, _): &&(Slot, Value)| !later.iter().any(|(other, _)| other == name);
                merged.extend(own.iter().filter(is_new));
                merged.extend_from_slice(&later);
                m.writes = merged;
                let inside: Vec<Value> = saved.iter().map(|&(name, _)| m.env[name as usize]).collect();
                saved.iter().for_each(|&(name, value)| m.env[name as usize] = value);
                let result = then(m, ways);
                saved.iter().zip(inside).for_each(|(&(name, _), value)| m.env[name as usize] = value);
                m.writes = later;
                result
            };
            let result = self.turn(sub, Some(variant), m, ways, &mut after);
            saved.iter().for_each(|&(name, value)| m.env[name as usize] = value);
            m.writes = own;
            result
        });
        m.writes = log;
        result
    }
}
