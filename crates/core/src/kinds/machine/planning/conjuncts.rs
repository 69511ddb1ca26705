//! A condition as the list of its conjuncts, rewritten so that each says as little as possible; and whether all names that
//! are quantified over are bounded.

use crate::kinds::machine::compile::{Compiler, Refusal, Result};
use crate::kinds::machine::nodes::{Id, Node, Op, Slot, Type};
use crate::kinds::machine::plan::{Pattern, PlanStep, Sub};
use crate::kinds::machine::values::Value;

impl Compiler<'_> {
    /// Where it matters what is undefined, a conjunct that may be is not taken apart: `x : S * T` is undefined where T is,
    /// also where its left side is not in S.
    pub fn flatten(&mut self, id: Id, is_lenient: bool, out: &mut Vec<Id>) {
        let may_split = is_lenient || self.code.arena.info(id).is_total;
        let boolean = self.code.arena.type_(Type::Boolean);
        let span = self.code.arena.info(id).span;
        if let Node::Constant(Value::TRUE) = self.code.arena.bare(id) {
            return;
        }
        let Some((op, arguments)) = self.code.arena.application(id) else {
            out.push(id);
            return;
        };
        match (op, arguments.as_slice()) {
            (Op::And, parts) => parts.iter().for_each(|&part| self.flatten(part, is_lenient, out)),
            (Op::Not, &[inner]) => self.flatten_not(id, inner, is_lenient, out),
            (Op::Equal, &[a, b]) => self.flatten_equal(id, (a, b), is_lenient, out),
            (Op::Member, &[x, set]) => {
                let both = |this: &mut Self, parts: [(Op, Id, Id); 2], out: &mut Vec<Id>| {
                    for (op, x, set) in parts {
                        let part = this.apply(op, &[x, set], boolean, span);
                        this.flatten(part, is_lenient, out);
                    }
                };
                match self.code.arena.bare(set) {
                    Node::Binary(Op::Product, a, b) if may_split => match self.code.arena.bare(x) {
                        Node::Binary(Op::Pair, left, right) => {
                            both(self, [(Op::Member, left, a), (Op::Member, right, b)], out);
                        }
                        _ => out.push(id),
                    },
                    Node::Binary(Op::Intersection, a, b) if may_split => {
                        both(self, [(Op::Member, x, a), (Op::Member, x, b)], out);
                    }
                    Node::Binary(Op::Difference, a, b) if may_split => {
                        let is_in = self.apply(Op::Member, &[x, a], boolean, span);
                        self.flatten(is_in, is_lenient, out);
                        let is_in = self.apply(Op::Member, &[x, b], boolean, span);
                        let is_out = self.apply(Op::Not, &[is_in], boolean, span);
                        out.push(is_out);
                    }
                    Node::Unary(Op::PowerSet, a) => {
                        let part = self.apply(Op::Subset, &[x, a], boolean, span);
                        self.flatten(part, is_lenient, out);
                    }
                    Node::Unary(Op::PowerSet1, a) if may_split => {
                        let part = self.apply(Op::Subset, &[x, a], boolean, span);
                        self.flatten(part, is_lenient, out);
                        let type_ = self.code.arena.info(x).type_;
                        let empty = self.code.arena.constant(Value::EMPTY, type_);
                        let is_empty = self.apply(Op::Equal, &[x, empty], boolean, span);
                        out.push(self.apply(Op::Not, &[is_empty], boolean, span));
                    }
                    Node::Binary(Op::Relations, a, b) => {
                        let type_ = self.code.arena.info(x).type_;
                        let product = self.apply(Op::Product, &[a, b], type_, span);
                        out.push(self.apply(Op::Subset, &[x, product], boolean, span));
                    }
                    Node::Many(Op::Set, start, 1) => {
                        let element = self.code.arena.lists[start as usize];
                        let same = self.apply(Op::Equal, &[x, element], boolean, span);
                        self.flatten(same, is_lenient, out);
                    }
                    _ => out.push(id),
                }
            }
            (Op::Subset, &[part, whole]) if may_split => {
                if let Some((Op::Set, elements)) = self.code.arena.application(part) {
                    for element in elements {
                        let is_in = self.apply(Op::Member, &[element, whole], boolean, span);
                        self.flatten(is_in, is_lenient, out);
                    }
                } else if let Node::Binary(Op::Intersection, a, b) = self.code.arena.bare(whole) {
                    for whole in [a, b] {
                        let part = self.apply(Op::Subset, &[part, whole], boolean, span);
                        self.flatten(part, is_lenient, out);
                    }
                } else {
                    out.push(id);
                }
            }
            _ => out.push(id),
        }
    }

    fn flatten_not(&mut self, id: Id, inner: Id, is_lenient: bool, out: &mut Vec<Id>) {
        let boolean = self.code.arena.type_(Type::Boolean);
        let span = self.code.arena.info(id).span;
        let Some((op, arguments)) = self.code.arena.application(inner) else {
            out.push(id);
            return;
        };
        match (op, arguments.as_slice()) {
            (Op::Not, &[inner]) => self.flatten(inner, is_lenient, out),
            (Op::Or, parts) => {
                for &part in parts {
                    let not = self.apply(Op::Not, &[part], boolean, span);
                    self.flatten(not, is_lenient, out);
                }
            }
            (Op::Implies, &[a, b]) => {
                self.flatten(a, is_lenient, out);
                let not = self.apply(Op::Not, &[b], boolean, span);
                self.flatten(not, is_lenient, out);
            }
            (Op::And, parts) => {
                let parts: Vec<Id> =
                    parts.iter().map(|&part| self.apply(Op::Not, &[part], boolean, span)).collect();
                out.push(self.apply(Op::Or, &parts, boolean, span));
            }
            (Op::Less, &[a, b]) => out.push(self.apply(Op::LessEqual, &[b, a], boolean, span)),
            (Op::LessEqual, &[a, b]) => out.push(self.apply(Op::Less, &[b, a], boolean, span)),
            _ => out.push(id),
        }
    }

    /// Pairs are equal where their sides are.
    fn flatten_equal(&mut self, id: Id, (a, b): (Id, Id), is_lenient: bool, out: &mut Vec<Id>) {
        let may_split = is_lenient || self.code.arena.info(id).is_total;
        let boolean = self.code.arena.type_(Type::Boolean);
        let span = self.code.arena.info(id).span;
        let (pair, other) = match self.code.arena.bare(a) {
            Node::Binary(Op::Pair, ..) => (a, b),
            _ => (b, a),
        };
        if may_split && let Node::Binary(Op::Pair, left, right) = self.code.arena.bare(pair) {
            let sides = match self.code.arena.bare(other) {
                Node::Binary(Op::Pair, left, right) => Some((left, right)),
                Node::Slot(_) => {
                    let Type::Pair(l, r) = self.code.arena.types[self.code.arena.info(other).type_ as usize]
                    else {
                        out.push(id);
                        return;
                    };
                    let left = self.code.arena.apply(Op::Left, &[other], l, span);
                    Some((left, self.code.arena.apply(Op::Right, &[other], r, span)))
                }
                _ => None,
            };
            // Where the other side is what is looked for, it has to stay in one piece.
            let is_wanted = matches!(self.code.arena.bare(other), Node::Slot(_))
                && self.code.arena.info(pair).free.is_empty();
            if let Some((other_left, other_right)) = sides
                && !is_wanted
            {
                for (x, y) in [(left, other_left), (right, other_right)] {
                    let same = self.apply(Op::Equal, &[x, y], boolean, span);
                    self.flatten(same, is_lenient, out);
                }
                if matches!(self.code.arena.bare(other), Node::Slot(_)) {
                    out.push(id);
                }
                return;
            }
        }
        // A truth value that is known: the other side is a predicate.
        for (known, predicate) in [(a, b), (b, a)] {
            let is_slot = matches!(self.code.arena.bare(predicate), Node::Slot(_));
            match self.code.arena.bare(known) {
                Node::Constant(Value::TRUE) if !is_slot => return self.flatten(predicate, is_lenient, out),
                Node::Constant(Value::FALSE) if !is_slot => {
                    let not = self.apply(Op::Not, &[predicate], boolean, span);
                    return self.flatten(not, is_lenient, out);
                }
                _ => {}
            }
        }
        out.push(id);
    }

    /// Refuses quantifiers whose names nothing bounds.
    pub fn check_bounds(&self, plans: &[u32], subs: &[u32], claims: &[Id]) -> Result<()> {
        let mut walk = Walk { compiler: self, visited: vec![false; self.code.arena.nodes.len()] };
        let done = plans.iter().try_for_each(|&plan| walk.steps(&self.code.plans[plan as usize].steps));
        let done = done.and_then(|()| subs.iter().try_for_each(|&sub| walk.sub(sub)));
        let done = done.and_then(|()| claims.iter().try_for_each(|&claim| walk.node(claim)));
        done.map_err(|slot| {
            let info = &self.code.slots[slot as usize];
            Refusal::Unbounded { name: info.name.clone(), span: info.span }
        })
    }
}

