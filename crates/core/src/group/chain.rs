//! A Schreier-Sims chain in the coordinates of its base (Junttila 2003, 4.1.1).
//!
//! The points that the group moves are renumbered 0, 1, ... in the order of the base, so a point's number is its place
//! in the lexicographic order of markings. Only levels with a non-trivial transversal are kept. Base optimisation
//! (4.3): a point that no later level moves stands directly behind the last level that moves it, so after choosing
//! the images of levels 0..=k everything before the point of level k + 1 is decided.
//!
//! Transversal elements are kept sparse, as the points they move, and chosen with small support: in the groups of real
//! models most of them exchange two components and leave thousands of points alone.

use std::ops::Range;
use std::sync::Arc;

use num_bigint::BigUint;

use super::blocks::{Blocks, exchange};
use crate::perm::Perm;
use crate::random::Random;

/// A transversal element, by the points that it moves.
#[derive(Clone, Copy, Debug)]
pub enum Moves<'a> {
    /// (point, image) for each moved point, sorted.
    Listed(&'a [(u32, u32)]),
    /// Two blocks change places: as many points from `first` on, and from `second` on. `first` is the smaller.
    Exchange { first: u32, second: u32, width: u32 },
}

impl<'a> Moves<'a> {
    /// The identity.
    pub const NONE: Moves<'static> = Moves::Listed(&[]);

    /// The image of a point.
    #[inline]
    pub fn image(self, x: u32) -> u32 {
        match self {
            Moves::Listed(moves) => match moves.binary_search_by_key(&x, |&(moved, _)| moved) {
                Ok(at) => moves[at].1,
                Err(_) => x,
            },
            Moves::Exchange { first, second, width } => {
                if (first..first + width).contains(&x) {
                    x - first + second
                } else if (second..second + width).contains(&x) {
                    x - second + first
                } else {
                    x
                }
            }
        }
    }

    /// (point, image) for each moved point, sorted.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = (u32, u32)> + use<'a> {
        let count = match self {
            Moves::Listed(moves) => moves.len(),
            Moves::Exchange { width, .. } => 2 * width as usize,
        };
        (0..count).map(move |at| match self {
            Moves::Listed(moves) => moves[at],
            Moves::Exchange { first, second, width } => match (at as u32).checked_sub(width) {
                None => (first + at as u32, second + at as u32),
                Some(at) => (second + at, first + at),
            },
        })
    }
}

#[derive(Clone, Debug)]
pub struct Level {
    /// The base point, as a position in the base.
    pub point: u32,
    /// The images of `point` under the group of this level, `point` itself first.
    pub orbit: Orbit,
    elements: Elements,
}

/// A list, or the rest of one that several levels share.
#[derive(Clone, Debug)]
pub struct Orbit {
    all: Arc<[u32]>,
    from: usize,
}

impl std::ops::Deref for Orbit {
    type Target = [u32];

    #[inline(always)]
    fn deref(&self) -> &[u32] {
        &self.all[self.from..]
    }
}

#[derive(Clone, Debug)]
enum Elements {
    /// The element for `orbit[i]` is `moves[start[i]..start[i + 1]]`; the first is the identity.
    Listed { moves: Arc<[(u32, u32)]>, start: Arc<[usize]> },
    /// The block that begins at the base point changes places with the one that begins at its image.
    Exchanges { width: usize },
}

impl Level {
    pub(super) fn listed(orbit: Vec<u32>, elements: Vec<Vec<(u32, u32)>>) -> Level {
        let count = elements.iter().map(Vec::len).sum();
        let (mut moves, mut start) = (Vec::with_capacity(count), vec![0]);
        for element in elements {
            moves.extend(element);
            start.push(moves.len());
        }
        let elements = Elements::Listed { moves: moves.into(), start: start.into() };
        Level { point: orbit[0], orbit: Orbit { all: orbit.into(), from: 0 }, elements }
    }

    /// Exchanges of the block that begins at the point of that number with those that begin at the points behind it.
    pub(super) fn of_exchanges(points: Arc<[u32]>, from: usize, width: usize) -> Level {
        let elements = Elements::Exchanges { width };
        Level { point: points[from], orbit: Orbit { all: points, from }, elements }
    }

