//! The reduced (or full) reachability graph as data, for pictures: small spaces only.

use std::collections::HashMap;

use num_bigint::BigUint;

use crate::canon::{Cancel, Canonicaliser};
use crate::model::{Label, Model, Step};

#[derive(Default)]
pub struct Graph {
    pub states: Vec<Vec<u64>>,
    pub orbit_sizes: Vec<BigUint>,
    /// How each initial state was made, and which one it is: several may be one by symmetry.
    pub starts: Vec<(Label, usize)>,
    /// By start: does it lead to a state that is only equivalent to the one kept?
    pub redirected_starts: Vec<bool>,
    /// (from, label, to), every enabled label.
    pub edges: Vec<(usize, Label, usize)>,
    /// By edge: does it lead to a state that is only equivalent to `to`?
    pub redirected: Vec<bool>,
    /// (from, label): steps that violate a property by themselves.
    pub failures: Vec<(usize, Label)>,
    /// (state, property): what a state violates, or satisfies where that is a goal.
    pub judged: Vec<(usize, usize)>,
    /// Explored states from which nothing leads on.
    pub deadlocks: Vec<usize>,
    /// How many states, the first ones, have all their successors here: all, unless there were more than allowed.
    pub explored: usize,
    full: bool,
}

impl Graph {
    /// How many states, the first ones, are initial.
    pub fn initial(&self) -> usize {
        self.starts.iter().map(|&(_, state)| state + 1).max().unwrap_or(0)
    }

    /// Are all states here?
    pub fn is_complete(&self) -> bool {
        !self.full
    }
}

/// Breadth first; canonical forms are those of the partition-guided search, so the canonicaliser's method only decides
/// whether to reduce at all (its chain is trivial where not). None where a value leaves 64 bits.
pub fn reachability_graph<M: Model, C: Canonicaliser>(
    model: &M,
    canonicaliser: &C,
    max_states: usize,
) -> Option<Graph> {
    let mut drawing = Drawing {
        model,
        canonicaliser,
        scratch: canonicaliser.scratch(&Cancel::default()),
        workspace: model.workspace(),
        numbers: HashMap::new(),
        graph: Graph::default(),
        max_states,
    };
    for start in model.starts(&mut drawing.workspace) {
        if start.step == Step::Taken
            && let Some((to, redirected)) = drawing.enter(start.values)
        {
            drawing.graph.redirected_starts.push(redirected);
            drawing.graph.starts.push((start.label, to));
        }
    }
    while !drawing.graph.full && drawing.graph.explored < drawing.graph.states.len() {
        drawing.explore(drawing.graph.explored)?;
    }
    Some(drawing.graph)
}

struct Drawing<'a, M: Model, C: Canonicaliser> {
    model: &'a M,
    canonicaliser: &'a C,
    scratch: C::Scratch,
    workspace: M::Workspace,
    numbers: HashMap<Vec<u64>, usize>,
    graph: Graph,
    max_states: usize,
}

impl<M: Model, C: Canonicaliser> Drawing<'_, M, C> {
    /// The number of the state that stands for this one, and whether it is another; None where there is no room for it.
    fn enter(&mut self, values: Vec<u64>) -> Option<(usize, bool)> {
        let mut form = values.clone();
        self.canonicaliser.canonical_form(&mut form, &mut self.scratch);
        let redirected = form != values;
        if let Some(&known) = self.numbers.get(&form) {
            return Some((known, redirected));
        }
        let number = self.graph.states.len();
        if number >= self.max_states {
            self.graph.full = true;
            return None;
        }
        let order = self.canonicaliser.stabiliser(&form, &mut self.scratch).order();
        self.graph.orbit_sizes.push(self.canonicaliser.group_order() / order);
        let judged = &mut self.graph.judged;
        self.model.judge(&form, &mut self.workspace, &mut |property| judged.push((number, property)));
        self.graph.states.push(form.clone());
        self.numbers.insert(form, number);
        Some((number, redirected))
    }

    /// Follows every label; the state counts as explored where there was room for all successors. When a state lives is
    /// decided as searches do.
    fn explore(&mut self, at: usize) -> Option<()> {
        let state = self.graph.states[at].clone();
        let (mut labels, failures) = (Vec::new(), &mut self.graph.failures);
        let before = failures.len();
        self.model
            .enabled(&state, &mut self.workspace, &mut labels, &mut |label, _| failures.push((at, label)));
        let mut lives = failures.len() > before && self.model.failing_leads_on();
        for label in labels {
            let mut values = state.clone();
            match self.model.fire(&mut values, label, &mut self.workspace).ok()? {
                Step::Taken => {}
                Step::Impossible => continue,
                Step::Discarded => {
                    lives = true;
                    continue;
                }
                Step::Failed(_) => {
                    self.graph.failures.push((at, label));
                    lives |= self.model.failing_leads_on();
                    continue;
                }
            }
            lives |= !self.model.stuttering_is_dead() || values != state;
            let Some((to, redirected)) = self.enter(values) else { continue };
            self.graph.edges.push((at, label, to));
            self.graph.redirected.push(redirected);
        }
        if !self.graph.full {
            self.graph.explored += 1;
            self.graph.deadlocks.extend((!lives).then_some(at));
        }
        Some(())
    }
}
