//! Symmetric covering: is there an element g of the group with M <= g(M')? (Junttila 2003, Def. 3.25 and Problem 3.26)
//!
//! Comparing canonical forms is no substitute (Thm 3.31), and the problem is NP-complete (Thm 3.27). So it is searched for
//! over the Schreier-Sims chain, level by level: an image of a base point is tried only where the numbers fit there and at
//! every slot decided with it. What must hold whatever g is, is compared before: the numbers in each orbit, sorted; and where
//! P-semiflows fix part of the markings, colours that g must keep (`antichain::Keys`). A search that takes too long is given up;
//! what is not covered then is kept, which is never wrong.

use super::antichain::{ColourBuffer, Keys};
use super::clock::{Clock, Limits};
use super::system::System;
use super::tokens::{Tokens, is_covered};
use crate::group::{Chain, Product};

/// Tried images, after which a search is given up.
const BUDGET: u32 = 20_000;
const QUICK_BUDGET: u32 = 200;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Covered {
    No,
    /// By itself, without any permutation.
    Plainly,
    /// Under the element that `Covering::element` gives.
    Symmetrically,
}

pub struct Covering {
    product: Product,
    left: u32,
    colours: (ColourBuffer, ColourBuffer),
    /// Searches that were given up.
    pub given_up: u64,
    pub searches: u64,
}

impl Covering {
    pub fn new(system: &System) -> Covering {
        Covering {
            product: Product::new(system.moved()),
            left: 0,
            colours: Default::default(),
            given_up: 0,
            searches: 0,
        }
    }

    /// Is `below` <= g(`above`) for some g? The profiles are those of the two.
    pub fn test<T: Tokens>(
        &mut self,
        system: &System,
        keys: &Keys,
        below: &[T],
        above: &[T],
        clock: &mut Clock,
    ) -> Covered {
        let moved = system.moved();
        if !is_covered(&below[moved..], &above[moved..]) {
            return Covered::No;
        }
        if is_covered(&below[..moved], &above[..moved]) {
            return Covered::Plainly;
        }
        if !system.has_symmetries() {
            return Covered::No;
        }
        self.searches += 1;
        let mut pair = Pair { below, above, below_colours: &[], above_colours: &[] };
        // Most searches end at once; where one does not, colours show where slots can go.
        self.left = if keys.has_colours() { QUICK_BUDGET } else { BUDGET };
        self.product.shrink(0);
        let mut found = self.complete(&system.chain, 0, &pair, clock);
        if !found && self.left == 0 && keys.has_colours() {
            let (mut below_colours, mut above_colours) = std::mem::take(&mut self.colours);
            keys.colours(below, &mut below_colours);
            keys.colours(above, &mut above_colours);
            (pair.below_colours, pair.above_colours) = (below_colours.current(), above_colours.current());
            self.left = BUDGET;
            self.product.shrink(0);
            found = self.complete(&system.chain, 0, &pair, clock);
            self.colours = (below_colours, above_colours);
        }
        if found {
            return Covered::Symmetrically;
        }
        self.given_up += u64::from(self.left == 0);
        Covered::No
    }

    /// The element that was found last, as images of the slots that move.
    pub fn element(&self) -> &[u32] {
        self.product.images()
    }

    fn complete<T: Tokens>(&mut self, chain: &Chain, k: usize, pair: &Pair<T>, clock: &mut Clock) -> bool {
        let Some(level) = chain.levels().get(k) else { return true };
        let point = level.point as usize;
        for (member, &c) in level.orbit.iter().enumerate() {
            let image = self.product.images()[c as usize] as usize;
            if !pair.fits(point, image) {
                continue;
            }
            if self.left == 0 || clock.poll() {
                return false;
            }
            self.left -= 1;
            self.product.push(level.element(member));
            let g = self.product.images();
            if chain.segment(k).all(|x| pair.fits(x, g[x] as usize))
                && self.complete(chain, k + 1, pair, clock)
            {
                return true;
            }
            self.product.pop();
        }
        false
    }
}

/// The two markings, with colours that an element must keep; none where nothing is known.
struct Pair<'m, T> {
    below: &'m [T],
    above: &'m [T],
    below_colours: &'m [u64],
    above_colours: &'m [u64],
}

impl<T: Tokens> Pair<'_, T> {
    /// Can an element map slot x of `above` to slot y of `below`?
    #[inline(always)]
    fn fits(&self, x: usize, y: usize) -> bool {
        self.below[y] <= self.above[x]
            && (self.below_colours.is_empty() || self.below_colours[y] == self.above_colours[x])
    }
}

/// The numbers of each orbit, the largest first, then those of slots that do not move. If one marking covers another
/// symmetrically, its profile covers the other's.
pub fn profile<T: Tokens>(system: &System, marking: &[T], profile: &mut Vec<T>) {
    profile.clear();
    profile.extend(system.orbit_slots.iter().map(|&slot| marking[slot as usize]));
    for orbit in system.orbit_starts.windows(2) {
        profile[orbit[0]..orbit[1]].sort_unstable_by(|a, b| b.cmp(a));
    }
    profile.extend_from_slice(&marking[system.moved()..]);
}

/// The inverse of a permutation of slots.
pub fn inverse(element: &[u32]) -> Vec<u32> {
    let mut images = vec![0; element.len()];
    element.iter().enumerate().for_each(|(x, &image)| images[image as usize] = x as u32);
    images
}

/// Is `below` <= g(`above`) for some g of the group? By place; None where one of the markings is of no interest, since places
/// differ that never do, or where it was given up.
pub fn covers(system: &System, below: &[u64], above: &[u64]) -> Option<bool> {
    let mut go_on = |_: &crate::search::Progress| true;
    let mut clock = Clock::new(Limits::default(), &mut go_on);
    let mut covering = Covering::new(system);
    let (below, above) = (system.by_slot(below)?, system.by_slot(above)?);
    let found = covering.test(system, &Keys::none(), &below, &above, &mut clock);
    (covering.given_up == 0).then_some(found != Covered::No)
}
