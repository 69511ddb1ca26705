//! Where no conjunct bounds a name by itself: disjunctions become branches, quantifiers are opened, and, if that is allowed,
//! only implementable numbers are tried.

use crate::kinds::machine::compile::Compiler;
use crate::kinds::machine::nodes::{Id, Node, Op, Slot, Slots, Type};
use crate::kinds::machine::plan::PlanStep;
use crate::kinds::machine::planning::Mode;
use crate::kinds::machine::values::Value;

/// Sequences inside other values are listed up to this length.
const MAX_LENGTH: i64 = 64;

impl Compiler<'_> {
    /// A disjunction of which each part bounds something more narrowly than this.
    pub fn branching(
        &mut self,
        unknown: &Slots,
        rest: &[Id],
        mode: &Mode,
        cost: f64,
    ) -> Option<(Id, Vec<Vec<Id>>)> {
        for &id in rest {
            let Some((op, arguments)) = self.code.arena.application(id) else { continue };
            let boolean = self.code.arena.info(id).type_;
            let parts = match op {
                Op::Or => arguments,
                Op::Implies => {
                    let not = self.apply(Op::Not, &[arguments[0]], boolean, None);
                    vec![not, arguments[1]]
                }
                _ => continue,
            };
            let mut branches = Vec::new();
            for part in parts {
                let mut conjuncts = Vec::new();
                self.flatten(part, mode.is_lenient, &mut conjuncts);
                let mut with = conjuncts.clone();
                with.extend(rest.iter().filter(|&&each| each != id));
                let narrow =
                    self.best(unknown, &with, mode).is_some_and(|best| best.choice.cost <= cost / 4.0);
                if !narrow {
                    break;
                }
                branches.push(conjuncts);
            }
            if branches.len() == self.parts_of(id) {
                return Some((id, branches));
            }
        }
        None
    }

    pub fn parts_of(&self, disjunction: Id) -> usize {
        self.code.arena.application(disjunction).map_or(0, |(_, parts)| parts.len())
    }

    /// Makes the names under an existential quantifier, of a LET, or behind an infinite comprehension, unknown names of this
    /// plan.
    pub fn open(&mut self, unknown: &mut Slots, rest: &mut Vec<Id>, is_lenient: bool) -> bool {
        for at in 0..rest.len() {
            let id = rest[at];
            let arena = &self.code.arena;
            if let Node::Let(slot, value, body) = arena.bare(id)
                && (is_lenient || arena.info(value).is_total)
            {
                let (type_, boolean) = (arena.info(value).type_, self.code.arena.type_(Type::Boolean));
                let name = self.code.arena.slot(slot, type_, None);
                let same = self.apply(Op::Equal, &[name, value], boolean, None);
                rest.remove(at);
                self.flatten(same, is_lenient, rest);
                self.flatten(body, is_lenient, rest);
                unknown.insert(slot);
                return true;
            }
            let (binder, equation) = match arena.bare(id) {
                Node::Exists { binder } => (binder, None),
                Node::Binary(Op::Member, element, set) => match arena.bare(set) {
                    Node::Comprehension { binder } => (binder, Some(element)),
                    _ => continue,
                },
                _ => continue,
            };
            let binder = arena.binders[binder as usize].clone();
            rest.remove(at);
            if let (Some(element), Some(value)) = (equation, binder.value) {
                let boolean = self.code.arena.type_(Type::Boolean);
                let same = self.apply(Op::Equal, &[element, value], boolean, None);
                self.flatten(same, is_lenient, rest);
            }
            self.flatten(binder.condition, is_lenient, rest);
            binder.names.iter().for_each(|&name| unknown.insert(name));
            return true;
        }
        false
    }

    /// Where nothing bounds a name: which of its values are tried. Numbers come first.
    pub fn cut(&mut self, unknown: &Slots, rest: &[Id], mode: &Mode) -> Option<(PlanStep, Slot)> {
        let (low, high) = self.numbers.filter(|_| mode.is_lenient)?;
        let (low, high) = (self.number(low), self.number(high));
        let is_number = |slot: &Slot| {
            self.code.arena.types[self.code.slots[*slot as usize].type_ as usize] == Type::Integer
        };
        if let Some(slot) = unknown.iter().find(is_number) {
            let (mut from, mut to) = self.linear_bounds(unknown, rest, mode).of_value(slot);
            if from.is_empty() {
                from.push(low);
            }
            if to.is_empty() {
                to.push(self.highest(&from, high));
            }
            return Some((PlanStep::Range { slot, low: from, high: to }, slot));
        }
        for slot in unknown.iter() {
            for &id in rest {
                let Some((Op::Member | Op::Subset | Op::StrictSubset, arguments)) =
                    self.code.arena.application(id)
                else {
                    continue;
                };
                let &[element, set] = arguments.as_slice() else { continue };
                if self.unknown_slot(element, unknown) != Some(slot) || self.free(set).intersects(unknown) {
                    continue;
                }
                let bounded = self.bounded_by_numbers(set, low, high);
                let mut choices = Vec::new();
                let boolean = self.code.arena.type_(Type::Boolean);
                let is_member = self.code.arena.application(id).is_some_and(|(op, _)| op == Op::Member);
                let op = if is_member { Op::Member } else { Op::Subset };
                if let Some((sequences, of)) = self.sequence_space(bounded) {
                    let floor = self.number(i64::from(matches!(sequences, Op::Sequences1)));
                    let step = PlanStep::Sequences {
                        slot,
                        of,
                        injective: false,
                        low: vec![floor],
                        high: vec![high],
                    };
                    return Some((step, slot));
                }
                let bounded = self.code.arena.apply(op, &[element, bounded], boolean, None);
                let mut more = rest.to_vec();
                more.push(bounded);
                self.generators(bounded, unknown, &more, &mut choices);
                if let Some(choice) = choices.into_iter().find(|choice| choice.cost.is_finite()) {
                    return Some((choice.step, slot));
                }
            }
        }
        None
    }

    pub fn sequence_space(&self, set: Id) -> Option<(Op, Id)> {
        match self.code.arena.application(set) {
            Some((op @ (Op::Sequences | Op::Sequences1), arguments)) => {
                (!self.code.arena.info(arguments[0]).is_infinite).then_some((op, arguments[0]))
            }
            _ => None,
        }
    }

    /// Its implementable elements, where these are to be tried and are finitely many.
    pub fn implementable_part(&mut self, set: Id) -> Option<Id> {
        let (low, high) = self.numbers?;
        let (low, high) = (self.number(low), self.number(high));
        let bounded = self.bounded_by_numbers(set, low, high);
        (!self.code.arena.info(bounded).is_infinite).then_some(bounded)
    }

    /// The same set, its infinite sets of numbers replaced by the implementable ones in them.
    pub fn bounded_by_numbers(&mut self, set: Id, low: Id, high: Id) -> Id {
        if !self.code.arena.info(set).is_infinite {
            return set;
        }
        let type_ = self.code.arena.info(set).type_;
        let Some((op, arguments)) = self.code.arena.application(set) else { return set };
        let integer = self.integer();
        let integers = self.code.arena.type_(Type::Set(integer));
        match (op, arguments.as_slice()) {
            (Op::UpFrom, &[from]) if self.from_lower_bound => {
                let high = self.highest(&[from], high);
                return self.apply(Op::Interval, &[from, high], integers, None);
            }
            (Op::All | Op::UpFrom, _) if type_ == integers => {
                let interval = self.apply(Op::Interval, &[low, high], integers, None);
                return self.code.arena.apply(Op::Intersection, &[set, interval], integers, None);
            }
            (Op::All, _) => {
                let element = self.code.arena.element_type(type_);
                if let Type::Free(number) = self.code.arena.types[element as usize] {
                    return self.tried_values(number as usize, low, high).unwrap_or(set);
                }
                let built = self.by_type(element, None);
                return match self.code.arena.application(built) {
                    Some((Op::All, _)) | None => set,
                    Some(_) => self.bounded_by_numbers(built, low, high),
                };
            }
            _ => {}
        }
        let bounded: Vec<Id> = arguments.iter().map(|&each| self.bounded_part(each, low, high)).collect();
        self.code.arena.apply(op, &bounded, type_, None)
    }

    /// The same for a set inside another one: sequences have at most as many elements as the largest number says.
    pub fn bounded_part(&mut self, set: Id, low: Id, high: Id) -> Id {
        let bounded = self.bounded_by_numbers(set, low, high);
        let Some((op, of)) = self.sequence_space(bounded) else { return bounded };
        let longest = self.code.arena.number(high, self.values).unwrap_or(i64::MAX);
        if longest > MAX_LENGTH {
            return bounded;
        }
        let type_ = self.code.arena.info(set).type_;
        let integer = self.integer();
        let integers = self.code.arena.type_(Type::Set(integer));
        let (one, shortest) = (self.number(1), i64::from(op == Op::Sequences1));
        let mut all = self.code.arena.constant(Value::EMPTY, type_);
        for length in shortest..=longest {
            let length = self.number(length);
            let places = self.apply(Op::Interval, &[one, length], integers, None);
            let words = self.apply(Op::TotalFunctions, &[places, of], type_, None);
            all = self.apply(Op::Union, &[all, words], type_, None);
        }
        all
    }

    /// The largest number that is tried where there is no upper bound.
    fn highest(&mut self, low: &[Id], high: Id) -> Id {
        if !self.from_lower_bound {
            return high;
        }
        let integer = self.integer();
        let integers = self.code.arena.type_(Type::Set(integer));
        let ends: Vec<Id> = low.iter().copied().chain([high]).collect();
        let ends = self.apply(Op::Set, &ends, integers, None);
        self.apply(Op::Max, &[ends], integer, None)
    }
}
