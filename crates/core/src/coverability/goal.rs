//! Upward-closed conditions on markings: `p + 2 q >= 3`, conjunctions and disjunctions.
//!
//! In: an expression over places. Out: a `Goal` over slots: whether an omega-marking satisfies it, how many tokens it wants
//! where there are omegas, and its minimal markings.

use std::collections::BTreeSet;

use super::system::System;
use super::tokens::OMEGA;
use crate::kinds::net::expression::{Expression, Linear};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    Constant(bool),
    /// The weighted sum of some slots is at least this.
    AtLeast(Vec<(u32, u64)>, u128),
    All(Vec<Goal>),
    Any(Vec<Goal>),
}

impl Goal {
    /// None where the expression is not upward closed.
    pub fn new(system: &System, expression: &Expression) -> Option<Goal> {
        Some(match expression {
            Expression::Constant(value) => Goal::Constant(*value),
            // sum k M + c <= 0 with k < 0 is sum -k M >= c.
            Expression::AtMostZero(sum) => at_least(system, sum, -1, sum.constant)?,
            // With all k > 0 and no constant, a sum that is not 0 is at least 1.
            Expression::NotZero(sum) if sum.constant == 0 => at_least(system, sum, 1, 1)?,
            Expression::Zero(_) | Expression::NotZero(_) => return None,
            Expression::And(parts) => {
                Goal::All(parts.iter().map(|part| Goal::new(system, part)).collect::<Option<_>>()?)
            }
            Expression::Or(parts) => {
                Goal::Any(parts.iter().map(|part| Goal::new(system, part)).collect::<Option<_>>()?)
            }
        })
    }

    pub fn holds(&self, marking: &impl Fn(u32) -> u64) -> bool {
        match self {
            Goal::Constant(value) => *value,
            Goal::AtLeast(terms, bound) => {
                let mut sum = 0u128;
                terms.iter().any(|&(slot, weight)| {
                    let tokens = marking(slot);
                    sum += u128::from(tokens) * u128::from(weight);
                    tokens == OMEGA || sum >= *bound
                })
            }
            Goal::All(parts) => parts.iter().all(|part| part.holds(marking)),
            Goal::Any(parts) => parts.iter().any(|part| part.holds(marking)),
        }
    }

    /// How many tokens are wanted in the slots that hold omega, where the goal holds.
    pub fn demand(&self, marking: &[u64], wanted: &mut [u64]) {
        match self {
            Goal::Constant(_) => {}
            Goal::AtLeast(terms, bound) => {
                let is_omega = |slot: u32| marking[slot as usize] == OMEGA;
                let finite = terms.iter().filter(|term| !is_omega(term.0));
                let sum: u128 =
                    finite.map(|&(slot, k)| u128::from(marking[slot as usize]) * u128::from(k)).sum();
                let Some(&(slot, weight)) = terms.iter().find(|term| is_omega(term.0)) else { return };
                let missing = bound.saturating_sub(sum).div_ceil(u128::from(weight));
                let wish = &mut wanted[slot as usize];
                *wish = (*wish).max(u64::try_from(missing).unwrap_or(OMEGA));
            }
            Goal::All(parts) => parts.iter().for_each(|part| part.demand(marking, wanted)),
            Goal::Any(parts) => {
                let holds = |part: &&Goal| part.holds(&|slot| marking[slot as usize]);
                if let Some(part) = parts.iter().find(holds) {
                    part.demand(marking, wanted);
                }
            }
        }
    }

    /// Markings of which some is covered by every marking that satisfies the goal, and no other; None where there are more
    /// than `most`.
    pub fn basis(&self, width: usize, most: usize) -> Option<BTreeSet<Vec<u64>>> {
        let found = match self {
            Goal::Constant(false) => BTreeSet::new(),
            Goal::Constant(true) => BTreeSet::from([vec![0; width]]),
            Goal::AtLeast(terms, bound) => {
                let mut found = BTreeSet::new();
                distribute(terms, *bound, &mut vec![0; width], &mut found, most)?;
                found
            }
            Goal::All(parts) => {
                let mut found = BTreeSet::from([vec![0; width]]);
                for part in parts {
                    let other = part.basis(width, most)?;
                    if found.len().saturating_mul(other.len()) > most {
                        return None;
                    }
                    let both =
                        |(a, b): (&Vec<u64>, &Vec<u64>)| a.iter().zip(b).map(|(x, y)| *x.max(y)).collect();
                    found = found.iter().flat_map(|a| other.iter().map(move |b| both((a, b)))).collect();
                }
                found
            }
            Goal::Any(parts) => {
                let mut found = BTreeSet::new();
                for part in parts {
                    found.append(&mut part.basis(width, most)?);
                }
                found
            }
        };
        (found.len() <= most).then_some(found)
    }
}

/// `sign` * terms >= bound; None where a coefficient has the other sign.
fn at_least(system: &System, sum: &Linear, sign: i128, bound: i128) -> Option<Goal> {
    let mut bound = bound;
    let mut terms: Vec<(u32, u64)> = Vec::new();
    for &(place, k) in &sum.terms {
        let weight = u64::try_from(sign * k).ok()?;
        match system.place(place) {
            Ok(slot) => terms.push((slot, weight)),
            Err(always) => bound -= i128::from(always) * i128::from(weight),
        }
    }
    // Identical places have one slot.
    terms.sort_unstable();
    terms.dedup_by(|later, first| {
        let same = later.0 == first.0;
        first.1 += if same { later.1 } else { 0 };
        same
    });
    Some(match u128::try_from(bound) {
        Ok(bound) if bound > 0 && terms.is_empty() => Goal::Constant(false),
        Ok(bound) if bound > 0 => Goal::AtLeast(terms, bound),
        _ => Goal::Constant(true),
    })
}

/// All minimal ways to reach the bound.
fn distribute(
    terms: &[(u32, u64)],
    missing: u128,
    marking: &mut Vec<u64>,
    found: &mut BTreeSet<Vec<u64>>,
    most: usize,
) -> Option<()> {
    if missing == 0 {
        found.insert(marking.clone());
        return (found.len() <= most).then_some(());
    }
    let Some((&(slot, weight), rest)) = terms.split_first() else { return Some(()) };
    let all = missing.div_ceil(u128::from(weight));
    let fewest = if rest.is_empty() { all } else { 0 };
    if all - fewest > most as u128 {
        return None;
    }
    for tokens in fewest..=all {
        marking[slot as usize] = u64::try_from(tokens).ok()?;
        distribute(rest, missing.saturating_sub(tokens * u128::from(weight)), marking, found, most)?;
    }
    marking[slot as usize] = 0;
    Some(())
}
