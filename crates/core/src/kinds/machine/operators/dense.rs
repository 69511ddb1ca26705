//! Operators on sets that have bits; None where an operand has none, and the general operator has to be used.
//!
//! A relation is a matrix, row by row: the bits of one left side are neighbours.

use super::super::nodes::Op;
use super::super::values::{Universe, Value, Values};

/// A relation that has bits and is not empty.
struct Matrix<'v> {
    values: &'v Values,
    bits: u64,
    universe: &'v Universe,
}

impl<'v> Matrix<'v> {
    #[inline(always)]
    fn of(values: &'v Values, relation: Value) -> Option<Matrix<'v>> {
        let bits = values.bits(relation)?;
        let universe = values.universe(values.universe_of(relation)?);
        universe.is_of_pairs().then_some(Matrix { values, bits, universe })
    }

    /// The bits of one row, as a row.
    #[inline(always)]
    fn row(&self, row: u32) -> u64 {
        (self.bits >> (row * self.universe.columns)) & self.full_row()
    }

    #[inline(always)]
    fn full_row(&self) -> u64 {
        !0 >> (64 - self.universe.columns)
    }

    /// Rows with these numbers, all of their bits.
    #[inline(always)]
    fn rows(&self, chosen: u64) -> u64 {
        ones(chosen).fold(0, |mask, row| mask | self.full_row() << (row * self.universe.columns))
    }

    /// Columns with these numbers, in all rows.
    fn columns(&self, chosen: u64) -> u64 {
        (0..self.universe.rows).fold(0, |mask, row| mask | chosen << (row * self.universe.columns))
    }

    /// Which rows are not empty?
    fn domain(&self) -> u64 {
        (0..self.universe.rows).fold(0, |rows, row| rows | u64::from(self.row(row) != 0) << row)
    }

    fn on_left(&self, bits: u64) -> Value {
        self.values.dense_set(self.universe.sides.0, bits)
    }

    #[inline(always)]
    fn on_right(&self, bits: u64) -> Value {
        self.values.dense_set(self.universe.sides.1, bits)
    }
}

/// The numbers of the bits that are set.
#[inline(always)]
fn ones(bits: u64) -> impl Iterator<Item = u32> {
    let mut rest = bits;
    std::iter::from_fn(move || {
        let one = (rest != 0).then(|| rest.trailing_zeros());
        rest &= rest.wrapping_sub(1);
        one
    })
}

/// s \/ {x}, s - {x}, r[{x}].
#[inline(always)]
pub fn with_one(op: Op, values: &Values, set: Value, element: Value) -> Option<Value> {
    let (bits, spot) = (values.bits(set)?, values.spot(element)?);
    Some(match op {
        Op::Union if bits >> spot.bit & 1 == 0 => values.dense_set(spot.universe, bits | 1 << spot.bit),
        Op::Difference if bits >> spot.bit & 1 == 1 => values.dense_set(spot.universe, bits ^ 1 << spot.bit),
        Op::Union | Op::Difference => set,
        Op::Image if bits == 0 => set,
        Op::Image => {
            let matrix = Matrix::of(values, set)?;
            matrix.on_right(matrix.row(spot.bit))
        }
        _ => return None,
    })
}

pub fn image(values: &Values, relation: Value, set: Value) -> Option<Value> {
    let (matrix, chosen) = (Matrix::of(values, relation)?, values.bits(set)?);
    Some(matrix.on_right(ones(chosen).fold(0, |image, row| image | matrix.row(row))))
}

pub fn domain(values: &Values, relation: Value) -> Option<Value> {
    let matrix = Matrix::of(values, relation)?;
    Some(matrix.on_left(matrix.domain()))
}

pub fn range(values: &Values, relation: Value) -> Option<Value> {
    let matrix = Matrix::of(values, relation)?;
    Some(matrix.on_right((0..matrix.universe.rows).fold(0, |range, row| range | matrix.row(row))))
}

pub fn inverse(values: &Values, relation: Value) -> Option<Value> {
    let matrix = Matrix::of(values, relation)?;
    let Universe { rows, columns, sides: (left, right), .. } = *matrix.universe;
    let turned = (0..rows).fold(0, |turned, row| {
        ones(matrix.row(row)).fold(turned, |turned, column| turned | 1 << (column * rows + row))
    });
    debug_assert!(rows * columns <= 64);
    Some(values.dense_set(values.universe_of_pairs(right, left), turned))
}

/// Which rows or columns of a relation are kept?
#[derive(Clone, Copy)]
pub enum Kept {
    Rows,
    Columns,
}

/// The pairs with (or without) a side in the set.
pub fn restrict(values: &Values, relation: Value, kept: Kept, set: Value, wanted: bool) -> Option<Value> {
    let (matrix, chosen) = (Matrix::of(values, relation)?, values.bits(set)?);
    let mask = match kept {
        Kept::Rows => matrix.rows(chosen),
        Kept::Columns => matrix.columns(chosen),
    };
    let bits = if wanted { matrix.bits & mask } else { matrix.bits & !mask };
    Some(values.dense_set(values.universe_of(relation)?, bits))
}

/// r <+ s
pub fn override_(values: &Values, below: Value, above: Value) -> Option<Value> {
    let (matrix, below) = (Matrix::of(values, above)?, values.bits(below)?);
    let bits = matrix.bits | below & !matrix.rows(matrix.domain());
    Some(values.dense_set(values.universe_of(above)?, bits))
}

/// r <+ {x |-> y}, of that pair.
pub fn updated(values: &Values, relation: Value, pair: Value) -> Option<Value> {
    let (bits, spot) = (values.bits(relation)?, values.spot(pair)?);
    let columns = values.universe(spot.universe).columns;
    let row = (!0 >> (64 - columns)) << (spot.bit / columns * columns);
    Some(values.dense_set(spot.universe, bits & !row | 1 << spot.bit))
}
