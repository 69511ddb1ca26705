//! Typed programs behind the waist: decoded (`ir`), laid out (`layout`), compiled (`compile`) to code that a small machine
//! runs (`code`).

mod body_cache;
mod calls;
mod code;
mod compile;
mod extents;
mod guards;
mod ir;
mod layout;
mod observe;
mod ops;
pub mod prepared;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use body_cache::Footprint;
use code::{End, Holds, Memory};
pub use compile::TooLarge;
use compile::{Compiled, Control, Instances};
use guards::{Guard, Guards, Verdict};
pub use observe::Observed;

use crate::kinds::Error;
use crate::model::{Label, Model, PackedModel, Start, Step};
use crate::schema::{Overflow, Schema, Slot};
use crate::shape::Shape;

/// States of more scalars than this are refused.
pub const MAX_SLOTS: usize = 1 << 20;

#[derive(Debug)]
pub enum Refusal {
    Malformed(String),
    TooLarge(TooLarge),
    /// So many scalars make a state.
    TooManySlots(usize),
}

#[derive(Clone)]
pub struct CompiledProgram {
    schema: Schema,
    shape: Arc<Shape>,
    compiled: Arc<Compiled>,
    properties: usize,
    /// By number of a property.
    limits: Arc<[bool]>,
    /// Tables of the encoded program, those included that are nowhere looked up.
    tables: usize,
    stuttering: bool,
    counts_impossible: bool,
    /// By position of the group's base, if symmetries were given: the point there.
    base: Arc<[u32]>,
    position: Arc<[u32]>,
    /// By action: does some symmetry map it to another one?
    exchanged: Arc<[bool]>,
    /// See `Memory`.
    interrupted: Arc<AtomicBool>,
}

impl CompiledProgram {
    /// From the table of `burnside.ir.encoding`.
    pub fn new(texts: &[String], rows: &[(String, Vec<i64>)]) -> Result<CompiledProgram, Refusal> {
        let program = ir::decode(texts, rows).map_err(|malformed| Refusal::Malformed(malformed.0))?;
        let types = layout::Types::new(&program.sorts);
        let slots = program.variables.iter().map(|(_, type_)| types.slots(type_));
        let slots = slots.fold(0usize, usize::saturating_add);
        if slots > MAX_SLOTS {
            return Err(Refusal::TooManySlots(slots));
        }
        let layout = layout::lay_out(&program, &types);
        let compiled = compile::compile(&program, &types, &layout).map_err(Refusal::TooLarge)?;
        Ok(CompiledProgram {
            schema: layout.schema,
            shape: Arc::new(layout.shape),
            compiled: Arc::new(compiled),
            properties: compile::number(program.properties.len()) as usize,
            limits: limits(&program),
            tables: rows.iter().filter(|(class, _)| class == "Table").count(),
            stuttering: program.stuttering,
            counts_impossible: program.counts_impossible,
            base: Arc::new([]),
            position: Arc::new([]),
            exchanged: Arc::new([]),
            interrupted: Arc::default(),
        })
    }

    /// Refuses values that no state of this program has.
    pub fn check_state(&self, values: &[u64]) -> Result<(), Error> {
        let slots = self.schema.slots();
        let fits = values.len() == slots.len() && values.iter().zip(slots).all(|(&v, slot)| v <= slot.mask());
        if fits { Ok(()) } else { Err(Error::Call("not a state of this program".into())) }
    }

    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Properties are numbered below this.
    pub fn properties(&self) -> usize {
        self.properties
    }

    /// The same program, not interrupted.
    pub fn uninterrupted(&self) -> CompiledProgram {
        CompiledProgram { interrupted: Arc::default(), ..self.clone() }
    }

