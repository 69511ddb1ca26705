//! The frontier: states that are stored and not yet explored, and the order in which they are taken.

use std::io::{self, Read, Write};

use super::ids::Ids;
use crate::random::Random;
use crate::saved::{BlockReader, BlockWriter, LoadError, Section};
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

    /// Returns states that were taken and not explored.
    pub fn put_back(&mut self, states: &[StateId]) {
        for &state in states.iter().rev() {
            self.waiting.push_front(state);
        }
    }

    /// Takes up to `most` states; none if the level, or the whole frontier, is empty.
    pub fn take(&mut self, most: usize, batch: &mut Vec<StateId>) {
        batch.clear();
        // In the other orders, what is found in one state may have to be taken next.
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

    /// Starts the next level; false if there is none. Call only while no worker explores.
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

    pub(super) fn len(&self) -> usize {
        self.waiting.len() + self.next_level.len()
    }

    pub fn bytes(&self) -> usize {
        self.waiting.bytes() + self.next_level.bytes()
    }

    pub fn renumber(&mut self, renumbering: &Renumbering) {
        self.waiting.map(|state| renumbering.renumber(state));
        self.next_level.map(|state| renumbering.renumber(state));
    }

    /// Writes the waiting states, their order and where the random source is, as a section of a file.
    pub fn save(&self, to: &mut impl Write) -> io::Result<()> {
        let mut to = BlockWriter::new(Section::Frontier, to)?;
        self.order.save(&mut to)?;
        to.word(self.random.state())?;
        to.number(u64::from(self.depth))?;
        self.waiting.save(&mut to)?;
        self.next_level.save(&mut to)?;
        to.finish()
    }

    /// The frontier that was saved, with the numbers that its states now have.
    pub fn load(from: impl Read, renumbering: &Renumbering) -> Result<Frontier, LoadError> {
        let mut from = BlockReader::new(Section::Frontier, from)?;
        let order = Order::load(&mut from)?;
        let random = Random::new(from.word()?);
        let depth = u32::try_from(from.number()?).map_err(|_| LoadError::Damaged("not a depth"))?;
        let waiting = Ids::load(&mut from, renumbering)?;
        let next_level = Ids::load(&mut from, renumbering)?;
        from.finish()?;
        Ok(Frontier { order, waiting, next_level, depth, random })
    }
}

impl Order {
    fn save<W: Write>(self, to: &mut BlockWriter<'_, W>) -> io::Result<()> {
        match self {
            Order::Breadth => to.number(0),
            Order::Depth => to.number(1),
            Order::Mixed { alpha, seed } => {
                to.number(2)?;
                to.word(alpha.to_bits())?;
                to.word(seed)
            }
            Order::Random { seed } => {
                to.number(3)?;
                to.word(seed)
            }
        }
    }

    fn load<R: Read>(from: &mut BlockReader<R>) -> Result<Order, LoadError> {
        match from.number()? {
            0 => Ok(Order::Breadth),
            1 => Ok(Order::Depth),
            2 => Ok(Order::Mixed { alpha: f64::from_bits(from.word()?), seed: from.word()? }),
            3 => Ok(Order::Random { seed: from.word()? }),
            _ => Err(LoadError::Damaged("not an order")),
        }
    }
}
