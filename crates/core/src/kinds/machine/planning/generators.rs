//! Generators: how a conjunct bounds the values of names that are not known yet.

use crate::kinds::machine::compile::Compiler;
use crate::kinds::machine::nodes::{Id, Node, Op, Slot, Slots, Type};
use crate::kinds::machine::operators::spaces::Arrow;
use crate::kinds::machine::plan::{Functions, Pattern, PlanStep, Shifted, Subsets};
use crate::kinds::machine::planning::Choice;
use crate::kinds::machine::planning::partitions::Remaining;
use crate::kinds::machine::planning::required::Prescribed;

/// A set type with more values is not enumerated.
const TYPE_LIMIT: f64 = 1e30;

/// The cost of a function of which more points will be prescribed once other names are known: they come first.
const PRESCRIBED_LATER: f64 = 1e25;

impl Compiler<'_> {
    pub fn generators(&mut self, id: Id, unknown: &Slots, rest: &[Id], choices: &mut Vec<Choice>) {
        let Some((op, arguments)) = self.code.arena.application(id) else {
            return self.named(id, true, unknown, choices);
        };
        match (op, arguments.as_slice()) {
            (Op::Not, &[inner]) => self.named(inner, false, unknown, choices),
            (Op::Equal, &[a, b]) => {
                self.equality(id, a, b, unknown, rest, choices);
                self.equality(id, b, a, unknown, rest, choices);
            }
            (Op::Member, &[element, set]) if !self.free(set).intersects(unknown) => {
                self.membership(id, element, set, unknown, rest, choices);
            }
            (Op::Subset | Op::StrictSubset, &[part, whole]) if !self.free(whole).intersects(unknown) => {
                if let Some(slot) = self.unknown_slot(part, unknown) {
                    let settled = if op == Op::Subset { vec![id] } else { Vec::new() };
                    self.subsets(slot, whole, settled, unknown, rest, choices);
                } else if !self.code.arena.info(whole).is_infinite {
                    self.included(part, whole, unknown, rest, choices);
                }
            }
            _ => {}
        }
    }

    /// A truth value that is a name.
    pub fn named(&mut self, id: Id, truth: bool, unknown: &Slots, choices: &mut Vec<Choice>) {
        if let Some(slot) = self.unknown_slot(id, unknown) {
            let boolean = self.code.arena.type_(Type::Boolean);
            let value =
                self.code.arena.constant(crate::kinds::machine::values::Values::truth(truth), boolean);
            let step = PlanStep::Match(Pattern::Bind(slot), value);
            choices.push(Choice { cost: 0.0, step, binds: Slots::one(slot), settled: Vec::new() });
        }
    }

    pub fn unknown_slot(&self, id: Id, unknown: &Slots) -> Option<Slot> {
        match self.code.arena.bare(id) {
            Node::Slot(slot) if unknown.contains(slot) => Some(slot),
            _ => None,
        }
    }

    /// How a value has to be taken apart to be equal to the expression, and what that binds.
    pub fn pattern(&self, id: Id, unknown: &Slots) -> Option<(Pattern, Slots)> {
        let mut binds = Slots::default();
        let mut late = Slots::default();
        let pattern = self.pattern_of(id, unknown, &mut binds, &mut late);
        let bound = late.iter().all(|slot| binds.contains(slot));
        (bound && !binds.is_empty()).then_some((pattern, binds))
    }

    pub fn pattern_of(&self, id: Id, unknown: &Slots, binds: &mut Slots, late: &mut Slots) -> Pattern {
        if let Some(slot) = self.unknown_slot(id, unknown)
            && !binds.contains(slot)
        {
            binds.insert(slot);
            return Pattern::Bind(slot);
        }
        match self.code.arena.bare(id) {
            Node::Binary(Op::Pair, a, b) if self.free(id).intersects(unknown) => {
                let a = self.pattern_of(a, unknown, binds, late);
                Pattern::Pair(Box::new((a, self.pattern_of(b, unknown, binds, late))))
            }
            Node::Binary(Op::Construct | Op::ConstructWithin, constructor, argument)
                if self.free(id).intersects(unknown) =>
            {
                let Node::Constant(constructor) = self.code.arena.bare(constructor) else {
                    unreachable!("a constructor is known");
                };
                let argument = self.pattern_of(argument, unknown, binds, late);
                Pattern::Constructed(Box::new((constructor, argument)))
            }
            Node::Binary(Op::Shift, element, by)
                if self.free(element).intersects(unknown)
                    && let Some(by) = self.code.arena.number(by, self.values) =>
            {
                let pattern = self.pattern_of(element, unknown, binds, late);
                let sort = self.code.arena.sort_of(element);
                Pattern::Shifted(Box::new(Shifted { pattern, by, sort }))
            }
            Node::Many(Op::Record, start, length) if self.free(id).intersects(unknown) => {
                let fields = self.code.arena.list(start, length);
                Pattern::Record(fields.iter().map(|&id| self.pattern_of(id, unknown, binds, late)).collect())
            }
            Node::Many(Op::Sequence, start, length) if self.free(id).intersects(unknown) => {
                let items = self.code.arena.list(start, length);
                Pattern::Sequence(items.iter().map(|&id| self.pattern_of(id, unknown, binds, late)).collect())
            }
            _ => {
                late.add(&self.free(id).intersection(unknown));
                Pattern::Known(id)
            }
        }
    }

    pub fn equality(
        &mut self,
        id: Id,
        open: Id,
        known: Id,
        unknown: &Slots,
        rest: &[Id],
        choices: &mut Vec<Choice>,
    ) {
        if self.free(known).intersects(unknown) || self.code.arena.info(known).is_infinite {
            return;
        }
        if let Some((pattern, binds)) = self.pattern(open, unknown) {
            let known = self.kept(known);
            let step = PlanStep::Match(pattern, known);
            choices.push(Choice { cost: 0.0, step, binds, settled: vec![id] });
            return;
        }
        let within: Vec<Slot> = self.free(open).intersection(unknown).iter().collect();
        if let &[slot] = within.as_slice()
            && let Some((_, value)) = self.isolated(open, slot, known)
        {
            let step = PlanStep::Match(Pattern::Bind(slot), value);
            choices.push(Choice { cost: 0.0, step, binds: Slots::one(slot), settled: vec![id] });
            return;
        }
        let Some((op, arguments)) = self.code.arena.application(open) else { return };
        match (op, arguments.as_slice()) {
            (Op::Set | Op::Union, _) => self.included(open, known, unknown, rest, choices),
            (Op::Apply, &[function, argument]) if self.is_listed(function, unknown) => {
                if let Some((pattern, binds)) = self.pattern(argument, unknown) {
                    let cost = self.size(function) * 0.5;
                    let pattern = Pattern::Pair(Box::new((pattern, Pattern::Known(known))));
                    choices.push(Choice {
                        cost,
                        step: PlanStep::Each(pattern, function),
                        binds,
                        settled: Vec::new(),
                    });
                }
            }
            _ => {}
        }
    }

    /// What an inclusion in a set that can be listed says: all elements of a listed set are in it, both sides of a union.
    fn included(&mut self, part: Id, whole: Id, unknown: &Slots, rest: &[Id], choices: &mut Vec<Choice>) {
        if let Some(slot) = self.unknown_slot(part, unknown) {
            return self.subsets(slot, whole, Vec::new(), unknown, rest, choices);
        }
        let Some((op, arguments)) = self.code.arena.application(part) else { return };
        for argument in arguments {
            match op {
                Op::Union => self.included(argument, whole, unknown, rest, choices),
                Op::Set => {
                    if let Some((pattern, binds)) = self.pattern(argument, unknown) {
                        let cost = self.size(whole);
                        let step = PlanStep::Each(pattern, whole);
                        choices.push(Choice { cost, step, binds, settled: Vec::new() });
                    }
                }
                _ => {}
            }
        }
    }

    pub fn size(&self, set: Id) -> f64 {
        self.code.arena.size(set, self.values)
    }

    /// A set that is known and can be listed.
    pub fn is_listed(&self, set: Id, unknown: &Slots) -> bool {
        !self.free(set).intersects(unknown) && !self.code.arena.info(set).is_infinite
    }

    pub fn membership(
        &mut self,
        id: Id,
        element: Id,
        set: Id,
        unknown: &Slots,
        rest: &[Id],
        choices: &mut Vec<Choice>,
    ) {
        let slot = self.unknown_slot(element, unknown);
        if let (Some(slot), Some((op, arguments))) = (slot, self.code.arena.application(set)) {
            match (op, arguments.as_slice()) {
                // With the other bounds of the number, see `range`.
                (Op::Interval | Op::UpFrom, _) => return,
                (op, &[from, to]) if op.demands().is_some() => {
                    let demands = op.demands().expect("just asked");
                    return self.relations(id, slot, (from, to), demands, unknown, rest, choices);
                }
                (Op::Permutations, &[of]) if !self.code.arena.info(of).is_infinite => {
                    let from = self.one_to_card(of);
                    let demands = Op::TotalBijections.demands().expect("a space of functions");
                    return self.relations(id, slot, (from, of), demands, unknown, rest, choices);
                }
                (
                    Op::Sequences | Op::Sequences1 | Op::InjectiveSequences | Op::InjectiveSequences1,
                    &[of],
                ) => {
                    return self.sequences(id, slot, op, of, unknown, rest, choices);
                }
                _ => {}
            }
        }
        if self.code.arena.info(set).is_infinite {
            return;
        }
        if let Some((pattern, binds)) = self.pattern(element, unknown) {
            let cost = self.size(set);
            let set = self.kept(set);
            choices.push(Choice { cost, step: PlanStep::Each(pattern, set), binds, settled: vec![id] });
            return;
        }
        // f(x) : S with f known: x is in its domain.
        if let Some((Op::Apply, arguments)) = self.code.arena.application(element)
            && let &[function, argument] = arguments.as_slice()
            && self.is_listed(function, unknown)
            && let Some((pattern, binds)) = self.pattern(argument, unknown)
        {
            let type_ = self.set_of(argument);
            let domain = self.apply(Op::Domain, &[function], type_, None);
            let cost = self.size(function);
            choices.push(Choice { cost, step: PlanStep::Each(pattern, domain), binds, settled: Vec::new() });
        }
    }

    pub fn set_of(&mut self, element: Id) -> u32 {
        let type_ = self.code.arena.info(element).type_;
        self.code.arena.type_(Type::Set(type_))
    }

    pub fn one_to_card(&mut self, of: Id) -> Id {
        let integer = self.integer();
        let set = self.code.arena.type_(Type::Set(integer));
        let one = self.number(1);
        let card = self.apply(Op::Card, &[of], integer, None);
        self.apply(Op::Interval, &[one, card], set, None)
    }

    #[allow(clippy::too_many_arguments)] // one conjunct taken apart
    pub fn relations(
        &mut self,
        id: Id,
        slot: Slot,
        (from, to): (Id, Id),
        demands: Arrow,
        unknown: &Slots,
        rest: &[Id],
        choices: &mut Vec<Choice>,
    ) {
        let from = self.narrowed(slot, Op::Domain, from, unknown, rest);
        let to = self.narrowed(slot, Op::Range, to, unknown, rest);
        let is_endless = self.code.arena.info(to).is_infinite;
        if self.code.arena.info(from).is_infinite || is_endless && !demands.functional {
            return;
        }
        if demands.functional {
            let Prescribed { required, more } = self.prescribed(slot, unknown, rest);
            if is_endless && required.is_empty() {
                return;
            }
            let (a, b) = (self.size(from), self.size(to));
            let cost = match (is_endless, demands.total) {
                (true, _) => {
                    if more {
                        PRESCRIBED_LATER
                    } else {
                        a.max(1.0)
                    }
                }
                (false, true) => b.powf(a),
                (false, false) => (b + 1.0).powf(a),
            };
            let watched = self.watched(slot, unknown, rest, &[id]);
            let listed = if is_endless { self.implementable_part(to) } else { Some(to) };
            let (from, listed) = (self.kept(from), listed.map(|listed| self.kept(listed)));
            let functions = Functions {
                slot,
                from,
                to: listed,
                space: to,
                is_wider: is_endless,
                demands,
                required,
                watched,
            };
            let step = PlanStep::Functions(Box::new(functions));
            choices.push(Choice { cost, step, binds: Slots::one(slot), settled: vec![id] });
        } else {
            let type_ = self.code.slots[slot as usize].type_;
            let product = self.apply(Op::Product, &[from, to], type_, None);
            let plain = !demands.total && !demands.surjective;
            let settled = if plain { vec![id] } else { Vec::new() };
            self.subsets(slot, product, settled, unknown, rest, choices);
        }
    }

    /// A bound of the domain or range of a relation: that of its space, and what other conjuncts say of it.
    pub fn narrowed(&mut self, slot: Slot, side: Op, bound: Id, unknown: &Slots, rest: &[Id]) -> Id {
        if !self.code.arena.info(bound).is_infinite {
            return bound;
        }
        for &id in rest {
            let Some((op @ (Op::Equal | Op::Subset), arguments)) = self.code.arena.application(id) else {
                continue;
            };
            let sides = [(arguments[0], arguments[1]), (arguments[1], arguments[0])];
            for (part, whole) in sides.into_iter().take(if op == Op::Equal { 2 } else { 1 }) {
                let is_side = matches!(self.code.arena.bare(part), Node::Unary(op, of)
                    if op == side && self.unknown_slot(of, unknown) == Some(slot));
                if is_side && self.is_listed(whole, unknown) {
                    let type_ = self.code.arena.info(whole).type_;
                    return self.apply(Op::Intersection, &[bound, whole], type_, None);
                }
            }
        }
        bound
    }

    pub fn subsets(
        &mut self,
        slot: Slot,
        of: Id,
        mut settled: Vec<Id>,
        unknown: &Slots,
        rest: &[Id],
        choices: &mut Vec<Choice>,
    ) {
        if self.code.arena.info(of).is_infinite {
            return;
        }
        let Remaining { of, mut parts, open } = self.remaining(slot, of, unknown, rest, &mut settled);
        let (mut members, mut strangers) = (Vec::new(), Vec::new());
        let is_it = |this: &Self, id: Id| this.unknown_slot(id, unknown) == Some(slot);
        for &id in rest {
            let Some((op, arguments)) = self.code.arena.application(id) else { continue };
            match (op, arguments.as_slice()) {
                (Op::Member, &[element, set])
                    if is_it(self, set) && !self.free(element).intersects(unknown) =>
                {
                    members.push(element);
                    settled.push(id);
                }
                (Op::Subset, &[part, whole]) if is_it(self, whole) && self.is_listed(part, unknown) => {
                    parts.push(part);
                    settled.push(id);
                }
                (Op::Not, &[inner]) => {
                    if let Node::Binary(Op::Member, element, set) = self.code.arena.bare(inner)
                        && is_it(self, set)
                        && !self.free(element).intersects(unknown)
                    {
                        strangers.push(element);
                        settled.push(id);
                    }
                }
                _ => {}
            }
        }
        let decided = members.len() + strangers.len() + 2 * parts.len();
        let cost = (self.size(of) - decided as f64).min(open).max(0.0).exp2();
        let watched = self.watched(slot, unknown, rest, &settled);
        let of = self.kept(of);
        let step = PlanStep::Subsets(Box::new(Subsets { slot, of, members, parts, strangers, watched }));
        choices.push(Choice { cost, step, binds: Slots::one(slot), settled });
    }

    /// Conjuncts that may be seen to be false while the value of the slot is being built.
    pub fn watched(&mut self, slot: Slot, unknown: &Slots, rest: &[Id], settled: &[Id]) -> Vec<Id> {
        let mut watched: Vec<Id> = Vec::new();
        for &id in rest {
            let open = self.free(id).intersection(unknown);
            if !settled.contains(&id) && open == Slots::one(slot) && self.looks_into(id, slot) {
                watched.push(id);
            }
        }
        watched.sort_by_key(|&id| self.weight(id));
        watched
    }

    /// Is something asked of single elements of the set in the slot?
    pub fn looks_into(&self, id: Id, slot: Slot) -> bool {
        let arena = &self.code.arena;
        if !self.free(id).contains(slot) {
            return false;
        }
        let is_it = |id: Id| matches!(arena.bare(id), Node::Slot(other) if other == slot);
        match arena.bare(id) {
            Node::Binary(Op::Apply | Op::Image, a, _) if is_it(a) => true,
            Node::Binary(Op::Member | Op::Subset, _, b) if is_it(b) => true,
            Node::Binary(Op::Subset | Op::Intersection | Op::Difference, a, b) if is_it(a) || is_it(b) => {
                true
            }
            Node::Unary(Op::Card, a) if is_it(a) => true,
            Node::Unary(_, a) | Node::Field(a, _) | Node::Kept(a, _) => self.looks_into(a, slot),
            Node::Binary(_, a, b) | Node::Let(_, a, b) => {
                self.looks_into(a, slot) || self.looks_into(b, slot)
            }
            Node::Many(_, start, length) => {
                arena.list(start, length).iter().any(|&id| self.looks_into(id, slot))
            }
            Node::Conditional(a, b, c) => [a, b, c].into_iter().any(|id| self.looks_into(id, slot)),
            Node::Forall { binder, body } => {
                self.looks_into(body, slot) || self.looks_into(arena.binders[binder as usize].condition, slot)
            }
            Node::Exists { binder } | Node::Comprehension { binder } | Node::Fold { binder, .. } => {
                let binder = &arena.binders[binder as usize];
                self.looks_into(binder.condition, slot)
                    || binder.value.is_some_and(|value| self.looks_into(value, slot))
            }
            Node::Constant(_) | Node::Slot(_) | Node::Nullary(_) => false,
        }
    }

    /// All values of a finite type.
    pub fn whole_type(&mut self, slot: Slot, unknown: &Slots, rest: &[Id], choices: &mut Vec<Choice>) {
        let (type_, span) = (self.code.slots[slot as usize].type_, self.code.slots[slot as usize].span);
        let size = self.code.arena.type_size(type_);
        if size > TYPE_LIMIT {
            return;
        }
        // A little dearer than the same bound from a conjunct, which then need not be tested.
        if let Type::Set(_) = self.code.arena.types[type_ as usize] {
            let all = self.code.arena.apply(Op::All, &[], type_, span);
            let before = choices.len();
            self.subsets(slot, all, Vec::new(), unknown, rest, choices);
            choices[before..].iter_mut().for_each(|choice| choice.cost *= 1.01);
        } else {
            let set = self.code.arena.type_(Type::Set(type_));
            let all = self.apply(Op::All, &[], set, span);
            let step = PlanStep::Each(Pattern::Bind(slot), all);
            choices.push(Choice { cost: size * 1.01, step, binds: Slots::one(slot), settled: Vec::new() });
        }
    }
}
