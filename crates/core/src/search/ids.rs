//! A double-ended queue of state numbers, in 32 bits each until one needs more.

use std::collections::VecDeque;
use std::io::{self, Read, Write};

use crate::saved::{BlockReader, BlockWriter, LoadError};
use crate::visited::{Renumbering, StateId};

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

    /// Removes the number at this position and puts the last one there.
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

    /// Replaces each number, in order.
    pub fn map(&mut self, replace: impl Fn(StateId) -> StateId) {
        let mut mapped = Ids::default();
        while let Some(id) = self.pop_front() {
            mapped.push_back(replace(id));
        }
        *self = mapped;
    }

    pub fn save<W: Write>(&self, to: &mut BlockWriter<'_, W>) -> io::Result<()> {
        to.number(self.len() as u64)?;
        let mut before = 0;
        match self {
            Ids::Narrow(ids) => ids.iter().try_for_each(|&id| to.number_after(&mut before, u64::from(id))),
            Ids::Wide(ids) => ids.iter().try_for_each(|&id| to.number_after(&mut before, id)),
        }
    }

    /// The queue that was saved, with the numbers that its states now have.
    pub fn load<R: Read>(from: &mut BlockReader<R>, renumbering: &Renumbering) -> Result<Ids, LoadError> {
        let mut ids = Ids::default();
        let mut before = 0;
        for _ in 0..from.number()? {
            let saved = StateId(from.number_after(&mut before)?);
            let id = renumbering.get(saved).ok_or(LoadError::Damaged("a waiting state is not stored"))?;
            ids.push_back(id);
        }
        Ok(ids)
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
