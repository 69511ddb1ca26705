//! Intervals with more elements than can be listed, computed with by their ends.

use crate::kinds::machine::evaluate::memory::Memory;
use crate::kinds::machine::evaluate::{Answer, Evaluator};
use crate::kinds::machine::nodes::{Id, Node, Op};
use crate::kinds::machine::operators::arithmetic::number;
use crate::kinds::machine::values::Value;

/// First and last number.
type Ends = (i64, i64);

impl Evaluator<'_> {
    /// The ends of an interval that is too large to be listed.
    pub fn wide(&self, set: Id, m: &mut Memory) -> Option<Ends> {
        let (low, high) = self.ends(set, m)?;
        let size = i128::from(high) - i128::from(low) + 1;
        (size > m.scratch.limit as i128).then_some((low, high))
    }

    fn ends(&self, set: Id, m: &mut Memory) -> Option<Ends> {
        let Node::Binary(Op::Interval, low, high) = self.code.arena.bare(set) else { return None };
        let (low, high) = (self.value(low, m).ok()?, self.value(high, m).ok()?);
        Some((number(self.values, low), number(self.values, high)))
    }

    /// `card`, `min` or `max` of such an interval; asked where its value was too large.
    pub fn of_wide(&self, op: Op, set: Id, m: &mut Memory) -> Option<Value> {
        let (low, high) = self.wide(set, m)?;
        let wanted = match op {
            Op::Min => low,
            Op::Max => high,
            Op::Card => i64::try_from(i128::from(high) - i128::from(low) + 1).ok()?,
            _ => return None,
        };
        Some(self.values.number(wanted))
    }

    /// Are two sets equal, of which one is such an interval?
    pub fn equal_wide(&self, a: Id, b: Id, m: &mut Memory) -> Option<Answer<bool>> {
        let (ends, other) = match (self.wide(a, m), self.wide(b, m)) {
            (None, None) => return None,
            (Some(ends), _) => (ends, b),
            (None, Some(ends)) => (ends, a),
        };
        Some(match self.ends(other, m) {
            Some(found) => Ok(found == ends),
            // What can be listed has fewer elements.
            None => self.value(other, m).map(|_| false),
        })
    }

    /// Does a set that is not infinite, or one of all numbers from one on, contain such an interval?
    pub fn contains_wide(&self, (low, high): Ends, whole: Id, m: &mut Memory) -> Answer<bool> {
        match self.code.arena.bare(whole) {
            Node::Nullary(Op::All) => Ok(true),
            Node::Unary(Op::UpFrom, from) => {
                let from = self.value(from, m)?;
                Ok(number(self.values, from) <= low)
            }
            _ => match self.ends(whole, m) {
                Some((first, last)) => Ok(first <= low && high <= last),
                None => self.value(whole, m).map(|_| false),
            },
        }
    }
}
