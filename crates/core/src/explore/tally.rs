//! What workers count, each for itself; added up at the end.

use std::collections::{BTreeSet, HashMap};

use num_bigint::BigUint;

use crate::canon::Hardness;
use crate::model::Label;

#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// States whose successors are known.
    pub expanded: u64,
    pub transitions: u64,
    pub deadlocks: u64,
    /// By slot: the largest value.
    pub bounds: Vec<u64>,
    /// The largest sum over all slots, each slot counted as often as the caller said.
    pub largest_total: u128,
    /// By label: in how many explored states it was enabled.
    pub firings: Vec<u64>,
    /// Properties that were to be satisfied somewhere, and were.
    pub covered: BTreeSet<usize>,
    pub trivial: u64,
    pub easy: u64,
    pub hard: u64,
    pub search_nodes: u64,
    pub most_search_nodes: u64,
    pub canonicalised: u64,
    free_orbits: u64,
    orbits_by_stabiliser: HashMap<BigUint, u64>,
}

impl Tally {
    pub fn new(slots: usize) -> Tally {
        Tally { bounds: vec![0; slots], ..Tally::default() }
    }

    pub fn add(&mut self, other: &Tally) {
        self.expanded += other.expanded;
        self.transitions += other.transitions;
        self.deadlocks += other.deadlocks;
        for (bound, &seen) in self.bounds.iter_mut().zip(&other.bounds) {
            *bound = seen.max(*bound);
        }
        self.largest_total = self.largest_total.max(other.largest_total);
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
        self.free_orbits += other.free_orbits;
        for (order, count) in &other.orbits_by_stabiliser {
            *self.orbits_by_stabiliser.entry(order.clone()).or_default() += count;
        }
    }

    pub fn fire(&mut self, label: Label) {
        let label = label as usize;
        if self.firings.len() <= label {
            self.firings.resize(label + 1, 0);
        }
        self.firings[label] += 1;
    }

    pub fn classify(&mut self, hardness: Hardness, times: u64) {
        match hardness {
            Hardness::Trivial => self.trivial += times,
            Hardness::Easy => self.easy += times,
            Hardness::Hard => self.hard += times,
        }
    }

    /// One more explored state, with a stabiliser of this order; None: a trivial one.
    pub fn orbit(&mut self, stabiliser: Option<BigUint>) {
        match stabiliser {
            None => self.free_orbits += 1,
            Some(order) => *self.orbits_by_stabiliser.entry(order).or_default() += 1,
        }
    }

    /// Sum of |G| / |Stab(s)| over the explored states (orbit-stabiliser).
    pub fn full_states(&self, group_order: &BigUint) -> BigUint {
        let stabilised = self.orbits_by_stabiliser.iter().map(|(order, &count)| group_order / order * count);
        group_order * self.free_orbits + stabilised.sum::<BigUint>()
    }
}
