//! Sets of few possible elements, as bits: subsets of a sort, and relations between two sorts, of at most 64 elements or pairs.
//!
//! This module maps elements to bits and bits to sets; the sets themselves are in the arena like all others, with their bits
//! where others have a hash. A set is dense where its elements are: by their types all elements of a set are in one
//! universe, and operands of an operator share it. Bits ascend with the handles of the elements.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::handle::{POINT, Value};
use super::index::Index;
use crate::random::mix;

/// Elements or pairs of a universe at most.
pub const WIDEST: u32 = 64;
/// Only the first points have universes, so that the table of pairs stays small.
const MAX_POINTS: u32 = 128;
/// Up to so many bits, handles are found by position.
const DIRECT: u32 = 12;
const SHARDS: usize = 16;

/// Where an element is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot {
    pub universe: u32,
    pub bit: u32,
}

/// Elements of a sort are a relation with one column: the left side is the element, there is no right one.
pub struct Universe {
    /// The first point of each side.
    left: u32,
    right: Option<u32>,
    pub rows: u32,
    /// How many bits belong to one left side.
    pub columns: u32,
    /// The universes of the sides.
    pub sides: (u32, u32),
    sets: OnceLock<Sets>,
}

/// From bits to the indices of sets; 0 where there is none, since the empty set is never asked for.
enum Sets {
    Direct(Box<[AtomicU32]>, Mutex<()>),
    Hashed(Box<[Shard]>),
}

#[repr(align(64))]
#[derive(Default)]
struct Shard(Mutex<Index>);

/// A spot in one number: the universe, from 1 on, above six bits. 0: none.
type Packed = u32;

#[derive(Default)]
pub struct Dense {
    /// By point.
    of_points: Vec<Packed>,
    /// By left and right point.
    of_pairs: Vec<Packed>,
    /// How many points the sides of those pairs may be.
    sides: u32,
    sorts: u32,
    universes: Vec<Option<Universe>>,
}

fn packed(universe: u32, bit: u32) -> Packed {
    (universe + 1) << 6 | bit
}

#[inline(always)]
fn unpacked(packed: Packed) -> Option<Spot> {
    (packed != 0).then_some(Spot { universe: (packed >> 6) - 1, bit: packed & 63 })
}

impl Dense {
    /// For sorts of these sizes, whose points are numbered through.
    pub fn new(sizes: &[u32]) -> Dense {
        let firsts = sizes.iter().scan(0, |next, &size| {
            *next += size;
            Some(*next - size)
        });
        let is_small = |&(first, size): &(u32, u32)| size > 0 && size <= WIDEST && first + size <= MAX_POINTS;
        let sorts: Vec<(u32, u32)> = firsts.zip(sizes.iter().copied()).filter(is_small).collect();
        let sides = sorts.last().map_or(0, |&(first, size)| first + size);
        let mut dense = Dense {
            of_points: vec![0; sides as usize],
            of_pairs: vec![0; (sides * sides) as usize],
            sides,
            sorts: sorts.len() as u32,
            universes: Vec::new(),
        };
        for (sort, &(left, rows)) in (0..).zip(&sorts) {
            (0..rows).for_each(|row| dense.of_points[(left + row) as usize] = packed(sort, row));
            let sides = (sort, sort);
            let universe = Universe { left, right: None, rows, columns: 1, sides, sets: OnceLock::new() };
            dense.universes.push(Some(universe));
        }
        for (left_sort, &(left, rows)) in (0..).zip(&sorts) {
            for (right_sort, &(right, columns)) in (0..).zip(&sorts) {
                let sides = (left_sort, right_sort);
                let right = Some(right);
                let universe = Universe { left, right, rows, columns, sides, sets: OnceLock::new() };
                dense.universes.push((rows * columns <= WIDEST).then_some(universe));
                dense.place_pairs(dense.universes.len() as u32 - 1);
            }
        }
        dense
    }

    fn place_pairs(&mut self, number: u32) {
        let Some(Universe { left, right: Some(right), rows, columns, .. }) = self.universes[number as usize]
        else {
            return;
        };
        for bit in 0..rows * columns {
            let (left, right) = (left + bit / columns, right + bit % columns);
            self.of_pairs[(left * self.sides + right) as usize] = packed(number, bit);
        }
    }

