//! A net as the explorer runs it: one slot per place class, one label per transition class, firing on packed words.
//!
//! Slots are numbered by the base of the group's chain, so that canonicalisers need no translation. Slots do not
//! straddle words, so firing adds one constant to each touched word: fields cannot borrow from each other because the
//! guard holds and growth is checked against the field's width first.

use std::collections::HashMap;

use super::collapse::Collapsed;
use super::consumers::{Consumers, each_marked};
use super::expression::Expression;
use crate::model::{Label, Model, Observations, PackedModel, Start, Step};
use crate::schema::{Overflow, Schema, Slot, bits_for};

#[derive(Clone)]
pub struct CompiledNet {
    schema: Schema,
    /// By place class: its slot.
    slot_of_class: Vec<u32>,
    initial: Vec<u64>,
    transitions: Vec<Transition>,
    consumers: Consumers,
    multiplicity: Vec<u64>,
    /// By slot: how many places it stands for.
    slot_weight: Vec<u64>,
    /// Slots whose growth must grow others: all slots of an orbit are equally wide.
    orbit_of_slot: Vec<u32>,
    /// By slot: can its value ever change?
    changing: Vec<bool>,
    /// Labels by their arcs at changing slots and by how many transitions they are: what else they ask for, they find always
    /// or never. A label and its image are equally many.
    label_of_arcs: HashMap<ArcKey, Label>,
    properties: Vec<Property>,
    packed: Vec<PackedTransition>,
}

/// How many tokens explored markings hold.
#[derive(Clone, Debug, Default)]
pub struct TokenBounds {
    /// By slot: the largest number; empty before the first marking.
    pub by_slot: Vec<u64>,
    /// The largest sum over all places.
    pub largest_total: u128,
    /// Of each sum that is asked for, the largest value.
    pub largest_sums: Vec<i128>,
}

impl Observations for TokenBounds {
    fn merge(&mut self, other: &TokenBounds) {
        self.by_slot.resize(self.by_slot.len().max(other.by_slot.len()), 0);
        for (bound, &seen) in self.by_slot.iter_mut().zip(&other.by_slot) {
            *bound = seen.max(*bound);
        }
        self.largest_total = self.largest_total.max(other.largest_total);
        self.largest_sums.resize(self.largest_sums.len().max(other.largest_sums.len()), 0);
        for (largest, &seen) in self.largest_sums.iter_mut().zip(&other.largest_sums) {
            *largest = seen.max(*largest);
        }
    }
}

/// (slot, weight) consumed and produced, each sorted, and the multiplicity: what distinguishes label classes.
type ArcKey = (Vec<(u32, u64)>, Vec<(u32, u64)>, u64);

#[derive(Clone)]
struct Transition {
    consumes: Vec<(u32, u64)>,
    produces: Vec<(u32, u64)>,
}

#[derive(Clone)]
struct PackedTransition {
    /// Slots whose values change, ascending.
    writes: Vec<u32>,
    /// Fields that grow: (slot number, slot, by how much).
    grows: Vec<(u32, Slot, u64)>,
    /// (word, amount added modulo 2^64).
    adds: Vec<(u32, u64)>,
}

/// From so many slots on most are taken to be empty.
const WIDE: usize = 64;

/// What `judge` looks for, with the number it reports.
#[derive(Clone)]
pub struct Property {
    pub number: usize,
    pub kind: PropertyKind,
}

#[derive(Clone)]
pub enum PropertyKind {
    /// Violated where a place holds two tokens.
    Safe,
    /// Violated where the expression (over place classes) is false.
    Invariant(Expression),
    /// Found where the expression is true.
    Goal(Expression),
    /// Never violated: the largest value of the sum is recorded. Its expression compares it with something, so that symmetries
    /// can be certified to keep it.
    Sum(Expression),
}

