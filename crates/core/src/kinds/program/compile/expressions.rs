//! Expressions, compiled to code that puts their value into a cell.

use std::rc::Rc;

use super::super::calls::may_call;
use super::super::code::{Dimension, ERROR, Op, Range, Site, SiteArgument, remainder, shift};
use super::super::ir::{Bound, Expr, Lookup, Operator, Place, Type};
use super::emit::{Binding, Compiler, Operand};
use crate::kinds::table::NOTHING;

impl Compiler<'_> {
    pub fn value(&mut self, expression: &Expr) -> Operand {
        match expression {
            Expr::Constant(value, _) => Operand::Constant(*value),
            Expr::Read(Place::Variable(name, type_)) => match self.lookup(name, type_) {
                Binding::Value(value) => value,
                Binding::Place(place) => self.load(&place),
            },
            Expr::Read(place) => {
                let place = self.place(place);
                self.load(&place)
            }
            Expr::Binary(operator, sides) if !operator.compares() => {
                let left = self.value(&sides.0);
                let left = self.kept(left, &sides.1);
                let right = self.value(&sides.1);
                self.arithmetic(*operator, left, right)
            }
            Expr::Negate(bitwise, operand) => match self.value(operand) {
                Operand::Constant(value) if *bitwise => Operand::Constant(!value),
                Operand::Constant(value) if value != i64::MIN => Operand::Constant(-value),
                operand => {
                    let (to, from) = (self.cell(), self.in_cell(operand));
                    self.emit(if *bitwise { Op::Complement { to, from } } else { Op::Negate { to, from } });
                    Operand::Cell(to)
                }
            },
            Expr::Conditional(parts) => self.conditional(&parts.0, &parts.1, &parts.2),
            Expr::Convert(operand, type_) => self.convert(operand, type_),
            Expr::Count(bound, test) => self.count(bound, test),
            Expr::Call(call) => self.call_value(call),
            Expr::Wrap(operand, type_) => self.wrap(operand, type_),
            Expr::Lookup(lookup) => self.look_up(lookup),
            Expr::Same(left, right) => {
                let left = self.content(left, right);
                let left = self.with_sorted_bags(left);
                let right = self.place(right);
                let right = self.with_sorted_bags(right);
                let count = self.types.slots(&left.type_) as u32;
                let (left, right) = (self.address(&left), self.address(&right));
                let to = self.cell();
                self.emit(Op::Same { to, left, right, count });
                Operand::Cell(to)
            }
            condition => self.truth(condition),
        }
    }

    /// A left operand must survive what evaluating the right one may change: functions have effects.
    pub fn kept(&mut self, left: Operand, right: &Expr) -> Operand {
        if may_call(right) { self.moved(left) } else { left }
    }

    fn arithmetic(&mut self, operator: Operator, left: Operand, right: Operand) -> Operand {
        if let (Operand::Constant(a), Operand::Constant(b)) = (left, right)
            && let Some(value) = folded(operator, a, b)
        {
            return Operand::Constant(value);
        }
        let (left, right) = (self.in_cell(left), self.in_cell(right));
        let to = self.cell();
        self.emit(match operator {
            Operator::Add => Op::Add { to, left, right },
            Operator::Subtract => Op::Subtract { to, left, right },
            Operator::Multiply => Op::Multiply { to, left, right },
            Operator::Divide => Op::Divide { to, left, right },
            Operator::Remainder => Op::Remainder { to, left, right },
            Operator::BitAnd => Op::BitAnd { to, left, right },
            Operator::BitOr => Op::BitOr { to, left, right },
            Operator::BitXor => Op::BitXor { to, left, right },
            Operator::ShiftLeft => Op::ShiftLeft { to, left, right },
            _ => Op::ShiftRight { to, left, right },
        });
        Operand::Cell(to)
    }

    fn wrap(&mut self, operand: &Expr, type_: &Type) -> Operand {
        let value = self.value(operand);
        let (low, high) = self.types.bounds(type_);
        let range = Range { low, high, shift: 0 };
        match value {
            Operand::Constant(value) => Operand::Constant(range.wrapped(value)),
            Operand::Cell(from) => {
                let (to, range) = (self.cell(), self.range(range));
                self.emit(Op::Wrap { to, from, range });
                Operand::Cell(to)
            }
        }
    }

    fn look_up(&mut self, lookup: &Lookup) -> Operand {
        let table = &lookup.table;
        let property = lookup.property.map_or(ERROR, super::number);
        let (mut arguments, mut cells) = (Vec::new(), Vec::new());
        let mut first = self.entries_of(table) as i64;
        let mut stride = table.entries.len() as i64;
        let mut is_inside = true;
        let operands = self.arguments_of(lookup);
        for (type_, operand) in table.arguments.iter().zip(operands) {
            let (low, size) = (self.types.bounds(type_).0, self.types.size(type_) as i64);
            stride /= size.max(1);
            cells.push(self.in_cell(operand));
            match operand {
                Operand::Constant(value) if (low..low + size).contains(&value) => {
                    first += (value - low) * stride;
                }
                Operand::Constant(_) => is_inside = false,
                Operand::Cell(cell) => {
                    arguments.push(SiteArgument { cell, dimension: Dimension { low, size, stride } });
                }
            }
        }
        let first = first as usize;
        if let (true, [], Some(&value)) = (is_inside, arguments.as_slice(), self.code.entries.get(first))
            && value != NOTHING
        {
            return Operand::Constant(value);
        }
        let to = self.cell();
        if !is_inside {
            self.emit(Op::Fail { property });
            return Operand::Cell(to);
        }
        let site = Site {
            table: table.number as u32,
            first,
            arguments: arguments.into(),
            cells: cells.into(),
            property,
        };
        self.code.sites.push(site);
        self.emit(Op::Lookup { to, site: self.code.sites.len() as u32 - 1 });
        Operand::Cell(to)
    }

    /// The arguments from the left, each as a value of the table's type.
    fn arguments_of(&mut self, lookup: &Lookup) -> Vec<Operand> {
        let mut operands = Vec::new();
        for (at, (argument, wanted)) in lookup.arguments.iter().zip(&lookup.table.arguments).enumerate() {
            let is_renumbered =
                matches!(&**wanted, Type::Element(_) | Type::Union(_)) && self.type_of(argument) != *wanted;
            let operand = if is_renumbered { self.convert(argument, wanted) } else { self.value(argument) };
            let operand = lookup.arguments[at + 1..].iter().fold(operand, |kept, rest| self.kept(kept, rest));
            operands.push(operand);
        }
        operands
    }

    fn conditional(&mut self, test: &Expr, then: &Expr, otherwise: &Expr) -> Operand {
        let (to, no, end) = (self.cell(), self.label(), self.label());
        self.branch(test, false, no);
        for (value, after) in [(then, Some(end)), (otherwise, None)] {
            self.scope(|this| {
                let value = this.value(value);
                let from = this.in_cell(value);
                this.emit(Op::Move { to, from });
            });
            match after {
                Some(end) => {
                    self.emit(Op::Jump { target: end });
                    self.bind_label(no);
                }
                None => self.bind_label(end),
            }
        }
        Operand::Cell(to)
    }

    fn convert(&mut self, operand: &Expr, to: &Type) -> Operand {
        let from = self.type_of(operand);
        let value = self.value(operand);
        let (low, high) = self.types.bounds(to);
        let by = match (&*from, to) {
            (Type::Element(sort), Type::Union(sorts)) => self.types.offset_in_union(sorts, *sort),
            (Type::Union(sorts), Type::Element(sort)) => -self.types.offset_in_union(sorts, *sort),
            _ => 0,
        };
        if let (Type::Union(members), Type::Union(wanted)) = (&*from, to)
            && members != wanted
        {
            return self.between_unions(value, members, wanted);
        }
        match value {
            Operand::Constant(value) if (low..=high).contains(&(value + by)) => Operand::Constant(value + by),
            value => {
                let mut cell = self.in_cell(value);
                if by != 0 {
                    let to = self.cell();
                    self.emit(Op::Plus { to, from: cell, bias: by as i32 });
                    cell = to;
                }
                let range = self.range(Range { low, high, shift: 0 });
                self.emit(Op::Check { from: cell, range });
                Operand::Cell(cell)
            }
        }
    }

    /// Sort by sort: a value in the sort's part of the one union goes to its part of the other.
    fn between_unions(&mut self, value: Operand, members: &[usize], wanted: &[usize]) -> Operand {
        let (from, to, end) = (self.in_cell(value), self.cell(), self.label());
        for &sort in members {
            let next = self.label();
            let first = self.types.offset_in_union(members, sort);
            let size = self.types.size(&Type::Element(sort)) as i64;
            let (least, past) = (self.constant(first), self.constant(first + size));
            self.emit(Op::JumpLess { left: from, right: least, target: next });
            self.emit(Op::JumpLessOrEqual { left: past, right: from, target: next });
            if wanted.contains(&sort) {
                let by = self.types.offset_in_union(wanted, sort) - first;
                self.emit(Op::Plus { to, from, bias: by as i32 });
                self.emit(Op::Jump { target: end });
            } else {
                self.fail();
            }
            self.bind_label(next);
        }
        self.fail();
        self.bind_label(end);
        Operand::Cell(to)
    }

    fn count(&mut self, bound: &Bound, test: &Expr) -> Operand {
        let (to, zero, one) = (self.cell(), self.constant(0), self.constant(1));
        self.emit(Op::Move { to, from: zero });
        self.each_value(bound, |this| {
            let next = this.label();
            this.branch(test, false, next);
            this.emit(Op::Add { to, left: to, right: one });
            this.bind_label(next);
        });
        Operand::Cell(to)
    }

    /// 0 or 1 for a condition.
    fn truth(&mut self, condition: &Expr) -> Operand {
        let (to, zero, one, end) = (self.cell(), self.constant(0), self.constant(1), self.label());
        self.emit(Op::Move { to, from: zero });
        self.branch(condition, false, end);
        self.emit(Op::Move { to, from: one });
        self.bind_label(end);
        Operand::Cell(to)
    }

    /// The scalar type of a value.
    pub fn type_of(&self, expression: &Expr) -> Rc<Type> {
        let scalar = |type_: &Rc<Type>| match &**type_ {
            Type::Optional(inner) => inner.clone(),
            _ => type_.clone(),
        };
        match expression {
            Expr::Constant(_, type_) | Expr::Convert(_, type_) | Expr::Wrap(_, type_) => type_.clone(),
            Expr::Lookup(lookup) => lookup.table.result.clone(),
            Expr::Read(place) => scalar(&super::instances::place_type(place, self.types)),
            Expr::Conditional(parts) => self.type_of(&parts.1),
            Expr::Call(call) => {
                let function = &self.program.functions[&call.function];
                function.result.as_ref().map_or_else(|| Rc::new(Type::Boolean), scalar)
            }
            Expr::Binary(operator, _) if !operator.compares() => Rc::new(Type::Integer(None)),
            Expr::Negate(..) | Expr::Count(..) => Rc::new(Type::Integer(None)),
            _ => Rc::new(Type::Boolean),
        }
    }
}

