//! An order of inputs that makes a kernel small: random restarts, then local moves (the order decides the size, and nothing
//! better than trying is known; Romijn and Springintveld 1999, L485).

use super::kernel::{Failure, kernel};
use super::{Pattern, StateMachine, Stopped, Watch};
use crate::random::Random;

pub struct Found {
    /// Inputs, the least first.
    pub order: Vec<u32>,
    pub states: usize,
    pub edges: usize,
    /// Kernels computed.
    pub tried: usize,
}

/// Begins with `given`, draws `restarts` random orders, and moves single inputs of the best one until `tries` kernels were computed
/// or no move helps. Fewer states are better, then fewer edges.
pub fn search(
    machine: &StateMachine,
    pattern: &Pattern,
    given: Vec<u32>,
    (restarts, tries): (usize, usize),
    seed: u64,
    watch: &mut Watch<'_>,
) -> Result<Found, Failure> {
    let mut random = Random::new(seed);
    let mut search = Search { machine, pattern, tried: 0 };
    let mut best = (search.size(&given, watch)?, given);
    for _ in 0..restarts.min(tries.saturating_sub(1)) {
        let mut order = best.1.clone();
        for at in (1..order.len()).rev() {
            order.swap(at, random.below(at + 1));
        }
        search.improve(order, &mut best, watch)?;
    }
    let count = best.1.len();
    // Moves without success since the last one; all (input, place) pairs fail where a random draw of four times as many does.
    let mut failed = 0;
    while search.tried < tries && count > 1 && failed < 4 * count * count {
        let mut order = best.1.clone();
        let input = order.remove(random.below(count));
        order.insert(random.below(count), input);
        failed = if search.improve(order, &mut best, watch)? { 0 } else { failed + 1 };
    }
    let ((states, edges), order) = best;
    Ok(Found { order, states, edges, tried: search.tried })
}

struct Search<'a> {
    machine: &'a StateMachine,
    pattern: &'a Pattern,
    tried: usize,
}

impl Search<'_> {
    fn size(&mut self, order: &[u32], watch: &mut Watch<'_>) -> Result<(usize, usize), Failure> {
        self.tried += 1;
        let mut places = vec![u32::MAX; self.machine.input_count()];
        for (place, &input) in order.iter().enumerate() {
            *places.get_mut(input as usize).ok_or(Stopped::TooLarge)? = place as u32;
        }
        let ranks: Vec<u32> = self.machine.inputs.iter().map(|&input| places[input as usize]).collect();
        let found = kernel(self.machine, self.pattern, &ranks, watch)?;
        Ok((found.state_count(), found.edge_count()))
    }

    fn improve(
        &mut self,
        order: Vec<u32>,
        best: &mut ((usize, usize), Vec<u32>),
        watch: &mut Watch<'_>,
    ) -> Result<bool, Failure> {
        let size = self.size(&order, watch)?;
        let is_better = size < best.0;
        if is_better {
            *best = (size, order);
        }
        Ok(is_better)
    }
}
