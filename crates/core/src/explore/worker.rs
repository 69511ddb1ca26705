//! One worker: takes states, fires their labels, resolves the successors, counts.

use std::collections::HashSet;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use num_bigint::BigUint;

use super::pending::Pending;
use super::resolved::Resolved;
use super::self_check::Checker;
use super::store::{Inserted, Link, StateId, Store, hash_words};
use super::tally::Tally;
use super::{BATCH, Found, LARGE_BATCH, Settings, Shared, Stopped};
use crate::canon::{Buffers, Canonicaliser, Hardness, Method};
use crate::model::{Label, Model, Start, Step};
use crate::schema::Overflow;

/// Labels of one state that are fired before somebody asks whether the run is over.
const LOOK_AFTER: usize = 1 << 12;

pub struct Worker<'a, M: Model, C: Canonicaliser> {
    model: &'a M,
    store: &'a Store,
    canonicaliser: &'a C,
    settings: &'a Settings,
    shared: &'a Shared,
    reduces: bool,
    /// Is a successor looked up before it is canonicalised? What is stored is a representative, and many are met again
    /// as they are. Statistics need every canonicalisation, and `compare` has no table by words.
    looks_first: bool,
    resolved: Resolved,
    scratch: C::Scratch,
    workspace: M::Workspace,
    tally: Tally,
    packed: Vec<u64>,
    successor: Vec<u64>,
    values: Vec<u64>,
    next_values: Vec<u64>,
    other: Vec<u64>,
    labels: Vec<Label>,
    /// By position in `labels`: how many labels of its orbit it stands for; 0 where another stands for it.
    stands_for: Vec<u32>,
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

/// Counts of one state, committed when it is finished.
#[derive(Default)]
struct Expansion {
    canonicalised: u64,
    nodes: u64,
    most_nodes: u64,
    by_hardness: [u64; 3],
    /// Does some step lead on?
    lives: bool,
    /// The order of the state's stabiliser, None where it is trivial.
    stabiliser: Option<BigUint>,
}

/// Why a state was not finished; it is explored again, if at all.
enum Unfinished {
    /// A limit of time or memory, or the user: states of large nets take long.
    Stopped,
    Narrow(Overflow),
}

impl From<Overflow> for Unfinished {
    fn from(overflow: Overflow) -> Self {
        Unfinished::Narrow(overflow)
    }
}

impl<'a, M: Model, C: Canonicaliser> Worker<'a, M, C> {
    pub fn new(
        model: &'a M,
        store: &'a Store,
        canonicaliser: &'a C,
        settings: &'a Settings,
        shared: &'a Shared,
    ) -> Self {
        let (words, slots) = (model.schema().words(), model.schema().slots().len());
        let reduces = canonicaliser.reduces();
        let looks_first = reduces && !canonicaliser.compares() && !canonicaliser.keeps_stats();
        Worker {
            model,
            store,
            canonicaliser,
            settings,
            shared,
            reduces,
            looks_first,
            resolved: Resolved::new(words, looks_first && canonicaliser.method() != Method::Flood),
            scratch: canonicaliser.scratch(&shared.cancel),
            workspace: model.workspace(),
            tally: Tally::new(slots),
            packed: vec![0; words],
            successor: vec![0; words],
            values: vec![0; slots],
            next_values: vec![0; slots],
            other: vec![0; slots],
            labels: Vec::new(),
            stands_for: Vec::new(),
            fresh: Vec::new(),
            collects: (settings.threads > 1 || !reduces)
                && !canonicaliser.compares()
                && canonicaliser.method() != Method::Flood,
            pending: Pending::default(),
            unreported: 0,
            violations: Vec::new(),
            checker: Checker::new(settings, model, canonicaliser, shared),
        }
    }

    /// Enters the initial states it is given, then works until there is nothing to do for anybody.
    pub fn run(mut self, starts: &[Start]) -> Tally {
        if !starts.is_empty() {
            let overflow = starts.iter().try_for_each(|start| self.enter(start)).err();
            self.shared.started.store(overflow.is_none(), Ordering::SeqCst);
            self.give_back(&[], overflow);
        }
        let mut batch = Vec::with_capacity(BATCH);
        while self.take(&mut batch) {
            let mut at = 0;
            let mut overflow = None;
            while at < batch.len() && self.shared.stopped().is_none() {
                match self.expand(batch[at]) {
                    Ok(()) => at += 1,
                    Err(Unfinished::Stopped) => break,
                    Err(Unfinished::Narrow(found)) => {
                        overflow = Some(found);
                        break;
                    }
                }
            }
            self.flush();
            self.give_back(&batch[at..], overflow);
        }
        self.tally.covered.extend(self.model.covered(&self.workspace));
        self.tally
    }

