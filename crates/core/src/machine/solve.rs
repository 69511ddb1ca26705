//! Running plans: every valuation of the unknown names that a condition allows, found step by step.

use super::evaluate::{Answer, Evaluator};
use super::memory::{Halt, Memory};
use super::nodes::{Id, Slot};
use super::operators::arithmetic::number;
use super::operators::sequences;
use super::plan::{Pattern, Step};
use super::values::Value;

/// What is done with valuations, and what became doubtful on the way.
pub struct Goal<'g> {
    /// Undefined counts as false.
    pub(super) is_lenient: bool,
    unknown: bool,
    undefined: bool,
    /// Called with each valuation; true as its second argument where no conjunct is false but one is undefined. Returns
    /// whether to go on.
    found: &'g mut dyn FnMut(&mut Memory, bool) -> Answer<bool>,
}

impl<'g> Goal<'g> {
    pub fn strict(found: &'g mut dyn FnMut(&mut Memory, bool) -> Answer<bool>) -> Self {
        Goal { is_lenient: false, unknown: false, undefined: false, found }
    }

    pub fn lenient(found: &'g mut dyn FnMut(&mut Memory, bool) -> Answer<bool>) -> Self {
        Goal { is_lenient: true, unknown: false, undefined: false, found }
    }

    /// Was something passed over of which it could not be said whether it is a valuation?
    pub fn doubt(&self) -> Option<Halt> {
        if self.unknown {
            Some(Halt::Unknown)
        } else if self.undefined {
            Some(Halt::Undefined)
        } else {
            None
        }
    }

    /// What is left of an answer: none where the search goes on elsewhere.
    #[inline(always)]
    pub(super) fn settle<T>(&mut self, answer: Answer<T>) -> Answer<Option<T>> {
        match answer {
            Ok(value) => Ok(Some(value)),
            Err(Halt::Undefined) => {
                self.undefined |= !self.is_lenient;
                Ok(None)
            }
            Err(Halt::Unknown) => {
                self.unknown = true;
                Ok(None)
            }
            Err(halt) => Err(halt),
        }
    }
}