    /// The same program, for a group whose base has these points, in this order, and that maps these actions to others.
    pub fn under(&self, base: &[u32], exchanged: &[u32]) -> CompiledProgram {
        let mut position = vec![u32::MAX; self.shape.points];
        for (at, &point) in base.iter().enumerate() {
            position[point as usize] = at as u32;
        }
        let exchanged = (0..self.compiled.actions.len() as u32).map(|action| exchanged.contains(&action));
        CompiledProgram {
            base: base.into(),
            position: position.into(),
            exchanged: exchanged.collect(),
            ..self.uninterrupted()
        }
    }

    /// Runs a body on the state in memory, which is `state`.
    fn run_body(&self, instances: &Instances, label: Label, memory: &mut Memory, state: &[u64]) -> Step {
        let code = &self.compiled.code;
        memory.noted.clear();
        if let Some(cells) = instances.cells {
            put_parameters(instances, label, cells, memory);
        }
        let step = step_of(code.run(memory, state, instances.bodies[instances.body(label)]));
        memory.control = 0;
        if instances.keeps_control.is_some() && step == Step::Taken {
            memory.next.resize(state.len(), 0);
            memory.next.iter_mut().zip(&memory.cells).for_each(|(value, &cell)| *value = cell as u64);
            memory.control = self.control_after(instances, label, memory, true);
            if memory.control != 0 {
                // Assumptions are about states that are visited, and this one is only passed.
                return step;
            }
        }
        match (step, self.compiled.assume) {
            (Step::Taken, Some(assume)) => match code.run(memory, state, assume) {
                End::Discarded => Step::Discarded,
                end => step_of(end),
            },
            (step, _) => step,
        }
    }

    /// What the slot for the process in control holds after a label that led to the state `memory.next`: the process that
    /// keeps it, if it can do something there. A guard that fails is something. `are_in_cells`: do the cells hold that state?
    fn control_after(
        &self,
        instances: &Instances,
        label: Label,
        memory: &mut Memory,
        are_in_cells: bool,
    ) -> u64 {
        let process = instances.keeps_control(label);
        let Some(control) = self.compiled.control.as_ref().filter(|_| process != 0) else { return 0 };
        let next = std::mem::take(&mut memory.next);
        let mut are_in_cells = are_in_cells;
        let can_act = control.processes[process as usize - 1].guards.visit(&next, |guard, verdict| {
            let Verdict::Ask(start) = verdict else { return true };
            if !are_in_cells {
                Self::restore(memory, &next);
                are_in_cells = true;
            }
            self.can_happen(guard, start, process, memory, &next)
        });
        memory.next = next;
        if can_act { process } else { 0 }
    }

    /// Runs the code of a guard on the state in the cells: does it hold, or fail, for some label of this process?
    fn can_happen(&self, guard: &Guard, start: u32, process: u64, memory: &mut Memory, next: &[u64]) -> bool {
        memory.emitted.clear();
        memory.failures.clear();
        std::mem::swap(&mut memory.covered, &mut memory.covered_elsewhere);
        let end = self.compiled.code.run(memory, next, start);
        std::mem::swap(&mut memory.covered, &mut memory.covered_elsewhere);
        if end != End::Done {
            for (cell, &value) in memory.cells.iter_mut().zip(next) {
                *cell = value as i64;
            }
        }
        if guard.label.is_some() {
            return !memory.emitted.is_empty() || matches!(end, End::Failed { .. });
        }
        let labels = memory.emitted.iter().chain(memory.failures.iter().map(|(label, _)| label));
        labels.into_iter().any(|&label| self.action_of(label).actor(label) == process)
    }

