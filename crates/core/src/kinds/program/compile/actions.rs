//! Guards, bodies, judgements and assumptions.

use super::super::calls::may_call;
use super::super::code::{Cell, Op, Target};
use super::super::guards::Guard;
use super::super::ir::{Action, Bound, Domain, Expr, PropertyKind, Type};
use super::emit::{Binding, Compiler, Operand, ReturnTo};
use super::instances::Instances;
use super::{assumed, judged, number};
use crate::model::Label;

impl Compiler<'_> {
    /// Emits the guards of an action: each emits its label where it holds.
    pub fn guards(&mut self, action: &Action, instances: &mut Instances, own: bool, guards: &mut Vec<Guard>) {
        if !own {
            instances.cells = Some(self.cells(instances.parameters.len()));
            let start = self.here();
            self.guard_in_loops(action, instances);
            self.emit(Op::Halt);
            return guards.push(Guard::new(None, start, self.here()));
        }
        for label in (instances.first..).take(instances.count as usize) {
            let start = self.here();
            self.scope(|this| {
                let next = this.label();
                for (bound, value) in action.parameters.iter().zip(instances.values(label)) {
                    this.name(&bound.name, Binding::Value(Operand::Constant(value)));
                    this.skip_absent(bound, Operand::Constant(value), next);
                }
                this.branch(&action.guard, false, next);
                this.emit(Op::Emit { number: label });
                this.bind_label(next);
                this.restore_after(&action.guard);
                this.emit(Op::Halt);
            });
            guards.push(Guard::new(Some(label), start, self.here()));
        }
    }

    /// An instance for a position that no entry has is none.
    pub fn skip_absent(&mut self, bound: &Bound, position: Operand, next: Target) {
        if let Domain::Positions(bag) = &bound.domain {
            let bag = self.place(bag);
            let Type::Bag(element, capacity) = &*bag.type_.clone() else {
                unreachable!("the program was type-checked: positions are those of a bag")
            };
            let spec = self.bag(element, *capacity);
            let (bag, position) = (self.address(&bag), self.in_cell(position));
            let to = self.cell();
            self.emit(Op::Present { to, bag, position, spec });
            self.emit(Op::JumpUnless { test: to, target: next });
        }
    }

    /// Guards may call functions, and functions may change the state.
    pub fn restore_after(&mut self, guard: &Expr) {
        if may_call(guard) {
            self.emit(Op::Restore);
        }
    }

    pub fn guard_in_loops(&mut self, action: &Action, instances: &Instances) {
        let label = self.cell();
        let (first, end) = (self.constant(i64::from(instances.first)), self.label());
        let (again, next) = (self.label(), self.label());
        let cells = instances.cells.unwrap_or_default();
        for (at, parameter) in instances.parameters.iter().enumerate() {
            let low = self.constant(parameter.low);
            self.emit(Op::Move { to: cells + at as Cell, from: low });
        }
        if instances.parameters.iter().any(|parameter| parameter.size == 0) {
            self.emit(Op::Jump { target: end });
        }
        self.emit(Op::Move { to: label, from: first });
        self.bind_label(again);
        self.emit(Op::Catch { label, target: next });
        self.scope(|this| {
            for (at, bound) in action.parameters.iter().enumerate() {
                let value = Operand::Cell(cells + at as Cell);
                this.name(&bound.name, Binding::Value(value));
                this.skip_absent(bound, value, next);
            }
            this.branch(&action.guard, false, next);
            this.emit(Op::EmitCell { from: label });
        });
        self.bind_label(next);
        self.restore_after(&action.guard);
        let one = self.constant(1);
        self.emit(Op::Advance { counter: label, step: one, target: end });
        // The last parameter counts fastest; one that is past its end starts again, and the one before it goes on.
        for (at, parameter) in instances.parameters.iter().enumerate().rev() {
            let cell = cells + at as Cell;
            let last = self.constant(parameter.low + parameter.size as i64 - 1);
            let wraps = self.label();
            self.emit(Op::JumpLessOrEqual { left: last, right: cell, target: wraps });
            self.emit(Op::Add { to: cell, left: cell, right: one });
            self.emit(Op::Jump { target: again });
            self.bind_label(wraps);
            let low = self.constant(parameter.low);
            self.emit(Op::Move { to: cell, from: low });
        }
        self.bind_label(end);
        self.emit(Op::Uncatch);
    }

    pub fn bodies(&mut self, action: &Action, instances: &mut Instances) {
        let own: Vec<Label> = match instances.cells {
            Some(_) => vec![instances.first],
            None => (instances.first..).take(instances.count as usize).collect(),
        };
        for label in own {
            instances.bodies.push(self.here());
            self.scope(|this| {
                let values = instances.values(label);
                for (at, bound) in action.parameters.iter().enumerate() {
                    let value = match instances.cells {
                        Some(cells) => Operand::Cell(cells + at as Cell),
                        None => Operand::Constant(values[at]),
                    };
                    this.name(&bound.name, Binding::Value(value));
                }
                let end = this.label();
                this.returns.push(ReturnTo { label: end, result: None });
                this.block(&action.body);
                this.returns.pop();
                this.bind_label(end);
                this.sort_bags();
                this.emit(Op::Halt);
            });
            instances.ends.push(self.here());
        }
    }

    /// Entries may have been changed in place.
    pub fn sort_bags(&mut self) {
        for bag in self.layout.shape.bags.clone() {
            let spec = self.bag_spec(bag.width, bag.capacity);
            let at = self.constant(i64::from(bag.first));
            self.emit(Op::Sort { bag: at, spec });
        }
    }

    /// Where the code of each begins and ends.
    pub fn judgements(&mut self) -> Vec<(Target, Target)> {
        let mut judge = Vec::new();
        let program = self.program;
        for (at, kind, expression) in judged(program) {
            let start = self.here();
            let end = self.label();
            self.branch(expression, kind == PropertyKind::Invariant, end);
            self.emit(match kind {
                PropertyKind::Cover => Op::Cover { property: number(at) },
                _ => Op::Emit { number: number(at) },
            });
            self.bind_label(end);
            self.restore_after(expression);
            self.emit(Op::Halt);
            judge.push((start, self.here()));
        }
        judge
    }

    /// Where the code begins that emits something in proper ends.
    pub fn proper_end(&mut self) -> Option<Target> {
        let test = self.program.proper_end.as_ref()?;
        let (start, no) = (self.here(), self.label());
        self.branch(test, false, no);
        self.emit(Op::Emit { number: 0 });
        self.bind_label(no);
        self.emit(Op::Halt);
        Some(start)
    }

    pub fn copy_state(&mut self, to: Cell, from: Cell) {
        let (to, from) = (self.constant(i64::from(to)), self.constant(i64::from(from)));
        self.emit(Op::Copy { to, from, count: self.code.slots as u32 });
    }

    /// Where assumptions call functions, these may change what the body left: it is saved, and put back.
    pub fn assumptions(&mut self) -> Option<Target> {
        let assumed: Vec<&Expr> = assumed(self.program).collect();
        if assumed.is_empty() {
            return None;
        }
        let calls = assumed.iter().any(|expression| may_call(expression));
        let saved = calls.then(|| self.cells(self.code.slots));
        let (start, no) = (self.here(), self.label());
        if let Some(saved) = saved {
            self.copy_state(saved, 0);
        }
        for expression in assumed {
            self.branch(expression, false, no);
            if let Some(saved) = saved.filter(|_| may_call(expression)) {
                self.copy_state(0, saved);
            }
        }
        self.emit(Op::Halt);
        self.bind_label(no);
        self.emit(Op::Discard);
        Some(start)
    }
}
