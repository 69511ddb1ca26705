//! The `GroupAction` of states whose slots hold nested values, for the searches of `points`.
//!
//! A permutation renames the points inside values; slots stay where they are. The first colours come from the sketches of the
//! values, cached by handle; rounds of refinement are needed only where a value ties points together.
//!
//! The images of equivalent states are the same set, so its least element under any fixed order is canonical. The order is
//! that of the values themselves (`values::stable`), not of their numbers, which depend on the run: so the representative is the
//! same in every process.

use std::sync::Arc;

use super::graph::{self, Encoding};
use super::remembered::{self, KnownImages, Remembered};
use super::sketch::Flow;
use crate::canon::points::{Colours, GroupAction};
use crate::group::Group;
use crate::kinds::machine::operators::sets::member;
use crate::kinds::machine::values::{Packing, Value, Values, View};
use crate::random::mix;

const NONE: u32 = remembered::NOTHING;
const STORED: u64 = 0x9e37_79b9_7f4a_7c15;
const AFTER: u64 = 0xd1b5_4a32_d192_ed03;
const BEFORE: u64 = 0x8cb9_2ba7_2f3d_8dd7;

pub struct Nested {
    pub values: Arc<Values>,
    packing: Vec<Packing>,
    /// By slot: what it is called in hashes.
    keys: Vec<u64>,
    /// By point of the machine: its position in the base, or NONE.
    pub local: Vec<u32>,
    /// By position in the base: the point.
    pub points: Vec<u32>,
    /// By position in the base: a name of its orbit.
    pub orbits: Vec<u32>,
    /// A relation on positions that the group keeps: successors in cyclic sorts.
    pub kept: Vec<(u32, u32)>,
    encoding: Encoding,
}

/// Buffers of one thread.
#[derive(Default)]
pub struct Memory {
    remembered: Remembered,
    known_images: KnownImages,
    /// The state last asked for; by slot the sketch of what it holds, NONE without moving points; slots that have one.
    state: Vec<u64>,
    sketches: Vec<u32>,
    slots: Vec<(u32, u32)>,
    /// By point: what its orbit and those sketches contribute to its first colour.
    sums: Vec<u64>,
    flow: Flow,
    stack: Vec<Value>,
    images: Vec<u32>,
}

impl Nested {
    pub fn new(
        values: Arc<Values>,
        packing: &[Packing],
        group: &Group,
        kept: &[(u32, u32)],
        encoding: Encoding,
    ) -> Nested {
        let points = group.chain().points().to_vec();
        let mut local = vec![NONE; group.degree()];
        for (at, &point) in points.iter().enumerate() {
            local[point as usize] = at as u32;
        }
        let minima = group.orbit_minima();
        let orbits = points.iter().map(|&point| minima[point as usize]).collect();
        let keys = (1..=packing.len() as u64).map(mix).collect();
        let packing = packing.to_vec();
        let mut nested = Nested { values, packing, keys, local, points, orbits, kept: Vec::new(), encoding };
        let both = |&(a, b): &(u32, u32)| Some((nested.local(a)?, nested.local(b)?));
        nested.kept = kept.iter().filter_map(both).collect();
        nested
    }

    /// The position of a point in the base, where it moves.
    #[inline(always)]
    pub fn local(&self, point: u32) -> Option<u32> {
        self.local.get(point as usize).copied().filter(|&at| at != NONE)
    }

    #[inline(always)]
    pub fn value(&self, slot: usize, stored: u64) -> Value {
        self.packing[slot].unpack(stored)
    }

    /// The values of a state, slot by slot.
    pub fn unpacked<'s>(&'s self, state: &'s [u64]) -> impl Iterator<Item = Value> + Clone + 's {
        state.iter().zip(&self.packing).map(|(&stored, packing)| packing.unpack(stored))
    }

    /// Does no moving point occur in it?
    pub fn is_free(&self, value: Value) -> bool {
        if !self.values.has_points(value) {
            return true;
        }
        match self.values.view(value) {
            View::Point(point) => self.local(point).is_none(),
            View::Pair(left, right) => self.is_free(left) && self.is_free(right),
            View::Record(parts) | View::Set(parts) => parts.iter().all(|&part| self.is_free(part)),
            _ => true,
        }
    }

    /// Names the moving points of a value, as often as they occur.
    pub fn each_point(&self, value: Value, name: &mut impl FnMut(u32)) {
        if !self.values.has_points(value) {
            return;
        }
        match self.values.view(value) {
            View::Point(point) => self.local(point).into_iter().for_each(name),
            View::Pair(left, right) => {
                self.each_point(left, name);
                self.each_point(right, name);
            }
            View::Record(parts) | View::Set(parts) => {
                parts.iter().for_each(|&part| self.each_point(part, name))
            }
            _ => {}
        }
    }

