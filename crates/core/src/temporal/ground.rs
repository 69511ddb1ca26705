//! What searches stand on: a structure, with the quotient that expands it and fires its edges again.

use super::atoms::Steps;
use super::edge_lists::Edges;
use super::structure::Structure;
use super::watch::Watch;
use crate::canon::Canonicaliser;
use crate::model::PackedModel;
use crate::quotient::{Quotient, Unfinished};

/// Expanded states between two looks at how much memory they take.
const REPORT_INTERVAL: u64 = 1 << 8;

pub trait Ground {
    fn structure(&self) -> &Structure;

    /// Makes the atoms of a state known.
    fn expand(&mut self, state: u32) -> Result<(), Unfinished>;

    /// The edges of an expanded state.
    fn edges(&mut self, state: u32) -> Result<Edges<'_>, Unfinished>;

    /// To be called now and then, with the bytes that the search holds.
    fn poll(&mut self, searching: usize) -> Result<(), Unfinished>;

    /// Can so many bytes more be held?
    fn has_room(&self, bytes: usize) -> bool;

    /// Do only fair runs count?
    fn is_fair(&self) -> bool;

    /// The individuals that act on an edge, by the number of their set.
    fn acting(&self, set: u32) -> &[u32];

    /// Those that an edge shows to be able to act.
    fn able(&self, set: u32) -> &[u32];

    /// What an individual is called after an edge with this witness.
    fn image(&mut self, witness: u32, individual: u32) -> u32;

    /// Has an individual to act if it can infinitely often? Otherwise, if it always can from some time on.
    fn is_strong(&self, individual: u32) -> bool;
}

/// The ground of one model.
pub struct QuotientGround<'s, 'q, 'a, M: PackedModel, C: Canonicaliser> {
    pub structure: &'s mut Structure,
    pub quotient: &'s mut Quotient<'q, M, C>,
    pub steps: &'s mut Steps<'a>,
    pub watch: Watch<'s>,
}

impl<M: PackedModel, C: Canonicaliser> QuotientGround<'_, '_, '_, M, C> {
    /// Expands states that are not expanded.
    pub fn expand_together(&mut self, states: &[u32]) -> Result<(), Unfinished> {
        let before = self.structure.expanded / REPORT_INTERVAL;
        self.structure.expand(self.quotient, self.steps, states)?;
        if self.structure.expanded / REPORT_INTERVAL != before {
            self.watch.on_structure(self.structure);
            self.save_memory();
        }
        self.watch.on_states(self.structure)
    }

    fn save_memory(&mut self) {
        if self.structure.keeps_edges() && !self.watch.has_room(0, self.quotient.model) {
            self.structure.forget_edges();
            self.watch.on_structure(self.structure);
        }
        self.watch.check_memory(self.quotient.model);
    }
}

impl<M: PackedModel, C: Canonicaliser> Ground for QuotientGround<'_, '_, '_, M, C> {
    #[inline]
    fn structure(&self) -> &Structure {
        self.structure
    }

    #[inline]
    fn expand(&mut self, state: u32) -> Result<(), Unfinished> {
        if self.structure.is_expanded(state) { Ok(()) } else { self.expand_together(&[state]) }
    }

    #[inline]
    fn edges(&mut self, state: u32) -> Result<Edges<'_>, Unfinished> {
        if !self.structure.keeps_edges() {
            self.structure.fire_again(self.quotient, self.steps, state)?;
        }
        // They were fired just now.
        self.structure.edges(state).ok_or(Unfinished::Full)
    }

    fn poll(&mut self, searching: usize) -> Result<(), Unfinished> {
        self.watch.on_search(searching);
        self.save_memory();
        self.watch.check()
    }

    fn has_room(&self, bytes: usize) -> bool {
        self.watch.has_room(bytes, self.quotient.model)
    }

    fn is_fair(&self) -> bool {
        self.steps.fairness.is_some()
    }

    fn acting(&self, set: u32) -> &[u32] {
        self.steps.fairness.as_ref().map_or(&[], |fairness| &fairness.set(set).acting)
    }

    fn able(&self, set: u32) -> &[u32] {
        self.steps.fairness.as_ref().map_or(&[], |fairness| &fairness.set(set).able)
    }

    fn image(&mut self, witness: u32, individual: u32) -> u32 {
        self.steps.fairness.as_mut().map_or(individual, |fairness| fairness.image(witness, individual))
    }

    fn is_strong(&self, individual: u32) -> bool {
        self.steps.fairness.as_ref().is_some_and(|fairness| fairness.is_strong(individual))
    }
}
