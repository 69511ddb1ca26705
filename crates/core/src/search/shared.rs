//! What the threads of a run share: the frontier, the counts that limits are about, and why it is to stop.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::frontier::Frontier;
use super::price::{Price, Why};
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
    /// Set with it, and where the workers of a round are to leave in the midst of a state.
    round: Mutex<Cancel>,
    pub price: Price,
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
    /// From now on nothing is reduced.
    GiveUpReducing {
        restarts: bool,
        why: Why,
    },
}

const RUNNING: u8 = u8::MAX;

impl Shared {
    pub fn new(order: Order, begun: Instant, price: Price) -> Shared {
        let cancel = Cancel::current().child();
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
            round: Mutex::new(cancel.child()),
            cancel,
            price,
            self_check: self_check::Record::new(begun),
        }
    }

    pub fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn stop(&self, why: Stopped) {
        let _ = self.stop.compare_exchange(RUNNING, why as u8, Ordering::SeqCst, Ordering::SeqCst);
        if matches!(why, Stopped::MaxSeconds | Stopped::MaxMemory | Stopped::Interrupted | Stopped::Price) {
            self.cancel.cancel();
        }
        self.wake.notify_all();
    }

    /// The token of the workers of this round.
    pub fn round(&self) -> Cancel {
        self.round.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Ends the round, for the next to begin without reducing.
    pub fn give_up_reducing(&self, restarts: bool, why: Why) {
        let mut queue = self.queue();
        // What else ends the round comes again if it is still needed.
        queue.relayout = Some(Relayout::GiveUpReducing { restarts, why });
        self.round().cancel();
        drop(queue);
        self.wake.notify_all();
    }

    pub fn open_round(&self) {
        *self.round.lock().unwrap_or_else(PoisonError::into_inner) = self.cancel.child();
    }

    pub fn stopped(&self) -> Option<Stopped> {
        Stopped::ALL.get(self.stop.load(Ordering::Relaxed) as usize).copied()
    }
}
