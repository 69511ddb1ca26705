//! A state as a coloured graph, and its canonical labelling by nauty (Spermann 2009, 2.3 and 2.4, corrected).
//!
//! A vertex for each atom and each nested value, shared by all variables; labelled arcs say what is an element, a side or a
//! field of what, and in which variable. A variable that is a set of pairs draws an arc for each pair, any other an arc to
//! the root. Corrections: the colour of a vertex depends on its value alone, not on what else a state holds; each nested
//! pair has a vertex of its own; the empty set at the top is an arc from the vertex of the empty set.
//!
//! nauty has no edge labels. Either each label in use becomes a layer with a copy of every vertex, or each ordered pair of
//! vertices gets one vertex for the set of labels between them. A binary code for labels would be wrong: labels 1 and 2 on
//! one pair would look like label 3.
//!
//! As in `data::labelling`, points carry their refined colours, and slots without moving points are left out: they are the
//! same in equivalent states.

use hashbrown::HashMap;

use super::Nested;
use crate::kinds::machine::values::{Value, Values, View};
use crate::nauty::{Graph, Workspace};
use crate::random::mix;
use crate::structure::cells;

/// How labels of arcs are shown to nauty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// A copy of every vertex for each label.
    Layers,
    /// A vertex for the labels of each ordered pair of vertices.
    #[default]
    LabelSets,
}

/// How arcs inside nested values are labelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inner {
    /// By what the part is to the whole.
    Role,
    /// By the variable in which the value occurs first (what the thesis measured).
    Variable,
}

const ROOT: (u8, u64) = (0, 0);
const ATOM: u8 = 1;
const POINT: u8 = 2;
const NESTED: (u8, u64) = (3, 0);
const LABELS: u8 = 4;

const ELEMENT: u32 = 0;
const FROM: u32 = 1;
const KEPT: u32 = 2;
const SLOTS_FROM: u32 = 3;
const FIELDS_FROM: u32 = 1 << 30;

struct ValueGraph<'a> {
    nested: &'a Nested,
    point_colours: &'a [u64],
    inner: Inner,
    /// The variable that is being drawn.
    slot: u32,
    /// Drawn where something leads to it.
    root: Option<u32>,
    colours: Vec<(u8, u64)>,
    arcs: Vec<(u32, u32, u32)>,
    known: HashMap<Value, u32>,
}

/// A graph without labels, its arcs directed.
struct UnlabelledGraph {
    colours: Vec<(u8, u64, u32)>,
    arcs: Vec<(u32, u32)>,
    /// By vertex of the labelled graph.
    vertex: Vec<u32>,
}

impl<'a> ValueGraph<'a> {
    fn new(nested: &'a Nested, point_colours: &'a [u64], inner: Inner) -> Self {
        ValueGraph {
            nested,
            point_colours,
            inner,
            slot: 0,
            root: None,
            colours: Vec::new(),
            arcs: Vec::new(),
            known: HashMap::new(),
        }
    }

    fn add(&mut self, colour: (u8, u64)) -> u32 {
        self.colours.push(colour);
        self.colours.len() as u32 - 1
    }

    fn connect(&mut self, from: u32, to: u32, role: u32) {
        let label = match self.inner {
            Inner::Variable if role != KEPT => SLOTS_FROM + self.slot,
            _ => role,
        };
        self.arcs.push((from, to, label));
    }

    fn draw_slot(&mut self, slot: usize, value: Value) {
        self.slot = slot as u32;
        let label = SLOTS_FROM + slot as u32;
        let values = &self.nested.values;
        match values.view(value) {
            View::Set(elements) if !elements.is_empty() => {
                elements.iter().for_each(|&element| self.draw_top(element, label));
            }
            _ => self.draw_top(value, label),
        }
    }

    fn draw_top(&mut self, value: Value, label: u32) {
        match self.nested.values.as_pair(value) {
            Some((left, right)) => {
                let (from, to) = (self.draw(left), self.draw(right));
                self.arcs.push((from, to, label));
            }
            None => {
                let from = self.draw(value);
                let root = self.root.unwrap_or_else(|| self.add(ROOT));
                self.root = Some(root);
                self.arcs.push((from, root, label));
            }
        }
    }

    fn draw(&mut self, value: Value) -> u32 {
        if let Some(&vertex) = self.known.get(&value) {
            return vertex;
        }
        let values = &self.nested.values;
        let vertex = match values.view(value) {
            View::Pair(left, right) => {
                let vertex = self.add(NESTED);
                let (from, to) = (self.draw(left), self.draw(right));
                self.connect(from, vertex, FROM);
                self.connect(to, vertex, ELEMENT);
                vertex
            }
            View::Set(elements) if !elements.is_empty() => {
                let vertex = self.add(NESTED);
                for &element in elements {
                    let part = self.draw(element);
                    self.connect(part, vertex, ELEMENT);
                }
                vertex
            }
            View::Record(fields) => {
                let vertex = self.add(NESTED);
                for (role, &field) in (FIELDS_FROM..).zip(fields) {
                    let part = self.draw(field);
                    self.connect(part, vertex, role);
                }
                vertex
            }
            view => {
                let moving = if let View::Point(point) = view { self.nested.local(point) } else { None };
                match moving {
                    Some(at) => self.add((POINT, self.point_colours[at as usize])),
                    None => self.add((ATOM, u64::from(value.handle()))),
                }
            }
        };
        self.known.insert(value, vertex);
        vertex
    }

