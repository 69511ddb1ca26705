//! Which transitions to look at in a marking: in a wide net few places are marked, so few transitions can be enabled.
//!
//! Each transition is listed with one slot that it consumes from, the one that the fewest consume from. Only those listed with
//! a marked slot are looked at.

use crate::model::Label;

/// Slots that are looked at together: all of them are empty, or each is looked at.
const CHUNK: usize = 32;
/// Nets with fewer transitions are gone through from the first to the last.
const MIN_LABELS: usize = 64;

/// Calls `each` with the slots that are not empty, ascending.
#[inline(always)]
pub fn each_marked(values: &[u64], mut each: impl FnMut(usize)) {
    for (chunk, values) in values.chunks(CHUNK).enumerate() {
        if values.iter().fold(0, |all, &value| all | value) == 0 {
            continue;
        }
        for (at, _) in values.iter().enumerate().filter(|&(_, &value)| value > 0) {
            each(chunk * CHUNK + at);
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Consumers {
    /// By slot: the labels listed with it are `labels[start[slot]..start[slot + 1]]`; empty for small nets.
    start: Vec<u32>,
    labels: Vec<Label>,
    /// Labels that consume nothing.
    always: Vec<Label>,
}

impl Consumers {
    /// `consumed`: by label, the slots it consumes from.
    pub fn new(slots: usize, consumed: &[Vec<u32>]) -> Consumers {
        let mut found = Consumers::default();
        if consumed.len() < MIN_LABELS {
            return found;
        }
        let mut consumers = vec![0u32; slots];
        consumed.iter().flatten().for_each(|&slot| consumers[slot as usize] += 1);
        let mut listed = vec![Vec::new(); slots];
        for (label, slots) in (0..).zip(consumed) {
            match slots.iter().min_by_key(|&&slot| consumers[slot as usize]) {
                Some(&slot) => listed[slot as usize].push(label),
                None => found.always.push(label),
            }
        }
        found.start.push(0);
        for labels in listed {
            found.labels.extend(labels);
            found.start.push(found.labels.len() as u32);
        }
        found
    }

    /// Appends the labels for which `is_enabled`, ascending; all others miss tokens. False where labels are not listed.
    #[inline]
    pub fn enabled(
        &self,
        values: &[u64],
        labels: &mut Vec<Label>,
        is_enabled: impl Fn(Label) -> bool,
    ) -> bool {
        if self.start.is_empty() {
            return false;
        }
        let from = labels.len();
        labels.extend(&self.always);
        each_marked(values, |slot| {
            let listed = &self.labels[self.start[slot] as usize..self.start[slot + 1] as usize];
            labels.extend(listed.iter().filter(|&&label| is_enabled(label)));
        });
        labels[from..].sort_unstable();
        true
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_enabled_label_is_missed(
            consumed in prop::collection::vec(prop::collection::vec(0u32..90, 0..4), 0..100),
            marked in prop::collection::vec((0usize..90, 0u64..3), 0..20),
        ) {
            let mut values = vec![0; 90];
            marked.iter().for_each(|&(slot, value)| values[slot] = value);
            let is_enabled = |label: Label| consumed[label as usize].iter().all(|&slot| values[slot as usize] > 0);
            let mut found = vec![7];
            if Consumers::new(90, &consumed).enabled(&values, &mut found, is_enabled) {
                let expected = (0..consumed.len() as Label).filter(|&label| is_enabled(label));
                prop_assert_eq!(&found[1..], expected.collect::<Vec<Label>>());
            } else {
                prop_assert!(consumed.len() < MIN_LABELS && found == [7]);
            }
        }
    }
}
