//! A search that was cut off, in a file: the states found and those that wait.
//!
//! In: a model, its visited set and a frontier, while no thread explores. Out: a file of two sections, and from it, in another
//! process, the same three in a layout of their own. A state that was begun and not finished has to be back in the frontier, as
//! a search puts it there when it stops. Counts are not in the file.

use std::io::{self, Read, Seek, SeekFrom, Write};

use super::frontier::Frontier;
use crate::canon::{Cancel, Canonicaliser};
use crate::model::{Model, PackedModel};
use crate::saved::LoadError;
use crate::visited::{Invariant, Origin, Renumbering, SavedStates, Sharded, Visited};

/// What a search goes on with.
pub struct Checkpoint<M> {
    /// The model in the layout of the visited set.
    pub model: M,
    pub visited: Sharded,
    pub frontier: Frontier,
}

/// Writes a checkpoint. For a search that no thread works on.
pub fn save<M: Model>(
    model: &M,
    visited: &impl Visited,
    frontier: &Frontier,
    origin: Origin<'_>,
    to: &mut impl Write,
) -> io::Result<()> {
    visited.save(model.schema(), origin, to)?;
    frontier.save(to)
}

/// Reads a checkpoint, for so many threads. The model is as it was prepared: slots are widened as the file asks for. Values are
/// decoded by recursion, so call it where the stack is deep.
pub fn load<M: PackedModel + Clone, C: Canonicaliser>(
    model: &M,
    canonicaliser: &C,
    origin: Origin<'_>,
    threads: usize,
    from: &mut (impl Read + Seek),
) -> Result<Checkpoint<M>, LoadError> {
    let start = from.stream_position()?;
    let saved = SavedStates::open(&mut *from, origin)?;
    if saved.widths().len() != model.schema().slots().len() {
        return Err(LoadError::OtherModel("its states have another number of slots"));
    }
    let mut model = model.widened_to(&saved.widths());
    let mut loaded = load_states(&model, canonicaliser, threads, saved);
    // Interned values may have larger numbers here than where they were saved; now that they were read, they keep them.
    if let Err(LoadError::Narrow(widths)) = loaded {
        model = model.widened_to(&widths);
        from.seek(SeekFrom::Start(start))?;
        loaded = load_states(&model, canonicaliser, threads, SavedStates::open(&mut *from, origin)?);
    }
    let (visited, renumbering) = loaded?;
    let frontier = Frontier::load(&mut *from, &renumbering)?;
    if from.read(&mut [0])? > 0 {
        return Err(LoadError::Damaged("something follows its end"));
    }
    Ok(Checkpoint { model, visited, frontier })
}

fn load_states<M: Model, C: Canonicaliser>(
    model: &M,
    canonicaliser: &C,
    threads: usize,
    saved: SavedStates<'_, impl Read>,
) -> Result<(Sharded, Renumbering), LoadError> {
    let mut scratch = canonicaliser.scratch(&Cancel::default());
    let mut invariant = |values: &[u64]| canonicaliser.invariant(values, &mut scratch);
    let invariant: Option<Invariant<'_>> = if canonicaliser.compares() { Some(&mut invariant) } else { None };
    Sharded::load(saved, model.schema(), threads, invariant)
}
