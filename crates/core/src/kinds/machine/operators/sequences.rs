//! Sequences: functions from 1..n. Read into a list, changed there, and written again.

use super::super::values::{Value, Values, View};
use super::arithmetic::number;
use super::relations::pairs;
use super::{Outcome, Scratch, Undefined};

/// Puts the items in order into an empty list; false: it is no sequence.
pub fn items(values: &Values, sequence: Value, out: &mut Vec<Value>) -> bool {
    let length = values.elements(sequence).len();
    out.clear();
    out.resize(length, Value::UNSET);
    pairs(values, sequence).all(|(position, item)| {
        let View::Number(position) = values.view(position) else { return false };
        match usize::try_from(position - 1).ok().and_then(|index| out.get_mut(index)) {
            Some(place) if *place == Value::UNSET => {
                *place = item;
                true
            }
            _ => false,
        }
    })
}

pub fn is_sequence(values: &Values, scratch: &mut Scratch, sequence: Value) -> bool {
    let mut list = scratch.take();
    let answer = items(values, sequence, &mut list);
    scratch.give(list);
    answer
}

/// The sequence of these.
pub fn sequence(values: &Values, scratch: &mut Scratch, items: &[Value]) -> Value {
    let mut out = scratch.take();
    out.extend(items.iter().zip(1..).map(|(&item, position)| values.pair(values.number(position), item)));
    scratch.set(values, out)
}

/// The sequence of what `change` makes of the items of another.
fn changed(
    values: &Values,
    scratch: &mut Scratch,
    old: Value,
    change: impl FnOnce(&mut Vec<Value>) -> Result<(), Undefined>,
) -> Outcome {
    let mut list = scratch.take();
    let done = if items(values, old, &mut list) { change(&mut list) } else { Err(Undefined::NotASequence) };
    let outcome = done.and_then(|()| scratch.admit(list.len())).map(|()| sequence(values, scratch, &list));
    scratch.give(list);
    outcome
}

/// One item of a sequence that has some.
fn chosen(
    values: &Values,
    scratch: &mut Scratch,
    from: Value,
    choose: impl FnOnce(&[Value]) -> Option<&Value>,
) -> Outcome {
    let mut list = scratch.take();
    let outcome = if items(values, from, &mut list) {
        choose(&list).copied().ok_or(Undefined::EmptySequence)
    } else {
        Err(Undefined::NotASequence)
    };
    scratch.give(list);
    outcome
}

pub fn size(values: &Values, scratch: &mut Scratch, sequence: Value) -> Outcome {
    if !is_sequence(values, scratch, sequence) {
        return Err(Undefined::NotASequence);
    }
    Ok(values.number(values.elements(sequence).len() as i64))
}

pub fn concat(values: &Values, scratch: &mut Scratch, first: Value, second: Value) -> Outcome {
    let mut rest = scratch.take();
    let outcome = if items(values, second, &mut rest) {
        changed(values, scratch, first, |list| {
            list.extend_from_slice(&rest);
            Ok(())
        })
    } else {
        Err(Undefined::NotASequence)
    };
    scratch.give(rest);
    outcome
}

/// x -> s
pub fn prepend(values: &Values, scratch: &mut Scratch, item: Value, sequence: Value) -> Outcome {
    changed(values, scratch, sequence, |list| {
        list.insert(0, item);
        Ok(())
    })
}

/// s <- x
pub fn append(values: &Values, scratch: &mut Scratch, sequence: Value, item: Value) -> Outcome {
    changed(values, scratch, sequence, |list| {
        list.push(item);
        Ok(())
    })
}

pub fn reverse(values: &Values, scratch: &mut Scratch, sequence: Value) -> Outcome {
    changed(values, scratch, sequence, |list| {
        list.reverse();
        Ok(())
    })
}

pub fn first(values: &Values, scratch: &mut Scratch, sequence: Value) -> Outcome {
    chosen(values, scratch, sequence, |list| list.first())
}

pub fn last(values: &Values, scratch: &mut Scratch, sequence: Value) -> Outcome {
    chosen(values, scratch, sequence, |list| list.last())
}

pub fn tail(values: &Values, scratch: &mut Scratch, sequence: Value) -> Outcome {
    changed(values, scratch, sequence, |list| {
        if list.is_empty() {
            return Err(Undefined::EmptySequence);
        }
        list.remove(0);
        Ok(())
    })
}

pub fn front(values: &Values, scratch: &mut Scratch, sequence: Value) -> Outcome {
    changed(values, scratch, sequence, |list| list.pop().map(|_| ()).ok_or(Undefined::EmptySequence))
}

/// s /|\ n: the first n items; there have to be as many.
pub fn take(values: &Values, scratch: &mut Scratch, sequence: Value, count: Value) -> Outcome {
    changed(values, scratch, sequence, |list| {
        list.truncate(within(values, list, count)?);
        Ok(())
    })
}

/// s \|/ n: without the first n items; there have to be as many.
pub fn drop(values: &Values, scratch: &mut Scratch, sequence: Value, count: Value) -> Outcome {
    changed(values, scratch, sequence, |list| {
        list.drain(..within(values, list, count)?);
        Ok(())
    })
}

fn within(values: &Values, list: &[Value], count: Value) -> Result<usize, Undefined> {
    let count = usize::try_from(number(values, count)).ok();
    count.filter(|&count| count <= list.len()).ok_or(Undefined::OutsideSequence)
}

/// A sequence of sequences as one.
pub fn general_concat(values: &Values, scratch: &mut Scratch, sequences: Value) -> Outcome {
    let (mut outer, mut inner, mut all) = (scratch.take(), scratch.take(), scratch.take());
    let mut is_sequence = items(values, sequences, &mut outer);
    for &each in &outer {
        is_sequence = is_sequence && items(values, each, &mut inner);
        all.extend_from_slice(&inner);
        if !is_sequence || all.len() > scratch.limit {
            break;
        }
    }
    let outcome = match scratch.admit(all.len()) {
        _ if !is_sequence => Err(Undefined::NotASequence),
        Err(error) => Err(error),
        Ok(()) => Ok(sequence(values, scratch, &all)),
    };
    scratch.give(outer);
    scratch.give(inner);
    scratch.give(all);
    outcome
}
