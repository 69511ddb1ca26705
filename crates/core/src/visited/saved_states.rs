//! A visited set in a file: its head, and the form of its states.
//!
//! The section `States` holds, in checked blocks: a fingerprint of the model, whether states are packed words or encoded, whether
//! hashes are kept, the widths of the slots, the number of shards and of states; then for each shard the number of its states,
//! and for each state its link, its hash where hashes are kept and portable, and the state. Links name states by the numbers
//! they had; whoever loads the set gets the renumbering.

use std::io::{self, Read, Write};

use super::{Link, StateId};
use crate::saved::numbers::{from_zigzag, zigzag};
use crate::saved::{BlockReader, BlockWriter, LoadError, Section};
use crate::schema::Schema;

/// More shards than any run has come to; a file that names more is damaged.
const MAX_SHARD_BITS: u64 = 12;

/// Values of a state in bytes that mean the same in every process.
pub trait Codec {
    fn encode_state(&self, values: &[u64], bytes: &mut Vec<u8>);

    /// The values of a state that was encoded; None if the bytes are not a state.
    fn decode_state(&self, bytes: &[u8]) -> Option<Vec<u64>>;
}

/// How a file holds states.
#[derive(Clone, Copy)]
pub enum StateForm<'a> {
    /// As they are stored: for kinds whose packed words mean the same in every process. Nothing is computed for a state.
    Packed,
    /// By an encoder: for kinds whose words hold numbers that were given in the course of a run.
    Encoded(&'a dyn Codec),
}

impl StateForm<'_> {
    pub(super) fn is_packed(self) -> bool {
        matches!(self, StateForm::Packed)
    }
}

/// Of what saved states are, and how they are written. Who loads them has to say the same as who saved them.
#[derive(Clone, Copy)]
pub struct Origin<'a> {
    pub form: StateForm<'a>,
    /// A hash of the model, the group and the method, by the caller: states mean nothing for others.
    pub fingerprint: u64,
}

/// The hash of values by which a state is found where states are compared, not looked up by their words.
pub type Invariant<'a> = &'a mut (dyn FnMut(&[u64]) -> u64 + 'a);

/// What the head of the section says.
pub(super) struct Head {
    pub fingerprint: u64,
    pub is_packed: bool,
    pub keeps_hashes: bool,
    pub schema: Schema,
    pub shard_bits: u32,
    pub states: u64,
}

impl Head {
    pub fn write<W: Write>(&self, to: &mut BlockWriter<'_, W>) -> io::Result<()> {
        to.word(self.fingerprint)?;
        to.number(u64::from(self.is_packed))?;
        to.number(u64::from(self.keeps_hashes))?;
        to.number(self.schema.slots().len() as u64)?;
        self.schema.slots().iter().try_for_each(|slot| to.number(u64::from(slot.bits)))?;
        to.number(u64::from(self.shard_bits))?;
        to.number(self.states)
    }

    fn read<R: Read>(from: &mut BlockReader<R>) -> Result<Head, LoadError> {
        let fingerprint = from.word()?;
        let is_packed = flag(from)?;
        let keeps_hashes = flag(from)?;
        let slots = from.number()?;
        // The list grows with what is read, whatever its length is said to be.
        let mut widths = Vec::new();
        for _ in 0..slots {
            let bits = from.number()?;
            widths.push(u8::try_from(bits).ok().filter(|bits| (1..=64).contains(bits)).ok_or(WIDTH)?);
        }
        let shard_bits = from.number()?;
        if shard_bits > MAX_SHARD_BITS {
            return Err(LoadError::Damaged("too many shards"));
        }
        let schema = Schema::new(&widths);
        let states = from.number()?;
        Ok(Head { fingerprint, is_packed, keeps_hashes, schema, shard_bits: shard_bits as u32, states })
    }
}

const WIDTH: LoadError = LoadError::Damaged("not the width of a slot");

fn flag<R: Read>(from: &mut BlockReader<R>) -> Result<bool, LoadError> {
    match from.number()? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(LoadError::Damaged("neither yes nor no")),
    }
}

/// A file of states whose head was read.
pub struct SavedStates<'a, R: Read> {
    pub(super) form: StateForm<'a>,
    pub(super) head: Head,
    pub(super) blocks: BlockReader<R>,
}

impl<'a, R: Read> SavedStates<'a, R> {
    pub fn open(from: R, origin: Origin<'a>) -> Result<Self, LoadError> {
        let mut blocks = BlockReader::new(Section::States, from)?;
        let head = Head::read(&mut blocks)?;
        if head.fingerprint != origin.fingerprint {
            return Err(LoadError::OtherModel("its fingerprint differs"));
        }
        if head.is_packed != origin.form.is_packed() {
            return Err(LoadError::OtherModel("its states have another form"));
        }
        Ok(SavedStates { form: origin.form, head, blocks })
    }

    /// Bits by slot in the layout that was saved: a schema at least as wide has room for packed states.
    pub fn widths(&self) -> Vec<u8> {
        self.head.schema.widths()
    }
}

/// 0 for an initial state; else one more than the difference to the link before, doubled, plus 1 for a shadow. Numbers of
/// states have far less than 63 bits, and breadth first the differences take one byte.
pub(super) fn link_code(link: Link, before: &mut u64) -> u64 {
    let (number, is_shadow) = match link {
        Link::Initial => return 0,
        Link::From(StateId(number)) => (number, 0),
        Link::Shadow(StateId(number)) => (number, 1),
    };
    let difference = number.wrapping_sub(std::mem::replace(before, number));
    1 + (zigzag(difference as i64) << 1 | is_shadow)
}

pub(super) fn link_of_code(code: u64, before: &mut u64) -> Link {
    let Some(code) = code.checked_sub(1) else { return Link::Initial };
    *before = before.wrapping_add(from_zigzag(code >> 1) as u64);
    if code & 1 == 1 { Link::Shadow(StateId(*before)) } else { Link::From(StateId(*before)) }
}
