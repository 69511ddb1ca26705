//! How an element of the group acts on a state: slots move along their axes, stored points are renamed, bags are sorted.
//!
//! Everything is in the coordinates of the group's base: point x is the one at position x there, others never move.

use crate::shape::{Bag, NO_POINT, Shape};

pub const NONE: u32 = u32::MAX;

/// A slot that some element moves, or whose content some element renames, or that sorting a bag may move.
pub struct Movable {
    pub slot: u32,
    /// In a bag: the slot that says whether its entry is there. An absent entry holds nothing, whatever 0 stands for.
    pub presence: u32,
    /// The slot for position 0 on all its moving axes.
    origin: u32,
    /// (axis, point) for each axis on which it lies at a moving point.
    pub along: Vec<(u32, u32)>,
    /// Its value map, where it may hold moving points.
    pub map: u32,
}

pub struct Action {
    /// By point of the shape: its position in the base, or NONE.
    local: Vec<u32>,
    pub movable: Vec<Movable>,
    /// So many of them, the first, are moved or renamed by elements themselves.
    moved: usize,
    /// By axis, by point: position times stride.
    reach: Vec<Vec<u32>>,
    /// By map, by code: the point, or NONE.
    pub point_of_code: Vec<Vec<u32>>,
    /// By map, by point: the code.
    code_of_point: Vec<Vec<u64>>,
    /// By point: the movable slots that lie at it.
    at_point: Vec<Vec<u32>>,
    /// The movable slots that hold points.
    holding: Vec<u32>,
    /// Bags with movable slots.
    pub bags: Vec<Bag>,
}

impl Movable {
    /// Is it part of a bag's entry that is not there?
    #[inline]
    pub fn is_absent(&self, values: &[u64]) -> bool {
        self.presence != NONE && values[self.presence as usize] == 0
    }
}

/// By slot: the first slot of the innermost entry around it, or NONE.
fn presence(shape: &Shape) -> Vec<u32> {
    let mut presence = vec![NONE; shape.slots.len()];
    for bag in &shape.bags {
        for slot in bag.slots().filter(|&slot| presence[slot] == NONE).collect::<Vec<_>>() {
            presence[slot] = slot as u32 - (slot as u32 - bag.first) % bag.width;
        }
    }
    presence
}

impl Action {
    /// `base`: the points that move, in the order of the group's base.
    pub fn new(shape: &Shape, base: &[u32]) -> Action {
        let mut local = vec![NONE; shape.points];
        for (at, &point) in base.iter().enumerate() {
            local[point as usize] = at as u32;
        }
        let reach = shape.axes.iter().map(|axis| {
            let mut reach = vec![NONE; base.len()];
            for (position, &point) in axis.points.iter().enumerate() {
                if local[point as usize] != NONE {
                    reach[local[point as usize] as usize] = position as u32 * axis.stride;
                }
            }
            reach
        });
        let local_of = |&point: &u32| if point == NO_POINT { NONE } else { local[point as usize] };
        let point_of_code: Vec<Vec<u32>> =
            shape.maps.iter().map(|map| map.iter().map(local_of).collect()).collect();
        let code_of_point = point_of_code.iter().map(|points| {
            let mut codes = vec![0; base.len()];
            for (code, &point) in points.iter().enumerate().filter(|(_, point)| **point != NONE) {
                codes[point as usize] = code as u64;
            }
            codes
        });
        let mut action = Action {
            local: Vec::new(),
            movable: Vec::new(),
            moved: 0,
            reach: reach.collect(),
            code_of_point: code_of_point.collect(),
            point_of_code,
            at_point: vec![Vec::new(); base.len()],
            holding: Vec::new(),
            bags: Vec::new(),
        };
        action.find_movable(shape, &local);
        action.local = local;
        action
    }

    /// The position of a point in the base, where it moves.
    pub fn local(&self, point: u32) -> Option<u32> {
        Some(self.local[point as usize]).filter(|&at| at != NONE)
    }

