//! Multisets. What occurs once stands in a set as it is, what occurs n > 1 times as the pair of -n and it; so multisets of
//! different things are sets like others, with bits where those have them, and canonical forms need not know of them.
//!
//! No element of a multiset may be a pair with a negative number on the left: putting one in is undefined.

use super::super::values::{Value, Values};
use super::sets::contains;
use super::{Outcome, Scratch, Undefined, arithmetic};

/// What an item of the set stands for, and how often it occurs.
#[inline(always)]
fn entry(values: &Values, item: Value) -> (Value, i64) {
    match values.as_pair(item) {
        Some((left, right)) => match values.as_number(left) {
            Some(number) if number < 0 => (right, -number),
            _ => (item, 1),
        },
        None => (item, 1),
    }
}

#[inline]
fn item(values: &Values, value: Value, count: i64) -> Value {
    if count == 1 { value } else { values.pair(values.number(-count), value) }
}

fn check_element(values: &Values, value: Value) -> Result<(), Undefined> {
    if entry(values, value).1 == 1 { Ok(()) } else { Err(Undefined::OutsideDomain) }
}

/// Where it stands among the items, and how often it occurs.
fn find(values: &Values, items: &[Value], value: Value) -> Option<(usize, i64)> {
    if let Ok(at) = items.binary_search(&value) {
        return Some((at, 1));
    }
    // What it is one of several of is a pair.
    items.iter().enumerate().filter(|(_, each)| each.may_be_pair()).find_map(|(at, &each)| {
        let (other, count) = entry(values, each);
        (other == value).then_some((at, count))
    })
}

/// Adds so many (or takes away) of a value to items, which ascend.
fn change(values: &Values, items: &mut Vec<Value>, value: Value, by: i64) -> Result<(), Undefined> {
    let known = find(values, items, value);
    let before = known.map_or(0, |(_, count)| count);
    let after = before.checked_add(by).ok_or(Undefined::NumberTooLarge)?;
    if after < 0 {
        return Err(Undefined::OutsideDomain);
    }
    if let Some((at, _)) = known {
        items.remove(at);
    }
    if after > 0 {
        let new = item(values, value, after);
        let at = items.partition_point(|&each| each < new);
        items.insert(at, new);
    }
    Ok(())
}

/// Up to here lists are searched from end to end; longer ones are sorted first.
const FEW: usize = 16;

/// The multiset of these items, as many as the numbers before them say.
pub fn bag(values: &Values, scratch: &mut Scratch, arguments: &[Value]) -> Outcome {
    changed(values, scratch, Value::EMPTY, arguments)
}

/// A multiset with so many of each value more, or less where the number is negative; numbers and values in turn.
pub fn changed(values: &Values, scratch: &mut Scratch, bag: Value, changes: &[Value]) -> Outcome {
    if let Some(set) = changed_bits(values, bag, changes) {
        return Ok(set);
    }
    let mut net = scratch.take_counts();
    let mut items = scratch.take();
    let outcome = net_changes(values, changes, &mut net).and_then(|()| {
        if net.len() > FEW {
            return change_many(values, &mut items, bag, &mut net);
        }
        items.extend_from_slice(values.elements(bag));
        net.iter().try_for_each(|&(value, by)| change(values, &mut items, value, by))
    });
    scratch.give_counts(net);
    match outcome {
        Ok(()) => {
            scratch.admit(items.len())?;
            Ok(scratch.sorted_set(values, items))
        }
        Err(why) => {
            scratch.give(items);
            Err(why)
        }
    }
}

/// The changes of each value added up, without those that cancel out.
fn net_changes(values: &Values, changes: &[Value], net: &mut Vec<(Value, i64)>) -> Result<(), Undefined> {
    let are_few = changes.len() <= 2 * FEW;
    for change in changes.chunks_exact(2) {
        let (by, value) = (arithmetic::number(values, change[0]), change[1]);
        check_element(values, value)?;
        match net.iter_mut().find(|(other, _)| are_few && *other == value) {
            Some((_, sum)) => *sum = sum.checked_add(by).ok_or(Undefined::NumberTooLarge)?,
            None => net.push((value, by)),
        }
    }
    if !are_few {
        add_up(net)?;
    }
    net.retain(|&(_, by)| by != 0);
    Ok(())
}

