//! How the successor at hand is stored: by its words, by comparing it with stored states, or with its whole orbit.

use std::collections::HashSet;

use super::{Quotient, Unfinished};
use crate::canon::{Buffers, Canonicaliser, Method};
use crate::model::PackedModel;
use crate::visited::{Inserted, Link, Visited};

impl<M: PackedModel, C: Canonicaliser> Quotient<'_, M, C> {
    /// Stores the successor at hand unless it, or what the method takes for the same, is stored.
    #[inline(always)]
    pub fn insert(&mut self, visited: &impl Visited, link: Link) -> Result<Inserted, Unfinished> {
        if self.reduces && self.canonicaliser.compares() {
            return Ok(self.insert_class(visited, link));
        }
        if self.reduces && self.canonicaliser.method() == Method::Flood {
            return self.flood(visited, link);
        }
        Ok(visited.insert(&self.successor, link))
    }

    /// A11: the states with the same invariant are compared one by one.
    fn insert_class(&mut self, visited: &impl Visited, link: Link) -> Inserted {
        let Quotient { canonicaliser, successor_values, other, scratch, successor, model, .. } = self;
        let hash = canonicaliser.invariant(successor_values, scratch);
        visited.insert_class(hash, successor, link, &mut |stored| {
            model.schema().unpack(stored, other);
            canonicaliser.equivalent(other, successor_values, scratch) || scratch.is_cancelled()
        })
    }

    /// Spermann 2009, 2.8: with a new state its whole orbit is stored. The orbit is complete before the first of it is stored:
    /// where an image does not fit its slots, nothing has happened yet.
    fn flood(&mut self, visited: &impl Visited, link: Link) -> Result<Inserted, Unfinished> {
        if let Some(known) = visited.find(&self.successor) {
            return Ok(Inserted::Known(known));
        }
        let mut orbit = vec![self.successor.clone()];
        let mut known: HashSet<Vec<u64>> = orbit.iter().cloned().collect();
        let mut open = vec![self.successor_values.clone()];
        let (mut image, mut packed) = (self.successor_values.clone(), self.successor.clone());
        let mut element = Vec::new();
        while let Some(values) = open.pop() {
            for generator in 0..self.canonicaliser.generators() {
                self.canonicaliser.generator(generator).write_images(&mut element);
                self.canonicaliser.moved_by(&element, &values, &mut image);
                self.model.schema().pack(&image, &mut packed)?;
                if !known.contains(&packed) {
                    known.insert(packed.clone());
                    orbit.push(packed.clone());
                    open.push(image.clone());
                }
            }
            self.check_cancelled()?;
        }
        Ok(visited.insert_orbit(&orbit, link))
    }
}
