//! The answer of a run that is over: counts, violations with the stored states that lead to them.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::Ordering;
use std::time::Instant;

use num_bigint::BigUint;

use super::price::Change;
use super::reach::Layout;
use super::shared::{Found, Shared};
use super::tally::Tally;
use super::{Exploration, SelfCheck, Settings, Stopped, Violation, self_check};
use crate::canon::{Canonicaliser, Method};
use crate::model::{Model, Start, Step};
use crate::visited::{Link, StateId, Visited};

pub(super) struct Summary<'a, M: Model, C> {
    pub layout: Layout<M>,
    pub tally: Tally<M::Observations>,
    pub canonicaliser: &'a C,
    pub settings: &'a Settings,
    pub shared: Shared,
    pub starts: Vec<Start>,
    pub change: Option<Change>,
}

impl<M: Model, C: Canonicaliser> Summary<'_, M, C> {
    pub fn into_exploration(self, begun: Instant) -> Exploration<M> {
        let stopped = self.shared.stopped().unwrap_or(Stopped::Exhausted);
        let queue = self.shared.queue();
        let mut violations: Vec<Violation> = Vec::new();
        for property in 0..self.settings.properties {
            if let Some(found) = queue.violations.iter().find(|found| found.property == property) {
                let path = found.state.map_or_else(Vec::new, |state| self.path(state));
                violations.push(Violation { property, path, failing: found.failing });
            }
        }
        let violating = violating(&queue.violations);
        let states = self.shared.states.load(Ordering::SeqCst);
        let depth = queue.frontier.depth();
        drop(queue);
        let full_states = match (self.canonicaliser.method(), &self.change) {
            (Method::None, _) => Some(BigUint::from(states)),
            // A state may stand for its orbit or for itself, unless the run began again.
            (_, Some(change)) => change.restarted.then(|| BigUint::from(states)),
            _ if !self.canonicaliser.is_exact() => None,
            _ => Some(self.tally.full_states(&self.canonicaliser.group_order())),
        };
        Exploration {
            stopped,
            states: self.settings.max_states.map_or(states, |most| states.min(most)),
            initial_states: self.starts.iter().filter(|start| start.step == Step::Taken).count() as u64,
            full_states,
            depth,
            violations,
            violating,
            seconds: begun.elapsed().as_secs_f64(),
            visited_bytes: self.layout.visited.bytes() as u64,
            packed_bits: self.layout.model.schema().bits(),
            self_check_generators: (
                self_check::generators(self.settings.self_check, self.canonicaliser),
                self_check::generators(SelfCheck::Full, self.canonicaliser),
            ),
            self_checked: self.shared.self_check.states(),
            contradiction: self.shared.self_check.into_contradiction(),
            tally: self.tally,
            change: self.change,
            model: self.layout.model,
        }
    }

    /// The stored states from an initial one to this one.
    fn path(&self, mut state: StateId) -> Vec<Vec<u64>> {
        let schema = self.layout.model.schema();
        let mut packed = vec![0; schema.words()];
        let mut path = Vec::new();
        loop {
            let link = self.layout.visited.read(state, &mut packed);
            let mut values = vec![0; schema.slots().len()];
            schema.unpack(&packed, &mut values);
            path.push(values);
            match link {
                Link::From(parent) => state = parent,
                Link::Initial | Link::Shadow(_) => {
                    path.reverse();
                    return path;
                }
            }
        }
    }
}

/// How many states violate each property; of starts that fail there is none.
fn violating(found: &[Found]) -> Vec<(usize, u64)> {
    // A state that was begun twice, since a slot was too narrow, is noted twice.
    let states: HashSet<_> = found.iter().filter_map(|each| Some((each.property, each.state?))).collect();
    let mut counts: BTreeMap<usize, u64> = BTreeMap::new();
    for (property, _) in states {
        *counts.entry(property).or_default() += 1;
    }
    counts.into_iter().collect()
}
