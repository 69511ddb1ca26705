//! The elements of a group that leave a state as it is.

use num_bigint::BigUint;

use crate::group::Level;

/// Generators and order of a stabiliser.
#[derive(Debug, Default)]
pub struct Stabiliser {
    /// (point, image) for each point that a generator moves: of all generators, one after the other.
    moves: Vec<(u32, u32)>,
    /// By generator: where its moves end.
    ends: Vec<usize>,
    /// Numbers whose product is the order: orbit lengths along the chain.
    factors: Vec<u32>,
}

impl Stabiliser {
    /// Generators, by (point, image) for each point that they move; points ascend.
    pub fn generators(&self) -> impl Iterator<Item = &[(u32, u32)]> {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        begins.zip(&self.ends).map(|(begin, &end)| &self.moves[begin..end])
    }

    pub fn is_trivial(&self) -> bool {
        self.ends.is_empty()
    }

    pub fn order(&self) -> BigUint {
        let mut order = BigUint::from(1u32);
        // As many factors at once as fit into a word.
        let mut word = 1u64;
        for &factor in &self.factors {
            word = word.checked_mul(u64::from(factor)).unwrap_or_else(|| {
                order *= word;
                u64::from(factor)
            });
        }
        order * word
    }

    pub(super) fn clear(&mut self) {
        self.moves.clear();
        self.ends.clear();
        self.factors.clear();
    }

    /// The order becomes so many times larger.
    pub(super) fn multiply(&mut self, factor: u32) {
        self.factors.push(factor);
    }

    /// One more generator, by the images of all points.
    pub(super) fn keep(&mut self, element: &[u32]) {
        let moved = element.iter().enumerate().filter(|&(x, &y)| x as u32 != y);
        self.keep_moves(moved.map(|(x, &y)| (x as u32, y)));
    }

    /// The same, in any order.
    pub(super) fn keep_unordered(&mut self, moves: impl Iterator<Item = (u32, u32)>) {
        let begin = self.moves.len();
        self.keep_moves(moves);
        self.moves[begin..].sort_unstable();
    }

    /// One more generator, by the points it moves, ascending.
    pub(super) fn keep_moves(&mut self, moves: impl Iterator<Item = (u32, u32)>) {
        self.moves.extend(moves);
        self.ends.push(self.moves.len());
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
        self.stabiliser.clear();
        for (x, root) in self.orbit.iter_mut().enumerate() {
            *root = x as u32;
        }
    }

    pub(super) fn open_level(&mut self) {
        self.ruled_out.clear();
    }

    pub(super) fn keep(&mut self, element: &[u32]) {
        let moved = element.iter().enumerate().filter(|&(x, &y)| x as u32 != y);
        self.keep_moves(moved.map(|(x, &y)| (x as u32, y)));
    }

    /// The same, by the points that it moves.
    pub(super) fn keep_moves(&mut self, moves: impl Iterator<Item = (u32, u32)>) {
        let Growing { stabiliser, orbit, .. } = self;
        stabiliser.keep_moves(moves.inspect(|&(x, y)| join(orbit, x, y)));
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
        self.stabiliser.multiply(length);
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
