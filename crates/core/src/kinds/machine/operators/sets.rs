//! Sets: operations on their bits, where they have them, else merges of ascending slices. Where a result has as many
//! elements as an operand that contains it, or that it contains, it is that operand and need not be interned.

use super::super::values::{Value, Values};
use super::{Outcome, Scratch, Undefined};

/// Below this a slice is looked through from its beginning; that needs no branches that are hard to foresee.
const SHORT: usize = 16;

#[inline]
pub fn contains(elements: &[Value], value: Value) -> bool {
    if elements.len() <= SHORT { elements.contains(&value) } else { elements.binary_search(&value).is_ok() }
}

#[inline]
pub fn member(values: &Values, value: Value, set: Value) -> bool {
    match (values.spot(value), values.bits(set)) {
        (Some(spot), Some(bits)) => bits >> spot.bit & 1 == 1,
        _ => contains(values.elements(set), value),
    }
}

/// The bits of two sets, where both have them.
#[inline(always)]
fn bits(values: &Values, a: Value, b: Value) -> Option<(u64, u64)> {
    Some((values.bits(a)?, values.bits(b)?))
}

/// The set with some of the bits of a set that is not empty.
#[inline(always)]
fn part(values: &Values, of: Value, bits: u64) -> Value {
    match values.universe_of(of) {
        Some(universe) => values.dense_set(universe, bits),
        None => Value::EMPTY,
    }
}

pub fn subset(values: &Values, a: Value, b: Value) -> bool {
    match bits(values, a, b) {
        Some((a, b)) => a & !b == 0,
        None => a == b || includes(values.elements(b), values.elements(a)),
    }
}

/// Is each of `small` among `large`? Both ascend.
fn includes(large: &[Value], small: &[Value]) -> bool {
    if small.len() > large.len() {
        return false;
    }
    if small.len() * SHORT < large.len() {
        return small.iter().all(|&each| contains(large, each));
    }
    let mut rest = large.iter();
    small.iter().all(|each| rest.find(|&other| other >= each) == Some(each))
}

pub fn strict_subset(values: &Values, a: Value, b: Value) -> bool {
    a != b && subset(values, a, b)
}

pub fn card(values: &Values, set: Value) -> Value {
    values.number(values.elements(set).len() as i64)
}

pub fn set(values: &Values, scratch: &mut Scratch, elements: &[Value]) -> Value {
    let mut out = scratch.take();
    out.extend_from_slice(elements);
    scratch.set(values, out)
}

pub fn union(values: &Values, scratch: &mut Scratch, a: Value, b: Value) -> Outcome {
    if a == b || b == Value::EMPTY {
        return Ok(a);
    }
    if a == Value::EMPTY {
        return Ok(b);
    }
    if let Some((left, right)) = bits(values, a, b) {
        return match left | right {
            all if all == left => Ok(a),
            all if all == right => Ok(b),
            all => {
                scratch.admit(all.count_ones() as usize)?;
                Ok(part(values, b, all))
            }
        };
    }
    let (left, right) = (values.elements(a), values.elements(b));
    let mut out = scratch.take();
    merge(left, right, &mut out);
    if out.len() == left.len() || out.len() == right.len() {
        let larger = if out.len() == left.len() { a } else { b };
        scratch.give(out);
        return Ok(larger);
    }
    scratch.admit(out.len())?;
    Ok(scratch.sorted_set(values, out))
}

/// The union of a set and of these, which ascend.
pub fn united(values: &Values, scratch: &mut Scratch, a: Value, more: &[Value]) -> Outcome {
    let left = values.elements(a);
    let mut out = scratch.take();
    merge(left, more, &mut out);
    if out.len() == left.len() {
        scratch.give(out);
        return Ok(a);
    }
    scratch.admit(out.len())?;
    Ok(scratch.sorted_set(values, out))
}

/// Appends what is in either; both ascend. No branch depends on the elements: which is smaller cannot be foreseen.
pub fn merge(left: &[Value], right: &[Value], out: &mut Vec<Value>) {
    let (mut i, mut j, mut end) = (0, 0, out.len());
    out.resize(end + left.len() + right.len(), Value::UNSET);
    while i < left.len() && j < right.len() {
        let (a, b) = (left[i], right[j]);
        out[end] = a.min(b);
        end += 1;
        i += usize::from(a <= b);
        j += usize::from(b <= a);
    }
    out.truncate(end);
    out.extend_from_slice(&left[i..]);
    out.extend_from_slice(&right[j..]);
}

pub fn intersection(values: &Values, scratch: &mut Scratch, a: Value, b: Value) -> Outcome {
    if a == b || a == Value::EMPTY {
        return Ok(a);
    }
    if b == Value::EMPTY {
        return Ok(b);
    }
    if let Some((left, right)) = bits(values, a, b) {
        return Ok(match left & right {
            common if common == left => a,
            common if common == right => b,
            common => part(values, a, common),
        });
    }
    let (left, right) = (values.elements(a), values.elements(b));
    let (small, large) = if left.len() <= right.len() { (left, right) } else { (right, left) };
    let mut out = scratch.take();
    sift(small, large, true, &mut out);
    if out.len() == small.len() {
        scratch.give(out);
        return Ok(if left.len() <= right.len() { a } else { b });
    }
    Ok(scratch.sorted_set(values, out))
}

