//! From generators to a Schreier-Sims chain: random elements are sifted, what does not sift enters the chain.
//!
//! With the order known the construction is Las Vegas: it ends exactly when the transversal sizes multiply to it.
//! Without, a run of elements that all sift is only evidence, and the chain is then verified by Schreier's lemma (all
//! Schreier generators sift), which also repairs it where it was short. Where the token of this thread is set the chain is
//! cut short, and of no use.

use std::ops::Range;

use num_bigint::BigUint;

use super::blocks::Blocks;
use super::chain::{Chain, RawLevel};
use super::recognise::{Factor, Recognised, recognise};
use crate::canon::Cancel;
use crate::perm::{Perm, orbit_minima};
use crate::random::Random;

/// So many random elements in a row must sift before a chain of unknown order is verified.
const EVIDENCE: usize = 20;
/// So many conjugates of generators are tried before random elements.
const CONJUGATES: usize = 20_000;
/// Images kept in all of the levels' transversals, four bytes each: beyond these, elements are found along paths.
const MAX_KEPT: usize = 1 << 23;
/// With a known order: after so many random elements in a row that sift, the chain is verified instead.
const MAX_SIFTED: usize = 400;

/// A chain, and the direct factors of the group that are groups of blocks.
pub(super) struct Built {
    pub chain: Chain,
    pub blocks: Vec<Blocks>,
    /// Generators of what is no such factor.
    pub rest: Vec<Perm>,
    /// The positions in the base of what those move.
    pub rest_points: Range<usize>,
}

/// `telling`: slots that are the first to be base points.
pub(super) fn build(degree: usize, generators: &[Perm], order: Option<&BigUint>, telling: &[u32]) -> Built {
    let mut tells = vec![false; degree];
    telling.iter().filter(|&&slot| (slot as usize) < degree).for_each(|&slot| tells[slot as usize] = true);
    let Recognised { factors, rest } = recognise(degree, generators, &tells);
    let rest: Vec<Perm> = rest.iter().map(|&number| generators[number].clone()).collect();
    let of_factors: BigUint = factors.iter().map(|factor| factor.blocks.order()).product();
    let rest_order = order.map(|order| order / of_factors);
    let general = built(degree, &rest, rest_order.as_ref(), base_ranks(degree, &rest, telling), &[]).finish();
    let any_tells = |points: &[u32]| points.iter().any(|&point| tells[point as usize]);
    // What tells states apart comes first, then what needs a search.
    let (before, behind): (Vec<Factor>, Vec<Factor>) =
        factors.into_iter().partition(|factor| !any_tells(general.points()) && any_tells(&factor.points));
    let mut built = Built { chain: Chain::default(), blocks: Vec::new(), rest, rest_points: 0..0 };
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
    let rank = base_ranks(degree, generators, &[]);
    let builder = built(degree, generators, Some(order), rank, points);
    let fixes = |g: &&Perm| points.iter().all(|&point| g.image(point) == point);
    builder.strong.iter().map(|strong| &strong.perm).filter(fixes).cloned().collect()
}

/// The base begins with `first`.
fn built(
    degree: usize,
    generators: &[Perm],
    order: Option<&BigUint>,
    rank: Vec<u32>,
    first: &[u32],
) -> Builder {
    let cancel = Cancel::current();
    let mut builder = Builder { degree, rank, strong: Vec::new(), levels: Vec::new(), cancel, kept: 0 };
    for &point in first {
        builder.open_level_at(point);
    }
    for generator in generators {
        if builder.cancel.is_cancelled() {
            break;
        }
        builder.enter(generator.clone());
    }
    builder.fill_by_conjugates(generators, order);
    builder.fill_by_random_elements(generators, order);
    if order.is_none_or(|order| builder.order() != *order) {
        while !builder.cancel.is_cancelled() && builder.repair() {}
    }
    builder
}

/// Position of each slot in the order in which base points are preferred: slots that are known to tell states apart, then
/// small orbits, since they leave few candidates per level.
fn base_ranks(degree: usize, generators: &[Perm], telling: &[u32]) -> Vec<u32> {
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
    let mut slots: Vec<u32> = (0..degree as u32).collect();
    slots.sort_by_key(|&slot| {
        let minimum = minima[slot as usize];
        (!tells[slot as usize], size[minimum as usize], minimum, slot)
    });
    let mut rank = vec![0; degree];
    for (at, &slot) in slots.iter().enumerate() {
        rank[slot as usize] = at as u32;
    }
    rank
}

/// Do the two move a point in common?
fn overlap(s: &Perm, t: &Perm) -> bool {
    s != t && (0..s.degree() as u32).any(|x| s.image(x) != x && t.image(x) != x)
}

