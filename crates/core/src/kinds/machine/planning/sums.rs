//! Linear constraints: bounds of unknown numbers, and of the sizes of unknown sets, that follow from several conjuncts.
//!
//! `x + y <= n & x >= 0 & y >= 0` bounds x and y, though no conjunct does so alone. A bound is an expression without unknown
//! names. Which terms get a bound depends on the conjuncts alone; `reference/sets/bounds.py` has the same rule.

use crate::kinds::machine::compile::Compiler;
use crate::kinds::machine::nodes::{Id, Node, Op, Slot, Slots, Type};
use crate::kinds::machine::plan::PlanStep;
use crate::kinds::machine::planning::{Choice, Mode};

/// What is bounded: a number, or how many elements a set or sequence has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Term {
    Value(Slot),
    Size(Slot),
}

/// The constant plus the terms, each times its factor; as a constraint: not above zero.
#[derive(Clone)]
struct Sum {
    constant: Id,
    factors: Vec<(Term, i64)>,
}

#[derive(Default)]
pub struct LinearBounds(Vec<(Term, Vec<Id>, Vec<Id>)>);

impl LinearBounds {
    fn get(&self, term: Term) -> (&[Id], &[Id]) {
        let found = self.0.iter().find(|(known, ..)| *known == term);
        found.map_or((&[], &[]), |(_, low, high)| (low, high))
    }

    fn add(&mut self, term: Term, bound: Id, is_upper: bool) {
        let at = self.0.iter().position(|(known, ..)| *known == term).unwrap_or_else(|| {
            self.0.push((term, Vec::new(), Vec::new()));
            self.0.len() - 1
        });
        let (_, low, high) = &mut self.0[at];
        if is_upper { high.push(bound) } else { low.push(bound) }
    }

    /// Lower and upper bounds of a number.
    pub fn of_value(&self, slot: Slot) -> (Vec<Id>, Vec<Id>) {
        let (low, high) = self.get(Term::Value(slot));
        (low.to_vec(), high.to_vec())
    }

    /// Lower and upper bounds, of every term that has both.
    fn both(&self) -> impl Iterator<Item = (Id, Id)> {
        self.0
            .iter()
            .flat_map(|(_, low, high)| low.iter().flat_map(|&low| high.iter().map(move |&high| (low, high))))
    }

    /// Upper bounds of the number of elements.
    pub fn of_size(&self, slot: Slot) -> &[Id] {
        self.get(Term::Size(slot)).1
    }
}

