//! Colours of the points of one state: equal for points that are alike in the state, as far as hashing shows.

use crate::random::mix;

const APART: u64 = 0x8cb9_2ba7_2f3d_8dd7;
/// Up to so many colours are counted faster by comparing all pairs than by sorting.
const FEW: usize = 12;

pub struct Colours {
    pub current: Vec<u64>,
    /// A buffer for the round that is being made.
    pub next: Vec<u64>,
    sorted: Vec<u64>,
}

impl Colours {
    pub fn new(points: usize) -> Colours {
        Colours { current: vec![0; points], next: vec![0; points], sorted: Vec::new() }
    }

    /// How many different colours there are.
    pub fn distinct(&mut self) -> usize {
        let Colours { current, sorted, .. } = self;
        if current.len() <= FEW {
            let is_new = |at: &usize| !current[..*at].contains(&current[*at]);
            return (0..current.len()).filter(is_new).count();
        }
        sorted.clear();
        sorted.extend_from_slice(current);
        sorted.sort_unstable();
        sorted.dedup();
        sorted.len()
    }

    /// Equal for the colours of equivalent states.
    pub fn summary(&self) -> u64 {
        self.current.iter().fold(0u64, |sum, &colour| sum.wrapping_add(mix(colour)))
    }

    /// Sets a point apart, as the `number`-th.
    pub fn set_apart(&mut self, point: u32, number: usize) {
        let colour = &mut self.current[point as usize];
        *colour = mix(*colour ^ (number as u64 + 1).wrapping_mul(APART));
    }
}
