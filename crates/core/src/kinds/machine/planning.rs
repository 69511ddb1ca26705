//! Planning: from a condition and the names it leaves open to the cheapest steps that find their values.
//!
//! A condition is a list of conjuncts. Each conjunct is tested as soon as its names are known; where nothing can be tested,
//! the conjunct that bounds some unknown name most narrowly becomes a generator. What bounds nothing by itself may still help:
//! an existential quantifier is opened (its names become unknown too), a disjunction becomes branches. A domain that is
//! still unbounded is cut, where the language allows it, and the run reports it (`PlanStep::Cut`).

pub(super) mod cases;
pub(super) mod conjuncts;
pub(super) mod generators;
pub(super) mod intervals;
pub(super) mod opening;
pub(super) mod partitions;
pub(super) mod required;
pub(super) mod sums;
pub(super) mod undefined;

use super::compile::Compiler;
use super::nodes::{Id, Node, Slot, Slots};
use super::plan::{Plan, PlanStep};

/// One way to go on.
pub struct Choice {
    pub cost: f64,
    pub step: PlanStep,
    pub binds: Slots,
    /// Conjuncts that hold then anyway.
    pub settled: Vec<Id>,
}

/// How undefined conjuncts are taken.
#[derive(Clone, Default)]
pub struct Mode {
    /// As false ones: of guards.
    pub is_lenient: bool,
    /// Something has turned out to be undefined: only what is left of the names is of interest, and not at any price.
    pub is_careful: bool,
    /// Conjuncts that values are not to be taken from.
    pub banned: Vec<Id>,
    /// Into so many cases it may still be split.
    pub cases: usize,
}

/// More candidates than this are too many to be tried without looking for another way.
const MANY: f64 = 64.0;
/// More than this are not tried in order to find out what an undefined conjunct leaves.
const CAREFUL: f64 = 1e4;
/// So many plans for the case that a conjunct is undefined belong to one condition.
const ALTERNATIVES: usize = 32;

