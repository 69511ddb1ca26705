//! From generators to a Schreier-Sims chain: random elements are sifted, what does not sift enters the chain.
//!
//! With the order known the construction is Las Vegas: it ends exactly when the transversal sizes multiply to it.
//! Without, a run of elements that all sift is only evidence, and the chain is then verified by Schreier's lemma (all
//! Schreier generators sift), which also repairs it where it was short. It is given up where the token of this thread is set,
//! and where it would not fit into memory.

use std::ops::Range;

use num_bigint::BigUint;

use super::blocks::Blocks;
use super::chain::Chain;
use super::levels::{Levels, Moves};
use super::recognise::{Factor, Recognised, recognise};
use crate::canon::Cancel;
use crate::perm::{Perm, image, inverse, orbit_minima, product};
use crate::random::Random;

/// So many random elements in a row must sift before a chain of unknown order is verified.
const EVIDENCE: usize = 20;
/// So many conjugates of generators are tried before random elements.
const CONJUGATES: usize = 20_000;
/// With a known order: after so many random elements in a row that sift, the chain is verified instead.
const MAX_SIFTED: usize = 400;

/// A chain, and the direct factors of the group that are groups of blocks.
#[derive(Default)]
pub(super) struct Built {
    pub chain: Chain,
    pub blocks: Vec<Blocks>,
    /// Generators of what is no such factor.
    pub rest: Vec<Perm>,
    /// The positions in the base of what those move.
    pub rest_points: Range<usize>,
    /// Is it the chain of the whole group? Otherwise it was given up, and it is that of the trivial group.
    pub is_whole: bool,
}

/// `telling`: slots that are the first to be base points.
pub(super) fn build(degree: usize, generators: &[Perm], order: Option<&BigUint>, telling: &[u32]) -> Built {
    let mut tells = vec![false; degree];
    telling.iter().filter(|&&slot| (slot as usize) < degree).for_each(|&slot| tells[slot as usize] = true);
    let Recognised { factors, rest } = recognise(degree, generators, &tells);
    let rest: Vec<Perm> = rest.iter().map(|&number| generators[number].clone()).collect();
    let of_factors: BigUint = factors.iter().map(|factor| factor.blocks.order()).product();
    let rest_order = order.map(|order| order / of_factors);
    let Some(general) = Builder::built(degree, &rest, rest_order.as_ref(), telling, &[]).finish() else {
        return Built::default();
    };
    let any_tells = |points: &[u32]| points.iter().any(|&point| tells[point as usize]);
    // What tells states apart comes first, then what needs a search.
    let (before, behind): (Vec<Factor>, Vec<Factor>) =
        factors.into_iter().partition(|factor| !any_tells(general.points()) && any_tells(&factor.points));
    let mut built = Built { rest, is_whole: true, ..Built::default() };
    built.append(before);
    let first = built.chain.moved();
    built.rest_points = first..first + general.moved();
    built.chain.append_chain(general);
    built.append(behind);
    built
}

impl Built {
    fn append(&mut self, factors: Vec<Factor>) {
        for factor in factors {
            self.blocks.push(self.chain.append(factor.blocks, &factor.points));
        }
    }
}

/// Generators of the subgroup that fixes these points, one by one: what is strong behind the levels of the points.
pub(super) fn stabiliser(degree: usize, generators: &[Perm], order: &BigUint, points: &[u32]) -> Vec<Perm> {
    Builder::built(degree, generators, Some(order), &[], points).behind(points.len())
}

/// The points that generators move, in the order in which base points are preferred: slots that are known to tell states apart,
/// then small orbits, since they leave few candidates per level.
fn preferred(degree: usize, generators: &[Perm], telling: &[u32]) -> Vec<u32> {
    let mut tells = vec![false; degree];
    for &slot in telling {
        if let Some(tells) = tells.get_mut(slot as usize) {
            *tells = true;
        }
    }
    let minima = orbit_minima(degree, generators);
    let mut size = vec![0usize; degree];
    for &minimum in &minima {
        size[minimum as usize] += 1;
    }
    let mut slots: Vec<u32> =
        (0..degree as u32).filter(|&slot| size[minima[slot as usize] as usize] > 1).collect();
    slots.sort_by_key(|&slot| {
        let minimum = minima[slot as usize];
        (!tells[slot as usize], size[minimum as usize], minimum, slot)
    });
    slots
}

/// Puts elements into the levels. Points are renamed to their numbers in `slots`.
struct Builder {
    degree: usize,
    slots: Vec<u32>,
    levels: Levels,
    cancel: Cancel,
}

