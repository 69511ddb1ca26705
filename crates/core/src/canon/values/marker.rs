//! The symmetry markers of Leuschel and Massart, exactly: equal words are equal markers (Def. 6 to 8).
//!
//! First the paths to each point: through elements of sets, sides of pairs, fields of records, in which variable. At a pair
//! with one side that is not symmetric, the path has that side's value. The points with the same paths form a class. Then
//! the state is written with classes in place of points and multisets in place of sets. Equivalent states have equal
//! markers; the converse holds under the condition of `precision`.
//!
//! The words are: for each round the table of classes in order, then the values of the slots, elements of sets in order. So
//! no hashing is involved. Fixed parts stand there by their handles, which are the same throughout a run.

use super::Nested;
use super::precision::Reading;
use crate::canon::MarkerOptions;
use crate::kinds::machine::values::{Value, View};
use crate::random::mix;

const ELEMENT: u32 = 1;
const LEFT: u32 = 2;
const RIGHT: u32 = 3;
const BOTH: u32 = 4;
/// To the left of a value, or to the right of it; the value follows.
const TO: u32 = 5;
const FROM: u32 = 6;
/// Its number follows; then, for each other field, one of the three below.
const FIELD: u32 = 7;
const PLAIN: u32 = 8;
const SAME: u32 = 9;
const OTHER: u32 = 10;

const FIXED: u32 = 11;
const POINT: u32 = 12;
const PAIR: u32 = 13;
const RECORD: u32 = 14;
const SET: u32 = 15;

const NONE: u32 = u32::MAX;

/// Buffers of one thread.
#[derive(Default)]
pub struct Workspace {
    /// The way to where the walk is.
    way: Vec<u32>,
    /// All ways, one after the other.
    words: Vec<u32>,
    /// (point, where its way begins and ends in `words`).
    ways: Vec<(u32, u32, u32)>,
    /// Where the ways of a point begin and end in `ways`.
    points: Vec<(u32, u32)>,
    /// By point: its class in the last round, NONE before the first and for points that do not occur.
    classes: Vec<u32>,
    sorting: Sorting,
}

/// The words of a set's elements, and where each begins and ends.
#[derive(Default)]
struct Elements {
    words: Vec<u32>,
    ranges: Vec<(u32, u32)>,
}

/// Buffers for writing sets, one for each depth.
#[derive(Default)]
struct Sorting {
    spare: Vec<Elements>,
}

pub struct Markers<'a> {
    reading: Reading<'a>,
    rounds: u8,
}

impl<'a> Markers<'a> {
    pub fn new(nested: &'a Nested, options: MarkerOptions) -> Self {
        Markers { reading: Reading { nested, widened: options.widened }, rounds: options.rounds.max(1) }
    }

    /// Leaves the marker of a state in `marker`.
    pub fn write(&self, state: &[u64], workspace: &mut Workspace, marker: &mut Vec<u32>) {
        let nested = self.reading.nested;
        marker.clear();
        workspace.classes.clear();
        workspace.classes.resize(nested.points.len(), NONE);
        for round in 0..self.rounds {
            workspace.words.clear();
            workspace.ways.clear();
            for (slot, value) in nested.unpacked(state).enumerate() {
                workspace.way.clear();
                workspace.way.push(slot as u32);
                self.walk(value, round > 0, workspace);
            }
            self.classify(workspace, marker);
        }
        let Workspace { classes, sorting, .. } = workspace;
        for value in nested.unpacked(state) {
            self.describe(value, classes, sorting, marker);
        }
    }

    /// Notes the path to each occurrence of a point. `marks_partners`: are sides of pairs represented by their markers?
    fn walk(&self, value: Value, marks_partners: bool, workspace: &mut Workspace) {
        let Reading { nested, .. } = self.reading;
        if !nested.values.has_points(value) {
            return;
        }
        let depth = workspace.way.len();
        match nested.values.view(value) {
            View::Point(point) => {
                if let Some(at) = nested.local(point) {
                    let begin = workspace.words.len() as u32;
                    workspace.words.extend_from_slice(&workspace.way);
                    workspace.ways.push((at, begin, workspace.words.len() as u32));
                }
            }
            View::Pair(left, right) => self.walk_pair(left, right, marks_partners, workspace),
            View::Set(elements) => {
                workspace.way.push(ELEMENT);
                elements.iter().for_each(|&element| self.walk(element, marks_partners, workspace));
            }
            View::Record(fields) => {
                for at in 0..fields.len() {
                    self.enter_field(fields, at, marks_partners, workspace);
                    self.walk(fields[at], marks_partners, workspace);
                    workspace.way.truncate(depth);
                }
            }
            _ => {}
        }
        workspace.way.truncate(depth);
    }

