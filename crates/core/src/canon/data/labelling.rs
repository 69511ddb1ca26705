//! The characteristic graph of a state, and its canonical labelling by nauty (Junttila 2003, Def. 7.7 and Alg. 7.3).
//!
//! The hybrid of 7.5: colours are refined first, and only where they do not distinguish all points nauty is called, with the
//! colours as labels (A21). A vertex for each point; a vertex for each slot that ties points together, and for each entry of
//! a bag, joined to its points by what they are to it. The labelling only numbers the points; the representative is reached
//! by the one element compatible with the numbers. Valid where the group is the whole group of the points' own structure:
//! all permutations inside orbits, or rotations of cyclic sorts.

use super::super::points::Colours;
use super::action::{DataAction, NONE};
use super::refine::{Refiner, fixed_contribution};
use crate::nauty;
use crate::random::mix;
use crate::structure::{Structure, cells};

const HELD: u64 = u64::MAX;
const INSIDE: u64 = u64::MAX - 1;
const ENTRY: u64 = 1;
const KEPT: u64 = 2;

/// Numbers the points canonically, in place of their colours; the nodes of nauty's search tree, 1 where it was not needed.
pub fn label(refiner: &Refiner, action: &DataAction, values: &[u64], colours: &mut Colours) -> u64 {
    let points = colours.current.len();
    if colours.distinct() == points {
        return 1;
    }
    let structure = characteristic_graph(refiner, action, values, &colours.current);
    let plain = structure.plain();
    let mut vertices: Vec<u32> = (0..plain.graph.vertices() as u32).collect();
    vertices.sort_by_key(|&v| plain.colours[v as usize]);
    let mut workspace = nauty::Workspace::new(&plain.graph);
    workspace.colour(cells(&vertices, |v| plain.colours[v as usize]));
    let run = workspace.label();
    for (number, vertex) in workspace.labelling().enumerate() {
        if let Some(colour) = colours.current.get_mut(vertex as usize) {
            *colour = number as u64;
        }
    }
    run.nodes
}

fn characteristic_graph(
    refiner: &Refiner,
    action: &DataAction,
    values: &[u64],
    colours: &[u64],
) -> Structure {
    let mut structure = Structure::new(colours.to_vec());
    let entries = add_entries(&mut structure, refiner, action, values);
    for slot in refiner.contributors(action, values) {
        let movable = &action.movable[slot.movable as usize];
        let held = action.held(movable, values);
        if action.along(movable).is_empty() && held == NONE {
            continue;
        }
        let node = structure.add_node(fixed_contribution(action, values, slot));
        for (role, &(_, point)) in action.along(movable).iter().enumerate() {
            structure.connect(node, point, role as u64);
        }
        if held != NONE {
            structure.connect(node, held, HELD);
        }
        if slot.entry != NONE {
            structure.connect(entries[slot.entry as usize], node, INSIDE);
        }
    }
    for &(from, to) in &refiner.kept {
        let node = structure.add_node(KEPT);
        structure.connect(node, from, 0);
        structure.connect(node, to, 1);
    }
    structure
}

/// A node for each entry that is there, coloured by those of its slots that touch no points; NONE for others.
fn add_entries(
    structure: &mut Structure,
    refiner: &Refiner,
    action: &DataAction,
    values: &[u64],
) -> Vec<u32> {
    let mut colours: Vec<Option<u64>> = vec![None; refiner.entries];
    for slot in refiner.contributors(action, values).filter(|slot| slot.entry != NONE) {
        let movable = &action.movable[slot.movable as usize];
        let colour = colours[slot.entry as usize].get_or_insert(ENTRY);
        if action.along(movable).is_empty() && action.held(movable, values) == NONE {
            *colour = colour.wrapping_add(mix(fixed_contribution(action, values, slot)));
        }
    }
    let nodes: Vec<u32> =
        colours.into_iter().map(|colour| colour.map_or(NONE, |colour| structure.add_node(colour))).collect();
    for &(inner, outer) in refiner.nested.iter().filter(|(inner, _)| nodes[*inner as usize] != NONE) {
        structure.connect(nodes[outer as usize], nodes[inner as usize], INSIDE);
    }
    nodes
}