    /// Is the value its own image? `images` is of the machine's points. Only elements of sets are renamed, not whole sets:
    /// the images of large values that are tried in vain would fill the memory.
    pub fn fixes_value(&self, value: Value, images: &[u32], stack: &mut Vec<Value>) -> bool {
        if !self.values.has_points(value) {
            return true;
        }
        match self.values.view(value) {
            View::Point(point) => images[point as usize] == point,
            View::Pair(left, right) => {
                self.fixes_value(left, images, stack) && self.fixes_value(right, images, stack)
            }
            View::Record(parts) => parts.iter().all(|&part| self.fixes_value(part, images, stack)),
            View::Set(elements) => self.stay_inside(elements.iter(), value, images, stack),
            _ => true,
        }
    }

    /// Are the images of these elements in the set?
    pub fn stay_inside<'e>(
        &self,
        mut some: impl Iterator<Item = &'e Value>,
        set: Value,
        images: &[u32],
        stack: &mut Vec<Value>,
    ) -> bool {
        if let Some(bits) = self.values.bits(set) {
            return self.values.image_in_bits(set, images).1 == bits;
        }
        some.all(|&element| {
            let image = self.values.renamed(element, images, stack);
            image == element || member(&self.values, image, set)
        })
    }

    /// Finds the sketches of a state's values.
    #[inline(always)]
    fn look_at(&self, state: &[u64], memory: &mut Memory) {
        if memory.state != state {
            self.look_anew(state, memory);
        }
    }

    fn look_anew(&self, state: &[u64], memory: &mut Memory) {
        let Memory { remembered, state: last, sketches, slots, sums, .. } = memory;
        if remembered.make_room() || last.len() != state.len() {
            last.clear();
            last.resize(state.len(), 0);
            sketches.clear();
            sketches.resize(state.len(), NONE);
            sums.clear();
            sums.extend(self.orbits.iter().map(|&orbit| mix(u64::from(orbit) ^ STORED)));
        }
        slots.clear();
        // Mostly a neighbour of the last one.
        let held = last.iter_mut().zip(sketches);
        for (slot, (&stored, (last, sketch))) in state.iter().zip(held).enumerate() {
            if stored != *last {
                *last = stored;
                let before = *sketch;
                *sketch = self.sketch(self.value(slot, stored), remembered);
                let key = self.keys[slot];
                for point in remembered.points(before) {
                    let sum = &mut sums[point.at as usize];
                    *sum = sum.wrapping_sub(mix(u64::from(point.colour) ^ key));
                }
                for point in remembered.points(*sketch) {
                    let sum = &mut sums[point.at as usize];
                    *sum = sum.wrapping_add(mix(u64::from(point.colour) ^ key));
                }
            }
            if *sketch != NONE {
                slots.push((slot as u32, *sketch));
            }
        }
    }

    fn sketch(&self, value: Value, remembered: &mut Remembered) -> u32 {
        // What is not interned says itself whether it has points.
        if value == Value::EMPTY || !value.is_interned() && !self.values.has_points(value) {
            return NONE;
        }
        let sketch = remembered.sketch(self, value);
        if remembered.sketches.points(sketch).is_empty() { NONE } else { sketch }
    }

    /// The images of all points of the machine.
    fn all_images<'m>(&self, images: &[u32], all: &'m mut Vec<u32>) -> &'m [u32] {
        all.clear();
        all.extend(0..self.local.len() as u32);
        for (&from, &to) in self.points.iter().zip(images) {
            all[from as usize] = self.points[to as usize];
        }
        all
    }

    fn round(&self, colours: &mut Colours, memory: &mut Memory) {
        let Colours { current, next, .. } = colours;
        let Memory { slots, remembered, flow, .. } = memory;
        let sketches = &remembered.sketches;
        next.fill(0);
        for &(slot, sketch) in slots.iter() {
            if sketches.ties(sketch) {
                sketches.pass(
                    sketch,
                    self.keys[slot as usize],
                    |point| current[point as usize],
                    flow,
                    |point, says| {
                        next[point as usize] = next[point as usize].wrapping_add(says);
                    },
                );
            }
        }
        for &(from, to) in &self.kept {
            let (a, b) = (current[from as usize], current[to as usize]);
            next[from as usize] = next[from as usize].wrapping_add(mix(b ^ AFTER));
            next[to as usize] = next[to as usize].wrapping_add(mix(a ^ BEFORE));
        }
        for (colour, sum) in current.iter_mut().zip(next) {
            *colour = mix(*colour ^ sum.wrapping_mul(STORED));
        }
    }
}

impl GroupAction for Nested {
    type Memory = Memory;

    fn memory(&self) -> Memory {
        Memory::default()
    }

    fn slots(&self) -> usize {
        self.packing.len()
    }