impl CompiledNet {
    /// `order`: place classes in slot order. `orbits`: by class, the smallest class of its orbit.
    pub fn new(
        collapsed: &Collapsed,
        order: &[u32],
        orbits: &[u32],
        properties: Vec<Property>,
    ) -> CompiledNet {
        let mut slot_of_class = vec![0; order.len()];
        for (slot, &class) in order.iter().enumerate() {
            slot_of_class[class as usize] = slot as u32;
        }
        let to_slots = |arcs: &[(u32, u64)]| {
            let mut arcs: Vec<(u32, u64)> =
                arcs.iter().map(|&(class, w)| (slot_of_class[class as usize], w)).collect();
            arcs.sort_unstable();
            arcs
        };
        let transitions: Vec<Transition> = (0..collapsed.transition_classes.len())
            .map(|t| Transition {
                consumes: to_slots(&collapsed.consumes[t]),
                produces: to_slots(&collapsed.produces[t]),
            })
            .collect();
        let consumed: Vec<Vec<u32>> =
            transitions.iter().map(|t| t.consumes.iter().map(|&(slot, _)| slot).collect()).collect();
        let initial: Vec<u64> = order.iter().map(|&class| collapsed.initial[class as usize]).collect();
        let orbit_of_slot: Vec<u32> = order.iter().map(|&class| orbits[class as usize]).collect();
        let by_class = collapsed.changing();
        let changing: Vec<bool> = order.iter().map(|&class| by_class[class as usize]).collect();
        let mut label_of_arcs = HashMap::new();
        for (label, transition) in transitions.iter().enumerate() {
            let can_hold =
                |&(slot, weight): &(u32, u64)| changing[slot as usize] || initial[slot as usize] >= weight;
            if transition.consumes.iter().all(can_hold) {
                let at_changing = |arcs: &[(u32, u64)]| -> Vec<(u32, u64)> {
                    arcs.iter().copied().filter(|&(slot, _)| changing[slot as usize]).collect()
                };
                let multiplicity = collapsed.transition_classes[label].len() as u64;
                let key =
                    (at_changing(&transition.consumes), at_changing(&transition.produces), multiplicity);
                label_of_arcs.entry(key).or_insert(label as Label);
            }
        }
        let on_slots = |e: Expression| e.renamed(&|class| slot_of_class[class as usize]);
        let properties = properties
            .into_iter()
            .map(|property| Property {
                number: property.number,
                kind: match property.kind {
                    PropertyKind::Safe => PropertyKind::Safe,
                    PropertyKind::Invariant(e) => PropertyKind::Invariant(on_slots(e)),
                    PropertyKind::Goal(e) => PropertyKind::Goal(on_slots(e)),
                    PropertyKind::Sum(e) => PropertyKind::Sum(on_slots(e)),
                },
            })
            .collect();
        let mut widest = vec![1u32; orbits.len()];
        for (slot, &value) in initial.iter().enumerate() {
            let width = &mut widest[orbit_of_slot[slot] as usize];
            *width = bits_for(value).max(*width);
        }
        let widths: Vec<u8> = orbit_of_slot.iter().map(|&orbit| widest[orbit as usize] as u8).collect();
        let mut net = CompiledNet {
            schema: Schema::new(&widths),
            multiplicity: collapsed.transition_classes.iter().map(|class| class.len() as u64).collect(),
            slot_weight: order
                .iter()
                .map(|&class| collapsed.place_classes[class as usize].len() as u64)
                .collect(),
            slot_of_class,
            initial,
            consumers: Consumers::new(order.len(), &consumed),
            transitions,
            orbit_of_slot,
            changing,
            label_of_arcs,
            properties,
            packed: Vec::new(),
        };
        net.pack_transitions();
        net
    }

    pub fn slot_of_class(&self) -> &[u32] {
        &self.slot_of_class
    }

    pub fn labels(&self) -> usize {
        self.transitions.len()
    }

    fn pack_transitions(&mut self) {
        let schema = &self.schema;
        self.packed = self.transitions.iter().map(|t| PackedTransition::new(schema, t)).collect();
    }
}

