//! A full symmetric group on blocks: n tuples of points that are exchanged as wholes, each in any order of its own.
//!
//! The points of a block stand side by side in the base, in the same order in every block. Inside each block there may be
//! further such groups, the same in all of them (a wreath product H wr S_n, H the product of those inside). What is known of
//! such a group needs no search: its order is |H|^n n!, an element is one where each block goes to a block, in step up to an
//! element of H, and the smallest image of a tuple of values is found by sorting, from the inside to the outside.

use std::sync::Arc;

use num_bigint::BigUint;

use super::chain::{Level, Moves};

/// More pairs of points than this are not listed as transversal elements.
const MAX_LISTED: usize = 1 << 22;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// The first position of the first block: in the base, or where this is inside a block, in that block.
    pub start: usize,
    pub count: usize,
    pub width: usize,
    /// The groups inside each block, one behind the other, at the block's end.
    pub inner: Vec<Blocks>,
}

impl Blocks {
    /// How many points it moves.
    pub fn points(&self) -> usize {
        self.count * self.width
    }

    /// The positions of block `at`.
    #[inline(always)]
    pub fn block(&self, at: usize) -> std::ops::Range<usize> {
        let first = self.start + at * self.width;
        first..first + self.width
    }

    /// Positions of a block that no group inside it moves; they are its first.
    fn plain(&self) -> usize {
        self.width - self.inner.iter().map(Blocks::points).sum::<usize>()
    }

    pub fn order(&self) -> BigUint {
        let inside: BigUint = self.inner.iter().map(Blocks::order).product();
        let exchanges: BigUint = (2..=self.count).map(BigUint::from).product();
        inside.pow(self.count as u32) * exchanges
    }

    /// Is it an element, by the images of all positions where this begins?
    pub fn contains(&self, images: &[u32]) -> bool {
        let mut local = vec![0; self.width];
        (0..self.count).all(|at| {
            let block = self.block(at);
            let Some(first) = (images[block.start] as usize).checked_sub(self.start) else { return false };
            let to = first / self.width;
            if to >= self.count {
                return false;
            }
            let target = self.block(to);
            for (position, &image) in images[block].iter().enumerate() {
                if !target.contains(&(image as usize)) {
                    return false;
                }
                local[position] = image - target.start as u32;
            }
            (0..self.plain()).all(|position| local[position] as usize == position)
                && self.inner.iter().all(|inner| inner.contains(&local))
        })
    }

    /// Generators of the subgroup that fixes these positions: exchanges of neighbouring blocks without such positions, and what
    /// fixes them inside blocks. `offset` is added to all positions.
    pub(super) fn stabiliser_generators(
        &self,
        offset: usize,
        fixed: &[usize],
        element: &mut impl FnMut(Moves<'static>),
    ) {
        let begin = |at: usize| self.start + offset + at * self.width;
        let is_free = |at: usize| !fixed.iter().any(|&x| (begin(at)..begin(at + 1)).contains(&x));
        let mut previous = None;
        for at in 0..self.count {
            if is_free(at)
                && let Some(previous) = previous.replace(at)
            {
                element(exchange(begin(previous) as u32, begin(at) as u32, self.width));
            }
            for inner in &self.inner {
                inner.stabiliser_generators(begin(at), fixed, element);
            }
        }
    }

    /// Can its transversals be written down? Those of blocks with points that nothing inside moves are not: they are
    /// exchanges, known by two numbers.
    pub(super) fn is_listable(&self) -> bool {
        let own = match self.inner.first() {
            Some(inner) if self.plain() == 0 => self
                .count
                .saturating_mul(self.count)
                .saturating_mul(self.width)
                .saturating_mul(inner.points()),
            _ => 0,
        };
        own <= MAX_LISTED && self.inner.iter().all(Blocks::is_listable)
    }

    /// Appends its levels; `offset` is added to all positions.
    ///
    /// Block by block: what fixes the first point of a block (one that nothing inside moves), and all blocks before, moves
    /// that block only by what is inside; and the images of that point are the first points of the blocks from there on,
    /// each reached by one exchange. Where something inside moves the first point, the images are those of all blocks under
    /// the first level inside, reached by an element of that level and then an exchange.
    pub(super) fn append_levels(&self, offset: usize, levels: &mut Vec<Level>) {
        let start = self.start + offset;
        let first_points: Arc<[u32]> =
            (0..self.count).map(|at| (start + at * self.width) as u32).collect::<Vec<_>>().into();
        for at in 0..self.count {
            let begin = start + at * self.width;
            let mut inside = Vec::new();
            self.inner.iter().for_each(|inner| inner.append_levels(begin, &mut inside));
            if self.plain() > 0 {
                if at + 1 < self.count {
                    levels.push(Level::of_exchanges(first_points.clone(), at, self.width));
                }
            } else if let Some(first) = inside.first_mut() {
                *first = self.with_exchanges(first, begin, self.count - at);
            }
            levels.append(&mut inside);
        }
    }

    /// The level of the block that begins here, together with the exchanges with those behind it.
    fn with_exchanges(&self, first: &Level, begin: usize, blocks: usize) -> Level {
        let (begin, width) = (begin as u32, self.width as u32);
        let mut orbit = Vec::with_capacity(blocks * first.orbit.len());
        let mut elements = Vec::with_capacity(orbit.capacity());
        for further in 0..blocks as u32 {
            for (member, &point) in first.orbit.iter().enumerate() {
                orbit.push(point + further * width);
                let inside = first.element(member);
                if further == 0 {
                    elements.push(inside.iter().collect());
                    continue;
                }
                let there = (begin..begin + width).map(|x| (x, inside.image(x) + further * width));
                let back = (begin..begin + width).map(|x| (x + further * width, x));
                elements.push(there.chain(back).collect());
            }
        }
        Level::listed(orbit, elements)
    }
}

/// The exchange of the blocks that begin at these positions.
pub(super) fn exchange(first: u32, second: u32, width: usize) -> Moves<'static> {
    if first == second {
        Moves::NONE
    } else {
        Moves::Exchange { first: first.min(second), second: first.max(second), width: width as u32 }
    }
}
