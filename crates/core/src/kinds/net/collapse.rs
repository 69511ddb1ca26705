//! What is the same by definition: identical transitions, and places that always hold the same number of tokens.
//!
//! Transitions with the same arcs are one label with a multiplicity (Junttila 2003, 4.1.2). Places with the same arcs and
//! the same initial number can never differ, so one slot stands for all of them, wherever symmetries must keep the
//! initial marking. Their permutations are symmetries too, but move no reachable marking; they are counted in the group's
//! order and kept out of every search.

use std::collections::BTreeMap;

use super::{Arcs, Net};
use crate::perm::Perm;

#[derive(Clone, Debug)]
pub struct Collapsed {
    /// By class: the places in it, ascending. The class's slot carries their common number of tokens.
    pub place_classes: Vec<Vec<u32>>,
    pub class_of_place: Vec<u32>,
    /// By class: the transitions in it, ascending.
    pub transition_classes: Vec<Vec<u32>>,
    pub class_of_transition: Vec<u32>,
    /// Arcs between classes.
    pub consumes: Vec<Arcs>,
    pub produces: Vec<Arcs>,
    pub initial: Vec<u64>,
}

impl Collapsed {
    /// `kept`: the markings that symmetries must keep. Identical places are merged only where the initial marking is among
    /// them and all agree there; else a symmetry might distinguish the merged places.
    pub fn of(net: &Net, kept: &[Vec<u64>]) -> Collapsed {
        let (transition_classes, class_of_transition) =
            classes((0..net.transitions()).map(|t| (&net.consumes[t], &net.produces[t])));
        let (place_classes, class_of_place) = place_classes(net, kept);
        let on_classes = |arcs: &[Arcs]| -> Vec<Arcs> {
            transition_classes
                .iter()
                .map(|class| class_arcs(&arcs[class[0] as usize], &class_of_place, &place_classes))
                .collect()
        };
        let initial = place_classes.iter().map(|class| net.initial[class[0] as usize]).collect();
        Collapsed {
            consumes: on_classes(&net.consumes),
            produces: on_classes(&net.produces),
            initial,
            place_classes,
            class_of_place,
            transition_classes,
            class_of_transition,
        }
    }

    /// By class: can its number of tokens ever change? Decided by what could be marked if tokens were never used up, so a
    /// class that is called frozen is frozen, and symmetries that keep the initial marking keep the answer.
    pub fn changing(&self) -> Vec<bool> {
        let mut markable: Vec<bool> = self.initial.iter().map(|&tokens| tokens > 0).collect();
        let mut waiting_for: Vec<usize> = Vec::with_capacity(self.consumes.len());
        let mut consumers: Vec<Vec<u32>> = vec![Vec::new(); self.initial.len()];
        let mut ready: Vec<u32> = Vec::new();
        for (t, arcs) in self.consumes.iter().enumerate() {
            let missing = arcs.iter().filter(|&&(class, _)| !markable[class as usize]);
            waiting_for.push(missing.clone().count());
            missing.for_each(|&(class, _)| consumers[class as usize].push(t as u32));
            if waiting_for[t] == 0 {
                ready.push(t as u32);
            }
        }
        let mut changing = vec![false; self.initial.len()];
        while let Some(t) = ready.pop() {
            let (consumes, produces) = (&self.consumes[t as usize], &self.produces[t as usize]);
            for &(class, weight) in consumes.iter().filter(|arc| produces.binary_search(arc).is_err()) {
                debug_assert!(weight > 0);
                changing[class as usize] = true;
            }
            for &(class, weight) in produces {
                changing[class as usize] |= consumes.binary_search(&(class, weight)).is_err();
                if !std::mem::replace(&mut markable[class as usize], true) {
                    for &consumer in &consumers[class as usize] {
                        waiting_for[consumer as usize] -= 1;
                        if waiting_for[consumer as usize] == 0 {
                            ready.push(consumer);
                        }
                    }
                }
            }
        }
        changing
    }