    /// Finds enabled labels, of the process in control where there is one.
    #[inline(always)]
    fn ask_guards(
        &self,
        (values, idle): (&[u64], bool),
        memory: &mut Memory,
        labels: &mut Vec<Label>,
        failed: &mut dyn FnMut(Label, usize),
    ) {
        memory.holds = Holds::Other;
        memory.emitted.clear();
        memory.failures.clear();
        let compiled = &*self.compiled;
        let process = compiled.control.as_ref().map_or(0, |control| values[control.slot as usize]);
        let guards = match (&compiled.control, idle) {
            (Some(control), false) if process != 0 => &control.processes[process as usize - 1].guards,
            (Some(control), true) if process != 0 => &control.processes[process as usize - 1].idle,
            (_, false) => &compiled.guards,
            (_, true) => &compiled.idle,
        };
        if memory.observed.is_some() {
            // Tables of what guards say would hide what they look up.
            guards.all().iter().for_each(|guard| self.run_guard(guard, guard.start, memory, values));
        } else {
            self.visit_guards(guards, values, memory);
        }
        if process != 0 && compiled.control.as_ref().is_some_and(|control| control.is_mixed) {
            memory.emitted.retain(|&label| self.action_of(label).actor(label) == process);
            memory.failures.retain(|&(label, _)| self.action_of(label).actor(label) == process);
        }
        labels.append(&mut memory.emitted);
        memory.failures.drain(..).for_each(|(label, property)| failed(label, property as usize));
    }

    #[inline(always)]
    fn visit_guards(&self, guards: &Guards, values: &[u64], memory: &mut Memory) {
        guards.visit(values, |guard, verdict| {
            match verdict {
                Verdict::Holds => memory.emitted.extend(guard.label),
                Verdict::Ask(start) => self.run_guard(guard, start, memory, values),
            }
            false
        });
    }

    /// Finds the process in control after a label whose successor was taken from the body cache.
    fn recall_control(
        &self,
        control: &Control,
        values: &[u64],
        label: Label,
        successor: &mut [u64],
        memory: &mut Memory,
    ) {
        let instances = self.action_of(label);
        memory.control = 0;
        if instances.keeps_control.is_some() {
            let mut next = std::mem::take(&mut memory.next);
            next.resize(values.len(), 0);
            self.values_after(values, label, successor, &mut next, memory);
            memory.next = next;
            memory.control = self.control_after(instances, label, memory, false);
        }
        self.put_control(control, memory.control, successor);
    }

    /// Puts what the slot for the process in control holds into a packed state.
    fn put_control(&self, control: &Control, code: u64, state: &mut [u64]) {
        let slot = self.schema.slots()[control.slot as usize];
        let word = &mut state[slot.word as usize];
        *word = *word & !(slot.mask() << slot.shift) | code << slot.shift;
    }

    /// Runs the code of a guard.
    fn run_guard(&self, guard: &Guard, start: u32, memory: &mut Memory, values: &[u64]) {
        self.go_back(memory, values);
        let failed = match self.compiled.code.run(memory, values, start) {
            End::Done => return,
            End::Discarded => None,
            End::Failed { property } => Some(property),
        };
        if let (Some(property), Some(label)) = (failed, guard.label) {
            memory.failures.push((label, property));
        }
        memory.holds = Holds::Other;
    }

    /// Runs a judgement on the state in memory; true where it finds nothing.
    fn ask(
        &self,
        judgement: usize,
        values: &[u64],
        memory: &mut Memory,
        found: &mut dyn FnMut(usize),
    ) -> bool {
        memory.emitted.clear();
        let end = self.compiled.code.run(memory, values, self.compiled.judge[judgement]);
        let mut is_fine = memory.emitted.is_empty();
        memory.emitted.drain(..).for_each(|property| found(property as usize));
        if let End::Failed { property } = end {
            is_fine = false;
            found(property as usize);
        }
        if end != End::Done {
            Self::restore(memory, values);
        }
        is_fine
    }

    /// The number of a judgement in the body cache, and the key of states that it finds nothing wrong with.
    #[inline(always)]
    fn fine_key(&self, judgement: usize) -> Option<(usize, &Footprint)> {
        Some((self.compiled.footprints.len() + judgement, self.compiled.fine[judgement].as_ref()?))
    }

    #[inline(always)]
    fn footprint(&self, label: Label) -> Option<&Footprint> {
        self.compiled.footprints.get(label as usize).and_then(Option::as_ref)
    }

