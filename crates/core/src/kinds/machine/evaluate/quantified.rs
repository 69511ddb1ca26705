//! Quantifiers, comprehensions, sums and products: evaluated over all valuations that a condition allows.

use std::collections::HashSet;

use crate::kinds::machine::evaluate::memory::{Halt, Memory, Why};
use crate::kinds::machine::evaluate::{Answer, Evaluator};
use crate::kinds::machine::nodes::Id;
use crate::kinds::machine::operators::Undefined;
use crate::kinds::machine::operators::arithmetic as numbers;
use crate::kinds::machine::solve::Goal;
use crate::kinds::machine::values::Value;

impl Evaluator<'_> {
    pub fn for_all(&self, id: Id, binder: u32, body: Id, m: &mut Memory) -> Answer<bool> {
        let mut pending = None;
        let mut holds = true;
        let condition = self.code.arena.binders[binder as usize].condition;
        let mut found = |m: &mut Memory, flagged: bool| match self.truth(body, m) {
            Ok(true) => Ok(true),
            // Of a condition with branches one may be undefined where another holds.
            Ok(false) => match if flagged { self.truth(condition, m) } else { Ok(true) } {
                Ok(truth) => {
                    holds &= !truth;
                    Ok(holds)
                }
                Err(Halt::Undefined) => {
                    pending = pending.or(Some(Halt::Undefined));
                    Ok(true)
                }
                Err(halt) => Err(halt),
            },
            Err(halt @ (Halt::Undefined | Halt::Unknown)) => {
                pending = Some(halt);
                Ok(true)
            }
            Err(halt) => Err(halt),
        };
        let mut goal = Goal::strict(&mut found);
        self.solve_binder(id, binder, m, &mut goal)?;
        let undefined = goal.undefined();
        match pending.or(undefined) {
            Some(halt) if holds => Err(halt),
            _ => Ok(holds),
        }
    }

    pub fn exists(&self, id: Id, binder: u32, m: &mut Memory) -> Answer<bool> {
        let mut exists = false;
        let mut undefined = false;
        let condition = self.code.arena.binders[binder as usize].condition;
        let mut found = |m: &mut Memory, flagged: bool| {
            match if flagged { self.truth(condition, m) } else { Ok(true) } {
                Ok(truth) => exists |= truth,
                Err(Halt::Undefined) => undefined = true,
                Err(halt) => return Err(halt),
            }
            Ok(!exists)
        };
        let mut goal = Goal::strict(&mut found);
        self.solve_binder(id, binder, m, &mut goal)?;
        let undefined = goal.undefined().or(undefined.then_some(Halt::Undefined));
        match undefined {
            Some(halt) if !exists => Err(halt),
            _ => Ok(exists),
        }
    }

    pub fn comprehension(&self, id: Id, binder: u32, m: &mut Memory) -> Answer<Value> {
        let mut out = m.scratch.take();
        let result = self.collect(id, binder, m, &mut |value, m: &mut Memory| {
            out.push(value);
            if out.len() > 2 * m.scratch.limit {
                let (size, limit) = (out.len() as u64, m.scratch.limit as u64);
                return Err(m.failed(id, Undefined::SetTooLarge { size, limit }));
            }
            Ok(())
        });
        match result {
            Ok(()) => Ok(m.scratch.set(self.values, out)),
            Err(halt) => {
                m.scratch.give(out);
                Err(halt)
            }
        }
    }

    /// Hands the value for each valuation to `take`.
    pub fn collect(
        &self,
        id: Id,
        binder: u32,
        m: &mut Memory,
        take: &mut dyn FnMut(Value, &mut Memory) -> Answer<()>,
    ) -> Answer<()> {
        let bound = &self.code.arena.binders[binder as usize];
        let value = bound.value.expect("a comprehension or fold has a value");
        let mut found = |m: &mut Memory, flagged: bool| {
            if flagged && !self.truth(bound.condition, m)? {
                return Ok(true);
            }
            let value = self.value(value, m)?;
            take(value, m)?;
            Ok(true)
        };
        let mut goal = Goal::strict(&mut found);
        self.solve_binder(id, binder, m, &mut goal)?;
        goal.undefined().map_or(Ok(()), Err)
    }

    pub fn fold(&self, id: Id, is_product: bool, binder: u32, m: &mut Memory) -> Answer<Value> {
        let bound = &self.code.arena.binders[binder as usize];
        let repeats = bound.plan.is_ok_and(|plan| self.code.plans[plan as usize].repeats);
        let mut total = if is_product { 1i64 } else { 0 };
        let mut seen = HashSet::new();
        self.collect(id, binder, m, &mut |value, m: &mut Memory| {
            if repeats {
                let names: Vec<Value> = bound.names.iter().map(|&name| m.env[name as usize]).collect();
                if !seen.insert(names) {
                    return Ok(());
                }
            }
            let number = numbers::number(self.values, value);
            let next = if is_product { total.checked_mul(number) } else { total.checked_add(number) };
            total = next.ok_or_else(|| m.failed(id, Undefined::NumberTooLarge))?;
            Ok(())
        })?;
        Ok(self.values.number(total))
    }

    pub fn solve_binder(&self, id: Id, binder: u32, m: &mut Memory, goal: &mut Goal) -> Answer<()> {
        match self.code.arena.binders[binder as usize].plan {
            Ok(plan) => {
                let plan = &self.code.plans[plan as usize];
                self.solve(&plan.steps, false, m, goal).map(|_| ())
            }
            Err(slot) => Err(m.limited(id, Why::Unbounded(slot))),
        }
    }
}
