//! Methods of test derivation, each a plan of covers and ends.
//!
//! The suites of `burnside.testing.reference.methods`, word by word.

use std::sync::Arc;

use super::cover::{Access, Part};
use super::h_method::h_method;
use super::mealy::{Mealy, Word};
use super::separating::{First, Partitions, characterising_set, harmonised_identifiers, identifiers};
use super::suite::Plan;
use super::{Stopped, Watch};
use crate::random::Random;

/// What is needed of a machine and a part of it for any method.
pub struct Specification {
    pub mealy: Arc<Mealy>,
    pub part: Part,
    pub access: Access,
    pub partitions: Partitions,
    /// One state, the first, of each class that meets the part; ascending.
    pub states: Vec<u32>,
    /// A characterising set of these.
    pub words: Vec<Word>,
}

impl Specification {
    pub fn new(mealy: Arc<Mealy>, part: Part, first: First, watch: &mut Watch<'_>) -> Result<Self, Stopped> {
        let access = Access::new(&mealy, &part);
        let partitions = Partitions::new(&mealy, watch)?;
        let mut found = access.states.clone();
        found.sort_unstable();
        let mut is_known = vec![false; mealy.states()];
        let class = |state: u32| partitions.classes()[state as usize] as usize;
        let states: Vec<u32> = found
            .into_iter()
            .filter(|&state| !std::mem::replace(&mut is_known[class(state)], true))
            .collect();
        let words = characterising_set(&mealy, &partitions, &states, first, watch)?;
        Ok(Specification { mealy, part, access, partitions, states, words })
    }

    /// Chow 1978; on a kernel, Romijn and Springintveld 1999, Theorem 5.8, with `extra` = m1 - n + m2.
    pub fn w(&self, extra: u32) -> Plan {
        let mut plan = Plan::new(self.mealy.clone(), extra);
        self.access.transition_cover(&self.part, |word, _| plan.add_cover(word, 0));
        let all: Vec<u32> = (0..self.mealy.states() as u32).collect();
        plan.add_ends(0, &all, &self.words);
        plan
    }

    /// Fujiwara et al. 1991. Of a minimal machine, as the next two.
    pub fn wp(&self, extra: u32, watch: &mut Watch<'_>) -> Result<Plan, Stopped> {
        let mut plan = Plan::new(self.mealy.clone(), extra);
        self.access
            .transition_cover(&self.part, |word, is_access| plan.add_cover(word, u32::from(!is_access)));
        plan.add_ends(0, &self.states, &self.words);
        let identifiers = identifiers(&self.mealy, &self.states, &self.words, watch)?;
        for (&state, words) in self.states.iter().zip(&identifiers) {
            plan.add_ends(1, &[state], words);
        }
        Ok(plan)
    }

    /// Luo, Petrenko and von Bochmann 1994.
    pub fn hsi(&self, extra: u32, watch: &mut Watch<'_>) -> Result<Plan, Stopped> {
        let mut plan = Plan::new(self.mealy.clone(), extra);
        self.access.transition_cover(&self.part, |word, _| plan.add_cover(word, 0));
        let identifiers = harmonised_identifiers(&self.mealy, &self.states, &self.words, watch)?;
        for (&state, words) in self.states.iter().zip(&identifiers) {
            plan.add_ends(0, &[state], words);
        }
        Ok(plan)
    }

    pub fn h(&self, extra: u32, watch: &mut Watch<'_>) -> Result<Plan, Stopped> {
        let tree = h_method(&self.mealy, &self.partitions, extra, watch)?;
        Ok(Plan::of_tree(self.mealy.clone(), tree))
    }

    /// Inputs drawn evenly. Promises nothing; for comparison.
    pub fn random(
        &self,
        walks: usize,
        length: usize,
        seed: u64,
        watch: &mut Watch<'_>,
    ) -> Result<Plan, Stopped> {
        let mut random = Random::new(seed);
        let mut plan = Plan::new(self.mealy.clone(), 0);
        for _ in 0..walks {
            let mut word = Vec::with_capacity(length);
            for _ in 0..length {
                watch.step()?;
                word.push(random.below(self.mealy.inputs()) as u32);
            }
            plan.add_cover(&word, 0);
        }
        Ok(plan)
    }

    /// Words that were made otherwise.
    pub fn of_words(&self, words: &[Word]) -> Plan {
        let mut plan = Plan::new(self.mealy.clone(), 0);
        for word in words {
            plan.add_cover(word, 0);
        }
        plan
    }
}
