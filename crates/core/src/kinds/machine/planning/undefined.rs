//! Conjuncts that may be undefined: which values may be taken from them, and what is done where they are.
//!
//! A conjunction is false where one part is, whatever is undefined beside it, and else undefined. So where a conjunct from
//! which the values of a name would be taken is undefined, the name is bounded by the others; and no value may be left out
//! for which the conjunct would be undefined instead of false.

use crate::kinds::machine::compile::Compiler;
use crate::kinds::machine::nodes::{Id, Node, Op, Slots};
use crate::kinds::machine::plan::{Guarded, PlanStep};
use crate::kinds::machine::planning::{Choice, Mode};

/// The cost of leaving out values for which a conjunct is undefined: where nothing else bounds a name.
const LAST_RESORT: f64 = 1e6;
/// What may be undefined is asked after this.
const DEARER: f64 = 1e3;

/// A choice, and what of it may be undefined.
pub struct Best {
    pub choice: Choice,
    /// The conjuncts it relies on that may be undefined.
    pub partial: Vec<Id>,
    /// What has to be defined for it, besides what the step itself evaluates.
    pub asks: Vec<Id>,
}

impl Compiler<'_> {
    /// The cheapest way to go on.
    pub fn best(&mut self, unknown: &Slots, rest: &[Id], mode: &Mode) -> Option<Best> {
        let rest: Vec<Id> = rest.iter().copied().filter(|id| !mode.banned.contains(id)).collect();
        let mut choices = Vec::new();
        let mut origins = Vec::new();
        for &id in &rest {
            self.generators(id, unknown, &rest, &mut choices);
            if !mode.is_lenient && !self.code.arena.info(id).is_total {
                for hint in self.hints(id) {
                    self.generators(hint, unknown, &rest, &mut choices);
                }
            }
            origins.resize(choices.len(), Some(id));
        }
        for slot in unknown.iter() {
            self.range(slot, unknown, &rest, &mut choices);
            self.whole_type(slot, unknown, &rest, &mut choices);
        }
        origins.resize(choices.len(), None);
        let weigh = |(choice, origin)| self.weighed(choice, origin, unknown, &rest, mode);
        let weighed: Vec<Best> = choices.into_iter().zip(origins).map(weigh).collect();
        let first = |a: &Best, b: &Best| a.choice.cost.total_cmp(&b.choice.cost);
        if mode.is_careful {
            return weighed.into_iter().min_by(first);
        }
        // Functions of which images may have to be cut come last: other names may show that there is no solution.
        let (late, soon): (Vec<Best>, Vec<Best>) =
            weighed.into_iter().partition(|best| best.choice.step.may_cut());
        let best = soon.into_iter().filter(|best| best.choice.cost.is_finite()).min_by(first);
        best.or_else(|| late.into_iter().min_by(first))
    }

    fn weighed(
        &self,
        mut choice: Choice,
        origin: Option<Id>,
        unknown: &Slots,
        rest: &[Id],
        mode: &Mode,
    ) -> Best {
        let (mut partial, mut asks) = (Vec::new(), Vec::new());
        if mode.is_lenient {
            return Best { choice, partial, asks };
        }
        choice.settled.retain(|id| rest.contains(id));
        partial.extend(choice.settled.iter().copied().chain(origin));
        partial.retain(|&id| !self.code.arena.info(id).is_total);
        partial.sort_unstable();
        partial.dedup();
        if partial.is_empty() {
            return Best { choice, partial, asks };
        }
        let (mut wanted, mut covered) = (Vec::new(), Vec::new());
        partial.iter().for_each(|&id| self.may_be_undefined(id, &mut wanted));
        self.evaluated(&choice.step, &mut covered);
        let covered: Vec<Id> = covered.into_iter().map(|id| self.inner(id)).collect();
        if wanted.iter().any(|&id| self.free(id).intersects(unknown)) {
            choice.cost = choice.cost.max(LAST_RESORT);
        } else {
            asks.extend(wanted.into_iter().filter(|&id| !covered.contains(&self.inner(id))));
        }
        if mode.is_careful {
            choice.cost += DEARER;
        }
        Best { choice, partial, asks }
    }

    /// The conjuncts that a conjunct would be taken apart into if nothing were undefined.
    fn hints(&mut self, id: Id) -> Vec<Id> {
        if let Some(known) = self.hints.get(&id) {
            return known.clone();
        }
        let mut hints = Vec::new();
        self.flatten(id, true, &mut hints);
        hints.retain(|&hint| hint != id);
        self.hints.insert(id, hints.clone());
        hints
    }

    fn inner(&self, id: Id) -> Id {
        match self.code.arena.node(id) {
            Node::Kept(inner, _) => inner,
            _ => id,
        }
    }

    /// The parts of an expression that may be undefined, such that it is defined where they are.
    fn may_be_undefined(&self, id: Id, out: &mut Vec<Id>) {
        if self.code.arena.info(id).is_total {
            return;
        }
        match self.code.arena.bare(id) {
            Node::Field(inner, _) => self.may_be_undefined(inner, out),
            Node::Unary(op, _) | Node::Binary(op, ..) | Node::Many(op, ..)
                if !op.is_partial() && !matches!(op, Op::And | Op::Or | Op::Implies) =>
            {
                let (_, arguments) = self.code.arena.application(id).expect("an operator");
                arguments.iter().for_each(|&each| self.may_be_undefined(each, out));
            }
            _ => out.push(id),
        }
    }

    /// The parts of conjuncts that are known already and may be undefined, such that the whole is undefined where they are.
    pub fn known_partial_terms(&self, unknown: &Slots, rest: &[Id]) -> Vec<Id> {
        let mut found = Vec::new();
        rest.iter().for_each(|&id| self.add_known_partial_terms(id, unknown, &mut found));
        found.sort_unstable();
        found.dedup();
        found
    }

    fn add_known_partial_terms(&self, id: Id, unknown: &Slots, out: &mut Vec<Id>) {
        let arena = &self.code.arena;
        if arena.info(id).is_total {
            return;
        }
        if let Node::Field(inner, _) = arena.bare(id) {
            return self.add_known_partial_terms(inner, unknown, out);
        }
        match arena.application(id) {
            None | Some((Op::And | Op::Or | Op::Implies, _)) => {}
            Some((op, _)) if op.is_partial() && !self.free(id).intersects(unknown) => out.push(id),
            Some((_, parts)) => {
                parts.iter().for_each(|&part| self.add_known_partial_terms(part, unknown, out))
            }
        }
    }

    /// What is certainly evaluated by a step before it gives any value.
    fn evaluated(&self, step: &PlanStep, out: &mut Vec<Id>) {
        match step {
            PlanStep::Match(_, set) | PlanStep::Each(_, set) => self.may_be_undefined(*set, out),
            PlanStep::Range { low, high, .. } => {
                low.iter().chain(high).for_each(|&id| self.may_be_undefined(id, out))
            }
            PlanStep::Subsets(job) => {
                let ids = [&job.of].into_iter().chain(&job.members).chain(&job.parts).chain(&job.strangers);
                ids.for_each(|&id| self.may_be_undefined(id, out));
            }
            PlanStep::Functions(job) => {
                [Some(job.from), job.to].into_iter().flatten().for_each(|id| self.may_be_undefined(id, out));
            }
            PlanStep::Sequences { of, low, high, .. } => {
                low.iter().chain(high).chain([of]).for_each(|&id| self.may_be_undefined(id, out));
            }
            PlanStep::Test(_)
            | PlanStep::Branch(_)
            | PlanStep::Guarded(_)
            | PlanStep::Sifted(_)
            | PlanStep::Defined(_)
            | PlanStep::Cut(_)
            | PlanStep::MayBeUndefined => {}
        }
    }

    /// The step, and what is done instead where one of the partial conjuncts is undefined.
    pub fn guarded(
        &mut self,
        (step, partial, asks): (PlanStep, Vec<Id>, Vec<Id>),
        unknown: &Slots,
        rest: &[Id],
        mode: &Mode,
    ) -> PlanStep {
        if partial.is_empty() {
            return step;
        }
        let mut otherwise = vec![PlanStep::MayBeUndefined];
        if self.alternatives > 0 {
            self.alternatives -= 1;
            let mut careful = Mode { is_careful: true, ..mode.clone() };
            careful.banned.extend(partial);
            let steps = self.steps(unknown.clone(), rest.to_vec(), &careful, &mut false);
            otherwise = steps.unwrap_or(otherwise);
        }
        PlanStep::Guarded(Box::new(Guarded { asks, step, otherwise }))
    }
}
