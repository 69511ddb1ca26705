//! Sifting: tests that follow `each element of a set` and only ask whether the element is in another set, or is something else,
//! are answered for all elements at once, without evaluating an expression for each.
//!
//! In: plans that are finished. Out: the same plans, where such tests belong to the step before them.

use crate::kinds::machine::evaluate::memory::{Halt, Memory};
use crate::kinds::machine::evaluate::{Answer, Evaluator};
use crate::kinds::machine::nodes::{Arena, Id, Node, Op, Slot};
use crate::kinds::machine::operators::sets::member;
use crate::kinds::machine::plan::{Pattern, Plan, PlanStep};
use crate::kinds::machine::solve::{Goal, Onward};
use crate::kinds::machine::values::Value;

/// Each element of a finite set that passes the filters.
#[derive(Clone, Debug)]
pub struct Sifted {
    slot: Slot,
    of: Id,
    filters: Vec<Filter>,
}

/// A test of one name, which is defined wherever the others are.
#[derive(Clone, Copy, Debug)]
struct Filter {
    /// The test as it was.
    test: Id,
    asks: Asks,
    wanted: bool,
}

#[derive(Clone, Copy, Debug)]
enum Asks {
    /// Is it this?
    Is(Id),
    /// Is it in this set?
    In(Id),
    /// Is the pair of this and it in that set?
    AfterIn(Id, Id),
    /// Is the pair of it and this in that set?
    BeforeIn(Id, Id),
}

/// A filter whose other names have values.
#[derive(Clone, Copy)]
enum Ready {
    Is(Value),
    In(Value),
    AfterIn(Value, Value),
    BeforeIn(Value, Value),
    /// A name in it has no value yet, or the set is too large, so it is asked as any other test.
    Test(Id),
}

/// More are left to be tests.
const MAX_FILTERS: usize = 4;

impl Plan {
    pub fn sift(&mut self, arena: &Arena) {
        sift(&mut self.steps, arena);
    }
}

fn sift(steps: &mut Vec<PlanStep>, arena: &Arena) {
    let mut sifted: Vec<PlanStep> = Vec::with_capacity(steps.len());
    for mut step in steps.drain(..) {
        match &mut step {
            PlanStep::Branch(alternatives) => alternatives.iter_mut().for_each(|each| sift(each, arena)),
            PlanStep::Guarded(guarded) => sift(&mut guarded.otherwise, arena),
            &mut PlanStep::Test(test) if sifted.last_mut().is_some_and(|last| absorb(last, test, arena)) => {
                continue;
            }
            _ => {}
        }
        sifted.push(step);
    }
    *steps = sifted;
}

/// Makes the test a filter of the step before it, where it can be one.
fn absorb(last: &mut PlanStep, test: Id, arena: &Arena) -> bool {
    let (slot, of, mut filters) = match last {
        PlanStep::Each(Pattern::Bind(slot), of) => (*slot, *of, Vec::new()),
        PlanStep::Sifted(before) if before.filters.len() < MAX_FILTERS => {
            (before.slot, before.of, std::mem::take(&mut before.filters))
        }
        _ => return false,
    };
    let filter = arena.filter(test, slot);
    let is_one = filter.is_some();
    filters.extend(filter);
    if !filters.is_empty() {
        *last = PlanStep::Sifted(Box::new(Sifted { slot, of, filters }));
    }
    is_one
}

