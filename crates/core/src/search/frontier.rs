//! States found and not yet explored, and in which order they are taken.

use super::ids::Ids;
use crate::random::Random;
use crate::visited::{Renumbering, StateId};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order {
    /// Level by level: a level is finished before the next begins, also with several threads, so traces are shortest.
    Breadth,
    Depth,
    /// With probability alpha the newest, else the oldest (Spermann 2009, 2.1).
    Mixed {
        alpha: f64,
        seed: u64,
    },
    Random {
        seed: u64,
    },
}

pub struct Frontier {
    order: Order,
    waiting: Ids,
    /// Breadth first: the states of the next level.
    next_level: Ids,
    depth: u32,
    random: Random,
}

impl Frontier {
    pub fn new(order: Order) -> Frontier {
        let seed = match order {
            Order::Mixed { seed, .. } | Order::Random { seed } => seed,
            Order::Breadth | Order::Depth => 0,
        };
        Frontier {
            order,
            waiting: Ids::default(),
            next_level: Ids::default(),
            depth: 0,
            random: Random::new(seed),
        }
    }

    pub fn put(&mut self, states: &[StateId]) {
        let queue = if self.order == Order::Breadth { &mut self.next_level } else { &mut self.waiting };
        states.iter().for_each(|&state| queue.push_back(state));
    }

    /// Gives states back that were taken and not explored.
    pub fn put_back(&mut self, states: &[StateId]) {
        for &state in states.iter().rev() {
            self.waiting.push_front(state);
        }
    }

    /// Takes up to `most` states; none where the level, or everything, is used up.
    pub fn take(&mut self, most: usize, batch: &mut Vec<StateId>) {
        batch.clear();
        // Only breadth first does not care about what is found while a batch is explored.
        let most = if self.order == Order::Breadth { most } else { 1 };
        while batch.len() < most {
            let Some(state) = self.take_one() else { return };
            batch.push(state);
        }
    }

    fn take_one(&mut self) -> Option<StateId> {
        match self.order {
            Order::Breadth => self.waiting.pop_front(),
            Order::Depth => self.waiting.pop_back(),
            Order::Mixed { alpha, .. } if self.random.chance(alpha) => self.waiting.pop_back(),
            Order::Mixed { .. } => self.waiting.pop_front(),
            Order::Random { .. } => {
                let at = if self.waiting.is_empty() { 0 } else { self.random.below(self.waiting.len()) };
                self.waiting.swap_remove(at)
            }
        }
    }

    /// Starts the next level; false where there is none. Call only while no worker explores.
    pub fn next_level(&mut self) -> bool {
        if self.next_level.is_empty() {
            return !self.waiting.is_empty();
        }
        debug_assert!(self.waiting.is_empty());
        std::mem::swap(&mut self.waiting, &mut self.next_level);
        self.depth += 1;
        true
    }

    /// The deepest level with a state in it, breadth first; 0 for other orders.
    pub fn depth(&self) -> u32 {
        (self.depth + u32::from(!self.next_level.is_empty())).saturating_sub(1)
    }

    pub fn len(&self) -> usize {
        self.waiting.len() + self.next_level.len()
    }

    pub fn bytes(&self) -> usize {
        self.waiting.bytes() + self.next_level.bytes()
    }

    pub fn renumber(&mut self, renumbering: &Renumbering) {
        self.waiting.map(|state| renumbering.renumber(state));
        self.next_level.map(|state| renumbering.renumber(state));
    }
}
