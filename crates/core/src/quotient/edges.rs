//! All edges of a stored state at once, with the numbers of their targets and, on request, permutation witnesses.

use super::{Quotient, Unfinished};
use crate::canon::Canonicaliser;
use crate::model::{Label, PackedModel};
use crate::visited::{Inserted, Link, StateId, Visited};

/// How much is found out of each edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    Targets,
    /// Also whether the target is the state itself that the label leads to: the target is read back.
    Redirections,
    /// Also the element that maps the one to the other.
    Witnesses,
}

/// An edge to a stored state.
#[derive(Clone, Copy, Debug)]
pub struct Edge<'q> {
    pub label: Label,
    pub times: u64,
    pub target: StateId,
    /// Was the target stored just now?
    pub is_fresh: bool,
    /// Is the target another state of the orbit than the one the label leads to? Not known with `Detail::Targets`.
    pub is_redirected: bool,
    /// On request, and unless the method is approximate: an element that maps the state that the label leads to to the
    /// target, by the images of the points that the group moves.
    pub witness: Option<&'q [u32]>,
}

impl<M: PackedModel, C: Canonicaliser> Quotient<'_, M, C> {
    /// Calls `each` with all edges of a stored state; new targets are stored.
    pub fn edges<V: Visited>(
        &mut self,
        visited: &V,
        id: StateId,
        detail: Detail,
        mut each: impl FnMut(Edge<'_>),
    ) -> Result<(), Unfinished> {
        self.open(visited, id)?;
        let (mut fired, mut stored) = (self.successor.clone(), self.successor.clone());
        while let Some(successor) = self.next_successor()? {
            if detail != Detail::Targets {
                fired.copy_from_slice(&self.successor);
            }
            self.canonicalise(successor)?;
            let inserted = self.insert(visited, Link::From(id))?;
            self.check_cancelled()?;
            let (target, is_fresh) = match inserted {
                Inserted::Fresh(target) => (target, true),
                Inserted::Known(target) => (target, false),
                Inserted::Full => return Err(Unfinished::Full),
            };
            if detail != Detail::Targets {
                visited.read(target, &mut stored);
            }
            let mut witness = std::mem::take(&mut self.witness);
            let has_witness =
                detail == Detail::Witnesses && self.find_witness(&fired, &stored, &mut witness)?;
            let edge = Edge {
                label: successor.label,
                times: if self.reduces { successor.times } else { self.model.multiplicity(successor.label) },
                target,
                is_fresh,
                is_redirected: fired != stored,
                witness: has_witness.then_some(witness.as_slice()),
            };
            each(edge);
            self.witness = witness;
        }
        self.check_cancelled()
    }

    /// Looks for an element that maps the one packed state to the other. Under an approximate method there may be none.
    fn find_witness(
        &mut self,
        fired: &[u64],
        stored: &[u64],
        witness: &mut Vec<u32>,
    ) -> Result<bool, Unfinished> {
        let (mut from, mut to) = (self.other.clone(), self.other.clone());
        self.model.schema().unpack(fired, &mut from);
        self.model.schema().unpack(stored, &mut to);
        let found = self.canonicaliser.witness(&from, &to, &mut self.scratch, witness);
        self.check_cancelled()?;
        Ok(found)
    }
}
