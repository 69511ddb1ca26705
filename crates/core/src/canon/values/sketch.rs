//! What is known of one value, once and for all states that hold it: how each point occurs in it, which points it does not
//! tell apart, and how it ties points together.
//!
//! The parts of a value with points in them form a graph without cycles: a node for each such pair, record or set, equal
//! parts sharing one. Hashes go up from the points and contexts come down to them; with the colours of points as what
//! hashes start from this is a round of refinement, with one colour for all it is what the value tells of a point by itself.

use hashbrown::HashMap;

use super::Nested;
use super::precision::Reading;
use crate::machine::values::{Value, View};
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
    /// By position there: how the point occurs, as far as the value by itself tells.
    pub told: Vec<u64>,
    /// By position there: the first with which it can be exchanged without changing the value.
    twin: Vec<u32>,
    /// Does what it tells of a point depend on the colours of others? If not, the graph is empty.
    pub ties: bool,
    /// Parts before what they are parts of; the last is the whole.
    nodes: Vec<Node>,
    parts: Vec<Part>,
}

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

/// Buffers for going through one graph.
#[derive(Default)]
pub struct Passes {
    up: Vec<u64>,
    down: Vec<u64>,
    stack: Vec<Value>,
}

impl Sketch {
    /// None where no moving point occurs.
    pub fn new(nested: &Nested, value: Value, passes: &mut Passes) -> Option<Sketch> {
        let mut drawing = Drawing { nested, nodes: Vec::new(), parts: Vec::new(), known: HashMap::new() };
        let whole = match drawing.draw(value) {
            Drawn::Free(_) => return None,
            Drawn::At(at) => at,
        };
        let mut points: Vec<u32> =
            drawing.parts.iter().map(|part| part.to).filter(|to| to & NODE == 0).collect();
        if whole & NODE == 0 {
            points.push(whole);
        }
        points.sort_unstable();
        points.dedup();
        let reading = Reading { nested, widened: true };
        let mut sketch = Sketch {
            told: vec![0; points.len()],
            twin: Vec::new(),
            ties: !reading.says_all(value),
            nodes: drawing.nodes,
            parts: drawing.parts,
            points,
        };
        if whole & NODE == 0 {
            sketch.told[0] = mix(TOP);
        } else {
            sketch.listen(passes);
        }
        sketch.twin = Exchanges::of(nested, value, &sketch).classes(&mut passes.stack);
        if !sketch.ties {
            (sketch.nodes, sketch.parts) = (Vec::new(), Vec::new());
        }
        Some(sketch)
    }

    /// Rounds on the value alone, until it tells no more points apart: done once, they spare every state that holds it the
    /// same rounds. Where it ties nothing, one says all.
    fn listen(&mut self, passes: &mut Passes) {
        let mut told = vec![0; self.points.len()];
        let mut sorted = Vec::new();
        let mut count = 0;
        loop {
            let at = |point: u32| self.points.partition_point(|&other| other < point);
            let mut next = vec![0u64; told.len()];
            self.pass(
                TOP,
                |point| told[at(point)],
                passes,
                |point, says| {
                    let heard = &mut next[at(point)];
                    *heard = heard.wrapping_add(says);
                },
            );
            for (colour, heard) in told.iter_mut().zip(next) {
                *colour = mix(*colour ^ heard.wrapping_mul(DOWN));
            }
            sorted.clone_from(&told);
            sorted.sort_unstable();
            sorted.dedup();
            if !self.ties || sorted.len() == count || sorted.len() == told.len() {
                break;
            }
            count = sorted.len();
        }
        self.told = told;
    }

    /// How much memory it takes, in points and parts.
    pub fn weight(&self) -> usize {
        self.points.len() + self.parts.len() + self.nodes.len() + 4
    }

    fn parts(&self, node: usize) -> &[Part] {
        let from = self.nodes[node].from as usize;
        let to = self.nodes.get(node + 1).map_or(self.parts.len(), |next| next.from as usize);
        &self.parts[from..to]
    }

