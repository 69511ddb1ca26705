//! The characteristic graph of a state, and its canonical labelling by nauty (Junttila 2003, Def. 7.7 and Alg. 7.3).
//!
//! The hybrid of 7.5: colours settle first, and only where they do not tell all points apart nauty is asked, with the colours
//! as labels (A21). A vertex for each point; a vertex for each slot that ties points together, and for each entry of a
//! bag, joined to its points by what they are to it. The labelling only numbers the points; the representative is reached
//! by the one element compatible with the numbers. Valid where the group is the whole group of the points' own structure:
//! all permutations inside orbits, or rotations of cyclic sorts.

use super::action::{Action, NONE};
use super::refine::{Colours, Refiner, told_apart_from_points};
use crate::nauty;
use crate::structure::{Structure, cells};

const HELD: u64 = u64::MAX;
const INSIDE: u64 = u64::MAX - 1;
const ENTRY: u64 = 1;
const KEPT: u64 = 2;

/// Numbers the points canonically, in place of their colours; the nodes of nauty's search tree, 1 where it was not needed.
pub fn label(refiner: &Refiner, action: &Action, values: &[u64], colours: &mut Colours) -> u64 {
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

fn characteristic_graph(refiner: &Refiner, action: &Action, values: &[u64], colours: &[u64]) -> Structure {
    let mut structure = Structure::new(colours.to_vec());
    let mut entry_node = vec![NONE; refiner.entries];
    for tell in &refiner.relational {
        let movable = &action.movable[tell.movable as usize];
        let held = action.held(movable, values);
        let node = structure.add_node(told_apart_from_points(action, values, tell));
        for (role, &(_, point)) in movable.along.iter().enumerate() {
            structure.connect(node, point, role as u64);
        }
        if held != NONE {
            structure.connect(node, held, HELD);
        }
        if tell.entry != NONE {
            let entry = &mut entry_node[tell.entry as usize];
            if *entry == NONE {
                *entry = structure.add_node(ENTRY);
            }
            let entry = *entry;
            structure.connect(entry, node, INSIDE);
        }
    }
    for &(from, to) in &refiner.kept {
        let node = structure.add_node(KEPT);
        structure.connect(node, from, 0);
        structure.connect(node, to, 1);
    }
    structure
}
