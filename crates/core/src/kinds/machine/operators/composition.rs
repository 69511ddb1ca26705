//! Operators that join two relations, and those between relations and functions to sets.

use super::super::values::{Value, Values};
use super::relations::pairs;
use super::{Outcome, Scratch};

/// All pairs, ordered by their left sides.
pub(super) fn by_left(values: &Values, relation: Value, out: &mut Vec<(Value, Value)>) {
    out.extend(pairs(values, relation));
    if !values.is_ordered_by_left(relation) {
        out.sort_unstable();
    }
}

/// The part of an ordered list that has this left side.
pub(super) fn with_left(ordered: &[(Value, Value)], left: Value) -> &[(Value, Value)] {
    let rest = &ordered[ordered.partition_point(|&(each, _)| each < left)..];
    &rest[..rest.iter().take_while(|&&(each, _)| each == left).count()]
}

/// For each pair of `a`, all that `partners` of `b` it is joined with; `join` makes a pair of each.
fn joined(
    values: &Values,
    scratch: &mut Scratch,
    (a, b): (Value, Value),
    key: impl Fn((Value, Value)) -> Value,
    join: impl Fn((Value, Value), Value) -> Value,
) -> Outcome {
    let (mut ordered, mut out) = (scratch.take_pairs(), scratch.take());
    by_left(values, b, &mut ordered);
    let mut outcome = Ok(());
    for pair in pairs(values, a) {
        out.extend(with_left(&ordered, key(pair)).iter().map(|&(_, right)| join(pair, right)));
        if out.len() > scratch.limit {
            out.sort_unstable();
            out.dedup();
            outcome = scratch.admit(out.len());
            if outcome.is_err() {
                break;
            }
        }
    }
    scratch.give_pairs(ordered);
    let set = scratch.set(values, out);
    outcome.map(|()| set)
}

/// (r ; s), r first.
pub fn compose(values: &Values, scratch: &mut Scratch, first: Value, second: Value) -> Outcome {
    joined(values, scratch, (first, second), |(_, y)| y, |(x, _), z| values.pair(x, z))
}

/// r >< s: from x to the pairs of its images.
pub fn direct_product(values: &Values, scratch: &mut Scratch, a: Value, b: Value) -> Outcome {
    joined(values, scratch, (a, b), |(x, _)| x, |(x, y), z| values.pair(x, values.pair(y, z)))
}

/// (r || s): from pairs to pairs.
pub fn parallel_product(values: &Values, scratch: &mut Scratch, a: Value, b: Value) -> Outcome {
    scratch.admit(values.elements(a).len().saturating_mul(values.elements(b).len()))?;
    let mut out = scratch.take();
    for (x, u) in pairs(values, a) {
        out.extend(pairs(values, b).map(|(y, v)| values.pair(values.pair(x, y), values.pair(u, v))));
    }
    Ok(scratch.set(values, out))
}

/// prj1(S,T): from (x |-> y) to x.
pub fn first_projection(values: &Values, scratch: &mut Scratch, a: Value, b: Value) -> Outcome {
    projection(values, scratch, a, b, |x, _| x)
}

/// prj2(S,T): from (x |-> y) to y.
pub fn second_projection(values: &Values, scratch: &mut Scratch, a: Value, b: Value) -> Outcome {
    projection(values, scratch, a, b, |_, y| y)
}

fn projection(
    values: &Values,
    scratch: &mut Scratch,
    a: Value,
    b: Value,
    side: impl Fn(Value, Value) -> Value,
) -> Outcome {
    let (left, right) = (values.elements(a), values.elements(b));
    scratch.admit(left.len().saturating_mul(right.len()))?;
    let mut out = scratch.take();
    for &x in left {
        out.extend(right.iter().map(|&y| values.pair(values.pair(x, y), side(x, y))));
    }
    Ok(scratch.set(values, out))
}

/// fnc(r): from each x of the domain to the set of its images.
pub fn as_function(values: &Values, scratch: &mut Scratch, relation: Value) -> Outcome {
    let (mut ordered, mut out, mut images) = (scratch.take_pairs(), scratch.take(), scratch.take());
    by_left(values, relation, &mut ordered);
    for group in ordered.chunk_by(|(a, _), (b, _)| a == b) {
        images.clear();
        images.extend(group.iter().map(|&(_, right)| right));
        out.push(values.pair(group[0].0, values.set(&mut images)));
    }
    scratch.give_pairs(ordered);
    scratch.give(images);
    Ok(scratch.set(values, out))
}

/// rel(f): each x with each element of f(x).
pub fn as_relation(values: &Values, scratch: &mut Scratch, function: Value) -> Outcome {
    let mut out = scratch.take();
    for (x, images) in pairs(values, function) {
        out.extend(values.elements(images).iter().map(|&y| values.pair(x, y)));
    }
    scratch.admit(out.len())?;
    Ok(scratch.set(values, out))
}
