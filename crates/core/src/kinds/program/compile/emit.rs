//! Emitting code: cells, labels, names.

use std::collections::HashMap;
use std::rc::Rc;

use super::super::code::{Cell, Code, Dimension, ERROR, Op, Range, Target};
use super::super::ir::{Name, Program, Table, Type};
use super::super::layout::{Layout, Types, encoding};

/// Constants get cells of their own, up to so many.
const CONSTANT_CELLS: usize = 1 << 16;
/// More code than this means a program that unfolds without end in sight.
const MAX_OPS: usize = 1 << 23;
/// Loops over so many values at most, nested ones together, are written out: then indices are known cells.
const UNROLLED: usize = 256;

#[derive(Clone, Copy, Debug)]
pub enum Operand {
    Constant(i64),
    Cell(Cell),
}

/// A place whose cells begin at `base`, plus what the cell `offset` holds.
#[derive(Clone, Debug)]
pub struct PlaceRef {
    pub base: Cell,
    pub offset: Option<Cell>,
    pub type_: Rc<Type>,
}

#[derive(Clone, Debug)]
pub enum Binding {
    Place(PlaceRef),
    Value(Operand),
}

/// Where `Return` goes, and what it fills: the result, and the cell that says that there is one.
#[derive(Clone)]
pub struct ReturnTo {
    pub label: Target,
    pub result: Option<(PlaceRef, Cell)>,
}

pub struct Compiler<'a> {
    pub program: &'a Program,
    pub types: &'a Types,
    pub layout: &'a Layout,
    pub code: Code,
    /// By label: where it is.
    places: Vec<Target>,
    constants: HashMap<i64, Cell>,
    ranges: HashMap<Range, u32>,
    dimensions: HashMap<Dimension, u32>,
    bags: HashMap<(u32, u32), u32>,
    /// By table: where its entries begin.
    entries: HashMap<usize, usize>,
    names: Vec<(Name, Binding)>,
    pub returns: Vec<ReturnTo>,
    /// Is this code of a guard or a judgement, where there is no step that could go on past a violation?
    pub is_question: bool,
    next_cell: Cell,
    unrolled: usize,
    too_large: bool,
}

const UNPLACED: Target = Target::MAX;

impl<'a> Compiler<'a> {
    pub fn new(program: &'a Program, types: &'a Types, layout: &'a Layout) -> Compiler<'a> {
        let slots = layout.shape.slots.len();
        let next_cell = (slots + CONSTANT_CELLS) as Cell;
        Compiler {
            program,
            types,
            layout,
            code: Code { slots, cells: next_cell as usize, ..Code::default() },
            places: Vec::new(),
            constants: HashMap::new(),
            ranges: HashMap::new(),
            dimensions: HashMap::new(),
            bags: HashMap::new(),
            entries: HashMap::new(),
            names: Vec::new(),
            returns: Vec::new(),
            is_question: false,
            next_cell,
            unrolled: 1,
            too_large: false,
        }
    }

    pub fn emit(&mut self, op: Op) {
        if self.code.ops.len() < MAX_OPS {
            self.code.ops.push(op);
        } else {
            self.too_large = true;
        }
    }

    pub fn is_too_large(&self) -> bool {
        self.too_large
    }

    pub fn here(&self) -> Target {
        self.code.ops.len() as Target
    }

    pub fn label(&mut self) -> Target {
        self.places.push(UNPLACED);
        self.places.len() as Target - 1
    }

    pub fn bind_label(&mut self, label: Target) {
        self.places[label as usize] = self.here();
    }

    /// Puts places for labels.
    pub fn link(&mut self) {
        for op in &mut self.code.ops {
            if let Some(target) = target(op) {
                *target = self.places[*target as usize];
            }
        }
    }

    /// A fresh cell, or several in a row; they are given back by `scope`.
    pub fn cells(&mut self, count: usize) -> Cell {
        let first = self.next_cell;
        self.next_cell += count as Cell;
        self.code.cells = self.code.cells.max(self.next_cell as usize);
        first
    }

    pub fn cell(&mut self) -> Cell {
        self.cells(1)
    }

    /// What is written inside gives its cells and names back.
    pub fn scope<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        let (cell, names) = (self.next_cell, self.names.len());
        let result = write(self);
        self.next_cell = cell;
        self.names.truncate(names);
        result
    }

