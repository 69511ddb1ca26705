//! The characteristic graph of a state, and its canonical labelling by nauty (Junttila 2003, 4.2).
//!
//! The labelling only numbers the slots; the representative is then reached by the one group element compatible with
//! these numbers (Thm 4.5), so it does not matter which canonical labelling nauty returns.

use crate::nauty;
use crate::structure::{Structure, UnlabelledGraph, cells};

pub struct Labelling {
    plain: UnlabelledGraph,
    slots: usize,
    orbits: Vec<u32>,
    /// The vertices that are no slots, cell by cell.
    rest: Vec<(u32, bool)>,
}

pub struct Workspace {
    nauty: nauty::Workspace,
    slots: Vec<u32>,
    numbers: Vec<u64>,
}

impl Workspace {
    /// By slot: its place in the canonical order.
    pub fn numbers(&self) -> &[u64] {
        &self.numbers
    }
}

impl Labelling {
    /// Valid only where the group is the whole automorphism group of the structure (Junttila 2003, 4.2).
    pub fn new(structure: &Structure, orbits: &[u32]) -> Labelling {
        let plain = structure.plain();
        let slots = structure.slots();
        let mut vertices: Vec<u32> = (slots as u32..plain.graph.vertices() as u32).collect();
        vertices.sort_by_key(|&v| plain.colours[v as usize]);
        let rest = cells(&vertices, |v| plain.colours[v as usize]).collect();
        Labelling { plain, slots, orbits: orbits.to_vec(), rest }
    }

    pub fn workspace(&self) -> Workspace {
        Workspace {
            nauty: nauty::Workspace::new(&self.plain.graph),
            slots: (0..self.slots as u32).collect(),
            numbers: vec![0; self.slots],
        }
    }

    /// Labels the state; the number of nodes of nauty's search tree.
    pub fn run(&self, values: &[u64], workspace: &mut Workspace) -> u64 {
        let colour = |slot: u32| (self.orbits[slot as usize], values[slot as usize]);
        workspace.slots.sort_unstable_by_key(|&slot| colour(slot));
        let slots = cells(&workspace.slots, colour);
        workspace.nauty.colour(slots.chain(self.rest.iter().copied()));
        let run = workspace.nauty.label();
        for (number, vertex) in workspace.nauty.labelling().enumerate() {
            if let Some(slot) = workspace.numbers.get_mut(vertex as usize) {
                *slot = number as u64;
            }
        }
        run.nodes
    }
}
