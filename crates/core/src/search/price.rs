//! What symmetry costs while a run goes on, and when it costs too much: then the run goes on, or begins again, without it.
//!
//! Workers measure some of the states that they explore: how long symmetry took (canonical forms, stabilisers, labels that stand
//! for others) and how long all the rest. Orbits are disjoint, so the explored states stand for as many states of the unreduced
//! model as their orbits have members, and each of these would have taken at least the rest. The watching thread compares both
//! (`Judge`). The argument, and why results stay right after a change, are in docs/auto.md.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use num_bigint::BigUint;
use rustix::time::{ClockId, clock_gettime};

use crate::quotient::Expansion;

/// Processor seconds of a thread that symmetry may cost before anything is compared: short runs never change.
const GRACE: f64 = 0.4;
/// With fewer states than these, before twice that: on a machine that is busy elsewhere, small runs take long too.
const FEW: f64 = 1e3;
/// A reduced run may take so many times as long as an unreduced one seems to for the same part of the states. That takes less than
/// it seems: what is not symmetry costs some more while states are reduced.
const BOUND: f64 = 1.1;
/// Up to so many seconds a run begins again where it changes: what was spent is little, and counts are exact again.
const RESTART: f64 = 2.0;
/// One of so many states is measured, all of them where they take longer than `SLOW`.
const GAP: u32 = 16;
const SLOW: Duration = Duration::from_micros(100);
/// Larger numbers are all the same to the rule.
const LARGEST: f64 = 1e300;

/// When a run changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PriceRule {
    /// Never.
    #[default]
    Off,
    /// Where symmetry costs more than it saves.
    Measured,
    /// After so many states were explored, whatever they cost: for tests.
    After { states: u64, restarts: bool },
}

/// A change of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// States stored before it, and seconds since the run began.
    pub after_states: u64,
    pub seconds: f64,
    /// Did the run begin again? Otherwise it went on with what it had stored.
    pub restarted: bool,
    pub why: Why,
}

/// What had been measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Why {
    /// How many times as long as all the rest symmetry took.
    pub factor: f64,
    /// Members of an orbit, on average, of explored states; None where no state was finished.
    pub orbit: Option<f64>,
}

/// Sums over explored states; seconds of threads.
#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    symmetry: f64,
    rest: f64,
    explored: f64,
    /// Members of their orbits.
    covered: f64,
}

impl Spent {
    fn all(&self) -> f64 {
        self.symmetry + self.rest
    }

    /// What an unreduced run would have taken at least.
    fn unreduced(&self) -> f64 {
        if self.explored == 0.0 { 0.0 } else { (self.covered / self.explored * self.rest).min(LARGEST) }
    }

    fn why(&self) -> Why {
        Why {
            factor: self.symmetry / self.rest.max(1e-6),
            orbit: (self.explored > 0.0).then(|| self.covered / self.explored),
        }
    }
}

/// Of one run; shared by its threads.
pub(crate) struct Price {
    rule: PriceRule,
    /// The group's order, as a logarithm: orders may be beyond all floating-point numbers, orbits in them small.
    log_order: f64,
    spent: Mutex<Spent>,
    /// By worker: odd while symmetry is at work.
    pulses: Vec<AtomicU64>,
    explored: AtomicU64,
}

impl Price {
    pub fn new(rule: PriceRule, order: &BigUint, threads: usize) -> Price {
        let pulses = (0..threads.max(1)).map(|_| AtomicU64::new(0)).collect();
        Price { rule, log_order: log2(order), spent: Mutex::default(), pulses, explored: AtomicU64::new(0) }
    }

    pub fn is_off(&self) -> bool {
        self.rule == PriceRule::Off
    }

    pub fn meter(&self, worker: usize) -> Meter<'_> {
        let pulse = &self.pulses[worker];
        // A worker that was cancelled in the midst of it.
        pulse.fetch_and(!1, Ordering::Relaxed);
        Meter {
            price: self,
            pulse,
            is_on: false,
            wait: 0,
            passed: 0,
            covered: 0.0,
            state: None,
            symmetry: Duration::ZERO,
            begun: None,
        }
    }

    fn spent(&self) -> MutexGuard<'_, Spent> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Is it time for a change that was set beforehand? Then: does it begin again?
    pub fn is_due(&self) -> Option<bool> {
        match self.rule {
            PriceRule::After { states, restarts } if self.explored.load(Ordering::Relaxed) >= states => {
                Some(restarts)
            }
            _ => None,
        }
    }

    pub fn why(&self) -> Why {
        self.spent().why()
    }
}

/// Measures one worker's states.
pub(crate) struct Meter<'p> {
    price: &'p Price,
    pulse: &'p AtomicU64,
    /// Is the state at hand measured?
    is_on: bool,
    /// States until the next that is, and those passed since the last, with the members of their orbits.
    wait: u32,
    passed: u32,
    covered: f64,
    state: Option<Duration>,
    symmetry: Duration,
    begun: Option<Duration>,
}