fn folded(operator: Operator, a: i64, b: i64) -> Option<i64> {
    match operator {
        Operator::Add => a.checked_add(b),
        Operator::Subtract => a.checked_sub(b),
        Operator::Multiply => a.checked_mul(b),
        Operator::Divide => a.checked_div(b),
        Operator::Remainder => remainder(a, b),
        Operator::BitAnd => Some(a & b),
        Operator::BitOr => Some(a | b),
        Operator::BitXor => Some(a ^ b),
        Operator::ShiftLeft => Some(shift(a, b)),
        Operator::ShiftRight => Some(shift(a, b.saturating_neg())),
        _ => None,
    }
}

impl Operator {
    pub fn compares(self) -> bool {
        use Operator::*;
        matches!(self, Equal | NotEqual | Less | LessOrEqual | Greater | GreaterOrEqual)
    }

    pub fn opposite(self) -> Operator {
        match self {
            Operator::Equal => Operator::NotEqual,
            Operator::NotEqual => Operator::Equal,
            Operator::Less => Operator::GreaterOrEqual,
            Operator::LessOrEqual => Operator::Greater,
            Operator::Greater => Operator::LessOrEqual,
            _ => Operator::Less,
        }
    }

    pub fn holds(self, a: i64, b: i64) -> bool {
        match self {
            Operator::Equal => a == b,
            Operator::NotEqual => a != b,
            Operator::Less => a < b,
            Operator::LessOrEqual => a <= b,
            Operator::Greater => a > b,
            _ => a >= b,
        }
    }
}
