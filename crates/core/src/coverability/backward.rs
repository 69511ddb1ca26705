//! Backward coverability (Abdulla, Cerans, Jonsson, Tsay 1996): the minimal markings from which a goal can be covered.
//!
//! In: a system, a goal. Out: whether the initial marking covers one of the minimal markings of the set of all predecessors,
//! with a run. From u, the least marking from which t leads to something that covers u is max(pre(t), u - effect(t)). The set
//! is upward closed and its minimal markings are finitely many (Dickson), so the search ends.
//!
//! Symmetries keep the goal, so they keep the set of predecessors: of minimal markings that are equivalent one is enough, and
//! one that covers g(v) of a kept v adds nothing. The initial marking is fixed, so it covers g(v) if and only if it covers v.
//! Whatever P-semiflows exclude is dropped: if y u > y M0, no reachable marking covers u, and every marking on a run is reachable.

use std::collections::VecDeque;

use super::antichain::{Antichain, Keys, Looking, Probe, Store};
use super::clock::{Clock, Limits};
use super::covering::Covering;
use super::goal::Goal;
use super::semiflows::{Semiflow, semiflows, weighted};
use super::shelf::Side;
use super::system::System;
use crate::search::{Progress, Stopped};

/// Minimal markings of a goal that a backward search can begin with.
pub const MAX_BASIS: usize = 10_000;

pub struct Backward {
    pub stopped: Stopped,
    /// The run to a marking that satisfies the goal, in transitions of the net. None where there is none, or where the search
    /// ended early.
    pub run: Option<Vec<u32>>,
    /// Minimal markings that are kept, one of each orbit.
    pub kept: u64,
    pub steps: u64,
    pub seconds: f64,
}

/// None where the goal has too many minimal markings.
pub fn backward(
    system: &System,
    goal: &Goal,
    limits: Limits,
    watch: &mut dyn FnMut(&Progress) -> bool,
) -> Option<Backward> {
    let basis = goal.basis(system.width(), MAX_BASIS)?;
    let mut clock = Clock::new(limits, watch);
    let semiflows = semiflows(system, &mut clock);
    let mut search = Search {
        system,
        invariants: semiflows.iter().filter_map(|y| Some((y, weighted(y, &system.initial)?))).collect(),
        keys: Keys::none(),
        store: Store::new(system),
        antichain: Antichain::default(),
        covering: Covering::new(system),
        steps: Vec::new(),
        is_kept: Vec::new(),
        waiting: VecDeque::new(),
        removed: Vec::new(),
        fired: 0,
    };
    let run = search.run(basis.into_iter().collect(), &mut clock);
    let stopped =
        clock.stopped().unwrap_or(if run.is_some() { Stopped::Violation } else { Stopped::Exhausted });
    Some(Backward {
        stopped,
        run,
        kept: search.antichain.len() as u64,
        steps: search.fired,
        seconds: clock.seconds(),
    })
}

struct Search<'s> {
    system: &'s System,
    /// Semiflows with the weighted number of the initial marking.
    invariants: Vec<(&'s Semiflow, i128)>,
    keys: Keys,
    store: Store<u64>,
    antichain: Antichain,
    covering: Covering,
    /// By marking: the transition that leads towards the goal, and to what.
    steps: Vec<Option<(u32, u32)>>,
    is_kept: Vec<bool>,
    waiting: VecDeque<u32>,
    removed: Vec<u32>,
    fired: u64,
}

impl Search<'_> {
    fn run(&mut self, basis: Vec<Vec<u64>>, clock: &mut Clock) -> Option<Vec<u32>> {
        let mut probe = Probe::default();
        for marking in basis {
            probe.marking = marking;
            if let Some(run) = self.arrive(&mut probe, None, clock) {
                return Some(run);
            }
        }
        while let Some(id) = self.waiting.pop_front() {
            for t in 0..self.system.transitions.len() {
                if clock.poll() {
                    return None;
                }
                if !self.is_kept[id as usize] {
                    break;
                }
                if !self.precede(id, t, &mut probe, clock) {
                    continue;
                }
                self.fired += 1;
                clock.progress.transitions = self.fired;
                if let Some(run) = self.arrive(&mut probe, Some((t as u32, id)), clock) {
                    return Some(run);
                }
            }
        }
        None
    }

    /// The least marking from which the transition leads to something that covers the marking; false where that covers it
    /// already.
    fn precede(&self, id: u32, t: usize, probe: &mut Probe<u64>, clock: &mut Clock) -> bool {
        let marking = self.store.marking(id);
        let transition = &self.system.transitions[t];
        let helps = |&(slot, n): &(u32, i128)| n > 0 && marking[slot as usize] > 0;
        if !transition.effect.iter().any(helps) {
            return false;
        }
        probe.marking.clear();
        probe.marking.extend_from_slice(marking);
        for &(slot, n) in &transition.effect {
            let wanted = (i128::from(marking[slot as usize]) - n).max(0);
            match u64::try_from(wanted) {
                Ok(wanted) => probe.marking[slot as usize] = wanted,
                Err(_) => {
                    clock.stop(Stopped::Overflow);
                    return false;
                }
            }
        }
        for &(slot, n) in &transition.consumes {
            let tokens = &mut probe.marking[slot as usize];
            *tokens = (*tokens).max(n);
        }
        true
    }

    /// The run, where the initial marking covers this one.
    fn arrive(
        &mut self,
        probe: &mut Probe<u64>,
        step: Option<(u32, u32)>,
        clock: &mut Clock,
    ) -> Option<Vec<u32>> {
        let is_excluded =
            |(y, total): &(&Semiflow, i128)| weighted(y, &probe.marking).is_none_or(|n| n > *total);
        if self.invariants.iter().any(is_excluded) {
            return None;
        }
        if probe.marking.iter().zip(&self.system.initial).all(|(n, first)| n <= first) {
            return Some(self.run_from(step));
        }
        probe.prepare(self.system, &self.keys);
        let mut looking = Looking {
            system: self.system,
            store: &self.store,
            keys: &self.keys,
            covering: &mut self.covering,
            clock,
        };
        if self.antichain.has(&mut looking, probe, Side::Below) {
            return None;
        }
        self.removed.clear();
        self.antichain.remove(&mut looking, probe, Side::Above, &mut self.removed);
        self.removed.iter().for_each(|&id| self.is_kept[id as usize] = false);
        let id = self.steps.len() as u32;
        self.store.push(probe);
        self.antichain.insert(id, probe, &self.keys, &self.store);
        self.steps.push(step);
        self.is_kept.push(true);
        self.waiting.push_back(id);
        clock.progress.states = self.antichain.len() as u64;
        clock.progress.frontier = self.waiting.len() as u64;
        clock.progress.memory_bytes =
            (self.store.bytes() + self.antichain.bytes() + self.steps.capacity() * 16) as u64;
        clock.check_size();
        None
    }

    fn run_from(&self, first: Option<(u32, u32)>) -> Vec<u32> {
        let mut run = Vec::new();
        let mut next = first;
        while let Some((t, id)) = next {
            run.push(self.system.transitions[t as usize].original);
            next = self.steps[id as usize];
        }
        run
    }
}
