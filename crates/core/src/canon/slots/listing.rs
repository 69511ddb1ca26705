//! Small groups, element by element. Images are compared without being made: the first slot that differs decides, which is
//! nearly always one of the first, however many slots a state has.

use std::cmp::Ordering;

use super::super::Stabiliser;
use crate::group::{Chain, Product};

/// Larger groups are searched, where a prefix decides for many elements at once.
const MAX_ELEMENTS: u32 = 128;
const MAX_NUMBERS: usize = 1 << 22;

pub struct Listing {
    /// Images of the positions under each element but the identity.
    elements: Vec<Box<[u32]>>,
}

impl Listing {
    pub fn of(chain: &Chain) -> Option<Listing> {
        let order = u32::try_from(chain.order()).ok().filter(|&order| order <= MAX_ELEMENTS)?;
        if chain.levels().is_empty() || order as usize * chain.moved() > MAX_NUMBERS {
            return None;
        }
        let mut listing = Listing { elements: Vec::new() };
        listing.go_through(chain, 0, &mut Product::new(chain.moved()));
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

    /// Replaces the values by their smallest image, the one `Search::whole_group` finds.
    pub fn minimise(&self, values: &mut [u64], buffer: &mut [u64]) {
        let mut best: Option<&[u32]> = None;
        for images in &self.elements {
            let smaller = images.iter().enumerate().find_map(|(x, &y)| {
                let least = best.map_or(x, |best| best[x] as usize);
                match values[y as usize].cmp(&values[least]) {
                    Ordering::Equal => None,
                    order => Some(order == Ordering::Less),
                }
            });
            if smaller == Some(true) {
                best = Some(images);
            }
        }
        if let Some(best) = best {
            for (value, &y) in buffer.iter_mut().zip(best) {
                *value = values[y as usize];
            }
            values.copy_from_slice(buffer);
        }
    }

    pub fn stabiliser(&self, values: &[u64], stabiliser: &mut Stabiliser) {
        stabiliser.clear();
        let mut order = 1;
        for images in &self.elements {
            if images.iter().zip(values).all(|(&y, &value)| values[y as usize] == value) {
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