    fn find_movable(&mut self, shape: &Shape, local: &[u32]) {
        let presence = presence(shape);
        for (slot, described) in shape.slots.iter().enumerate() {
            let mut along = Vec::new();
            let mut origin = slot as u32;
            for &(axis, position) in &described.axes {
                let axis_shape = &shape.axes[axis as usize];
                let point = local[axis_shape.points[position as usize] as usize];
                if point != NONE {
                    along.push((axis, point));
                    origin -= position * axis_shape.stride;
                }
            }
            let holds = |&map: &u32| self.point_of_code[map as usize].iter().any(|&point| point != NONE);
            let map = described.values.filter(holds).unwrap_or(NONE);
            if along.is_empty() && map == NONE {
                continue;
            }
            let number = self.movable.len() as u32;
            along.iter().for_each(|&(_, point)| self.at_point[point as usize].push(number));
            if map != NONE {
                self.holding.push(number);
            }
            self.movable.push(Movable { slot: slot as u32, presence: presence[slot], origin, along, map });
        }
        self.moved = self.movable.len();
        let mut listed = vec![false; shape.slots.len()];
        self.movable.iter().for_each(|each| listed[each.slot as usize] = true);
        let moves = |bag: &&Bag| bag.slots().any(|slot| listed[slot]);
        self.bags = shape.bags.iter().filter(moves).copied().collect();
        for slot in self.bags.iter().flat_map(Bag::slots) {
            if !listed[slot] {
                listed[slot] = true;
                let (presence, origin) = (presence[slot], slot as u32);
                self.movable.push(Movable {
                    slot: slot as u32,
                    presence,
                    origin,
                    along: Vec::new(),
                    map: NONE,
                });
            }
        }
    }

    #[inline]
    fn slot_image(&self, each: &Movable, images: &[u32]) -> usize {
        let steps = each
            .along
            .iter()
            .map(|&(axis, point)| self.reach[axis as usize][images[point as usize] as usize]);
        (each.origin + steps.sum::<u32>()) as usize
    }

    /// The point that a movable slot holds, or NONE.
    #[inline]
    pub fn held(&self, each: &Movable, values: &[u64]) -> u32 {
        if each.map == NONE || each.is_absent(values) {
            return NONE;
        }
        self.point_of_code[each.map as usize][values[each.slot as usize] as usize]
    }

    #[inline]
    fn renamed(&self, each: &Movable, images: &[u32], values: &[u64]) -> u64 {
        match self.held(each, values) {
            NONE => values[each.slot as usize],
            point => self.code_of_point[each.map as usize][images[point as usize] as usize],
        }
    }

    /// g s, for g given by its images.
    pub fn apply(&self, images: &[u32], values: &[u64], moved: &mut [u64]) {
        moved.copy_from_slice(values);
        for each in &self.movable[..self.moved] {
            moved[self.slot_image(each, images)] = self.renamed(each, images, values);
        }
        for bag in &self.bags {
            bag.sort(moved);
        }
    }

    /// Does g leave the state as it is? `support`: the points it moves; `buffer` is needed where there are bags.
    pub fn fixes(&self, images: &[u32], support: &[u32], values: &[u64], buffer: &mut Vec<u64>) -> bool {
        if !self.bags.is_empty() {
            buffer.resize(values.len(), 0);
            self.apply(images, values, buffer);
            return buffer == values;
        }
        let stays = |number: &u32| {
            let each = &self.movable[*number as usize];
            values[self.slot_image(each, images)] == self.renamed(each, images, values)
        };
        support.iter().all(|&point| self.at_point[point as usize].iter().all(stays))
            && self.holding.iter().all(|number| {
                let held = self.held(&self.movable[*number as usize], values);
                held == NONE || images[held as usize] == held || stays(number)
            })
    }
}
