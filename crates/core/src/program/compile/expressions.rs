//! Places, values and conditions. A condition is compiled to jumps, so `and` and `or` cost nothing by themselves.

use std::rc::Rc;

use super::super::calls::may_call;
use super::super::code::{Cell, Dimension, Op, Range, Target, remainder, shift};
use super::super::ir::{Bound, Domain, Expr, Operator, Place, Type};
use super::super::layout::{Types, encoding};
use super::emit::{Binding, Compiler, Operand, PlaceRef};

impl Compiler<'_> {
    pub fn place(&mut self, place: &Place) -> PlaceRef {
        match place {
            Place::Variable(name, type_) => match self.lookup(name, type_) {
                Binding::Place(place) => place,
                Binding::Value(value) => self.stored(value, type_),
            },
            Place::Index(array, index) => {
                let array = self.place(array);
                let Type::Array(index_type, element) = &*array.type_.clone() else {
                    unreachable!("the program was type-checked: an array is indexed")
                };
                let index = self.value(index);
                self.element(&array, (index_type, element), index)
            }
            Place::Component(record, name) => {
                let record = self.place(record);
                let Type::Record(fields) = &*record.type_ else {
                    unreachable!("the program was type-checked: a record has fields")
                };
                let (offset, type_) = self.types.field(fields, name);
                PlaceRef { base: record.base + offset as Cell, offset: record.offset, type_: type_.clone() }
            }
            Place::Entry(bag, position) => {
                let bag = self.place(bag);
                let Type::Bag(element, capacity) = &*bag.type_.clone() else {
                    unreachable!("the program was type-checked: a bag has entries")
                };
                let spec = self.bag(element, *capacity);
                let position = self.value(position);
                let (bag, position) = (self.address(&bag), self.in_cell(position));
                let to = self.cell();
                self.emit(Op::Entry { to, bag, position, spec });
                PlaceRef { base: 0, offset: Some(to), type_: element.clone() }
            }
        }
    }

    fn element(
        &mut self,
        array: &PlaceRef,
        (index_type, element): (&Type, &Rc<Type>),
        index: Operand,
    ) -> PlaceRef {
        let stride = self.types.slots(element);
        let (low, high) = self.types.bounds(index_type);
        let mut base = array.base;
        let offset = match index {
            Operand::Constant(value) if (low..=high).contains(&value) => {
                base += ((value - low) as usize * stride) as Cell;
                array.offset
            }
            Operand::Constant(_) => {
                self.fail();
                array.offset
            }
            Operand::Cell(index) => {
                let dimension = Dimension { low, size: high - low + 1, stride: stride as i64 };
                let dimension = self.dimension(dimension);
                let to = self.cell();
                self.emit(Op::Scale { to, index, dimension });
                if let Some(outer) = array.offset {
                    self.emit(Op::Add { to, left: to, right: outer });
                }
                Some(to)
            }
        };
        PlaceRef { base, offset, type_: element.clone() }
    }

    /// A cell that holds a value as a place of this type would.
    fn stored(&mut self, value: Operand, type_: &Rc<Type>) -> PlaceRef {
        let (to, from, range) = (self.cell(), self.in_cell(value), self.range_of(type_));
        self.emit(Op::Encode { to, from, range });
        PlaceRef { base: to, offset: None, type_: type_.clone() }
    }

    /// A cell that holds the address of the place.
    pub fn address(&mut self, place: &PlaceRef) -> Cell {
        match place.offset {
            None => self.constant(i64::from(place.base)),
            Some(offset) if place.base == 0 => offset,
            Some(offset) => {
                let to = self.cell();
                self.emit(Op::Plus { to, from: offset, bias: place.base as i32 });
                to
            }
        }
    }

    /// The code that a scalar place holds, in a cell.
    pub fn raw(&mut self, place: &PlaceRef) -> Cell {
        match place.offset {
            None => place.base,
            Some(offset) => {
                let to = self.cell();
                self.emit(Op::Fetch { to, base: place.base, offset });
                to
            }
        }
    }

    /// The value of a scalar place.
    pub fn load(&mut self, place: &PlaceRef) -> Operand {
        let from = self.raw(place);
        let (low, optional) = encoding(self.types, &place.type_);
        let shift = low - i64::from(optional);
        if !optional && shift == 0 {
            return Operand::Cell(from);
        }
        let to = self.cell();
        let small = i32::try_from(shift);
        let bias = small.unwrap_or(0);
        self.emit(if optional { Op::Load { to, from, bias } } else { Op::Plus { to, from, bias } });
        if small.is_err() {
            let right = self.constant(shift);
            self.emit(Op::Add { to, left: to, right });
        }
        Operand::Cell(to)
    }

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
            Expr::Same(left, right) => {
                let left = self.place(left);
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

    /// A place to compare: where there are bags, a copy in which their entries stand in order.
    fn with_sorted_bags(&mut self, place: PlaceRef) -> PlaceRef {
        let mut bags = Vec::new();
        find_bags(self.types, &place.type_, 0, &mut bags);
        if bags.is_empty() {
            return place;
        }
        let count = self.types.slots(&place.type_);
        let base = self.cells(count);
        let (to, from) = (self.constant(i64::from(base)), self.address(&place));
        self.emit(Op::Copy { to, from, count: count as u32 });
        for (offset, width, capacity) in bags {
            let spec = self.bag_spec(width, capacity);
            let bag = self.constant(i64::from(base) + offset as i64);
            self.emit(Op::Sort { bag, spec });
        }
        PlaceRef { base, offset: None, type_: place.type_ }
    }

    /// A left operand must survive what evaluating the right one may change: functions have effects.
    fn kept(&mut self, left: Operand, right: &Expr) -> Operand {
        match left {
            Operand::Cell(from) if may_call(right) => {
                let to = self.cell();
                self.emit(Op::Move { to, from });
                Operand::Cell(to)
            }
            other => other,
        }
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
            Expr::Quantified(for_all, bound, body) => self.quantified(*for_all, bound, body, when, target),
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

    fn quantified(&mut self, for_all: bool, bound: &Bound, body: &Expr, when: bool, target: Target) {
        let decided = if for_all != when { target } else { self.label() };
        // One instance that says so decides: a false one for all, a true one for some.
        self.scope(|this| this.instances(bound, body, !for_all, decided));
        if for_all == when {
            self.emit(Op::Jump { target });
            self.bind_label(decided);
        }
    }

    /// Jumps where an instance is `deciding`. An instance that fails counts only where none decides: which one is looked
    /// at first must not matter, because symmetries change the order.
    fn instances(&mut self, bound: &Bound, body: &Expr, deciding: bool, decided: Target) {
        if !self.thorough {
            return self.each_value(bound, |this| this.branch(body, deciding, decided));
        }
        let (failed, zero) = (self.cell(), self.constant(0));
        self.emit(Op::Move { to: failed, from: zero });
        self.each_value(bound, |this| {
            let (caught, hit, next) = (this.label(), this.label(), this.label());
            this.emit(Op::Attempt { into: failed, target: caught });
            this.branch(body, deciding, hit);
            this.emit(Op::Settle);
            this.emit(Op::Jump { target: next });
            this.bind_label(hit);
            this.emit(Op::Settle);
            this.emit(Op::Jump { target: decided });
            this.bind_label(caught);
            this.bind_label(next);
        });
        self.emit(Op::FailWith { property: failed });
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

    /// Writes the body for each value of the domain, with the name bound to it.
    pub fn each_value(&mut self, bound: &Bound, mut body: impl FnMut(&mut Self)) {
        self.scope(|this| match &bound.domain {
            Domain::All(type_) => {
                let (low, high) = this.types.bounds(type_);
                this.each_from(bound, (Operand::Constant(low), Operand::Constant(high)), None, &mut body);
            }
            Domain::Range(low, high, step) => {
                let low = this.value(low);
                let low = this.moved(low);
                let high = this.value(high);
                let high = this.moved(high);
                let step = this.value(step);
                let step = this.moved(step);
                this.each_from(bound, (low, high), Some(step), &mut body);
            }
            Domain::Positions(bag) => {
                let bag = this.place(bag);
                let Type::Bag(element, capacity) = &*bag.type_.clone() else {
                    unreachable!("the program was type-checked: positions are those of a bag")
                };
                let spec = this.bag(element, *capacity);
                let bag = this.address(&bag);
                let last = *capacity as i64 - 1;
                let mut present = |this: &mut Self| {
                    let next = this.label();
                    this.scope(|this| {
                        let position = this.bound_value(bound);
                        let position = this.in_cell(position);
                        let to = this.cell();
                        this.emit(Op::Present { to, bag, position, spec });
                        this.emit(Op::JumpUnless { test: to, target: next });
                        body(this);
                    });
                    this.bind_label(next);
                };
                let limits = (Operand::Constant(0), Operand::Constant(last));
                this.each_from(bound, limits, None, &mut present);
            }
        });
    }

    fn bound_value(&self, bound: &Bound) -> Operand {
        match self.lookup(&bound.name, &Rc::new(Type::Integer(None))) {
            Binding::Value(value) => value,
            Binding::Place(_) => unreachable!("a bound name stands for a value"),
        }
    }

    /// A copy that the loop's body cannot change.
    fn moved(&mut self, value: Operand) -> Operand {
        match value {
            Operand::Cell(from) => {
                let to = self.cell();
                self.emit(Op::Move { to, from });
                Operand::Cell(to)
            }
            constant => constant,
        }
    }

    fn each_from(
        &mut self,
        bound: &Bound,
        (low, high): (Operand, Operand),
        step: Option<Operand>,
        body: &mut dyn FnMut(&mut Self),
    ) {
        let step = step.unwrap_or(Operand::Constant(1));
        if let (Operand::Constant(low), Operand::Constant(high), Operand::Constant(step)) = (low, high, step)
            && step != 0
        {
            let count = count_between(low, high, step);
            let unrolled = self.unroll(count, |this| {
                for turn in 0..count as i64 {
                    this.scope(|this| {
                        let value = Operand::Constant(low + turn * step);
                        this.name(&bound.name, Binding::Value(value));
                        body(this);
                    });
                }
            });
            if unrolled {
                return;
            }
        }
        let counter = self.cell();
        let (from, end, step) = (self.in_cell(low), self.in_cell(high), self.in_cell(step));
        let (again, leave) = (self.label(), self.label());
        self.emit(Op::Move { to: counter, from });
        self.bind_label(again);
        self.emit(Op::JumpPast { counter, end, step, target: leave });
        self.scope(|this| {
            this.name(&bound.name, Binding::Value(Operand::Cell(counter)));
            body(this);
        });
        self.emit(Op::Advance { counter, step, target: leave });
        self.emit(Op::Jump { target: again });
        self.bind_label(leave);
    }

    /// The scalar type of a value.
    fn type_of(&self, expression: &Expr) -> Rc<Type> {
        let scalar = |type_: &Rc<Type>| match &**type_ {
            Type::Optional(inner) => inner.clone(),
            _ => type_.clone(),
        };
        match expression {
            Expr::Constant(_, type_) | Expr::Convert(_, type_) => type_.clone(),
            Expr::Read(place) => scalar(&super::place_type(place, self.types)),
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

/// (offset, width, capacity) of each bag in a value, inner ones first.
fn find_bags(types: &Types, type_: &Type, offset: usize, bags: &mut Vec<(usize, u32, u32)>) {
    match type_ {
        Type::Array(index, element) => {
            let stride = types.slots(element);
            for position in 0..types.size(index) {
                find_bags(types, element, offset + position * stride, bags);
            }
        }
        Type::Record(fields) => {
            let mut offset = offset;
            for (_, field) in fields {
                find_bags(types, field, offset, bags);
                offset += types.slots(field);
            }
        }
        Type::Bag(element, capacity) => {
            let width = types.slots(element) + 1;
            for entry in 0..*capacity {
                find_bags(types, element, offset + entry * width + 1, bags);
            }
            bags.push((offset, width as u32, *capacity as u32));
        }
        _ => {}
    }
}

fn count_between(low: i64, high: i64, step: i64) -> usize {
    let span = if step > 0 { high.checked_sub(low) } else { low.checked_sub(high) };
    match span {
        Some(span) if span < 0 => 0,
        Some(span) => (span as u64 / step.unsigned_abs() + 1) as usize,
        None => usize::MAX,
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

    fn opposite(self) -> Operator {
        match self {
            Operator::Equal => Operator::NotEqual,
            Operator::NotEqual => Operator::Equal,
            Operator::Less => Operator::GreaterOrEqual,
            Operator::LessOrEqual => Operator::Greater,
            Operator::Greater => Operator::LessOrEqual,
            _ => Operator::Less,
        }
    }

    fn holds(self, a: i64, b: i64) -> bool {
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
