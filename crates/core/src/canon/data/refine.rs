//! Colours of points that respect the group: the hash-like invariants of A16 (Junttila 2003, 7.3.3), to a fixpoint.
//!
//! A slot contributes to the colour of each point it lies at, and of the point it holds: a hash of what it contains and of
//! the colours of its other points. Only invariants are hashed, so equal points of equivalent states get equal colours; a
//! collision costs precision, never soundness. The contribution of a slot to its only point does not depend on colours and
//! is added once.

use super::super::points::Colours;
use super::action::{DataAction, NONE};
use crate::random::mix;
use crate::shape::{Bag, Shape};

const VALUE: u64 = 0x9e37_79b9_7f4a_7c15;
const ROLE: u64 = 0xd1b5_4a32_d192_ed03;
const SAME: u64 = 0x8cb9_2ba7_2f3d_8dd7;

/// A movable slot, as far as refinement is concerned.
pub struct Contributor {
    pub movable: u32,
    /// What never changes: the slot's family, fixed points on its axes, equal points on its axes.
    pub key: u64,
    /// Its entry among all entries of bags, or NONE.
    pub entry: u32,
}

/// A slot with one point that holds no others.
struct Unary {
    slot: u32,
    point: u32,
    key: u64,
}

#[derive(Clone, Copy)]
enum Role {
    Silent,
    Unary(u32),
    Relational(u32),
}

/// A state that the next ones differ little from, with the contributions of its slots summed up. States follow from one
/// another, and a step changes a few slots, so most contributions stay.
#[derive(Default)]
pub struct Near {
    values: Vec<u64>,
    sums: Vec<u64>,
}

pub struct Refiner {
    /// By point: the orbit of the group, hashed.
    initial: Vec<u64>,
    unary: Vec<Unary>,
    pub relational: Vec<Contributor>,
    /// By slot: how it contributes.
    roles: Vec<Role>,
    /// Entries of bags, those of inner bags first.
    pub entries: usize,
    /// (entry, the entry around it), inner ones first.
    pub nested: Vec<(u32, u32)>,
    /// A relation that the group keeps, (from, to): successors in cyclic sorts.
    pub kept: Vec<(u32, u32)>,
}

impl Refiner {
    /// `orbits`: by point of the base, a name of its orbit. `kept`: pairs of points that the group maps to such pairs.
    pub fn new(shape: &Shape, action: &DataAction, orbits: &[u32], kept: Vec<(u32, u32)>) -> Refiner {
        let (entry_of, around) = entries(shape);
        let nested = (0..).zip(&around).filter(|(_, outer)| **outer != NONE);
        let mut refiner = Refiner {
            initial: orbits.iter().map(|&orbit| mix(u64::from(orbit) ^ VALUE)).collect(),
            unary: Vec::new(),
            relational: Vec::new(),
            roles: vec![Role::Silent; shape.slots.len()],
            entries: around.len(),
            nested: nested.map(|(inner, &outer)| (inner, outer)).collect(),
            kept,
        };
        for (number, movable) in action.movable.iter().enumerate() {
            let described = &shape.slots[movable.slot as usize];
            let mut key = mix(u64::from(described.family));
            for &(axis, position) in &described.axes {
                // A point that moves is represented by its colour, one that stays by its position.
                if action.local(shape.axes[axis as usize].points[position as usize]).is_none() {
                    key = mix(key ^ u64::from(position).wrapping_mul(ROLE));
                }
            }
            let along = action.along(movable);
            for (at, (_, point)) in along.iter().enumerate() {
                if let Some(first) = along[..at].iter().position(|(_, other)| other == point) {
                    key = mix(key ^ ((first * 64 + at) as u64).wrapping_mul(SAME));
                }
            }
            let entry = entry_of[movable.slot as usize];
            let role = &mut refiner.roles[movable.slot as usize];
            if let ([(_, point)], false, NONE) = (along, movable.holds(), entry) {
                *role = Role::Unary(refiner.unary.len() as u32);
                refiner.unary.push(Unary { slot: movable.slot, point: *point, key });
            } else {
                *role = Role::Relational(refiner.relational.len() as u32);
                refiner.relational.push(Contributor { movable: number as u32, key, entry });
            }
        }
        refiner
    }