impl Arena {
    fn filter(&self, test: Id, slot: Slot) -> Option<Filter> {
        let (mut id, mut wanted) = (test, true);
        while let Node::Unary(Op::Not, inner) = self.node(id) {
            (id, wanted) = (inner, !wanted);
        }
        let is_it = |id: Id| matches!(self.node(id), Node::Slot(own) if own == slot);
        let is_fixed = |id: Id| self.info(id).is_total && !self.info(id).free.contains(slot);
        let asks = match self.node(id) {
            Node::Binary(Op::Equal, a, b) if is_it(a) && is_fixed(b) => Asks::Is(b),
            Node::Binary(Op::Equal, a, b) if is_it(b) && is_fixed(a) => Asks::Is(a),
            Node::Binary(Op::Member, a, set) if self.is_listed(set) && is_fixed(set) => match self.node(a) {
                Node::Slot(own) if own == slot => Asks::In(set),
                Node::Binary(Op::Pair, left, right) if is_it(right) && is_fixed(left) => {
                    Asks::AfterIn(left, set)
                }
                Node::Binary(Op::Pair, left, right) if is_it(left) && is_fixed(right) => {
                    Asks::BeforeIn(right, set)
                }
                _ => return None,
            },
            _ => return None,
        };
        Some(Filter { test, asks, wanted })
    }

    /// Is membership in the set found by listing it anyway?
    fn is_listed(&self, set: Id) -> bool {
        let is_name = matches!(self.node(set), Node::Slot(_) | Node::Constant(_) | Node::Kept(..));
        let is_built =
            matches!(self.node(set), Node::Unary(Op::Domain | Op::Range, _) | Node::Binary(Op::Image, ..));
        (is_name || is_built) && !self.info(set).is_infinite
    }
}

impl Evaluator<'_> {
    pub fn sifted(&self, sifted: &Sifted, onward: &Onward, m: &mut Memory, goal: &mut Goal) -> Answer<bool> {
        let set = match self.value(sifted.of, m) {
            Ok(set) => set,
            Err(halt) => return self.instead(halt, onward, m, goal),
        };
        let elements = self.values.elements(set);
        if elements.is_empty() {
            return Ok(true);
        }
        let mut filters = [(Ready::Test(0), true); MAX_FILTERS];
        for (ready, filter) in filters.iter_mut().zip(&sifted.filters) {
            *ready = (self.ready(filter, m)?, filter.wanted);
        }
        let filters = &filters[..sifted.filters.len()];
        for &element in elements {
            m.tick(sifted.of)?;
            m.env[sifted.slot as usize] = element;
            if let Some(partial) = self.passes(element, filters, m, goal)?
                && !self.solve(onward.rest, onward.flagged | partial, m, goal)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    #[inline(always)]
    fn ready(&self, filter: &Filter, m: &mut Memory) -> Answer<Ready> {
        let ready = match filter.asks {
            Asks::Is(other) => self.value(other, m).map(Ready::Is),
            Asks::In(set) => self.value(set, m).map(Ready::In),
            Asks::AfterIn(left, set) => self.both(left, set, m).map(|(left, set)| Ready::AfterIn(left, set)),
            Asks::BeforeIn(right, set) => {
                self.both(right, set, m).map(|(right, set)| Ready::BeforeIn(right, set))
            }
        };
        match ready {
            // The test itself may know a way without the set.
            Err(Halt::Unknown | Halt::Undefined | Halt::Limit) => Ok(Ready::Test(filter.test)),
            ready => ready,
        }
    }

    fn both(&self, a: Id, b: Id, m: &mut Memory) -> Answer<(Value, Value)> {
        Ok((self.value(a, m)?, self.value(b, m)?))
    }

    /// None where it does not pass; else whether a filter is undefined.
    #[inline(always)]
    fn passes(
        &self,
        element: Value,
        filters: &[(Ready, bool)],
        m: &mut Memory,
        goal: &mut Goal,
    ) -> Answer<Option<bool>> {
        let values = self.values;
        let mut partial = false;
        for &(filter, wanted) in filters {
            let truth = match filter {
                Ready::Is(other) => element == other,
                Ready::In(set) => member(values, element, set),
                Ready::AfterIn(left, set) => member(values, values.pair(left, element), set),
                Ready::BeforeIn(right, set) => member(values, values.pair(element, right), set),
                Ready::Test(id) => match self.tested(id, m, goal)? {
                    Some(undefined) => {
                        partial |= undefined;
                        continue;
                    }
                    None => return Ok(None),
                },
            };
            if truth != wanted {
                return Ok(None);
            }
        }
        Ok(Some(partial))
    }
}