/// Everything that may be evaluated, each node once.
struct Walk<'c, 'a> {
    compiler: &'c Compiler<'a>,
    visited: Vec<bool>,
}

impl Walk<'_, '_> {
    fn node(&mut self, id: Id) -> std::result::Result<(), Slot> {
        if std::mem::replace(&mut self.visited[id as usize], true) {
            return Ok(());
        }
        let arena = &self.compiler.code.arena;
        match arena.bare(id) {
            Node::Constant(_) | Node::Slot(_) | Node::Nullary(_) => Ok(()),
            Node::Unary(_, a) | Node::Field(a, _) | Node::Kept(a, _) => self.node(a),
            Node::Binary(_, a, b) | Node::Let(_, a, b) => {
                self.node(a)?;
                self.node(b)
            }
            Node::Many(_, start, length) => {
                arena.list(start, length).iter().try_for_each(|&each| self.node(each))
            }
            Node::Conditional(a, b, c) => [a, b, c].into_iter().try_for_each(|each| self.node(each)),
            Node::Forall { binder, body } => {
                self.plan(arena.binders[binder as usize].plan?)?;
                self.node(body)
            }
            Node::Exists { binder } => self.plan(arena.binders[binder as usize].plan?),
            Node::Fold { binder, .. } => {
                let binder = &arena.binders[binder as usize];
                self.plan(binder.plan?)?;
                binder.value.map_or(Ok(()), |value| self.node(value))
            }
            Node::Comprehension { binder } => {
                let binder = &arena.binders[binder as usize];
                let member = binder.member.map(|(_, plan)| plan);
                // An infinite one is all right where only membership in it is asked.
                match (binder.plan, member) {
                    (Ok(plan), _) | (Err(_), Some(plan)) => self.plan(plan)?,
                    (Err(slot), None) => return Err(slot),
                }
                binder.value.map_or(Ok(()), |value| self.node(value))
            }
        }
    }

