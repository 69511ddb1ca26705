//! From a state to all its successors, computed together and returned one by one; and the claims that it violates.

pub(super) mod labels;
pub(super) mod outcome_cache;
pub(super) mod outcomes;
pub(super) mod substitute;

use hashbrown::HashTable;

use super::compile::ClaimKind;
use super::evaluate::Answer;
use super::evaluate::memory::{Fault, FaultPlace, Halt, MAX_SETUPS, Memory, Why};
use super::nodes::Slot;
use super::solve::Goal;
use super::values::Value;
use super::{CompiledMachine, ERROR, FIRST_CLAIM};
use crate::model::{Label, Start, Step};
use labels::{Event, FAILS};
use outcome_cache::{Outcome, OutcomeCache, Verdicts};
use outcomes::PendingOutcomes;

/// The working memory of one thread.
pub struct Workspace {
    memory: Memory,
    /// By operation; the last one is the initialisation.
    pub caches: Vec<OutcomeCache>,
    verdicts: Vec<Verdicts>,
    /// Of the state expanded last, ascending by label.
    pub successors: Vec<FoundSuccessor>,
    pub failures: Vec<Label>,
    cursor: usize,
    /// Is the state in the memory's environment?
    is_loaded: bool,
    pub pending: PendingOutcomes,
    /// By operation: labels that this thread has used.
    pub numbers: Vec<HashTable<(u64, Label, u32)>>,
    pub named: Vec<Value>,
    /// For renaming labels: the symmetry asked for last, its images of all points, and scratch.
    pub symmetry: Vec<u32>,
    pub images: Vec<u32>,
    pub renaming: Vec<Value>,
}

#[derive(Clone, Copy)]
pub struct FoundSuccessor {
    pub label: Label,
    cache: u32,
    start: u32,
    length: u32,
}

const HOLDS: u8 = 0;
const FALSE: u8 = 1;
const UNDEFINED: u8 = 2;

impl Workspace {
    /// Which successor has this label; they are mostly asked for in order.
    #[inline(always)]
    pub fn position(&mut self, label: Label) -> Option<usize> {
        if self.successors.get(self.cursor).is_none_or(|successor| successor.label != label) {
            self.cursor = self.successors.binary_search_by_key(&label, |successor| successor.label).ok()?;
        }
        self.cursor += 1;
        Some(self.cursor - 1)
    }

    #[inline(always)]
    pub fn effects(&self, at: usize) -> &[(Slot, Value)] {
        let FoundSuccessor { cache, start, length, .. } = self.successors[at];
        &self.caches[cache as usize].writes[start as usize..(start + length) as usize]
    }
}

impl CompiledMachine {
    pub fn new_workspace(&self) -> Workspace {
        let compiled = &self.compiled;
        let mut memory = Memory::default();
        memory.prepare(&compiled.code, Some(self.candidates));
        memory.stop = self.stop.clone();
        let mut caches: Vec<OutcomeCache> =
            compiled.operations.iter().map(|operation| OutcomeCache::new(&operation.reads)).collect();
        caches.push(OutcomeCache::new(&compiled.initialisation_reads));
        Workspace {
            memory,
            caches,
            verdicts: compiled.claims.iter().map(|claim| Verdicts::new(&claim.reads)).collect(),
            successors: Vec::new(),
            failures: Vec::new(),
            cursor: 0,
            is_loaded: false,
            pending: PendingOutcomes::default(),
            numbers: vec![HashTable::new(); compiled.operations.len() + 1],
            named: Vec::new(),
            symmetry: Vec::new(),
            images: Vec::new(),
            renaming: Vec::new(),
        }
    }

    /// The slot that a machine without variables has, to distinguish before from after its initialisation.
    pub fn phase(&self) -> Option<Slot> {
        (self.compiled.states == self.compiled.constants).then_some(self.compiled.states as Slot)
    }

    #[inline(always)]
    pub fn pack_any(&self, slot: Slot, value: Value) -> u64 {
        match self.compiled.packings.get(slot as usize) {
            Some(packing) => packing.pack(value),
            None => 1,
        }
    }

    /// Are constants set up and variables not initialised?
    #[inline(always)]
    pub(super) fn is_set_up_only(&self, values: &[u64]) -> bool {
        values.get(self.compiled.constants).is_some_and(|&slot| slot == 0)
    }