    /// What was counted by label, by action.
    pub fn by_action(&self, by_label: &[u64]) -> Vec<u64> {
        let actions = &self.compiled.actions;
        let after = actions.iter().skip(1).map(|next| next.first as usize).chain([usize::MAX]);
        let labels = actions.iter().map(|action| action.first as usize).zip(after);
        let counted = |(from, to): (usize, usize)| by_label.iter().take(to).skip(from).sum();
        labels.map(counted).collect()
    }

    fn action_of(&self, label: Label) -> &Instances {
        &self.compiled.actions[self.action_number(label)]
    }

    fn action_number(&self, label: Label) -> usize {
        if let Some(&action) = self.compiled.action_of.get(label as usize) {
            return action as usize;
        }
        // Actions without instances share their first label with the next one.
        self.compiled.actions.partition_point(|instances| instances.first <= label) - 1
    }

    fn restore(memory: &mut Memory, values: &[u64]) {
        for (cell, &value) in memory.cells.iter_mut().zip(values) {
            *cell = value as i64;
        }
        memory.holds = Holds::Other;
    }

    /// Makes the slots those of the state that `enabled` looked at last, at the cost of what the last body changed.
    fn go_back(&self, memory: &mut Memory, values: &[u64]) {
        match memory.holds {
            Holds::Parent => {}
            Holds::ParentAfter(label) => {
                let instances = self.action_of(label);
                for &slot in instances.writes[instances.body(label)].iter().flatten() {
                    memory.cells[slot as usize] = values[slot as usize] as i64;
                }
            }
            Holds::Other => Self::restore(memory, values),
        }
        memory.holds = Holds::Parent;
    }
}

fn limits(program: &ir::Program) -> Arc<[bool]> {
    let own = program.properties.iter().map(|property| property.kind == ir::PropertyKind::Limit);
    std::iter::repeat_n(false, compile::number(0) as usize).chain(own).collect()
}

fn put_parameters(instances: &Instances, label: Label, cells: u32, memory: &mut Memory) {
    let values = instances.values(label);
    memory.cells[cells as usize..cells as usize + values.len()].copy_from_slice(&values);
}

fn step_of(end: End) -> Step {
    match end {
        End::Done => Step::Taken,
        End::Discarded => Step::Impossible,
        End::Failed { property } => Step::Failed(property as usize),
    }
}

impl Model for CompiledProgram {
    type Observations = ();
    type Workspace = Memory;

    const IS_PLAIN: bool = false;

    fn workspace(&self) -> Memory {
        let cached = self.compiled.footprints.len() + self.compiled.fine.len();
        self.compiled.code.memory(self.properties, cached, &self.interrupted)
    }

    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn starts(&self, memory: &mut Memory) -> Vec<Start> {
        let nothing = vec![0; self.schema.slots().len()];
        let mut starts = Vec::new();
        for instances in &self.compiled.starts {
            for label in (instances.first..).take(instances.count as usize) {
                if self.interrupted.load(Ordering::Relaxed) {
                    return starts;
                }
                Self::restore(memory, &nothing);
                let step = self.run_body(instances, label, memory, &nothing);
                let values = memory.cells[..nothing.len()].iter().map(|&value| value as u64).collect();
                let mut noted = Vec::new();
                if step != Step::Impossible {
                    self.noted(memory, &mut |property| noted.push(property));
                }
                starts.push(Start { label, step, values, noted });
            }
        }
        starts
    }

    fn enabled(
        &self,
        values: &[u64],
        memory: &mut Memory,
        labels: &mut Vec<Label>,
        failed: &mut dyn FnMut(Label, usize),
    ) {
        self.ask_guards((values, false), memory, labels, failed);
    }

    fn idle(
        &self,
        values: &[u64],
        memory: &mut Memory,
        labels: &mut Vec<Label>,
        failed: &mut dyn FnMut(Label, usize),
    ) {
        self.ask_guards((values, true), memory, labels, failed);
    }