struct Strong {
    perm: Perm,
    inverse: Perm,
}

struct OpenLevel {
    point: u32,
    /// Numbers of the strong generators that fix all earlier base points.
    generators: Vec<usize>,
    orbit: Vec<u32>,
    /// By slot: position in `orbit`, or MAX.
    index: Vec<u32>,
    /// By position in `orbit`: (strong generator, earlier position).
    from: Vec<(u32, u32)>,
    /// By position in `orbit`, for the first ones: an element that maps the point there to `point`. Paths of generators are as
    /// long as orbits where each generator exchanges two neighbours.
    back: Vec<Perm>,
}

struct Builder {
    degree: usize,
    rank: Vec<u32>,
    strong: Vec<Strong>,
    levels: Vec<OpenLevel>,
    cancel: Cancel,
    /// Images kept in the levels.
    kept: usize,
}

impl Builder {
    fn order(&self) -> BigUint {
        self.levels.iter().map(|level| BigUint::from(level.orbit.len())).product()
    }

    /// Enters conjugates of generators by each other: where these exchange components, so do their conjugates, and the
    /// lower levels get elements that move little. Random elements would move everything.
    fn fill_by_conjugates(&mut self, generators: &[Perm], order: Option<&BigUint>) {
        let inverses: Vec<Perm> = generators.iter().map(Perm::inverse).collect();
        let mut left = CONJUGATES;
        for (i, s) in generators.iter().enumerate() {
            for t in generators.iter().filter(|t| overlap(s, t)) {
                if left == 0
                    || self.cancel.is_cancelled()
                    || order.is_some_and(|order| self.order() == *order)
                {
                    return;
                }
                left -= 1;
                self.enter(s.after(t).after(&inverses[i]));
            }
        }
    }

    fn fill_by_random_elements(&mut self, generators: &[Perm], order: Option<&BigUint>) {
        if generators.is_empty() {
            return;
        }
        let mut source = RandomElements::new(generators);
        let mut in_a_row = 0;
        let mut reached = order.is_some_and(|order| self.order() == *order);
        while !reached
            && !self.cancel.is_cancelled()
            && in_a_row < if order.is_some() { MAX_SIFTED } else { EVIDENCE }
        {
            if self.enter(source.next()) {
                in_a_row = 0;
                reached = order.is_some_and(|order| self.order() == *order);
            } else {
                in_a_row += 1;
            }
        }
    }

    /// Divides g by transversal elements; what is left, and the first level that could not divide it.
    fn sift(&self, mut g: Perm) -> Option<(usize, Perm)> {
        for (at, level) in self.levels.iter().enumerate() {
            let mut position = level.index[g.image(level.point) as usize];
            if position == u32::MAX {
                return Some((at, g));
            }
            while position != 0 {
                if let Some(back) = level.back.get(position as usize) {
                    g.go_on(back);
                    break;
                }
                let (generator, earlier) = level.from[position as usize];
                g.go_on(&self.strong[generator as usize].inverse);
                position = earlier;
            }
        }
        (!g.is_identity()).then_some((self.levels.len(), g))
    }

    /// True where the chain grew.
    fn enter(&mut self, g: Perm) -> bool {
        let Some((at, residue)) = self.sift(g) else { return false };
        if at == self.levels.len() {
            self.open_level(&residue);
        }
        let number = self.strong.len();
        self.strong.push(Strong { inverse: residue.inverse(), perm: residue });
        for level in &mut self.levels[..=at] {
            level.generators.push(number);
            close_orbit(level, &self.strong, number);
            while level.back.len() < level.orbit.len() && self.kept + self.degree <= MAX_KEPT {
                let (generator, earlier) = level.from[level.back.len()];
                let back = level.back[earlier as usize].after(&self.strong[generator as usize].inverse);
                level.back.push(back);
                self.kept += self.degree;
            }
        }
        true
    }

    fn open_level(&mut self, residue: &Perm) {
        let moved = (0..self.degree as u32).filter(|&x| residue.image(x) != x);
        let Some(point) = moved.min_by_key(|&x| self.rank[x as usize]) else { return };
        self.open_level_at(point);
    }

    fn open_level_at(&mut self, point: u32) {
        let mut index = vec![u32::MAX; self.degree];
        index[point as usize] = 0;
        self.levels.push(OpenLevel {
            point,
            generators: Vec::new(),
            orbit: vec![point],
            index,
            from: vec![(0, 0)],
            back: vec![Perm::identity(self.degree)],
        });
    }