    /// Tells each point, once for each place where it occurs, what is around it there.
    pub fn pass(
        &self,
        key: u64,
        colour: impl Fn(u32) -> u64,
        passes: &mut Passes,
        mut tell: impl FnMut(u32, u64),
    ) {
        let Passes { up, down, .. } = passes;
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
                let says = mix(around ^ part.role);
                if part.to & NODE == 0 {
                    tell(part.to, says);
                } else {
                    let context = &mut down[(part.to & !NODE) as usize];
                    *context = context.wrapping_add(says);
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

/// A value, and by point of it the elements with that point, where it is a set.
struct Exchanges<'a> {
    nested: &'a Nested,
    value: Value,
    points: &'a [u32],
    told: &'a [u64],
    touching: Vec<Vec<Value>>,
}

impl<'a> Exchanges<'a> {
    fn of(nested: &'a Nested, value: Value, sketch: &'a Sketch) -> Self {
        let mut touching = vec![Vec::new(); sketch.points.len()];
        for &element in nested.values.elements(value) {
            nested.each_point(element, &mut |point| {
                if let Ok(at) = sketch.points.binary_search(&point)
                    && touching[at].last() != Some(&element)
                {
                    touching[at].push(element);
                }
            });
        }
        Exchanges { nested, value, points: &sketch.points, told: &sketch.told, touching }
    }

    /// By position: the first point with which it can be exchanged. Being exchangeable is an equivalence, and a value
    /// tells the same of exchangeable points.
    fn classes(&self, stack: &mut Vec<Value>) -> Vec<u32> {
        let mut classes: Vec<u32> = (0..self.points.len() as u32).collect();
        let mut by_told = classes.clone();
        by_told.sort_by_key(|&at| (self.told[at as usize], at));
        let mut images: Vec<u32> = (0..self.nested.local.len() as u32).collect();
        for alike in by_told.chunk_by(|&a, &b| self.told[a as usize] == self.told[b as usize]) {
            let mut leaders: Vec<u32> = Vec::new();
            for &at in alike {
                let found =
                    leaders.iter().copied().find(|&leader| self.fits((leader, at), &mut images, stack));
                match found {
                    Some(leader) => classes[at as usize] = leader,
                    None => leaders.push(at),
                }
            }
        }
        classes
    }

    fn fits(&self, (a, b): (u32, u32), images: &mut [u32], stack: &mut Vec<Value>) -> bool {
        let [x, y] = [a, b].map(|at| self.nested.points[self.points[at as usize] as usize] as usize);
        images.swap(x, y);
        let nested = self.nested;
        let fits = if nested.values.is_set(self.value) {
            let elements = nested.values.elements(self.value);
            let touched = self.touching[a as usize].iter().chain(&self.touching[b as usize]);
            nested.stay_inside(touched, elements, images, stack)
        } else {
            nested.fixes_value(self.value, images, stack)
        };
        images.swap(x, y);
        fits
    }
}

struct Drawing<'a> {
    nested: &'a Nested,
    nodes: Vec<Node>,
    parts: Vec<Part>,
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

impl Drawing<'_> {
    fn draw(&mut self, value: Value) -> Drawn {
        let values = &self.nested.values;
        if !values.has_points(value) {
            return Drawn::Free(values.hash(value));
        }
        match values.view(value) {
            View::Point(point) => match self.nested.local(point) {
                Some(at) => Drawn::At(at),
                None => Drawn::Free(values.hash(value)),
            },
            View::Pair(left, right) => {
                let same = if left == right { SAME } else { 0 };
                self.draw_parts(value, same, [(left, FIELD), (right, FIELD << 1)].into_iter())
            }
            View::Set(elements) => self.once(value, |drawing| {
                let parts = elements.iter().map(|&element| (element, ELEMENT));
                drawing.draw_parts(value, elements.len() as u64, parts)
            }),
            View::Record(fields) => self.once(value, |drawing| {
                let parts = (1u64..).zip(fields).map(|(at, &field)| (field, FIELD.wrapping_mul(2 * at + 1)));
                drawing.draw_parts(value, FIELD, parts)
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

    fn draw_parts(&mut self, value: Value, kind: u64, parts: impl Iterator<Item = (Value, u64)>) -> Drawn {
        let mut hash = mix(kind);
        let mut with_points = Vec::new();
        for (part, role) in parts {
            match self.draw(part) {
                Drawn::Free(inside) => hash = hash.wrapping_add(mix(inside ^ role)),
                Drawn::At(to) => with_points.push(Part { to, role }),
            }
        }
        if with_points.is_empty() {
            return Drawn::Free(self.nested.values.hash(value));
        }
        self.nodes.push(Node { hash, from: self.parts.len() as u32 });
        self.parts.append(&mut with_points);
        Drawn::At(NODE | (self.nodes.len() as u32 - 1))
    }
}
