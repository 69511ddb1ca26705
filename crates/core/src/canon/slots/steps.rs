//! Colours of a successor, from those of the open state and the slots that a step changed.
//!
//! The open state's colours are kept, after the start and after each half of a round (`Colours`). A colour is a sum over what
//! the vertex takes in, so where a source changed, its old contribution is subtracted and its new one added; only vertices
//! around changed ones are visited. The sums are the same, bit by bit, as those computed from nothing, for addition wraps
//! and does not depend on the order. What is overwritten is logged, and put back before the next successor.
//!
//! Changes spread with each round. From the part on where following them would cost more than computing all, all is
//! computed, in other buffers.

use super::refine::{Colours, QUICK_ROUNDS, Refiner, kept, taken_in};

/// Changes are followed where they cost less than this part of computing all: subtracting, adding and logging cost more than adding.
const SHARE: usize = 3;
const PARTS: usize = 2 * (QUICK_ROUNDS + 1);

/// The colours of the open state, and on the way those of one successor.
pub struct StepColours {
    open: Colours,
    /// Where the open state's colours were overwritten (a place in `open`, what stood there), part by part.
    log: Vec<(u32, u64)>,
    /// By part: where its entries begin.
    begins: [usize; PARTS + 1],
    /// By place in `open`: the last successor for which it was overwritten.
    stamps: Vec<u32>,
    successor: u32,
    rounds: usize,
    /// Did changes spread too far? Then the successor's colours stand in `whole`.
    is_whole: bool,
    whole: Colours,
}

impl StepColours {
    pub fn new(refiner: &Refiner) -> StepColours {
        let open = refiner.colours();
        StepColours {
            log: Vec::with_capacity(open.all.len()),
            begins: [0; PARTS + 1],
            stamps: vec![0; open.all.len()],
            successor: 0,
            rounds: 0,
            is_whole: false,
            whole: refiner.colours(),
            open,
        }
    }

    /// Of the successor's slots.
    #[inline(always)]
    pub fn current(&self) -> &[u64] {
        if self.is_whole { self.whole.current() } else { self.open.after(self.rounds) }
    }

    /// The colours of the successor, or where there was none yet, of the open state, to be refined further.
    pub fn go_further(&mut self) -> &mut Colours {
        if !self.is_whole {
            self.whole.go_on_from(&self.open, self.rounds);
            self.is_whole = true;
        }
        &mut self.whole
    }

    /// Goes back to the open state.
    fn undo(&mut self) {
        for (place, colour) in self.log.drain(..) {
            self.open.all[place as usize] = colour;
        }
        self.is_whole = false;
        self.successor = self.successor.wrapping_add(1);
        if self.successor == 0 {
            self.stamps.fill(0);
            self.successor = 1;
        }
    }

    #[inline(always)]
    fn set(&mut self, place: usize, colour: u64) {
        let old = &mut self.open.all[place];
        if self.stamps[place] != self.successor {
            self.stamps[place] = self.successor;
            self.log.push((place as u32, *old));
        }
        *old = colour;
    }

    #[inline(always)]
    fn add(&mut self, place: usize, amount: u64) {
        self.set(place, self.open.all[place].wrapping_add(amount));
    }
}

impl Refiner {
    /// Refines the open state quickly.
    pub fn open(&self, values: &[u64], steps: &mut StepColours) {
        steps.log.clear();
        steps.undo();
        self.refine_quickly(values, &mut steps.open);
        steps.rounds = QUICK_ROUNDS;
    }

    /// Begins with a successor: `values` differ from those of the open state in the slots `changed` alone.
    pub fn start_step(&self, values: &[u64], changed: &[u32], steps: &mut StepColours) {
        steps.undo();
        steps.rounds = 0;
        steps.begins = [0; PARTS + 1];
        let begin = steps.open.begin(1);
        for slot in changed.iter().map(|&slot| slot as usize).filter(|&slot| slot < self.moved) {
            let colour = self.first_colour(slot, values[slot]);
            if colour != steps.open.all[begin + slot] {
                steps.set(begin + slot, colour);
            }
        }
        steps.begins[2] = steps.log.len();
    }

    /// As `round`.
    pub fn round_step(&self, steps: &mut StepColours) {
        if steps.is_whole {
            return self.round(&mut steps.whole);
        }
        steps.rounds += 1;
        for part in [2 * steps.rounds, 2 * steps.rounds + 1] {
            if !self.is_worth_following(part, steps) {
                return self.compute_from(part, steps);
            }
            self.follow(part, steps);
        }
    }

