//! Properties of markings: Boolean combinations of linear comparisons, in a normal form that renaming can be tested on.
//!
//! The normal form (negation only in atoms, and/or flattened, sorted and without repetition, terms merged) makes
//! "the renamed expression is the same expression" a comparison, which is how a symmetry is certified to keep a
//! property. It is syntactic: sound, and blind only to equivalences that need arithmetic.

/// The largest coefficient: 2^31 terms of it times 2^64 tokens stay inside 128 bits.
pub const MAX_COEFFICIENT: i128 = 1 << 31;
pub const MAX_CONSTANT: i128 = 1 << 62;

/// sum of coefficient * tokens + constant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Linear {
    pub terms: Vec<(u32, i128)>,
    pub constant: i128,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Expression {
    Constant(bool),
    AtMostZero(Linear),
    Zero(Linear),
    NotZero(Linear),
    And(Vec<Expression>),
    Or(Vec<Expression>),
}

impl Linear {
    /// Merges the terms of equal slots and drops zeros.
    pub fn new(mut terms: Vec<(u32, i128)>, constant: i128) -> Linear {
        terms.sort_unstable();
        let mut merged: Vec<(u32, i128)> = Vec::with_capacity(terms.len());
        for (slot, coefficient) in terms {
            match merged.last_mut() {
                Some(last) if last.0 == slot => last.1 += coefficient,
                _ => merged.push((slot, coefficient)),
            }
        }
        merged.retain(|term| term.1 != 0);
        Linear { terms: merged, constant }
    }

    pub fn value(&self, values: &[u64]) -> i128 {
        self.terms
            .iter()
            .map(|&(slot, coefficient)| coefficient * i128::from(values[slot as usize]))
            .sum::<i128>()
            + self.constant
    }

    fn negated(&self, constant: i128) -> Linear {
        Linear {
            terms: self.terms.iter().map(|&(slot, c)| (slot, -c)).collect(),
            constant: constant - self.constant,
        }
    }

    fn renamed(&self, new_name: &dyn Fn(u32) -> u32) -> Linear {
        Linear::new(self.terms.iter().map(|&(slot, c)| (new_name(slot), c)).collect(), self.constant)
    }

    /// Equality does not care about the sign of both sides.
    fn signed(self) -> Linear {
        if self.terms.first().is_some_and(|term| term.1 < 0) { self.negated(0) } else { self }
    }
}

impl Expression {
    /// The sum that is compared, of a single comparison.
    pub fn linear(&self) -> Option<&Linear> {
        match self {
            Expression::AtMostZero(sum) | Expression::Zero(sum) | Expression::NotZero(sum) => Some(sum),
            _ => None,
        }
    }

    /// Calls `found` with each slot that is mentioned, some several times.
    pub fn each_slot(&self, found: &mut impl FnMut(u32)) {
        match self {
            Expression::Constant(_) => {}
            Expression::AtMostZero(sum) | Expression::Zero(sum) | Expression::NotZero(sum) => {
                sum.terms.iter().for_each(|&(slot, _)| found(slot));
            }
            Expression::And(parts) | Expression::Or(parts) => {
                parts.iter().for_each(|part| part.each_slot(found));
            }
        }
    }

    pub fn holds(&self, values: &[u64]) -> bool {
        match self {
            Expression::Constant(value) => *value,
            Expression::AtMostZero(sum) => sum.value(values) <= 0,
            Expression::Zero(sum) => sum.value(values) == 0,
            Expression::NotZero(sum) => sum.value(values) != 0,
            Expression::And(parts) => parts.iter().all(|part| part.holds(values)),
            Expression::Or(parts) => parts.iter().any(|part| part.holds(values)),
        }
    }

    pub fn negated(&self) -> Expression {
        let all = |parts: &[Expression]| parts.iter().map(Expression::negated).collect();
        match self {
            Expression::Constant(value) => Expression::Constant(!value),
            // not (s <= 0) is 1 - s <= 0 over the integers.
            Expression::AtMostZero(sum) => Expression::AtMostZero(sum.negated(1)),
            Expression::Zero(sum) => Expression::NotZero(sum.clone()),
            Expression::NotZero(sum) => Expression::Zero(sum.clone()),
            Expression::And(parts) => Expression::Or(all(parts)),
            Expression::Or(parts) => Expression::And(all(parts)),
        }
    }

    pub fn normalised(&self) -> Expression {
        match self {
            Expression::Constant(_) => self.clone(),
            Expression::AtMostZero(sum) | Expression::Zero(sum) | Expression::NotZero(sum)
                if sum.terms.is_empty() =>
            {
                Expression::Constant(self.holds(&[]))
            }
            Expression::AtMostZero(_) => self.clone(),
            Expression::Zero(sum) => Expression::Zero(sum.clone().signed()),
            Expression::NotZero(sum) => Expression::NotZero(sum.clone().signed()),
            Expression::And(parts) => join(parts, true),
            Expression::Or(parts) => join(parts, false),
        }
    }

    /// The expression on which slot s is called `new_name(s)`, in normal form.
    pub fn renamed(&self, new_name: &dyn Fn(u32) -> u32) -> Expression {
        let all = |parts: &[Expression]| parts.iter().map(|part| part.renamed(new_name)).collect();
        match self {
            Expression::Constant(_) => self.clone(),
            Expression::AtMostZero(sum) => Expression::AtMostZero(sum.renamed(new_name)),
            Expression::Zero(sum) => Expression::Zero(sum.renamed(new_name)),
            Expression::NotZero(sum) => Expression::NotZero(sum.renamed(new_name)),
            Expression::And(parts) => Expression::And(all(parts)),
            Expression::Or(parts) => Expression::Or(all(parts)),
        }
        .normalised()
    }
}

/// A conjunction (`and`) or disjunction: nested ones of the same kind joined, constants absorbed, sorted, each part once.
fn join(parts: &[Expression], and: bool) -> Expression {
    let mut joined = Vec::new();
    for part in parts {
        match part.normalised() {
            Expression::Constant(value) if value == and => {}
            Expression::Constant(value) => return Expression::Constant(value),
            Expression::And(inner) if and => joined.extend(inner),
            Expression::Or(inner) if !and => joined.extend(inner),
            other => joined.push(other),
        }
    }
    joined.sort();
    joined.dedup();
    if joined.is_empty() {
        return Expression::Constant(and);
    }
    if joined.len() == 1 {
        return joined.swap_remove(0);
    }
    if and { Expression::And(joined) } else { Expression::Or(joined) }
}
