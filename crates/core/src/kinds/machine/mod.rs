//! Machines: states are valuations of names by set-theoretic values, transitions are given by predicates.
//!
//! `values` gives every value a number, `operators` is the set theory on those numbers. `compile` makes of a machine's table
//! an arena of expressions (`nodes`) and substitutions; `planning` makes of each condition the steps (`plan`) that find
//! the values it allows. `evaluate` gives values and truth, without listing what is infinite and without building what need
//! not be; `solve` runs plans; `stepping` goes from a state to its successors and caches what it found. This module puts
//! a machine behind the waist.

mod compile;
mod cuts;
mod evaluate;
mod nodes;
pub mod operators;
mod plan;
mod planning;
pub mod prepared;
mod slots;
mod solve;
mod stepping;
#[cfg(test)]
mod tests;
pub mod values;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use compile::Compiled;
use compile::widths::FEW_ELEMENTS;
pub use compile::{ClaimKind, Refusal};
use evaluate::Evaluator;
use evaluate::memory::{Fault, FaultPlace};
pub use evaluate::memory::{MAX_BUILT, MAX_OUTCOMES, MAX_SETUPS, MAX_TURNS, Why};
pub use nodes::Span;
use operators::bags;
pub use stepping::Workspace;
use stepping::labels::Labels;
pub use stepping::labels::{Event, FAILS};
use values::{Packing, Value, Values, View};

use crate::kinds::{Error, on_stack};
use crate::model::{Label, Model, Observations, PackedModel, Start, Step};
use crate::schema::{Overflow, Schema, bits_for};

/// Properties by number: 0 is the deadlock, 1 an error of the model, then the claims.
pub const ERROR: usize = 1;
pub const FIRST_CLAIM: usize = 2;

/// An error of the model, or a limit that was reached, with its place in the user's text.
#[derive(Clone, Copy, Debug)]
pub struct Failure {
    pub why: Why,
    pub span: Option<Span>,
}

#[derive(Clone)]
pub struct CompiledMachine {
    schema: Schema,
    compiled: Arc<Compiled>,
    values: Arc<Values>,
    labels: Arc<Labels>,
    /// Makes running solvers give up.
    stop: Arc<AtomicBool>,
    /// The first limit that was reached: then no answer can be trusted.
    limit: Arc<Mutex<Option<Failure>>>,
    has_given_up: Arc<AtomicBool>,
    /// The start states, once they are found: that may have taken long, and traces need them again.
    starts: Arc<OnceLock<Vec<Start>>>,
    /// The largest number of candidates that are tried for one condition.
    candidates: u64,
    /// Are values that are not tried taken not to exist?
    bounds_assumed: bool,
    /// By position of the group's base, if symmetries were given: the point there.
    base: Arc<[u32]>,
    /// By point: its position there, MAX where it does not move.
    position: Arc<[u32]>,
    /// By operation: does some symmetry map it to another one?
    exchanged: Arc<[bool]>,
    /// Sets of variables that are multisets; of how many elements they have together, the largest number is recorded.
    sums: Arc<[Vec<usize>]>,
}

/// By set of variables: how many elements their multisets had together at most.
#[derive(Clone, Debug, Default)]
pub struct LargestSums {
    numbers: Vec<u64>,
    /// By variable: what its slot held last, and how many elements that has.
    sizes: Vec<(u64, u64)>,
}

impl LargestSums {
    pub fn numbers(&self) -> Vec<u64> {
        self.numbers.clone()
    }

    fn record(&mut self, at: usize, sum: u64) {
        self.numbers.resize(self.numbers.len().max(at + 1), 0);
        self.numbers[at] = self.numbers[at].max(sum);
    }
}

impl Observations for LargestSums {
    fn merge(&mut self, other: &LargestSums) {
        other.numbers.iter().enumerate().for_each(|(at, &sum)| self.record(at, sum));
    }
}

/// Expressions may be nested deeply.
const COMPILER_STACK: usize = 512 << 20;

