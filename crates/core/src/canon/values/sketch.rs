//! What is computed of one value, once for all states that hold it: colours of the points in it, which points it does not
//! distinguish, and how it ties points together.
//!
//! The parts of a value with points in them form a graph without cycles: a node for each such pair, record or set, equal
//! parts sharing one. Hashes are passed up from the points and contexts down to them. Started with the current colours of
//! points, this is a round of refinement; started with one colour for each orbit, it gives colours that the value alone
//! determines.

use hashbrown::HashMap;

use super::Nested;
use super::exchanges::Exchanges;
use super::flat::{self, Flat};
use super::precision::Reading;
use crate::kinds::machine::values::{Value, View};
use crate::random::mix;

/// What a part's place in the whole is called.
const ELEMENT: u64 = 0x2545_f491_4f6c_dd1d;
const FIELD: u64 = 0x9fb2_1c65_1e98_df25;
/// Both sides of a pair are the same.
const SAME: u64 = 0x8cb9_2ba7_2f3d_8dd7;
const DOWN: u64 = 0xd1b5_4a32_d192_ed03;
const TOP: u64 = 0x9e37_79b9_7f4a_7c15;

const NODE: u32 = 1 << 31;
const UNKNOWN: u32 = u32::MAX;

/// Sketches side by side, so that making one asks for no memory of its own. Their numbers say where they begin.
#[derive(Default)]
pub struct Sketches {
    /// Of each sketch two words, which are no points, and its points behind them, so that looking at one is looking at one
    /// place: (value, number of points), (number of its `Ties` or NO_TIES, 0).
    points: Vec<Point>,
    count: usize,
    /// By point: the position of the first point of the value with which it can be exchanged without changing the value.
    /// UNKNOWN until it is asked for: most values whose points have different colours are never asked.
    twins: Vec<u32>,
    /// Of those that tie points together.
    ties: Vec<Ties>,
    arcs: Vec<(u32, u32)>,
    nodes: Vec<Node>,
    parts: Vec<Part>,
}

/// Where the graph is by which a value ties points together.
struct Ties {
    /// Of a flat value: pairs of points in it.
    arcs: (u32, u32),
    /// Of any other: parts before what they are parts of; the last is the whole.
    nodes: (u32, u32),
    parts: (u32, u32),
}

const NO_TIES: u32 = u32::MAX;
const HEAD: usize = 2;

/// A moving point in a value; they ascend.
#[derive(Clone, Copy)]
pub struct Point {
    pub at: u32,
    /// That the value alone determines; half of what is computed, so that more of them are near.
    pub colour: u32,
}

impl Point {
    pub fn new(at: u32, colour: u64) -> Point {
        Point { at, colour: (colour >> 32) as u32 }
    }
}

#[derive(Clone, Copy)]
struct Node {
    /// Of its kind and of all its parts without points.
    hash: u64,
    /// Where its parts with points begin; they end where those of the next node begin.
    from: u32,
}

#[derive(Clone, Copy)]
struct Part {
    /// A point, or NODE and the number of a node.
    to: u32,
    role: u64,
}

/// How a value ties points together.
#[derive(Clone, Copy)]
struct Graph<'a> {
    arcs: &'a [(u32, u32)],
    nodes: &'a [Node],
    parts: &'a [Part],
}

/// Buffers for making sketches.
#[derive(Default)]
pub struct Passes {
    flat: Flat,
    flow: Flow,
    drawing: Drawing,
    /// By point: its position among those of the value.
    at: Vec<u32>,
    colours: Vec<u64>,
    sums: Vec<u64>,
    sorted: Vec<u64>,
    exchanges: Exchanges,
}

/// Buffers for going through one graph.
#[derive(Default)]
pub struct Flow {
    up: Vec<u64>,
    down: Vec<u64>,
}

fn range((from, to): (u32, u32)) -> std::ops::Range<usize> {
    from as usize..to as usize
}

impl Sketches {
    /// The number of the sketch of a value, which is made. No moving point occurs in the value if it has no points.
    pub fn add(&mut self, nested: &Nested, value: Value, passes: &mut Passes) -> u32 {
        let number = self.points.len();
        self.points.extend([Point { at: value.handle(), colour: 0 }, Point { at: NO_TIES, colour: 0 }]);
        let before = self.ends();
        if nested.values.has_points(value) {
            if passes.flat.read(nested, value) {
                if !passes.flat.point_colours(nested, &mut self.points) {
                    self.arcs.extend_from_slice(&passes.flat.arcs);
                }
            } else {
                self.add_layered(nested, value, passes);
            }
        }
        let after = self.ends();
        self.twins.resize(self.points.len(), UNKNOWN);
        self.points[number].colour = (self.points.len() - number - HEAD) as u32;
        let [arcs, nodes, parts] = std::array::from_fn(|list| (before[list], after[list]));
        if arcs.0 < arcs.1 || nodes.0 < nodes.1 {
            self.points[number + 1].at = self.ties.len() as u32;
            self.ties.push(Ties { arcs, nodes, parts });
        }
        self.count += 1;
        number as u32
    }

