//! A net as coverability sees it: slots for what can change, transitions that differ there, and its group.
//!
//! In: a net, its classes of identical places, a group that fixes the initial marking. Out: `System`. Slots that symmetries
//! move come first, in the order of the group's base. Places that never change are left out: a transition that needs more of
//! them than there is can never fire, any other fires as if they were not there.

use std::collections::BTreeMap;

use crate::group::Chain;
use crate::kinds::net::collapse::Collapsed;
use crate::kinds::net::symmetry::NetGroup;
use crate::structure::Structure;

/// (slot, tokens)
pub type Sparse = Vec<(u32, u64)>;

pub struct Transition {
    pub consumes: Sparse,
    pub produces: Sparse,
    /// What firing adds, where that is not 0.
    pub effect: Vec<(u32, i128)>,
    /// One transition of the net with these arcs.
    pub original: u32,
}

pub struct System {
    pub initial: Vec<u64>,
    pub transitions: Vec<Transition>,
    pub chain: Chain,
    /// Orbits of the slots that move: their slots, one orbit behind the other, and where each begins (and the last ends).
    pub orbit_slots: Vec<u32>,
    pub orbit_starts: Vec<usize>,
    /// What the group keeps, over the slots and, behind them, places that never change.
    pub structure: Structure,
    /// By vertex of it that is a slot or such a place: the name of its orbit.
    pub orbit_names: Vec<u32>,
    /// By class of identical places: its slot, or the number that it always holds.
    class: Vec<Result<u32, u64>>,
    class_of_place: Vec<u32>,
    /// By transition of the net; None where it can never fire.
    of_original: Vec<Option<u32>>,
    by_arcs: BTreeMap<(Sparse, Sparse), u32>,
}

impl System {
    pub fn new(collapsed: &Collapsed, group: &NetGroup) -> System {
        let acting = group.acting();
        let changing = collapsed.changing();
        let mut slots: Vec<u32> = acting.chain().points().to_vec();
        let mut class: Vec<Result<u32, u64>> = collapsed.initial.iter().map(|&n| Err(n)).collect();
        slots.iter().enumerate().for_each(|(slot, &c)| class[c as usize] = Ok(slot as u32));
        for c in 0..collapsed.initial.len() {
            if changing[c] && class[c].is_err() {
                class[c] = Ok(slots.len() as u32);
                slots.push(c as u32);
            }
        }
        let mut by_arcs: BTreeMap<(Sparse, Sparse), u32> = BTreeMap::new();
        let mut of_original = vec![None; collapsed.class_of_transition.len()];
        let mut transitions: Vec<Transition> = Vec::new();
        for (number, members) in collapsed.transition_classes.iter().enumerate() {
            let Some(consumes) = on_slots(&collapsed.consumes[number], &class, true) else { continue };
            let Some(produces) = on_slots(&collapsed.produces[number], &class, false) else { continue };
            let key = (consumes, produces);
            let found = by_arcs.get(&key).copied().unwrap_or(transitions.len() as u32);
            if found as usize == transitions.len() {
                by_arcs.insert(key.clone(), found);
                transitions.push(Transition::new(key.0, key.1, members[0]));
            }
            members.iter().for_each(|&t| of_original[t as usize] = Some(found));
        }
        // Of the whole group: elements also move places that never change, to others that hold as many tokens.
        let minima = group.class_orbits();
        let mut vertices = slots.clone();
        vertices.extend((0..class.len() as u32).filter(|&c| class[c as usize].is_err()));
        let mut vertex_of = vec![0; class.len()];
        vertices.iter().enumerate().for_each(|(vertex, &c)| vertex_of[c as usize] = vertex as u32);
        let mut orbits: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (slot, &c) in acting.chain().points().iter().enumerate() {
            orbits.entry(minima[c as usize]).or_default().push(slot as u32);
        }
        let mut orbit_starts = vec![0];
        let mut orbit_slots = Vec::new();
        for members in orbits.into_values() {
            orbit_slots.extend(members);
            orbit_starts.push(orbit_slots.len());
        }
        System {
            initial: slots.iter().map(|&c| collapsed.initial[c as usize]).collect(),
            transitions,
            chain: acting.chain().clone(),
            orbit_slots,
            orbit_starts,
            structure: group.structure().renamed(&vertex_of),
            orbit_names: vertices.iter().map(|&c| minima[c as usize]).collect(),
            class,
            class_of_place: collapsed.class_of_place.clone(),
            of_original,
            by_arcs,
        }
    }