    fn apply(&self, images: &[u32], state: &[u64], moved: &mut [u64], memory: &mut Memory) {
        self.look_at(state, memory);
        let Memory { slots, remembered, known_images, images: all, stack, .. } = memory;
        all.clear();
        moved.copy_from_slice(state);
        for &(slot, sketch) in slots.iter() {
            let points = remembered.sketches.points(sketch);
            if !points.iter().all(|point| images[point.at as usize] == point.at) {
                let value = self.value(slot as usize, state[slot as usize]);
                let find = || {
                    if all.is_empty() {
                        self.all_images(images, all);
                    }
                    self.values.renamed(value, all, stack)
                };
                let image = known_images.get_or(value, points, images, find);
                moved[slot as usize] = self.packing[slot as usize].pack(image);
            }
        }
    }

    fn moved_by(&self, images: &[u32], state: &[u64], moved: &mut [u64]) {
        let (mut all, mut stack) = (Vec::new(), Vec::new());
        let all = self.all_images(images, &mut all);
        for (slot, value) in self.unpacked(state).enumerate() {
            moved[slot] = self.packing[slot].pack(self.values.renamed(value, all, &mut stack));
        }
    }

    fn precedes(&self, a: &[u64], b: &[u64]) -> bool {
        let differing = a.iter().zip(b).position(|(a, b)| a != b);
        differing.is_some_and(|slot| {
            let (a, b) = (self.value(slot, a[slot]), self.value(slot, b[slot]));
            self.values.compare(a, b).is_lt()
        })
    }

    fn fixes(&self, images: &[u32], support: &[u32], state: &[u64], memory: &mut Memory) -> bool {
        self.look_at(state, memory);
        let Memory { slots, remembered, images: all, stack, .. } = memory;
        let Remembered { sketches, passes, .. } = remembered;
        if let &[a, b] = support {
            return slots.iter().all(|&(_, sketch)| sketches.exchanges(self, sketch, (a, b), passes));
        }
        let all = self.all_images(images, all);
        slots.iter().all(|&(slot, sketch)| {
            sketches.points(sketch).iter().all(|point| images[point.at as usize] == point.at)
                || self.fixes_value(self.value(slot as usize, state[slot as usize]), all, stack)
        })
    }

    fn start(&self, state: &[u64], colours: &mut Colours, memory: &mut Memory) {
        self.look_at(state, memory);
        for (colour, &sum) in colours.current.iter_mut().zip(&memory.sums) {
            *colour = mix(sum);
        }
    }

    /// Where one value has all the points, its sketch has made the rounds.
    fn settle_first(&self, state: &[u64], colours: &mut Colours, memory: &mut Memory) -> usize {
        self.look_at(state, memory);
        if self.kept.is_empty() && memory.slots.len() <= 1 {
            return colours.distinct();
        }
        self.settle(state, colours, memory)
    }

    fn settle(&self, state: &[u64], colours: &mut Colours, memory: &mut Memory) -> usize {
        let mut count = colours.distinct();
        self.look_at(state, memory);
        let ties = |&(_, sketch): &(u32, u32)| memory.remembered.sketches.ties(sketch);
        if self.kept.is_empty() && !memory.slots.iter().any(ties) {
            return count;
        }
        while count < colours.current.len() {
            self.round(colours, memory);
            let more = colours.distinct();
            if more == count {
                break;
            }
            count = more;
        }
        count
    }

    fn number(&self, state: &[u64], colours: &mut Colours, memory: &mut Memory) -> u64 {
        if colours.distinct() == colours.current.len() {
            return 1;
        }
        self.look_at(state, memory);
        let slots: Vec<usize> = memory.slots.iter().map(|&(slot, _)| slot as usize).collect();
        graph::number(self, state, &slots, self.encoding, &mut colours.current)
    }

    fn fixed_hash(&self, state: &[u64], memory: &mut Memory) -> u64 {
        self.look_at(state, memory);
        let mut moving = memory.slots.iter().map(|&(slot, _)| slot as usize).peekable();
        let mut hash = 0;
        for (slot, &stored) in state.iter().enumerate() {
            let stored = if moving.next_if_eq(&slot).is_some() { u64::MAX } else { stored };
            hash = mix(hash ^ stored.wrapping_mul(STORED));
        }
        hash
    }

    fn agrees_on_fixed(&self, a: &[u64], b: &[u64], memory: &mut Memory) -> bool {
        self.look_at(a, memory);
        let moving: Vec<(u32, u32)> = memory.slots.clone();
        self.look_at(b, memory);
        let slots = moving.iter().map(|&(slot, _)| slot);
        let mut left = slots.clone().peekable();
        slots.eq(memory.slots.iter().map(|&(slot, _)| slot))
            && (0..a.len()).all(|slot| left.next_if_eq(&(slot as u32)).is_some() || a[slot] == b[slot])
    }
}
