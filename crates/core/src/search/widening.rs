//! Which slots become wider where a value does not fit: one, or all that are narrower.

use crate::model::PackedModel;
use crate::schema::Overflow;

/// Each state may be laid out anew so often, on average, before narrow slots are widened all at once.
const RELAY_FACTOR: u64 = 3;
const RELAY_FREE: u64 = 20_000;

#[derive(Default)]
pub(crate) struct Widening {
    /// States laid out anew so far.
    relaid: u64,
}

impl Widening {
    /// To be called whenever so many states are laid out anew.
    pub fn count(&mut self, states: u64) {
        self.relaid += states;
    }

    /// Slots grow one by one while that costs no more than exploring does; then all that are narrower grow at once.
    pub fn widened<M: PackedModel>(&self, model: &M, overflow: Overflow, states: u64) -> M {
        if self.relaid <= RELAY_FACTOR * states.max(RELAY_FREE) {
            return model.widened(std::slice::from_ref(&overflow.slot), overflow.bits);
        }
        let all: Vec<u32> = (0..model.schema().slots().len() as u32).collect();
        model.widened(&all, overflow.bits)
    }
}
