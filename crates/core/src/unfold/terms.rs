//! Terms over codes. In: values of variables, as numbers below the sizes of their types. Out: the code of a value, or a multiset.
//!
//! A struct is coded in mixed radix, the first field highest, so codes ascend as values do. Truth values are 0 and 1.

use super::Stop;

pub type Code = u64;

pub enum Term {
    Constant(Code),
    Variable(u32),
    /// The sum of codes times weights: a struct.
    Struct(Vec<(u64, Term)>),
    /// A field of a struct.
    Part {
        of: Box<Term>,
        divisor: u64,
        modulus: u64,
    },
    /// The successor by that many steps around a sort.
    Shift {
        of: Box<Term>,
        by: u64,
        size: u64,
    },
    /// How many successors lead from one to the other.
    Distance {
        from: Box<Term>,
        to: Box<Term>,
        size: u64,
    },
    Lookup(Vec<Code>, Box<Term>),
    /// Is the code at least the first number and below the second? (The alternative of a union.)
    Within {
        of: Box<Term>,
        low: u64,
        high: u64,
    },
    Equal(Box<Term>, Box<Term>),
    Less(Box<Term>, Box<Term>),
    Not(Box<Term>),
    And(Vec<Term>),
    Or(Vec<Term>),
    If(Box<Term>, Box<Term>, Box<Term>),
}

impl Term {
    pub fn value(&self, values: &[Code]) -> Code {
        match self {
            Term::Constant(code) => *code,
            Term::Variable(variable) => values[*variable as usize],
            Term::Struct(parts) => parts.iter().map(|(weight, part)| weight * part.value(values)).sum(),
            Term::Part { of, divisor, modulus } => of.value(values) / divisor % modulus,
            Term::Shift { of, by, size } => (of.value(values) + by) % size,
            Term::Distance { from, to, size } => (to.value(values) + size - from.value(values)) % size,
            Term::Lookup(images, of) => images[of.value(values) as usize],
            Term::Within { of, low, high } => u64::from((*low..*high).contains(&of.value(values))),
            Term::Equal(a, b) => u64::from(a.value(values) == b.value(values)),
            Term::Less(a, b) => u64::from(a.value(values) < b.value(values)),
            Term::Not(a) => 1 - a.value(values),
            Term::And(parts) => u64::from(parts.iter().all(|part| part.holds(values))),
            Term::Or(parts) => u64::from(parts.iter().any(|part| part.holds(values))),
            Term::If(test, then, otherwise) => {
                if test.holds(values) {
                    then.value(values)
                } else {
                    otherwise.value(values)
                }
            }
        }
    }

    pub fn holds(&self, values: &[Code]) -> bool {
        self.value(values) != 0
    }

    /// Does every variable have a number below that?
    pub fn uses_only(&self, variables: u32) -> bool {
        let within = |term: &Term| term.uses_only(variables);
        match self {
            Term::Constant(_) => true,
            Term::Variable(variable) => *variable < variables,
            Term::Struct(parts) => parts.iter().all(|(_, part)| within(part)),
            Term::Part { of, .. }
            | Term::Shift { of, .. }
            | Term::Lookup(_, of)
            | Term::Within { of, .. } => within(of),
            Term::Distance { from: a, to: b, .. } | Term::Equal(a, b) | Term::Less(a, b) => {
                within(a) && within(b)
            }
            Term::Not(a) => within(a),
            Term::And(parts) | Term::Or(parts) => parts.iter().all(within),
            Term::If(a, b, c) => within(a) && within(b) && within(c),
        }
    }
}

/// What keeps an instance from existing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absent {
    Undefined,
    Stopped(Stop),
}

/// Terms for multisets.
pub enum Bag {
    Tokens(u64, Term),
    Sum(Vec<Bag>),
    Scaled(u64, Box<Bag>),
    /// Undefined where the second is not included in the first.
    Difference(Box<Bag>, Box<Bag>),
    /// Each code below the number once.
    All(u64),
    If(Term, Box<Bag>, Box<Bag>),
    /// The sum over all codes of a variable below its size.
    Each {
        variable: u32,
        size: u64,
        body: Box<Bag>,
    },
}