impl Compiler<'_> {
    /// The bounds of all unknown numbers and sizes.
    pub fn linear_bounds(&mut self, unknown: &Slots, rest: &[Id], mode: &Mode) -> LinearBounds {
        let mut sums = Vec::new();
        for &id in rest {
            // Values must not be left out for which a conjunct is undefined instead of false.
            if mode.is_lenient || self.code.arena.info(id).is_total {
                self.constraints(id, unknown, &mut sums);
            }
        }
        let mut bounds = LinearBounds::default();
        let zero = self.number(0);
        for (term, _) in sums.iter().flat_map(|sum| &sum.factors) {
            if let Term::Size(_) = term
                && bounds.get(*term).0.is_empty()
            {
                bounds.add(*term, zero, false);
            }
        }
        let direct = sums.iter().filter(|sum| sum.factors.len() == 1).cloned().collect::<Vec<_>>();
        for sum in &direct {
            self.bound_terms(sum, &mut bounds, false);
        }
        while sums.iter().filter(|sum| self.bound_terms(sum, &mut bounds, true)).count() > 0 {}
        bounds
    }

    /// What has to hold for any value of the unknown names to be possible.
    pub fn room_for_all(&mut self, unknown: &Slots, rest: &[Id], mode: &Mode) -> Vec<Id> {
        let bounds: Vec<_> = self.linear_bounds(unknown, rest, mode).both().collect();
        let boolean = self.code.arena.type_(Type::Boolean);
        bounds.into_iter().map(|(low, high)| self.apply(Op::LessEqual, &[low, high], boolean, None)).collect()
    }

    /// Each term is at most what is left when all others are as small as they can be; true where that bounds something.
    fn bound_terms(&mut self, sum: &Sum, bounds: &mut LinearBounds, only_new: bool) -> bool {
        let mut any = false;
        for (at, &(term, factor)) in sum.factors.iter().enumerate() {
            let (low, high) = bounds.get(term);
            let known = if factor > 0 { high } else { low };
            if only_new && !known.is_empty() {
                continue;
            }
            let others = sum.factors.iter().enumerate().filter(|&(other, _)| other != at);
            let least = others.map(|(_, &(other, times))| {
                let (low, high) = bounds.get(other);
                (if times > 0 { low } else { high }).first().map(|&end| (end, times))
            });
            let Some(least) = least.collect::<Option<Vec<_>>>() else { continue };
            let integer = self.integer();
            let mut room = self.apply(Op::Negate, &[sum.constant], integer, None);
            for (end, times) in least {
                let part = self.times(end, times);
                room = self.apply(Op::Subtract, &[room, part], integer, None);
            }
            // Rounding is towards zero, so it may leave one candidate too many, never one too few.
            let bound = match factor {
                1 => room,
                -1 => self.apply(Op::Negate, &[room], integer, None),
                _ => {
                    let by = self.number(factor);
                    self.apply(Op::Divide, &[room, by], integer, None)
                }
            };
            bounds.add(term, bound, factor > 0);
            any = true;
        }
        any
    }

    fn times(&mut self, id: Id, factor: i64) -> Id {
        let (integer, by) = (self.integer(), self.number(factor));
        if factor == 1 { id } else { self.apply(Op::Multiply, &[id, by], integer, None) }
    }

    /// What a comparison, or membership in a set of numbers, says.
    fn constraints(&mut self, id: Id, unknown: &Slots, sums: &mut Vec<Sum>) {
        let Some((op, arguments)) = self.code.arena.application(id) else { return };
        match (op, arguments.as_slice()) {
            (Op::Less, &[a, b]) => self.below(a, b, 1, unknown, sums),
            (Op::LessEqual, &[a, b]) => self.below(a, b, 0, unknown, sums),
            (Op::Equal, &[a, b]) if self.is_number(a) => {
                self.below(a, b, 0, unknown, sums);
                self.below(b, a, 0, unknown, sums);
            }
            (Op::Member, &[element, set])
                if self.is_number(element) && !self.free(set).intersects(unknown) =>
            {
                match self.code.arena.application(set) {
                    Some((Op::Interval, ends)) => {
                        self.below(ends[0], element, 0, unknown, sums);
                        self.below(element, ends[1], 0, unknown, sums);
                    }
                    Some((Op::UpFrom, from)) => self.below(from[0], element, 0, unknown, sums),
                    _ if !self.code.arena.info(set).is_infinite => {
                        let integer = self.integer();
                        for op in [Op::Min, Op::Max] {
                            let end = self.apply(op, &[set], integer, None);
                            let (low, high) = if op == Op::Min { (end, element) } else { (element, end) };
                            self.below(low, high, 0, unknown, sums);
                        }
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn is_number(&self, id: Id) -> bool {
        self.code.arena.types[self.code.arena.info(id).type_ as usize] == Type::Integer
    }

    /// a + by <= b
    fn below(&mut self, a: Id, b: Id, by: i64, unknown: &Slots, sums: &mut Vec<Sum>) {
        let (Some(a), Some(b)) = (self.sum(a, unknown), self.sum(b, unknown)) else { return };
        let b = self.scaled(b, -1);
        let mut sum = self.added(a, b);
        if !sum.factors.is_empty() {
            let (integer, by) = (self.integer(), self.number(by));
            sum.constant = self.apply(Op::Add, &[sum.constant, by], integer, None);
            sums.push(sum);
        }
    }

    /// None where it is no sum of unknown numbers, times numbers that are written down, and known ones.
    fn sum(&mut self, id: Id, unknown: &Slots) -> Option<Sum> {
        if !self.free(id).intersects(unknown) {
            return Some(Sum { constant: id, factors: Vec::new() });
        }
        if let Some(slot) = self.unknown_slot(id, unknown) {
            return Some(Sum { constant: self.number(0), factors: vec![(Term::Value(slot), 1)] });
        }
        let (op, arguments) = self.code.arena.application(id)?;
        match (op, arguments.as_slice()) {
            (Op::Size | Op::Card, &[of]) => {
                let slot = self.unknown_slot(of, unknown)?;
                Some(Sum { constant: self.number(0), factors: vec![(Term::Size(slot), 1)] })
            }
            (Op::Negate, &[a]) => {
                let sum = self.sum(a, unknown)?;
                Some(self.scaled(sum, -1))
            }
            (Op::Add | Op::Subtract, &[a, b]) => {
                let (a, b) = (self.sum(a, unknown)?, self.sum(b, unknown)?);
                let b = if op == Op::Add { b } else { self.scaled(b, -1) };
                Some(self.added(a, b))
            }
            (Op::Multiply, &[a, b]) => {
                let number = |id: Id| self.code.arena.number(id, self.values);
                let (factor, open) = number(a).map(|by| (by, b)).or_else(|| number(b).map(|by| (by, a)))?;
                let sum = self.sum(open, unknown)?;
                // Larger factors would overflow when they are multiplied.
                (factor.unsigned_abs() < 1 << 31).then(|| self.scaled(sum, factor))
            }
            _ => None,
        }
    }

    fn scaled(&mut self, sum: Sum, by: i64) -> Sum {
        let constant = self.times(sum.constant, by);
        let factors = sum.factors.into_iter().map(|(term, factor)| (term, factor.saturating_mul(by)));
        Sum { constant, factors: factors.filter(|&(_, factor)| factor != 0).collect() }
    }

    fn added(&mut self, a: Sum, b: Sum) -> Sum {
        let integer = self.integer();
        let constant = self.apply(Op::Add, &[a.constant, b.constant], integer, None);
        let mut factors = a.factors;
        for (term, factor) in b.factors {
            match factors.iter_mut().find(|(known, _)| *known == term) {
                Some((_, sum)) => *sum = sum.saturating_add(factor),
                None => factors.push((term, factor)),
            }
        }
        factors.retain(|&(_, factor)| factor != 0);
        Sum { constant, factors }
    }

    /// A number or a sequence that several conjuncts bound together.
    pub fn bounded_together(
        &mut self,
        bounds: &LinearBounds,
        unknown: &Slots,
        rest: &[Id],
    ) -> Option<(PlanStep, Slots)> {
        for slot in unknown.iter() {
            let (low, high) = bounds.of_value(slot);
            if !low.is_empty() && !high.is_empty() {
                return Some((PlanStep::Range { slot, low, high }, Slots::one(slot)));
            }
            let high = bounds.of_size(slot).to_vec();
            if high.is_empty() {
                continue;
            }
            for &id in rest {
                let Some((Op::Member, arguments)) = self.code.arena.application(id) else { continue };
                let (element, set) = (arguments[0], arguments[1]);
                if self.unknown_slot(element, unknown) != Some(slot) || self.free(set).intersects(unknown) {
                    continue;
                }
                if let Some((op, of)) = self.sequence_space(set) {
                    let low = vec![self.number(i64::from(op == Op::Sequences1))];
                    let step = PlanStep::Sequences { slot, of, injective: false, low, high };
                    return Some((step, Slots::one(slot)));
                }
            }
        }
        None
    }

    /// Where nothing else bounds an argument, the function does: elsewhere it is not defined.
    pub fn bounded_by_application(&mut self, unknown: &Slots, rest: &[Id], mode: &Mode) -> Option<Choice> {
        let mut found = Vec::new();
        for &id in rest {
            self.applications(id, &mut found);
        }
        for (function, argument) in found {
            let is_defined = mode.is_lenient || self.code.arena.info(function).is_total;
            if !is_defined || !self.is_listed(function, unknown) {
                continue;
            }
            if let Some((pattern, binds)) = self.pattern(argument, unknown) {
                let type_ = self.set_of(argument);
                let domain = self.apply(Op::Domain, &[function], type_, None);
                let step = PlanStep::Each(pattern, domain);
                return Some(Choice { cost: 0.0, step, binds, settled: Vec::new() });
            }
        }
        None
    }

    /// Function and argument of the applications that a conjunct needs.
    fn applications(&self, id: Id, found: &mut Vec<(Id, Id)>) {
        if let Node::Binary(Op::Apply, function, argument) = self.code.arena.bare(id) {
            found.push((function, argument));
        }
        if let Some((op, arguments)) = self.code.arena.application(id)
            && !matches!(op, Op::And | Op::Or | Op::Implies)
        {
            arguments.iter().for_each(|&each| self.applications(each, found));
        }
    }
}
