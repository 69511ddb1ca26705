//! The automaton of a formula, as product searches use it.
//!
//! In: a reduced graph. Out: states 0.., of which 0 is the initial one; for each its edges, one after the other in memory; and what
//! its components are like, by which a search can stop earlier. A run is accepted if every mark is on infinitely many of
//! its edges.

use std::ops::Range;

use super::cube::{Cube, covers};
use super::graph::{Components, Edge, Graph, all_marks};
use super::work::Work;

/// Steps that it may take to see that the edges of a state are for all letters; beyond, they are taken not to be.
const MAX_WORK: u64 = 100_000;

/// What a run that stays in a component is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ComponentKind {
    /// No run stays there.
    Transient,
    /// No run that stays there is accepted.
    Rejecting,
    /// Some runs that stay there are accepted, some are not.
    Mixed,
    /// Every run that stays there is accepted.
    Accepting,
    /// Everything is accepted from there on, whatever is read: nothing has to be searched any more.
    Terminal,
}

#[derive(Clone, Debug)]
pub struct Automaton {
    edges: Vec<Edge>,
    /// By state, the first of its edges; one more at the end.
    first: Vec<u32>,
    mark_count: u32,
    components: Vec<u32>,
    kinds: Vec<ComponentKind>,
}

impl Automaton {
    pub const INITIAL: u32 = 0;

    /// The graph's initial state must be 0, and its marks normalised.
    pub(super) fn new(graph: &Graph) -> Self {
        let Components { of: components, count } = graph.components();
        let mut first = vec![0];
        let mut edges = Vec::with_capacity(graph.edge_count());
        for each in &graph.states {
            edges.extend_from_slice(each);
            first.push(edges.len() as u32);
        }
        let mut automaton = Automaton {
            edges,
            first,
            mark_count: graph.mark_count,
            components,
            kinds: vec![ComponentKind::Transient; count],
        };
        automaton.kinds = automaton.component_kinds();
        automaton
    }

    pub fn state_count(&self) -> usize {
        self.components.len()
    }

    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// Labels speak of atoms below this number.
    pub fn atom_count(&self) -> usize {
        let used = self.edges.iter().fold(0, |used, edge| used | edge.label.atoms());
        (u128::BITS - used.leading_zeros()) as usize
    }

    pub fn mark_count(&self) -> u32 {
        self.mark_count
    }

    pub fn all_marks(&self) -> u64 {
        all_marks(self.mark_count)
    }

    #[inline]
    pub fn edges(&self, state: u32) -> &[Edge] {
        let Range { start, end } = self.first[state as usize]..self.first[state as usize + 1];
        &self.edges[start as usize..end as usize]
    }

    /// The edges of a state for the set of atoms that are true.
    #[inline]
    pub fn matching(&self, state: u32, valuation: u128) -> impl Iterator<Item = &Edge> {
        self.edges(state).iter().filter(move |edge| edge.label.matches(valuation))
    }

    /// Components are numbered so that none leads to one with a larger number.
    pub fn component(&self, state: u32) -> u32 {
        self.components[state as usize]
    }

    pub fn kind(&self, state: u32) -> ComponentKind {
        self.kinds[self.component(state) as usize]
    }

    pub fn component_count(&self) -> usize {
        self.kinds.len()
    }

    /// Is every component accepting or rejecting as a whole? Then a cycle is accepting if one of its edges is.
    pub fn is_weak(&self) -> bool {
        !self.kinds.contains(&ComponentKind::Mixed)
    }

    /// Is every infinite run accepted? Then the language is a safety property: a word that is not in it has a prefix that no run
    /// reads (by König's lemma, as states have finitely many edges).
    pub fn is_safety(&self) -> bool {
        self.is_weak() && !self.kinds.contains(&ComponentKind::Rejecting)
    }

    /// Is a word accepted only by reaching a state that accepts everything? Then the language is a guarantee property, and
    /// searching for an accepted run is searching for a state.
    pub fn is_terminal(&self) -> bool {
        !self.kinds.iter().any(|kind| matches!(kind, ComponentKind::Mixed | ComponentKind::Accepting))
    }

    /// Is there at most one edge for each state and valuation?
    pub fn is_deterministic(&self) -> bool {
        self.every_state(|edges| {
            edges
                .iter()
                .enumerate()
                .all(|(at, edge)| edges[at + 1..].iter().all(|other| edge.label.and(other.label).is_none()))
        })
    }

    /// Is there at least one edge for each state and valuation?
    pub fn is_complete(&self) -> bool {
        self.every_state(|edges| accepts_any_letter(edges.iter()))
    }

    fn every_state(&self, holds: impl Fn(&[Edge]) -> bool) -> bool {
        (0..self.state_count() as u32).all(|state| holds(self.edges(state)))
    }

    fn component_kinds(&self) -> Vec<ComponentKind> {
        let mut kinds = vec![ComponentKind::Transient; self.kinds.len()];
        let mut can_stay = vec![true; self.kinds.len()];
        for state in 0..self.state_count() as u32 {
            let own = self.component(state);
            let inside = |edge: &&Edge| self.component(edge.target) == own;
            for edge in self.edges(state).iter().filter(inside) {
                // Normalised: all marks on every edge of an accepting component, none on those of a rejecting one.
                let kind = match edge.marks {
                    marks if marks == self.all_marks() => ComponentKind::Accepting,
                    0 => ComponentKind::Rejecting,
                    _ => ComponentKind::Mixed,
                };
                let known = &mut kinds[own as usize];
                *known = if *known == ComponentKind::Transient || *known == kind {
                    kind
                } else {
                    ComponentKind::Mixed
                };
            }
            can_stay[own as usize] &= accepts_any_letter(self.edges(state).iter().filter(inside));
        }
        let terminal = |(kind, stays)| match kind {
            ComponentKind::Accepting if stays => ComponentKind::Terminal,
            kind => kind,
        };
        kinds.into_iter().zip(can_stay).map(terminal).collect()
    }
}

fn accepts_any_letter<'a>(edges: impl Iterator<Item = &'a Edge>) -> bool {
    let labels: Vec<Cube> = edges.map(|edge| edge.label).collect();
    covers(&labels, Cube::ALL, &mut Work::new(MAX_WORK))
}
