//! Running plans: every valuation of the unknown names that a condition allows, found step by step.

pub(super) mod building;
pub(super) mod sifting;
pub(super) mod unfinished;

use super::evaluate::memory::{Halt, Memory};
use super::evaluate::{Answer, Evaluator};
use super::nodes::{Id, Slot};
use super::operators::arithmetic::number;
use super::operators::{elements, sequences};
use super::plan::{Guarded, Pattern, PlanStep};
use super::values::Value;

/// What is done with valuations, and whether some condition was undefined on the way.
pub struct Goal<'g> {
    /// Undefined counts as false.
    pub is_lenient: bool,
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
    pub fn undefined(&self) -> Option<Halt> {
        if self.unknown {
            Some(Halt::Unknown)
        } else if self.undefined {
            Some(Halt::Undefined)
        } else {
            None
        }
    }
}

/// What follows a step.
#[derive(Clone, Copy)]
pub struct Onward<'p> {
    pub rest: &'p [PlanStep],
    /// Is a conjunct before it undefined?
    pub flagged: bool,
    /// Instead of the step and the rest, where the step itself is undefined.
    pub otherwise: Option<&'p [PlanStep]>,
}

impl Evaluator<'_> {
    /// Runs the steps; false where the goal asks for no more solutions.
    pub fn solve(&self, steps: &[PlanStep], flagged: bool, m: &mut Memory, goal: &mut Goal) -> Answer<bool> {
        let mut flagged = flagged;
        let mut steps = steps;
        loop {
            let Some((step, rest)) = steps.split_first() else { return (goal.found)(m, flagged) };
            match step {
                PlanStep::Test(id) => match self.tested(*id, m, goal)? {
                    Some(undefined) => flagged |= undefined,
                    None => return Ok(true),
                },
                PlanStep::Match(pattern, value) => {
                    let value = self.value(*value, m);
                    match value.and_then(|value| self.matches(pattern, value, m)) {
                        Ok(true) => {}
                        Ok(false) => return Ok(true),
                        Err(halt) => {
                            let onward = Onward { rest, flagged, otherwise: None };
                            return self.instead(halt, &onward, m, goal);
                        }
                    }
                }
                PlanStep::Branch(alternatives) => {
                    for alternative in alternatives {
                        if !self.solve(alternative, flagged, m, goal)? {
                            return Ok(false);
                        }
                    }
                    return Ok(true);
                }
                PlanStep::Guarded(guarded) => {
                    let otherwise = Some(guarded.otherwise.as_slice());
                    return self.guarded(guarded, &Onward { rest, flagged, otherwise }, m, goal);
                }
                PlanStep::Defined(parts) => {
                    for &part in parts {
                        match self.value(part, m) {
                            Err(Halt::Undefined) => return Ok(true),
                            Ok(_) | Err(Halt::Unknown) => {}
                            Err(halt) => return Err(halt),
                        }
                    }
                }
                PlanStep::Cut(slot) => self.code.cuts.record(*slot, m),
                PlanStep::MayBeUndefined => {
                    goal.undefined = true;
                    return Ok(true);
                }
                step => return self.generate(step, &Onward { rest, flagged, otherwise: None }, m, goal),
            }
            steps = rest;
        }
    }

    /// None where a test decides against the valuation; else whether it is undefined.
    #[inline(always)]
    pub fn tested(&self, id: Id, m: &mut Memory, goal: &mut Goal) -> Answer<Option<bool>> {
        match self.truth(id, m) {
            Ok(truth) => Ok(truth.then_some(false)),
            Err(Halt::Undefined) => Ok((!goal.is_lenient).then_some(true)),
            Err(Halt::Unknown) => {
                goal.unknown = true;
                Ok(None)
            }
            Err(halt) => Err(halt),
        }
    }

    /// What is done where a step has no answer.
    #[cold]
    pub fn instead(&self, halt: Halt, onward: &Onward, m: &mut Memory, goal: &mut Goal) -> Answer<bool> {
        match (halt, onward.otherwise) {
            (Halt::Undefined, Some(steps)) => return self.solve(steps, onward.flagged, m, goal),
            (Halt::Undefined, None) => goal.undefined |= !goal.is_lenient,
            (Halt::Unknown, _) => goal.unknown = true,
            (halt, _) => return Err(halt),
        }
        Ok(true)
    }

    #[inline(always)]
    pub fn go_on(&self, onward: &Onward, m: &mut Memory, goal: &mut Goal) -> Answer<bool> {
        self.solve(onward.rest, onward.flagged, m, goal)
    }

    fn guarded(&self, guarded: &Guarded, onward: &Onward, m: &mut Memory, goal: &mut Goal) -> Answer<bool> {
        match guarded.asks.iter().try_for_each(|&each| self.ask(each, m)) {
            Ok(()) => self.generate(&guarded.step, onward, m, goal),
            Err(halt) => self.instead(halt, onward, m, goal),
        }
    }

    /// A step that gives names their values, and what follows it.
    fn generate(&self, step: &PlanStep, onward: &Onward, m: &mut Memory, goal: &mut Goal) -> Answer<bool> {
        match step {
            PlanStep::Match(pattern, value) => {
                let value = self.value(*value, m);
                match value.and_then(|value| self.matches(pattern, value, m)) {
                    Ok(true) => self.go_on(onward, m, goal),
                    Ok(false) => Ok(true),
                    Err(halt) => self.instead(halt, onward, m, goal),
                }
            }
            PlanStep::Each(pattern, place) => match self.value(*place, m) {
                Ok(set) => self.each(pattern, *place, set, &Onward { otherwise: None, ..*onward }, m, goal),
                Err(halt) => self.instead(halt, onward, m, goal),
            },
            PlanStep::Range { slot, low, high } => match self.bounds(low, high, m) {
                Ok((from, to)) => {
                    for each in from..=to {
                        m.tick_for_name(*slot)?;
                        m.env[*slot as usize] = self.values.number(each);
                        if !self.go_on(onward, m, goal)? {
                            return Ok(false);
                        }
                    }
                    Ok(true)
                }
                Err(halt) => self.instead(halt, onward, m, goal),
            },
            PlanStep::Subsets(subsets) => self.subsets(subsets, onward, m, goal),
            PlanStep::Functions(functions) => self.functions(functions, onward, m, goal),
            PlanStep::Sequences { slot, of, injective, low, high } => {
                let bounds = self.bounds(low, high, m);
                let (low, high, set) =
                    match bounds.and_then(|(low, high)| Ok((low, high, self.value(*of, m)?))) {
                        Ok(found) => found,
                        Err(halt) => return self.instead(halt, onward, m, goal),
                    };
                let mut items = Vec::new();
                for length in low.max(0)..=high {
                    let job = Words { slot: *slot, place: *of, set, length, injective: *injective };
                    if !self.words(&job, &mut items, onward, m, goal)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            PlanStep::Sifted(sifted) => self.sifted(sifted, onward, m, goal),
            PlanStep::Test(_)
            | PlanStep::Branch(_)
            | PlanStep::Guarded(_)
            | PlanStep::Defined(_)
            | PlanStep::Cut(_)
            | PlanStep::MayBeUndefined => {
                unreachable!("these steps give no values")
            }
        }
    }

    pub fn each(
        &self,
        pattern: &Pattern,
        place: Id,
        set: Value,
        onward: &Onward,
        m: &mut Memory,
        goal: &mut Goal,
    ) -> Answer<bool> {
        for &element in self.values.elements(set) {
            m.tick(place)?;
            if let Pattern::Bind(slot) = pattern {
                m.env[*slot as usize] = element;
            } else {
                match self.matches(pattern, element, m) {
                    Ok(true) => {}
                    Ok(false) => continue,
                    Err(halt) => {
                        self.instead(halt, onward, m, goal)?;
                        continue;
                    }
                }
            }
            if !self.go_on(onward, m, goal)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Binds first; the known part may depend on what was just bound.
    pub fn matches(&self, pattern: &Pattern, value: Value, m: &mut Memory) -> Answer<bool> {
        Ok(self.bind(pattern, value, m) && self.agrees(pattern, value, m)?)
    }

    /// False where the value has another form; then not all names are bound.
    pub fn bind(&self, pattern: &Pattern, value: Value, m: &mut Memory) -> bool {
        match pattern {
            Pattern::Bind(slot) => {
                m.env[*slot as usize] = value;
                true
            }
            Pattern::Known(_) => true,
            Pattern::Pair(both) => {
                let (left, right) = self.values.parts(value);
                self.bind(&both.0, left, m) && self.bind(&both.1, right, m)
            }
            Pattern::Constructed(both) => {
                let (constructor, argument) = self.values.parts(value);
                constructor == both.0 && self.bind(&both.1, argument, m)
            }
            Pattern::Record(fields) => {
                let mut parts = fields.iter().zip(self.values.fields(value));
                parts.all(|(field, &value)| self.bind(field, value, m))
            }
            Pattern::Shifted(shifted) => {
                let element = elements::shifted(shifted.sort, value, -i128::from(shifted.by));
                self.bind(&shifted.pattern, element, m)
            }
            Pattern::Sequence(parts) => {
                let mut items = m.scratch.take();
                let fits = sequences::items(self.values, value, &mut items)
                    && items.len() == parts.len()
                    && parts.iter().zip(&items).all(|(part, &item)| self.bind(part, item, m));
                m.scratch.give(items);
                fits
            }
        }
    }

    /// Of a value that has the form of the pattern: is what is known in it as it should be?
    pub fn agrees(&self, pattern: &Pattern, value: Value, m: &mut Memory) -> Answer<bool> {
        match pattern {
            Pattern::Bind(_) => Ok(true),
            Pattern::Known(id) => Ok(self.value(*id, m)? == value),
            Pattern::Pair(both) => {
                let (left, right) = self.values.parts(value);
                Ok(self.agrees(&both.0, left, m)? && self.agrees(&both.1, right, m)?)
            }
            Pattern::Constructed(both) => self.agrees(&both.1, self.values.parts(value).1, m),
            Pattern::Record(fields) => {
                for (field, &value) in fields.iter().zip(self.values.fields(value)) {
                    if !self.agrees(field, value, m)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Pattern::Shifted(shifted) => {
                let element = elements::shifted(shifted.sort, value, -i128::from(shifted.by));
                self.agrees(&shifted.pattern, element, m)
            }
            Pattern::Sequence(parts) => {
                let mut items = m.scratch.take();
                sequences::items(self.values, value, &mut items);
                let mut agrees = Ok(true);
                for (part, &item) in parts.iter().zip(&items) {
                    agrees = self.agrees(part, item, m);
                    if !matches!(agrees, Ok(true)) {
                        break;
                    }
                }
                m.scratch.give(items);
                agrees
            }
        }
    }

    pub fn bounds(&self, low: &[Id], high: &[Id], m: &mut Memory) -> Answer<(i64, i64)> {
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

    fn words(
        &self,
        job: &Words,
        items: &mut Vec<Value>,
        onward: &Onward,
        m: &mut Memory,
        goal: &mut Goal,
    ) -> Answer<bool> {
        if items.len() as i64 == job.length {
            m.env[job.slot as usize] = sequences::sequence(self.values, &mut m.scratch, items);
            return self.go_on(onward, m, goal);
        }
        for &item in self.values.elements(job.set) {
            m.tick(job.place)?;
            if job.injective && items.contains(&item) {
                continue;
            }
            items.push(item);
            let goes_on = self.words(job, items, onward, m, goal);
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