    fn load(&self, values: &[u64], memory: &mut Memory) {
        let mut changed = memory.epoch == 0;
        for (slot, packing) in self.compiled.packings.iter().enumerate() {
            let value = packing.unpack(values[slot]);
            changed |= slot < self.compiled.constants && memory.env[slot] != value;
            memory.env[slot] = value;
        }
        if changed {
            memory.epochs += 1;
            memory.epoch = memory.epochs;
        }
    }

    fn setup_goal<'g>(&self, found: &'g mut dyn FnMut(&mut Memory, bool) -> Answer<bool>) -> Goal<'g> {
        if self.compiled.setup_is_lenient { Goal::lenient(found) } else { Goal::strict(found) }
    }

    pub fn find_starts(&self, w: &mut Workspace) -> Vec<Start> {
        let compiled = &self.compiled;
        let constants = compiled.constants;
        let mut setups: Vec<Vec<Value>> = Vec::new();
        let mut fault = None;
        let memory = &mut w.memory;
        memory.epoch = 0;
        memory.env.fill(Value::UNSET);
        memory.begin();
        let evaluator = self.evaluator();
        let mut found = |m: &mut Memory, flagged: bool| {
            // Of a condition with branches one may be undefined where another holds.
            match if flagged { evaluator.truth(compiled.properties, m) } else { Ok(true) } {
                Ok(true) if setups.len() == MAX_SETUPS => {
                    m.fault = Fault { place: FaultPlace::Name(0), why: Why::TooManySetups };
                    return Err(Halt::Limit);
                }
                Ok(true) => setups.push(m.env[..constants].to_vec()),
                Ok(false) => {}
                Err(Halt::Undefined) => fault = Some(m.fault),
                Err(halt) => return Err(halt),
            }
            Ok(true)
        };
        let mut goal = self.setup_goal(&mut found);
        let plan = &compiled.code.plans[compiled.setup as usize];
        let solved = evaluator.solve(&plan.steps, false, memory, &mut goal);
        let undefined = goal.undefined();
        match solved {
            Err(Halt::Limit) => {
                self.limit_reached(memory.fault);
                return Vec::new();
            }
            Err(_) => return Vec::new(),
            Ok(_) if undefined.is_some() => fault = fault.or(Some(memory.fault)),
            Ok(_) => {}
        }
        if plan.repeats {
            let mut seen = std::collections::HashSet::new();
            setups.retain(|setup| seen.insert(setup.clone()));
        }
        let slots = self.schema.slots().len();
        let event = |operation: u32, ordinal: usize| {
            self.labels.number(Event { operation, ordinal: ordinal as u32, values: Box::new([]) })
        };
        let mut starts = Vec::new();
        if fault.is_some() {
            let label = event(self.setup_event(), FAILS as usize);
            starts.push(Start {
                label,
                step: Step::Failed(ERROR),
                values: vec![0; slots],
                noted: Vec::new(),
            });
        }
        for (number, setup) in setups.iter().enumerate() {
            let mut values = vec![0; slots];
            for (slot, &value) in setup.iter().enumerate() {
                values[slot] = self.pack_any(slot as Slot, value);
            }
            if compiled.has_setup {
                let label = event(self.setup_event(), number + 1);
                starts.push(Start { label, step: Step::Taken, values, noted: Vec::new() });
                continue;
            }
            self.find_successors(&values, w);
            for &label in &w.failures {
                starts.push(Start {
                    label,
                    step: Step::Failed(ERROR),
                    values: values.clone(),
                    noted: Vec::new(),
                });
            }
            for at in 0..w.successors.len() {
                let mut values = values.clone();
                for &(slot, value) in w.effects(at) {
                    values[slot as usize] = self.pack_any(slot, value);
                }
                starts.push(Start {
                    label: w.successors[at].label,
                    step: Step::Taken,
                    values,
                    noted: Vec::new(),
                });
            }
        }
        starts
    }

    pub fn find_successors(&self, values: &[u64], w: &mut Workspace) {
        w.successors.clear();
        w.failures.clear();
        w.cursor = 0;
        w.is_loaded = false;
        let operations = self.compiled.operations.len();
        if self.is_set_up_only(values) {
            self.outcomes_of(operations, values, w);
        } else {
            for operation in 0..operations {
                self.outcomes_of(operation, values, w);
            }
        }
        w.successors.sort_unstable_by_key(|successor| successor.label);
    }

    /// Adds the outcomes of an operation (the last one: of the initialisation).
    #[inline(always)]
    fn outcomes_of(&self, operation: usize, values: &[u64], w: &mut Workspace) {
        w.caches[operation].make_room();
        let outcomes = match w.caches[operation].find(values) {
            Ok(known) => known,
            Err(hash) => {
                let start = w.caches[operation].outcomes.len();
                if !self.compute(operation, values, w) {
                    return;
                }
                w.caches[operation].keep(hash, values, start);
                start..w.caches[operation].outcomes.len()
            }
        };
        for &Outcome { label, start, length, fails } in &w.caches[operation].outcomes[outcomes] {
            if fails {
                w.failures.push(label);
            } else {
                w.successors.push(FoundSuccessor { label, cache: operation as u32, start, length });
            }
        }
    }

    /// Computes outcomes and appends them to the operation's cache; false where a limit was reached.
    fn compute(&self, operation: usize, values: &[u64], w: &mut Workspace) -> bool {
        if !w.is_loaded {
            self.load(values, &mut w.memory);
            w.is_loaded = true;
        }
        w.pending.clear();
        let (memory, pending) = (&mut w.memory, &mut w.pending);
        let solved = match self.compiled.operations.get(operation) {
            Some(operation) => self.run_operation(operation, memory, pending, &mut |_| {}),
            None => self.run_initialisation(memory, pending, &mut |_| {}),
        };
        match solved {
            Ok(()) => {}
            Err(Halt::Stopped) => return false,
            Err(_) => {
                self.limit_reached(w.memory.fault);
                return false;
            }
        }
        self.number_outcomes(operation, w);
        true
    }

    /// Are there values that were not tried for the successors of this state? What is remembered does not say it, so
    /// everything is computed again.
    #[cold]
    pub fn cuts_in(&self, values: &[u64], w: &mut Workspace) -> bool {
        if self.compiled.code.cuts.slots().next().is_none() {
            return false;
        }
        self.load(values, &mut w.memory);
        w.is_loaded = false;
        w.memory.has_cut = false;
        if self.is_set_up_only(values) {
            let _ = self.run_initialisation(&mut w.memory, &mut w.pending, &mut |_| {});
        } else {
            for operation in &self.compiled.operations {
                w.pending.clear();
                let _ = self.run_operation(operation, &mut w.memory, &mut w.pending, &mut |_| {});
            }
        }
        w.pending.clear();
        w.memory.has_cut
    }

    pub fn judge_state(&self, values: &[u64], w: &mut Workspace, found: &mut dyn FnMut(usize)) {
        let is_set_up_only = self.is_set_up_only(values);
        w.is_loaded = false;
        for (number, claim) in self.compiled.claims.iter().enumerate() {
            let constants = self.compiled.constants as Slot;
            if is_set_up_only
                && !(claim.kind == ClaimKind::Assertion && claim.reads.iter().all(|&slot| slot < constants))
            {
                continue;
            }
            let Workspace { memory, verdicts, is_loaded, .. } = w;
            let verdict = verdicts[number].find_or(values, || {
                if !*is_loaded {
                    self.load(values, memory);
                    *is_loaded = true;
                }
                memory.begin();
                match self.evaluator().truth(claim.predicate, memory) {
                    Ok(truth) => Some(if truth { HOLDS } else { FALSE }),
                    Err(Halt::Undefined | Halt::Unknown) => Some(UNDEFINED),
                    Err(Halt::Limit) => {
                        self.limit_reached(memory.fault);
                        None
                    }
                    Err(Halt::Stopped) => None,
                }
            });
            match (claim.kind, verdict) {
                (_, None) => {}
                (_, Some(UNDEFINED)) => found(ERROR),
                (ClaimKind::Goal, Some(HOLDS)) => found(FIRST_CLAIM + number),
                (ClaimKind::Invariant | ClaimKind::Assertion, Some(FALSE)) => found(FIRST_CLAIM + number),
                _ => {}
            }
        }
        w.is_loaded = false;
    }
}
