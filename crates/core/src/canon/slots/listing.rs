//! Small groups, element by element. Images are compared without being made, and only where a state has different values in one
//! orbit: everywhere else all images agree. The first slot that differs decides, which is nearly always one of the first,
//! however many slots a state has.

use std::cmp::Ordering;
use std::ops::Range;

use super::super::Stabiliser;
use super::add_slot;
use crate::group::{Chain, Product};

/// Larger groups are searched, where a prefix decides for many elements at once.
const MAX_ELEMENTS: u32 = 128;
const MAX_NUMBERS: usize = 1 << 22;

pub struct Listing {
    /// Images of the positions under each element but the identity.
    elements: Vec<Box<[u32]>>,
    /// By position: the first one of its orbit.
    first: Vec<u32>,
    /// By the first position of an orbit: its positions, ascending.
    orbits: Vec<Vec<u32>>,
}

/// Positions in orbits where a state has different values are its *live* ones.
#[derive(Default)]
pub struct Workspace {
    /// Of the state at hand, ascending; after a step, perhaps some more.
    live: Vec<u32>,
    /// Of the open state; and by the first position of an orbit, whether its positions are among them.
    open: Vec<u32>,
    is_open: Vec<bool>,
    /// First positions of orbits.
    orbits: Vec<u32>,
    image: Vec<u64>,
}

impl Listing {
    pub fn of(chain: &Chain) -> Option<Listing> {
        let order = u32::try_from(chain.order()).ok().filter(|&order| order <= MAX_ELEMENTS)?;
        if chain.levels().is_empty() || order as usize * chain.moved() > MAX_NUMBERS {
            return None;
        }
        let positions = 0..chain.moved();
        let mut listing = Listing { elements: Vec::new(), first: Vec::new(), orbits: Vec::new() };
        listing.go_through(chain, 0, &mut Product::new(chain.moved()));
        let smallest = |x: usize| listing.elements.iter().map(|images| images[x]).min().unwrap_or(x as u32);
        listing.first = positions.clone().map(smallest).collect();
        listing.orbits = vec![Vec::new(); chain.moved()];
        for x in positions {
            listing.orbits[listing.first[x] as usize].push(x as u32);
        }
        listing.elements.retain(|images| images.iter().enumerate().any(|(x, &y)| x as u32 != y));
        Some(listing)
    }

    fn go_through(&mut self, chain: &Chain, k: usize, product: &mut Product) {
        let Some(level) = chain.levels().get(k) else {
            self.elements.push(product.images().into());
            return;
        };
        for member in 0..level.orbit.len() {
            product.push(level.element(member));
            self.go_through(chain, k + 1, product);
            product.pop();
        }
    }

    fn find_live(&self, values: &[u64], workspace: &mut Workspace) {
        let Workspace { live, orbits, .. } = workspace;
        orbits.clear();
        for (&first, &value) in self.first.iter().zip(values) {
            if value != values[first as usize] {
                orbits.push(first);
            }
        }
        orbits.sort_unstable();
        orbits.dedup();
        live.clear();
        orbits.iter().for_each(|&first| live.extend_from_slice(&self.orbits[first as usize]));
        live.sort_unstable();
    }

    /// Begins with the state whose successors come next, and finds its stabiliser.
    pub fn open(&self, values: &[u64], workspace: &mut Workspace, stabiliser: &mut Stabiliser) {
        self.stabiliser(values, workspace, stabiliser);
        let Workspace { live, open, is_open, orbits, .. } = workspace;
        is_open.resize(self.first.len(), false);
        open.iter().for_each(|&x| is_open[self.first[x as usize] as usize] = false);
        orbits.iter().for_each(|&first| is_open[first as usize] = true);
        std::mem::swap(live, open);
    }

    /// As `find_live`, of a state that differs from the open one in the slots `changed` alone: only their orbits are looked at.
    fn find_live_step(&self, values: &[u64], changed: &[u32], workspace: &mut Workspace) {
        let Workspace { live, open, is_open, orbits, .. } = workspace;
        orbits.clear();
        for &first in changed.iter().filter_map(|&slot| self.first.get(slot as usize)) {
            let value = values[first as usize];
            let differs = |&x: &u32| values[x as usize] != value;
            if !is_open[first as usize]
                && !orbits.contains(&first)
                && self.orbits[first as usize].iter().any(differs)
            {
                orbits.push(first);
            }
        }
        live.clear();
        let mut rest = open.as_slice();
        if let [first] = orbits[..] {
            for &x in &self.orbits[first as usize] {
                let (before, behind) = rest.split_at(rest.partition_point(|&other| other < x));
                live.extend_from_slice(before);
                live.push(x);
                rest = behind;
            }
            live.extend_from_slice(rest);
            return;
        }
        live.extend_from_slice(rest);
        if !orbits.is_empty() {
            orbits.iter().for_each(|&first| live.extend_from_slice(&self.orbits[first as usize]));
            live.sort_unstable();
        }
    }

    /// Replaces the values by their smallest image, the one that `Search::whole_group` finds. Appends the slots that change.
    pub fn minimise(&self, values: &mut [u64], changed: &mut Vec<Range<usize>>, workspace: &mut Workspace) {
        self.find_live(values, workspace);
        self.take_smallest(values, changed, workspace);
    }

    /// The same, of a state that differs from the open one in the slots `step` alone.
    pub fn minimise_step(
        &self,
        values: &mut [u64],
        step: &[u32],
        changed: &mut Vec<Range<usize>>,
        workspace: &mut Workspace,
    ) {
        self.find_live_step(values, step, workspace);
        self.take_smallest(values, changed, workspace);
    }

    fn take_smallest(&self, values: &mut [u64], changed: &mut Vec<Range<usize>>, workspace: &mut Workspace) {
        let Workspace { live, image, .. } = workspace;
        let mut best: Option<&[u32]> = None;
        for images in &self.elements {
            let smaller = live.iter().find_map(|&x| {
                let least = best.map_or(x, |best| best[x as usize]);
                match values[images[x as usize] as usize].cmp(&values[least as usize]) {
                    Ordering::Equal => None,
                    order => Some(order == Ordering::Less),
                }
            });
            if smaller == Some(true) {
                best = Some(images);
            }
        }
        let Some(best) = best else { return };
        image.clear();
        image.extend(live.iter().map(|&x| values[best[x as usize] as usize]));
        for (&x, &mut value) in live.iter().zip(image) {
            if values[x as usize] != value {
                values[x as usize] = value;
                add_slot(changed, x as usize);
            }
        }
    }

    pub fn stabiliser(&self, values: &[u64], workspace: &mut Workspace, stabiliser: &mut Stabiliser) {
        self.find_live(values, workspace);
        stabiliser.clear();
        let mut order = 1;
        for images in &self.elements {
            let stays = |&x: &u32| values[images[x as usize] as usize] == values[x as usize];
            if workspace.live.iter().all(stays) {
                stabiliser.keep(images);
                order += 1;
            }
        }
        stabiliser.multiply(order);
    }

    pub fn count(&self) -> u64 {
        self.elements.len() as u64 + 1
    }
}
