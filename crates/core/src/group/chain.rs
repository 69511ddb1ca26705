//! A Schreier-Sims chain in the coordinates of its base (Junttila 2003, 4.1.1).
//!
//! The points that the group moves are renumbered 0, 1, ... in the order of the base, so a point's number is its place
//! in the lexicographic order of markings. Only levels with a non-trivial transversal are kept. Base optimisation
//! (4.3): a point that no later level moves stands directly behind the last level that moves it, so after choosing
//! the images of levels 0..=k everything before the point of level k + 1 is decided.
//!
//! Transversal elements are kept sparse, as the points they move, and chosen with small support: in the groups of real
//! models most of them exchange two components and leave thousands of points alone.

use num_bigint::BigUint;

use crate::perm::Perm;
use crate::random::Random;

/// (point, image) for each moved point, sorted.
pub type Moves = [(u32, u32)];

#[derive(Clone, Debug)]
pub struct Level {
    /// The base point, as a position in the base.
    pub point: u32,
    /// The images of `point` under the group of this level, `point` itself first.
    pub orbit: Vec<u32>,
    /// The element for `orbit[i]` is `moves[start[i]..start[i + 1]]`; the first is the identity.
    moves: Vec<(u32, u32)>,
    start: Vec<usize>,
}

impl Level {
    #[inline(always)]
    pub fn element(&self, member: usize) -> &Moves {
        &self.moves[self.start[member]..self.start[member + 1]]
    }
}

/// The image of a point under a sparse element.
#[inline]
pub fn image(element: &Moves, x: u32) -> u32 {
    match element.binary_search_by_key(&x, |&(moved, _)| moved) {
        Ok(at) => element[at].1,
        Err(_) => x,
    }
}

#[derive(Clone, Debug)]
pub struct Chain {
    /// Slot at each position of the base; slots that never move are absent.
    points: Vec<u32>,
    levels: Vec<Level>,
}

/// A level before its points are renumbered: slots, and the spanning tree of its orbit.
pub(super) struct RawLevel {
    /// The base point first.
    pub orbit: Vec<u32>,
    pub generators: Vec<Perm>,
    /// By member of the orbit: (generator, earlier member).
    pub from: Vec<(u32, u32)>,
}

impl Chain {
    /// `points`: the base order; `levels` in that order.
    pub(super) fn new(points: Vec<u32>, degree: usize, raw_levels: Vec<RawLevel>) -> Chain {
        let mut chain = Chain { points, levels: Vec::with_capacity(raw_levels.len()) };
        let position = chain.positions(degree);
        for raw in raw_levels {
            let orbit: Vec<u32> = raw.orbit.iter().map(|&slot| position[slot as usize]).collect();
            let generators: Vec<Vec<(u32, u32)>> =
                raw.generators.iter().map(|g| sparse(g, &chain.points, &position)).collect();
            let elements = transversal(&orbit, &generators, &raw.from);
            let mut level = Level { point: orbit[0], orbit, moves: Vec::new(), start: vec![0] };
            for element in elements {
                level.moves.extend(element);
                level.start.push(level.moves.len());
            }
            chain.levels.push(level);
        }
        chain
    }

    /// By slot: its position in the base, MAX where it never moves.
    fn positions(&self, degree: usize) -> Vec<u32> {
        let mut position = vec![u32::MAX; degree];
        for (at, &slot) in self.points.iter().enumerate() {
            position[slot as usize] = at as u32;
        }
        position
    }

