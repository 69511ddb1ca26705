//! What a worker does with one state: it follows its edges, stores the targets, judges and counts.

use std::sync::atomic::Ordering;

use super::Stopped;
use super::shared::Found;
use super::worker::Worker;
use crate::canon::Canonicaliser;
use crate::model::{Label, PackedModel, Start, Step};
use crate::quotient::{Quotient, SEVERAL, Unfinished};
use crate::visited::{Inserted, Link, StateId, Visited, hash_words};

impl<M: PackedModel, C: Canonicaliser> Worker<'_, M, C> {
    /// Stores an initial state.
    pub(super) fn enter(&mut self, start: &Start) -> Result<(), Unfinished> {
        if let Step::Failed(property) = start.step {
            self.violated(Found { property, state: None, failing: Some(start.label) });
        }
        for &property in &start.noted {
            self.violated(Found { property, state: None, failing: Some(start.label) });
        }
        if self.quotient.start(start)? { self.store(Link::Initial, None) } else { Ok(()) }
    }

    pub(super) fn expand(&mut self, id: StateId) -> Result<(), Unfinished> {
        if self.quotient.is_measured() {
            return self.expand_measured(id);
        }
        self.expand_plainly(id)
    }

    #[inline(always)]
    fn expand_plainly(&mut self, id: StateId) -> Result<(), Unfinished> {
        if self.quotient.is_plain() { self.expand_by::<true>(id) } else { self.expand_other(id) }
    }

    /// The same, with a look at what it costs.
    #[inline(never)]
    fn expand_measured(&mut self, id: StateId) -> Result<(), Unfinished> {
        if let Some(restarts) = self.shared.price.is_due() {
            self.shared.give_up_reducing(restarts, self.shared.price.why());
            return Err(Unfinished::Cancelled);
        }
        self.quotient.open_measured();
        self.expand_plainly(id)?;
        self.quotient.close_measured();
        Ok(())
    }

    #[inline(never)]
    fn expand_other(&mut self, id: StateId) -> Result<(), Unfinished> {
        self.expand_by::<false>(id)
    }

    /// `PLAIN`: see `Quotient::is_plain`.
    #[inline(always)]
    fn expand_by<const PLAIN: bool>(&mut self, id: StateId) -> Result<(), Unfinished> {
        self.quotient.open(self.visited, id)?;
        let mut failures = 0;
        let next = if PLAIN { Quotient::next_by_labels } else { Quotient::next_beyond_labels };
        while let Some(successor) = next(&mut self.quotient)? {
            // Before what its successors violate: traces are shortest.
            self.note_failures(id, &mut failures);
            if successor.is_loop || self.looks_first && self.is_known() {
                continue;
            }
            self.quotient.canonicalise(successor)?;
            if self.collects {
                let state = self.quotient.successor();
                self.pending.push(hash_words(state), state, id, successor.made_by);
                // One wide state may have more successors than memory holds at once.
                if self.pending.is_large() {
                    self.flush();
                    self.quotient.check_cancelled()?;
                }
            } else {
                self.store(Link::From(id), successor.only_label())?;
            }
        }
        self.quotient.check_cancelled()?;
        self.note_failures(id, &mut failures);
        self.record(id);
        if self.checker.is_due() {
            self.checker.run(self.quotient.values(), self.quotient.labels().len());
        }
        Ok(())
    }

    /// Is the successor at hand stored as it is, or canonicalised recently?
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
                if is_judged {
                    self.quotient.unpack_successor();
                }
                self.on_new_state(id, label, is_judged);
            }
        }
        Ok(())
    }

    /// Stores what was collected.
    #[inline(never)]
    pub(super) fn flush(&mut self) {
        let mut pending = std::mem::take(&mut self.pending);
        self.visited.insert_all(&mut pending, |state, label, inserted| match inserted {
            Inserted::Known(_) => {}
            Inserted::Full => self.shared.stop(Stopped::MaxMemory),
            Inserted::Fresh(id) => {
                let label = Some(label).filter(|&label| label != SEVERAL);
                let is_judged = self.has_to_judge(label, state);
                if is_judged {
                    self.quotient.set_successor(state);
                }
                self.on_new_state(id, label, is_judged);
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
        // With a limit every state is counted at once; without one, in batches, so that threads share less.
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
            let model = self.quotient.model;
            let is_fatal = self.violations[before..].iter().any(|found| model.is_limit(found.property));
            if !self.settings.keep_going || is_fatal {
                self.shared.stop(Stopped::Violation);
            }
        }
    }

    fn violated(&mut self, found: Found) {
        self.violations.push(found);
        let is_fatal = self.settings.fatal == Some(found.property);
        if !self.settings.keep_going || is_fatal || self.quotient.model.is_limit(found.property) {
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
        let is_dead = self.quotient.is_dead();
        let quotient = &mut self.quotient;
        let (model, expansion) = (quotient.model, quotient.expansion());
        let enabled = self.tally.record(model, quotient.labels(), expansion, is_dead);
        model.observe(quotient.values(), &mut self.tally.observations);
        self.unreported += enabled;
        if is_dead
            && let Some(property) = self.settings.deadlock
            && self.quotient.is_certainly_dead()
        {
            self.violated(Found { property, state: Some(id), failing: None });
        }
    }
}