impl PackedTransition {
    fn new(schema: &Schema, transition: &Transition) -> PackedTransition {
        let mut change: std::collections::BTreeMap<u32, (u64, u64)> = std::collections::BTreeMap::new();
        for &(slot, weight) in &transition.consumes {
            change.entry(slot).or_default().0 = weight;
        }
        for &(slot, weight) in &transition.produces {
            change.entry(slot).or_default().1 = weight;
        }
        let (mut writes, mut grows) = (Vec::new(), Vec::new());
        let mut adds: std::collections::BTreeMap<u32, u64> = std::collections::BTreeMap::new();
        for (&number, &(minus, plus)) in change.iter().filter(|&(_, &(minus, plus))| minus != plus) {
            writes.push(number);
            let slot = schema.slots()[number as usize];
            if plus > minus {
                grows.push((number, slot, plus - minus));
            }
            let amount = plus.wrapping_sub(minus).wrapping_shl(u32::from(slot.shift));
            let word = adds.entry(slot.word).or_default();
            *word = word.wrapping_add(amount);
        }
        PackedTransition { writes, grows, adds: adds.into_iter().collect() }
    }
}

impl Model for CompiledNet {
    type Observations = TokenBounds;
    type Workspace = ();

    fn workspace(&self) {}

    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn starts(&self, _: &mut ()) -> Vec<Start> {
        vec![Start { label: 0, step: Step::Taken, values: self.initial.clone(), noted: Vec::new() }]
    }

    #[inline]
    fn enabled(&self, values: &[u64], _: &mut (), labels: &mut Vec<Label>, _: &mut dyn FnMut(Label, usize)) {
        let is_enabled = |transition: &Transition| {
            transition.consumes.iter().all(|&(slot, weight)| values[slot as usize] >= weight)
        };
        if self.consumers.enabled(values, labels, |label| is_enabled(&self.transitions[label as usize])) {
            return;
        }
        for (label, transition) in self.transitions.iter().enumerate() {
            if is_enabled(transition) {
                labels.push(label as Label);
            }
        }
    }

    #[inline]
    fn fire(&self, values: &mut [u64], label: Label, _: &mut ()) -> Result<Step, Overflow> {
        let transition = &self.transitions[label as usize];
        for &(slot, weight) in &transition.consumes {
            values[slot as usize] -= weight;
        }
        for &(slot, weight) in &transition.produces {
            let value = &mut values[slot as usize];
            *value = value.checked_add(weight).ok_or(Overflow { slot, bits: 65 })?;
        }
        Ok(Step::Taken)
    }

    fn multiplicity(&self, label: Label) -> u64 {
        self.multiplicity[label as usize]
    }

    fn observe(&self, values: &[u64], bounds: &mut TokenBounds) {
        bounds.by_slot.resize(values.len(), 0);
        let mut total = 0u128;
        let mut record = |bound: &mut u64, value: u64, weight: u64| {
            *bound = value.max(*bound);
            total += u128::from(value) * u128::from(weight);
        };
        let by_slot = &mut bounds.by_slot;
        if values.len() < WIDE {
            let slots = by_slot.iter_mut().zip(values).zip(&self.slot_weight);
            slots.for_each(|((bound, &value), &weight)| record(bound, value, weight));
        } else {
            each_marked(values, |slot| record(&mut by_slot[slot], values[slot], self.slot_weight[slot]));
        }
        bounds.largest_total = bounds.largest_total.max(total);
        let sums = self.properties.iter().filter_map(|property| match &property.kind {
            PropertyKind::Sum(expression) => expression.linear(),
            _ => None,
        });
        for (at, sum) in sums.enumerate() {
            if bounds.largest_sums.len() <= at {
                bounds.largest_sums.resize(at + 1, 0);
            }
            bounds.largest_sums[at] = bounds.largest_sums[at].max(sum.value(values));
        }
    }

