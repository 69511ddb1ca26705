//! Numbers for what happens: an operation with the values of its parameters and results.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::values::Value;
use crate::model::Label;

/// What a label stands for. Where one operation with the same values leads to several states, these are told apart by their
/// ordinals, from 1 on; where it leads to one, that is 0.
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
    numbers: HashMap<Event, Label>,
    events: Vec<Event>,
}

impl Labels {
    pub fn number(&self, event: Event) -> Label {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&number) = known.numbers.get(&event) {
            return number;
        }
        let number = known.events.len() as Label;
        known.events.push(event.clone());
        known.numbers.insert(event, number);
        number
    }

    pub fn event(&self, label: Label) -> Option<Event> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).events.get(label as usize).cloned()
    }

    /// The number of an event that has one.
    pub fn known(&self, event: &Event) -> Option<Label> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).numbers.get(event).copied()
    }
}
