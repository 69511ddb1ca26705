//! One thread of a reachability search: takes states from the frontier and gives back what it found (`expanding`).

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use super::recent::Recent;
use super::self_check::Checker;
use super::shared::{Found, Relayout, Shared};
use super::tally::Tally;
use super::{Settings, Stopped};
use crate::canon::{Cancel, Canonicaliser, Method};
use crate::model::{PackedModel, Start};
use crate::quotient::{Quotient, Unfinished};
use crate::visited::{Pending, Sharded, StateId};

/// States that a worker takes at most at a time, breadth first; more where successors are stored together.
const BATCH: usize = 64;
const LARGE_BATCH: usize = 256;

pub struct Worker<'a, M: PackedModel, C: Canonicaliser> {
    pub(super) quotient: Quotient<'a, M, C>,
    /// Set where this worker is to leave.
    round: Cancel,
    pub(super) visited: &'a Sharded,
    pub(super) settings: &'a Settings,
    pub(super) shared: &'a Shared,
    /// Is a successor looked up before it is canonicalised? Representatives are stored, and many successors are
    /// representatives. Statistics need every canonicalisation, and `compare` has no table by words.
    pub(super) looks_first: bool,
    pub(super) recent: Recent,
    pub(super) tally: Tally<M::Observations>,
    pub(super) fresh: Vec<StateId>,
    /// Are successors collected and stored together? That pays where threads share the set, and where it is large, which
    /// reduced spaces are not; `compare` and `flood` ask more of the set than whether a state is there.
    pub(super) collects: bool,
    pub(super) pending: Pending,
    /// Transitions not yet added to the shared count.
    pub(super) unreported: u64,
    pub(super) violations: Vec<Found>,
    pub(super) checker: Checker<'a, M, C>,
}

impl<'a, M: PackedModel, C: Canonicaliser> Worker<'a, M, C> {
    pub fn new(
        model: &'a M,
        visited: &'a Sharded,
        canonicaliser: &'a C,
        settings: &'a Settings,
        shared: &'a Shared,
        (number, reduces): (usize, bool),
    ) -> Self {
        let reduces = reduces && canonicaliser.reduces();
        let stores_words = !reduces || !canonicaliser.compares();
        let round = shared.round();
        let mut quotient = Quotient::new(model, canonicaliser, settings.prune, &round);
        if !reduces {
            quotient.stop_reducing();
        } else if !shared.price.is_off() {
            quotient.measure(shared.price.meter(number));
        }
        let floods = canonicaliser.method() == Method::Flood;
        let looks_first = reduces && stores_words && !canonicaliser.keeps_stats();
        Worker {
            quotient,
            round,
            visited,
            settings,
            shared,
            looks_first,
            recent: Recent::new(model.schema().words(), looks_first && !floods),
            tally: Tally::default(),
            fresh: Vec::new(),
            collects: (settings.threads > 1 || !reduces) && stores_words && !floods,
            pending: Pending::default(),
            unreported: 0,
            violations: Vec::new(),
            checker: Checker::new(settings, model, canonicaliser, shared, reduces),
        }
    }

    /// Enters the initial states it is given, then works until nothing is left to do for any worker.
    pub fn run(mut self, starts: &[Start]) -> Tally<M::Observations> {
        let _entered = self.round.enter();
        if !starts.is_empty() {
            let unfinished = starts.iter().try_for_each(|start| self.enter(start)).err();
            self.shared.started.store(unfinished.is_none(), Ordering::SeqCst);
            self.give_back(&[], unfinished);
        }
        let mut batch = Vec::with_capacity(BATCH);
        while self.take(&mut batch) {
            let mut explored = 0;
            let mut unfinished = None;
            for &id in &batch {
                if self.shared.stopped().is_some() || self.round.is_cancelled() {
                    break;
                }
                unfinished = self.expand(id).err();
                if unfinished.is_some() {
                    break;
                }
                explored += 1;
            }
            self.flush();
            self.give_back(&batch[explored..], unfinished);
        }
        self.tally.record_inside(self.quotient.firings_inside());
        self.tally.covered.extend(self.quotient.model.covered(&self.quotient.workspace));
        self.tally
    }

    /// Waits for a batch; false where the round is over.
    fn take(&mut self, batch: &mut Vec<StateId>) -> bool {
        let mut queue = self.shared.queue();
        loop {
            if self.shared.stopped().is_some() || queue.relayout.is_some() {
                break;
            }
            let fair = queue.frontier.len() / (2 * self.settings.threads.max(1)) + 1;
            let most = if self.collects { LARGE_BATCH } else { BATCH };
            queue.frontier.take(fair.min(most), batch);
            if !batch.is_empty() {
                queue.exploring += 1;
                return true;
            }
            if queue.exploring == 0 && !queue.frontier.next_level() {
                break;
            }
            if queue.exploring > 0 {
                queue = self.shared.wake.wait(queue).unwrap_or_else(PoisonError::into_inner);
            }
        }
        self.shared.wake.notify_all();
        false
    }

    /// Hands over what was found, what was not explored, and why.
    fn give_back(&mut self, unexplored: &[StateId], unfinished: Option<Unfinished>) {
        let mut queue = self.shared.queue();
        queue.exploring -= 1;
        queue.frontier.put_back(unexplored);
        queue.frontier.put(&self.fresh);
        queue.violations.append(&mut self.violations);
        match unfinished {
            None | Some(Unfinished::Cancelled) => {}
            Some(Unfinished::GaveUp) => self.shared.stop(Stopped::Limit),
            Some(Unfinished::Full) => self.shared.stop(Stopped::MaxMemory),
            Some(Unfinished::Narrow(overflow)) if overflow.bits > 64 => self.shared.stop(Stopped::Overflow),
            Some(Unfinished::Narrow(overflow)) => queue.relayout = Some(Relayout::Widen(overflow)),
        }
        if self.visited.is_nearly_full() {
            queue.relayout.get_or_insert(Relayout::MoreShards);
        }
        drop(queue);
        self.shared.transitions.fetch_add(std::mem::take(&mut self.unreported), Ordering::Relaxed);
        if self.settings.max_states.is_none() {
            self.shared.states.fetch_add(self.fresh.len() as u64, Ordering::Relaxed);
        }
        self.fresh.clear();
        if self.settings.threads > 1 {
            self.shared.wake.notify_all();
        }
    }
}
