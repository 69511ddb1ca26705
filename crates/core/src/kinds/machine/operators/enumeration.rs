//! The members of spaces, one after the other: subsets, relations and functions of all kinds, sequences.
//!
//! All are walks through a tree whose nodes are parts of members, smallest first. `step` goes to the next node; `prune`
//! skips what is below the current one, so that a space is searched point by point under a predicate. Where that is not
//! needed, `next_member` gives the members. Walks are not recursive; a walk that is stopped is dropped.

use super::super::values::{Value, Values};
use super::spaces::{Arrow, Sequences};
use super::{Outcome, Scratch};

/// What a walk through a space can do.
pub trait Walk {
    /// Goes to the next node; false: there is none.
    fn step(&mut self) -> bool;
    /// Nothing below the current node.
    fn prune(&mut self);
    /// What is chosen so far: elements of a subset, pairs of a relation, items of a sequence.
    fn chosen(&self) -> &[Value];
    /// Is the current node a member of the space?
    fn is_member(&self) -> bool;
    /// The current node as a value.
    fn value(&self, values: &Values, scratch: &mut Scratch) -> Value;

    fn next_member(&mut self, values: &Values, scratch: &mut Scratch) -> Option<Value> {
        while self.step() {
            if self.is_member() {
                return Some(self.value(values, scratch));
            }
        }
        None
    }

    /// The set of all members.
    fn all(&mut self, values: &Values, scratch: &mut Scratch) -> Outcome {
        let mut out = scratch.take();
        while let Some(member) = self.next_member(values, scratch) {
            out.push(member);
            scratch.admit(out.len())?;
        }
        Ok(scratch.set(values, out))
    }
}

/// Where a walk is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Start,
    Node,
    Pruned,
    End,
}

/// All subsets.
pub struct Subsets<'a> {
    elements: &'a [Value],
    /// Positions of what is chosen, ascending.
    positions: Vec<u32>,
    chosen: Vec<Value>,
    with_empty: bool,
    at: At,
}

impl<'a> Subsets<'a> {
    pub fn new(values: &'a Values, set: Value, with_empty: bool) -> Self {
        let elements = values.elements(set);
        Subsets { elements, positions: Vec::new(), chosen: Vec::new(), with_empty, at: At::Start }
    }
}

impl Walk for Subsets<'_> {
    fn step(&mut self) -> bool {
        let mut next = match self.at {
            At::End => return false,
            At::Start => {
                self.at = At::Node;
                return true;
            }
            At::Node => self.positions.last().map_or(0, |&last| last + 1),
            At::Pruned => self.elements.len() as u32,
        };
        self.at = At::Node;
        while next as usize >= self.elements.len() {
            let Some(last) = self.positions.pop() else {
                self.at = At::End;
                return false;
            };
            self.chosen.pop();
            next = last + 1;
        }
        self.positions.push(next);
        self.chosen.push(self.elements[next as usize]);
        true
    }

    fn prune(&mut self) {
        self.at = At::Pruned;
    }

    fn chosen(&self) -> &[Value] {
        &self.chosen
    }

    fn is_member(&self) -> bool {
        self.with_empty || !self.chosen.is_empty()
    }

    fn value(&self, values: &Values, _: &mut Scratch) -> Value {
        values.sorted_set(&self.chosen)
    }
}

/// All relations of one kind between two sets. The pairs of the two sets are the cells of a table, row by row; a node is a
/// choice of cells, and a cell may follow only if the rows and columns that are wanted can still be filled.
pub struct Arrows<'a> {
    values: &'a Values,
    arrow: Arrow,
    sources: &'a [Value],
    targets: &'a [Value],
    cells: Vec<usize>,
    chosen: Vec<Value>,
    /// How many chosen cells each column has.
    columns: Vec<u32>,
    covered: usize,
    /// Rows with a chosen cell.
    rows: usize,
    at: At,
}

impl<'a> Arrows<'a> {
    pub fn new(values: &'a Values, arrow: Arrow, from: Value, to: Value) -> Self {
        let (sources, targets) = (values.elements(from), values.elements(to));
        let columns = vec![0; targets.len()];
        let (cells, chosen) = (Vec::new(), Vec::new());
        Arrows { values, arrow, sources, targets, cells, chosen, columns, covered: 0, rows: 0, at: At::Start }
    }

    /// The first cell from `from` on that may come next.
    fn candidate(&self, from: usize) -> Option<usize> {
        let (width, height) = (self.targets.len(), self.sources.len());
        let mut cell = from;
        while cell < width * height {
            let (row, column) = (cell / width, cell % width);
            let last_row = self.cells.last().map(|&last| last / width);
            let is_new_row = last_row != Some(row);
            if self.arrow.total && is_new_row && row > last_row.map_or(0, |last| last + 1) {
                return None;
            }
            if self.arrow.functional && !is_new_row {
                cell = (row + 1) * width;
            } else if self.arrow.injective && self.columns[column] > 0 {
                if self.skips_last_chance(row, column) {
                    return None;
                }
                cell += 1;
            } else if self.can_complete(row, column) {
                return Some(cell);
            } else if self.skips_last_chance(row, column) {
                return None;
            } else {
                cell += 1;
            }
        }
        None
    }