    fn has_idle(&self) -> bool {
        !self.compiled.idle.is_empty()
    }

    fn has_transient(&self) -> bool {
        self.compiled.control.is_some()
    }

    fn is_transient(&self, values: &[u64]) -> bool {
        self.compiled.control.as_ref().is_some_and(|control| values[control.slot as usize] != 0)
    }

    fn resume(&self, memory: &mut Memory) {
        memory.holds = Holds::Other;
    }

    fn is_proper_end(&self, values: &[u64], memory: &mut Memory) -> bool {
        let Some(start) = self.compiled.proper_end else { return false };
        Self::restore(memory, values);
        memory.emitted.clear();
        let end = self.compiled.code.run(memory, values, start);
        let holds = end == End::Done && !memory.emitted.is_empty();
        memory.emitted.clear();
        holds
    }

    fn fire(&self, values: &mut [u64], label: Label, memory: &mut Memory) -> Result<Step, Overflow> {
        Self::restore(memory, values);
        let step = self.run_body(self.action_of(label), label, memory, values);
        for (value, &cell) in values.iter_mut().zip(&memory.cells) {
            *value = cell as u64;
        }
        if let (Some(control), Step::Taken) = (&self.compiled.control, step) {
            values[control.slot as usize] = memory.control;
        }
        Ok(step)
    }

    fn interrupt(&self) {
        self.interrupted.store(true, Ordering::Relaxed);
    }

    fn is_limit(&self, property: usize) -> bool {
        self.limits.get(property).is_some_and(|&is_limit| is_limit)
    }

    fn notes(&self) -> bool {
        self.compiled.notes
    }

    fn noted(&self, memory: &mut Memory, found: &mut dyn FnMut(usize)) {
        memory.noted.drain(..).for_each(|property| found(property as usize));
    }

    fn counts_impossible(&self) -> bool {
        self.counts_impossible
    }

    fn stuttering_is_dead(&self) -> bool {
        self.stuttering
    }

    /// The same action with its elements renamed. Positions in a bag change in no simple way: such labels stay. So do those of
    /// actions that a symmetry may map to others: to which ones, it does not say.
    fn image(&self, symmetry: &[u32], label: Label, _: &mut Self::Workspace) -> Label {
        let action = self.action_number(label);
        let instances = &self.compiled.actions[action];
        if self.exchanged.get(action).is_some_and(|&exchanged| exchanged) {
            return label;
        }
        if instances.parameters.iter().any(|parameter| parameter.is_position) {
            return label;
        }
        let mut image = 0u64;
        for (parameter, value) in instances.parameters.iter().zip(instances.values(label)) {
            let digit = (value - parameter.low) as usize;
            let renamed = match parameter.points.get(digit) {
                None => digit,
                Some(&point) => match self.position[point as usize] {
                    u32::MAX => digit,
                    at => {
                        let wanted = self.base[symmetry[at as usize] as usize];
                        parameter.points.iter().position(|&other| other == wanted).unwrap_or(digit)
                    }
                },
            };
            image = image * parameter.size + renamed as u64;
        }
        instances.first + image as Label
    }

    fn points_of(&self, label: Label, points: &mut Vec<u32>, _: &mut Self::Workspace) -> bool {
        let instances = &self.compiled.actions[self.action_number(label)];
        for (parameter, value) in instances.parameters.iter().zip(instances.values(label)) {
            let point = parameter.points.get((value - parameter.low) as usize);
            let at = point.map_or(u32::MAX, |&point| self.position[point as usize]);
            points.extend((at != u32::MAX).then_some(at));
        }
        true
    }

    fn judge(&self, values: &[u64], memory: &mut Memory, found: &mut dyn FnMut(usize)) {
        Self::restore(memory, values);
        for judgement in 0..self.compiled.judge.len() {
            self.ask(judgement, values, memory, found);
        }
    }

    fn covered(&self, memory: &Memory) -> Vec<usize> {
        (0..self.properties).filter(|&property| memory.covered[property]).collect()
    }