    /// None where two places of a class hold different numbers: such a marking is unreachable.
    pub fn marking_by_class(&self, marking: &[u64]) -> Option<Vec<u64>> {
        self.place_classes
            .iter()
            .map(|class| {
                let tokens = marking[class[0] as usize];
                class.iter().all(|&place| marking[place as usize] == tokens).then_some(tokens)
            })
            .collect()
    }

    pub fn marking_by_place(&self, by_class: &[u64]) -> Vec<u64> {
        self.class_of_place.iter().map(|&class| by_class[class as usize]).collect()
    }

    /// Images of the places, given those of their classes; identical places keep their order.
    pub fn place_images(&self, class_images: &[u32]) -> Vec<u32> {
        member_images(&self.place_classes, self.class_of_place.len(), class_images)
    }

    /// A permutation of the classes of places as one of the places; None where it maps a class to one of another size.
    pub fn on_places(&self, classes: &Perm) -> Option<Perm> {
        on_members(&self.place_classes, self.class_of_place.len(), classes)
    }

    /// The same for transitions.
    pub fn on_transitions(&self, classes: &Perm) -> Option<Perm> {
        on_members(&self.transition_classes, self.class_of_transition.len(), classes)
    }
}

/// Identical members keep their order.
fn on_members(classes: &[Vec<u32>], members: usize, on_classes: &Perm) -> Option<Perm> {
    let mut moves = Vec::new();
    for &(class, image) in on_classes.moves() {
        let (from, to) = (&classes[class as usize], &classes[image as usize]);
        if from.len() != to.len() {
            return None;
        }
        moves.extend(from.iter().copied().zip(to.iter().copied()));
    }
    moves.sort_unstable();
    Some(Perm::from_sorted_moves(members, moves))
}

/// A class and its image have the same size.
fn member_images(classes: &[Vec<u32>], members: usize, class_images: &[u32]) -> Vec<u32> {
    let mut images = vec![0; members];
    for (class, &class_image) in classes.iter().zip(class_images) {
        for (&member, &image) in class.iter().zip(&classes[class_image as usize]) {
            images[member as usize] = image;
        }
    }
    images
}

/// Keeps the arcs to the first place of each class: the others stand beside it with the same weight.
fn class_arcs(arcs: &Arcs, class_of: &[u32], classes: &[Vec<u32>]) -> Arcs {
    let mut kept: Arcs = arcs
        .iter()
        .filter(|&&(place, _)| classes[class_of[place as usize] as usize][0] == place)
        .map(|&(place, weight)| (class_of[place as usize], weight))
        .collect();
    kept.sort_unstable();
    kept
}

fn place_classes(net: &Net, kept: &[Vec<u64>]) -> (Vec<Vec<u32>>, Vec<u32>) {
    // By place: its arcs as (transition, direction, weight), in order of transitions.
    let mut arcs: Vec<Vec<(u32, bool, u64)>> = vec![Vec::new(); net.places()];
    for t in 0..net.transitions() {
        for &(place, weight) in &net.consumes[t] {
            arcs[place as usize].push((t as u32, false, weight));
        }
        for &(place, weight) in &net.produces[t] {
            arcs[place as usize].push((t as u32, true, weight));
        }
    }
    let merging = kept.contains(&net.initial);
    let key = |place: usize| {
        let numbers: Vec<u64> = kept.iter().map(|marking| marking[place]).collect();
        (&arcs[place], numbers, if merging { 0 } else { place })
    };
    classes((0..net.places()).map(key))
}

/// Groups equal keys; classes are numbered by their first member.
fn classes<K: Ord>(keys: impl Iterator<Item = K>) -> (Vec<Vec<u32>>, Vec<u32>) {
    let mut number: BTreeMap<K, u32> = BTreeMap::new();
    let mut members: Vec<Vec<u32>> = Vec::new();
    let mut class_of = Vec::new();
    for (item, key) in keys.enumerate() {
        let class = *number.entry(key).or_insert_with(|| {
            members.push(Vec::new());
            members.len() as u32 - 1
        });
        members[class as usize].push(item as u32);
        class_of.push(class);
    }
    (members, class_of)
}