    /// Slots that never change are not looked at: two labels that differ only there, both enabled, have the same effect.
    fn image(&self, symmetry: &[u32], label: Label, _: &mut Self::Workspace) -> Label {
        let image = |slot: u32| symmetry.get(slot as usize).copied().unwrap_or(slot);
        let transition = &self.transitions[label as usize];
        let stays = |&(slot, _): &(u32, u64)| image(slot) == slot;
        if transition.consumes.iter().all(stays) && transition.produces.iter().all(stays) {
            return label;
        }
        let moved = |arcs: &[(u32, u64)]| {
            let at_changing = arcs.iter().filter(|&&(slot, _)| self.changing[slot as usize]);
            let mut arcs: Vec<(u32, u64)> =
                at_changing.map(|&(slot, weight)| (image(slot), weight)).collect();
            arcs.sort_unstable();
            arcs
        };
        // A certified symmetry maps arcs to arcs, so the image exists; a label that stays is always sound.
        self.label_of_arcs
            .get(&(
                moved(&transition.consumes),
                moved(&transition.produces),
                self.multiplicity[label as usize],
            ))
            .copied()
            .unwrap_or(label)
    }

    /// Where each arc at a slot that moves goes to an arc of the label (see `incidence`).
    fn is_fixed_by(&self, moves: &[(u32, u32)], label: Label) -> bool {
        let Transition { consumes, produces } = &self.transitions[label as usize];
        moves.len() < consumes.len() + produces.len()
            && [consumes, produces].into_iter().all(|arcs| {
                moves.iter().all(|&(slot, image)| match arcs.binary_search_by_key(&slot, |&(slot, _)| slot) {
                    Ok(at) => arcs.binary_search(&(image, arcs[at].1)).is_ok(),
                    Err(_) => true,
                })
            })
    }

    fn points_of(&self, label: Label, points: &mut Vec<u32>, _: &mut Self::Workspace) -> bool {
        let Transition { consumes, produces } = &self.transitions[label as usize];
        points.extend(consumes.iter().chain(produces).map(|&(slot, _)| slot));
        true
    }

    fn judge(&self, values: &[u64], _: &mut (), found: &mut dyn FnMut(usize)) {
        for property in &self.properties {
            let hit = match &property.kind {
                PropertyKind::Safe => values.iter().any(|&tokens| tokens > 1),
                PropertyKind::Invariant(e) => !e.holds(values),
                PropertyKind::Goal(e) => e.holds(values),
                PropertyKind::Sum(_) => false,
            };
            if hit {
                found(property.number);
            }
        }
    }
}

impl PackedModel for CompiledNet {
    fn may_violate(&self, _: Label, _: &[u64], (): &()) -> bool {
        !self.properties.is_empty()
    }

    #[inline]
    fn fire_packed(
        &self,
        (_, state): (&[u64], &[u64]),
        label: Label,
        successor: &mut [u64],
        _: &mut (),
    ) -> Result<Step, Overflow> {
        let transition = &self.packed[label as usize];
        for &(number, slot, by) in &transition.grows {
            let value = slot.read(state);
            if by > slot.mask() - value {
                let bits = value.checked_add(by).map_or(65, bits_for);
                return Err(Overflow { slot: number, bits });
            }
        }
        successor.copy_from_slice(state);
        for &(word, amount) in &transition.adds {
            successor[word as usize] = successor[word as usize].wrapping_add(amount);
        }
        Ok(Step::Taken)
    }

    #[inline]
    fn written_by(&self, label: Label) -> Option<&[u32]> {
        Some(&self.packed[label as usize].writes)
    }

    #[inline]
    fn values_after(&self, values: &[u64], label: Label, _: &[u64], next: &mut [u64], _: &mut ()) {
        next.copy_from_slice(values);
        let transition = &self.transitions[label as usize];
        for &(slot, weight) in &transition.consumes {
            next[slot as usize] -= weight;
        }
        for &(slot, weight) in &transition.produces {
            next[slot as usize] += weight;
        }
    }

    fn widened(&self, slots: &[u32], bits: u32) -> CompiledNet {
        let orbits: Vec<u32> = slots.iter().map(|&slot| self.orbit_of_slot[slot as usize]).collect();
        let all = (0..self.initial.len() as u32)
            .filter(|&slot| orbits.contains(&self.orbit_of_slot[slot as usize]));
        let mut wider = self.clone();
        wider.schema = self.schema.widened(all, bits);
        wider.pack_transitions();
        wider
    }
}
