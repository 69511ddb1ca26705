//! Membership, decided by the form of the expression for the set: sets that are infinite or large are never listed.

use crate::kinds::machine::evaluate::memory::{Halt, Memory};
use crate::kinds::machine::evaluate::{Answer, Evaluator};
use crate::kinds::machine::nodes::{Id, Node, Op};
use crate::kinds::machine::operators::arithmetic::number;
use crate::kinds::machine::operators::spaces::{Arrow, Sequences};
use crate::kinds::machine::operators::{bags, sets};
use crate::kinds::machine::solve::Goal;
use crate::kinds::machine::values::Value;

impl Evaluator<'_> {
    /// Most sets are names and constants.
    #[inline(always)]
    pub fn is_in(&self, x: Value, set: Id, m: &mut Memory) -> Answer<bool> {
        match self.code.arena.nodes[set as usize] {
            Node::Constant(set) => Ok(sets::member(self.values, x, set)),
            Node::Slot(slot) if m.env[slot as usize] != Value::UNSET => {
                Ok(sets::member(self.values, x, m.env[slot as usize]))
            }
            _ => self.is_in_formed(x, set, m),
        }
    }

    fn is_in_formed(&self, x: Value, set: Id, m: &mut Memory) -> Answer<bool> {
        let arena = &self.code.arena;
        match arena.nodes[set as usize] {
            Node::Slot(slot) if m.is_partial && m.env[slot as usize] == Value::UNSET => {
                self.is_in_partial(x, slot, m)
            }
            Node::Nullary(Op::All) => Ok(true),
            // What is too large to be kept can be asked for members.
            Node::Kept(inner, _) => match self.value(set, m) {
                Ok(set) => Ok(sets::member(self.values, x, set)),
                Err(Halt::Limit) => self.is_in_formed(x, inner, m),
                Err(halt) => Err(halt),
            },
            Node::Unary(op, a) => self.is_in_unary(x, set, op, a, m),
            Node::Binary(op, a, b) => self.is_in_binary(x, set, op, a, b, m),
            Node::Many(Op::Set, start, length) => {
                let mut is_in = false;
                for at in start..start + length {
                    is_in |= self.value(arena.lists[at as usize], m)? == x;
                }
                Ok(is_in)
            }
            Node::Many(Op::Records, start, length) => {
                let mut is_in = true;
                for (number, at) in (start..start + length).enumerate() {
                    let field = self.values.fields(x)[number];
                    is_in &= self.is_in(field, arena.lists[at as usize], m)?;
                }
                Ok(is_in)
            }
            Node::Many(Op::Built, start, _) => {
                let (constructor, argument) = self.values.parts(x);
                let at = start + number(self.values, constructor) as u32;
                self.is_in(argument, arena.lists[at as usize], m)
            }
            Node::Comprehension { binder } => {
                let bound = &arena.binders[binder as usize];
                let info = arena.info(set);
                match bound.member {
                    Some((asked, plan)) if info.is_infinite || info.is_total => {
                        m.env[asked as usize] = x;
                        self.satisfiable(plan, m)
                    }
                    _ => self.is_in_listed(x, set, m),
                }
            }
            Node::Conditional(test, then, otherwise) => {
                let chosen = if self.truth(test, m)? { then } else { otherwise };
                self.is_in(x, chosen, m)
            }
            Node::Let(slot, value, body) => self.with(slot, value, m, |this, m| this.is_in(x, body, m)),
            _ => self.is_in_listed(x, set, m),
        }
    }

    /// Undefined where the set is: for those who can answer without having looked at it.
    #[inline]
    pub fn ask(&self, set: Id, m: &mut Memory) -> Answer<()> {
        if self.code.arena.info(set).is_total { Ok(()) } else { self.check_defined(set, m) }
    }

    #[cold]
    fn check_defined(&self, set: Id, m: &mut Memory) -> Answer<()> {
        let arena = &self.code.arena;
        let info = arena.info(set);
        let is_built = |op: Op| op.is_space() || op == Op::Product || info.is_infinite;
        match arena.nodes[set as usize] {
            Node::Unary(op, a) if is_built(op) => self.ask(a, m),
            Node::Binary(op, a, b) if is_built(op) => {
                self.ask(a, m)?;
                self.ask(b, m)
            }
            Node::Many(op, start, length) if is_built(op) => {
                arena.list(start, length).iter().try_for_each(|&each| self.ask(each, m))
            }
            Node::Conditional(test, then, otherwise) => {
                let chosen = if self.truth(test, m)? { then } else { otherwise };
                self.ask(chosen, m)
            }
            Node::Let(slot, value, body) => self.with(slot, value, m, |this, m| this.ask(body, m)),
            // An infinite set is undefined where it is asked for something.
            _ if info.is_infinite => Ok(()),
            _ => self.value(set, m).map(|_| ()),
        }
    }

    pub fn is_in_listed(&self, x: Value, set: Id, m: &mut Memory) -> Answer<bool> {
        let set = self.value(set, m)?;
        Ok(sets::member(self.values, x, set))
    }

    pub fn is_in_unary(&self, x: Value, set: Id, op: Op, a: Id, m: &mut Memory) -> Answer<bool> {
        let values = self.values;
        match op {
            Op::Support => {
                let bag = self.value(a, m)?;
                Ok(bags::occurs(values, x, bag))
            }
            Op::UpFrom => {
                let from = self.value(a, m)?;
                Ok(number(values, from) <= number(values, x))
            }
            Op::PowerSet => self.all_in(x, a, m),
            Op::PowerSet1 => Ok(self.all_in(x, a, m)? && x != Value::EMPTY),
            Op::Sequences
            | Op::Sequences1
            | Op::InjectiveSequences
            | Op::InjectiveSequences1
            | Op::Permutations => {
                for &pair in values.elements(x) {
                    if !self.is_in(values.parts(pair).1, a, m)? {
                        return Ok(false);
                    }
                }
                if x == Value::EMPTY {
                    self.ask(a, m)?;
                }
                let over = if op == Op::Permutations { self.count(a, m)? } else { None };
                let kind = match op {
                    Op::Sequences => Sequences::Any,
                    Op::Sequences1 => Sequences::NotEmpty,
                    Op::InjectiveSequences => Sequences::Injective,
                    Op::InjectiveSequences1 => Sequences::InjectiveNotEmpty,
                    _ => Sequences::Permutations,
                };
                Ok(kind.allows(values, &mut m.scratch, x, over))
            }
            Op::Identity => {
                let (left, right) = values.parts(x);
                Ok(self.is_in(left, a, m)? && left == right)
            }
            Op::Inverse => {
                let (left, right) = values.parts(x);
                self.is_in(values.pair(right, left), a, m)
            }
            Op::Domain if self.code.arena.info(a).is_infinite => {
                let mut images = Vec::new();
                self.images(a, x, m, &mut images)?;
                Ok(!images.is_empty())
            }
            _ => self.is_in_listed(x, set, m),
        }
    }

    /// Are all elements of a value in the set?
    pub fn all_in(&self, x: Value, a: Id, m: &mut Memory) -> Answer<bool> {
        match self.code.arena.node(a) {
            Node::Nullary(Op::All) => Ok(true),
            Node::Constant(whole) => Ok(sets::subset(self.values, x, whole)),
            Node::Slot(_) | Node::Kept(..) if self.wide(a, m).is_none() => {
                let whole = self.value(a, m)?;
                Ok(sets::subset(self.values, x, whole))
            }
            _ => {
                for &element in self.values.elements(x) {
                    if !self.is_in(element, a, m)? {
                        return Ok(false);
                    }
                }
                if x == Value::EMPTY {
                    self.ask(a, m)?;
                }
                Ok(true)
            }
        }
    }

    /// How many elements; none where they are infinitely many.
    pub fn count(&self, set: Id, m: &mut Memory) -> Answer<Option<usize>> {
        if self.code.arena.info(set).is_infinite {
            return Ok(None);
        }
        let set = self.value(set, m)?;
        Ok(Some(self.values.elements(set).len()))
    }

    pub fn is_in_binary(&self, x: Value, set: Id, op: Op, a: Id, b: Id, m: &mut Memory) -> Answer<bool> {
        let values = self.values;
        match op {
            Op::Interval => {
                let (from, to) = (self.value(a, m)?, self.value(b, m)?);
                let x = number(values, x);
                Ok(number(values, from) <= x && x <= number(values, to))
            }
            // Both sides, because both have to be defined.
            Op::Union => Ok(self.is_in(x, a, m)? | self.is_in(x, b, m)?),
            Op::Intersection => Ok(self.is_in(x, a, m)? & self.is_in(x, b, m)?),
            Op::Difference => Ok(self.is_in(x, a, m)? & !self.is_in(x, b, m)?),
            Op::Product => {
                let (left, right) = values.parts(x);
                Ok(self.is_in(left, a, m)? & self.is_in(right, b, m)?)
            }
            Op::DomainRestrict => Ok(self.is_in(values.parts(x).0, a, m)? & self.is_in(x, b, m)?),
            Op::DomainSubtract => Ok(!self.is_in(values.parts(x).0, a, m)? & self.is_in(x, b, m)?),
            Op::RangeRestrict => Ok(self.is_in(x, a, m)? & self.is_in(values.parts(x).1, b, m)?),
            Op::RangeSubtract => Ok(self.is_in(x, a, m)? & !self.is_in(values.parts(x).1, b, m)?),
            Op::FirstProjection | Op::SecondProjection => {
                let (pair, image) = values.parts(x);
                let (left, right) = values.parts(pair);
                let is_it = image == if op == Op::FirstProjection { left } else { right };
                Ok(is_it & self.is_in(left, a, m)? & self.is_in(right, b, m)?)
            }
            Op::Override | Op::Compose if self.code.arena.info(set).is_infinite => {
                let (left, right) = values.parts(x);
                let mut images = Vec::new();
                self.images(set, left, m, &mut images)?;
                Ok(images.contains(&right))
            }
            _ => match op.demands() {
                Some(arrow) => self.is_arrow(x, arrow, a, b, m),
                None => self.is_in_listed(x, set, m),
            },
        }
    }

    pub fn is_arrow(&self, x: Value, arrow: Arrow, a: Id, b: Id, m: &mut Memory) -> Answer<bool> {
        let values = self.values;
        for &pair in values.elements(x) {
            let (left, right) = values.parts(pair);
            if !self.is_in(left, a, m)? {
                self.ask(b, m)?;
                return Ok(false);
            }
            if !self.is_in(right, b, m)? {
                return Ok(false);
            }
        }
        if x == Value::EMPTY {
            self.ask(a, m)?;
            self.ask(b, m)?;
        }
        let sources = if arrow.total { self.count(a, m)? } else { None };
        let targets = if arrow.surjective { self.count(b, m)? } else { None };
        Ok(arrow.allows(values, &mut m.scratch, x, sources, targets))
    }

    pub fn satisfiable(&self, plan: u32, m: &mut Memory) -> Answer<bool> {
        let mut exists = false;
        let mut undefined = false;
        let mut found = |_: &mut Memory, flagged: bool| {
            exists |= !flagged;
            undefined |= flagged;
            Ok(!exists)
        };
        let mut goal = Goal::strict(&mut found);
        self.solve(&self.code.plans[plan as usize].steps, false, m, &mut goal)?;
        let undefined = goal.undefined().or(undefined.then_some(Halt::Undefined));
        match undefined {
            Some(halt) if !exists => Err(halt),
            _ => Ok(exists),
        }
    }
}
