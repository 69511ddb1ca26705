//! Strongly connected components of the quotient (Tarjan 1972, without recursion).
//!
//! Two orbits are in one component of the quotient exactly if some of their states are in one component of the model: from
//! s ->* g t and t ->* h s follows s ->* (gh)^k s = s for the order k of gh. So the components of the quotient are the orbits of
//! the components of the model.

use crate::canon::{Cancel, Canonicaliser};
use crate::model::PackedModel;
use crate::quotient::{Detail, Quotient, Unfinished};
use crate::visited::marks::Marks;
use crate::visited::{Inserted, Link, Sharded, StateId};

#[derive(Clone, Debug, Default)]
pub struct Components {
    /// By component: its states. A component comes after all that can be reached from it.
    pub members: Vec<Vec<StateId>>,
    /// By component: is there an edge inside it? Only then a run can stay there.
    pub has_edges: Vec<bool>,
    /// Were there more states than allowed? Then nothing is said of those that were not explored.
    pub is_cut: bool,
}

#[derive(Clone, Copy, Default)]
struct Mark {
    /// Order of discovery, from 1; 0: not discovered.
    index: u32,
    /// The smallest index that is known to be reachable through the stack.
    low: u32,
    on_stack: bool,
}

struct Frame {
    state: StateId,
    /// Targets not yet followed: those behind this position of `targets`.
    first: usize,
    has_loop: bool,
}

/// Finds the components of all that is reachable, at most so many states. An error is a value that no slot holds, or a model
/// that gave up.
pub fn components<M: PackedModel + Clone, C: Canonicaliser>(
    model: &M,
    canonicaliser: &C,
    max_states: usize,
) -> Result<Components, Unfinished> {
    super::with_wide_slots(model, |model| {
        let visited = Sharded::new(model.schema(), canonicaliser.compares(), 1);
        let quotient = Quotient::new(model, canonicaliser, true, &Cancel::default());
        let marks = Marks::default();
        let found = Components::default();
        Search { quotient, visited, marks, found, discovered: 0, stack: Vec::new(), max_states }.run()
    })
}

struct Search<'a, M: PackedModel, C: Canonicaliser> {
    quotient: Quotient<'a, M, C>,
    visited: Sharded,
    marks: Marks<Mark>,
    found: Components,
    discovered: u32,
    /// Discovered states whose component is not complete.
    stack: Vec<StateId>,
    max_states: usize,
}

impl<M: PackedModel, C: Canonicaliser> Search<'_, M, C> {
    fn run(mut self) -> Result<Components, Unfinished> {
        for start in self.quotient.model.starts(&mut self.quotient.workspace) {
            if !self.quotient.start(&start)? {
                continue;
            }
            match self.quotient.insert(&self.visited, Link::Initial)? {
                Inserted::Fresh(id) => self.search_from(id)?,
                Inserted::Known(_) => {}
                Inserted::Full => return Err(Unfinished::Full),
            }
        }
        Ok(self.found)
    }

    fn search_from(&mut self, root: StateId) -> Result<(), Unfinished> {
        let mut targets = Vec::new();
        let mut frames = vec![self.discover(root, &mut targets)?];
        while let Some(frame) = frames.last_mut() {
            if targets.len() > frame.first
                && let Some(target) = targets.pop()
            {
                let mark = self.marks.get(target);
                if mark.index == 0 {
                    let frame = self.discover(target, &mut targets)?;
                    frames.push(frame);
                } else if mark.on_stack {
                    frame.has_loop |= target == frame.state;
                    self.lower(frame.state, mark.index);
                }
                continue;
            }
            let Frame { state, has_loop, .. } = *frame;
            frames.pop();
            let mark = self.marks.get(state);
            if mark.low == mark.index {
                self.close(state, has_loop);
            }
            if let Some(parent) = frames.last() {
                self.lower(parent.state, mark.low);
            }
        }
        Ok(())
    }

    fn lower(&mut self, state: StateId, low: u32) {
        let mark = self.marks.get(state);
        self.marks.set(state, Mark { low: mark.low.min(low), ..mark });
    }

    /// Numbers a state and lists its targets.
    fn discover(&mut self, state: StateId, targets: &mut Vec<StateId>) -> Result<Frame, Unfinished> {
        self.discovered += 1;
        let index = self.discovered;
        self.marks.set(state, Mark { index, low: index, on_stack: true });
        self.stack.push(state);
        let first = targets.len();
        if self.discovered as usize > self.max_states {
            self.found.is_cut = true;
        } else {
            self.quotient.edges(&self.visited, state, Detail::Targets, |edge| targets.push(edge.target))?;
        }
        Ok(Frame { state, first, has_loop: false })
    }

    /// All states above this one on the stack are one component with it.
    fn close(&mut self, root: StateId, has_loop: bool) {
        let from = self.stack.iter().rposition(|&state| state == root).unwrap_or(0);
        let members = self.stack.split_off(from);
        for &state in &members {
            self.marks.set(state, Mark { on_stack: false, ..self.marks.get(state) });
        }
        self.found.has_edges.push(has_loop || members.len() > 1);
        self.found.members.push(members);
    }
}
