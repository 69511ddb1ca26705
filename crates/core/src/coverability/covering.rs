//! Symmetric covering: is there an element g of the group with M <= g(M')? (Junttila 2003, Def. 3.25 and Problem 3.26)
//!
//! Comparing canonical forms is no substitute (Thm 3.31), and the problem is NP-complete (Thm 3.27). So it is searched for
//! over the Schreier-Sims chain, level by level: an image of a base point is tried only where the numbers fit there and at
//! every slot decided with it. What must hold whatever g is, is compared before: the numbers in each orbit, sorted. A search
//! that takes too long is given up; what is not covered then is kept, which is never wrong.

use super::clock::{Clock, Limits};
use super::system::System;
use super::tokens::{Tokens, is_covered};
use crate::group::{Chain, Product};

/// Tried images, after which a search is given up.
const BUDGET: u32 = 20_000;

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
    /// Searches that were given up.
    pub given_up: u64,
    pub searches: u64,
}

impl Covering {
    pub fn new(system: &System) -> Covering {
        Covering { product: Product::new(system.moved()), left: 0, given_up: 0, searches: 0 }
    }

    /// Is `below` <= g(`above`) for some g? The profiles are those of the two.
    pub fn test<T: Tokens>(
        &mut self,
        system: &System,
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
        self.left = BUDGET;
        self.product.shrink(0);
        if self.complete(&system.chain, 0, below, above, clock) {
            return Covered::Symmetrically;
        }
        self.given_up += u64::from(self.left == 0);
        Covered::No
    }

    /// The element that was found last, as images of the slots that move.
    pub fn element(&self) -> &[u32] {
        self.product.images()
    }

    fn complete<T: Tokens>(
        &mut self,
        chain: &Chain,
        k: usize,
        below: &[T],
        above: &[T],
        clock: &mut Clock,
    ) -> bool {
        let Some(level) = chain.levels().get(k) else { return true };
        let point = level.point as usize;
        for (member, &c) in level.orbit.iter().enumerate() {
            let image = self.product.images()[c as usize] as usize;
            if below[image] > above[point] {
                continue;
            }
            if self.left == 0 || clock.poll() {
                return false;
            }
            self.left -= 1;
            self.product.push(level.element(member));
            let g = self.product.images();
            if chain.segment(k).all(|x| below[g[x] as usize] <= above[x])
                && self.complete(chain, k + 1, below, above, clock)
            {
                return true;
            }
            self.product.pop();
        }
        false
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
    let found = covering.test(system, &below, &above, &mut clock);
    (covering.given_up == 0).then_some(found != Covered::No)
}
