//! When markers distinguish inequivalent states (Leuschel and Massart, Prop. 2), for values and for types.
//!
//! A marker has for each point the paths that lead to it. It determines a set whose every element can be read off one such
//! path: elements with one point and, around it, nothing but what is not symmetric (`NonSym`). Then the points with that
//! path in their markers are the set. The paper names the elements d, n |-> d and d |-> n; deeper ones, and points together
//! with fixed elements of the same sort, are read off in the same manner.

use super::Nested;
use crate::kinds::machine::values::{Value, View};

/// What counts as not symmetric: with `widened` all that has no moving points, else atoms, the empty set, and pairs and
/// records of such.
pub struct Reading<'a> {
    pub nested: &'a Nested,
    pub widened: bool,
}

impl Reading<'_> {
    /// Is it in `NonSym`?
    pub fn is_plain(&self, value: Value) -> bool {
        let values = &self.nested.values;
        match values.view(value) {
            View::Point(point) => self.nested.local(point).is_none(),
            View::Pair(left, right) => self.is_plain(left) && self.is_plain(right),
            View::Record(fields) => fields.iter().all(|&field| self.is_plain(field)),
            View::Set([]) => true,
            View::Set(_) => self.widened && self.nested.is_free(value),
            _ => true,
        }
    }

    /// Is there one point in it, or one several times side by side, and around it only what is not symmetric?
    fn is_single(&self, value: Value) -> bool {
        match self.nested.values.view(value) {
            View::Point(point) => self.nested.local(point).is_some(),
            View::Pair(left, right) => self.is_single_among(&[left, right]),
            View::Record(fields) => self.is_single_among(fields),
            _ => false,
        }
    }

    fn is_single_among(&self, parts: &[Value]) -> bool {
        let mut others = parts.iter().filter(|&&part| !self.is_plain(part));
        let Some(&first) = others.next() else { return false };
        self.is_single(first) && others.all(|&other| other == first)
    }

    /// Do the first markers of the points determine the value?
    pub fn is_determined(&self, value: Value) -> bool {
        if self.nested.is_free(value) {
            return true;
        }
        match self.nested.values.view(value) {
            View::Pair(left, right) => self.is_determined(left) && self.is_determined(right),
            View::Record(fields) => fields.iter().all(|&field| self.is_determined(field)),
            View::Set(elements) => {
                elements.iter().all(|&element| self.is_single(element) || self.nested.is_free(element))
            }
            _ => true,
        }
    }
}

/// A type, as far as it matters to markers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarkedType {
    /// Numbers, truth values, texts, elements that never move.
    Fixed,
    Element,
    Pair(Box<MarkedType>, Box<MarkedType>),
    Record(Vec<MarkedType>),
    Set(Box<MarkedType>),
}

impl MarkedType {
    /// Are markers exact on all values of the type? The values of a run may be simpler than their types, so this is the
    /// coarser answer; it is known before the run.
    pub fn is_precise(&self) -> bool {
        match self {
            MarkedType::Fixed | MarkedType::Element => true,
            MarkedType::Pair(left, right) => left.is_precise() && right.is_precise(),
            MarkedType::Record(fields) => fields.iter().all(MarkedType::is_precise),
            MarkedType::Set(element) => self.is_free() || element.is_single(),
        }
    }

    fn is_free(&self) -> bool {
        match self {
            MarkedType::Fixed => true,
            MarkedType::Element => false,
            MarkedType::Pair(left, right) => left.is_free() && right.is_free(),
            MarkedType::Record(fields) => fields.iter().all(MarkedType::is_free),
            MarkedType::Set(element) => element.is_free(),
        }
    }

    fn is_plain(&self) -> bool {
        match self {
            MarkedType::Fixed => true,
            MarkedType::Element | MarkedType::Set(_) => false,
            MarkedType::Pair(left, right) => left.is_plain() && right.is_plain(),
            MarkedType::Record(fields) => fields.iter().all(MarkedType::is_plain),
        }
    }

    fn is_single(&self) -> bool {
        match self {
            MarkedType::Element => true,
            MarkedType::Fixed | MarkedType::Set(_) => false,
            MarkedType::Pair(left, right) => {
                left.is_plain() && right.is_single() || left.is_single() && right.is_plain()
            }
            MarkedType::Record(fields) => {
                let mut others = fields.iter().filter(|field| !field.is_plain());
                others.next().is_some_and(MarkedType::is_single) && others.next().is_none()
            }
        }
    }
}
