//! The elements of a group that leave a state as it is.

use num_bigint::BigUint;

/// Generators (images of the points that the group moves) and order of a stabiliser.
#[derive(Debug, Default)]
pub struct Stabiliser {
    pub(super) generators: Vec<Vec<u32>>,
    /// Generators in use; the list keeps its allocations.
    pub(super) count: usize,
    /// Orbit lengths along the chain; their product is the order.
    pub(super) indices: Vec<u32>,
}

impl Stabiliser {
    pub fn generators(&self) -> &[Vec<u32>] {
        &self.generators[..self.count]
    }

    pub fn is_trivial(&self) -> bool {
        self.count == 0
    }

    pub fn order(&self) -> BigUint {
        self.indices.iter().map(|&index| BigUint::from(index)).product()
    }

    /// One more generator.
    pub(super) fn keep(&mut self, element: &[u32]) {
        if self.count == self.generators.len() {
            self.generators.push(Vec::new());
        }
        let kept = &mut self.generators[self.count];
        kept.clear();
        kept.extend_from_slice(element);
        self.count += 1;
    }
}

/// The root of a point in a union-find, paths halved on the way.
pub fn root(parent: &mut [u32], mut x: u32) -> u32 {
    while parent[x as usize] != x {
        parent[x as usize] = parent[parent[x as usize] as usize];
        x = parent[x as usize];
    }
    x
}
