//! The quotient of a model by a group: the edges between representatives that every search follows.
//!
//! In: a model, a canonicaliser, and a stored state. Out: its edges, one after the other, or all at once with the numbers of
//! their targets (`edges`); `sequences` goes through transient states, so that all others see steps between stored ones; `storing` is how representatives get into the visited set. What counts as a step, which labels stand for others, when a state is dead, how a successor
//! becomes a representative and how a representative is stored is decided here and nowhere else; searches differ in what they
//! do with edges.
//!
//! A search that needs no targets drives it by hand, to skip successors that it knows before they are canonicalised:
//! `open` a state, take its successors by `next_successor`, `canonicalise` the successor at hand, `insert` it.

mod edges;
mod grouping;
mod sequences;
mod storing;

pub use edges::{Detail, Edge};
use grouping::Grouping;
use num_bigint::BigUint;
use sequences::Sequences;

use crate::canon::{Buffers, Cancel, Canonicaliser};
use crate::model::{Label, PackedModel, Start, Step};
use crate::schema::Overflow;
use crate::search::price::Meter;
use crate::visited::{StateId, Visited};

/// Labels of one state that are fired between two looks at whether the run was cancelled.
const POLL_INTERVAL: usize = 1 << 12;

/// Why a state was not finished. It is explored again, if at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// The run was cancelled: what was computed since may be wrong.
    Cancelled,
    /// The model has given up.
    GaveUp,
    /// A value does not fit its slot.
    Narrow(Overflow),
    /// The visited set has no more numbers.
    Full,
}

impl From<Overflow> for Unfinished {
    fn from(overflow: Overflow) -> Self {
        Unfinished::Narrow(overflow)
    }
}

/// A step to a successor, which the quotient holds.
#[derive(Clone, Copy, Debug)]
pub struct Successor {
    /// The first, where it is a sequence of several.
    pub label: Label,
    /// The label that made the successor; `SEVERAL` where a sequence did, through transient states.
    pub made_by: Label,
    /// Where the run reduces: transitions of the user's model that it stands for, as equivalent labels of a symmetric state
    /// are fired once.
    pub times: u64,
    /// Does it lead back to the state itself, in a model whose states are dead where nothing else happens?
    pub is_loop: bool,
}

/// Stands for the label of a state that several labels made, one after the other.
pub const SEVERAL: Label = Label::MAX;

impl Successor {
    /// The label that made the successor, where it is one alone.
    pub fn only_label(&self) -> Option<Label> {
        Some(self.made_by).filter(|&label| label != SEVERAL)
    }
}

/// What is recorded of one expanded state.
#[derive(Clone, Debug, Default)]
pub struct Expansion {
    /// Does some step lead on?
    pub leads_on: bool,
    /// Did some label happen? It may lead back, fail or be discarded.
    happens: bool,
    /// Transitions beyond one for each enabled label: a label may begin several sequences.
    pub more_transitions: u64,
    /// The order of the state's stabiliser; None where it is trivial.
    pub stabiliser: Option<BigUint>,
    /// Is something wrong with the model: does a step fail, or violate a limit?
    pub is_wrong: bool,
    /// Steps that violate a property by themselves, those that go on included.
    pub failures: Vec<(Label, usize)>,
    pub canonicalised: u64,
    pub search_nodes: u64,
    pub max_search_nodes: u64,
    /// Transitions by how hard their successors were to canonicalise.
    pub by_hardness: [u64; 3],
}

impl Expansion {
    /// Forgets the state before; buffers are kept.
    #[inline(always)]
    fn clear(&mut self) {
        self.leads_on = false;
        self.happens = false;
        self.is_wrong = false;
        self.more_transitions = 0;
        self.stabiliser = None;
        self.failures.clear();
        self.canonicalised = 0;
        self.search_nodes = 0;
        self.max_search_nodes = 0;
        self.by_hardness = [0; 3];
    }
}