    pub fn name(&mut self, name: &Name, binding: Binding) {
        self.names.push((name.clone(), binding));
    }

    pub fn lookup(&self, name: &Name, type_: &Rc<Type>) -> Binding {
        if let Some((_, binding)) = self.names.iter().rev().find(|(known, _)| known == name) {
            return binding.clone();
        }
        let base = self.layout.first_slot[name];
        Binding::Place(PlaceRef { base, offset: None, type_: type_.clone() })
    }

    /// A cell that always holds this value.
    pub fn constant(&mut self, value: i64) -> Cell {
        if let Some(&cell) = self.constants.get(&value) {
            return cell;
        }
        if self.code.constants.len() >= CONSTANT_CELLS {
            self.too_large = true;
            return self.code.slots as Cell;
        }
        let cell = (self.code.slots + self.code.constants.len()) as Cell;
        self.code.constants.push(value);
        self.constants.insert(value, cell);
        cell
    }

    /// Several constants in a row.
    pub fn constants(&mut self, values: &[i64]) -> Option<Cell> {
        if self.code.constants.len() + values.len() > CONSTANT_CELLS {
            return None;
        }
        let cell = (self.code.slots + self.code.constants.len()) as Cell;
        self.code.constants.extend_from_slice(values);
        Some(cell)
    }

    pub fn in_cell(&mut self, operand: Operand) -> Cell {
        match operand {
            Operand::Constant(value) => self.constant(value),
            Operand::Cell(cell) => cell,
        }
    }

    /// The range of a stored scalar, with the shift from its values to its codes.
    pub fn range_of(&mut self, scalar: &Type) -> u32 {
        let (low, high) = self.types.bounds(scalar);
        let shift = low.wrapping_sub(i64::from(encoding(self.types, scalar).1));
        self.range(Range { low, high, shift })
    }

    pub fn range(&mut self, range: Range) -> u32 {
        let next = self.code.ranges.len() as u32;
        let number = *self.ranges.entry(range).or_insert(next);
        if number == next {
            self.code.ranges.push(range);
        }
        number
    }

    pub fn dimension(&mut self, dimension: Dimension) -> u32 {
        let next = self.code.dimensions.len() as u32;
        let number = *self.dimensions.entry(dimension).or_insert(next);
        if number == next {
            self.code.dimensions.push(dimension);
        }
        number
    }

    pub fn bag(&mut self, element: &Type, capacity: usize) -> u32 {
        self.bag_spec(self.types.slots(element) as u32 + 1, capacity as u32)
    }

    pub fn bag_spec(&mut self, width: u32, capacity: u32) -> u32 {
        let spec = (width, capacity);
        let next = self.code.bags.len() as u32;
        let number = *self.bags.entry(spec).or_insert(next);
        if number == next {
            self.code.bags.push(spec);
        }
        number
    }

    /// Where the entries of a table begin.
    pub fn entries_of(&mut self, table: &Table) -> usize {
        let next = self.code.entries.len();
        let first = *self.entries.entry(table.number).or_insert(next);
        if first == next {
            self.code.entries.extend_from_slice(&table.entries);
        }
        first
    }

    pub fn fail(&mut self) {
        self.emit(Op::Fail { property: ERROR });
    }

    /// May a loop over so many values be written out? If so, `write` does it.
    pub fn unroll(&mut self, values: usize, write: impl FnOnce(&mut Self)) -> bool {
        let before = self.unrolled;
        if self.too_large || before.saturating_mul(values) > UNROLLED {
            return false;
        }
        self.unrolled = before * values.max(1);
        write(self);
        self.unrolled = before;
        true
    }
}

pub fn target(op: &mut Op) -> Option<&mut Target> {
    match op {
        Op::Jump { target }
        | Op::JumpIf { target, .. }
        | Op::JumpUnless { target, .. }
        | Op::JumpEqual { target, .. }
        | Op::JumpNotEqual { target, .. }
        | Op::JumpLess { target, .. }
        | Op::JumpLessOrEqual { target, .. }
        | Op::JumpCode { target, .. }
        | Op::JumpNotCode { target, .. }
        | Op::JumpPast { target, .. }
        | Op::Advance { target, .. }
        | Op::Catch { target, .. } => Some(target),
        _ => None,
    }
}

/// Where an instruction may go on, beside the next one.
pub fn target_of(op: &Op) -> Option<Target> {
    target(&mut op.clone()).copied()
}
