//! What the threads of a run share: the frontier, the counts that limits are about, and why it is to stop.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::frontier::Frontier;
use super::{Order, Stopped, self_check};
use crate::canon::Cancel;
use crate::model::Label;
use crate::schema::Overflow;
use crate::visited::StateId;

/// A violation as workers record it.
#[derive(Clone, Copy)]
pub(crate) struct Found {
    pub property: usize,
    pub state: Option<StateId>,
    pub failing: Option<Label>,
}

/// What workers share.
pub(crate) struct Shared {
    pub queue: Mutex<Queue>,
    pub wake: Condvar,
    /// Set once: the reason to stop, or RUNNING.
    stop: AtomicU8,
    /// Have all initial states been entered?
    pub started: AtomicBool,
    /// Is the leading thread done?
    pub done: AtomicBool,
    pub states: AtomicU64,
    pub transitions: AtomicU64,
    /// Does some state violate a property?
    pub violated: AtomicBool,
    /// Set for a reason to stop that cannot wait until the state at hand is finished.
    pub cancel: Cancel,
    pub self_check: self_check::Record,
}

pub(crate) struct Queue {
    pub frontier: Frontier,
    pub exploring: usize,
    /// Why all workers have to leave: the layout changes, then they go on.
    pub relayout: Option<Relayout>,
    pub violations: Vec<Found>,
}

pub(crate) enum Relayout {
    Widen(Overflow),
    MoreShards,
}

const RUNNING: u8 = u8::MAX;

impl Shared {
    pub fn new(order: Order, begun: Instant) -> Shared {
        Shared {
            queue: Mutex::new(Queue {
                frontier: Frontier::new(order),
                exploring: 0,
                relayout: None,
                violations: Vec::new(),
            }),
            wake: Condvar::new(),
            stop: AtomicU8::new(RUNNING),
            started: AtomicBool::new(false),
            done: AtomicBool::new(false),
            states: AtomicU64::new(0),
            transitions: AtomicU64::new(0),
            violated: AtomicBool::new(false),
            cancel: Cancel::default(),
            self_check: self_check::Record::new(begun),
        }
    }

    pub fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn stop(&self, why: Stopped) {
        let _ = self.stop.compare_exchange(RUNNING, why as u8, Ordering::SeqCst, Ordering::SeqCst);
        if matches!(why, Stopped::MaxSeconds | Stopped::MaxMemory | Stopped::Interrupted) {
            self.cancel.cancel();
        }
        self.wake.notify_all();
    }

    pub fn stopped(&self) -> Option<Stopped> {
        Stopped::ALL.get(self.stop.load(Ordering::Relaxed) as usize).copied()
    }
}
