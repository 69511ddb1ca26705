//! Permutations of points that move slots and rename what they hold: for typed programs of any language.
//!
//! In: the shape of a state, a group on its points. Out: what the searches of `points` need: `action` is the image of a
//! state, the colours of `refine` guide the tree, `labelling` calls nauty instead.

mod action;
mod labelling;
mod refine;

use action::DataAction;
use refine::{Near, Refiner};

use super::Method;
use super::points::{Colours, GroupAction, PointCanonicaliser};
use crate::group::Group;
use crate::random::mix;
use crate::shape::Shape;

pub type DataCanonicaliser = PointCanonicaliser<Typed>;

/// States of typed programs under a group.
pub struct Typed {
    action: DataAction,
    refiner: Refiner,
    /// Slots that no element changes.
    fixed: Vec<u32>,
    slots: usize,
}

pub struct Memory {
    /// A colour for each entry of a bag.
    entries: Vec<u64>,
    image: Vec<u64>,
    near: Near,
}

impl DataCanonicaliser {
    /// `kept`: pairs of points that the group maps to such pairs (successors in cyclic sorts).
    pub fn new(method: Method, shape: &Shape, group: &Group, kept: &[(u32, u32)], stats: bool) -> Self {
        PointCanonicaliser::of(method, Typed::new(shape, group, kept), group, stats)
    }
}

impl Typed {
    fn new(shape: &Shape, group: &Group, kept: &[(u32, u32)]) -> Typed {
        let points = group.chain().points();
        let action = DataAction::new(shape, points);
        let minima = group.orbit_minima();
        let orbits: Vec<u32> = points.iter().map(|&point| minima[point as usize]).collect();
        let local = |point: u32| action.local(point);
        let kept: Vec<(u32, u32)> = kept.iter().filter_map(|&(a, b)| Some((local(a)?, local(b)?))).collect();
        let mut moves = vec![false; shape.slots.len()];
        action.movable.iter().for_each(|each| moves[each.slot as usize] = true);
        Typed {
            refiner: Refiner::new(shape, &action, &orbits, kept),
            fixed: (0..moves.len() as u32).filter(|&slot| !moves[slot as usize]).collect(),
            slots: shape.slots.len(),
            action,
        }
    }
}

impl GroupAction for Typed {
    type Memory = Memory;

    fn memory(&self) -> Memory {
        Memory { entries: vec![0; self.refiner.entries], image: Vec::new(), near: Near::default() }
    }

    fn slots(&self) -> usize {
        self.slots
    }

    fn apply(&self, images: &[u32], values: &[u64], moved: &mut [u64], _: &mut Memory) {
        self.action.apply(images, values, moved);
    }

    fn moved_by(&self, images: &[u32], values: &[u64], moved: &mut [u64]) {
        self.action.apply(images, values, moved);
    }

    fn fixes(&self, images: &[u32], support: &[u32], values: &[u64], memory: &mut Memory) -> bool {
        self.action.fixes(images, support, values, &mut memory.image)
    }

    fn prime(&self, values: &[u64], memory: &mut Memory) {
        self.refiner.prime(&self.action, values, &mut memory.near);
    }

    fn start(&self, values: &[u64], colours: &mut Colours, memory: &mut Memory) {
        self.refiner.start(&self.action, values, &memory.near, colours);
    }

    fn settle(&self, values: &[u64], colours: &mut Colours, memory: &mut Memory) -> usize {
        self.refiner.settle(&self.action, values, colours, &mut memory.entries)
    }

    fn number(&self, values: &[u64], colours: &mut Colours, _: &mut Memory) -> u64 {
        labelling::label(&self.refiner, &self.action, values, colours)
    }

    fn fixed_hash(&self, values: &[u64], _: &mut Memory) -> u64 {
        let fixed = self.refiner.fixed_hash(&self.action, values);
        self.fixed
            .iter()
            .fold(fixed, |hash, &slot| mix(hash ^ values[slot as usize].wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    fn agrees_on_fixed(&self, a: &[u64], b: &[u64], _: &mut Memory) -> bool {
        self.fixed.iter().all(|&slot| a[slot as usize] == b[slot as usize])
    }
}
