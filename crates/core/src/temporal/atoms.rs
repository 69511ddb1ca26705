//! What formulas read off states and steps.

use std::collections::HashMap;

use super::fairness::{Fairness, Individuals};
use crate::model::Label;

/// A condition on a state of the quotient. The group keeps it: it holds in all states of an orbit or in none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StateAtom {
    /// `judge` reports the property of this number: a goal is reported where it holds.
    Satisfied(usize),
    /// Some step of this class leads to a state: a bit of what `Steps` says.
    Enabled(u64),
    /// No step leads to a state: runs end here.
    Ends,
    /// No step leads to another state.
    Sink,
    /// Runs begin here.
    Initial,
}

/// What formulas can see of a step from a state: a set of up to 64 classes.
pub type Classify<'a> = Box<dyn FnMut(Label, &[u64]) -> u64 + Send + 'a>;

/// The classes of steps, asked of the caller once for each label, or for each label and values of constants.
pub struct Steps<'a> {
    classify: Option<Classify<'a>>,
    /// The class of a label depends on the first so many slots of the state, which never change.
    constants: usize,
    known: Vec<Option<u64>>,
    by_constants: HashMap<(Label, Box<[u64]>), u64>,
    /// Where only fair runs count.
    pub fairness: Option<Fairness<'a>>,
}

impl<'a> Steps<'a> {
    /// None where no formula speaks of steps.
    pub fn new(
        classify: Option<Classify<'a>>,
        individuals: Option<Box<dyn Individuals + 'a>>,
        constants: usize,
    ) -> Steps<'a> {
        let fairness = individuals.map(|individuals| Fairness::new(individuals, constants));
        Steps { classify, constants, known: Vec::new(), by_constants: HashMap::new(), fairness }
    }

    pub fn are_read(&self) -> bool {
        self.classify.is_some() || self.fairness.is_some()
    }

    #[inline]
    pub fn class(&mut self, label: Label, values: &[u64]) -> u64 {
        let Some(classify) = &mut self.classify else { return 0 };
        let at = label as usize;
        if self.constants > 0 {
            let key = (label, values[..self.constants].into());
            return *self.by_constants.entry(key).or_insert_with(|| classify(label, values));
        }
        if let Some(&Some(class)) = self.known.get(at) {
            return class;
        }
        if self.known.len() <= at {
            self.known.resize(at + 1, None);
        }
        *self.known[at].insert(classify(label, values))
    }
}
