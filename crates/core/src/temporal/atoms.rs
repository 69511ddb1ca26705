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
    /// By values of the constants: their number.
    numbers: HashMap<Box<[u64]>, usize>,
    /// The constants of the step before, and their number.
    last: (Box<[u64]>, usize),
    /// By number of the constants and label.
    known: Vec<Vec<Option<u64>>>,
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
        let (numbers, known) = (HashMap::new(), Vec::new());
        Steps { classify, constants, numbers, last: (Box::default(), usize::MAX), known, fairness }
    }

    #[inline]
    pub fn class(&mut self, label: Label, values: &[u64]) -> u64 {
        if self.classify.is_none() {
            return 0;
        }
        let constants = &values[..self.constants];
        if self.last.1 == usize::MAX || *self.last.0 != *constants {
            let next = self.numbers.len();
            self.last = (constants.into(), *self.numbers.entry(constants.into()).or_insert(next));
            self.known.resize_with(self.numbers.len(), Vec::new);
        }
        let known = &mut self.known[self.last.1];
        match known.get(label as usize) {
            Some(&Some(class)) => class,
            _ => self.ask(label, values),
        }
    }

    #[cold]
    fn ask(&mut self, label: Label, values: &[u64]) -> u64 {
        let class = self.classify.as_mut().map_or(0, |classify| classify(label, values));
        let known = &mut self.known[self.last.1];
        if known.len() <= label as usize {
            known.resize(label as usize + 1, None);
        }
        known[label as usize] = Some(class);
        class
    }
}
