//! A coloured graph, taken apart into pieces whose automorphisms are found one by one.
//!
//! Let vertices have colours that every automorphism keeps. Between two colours, or inside one, either some edges are missing
//! or none is. In the second case removing them all changes nothing: automorphisms map such pairs to such pairs. What is left
//! often falls apart into many pieces of few kinds: the components of a system, once what all share is gone. An automorphism
//! maps pieces to pieces of the same kind, so the group is the product, over the kinds, of wreath products: the automorphisms
//! of one piece, and all permutations of the pieces. Pieces are of one kind where their canonical forms are equal.
//!
//! Colours are refined until vertices of one colour have as many neighbours of each other colour.

use std::collections::{BTreeMap, HashMap};

use num_bigint::BigUint;

use super::partition::Partition;
use super::{cells, matching};
use crate::canon::{Cancel, join, root};
use crate::nauty::{Automorphisms, Graph, Workspace};

/// Of fewer vertices nauty finds automorphisms sooner.
const LARGE: usize = 1000;

/// Generators by the vertices that they move: (vertex, image). The order is that of what they generate.
pub struct Found {
    pub generators: Vec<Vec<(u32, u32)>>,
    pub order: BigUint,
    /// Are these all automorphisms?
    pub complete: bool,
}

/// A connected part of the graph.
struct Piece {
    /// Sorted by colour.
    vertices: Vec<u32>,
    graph: Graph,
}

/// What pieces of one kind share: colours and edges of the canonical form.
type Form = (Vec<u64>, Vec<(u32, u32)>);

/// All automorphisms of the graph that keep the colours, or those that were found when the token of this thread was set: the
/// pieces that were not looked at stay where they are then.
pub fn automorphisms(graph: &Graph, given: &[u64]) -> Found {
    let colours = refined(graph, given);
    let mut found = Found { generators: Vec::new(), order: BigUint::from(1u32), complete: true };
    let mut alone: BTreeMap<(Vec<u64>, usize), Vec<Piece>> = BTreeMap::new();
    let pieces = pieces(graph, &colours);
    if pieces.iter().filter(|piece| piece.vertices.len() > 1).count() < 2 {
        // Nothing is gained. The generators that nauty finds in the colours that were given move less.
        found.add_inside(&whole(graph, given), given, 1);
        return found;
    }
    for piece in pieces {
        let key = (piece.vertices.iter().map(|&v| colours[v as usize]).collect(), piece.graph.edges.len());
        alone.entry(key).or_default().push(piece);
    }
    let cancel = Cancel::current();
    for alike in alone.into_values() {
        found.complete &= !cancel.is_cancelled() && found.add_alike(&alike, &colours).is_some();
        if !found.complete {
            break;
        }
    }
    found
}

impl Found {
    /// Pieces that may be of one kind. None where there was no time to see which are.
    fn add_alike(&mut self, alike: &[Piece], colours: &[u64]) -> Option<()> {
        // A piece that no other can be like needs no canonical form.
        if let [piece] = alike {
            self.add_inside(piece, colours, 1);
            return Some(());
        }
        let mut kinds: BTreeMap<Form, Vec<Vec<u32>>> = BTreeMap::new();
        let mut first_of_kind: BTreeMap<Vec<u32>, &Piece> = BTreeMap::new();
        for piece in alike {
            let (form, order) = piece.canonical(colours)?;
            first_of_kind.insert(order.clone(), piece);
            kinds.entry(form).or_default().push(order);
        }
        for members in kinds.values() {
            let inside = self.generators.len();
            self.add_inside(first_of_kind[&members[0]], colours, members.len());
            self.copy(inside, members);
            self.exchange(members);
        }
        Some(())
    }

    /// The automorphisms of a piece, of which there are so many.
    fn add_inside(&mut self, piece: &Piece, colours: &[u64], count: usize) {
        if piece.vertices.len() < 2 {
            return;
        }
        let Automorphisms { generators, order, complete } = piece.automorphisms(colours);
        self.complete &= complete;
        self.order *= order.pow(count as u32);
        let there = |(x, y): (u32, u32)| (piece.vertices[x as usize], piece.vertices[y as usize]);
        let moved = generators.into_iter().map(|moves| moves.into_iter().map(there).collect());
        self.generators.extend(moved);
    }

    /// The generators from this one on act on the first piece: the same on the others. `members`: vertices in canonical order.
    fn copy(&mut self, from: usize, members: &[Vec<u32>]) {
        let own = self.generators[from..].to_vec();
        if own.is_empty() {
            return;
        }
        let place: HashMap<u32, usize> = members[0].iter().enumerate().map(|(at, &v)| (v, at)).collect();
        for member in &members[1..] {
            let there = |v: &u32| member[place[v]];
            let copied = own.iter().map(|g| g.iter().map(|(x, y)| (there(x), there(y))).collect());
            self.generators.extend(copied);
        }
    }

    fn exchange(&mut self, members: &[Vec<u32>]) {
        for (number, pair) in members.windows(2).enumerate() {
            self.order *= number + 2;
            let both = pair[0].iter().zip(&pair[1]);
            self.generators.push(both.flat_map(|(&x, &y)| [(x, y), (y, x)]).collect());
        }
    }
}

