//! Three-valued truth.
//!
//! The third truth value is an error that is passed up: `Undefined`, or `Unknown` while a name is being given its value. A
//! conjunction with a false part is false whatever the others are; see `burnside.ir.sets.expressions`.

use crate::kinds::machine::evaluate::memory::{Halt, Memory, Why};
use crate::kinds::machine::evaluate::{Answer, Evaluator};
use crate::kinds::machine::nodes::{Id, Node, Op};
use crate::kinds::machine::operators::arithmetic as numbers;
use crate::kinds::machine::operators::{bags, sets};
use crate::kinds::machine::values::Value;

impl Evaluator<'_> {
    pub fn truth(&self, id: Id, m: &mut Memory) -> Answer<bool> {
        let (mut id, mut is_denied) = (id, false);
        while let Node::Unary(Op::Not, a) = self.code.arena.nodes[id as usize] {
            (id, is_denied) = (a, !is_denied);
        }
        Ok(self.affirmed(id, m)? != is_denied)
    }

    /// The truth of a node that is not a negation.
    #[inline(always)]
    fn affirmed(&self, id: Id, m: &mut Memory) -> Answer<bool> {
        match self.code.arena.nodes[id as usize] {
            Node::Many(Op::And, start, length) => self.connected(start, length, true, m),
            Node::Many(Op::Or, start, length) => self.connected(start, length, false, m),
            Node::Binary(Op::Equal, a, b) => self.equal(id, a, b, m),
            Node::Binary(Op::Member, a, b) => {
                let a = self.value(a, m)?;
                self.is_in(a, b, m)
            }
            Node::Binary(Op::Less, a, b) => {
                let (a, b) = (self.value(a, m)?, self.value(b, m)?);
                Ok(numbers::less(self.values, a, b))
            }
            Node::Binary(Op::LessEqual, a, b) => {
                let (a, b) = (self.value(a, m)?, self.value(b, m)?);
                Ok(numbers::less_equal(self.values, a, b))
            }
            Node::Binary(Op::Implies, a, b) => match self.truth(a, m) {
                Ok(false) => Ok(true),
                Ok(true) => self.truth(b, m),
                Err(halt @ (Halt::Undefined | Halt::Unknown)) => match self.truth(b, m) {
                    Ok(false) => Err(halt),
                    other => other,
                },
                Err(halt) => Err(halt),
            },
            Node::Binary(Op::Iff, a, b) => Ok(self.truth(a, m)? == self.truth(b, m)?),
            Node::Binary(Op::Subset, a, b) => self.is_subset(id, a, b, m),
            Node::Binary(Op::BagIncluded, a, b) => {
                let (a, b) = (self.value(a, m)?, self.value(b, m)?);
                Ok(bags::included(self.values, a, b))
            }
            Node::Binary(Op::StrictSubset, a, b) => {
                if self.code.arena.info(b).is_infinite {
                    return self.is_subset(id, a, b, m);
                }
                if self.wide(b, m).is_some() {
                    return Ok(self.is_subset(id, a, b, m)? && !self.equal(id, a, b, m)?);
                }
                let (a, b) = (self.value(a, m)?, self.value(b, m)?);
                Ok(sets::strict_subset(self.values, a, b))
            }
            Node::Forall { binder, body } => self.for_all(id, binder, body, m),
            Node::Exists { binder } => self.exists(id, binder, m),
            Node::Conditional(test, then, otherwise) => {
                let chosen = if self.truth(test, m)? { then } else { otherwise };
                self.truth(chosen, m)
            }
            Node::Let(slot, value, body) => self.with(slot, value, m, |this, m| this.truth(body, m)),
            _ => Ok(self.value(id, m)? == Value::TRUE),
        }
    }

    /// A conjunction where `neutral` is true, else a disjunction: one part that is the other way round decides.
    pub fn connected(&self, start: u32, length: u32, neutral: bool, m: &mut Memory) -> Answer<bool> {
        let mut pending = None;
        for at in start..start + length {
            match self.truth(self.code.arena.lists[at as usize], m) {
                Ok(truth) if truth == neutral => {}
                Ok(truth) => return Ok(truth),
                Err(Halt::Unknown) => pending = Some(Halt::Unknown),
                Err(Halt::Undefined) => pending = pending.or(Some(Halt::Undefined)),
                Err(halt) => return Err(halt),
            }
        }
        pending.map_or(Ok(neutral), Err)
    }

    pub fn equal(&self, id: Id, a: Id, b: Id, m: &mut Memory) -> Answer<bool> {
        let arena = &self.code.arena;
        if arena.info(a).is_infinite || arena.info(b).is_infinite {
            return self.equal_infinite(id, a, b, m);
        }
        match (self.value(a, m), self.value(b, m)) {
            (Ok(a), Ok(b)) => Ok(a == b),
            (Err(Halt::Stopped), _) | (_, Err(Halt::Stopped)) => Err(Halt::Stopped),
            (Err(Halt::Limit), _) | (_, Err(Halt::Limit)) => {
                self.equal_wide(a, b, m).unwrap_or(Err(Halt::Limit))
            }
            (Err(Halt::Unknown), Ok(value)) => self.card_may_be(a, value, m),
            (Ok(value), Err(Halt::Unknown)) => self.card_may_be(b, value, m),
            (_, Err(halt)) | (Err(halt), _) => Err(halt),
        }
    }

    pub fn is_subset(&self, id: Id, a: Id, b: Id, m: &mut Memory) -> Answer<bool> {
        let arena = &self.code.arena;
        if arena.info(a).is_infinite {
            self.ask(a, m)?;
            self.ask(b, m)?;
            return match (arena.node(a), arena.node(b)) {
                (_, Node::Nullary(Op::All)) => Ok(true),
                (Node::Unary(Op::UpFrom, a), Node::Unary(Op::UpFrom, b)) => {
                    let (a, b) = (self.value(a, m)?, self.value(b, m)?);
                    Ok(numbers::less_equal(self.values, b, a))
                }
                _ => Err(m.limited(id, Why::Infinite)),
            };
        }
        if m.is_partial
            && let Some(answer) = self.is_partial_subset(a, b, m)?
        {
            return Ok(answer);
        }
        if let Some(ends) = self.wide(a, m) {
            return self.contains_wide(ends, b, m);
        }
        let part = self.value(a, m)?;
        self.all_in(part, b, m)
    }
}