    fn plan(&mut self, plan: u32) -> std::result::Result<(), Slot> {
        self.steps(&self.compiler.code.plans[plan as usize].steps)
    }

    fn steps(&mut self, steps: &[PlanStep]) -> std::result::Result<(), Slot> {
        for step in steps {
            match step {
                PlanStep::Test(id) => self.node(*id)?,
                PlanStep::Match(pattern, id) | PlanStep::Each(pattern, id) => {
                    self.pattern(pattern)?;
                    self.node(*id)?;
                }
                PlanStep::Range { low, high, .. } => {
                    low.iter().chain(high).try_for_each(|&id| self.node(id))?
                }
                PlanStep::Sequences { of, low, high, .. } => {
                    low.iter().chain(high).chain([of]).try_for_each(|&id| self.node(id))?;
                }
                PlanStep::Subsets(job) => {
                    let ids = job.members.iter().chain(&job.parts).chain(&job.strangers).chain([&job.of]);
                    ids.copied().collect::<Vec<_>>().into_iter().try_for_each(|id| self.node(id))?;
                }
                PlanStep::Functions(job) => {
                    self.node(job.from)?;
                    job.to.iter().try_for_each(|&id| self.node(id))?;
                    for each in &job.required {
                        each.condition.iter().chain([&each.image]).try_for_each(|&id| self.node(id))?;
                    }
                }
                PlanStep::Branch(alternatives) => {
                    alternatives.iter().try_for_each(|steps| self.steps(steps))?
                }
                PlanStep::Guarded(guarded) => {
                    guarded.asks.iter().try_for_each(|&id| self.node(id))?;
                    self.steps(std::slice::from_ref(&guarded.step))?;
                    self.steps(&guarded.otherwise)?;
                }
                PlanStep::Defined(ids) => ids.iter().try_for_each(|&id| self.node(id))?,
                PlanStep::Sifted(_) | PlanStep::Cut(_) | PlanStep::MayBeUndefined => {}
            }
        }
        Ok(())
    }

    fn pattern(&mut self, pattern: &Pattern) -> std::result::Result<(), Slot> {
        match pattern {
            Pattern::Bind(_) => Ok(()),
            Pattern::Known(id) => self.node(*id),
            Pattern::Pair(both) => {
                self.pattern(&both.0)?;
                self.pattern(&both.1)
            }
            Pattern::Constructed(both) => self.pattern(&both.1),
            Pattern::Shifted(shifted) => self.pattern(&shifted.pattern),
            Pattern::Record(parts) | Pattern::Sequence(parts) => {
                parts.iter().try_for_each(|part| self.pattern(part))
            }
        }
    }

    fn sub(&mut self, sub: u32) -> std::result::Result<(), Slot> {
        match &self.compiler.code.subs[sub as usize] {
            Sub::Assign(_, values) => values.iter().try_for_each(|&value| self.node(value)),
            Sub::Parallel(parts) | Sub::Sequence(parts) => parts.iter().try_for_each(|&part| self.sub(part)),
            Sub::Choose { plan, body, .. } => {
                self.plan(*plan)?;
                self.sub(*body)
            }
            Sub::Alternatives(branches, otherwise) => {
                for &(condition, body) in branches {
                    self.node(condition)?;
                    self.sub(body)?;
                }
                otherwise.map_or(Ok(()), |body| self.sub(body))
            }
            Sub::If(branches, otherwise) => {
                for &(condition, body) in branches {
                    self.node(condition)?;
                    self.sub(body)?;
                }
                self.sub(*otherwise)
            }
            Sub::Demand { condition, body, .. } => {
                self.node(*condition)?;
                self.sub(*body)
            }
            Sub::Local(_, body) => self.sub(*body),
            Sub::While { test, body, invariant, variant } => {
                [test, invariant, variant].into_iter().try_for_each(|&id| self.node(id))?;
                self.sub(*body)
            }
        }
    }
}
