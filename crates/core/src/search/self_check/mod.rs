//! The self-check: is what the reduction relies on true of the states at hand? (`law`)
//!
//! Certification proves it of the model's text; this looks at what the engine computes. In `Full` every explored state is
//! checked under every generator. In `Sample` states are checked while that takes a small share of the elapsed time: a state
//! that is not checked costs one subtraction. One pair of a state and a generator is checked at a time, because a single one may
//! take long; the state is kept until all of its pairs are done.

mod law;

use std::sync::atomic::{AtomicU64, Ordering, fence};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use law::Law;
pub use law::{Contradiction, Difference, Effect};

use super::shared::Shared;
use super::{Settings, Stopped};
use crate::canon::Canonicaliser;
use crate::model::Model;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelfCheck {
    Off,
    Sample,
    Full,
}

/// Under how many generators a state is checked.
pub(super) fn generators<C: Canonicaliser>(mode: SelfCheck, canonicaliser: &C) -> usize {
    match mode {
        _ if !canonicaliser.reduces() => 0,
        SelfCheck::Off => 0,
        SelfCheck::Sample => canonicaliser.generators().min(MAX_SAMPLED_GENERATORS),
        SelfCheck::Full => canonicaliser.generators(),
    }
}

/// The part of the elapsed time that a sample may take; what it does to caches comes on top.
const SHARE: f64 = 0.01;
/// So much time is always granted: short runs are checked too.
const FREE: Duration = Duration::from_micros(300);
/// The first state gets more.
const FREE_FOR_FIRST: Duration = Duration::from_millis(5);
/// A sampled state is checked under so many generators; the next one goes on with those that follow.
pub const MAX_SAMPLED_GENERATORS: usize = 4;
/// Values of successors that a sampled check goes through at most, for each of two states: that takes some ten milliseconds.
const MAX_SAMPLED_VALUES: usize = 1 << 23;
/// Unchecked states between two looks at the clock.
const MIN_GAP: u64 = 16;
const MAX_GAP: u64 = 1 << 20;

/// What all workers spend and find.
pub(crate) struct Record {
    begun: Instant,
    nanoseconds: AtomicU64,
    states: AtomicU64,
    contradiction: Mutex<Option<Contradiction>>,
}

impl Record {
    pub fn new(begun: Instant) -> Record {
        Record {
            begun,
            nanoseconds: AtomicU64::new(0),
            states: AtomicU64::new(0),
            contradiction: Mutex::new(None),
        }
    }

    /// States checked under all generators that they were to be checked under.
    pub fn states(&self) -> u64 {
        self.states.load(Ordering::SeqCst)
    }

    pub fn into_contradiction(self) -> Option<Contradiction> {
        self.contradiction.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Time until another pair may be checked; zero where it may be now.
    fn wait(&self) -> Duration {
        let spent = Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed));
        let free = if self.states() == 0 { FREE_FOR_FIRST } else { FREE };
        spent.saturating_sub(free).div_f64(SHARE).saturating_sub(self.begun.elapsed())
    }

    fn spend(&self, time: Duration) {
        self.nanoseconds.fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
    }

    fn contradict(&self, found: Contradiction) {
        self.contradiction.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(found);
    }
}

/// One worker's part.
pub(super) struct Checker<'a, M: Model, C> {
    mode: SelfCheck,
    prunes: bool,
    model: &'a M,
    canonicaliser: &'a C,
    shared: &'a Shared,
    /// Made when the first state is checked.
    law: Option<Law<'a, M, C>>,
    /// States until the next look.
    countdown: u64,
    gap: u64,
    /// States passed since `begun`.
    passed: u64,
    begun: Instant,
    /// The state that is being checked, under so many more generators.
    subject: Vec<u64>,
    remaining: usize,
    next_generator: usize,
}

impl<'a, M: Model, C: Canonicaliser> Checker<'a, M, C> {
    pub fn new(
        settings: &Settings,
        model: &'a M,
        canonicaliser: &'a C,
        shared: &'a Shared,
        reduces: bool,
    ) -> Self {
        let mode = if reduces { settings.self_check } else { SelfCheck::Off };
        Checker {
            mode,
            prunes: settings.prune,
            model,
            canonicaliser,
            shared,
            law: None,
            countdown: if mode == SelfCheck::Off { u64::MAX } else { 1 },
            gap: 1,
            passed: 0,
            begun: Instant::now(),
            subject: Vec::new(),
            remaining: 0,
            next_generator: 0,
        }
    }

    /// Called once for each explored state.
    #[inline(always)]
    pub fn is_due(&mut self) -> bool {
        self.countdown -= 1;
        self.countdown == 0
    }

    /// Checks this state, which has so many labels, or goes on with an earlier one, as far as time allows.
    pub fn run(&mut self, state: &[u64], labels: usize) {
        self.passed += self.gap;
        if self.remaining == 0 {
            if self.mode == SelfCheck::Sample && labels.saturating_mul(state.len()) > MAX_SAMPLED_VALUES {
                // A single wide state could take longer than all the rest of the run.
                self.countdown = self.gap;
                return;
            }
            self.subject.clear();
            self.subject.extend_from_slice(state);
            self.remaining = generators(self.mode, self.canonicaliser);
        }
        let mut wait = self.wait();
        while self.remaining > 0 && wait.is_zero() && !self.shared.cancel.is_cancelled() {
            self.check_pair();
            wait = self.wait();
        }
        self.gap = self.next_gap(wait);
        self.countdown = self.gap;
    }

    fn wait(&self) -> Duration {
        if self.mode == SelfCheck::Full { Duration::ZERO } else { self.shared.self_check.wait() }
    }

    /// About as many states as this worker explores in that time.
    fn next_gap(&self, wait: Duration) -> u64 {
        if wait.is_zero() {
            return 1;
        }
        let estimate = wait.as_secs_f64() * self.passed as f64 / self.begun.elapsed().as_secs_f64();
        // The first estimates are poor: no gap is much longer than the one before.
        (estimate as u64).clamp(MIN_GAP, (8 * self.gap).clamp(MIN_GAP, MAX_GAP))
    }

    fn check_pair(&mut self) {
        let begun = Instant::now();
        let generator = self.next_generator;
        self.next_generator = (generator + 1) % self.canonicaliser.generators();
        let law = self.law.get_or_insert_with(|| Law::new(self.model, self.canonicaliser, self.prunes));
        let found = law.check(generator, &self.subject);
        self.shared.self_check.spend(begun.elapsed());
        // Answers that were cut short mean nothing. The flag was set before they were cut short.
        fence(Ordering::Acquire);
        if self.shared.cancel.is_cancelled() || self.model.has_given_up() {
            return;
        }
        match found {
            // Values too large for any slot end the run where the search itself finds them.
            Err(_) => self.remaining = 0,
            Ok(None) => {
                self.remaining -= 1;
                if self.remaining == 0 {
                    self.shared.self_check.states.fetch_add(1, Ordering::Relaxed);
                }
            }
            Ok(Some(contradiction)) => {
                self.remaining = 0;
                self.shared.self_check.contradict(contradiction);
                self.shared.stop(Stopped::Contradiction);
            }
        }
    }
}
