//! The visited set in another layout: wider slots, or more shards. States get new numbers; the renumbering says which.

use std::sync::PoisonError;

use super::shard::Shard;
use super::{SHARD_BITS, Sharded};
use crate::schema::Schema;
use crate::visited::{Inserted, Link, StateId, Visited};

impl Sharded {
    /// The same states and links under another schema, or in more shards where one was full. Hashes change with the schema and
    /// numbers name the shard of the hash, so states get new numbers.
    pub fn relaid(self, old: &Schema, new: &Schema) -> (Sharded, Renumbering) {
        let shards: Vec<Shard> = self
            .shards
            .into_iter()
            .map(|shard| shard.into_inner().unwrap_or_else(PoisonError::into_inner))
            .collect();
        let more = if self.nearly_full.into_inner() { SHARD_BITS } else { 0 };
        let wider = Sharded::of_shards(new, self.keep_hashes, self.shard_bits + more);
        let mut values = vec![0; old.slots().len()];
        let mut packed = vec![0; new.words()];
        let mut narrow = vec![0; self.size.words];
        let mut renumbering =
            Renumbering { shard_bits: self.shard_bits, new_of: Vec::with_capacity(shards.len()) };
        for shard in &shards {
            let mut new_of = Vec::with_capacity(shard.len);
            for local in 0..shard.len as u32 {
                shard.read(local, self.size, &mut narrow);
                old.unpack(&narrow, &mut values);
                // Wider slots hold what narrower ones held.
                let fits = new.pack(&values, &mut packed).is_ok();
                debug_assert!(fits);
                let inserted = if self.keep_hashes {
                    let hash = shard.hashes[local as usize];
                    wider.insert_class(hash, &packed, Link::Initial, &mut |_| false)
                } else {
                    wider.insert(&packed, Link::Initial)
                };
                let (Inserted::Fresh(id) | Inserted::Known(id)) = inserted else {
                    unreachable!("more shards have room for the states of fewer")
                };
                new_of.push(id.0);
            }
            renumbering.new_of.push(new_of);
        }
        for (number, shard) in shards.iter().enumerate() {
            for local in 0..shard.len as u32 {
                let link = match shard.link(local) {
                    Link::Initial => Link::Initial,
                    Link::From(id) => Link::From(renumbering.renumber(id)),
                    Link::Shadow(id) => Link::Shadow(renumbering.renumber(id)),
                };
                let old_id = StateId(u64::from(local) << self.shard_bits | number as u64);
                wider.set_link(renumbering.renumber(old_id), link);
            }
        }
        (wider, renumbering)
    }
}

/// Where the states went in a new layout.
pub struct Renumbering {
    shard_bits: u32,
    new_of: Vec<Vec<u64>>,
}

impl Renumbering {
    pub fn renumber(&self, id: StateId) -> StateId {
        let shard = id.0 & !(u64::MAX << self.shard_bits);
        StateId(self.new_of[shard as usize][(id.0 >> self.shard_bits) as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::super::NEARLY_FULL;
    use super::*;

    #[test]
    fn states_and_links_survive_a_new_layout() {
        let (narrow, wide) = (Schema::new(&[16, 2]), Schema::new(&[16, 40]));
        let set = Sharded::new(&narrow, false, 1);
        let packed = |schema: &Schema, number: u64| {
            let mut words = vec![0; schema.words()];
            schema.pack(&[number, number % 3], &mut words).expect("it fits");
            words
        };
        let mut before = Link::Initial;
        for number in 0..NEARLY_FULL as u64 + 100 {
            let inserted = set.insert(&packed(&narrow, number), before);
            assert_eq!(inserted, Inserted::Fresh(StateId(number)));
            before = Link::From(StateId(number));
        }
        assert!(set.is_nearly_full());
        let (set, renumbering) = set.relaid(&narrow, &wide);
        assert!(!set.is_nearly_full() && set.shards.len() == 1 << SHARD_BITS);
        let mut words = vec![0; wide.words()];
        for number in 0..NEARLY_FULL as u64 + 100 {
            let id = renumbering.renumber(StateId(number));
            assert_eq!(set.find(&packed(&wide, number)), Some(id));
            let before = number.checked_sub(1).map(|before| renumbering.renumber(StateId(before)));
            assert_eq!(set.read(id, &mut words), before.map_or(Link::Initial, Link::From));
            assert_eq!(words, packed(&wide, number));
        }
    }
}
