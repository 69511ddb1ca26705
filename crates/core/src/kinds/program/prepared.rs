//! A program prepared for a group on the elements of its sorts, and a method.

use std::sync::Arc;

use super::CompiledProgram;
use crate::canon::Method;
use crate::canon::data::DataCanonicaliser;
use crate::group::Group;
use crate::kinds::{Error, Kind, check_method, on_points};
use crate::model::Model;

/// A group on the elements of all sorts. Its generators were certified by whoever made it.
#[derive(Clone)]
pub struct ElementGroup {
    pub group: Arc<Group>,
    /// Pairs of points that the group maps to such pairs (successors in cyclic sorts).
    pub kept: Vec<(u32, u32)>,
    /// Is it all permutations that keep its orbits and `kept`?
    pub whole: bool,
    /// Actions that some element maps to other actions.
    pub exchanged: Vec<u32>,
}

pub struct PreparedProgram {
    group: Arc<Group>,
    model: CompiledProgram,
    canonicaliser: DataCanonicaliser,
}

impl PreparedProgram {
    pub fn new(
        program: &CompiledProgram,
        symmetry: &ElementGroup,
        method: Method,
        stats: bool,
    ) -> Result<PreparedProgram, Error> {
        let group = &symmetry.group;
        if program.shape().points != group.degree() {
            return Err(Error::Call("the group belongs to another program".into()));
        }
        check_method(method, group, symmetry.whole)?;
        Ok(PreparedProgram {
            group: group.clone(),
            model: program.under(group.chain().points(), &symmetry.exchanged),
            canonicaliser: DataCanonicaliser::new(method, program.shape(), group, &symmetry.kept, stats),
        })
    }
}

impl Kind for PreparedProgram {
    type Model = CompiledProgram;
    type Canonicaliser = DataCanonicaliser;

    fn model(&self) -> &CompiledProgram {
        &self.model
    }

    fn canonicaliser(&self) -> &DataCanonicaliser {
        &self.canonicaliser
    }

    fn properties(&self) -> usize {
        self.model.properties()
    }

    fn values(&self, state: &[u64]) -> Result<Vec<u64>, Error> {
        let slots = self.model.schema().slots();
        let fits = state.len() == slots.len() && state.iter().zip(slots).all(|(&v, slot)| v <= slot.mask());
        if fits { Ok(state.to_vec()) } else { Err(Error::Call("not a state of this program".into())) }
    }

    fn element(&self, images: &[u32]) -> Vec<u32> {
        on_points(&self.group, images)
    }

    fn firings(&self, model: &CompiledProgram, by_label: &[u64]) -> Vec<u64> {
        model.by_action(by_label)
    }

    fn restarted(&self, model: &CompiledProgram) -> CompiledProgram {
        model.uninterrupted()
    }
}