    /// Rules 2a to 2d.
    fn walk_pair(&self, left: Value, right: Value, marks_partners: bool, workspace: &mut Workspace) {
        let depth = workspace.way.len();
        match (self.reading.is_plain(left), self.reading.is_plain(right)) {
            (true, true) => {}
            (false, true) => {
                workspace.way.extend([TO, right.handle()]);
                self.walk(left, marks_partners, workspace);
            }
            (true, false) => {
                workspace.way.extend([FROM, left.handle()]);
                self.walk(right, marks_partners, workspace);
            }
            (false, false) if left == right => {
                workspace.way.push(BOTH);
                self.walk(left, marks_partners, workspace);
            }
            (false, false) => {
                for (side, here, there) in [(LEFT, left, right), (RIGHT, right, left)] {
                    workspace.way.push(side);
                    if marks_partners {
                        let Workspace { way, classes, sorting, .. } = workspace;
                        self.describe(there, classes, sorting, way);
                    }
                    self.walk(here, marks_partners, workspace);
                    workspace.way.truncate(depth);
                }
            }
        }
    }

    /// A record is read as a pair is, with more than one partner.
    fn enter_field(&self, fields: &[Value], at: usize, marks_partners: bool, workspace: &mut Workspace) {
        let Workspace { way, classes, sorting, .. } = workspace;
        way.extend([FIELD, at as u32]);
        for (_, &value) in fields.iter().enumerate().filter(|(other, _)| *other != at) {
            if self.reading.is_plain(value) {
                way.extend([PLAIN, value.handle()]);
            } else if value == fields[at] {
                way.push(SAME);
            } else {
                way.push(OTHER);
                if marks_partners {
                    self.describe(value, classes, sorting, way);
                }
            }
        }
    }

    /// Gives points with the same ways the same class, classes in the order of their ways; writes the table.
    fn classify(&self, workspace: &mut Workspace, marker: &mut Vec<u32>) {
        let Workspace { words, ways, points, classes, .. } = workspace;
        let orbits = &self.reading.nested.orbits;
        let way = |&(_, begin, end): &(u32, u32, u32)| &words[begin as usize..end as usize];
        ways.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| way(a).cmp(way(b))));
        points.clear();
        let mut begin = 0;
        for of_point in ways.chunk_by(|a, b| a.0 == b.0) {
            points.push((begin, begin + of_point.len() as u32));
            begin += of_point.len() as u32;
        }
        let of = |&(begin, end): &(u32, u32)| &ways[begin as usize..end as usize];
        let orbit = |ways: &[(u32, u32, u32)]| orbits[ways[0].0 as usize];
        let compare = |a: &(u32, u32), b: &(u32, u32)| {
            let (a, b) = (of(a), of(b));
            orbit(a).cmp(&orbit(b)).then_with(|| a.iter().map(way).cmp(b.iter().map(way)))
        };
        points.sort_unstable_by(compare);
        for (class, alike) in (0..).zip(points.chunk_by(|a, b| compare(a, b).is_eq())) {
            alike.iter().for_each(|range| classes[of(range)[0].0 as usize] = class);
            let ways = of(&alike[0]);
            marker.extend([orbit(ways), ways.len() as u32]);
            for each in ways.iter().map(way) {
                marker.push(each.len() as u32);
                marker.extend_from_slice(each);
            }
        }
        marker.push(NONE);
    }

    /// The value with classes in place of points. What has no moving points stays as it is.
    fn describe(&self, value: Value, classes: &[u32], sorting: &mut Sorting, out: &mut Vec<u32>) {
        let Reading { nested, .. } = self.reading;
        if nested.is_free(value) {
            out.extend([FIXED, value.handle()]);
            return;
        }
        match nested.values.view(value) {
            View::Point(point) => {
                out.extend([POINT, nested.local(point).map_or(NONE, |at| classes[at as usize])]);
            }
            View::Pair(left, right) => {
                out.push(PAIR);
                self.describe(left, classes, sorting, out);
                self.describe(right, classes, sorting, out);
            }
            View::Record(fields) => {
                out.extend([RECORD, fields.len() as u32]);
                fields.iter().for_each(|&field| self.describe(field, classes, sorting, out));
            }
            View::Set(elements) => {
                out.extend([SET, elements.len() as u32]);
                let Elements { mut words, mut ranges } = sorting.spare.pop().unwrap_or_default();
                words.clear();
                ranges.clear();
                for &element in elements {
                    let begin = words.len() as u32;
                    self.describe(element, classes, sorting, &mut words);
                    ranges.push((begin, words.len() as u32));
                }
                let of = |&(begin, end): &(u32, u32)| &words[begin as usize..end as usize];
                ranges.sort_unstable_by(|a, b| of(a).cmp(of(b)));
                ranges.iter().for_each(|range| out.extend_from_slice(of(range)));
                sorting.spare.push(Elements { words, ranges });
            }
            _ => out.extend([FIXED, value.handle()]),
        }
    }
}

pub fn hash(marker: &[u32]) -> u64 {
    let mut hash = marker.len() as u64;
    for &word in marker {
        hash = (hash.rotate_left(5) ^ u64::from(word)).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    mix(hash)
}