impl CompiledMachine {
    /// From the table of `burnside.ir.encoding`. `assume_numbers`: a number that nothing bounds is one of the machine's
    /// implementable ones.
    pub fn new(
        texts: &[String],
        rows: &[(String, Vec<i64>)],
        assume_numbers: bool,
    ) -> Result<CompiledMachine, Refusal> {
        let sorts = compile::sorts(texts, rows)?;
        let values = Arc::new(Values::of_sorts(&sorts));
        values.intern_small_sets(&sorts, FEW_ELEMENTS);
        let compile = || compile::compile(texts, rows, &values, assume_numbers);
        let compiled = on_stack(COMPILER_STACK, compile)
            .unwrap_or_else(|error| Err(Refusal::Malformed(format!("no thread: {error}"))))?;
        Ok(CompiledMachine {
            schema: Schema::new(&compiled.first_widths()),
            compiled: Arc::new(compiled),
            values,
            labels: Arc::default(),
            stop: Arc::default(),
            limit: Arc::default(),
            has_given_up: Arc::default(),
            starts: Arc::default(),
            candidates: evaluate::memory::MAX_CANDIDATES,
            bounds_assumed: false,
            base: Arc::new([]),
            position: Arc::new([]),
            exchanged: Arc::new([]),
            sums: Arc::new([]),
        })
    }

    pub fn values(&self) -> &Values {
        &self.values
    }

    pub fn shared_values(&self) -> Arc<Values> {
        self.values.clone()
    }

    /// By slot: how it holds its value.
    pub fn packings(&self) -> Vec<Packing> {
        let mut packings = self.compiled.packings.clone();
        packings.resize(self.schema.slots().len(), Packing::Number);
        packings
    }

    /// How many elements each sort has.
    pub fn sorts(&self) -> &[u32] {
        &self.compiled.sorts
    }

    pub fn constants(&self) -> usize {
        self.compiled.constants
    }

    /// Constants and variables.
    pub fn state_names(&self) -> usize {
        self.compiled.states
    }

    pub fn operations(&self) -> usize {
        self.compiled.operations.len()
    }

    /// How many parameters and results an operation has.
    pub fn arity(&self, operation: usize) -> (usize, usize) {
        let operation = &self.compiled.operations[operation];
        (operation.parameters.len(), operation.results.len())
    }

    /// Properties are numbered below this.
    pub fn properties(&self) -> usize {
        FIRST_CLAIM + self.compiled.claims.len()
    }

    /// Names of which not all values were tried so far, and where they are declared.
    pub fn cut_domains(&self) -> impl Iterator<Item = (&str, Option<Span>)> {
        let code = &self.compiled.code;
        code.cuts.slots().map(|slot| (self.name_of(slot), code.slots[slot as usize].span))
    }

    pub fn name_of(&self, slot: u32) -> &str {
        &self.compiled.code.slots[slot as usize].name
    }

    /// Refuses values that no state of this machine has.
    pub fn check_state(&self, values: &[u64]) -> Result<(), Error> {
        let fits = values.len() == self.schema.slots().len();
        if fits { Ok(()) } else { Err(Error::Call("not a state of this machine".into())) }
    }

    /// The value of each constant and variable; UNSET before it has one.
    pub fn state_values(&self, state: &[u64]) -> Vec<Value> {
        self.compiled.packings.iter().zip(state).map(|(packing, &slot)| packing.unpack(slot)).collect()
    }

    /// What a slot of a state holds.
    #[inline(always)]
    pub fn unpack(&self, slot: usize, packed: u64) -> Value {
        self.compiled.packings[slot].unpack(packed)
    }

    #[inline(always)]
    pub fn pack(&self, slot: usize, value: Value) -> u64 {
        self.compiled.packings[slot].pack(value)
    }

    /// The number of the event "constants are set up"; the one after it is the initialisation.
    pub fn setup_event(&self) -> u32 {
        self.compiled.operations.len() as u32
    }

    pub fn event(&self, label: Label) -> Option<Event> {
        self.labels.event(label)
    }

    /// The same machine, for a group whose base has these points, in this order, and that maps these operations to others.
    pub fn under(&self, base: &[u32], exchanged: &[u32]) -> CompiledMachine {
        let exchanged = (0..self.operations() as u32).map(|operation| exchanged.contains(&operation));
        let mut position = vec![u32::MAX; self.compiled.sorts.iter().sum::<u32>() as usize];
        base.iter().enumerate().for_each(|(at, &point)| position[point as usize] = at as u32);
        CompiledMachine {
            base: base.into(),
            position: position.into(),
            exchanged: exchanged.collect(),
            ..self.clone()
        }
    }

