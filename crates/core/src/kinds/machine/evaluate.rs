//! Values of expressions; `truth` has those of predicates.

pub(super) mod application;
pub(super) mod displays;
pub(super) mod infinite_operands;
pub(super) mod membership;
pub(super) mod memory;
pub(super) mod quantified;
pub(super) mod truth;
pub(super) mod wide;

use super::compile::Code;
use super::nodes::{Id, Node, Op, Slot, Type, TypeId, Way};
use super::operators::arithmetic as numbers;
use super::operators::enumeration::{Arrows, Walk, Words};
use super::operators::spaces::Sequences;
use super::operators::{
    Outcome, Scratch, Undefined, bags, closures, composition, elements, relations, sequences, sets,
};
use super::values::{Value, Values};
pub use memory::{Halt, Memory, Why};

#[derive(Clone, Copy)]
pub struct Evaluator<'a> {
    pub code: &'a Code,
    pub values: &'a Values,
}

pub type Answer<T> = Result<T, Halt>;

impl Evaluator<'_> {
    /// Most expressions are names and constants.
    #[inline(always)]
    pub fn value(&self, id: Id, m: &mut Memory) -> Answer<Value> {
        match self.code.arena.nodes[id as usize] {
            Node::Constant(value) => Ok(value),
            Node::Slot(slot) if m.env[slot as usize] != Value::UNSET => Ok(m.env[slot as usize]),
            Node::Binary(Op::Pair, a, b) => self.paired(a, b, m),
            _ => self.computed_value(id, m),
        }
    }

    /// A function of its own, with a small stack frame: pairs of names are frequent.
    fn paired(&self, a: Id, b: Id, m: &mut Memory) -> Answer<Value> {
        let nodes = &self.code.arena.nodes;
        if let (Node::Slot(a), Node::Slot(b)) = (nodes[a as usize], nodes[b as usize]) {
            let (a, b) = (m.env[a as usize], m.env[b as usize]);
            if a != Value::UNSET && b != Value::UNSET {
                return Ok(self.values.pair(a, b));
            }
        }
        self.paired_values(a, b, m)
    }

    #[inline(never)]
    fn paired_values(&self, a: Id, b: Id, m: &mut Memory) -> Answer<Value> {
        let (a, b) = (self.value(a, m)?, self.value(b, m)?);
        Ok(self.values.pair(a, b))
    }

    /// The most frequent nodes; the others are in functions of their own, so that this stack frame stays small.
    fn computed_value(&self, id: Id, m: &mut Memory) -> Answer<Value> {
        match self.code.arena.nodes[id as usize] {
            Node::Constant(value) => Ok(value),
            Node::Slot(slot) => match m.env[slot as usize] {
                Value::UNSET => Err(self.missing(slot, id, m)),
                value => Ok(value),
            },
            Node::Kept(inner, number) => self.kept(inner, number, m),
            Node::Binary(Op::Pair, a, b) => self.paired(a, b, m),
            Node::Binary(Op::Apply, a, b) => self.apply(id, a, b, m),
            Node::Binary(op @ (Op::Add | Op::Subtract | Op::Multiply), a, b) => {
                let (a, b) = (self.value(a, m)?, self.value(b, m)?);
                let outcome = match op {
                    Op::Add => numbers::add(self.values, a, b),
                    Op::Subtract => numbers::subtract(self.values, a, b),
                    _ => numbers::multiply(self.values, a, b),
                };
                self.settled(id, outcome, m)
            }
            Node::Binary(op, a, b) => self.binary(id, op, a, b, m),
            Node::Unary(op, a) => self.unary(id, op, a, m),
            node => self.other(id, node, m),
        }
    }

    #[inline(never)]
    pub fn other(&self, id: Id, node: Node, m: &mut Memory) -> Answer<Value> {
        match node {
            Node::Many(op, start, length) => self.many(id, op, start, length, m),
            Node::Forall { .. } | Node::Exists { .. } => Ok(Values::truth(self.truth(id, m)?)),
            Node::Comprehension { binder } => self.comprehension(id, binder, m),
            Node::Fold { is_product, binder } => self.fold(id, is_product, binder, m),
            Node::Conditional(test, then, otherwise) => {
                let chosen = if self.truth(test, m)? { then } else { otherwise };
                self.value(chosen, m)
            }
            Node::Let(slot, value, body) => self.with(slot, value, m, |this, m| this.value(body, m)),
            Node::Field(record, number) => {
                let record = self.value(record, m)?;
                Ok(self.values.fields(record)[number as usize])
            }
            _ => self.all(self.code.arena.element_type(self.code.arena.info(id).type_), id, m),
        }
    }

    /// Why a name has no value.
    #[cold]
    pub fn missing(&self, slot: Slot, id: Id, m: &mut Memory) -> Halt {
        if let Some(&(_, fault)) = m.poisoned.iter().rev().find(|(poisoned, _)| *poisoned == slot) {
            m.fault = fault;
            return Halt::Undefined;
        }
        if m.is_partial { Halt::Unknown } else { m.undefined(id, Why::Unassigned(slot)) }
    }

    #[inline(always)]
    pub fn kept(&self, inner: Id, number: u32, m: &mut Memory) -> Answer<Value> {
        let forever = self.code.kept_forever[number as usize];
        if m.epoch == 0 && !forever {
            return self.value(inner, m);
        }
        let (value, epoch) = m.kept[number as usize];
        if value != Value::UNSET && (forever || epoch == m.epoch) {
            return Ok(value);
        }
        let value = self.value(inner, m)?;
        m.kept[number as usize] = (value, m.epoch);
        Ok(value)
    }

    /// Evaluates something with a name that stands for a value, which is undefined only where it is looked at.
    pub fn with<T>(
        &self,
        slot: Slot,
        value: Id,
        m: &mut Memory,
        body: impl FnOnce(&Self, &mut Memory) -> Answer<T>,
    ) -> Answer<T> {
        match self.value(value, m) {
            Ok(value) => {
                m.env[slot as usize] = value;
                body(self, m)
            }
            Err(Halt::Undefined) => {
                m.env[slot as usize] = Value::UNSET;
                m.poisoned.push((slot, m.fault));
                let result = body(self, m);
                m.poisoned.pop();
                result
            }
            Err(halt) => Err(halt),
        }
    }

    #[inline(always)]
    pub fn settled(&self, id: Id, outcome: Outcome, m: &mut Memory) -> Answer<Value> {
        outcome.map_err(|why| m.failed(id, why))
    }

    #[inline(never)]
    pub fn unary(&self, id: Id, op: Op, argument: Id, m: &mut Memory) -> Answer<Value> {
        if op == Op::Not {
            return Ok(Values::truth(!self.truth(argument, m)?));
        }
        let info = self.code.arena.info(id);
        if info.is_infinite {
            return Err(m.limited(id, Why::Infinite));
        }
        let a = match self.value(argument, m) {
            Ok(a) => a,
            Err(Halt::Limit) => return self.of_wide(op, argument, m).ok_or(Halt::Limit),
            Err(halt) => return Err(halt),
        };
        let (values, scratch) = (self.values, &mut m.scratch);
        let outcome = match op {
            Op::Negate => numbers::negate(values, a),
            Op::Min => numbers::min(values, a),
            Op::Max => numbers::max(values, a),
            Op::PowerSet => sets::power_set(values, scratch, a),
            Op::PowerSet1 => sets::power_set_1(values, scratch, a),
            Op::Card => Ok(sets::card(values, a)),
            Op::GeneralUnion => sets::general_union(values, scratch, a),
            Op::GeneralIntersection => sets::general_intersection(values, scratch, a),
            Op::Left => Ok(values.parts(a).0),
            Op::Right => Ok(values.parts(a).1),
            Op::Domain => relations::domain(values, scratch, a),
            Op::Range => relations::range(values, scratch, a),
            Op::Identity => relations::identity(values, scratch, a),
            Op::Inverse => relations::inverse(values, scratch, a),
            Op::Closure1 => closures::closure1(values, scratch, a),
            Op::Closure => {
                let carrier = self.carrier(id, m)?;
                closures::closure(values, &mut m.scratch, a, carrier)
            }
            Op::AsFunction => composition::as_function(values, scratch, a),
            Op::AsRelation => composition::as_relation(values, scratch, a),
            Op::Size => sequences::size(values, scratch, a),
            Op::Reverse => sequences::reverse(values, scratch, a),
            Op::First => sequences::first(values, scratch, a),
            Op::Last => sequences::last(values, scratch, a),
            Op::Tail => sequences::tail(values, scratch, a),
            Op::Front => sequences::front(values, scratch, a),
            Op::GeneralConcat => sequences::general_concat(values, scratch, a),
            Op::Position => Ok(elements::position(values, self.code.arena.sort_of(argument), a)),
            Op::ElementAt => elements::element(self.code.arena.sort_of(id), numbers::number(values, a)),
            Op::BagSize => bags::size(values, a),
            Op::Support => Ok(bags::support(values, scratch, a)),
            Op::BagOfSet => bags::of_set(values, a),
            Op::BagOfFunction => bags::of_function(values, scratch, a),
            Op::InjectiveSequences | Op::InjectiveSequences1 | Op::Permutations => {
                self.listed_sequences(op, a, scratch)
            }
            _ => unreachable!("{op:?} is no operator of one argument"),
        };
        self.settled(id, outcome, m)
    }

    pub fn listed_sequences(&self, op: Op, over: Value, scratch: &mut Scratch) -> Outcome {
        let kind = match op {
            Op::InjectiveSequences => Sequences::Injective,
            Op::InjectiveSequences1 => Sequences::InjectiveNotEmpty,
            _ => Sequences::Permutations,
        };
        Words::new(self.values, kind, over, self.values.elements(over).len()).all(self.values, scratch)
    }

    /// The elements of the type of a relation, where they are finitely many: what a closure is reflexive on.
    pub fn carrier(&self, id: Id, m: &mut Memory) -> Answer<Option<Value>> {
        let arena = &self.code.arena;
        match arena.types[arena.element_type(arena.info(id).type_) as usize] {
            Type::Pair(left, _) if arena.type_size(left).is_finite() => self.all(left, id, m).map(Some),
            _ => Ok(None),
        }
    }

    /// All values of a finite type.
    pub fn all(&self, type_: TypeId, id: Id, m: &mut Memory) -> Answer<Value> {
        if m.types[type_ as usize] != Value::UNSET {
            return Ok(m.types[type_ as usize]);
        }
        let outcome = match &self.code.arena.types[type_ as usize] {
            Type::Boolean => Ok(self.values.set(&mut vec![Value::FALSE, Value::TRUE])),
            Type::Element(first, size) => {
                Ok(self.values.set(&mut (*first..first + size).map(Values::point).collect()))
            }
            Type::Integer | Type::Text | Type::Bag(_) => return Err(m.limited(id, Why::Infinite)),
            Type::Pair(left, right) => {
                let (left, right) = (self.all(*left, id, m)?, self.all(*right, id, m)?);
                sets::product(self.values, &mut m.scratch, left, right)
            }
            Type::Set(element) => {
                let element = self.all(*element, id, m)?;
                sets::power_set(self.values, &mut m.scratch, element)
            }
            Type::Record(fields) => {
                let sets =
                    fields.iter().map(|&(_, field)| self.all(field, id, m)).collect::<Answer<Vec<_>>>()?;
                sets::records(self.values, &mut m.scratch, &sets)
            }
            Type::Free(number) => match self.code.arena.free_types[*number as usize].all {
                Some(all) => Ok(self.value(all, m)?),
                None => return Err(m.limited(id, Why::Infinite)),
            },
        };
        let all = self.settled(id, outcome, m)?;
        m.types[type_ as usize] = all;
        Ok(all)
    }

    #[inline(never)]
    pub fn binary(&self, id: Id, op: Op, a: Id, b: Id, m: &mut Memory) -> Answer<Value> {
        match self.code.arena.ways[id as usize] {
            Way::Asked => return Ok(Values::truth(self.truth(id, m)?)),
            Way::HalfInfinite => return self.half_infinite(id, op, a, b, m),
            Way::Updated => return self.updated(id, a, b, m),
            Way::Displayed => return self.with_displayed(id, op, a, b, m),
            Way::Computed => {}
        }
        let a = self.value(a, m)?;
        let b = self.value(b, m)?;
        if op == Op::ConstructWithin {
            return self.constructed(id, a, b, m);
        }
        if op == Op::Shift {
            let by = i128::from(numbers::number(self.values, b));
            return Ok(elements::shifted(self.code.arena.sort_of(id), a, by));
        }
        if op == Op::Iterate {
            let carrier = self.carrier(id, m)?;
            let outcome = closures::iterate(self.values, &mut m.scratch, a, b, carrier);
            return self.settled(id, outcome, m);
        }
        let (values, Memory { scratch, memo, .. }) = (self.values, &mut *m);
        let outcome = if op.is_worth_remembering() {
            memo.get_or(op as u32, a, b, || computed(op, values, scratch, a, b))
        } else {
            computed(op, values, scratch, a, b)
        };
        self.settled(id, outcome, m)
    }

    /// The value that a constructor makes of an argument, where it is for it.
    #[inline(never)]
    fn constructed(&self, id: Id, constructor: Value, argument: Value, m: &mut Memory) -> Answer<Value> {
        let arena = &self.code.arena;
        let Type::Free(free) = arena.types[arena.info(id).type_ as usize] else {
            unreachable!("a constructor makes a value of a free type");
        };
        let number = numbers::number(self.values, constructor) as usize;
        let is_for = match arena.free_types[free as usize].within[number] {
            Some(set) => self.is_in(argument, set, m)?,
            None => true,
        };
        if is_for {
            Ok(self.values.pair(constructor, argument))
        } else {
            Err(m.failed(id, Undefined::OutsideDomain))
        }
    }

    /// r <+ {x |-> y}: what assigning to one place of a function is.
    pub fn updated(&self, id: Id, relation: Id, pair: Id, m: &mut Memory) -> Answer<Value> {
        let (x, y) = self.code.arena.one_pair(pair).expect("an update has one pair");
        let relation = self.value(relation, m)?;
        let (x, y) = (self.value(x, m)?, self.value(y, m)?);
        let (values, Memory { scratch, memo, .. }) = (self.values, &mut *m);
        let pair = values.pair(x, y);
        let outcome =
            memo.get_or(UPDATED, relation, pair, || relations::updated(values, scratch, relation, x, y));
        self.settled(id, outcome, m)
    }

    #[inline(never)]
    pub fn many(&self, id: Id, op: Op, start: u32, length: u32, m: &mut Memory) -> Answer<Value> {
        if matches!(op, Op::And | Op::Or) {
            return Ok(Values::truth(self.truth(id, m)?));
        }
        if self.code.arena.info(id).is_infinite {
            return Err(m.limited(id, Why::Infinite));
        }
        let mut items = m.scratch.take();
        for at in start..start + length {
            match self.value(self.code.arena.lists[at as usize], m) {
                Ok(value) => items.push(value),
                Err(halt) => {
                    m.scratch.give(items);
                    return Err(halt);
                }
            }
        }
        let outcome = match op {
            Op::Set => Ok(self.values.set(&mut items)),
            Op::Sequence => Ok(sequences::sequence(self.values, &mut m.scratch, &items)),
            Op::Record => Ok(self.values.record(&items)),
            Op::Records => sets::records(self.values, &mut m.scratch, &items),
            Op::Built => sets::built(self.values, &mut m.scratch, &items),
            Op::Bag => bags::bag(self.values, &mut m.scratch, &items),
            Op::BagChange => bags::changed(self.values, &mut m.scratch, items[0], &items[1..]),
            _ => unreachable!("{op:?} takes a fixed number of arguments"),
        };
        m.scratch.give(items);
        self.settled(id, outcome, m)
    }
}

