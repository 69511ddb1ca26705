//! The visited set written to a file and read back, state by state.

use std::io::{self, Read, Write};

use super::relayout::Renumbering;
use super::{SHARD_BITS, Sharded};
use crate::saved::{BlockReader, BlockWriter, LoadError, Section};
use crate::schema::{Schema, bits_for};
use crate::visited::saved_states::{
    Head, Invariant, Origin, SavedStates, StateForm, link_code, link_of_code,
};
use crate::visited::{Inserted, StateId, Visited};

impl Sharded {
    pub(super) fn save_to<W: Write>(
        &self,
        schema: &Schema,
        origin: Origin<'_>,
        to: &mut W,
    ) -> io::Result<()> {
        let head = Head {
            fingerprint: origin.fingerprint,
            is_packed: origin.form.is_packed(),
            keeps_hashes: self.keep_hashes,
            schema: schema.clone(),
            shard_bits: self.shard_bits,
            states: (0..self.shards.len()).map(|number| self.shard(number).len as u64).sum(),
        };
        let mut blocks = BlockWriter::new(Section::States, to)?;
        head.write(&mut blocks)?;
        let mut words = vec![0; self.size.words];
        let mut values = vec![0; schema.slots().len()];
        let mut bytes = Vec::new();
        for number in 0..self.shards.len() {
            let shard = self.shard(number);
            blocks.number(shard.len as u64)?;
            let mut before = 0;
            for local in 0..shard.len as u32 {
                blocks.number(link_code(shard.link(local), &mut before))?;
                match origin.form {
                    StateForm::Packed => {
                        if self.keep_hashes {
                            blocks.word(shard.hashes[local as usize])?;
                        }
                        blocks.bytes(shard.state(local, self.size))?;
                    }
                    // Hashes are those of the values as this run has numbered them.
                    StateForm::Encoded(codec) => {
                        shard.read(local, self.size, &mut words);
                        schema.unpack(&words, &mut values);
                        bytes.clear();
                        codec.encode_state(&values, &mut bytes);
                        blocks.number(bytes.len() as u64)?;
                        blocks.bytes(&bytes)?;
                    }
                }
            }
        }
        blocks.finish()
    }

    pub(super) fn load_from<R: Read>(
        saved: SavedStates<'_, R>,
        schema: &Schema,
        threads: usize,
        invariant: Option<Invariant<'_>>,
    ) -> Result<(Sharded, Renumbering), LoadError> {
        let SavedStates { form, head, mut blocks } = saved;
        if head.keeps_hashes != invariant.is_some() {
            return Err(LoadError::OtherModel("it belongs to another method"));
        }
        if head.schema.slots().len() != schema.slots().len() {
            return Err(LoadError::OtherModel("its states have another number of slots"));
        }
        let shard_bits = head.shard_bits.max(if threads > 1 { SHARD_BITS } else { 0 });
        let mut set = Sharded::of_shards(schema, head.keeps_hashes, shard_bits);
        let mut renumbering = Renumbering::new(head.shard_bits);
        let mut states = StateReader::new(form, &head, schema, invariant);
        let mut count = 0u64;
        for _ in 0..1u64 << head.shard_bits {
            renumbering.add_shard();
            let mut before = 0;
            for _ in 0..blocks.number()? {
                let link = link_of_code(blocks.number()?, &mut before);
                count += 1;
                let Some(Loaded { state, hash }) = states.next(&mut blocks)? else { continue };
                let inserted = match hash {
                    Some(hash) => set.insert_class(hash, state, link, &mut |stored| stored == state),
                    None => set.insert(state, link),
                };
                renumbering.push(fresh(inserted)?);
            }
        }
        blocks.finish()?;
        if count != head.states {
            return Err(LoadError::Damaged("the number of states differs"));
        }
        if let Some(widths) = states.needed {
            return Err(LoadError::Narrow(widths));
        }
        if !set.renumber_links(&renumbering) {
            return Err(LoadError::Damaged("a link leads nowhere"));
        }
        Ok((set, renumbering))
    }
}

fn fresh(inserted: Inserted) -> Result<StateId, LoadError> {
    match inserted {
        Inserted::Fresh(id) => Ok(id),
        Inserted::Known(_) => Err(LoadError::Damaged("a state occurs twice")),
        Inserted::Full => Err(LoadError::TooLarge),
    }
}

/// A packed state, and its hash where hashes are kept.
struct Loaded<'s> {
    state: &'s [u64],
    hash: Option<u64>,
}

/// Reads states one after the other into the layout they are loaded into.
struct StateReader<'a, 'i> {
    form: StateForm<'a>,
    head: &'a Head,
    schema: &'a Schema,
    /// The hash of a state where hashes are kept.
    invariant: Option<Invariant<'i>>,
    /// Are packed states laid out as they were?
    is_same_layout: bool,
    saved: Vec<u64>,
    values: Vec<u64>,
    packed: Vec<u64>,
    bytes: Vec<u8>,
    /// From the first value on that did not fit: the widths that are needed, as far as the file was read. Encoded values get
    /// their numbers as they are read, so the file is read to its end to know the widths of all slots at once.
    needed: Option<Vec<u8>>,
}

impl<'a, 'i> StateReader<'a, 'i> {
    fn new(
        form: StateForm<'a>,
        head: &'a Head,
        schema: &'a Schema,
        invariant: Option<Invariant<'i>>,
    ) -> Self {
        StateReader {
            form,
            head,
            schema,
            invariant,
            is_same_layout: head.schema == *schema,
            saved: vec![0; head.schema.words()],
            values: vec![0; schema.slots().len()],
            packed: vec![0; schema.words()],
            bytes: Vec::new(),
            needed: None,
        }
    }

    /// The next state; None if a value did not fit, of this one or of one before.
    fn next<R: Read>(&mut self, blocks: &mut BlockReader<R>) -> Result<Option<Loaded<'_>>, LoadError> {
        let hash = match self.form {
            StateForm::Packed => {
                let hash = if self.invariant.is_some() { Some(blocks.word()?) } else { None };
                let bytes = bytemuck::cast_slice_mut(&mut self.saved);
                blocks.bytes(&mut bytes[..self.head.schema.bytes()])?;
                if self.is_same_layout {
                    return Ok(Some(Loaded { state: &self.saved, hash }));
                }
                self.head.schema.unpack(&self.saved, &mut self.values);
                hash
            }
            StateForm::Encoded(codec) => {
                self.bytes.clear();
                let length = blocks.number()?;
                blocks.append(length, &mut self.bytes)?;
                let decoded = codec.decode_state(&self.bytes);
                self.values = decoded
                    .filter(|values| values.len() == self.schema.slots().len())
                    .ok_or(LoadError::Damaged("not a state of the model"))?;
                self.invariant.as_mut().map(|invariant| invariant(&self.values))
            }
        };
        if self.needed.is_none() && self.schema.pack(&self.values, &mut self.packed).is_ok() {
            return Ok(Some(Loaded { state: &self.packed, hash }));
        }
        let needed = self.needed.get_or_insert_with(|| self.schema.widths());
        for (bits, &value) in needed.iter_mut().zip(&self.values) {
            *bits = (*bits).max(bits_for(value) as u8);
        }
        Ok(None)
    }
}