    fn forget_covered(&self, memory: &mut Memory) {
        memory.covered.fill(false);
    }
}

impl PackedModel for CompiledProgram {
    fn fire_packed(
        &self,
        (values, state): (&[u64], &[u64]),
        label: Label,
        successor: &mut [u64],
        memory: &mut Memory,
    ) -> Result<Step, Overflow> {
        let footprint = self.footprint(label);
        memory.recalled = footprint
            .is_some_and(|footprint| memory.body_cache.recall(label as usize, footprint, state, successor));
        if memory.recalled {
            memory.noted.clear();
            if let Some(control) = &self.compiled.control {
                self.recall_control(control, values, label, successor, memory);
            }
            return Ok(Step::Taken);
        }
        self.go_back(memory, values);
        let instances = self.action_of(label);
        let step = self.run_body(instances, label, memory, values);
        let slots = self.schema.slots();
        successor.copy_from_slice(state);
        let mut put = |slot: usize| {
            let after = memory.cells[slot];
            if after != values[slot] as i64 {
                let Slot { word, shift, .. } = slots[slot];
                let word = &mut successor[word as usize];
                *word = *word & !(slots[slot].mask() << shift) | (after as u64) << shift;
            }
        };
        match &instances.writes[instances.body(label)] {
            Some(written) => {
                written.iter().for_each(|&slot| put(slot as usize));
                memory.holds = Holds::ParentAfter(label);
                // What is recalled violates nothing.
                if let (Some(footprint), Step::Taken, true) = (footprint, step, memory.noted.is_empty()) {
                    memory.body_cache.note(label as usize, footprint, state, successor);
                }
            }
            None => {
                (0..slots.len()).for_each(put);
                memory.holds = Holds::Other;
            }
        }
        if let Some(control) = &self.compiled.control {
            self.put_control(control, memory.control, successor);
        }
        Ok(step)
    }

    fn values_after(
        &self,
        values: &[u64],
        label: Label,
        successor: &[u64],
        next: &mut [u64],
        memory: &mut Memory,
    ) {
        let slots = self.schema.slots();
        if let Some(footprint) = self.footprint(label).filter(|_| memory.recalled) {
            next.copy_from_slice(values);
            for &slot in &footprint.written {
                next[slot as usize] = slots[slot as usize].read(successor);
            }
        } else {
            for (value, &cell) in next.iter_mut().zip(&memory.cells) {
                *value = cell as u64;
            }
        }
        if let Some(control) = &self.compiled.control {
            next[control.slot as usize] = slots[control.slot as usize].read(successor);
        }
    }

    fn is_transient_packed(&self, state: &[u64]) -> bool {
        let slot = self.compiled.control.as_ref().map(|control| self.schema.slots()[control.slot as usize]);
        slot.is_some_and(|slot| slot.read(state) != 0)
    }

    fn may_violate(&self, label: Label, state: &[u64], memory: &Memory) -> bool {
        let instances = self.action_of(label);
        instances.touches[instances.body(label)].iter().any(|&judgement| {
            let key = self.fine_key(judgement as usize);
            !key.is_some_and(|(number, key)| memory.body_cache.knows(number, key, state))
        })
    }

    fn judge_after(
        &self,
        label: Label,
        (values, state): (&[u64], &[u64]),
        memory: &mut Memory,
        found: &mut dyn FnMut(usize),
    ) {
        let instances = self.action_of(label);
        Self::restore(memory, values);
        for &judgement in &instances.touches[instances.body(label)] {
            let is_fine = self.ask(judgement as usize, values, memory, found);
            if let (true, Some((number, key))) = (is_fine, self.fine_key(judgement as usize)) {
                memory.body_cache.note_once(number, key, state);
            }
        }
    }

    /// Widths are exact from the start.
    fn widened(&self, _: &[u32], _: u32) -> CompiledProgram {
        self.clone()
    }
}
