//! A Schreier-Sims chain in the coordinates of its base (Junttila 2003, 4.1.1).
//!
//! The points that the group moves are renumbered 0, 1, ... in the order of the base, so a point's number is its place
//! in the lexicographic order of markings. Only levels with a non-trivial transversal are kept. Base optimisation
//! (L1494): a point that no later level moves stands directly behind the last level that moves it, so after choosing
//! the images of levels 0..=k everything before the point of level k + 1 is decided.

use num_bigint::BigUint;

use crate::perm::Perm;
use crate::random::Random;

/// Transversals up to this size are kept as explicit permutations; beyond, they are multiplied out when needed.
const EXPLICIT_BYTES: usize = 256 << 20;

#[derive(Clone, Debug)]
pub struct Level {
    /// The base point, as a position in the base.
    pub point: u32,
    /// The images of `point` under the group of this level, `point` itself first.
    pub orbit: Vec<u32>,
    transversal: Transversal,
}

#[derive(Clone, Debug)]
enum Transversal {
    /// One permutation after the other, each of `moved` images.
    Explicit(Vec<u32>),
    /// For each member of the orbit the way to it from an earlier one: (generator, index of the earlier one).
    Tree { generators: Vec<Perm>, from: Vec<(u32, u32)> },
}

#[derive(Clone, Debug)]
pub struct Chain {
    /// Slot at each position of the base; slots that never move are absent.
    points: Vec<u32>,
    levels: Vec<Level>,
}

/// A level before its points are renumbered: slots, and the spanning tree of its orbit.
pub(super) struct RawLevel {
    pub point: u32,
    pub orbit: Vec<u32>,
    pub generators: Vec<Perm>,
    pub from: Vec<(u32, u32)>,
}

impl Chain {
    /// `points`: the base order; `levels` in that order.
    pub(super) fn new(points: Vec<u32>, degree: usize, levels: Vec<RawLevel>) -> Chain {
        let moved = points.len();
        let mut position = vec![u32::MAX; degree];
        for (at, &slot) in points.iter().enumerate() {
            position[slot as usize] = at as u32;
        }
        let localise = |g: &Perm| {
            Perm::from_bijection(points.iter().map(|&slot| position[g.image(slot) as usize]).collect())
        };
        let bytes: usize = levels.iter().map(|level| level.orbit.len() * moved * 4).sum();
        let levels = levels
            .into_iter()
            .map(|raw| {
                let generators: Vec<Perm> = raw.generators.iter().map(localise).collect();
                let orbit: Vec<u32> = raw.orbit.iter().map(|&slot| position[slot as usize]).collect();
                let transversal = if bytes <= EXPLICIT_BYTES {
                    Transversal::Explicit(multiply_out(&generators, &raw.from, moved))
                } else {
                    Transversal::Tree { generators, from: raw.from }
                };
                Level { point: position[raw.point as usize], orbit, transversal }
            })
            .collect();
        Chain { points, levels }
    }

    /// Permutations of the slots as images of base positions.
    pub fn localised(&self, perms: &[Perm]) -> Vec<Vec<u32>> {
        let degree = perms.first().map_or(0, Perm::degree);
        let mut position = vec![u32::MAX; degree];
        for (at, &slot) in self.points.iter().enumerate() {
            if let Some(place) = position.get_mut(slot as usize) {
                *place = at as u32;
            }
        }
        let localise = |g: &Perm| self.points.iter().map(|&slot| position[g.image(slot) as usize]).collect();
        perms.iter().map(localise).collect()
    }

    /// Slot at each position of the base.
    pub fn points(&self) -> &[u32] {
        &self.points
    }

    pub fn moved(&self) -> usize {
        self.points.len()
    }

    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// The positions decided once the image of level `k` is chosen, beyond those decided before.
    #[inline(always)]
    pub fn segment(&self, k: usize) -> std::ops::Range<usize> {
        let end = self.levels.get(k + 1).map_or(self.points.len(), |next| next.point as usize);
        self.levels[k].point as usize..end
    }

    pub fn order(&self) -> BigUint {
        self.levels.iter().map(|level| BigUint::from(level.orbit.len())).product()
    }

    /// out = g after the `member`-th transversal element of level `k`, at the positions from that level's point on (the
    /// element fixes those before).
    #[inline]
    pub fn extend(&self, k: usize, member: usize, g: &[u32], out: &mut [u32]) {
        let from = self.levels[k].point as usize;
        match &self.levels[k].transversal {
            Transversal::Explicit(images) => {
                let moved = self.points.len();
                let h = &images[member * moved..(member + 1) * moved];
                for (image, &x) in out[from..moved].iter_mut().zip(&h[from..]) {
                    *image = g[x as usize];
                }
            }
            Transversal::Tree { generators, from: tree } => {
                // h = s_1 after s_2 ... after s_d along the tree, so g after h takes the factors from the member's end.
                out[from..].copy_from_slice(&g[from..]);
                let mut at = member;
                while at != 0 {
                    let (generator, earlier) = tree[at];
                    let s = &generators[generator as usize];
                    let old: Vec<u32> = out.to_vec();
                    for x in from..out.len() {
                        out[x] = old[s.image(x as u32) as usize];
                    }
                    at = earlier as usize;
                }
            }
        }
    }

    /// Sifts: is the permutation of the slots a product of transversal elements?
    pub fn contains(&self, perm: &Perm) -> bool {
        let mut position = vec![u32::MAX; perm.degree()];
        for (at, &slot) in self.points.iter().enumerate() {
            position[slot as usize] = at as u32;
        }
        if (0..perm.degree()).any(|slot| position[slot] == u32::MAX && perm.image(slot as u32) != slot as u32)
        {
            return false;
        }
        let wanted: Vec<u32> = self.points.iter().map(|&slot| position[perm.image(slot) as usize]).collect();
        let mut g: Vec<u32> = (0..self.points.len() as u32).collect();
        let mut next = g.clone();
        for (k, level) in self.levels.iter().enumerate() {
            let wish = wanted[level.point as usize];
            let Some(member) = level.orbit.iter().position(|&c| g[c as usize] == wish) else { return false };
            self.extend(k, member, &g, &mut next);
            g[level.point as usize..].copy_from_slice(&next[level.point as usize..]);
        }
        g == wanted
    }

    /// An element drawn evenly from the group, as images of positions.
    pub fn random_element(&self, random: &mut Random) -> Vec<u32> {
        let mut g: Vec<u32> = (0..self.points.len() as u32).collect();
        let mut next = g.clone();
        for (k, level) in self.levels.iter().enumerate() {
            self.extend(k, random.below(level.orbit.len()), &g, &mut next);
            g[level.point as usize..].copy_from_slice(&next[level.point as usize..]);
        }
        g
    }
}

fn multiply_out(generators: &[Perm], from: &[(u32, u32)], moved: usize) -> Vec<u32> {
    let mut images: Vec<u32> = Vec::with_capacity(from.len() * moved);
    images.extend(0..moved as u32);
    for &(generator, earlier) in &from[1..] {
        let start = earlier as usize * moved;
        for x in 0..moved {
            images.push(generators[generator as usize].image(images[start + x]));
        }
    }
    images
}