    /// Adds the moving points of a value, by position in the base; false where it has more structure than pairs.
    fn name_points(&self, value: Value, points: &mut Vec<u32>) -> bool {
        if !self.values.has_points(value) {
            return true;
        }
        match self.values.view(value) {
            View::Point(point) => {
                let at = self.position.get(point as usize).copied().unwrap_or(u32::MAX);
                points.extend((at != u32::MAX).then_some(at));
                true
            }
            View::Pair(left, right) => self.name_points(left, points) && self.name_points(right, points),
            _ => false,
        }
    }

    /// The same machine, with another limit on the candidates that are tried for one condition.
    pub fn trying(&self, candidates: u64) -> CompiledMachine {
        CompiledMachine { candidates, ..self.clone() }
    }

    /// The same machine, recording the largest numbers of elements in these sets of variables, which are multisets.
    pub fn with_sums(&self, sums: Vec<Vec<usize>>) -> CompiledMachine {
        CompiledMachine { sums: sums.into(), ..self.clone() }
    }

    /// The same machine; where true, values that are not tried are taken not to exist.
    pub fn assuming_bounds(&self, bounds_assumed: bool) -> CompiledMachine {
        CompiledMachine { bounds_assumed, ..self.clone() }
    }

    /// Makes running solvers give up.
    pub fn interrupt(&self) {
        // A thread that sees the flag also sees the limit.
        self.stop.store(true, Ordering::Release);
    }

    /// Allows solving again, as if no limit had been reached.
    pub fn resume(&self) {
        self.stop.store(false, Ordering::Relaxed);
        self.has_given_up.store(false, Ordering::Relaxed);
        *self.limit.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The first limit that was reached.
    pub fn limit(&self) -> Option<Failure> {
        *self.limit.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn limit_reached(&self, fault: Fault) {
        let failure = self.failure(fault);
        self.limit.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
        self.has_given_up.store(true, Ordering::Relaxed);
        self.interrupt();
    }

    fn failure(&self, fault: Fault) -> Failure {
        let code = &self.compiled.code;
        let span = match fault.place {
            FaultPlace::Node(id) => code.arena.info(id).span,
            FaultPlace::Sub(sub) => code.sub_spans[sub as usize],
            FaultPlace::Name(slot) => code.slots[slot as usize].span,
        };
        Failure { why: fault.why, span }
    }

    /// Turns the state whose successors were found last into the successor under this label.
    fn take_effect(&self, values: &mut [u64], label: Label, w: &mut Workspace) -> Result<Step, Overflow> {
        let Some(at) = w.position(label) else { return Ok(Step::Failed(ERROR)) };
        for &(slot, value) in w.effects(at) {
            values[slot as usize] = self.pack_any(slot, value);
        }
        Ok(Step::Taken)
    }

    fn evaluator(&self) -> Evaluator<'_> {
        Evaluator { code: &self.compiled.code, values: &self.values }
    }
}

impl Model for CompiledMachine {
    type Observations = LargestSums;
    type Workspace = Workspace;

    fn workspace(&self) -> Workspace {
        self.new_workspace()
    }

    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn starts(&self, w: &mut Workspace) -> Vec<Start> {
        if let Some(known) = self.starts.get() {
            return known.clone();
        }
        let starts = self.find_starts(w);
        if !self.stop.load(Ordering::Relaxed) {
            let _ = self.starts.set(starts.clone());
        }
        starts
    }

    fn run_begins(&self, values: &[u64]) -> bool {
        !self.is_set_up_only(values)
    }

    fn enabled(
        &self,
        values: &[u64],
        w: &mut Workspace,
        labels: &mut Vec<Label>,
        failed: &mut dyn FnMut(Label, usize),
    ) {
        self.find_successors(values, w);
        labels.extend(w.successors.iter().map(|successor| successor.label));
        w.failures.iter().for_each(|&label| failed(label, ERROR));
    }

    fn fire(&self, values: &mut [u64], label: Label, w: &mut Workspace) -> Result<Step, Overflow> {
        self.find_successors(values, w);
        self.take_effect(values, label, w)
    }