/// The number of `updated` in the memo, beyond all operators.
const UPDATED: u32 = 1 << 16;

pub fn computed(op: Op, values: &Values, scratch: &mut Scratch, a: Value, b: Value) -> Outcome {
    match op {
        Op::Add => numbers::add(values, a, b),
        Op::Subtract => numbers::subtract(values, a, b),
        Op::Multiply => numbers::multiply(values, a, b),
        Op::Divide => numbers::divide(values, a, b),
        Op::Modulo => numbers::modulo(values, a, b),
        Op::Power => numbers::power(values, a, b),
        Op::Interval => numbers::interval(values, scratch, a, b),
        Op::Union => sets::union(values, scratch, a, b),
        Op::Intersection => sets::intersection(values, scratch, a, b),
        Op::Difference => sets::difference(values, scratch, a, b),
        Op::Product => sets::product(values, scratch, a, b),
        Op::Pair | Op::Construct => Ok(values.pair(a, b)),
        Op::Argument => match values.parts(a) {
            (constructor, argument) if constructor == b => Ok(argument),
            _ => Err(Undefined::OutsideDomain),
        },
        Op::Image => relations::image(values, scratch, a, b),
        Op::Compose => composition::compose(values, scratch, a, b),
        Op::ParallelProduct => composition::parallel_product(values, scratch, a, b),
        Op::DirectProduct => composition::direct_product(values, scratch, a, b),
        Op::DomainRestrict => relations::domain_restrict(values, scratch, a, b),
        Op::DomainSubtract => relations::domain_subtract(values, scratch, a, b),
        Op::RangeRestrict => relations::range_restrict(values, scratch, a, b),
        Op::RangeSubtract => relations::range_subtract(values, scratch, a, b),
        Op::Override => relations::override_(values, scratch, a, b),
        Op::FirstProjection => composition::first_projection(values, scratch, a, b),
        Op::SecondProjection => composition::second_projection(values, scratch, a, b),
        Op::BagSum => bags::sum(values, scratch, a, b),
        Op::BagDifference => bags::difference(values, scratch, a, b),
        Op::BagScaled => bags::scaled(values, scratch, a, b),
        Op::BagCount => Ok(bags::count(values, a, b)),
        Op::Concat => sequences::concat(values, scratch, a, b),
        Op::Prepend => sequences::prepend(values, scratch, a, b),
        Op::Append => sequences::append(values, scratch, a, b),
        Op::Take => sequences::take(values, scratch, a, b),
        Op::Drop => sequences::drop(values, scratch, a, b),
        _ => {
            let arrow = op.demands().expect("a space of relations");
            Arrows::new(values, arrow, a, b).all(values, scratch)
        }
    }
}