    /// Would a column that is wanted stay empty if this cell were left out?
    fn skips_last_chance(&self, row: usize, column: usize) -> bool {
        self.arrow.surjective && row + 1 == self.sources.len() && self.columns[column] == 0
    }

    /// With this cell chosen, can what is wanted still be filled?
    fn can_complete(&self, row: usize, column: usize) -> bool {
        let rows_after = self.sources.len() - row - 1;
        let covered = self.covered + usize::from(self.columns[column] == 0);
        let open = self.targets.len() - covered;
        let fills = !(self.arrow.surjective && self.arrow.functional) || open <= rows_after;
        fills && !(self.arrow.injective && self.arrow.total && rows_after > open)
    }

    fn take_back(&mut self) -> Option<usize> {
        let cell = self.cells.pop()?;
        self.chosen.pop();
        let (row, column) = (cell / self.targets.len(), cell % self.targets.len());
        self.columns[column] -= 1;
        self.covered -= usize::from(self.columns[column] == 0);
        self.rows -= usize::from(self.cells.last().is_none_or(|&last| last / self.targets.len() != row));
        Some(cell)
    }

    fn choose(&mut self, cell: usize) {
        let (row, column) = (cell / self.targets.len(), cell % self.targets.len());
        self.rows += usize::from(self.cells.last().is_none_or(|&last| last / self.targets.len() != row));
        self.covered += usize::from(self.columns[column] == 0);
        self.columns[column] += 1;
        self.cells.push(cell);
        self.chosen.push(self.values.pair(self.sources[row], self.targets[column]));
    }
}

impl Walk for Arrows<'_> {
    fn step(&mut self) -> bool {
        let mut next = match self.at {
            At::End => return false,
            At::Start => {
                self.at = At::Node;
                return true;
            }
            At::Node => self.candidate(self.cells.last().map_or(0, |&last| last + 1)),
            At::Pruned => None,
        };
        self.at = At::Node;
        loop {
            if let Some(cell) = next {
                self.choose(cell);
                return true;
            }
            let Some(cell) = self.take_back() else {
                self.at = At::End;
                return false;
            };
            let (row, column) = (cell / self.targets.len(), cell % self.targets.len());
            next = if self.skips_last_chance(row, column) { None } else { self.candidate(cell + 1) };
        }
    }

    fn prune(&mut self) {
        self.at = At::Pruned;
    }

    fn chosen(&self) -> &[Value] {
        &self.chosen
    }

    fn is_member(&self) -> bool {
        (!self.arrow.total || self.rows == self.sources.len())
            && (!self.arrow.surjective || self.covered == self.targets.len())
    }

    fn value(&self, values: &Values, scratch: &mut Scratch) -> Value {
        let mut out = scratch.take();
        out.extend_from_slice(&self.chosen);
        scratch.set(values, out)
    }
}

/// All sequences over a set with so many items at most. Injective ones have no more items than the set has elements; others
/// have no end of their own.
pub struct Words<'a> {
    kind: Sequences,
    choices: &'a [Value],
    longest: usize,
    positions: Vec<u32>,
    chosen: Vec<Value>,
    used: Vec<bool>,
    at: At,
}

impl<'a> Words<'a> {
    pub fn new(values: &'a Values, kind: Sequences, over: Value, longest: usize) -> Self {
        let choices = values.elements(over);
        let longest = if kind.is_injective() { longest.min(choices.len()) } else { longest };
        let (positions, chosen, used) = (Vec::new(), Vec::new(), vec![false; choices.len()]);
        Words { kind, choices, longest, positions, chosen, used, at: At::Start }
    }

    fn candidate(&self, from: u32) -> Option<u32> {
        (from..self.choices.len() as u32)
            .find(|&each| !(self.kind.is_injective() && self.used[each as usize]))
    }
}

impl Walk for Words<'_> {
    fn step(&mut self) -> bool {
        let mut next = match self.at {
            At::End => return false,
            At::Start => {
                self.at = At::Node;
                return true;
            }
            At::Node if self.chosen.len() < self.longest => self.candidate(0),
            At::Node | At::Pruned => None,
        };
        self.at = At::Node;
        loop {
            if let Some(position) = next {
                self.positions.push(position);
                self.chosen.push(self.choices[position as usize]);
                self.used[position as usize] = true;
                return true;
            }
            let Some(last) = self.positions.pop() else {
                self.at = At::End;
                return false;
            };
            self.chosen.pop();
            self.used[last as usize] = false;
            next = self.candidate(last + 1);
        }
    }

    fn prune(&mut self) {
        self.at = At::Pruned;
    }

    fn chosen(&self) -> &[Value] {
        &self.chosen
    }

    fn is_member(&self) -> bool {
        match self.kind {
            Sequences::Permutations => self.chosen.len() == self.choices.len(),
            _ => !(self.kind.wants_items() && self.chosen.is_empty()),
        }
    }

    fn value(&self, values: &Values, scratch: &mut Scratch) -> Value {
        super::sequences::sequence(values, scratch, &self.chosen)
    }
}