impl Bag {
    /// Adds the tokens, so many times, to a list in which a code may occur often. The list stays below `room`.
    pub fn add(
        &self,
        values: &mut [Code],
        times: u64,
        room: usize,
        into: &mut Vec<(Code, u64)>,
    ) -> Result<(), Absent> {
        match self {
            Bag::Tokens(number, value) => {
                let number = number.checked_mul(times).ok_or(Absent::Stopped(Stop::Weight))?;
                if into.len() >= room {
                    return Err(Absent::Stopped(Stop::Arcs));
                }
                if number > 0 {
                    into.push((value.value(values), number));
                }
            }
            Bag::Sum(parts) => {
                for part in parts {
                    part.add(values, times, room, into)?;
                }
            }
            Bag::Scaled(factor, inner) => {
                let times = factor.checked_mul(times).ok_or(Absent::Stopped(Stop::Weight))?;
                inner.add(values, times, room, into)?;
            }
            Bag::Difference(one, other) => {
                let mut rest = one.merged(values, room)?;
                for (code, number) in other.merged(values, room)? {
                    let at =
                        rest.binary_search_by_key(&code, |each| each.0).map_err(|_| Absent::Undefined)?;
                    rest[at].1 = rest[at].1.checked_sub(number).ok_or(Absent::Undefined)?;
                }
                for (code, number) in rest.into_iter().filter(|each| each.1 > 0) {
                    Bag::Tokens(number, Term::Constant(code)).add(values, times, room, into)?;
                }
            }
            Bag::All(size) => {
                if *size as usize >= room.saturating_sub(into.len()) {
                    return Err(Absent::Stopped(Stop::Arcs));
                }
                if times > 0 {
                    into.extend((0..*size).map(|code| (code, times)));
                }
            }
            Bag::If(test, then, otherwise) => {
                let chosen = if test.holds(values) { then } else { otherwise };
                chosen.add(values, times, room, into)?;
            }
            Bag::Each { variable, size, body } => {
                for code in 0..*size {
                    values[*variable as usize] = code;
                    body.add(values, times, room, into)?;
                }
            }
        }
        Ok(())
    }

    fn merged(&self, values: &mut [Code], room: usize) -> Result<Vec<(Code, u64)>, Absent> {
        let mut found = Vec::new();
        self.add(values, 1, room, &mut found)?;
        merge(&mut found)?;
        Ok(found)
    }

    pub fn uses_only(&self, variables: u32) -> bool {
        match self {
            Bag::Tokens(_, value) => value.uses_only(variables),
            Bag::Sum(parts) => parts.iter().all(|part| part.uses_only(variables)),
            Bag::Scaled(_, inner) => inner.uses_only(variables),
            Bag::Difference(a, b) => a.uses_only(variables) && b.uses_only(variables),
            Bag::All(_) => true,
            Bag::If(test, a, b) => {
                test.uses_only(variables) && a.uses_only(variables) && b.uses_only(variables)
            }
            Bag::Each { variable, body, .. } => *variable < variables && body.uses_only(variables),
        }
    }
}

/// Sorts by code and adds what is of equal codes.
pub fn merge(tokens: &mut Vec<(Code, u64)>) -> Result<(), Absent> {
    tokens.sort_unstable_by_key(|each| each.0);
    let mut kept = 0;
    for at in 0..tokens.len() {
        let (code, number) = tokens[at];
        if kept > 0 && tokens[kept - 1].0 == code {
            let total = tokens[kept - 1].1.checked_add(number).ok_or(Absent::Stopped(Stop::Weight))?;
            tokens[kept - 1].1 = total;
        } else {
            tokens[kept] = (code, number);
            kept += 1;
        }
    }
    tokens.truncate(kept);
    Ok(())
}