    /// Makes this the state that the next ones are near to.
    pub fn prime(&self, action: &DataAction, values: &[u64], near: &mut Near) {
        near.values.clear();
        // Where a bag gains or loses an entry, slots that did not change begin or cease to contribute.
        if action.bags.is_empty() {
            near.values.extend_from_slice(values);
            near.sums.clear();
            near.sums.extend_from_slice(&self.initial);
            self.contribute_all(action, values, &mut near.sums);
        }
    }

    /// The colours before those of other points contribute.
    pub fn start(&self, action: &DataAction, values: &[u64], near: &Near, colours: &mut Colours) {
        let current = &mut colours.current;
        if near.values.len() == values.len() {
            current.copy_from_slice(&near.sums);
            for (slot, (&old, &new)) in near.values.iter().zip(values).enumerate() {
                if old != new {
                    self.contribute(self.roles[slot], action, &near.values, |to, contribution| {
                        current[to as usize] = current[to as usize].wrapping_sub(contribution);
                    });
                    self.contribute(self.roles[slot], action, values, |to, contribution| {
                        current[to as usize] = current[to as usize].wrapping_add(contribution);
                    });
                }
            }
        } else {
            current.copy_from_slice(&self.initial);
            self.contribute_all(action, values, current);
        }
        for colour in current.iter_mut() {
            *colour = mix(*colour);
        }
    }

    fn contribute_all(&self, action: &DataAction, values: &[u64], sums: &mut [u64]) {
        for &role in &self.roles {
            self.contribute(role, action, values, |to, contribution| {
                sums[to as usize] = sums[to as usize].wrapping_add(contribution);
            });
        }
    }

    /// The contribution of a slot without the colours of points: often that is enough. It includes where a point is held,
    /// and what a slot with several points contains.
    #[inline(always)]
    fn contribute(&self, role: Role, action: &DataAction, values: &[u64], mut to: impl FnMut(u32, u64)) {
        match role {
            Role::Silent => {}
            Role::Unary(number) => {
                let Unary { slot, point, key } = self.unary[number as usize];
                to(point, mix(key ^ values[slot as usize].wrapping_mul(VALUE)));
            }
            Role::Relational(number) => {
                let slot = &self.relational[number as usize];
                let movable = &action.movable[slot.movable as usize];
                if movable.is_absent(values) {
                    return;
                }
                let held = action.held(movable, values);
                let content =
                    if held == NONE { values[movable.slot as usize].wrapping_mul(VALUE) } else { ROLE };
                let contribution = mix(slot.key ^ content);
                for (role, &(_, point)) in action.along(movable).iter().enumerate() {
                    to(point, contribution.wrapping_mul(2 * role as u64 + 3));
                }
                if held != NONE {
                    to(held, contribution);
                }
            }
        }
    }

    /// Rounds of refinement until there are no more new colours; how many there are. `entries` is a buffer, one place for
    /// each.
    pub fn settle(
        &self,
        action: &DataAction,
        values: &[u64],
        colours: &mut Colours,
        entries: &mut [u64],
    ) -> usize {
        let points = colours.current.len();
        let mut count = colours.distinct();
        if self.relational.is_empty() && self.kept.is_empty() {
            return count;
        }
        while count < points {
            self.round(action, values, colours, entries);
            let more = colours.distinct();
            if more == count {
                break;
            }
            count = more;
        }
        count
    }

