//! The elements of a group that leave a state as it is.

use num_bigint::BigUint;

use crate::group::Level;

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

/// A stabiliser while it is found, level by level from the last of the chain (Stab(G, s)): what is in it, and what is known
/// not to be.
pub(super) struct Growing {
    pub(super) stabiliser: Stabiliser,
    /// Union-find over points: orbits of the elements found so far. They all fix the base points of earlier levels, so it
    /// only ever grows while the levels are taken from the last to the first.
    orbit: Vec<u32>,
    /// Points of the level at hand that no element reaches.
    ruled_out: Vec<u32>,
}

impl Growing {
    pub(super) fn new(points: usize) -> Growing {
        Growing { stabiliser: Stabiliser::default(), orbit: vec![0; points], ruled_out: Vec::new() }
    }

    pub(super) fn start(&mut self) {
        self.stabiliser.count = 0;
        self.stabiliser.indices.clear();
        for (x, root) in self.orbit.iter_mut().enumerate() {
            *root = x as u32;
        }
    }

    pub(super) fn open_level(&mut self) {
        self.ruled_out.clear();
    }

    pub(super) fn keep(&mut self, element: &[u32]) {
        self.stabiliser.keep(element);
        for (x, &y) in element.iter().enumerate().filter(|&(x, &y)| x as u32 != y) {
            join(&mut self.orbit, x as u32, y);
        }
    }

    pub(super) fn rule_out(&mut self, point: u32) {
        self.ruled_out.push(point);
    }

    /// Is it known whether the elements take the base point to this point?
    pub(super) fn is_decided(&mut self, base_point: u32, point: u32) -> bool {
        let Growing { orbit, ruled_out, .. } = self;
        let of_point = root(orbit, point);
        root(orbit, base_point) == of_point || ruled_out.iter().any(|&out| root(orbit, out) == of_point)
    }

    /// The length of the base point's orbit is one factor of the order.
    pub(super) fn close_level(&mut self, level: &Level) {
        let home = root(&mut self.orbit, level.point);
        let length = level.orbit.iter().filter(|&&c| root(&mut self.orbit, c) == home).count() as u32;
        self.stabiliser.indices.push(length);
    }
}

/// Makes one class of the classes of two points.
#[inline]
pub fn join(parent: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(parent, a), root(parent, b));
    parent[a.max(b) as usize] = a.min(b);
}

/// The root of a point in a union-find, paths halved on the way.
pub fn root(parent: &mut [u32], mut x: u32) -> u32 {
    while parent[x as usize] != x {
        parent[x as usize] = parent[parent[x as usize] as usize];
        x = parent[x as usize];
    }
    x
}