/// Numbers of the same value become one; values ascend.
fn add_up(counts: &mut Vec<(Value, i64)>) -> Result<(), Undefined> {
    counts.sort_unstable();
    let mut overflows = false;
    counts.dedup_by(|next, first| {
        let is_same = next.0 == first.0;
        if is_same {
            let sum = first.1.checked_add(next.1);
            overflows |= sum.is_none();
            first.1 = sum.unwrap_or_default();
        }
        is_same
    });
    if overflows { Err(Undefined::NumberTooLarge) } else { Ok(()) }
}

/// The items, ascending, of a multiset after many changes.
fn change_many(
    values: &Values,
    items: &mut Vec<Value>,
    bag: Value,
    counts: &mut Vec<(Value, i64)>,
) -> Result<(), Undefined> {
    counts.extend(values.elements(bag).iter().map(|&each| entry(values, each)));
    add_up(counts)?;
    if counts.iter().any(|&(_, count)| count < 0) {
        return Err(Undefined::OutsideDomain);
    }
    items.extend(
        counts.iter().filter(|&&(_, count)| count > 0).map(|&(value, count)| item(values, value, count)),
    );
    items.sort_unstable();
    Ok(())
}

/// Where everything has bits and nothing comes to occur twice.
#[inline]
fn changed_bits(values: &Values, bag: Value, changes: &[Value]) -> Option<Value> {
    let before = values.bits(bag)?;
    let (mut bits, mut universe) = (before, None);
    for change in changes.chunks_exact(2) {
        let spot = values.spot(change[1])?;
        let bit = 1 << spot.bit;
        match values.as_number(change[0]) {
            Some(1) if bits & bit == 0 => bits |= bit,
            Some(-1) if bits & bit != 0 => bits &= !bit,
            _ => return None,
        }
        universe = Some(spot.universe);
    }
    Some(match universe {
        Some(universe) if bits != before => values.dense_set(universe, bits),
        _ => bag,
    })
}

/// Sums, and differences where `sign` is -1.
fn combined(values: &Values, scratch: &mut Scratch, a: Value, b: Value, sign: i64) -> Outcome {
    let mut changes = scratch.take();
    for &each in values.elements(b) {
        let (value, count) = entry(values, each);
        changes.extend([values.number(sign * count), value]);
    }
    let outcome = changed(values, scratch, a, &changes);
    scratch.give(changes);
    outcome
}

pub fn sum(values: &Values, scratch: &mut Scratch, a: Value, b: Value) -> Outcome {
    let size = |bag| values.elements(bag).len();
    if size(a) >= size(b) { combined(values, scratch, a, b, 1) } else { combined(values, scratch, b, a, 1) }
}

/// Undefined where the second is not included in the first.
pub fn difference(values: &Values, scratch: &mut Scratch, a: Value, b: Value) -> Outcome {
    combined(values, scratch, a, b, -1)
}

/// Each element so many times as often; undefined for negative numbers.
pub fn scaled(values: &Values, scratch: &mut Scratch, factor: Value, bag: Value) -> Outcome {
    let factor = arithmetic::number(values, factor);
    if factor < 0 {
        return Err(Undefined::OutsideDomain);
    }
    if factor == 0 {
        return Ok(Value::EMPTY);
    }
    let mut out = scratch.take();
    for &each in values.elements(bag) {
        let (value, count) = entry(values, each);
        let Some(count) = count.checked_mul(factor) else {
            scratch.give(out);
            return Err(Undefined::NumberTooLarge);
        };
        out.push(item(values, value, count));
    }
    Ok(scratch.set(values, out))
}

