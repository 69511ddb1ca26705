//! The limits of a run, and Ctrl-C: looked at every few steps of every loop that may take long.

use std::time::{Duration, Instant};

use crate::search::{Progress, Stopped};

const INTERVAL: Duration = Duration::from_millis(50);
/// Steps between two looks at the time.
const STEPS: u32 = 256;

/// Where a run ends early.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Omega-markings (forward) or markings of the basis (backward) that are kept.
    pub max_states: Option<u64>,
    pub max_seconds: Option<f64>,
    pub max_memory: Option<u64>,
}

pub struct Clock<'w> {
    begun: Instant,
    looked: Instant,
    steps: u32,
    limits: Limits,
    watch: &'w mut dyn FnMut(&Progress) -> bool,
    stopped: Option<Stopped>,
    /// What the run looks like from outside; the search keeps it.
    pub progress: Progress,
}

impl<'w> Clock<'w> {
    /// `watch` is called some times a second, and returns false to end the run.
    pub fn new(limits: Limits, watch: &'w mut dyn FnMut(&Progress) -> bool) -> Clock<'w> {
        let now = Instant::now();
        let progress =
            Progress { states: 0, transitions: 0, frontier: 0, depth: 0, seconds: 0.0, memory_bytes: 0 };
        Clock { begun: now, looked: now, steps: 0, limits, watch, stopped: None, progress }
    }

    pub fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    /// Why the run has to end.
    pub fn stopped(&self) -> Option<Stopped> {
        self.stopped
    }

    pub fn stop(&mut self, why: Stopped) {
        self.stopped.get_or_insert(why);
    }

    /// For inner loops: has the run to end?
    #[inline(always)]
    pub fn poll(&mut self) -> bool {
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(STEPS) {
            self.look();
        }
        self.stopped.is_some()
    }

    /// After something was kept.
    pub fn check_size(&mut self) -> bool {
        if self.limits.max_states.is_some_and(|most| self.progress.states >= most) {
            self.stop(Stopped::MaxStates);
        }
        if self.limits.max_memory.is_some_and(|most| self.progress.memory_bytes >= most) {
            self.stop(Stopped::MaxMemory);
        }
        self.stopped.is_some()
    }

    fn look(&mut self) {
        let now = Instant::now();
        self.progress.seconds = (now - self.begun).as_secs_f64();
        if self.limits.max_seconds.is_some_and(|most| self.progress.seconds >= most) {
            self.stop(Stopped::MaxSeconds);
        }
        if now - self.looked >= INTERVAL {
            self.looked = now;
            if !(self.watch)(&self.progress) {
                self.stop(Stopped::Interrupted);
            }
        }
    }
}