    /// The slots of `relational` that are present: absent entries of bags do not contribute.
    pub fn contributors<'a>(
        &'a self,
        action: &'a DataAction,
        values: &'a [u64],
    ) -> impl Iterator<Item = &'a Contributor> {
        let is_there = move |slot: &&Contributor| !action.movable[slot.movable as usize].is_absent(values);
        self.relational.iter().filter(is_there)
    }

    /// What touches no point, summed up: equal for equivalent states.
    pub fn fixed_hash(&self, action: &DataAction, values: &[u64]) -> u64 {
        self.contributors(action, values)
            .filter(|slot| action.along(&action.movable[slot.movable as usize]).is_empty())
            .fold(0, |sum: u64, slot| sum.wrapping_add(fixed_contribution(action, values, slot)))
    }

    /// The colour of each entry of a bag: from its slots, and from the entries inside it and around it.
    fn colour_entries(&self, action: &DataAction, values: &[u64], colours: &[u64], entries: &mut [u64]) {
        if entries.is_empty() {
            return;
        }
        entries.fill(0);
        for slot in self.contributors(action, values).filter(|slot| slot.entry != NONE) {
            let contribution = contribution(action, values, colours, slot).0;
            let entry = &mut entries[slot.entry as usize];
            *entry = entry.wrapping_add(mix(contribution));
        }
        for &(inner, outer) in &self.nested {
            entries[outer as usize] = entries[outer as usize].wrapping_add(mix(entries[inner as usize]));
        }
        for &(inner, outer) in self.nested.iter().rev() {
            entries[inner as usize] =
                mix(entries[inner as usize] ^ entries[outer as usize].wrapping_mul(ROLE));
        }
    }

    fn round(&self, action: &DataAction, values: &[u64], colours: &mut Colours, entries: &mut [u64]) {
        let Colours { current, next, .. } = colours;
        next.fill(0);
        self.colour_entries(action, values, current, entries);
        for slot in self.contributors(action, values) {
            let (mut contribution, held) = contribution(action, values, current, slot);
            if slot.entry != NONE {
                contribution = mix(contribution ^ entries[slot.entry as usize]);
            }
            let movable = &action.movable[slot.movable as usize];
            for (role, &(_, point)) in action.along(movable).iter().enumerate() {
                let to = &mut next[point as usize];
                *to = to.wrapping_add(mix(contribution.wrapping_add((role as u64 + 1).wrapping_mul(ROLE))));
            }
            if held != NONE {
                let to = &mut next[held as usize];
                *to = to.wrapping_add(mix(contribution));
            }
        }
        for &(from, to) in &self.kept {
            let (a, b) = (current[from as usize], current[to as usize]);
            next[from as usize] = next[from as usize].wrapping_add(mix(b ^ SAME));
            next[to as usize] = next[to as usize].wrapping_add(mix(a ^ ROLE));
        }
        for (colour, contribution) in current.iter_mut().zip(next) {
            *colour = mix(*colour ^ contribution.wrapping_mul(VALUE));
        }
    }
}

/// By slot: its innermost entry, or NONE; by entry: the one around it. Inner bags come first.
fn entries(shape: &Shape) -> (Vec<u32>, Vec<u32>) {
    let mut entry_of = vec![NONE; shape.slots.len()];
    let mut around = Vec::new();
    for bag in &shape.bags {
        for entry in 0..bag.capacity {
            let number = around.len() as u32;
            around.push(NONE);
            for slot in entry_slots(bag, entry) {
                match entry_of[slot] {
                    NONE => entry_of[slot] = number,
                    mut inner => {
                        while around[inner as usize] != NONE && around[inner as usize] != number {
                            inner = around[inner as usize];
                        }
                        around[inner as usize] = number;
                    }
                }
            }
        }
    }
    (entry_of, around)
}

/// The contribution of a slot, and the point it holds.
#[inline]
fn contribution(action: &DataAction, values: &[u64], colours: &[u64], slot: &Contributor) -> (u64, u32) {
    let movable = &action.movable[slot.movable as usize];
    let held = action.held(movable, values);
    let mut hash = slot.key;
    let along = action.along(movable);
    for &(_, point) in along {
        hash = mix(hash ^ colours[point as usize]);
    }
    let content = if held == NONE {
        values[movable.slot as usize].wrapping_mul(VALUE)
    } else {
        let own = along.iter().position(|&(_, point)| point == held);
        colours[held as usize] ^ own.map_or(0, |role| SAME.wrapping_mul(role as u64 + 1))
    };
    (mix(hash ^ content), held)
}

/// The part of it that does not depend on points: a colour for the slot itself.
pub fn fixed_contribution(action: &DataAction, values: &[u64], slot: &Contributor) -> u64 {
    let movable = &action.movable[slot.movable as usize];
    let content = match action.held(movable, values) {
        NONE => mix(values[movable.slot as usize] ^ VALUE),
        _ => ROLE,
    };
    mix(slot.key ^ content)
}

fn entry_slots(bag: &Bag, entry: u32) -> std::ops::Range<usize> {
    let first = (bag.first + entry * bag.width) as usize;
    first..first + bag.width as usize
}
