//! A kind of models that exists only here, to show what a new kind has to bring: cells that interact in pairs by one table.
//!
//! A state is a value for each cell. In a ring each cell interacts with the next one, in a crowd with every other one, by the
//! same rule; so all rotations, or all permutations, are symmetries. The rule is random, which makes the models random too.

use burnside_core::canon::Method;
use burnside_core::canon::slots::SlotCanonicaliser;
use burnside_core::group::Group;
use burnside_core::kinds::{Error, Kind};
use burnside_core::model::{Label, Model, PackedModel, Start, Step};
use burnside_core::perm::Perm;
use burnside_core::schema::{Overflow, Schema};
use burnside_core::structure::Structure;

pub const VALUES: u64 = 3;

#[derive(Clone, Debug)]
pub struct Cells {
    pub count: usize,
    pub ring: bool,
    /// By the values of a pair: what they become, or None.
    pub rule: Vec<Option<(u64, u64)>>,
    pub initial: u64,
    schema: Schema,
}

impl Cells {
    pub fn new(count: usize, ring: bool, rule: Vec<Option<(u64, u64)>>, initial: u64) -> Cells {
        // One bit: states are laid out anew when the first cell holds a 2.
        Cells { count, ring, rule, initial, schema: Schema::new(&vec![1; count]) }
    }

    pub fn pairs(&self) -> Vec<(usize, usize)> {
        let n = self.count;
        let apart = |&(a, b): &(usize, usize)| a != b && (!self.ring || b == (a + 1) % n);
        (0..n).flat_map(|a| (0..n).map(move |b| (a, b))).filter(apart).collect()
    }

    fn outcome(&self, values: &[u64], (a, b): (usize, usize)) -> Option<(u64, u64)> {
        self.rule[(values[a] * VALUES + values[b]) as usize]
    }

    pub fn group(&self) -> Group {
        let n = self.count as u32;
        let rotation: Vec<u32> = (0..n).map(|cell| (cell + 1) % n).collect();
        let mut swap: Vec<u32> = (0..n).collect();
        swap.swap(0, 1);
        let images = if self.ring { vec![rotation] } else { vec![rotation, swap] };
        let perms = images.iter().map(|images| Perm::from_images(images).expect("a permutation"));
        Group::generated(self.count, perms.collect(), None)
    }
}

impl Model for Cells {
    type Workspace = ();
    type Observations = ();

    fn workspace(&self) {}

    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn starts(&self, (): &mut ()) -> Vec<Start> {
        vec![Start { label: 0, step: Step::Taken, values: vec![self.initial; self.count], noted: Vec::new() }]
    }

    fn enabled(&self, values: &[u64], (): &mut (), labels: &mut Vec<Label>, _: &mut dyn FnMut(Label, usize)) {
        let enabled = |&(_, pair): &(Label, (usize, usize))| self.outcome(values, pair).is_some();
        labels.extend((0..).zip(self.pairs()).filter(enabled).map(|(label, _)| label));
    }

    fn fire(&self, values: &mut [u64], label: Label, (): &mut ()) -> Result<Step, Overflow> {
        let (a, b) = self.pairs()[label as usize];
        let Some(after) = self.outcome(values, (a, b)) else { return Ok(Step::Impossible) };
        (values[a], values[b]) = after;
        Ok(Step::Taken)
    }

    fn image(&self, symmetry: &[u32], label: Label, (): &mut ()) -> Label {
        let pairs = self.pairs();
        let (a, b) = pairs[label as usize];
        let image = (symmetry[a] as usize, symmetry[b] as usize);
        pairs.iter().position(|&pair| pair == image).map_or(label, |at| at as Label)
    }

    fn judge(&self, _: &[u64], (): &mut (), _: &mut dyn FnMut(usize)) {}
}

impl PackedModel for Cells {
    fn widened(&self, _: &[u32], bits: u32) -> Cells {
        Cells { schema: self.schema.widened(0..self.count as u32, bits), ..self.clone() }
    }
}

/// The cells in the order of the group's base, ready for a search.
pub struct PreparedCells {
    model: Cells,
    canonicaliser: SlotCanonicaliser,
}

impl PreparedCells {
    /// The base of both groups is the order of the cells: rotations have one base point, and a chain keeps the others in order.
    pub fn new(cells: &Cells, method: Method) -> PreparedCells {
        let group = cells.group();
        let mut structure = Structure::new(vec![0; cells.count]);
        for (a, b) in cells.pairs().into_iter().filter(|_| cells.ring) {
            let node = structure.add_node(1);
            structure.connect(node, a as u32, 0);
            structure.connect(node, b as u32, 1);
        }
        let base = group.chain().points();
        let mut position = vec![0; cells.count];
        base.iter().enumerate().for_each(|(at, &cell)| position[cell as usize] = at as u32);
        let structure = structure.renamed(&position);
        let canonicaliser = SlotCanonicaliser::new(method, &group, &vec![0; cells.count], &structure, false);
        assert_eq!(base, (0..cells.count as u32).collect::<Vec<_>>(), "cells are slots");
        PreparedCells { model: cells.clone(), canonicaliser }
    }
}

impl Kind for PreparedCells {
    type Model = Cells;
    type Canonicaliser = SlotCanonicaliser;

    fn model(&self) -> &Cells {
        &self.model
    }

    fn canonicaliser(&self) -> &SlotCanonicaliser {
        &self.canonicaliser
    }

    fn properties(&self) -> usize {
        1
    }

    fn values(&self, state: &[u64]) -> Result<Vec<u64>, Error> {
        Ok(state.to_vec())
    }

    fn element(&self, images: &[u32]) -> Vec<u32> {
        images.to_vec()
    }

    fn firings(&self, _: &Cells, by_label: &[u64]) -> Vec<u64> {
        vec![by_label.iter().sum()]
    }
}
