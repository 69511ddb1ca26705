//! The visited set in another layout: wider slots, or more shards. States get new numbers; the renumbering says which.

use std::sync::PoisonError;

use super::shard::Shard;
use super::{SHARD_BITS, Sharded};
use crate::schema::Schema;
use crate::visited::links::{CHUNK, Links};
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
        let mut wider = Sharded::of_shards(new, self.keep_hashes, self.shard_bits + more);
        let mut values = vec![0; old.slots().len()];
        let mut packed = vec![0; new.words()];
        let mut narrow = vec![0; self.size.words];
        let mut renumbering = Renumbering::new(self.shard_bits);
        for shard in &shards {
            renumbering.add_shard();
            for local in 0..shard.len as u32 {
                shard.read(local, self.size, &mut narrow);
                old.unpack(&narrow, &mut values);
                // Wider slots hold what narrower ones held.
                let fits = new.pack(&values, &mut packed).is_ok();
                debug_assert!(fits);
                let link = shard.link(local);
                let inserted = if self.keep_hashes {
                    wider.insert_class(shard.hashes[local as usize], &packed, link, &mut |_| false)
                } else {
                    wider.insert(&packed, link)
                };
                let (Inserted::Fresh(id) | Inserted::Known(id)) = inserted else {
                    unreachable!("more shards have room for the states of fewer")
                };
                renumbering.push(id);
            }
        }
        let are_known = wider.renumber_links(&renumbering);
        debug_assert!(are_known);
        (wider, renumbering)
    }

    /// Replaces the numbers in all links; false where one is not known.
    pub(super) fn renumber_links(&mut self, renumbering: &Renumbering) -> bool {
        self.shards.iter_mut().all(|shard| {
            let shard = shard.get_mut().unwrap_or_else(PoisonError::into_inner);
            (0..shard.len as u32).all(|local| {
                let link = match shard.link(local) {
                    Link::Initial => Some(Link::Initial),
                    Link::From(id) => renumbering.get(id).map(Link::From),
                    Link::Shadow(id) => renumbering.get(id).map(Link::Shadow),
                };
                link.map(|link| shard.set_link(local as usize, link)).is_some()
            })
        })
    }
}

/// The new numbers of states, by the numbers they had.
pub struct Renumbering {
    /// Of the old layout.
    shard_bits: u32,
    /// By shard and position: the new number.
    new_of: Vec<(Links, usize)>,
}

impl Renumbering {
    /// Of no states yet: they are pushed shard by shard, by position.
    pub(super) fn new(shard_bits: u32) -> Renumbering {
        Renumbering { shard_bits, new_of: Vec::new() }
    }

    pub(super) fn add_shard(&mut self) {
        self.new_of.push((Links::default(), 0));
    }

    /// The new number of the next state of the last shard.
    pub(super) fn push(&mut self, id: StateId) {
        if let Some((numbers, len)) = self.new_of.last_mut() {
            if len.is_multiple_of(CHUNK) {
                numbers.grow();
            }
            numbers.set(*len, Some(id.0));
            *len += 1;
        }
    }

    /// The new number of a state; None where no state had this number.
    pub fn get(&self, id: StateId) -> Option<StateId> {
        let shard = id.0 & !(u64::MAX << self.shard_bits);
        let local = usize::try_from(id.0 >> self.shard_bits).ok()?;
        let (numbers, len) = self.new_of.get(shard as usize)?;
        if local < *len { numbers.get(local).map(StateId) } else { None }
    }

    /// The new number of a state that was stored.
    pub fn renumber(&self, id: StateId) -> StateId {
        self.get(id).expect("every stored state has a new number")
    }
}

#[cfg(test)]
mod tests {
    use super::super::{NEARLY_FULL, SHARD_LIMIT};
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

    #[test]
    fn a_full_shard_takes_no_more() {
        let schema = Schema::new(&[16]);
        let set = Sharded::new(&schema, false, 1);
        for number in 0..SHARD_LIMIT as u64 {
            assert!(matches!(set.insert(&[number], Link::Initial), Inserted::Fresh(_)));
        }
        assert_eq!(set.insert(&[SHARD_LIMIT as u64], Link::Initial), Inserted::Full);
        assert_eq!(set.insert(&[7], Link::Initial), Inserted::Known(StateId(7)));
    }
}