impl Builder {
    /// The base begins with `first`.
    fn built(
        degree: usize,
        generators: &[Perm],
        order: Option<&BigUint>,
        telling: &[u32],
        first: &[u32],
    ) -> Builder {
        let mut slots = preferred(degree, generators, telling);
        let is_fixed = |slot: &&u32| generators.iter().all(|g| g.image(**slot) == **slot);
        let fixed: Vec<u32> = first.iter().filter(is_fixed).copied().collect();
        slots.extend(fixed);
        let mut number = vec![0; degree];
        for (at, &slot) in (0..).zip(&slots) {
            number[slot as usize] = at;
        }
        let mut builder =
            Builder { degree, levels: Levels::new(slots.len()), slots, cancel: Cancel::current() };
        first.iter().for_each(|&slot| builder.levels.open_at(number[slot as usize]));
        let renamed = |g: &Perm| {
            let rename = |&(x, y): &(u32, u32)| (number[x as usize], number[y as usize]);
            let mut moves: Moves = g.moves().iter().map(rename).collect();
            moves.sort_unstable();
            moves
        };
        let mut generators: Vec<Moves> = generators.iter().map(renamed).filter(|g| !g.is_empty()).collect();
        // The preferred points are the first of the base; and exchanges of neighbours make a whole chain of it.
        generators.sort_by_key(|g| g[0].0);
        for generator in &generators {
            if builder.cancel.is_cancelled() {
                return builder;
            }
            builder.levels.enter(generator);
        }
        let mut missing = Missing { order, is_known: false };
        builder.fill_by_conjugates(&generators, &mut missing);
        builder.fill_by_random_elements(&generators, &mut missing);
        if missing.is_any(&builder.levels) {
            let Builder { levels, cancel, .. } = &mut builder;
            while levels.repair(|| !cancel.is_cancelled()) {}
        }
        builder
    }

    /// Enters conjugates of generators by each other: where these exchange components, so do their conjugates, and the
    /// lower levels get elements that move little. Random elements would move everything.
    fn fill_by_conjugates(&mut self, generators: &[Moves], missing: &mut Missing) {
        let mut movers: Vec<Vec<u32>> = vec![Vec::new(); self.slots.len()];
        for (number, g) in (0..).zip(generators) {
            g.iter().for_each(|&(x, _)| movers[x as usize].push(number));
        }
        let mut left = CONJUGATES;
        let mut others: Vec<u32> = Vec::new();
        for (number, s) in (0..).zip(generators) {
            // Those that move a point in common.
            others.clear();
            others.extend(s.iter().flat_map(|&(x, _)| &movers[x as usize]));
            others.sort_unstable();
            others.dedup();
            for &other in others.iter().filter(|&&other| other != number) {
                if left == 0 || self.cancel.is_cancelled() || !missing.is_any(&self.levels) {
                    return;
                }
                left -= 1;
                let t = &generators[other as usize];
                let mut conjugate: Moves = t.iter().map(|&(x, y)| (image(s, x), image(s, y))).collect();
                conjugate.sort_unstable();
                missing.is_known &= !self.levels.enter(&conjugate);
            }
        }
    }

    fn fill_by_random_elements(&mut self, generators: &[Moves], missing: &mut Missing) {
        if generators.is_empty() {
            return;
        }
        let most = if missing.order.is_some() { MAX_SIFTED } else { EVIDENCE };
        let mut source: Option<RandomElements> = None;
        let mut in_a_row = 0;
        while missing.is_any(&self.levels) && !self.cancel.is_cancelled() && in_a_row < most {
            let element = source.get_or_insert_with(|| RandomElements::new(generators)).next();
            if self.levels.enter(&element) {
                in_a_row = 0;
                missing.is_known = false;
            } else {
                in_a_row += 1;
            }
        }
    }

    fn behind(self, levels: usize) -> Vec<Perm> {
        let Builder { degree, slots, .. } = self;
        let on_slots = |moves: Moves| {
            let mut moves: Moves =
                moves.into_iter().map(|(x, y)| (slots[x as usize], slots[y as usize])).collect();
            moves.sort_unstable();
            Perm::from_sorted_moves(degree, moves)
        };
        self.levels.behind(levels).map(on_slots).collect()
    }

    /// None where there was no time for it, or where it would be too large.
    fn finish(self) -> Option<Chain> {
        let Builder { levels, slots, cancel, .. } = self;
        levels.finish(&slots, || !cancel.is_cancelled())
    }
}

/// Is the group larger than the chain that was found?
struct Missing<'a> {
    order: Option<&'a BigUint>,
    /// Is it known that something is missing? Until the chain grows nothing changes.
    is_known: bool,
}

impl Missing<'_> {
    /// Where the order is not known, there may be.
    fn is_any(&mut self, levels: &Levels) -> bool {
        self.is_known = self.is_known || self.order.is_none_or(|order| levels.order() != *order);
        self.is_known
    }
}

/// Product replacement ("rattle"): nearly even draws from the generated group.
struct RandomElements {
    stock: Vec<Moves>,
    accumulator: Moves,
    random: Random,
}

impl RandomElements {
    fn new(generators: &[Moves]) -> Self {
        let size = (generators.len() + 2).max(10);
        let stock: Vec<Moves> = (0..size).map(|i| generators[i % generators.len()].clone()).collect();
        let mut source = RandomElements { stock, accumulator: Vec::new(), random: Random::new(0x5eed) };
        for _ in 0..size + 40 {
            source.next();
        }
        source
    }

    fn next(&mut self) -> Moves {
        let i = self.random.below(self.stock.len());
        let j = (i + 1 + self.random.below(self.stock.len() - 1)) % self.stock.len();
        let factor = if self.random.chance(0.5) { inverse(&self.stock[j]) } else { self.stock[j].clone() };
        self.stock[i] = if self.random.chance(0.5) {
            product(&self.stock[i], &factor)
        } else {
            product(&factor, &self.stock[i])
        };
        self.accumulator = product(&self.accumulator, &self.stock[i]);
        self.accumulator.clone()
    }
}