    /// Waits for a batch; false where the round is over.
    fn take(&mut self, batch: &mut Vec<StateId>) -> bool {
        let mut queue = self.shared.queue();
        loop {
            if self.shared.stopped().is_some() || queue.widen.is_some() {
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

    /// Hands over what was found, and what was not explored.
    fn give_back(&mut self, unexplored: &[StateId], overflow: Option<Overflow>) {
        let mut queue = self.shared.queue();
        queue.exploring -= 1;
        queue.frontier.put_back(unexplored);
        queue.frontier.put(&self.fresh);
        queue.violations.append(&mut self.violations);
        if let Some(overflow) = overflow {
            if overflow.bits > 64 {
                self.shared.stop(Stopped::Overflow);
            } else {
                queue.widen.get_or_insert(overflow);
            }
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
    fn enter(&mut self, start: &Start) -> Result<(), Overflow> {
        match start.step {
            Step::Taken => {}
            Step::Discarded | Step::Impossible => return Ok(()),
            Step::Failed(property) => {
                self.violated(Found { property, state: None, failing: Some(start.label) });
                return Ok(());
            }
        }
        self.next_values.copy_from_slice(&start.values);
        if self.reduces {
            self.canonicaliser.canonicalise(&mut self.next_values, &mut self.scratch);
            if self.go_on().is_err() {
                return Ok(());
            }
        }
        self.model.schema().pack(&self.next_values, &mut self.successor)?;
        self.resolve(Link::Initial, None)?;
        Ok(())
    }

    fn expand(&mut self, id: StateId) -> Result<(), Unfinished> {
        self.store.read(id, &mut self.packed);
        self.model.schema().unpack(&self.packed, &mut self.values);
        self.labels.clear();
        let mut expansion = Expansion::default();
        let Worker { model, values, workspace, labels, .. } = self;
        let mut failures = Vec::new();
        model.enabled(values, workspace, labels, &mut |label, property| failures.push((label, property)));
        if self.model.has_given_up() {
            self.shared.stop(Stopped::Limit);
            return Err(Unfinished::Stopped);
        }
        self.go_on()?;
        for (label, property) in failures {
            self.violated(Found { property, state: Some(id), failing: Some(label) });
            expansion.lives |= self.model.failing_leads_on();
        }
        if self.reduces {
            expansion.stabiliser = self.prune_labels();
            self.go_on()?;
        }
        let stuttering_is_dead = self.model.stuttering_is_dead();
        for at in 0..self.labels.len() {
            // A state may have millions of labels.
            if at % LOOK_AFTER == LOOK_AFTER - 1 {
                self.go_on()?;
            }
            let label = self.labels[at];
            if self.reduces && self.stands_for[at] == 0 {
                continue;
            }
            let state = (self.values.as_slice(), self.packed.as_slice());
            match self.model.fire_packed(state, label, &mut self.successor, &mut self.workspace)? {
                Step::Taken => {}
                Step::Impossible => continue,
                // Not a step to anywhere, but not nothing either: the model only assumes it away.
                Step::Discarded => {
                    expansion.lives = true;
                    continue;
                }
                Step::Failed(property) => {
                    self.violated(Found { property, state: Some(id), failing: Some(label) });
                    expansion.lives |= self.model.failing_leads_on();
                    continue;
                }
            }
            if stuttering_is_dead && self.successor.iter().eq(&self.packed) {
                continue;
            }
            expansion.lives = true;
            if self.looks_first
                && (self.store.contains(&self.successor) || self.resolved.meets(&self.successor))
            {
                continue;
            }
            if self.reduces {
                let Worker { model, values, successor, next_values, workspace, .. } = self;
                model.values_after(values, label, successor, next_values, workspace);
                self.canonicalise(u64::from(self.stands_for[at]), &mut expansion);
                self.go_on()?;
                self.model.schema().pack(&self.next_values, &mut self.successor)?;
            }
            self.resolve(Link::From(id), Some(label))?;
        }
        self.go_on()?;
        self.commit(id, expansion);
        if self.checker.is_due() {
            self.checker.run(&self.values);
        }
        Ok(())
    }

    /// States of large models take long, and an answer that was cut short must not be used.
    #[inline(always)]
    fn go_on(&self) -> Result<(), Unfinished> {
        if self.scratch.is_cancelled() { Err(Unfinished::Stopped) } else { Ok(()) }
    }

    fn canonicalise(&mut self, times: u64, expansion: &mut Expansion) {
        let verdict = self.canonicaliser.canonicalise(&mut self.next_values, &mut self.scratch);
        expansion.canonicalised += 1;
        expansion.nodes += verdict.nodes;
        expansion.most_nodes = expansion.most_nodes.max(verdict.nodes);
        expansion.by_hardness[verdict.hardness as usize] += times;
    }

    /// Fills `stands_for`: labels that a stabiliser of the state exchanges lead to equivalent successors (Junttila 2003, 4.3).
    fn prune_labels(&mut self) -> Option<BigUint> {
        let stabiliser = self.canonicaliser.stabiliser(&self.values, &mut self.scratch);
        self.stands_for.clear();
        self.stands_for.extend(self.labels.iter().map(|&label| self.model.multiplicity(label) as u32));
        if stabiliser.is_trivial() {
            return None;
        }
        let order = Some(stabiliser.order());
        if !self.settings.prune {
            return order;
        }
        let mut leader: Vec<u32> = (0..self.labels.len() as u32).collect();
        for generator in stabiliser.generators() {
            for at in 0..self.labels.len() {
                let image = self.model.image(generator, self.labels[at], &mut self.workspace);
                // Labels ascend, and the stabiliser maps enabled labels to enabled ones.
                if let Ok(other) = self.labels.binary_search(&image) {
                    let (a, b) = (follow(&leader, at as u32), follow(&leader, other as u32));
                    leader[a.max(b) as usize] = a.min(b);
                }
            }
        }
        self.stands_for.fill(0);
        for at in 0..self.labels.len() {
            let multiplicity = self.model.multiplicity(self.labels[at]) as u32;
            self.stands_for[follow(&leader, at as u32) as usize] += multiplicity;
        }
        order
    }

    /// Stores the successor (`successor`, and `next_values` where the run reduces) unless it is known.
    fn resolve(&mut self, link: Link, label: Option<Label>) -> Result<(), Overflow> {
        if let Some(label) = label.filter(|_| self.collects) {
            self.pending.push(hash_words(&self.successor), &self.successor, link, label);
            return Ok(());
        }
        let inserted = match self.canonicaliser.method() {
            _ if self.canonicaliser.compares() => self.insert_class(link),
            Method::Flood if self.reduces => self.flood(link)?,
            _ => self.store.insert(&self.successor, link),
        };
        match inserted {
            Inserted::Known(_) => {}
            Inserted::Full => self.shared.stop(Stopped::MaxMemory),
            Inserted::Fresh(id) => self.welcome(id, label),
        }
        Ok(())
    }

    /// Stores what was collected.
    fn flush(&mut self) {
        let mut pending = std::mem::take(&mut self.pending);
        let store = self.store;
        store.insert_all(&mut pending, |state, label, inserted| match inserted {
            Inserted::Known(_) => {}
            Inserted::Full => self.shared.stop(Stopped::MaxMemory),
            Inserted::Fresh(id) => {
                let asks = self.asks_about(Some(label), state);
                if asks {
                    self.model.schema().unpack(state, &mut self.next_values);
                }
                self.count_in(id, Some(label), asks.then_some(state));
            }
        });
        pending.clear();
        self.pending = pending;
    }

    fn welcome(&mut self, id: StateId, label: Option<Label>) {
        let state = std::mem::take(&mut self.successor);
        let asks = self.asks_about(label, &state);
        if asks && !self.reduces {
            self.model.schema().unpack(&state, &mut self.next_values);
        }
        self.count_in(id, label, asks.then_some(&state));
        self.successor = state;
    }

    /// Does a state that was reached by this label have to be judged? As long as no state violates anything, many labels
    /// cannot lead to one that does.
    fn asks_about(&self, label: Option<Label>, state: &[u64]) -> bool {
        label.is_none_or(|label| self.model.may_violate(label, state, &self.workspace))
            || self.shared.violated.load(Ordering::Relaxed)
    }

    /// A new state; `judged` is the state where it is to be judged, and then `next_values` are its values.
    fn count_in(&mut self, id: StateId, label: Option<Label>, judged: Option<&[u64]>) {
        self.fresh.push(id);
        // A limit wants every state counted at once; without one, batches will do and threads meet less often.
        if let Some(most) = self.settings.max_states
            && self.shared.states.fetch_add(1, Ordering::Relaxed) >= most
        {
            self.shared.stop(Stopped::MaxStates);
            return;
        }
        let Some(state) = judged else { return };
        let before = self.violations.len();
        let Worker { model, next_values, workspace, violations, shared, .. } = self;
        let mut note = |property| violations.push(Found { property, state: Some(id), failing: None });
        match label.filter(|_| !shared.violated.load(Ordering::Relaxed)) {
            Some(label) => model.judge_after(label, (next_values, state), workspace, &mut note),
            None => model.judge(next_values, workspace, &mut note),
        }
        if self.violations.len() > before {
            // Whoever takes this state up will have waited for the queue, and so sees this.
            shared.violated.store(true, Ordering::Relaxed);
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

    /// A11: the states with the same invariant are compared one by one.
    fn insert_class(&mut self, link: Link) -> Inserted {
        let Worker { canonicaliser, next_values, other, scratch, store, successor, model, .. } = self;
        let hash = canonicaliser.invariant(next_values, scratch);
        store.insert_class(hash, successor, link, |stored| {
            model.schema().unpack(stored, other);
            canonicaliser.equivalent(other, next_values, scratch) || scratch.is_cancelled()
        })
    }

    /// Spermann 2009, 2.8: with a new state its whole orbit is stored. One thread floods at a time, so that two threads
    /// cannot each take a state of one orbit for new. The orbit is complete before the first of it is stored: where an
    /// image does not fit its slots, nothing has happened yet.
    fn flood(&mut self, link: Link) -> Result<Inserted, Overflow> {
        if let Some(known) = self.store.find(&self.successor) {
            return Ok(Inserted::Known(known));
        }
        let _alone = self.shared.flooding.lock().unwrap_or_else(PoisonError::into_inner);
        let mut orbit = vec![self.successor.clone()];
        let mut met: HashSet<Vec<u64>> = orbit.iter().cloned().collect();
        let mut waiting = vec![self.next_values.clone()];
        while let Some(values) = waiting.pop() {
            for generator in 0..self.canonicaliser.generators() {
                let mut image = values.clone();
                self.canonicaliser.moved_by(generator, &values, &mut image);
                let mut packed = self.successor.clone();
                self.model.schema().pack(&image, &mut packed)?;
                if met.insert(packed.clone()) {
                    orbit.push(packed);
                    waiting.push(image);
                }
            }
            if self.shared.stopped().is_some() {
                break;
            }
        }
        let inserted = self.store.insert(&orbit[0], link);
        let Inserted::Fresh(id) = inserted else { return Ok(inserted) };
        for image in &orbit[1..] {
            if let Inserted::Full = self.store.insert(image, Link::Shadow(id)) {
                return Ok(Inserted::Full);
            }
        }
        Ok(inserted)
    }

    fn commit(&mut self, id: StateId, expansion: Expansion) {
        let tally = &mut self.tally;
        tally.expanded += 1;
        tally.orbit(expansion.stabiliser);
        let enabled: u64 = self.labels.iter().map(|&label| self.model.multiplicity(label)).sum();
        tally.transitions += enabled;
        self.unreported += enabled;
        for &label in &self.labels {
            tally.fire(label);
        }
        if let Some(weights) = self.model.slot_weights() {
            let mut total = 0u128;
            for ((bound, &value), &weight) in tally.bounds.iter_mut().zip(&self.values).zip(weights) {
                *bound = value.max(*bound);
                total += u128::from(value) * u128::from(weight);
            }
            tally.largest_total = tally.largest_total.max(total);
        }
        tally.canonicalised += expansion.canonicalised;
        tally.search_nodes += expansion.nodes;
        tally.most_search_nodes = tally.most_search_nodes.max(expansion.most_nodes);
        for hardness in [Hardness::Trivial, Hardness::Easy, Hardness::Hard] {
            tally.classify(hardness, expansion.by_hardness[hardness as usize]);
        }
        if !expansion.lives {
            tally.deadlocks += 1;
            if let Some(property) = self.settings.deadlock
                && self.model.is_certainly_dead(&self.values, &mut self.workspace)
            {
                self.violated(Found { property, state: Some(id), failing: None });
            }
        }
    }
}

fn follow(leader: &[u32], mut at: u32) -> u32 {
    while leader[at as usize] != at {
        at = leader[at as usize];
    }
    at
}