    fn shifted(mut self, by: u32) -> Level {
        if by > 0 {
            self.point += by;
            let orbit: Vec<u32> = self.orbit.iter().map(|&x| x + by).collect();
            self.orbit = Orbit { all: orbit.into(), from: 0 };
            if let Elements::Listed { moves, .. } = &mut self.elements {
                *moves = moves.iter().map(|&(x, y)| (x + by, y + by)).collect();
            }
        }
        self
    }

    #[inline(always)]
    pub fn element(&self, member: usize) -> Moves<'_> {
        match &self.elements {
            Elements::Listed { moves, start } => Moves::Listed(&moves[start[member]..start[member + 1]]),
            Elements::Exchanges { width } => exchange(self.point, self.orbit[member], *width),
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Chain {
    /// Slot at each position of the base; slots that never move are absent.
    points: Vec<u32>,
    levels: Vec<Level>,
}

impl Chain {
    /// `points`: slots in the base order.
    pub(super) fn new(points: Vec<u32>, levels: Vec<Level>) -> Chain {
        Chain { points, levels }
    }

    /// Continues the chain by a group of blocks that moves other slots: these, block by block.
    pub(super) fn append(&mut self, mut blocks: Blocks, points: &[u32]) -> Blocks {
        blocks.start = self.points.len();
        self.points.extend_from_slice(points);
        blocks.append_levels(0, &mut self.levels);
        blocks
    }

    /// Continues the chain by one of a group that moves other slots.
    pub(super) fn append_chain(&mut self, chain: Chain) {
        let shift = self.points.len() as u32;
        self.points.extend(chain.points);
        self.levels.extend(chain.levels.into_iter().map(|level| level.shifted(shift)));
    }

    /// The part of the chain for the first points, a direct factor of the group.
    pub(super) fn first(&self, points: usize) -> Chain {
        let levels = self.levels.iter().take_while(|level| (level.point as usize) < points);
        Chain { points: self.points[..points].to_vec(), levels: levels.cloned().collect() }
    }

    /// By slot: its position in the base, MAX where it never moves.
    fn positions(&self, degree: usize) -> Vec<u32> {
        let mut position = vec![u32::MAX; degree];
        for (at, &slot) in self.points.iter().enumerate() {
            position[slot as usize] = at as u32;
        }
        position
    }

    /// Permutations of the slots as moves of base positions.
    pub fn localised(&self, perms: &[Perm]) -> Vec<Perm> {
        let Some(first) = perms.first() else { return Vec::new() };
        let position = self.positions(first.degree());
        let localise = |g: &Perm| {
            let at = |&(x, y): &(u32, u32)| (position[x as usize], position[y as usize]);
            let mut moves: Vec<(u32, u32)> = g.moves().iter().map(at).collect();
            moves.sort_unstable();
            Perm::from_sorted_moves(self.moved(), moves)
        };
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

    /// By position of the base: the position of its image; None where a slot moves that no element moves.
    pub(super) fn positions_of_images(&self, perm: &Perm) -> Option<Vec<u32>> {
        let position = self.positions(perm.degree());
        let mut images: Vec<u32> = (0..self.points.len() as u32).collect();
        for &(x, y) in perm.moves() {
            *images.get_mut(position[x as usize] as usize)? = position[y as usize];
        }
        Some(images)
    }

    /// Sifts: do the images of these positions belong to a product of transversal elements that move no others?
    pub(super) fn reaches(&self, points: Range<usize>, wanted: &[u32]) -> bool {
        let mut product = Product::new(self.points.len());
        for level in self.levels.iter().filter(|level| points.contains(&(level.point as usize))) {
            let wish = wanted[level.point as usize];
            let reaches = |&c: &u32| product.images()[c as usize] == wish;
            let Some(member) = level.orbit.iter().position(reaches) else { return false };
            product.push(level.element(member));
        }
        product.images()[points.clone()] == wanted[points]
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
    pub fn push(&mut self, h: Moves) {
        self.marks.push(self.undo.len());
        match h {
            Moves::Listed(moves) => {
                self.moved.clear();
                self.moved.extend(moves.iter().map(|&(_, image)| self.images[image as usize]));
                for (&(x, _), &new) in moves.iter().zip(&self.moved) {
                    let slot = &mut self.images[x as usize];
                    self.undo.push((x, *slot));
                    *slot = new;
                }
            }
            Moves::Exchange { first, second, width } => {
                for (x, y) in (first..first + width).zip(second..second + width) {
                    self.undo.push((x, self.images[x as usize]));
                    self.undo.push((y, self.images[y as usize]));
                    self.images.swap(x as usize, y as usize);
                }
            }
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
