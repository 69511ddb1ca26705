//! Statements, and functions, which are written out where they are called: none calls itself, so the place of every
//! argument by reference is known, up to computed indices.

use std::rc::Rc;

use super::super::calls::finding_calls;
use super::super::code::{Cell, Op};
use super::super::ir::{Argument, Block, Call, Expr, Function, Place, Statement, Type};
use super::super::layout::encoding;
use super::emit::{Binding, Compiler, Operand, PlaceRef, ReturnTo};

impl Compiler<'_> {
    pub fn block(&mut self, block: &Block) {
        for statement in block {
            self.scope(|this| this.statement(statement));
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign(place, value) => {
                let value = self.value(value);
                let value = if finding_calls(place) { self.moved(value) } else { value };
                let place = self.place(place);
                self.assign(&place, value);
            }
            Statement::Copy(target, source) => {
                let source = self.content(source, target);
                let target = self.place(target);
                self.copy(&target, &source);
            }
            Statement::CopyCall(target, call) => {
                let source = self.call(call);
                let target = self.place(target);
                if let Some(source) = source {
                    self.copy(&target, &source);
                }
            }
            Statement::Clear(place) => self.clear(place),
            Statement::Undefine(place) => {
                let place = self.place(place);
                let count = self.types.slots(&place.type_) as u32;
                let at = self.address(&place);
                self.emit(Op::Zero { at, count });
            }
            Statement::If(branches, otherwise) => self.choose(branches, otherwise),
            Statement::For(bound, body) => self.each_value(bound, |this| this.block(body)),
            Statement::While(test, body, limit) => self.repeat(test, body, *limit),
            Statement::Declare(variables, body) => {
                for (name, type_) in variables {
                    let place = self.local(type_);
                    self.name(name, Binding::Place(place));
                }
                self.block(body);
            }
            Statement::Bind(name, place, body) => {
                let place = self.place(place);
                self.name(name, Binding::Place(place));
                self.block(body);
            }
            Statement::Let(name, value, body) => {
                let value = self.value(value);
                let value = self.moved(value);
                self.name(name, Binding::Value(value));
                self.block(body);
            }
            Statement::Call(call) => {
                self.call(call);
            }
            Statement::Return(value) => self.return_with(value.as_ref()),
            Statement::Assert(test, property) => {
                let holds = self.label();
                self.branch(test, true, holds);
                self.emit(Op::Fail { property: super::number(*property) });
                self.bind_label(holds);
            }
            Statement::Note(test, property) => {
                let (holds, property) = (self.label(), super::number(*property));
                self.branch(test, true, holds);
                self.emit(if self.is_question { Op::Fail { property } } else { Op::Note { property } });
                self.bind_label(holds);
            }
            Statement::Assume(test) => {
                let holds = self.label();
                self.branch(test, true, holds);
                self.emit(Op::Discard);
                self.bind_label(holds);
            }
            Statement::Cover(test, property) => {
                let fails = self.label();
                self.branch(test, false, fails);
                self.emit(Op::Cover { property: super::number(*property) });
                self.bind_label(fails);
            }
            Statement::Add(bag, source) => {
                let source = self.content(source, bag);
                let bag = self.place(bag);
                let spec = self.bag_of(&bag);
                let (bag, count) = (self.address(&bag), self.types.slots(&source.type_) as u32);
                let from = self.address(&source);
                let to = self.cell();
                self.emit(Op::Take { to, bag, spec });
                self.emit(Op::Copy { to, from, count });
            }
            Statement::Remove(bag, position) => {
                let bag = self.place(bag);
                let position = self.value(position);
                let spec = self.bag_of(&bag);
                let (bag, position) = (self.address(&bag), self.in_cell(position));
                self.emit(Op::Remove { bag, position, spec });
            }
            Statement::RemoveAll(bound, test) => self.remove_all(bound, test),
        }
    }

    /// What a place holds, which finding the other place must not change: functions have effects.
    pub fn content(&mut self, place: &Place, other: &Place) -> PlaceRef {
        let found = self.place(place);
        if !finding_calls(other) {
            return found;
        }
        let count = self.types.slots(&found.type_);
        let base = self.cells(count);
        let (to, from) = (self.constant(i64::from(base)), self.address(&found));
        self.emit(Op::Copy { to, from, count: count as u32 });
        PlaceRef { base, offset: None, type_: found.type_ }
    }

    /// Cells for a local variable, undefined.
    fn local(&mut self, type_: &Rc<Type>) -> PlaceRef {
        let count = self.types.slots(type_);
        let base = self.cells(count);
        let at = self.constant(i64::from(base));
        self.emit(Op::Zero { at, count: count as u32 });
        PlaceRef { base, offset: None, type_: type_.clone() }
    }

    fn assign(&mut self, place: &PlaceRef, value: Operand) {
        let range = self.range_of(&place.type_);
        let bounds = self.code.ranges[range as usize];
        let from = match value {
            Operand::Constant(value) if (bounds.low..=bounds.high).contains(&value) => {
                self.constant(value - bounds.shift)
            }
            value => {
                let from = self.in_cell(value);
                let to = if place.offset.is_none() { place.base } else { self.cell() };
                self.emit(Op::Encode { to, from, range });
                to
            }
        };
        self.put(place, from);
    }

    /// Stores a code.
    fn put(&mut self, place: &PlaceRef, from: Cell) {
        match place.offset {
            None if place.base == from => {}
            None => self.emit(Op::Move { to: place.base, from }),
            Some(offset) => self.emit(Op::Put { base: place.base, offset, from }),
        }
    }

    fn copy(&mut self, target: &PlaceRef, source: &PlaceRef) {
        let is_scalar = !matches!(&*target.type_, Type::Array(..) | Type::Record(_) | Type::Bag(..));
        if target.type_ == source.type_ {
            if is_scalar {
                let from = self.raw(source);
                self.put(target, from);
            } else {
                let count = self.types.slots(&target.type_) as u32;
                let (to, from) = (self.address(target), self.address(source));
                self.emit(Op::Copy { to, from, count });
            }
            return;
        }
        let both_optional = encoding(self.types, &source.type_).1 && encoding(self.types, &target.type_).1;
        let shift = encoding(self.types, &source.type_).0 - 1;
        match i32::try_from(shift) {
            Ok(bias) if both_optional => {
                let (to, from) = (self.cell(), self.raw(source));
                let range = self.range_of(&target.type_);
                self.emit(Op::Recode { to, from, bias, range });
                self.put(target, to);
            }
            _ => {
                let value = self.load(source);
                self.assign(target, value);
            }
        }
    }

    fn clear(&mut self, place: &Place) {
        let place = self.place(place);
        let mut codes = Vec::new();
        self.least(&place.type_, &mut codes);
        let to = self.address(&place);
        // A template among the constants, where there is room; else value by value.
        match self.constants(&codes) {
            Some(template) => {
                let from = self.constant(i64::from(template));
                self.emit(Op::Copy { to, from, count: codes.len() as u32 });
            }
            None => {
                for (at, &code) in codes.iter().enumerate() {
                    let from = self.constant(code);
                    let offset = self.constant(at as i64);
                    let sum = self.cell();
                    self.emit(Op::Add { to: sum, left: to, right: offset });
                    self.emit(Op::Put { base: 0, offset: sum, from });
                }
            }
        }
    }

    /// The codes of the smallest value of each scalar; empty bags.
    fn least(&self, type_: &Type, codes: &mut Vec<i64>) {
        match type_ {
            Type::Array(index, element) => {
                for _ in 0..self.types.size(index) {
                    self.least(element, codes);
                }
            }
            Type::Record(fields) => fields.iter().for_each(|(_, field)| self.least(field, codes)),
            Type::Bag(..) => codes.extend(std::iter::repeat_n(0, self.types.slots(type_))),
            Type::Optional(_) => codes.push(1),
            _ => codes.push(0),
        }
    }

    fn choose(&mut self, branches: &[(Expr, Block)], otherwise: &Block) {
        let end = self.label();
        for (test, body) in branches {
            let next = self.label();
            self.branch(test, false, next);
            self.block(body);
            self.emit(Op::Jump { target: end });
            self.bind_label(next);
        }
        self.block(otherwise);
        self.bind_label(end);
    }

    fn repeat(&mut self, test: &Expr, body: &Block, limit: i64) {
        let (turns, zero, one) = (self.cell(), self.constant(0), self.constant(1));
        let (limit, again, leave, goes_on) = (self.constant(limit), self.label(), self.label(), self.label());
        self.emit(Op::Move { to: turns, from: zero });
        self.bind_label(again);
        self.branch(test, false, leave);
        self.emit(Op::JumpLess { left: turns, right: limit, target: goes_on });
        self.fail();
        self.bind_label(goes_on);
        self.emit(Op::Advance { counter: turns, step: one, target: leave });
        self.block(body);
        self.emit(Op::Jump { target: again });
        self.bind_label(leave);
    }

    fn bag_of(&mut self, place: &PlaceRef) -> u32 {
        let Type::Bag(element, capacity) = &*place.type_ else {
            unreachable!("the program was type-checked: this is a bag")
        };
        let (element, capacity) = (element.clone(), *capacity);
        self.bag(&element, capacity)
    }

    /// All tests first, then all removals.
    fn remove_all(&mut self, bound: &super::super::ir::Bound, test: &Expr) {
        let super::super::ir::Domain::Positions(bag) = &bound.domain else {
            unreachable!("the program was type-checked: entries are removed from a bag")
        };
        let bag = self.place(bag);
        let spec = self.bag_of(&bag);
        let bag = self.address(&bag);
        let capacity = self.code.bags[spec as usize].1;
        let flags = self.cells(capacity as usize);
        let (at, one) = (self.constant(i64::from(flags)), self.constant(1));
        self.emit(Op::Zero { at, count: capacity });
        self.each_value(bound, |this| {
            let next = this.label();
            this.branch(test, false, next);
            let name = Rc::new(Type::Integer(None));
            if let Binding::Value(position) = this.lookup(&bound.name, &name) {
                let offset = this.in_cell(position);
                this.emit(Op::Put { base: flags, offset, from: one });
            }
            this.bind_label(next);
        });
        self.emit(Op::RemoveFlagged { bag, flags, spec });
    }

    fn return_with(&mut self, value: Option<&Argument>) {
        let to = self.returns[self.returns.len() - 1].clone();
        if let (Some((result, given)), Some(value)) = (&to.result, value) {
            match value {
                Argument::Value(value) => {
                    let value = self.value(value);
                    self.assign(result, value);
                }
                Argument::Place(place) => {
                    let place = self.place(place);
                    self.copy(result, &place);
                }
            }
            let one = self.constant(1);
            self.emit(Op::Move { to: *given, from: one });
        }
        self.emit(Op::Jump { target: to.label });
    }

    /// Writes out a call; where its result is.
    fn call(&mut self, call: &Call) -> Option<PlaceRef> {
        let program = self.program;
        let function: &Function = &program.functions[&call.function];
        let result = function.result.as_ref().map(|type_| {
            let given = self.cell();
            let zero = self.constant(0);
            self.emit(Op::Move { to: given, from: zero });
            (self.local(type_), given)
        });
        let bindings: Vec<PlaceRef> = function
            .parameters
            .iter()
            .zip(&call.arguments)
            .map(|((_, type_, by_reference), argument)| self.argument(argument, type_, *by_reference))
            .collect();
        let label = self.label();
        self.scope(|this| {
            for ((name, ..), place) in function.parameters.iter().zip(bindings) {
                this.name(name, Binding::Place(place));
            }
            this.returns.push(ReturnTo { label, result: result.clone() });
            this.block(&function.body);
            this.returns.pop();
        });
        self.bind_label(label);
        let (result, given) = result?;
        let returned = self.label();
        self.emit(Op::JumpIf { test: given, target: returned });
        self.fail();
        self.bind_label(returned);
        Some(result)
    }

    fn argument(&mut self, argument: &Argument, type_: &Rc<Type>, by_reference: bool) -> PlaceRef {
        match argument {
            Argument::Place(place) if by_reference => self.place(place),
            Argument::Place(place) => {
                let source = self.place(place);
                let target = self.local(type_);
                self.copy(&target, &source);
                target
            }
            Argument::Value(value) => {
                let value = self.value(value);
                let target = self.local(type_);
                self.assign(&target, value);
                target
            }
        }
    }

    /// The scalar result of a call.
    pub fn call_value(&mut self, call: &Call) -> Operand {
        match self.call(call) {
            Some(result) => self.load(&result),
            None => Operand::Constant(0),
        }
    }
}
