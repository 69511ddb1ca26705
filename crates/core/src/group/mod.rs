//! Permutation groups: generators that were certified, the exact order, and a Schreier-Sims chain.

mod build;
mod chain;

pub use chain::{Chain, Level, Moves, Product, image};
use num_bigint::BigUint;

use crate::perm::{Perm, orbit_minima};

/// A group on the slots of a state. It is made from permutations that the caller certified (`net::certify`).
#[derive(Clone, Debug)]
pub struct Group {
    degree: usize,
    generators: Vec<Perm>,
    order: BigUint,
    chain: Chain,
}

impl Group {
    /// `order` is given where it is known (from nauty): building the chain is then faster, and checked against it.
    pub fn generated(degree: usize, generators: Vec<Perm>, order: Option<&BigUint>) -> Group {
        let chain = build::chain(degree, &generators, order);
        Group { degree, order: chain.order(), generators, chain }
    }

    pub fn trivial(degree: usize) -> Group {
        Group::generated(degree, Vec::new(), None)
    }

    pub fn degree(&self) -> usize {
        self.degree
    }

    pub fn generators(&self) -> &[Perm] {
        &self.generators
    }

    pub fn order(&self) -> &BigUint {
        &self.order
    }

    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    pub fn is_trivial(&self) -> bool {
        self.chain.levels().is_empty()
    }

    /// For each slot the smallest slot of its orbit.
    pub fn orbit_minima(&self) -> Vec<u32> {
        orbit_minima(self.degree, &self.generators)
    }

    pub fn contains(&self, perm: &Perm) -> bool {
        perm.degree() == self.degree && self.chain.contains(perm)
    }
}
