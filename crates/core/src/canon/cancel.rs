//! When to give up: one state can keep a search busy for longer than the user's limits allow (Junttila 2003, 4.3: the
//! tree may be exponential), so the long loops look now and then whether somebody wants them to end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Steps between two looks; a step costs at least some hundred instructions.
const INTERVAL: u32 = 256;

/// Shared by those who search and those who watch the clock. Once it is over, what a search returns means nothing.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    over: Arc<AtomicBool>,
    steps: u32,
}

impl Cancel {
    pub fn cancel(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// The same, for inner loops: looks only once in a while.
    #[inline(always)]
    pub fn poll(&mut self) -> bool {
        self.steps = self.steps.wrapping_add(1);
        self.steps.is_multiple_of(INTERVAL) && self.is_cancelled()
    }
}
