//! Labels: numbers of events. An event is an operation with the values of its parameters and results.

use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::HashTable;

use crate::kinds::machine::values::Value;
use crate::model::Label;
use crate::random::mix;

/// What a label stands for. Where one operation with the same values leads to several states, these are distinguished by
/// their ordinals, from 1 on; where it leads to one state, the ordinal is 0.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Event {
    pub operation: u32,
    pub ordinal: u32,
    /// Parameters, then results.
    pub values: Box<[Value]>,
}

/// The ordinal of an attempt that fails.
pub const FAILS: u32 = u32::MAX;

#[derive(Default)]
pub struct Labels {
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    events: Vec<Event>,
    /// Finds them.
    numbers: HashTable<Label>,
    renamed: Vec<Value>,
}

fn hash(operation: u32, ordinal: u32, values: &[Value]) -> u64 {
    values.iter().fold(mix(u64::from(operation) << 32 | u64::from(ordinal)), |hash, value| {
        mix(hash.rotate_left(7) ^ u64::from(value.handle()))
    })
}

impl Known {
    fn find(&self, operation: u32, ordinal: u32, values: &[Value]) -> Option<Label> {
        let same = |&label: &Label| {
            let event = &self.events[label as usize];
            event.operation == operation && event.ordinal == ordinal && *event.values == *values
        };
        self.numbers.find(hash(operation, ordinal, values), same).copied()
    }
}

impl Labels {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn number(&self, event: Event) -> Label {
        let mut known = self.known();
        if let Some(number) = known.find(event.operation, event.ordinal, &event.values) {
            return number;
        }
        let Known { events, numbers, .. } = &mut *known;
        let number = events.len() as Label;
        let of = |event: &Event| hash(event.operation, event.ordinal, &event.values);
        let place = of(&event);
        events.push(event);
        numbers.insert_unique(place, number, |&other| of(&events[other as usize]));
        number
    }

    pub fn event(&self, label: Label) -> Option<Event> {
        self.known().events.get(label as usize).cloned()
    }

    /// The event with its values renamed, where it has a number, its ordinal is 0 and its operation does
    /// not stay as it is.
    pub fn renamed(
        &self,
        label: Label,
        mut rename: impl FnMut(Value) -> Value,
        stays: impl Fn(u32) -> bool,
    ) -> Option<Label> {
        let mut known = self.known();
        let Known { events, renamed, .. } = &mut *known;
        let event =
            events.get(label as usize).filter(|event| event.ordinal == 0 && !stays(event.operation))?;
        renamed.clear();
        renamed.extend(event.values.iter().map(|&value| rename(value)));
        if **renamed == *event.values {
            return Some(label);
        }
        let operation = event.operation;
        known.find(operation, 0, &known.renamed)
    }
}
