//! Permutation groups: generators that were certified, the exact order, and a Schreier-Sims chain. Direct factors that are full
//! symmetric groups on blocks are recognised (`recognise`) and known as such (`blocks`): no chain is searched for them.

mod blocks;
mod build;
mod chain;
mod levels;
mod recognise;

use std::ops::Range;

pub use blocks::Blocks;
use build::Built;
pub use chain::{Chain, Level, Moves, Product};
use num_bigint::BigUint;

use crate::perm::{Perm, orbit_minima};

/// A group on the slots of a state. It is made from permutations that the caller certified (`net::certify`).
#[derive(Clone, Debug)]
pub struct Group {
    degree: usize,
    generators: Vec<Perm>,
    order: BigUint,
    chain: Chain,
    blocks: Vec<Blocks>,
    /// Generators of the direct factor that is not made of blocks, and its positions in the base.
    rest: Vec<Perm>,
    rest_points: Range<usize>,
    is_whole: bool,
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
        let built = build::build(degree, &generators, order, telling);
        let Built { chain, blocks, rest, rest_points, is_whole } = built;
        let generators = if is_whole { generators } else { Vec::new() };
        Group { degree, order: chain.order(), generators, chain, blocks, rest, rest_points, is_whole }
    }

    /// False where its chain was given up, since it took too long or too much memory: then it is the trivial group.
    pub fn is_whole(&self) -> bool {
        self.is_whole
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

    /// Direct factors that are groups of blocks, by positions in the base.
    pub fn blocks(&self) -> &[Blocks] {
        &self.blocks
    }

    /// The positions in the base that the direct factor moves which is not made of blocks.
    pub fn rest_points(&self) -> Range<usize> {
        self.rest_points.clone()
    }

    /// The chain of that factor, where it comes first in the base.
    pub fn rest_chain(&self) -> Option<Chain> {
        (self.rest_points.start == 0).then(|| self.chain.first(self.rest_points.end))
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
        let mut position = vec![u32::MAX; self.degree];
        self.chain.points().iter().enumerate().for_each(|(at, &slot)| position[slot as usize] = at as u32);
        let fixed: Vec<usize> = slots.iter().map(|&slot| position[slot as usize] as usize).collect();
        let inside = |range: Range<usize>| {
            let at = fixed.iter().zip(slots).filter(move |(at, _)| range.contains(at));
            at.map(|(_, &slot)| slot).collect::<Vec<u32>>()
        };
        let of_rest = inside(self.rest_points());
        let mut generators = if of_rest.is_empty() {
            self.rest.clone()
        } else {
            let others: BigUint = self.blocks.iter().map(Blocks::order).product();
            build::stabiliser(self.degree, &self.rest, &(&self.order / others), &of_rest)
        };
        for blocks in &self.blocks {
            let mut element = |moves: Moves| {
                let images = self.on_slots(moves);
                generators.push(images);
            };
            blocks.stabiliser_generators(0, &fixed, &mut element);
        }
        Group::generated(self.degree, generators, None)
    }

    fn on_slots(&self, moves: Moves) -> Perm {
        let points = self.chain.points();
        let mut on_slots: Vec<(u32, u32)> =
            moves.iter().map(|(x, y)| (points[x as usize], points[y as usize])).collect();
        on_slots.sort_unstable();
        Perm::from_sorted_moves(self.degree, on_slots)
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
        if perm.degree() != self.degree {
            return false;
        }
        let Some(images) = self.chain.positions_of_images(perm) else { return false };
        let rest = self.rest_points();
        self.blocks.iter().all(|blocks| blocks.contains(&images)) && self.chain.reaches(rest, &images)
    }
}
