//! Operators with one infinite operand, which is only tested for membership; the elements come from the other one.

use crate::kinds::machine::evaluate::memory::{Memory, Why};
use crate::kinds::machine::evaluate::{Answer, Evaluator};
use crate::kinds::machine::nodes::{Id, Node, Op};
use crate::kinds::machine::values::Value;

impl Evaluator<'_> {
    /// The value of a set operator with one infinite operand.
    #[inline(never)]
    pub fn half_infinite(&self, id: Id, op: Op, a: Id, b: Id, m: &mut Memory) -> Answer<Value> {
        let infinite = [a, b].map(|each| self.code.arena.info(each).is_infinite);
        // The infinite operand must be defined, even where the other one is empty and its members are never tested.
        for (each, _) in [a, b].into_iter().zip(infinite).filter(|&(_, is_infinite)| is_infinite) {
            self.ask(each, m)?;
        }
        let mut out = Vec::new();
        match (op, infinite) {
            (Op::Intersection, [is_left, _]) if infinite != [true, true] => {
                let (listed, asked) = if is_left { (b, a) } else { (a, b) };
                self.filtered(listed, m, &mut out, |this, each, m| this.is_in(each, asked, m))?;
            }
            (Op::Difference, [false, true]) => {
                self.filtered(a, m, &mut out, |this, each, m| Ok(!this.is_in(each, b, m)?))?;
            }
            (Op::DomainRestrict, [true, false]) => {
                self.filtered(b, m, &mut out, |this, each, m| this.is_in(this.values.parts(each).0, a, m))?;
            }
            (Op::DomainSubtract, [true, false]) => {
                self.filtered(b, m, &mut out, |this, each, m| {
                    Ok(!this.is_in(this.values.parts(each).0, a, m)?)
                })?;
            }
            (Op::RangeRestrict, [false, true]) => {
                self.filtered(a, m, &mut out, |this, each, m| this.is_in(this.values.parts(each).1, b, m))?;
            }
            (Op::RangeSubtract, [false, true]) => {
                self.filtered(a, m, &mut out, |this, each, m| {
                    Ok(!this.is_in(this.values.parts(each).1, b, m)?)
                })?;
            }
            (Op::DomainRestrict, [false, true]) => {
                let sources = self.value(a, m)?;
                for &source in self.values.elements(sources) {
                    let mut images = Vec::new();
                    self.images(b, source, m, &mut images)?;
                    out.extend(images.iter().map(|&image| self.values.pair(source, image)));
                }
            }
            (Op::Image, [true, false]) => {
                let sources = self.value(b, m)?;
                for &source in self.values.elements(sources) {
                    self.images(a, source, m, &mut out)?;
                }
            }
            (Op::Image, [false, true]) => {
                self.filtered(a, m, &mut out, |this, each, m| this.is_in(this.values.parts(each).0, b, m))?;
                out.iter_mut().for_each(|each| *each = self.values.parts(*each).1);
            }
            (Op::Compose, [false, true]) => {
                let first = self.value(a, m)?;
                for &pair in self.values.elements(first) {
                    let (source, middle) = self.values.parts(pair);
                    let mut images = Vec::new();
                    self.images(b, middle, m, &mut images)?;
                    out.extend(images.iter().map(|&image| self.values.pair(source, image)));
                }
            }
            _ => return Err(m.limited(id, Why::Infinite)),
        }
        Ok(self.values.set(&mut out))
    }

    pub fn filtered(
        &self,
        listed: Id,
        m: &mut Memory,
        out: &mut Vec<Value>,
        mut keep: impl FnMut(&Self, Value, &mut Memory) -> Answer<bool>,
    ) -> Answer<()> {
        let listed = self.value(listed, m)?;
        for &each in self.values.elements(listed) {
            if keep(self, each, m)? {
                out.push(each);
            }
        }
        Ok(())
    }

    /// An infinite set is no finite one; two of them are the same where they are written alike.
    pub fn equal_infinite(&self, id: Id, a: Id, b: Id, m: &mut Memory) -> Answer<bool> {
        let arena = &self.code.arena;
        self.ask(a, m)?;
        self.ask(b, m)?;
        let certain = |each: Id| matches!(arena.node(each), Node::Nullary(_) | Node::Unary(Op::UpFrom, _));
        match (arena.info(a).is_infinite, arena.info(b).is_infinite) {
            (true, false) if certain(a) => Ok(false),
            (false, true) if certain(b) => Ok(false),
            (true, true) if a == b => Ok(true),
            (true, true) => match (arena.node(a), arena.node(b)) {
                (Node::Nullary(_), Node::Nullary(_)) => Ok(true),
                (Node::Unary(Op::UpFrom, a), Node::Unary(Op::UpFrom, b)) => {
                    Ok(self.value(a, m)? == self.value(b, m)?)
                }
                (Node::Nullary(_), Node::Unary(Op::UpFrom, _))
                | (Node::Unary(Op::UpFrom, _), Node::Nullary(_)) => Ok(false),
                _ => Err(m.limited(id, Why::Infinite)),
            },
            _ => Err(m.limited(id, Why::Infinite)),
        }
    }
}