impl Compiler<'_> {
    pub fn plan(&mut self, names: &[Slot], conjuncts: Vec<Id>, is_lenient: bool) -> Result<u32, Slot> {
        let mut unknown = Slots::default();
        names.iter().for_each(|&name| unknown.insert(name));
        let mut repeats = false;
        let mode = Mode { is_lenient, cases: cases::MAX_CASES, ..Mode::default() };
        let before = std::mem::replace(&mut self.alternatives, ALTERNATIVES);
        let steps = self.steps(unknown, conjuncts, &mode, &mut repeats);
        self.alternatives = before;
        Ok(self.add_plan(Plan { steps: steps?, repeats }))
    }

    pub fn free(&self, id: Id) -> &Slots {
        &self.code.arena.info(id).free
    }

    pub fn steps(
        &mut self,
        mut unknown: Slots,
        mut rest: Vec<Id>,
        mode: &Mode,
        repeats: &mut bool,
    ) -> Result<Vec<PlanStep>, Slot> {
        let mut steps = Vec::new();
        let mut candidates = 1.0;
        loop {
            let (later, mut ready): (Vec<Id>, Vec<Id>) =
                rest.iter().partition(|&&id| self.free(id).intersects(&unknown));
            ready.sort_by_key(|&id| (!self.code.arena.info(id).is_total, self.weight(id)));
            for id in ready {
                steps.push(PlanStep::Test(self.kept(id)));
            }
            rest = later;
            if unknown.is_empty() {
                return Ok(steps);
            }
            let best = self.best(&unknown, &rest, mode);
            let cost = best.as_ref().map_or(f64::INFINITY, |best| best.choice.cost);
            candidates *= cost.max(1.0);
            if mode.is_careful && candidates > CAREFUL {
                steps.push(PlanStep::MayBeUndefined);
                return Ok(steps);
            }
            if cost > MANY
                && !mode.is_careful
                && let Some((id, branches)) = self.branching(&unknown, &rest, mode, cost)
            {
                rest.retain(|&each| each != id);
                *repeats = true;
                let mut alternatives = Vec::new();
                for branch in branches {
                    let mut conjuncts = branch;
                    conjuncts.extend(&rest);
                    alternatives.push(self.steps(unknown.clone(), conjuncts, mode, repeats)?);
                }
                steps.push(PlanStep::Branch(alternatives));
                return Ok(steps);
            }
            let is_last = best.as_ref().is_none_or(|best| !cost.is_finite() || best.choice.step.may_cut());
            if is_last && !mode.is_careful && self.bound_further(&mut unknown, &rest, mode, &mut steps) {
                continue;
            }
            match best {
                Some(best) if cost.is_finite() => {
                    if mode.is_lenient && best.choice.step.may_cut() {
                        self.ask_before_cutting(&unknown, &rest, mode, &mut steps);
                    }
                    let taken = (best.choice.step, best.partial, best.asks);
                    let step = self.guarded(taken, &unknown, &rest, mode);
                    best.choice.binds.iter().for_each(|slot| unknown.remove(slot));
                    rest.retain(|id| !best.choice.settled.contains(id));
                    steps.push(step);
                }
                _ => {
                    if self.open(&mut unknown, &mut rest, mode.is_lenient) {
                        *repeats = true;
                        continue;
                    }
                    if let Some((id, branches)) = self.cases(&unknown, &rest, mode) {
                        rest.retain(|&each| each != id);
                        *repeats = true;
                        let mode = Mode { cases: mode.cases / branches.len(), ..mode.clone() };
                        let mut alternatives = Vec::new();
                        for branch in branches {
                            let mut conjuncts = rest.clone();
                            conjuncts.extend(branch);
                            alternatives.push(self.steps(unknown.clone(), conjuncts, &mode, repeats)?);
                        }
                        steps.push(PlanStep::Branch(alternatives));
                        return Ok(steps);
                    }
                    let Some((step, slot)) = self.cut(&unknown, &rest, mode) else {
                        return Err(unknown.iter().next().expect("something is unknown"));
                    };
                    self.ask_before_cutting(&unknown, &rest, mode, &mut steps);
                    unknown.remove(slot);
                    steps.extend([PlanStep::Cut(slot), step]);
                }
            }
        }
    }

    /// Where a conjunct is undefined or bounds contradict each other, whatever the unknown names are, there is no solution:
    /// nothing is cut then.
    fn ask_before_cutting(&mut self, unknown: &Slots, rest: &[Id], mode: &Mode, steps: &mut Vec<PlanStep>) {
        let partial = self.known_partial_terms(unknown, rest);
        if !partial.is_empty() {
            steps.push(PlanStep::Defined(partial));
        }
        steps.extend(self.room_for_all(unknown, rest, mode).into_iter().map(PlanStep::Test));
    }

    /// Where no conjunct bounds a name by itself: what several say together, and what the functions in them are defined for.
    fn bound_further(
        &mut self,
        unknown: &mut Slots,
        rest: &[Id],
        mode: &Mode,
        steps: &mut Vec<PlanStep>,
    ) -> bool {
        let bounds = self.linear_bounds(unknown, rest, mode);
        let found = self.bounded_together(&bounds, unknown, rest).or_else(|| {
            let choice = self.bounded_by_application(unknown, rest, mode)?;
            Some((choice.step, choice.binds))
        });
        let Some((step, binds)) = found else { return false };
        binds.iter().for_each(|slot| unknown.remove(slot));
        steps.push(step);
        true
    }

    /// Roughly how long it takes to evaluate.
    pub fn weight(&self, id: Id) -> u64 {
        let arena = &self.code.arena;
        match arena.bare(id) {
            Node::Constant(_) | Node::Slot(_) | Node::Nullary(_) | Node::Kept(..) => 1,
            Node::Unary(_, a) | Node::Field(a, _) => 1 + self.weight(a),
            Node::Binary(_, a, b) | Node::Let(_, a, b) => 1 + self.weight(a) + self.weight(b),
            Node::Many(_, start, length) => {
                1 + arena.list(start, length).iter().map(|&id| self.weight(id)).sum::<u64>()
            }
            Node::Conditional(a, b, c) => 1 + self.weight(a) + self.weight(b).max(self.weight(c)),
            Node::Forall { binder, .. } | Node::Exists { binder } | Node::Comprehension { binder } => {
                20 + 8 * self.weight(arena.binders[binder as usize].condition)
            }
            Node::Fold { binder, .. } => 20 + 8 * self.weight(arena.binders[binder as usize].condition),
        }
    }
}