    fn fire_enabled(
        &self,
        values: &[u64],
        label: Label,
        next: &mut [u64],
        w: &mut Workspace,
    ) -> Result<Step, Overflow> {
        next.copy_from_slice(values);
        self.take_effect(next, label, w)
    }

    /// The same event with its values renamed. Events distinguished by ordinals stay: which outcome is which is not known.
    /// So do those of operations that a symmetry may map to others: to which ones, it does not say.
    fn image(&self, symmetry: &[u32], label: Label, w: &mut Workspace) -> Label {
        let Workspace { symmetry: last, images, renaming: stack, .. } = w;
        // All labels of a state are asked for in turn.
        if last != symmetry || images.is_empty() {
            last.clear();
            last.extend_from_slice(symmetry);
            images.clear();
            images.extend(0..self.compiled.sorts.iter().sum::<u32>());
            for (at, &image) in symmetry.iter().enumerate() {
                images[self.base[at] as usize] = self.base[image as usize];
            }
        }
        let rename = |value| self.values.renamed(value, images, stack);
        let stays =
            |operation: u32| self.exchanged.get(operation as usize).is_some_and(|&exchanged| exchanged);
        self.labels.renamed(label, rename, stays).unwrap_or(label)
    }

    fn points_of(&self, label: Label, points: &mut Vec<u32>, _: &mut Workspace) -> bool {
        let Some(event) = self.labels.event(label) else { return false };
        event.values.iter().all(|&value| self.name_points(value, points))
    }

    fn judge(&self, values: &[u64], w: &mut Workspace, found: &mut dyn FnMut(usize)) {
        self.judge_state(values, w, found);
    }

    fn observe(&self, values: &[u64], largest: &mut LargestSums) {
        if self.sums.is_empty() {
            return;
        }
        // States that are explored one after the other differ little.
        let LargestSums { numbers, sizes } = largest;
        numbers.resize(self.sums.len(), 0);
        sizes.resize(values.len(), (0, 0));
        for ((packing, &stored), known) in self.compiled.packings.iter().zip(values).zip(&mut *sizes) {
            if stored != known.0 {
                *known = (stored, bags::count_all(&self.values, packing.unpack(stored)));
            }
        }
        for (number, slots) in numbers.iter_mut().zip(self.sums.iter()) {
            *number = (*number).max(slots.iter().map(|&slot| sizes[slot].1).fold(0, u64::saturating_add));
        }
    }

    fn failing_leads_on(&self) -> bool {
        false
    }

    fn is_certainly_dead(&self, values: &[u64], w: &mut Workspace) -> bool {
        self.bounds_assumed || !self.cuts_in(values, w)
    }

    fn interrupt(&self) {
        CompiledMachine::interrupt(self);
    }

    fn has_given_up(&self) -> bool {
        self.has_given_up.load(Ordering::Relaxed)
    }

    fn bytes(&self) -> usize {
        self.values.bytes()
    }
}

impl PackedModel for CompiledMachine {
    #[inline]
    fn fire_packed(
        &self,
        (_, state): (&[u64], &[u64]),
        label: Label,
        successor: &mut [u64],
        w: &mut Workspace,
    ) -> Result<Step, Overflow> {
        let Some(at) = w.position(label) else { return Ok(Step::Failed(ERROR)) };
        match (&mut *successor, state) {
            ([to], [from]) => *to = *from,
            _ => successor.copy_from_slice(state),
        }
        let slots = self.schema.slots();
        for &(slot, value) in w.effects(at) {
            let packed = self.pack_any(slot, value);
            let place = slots[slot as usize];
            if packed > place.mask() {
                return Err(Overflow { slot, bits: bits_for(packed) });
            }
            let word = &mut successor[place.word as usize];
            *word = *word & !(place.mask() << place.shift) | packed << place.shift;
        }
        Ok(Step::Taken)
    }

    fn values_after(&self, _: &[u64], _: Label, successor: &[u64], next: &mut [u64], _: &mut Workspace) {
        self.schema.unpack(successor, next);
    }

    fn widened(&self, slots: &[u32], bits: u32) -> CompiledMachine {
        CompiledMachine { schema: self.schema.widened(slots.iter().copied(), bits), ..self.clone() }
    }
}
