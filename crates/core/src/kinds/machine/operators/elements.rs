//! Elements of sorts by their order: positions from 0 on, and so many places on around the end. A permutation that is to
//! keep what these give has to keep the order of the sort.

use super::super::values::{Value, Values};
use super::{Outcome, Undefined};

/// The first point of a sort, and how many there are.
pub type Sort = (u32, u32);

#[inline(always)]
fn index((first, _): Sort, element: Value) -> u32 {
    element.as_point().map_or(0, |point| point - first)
}

pub fn position(values: &Values, sort: Sort, element: Value) -> Value {
    values.number(i64::from(index(sort, element)))
}

/// Undefined beyond the last one.
pub fn element((first, size): Sort, position: i64) -> Outcome {
    match u32::try_from(position) {
        Ok(position) if position < size => Ok(Values::point(first + position)),
        _ => Err(Undefined::OutsideDomain),
    }
}

#[inline]
pub fn shifted(sort: Sort, element: Value, by: i128) -> Value {
    let (first, size) = (sort.0, i128::from(sort.1));
    let position = (i128::from(index(sort, element)) + by).rem_euclid(size);
    Values::point(first + position as u32)
}