    /// Does what changed in the window before a part reach few of its vertices?
    fn is_worth_following(&self, part: usize, steps: &StepColours) -> bool {
        let out_of = &self.out_of[part % 2];
        let mut left = out_of.cost() / SHARE;
        for source in [part - 2, part - 1] {
            let to_vertex = self.to_vertex(source, &steps.open);
            for &(place, _) in &steps.log[steps.begins[source]..steps.begins[source + 1]] {
                let Some(rest) = left.checked_sub(1 + out_of.of(to_vertex(place)).len()) else {
                    return false;
                };
                left = rest;
            }
        }
        true
    }

    /// Brings a part up to date with what changed in the window before it.
    fn follow(&self, part: usize, steps: &mut StepColours) {
        let begin = steps.open.begin(part);
        let vertices = self.vertices();
        for source in [part - 2, part - 1] {
            let to_vertex = self.to_vertex(source, &steps.open);
            for entry in steps.begins[source]..steps.begins[source + 1] {
                let (place, old) = steps.log[entry];
                let new = steps.open.all[place as usize];
                if source == part - 2 {
                    steps.add(place as usize + vertices, kept(new).wrapping_sub(kept(old)));
                }
                for arc in self.out_of[part % 2].of(to_vertex(place)) {
                    let amount = taken_in(new, arc.key).wrapping_sub(taken_in(old, arc.key));
                    steps.add(begin + arc.end as usize, amount);
                }
            }
        }
        steps.begins[part + 1] = steps.log.len();
    }

    /// The vertex whose colour has a place in this part.
    #[inline(always)]
    fn to_vertex(&self, part: usize, colours: &Colours) -> impl Fn(u32) -> usize + use<> {
        let first = if part.is_multiple_of(2) { self.moved } else { 0 };
        let begin = colours.begin(part);
        move |place| place as usize - begin + first
    }

    /// Computes this part and the rest of its round from the window before it.
    fn compute_from(&self, part: usize, steps: &mut StepColours) {
        let vertices = self.vertices();
        let StepColours { open, whole, is_whole, rounds, .. } = steps;
        let window = open.begin(part) - vertices..open.begin(part);
        whole.all[window.clone()].copy_from_slice(&open.all[window]);
        whole.rounds = *rounds;
        *is_whole = true;
        for part in part..=2 * *rounds + 1 {
            self.compute(part, whole);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::structure::Structure;

    fn structures() -> impl Strategy<Value = Structure> {
        // Wide and sparse ones, where changes are followed for some rounds, and small ones, where they soon reach everything.
        (prop_oneof![1usize..8, 40usize..80], 0usize..40, 0usize..60).prop_flat_map(
            |(slots, nodes, edges)| {
                let vertices = slots + nodes.max(1);
                let edge = (slots..vertices, 0..vertices, 0u64..3);
                prop::collection::vec(edge, edges).prop_map(move |edges| {
                    let mut structure = Structure::new(vec![0; slots]);
                    (0..nodes.max(1)).for_each(|node| {
                        structure.add_node(node as u64 % 2);
                    });
                    for (node, other, label) in edges.into_iter().filter(|&(node, other, _)| node != other) {
                        structure.connect(node as u32, other as u32, label);
                    }
                    structure
                })
            },
        )
    }

    proptest! {
        #[test]
        fn colours_of_steps_are_those_computed_from_nothing(
            structure in structures(),
            still in 0usize..4,
            states in prop::collection::vec((prop::collection::vec(0u64..3, 80), prop::collection::vec((0usize..80, 0u64..3), 6)), 1..4),
        ) {
            let slots = structure.slots();
            let moved = slots.saturating_sub(still);
            let orbits: Vec<u32> = (0..slots as u32).map(|slot| slot % 2).collect();
            let refiner = Refiner::new(&structure, moved, &orbits);
            let mut steps = StepColours::new(&refiner);
            let mut expected = refiner.colours();
            for (state, changes) in states {
                let open = &state[..slots];
                refiner.open(open, &mut steps);
                refiner.refine_quickly(open, &mut expected);
                prop_assert_eq!(steps.current(), expected.current());
                for changes in changes.chunks(2) {
                    let mut values = open.to_vec();
                    let mut changed: Vec<u32> = changes.iter().map(|&(slot, _)| (slot % slots) as u32).collect();
                    changed.sort_unstable();
                    changed.dedup();
                    changes.iter().for_each(|&(slot, value)| values[slot % slots] = value);
                    refiner.start(&values, &mut expected);
                    refiner.start_step(&values, &changed, &mut steps);
                    for _ in 0..QUICK_ROUNDS {
                        refiner.round(&mut expected);
                        refiner.round_step(&mut steps);
                        prop_assert_eq!(steps.current(), expected.current());
                    }
                    prop_assert_eq!(refiner.refine_further(steps.go_further()), refiner.refine_further(&mut expected));
                    prop_assert_eq!(steps.current(), expected.current());
                }
            }
        }
    }
}