impl Piece {
    fn automorphisms(&self, colours: &[u64]) -> Automorphisms {
        let matched = if self.vertices.len() < LARGE {
            None
        } else {
            let own: Vec<u64> = self.vertices.iter().map(|&v| colours[v as usize]).collect();
            matching::automorphisms(&self.graph, &own)
        };
        matched.unwrap_or_else(|| self.workspace(colours).automorphisms())
    }

    fn workspace(&self, colours: &[u64]) -> Workspace {
        let mut workspace = Workspace::new(&self.graph);
        let all: Vec<u32> = (0..self.vertices.len() as u32).collect();
        workspace.colour(cells(&all, |v| colours[self.vertices[v as usize] as usize]));
        workspace
    }

    /// The canonical form, and the vertices in the order in which it numbers them; None where there was no time for it.
    fn canonical(&self, colours: &[u64]) -> Option<(Form, Vec<u32>)> {
        let mut labelling: Vec<u32> = (0..self.vertices.len() as u32).collect();
        if labelling.len() > 1 {
            let mut workspace = self.workspace(colours);
            workspace.label_in_time()?;
            labelling = workspace.labelling().collect();
        }
        let mut number = vec![0; labelling.len()];
        labelling.iter().enumerate().for_each(|(at, &v)| number[v as usize] = at as u32);
        let order: Vec<u32> = labelling.iter().map(|&v| self.vertices[v as usize]).collect();
        let mut edges = Vec::with_capacity(self.graph.edges.len());
        for v in 0..labelling.len() {
            let around = &self.graph.edges[self.graph.starts[v]..self.graph.starts[v + 1]];
            edges.extend(around.iter().map(|&other| (number[v], number[other as usize])));
        }
        edges.sort_unstable();
        Some(((order.iter().map(|&v| colours[v as usize]).collect(), edges), order))
    }
}

fn whole(graph: &Graph, colours: &[u64]) -> Piece {
    let mut vertices: Vec<u32> = (0..colours.len() as u32).collect();
    vertices.sort_by_key(|&v| colours[v as usize]);
    let mut place = vec![0; vertices.len()];
    vertices.iter().enumerate().for_each(|(at, &v)| place[v as usize] = at as u32);
    let mut starts = vec![0];
    let mut edges = Vec::with_capacity(graph.edges.len());
    for &v in &vertices {
        edges.extend(around(graph, v as usize).iter().map(|&w| place[w as usize]));
        starts.push(edges.len());
    }
    Piece { vertices, graph: Graph { starts, edges } }
}

fn around(graph: &Graph, v: usize) -> &[u32] {
    &graph.edges[graph.starts[v]..graph.starts[v + 1]]
}

/// Colours that tell vertices apart by what is around them.
fn refined(graph: &Graph, colours: &[u64]) -> Vec<u64> {
    let mut partition = Partition::new(graph, colours);
    let mut cancel = Cancel::current();
    if partition.refine(&mut |_| !cancel.poll()).is_none() {
        return colours.to_vec();
    }
    (0..colours.len() as u32).map(|v| u64::from(partition.cell(v))).collect()
}

/// The connected parts that are left where all edges between two colours are removed if none is missing.
fn pieces(graph: &Graph, colours: &[u64]) -> Vec<Piece> {
    let vertices = colours.len();
    let mut size: HashMap<u64, u64> = HashMap::new();
    colours.iter().for_each(|&colour| *size.entry(colour).or_default() += 1);
    // Each edge is listed from both ends.
    let mut edges: HashMap<(u64, u64), u64> = HashMap::new();
    for v in 0..vertices {
        for &w in around(graph, v) {
            *edges.entry((colours[v], colours[w as usize])).or_default() += 1;
        }
    }
    edges.retain(|&(a, b), count| {
        let all = if a == b { size[&a] * (size[&a] - 1) } else { size[&a] * size[&b] };
        *count != all
    });
    let is_left = |v: u32, w: u32| edges.contains_key(&(colours[v as usize], colours[w as usize]));
    let mut parent: Vec<u32> = (0..vertices as u32).collect();
    for v in 0..vertices as u32 {
        for &w in around(graph, v as usize).iter().filter(|&&w| is_left(v, w)) {
            join(&mut parent, v, w);
        }
    }
    let mut members: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    (0..vertices as u32).for_each(|v| members.entry(root(&mut parent, v)).or_default().push(v));
    let mut local = vec![0; vertices];
    let mut piece = |mut vertices: Vec<u32>| {
        vertices.sort_by_key(|&v| colours[v as usize]);
        vertices.iter().enumerate().for_each(|(at, &v)| local[v as usize] = at as u32);
        let mut starts = vec![0];
        let mut edges = Vec::new();
        for &v in &vertices {
            let left = around(graph, v as usize).iter().filter(|&&w| is_left(v, w));
            edges.extend(left.map(|&w| local[w as usize]));
            starts.push(edges.len());
        }
        Piece { vertices, graph: Graph { starts, edges } }
    };
    members.into_values().map(&mut piece).collect()
}
