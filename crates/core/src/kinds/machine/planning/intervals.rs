//! Whole numbers between bounds: what equations and inequalities say of a number, or of the size of a sequence.

use crate::kinds::machine::compile::Compiler;
use crate::kinds::machine::nodes::{Id, Node, Op, Slot, Slots, Type};
use crate::kinds::machine::plan::PlanStep;
use crate::kinds::machine::planning::Choice;

impl Compiler<'_> {
    pub fn integer(&mut self) -> u32 {
        self.code.arena.type_(Type::Integer)
    }

    pub fn number(&mut self, number: i64) -> Id {
        let type_ = self.integer();
        self.code.arena.constant(self.values.number(number), type_)
    }

    /// Whole numbers between bounds.
    pub fn range(&mut self, slot: Slot, unknown: &Slots, rest: &[Id], choices: &mut Vec<Choice>) {
        if self.code.arena.types[self.code.slots[slot as usize].type_ as usize] != Type::Integer {
            return;
        }
        let is_it = |this: &Self, id: Id| this.unknown_slot(id, unknown) == Some(slot);
        let NumberBounds { low, high, settled } = self.bounds(&is_it, slot, unknown, rest);
        if low.is_empty() || high.is_empty() {
            return;
        }
        let numbers = |ids: &[Id]| -> Vec<i64> {
            ids.iter().filter_map(|&id| self.code.arena.number(id, self.values)).collect()
        };
        let cost = match (numbers(&low).into_iter().max(), numbers(&high).into_iter().min()) {
            (Some(low), Some(high)) => ((high - low + 1) as f64).max(0.0),
            _ => 8.0,
        };
        let step = PlanStep::Range { slot, low, high };
        choices.push(Choice { cost, step, binds: Slots::one(slot), settled });
    }

    /// What conjuncts say of the size of something that is found by `is_it` in them.
    pub fn bounds(
        &mut self,
        is_it: &dyn Fn(&Self, Id) -> bool,
        slot: Slot,
        unknown: &Slots,
        rest: &[Id],
    ) -> NumberBounds {
        let mut bounds = NumberBounds::default();
        let integer = self.integer();
        for &id in rest {
            let Some((op, arguments)) = self.code.arena.application(id) else { continue };
            match (op, arguments.as_slice()) {
                (Op::Member, &[element, set])
                    if is_it(self, element) && !self.free(set).intersects(unknown) =>
                {
                    match self.code.arena.application(set) {
                        Some((Op::Interval, ends)) => {
                            bounds.low.push(ends[0]);
                            bounds.high.push(ends[1]);
                            bounds.settled.push(id);
                        }
                        Some((Op::UpFrom, from)) => {
                            bounds.low.push(from[0]);
                            bounds.settled.push(id);
                        }
                        _ => {}
                    }
                }
                (Op::Less | Op::LessEqual, &[a, b]) => {
                    let is_strict = i64::from(op == Op::Less);
                    for (open, known, is_left) in [(a, b, true), (b, a, false)] {
                        if self.free(known).intersects(unknown)
                            || self.free(open).intersection(unknown) != Slots::one(slot)
                        {
                            continue;
                        }
                        let Some((is_flipped, value)) = self.isolated_by(open, is_it, known) else {
                            continue;
                        };
                        // open <= known, or known <= open; the other way round where a minus was passed.
                        let is_upper = is_left != is_flipped;
                        let one = self.number(is_strict);
                        let op = if is_upper { Op::Subtract } else { Op::Add };
                        let bound = self.apply(op, &[value, one], integer, None);
                        if is_upper {
                            bounds.high.push(bound)
                        } else {
                            bounds.low.push(bound)
                        }
                        bounds.settled.push(id);
                    }
                }
                (Op::Equal, &[a, b]) => {
                    for (open, known) in [(a, b), (b, a)] {
                        if is_it(self, open) && !self.free(known).intersects(unknown) {
                            bounds.low.push(known);
                            bounds.high.push(known);
                        }
                    }
                }
                _ => {}
            }
        }
        bounds
    }

    pub fn isolated(&mut self, id: Id, slot: Slot, other: Id) -> Option<(bool, Id)> {
        let is_it =
            |this: &Self, id: Id| matches!(this.code.arena.bare(id), Node::Slot(found) if found == slot);
        self.isolated_by(id, &is_it, other)
    }

    /// What is wanted to be equal to (or, where true, the negative way round: compared with) `other`, once sums and
    /// differences around it are moved to the other side.
    pub fn isolated_by(
        &mut self,
        id: Id,
        is_it: &dyn Fn(&Self, Id) -> bool,
        other: Id,
    ) -> Option<(bool, Id)> {
        if is_it(self, id) {
            return Some((false, other));
        }
        let integer = self.integer();
        if self.code.arena.info(id).type_ != integer {
            return None;
        }
        let (op, arguments) = self.code.arena.application(id)?;
        match (op, arguments.as_slice()) {
            (Op::Add, &[a, b]) => {
                let (open, known) = if self.has(a, is_it) { (a, b) } else { (b, a) };
                if self.has(known, is_it) {
                    return None;
                }
                let other = self.apply(Op::Subtract, &[other, known], integer, None);
                self.isolated_by(open, is_it, other)
            }
            (Op::Subtract, &[a, b]) if !self.has(b, is_it) => {
                let other = self.apply(Op::Add, &[other, b], integer, None);
                self.isolated_by(a, is_it, other)
            }
            (Op::Subtract, &[a, b]) if !self.has(a, is_it) => {
                let other = self.apply(Op::Subtract, &[a, other], integer, None);
                self.isolated_by(b, is_it, other).map(|(is_flipped, value)| (!is_flipped, value))
            }
            (Op::Negate, &[a]) => {
                let other = self.apply(Op::Negate, &[other], integer, None);
                self.isolated_by(a, is_it, other).map(|(is_flipped, value)| (!is_flipped, value))
            }
            _ => None,
        }
    }

    pub fn has(&self, id: Id, is_it: &dyn Fn(&Self, Id) -> bool) -> bool {
        is_it(self, id)
            || match self.code.arena.application(id) {
                Some((_, arguments)) => arguments.iter().any(|&each| self.has(each, is_it)),
                // Whatever is hidden in binders and the like is not looked for: it may be there.
                None => {
                    !matches!(self.code.arena.bare(id), Node::Slot(_) | Node::Constant(_) | Node::Kept(..))
                }
            }
    }

    #[allow(clippy::too_many_arguments)] // one conjunct taken apart
    pub fn sequences(
        &mut self,
        id: Id,
        slot: Slot,
        op: Op,
        of: Id,
        unknown: &Slots,
        rest: &[Id],
        choices: &mut Vec<Choice>,
    ) {
        let of = self.narrowed(slot, Op::Range, of, unknown, rest);
        if self.code.arena.info(of).is_infinite {
            return;
        }
        let is_size = |this: &Self, id: Id| {
            matches!(this.code.arena.bare(id), Node::Unary(Op::Size | Op::Card, of)
                if this.unknown_slot(of, unknown) == Some(slot))
        };
        let NumberBounds { mut low, mut high, .. } = self.bounds(&is_size, slot, unknown, rest);
        let injective = matches!(op, Op::InjectiveSequences | Op::InjectiveSequences1);
        let integer = self.integer();
        low.push(self.number(i64::from(matches!(op, Op::Sequences1 | Op::InjectiveSequences1))));
        if injective {
            high.push(self.apply(Op::Card, &[of], integer, None));
        }
        if high.is_empty() {
            return;
        }
        let longest =
            high.iter().filter_map(|&id| self.code.arena.number(id, self.values)).min().unwrap_or(4);
        let cost = self.size(of).powf(longest as f64);
        let step = PlanStep::Sequences { slot, of, injective, low, high };
        choices.push(Choice { cost, step, binds: Slots::one(slot), settled: vec![id] });
    }
}

/// What conjuncts say of a number.
#[derive(Default)]
pub struct NumberBounds {
    pub low: Vec<Id>,
    pub high: Vec<Id>,
    pub settled: Vec<Id>,
}