    fn ends(&self) -> [u32; 3] {
        [self.arcs.len(), self.nodes.len(), self.parts.len()].map(|len| len as u32)
    }

    fn add_layered(&mut self, nested: &Nested, value: Value, passes: &mut Passes) {
        let Passes { drawing, .. } = passes;
        drawing.clear();
        let Drawn::At(whole) = drawing.draw(nested, value) else { return };
        if whole & NODE == 0 {
            return self.points.push(Point::new(whole, mix(TOP)));
        }
        let places = &mut drawing.places;
        places.extend(drawing.parts.iter().map(|part| part.to).filter(|to| to & NODE == 0));
        places.sort_unstable();
        places.dedup();
        let ties = !Reading { nested, widened: true }.is_determined(value);
        let all_differ = refine_alone(nested, ties, passes);
        let colours = passes.drawing.places.iter().zip(&passes.colours);
        self.points.extend(colours.map(|(&point, &colour)| Point::new(point, colour)));
        if ties && !all_differ {
            self.nodes.extend_from_slice(&passes.drawing.nodes);
            self.parts.extend_from_slice(&passes.drawing.parts);
        }
    }

    pub fn len(&self) -> usize {
        self.count
    }

    fn value(&self, number: u32) -> Value {
        Value::from_handle(self.points[number as usize].at)
    }

    /// Numbers and values.
    pub fn all(&self) -> impl Iterator<Item = (u32, Value)> {
        let mut next = 0;
        std::iter::from_fn(move || {
            let number = next;
            next += HEAD as u32 + self.points.get(number as usize)?.colour;
            Some((number, self.value(number)))
        })
    }

    pub fn clear(&mut self) {
        self.points.clear();
        self.count = 0;
        self.twins.clear();
        self.ties.clear();
        self.arcs.clear();
        self.nodes.clear();
        self.parts.clear();
    }

    pub fn bytes(&self) -> usize {
        size_of_val(&self.points[..])
            + size_of_val(&self.twins[..])
            + size_of_val(&self.ties[..])
            + size_of_val(&self.arcs[..])
            + size_of_val(&self.nodes[..])
            + size_of_val(&self.parts[..])
    }

    /// The moving points of a value, ascending; their colours are those that the value alone determines.
    #[inline(always)]
    pub fn points(&self, number: u32) -> &[Point] {
        let (head, points) = self.points[number as usize..].split_at(HEAD);
        &points[..head[0].colour as usize]
    }

    /// Does the contribution to a point depend on the colours of others? Not where the value tells all its points apart:
    /// then it has nothing to add to that.
    #[inline(always)]
    pub fn ties(&self, number: u32) -> bool {
        self.points[number as usize + 1].at != NO_TIES
    }

    /// Of one that ties points together: calls `add` for each occurrence of a point with a hash of its context.
    pub fn pass(
        &self,
        number: u32,
        key: u64,
        colour: impl Fn(u32) -> u64,
        flow: &mut Flow,
        add: impl FnMut(u32, u64),
    ) {
        let Ties { arcs, nodes, parts } = &self.ties[self.points[number as usize + 1].at as usize];
        let graph = Graph {
            arcs: &self.arcs[range(*arcs)],
            nodes: &self.nodes[range(*nodes)],
            parts: &self.parts[range(*parts)],
        };
        graph.pass(key, colour, flow, add);
    }

    /// Does exchanging these two points leave the value as it is?
    pub fn exchanges(
        &mut self,
        nested: &Nested,
        number: u32,
        (a, b): (u32, u32),
        passes: &mut Passes,
    ) -> bool {
        let value = self.value(number);
        let from = number as usize + HEAD;
        let all = from..from + self.points[number as usize].colour as usize;
        let (points, twins) = (&self.points[all.clone()], &mut self.twins[all]);
        let position = |point: u32| points.binary_search_by_key(&point, |each| each.at);
        let (a, b) = match (position(a), position(b)) {
            (Ok(a), Ok(b)) => (a, b),
            (Err(_), Err(_)) => return true,
            _ => return false,
        };
        if points[a].colour != points[b].colour {
            return false;
        }
        if twins[a] == UNKNOWN {
            twins.copy_from_slice(passes.exchanges.classes(nested, value, points));
        }
        twins[a] == twins[b]
    }
}

/// Rounds of refinement on the value alone, from the orbits of its points on: done once, they spare every state that holds it the same rounds. Where it ties
/// no points together, one round is enough. True where it ties some, and all colours are different.
fn refine_alone(nested: &Nested, ties: bool, passes: &mut Passes) -> bool {
    let Passes { flow, at, colours, sums, sorted, drawing, .. } = passes;
    let points = &drawing.places;
    let last = points.last().map_or(0, |&last| last as usize + 1);
    if at.len() < last {
        at.resize(last, 0);
    }
    for (position, &point) in (0..).zip(points) {
        at[point as usize] = position;
    }
    colours.clear();
    colours.extend(points.iter().map(|&point| u64::from(nested.orbits[point as usize])));
    let graph = Graph { arcs: &[], nodes: &drawing.nodes, parts: &drawing.parts };
    let mut count = 0;
    loop {
        sums.clear();
        sums.resize(points.len(), 0);
        graph.pass(
            TOP,
            |point| colours[at[point as usize] as usize],
            flow,
            |point, hash| {
                let sum = &mut sums[at[point as usize] as usize];
                *sum = sum.wrapping_add(hash);
            },
        );
        for (colour, sum) in colours.iter_mut().zip(sums.iter()) {
            *colour = mix(*colour ^ sum.wrapping_mul(DOWN));
        }
        if !ties {
            return false;
        }
        sorted.clone_from(colours);
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() == count || sorted.len() == points.len() {
            return sorted.len() == points.len();
        }
        count = sorted.len();
    }
}

