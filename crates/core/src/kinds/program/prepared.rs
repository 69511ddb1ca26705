//! A program prepared for a group on the elements of its sorts, and a method.

use std::sync::Arc;

use super::CompiledProgram;
use crate::canon::Method;
use crate::canon::data::DataCanonicaliser;
use crate::group::Group;
use crate::kinds::{ElementGroup, Error, Kind, on_points};

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
        symmetry.check_method(method)?;
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
        self.model.check_state(state)?;
        Ok(state.to_vec())
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
