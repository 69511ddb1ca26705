//! Formulas as they come from outside, to negation normal form.
//!
//! In: a table of operators, operands before what is made of them, and how finite runs end. Out: one simplified formula over
//! infinite words, in an `Arena`.
//!
//! Runs of a model may end. The search then repeats the last state for ever, and an atom, `ended`, is true at the last position
//! and at all its copies, and nowhere else. *Stuttering* (Spin, the Model Checking Contest): the copies are positions like others,
//! and the formula is taken as it stands. *Strong next* (the finite maximal runs of ProB): the copies are the last position, seen
//! again. Then X p becomes `!ended & X p`, and the memory of the past is not changed by a letter with `ended` (see `past`).
//!
//! Why strong next is right. Let w = w0 .. wn be a finite word, and v = w0 .. wn wn wn .. its extension. Claim: every subformula
//! has at position i <= n of v the value that it has at i in w, and at all positions beyond n the value at n. By induction:
//! atoms, as letters are copied; Boolean operators clearly. X p: at i < n both mean p at i + 1; at i >= n it is false in w (there
//! is no next position) and in v (`ended`). p U q at n: in w it is q; in v, where p and q have the same values from n on, it is q
//! too; at i < n by its expansion q | p & X(p U q), which has the same form in both. R: dual. Y p, p S q: up to n the memory is
//! that of w, as no letter before n has `ended`; the letter at n leaves it as it is, and so do the copies, so positions beyond n
//! see the memory that n saw, hence the same value. An infinite run never has `ended`, and nothing is changed for it.

use super::Error;
use super::formula::{Arena, FALSE, FormulaId, TRUE};

/// A row of the table; numbers are rows before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operator {
    True,
    False,
    Atom(u32),
    Not(usize),
    And(Vec<usize>),
    Or(Vec<usize>),
    Next(usize),
    Until(usize, usize),
    Release(usize, usize),
    Yesterday(usize),
    Since(usize, usize),
    Trigger(usize, usize),
}

impl Operator {
    pub fn operands(&self) -> Vec<usize> {
        match self {
            Operator::True | Operator::False | Operator::Atom(_) => Vec::new(),
            Operator::And(operands) | Operator::Or(operands) => operands.clone(),
            &(Operator::Not(a) | Operator::Next(a) | Operator::Yesterday(a)) => vec![a],
            &(Operator::Until(a, b)
            | Operator::Release(a, b)
            | Operator::Since(a, b)
            | Operator::Trigger(a, b)) => vec![a, b],
        }
    }
}

impl Operator {
    /// The same operator over other rows.
    pub fn renumbered(&self, number: &mut impl FnMut(usize) -> usize) -> Operator {
        match self {
            Operator::True | Operator::False | Operator::Atom(_) => self.clone(),
            &Operator::Not(a) => Operator::Not(number(a)),
            Operator::And(operands) => Operator::And(operands.iter().map(|&a| number(a)).collect()),
            Operator::Or(operands) => Operator::Or(operands.iter().map(|&a| number(a)).collect()),
            &Operator::Next(a) => Operator::Next(number(a)),
            &Operator::Until(a, b) => Operator::Until(number(a), number(b)),
            &Operator::Release(a, b) => Operator::Release(number(a), number(b)),
            &Operator::Yesterday(a) => Operator::Yesterday(number(a)),
            &Operator::Since(a, b) => Operator::Since(number(a), number(b)),
            &Operator::Trigger(a, b) => Operator::Trigger(number(a), number(b)),
        }
    }
}

/// What happens at the end of a finite run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The last state is repeated, and the repetitions count as positions.
    Stutter,
    /// There is no next position. The atom `ended` is true at the last position and its copies.
    StrongNext { ended: u32 },
}

impl End {
    pub fn ended(self) -> Option<u32> {
        match self {
            End::Stutter => None,
            End::StrongNext { ended } => Some(ended),
        }
    }
}

/// Operators in each other: recursion follows them.
const MAX_DEPTH: usize = 2_000;

/// The formula of the last row.
pub fn lower(table: &[Operator], end: End, arena: &mut Arena) -> Result<FormulaId, Error> {
    check(table)?;
    let mut lowered: Vec<FormulaId> = Vec::with_capacity(table.len());
    for operator in table {
        let of = |rows: &[usize]| -> Vec<FormulaId> { rows.iter().map(|&row| lowered[row]).collect() };
        let id = match operator {
            Operator::True => TRUE,
            Operator::False => FALSE,
            &Operator::Atom(atom) => arena.literal(atom, true),
            &Operator::Not(a) => lowered[a].negated(),
            Operator::And(operands) => arena.and(of(operands)),
            Operator::Or(operands) => arena.or(of(operands)),
            &Operator::Next(a) => lower_next(table, &lowered, a, end, arena),
            &Operator::Until(a, b) => arena.until(lowered[a], lowered[b]),
            &Operator::Release(a, b) => arena.release(lowered[a], lowered[b]),
            &Operator::Yesterday(a) => lower_yesterday(table, &lowered, a, arena),
            &Operator::Since(a, b) => arena.since(lowered[a], lowered[b]),
            &Operator::Trigger(a, b) => arena.trigger(lowered[a], lowered[b]),
        };
        lowered.push(id);
    }
    lowered.last().copied().ok_or(Error::Malformed)
}

fn check(table: &[Operator]) -> Result<(), Error> {
    let mut depths: Vec<usize> = Vec::with_capacity(table.len());
    for operator in table {
        let mut deepest = 0;
        for row in operator.operands() {
            deepest = deepest.max(*depths.get(row).ok_or(Error::Malformed)?);
        }
        if deepest >= MAX_DEPTH {
            return Err(Error::TooDeep(MAX_DEPTH));
        }
        depths.push(deepest + 1);
    }
    Ok(())
}

/// X Y p is p where there is a next position.
fn lower_next(
    table: &[Operator],
    lowered: &[FormulaId],
    operand: usize,
    end: End,
    arena: &mut Arena,
) -> FormulaId {
    let next = match under_negations(table, operand) {
        (&Operator::Yesterday(a), is_negated) => signed(lowered[a], is_negated),
        _ => arena.next(lowered[operand]),
    };
    match end.ended() {
        None => next,
        Some(ended) => {
            let goes_on = arena.literal(ended, false);
            arena.and([goes_on, next])
        }
    }
}

/// Y X p is p where there is a position before: that one is not the last.
fn lower_yesterday(
    table: &[Operator],
    lowered: &[FormulaId],
    operand: usize,
    arena: &mut Arena,
) -> FormulaId {
    match under_negations(table, operand) {
        (&Operator::Next(a), is_negated) => {
            let not_first = arena.yesterday(TRUE);
            arena.and([not_first, signed(lowered[a], is_negated)])
        }
        _ => arena.yesterday(lowered[operand]),
    }
}

/// The operator below all negations, and whether their number is odd.
fn under_negations(table: &[Operator], mut row: usize) -> (&Operator, bool) {
    let mut is_negated = false;
    while let Operator::Not(a) = table[row] {
        row = a;
        is_negated = !is_negated;
    }
    (&table[row], is_negated)
}

fn signed(id: FormulaId, is_negated: bool) -> FormulaId {
    if is_negated { id.negated() } else { id }
}
