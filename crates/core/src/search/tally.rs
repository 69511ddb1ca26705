//! What workers count, each for itself; added up at the end.

use std::collections::{BTreeSet, HashMap};

use num_bigint::BigUint;

use crate::canon::Hardness;
use crate::model::{Label, Model, Observations};
use crate::quotient::Expansion;

#[derive(Clone, Debug, Default)]
pub struct Tally<O> {
    /// States whose successors are known.
    pub expanded: u64,
    pub transitions: u64,
    pub deadlocks: u64,
    /// By label: in how many explored states it was enabled, and in how many states on the way it was fired.
    pub firings: Vec<u64>,
    /// Properties that were to be satisfied somewhere, and were.
    pub covered: BTreeSet<usize>,
    pub trivial: u64,
    pub easy: u64,
    pub hard: u64,
    pub search_nodes: u64,
    pub most_search_nodes: u64,
    pub canonicalised: u64,
    /// What the kind of model records.
    pub observations: O,
    free_orbits: u64,
    orbits_by_stabiliser: HashMap<BigUint, u64>,
}

impl<O: Observations> Tally<O> {
    pub fn add(&mut self, other: &Tally<O>) {
        self.expanded += other.expanded;
        self.transitions += other.transitions;
        self.deadlocks += other.deadlocks;
        if self.firings.len() < other.firings.len() {
            self.firings.resize(other.firings.len(), 0);
        }
        for (count, &more) in self.firings.iter_mut().zip(&other.firings) {
            *count += more;
        }
        self.covered.extend(&other.covered);
        self.trivial += other.trivial;
        self.easy += other.easy;
        self.hard += other.hard;
        self.search_nodes += other.search_nodes;
        self.most_search_nodes = self.most_search_nodes.max(other.most_search_nodes);
        self.canonicalised += other.canonicalised;
        self.observations.merge(&other.observations);
        self.free_orbits += other.free_orbits;
        for (order, count) in &other.orbits_by_stabiliser {
            *self.orbits_by_stabiliser.entry(order.clone()).or_default() += count;
        }
    }

    /// Counts an expanded state; how many transitions are enabled in it.
    pub fn record<M: Model>(
        &mut self,
        model: &M,
        labels: &[Label],
        expansion: &Expansion,
        is_dead: bool,
    ) -> u64 {
        let enabled: u64 = labels.iter().map(|&label| model.multiplicity(label)).sum();
        let enabled = enabled.wrapping_add(expansion.more_transitions);
        self.expanded += 1;
        self.transitions += enabled;
        self.deadlocks += u64::from(is_dead);
        labels.iter().for_each(|&label| self.fire(label, 1));
        self.canonicalised += expansion.canonicalised;
        self.search_nodes += expansion.search_nodes;
        self.most_search_nodes = self.most_search_nodes.max(expansion.max_search_nodes);
        self.trivial += expansion.by_hardness[Hardness::Trivial as usize];
        self.easy += expansion.by_hardness[Hardness::Easy as usize];
        self.hard += expansion.by_hardness[Hardness::Hard as usize];
        match &expansion.stabiliser {
            None => self.free_orbits += 1,
            Some(order) => *self.orbits_by_stabiliser.entry(order.clone()).or_default() += 1,
        }
        enabled
    }

    /// Counts labels that were fired in states on the way.
    pub fn record_inside(&mut self, firings: &[u64]) {
        let fired = (0..).zip(firings).filter(|&(_, &times)| times > 0);
        fired.for_each(|(label, &times)| self.fire(label, times));
    }

    /// The same counts, without what the kind of model records.
    pub fn without_observations(self) -> Tally<()> {
        Tally {
            expanded: self.expanded,
            transitions: self.transitions,
            deadlocks: self.deadlocks,
            firings: self.firings,
            covered: self.covered,
            trivial: self.trivial,
            easy: self.easy,
            hard: self.hard,
            search_nodes: self.search_nodes,
            most_search_nodes: self.most_search_nodes,
            canonicalised: self.canonicalised,
            observations: (),
            free_orbits: self.free_orbits,
            orbits_by_stabiliser: self.orbits_by_stabiliser,
        }
    }

    fn fire(&mut self, label: Label, times: u64) {
        let label = label as usize;
        if self.firings.len() <= label {
            self.firings.resize(label + 1, 0);
        }
        self.firings[label] += times;
    }

    /// Sum of |G| / |Stab(s)| over the explored states (orbit-stabiliser).
    pub fn full_states(&self, group_order: &BigUint) -> BigUint {
        let stabilised = self.orbits_by_stabiliser.iter().map(|(order, &count)| group_order / order * count);
        group_order * self.free_orbits + stabilised.sum::<BigUint>()
    }
}
