//! Cancellation: one state can keep a search busy for longer than the user's limits allow (Junttila 2003, 4.3: the
//! tree may be exponential), so long loops poll a flag.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Steps between two polls; a step costs at least some hundred instructions.
const INTERVAL: u32 = 256;

/// Shared by searching threads and the thread that watches limits. Once it is set, the result of a search means nothing.
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

    /// The same, for inner loops: reads the flag only once in a while.
    #[inline(always)]
    pub fn poll(&mut self) -> bool {
        self.steps = self.steps.wrapping_add(1);
        self.steps.is_multiple_of(INTERVAL) && self.is_cancelled()
    }
}