/// The quotient as one thread sees it.
pub struct Quotient<'a, M: PackedModel, C: Canonicaliser> {
    pub model: &'a M,
    pub canonicaliser: &'a C,
    /// Fire one label of each orbit of the state's stabiliser?
    prune: bool,
    reduces: bool,
    is_plain: bool,
    notes: bool,
    has_idle: bool,
    has_transient: bool,
    pub workspace: M::Workspace,
    scratch: C::Scratch,
    /// The state that is expanded.
    packed: Vec<u64>,
    values: Vec<u64>,
    labels: Vec<Label>,
    /// By position in `labels`: how many transitions it stands for; 0 where another label stands for it.
    times: Vec<u64>,
    next: usize,
    expansion: Expansion,
    /// The successor at hand: as fired, and once it was canonicalised, the representative.
    successor: Vec<u64>,
    successor_values: Vec<u64>,
    /// Where `successor_values` are those of the open state but for what this label wrote and what the canonicaliser changed.
    written: Option<Label>,
    other: Vec<u64>,
    witness: Vec<u32>,
    /// Words of a state as it was fired, and as it is stored.
    edge_buffers: (Vec<u64>, Vec<u64>),
    /// Were labels asked for that are enabled only where no other happens?
    asked_idle: bool,
    sequences: Sequences,
    grouping: Grouping,
    /// Measures what symmetry costs.
    meter: Option<Meter<'a>>,
}

impl<'a, M: PackedModel, C: Canonicaliser> Quotient<'a, M, C> {
    pub fn new(model: &'a M, canonicaliser: &'a C, prune: bool, cancel: &Cancel) -> Self {
        let (words, slots) = (model.schema().words(), model.schema().slots().len());
        Quotient {
            model,
            canonicaliser,
            prune,
            reduces: canonicaliser.reduces(),
            is_plain: !model.notes() && !model.has_idle() && !model.has_transient(),
            notes: model.notes(),
            has_idle: model.has_idle(),
            has_transient: model.has_transient(),
            workspace: model.workspace(),
            scratch: canonicaliser.scratch(cancel),
            packed: vec![0; words],
            values: vec![0; slots],
            labels: Vec::new(),
            times: Vec::new(),
            next: 0,
            expansion: Expansion::default(),
            successor: vec![0; words],
            successor_values: vec![0; slots],
            written: None,
            other: vec![0; slots],
            witness: Vec::new(),
            edge_buffers: Default::default(),
            asked_idle: false,
            sequences: Sequences::default(),
            grouping: Grouping::new(canonicaliser.points(), cancel),
            meter: None,
        }
    }

    /// From now on every state stands for itself.
    pub(crate) fn stop_reducing(&mut self) {
        self.reduces = false;
    }

    pub(crate) fn measure(&mut self, meter: Meter<'a>) {
        self.meter = Some(meter);
    }

    #[inline(always)]
    pub(crate) fn is_measured(&self) -> bool {
        self.meter.is_some()
    }

    /// Before a state is opened that is to be measured, and when it is finished.
    pub(crate) fn open_measured(&mut self) {
        if let Some(meter) = &mut self.meter {
            meter.open_state();
        }
    }

    pub(crate) fn close_measured(&mut self) {
        if let Some(meter) = &mut self.meter {
            meter.close_state(&self.expansion);
        }
    }

    /// Around what an unreduced run would not do.
    #[inline(always)]
    fn begin_symmetry(&mut self) {
        if let Some(meter) = &mut self.meter {
            meter.begin();
        }
    }

    #[inline(always)]
    fn end_symmetry(&mut self) {
        if let Some(meter) = &mut self.meter {
            meter.end();
        }
    }

    /// Are states replaced by representatives?
    pub fn reduces(&self) -> bool {
        self.reduces
    }

    /// Is the successor at hand, as it was fired, the open state itself?
    #[inline(always)]
    pub fn is_back(&self) -> bool {
        self.successor == self.packed
    }

    /// The state that was opened last.
    pub fn values(&self) -> &[u64] {
        &self.values
    }

