//! Relations: sets of pairs. What keeps some pairs of a relation keeps their order, so nothing is sorted again.

use super::super::values::{Value, Values};
use super::dense::{self, Kept};
use super::sets::{contains, merge};
use super::{Outcome, Scratch, Undefined};

pub fn pairs(values: &Values, relation: Value) -> impl Iterator<Item = (Value, Value)> {
    values.elements(relation).iter().map(|&pair| values.parts(pair))
}

/// Undefined outside the domain, and where there are two images. By bisection where the pairs are ordered by their left
/// sides; else the relation is looked through.
#[inline]
pub fn apply(values: &Values, relation: Value, argument: Value) -> Outcome {
    let elements = values.elements(relation);
    if values.is_ordered_by_left(relation) {
        return match Values::with_left(elements, argument) {
            &[pair] => Ok(values.parts(pair).1),
            [] => Err(Undefined::OutsideDomain),
            _ => Err(Undefined::NotAFunction),
        };
    }
    let mut images = pairs(values, relation).filter(|&(left, _)| left == argument).map(|(_, right)| right);
    let image = images.next().ok_or(Undefined::OutsideDomain)?;
    if images.next().is_some() { Err(Undefined::NotAFunction) } else { Ok(image) }
}

pub fn domain(values: &Values, scratch: &mut Scratch, relation: Value) -> Outcome {
    if let Some(domain) = dense::domain(values, relation) {
        return Ok(domain);
    }
    let mut out = scratch.take();
    out.extend(pairs(values, relation).map(|(left, _)| left));
    Ok(scratch.set(values, out))
}

pub fn range(values: &Values, scratch: &mut Scratch, relation: Value) -> Outcome {
    if let Some(range) = dense::range(values, relation) {
        return Ok(range);
    }
    let mut out = scratch.take();
    out.extend(pairs(values, relation).map(|(_, right)| right));
    Ok(scratch.set(values, out))
}

pub fn identity(values: &Values, scratch: &mut Scratch, set: Value) -> Outcome {
    let mut out = scratch.take();
    out.extend(values.elements(set).iter().map(|&each| values.pair(each, each)));
    Ok(scratch.set(values, out))
}

pub fn inverse(values: &Values, scratch: &mut Scratch, relation: Value) -> Outcome {
    if let Some(inverse) = dense::inverse(values, relation) {
        return Ok(inverse);
    }
    let mut out = scratch.take();
    out.extend(pairs(values, relation).map(|(left, right)| values.pair(right, left)));
    Ok(scratch.set(values, out))
}

pub fn image(values: &Values, scratch: &mut Scratch, relation: Value, set: Value) -> Outcome {
    if let Some(image) = dense::image(values, relation, set) {
        return Ok(image);
    }
    let (elements, sources) = (values.elements(relation), values.elements(set));
    let mut out = scratch.take();
    if values.is_ordered_by_left(relation) && sources.len() * 4 < elements.len() {
        for &source in sources {
            out.extend(Values::with_left(elements, source).iter().map(|&pair| values.parts(pair).1));
        }
    } else {
        out.extend(
            pairs(values, relation).filter(|&(left, _)| contains(sources, left)).map(|(_, right)| right),
        );
    }
    Ok(scratch.set(values, out))
}

fn restrict(
    values: &Values,
    scratch: &mut Scratch,
    relation: Value,
    kept: Kept,
    set: Value,
    wanted: bool,
) -> Outcome {
    if let Some(rest) = dense::restrict(values, relation, kept, set, wanted) {
        return Ok(rest);
    }
    let (elements, chosen) = (values.elements(relation), values.elements(set));
    let mut out = scratch.take();
    out.extend(elements.iter().filter(|&&pair| {
        let (left, right) = values.parts(pair);
        let decides = match kept {
            Kept::Rows => left,
            Kept::Columns => right,
        };
        contains(chosen, decides) == wanted
    }));
    if out.len() == elements.len() {
        scratch.give(out);
        return Ok(relation);
    }
    Ok(scratch.sorted_set(values, out))
}

/// S <| r
pub fn domain_restrict(values: &Values, scratch: &mut Scratch, set: Value, relation: Value) -> Outcome {
    restrict(values, scratch, relation, Kept::Rows, set, true)
}

/// S <<| r
pub fn domain_subtract(values: &Values, scratch: &mut Scratch, set: Value, relation: Value) -> Outcome {
    restrict(values, scratch, relation, Kept::Rows, set, false)
}

/// r |> S
pub fn range_restrict(values: &Values, scratch: &mut Scratch, relation: Value, set: Value) -> Outcome {
    restrict(values, scratch, relation, Kept::Columns, set, true)
}

/// r |>> S
pub fn range_subtract(values: &Values, scratch: &mut Scratch, relation: Value, set: Value) -> Outcome {
    restrict(values, scratch, relation, Kept::Columns, set, false)
}

/// r <+ s: s, and of r what s says nothing about.
pub fn override_(values: &Values, scratch: &mut Scratch, below: Value, above: Value) -> Outcome {
    if below == Value::EMPTY || above == Value::EMPTY || below == above {
        return Ok(if above == Value::EMPTY { below } else { above });
    }
    if let Some(result) = dense::override_(values, below, above) {
        return Ok(result);
    }
    let (mut sources, mut kept) = (scratch.take(), scratch.take());
    sources.extend(pairs(values, above).map(|(left, _)| left));
    sources.sort_unstable();
    kept.extend(values.elements(below).iter().filter(|&&pair| !contains(&sources, values.parts(pair).0)));
    sources.clear();
    merge(&kept, values.elements(above), &mut sources);
    scratch.give(kept);
    Ok(scratch.sorted_set(values, sources))
}

/// r <+ {x |-> y}, without the set of one pair: what `f(x) := y` does.
pub fn updated(values: &Values, scratch: &mut Scratch, relation: Value, x: Value, y: Value) -> Outcome {
    let new = values.pair(x, y);
    if let Some(result) = dense::updated(values, relation, new) {
        return Ok(result);
    }
    let elements = values.elements(relation);
    let mut out = scratch.take();
    if values.is_ordered_by_left(relation) {
        // What has this left side is in one place.
        let old = Values::with_left(elements, x);
        if old == [new] {
            scratch.give(out);
            return Ok(relation);
        }
        let from =
            old.first().map_or(elements.len(), |&first| elements.partition_point(|&pair| pair < first));
        out.extend_from_slice(&elements[..from]);
        out.extend_from_slice(&elements[from + old.len()..]);
    } else {
        out.extend(elements.iter().filter(|&&pair| values.parts(pair).0 != x));
    }
    let at = out.partition_point(|&pair| pair < new);
    out.insert(at, new);
    Ok(scratch.sorted_set(values, out))
}