    pub fn width(&self) -> usize {
        self.initial.len()
    }

    pub fn places(&self) -> usize {
        self.class_of_place.len()
    }

    /// Slots that symmetries move; they come first.
    pub fn moved(&self) -> usize {
        self.chain.moved()
    }

    pub fn has_symmetries(&self) -> bool {
        !self.chain.levels().is_empty()
    }

    /// Of a place: its slot, or the number of tokens that it always holds.
    pub fn place(&self, place: u32) -> Result<u32, u64> {
        self.class[self.class_of_place[place as usize] as usize]
    }

    /// The numbers at slots; None where the marking is none that can be reached: places differ that never do.
    pub fn by_slot(&self, marking: &[u64]) -> Option<Vec<u64>> {
        let mut found = vec![None; self.width()];
        for (place, &tokens) in marking.iter().enumerate() {
            let fits = match self.place(place as u32) {
                Ok(slot) => *found[slot as usize].get_or_insert(tokens) == tokens,
                Err(always) => always == tokens,
            };
            if !fits {
                return None;
            }
        }
        Some(found.into_iter().map(|tokens| tokens.unwrap_or(0)).collect())
    }

    /// By transition of the net, given that by transition here.
    pub fn by_original(&self, numbers: &[u64]) -> Vec<u64> {
        self.of_original.iter().map(|of| of.map_or(0, |t| numbers[t as usize])).collect()
    }

    pub fn marking(&self, by_slot: &[u64]) -> Vec<u64> {
        let tokens = |&class: &u32| match self.class[class as usize] {
            Ok(slot) => by_slot[slot as usize],
            Err(always) => always,
        };
        self.class_of_place.iter().map(tokens).collect()
    }

    /// Where an element of the group sends a transition; `element`: images of the slots that move.
    pub fn image(&self, transition: u32, element: &[u32]) -> Option<u32> {
        let moved = |arcs: &Sparse| {
            let image = |slot: u32| element.get(slot as usize).copied().unwrap_or(slot);
            let mut arcs: Sparse = arcs.iter().map(|&(slot, n)| (image(slot), n)).collect();
            arcs.sort_unstable();
            arcs
        };
        let transition = &self.transitions[transition as usize];
        self.by_arcs.get(&(moved(&transition.consumes), moved(&transition.produces))).copied()
    }
}

impl Transition {
    fn new(consumes: Sparse, produces: Sparse, original: u32) -> Transition {
        let mut effect: BTreeMap<u32, i128> = BTreeMap::new();
        consumes.iter().for_each(|&(slot, n)| *effect.entry(slot).or_default() -= i128::from(n));
        produces.iter().for_each(|&(slot, n)| *effect.entry(slot).or_default() += i128::from(n));
        let effect = effect.into_iter().filter(|&(_, n)| n != 0).collect();
        Transition { consumes, produces, effect, original }
    }
}

/// The arcs at slots; None where they need more than a place that never changes holds.
fn on_slots(arcs: &[(u32, u64)], class: &[Result<u32, u64>], is_needed: bool) -> Option<Sparse> {
    let mut found = Sparse::new();
    for &(place_class, weight) in arcs {
        match class[place_class as usize] {
            Ok(slot) => found.push((slot, weight)),
            Err(always) if is_needed && always < weight => return None,
            Err(_) => {}
        }
    }
    found.sort_unstable();
    Some(found)
}
