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
        Group::with_telling(degree, generators, order, &[])
    }

    /// `telling`: slots that tell states apart. They are the first points of the base: a search that begins with points of
    /// which states say nothing has to try all of them.
    pub fn with_telling(
        degree: usize,
        generators: Vec<Perm>,
        order: Option<&BigUint>,
        telling: &[u32],
    ) -> Group {
        let chain = build::chain(degree, &generators, order, telling);
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

    /// The subgroup that fixes these slots, one by one.
    pub fn stabiliser(&self, slots: &[u32]) -> Group {
        let generators = build::stabiliser(self.degree, &self.generators, &self.order, slots);
        Group::generated(self.degree, generators, None)
    }

    /// The product of one transversal element of each level; None where there are not so many.
    pub fn element(&self, members: &[usize]) -> Option<Perm> {
        let levels = self.chain.levels();
        let mut product = Product::new(self.chain.moved());
        if members.len() != levels.len() {
            return None;
        }
        for (level, &member) in levels.iter().zip(members) {
            if member >= level.orbit.len() {
                return None;
            }
            product.push(level.element(member));
        }
        let mut images: Vec<u32> = (0..self.degree as u32).collect();
        let points = self.chain.points();
        for (at, &image) in product.images().iter().enumerate() {
            images[points[at] as usize] = points[image as usize];
        }
        Perm::from_images(&images)
    }

    pub fn contains(&self, perm: &Perm) -> bool {
        perm.degree() == self.degree && self.chain.contains(perm)
    }
}
