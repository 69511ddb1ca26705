//! A net compiled for a group and a method: slots are numbered in the order of the group's base.

use std::sync::Arc;

use num_bigint::BigUint;

use super::Net;
use super::collapse::Collapsed;
use super::compiled::{CompiledNet, Property, PropertyKind};
use super::symmetry::NetGroup;
use crate::canon::Method;
use crate::canon::slots::SlotCanonicaliser;
use crate::kinds::{Error, Fact, Kind, on_points};
use crate::model::Label;
use crate::perm::orbit_minima;
use crate::search::Exploration;

/// Properties of nets are numbered from here: a deadlock has number 0, and 1 is an error of the model, which nets have not.
pub const FIRST_PROPERTY: usize = 2;

pub struct PreparedNet {
    net: Arc<Net>,
    collapsed: Arc<Collapsed>,
    group: Arc<NetGroup>,
    model: CompiledNet,
    canonicaliser: SlotCanonicaliser,
    /// Place classes in slot order.
    order: Vec<u32>,
    properties: usize,
}

impl PreparedNet {
    /// `properties`, over places. Refused where the method does not fit the group, or where the group does not keep a property:
    /// judging it on a representative would judge one marking for all of its orbit.
    pub fn new(
        net: &Arc<Net>,
        collapsed: &Arc<Collapsed>,
        group: &Arc<NetGroup>,
        method: Method,
        properties: &[PropertyKind],
        stats: bool,
    ) -> Result<PreparedNet, Error> {
        let acting = group.acting();
        group.check_method(method)?;
        for (number, property) in properties.iter().enumerate() {
            let (PropertyKind::Invariant(expression)
            | PropertyKind::Goal(expression)
            | PropertyKind::Sum(expression)) = property
            else {
                continue;
            };
            if group.first_changed(collapsed, std::slice::from_ref(expression)).is_some() {
                return Err(Error::Call(format!("the group does not keep property {number}")));
            }
        }
        let minima = group.class_orbits();
        let mut order = acting.chain().points().to_vec();
        let mut moved = vec![false; acting.degree()];
        order.iter().for_each(|&class| moved[class as usize] = true);
        order.extend((0..acting.degree() as u32).filter(|&class| !moved[class as usize]));
        let numbered = (FIRST_PROPERTY..).zip(properties);
        let compiled = numbered.map(|(number, kind)| Property { number, kind: on_classes(kind, collapsed) });
        let model = CompiledNet::new(collapsed, &order, &minima, compiled.collect());
        let orbits: Vec<u32> = order.iter().map(|&class| minima[class as usize]).collect();
        let structure = group.structure().renamed(model.slot_of_class());
        let canonicaliser = SlotCanonicaliser::new(method, acting, &orbits, &structure, stats);
        Ok(PreparedNet {
            net: net.clone(),
            collapsed: collapsed.clone(),
            group: group.clone(),
            model,
            canonicaliser,
            order,
            properties: FIRST_PROPERTY + properties.len(),
        })
    }

    /// What one place has seen, all places of its orbit have: a marking stands for its orbit.
    fn largest_by_orbit(&self, seen: &[u64]) -> Vec<u64> {
        let places = self.group.generators().iter().map(|(g, _)| g.places());
        let minima = orbit_minima(self.net.places(), places);
        let mut largest = vec![0; seen.len()];
        for (place, &minimum) in minima.iter().enumerate() {
            largest[minimum as usize] = seen[place].max(largest[minimum as usize]);
        }
        minima.iter().map(|&minimum| largest[minimum as usize]).collect()
    }
}

fn on_classes(property: &PropertyKind, collapsed: &Collapsed) -> PropertyKind {
    let class = |place: u32| collapsed.class_of_place[place as usize];
    match property {
        PropertyKind::Safe => PropertyKind::Safe,
        PropertyKind::Invariant(expression) => PropertyKind::Invariant(expression.renamed(&class)),
        PropertyKind::Goal(expression) => PropertyKind::Goal(expression.renamed(&class)),
        PropertyKind::Sum(expression) => PropertyKind::Sum(expression.renamed(&class)),
    }
}

impl Kind for PreparedNet {
    type Model = CompiledNet;
    type Canonicaliser = SlotCanonicaliser;

    fn model(&self) -> &CompiledNet {
        &self.model
    }

    fn canonicaliser(&self) -> &SlotCanonicaliser {
        &self.canonicaliser
    }

    fn properties(&self) -> usize {
        self.properties
    }

    /// Refused where a marking distinguishes places that no reachable marking distinguishes.
    fn values(&self, marking: &[u64]) -> Result<Vec<u64>, Error> {
        if marking.len() != self.net.places() {
            return Err(Error::Call(format!("a marking of {} places was expected", self.net.places())));
        }
        let unreachable =
            |why| Error::Call(format!("{why} hold different numbers: the marking is unreachable"));
        let by_class = self.collapsed.marking_by_class(marking);
        let by_class = by_class.ok_or_else(|| unreachable("identical places"))?;
        let moved = self.group.acting().chain().points();
        let orbits = self.group.class_orbits();
        let differs = |class: usize| by_class[class] != by_class[orbits[class] as usize];
        if (0..by_class.len()).any(|class| differs(class) && !moved.contains(&(class as u32))) {
            return Err(unreachable("frozen places"));
        }
        Ok(self.order.iter().map(|&class| by_class[class as usize]).collect())
    }

    fn state(&self, values: &[u64]) -> Vec<u64> {
        let mut by_class = vec![0; values.len()];
        for (slot, &class) in self.order.iter().enumerate() {
            by_class[class as usize] = values[slot];
        }
        self.collapsed.marking_by_place(&by_class)
    }

    /// Of identical transitions, the first. The label of the start means nothing.
    fn label(&self, label: Label) -> Label {
        self.collapsed.transition_classes.get(label as usize).map_or(label, |class| class[0])
    }

    /// Images of the places; identical places keep their order.
    fn element(&self, images: &[u32]) -> Vec<u32> {
        self.collapsed.place_images(&on_points(self.group.acting(), images))
    }

    /// What moves only places that no reachable marking distinguishes stabilises every marking.
    fn kernel_order(&self) -> BigUint {
        self.group.order() / self.group.acting().order()
    }

    fn firings(&self, _: &CompiledNet, by_label: &[u64]) -> Vec<u64> {
        let of_class = |&class: &u32| by_label.get(class as usize).copied().unwrap_or(0);
        self.collapsed.class_of_transition.iter().map(of_class).collect()
    }

    /// `bounds`: the most tokens seen in each place; `largest_total`: in all places together; `sums`: in the places of each sum
    /// that was asked for.
    fn facts(&self, found: &Exploration<CompiledNet>) -> Vec<(&'static str, Fact)> {
        let mut by_slot = found.tally.observations.by_slot.clone();
        by_slot.resize(self.order.len(), 0);
        let bounds = self.largest_by_orbit(&self.state(&by_slot));
        let total = found.tally.observations.largest_total;
        let sums = &found.tally.observations.largest_sums;
        let sums = sums.iter().map(|&sum| u64::try_from(sum).unwrap_or(u64::MAX)).collect();
        vec![
            ("bounds", Fact::Numbers(bounds)),
            ("largest_total", Fact::Number(total)),
            ("sums", Fact::Numbers(sums)),
        ]
    }
}
