//! A double-ended queue of state numbers, in 32 bits each until the first that needs more.

use std::collections::VecDeque;

use crate::visited::StateId;

pub enum Ids {
    Narrow(VecDeque<u32>),
    Wide(VecDeque<u64>),
}

impl Default for Ids {
    fn default() -> Self {
        Ids::Narrow(VecDeque::new())
    }
}

impl Ids {
    pub fn push_back(&mut self, id: StateId) {
        match self {
            Ids::Narrow(ids) if id.0 <= u64::from(u32::MAX) => ids.push_back(id.0 as u32),
            Ids::Narrow(_) => self.widened().push_back(id.0),
            Ids::Wide(ids) => ids.push_back(id.0),
        }
    }

    pub fn push_front(&mut self, id: StateId) {
        match self {
            Ids::Narrow(ids) if id.0 <= u64::from(u32::MAX) => ids.push_front(id.0 as u32),
            Ids::Narrow(_) => self.widened().push_front(id.0),
            Ids::Wide(ids) => ids.push_front(id.0),
        }
    }

    pub fn pop_front(&mut self) -> Option<StateId> {
        match self {
            Ids::Narrow(ids) => ids.pop_front().map(|id| StateId(u64::from(id))),
            Ids::Wide(ids) => ids.pop_front().map(StateId),
        }
    }

    pub fn pop_back(&mut self) -> Option<StateId> {
        match self {
            Ids::Narrow(ids) => ids.pop_back().map(|id| StateId(u64::from(id))),
            Ids::Wide(ids) => ids.pop_back().map(StateId),
        }
    }

    /// Takes the one at this position; the last one takes its place.
    pub fn swap_remove(&mut self, at: usize) -> Option<StateId> {
        match self {
            Ids::Narrow(ids) => ids.swap_remove_back(at).map(|id| StateId(u64::from(id))),
            Ids::Wide(ids) => ids.swap_remove_back(at).map(StateId),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Ids::Narrow(ids) => ids.len(),
            Ids::Wide(ids) => ids.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn bytes(&self) -> usize {
        match self {
            Ids::Narrow(ids) => ids.capacity() * size_of::<u32>(),
            Ids::Wide(ids) => ids.capacity() * size_of::<u64>(),
        }
    }

    /// The same queue with each number replaced.
    pub fn map(&mut self, replace: impl Fn(StateId) -> StateId) {
        let mut mapped = Ids::default();
        while let Some(id) = self.pop_front() {
            mapped.push_back(replace(id));
        }
        *self = mapped;
    }

    fn widened(&mut self) -> &mut VecDeque<u64> {
        if let Ids::Narrow(ids) = self {
            *self = Ids::Wide(ids.iter().copied().map(u64::from).collect());
        }
        match self {
            Ids::Wide(ids) => ids,
            Ids::Narrow(_) => unreachable!("it was just widened"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_keeps_its_order_when_it_is_widened() {
        let mut ids = Ids::default();
        ids.push_back(StateId(2));
        ids.push_front(StateId(1));
        assert!(matches!(ids, Ids::Narrow(_)));
        ids.push_back(StateId(1 << 32));
        ids.push_front(StateId(0));
        assert!(matches!(ids, Ids::Wide(_)));
        ids.map(|id| StateId(id.0 + 1));
        let taken: Vec<u64> = std::iter::from_fn(|| ids.pop_front()).map(|id| id.0).collect();
        assert_eq!(taken, [1, 2, 3, (1 << 32) + 1]);
        ids.push_front(StateId(1 << 40));
        assert_eq!(ids.swap_remove(0), Some(StateId(1 << 40)));
        assert_eq!(ids.pop_back(), None);
    }
}
