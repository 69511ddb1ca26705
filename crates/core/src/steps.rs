//! Steps between stored states, one label after the other, on unpacked states: for traces and checks, which follow few of them.
//!
//! In: a model and a state. Out: every sequence of labels from it through transient states, in the order in which searches
//! follow them (`quotient`), with what becomes of it.

use std::collections::HashSet;
use std::ops::ControlFlow;

use crate::model::{Label, MAX_SEQUENCE, Model, Step};
use crate::schema::Overflow;

/// What becomes of a label, after the labels before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// It leads to a stored state, is discarded, is impossible, or fails.
    Ended(Step),
    /// It violates the property of this number on its way; what becomes of it comes next.
    Noted(usize),
    /// Whether it is enabled cannot be said: asking violates the property of this number.
    FailsInGuard(usize),
    /// It leads to a transient state that came before it, or that is too far away: the sequence does not end. Other sequences
    /// with the same first label are left out.
    Endless,
    /// A value of the next state fits no slot.
    TooLarge(Overflow),
}

/// A label that was tried.
pub struct Tried<'t> {
    /// The labels before it, each with the transient state that it leads to.
    pub path: &'t [(Label, Vec<u64>)],
    pub label: Label,
    pub event: Event,
    /// The state that it leads to, where it leads to one.
    pub next: &'t [u64],
}

impl Tried<'_> {
    /// The first label of the sequence.
    pub fn first(&self) -> Label {
        self.path.first().map_or(self.label, |&(label, _)| label)
    }

    /// The property that is violated on the way.
    pub fn violates(&self) -> Option<usize> {
        match self.event {
            Event::Ended(Step::Failed(property)) | Event::Noted(property) | Event::FailsInGuard(property) => {
                Some(property)
            }
            _ => None,
        }
    }
}

type Visit<'v> = &'v mut dyn FnMut(Tried<'_>) -> ControlFlow<()>;

/// Calls `visit` with each label that is tried, until it says to stop; how many labels are enabled in the state itself.
pub fn each_step<M: Model>(
    model: &M,
    values: &[u64],
    workspace: &mut M::Workspace,
    visit: Visit<'_>,
) -> usize {
    let mut steps = Steps {
        model,
        workspace,
        visit,
        values,
        levels: Vec::new(),
        path: Vec::new(),
        passed: HashSet::new(),
        asked: 0,
        enabled: 0,
        next: values.to_vec(),
    };
    // Where it is broken off, the visitor knows.
    let _ = steps.run();
    steps.enabled
}

/// The labels of a state on the way.
#[derive(Default)]
struct Level {
    labels: Vec<Label>,
    next: usize,
    happens: bool,
    asked_idle: bool,
}

struct Steps<'s, M: Model> {
    model: &'s M,
    workspace: &'s mut M::Workspace,
    visit: Visit<'s>,
    values: &'s [u64],
    /// Of the state itself, then of the states of the path.
    levels: Vec<Level>,
    path: Vec<(Label, Vec<u64>)>,
    /// The states of the path.
    passed: HashSet<Vec<u64>>,
    /// Which state the model was asked about last.
    asked: usize,
    /// Labels of the state itself.
    enabled: usize,
    next: Vec<u64>,
}

impl<M: Model> Steps<'_, M> {
    fn run(&mut self) -> ControlFlow<()> {
        self.levels.push(Level::default());
        self.ask(false)?;
        while let Some(level) = self.levels.last_mut() {
            if let Some(&label) = level.labels.get(level.next) {
                level.next += 1;
                self.fire(label)?;
            } else if self.model.has_idle() && !level.happens && !level.asked_idle {
                level.asked_idle = true;
                self.ask(true)?;
            } else {
                self.leave();
            }
        }
        ControlFlow::Continue(())
    }

    fn leave(&mut self) {
        self.levels.pop();
        if let Some((_, state)) = self.path.pop() {
            self.passed.remove(&state);
        }
    }

    /// Finds the labels of the last state.
    fn ask(&mut self, idle: bool) -> ControlFlow<()> {
        let Steps { model, workspace, levels, path, values, .. } = self;
        let state = path.last().map_or(*values, |(_, state)| state.as_slice());
        let level = levels.len() - 1;
        let labels = &mut levels[level].labels;
        let mut failures = Vec::new();
        let mut failed = |label, property| failures.push((label, property));
        match idle {
            false => model.enabled(state, workspace, labels, &mut failed),
            true => model.idle(state, workspace, labels, &mut failed),
        }
        self.asked = level;
        if level == 0 {
            self.enabled = self.levels[0].labels.len();
        }
        for (label, property) in failures {
            self.levels[level].happens = true;
            self.tell(label, Event::FailsInGuard(property))?;
        }
        ControlFlow::Continue(())
    }

    fn fire(&mut self, label: Label) -> ControlFlow<()> {
        let Steps { model, workspace, path, values, next, .. } = self;
        let level = self.levels.len() - 1;
        if self.asked != level {
            self.asked = level;
            model.resume(workspace);
        }
        let state = path.last().map_or(*values, |(_, state)| state.as_slice());
        let step = match model.fire_enabled(state, label, next, workspace) {
            Ok(step) => step,
            Err(overflow) => return self.tell(label, Event::TooLarge(overflow)),
        };
        if step == Step::Impossible {
            return self.tell(label, Event::Ended(step));
        }
        self.levels[level].happens = true;
        if self.model.notes() {
            let mut noted = Vec::new();
            self.model.noted(self.workspace, &mut |property| noted.push(property));
            noted.into_iter().try_for_each(|property| self.tell(label, Event::Noted(property)))?;
        }
        if step != Step::Taken || !self.model.is_transient(&self.next) {
            return self.tell(label, Event::Ended(step));
        }
        if self.path.len() >= MAX_SEQUENCE || self.passed.contains(&self.next) {
            self.tell(label, Event::Endless)?;
            self.levels.truncate(1);
            self.path.clear();
            self.passed.clear();
            return ControlFlow::Continue(());
        }
        self.passed.insert(self.next.clone());
        self.path.push((label, self.next.clone()));
        self.levels.push(Level::default());
        self.ask(false)
    }

    fn tell(&mut self, label: Label, event: Event) -> ControlFlow<()> {
        (self.visit)(Tried { path: &self.path, label, event, next: &self.next })
    }
}
