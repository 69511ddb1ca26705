//! Sets of points and of pairs with points side by side: the subsets, functions and relations over sorts that most variables
//! are. Such a value is a graph on its points, with marks on points and arcs between them, so the colours of its points are
//! found without building its graph layer by layer.

use super::Nested;
use super::sketch::Point;
use crate::kinds::machine::values::{Value, View};
use crate::random::mix;

const ELEMENT: u64 = 0x2545_f491_4f6c_dd1d;
const LEFT: u64 = 0x9fb2_1c65_1e98_df25;
const RIGHT: u64 = LEFT << 1;
/// Both sides of a pair are the same.
const SAME: u64 = 0x8cb9_2ba7_2f3d_8dd7;
/// Contributions along an arc, and against it.
const ALONG: u64 = 0xd1b5_4a32_d192_ed03;
const AGAINST: u64 = 0x9e37_79b9_7f4a_7c15;

/// Up to so many colours are counted faster by comparing all pairs than by sorting.
const FEW: usize = 12;

/// A value as it was read last, and buffers.
#[derive(Default)]
pub struct Flat {
    /// Moving points, by position in the base.
    pub arcs: Vec<(u32, u32)>,
    marks: Vec<(u32, u64)>,
    /// Which of the first 64 points are in it, and whether others are.
    first_points: u64,
    has_others: bool,
    /// Of its size and of all elements without moving points.
    rest: u64,
    /// By point: its position among the points of the value.
    at: Vec<u32>,
    along: Vec<u64>,
    against: Vec<u64>,
    colours: Vec<u64>,
    sums: Vec<u64>,
    sorted: Vec<u64>,
}

enum Side {
    Moving(u32),
    Free(u64),
    Deep,
}

impl Flat {
    /// Reads a value; false where it is of another kind. Equivalent values are of one kind.
    pub fn read(&mut self, nested: &Nested, value: Value) -> bool {
        let View::Set(elements) = nested.values.view(value) else { return false };
        self.arcs.clear();
        self.marks.clear();
        (self.first_points, self.has_others) = (0, false);
        self.rest = elements.len() as u64;
        elements.iter().all(|&element| self.read_element(nested, element))
    }

    fn read_element(&mut self, nested: &Nested, element: Value) -> bool {
        let Some((left, right)) = nested.values.as_pair(element) else {
            match side(nested, element) {
                Side::Moving(point) => self.mark(point, ELEMENT),
                Side::Free(hash) => self.rest = self.rest.wrapping_add(mix(hash)),
                Side::Deep => return false,
            }
            return true;
        };
        match (side(nested, left), side(nested, right)) {
            (Side::Moving(a), Side::Moving(b)) if a == b => self.mark(a, SAME),
            (Side::Moving(a), Side::Moving(b)) => {
                self.note(a);
                self.note(b);
                self.arcs.push((a, b));
            }
            (Side::Moving(a), Side::Free(hash)) => self.mark(a, hash ^ LEFT),
            (Side::Free(hash), Side::Moving(b)) => self.mark(b, hash ^ RIGHT),
            (Side::Free(_), Side::Free(_)) => {
                self.rest = self.rest.wrapping_add(mix(nested.values.hash(element)));
            }
            _ => return false,
        }
        true
    }

    /// Appends the moving points, ascending, and their colours from this value alone, refined as far as possible. True where
    /// all are different.
    pub fn point_colours(&mut self, nested: &Nested, into: &mut Vec<Point>) -> bool {
        let from = into.len();
        self.each_point(|point| into.push(Point::new(point, 0)));
        let points = &mut into[from..];
        let last = points.last().map_or(0, |last| last.at as usize + 1);
        if self.at.len() < last {
            self.at.resize(last, 0);
        }
        for (position, point) in (0..).zip(points.iter()) {
            self.at[point.at as usize] = position;
        }
        let all_differ = self.refine(nested, points) == points.len();
        for (point, &colour) in points.iter_mut().zip(&self.colours) {
            *point = Point::new(point.at, colour);
        }
        all_differ
    }

    /// How many different colours there are in the end.
    fn refine(&mut self, nested: &Nested, points: &[Point]) -> usize {
        let rest = mix(self.rest);
        let orbit = |point: &Point| mix(rest ^ u64::from(nested.orbits[point.at as usize]));
        self.colours.clear();
        self.colours.extend(points.iter().map(orbit));
        for &(point, mark) in &self.marks {
            let colour = &mut self.colours[self.at[point as usize] as usize];
            *colour = colour.wrapping_add(mix(mark));
        }
        let mut count = self.distinct();
        while !self.arcs.is_empty() && count < points.len() {
            self.round();
            let more = self.distinct();
            if more == count {
                break;
            }
            count = more;
        }
        count
    }

    /// The moving points, each once, ascending. Most groups have few: those were marked and need not be sorted.
    fn each_point(&self, mut name: impl FnMut(u32)) {
        if self.has_others {
            let ends = self.arcs.iter().flat_map(|&(a, b)| [a, b]);
            let mut points: Vec<u32> = ends.chain(self.marks.iter().map(|mark| mark.0)).collect();
            points.sort_unstable();
            points.dedup();
            return points.into_iter().for_each(name);
        }
        let mut rest = self.first_points;
        while rest != 0 {
            name(rest.trailing_zeros());
            rest &= rest - 1;
        }
    }

    #[inline(always)]
    fn note(&mut self, point: u32) {
        self.first_points |= 1u64.checked_shl(point).unwrap_or(0);
        self.has_others |= point >= u64::BITS;
    }

    #[inline(always)]
    fn mark(&mut self, point: u32, mark: u64) {
        self.note(point);
        self.marks.push((point, mark));
    }

    fn round(&mut self) {
        let Flat { arcs, at, along, against, colours, sums, .. } = self;
        along.clear();
        along.extend(colours.iter().map(|&colour| mix(colour ^ ALONG)));
        against.clear();
        against.extend(colours.iter().map(|&colour| mix(colour ^ AGAINST)));
        sums.clear();
        sums.resize(colours.len(), 0);
        for &(from, to) in arcs.iter() {
            let (from, to) = (at[from as usize] as usize, at[to as usize] as usize);
            sums[to] = sums[to].wrapping_add(along[from]);
            sums[from] = sums[from].wrapping_add(against[to]);
        }
        for (colour, sum) in colours.iter_mut().zip(sums) {
            *colour = mix(*colour ^ sum.wrapping_mul(LEFT));
        }
    }

    fn distinct(&mut self) -> usize {
        let Flat { colours, sorted, .. } = self;
        if colours.len() <= FEW {
            return (0..colours.len()).filter(|&at| !colours[..at].contains(&colours[at])).count();
        }
        sorted.clone_from(colours);
        sorted.sort_unstable();
        sorted.dedup();
        sorted.len()
    }
}

/// Adds to both ends of each arc the colour of the other.
pub fn pass(arcs: &[(u32, u32)], key: u64, colour: impl Fn(u32) -> u64, add: &mut impl FnMut(u32, u64)) {
    for &(from, to) in arcs {
        add(to, mix(colour(from) ^ key ^ ALONG));
        add(from, mix(colour(to) ^ key ^ AGAINST));
    }
}

#[inline(always)]
fn side(nested: &Nested, value: Value) -> Side {
    match value.as_point() {
        Some(point) => match nested.local(point) {
            Some(at) => Side::Moving(at),
            None => Side::Free(nested.values.hash(value)),
        },
        None if nested.values.has_points(value) => Side::Deep,
        None => Side::Free(nested.values.hash(value)),
    }
}