    /// The labels enabled in it, those that others stand for included.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    pub fn expansion(&self) -> &Expansion {
        &self.expansion
    }

    /// The packed words of the successor at hand.
    #[inline(always)]
    pub fn successor(&self) -> &[u64] {
        &self.successor
    }

    #[inline(always)]
    pub fn check_cancelled(&self) -> Result<(), Unfinished> {
        if self.scratch.is_cancelled() { Err(Unfinished::Cancelled) } else { Ok(()) }
    }

    /// Makes the representative of a start the successor at hand; false where the start leads to no state.
    pub fn start(&mut self, start: &Start) -> Result<bool, Unfinished> {
        if start.step != Step::Taken {
            return Ok(false);
        }
        self.written = None;
        self.successor_values.copy_from_slice(&start.values);
        if self.reduces {
            self.canonicaliser.canonicalise(&mut self.successor_values, &mut self.scratch);
            self.check_cancelled()?;
        }
        self.model.schema().pack(&self.successor_values, &mut self.successor)?;
        Ok(true)
    }

    /// Begins with a stored state: finds its labels, and which of them stand for others.
    pub fn open(&mut self, visited: &impl Visited, id: StateId) -> Result<(), Unfinished> {
        visited.read(id, &mut self.packed);
        self.model.schema().unpack(&self.packed, &mut self.values);
        self.written = None;
        self.labels.clear();
        self.times.clear();
        self.next = 0;
        self.asked_idle = false;
        self.expansion.clear();
        self.sequences.clear();
        let Quotient { model, values, workspace, labels, expansion, .. } = self;
        let failures = &mut expansion.failures;
        model.enabled(values, workspace, labels, &mut |label, property| failures.push((label, property)));
        if self.model.has_given_up() {
            return Err(Unfinished::GaveUp);
        }
        self.check_cancelled()?;
        let failures = &self.expansion.failures;
        self.expansion.happens = !failures.is_empty();
        self.expansion.is_wrong = !failures.is_empty();
        self.expansion.leads_on = !failures.is_empty() && self.model.failing_leads_on();
        if self.reduces {
            self.begin_symmetry();
            self.expansion.stabiliser = self.group_labels(0);
            self.end_symmetry();
            self.check_cancelled()?;
        }
        Ok(())
    }

    /// Where no label happened: adds those that are enabled only then. False where there are none.
    fn add_idle(&mut self) -> Result<bool, Unfinished> {
        if self.asked_idle || self.expansion.happens {
            return Ok(false);
        }
        self.asked_idle = true;
        let from = self.labels.len();
        let Quotient { model, values, workspace, labels, expansion, .. } = self;
        let known = expansion.failures.len();
        let failures = &mut expansion.failures;
        model.idle(values, workspace, labels, &mut |label, property| failures.push((label, property)));
        if expansion.failures.len() > known {
            expansion.leads_on |= model.failing_leads_on();
            expansion.is_wrong = true;
        }
        if self.reduces {
            self.begin_symmetry();
            self.group_labels(from);
            self.end_symmetry();
            self.check_cancelled()?;
        }
        Ok(self.labels.len() > from)
    }

    /// Fills `times` from this label on: labels that a stabiliser of the state exchanges lead to equivalent successors
    /// (Junttila 2003, 4.3). So do sequences that begin with them: the stabiliser maps each sequence of the one, state by
    /// state, to one of the other, for it is a symmetry also in the transient states on the way. There are as many of the one
    /// as of the other, and they lead to equivalent states.
    fn group_labels(&mut self, from: usize) -> Option<BigUint> {
        let Quotient { model, canonicaliser, values, labels, times, scratch, workspace, grouping, .. } = self;
        let stabiliser = canonicaliser.open(values, scratch);
        let labels = &labels[from..];
        times.extend(labels.iter().map(|&label| model.multiplicity(label)));
        if stabiliser.is_trivial() {
            return None;
        }
        let order = Some(stabiliser.order());
        if !self.prune {
            return order;
        }
        let leader = grouping.group(*model, stabiliser, labels, workspace);
        let times = &mut times[from..];
        times.fill(0);
        for (&leader, &label) in leader.iter().zip(labels) {
            times[leader as usize] += model.multiplicity(label);
        }
        order
    }

    /// Fires labels until one leads to a state to explore; None at the end. The successor is then at hand.
    #[inline(always)]
    pub fn next_successor(&mut self) -> Result<Option<Successor>, Unfinished> {
        if self.is_plain() { self.next_by_labels() } else { self.next_beyond_labels() }
    }

    /// Has the model neither notes nor idle labels nor transient states? Then `next_by_labels` is the same as `next_successor`.
    #[inline(always)]
    pub fn is_plain(&self) -> bool {
        M::IS_PLAIN || self.is_plain
    }

    /// As `next_successor`, for plain models.
    #[inline(always)]
    pub fn next_by_labels(&mut self) -> Result<Option<Successor>, Unfinished> {
        self.next_label::<true>()
    }

    /// As `next_successor`, for other models.
    #[inline(never)]
    pub fn next_beyond_labels(&mut self) -> Result<Option<Successor>, Unfinished> {
        if self.has_transient {
            return self.next_sequence();
        }
        loop {
            if let Some(successor) = self.next_label::<false>()? {
                return Ok(Some(successor));
            }
            if !self.has_idle || !self.add_idle()? {
                return Ok(None);
            }
        }
    }

    /// Every enabled label is counted as a transition; one that turns out to be impossible may not be one.
    #[cold]
    fn count_impossible(&mut self, label: Label, times: u64) {
        if !self.model.counts_impossible() {
            let counted = if self.reduces { times } else { self.model.multiplicity(label) };
            self.expansion.more_transitions = self.expansion.more_transitions.wrapping_sub(counted);
        }
    }

    /// `PLAIN`: the model has neither notes nor idle labels.
    #[inline(always)]
    fn next_label<const PLAIN: bool>(&mut self) -> Result<Option<Successor>, Unfinished> {
        while self.next < self.labels.len() {
            let at = self.next;
            // A state may have millions of labels.
            if at % POLL_INTERVAL == POLL_INTERVAL - 1 {
                self.check_cancelled()?;
            }
            self.next += 1;
            let label = self.labels[at];
            let times = if self.reduces { self.times[at] } else { 1 };
            if times == 0 {
                continue;
            }
            let state = (self.values.as_slice(), self.packed.as_slice());
            let step = self.model.fire_packed(state, label, &mut self.successor, &mut self.workspace)?;
            if !PLAIN && step != Step::Impossible {
                self.expansion.happens = true;
                self.take_notes(label);
            }
            match step {
                Step::Taken => {}
                Step::Impossible => {
                    self.count_impossible(label, times);
                    continue;
                }
                Step::Discarded => {
                    self.expansion.leads_on = true;
                    continue;
                }
                Step::Failed(property) => {
                    self.expansion.failures.push((label, property));
                    self.expansion.is_wrong = true;
                    self.expansion.leads_on |= self.model.failing_leads_on();
                    continue;
                }
            }
            let is_loop = self.model.stuttering_is_dead() && self.successor.iter().eq(&self.packed);
            self.expansion.leads_on |= !is_loop;
            return Ok(Some(Successor { label, made_by: label, times, is_loop }));
        }
        Ok(None)
    }

    /// Records what the step fired last violates on its way.
    fn take_notes(&mut self, label: Label) {
        let Quotient { model, workspace, expansion, .. } = self;
        model.noted(workspace, &mut |property| {
            expansion.failures.push((label, property));
            expansion.is_wrong |= model.is_limit(property);
        });
    }

    /// Turns the successor at hand into the representative of its orbit, as far as the method does that before it is stored.
    #[inline(always)]
    pub fn canonicalise(&mut self, successor: Successor) -> Result<(), Unfinished> {
        if !self.reduces {
            return Ok(());
        }
        self.begin_symmetry();
        let step = self.find_values(successor.only_label());
        let Quotient { canonicaliser, successor_values, scratch, .. } = self;
        let cost = match step {
            Some(step) => canonicaliser.canonicalise_step(successor_values, step, scratch),
            None => canonicaliser.canonicalise(successor_values, scratch),
        };
        let expansion = &mut self.expansion;
        expansion.canonicalised += 1;
        expansion.search_nodes += cost.nodes;
        expansion.max_search_nodes = expansion.max_search_nodes.max(cost.nodes);
        expansion.by_hardness[cost.hardness as usize] += successor.times;
        self.end_symmetry();
        self.check_cancelled()?;
        // Often few slots differ from those of the state that was fired, which is packed already.
        let changed = self.canonicaliser.changed(&self.scratch);
        self.model.schema().pack_parts(&self.successor_values, changed, &mut self.successor)?;
        if step.is_some() {
            self.written = successor.only_label();
        }
        Ok(())
    }

    /// The values of the successor as it was fired; where it is known, the slots in which they differ from the open state's.
    #[inline(always)]
    fn find_values(&mut self, label: Option<Label>) -> Option<&'a [u32]> {
        let Quotient { model, canonicaliser, values, successor, successor_values, workspace, .. } = self;
        let Some(label) = label else {
            self.written = None;
            model.schema().unpack(successor, successor_values);
            return None;
        };
        let step = model.written_by(label);
        match (self.written.take().and_then(|label| model.written_by(label)), step) {
            // They are those of the open state, but for what was written for the successor before.
            (Some(before), Some(step)) => {
                for part in canonicaliser.changed(&self.scratch) {
                    let part = part.start..part.end.min(values.len());
                    successor_values[part.clone()].copy_from_slice(&values[part]);
                }
                before.iter().for_each(|&slot| successor_values[slot as usize] = values[slot as usize]);
                step.iter().for_each(|&slot| {
                    successor_values[slot as usize] = model.schema().slots()[slot as usize].read(successor);
                });
            }
            _ => model.values_after(values, label, successor, successor_values, workspace),
        }
        step
    }

    /// Makes a packed representative the successor at hand.
    pub fn set_successor(&mut self, state: &[u64]) {
        self.written = None;
        self.successor.copy_from_slice(state);
        self.model.schema().unpack(state, &mut self.successor_values);
    }

    /// Finds the values of the successor at hand, which are known already where the run reduces.
    pub fn unpack_successor(&mut self) {
        if !self.reduces {
            self.written = None;
            self.model.schema().unpack(&self.successor, &mut self.successor_values);
        }
    }

    /// Calls `found` with the properties that the successor at hand violates; its values are known. `label`: the label that led
    /// to it from a state that violates nothing, where it is known that there was no other so far.
    pub fn judge_successor(&mut self, label: Option<Label>, found: &mut dyn FnMut(usize)) {
        let Quotient { model, successor, successor_values, workspace, .. } = self;
        match label {
            Some(label) => model.judge_after(label, (successor_values, successor), workspace, found),
            None => model.judge(successor_values, workspace, found),
        }
    }

    /// Calls `found` with the properties that the open state violates, and the goals that it satisfies.
    pub fn judge(&mut self, found: &mut dyn FnMut(usize)) {
        self.model.judge(&self.values, &mut self.workspace, found);
    }

    /// Is the open state, all of whose edges were followed, a deadlock?
    pub fn is_dead(&mut self) -> bool {
        !self.expansion.leads_on && !self.model.is_proper_end(&self.values, &mut self.workspace)
    }

    /// Of the open state, from which no step leads on: is it certain that none does?
    pub fn is_certainly_dead(&mut self) -> bool {
        self.model.is_certainly_dead(&self.values, &mut self.workspace)
    }

    /// The size of the orbit of a state.
    pub fn orbit_size(&mut self, values: &[u64]) -> BigUint {
        if !self.reduces {
            return BigUint::from(1u8);
        }
        self.canonicaliser.group_order() / self.canonicaliser.stabiliser(values, &mut self.scratch).order()
    }
}
