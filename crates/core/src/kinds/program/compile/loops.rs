//! Loops: over types, ranges and the positions of a bag.

use std::rc::Rc;

use super::super::code::Op;
use super::super::ir::{Bound, Domain, Type};
use super::emit::{Binding, Compiler, Operand};

impl Compiler<'_> {
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

    /// A copy that what comes behind cannot change.
    pub fn moved(&mut self, value: Operand) -> Operand {
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
}

fn count_between(low: i64, high: i64, step: i64) -> usize {
    let span = if step > 0 { high.checked_sub(low) } else { low.checked_sub(high) };
    match span {
        Some(span) if span < 0 => 0,
        Some(span) => (span as u64 / step.unsigned_abs() + 1) as usize,
        None => usize::MAX,
    }
}
