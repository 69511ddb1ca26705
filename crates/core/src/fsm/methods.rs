//! Methods of test derivation, each a plan of covers and ends.
//!
//! The suites of `burnside.testing.reference.methods`, word by word.

use std::sync::Arc;

use super::cover::{Access, Part};
use super::mealy::{Mealy, Word};
use super::separating::{First, Partitions, characterising_set};
use super::suite::Plan;
use super::{Stopped, Watch};

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
    pub fn new(
        mealy: Arc<Mealy>,
        part: Part,
        first: First,
        watch: &mut Watch<'_>,
    ) -> Result<Self, Stopped> {
        let access = Access::new(&mealy, &part);
        let partitions = Partitions::new(&mealy, watch)?;
        let mut found = access.states.clone();
        found.sort_unstable();
        let mut is_known = vec![false; mealy.states()];
        let class = |state: u32| partitions.classes()[state as usize] as usize;
        let states: Vec<u32> =
            found.into_iter().filter(|&state| !std::mem::replace(&mut is_known[class(state)], true)).collect();
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

    /// Words that were made otherwise.
    pub fn of_words(&self, words: &[Word]) -> Plan {
        let mut plan = Plan::new(self.mealy.clone(), 0);
        for word in words {
            plan.add_cover(word, 0);
        }
        plan
    }
}
