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
    /// Where its (axis, point) pairs are, one for each axis on which it lies at a moving point: see `DataAction::along`.
    first_along: u32,
    axes: u32,
    /// Where the codes of its value map begin, in `DataAction::point_of_code` and by point in `DataAction::code_of_point`; NONE
    /// where it holds no moving points.
    codes: u32,
    names: u32,
}

/// A slot that lies at one moving point and holds none: most slots of most programs.
struct PlainSlot {
    slot: u32,
    origin: u32,
    /// As in `DataAction::along`.
    axis: u32,
    point: u32,
}

pub struct DataAction {
    /// By point of the shape: its position in the base, or NONE.
    local: Vec<u32>,
    pub movable: Vec<Movable>,
    /// Those of them that elements themselves move or rename: plain ones, and the numbers of the others.
    plain: Vec<PlainSlot>,
    others: Vec<u32>,
    /// (where the axis begins in `reach`, point) of all movable slots in turn: one array, read from front to back.
    along: Vec<(u32, u32)>,
    /// By axis, by point: position times stride.
    reach: Vec<u32>,
    /// By map, by code: the point, or NONE.
    point_of_code: Vec<u32>,
    /// By map, by point: the code.
    code_of_point: Vec<u64>,
    points: usize,
    /// By point: the movable slots that lie at it.
    at_point: Vec<Vec<u32>>,
    /// The movable slots that hold points.
    holding: Vec<u32>,
    /// Bags with movable slots.
    pub bags: Vec<Bag>,
}

impl Movable {
    /// May it hold moving points?
    pub fn holds(&self) -> bool {
        self.codes != NONE
    }

    /// Is it part of a bag's entry that is not there?
    #[inline(always)]
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

impl DataAction {
    /// `base`: the points that move, in the order of the group's base.
    pub fn new(shape: &Shape, base: &[u32]) -> DataAction {
        let mut local = vec![NONE; shape.points];
        for (at, &point) in base.iter().enumerate() {
            local[point as usize] = at as u32;
        }
        let points = base.len();
        let mut reach = vec![NONE; shape.axes.len() * points];
        for (axis, reach) in shape.axes.iter().zip(reach.chunks_exact_mut(points.max(1))) {
            for (position, &point) in axis.points.iter().enumerate() {
                if local[point as usize] != NONE {
                    reach[local[point as usize] as usize] = position as u32 * axis.stride;
                }
            }
        }
        let (mut first_code, mut point_of_code) = (Vec::new(), Vec::new());
        let mut code_of_point = vec![0; shape.maps.len() * points];
        for (number, map) in shape.maps.iter().enumerate() {
            first_code.push(point_of_code.len() as u32);
            for (code, &point) in map.iter().enumerate() {
                let point = if point == NO_POINT { NONE } else { local[point as usize] };
                point_of_code.push(point);
                if point != NONE {
                    code_of_point[number * points + point as usize] = code as u64;
                }
            }
        }
        let mut action = DataAction {
            local: Vec::new(),
            movable: Vec::new(),
            plain: Vec::new(),
            others: Vec::new(),
            along: Vec::new(),
            reach,
            point_of_code,
            code_of_point,
            points,
            at_point: vec![Vec::new(); points],
            holding: Vec::new(),
            bags: Vec::new(),
        };
        action.find_movable(shape, &local, &first_code);
        action.local = local;
        action
    }

    /// The position of a point in the base, where it moves.
    pub fn local(&self, point: u32) -> Option<u32> {
        Some(self.local[point as usize]).filter(|&at| at != NONE)
    }

    fn find_movable(&mut self, shape: &Shape, local: &[u32], first_code: &[u32]) {
        let presence = presence(shape);
        for (slot, described) in shape.slots.iter().enumerate() {
            let first_along = self.along.len();
            let mut origin = slot as u32;
            for &(axis, position) in &described.axes {
                let axis_shape = &shape.axes[axis as usize];
                let point = local[axis_shape.points[position as usize] as usize];
                if point != NONE {
                    self.along.push((axis * self.points as u32, point));
                    origin -= position * axis_shape.stride;
                }
            }
            let holds = |map: &u32| {
                let codes = first_code[*map as usize] as usize;
                let count = shape.maps[*map as usize].len();
                self.point_of_code[codes..codes + count].iter().any(|&point| point != NONE)
            };
            let map = described.values.filter(holds);
            let codes = map.map_or(NONE, |map| first_code[map as usize]);
            let names = map.map_or(NONE, |map| map * self.points as u32);
            let axes = (self.along.len() - first_along) as u32;
            if axes == 0 && map.is_none() {
                continue;
            }
            let number = self.movable.len() as u32;
            match (&self.along[first_along..], map) {
                (&[(axis, point)], None) => {
                    self.plain.push(PlainSlot { slot: slot as u32, origin, axis, point })
                }
                _ => self.others.push(number),
            }
            for &(_, point) in &self.along[first_along..] {
                self.at_point[point as usize].push(number);
            }
            if map.is_some() {
                self.holding.push(number);
            }
            let (slot, presence, first_along) = (slot as u32, presence[slot], first_along as u32);
            self.movable.push(Movable { slot, presence, origin, first_along, axes, codes, names });
        }
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
                    first_along: 0,
                    axes: 0,
                    codes: NONE,
                    names: NONE,
                });
            }
        }
    }

    /// For each axis on which the slot lies at a moving point: a number that identifies the axis, and the point.
    #[inline(always)]
    pub fn along(&self, each: &Movable) -> &[(u32, u32)] {
        &self.along[each.first_along as usize..][..each.axes as usize]
    }

    #[inline(always)]
    fn slot_image(&self, each: &Movable, images: &[u32]) -> usize {
        let mut slot = each.origin;
        for &(axis, point) in self.along(each) {
            slot += self.reach[axis as usize + images[point as usize] as usize];
        }
        slot as usize
    }

    /// The point that a movable slot holds, or NONE.
    #[inline(always)]
    pub fn held(&self, each: &Movable, values: &[u64]) -> u32 {
        if !each.holds() || each.is_absent(values) {
            return NONE;
        }
        self.point_of_code[each.codes as usize + values[each.slot as usize] as usize]
    }

    #[inline(always)]
    fn renamed(&self, each: &Movable, images: &[u32], values: &[u64]) -> u64 {
        match self.held(each, values) {
            NONE => values[each.slot as usize],
            point => self.code_of_point[each.names as usize + images[point as usize] as usize],
        }
    }

    /// g s, for g given by its images.
    pub fn apply(&self, images: &[u32], values: &[u64], moved: &mut [u64]) {
        moved.copy_from_slice(values);
        for &PlainSlot { slot, origin, axis, point } in &self.plain {
            let reach = self.reach[axis as usize + images[point as usize] as usize];
            moved[(origin + reach) as usize] = values[slot as usize];
        }
        for &number in &self.others {
            let each = &self.movable[number as usize];
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
