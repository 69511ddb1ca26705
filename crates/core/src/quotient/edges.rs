//! All edges of a stored state at once, with the numbers of their targets and, on request, permutation witnesses.

use super::{Quotient, SEVERAL, Successor, Unfinished};
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
    /// The values of the state that it leaves.
    pub source: &'q [u64],
    /// The first, where it is a sequence through transient states.
    pub label: Label,
    /// Such a sequence; empty where there is one label only.
    pub sequence: &'q [Label],
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

impl Edge<'_> {
    /// Its labels, one or several.
    pub fn labels(&self) -> &[Label] {
        if self.sequence.is_empty() { std::slice::from_ref(&self.label) } else { self.sequence }
    }
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
        self.open_measured();
        self.open(visited, id)?;
        // A representative is its own canonical form. (Where orbits may have several, it need not be.)
        let looks_first = self.reduces && self.canonicaliser.is_exact() && !self.canonicaliser.compares();
        let (mut fired, mut stored) = std::mem::take(&mut self.edge_buffers);
        fired.resize(self.successor.len(), 0);
        stored.resize(self.successor.len(), 0);
        while let Some(successor) = self.next_successor()? {
            if detail != Detail::Targets {
                fired.copy_from_slice(&self.successor);
            }
            let known = if looks_first { visited.find(&self.successor) } else { None };
            let (target, is_fresh) = match known {
                Some(target) => (target, false),
                None => self.store(visited, successor, id)?,
            };
            if detail != Detail::Targets {
                visited.read(target, &mut stored);
            }
            let mut witness = std::mem::take(&mut self.witness);
            let has_witness =
                detail == Detail::Witnesses && self.find_witness(&fired, &stored, &mut witness)?;
            let edge = Edge {
                source: &self.values,
                label: successor.label,
                sequence: if successor.made_by == SEVERAL { self.sequence() } else { &[] },
                times: if self.reduces { successor.times } else { self.model.multiplicity(successor.label) },
                target,
                is_fresh,
                is_redirected: fired != stored,
                witness: has_witness.then_some(witness.as_slice()),
            };
            each(edge);
            self.witness = witness;
        }
        self.edge_buffers = (fired, stored);
        self.check_cancelled()?;
        self.close_measured();
        Ok(())
    }

    /// Stores the representative of the successor at hand; its number, and whether it is new.
    fn store<V: Visited>(
        &mut self,
        visited: &V,
        successor: Successor,
        from: StateId,
    ) -> Result<(StateId, bool), Unfinished> {
        self.canonicalise(successor)?;
        let inserted = self.insert(visited, Link::From(from))?;
        self.check_cancelled()?;
        match inserted {
            Inserted::Fresh(target) => Ok((target, true)),
            Inserted::Known(target) => Ok((target, false)),
            Inserted::Full => Err(Unfinished::Full),
        }
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
        self.begin_symmetry();
        let found = self.canonicaliser.witness(&from, &to, &mut self.scratch, witness);
        self.end_symmetry();
        self.check_cancelled()?;
        Ok(found)
    }
}