pub fn difference(values: &Values, scratch: &mut Scratch, a: Value, b: Value) -> Outcome {
    if a == b {
        return Ok(Value::EMPTY);
    }
    if a == Value::EMPTY || b == Value::EMPTY {
        return Ok(a);
    }
    if let Some((left, right)) = bits(values, a, b) {
        let rest = left & !right;
        return Ok(if rest == left { a } else { part(values, a, rest) });
    }
    let elements = values.elements(a);
    let mut out = scratch.take();
    sift(elements, values.elements(b), false, &mut out);
    if out.len() == elements.len() {
        scratch.give(out);
        return Ok(a);
    }
    Ok(scratch.sorted_set(values, out))
}

/// Puts those of `elements` that are (or are not) among `others` into an empty buffer; both ascend.
fn sift(elements: &[Value], others: &[Value], wanted: bool, out: &mut Vec<Value>) {
    if elements.len() * SHORT < others.len() {
        out.extend(elements.iter().filter(|&&each| contains(others, each) == wanted));
        return;
    }
    let (mut i, mut j, mut end) = (0, 0, 0);
    out.resize(elements.len(), Value::UNSET);
    while i < elements.len() && j < others.len() {
        let (a, b) = (elements[i], others[j]);
        out[end] = a;
        end += usize::from(if wanted { a == b } else { a < b });
        i += usize::from(a <= b);
        j += usize::from(b <= a);
    }
    out.truncate(end);
    if !wanted {
        out.extend_from_slice(&elements[i..]);
    }
}

pub fn product(values: &Values, scratch: &mut Scratch, a: Value, b: Value) -> Outcome {
    let (left, right) = (values.elements(a), values.elements(b));
    scratch.admit(left.len().saturating_mul(right.len()))?;
    let mut out = scratch.take();
    for &x in left {
        out.extend(right.iter().map(|&y| values.pair(x, y)));
    }
    Ok(scratch.set(values, out))
}

pub fn power_set(values: &Values, scratch: &mut Scratch, set: Value) -> Outcome {
    subsets(values, scratch, set, true)
}

/// Without the empty set.
pub fn power_set_1(values: &Values, scratch: &mut Scratch, set: Value) -> Outcome {
    subsets(values, scratch, set, false)
}

fn subsets(values: &Values, scratch: &mut Scratch, set: Value, with_empty: bool) -> Outcome {
    let elements = values.elements(set);
    scratch.admit(1usize.checked_shl(elements.len() as u32).unwrap_or(usize::MAX))?;
    let (mut out, mut chosen) = (scratch.take(), scratch.take());
    for mask in usize::from(!with_empty)..1 << elements.len() {
        chosen.clear();
        chosen.extend(
            elements.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1).map(|(_, &each)| each),
        );
        out.push(values.sorted_set(&chosen));
    }
    scratch.give(chosen);
    Ok(scratch.set(values, out))
}

pub fn general_union(values: &Values, scratch: &mut Scratch, sets: Value) -> Outcome {
    let mut out = scratch.take();
    for &each in values.elements(sets) {
        out.extend_from_slice(values.elements(each));
        if out.len() > scratch.limit {
            out.sort_unstable();
            out.dedup();
            scratch.admit(out.len())?;
        }
    }
    Ok(scratch.set(values, out))
}

pub fn general_intersection(values: &Values, scratch: &mut Scratch, sets: Value) -> Outcome {
    let (&first, rest) = values.elements(sets).split_first().ok_or(Undefined::EmptyIntersection)?;
    rest.iter().try_fold(first, |common, &each| intersection(values, scratch, common, each))
}

/// The values of a free type whose arguments, by constructor, are from these sets.
pub fn built(values: &Values, scratch: &mut Scratch, sets: &[Value]) -> Outcome {
    let count = sets.iter().map(|&each| values.elements(each).len()).sum();
    scratch.admit(count)?;
    let mut out = scratch.take();
    for (constructor, &arguments) in (0..).zip(sets) {
        let constructor = values.number(constructor);
        out.extend(values.elements(arguments).iter().map(|&argument| values.pair(constructor, argument)));
    }
    Ok(scratch.set(values, out))
}

/// The records whose fields are from these sets, one for each field.
pub fn records(values: &Values, scratch: &mut Scratch, sets: &[Value]) -> Outcome {
    let sizes = sets.iter().map(|&each| values.elements(each).len());
    let count = sizes.fold(1usize, usize::saturating_mul);
    scratch.admit(count)?;
    let (mut out, mut fields) = (scratch.take(), scratch.take());
    for number in 0..count {
        let mut rest = number;
        fields.clear();
        for &each in sets {
            let choices = values.elements(each);
            fields.push(choices[rest % choices.len()]);
            rest /= choices.len();
        }
        out.push(values.record(&fields));
    }
    scratch.give(fields);
    Ok(scratch.set(values, out))
}