    /// The bit of an element; none where it has no universe.
    #[inline(always)]
    pub fn spot(&self, value: Value) -> Option<Spot> {
        if let Some((left, right)) = value.points_of_pair() {
            // Were the left point beyond, the place would be too; the right one has to be asked.
            let place = left as usize * self.sides as usize + right as usize;
            return self
                .of_pairs
                .get(place)
                .filter(|_| right < self.sides)
                .and_then(|&packed| unpacked(packed));
        }
        self.of_points.get(value.as_point()? as usize).and_then(|&packed| unpacked(packed))
    }

    /// By the universes of the sides, which are numbered like the sorts.
    #[inline(always)]
    pub fn universe_of_pairs(&self, left: u32, right: u32) -> u32 {
        self.sorts + left * self.sorts + right
    }

    #[inline(always)]
    pub fn universe(&self, universe: u32) -> &Universe {
        self.universes[universe as usize].as_ref().expect("a universe that has elements")
    }

    pub fn bytes(&self) -> usize {
        let sets = self.universes.iter().flatten().filter_map(|universe| universe.sets.get());
        sets.map(Sets::bytes).sum()
    }
}

impl Universe {
    #[inline(always)]
    fn element(&self, bit: u32) -> Value {
        let point = |point: u32| Value(point << 3 | POINT);
        match self.right {
            None => point(self.left + bit),
            Some(right) => {
                let (row, column) = (bit / self.columns, bit % self.columns);
                Value::small_pair(point(self.left + row), point(right + column))
            }
        }
    }

    /// The elements with these bits, ascending, at the beginning of a buffer.
    pub fn elements(&self, bits: u64, buffer: &mut [Value; WIDEST as usize]) -> usize {
        let (mut rest, mut count) = (bits, 0);
        while rest != 0 {
            buffer[count] = self.element(rest.trailing_zeros());
            rest &= rest - 1;
            count += 1;
        }
        count
    }

    pub fn is_of_pairs(&self) -> bool {
        self.right.is_some()
    }

    /// The index of the set with these bits, which are not none; `add` makes it, `bits_of` gives the bits of an index.
    #[inline(always)]
    pub fn find_or_add(&self, bits: u64, bits_of: impl Fn(u32) -> u64, add: impl FnOnce() -> u32) -> u32 {
        match self.sets.get() {
            Some(Sets::Direct(indices, _)) if indices[bits as usize].load(Ordering::Acquire) != 0 => {
                indices[bits as usize].load(Ordering::Acquire)
            }
            Some(Sets::Hashed(shards)) => {
                let key = mix(bits);
                let mut shard =
                    shards[key as usize % SHARDS].0.lock().unwrap_or_else(PoisonError::into_inner);
                let hash = (key >> 32) as u32;
                shard.find(hash, |index| bits_of(index) == bits).unwrap_or_else(|| {
                    let index = add();
                    shard.insert(hash, index);
                    index
                })
            }
            _ => self.add_first(bits, bits_of, add),
        }
    }

    #[cold]
    fn add_first(&self, bits: u64, bits_of: impl Fn(u32) -> u64, add: impl FnOnce() -> u32) -> u32 {
        let width = self.rows * self.columns;
        let sets = self.sets.get_or_init(|| {
            if width <= DIRECT {
                Sets::Direct((0..1 << width).map(|_| AtomicU32::new(0)).collect(), Mutex::default())
            } else {
                Sets::Hashed((0..SHARDS).map(|_| Shard::default()).collect())
            }
        });
        let Sets::Direct(indices, writing) = sets else { return self.find_or_add(bits, bits_of, add) };
        let _writing = writing.lock().unwrap_or_else(PoisonError::into_inner);
        let place = &indices[bits as usize];
        if place.load(Ordering::Acquire) == 0 {
            place.store(add(), Ordering::Release);
        }
        place.load(Ordering::Acquire)
    }
}

impl Sets {
    fn bytes(&self) -> usize {
        match self {
            Sets::Direct(indices, _) => size_of_val(&indices[..]),
            Sets::Hashed(shards) => {
                let of = |shard: &Shard| shard.0.lock().unwrap_or_else(PoisonError::into_inner).bytes();
                shards.iter().map(of).sum()
            }
        }
    }
}