pub fn included(values: &Values, a: Value, b: Value) -> bool {
    if a == b || a == Value::EMPTY {
        return true;
    }
    if let (Some(small), Some(large)) = (values.bits(a), values.bits(b)) {
        return small & !large == 0;
    }
    let (wanted, items) = (values.elements(a), values.elements(b));
    if wanted.len() > FEW {
        return are_included(values, wanted, items);
    }
    wanted.iter().all(|&each| {
        let (value, count) = entry(values, each);
        find(values, items, value).is_some_and(|(_, available)| available >= count)
    })
}

fn are_included(values: &Values, wanted: &[Value], items: &[Value]) -> bool {
    let mut available: Vec<(Value, i64)> = items.iter().map(|&each| entry(values, each)).collect();
    available.sort_unstable();
    wanted.iter().all(|&each| {
        let (value, count) = entry(values, each);
        let found = available.binary_search_by_key(&value, |&(other, _)| other);
        found.is_ok_and(|at| available[at].1 >= count)
    })
}

pub fn count(values: &Values, bag: Value, value: Value) -> Value {
    let count = match (values.spot(value), values.bits(bag)) {
        (Some(spot), Some(bits)) => (bits >> spot.bit & 1) as i64,
        _ => find(values, values.elements(bag), value).map_or(0, |(_, count)| count),
    };
    values.number(count)
}

/// How many elements there are, each as often as it occurs.
pub fn size(values: &Values, bag: Value) -> Outcome {
    let size = i64::try_from(count_all(values, bag)).map_err(|_| Undefined::NumberTooLarge)?;
    Ok(values.number(size))
}

/// As a number; the largest one where it would be larger.
pub fn count_all(values: &Values, bag: Value) -> u64 {
    if let Some(bits) = values.bits(bag) {
        return u64::from(bits.count_ones());
    }
    let counts = values.elements(bag).iter().map(|&each| entry(values, each).1.unsigned_abs());
    counts.fold(0, u64::saturating_add)
}

/// The set of what occurs.
pub fn support(values: &Values, scratch: &mut Scratch, bag: Value) -> Value {
    let items = values.elements(bag);
    if values.bits(bag).is_some() || items.iter().all(|&each| entry(values, each).1 == 1) {
        return bag;
    }
    let mut out = scratch.take();
    out.extend(items.iter().map(|&each| entry(values, each).0));
    scratch.set(values, out)
}

/// Each element of a set once.
pub fn of_set(values: &Values, set: Value) -> Outcome {
    if values.bits(set).is_none() {
        values.elements(set).iter().try_for_each(|&each| check_element(values, each))?;
    }
    Ok(set)
}

/// From pairs of a value and how often it occurs; undefined where a value has two numbers, or a negative one.
pub fn of_function(values: &Values, scratch: &mut Scratch, function: Value) -> Outcome {
    let mut net = scratch.take_counts();
    let mut problem = None;
    for &each in values.elements(function) {
        let (value, count) = values.parts(each);
        let count = arithmetic::number(values, count);
        if count < 0 || check_element(values, value).is_err() {
            problem = Some(Undefined::OutsideDomain);
        }
        net.push((value, count));
    }
    net.sort_unstable();
    if net.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        problem = Some(Undefined::OutsideDomain);
    }
    let mut out = scratch.take();
    out.extend(net.iter().filter(|&&(_, count)| count > 0).map(|&(value, count)| item(values, value, count)));
    scratch.give_counts(net);
    match problem {
        None => Ok(scratch.set(values, out)),
        Some(why) => {
            scratch.give(out);
            Err(why)
        }
    }
}

/// Does it occur?
#[inline]
pub fn occurs(values: &Values, value: Value, bag: Value) -> bool {
    match (values.spot(value), values.bits(bag)) {
        (Some(spot), Some(bits)) => bits >> spot.bit & 1 == 1,
        _ => {
            let items = values.elements(bag);
            contains(items, value) || find(values, items, value).is_some()
        }
    }
}