impl Evaluator<'_> {
    /// Runs the steps; false where the goal wants no more.
    pub fn solve(&self, steps: &[Step], flagged: bool, m: &mut Memory, goal: &mut Goal) -> Answer<bool> {
        let mut flagged = flagged;
        let mut steps = steps;
        loop {
            let Some((step, rest)) = steps.split_first() else { return (goal.found)(m, flagged) };
            match step {
                Step::Test(id) => match self.truth(*id, m) {
                    Ok(true) => {}
                    Ok(false) => return Ok(true),
                    Err(Halt::Undefined) if goal.is_lenient => return Ok(true),
                    Err(Halt::Undefined) => flagged = true,
                    Err(Halt::Unknown) => {
                        goal.unknown = true;
                        return Ok(true);
                    }
                    Err(halt) => return Err(halt),
                },
                Step::Match(pattern, value) => {
                    let value = self.value(*value, m);
                    let Some(value) = goal.settle(value)? else { return Ok(true) };
                    let matched = self.matches(pattern, value, m);
                    match goal.settle(matched)? {
                        Some(true) => {}
                        _ => return Ok(true),
                    }
                }
                Step::Each(pattern, set) => {
                    let place = *set;
                    let set = self.value(place, m);
                    let Some(set) = goal.settle(set)? else { return Ok(true) };
                    return self.each(pattern, place, set, rest, flagged, m, goal);
                }
                Step::Range { slot, low, high } => {
                    return self.range(*slot, low, high, rest, flagged, m, goal);
                }
                Step::Subsets(subsets) => return self.subsets(subsets, rest, flagged, m, goal),
                Step::Functions(functions) => return self.functions(functions, rest, flagged, m, goal),
                Step::Sequences { slot, of, injective, low, high } => {
                    let bounds = self.bounds(low, high, m);
                    let Some((low, high)) = goal.settle(bounds)? else { return Ok(true) };
                    let set = self.value(*of, m);
                    let Some(set) = goal.settle(set)? else { return Ok(true) };
                    let mut items = Vec::new();
                    for length in low.max(0)..=high {
                        let job = Words { slot: *slot, place: *of, set, length, injective: *injective };
                        if !self.words(&job, &mut items, rest, flagged, m, goal)? {
                            return Ok(false);
                        }
                    }
                    return Ok(true);
                }
                Step::Branch(alternatives) => {
                    for alternative in alternatives {
                        if !self.solve(alternative, flagged, m, goal)? {
                            return Ok(false);
                        }
                    }
                    return Ok(true);
                }
            }
            steps = rest;
        }
    }

    #[allow(clippy::too_many_arguments)] // one step and what follows it
    pub(super) fn each(
        &self,
        pattern: &Pattern,
        place: Id,
        set: Value,
        rest: &[Step],
        flagged: bool,
        m: &mut Memory,
        goal: &mut Goal,
    ) -> Answer<bool> {
        for &element in self.values.elements(set) {
            m.tick(place)?;
            if let Pattern::Bind(slot) = pattern {
                m.env[*slot as usize] = element;
            } else {
                let matched = self.matches(pattern, element, m);
                if goal.settle(matched)? != Some(true) {
                    continue;
                }
            }
            if !self.solve(rest, flagged, m, goal)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Binds first; what is known may speak of what was just bound.
    pub(super) fn matches(&self, pattern: &Pattern, value: Value, m: &mut Memory) -> Answer<bool> {
        self.bind(pattern, value, m);
        self.agrees(pattern, value, m)
    }

    pub(super) fn bind(&self, pattern: &Pattern, value: Value, m: &mut Memory) {
        match pattern {
            Pattern::Bind(slot) => m.env[*slot as usize] = value,
            Pattern::Known(_) => {}
            Pattern::Pair(both) => {
                let (left, right) = self.values.parts(value);
                self.bind(&both.0, left, m);
                self.bind(&both.1, right, m);
            }
            Pattern::Record(fields) => {
                for (field, &value) in fields.iter().zip(self.values.fields(value)) {
                    self.bind(field, value, m);
                }
            }
        }
    }

    pub(super) fn agrees(&self, pattern: &Pattern, value: Value, m: &mut Memory) -> Answer<bool> {
        match pattern {
            Pattern::Bind(_) => Ok(true),
            Pattern::Known(id) => Ok(self.value(*id, m)? == value),
            Pattern::Pair(both) => {
                let (left, right) = self.values.parts(value);
                Ok(self.agrees(&both.0, left, m)? && self.agrees(&both.1, right, m)?)
            }
            Pattern::Record(fields) => {
                for (field, &value) in fields.iter().zip(self.values.fields(value)) {
                    if !self.agrees(field, value, m)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }

    pub(super) fn bounds(&self, low: &[Id], high: &[Id], m: &mut Memory) -> Answer<(i64, i64)> {
        let mut bounds = (i64::MIN, i64::MAX);
        for &each in low {
            let value = self.value(each, m)?;
            bounds.0 = bounds.0.max(number(self.values, value));
        }
        for &each in high {
            let value = self.value(each, m)?;
            bounds.1 = bounds.1.min(number(self.values, value));
        }
        Ok(bounds)
    }

    #[allow(clippy::too_many_arguments)] // one step and what follows it
    pub(super) fn range(
        &self,
        slot: Slot,
        low: &[Id],
        high: &[Id],
        rest: &[Step],
        flagged: bool,
        m: &mut Memory,
        goal: &mut Goal,
    ) -> Answer<bool> {
        let bounds = self.bounds(low, high, m);
        let Some((from, to)) = goal.settle(bounds)? else { return Ok(true) };
        for each in from..=to {
            m.tick(low[0])?;
            m.env[slot as usize] = self.values.number(each);
            if !self.solve(rest, flagged, m, goal)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn words(
        &self,
        job: &Words,
        items: &mut Vec<Value>,
        rest: &[Step],
        flagged: bool,
        m: &mut Memory,
        goal: &mut Goal,
    ) -> Answer<bool> {
        if items.len() as i64 == job.length {
            m.env[job.slot as usize] = sequences::sequence(self.values, &mut m.scratch, items);
            return self.solve(rest, flagged, m, goal);
        }
        for &item in self.values.elements(job.set) {
            m.tick(job.place)?;
            if job.injective && items.contains(&item) {
                continue;
            }
            items.push(item);
            let goes_on = self.words(job, items, rest, flagged, m, goal);
            items.pop();
            if !goes_on? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Sequences of one length.
struct Words {
    slot: Slot,
    place: Id,
    set: Value,
    length: i64,
    injective: bool,
}