    /// Schreier's lemma: enters the Schreier generators; true where one did not sift.
    fn repair(&mut self) -> bool {
        for at in (0..self.levels.len()).rev() {
            for member in 0..self.levels[at].orbit.len() {
                if self.cancel.is_cancelled() {
                    return false;
                }
                let rep = self.representative(at, member);
                for &number in &self.levels[at].generators.clone() {
                    if self.leads_on(at, member, number) {
                        continue;
                    }
                    if self.enter(self.strong[number].perm.after(&rep)) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Is the generator how another member of the orbit was found from this one? Then its Schreier generator is the identity.
    fn leads_on(&self, at: usize, member: usize, generator: usize) -> bool {
        let level = &self.levels[at];
        let image = self.strong[generator].perm.image(level.orbit[member]);
        let position = level.index[image as usize] as usize;
        position != 0 && level.from[position] == (generator as u32, member as u32)
    }

    fn representative(&self, at: usize, member: usize) -> Perm {
        let level = &self.levels[at];
        let mut path = Vec::new();
        let mut position = member;
        while position >= level.back.len() {
            path.push(level.from[position].0 as usize);
            position = level.from[position].1 as usize;
        }
        let start = level.back[position].inverse();
        path.iter().rev().fold(start, |g, &number| self.strong[number].perm.after(&g))
    }

    fn finish(self) -> Chain {
        if self.cancel.is_cancelled() {
            return Chain::new(Vec::new(), self.degree, Vec::new());
        }
        // The last level that moves a slot decides where the slot stands in the base.
        let mut last_moved_by = vec![usize::MAX; self.degree];
        for (at, level) in self.levels.iter().enumerate() {
            for &number in &level.generators {
                let strong = &self.strong[number].perm;
                for slot in (0..self.degree as u32).filter(|&slot| strong.image(slot) != slot) {
                    last_moved_by[slot as usize] = at;
                }
            }
        }
        let mut points: Vec<u32> =
            (0..self.degree as u32).filter(|&s| last_moved_by[s as usize] != usize::MAX).collect();
        points.sort_by_key(|&slot| {
            let at = last_moved_by[slot as usize];
            (at, self.levels[at].point != slot, self.rank[slot as usize])
        });
        let strong = &self.strong;
        let raw = self.levels.into_iter().map(|level| {
            let local =
                |number: u32| level.generators.iter().position(|&g| g == number as usize).unwrap_or(0) as u32;
            RawLevel {
                from: level.from.iter().map(|&(number, earlier)| (local(number), earlier)).collect(),
                generators: level.generators.iter().map(|&number| strong[number].perm.clone()).collect(),
                orbit: level.orbit,
            }
        });
        let raw = raw.collect();
        Chain::new(points, self.degree, raw)
    }
}

/// Extends the orbit after generator `new` was added: old points by the new generator, new points by all.
fn close_orbit(level: &mut OpenLevel, strong: &[Strong], new: usize) {
    let old = level.orbit.len();
    let mut at = 0;
    while at < level.orbit.len() {
        let x = level.orbit[at];
        let generators =
            if at < old { &level.generators[level.generators.len() - 1..] } else { &level.generators[..] };
        debug_assert!(at >= old || generators == [new]);
        for &number in generators {
            let image = strong[number].perm.image(x);
            if level.index[image as usize] == u32::MAX {
                level.index[image as usize] = level.orbit.len() as u32;
                level.orbit.push(image);
                level.from.push((number as u32, at as u32));
            }
        }
        at += 1;
    }
}

/// Product replacement ("rattle"): nearly even draws from the generated group.
struct RandomElements {
    stock: Vec<Perm>,
    accumulator: Perm,
    random: Random,
}

impl RandomElements {
    fn new(generators: &[Perm]) -> Self {
        let size = (generators.len() + 2).max(10);
        let stock: Vec<Perm> = (0..size).map(|i| generators[i % generators.len()].clone()).collect();
        let accumulator = Perm::identity(generators[0].degree());
        let mut source = RandomElements { stock, accumulator, random: Random::new(0x5eed) };
        for _ in 0..size + 40 {
            source.next();
        }
        source
    }

    fn next(&mut self) -> Perm {
        let i = self.random.below(self.stock.len());
        let j = (i + 1 + self.random.below(self.stock.len() - 1)) % self.stock.len();
        let factor = if self.random.chance(0.5) { self.stock[j].inverse() } else { self.stock[j].clone() };
        self.stock[i] =
            if self.random.chance(0.5) { self.stock[i].after(&factor) } else { factor.after(&self.stock[i]) };
        self.accumulator = self.accumulator.after(&self.stock[i]);
        self.accumulator.clone()
    }
}
