//! One thread of a reachability search: takes states from the frontier, follows their edges, stores and judges the targets.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use super::recent::Recent;
use super::self_check::Checker;
use super::tally::Tally;
use super::{BATCH, Found, LARGE_BATCH, Relayout, Settings, Shared, Stopped};
use crate::canon::{Canonicaliser, Method};
use crate::model::{Label, PackedModel, Start, Step};
use crate::quotient::{Quotient, Unfinished};
use crate::visited::{Inserted, Link, Pending, Sharded, StateId, Visited, hash_words};

pub struct Worker<'a, M: PackedModel, C: Canonicaliser> {
    quotient: Quotient<'a, M, C>,
    visited: &'a Sharded,
    settings: &'a Settings,
    shared: &'a Shared,
    /// Is a successor looked up before it is canonicalised? Representatives are stored, and many successors are
    /// representatives. Statistics need every canonicalisation, and `compare` has no table by words.
    looks_first: bool,
    recent: Recent,
    tally: Tally<M::Observations>,
    fresh: Vec<StateId>,
    /// Are successors collected and stored together? That pays where threads share the set, and where it is large, which
    /// reduced spaces are not; `compare` and `flood` ask more of the set than whether a state is there.
    collects: bool,
    pending: Pending,
    /// Transitions not yet added to the shared count.
    unreported: u64,
    violations: Vec<Found>,
    checker: Checker<'a, M, C>,
}

impl<'a, M: PackedModel, C: Canonicaliser> Worker<'a, M, C> {
    pub fn new(
        model: &'a M,
        visited: &'a Sharded,
        canonicaliser: &'a C,
        settings: &'a Settings,
        shared: &'a Shared,
    ) -> Self {
        let reduces = canonicaliser.reduces();
        let stores_words = !canonicaliser.compares();
        let floods = canonicaliser.method() == Method::Flood;
        let looks_first = reduces && stores_words && !canonicaliser.keeps_stats();
        Worker {
            quotient: Quotient::new(model, canonicaliser, settings.prune, &shared.cancel),
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
            checker: Checker::new(settings, model, canonicaliser, shared),
        }
    }

    /// Enters the initial states it is given, then works until nothing is left to do for any worker.
    pub fn run(mut self, starts: &[Start]) -> Tally<M::Observations> {
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
                if self.shared.stopped().is_some() {
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

    /// Stores an initial state.
    fn enter(&mut self, start: &Start) -> Result<(), Unfinished> {
        if let Step::Failed(property) = start.step {
            self.violated(Found { property, state: None, failing: Some(start.label) });
        }
        if self.quotient.start(start)? { self.store(Link::Initial, None) } else { Ok(()) }
    }

    fn expand(&mut self, id: StateId) -> Result<(), Unfinished> {
        self.quotient.open(self.visited, id)?;
        let mut failures = 0;
        while let Some(successor) = self.quotient.next()? {
            // Before what its successors violate: traces are shortest.
            self.note_failures(id, &mut failures);
            if successor.is_loop || self.looks_first && self.is_known() {
                continue;
            }
            self.quotient.canonicalise(successor)?;
            if self.collects {
                let state = self.quotient.successor();
                self.pending.push(hash_words(state), state, Link::From(id), successor.label);
            } else {
                self.store(Link::From(id), Some(successor.label))?;
            }
        }
        self.quotient.check_cancelled()?;
        self.note_failures(id, &mut failures);
        self.record(id);
        if self.checker.is_due() {
            self.checker.run(self.quotient.values());
        }
        Ok(())
    }

    /// Is the successor at hand stored as it is, or was it canonicalised lately?
    #[inline(always)]
    fn is_known(&mut self) -> bool {
        let state = self.quotient.successor();
        self.visited.find(state).is_some() || self.recent.check_and_insert(state)
    }

    /// Stores the successor at hand unless it is known.
    fn store(&mut self, link: Link, label: Option<Label>) -> Result<(), Unfinished> {
        match self.quotient.insert(self.visited, link)? {
            Inserted::Known(_) => {}
            Inserted::Full => self.shared.stop(Stopped::MaxMemory),
            Inserted::Fresh(id) => {
                let is_judged = self.has_to_judge(label, self.quotient.successor());
                self.on_new_state(id, label, is_judged);
            }
        }
        Ok(())
    }

    /// Stores what was collected.
    fn flush(&mut self) {
        let mut pending = std::mem::take(&mut self.pending);
        self.visited.insert_all(&mut pending, |state, label, inserted| match inserted {
            Inserted::Known(_) => {}
            Inserted::Full => self.shared.stop(Stopped::MaxMemory),
            Inserted::Fresh(id) => {
                let is_judged = self.has_to_judge(Some(label), state);
                if is_judged {
                    self.quotient.set_successor(state);
                }
                self.on_new_state(id, Some(label), is_judged);
            }
        });
        pending.clear();
        self.pending = pending;
    }

    /// Does a new state that was reached by this label have to be judged? As long as no state violates anything, many labels
    /// cannot lead to one that does.
    fn has_to_judge(&self, label: Option<Label>, state: &[u64]) -> bool {
        label.is_none_or(|label| self.quotient.model.may_violate(label, state, &self.quotient.workspace))
            || self.shared.violated.load(Ordering::Relaxed)
    }

    /// Counts a new state, and judges it where it has to be: then it is the successor at hand.
    fn on_new_state(&mut self, id: StateId, label: Option<Label>, is_judged: bool) {
        self.fresh.push(id);
        // A limit wants every state counted at once; without one, batches will do, and threads share less.
        if let Some(most) = self.settings.max_states
            && self.shared.states.fetch_add(1, Ordering::Relaxed) >= most
        {
            self.shared.stop(Stopped::MaxStates);
            return;
        }
        if !is_judged {
            return;
        }
        let before = self.violations.len();
        let Worker { quotient, violations, shared, .. } = self;
        let after = label.filter(|_| !shared.violated.load(Ordering::Relaxed));
        quotient.judge_successor(after, &mut |property| {
            violations.push(Found { property, state: Some(id), failing: None });
        });
        if self.violations.len() > before {
            // A worker that takes this state has to lock the queue first, and so sees this.
            self.shared.violated.store(true, Ordering::Relaxed);
            if !self.settings.keep_going {
                self.shared.stop(Stopped::Violation);
            }
        }
    }

    fn violated(&mut self, found: Found) {
        self.violations.push(found);
        if !self.settings.keep_going || self.settings.fatal == Some(found.property) {
            self.shared.stop(Stopped::Violation);
        }
    }

    /// Records the failing steps of the open state from this one on.
    #[inline(always)]
    fn note_failures(&mut self, id: StateId, from: &mut usize) {
        while let Some(&(label, property)) = self.quotient.expansion().failures.get(*from) {
            self.violated(Found { property, state: Some(id), failing: Some(label) });
            *from += 1;
        }
    }

    /// Counts a finished state.
    fn record(&mut self, id: StateId) {
        let quotient = &mut self.quotient;
        let (model, expansion) = (quotient.model, quotient.expansion());
        let enabled = self.tally.record(model, quotient.labels(), expansion);
        model.observe(quotient.values(), &mut self.tally.observations);
        self.unreported += enabled;
        let is_dead = !expansion.leads_on;
        if is_dead
            && let Some(property) = self.settings.deadlock
            && self.quotient.is_certainly_dead()
        {
            self.violated(Found { property, state: Some(id), failing: None });
        }
    }
}