    /// Permutations of the slots as images of base positions.
    pub fn localised(&self, perms: &[Perm]) -> Vec<Vec<u32>> {
        let Some(first) = perms.first() else { return Vec::new() };
        let position = self.positions(first.degree());
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

    /// Sifts: is the permutation of the slots a product of transversal elements?
    pub fn contains(&self, perm: &Perm) -> bool {
        let position = self.positions(perm.degree());
        let stays = |slot: usize| position[slot] != u32::MAX || perm.image(slot as u32) == slot as u32;
        if !(0..perm.degree()).all(stays) {
            return false;
        }
        let wanted: Vec<u32> = self.points.iter().map(|&slot| position[perm.image(slot) as usize]).collect();
        let mut product = Product::new(self.points.len());
        for level in &self.levels {
            let wish = wanted[level.point as usize];
            let reaches = |&c: &u32| product.images()[c as usize] == wish;
            let Some(member) = level.orbit.iter().position(reaches) else { return false };
            product.push(level.element(member));
        }
        product.images() == wanted
    }

    /// An element drawn evenly from the group, as images of positions.
    pub fn random_element(&self, random: &mut Random) -> Vec<u32> {
        let mut product = Product::new(self.points.len());
        for level in &self.levels {
            product.push(level.element(random.below(level.orbit.len())));
        }
        product.images().to_vec()
    }
}

/// A product g of transversal elements that grows and shrinks at its right end, at the cost of what is moved.
pub struct Product {
    images: Vec<u32>,
    /// What each factor overwrote, and where its part begins.
    undo: Vec<(u32, u32)>,
    marks: Vec<usize>,
    moved: Vec<u32>,
}

impl Product {
    pub fn new(points: usize) -> Product {
        Product {
            images: (0..points as u32).collect(),
            undo: Vec::new(),
            marks: Vec::new(),
            moved: Vec::new(),
        }
    }

    #[inline(always)]
    pub fn images(&self) -> &[u32] {
        &self.images
    }

    /// g becomes g after h.
    #[inline]
    pub fn push(&mut self, h: &Moves) {
        self.marks.push(self.undo.len());
        self.moved.clear();
        self.moved.extend(h.iter().map(|&(_, image)| self.images[image as usize]));
        for (&(x, _), &new) in h.iter().zip(&self.moved) {
            let slot = &mut self.images[x as usize];
            self.undo.push((x, *slot));
            *slot = new;
        }
    }

    /// Takes the last factor away.
    #[inline]
    pub fn pop(&mut self) {
        let Some(mark) = self.marks.pop() else { return };
        for &(x, old) in self.undo[mark..].iter().rev() {
            self.images[x as usize] = old;
        }
        self.undo.truncate(mark);
    }

    /// Takes factors away until so many are left.
    #[inline]
    pub fn shrink(&mut self, factors: usize) {
        while self.marks.len() > factors {
            self.pop();
        }
    }
}

fn sparse(g: &Perm, points: &[u32], position: &[u32]) -> Vec<(u32, u32)> {
    let moves = points.iter().enumerate().map(|(at, &slot)| (at as u32, position[g.image(slot) as usize]));
    moves.filter(|&(at, image)| at != image).collect()
}

/// One element for each member of the orbit, along the spanning tree. Of s r (r leads to the earlier member b, s from
/// there to c) and its conjugate r^-1 s r, which also leads to c where r leaves c alone, the one that moves less: so
/// exchanges of two components stay exchanges instead of growing into long cycles.
fn transversal(orbit: &[u32], generators: &[Vec<(u32, u32)>], from: &[(u32, u32)]) -> Vec<Vec<(u32, u32)>> {
    let mut elements: Vec<Vec<(u32, u32)>> = vec![Vec::new()];
    for (member, &(generator, earlier)) in from.iter().enumerate().skip(1) {
        let (s, r) = (&generators[generator as usize], &elements[earlier as usize]);
        let product = compose(s, r);
        let target = orbit[member];
        let element = if image(r, target) == target {
            let conjugate = compose(&inverse(r), &product);
            if image(&conjugate, orbit[0]) == target && conjugate.len() < product.len() {
                conjugate
            } else {
                product
            }
        } else {
            product
        };
        elements.push(element);
    }
    elements
}

/// a after b.
fn compose(a: &Moves, b: &Moves) -> Vec<(u32, u32)> {
    let mut points: Vec<u32> = a.iter().chain(b).map(|&(x, _)| x).collect();
    points.sort_unstable();
    points.dedup();
    let moves = points.into_iter().map(|x| (x, image(a, image(b, x))));
    moves.filter(|&(x, y)| x != y).collect()
}

fn inverse(a: &Moves) -> Vec<(u32, u32)> {
    let mut moves: Vec<(u32, u32)> = a.iter().map(|&(x, y)| (y, x)).collect();
    moves.sort_unstable();
    moves
}
