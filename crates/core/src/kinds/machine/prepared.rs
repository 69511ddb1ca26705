//! A machine prepared for a group on the elements of its sorts, and a method.

use std::sync::Arc;

use super::CompiledMachine;
use crate::canon::Method;
use crate::canon::values::{Encoding, PointGroup, ValuesCanonicaliser};
use crate::group::Group;
use crate::kinds::{ElementGroup, Error, Fact, Kind, on_points};
use crate::search::Exploration;
use crate::visited::StateForm;

pub struct PreparedMachine {
    group: Arc<Group>,
    model: CompiledMachine,
    canonicaliser: ValuesCanonicaliser,
}

impl PreparedMachine {
    pub fn new(
        machine: &CompiledMachine,
        symmetry: &ElementGroup,
        method: Method,
        encoding: Encoding,
        stats: bool,
    ) -> Result<PreparedMachine, Error> {
        let group = &symmetry.group;
        if machine.sorts().iter().sum::<u32>() as usize != group.degree() {
            return Err(Error::Call("the group belongs to another machine".into()));
        }
        symmetry.check_method(method)?;
        let acting = PointGroup { group, kept: &symmetry.kept, whole: symmetry.whole };
        let (values, packings) = (machine.shared_values(), machine.packings());
        Ok(PreparedMachine {
            group: group.clone(),
            model: machine.under(group.chain().points(), &symmetry.exchanged),
            canonicaliser: ValuesCanonicaliser::new(method, values, &packings, &acting, encoding, stats),
        })
    }

    /// Vertices and arcs of a state's layered graph (Spermann 2009, Tables C.1 and C.2).
    pub fn graph_size(&self, state: &[u64]) -> Result<(usize, usize), Error> {
        Ok(self.canonicaliser.graph_size(&self.values(state)?))
    }
}

impl Kind for PreparedMachine {
    type Model = CompiledMachine;
    type Canonicaliser = ValuesCanonicaliser;

    fn model(&self) -> &CompiledMachine {
        &self.model
    }

    fn canonicaliser(&self) -> &ValuesCanonicaliser {
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

    fn firings(&self, model: &CompiledMachine, by_label: &[u64]) -> Vec<u64> {
        let mut firings = vec![0; model.operations()];
        for (label, times) in (0..).zip(by_label).filter(|(_, times)| **times > 0) {
            let operation = model.event(label).map(|event| event.operation as usize);
            operation.and_then(|at| firings.get_mut(at)).into_iter().for_each(|all| *all += times);
        }
        firings
    }

    /// Slots hold the numbers of interned values.
    fn state_form(&self) -> StateForm<'_> {
        StateForm::Encoded(self)
    }

    fn encode(&self, values: &[u64], bytes: &mut Vec<u8>) {
        for (packing, &slot) in self.model.packings().iter().zip(values) {
            self.model.values().write(packing.unpack(slot), bytes);
        }
    }

    fn decode(&self, mut bytes: &[u8]) -> Option<Vec<u64>> {
        let values = self.model.values();
        let packings = self.model.packings();
        let slots: Option<Vec<u64>> =
            packings.iter().map(|packing| Some(packing.pack(values.read(&mut bytes)?))).collect();
        slots.filter(|_| bytes.is_empty())
    }

    /// `imprecise`: slots that held values which markers do not determine; `interned`: values that states share, and their
    /// bytes; `sums`: the largest numbers of elements in the sets of variables that are observed.
    fn facts(&self, found: &Exploration<CompiledMachine>) -> Vec<(&'static str, Fact)> {
        let imprecise = self.canonicaliser.imprecise_slots().into_iter().map(|slot| slot as u64);
        let values = found.model.values();
        let interned = vec![values.size() as u64, values.bytes() as u64];
        vec![
            ("imprecise", Fact::Numbers(imprecise.collect())),
            ("interned", Fact::Numbers(interned)),
            ("sums", Fact::Numbers(found.tally.observations.numbers())),
        ]
    }
}