    fn draw_kept(&mut self) {
        let nested = self.nested;
        for &(from, to) in &nested.kept {
            let [from, to] = [from, to].map(|at| self.draw_point(at));
            self.connect(from, to, KEPT);
        }
    }

    fn draw_point(&mut self, at: u32) -> u32 {
        self.draw(Values::point(self.nested.points[at as usize]))
    }

    fn finish(&mut self) {
        self.arcs.sort_unstable();
        self.arcs.dedup();
    }

    /// Copies of a vertex are linked in a chain, so they move together.
    fn layers(&self) -> UnlabelledGraph {
        let mut labels: Vec<u32> = self.arcs.iter().map(|arc| arc.2).collect();
        labels.sort_unstable();
        labels.dedup();
        let count = labels.len().max(1) as u32;
        let mut plain = UnlabelledGraph { colours: Vec::new(), arcs: Vec::new(), vertex: Vec::new() };
        for (vertex, &(kind, payload)) in (0u32..).zip(&self.colours) {
            plain.vertex.push(vertex * count);
            plain.colours.extend((0..count).map(|layer| (kind, payload, layer_name(&labels, layer))));
            for layer in 1..count {
                let (above, below) = (vertex * count + layer - 1, vertex * count + layer);
                plain.arcs.extend([(above, below), (below, above)]);
            }
        }
        for &(from, to, label) in &self.arcs {
            let layer = labels.binary_search(&label).unwrap_or_default() as u32;
            plain.arcs.push((from * count + layer, to * count + layer));
        }
        plain
    }

    fn label_sets(&self) -> UnlabelledGraph {
        let vertices = self.colours.len() as u32;
        let mut plain = UnlabelledGraph {
            colours: self.colours.iter().map(|&(kind, payload)| (kind, payload, 0)).collect(),
            arcs: Vec::new(),
            vertex: (0..vertices).collect(),
        };
        for between in self.arcs.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let labels = between.iter().fold(0, |hash, arc| mix(hash ^ u64::from(arc.2 + 1)));
            let middle = plain.colours.len() as u32;
            plain.colours.push((LABELS, labels, 0));
            plain.arcs.extend([(between[0].0, middle), (middle, between[0].1)]);
        }
        plain
    }
}

/// A layer's part in the colours of its vertices: the label, so that layers of different labels never look alike.
fn layer_name(labels: &[u32], layer: u32) -> u32 {
    labels.get(layer as usize).copied().unwrap_or_default()
}

/// Numbers the points canonically, in place of their colours; the nodes of nauty's search tree. Points that occur in no slot
/// come last, in any order: nothing distinguishes them.
pub fn number(
    nested: &Nested,
    state: &[u64],
    slots: &[usize],
    encoding: Encoding,
    colours: &mut [u64],
) -> u64 {
    let mut drawn = ValueGraph::new(nested, colours, Inner::Role);
    slots.iter().for_each(|&slot| drawn.draw_slot(slot, nested.value(slot, state[slot])));
    drawn.draw_kept();
    drawn.finish();
    let plain = match encoding {
        Encoding::Layers => drawn.layers(),
        Encoding::LabelSets => drawn.label_sets(),
    };
    let at_point = |at: usize| drawn.known.get(&Values::point(nested.points[at]));
    let vertices: Vec<Option<u32>> =
        (0..colours.len()).map(|at| at_point(at).map(|&vertex| plain.vertex[vertex as usize])).collect();
    let graph = Graph::from_arcs(plain.colours.len(), &plain.arcs);
    let mut order: Vec<u32> = (0..plain.colours.len() as u32).collect();
    order.sort_by_key(|&v| plain.colours[v as usize]);
    let mut workspace = Workspace::directed(&graph);
    workspace.colour(cells(&order, |v| plain.colours[v as usize]));
    let run = workspace.label();
    let mut numbers = vec![0; order.len()];
    for (number, vertex) in workspace.labelling().enumerate() {
        numbers[vertex as usize] = number as u64;
    }
    for (at, (colour, vertex)) in colours.iter_mut().zip(vertices).enumerate() {
        *colour = vertex.map_or((numbers.len() + at) as u64, |vertex| numbers[vertex as usize]);
    }
    run.nodes
}

/// Vertices and arcs of the layered graph of a whole state, labelled as in the measurements of the thesis.
pub fn size(nested: &Nested, state: &[u64]) -> (usize, usize) {
    let colours = vec![0; nested.points.len()];
    let mut drawn = ValueGraph::new(nested, &colours, Inner::Variable);
    for (slot, value) in nested.unpacked(state).enumerate().filter(|(_, value)| *value != Value::UNSET) {
        drawn.draw_slot(slot, value);
    }
    drawn.finish();
    let plain = drawn.layers();
    (plain.colours.len(), plain.arcs.len())
}
