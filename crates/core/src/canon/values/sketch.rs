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

pub struct Sketch {
    /// The moving points in it, ascending.
    pub points: Vec<u32>,
    /// By position there: the colour of the point that the value alone determines.
    pub point_colours: Vec<u64>,
    /// By position there: the first with which it can be exchanged without changing the value.
    twin: Vec<u32>,
    /// Does its contribution to a point depend on the colours of others? If not, the graph is empty.
    pub ties: bool,
    /// Of a flat value: pairs of points in it.
    arcs: Vec<(u32, u32)>,
    /// Of any other: parts before what they are parts of; the last is the whole.
    nodes: Vec<Node>,
    parts: Vec<Part>,
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

/// Buffers, so that most sketches are made without asking for memory but for what they keep.
#[derive(Default)]
pub struct Passes {
    flat: Flat,
    flow: Flow,
    drawing: Drawing,
    points: Vec<u32>,
    /// By point: its position among those.
    at: Vec<u32>,
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

impl Sketch {
    /// None where no moving point occurs.
    pub fn new(nested: &Nested, value: Value, passes: &mut Passes) -> Option<Sketch> {
        let mut sketch = if passes.flat.read(nested, value) {
            Sketch::flat(nested, &mut passes.flat)?
        } else {
            Sketch::layered(nested, value, passes)?
        };
        sketch.twin = passes.exchanges.classes(nested, value, (&sketch.points, &sketch.point_colours));
        Some(sketch)
    }

    fn flat(nested: &Nested, flat: &mut Flat) -> Option<Sketch> {
        let (points, point_colours) = flat.point_colours(nested);
        let arcs = flat.arcs.clone();
        let ties = !arcs.is_empty();
        let is_free = points.is_empty();
        let sketch = Sketch {
            points,
            point_colours,
            twin: Vec::new(),
            ties,
            arcs,
            nodes: Vec::new(),
            parts: Vec::new(),
        };
        (!is_free).then_some(sketch)
    }

    fn layered(nested: &Nested, value: Value, passes: &mut Passes) -> Option<Sketch> {
        let Passes { drawing, points, .. } = passes;
        drawing.clear();
        let whole = match drawing.draw(nested, value) {
            Drawn::Free(_) => return None,
            Drawn::At(at) => at,
        };
        points.clear();
        points.extend(drawing.parts.iter().map(|part| part.to).filter(|to| to & NODE == 0));
        if whole & NODE == 0 {
            points.push(whole);
        }
        points.sort_unstable();
        points.dedup();
        let reading = Reading { nested, widened: true };
        let mut sketch = Sketch {
            points: points.clone(),
            point_colours: points.iter().map(|&point| u64::from(nested.orbits[point as usize])).collect(),
            twin: Vec::new(),
            ties: !reading.is_determined(value),
            arcs: Vec::new(),
            nodes: std::mem::take(&mut drawing.nodes),
            parts: std::mem::take(&mut drawing.parts),
        };
        if whole & NODE == 0 {
            sketch.point_colours[0] = mix(TOP);
        } else {
            sketch.refine_alone(passes);
        }
        // What is kept is as large as it has to be; the buffers go back.
        let drawing = &mut passes.drawing;
        (drawing.nodes, drawing.parts) = (sketch.nodes, sketch.parts);
        let kept = sketch.ties.then(|| (drawing.nodes.clone(), drawing.parts.clone()));
        (sketch.nodes, sketch.parts) = kept.unwrap_or_default();
        Some(sketch)
    }

    /// Rounds of refinement on the value alone: done once, they spare every state that holds it the same rounds. Where it
    /// ties no points together, one round is enough.
    fn refine_alone(&mut self, passes: &mut Passes) {
        let Passes { flow, at, sums, sorted, .. } = passes;
        let last = self.points.last().map_or(0, |&last| last as usize + 1);
        if at.len() < last {
            at.resize(last, 0);
        }
        for (position, &point) in (0..).zip(&self.points) {
            at[point as usize] = position;
        }
        let mut point_colours = std::mem::take(&mut self.point_colours);
        let mut count = 0;
        loop {
            sums.clear();
            sums.resize(point_colours.len(), 0);
            self.pass(
                TOP,
                |point| point_colours[at[point as usize] as usize],
                flow,
                |point, hash| {
                    let sum = &mut sums[at[point as usize] as usize];
                    *sum = sum.wrapping_add(hash);
                },
            );
            for (colour, sum) in point_colours.iter_mut().zip(sums.iter()) {
                *colour = mix(*colour ^ sum.wrapping_mul(DOWN));
            }
            if !self.ties {
                break;
            }
            sorted.clone_from(&point_colours);
            sorted.sort_unstable();
            sorted.dedup();
            if sorted.len() == count || sorted.len() == point_colours.len() {
                break;
            }
            count = sorted.len();
        }
        self.point_colours = point_colours;
    }

    /// How much memory it takes, in points and parts.
    pub fn weight(&self) -> usize {
        self.points.len() + self.arcs.len() + self.parts.len() + self.nodes.len() + 4
    }

    fn parts(&self, node: usize) -> &[Part] {
        let from = self.nodes[node].from as usize;
        let to = self.nodes.get(node + 1).map_or(self.parts.len(), |next| next.from as usize);
        &self.parts[from..to]
    }

    /// Calls `add` for each occurrence of a point with a hash of its context.
    pub fn pass(
        &self,
        key: u64,
        colour: impl Fn(u32) -> u64,
        flow: &mut Flow,
        mut add: impl FnMut(u32, u64),
    ) {
        flat::pass(&self.arcs, key, &colour, &mut add);
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

    /// Does exchanging these two points leave the value as it is?
    #[inline]
    pub fn exchanges(&self, a: u32, b: u32) -> bool {
        match (self.points.binary_search(&a), self.points.binary_search(&b)) {
            (Ok(a), Ok(b)) => self.twin[a] == self.twin[b],
            (Err(_), Err(_)) => true,
            _ => false,
        }
    }
}

#[derive(Default)]
struct Drawing {
    nodes: Vec<Node>,
    parts: Vec<Part>,
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
