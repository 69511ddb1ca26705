//! Random formulas as tables of operators, and tables that are built by hand.

use std::ops::RangeInclusive;

use burnside_core::automata::Operator;
use proptest::prelude::*;

use super::ATOMS;

/// A table that is built from the inside out.
#[derive(Default)]
pub struct Builder(pub Vec<Operator>);

impl Builder {
    pub fn row(&mut self, operator: Operator) -> usize {
        self.0.push(operator);
        self.0.len() - 1
    }

    pub fn atom(&mut self, atom: u32) -> usize {
        self.row(Operator::Atom(atom))
    }

    pub fn eventually(&mut self, a: usize) -> usize {
        let left = self.row(Operator::True);
        self.row(Operator::Until(left, a))
    }

    pub fn always(&mut self, a: usize) -> usize {
        let left = self.row(Operator::False);
        self.row(Operator::Release(left, a))
    }

    pub fn once(&mut self, a: usize) -> usize {
        let left = self.row(Operator::True);
        self.row(Operator::Since(left, a))
    }

    pub fn not(&mut self, a: usize) -> usize {
        self.row(Operator::Not(a))
    }

    pub fn next(&mut self, a: usize) -> usize {
        self.row(Operator::Next(a))
    }

    pub fn yesterday(&mut self, a: usize) -> usize {
        self.row(Operator::Yesterday(a))
    }

    pub fn until(&mut self, a: usize, b: usize) -> usize {
        self.row(Operator::Until(a, b))
    }

    pub fn since(&mut self, a: usize, b: usize) -> usize {
        self.row(Operator::Since(a, b))
    }

    pub fn often(&mut self, a: usize) -> usize {
        let eventually = self.eventually(a);
        self.always(eventually)
    }

    pub fn both(&mut self, a: impl Fn(&mut Builder) -> usize, b: impl Fn(&mut Builder) -> usize) -> usize {
        let operands = vec![a(self), b(self)];
        self.row(Operator::And(operands))
    }

    pub fn either(&mut self, a: impl Fn(&mut Builder) -> usize, b: impl Fn(&mut Builder) -> usize) -> usize {
        let operands = vec![a(self), b(self)];
        self.row(Operator::Or(operands))
    }

    /// Adds the rows of another table; returns its last.
    fn embed(&mut self, table: &[Operator]) -> usize {
        let by = self.0.len();
        self.0.extend(table.iter().map(|row| match row {
            Operator::True | Operator::False | Operator::Atom(_) => row.clone(),
            Operator::Not(a) => Operator::Not(a + by),
            Operator::And(all) => Operator::And(all.iter().map(|a| a + by).collect()),
            Operator::Or(all) => Operator::Or(all.iter().map(|a| a + by).collect()),
            Operator::Next(a) => Operator::Next(a + by),
            Operator::Until(a, b) => Operator::Until(a + by, b + by),
            Operator::Release(a, b) => Operator::Release(a + by, b + by),
            Operator::Yesterday(a) => Operator::Yesterday(a + by),
            Operator::Since(a, b) => Operator::Since(a + by, b + by),
            Operator::Trigger(a, b) => Operator::Trigger(a + by, b + by),
        }));
        self.0.len() - 1
    }

    pub fn each(mut self, count: u32, part: impl Fn(&mut Builder, usize) -> usize) -> (Builder, Vec<usize>) {
        let parts = (0..count)
            .map(|atom| {
                let atom = self.atom(atom);
                part(&mut self, atom)
            })
            .collect();
        (self, parts)
    }
}

/// Tables of random formulas; `past`: with Y, S and T.
pub fn tables(past: bool) -> impl Strategy<Value = Vec<Operator>> {
    tables_of(past, 1..=14)
}

fn tables_of(past: bool, rows: RangeInclusive<usize>) -> impl Strategy<Value = Vec<Operator>> {
    let kinds = if past { 9 } else { 6 };
    let row = (0..kinds + 2, any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..ATOMS);
    prop::collection::vec(row, rows).prop_map(move |rows| {
        let mut table: Vec<Operator> = Vec::new();
        for (kind, left, right, atom) in rows {
            // Recent rows are drawn more often, so that little of the table is unused.
            let near = |index: prop::sample::Index, count: usize| count - 1 - index.index(count.min(5));
            let count = table.len();
            if count == 0 || kind >= kinds {
                table.push(Operator::Atom(atom));
                continue;
            }
            let (a, b) = (near(left, count), near(right, count));
            table.push(match kind {
                0 => Operator::Not(a),
                1 => Operator::And(vec![a, b]),
                2 => Operator::Or(vec![a, b]),
                3 => Operator::Next(a),
                4 => Operator::Until(a, b),
                5 => Operator::Release(a, b),
                6 => Operator::Yesterday(a),
                7 => Operator::Since(a, b),
                _ => Operator::Trigger(a, b),
            });
        }
        table
    })
}