impl Meter<'_> {
    #[inline]
    pub fn open_state(&mut self) {
        self.is_on = self.wait == 0;
        if self.is_on {
            (self.state, self.symmetry) = (Some(processor_time()), Duration::ZERO);
        } else {
            self.wait -= 1;
        }
    }

    #[inline]
    pub fn begin(&mut self) {
        self.pulse.fetch_add(1, Ordering::Relaxed);
        if self.is_on {
            self.begun = Some(processor_time());
        }
    }

    #[inline]
    pub fn end(&mut self) {
        self.pulse.fetch_add(1, Ordering::Relaxed);
        if let Some(begun) = self.begun.take() {
            self.symmetry += processor_time().saturating_sub(begun);
        }
    }

    /// The state is finished.
    #[inline]
    pub fn close_state(&mut self, expansion: &Expansion) {
        self.passed += 1;
        let log_stabiliser = expansion.stabiliser.as_ref().map_or(0.0, log2);
        self.covered += (self.price.log_order - log_stabiliser).max(0.0).exp2().min(LARGEST);
        if self.price.rule != PriceRule::Measured {
            self.price.explored.fetch_add(1, Ordering::Relaxed);
        }
        if let Some(begun) = self.state.take() {
            self.hand_over(processor_time().saturating_sub(begun));
        }
    }

    /// The state that was measured stands for those since the last one.
    #[cold]
    fn hand_over(&mut self, all: Duration) {
        let passed = f64::from(self.passed);
        let mut spent = self.price.spent();
        spent.symmetry += passed * self.symmetry.as_secs_f64();
        spent.rest += passed * all.saturating_sub(self.symmetry).as_secs_f64();
        spent.explored += passed;
        spent.covered = (spent.covered + self.covered).min(LARGEST);
        drop(spent);
        self.wait = if all > SLOW { 0 } else { GAP - 1 };
        (self.passed, self.covered) = (0, 0.0);
    }
}

/// The watching thread's view: what was spent, with what still goes on.
pub(crate) struct Judge {
    /// By worker: its pulse, and since when it has been that.
    seen: Vec<(u64, Instant)>,
    /// What was spent when it had doubled, ascending.
    before: Vec<Spent>,
    is_done: bool,
}

impl Judge {
    pub fn new(price: &Price) -> Judge {
        let now = Instant::now();
        let seen = price.pulses.iter().map(|pulse| (pulse.load(Ordering::Relaxed), now)).collect();
        Judge { seen, before: vec![Spent::default()], is_done: price.rule != PriceRule::Measured }
    }

    /// Does the run have to change? Then: does it begin again, and why. Asked again and again, true at most once.
    pub fn decide(&mut self, price: &Price) -> Option<(bool, Why)> {
        if self.is_done {
            return None;
        }
        let mut now = *price.spent();
        for (seen, pulse) in self.seen.iter_mut().zip(&price.pulses) {
            let pulse = pulse.load(Ordering::Relaxed);
            if pulse != seen.0 {
                *seen = (pulse, Instant::now());
            } else if pulse % 2 == 1 {
                now.symmetry += seen.1.elapsed().as_secs_f64();
            }
        }
        let found = self.judged(now, price.pulses.len() as f64);
        self.is_done = found.is_some();
        found
    }

    fn judged(&mut self, now: Spent, threads: f64) -> Option<(bool, Why)> {
        let costs = |now: &Spent, then: &Spent| {
            now.all() - then.all() > BOUND * (now.unreduced() - then.unreduced()).max(0.0)
        };
        // A reduction that has begun to pay is kept, however poor its beginning was.
        let half = self.before.iter().rev().find(|then| then.all() <= now.all() / 2.0);
        let half = *half.unwrap_or(&self.before[0]);
        if self.before.last().is_none_or(|last| now.all() > 1.2 * last.all() + 1e-3) {
            self.before.push(now);
        }
        let grace = if now.explored < FEW { 2.0 * GRACE } else { GRACE };
        let is_too_much =
            now.symmetry > grace * threads && costs(&now, &Spent::default()) && costs(&now, &half);
        is_too_much.then(|| (now.all() <= RESTART * threads, now.why()))
    }
}

/// Of this thread: on a machine that is busy elsewhere, a state that was interrupted would count far too much.
fn processor_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// Of a positive number.
fn log2(number: &BigUint) -> f64 {
    let beyond = number.bits().saturating_sub(64);
    let head = (number >> beyond).iter_u64_digits().next().unwrap_or(1);
    (head as f64).log2() + beyond as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spent(symmetry: f64, rest: f64, explored: f64, covered: f64) -> Spent {
        Spent { symmetry, rest, explored, covered }
    }

    fn judge() -> Judge {
        Judge { seen: Vec::new(), before: vec![Spent::default()], is_done: false }
    }

    #[test]
    fn what_costs_little_is_kept_whatever_it_saves() {
        assert!(judge().judged(spent(0.3, 0.001, 100.0, 100.0), 1.0).is_none());
    }

    #[test]
    fn what_saves_more_than_it_costs_is_kept() {
        assert!(judge().judged(spent(5.0, 1.0, 1e5, 1e6), 1.0).is_none());
    }

    #[test]
    fn what_costs_more_than_it_saves_is_given_up_and_early_the_run_begins_again() {
        assert_eq!(judge().judged(spent(0.5, 0.1, 1e4, 2e4), 1.0).map(|found| found.0), Some(true));
        assert_eq!(judge().judged(spent(5.0, 1.0, 1e5, 2e5), 1.0).map(|found| found.0), Some(false));
        // Nothing was finished yet.
        assert!(judge().judged(spent(0.9, 0.0, 0.0, 0.0), 1.0).is_some());
    }

    #[test]
    fn a_reduction_that_has_begun_to_pay_is_kept() {
        let mut judge = judge();
        assert!(judge.judged(spent(0.39, 0.01, 100.0, 100.0), 1.0).is_none());
        assert!(judge.judged(spent(0.99, 0.02, 200.0, 1e5), 1.0).is_none());
    }

    #[test]
    fn orders_beyond_all_floating_point_numbers_have_logarithms() {
        assert_eq!(log2(&BigUint::from(128u8)), 7.0);
        assert_eq!(log2(&(BigUint::from(1u8) << 5000)), 5000.0);
        let (three, large) = (BigUint::from(3u8), BigUint::from(5u8) << 3000);
        assert!(((log2(&(&three * &large)) - log2(&large)).exp2() - 3.0).abs() < 1e-9);
    }
}
