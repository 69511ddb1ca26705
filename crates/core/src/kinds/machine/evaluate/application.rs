//! Application, decided by the form of the expression for the function: of an infinite one, only single images are computed.

use crate::kinds::machine::evaluate::memory::{Halt, Memory, Why};
use crate::kinds::machine::evaluate::{Answer, Evaluator};
use crate::kinds::machine::nodes::{Id, Node, Op};
use crate::kinds::machine::operators::{Undefined, relations};
use crate::kinds::machine::solve::Goal;
use crate::kinds::machine::values::Value;

impl Evaluator<'_> {
    pub fn apply(&self, id: Id, function: Id, argument: Id, m: &mut Memory) -> Answer<Value> {
        let arena = &self.code.arena;
        match arena.nodes[function as usize] {
            Node::Constant(function) => {
                let argument = self.value(argument, m)?;
                relations::apply(self.values, function, argument).map_err(|why| m.failed(id, why))
            }
            Node::Slot(slot) => {
                let argument = self.value(argument, m)?;
                match m.env[slot as usize] {
                    Value::UNSET if m.is_partial => self.apply_partial(id, slot, argument, m),
                    Value::UNSET => self.value(function, m),
                    function => {
                        relations::apply(self.values, function, argument).map_err(|why| m.failed(id, why))
                    }
                }
            }
            _ if arena.info(function).is_infinite || self.is_lambda(function) => {
                let argument = self.value(argument, m)?;
                let mut images = m.scratch.take();
                let result = self.images(function, argument, m, &mut images);
                images.sort_unstable();
                images.dedup();
                let image = match images.as_slice() {
                    &[image] => Ok(image),
                    [] => Err(Undefined::OutsideDomain),
                    _ => Err(Undefined::NotAFunction),
                };
                m.scratch.give(images);
                result?;
                image.map_err(|why| m.failed(id, why))
            }
            _ => {
                let function = self.value(function, m)?;
                let argument = self.value(argument, m)?;
                relations::apply(self.values, function, argument).map_err(|why| m.failed(id, why))
            }
        }
    }

    /// A comprehension that is defined everywhere and can be asked for single images.
    pub fn is_lambda(&self, function: Id) -> bool {
        let arena = &self.code.arena;
        matches!(arena.node(function), Node::Comprehension { binder }
            if arena.info(function).is_total && arena.binders[binder as usize].images.is_some())
    }

    /// Appends what a relation has on the right of `x`, perhaps with doubles.
    pub fn images(&self, relation: Id, x: Value, m: &mut Memory, out: &mut Vec<Value>) -> Answer<()> {
        let arena = &self.code.arena;
        let values = self.values;
        match arena.nodes[relation as usize] {
            Node::Comprehension { binder } if arena.binders[binder as usize].images.is_some() => {
                let (from, to, plan) = arena.binders[binder as usize].images.expect("just asked");
                m.env[from as usize] = x;
                let mut undefined = false;
                let mut found = |m: &mut Memory, flagged: bool| {
                    undefined |= flagged;
                    out.push(m.env[to as usize]);
                    Ok(true)
                };
                let mut goal = Goal::strict(&mut found);
                self.solve(&self.code.plans[plan as usize].steps, false, m, &mut goal)?;
                let undefined = goal.undefined().or(undefined.then_some(Halt::Undefined));
                undefined.map_or(Ok(()), Err)
            }
            Node::Binary(Op::Union, a, b) => {
                self.images(a, x, m, out)?;
                self.images(b, x, m, out)
            }
            Node::Binary(Op::Override, a, b) => {
                let before = out.len();
                self.images(b, x, m, out)?;
                if out.len() == before { self.images(a, x, m, out) } else { Ok(()) }
            }
            Node::Binary(Op::DomainRestrict, set, inner) => {
                if self.is_in(x, set, m)? {
                    self.images(inner, x, m, out)
                } else {
                    Ok(())
                }
            }
            Node::Binary(Op::DomainSubtract, set, inner) => {
                if self.is_in(x, set, m)? {
                    Ok(())
                } else {
                    self.images(inner, x, m, out)
                }
            }
            Node::Binary(op @ (Op::RangeRestrict | Op::RangeSubtract), inner, set) => {
                let mut all = Vec::new();
                self.images(inner, x, m, &mut all)?;
                for image in all {
                    if self.is_in(image, set, m)? == (op == Op::RangeRestrict) {
                        out.push(image);
                    }
                }
                Ok(())
            }
            Node::Binary(op @ (Op::Intersection | Op::Difference), a, b) => {
                let mut all = Vec::new();
                self.images(a, x, m, &mut all)?;
                for image in all {
                    if self.is_in(values.pair(x, image), b, m)? == (op == Op::Intersection) {
                        out.push(image);
                    }
                }
                Ok(())
            }
            Node::Binary(Op::Compose, a, b) => {
                let mut middle = Vec::new();
                self.images(a, x, m, &mut middle)?;
                middle.iter().try_for_each(|&each| self.images(b, each, m, out))
            }
            Node::Binary(op @ (Op::FirstProjection | Op::SecondProjection), a, b) => {
                let (left, right) = values.parts(x);
                if self.is_in(left, a, m)? & self.is_in(right, b, m)? {
                    out.push(if op == Op::FirstProjection { left } else { right });
                }
                Ok(())
            }
            Node::Binary(Op::Product, a, b) => {
                if self.is_in(x, a, m)? {
                    let all = self.value(b, m)?;
                    out.extend_from_slice(values.elements(all));
                }
                Ok(())
            }
            Node::Binary(Op::DirectProduct, a, b) => {
                let (mut first, mut second) = (Vec::new(), Vec::new());
                self.images(a, x, m, &mut first)?;
                self.images(b, x, m, &mut second)?;
                for &left in &first {
                    out.extend(second.iter().map(|&right| values.pair(left, right)));
                }
                Ok(())
            }
            Node::Binary(Op::ParallelProduct, a, b) => {
                let (x, y) = values.parts(x);
                let (mut first, mut second) = (Vec::new(), Vec::new());
                self.images(a, x, m, &mut first)?;
                self.images(b, y, m, &mut second)?;
                for &left in &first {
                    out.extend(second.iter().map(|&right| values.pair(left, right)));
                }
                Ok(())
            }
            Node::Unary(Op::Identity, set) => {
                if self.is_in(x, set, m)? {
                    out.push(x);
                }
                Ok(())
            }
            Node::Conditional(test, then, otherwise) => {
                let chosen = if self.truth(test, m)? { then } else { otherwise };
                self.images(chosen, x, m, out)
            }
            Node::Let(slot, value, body) => self.with(slot, value, m, |this, m| this.images(body, x, m, out)),
            _ => {
                if self.code.arena.info(relation).is_infinite {
                    return Err(m.limited(relation, Why::Infinite));
                }
                let relation = self.value(relation, m)?;
                out.extend(
                    relations::pairs(values, relation).filter(|&(left, _)| left == x).map(|(_, right)| right),
                );
                Ok(())
            }
        }
    }
}
