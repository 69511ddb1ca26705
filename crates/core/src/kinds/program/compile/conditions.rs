//! Conditions are compiled to jumps, so `and` and `or` cost nothing by themselves.

use super::super::calls::may_loop;
use super::super::code::{Op, Target};
use super::super::ir::{Bound, Domain, Expr, Operator, Place, Quantifier, Type};
use super::super::layout::encoding;
use super::emit::{Binding, Compiler, Operand};

impl Compiler<'_> {
    /// Jumps to the target where the condition is `when`; else the code goes on behind.
    pub fn branch(&mut self, condition: &Expr, when: bool, target: Target) {
        self.scope(|this| this.branch_in_scope(condition, when, target));
    }

    fn branch_in_scope(&mut self, condition: &Expr, when: bool, target: Target) {
        match condition {
            Expr::Not(operand) => self.branch(operand, !when, target),
            Expr::And(parts) => self.junction(parts, true, when, target),
            Expr::Or(parts) => self.junction(parts, false, when, target),
            Expr::Binary(operator, sides) if operator.compares() => {
                self.comparison(*operator, (&sides.0, &sides.1), when, target);
            }
            Expr::Quantified(quantifier, bound, body) => {
                self.quantified(*quantifier, (bound, body), when, target);
            }
            Expr::IsDefined(place) => {
                let place = self.place(place);
                let test =
                    if encoding(self.types, &place.type_).1 { self.raw(&place) } else { self.constant(1) };
                self.jump(Operand::Cell(test), when, target);
            }
            Expr::IsMember(operand, sort) => self.membership(operand, *sort, when, target),
            value => {
                let value = self.value(value);
                self.jump(value, when, target);
            }
        }
    }

    fn jump(&mut self, test: Operand, when: bool, target: Target) {
        match test {
            Operand::Constant(value) => {
                if (value != 0) == when {
                    self.emit(Op::Jump { target });
                }
            }
            Operand::Cell(test) => self.emit(match when {
                true => Op::JumpIf { test, target },
                false => Op::JumpUnless { test, target },
            }),
        }
    }

    fn junction(&mut self, parts: &[Expr], all: bool, when: bool, target: Target) {
        if all != when {
            // One part that is `when` decides.
            for part in parts {
                self.branch(part, when, target);
            }
            return;
        }
        let decided = self.label();
        for part in parts {
            self.branch(part, !when, decided);
        }
        self.emit(Op::Jump { target });
        self.bind_label(decided);
    }

    fn comparison(&mut self, operator: Operator, sides: (&Expr, &Expr), when: bool, target: Target) {
        use Operator::*;
        let operator = if when { operator } else { operator.opposite() };
        if matches!(operator, Equal | NotEqual) && self.compare_code(operator, sides, target) {
            return;
        }
        let left = self.value(sides.0);
        let left = self.kept(left, sides.1);
        let right = self.value(sides.1);
        if let (Operand::Constant(a), Operand::Constant(b)) = (left, right) {
            if operator.holds(a, b) {
                self.emit(Op::Jump { target });
            }
            return;
        }
        let (left, right) = (self.in_cell(left), self.in_cell(right));
        self.emit(match operator {
            Equal => Op::JumpEqual { left, right, target },
            NotEqual => Op::JumpNotEqual { left, right, target },
            Less => Op::JumpLess { left, right, target },
            LessOrEqual => Op::JumpLessOrEqual { left, right, target },
            Greater => Op::JumpLess { left: right, right: left, target },
            _ => Op::JumpLessOrEqual { left: right, right: left, target },
        });
    }

    /// A scalar that may be undefined against a constant: one instruction, on the code itself.
    fn compare_code(&mut self, operator: Operator, sides: (&Expr, &Expr), target: Target) -> bool {
        let ((Expr::Read(place), other) | (other, Expr::Read(place))) = sides else { return false };
        if let Expr::Read(_) = other
            && !matches!(other, Expr::Read(Place::Variable(name, type_)) if matches!(self.lookup(name, type_), Binding::Value(Operand::Constant(_))))
        {
            return false;
        }
        if !matches!(other, Expr::Constant(..) | Expr::Read(_)) {
            return false;
        }
        if let Place::Variable(name, type_) = place
            && matches!(self.lookup(name, type_), Binding::Value(_))
        {
            return false;
        }
        let Operand::Constant(value) = self.value(other) else { return false };
        let place = self.place(place);
        let (low, optional) = encoding(self.types, &place.type_);
        let (_, high) = self.types.bounds(&place.type_);
        let code = value.checked_sub(low).map(|code| code + i64::from(optional));
        let code = code.and_then(|code| u32::try_from(code).ok()).filter(|_| (low..=high).contains(&value));
        let at = self.raw(&place);
        match (code, optional) {
            (Some(code), true) => self.emit(match operator {
                Operator::Equal => Op::JumpCode { at, code, target },
                _ => Op::JumpNotCode { at, code, target },
            }),
            (Some(code), false) => {
                let right = self.constant(i64::from(code));
                self.emit(match operator {
                    Operator::Equal => Op::JumpEqual { left: at, right, target },
                    _ => Op::JumpNotEqual { left: at, right, target },
                });
            }
            (None, _) => {
                // Never equal, but reading what is undefined stays an error.
                if optional {
                    let to = self.cell();
                    self.emit(Op::Load { to, from: at, bias: 0 });
                }
                if operator == Operator::NotEqual {
                    self.emit(Op::Jump { target });
                }
            }
        }
        true
    }

    fn quantified(
        &mut self,
        Quantifier { for_all, every }: Quantifier,
        (bound, body): (&Bound, &Expr),
        when: bool,
        target: Target,
    ) {
        let decided = if for_all != when { target } else { self.label() };
        // One instance that says so decides: a false one for all, a true one for some.
        let deciding = !for_all;
        self.scope(|this| {
            // Where no instance can fail or have an effect, those after the deciding one can be left out.
            if every && this.may_fail(body) {
                this.all_instances(bound, body, deciding, decided);
            } else {
                this.each_value(bound, |this| this.branch(body, deciding, decided));
            }
        });
        if for_all == when {
            self.emit(Op::Jump { target });
            self.bind_label(decided);
        }
    }

    /// Evaluates all instances, and jumps where one was `deciding`.
    fn all_instances(&mut self, bound: &Bound, body: &Expr, deciding: bool, decided: Target) {
        if self.instances_written_out(bound, body, deciding, decided) {
            return;
        }
        let (seen, zero, one) = (self.cell(), self.constant(0), self.constant(1));
        self.emit(Op::Move { to: seen, from: zero });
        self.each_value(bound, |this| {
            let next = this.label();
            this.branch(body, !deciding, next);
            this.emit(Op::Move { to: seen, from: one });
            this.bind_label(next);
        });
        self.emit(Op::JumpIf { test: seen, target: decided });
    }

    /// The same where instances are few: an instance that decides leads to a copy of those behind it, evaluated only for
    /// what else they do, so that nothing is paid where none decides. Not around other loops: copies of copies grow.
    fn instances_written_out(&mut self, bound: &Bound, body: &Expr, deciding: bool, decided: Target) -> bool {
        let Domain::All(type_) = &bound.domain else { return false };
        let ((low, high), size) = (self.types.bounds(type_), self.types.size(type_));
        if may_loop(body) {
            return false;
        }
        self.unroll(size, |this| {
            let instance = |this: &mut Self, value: i64, target: Target| {
                this.scope(|this| {
                    this.name(&bound.name, Binding::Value(Operand::Constant(value)));
                    this.branch(body, deciding, target);
                });
            };
            let undecided = this.label();
            let behind: Vec<(i64, Target)> = (low..=high).map(|value| (value, this.label())).collect();
            for &(value, rest) in &behind {
                instance(this, value, rest);
            }
            this.emit(Op::Jump { target: undecided });
            for (at, &(_, rest)) in behind.iter().enumerate() {
                this.bind_label(rest);
                if let Some(&(value, next)) = behind.get(at + 1) {
                    instance(this, value, next);
                }
            }
            this.emit(Op::Jump { target: decided });
            this.bind_label(undecided);
        })
    }

    fn membership(&mut self, operand: &Expr, sort: usize, when: bool, target: Target) {
        let type_ = self.type_of(operand);
        let value = self.value(operand);
        let Type::Union(sorts) = &*type_ else {
            let same = matches!(&*type_, Type::Element(other) if *other == sort);
            return self.jump(Operand::Constant(i64::from(same)), when, target);
        };
        if !sorts.contains(&sort) {
            return self.jump(Operand::Constant(0), when, target);
        }
        let first = self.types.offset_in_union(sorts, sort);
        let past = first + self.types.size(&Type::Element(sort)) as i64;
        let (value, first, past) = (self.in_cell(value), self.constant(first), self.constant(past));
        let outside = self.label();
        let no = if when { outside } else { target };
        self.emit(Op::JumpLess { left: value, right: first, target: no });
        self.emit(Op::JumpLessOrEqual { left: past, right: value, target: no });
        if when {
            self.emit(Op::Jump { target });
        }
        self.bind_label(outside);
    }
}