impl Graph<'_> {
    fn parts(&self, node: usize) -> &[Part] {
        let from = self.nodes[node].from as usize;
        let to = self.nodes.get(node + 1).map_or(self.parts.len(), |next| next.from as usize);
        &self.parts[from..to]
    }

    fn pass(&self, key: u64, colour: impl Fn(u32) -> u64, flow: &mut Flow, mut add: impl FnMut(u32, u64)) {
        flat::pass(self.arcs, key, &colour, &mut add);
        let Flow { up, down } = flow;
        up.clear();
        for at in 0..self.nodes.len() {
            let hash = self.parts(at).iter().fold(self.nodes[at].hash, |sum, part| {
                let inside =
                    if part.to & NODE == 0 { colour(part.to) } else { up[(part.to & !NODE) as usize] };
                sum.wrapping_add(mix(inside ^ part.role))
            });
            up.push(mix(hash));
        }
        down.clear();
        down.resize(self.nodes.len(), 0);
        if let Some(top) = down.last_mut() {
            *top = key;
        }
        for at in (0..self.nodes.len()).rev() {
            let around = mix(down[at].wrapping_mul(DOWN) ^ up[at]);
            for part in self.parts(at) {
                let hash = mix(around ^ part.role);
                if part.to & NODE == 0 {
                    add(part.to, hash);
                } else {
                    let context = &mut down[(part.to & !NODE) as usize];
                    *context = context.wrapping_add(hash);
                }
            }
        }
    }
}

#[derive(Default)]
struct Drawing {
    nodes: Vec<Node>,
    parts: Vec<Part>,
    /// The points in it.
    places: Vec<u32>,
    /// Parts of what is being drawn.
    open: Vec<Part>,
    /// Sets and records already drawn. Pairs are cheaper drawn twice than looked up.
    known: HashMap<Value, u32>,
}

#[derive(Clone, Copy)]
enum Drawn {
    /// Without moving points: its hash.
    Free(u64),
    /// A point, or NODE and a number.
    At(u32),
}

impl Drawing {
    fn clear(&mut self) {
        self.nodes.clear();
        self.parts.clear();
        self.places.clear();
        self.open.clear();
        self.known.clear();
    }

    fn draw(&mut self, nested: &Nested, value: Value) -> Drawn {
        let values = &nested.values;
        if !values.has_points(value) {
            return Drawn::Free(values.hash(value));
        }
        match values.view(value) {
            View::Point(point) => match nested.local(point) {
                Some(at) => Drawn::At(at),
                None => Drawn::Free(values.hash(value)),
            },
            View::Pair(left, right) => {
                let same = if left == right { SAME } else { 0 };
                self.draw_parts(nested, value, same, [(left, FIELD), (right, FIELD << 1)].into_iter())
            }
            View::Set(elements) => self.once(value, |drawing| {
                let parts = elements.iter().map(|&element| (element, ELEMENT));
                drawing.draw_parts(nested, value, elements.len() as u64, parts)
            }),
            View::Record(fields) => self.once(value, |drawing| {
                let parts = (1u64..).zip(fields).map(|(at, &field)| (field, FIELD.wrapping_mul(2 * at + 1)));
                drawing.draw_parts(nested, value, FIELD, parts)
            }),
            _ => Drawn::Free(values.hash(value)),
        }
    }

    fn once(&mut self, value: Value, draw: impl FnOnce(&mut Self) -> Drawn) -> Drawn {
        if let Some(&at) = self.known.get(&value) {
            return Drawn::At(at);
        }
        let drawn = draw(self);
        if let Drawn::At(at) = drawn {
            self.known.insert(value, at);
        }
        drawn
    }

    fn draw_parts(
        &mut self,
        nested: &Nested,
        value: Value,
        kind: u64,
        parts: impl Iterator<Item = (Value, u64)>,
    ) -> Drawn {
        let mut hash = mix(kind);
        let base = self.open.len();
        for (part, role) in parts {
            match self.draw(nested, part) {
                Drawn::Free(inside) => hash = hash.wrapping_add(mix(inside ^ role)),
                Drawn::At(to) => self.open.push(Part { to, role }),
            }
        }
        if self.open.len() == base {
            return Drawn::Free(nested.values.hash(value));
        }
        self.nodes.push(Node { hash, from: self.parts.len() as u32 });
        self.parts.extend_from_slice(&self.open[base..]);
        self.open.truncate(base);
        Drawn::At(NODE | (self.nodes.len() as u32 - 1))
    }
}