/// Formulas of the forms that simplification and translation treat in a way of their own, over three random formulas.
pub fn schematic() -> impl Strategy<Value = Vec<Operator>> {
    let part = || prop_oneof![3 => tables_of(true, 1..=2), 1 => tables_of(true, 1..=5)];
    (0..SCHEMAS.len(), part(), part(), part(), any::<bool>()).prop_map(|(number, a, b, c, is_negated)| {
        let mut table = Builder::default();
        let [a, b, c] = [a, b, c].map(|part| table.embed(&part));
        let root = SCHEMAS[number](&mut table, a, b, c);
        // The formula is the last row, whatever is unused.
        if is_negated {
            table.row(Operator::Not(root));
        } else {
            table.row(Operator::And(vec![root]));
        }
        table.0
    })
}

type Schema = fn(&mut Builder, usize, usize, usize) -> usize;

const SCHEMAS: [Schema; 27] = [
    |t, a, b, c| t.both(|t| t.until(a, b), |t| t.until(c, b)),
    |t, a, b, c| t.either(|t| t.until(a, b), |t| t.until(a, c)),
    |t, a, b, c| t.either(|t| t.until(a, b), |t| t.until(c, b)),
    |t, a, b, c| t.both(|t| t.since(a, b), |t| t.since(c, b)),
    |t, a, b, c| t.either(|t| t.since(a, b), |t| t.since(a, c)),
    |t, a, b, _| t.both(|t| t.next(a), |t| t.next(b)),
    |t, a, b, _| t.both(|t| t.yesterday(a), |t| t.yesterday(b)),
    |t, a, b, _| {
        // Y a & Z b.
        let not_b = t.not(b);
        t.both(
            |t| t.yesterday(a),
            |t| {
                let yesterday = t.yesterday(not_b);
                t.not(yesterday)
            },
        )
    },
    |t, a, b, c| {
        // GF a & GF b & (c U a).
        let fair = t.both(|t| t.often(a), |t| t.often(b));
        let until = t.until(c, a);
        t.row(Operator::And(vec![fair, until]))
    },
    |t, a, b, c| {
        // G(a -> F b) & GF c: two marks in one component.
        let not_a = t.not(a);
        let response = t.either(|_| not_a, |t| t.eventually(b));
        t.both(|t| t.always(response), |t| t.often(c))
    },
    |t, a, b, _| t.either(|t| t.often(a), |t| t.often(b)),
    |t, a, b, _| {
        let settled = t.both(|t| t.always(a), |t| t.always(b));
        t.eventually(settled)
    },
    |t, a, b, _| {
        let until = t.until(a, b);
        t.eventually(until)
    },
    |t, a, b, _| {
        let both = t.both(|t| t.often(a), |_| b);
        t.next(both)
    },
    |t, a, b, c| {
        let both = t.both(|t| t.often(a), |_| b);
        t.until(c, both)
    },
    |t, a, b, _| {
        let either = t.either(|t| t.eventually(a), |_| b);
        t.eventually(either)
    },
    |t, a, b, c| {
        let inner = t.until(b, c);
        let left = t.either(|_| a, |_| b);
        t.until(left, inner)
    },
    |t, a, b, c| {
        let left = t.both(|_| a, |_| b);
        let inner = t.until(b, c);
        t.until(left, inner)
    },
    |t, a, b, _| {
        let left = t.either(|_| a, |_| b);
        t.until(left, b)
    },
    |t, a, b, _| {
        let not_b = t.not(b);
        let left = t.both(|_| a, |_| not_b);
        t.until(left, b)
    },
    |t, a, b, _| {
        let left = t.until(a, b);
        t.until(left, b)
    },
    |t, a, b, _| {
        let (left, right) = (t.next(a), t.next(b));
        t.until(left, right)
    },
    |t, a, b, c| {
        let inner = t.since(b, c);
        let left = t.both(|_| a, |_| b);
        t.since(left, inner)
    },
    |t, a, b, _| {
        let once = t.once(a);
        t.since(b, once)
    },
    |t, a, b, _| {
        let next = t.next(a);
        let before = t.yesterday(next);
        let again = t.next(before);
        t.until(again, b)
    },
    // Future below past below future below past.
    |t, a, b, c| {
        let before = t.yesterday(a);
        let seen = t.both(|_| before, |_| b);
        let later = t.eventually(seen);
        let once = t.since(c, later);
        t.eventually(once)
    },
    |t, a, b, c| {
        let since = t.since(a, b);
        let until = t.until(since, c);
        let before = t.yesterday(until);
        let always = t.always(before);
        t.next(always)
    },
];

pub fn negated(table: &[Operator]) -> Vec<Operator> {
    let mut negated = table.to_vec();
    negated.push(Operator::Not(table.len() - 1));
    negated
}
