//! The (reduced) reachability graph as data: every state, every label, every edge; for small spaces.

use num_bigint::BigUint;

use crate::canon::{Cancel, Canonicaliser};
use crate::model::{Label, PackedModel};
use crate::quotient::{Detail, Quotient, Unfinished};
use crate::visited::{Inserted, Link, Sharded, StateId, Visited};

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
    /// Edges that are sequences through transient states, by number: all their labels.
    pub sequences: Vec<(usize, Vec<Label>)>,
    /// By edge: does it lead to a state that is only equivalent to `to`?
    pub redirected: Vec<bool>,
    /// By edge, on request: an element that maps the state that the label leads to to `to`, by the images of the points that
    /// the group moves.
    pub witnesses: Vec<Vec<u32>>,
    /// (from, label): steps that violate a property by themselves.
    pub failures: Vec<(usize, Label)>,
    /// (state, property): what a state violates, or satisfies where that is a goal.
    pub judged: Vec<(usize, usize)>,
    /// Explored states from which nothing leads on.
    pub deadlocks: Vec<usize>,
    /// How many states, the first ones, have all their successors here: all, unless there were more than allowed.
    pub explored: usize,
    is_cut: bool,
}

impl Graph {
    /// How many states, the first ones, are initial.
    pub fn initial(&self) -> usize {
        self.starts.iter().map(|&(_, state)| state + 1).max().unwrap_or(0)
    }

    /// Are all states here?
    pub fn is_complete(&self) -> bool {
        !self.is_cut
    }
}

/// Explores breadth first up to so many states. All labels are fired, also those that symmetries exchange. An error is a value
/// that no slot holds, or a model that gave up.
pub fn export<M: PackedModel + Clone, C: Canonicaliser>(
    model: &M,
    canonicaliser: &C,
    max_states: usize,
    witnesses: bool,
) -> Result<Graph, Unfinished> {
    super::with_wide_slots(model, |model| {
        let visited = Sharded::new(model.schema(), canonicaliser.compares(), 1);
        let quotient = Quotient::new(model, canonicaliser, false, &Cancel::default());
        Export { quotient, visited, graph: Graph::default(), ids: Vec::new(), max_states, witnesses }.run()
    })
}

struct Export<'a, M: PackedModel, C: Canonicaliser> {
    quotient: Quotient<'a, M, C>,
    visited: Sharded,
    graph: Graph,
    /// By number in the graph: the number in the visited set. Flooding stores states that are not in the graph.
    ids: Vec<StateId>,
    max_states: usize,
    witnesses: bool,
}

impl<M: PackedModel, C: Canonicaliser> Export<'_, M, C> {
    fn run(mut self) -> Result<Graph, Unfinished> {
        for start in self.quotient.model.starts(&mut self.quotient.workspace) {
            if !self.quotient.start(&start)? {
                continue;
            }
            let target = match self.quotient.insert(&self.visited, Link::Initial)? {
                Inserted::Fresh(id) => self.add(id),
                Inserted::Known(id) => self.number(id),
                Inserted::Full => return Err(Unfinished::Full),
            };
            if let Some(state) = target {
                self.graph.redirected_starts.push(self.graph.states[state] != start.values);
                self.graph.starts.push((start.label, state));
            }
        }
        while !self.graph.is_cut && self.graph.explored < self.ids.len() {
            self.expand(self.graph.explored)?;
        }
        Ok(self.graph)
    }

    /// Follows every edge; the state counts as explored where there was room for all targets.
    fn expand(&mut self, from: usize) -> Result<(), Unfinished> {
        let mut edges = Vec::new();
        let detail = if self.witnesses { Detail::Witnesses } else { Detail::Redirections };
        self.quotient.edges(&self.visited, self.ids[from], detail, |edge| {
            edges.push((
                edge.label,
                edge.target,
                edge.is_fresh,
                edge.is_redirected,
                edge.witness.map(<[u32]>::to_vec),
                edge.sequence.to_vec(),
            ));
        })?;
        let is_dead = self.quotient.is_dead();
        let expansion = self.quotient.expansion();
        self.graph.failures.extend(expansion.failures.iter().map(|&(label, _)| (from, label)));
        for (label, target, is_fresh, is_redirected, witness, sequence) in edges {
            let Some(to) = (if is_fresh { self.add(target) } else { self.number(target) }) else { continue };
            self.graph.edges.push((from, label, to));
            self.graph.redirected.push(is_redirected);
            self.graph.witnesses.extend(witness);
            if !sequence.is_empty() {
                self.graph.sequences.push((self.graph.edges.len() - 1, sequence));
            }
        }
        if !self.graph.is_cut {
            self.graph.explored += 1;
            self.graph.deadlocks.extend(is_dead.then_some(from));
        }
        Ok(())
    }

    /// Where a stored state is in the graph; None where there was no room for it.
    fn number(&self, id: StateId) -> Option<usize> {
        self.ids.binary_search(&id).ok()
    }

    /// Adds a state that was stored just now; None where there is no room for it.
    fn add(&mut self, id: StateId) -> Option<usize> {
        let number = self.ids.len();
        if number >= self.max_states {
            self.graph.is_cut = true;
            return None;
        }
        let schema = self.quotient.model.schema();
        let (mut packed, mut values) = (vec![0; schema.words()], vec![0; schema.slots().len()]);
        self.visited.read(id, &mut packed);
        schema.unpack(&packed, &mut values);
        self.graph.orbit_sizes.push(self.quotient.orbit_size(&values));
        let judged = &mut self.graph.judged;
        let Quotient { model, workspace, .. } = &mut self.quotient;
        model.judge(&values, workspace, &mut |property| judged.push((number, property)));
        self.graph.states.push(values);
        self.ids.push(id);
        Some(number)
    }
}
