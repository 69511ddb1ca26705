//! All formulas that share a group, answered over one structure.
//!
//! Formulas of linear time are searched on the fly, one after the other, and expand what they look at; where a formula of branching
//! time is among them, all states are expanded first. One thread searches, the calling one watches limits and progress.
//! Where a value does not fit its slot the states are laid out anew, and the search goes on where it was.

use std::thread;
use std::time::Instant;

use super::atoms::{Classify, StateAtom, Steps};
use super::branching::{Branching, Row, Unlabelled};
use super::emptiness::{Emptiness, Found};
use super::explain::explain;
use super::fairness::Individuals;
use super::fixpoints::Labelling;
use super::ground::QuotientGround;
use super::lasso::{Explored, Path};
use super::lift::{Lifting, NotLifted, Run};
use super::product::{AtomSource, Claim};
use super::structure::Structure;
use super::watch::{Held, View, Watch};
use crate::automata::{self, Automaton};
use crate::canon::Canonicaliser;
use crate::model::PackedModel;
use crate::quotient::{Quotient, Unfinished};
use crate::search::monitor::{self, Done};
use crate::search::price::Price;
use crate::search::reach::WORKER_STACK;
use crate::search::shared::Shared;
use crate::search::widening::Widening;
use crate::search::{Order, Progress, Settings, Stopped};

/// States that are expanded at a time where all have to be, and new states that one of them is taken to have.
const BATCH: u64 = 1 << 8;
const NEW_STATES: u64 = 1 << 3;

/// A formula over the state atoms of a `Question`.
pub struct Formula {
    /// Not looked at where an automaton is given.
    pub rows: Vec<Row>,
    /// Accepts the runs that violate a property which is given by an automaton.
    pub violations: Option<Automaton>,
    pub atoms: Vec<AtomSource>,
    /// Is it a path formula that must hold on every run? Otherwise it is a state formula.
    pub is_linear: bool,
    /// Is the last state of a finite run repeated? Otherwise there is no next position at its end.
    pub stutters: bool,
}

/// Formulas that are answered together.
pub struct Question {
    pub state_atoms: Vec<StateAtom>,
    /// What formulas see of a step depends on so many slots of the state, the first ones, which never change.
    pub constants: usize,
    pub formulas: Vec<Formula>,
    /// Are edges kept as long as memory allows it? Otherwise all are fired again whenever they are needed.
    pub keeps_edges: bool,
}

#[derive(Debug, Default)]
pub struct Answer {
    /// None where it is not known.
    pub holds: Option<bool>,
    /// Where it does not hold, and that can be shown by a run.
    pub run: Option<Run>,
    /// Why there is no answer, where that is not a limit of the whole run.
    pub why: Option<String>,
    /// States and edges of the automaton of the negation.
    pub automaton: Option<(usize, usize)>,
    /// Nodes of the product that were searched.
    pub nodes: u64,
    pub seconds: f64,
}

pub struct Report {
    pub stopped: Stopped,
    pub answers: Vec<Answer>,
    pub states: u64,
    /// States whose successors are known.
    pub expanded: u64,
    pub edges: u64,
    /// Did a step fail, or had a condition no value?
    pub has_failed: bool,
    /// Were states taken for equivalent that are not? Then nothing is known of fair runs.
    pub lacks_witnesses: bool,
    pub bytes: u64,
    /// Of what grew with the number of edges, predecessors included, when it was largest.
    pub edge_bytes: u64,
    /// Were edges kept to the end? Otherwise they were fired again.
    pub keeps_edges: bool,
    pub seconds: f64,
}

/// Answers until done, until a limit is reached, or until `watch`, called about twenty times a second, returns false. `classify`:
/// what formulas can see of the step of a label, where they speak of steps. `individuals`: to whom runs are fair, where only fair runs
/// count; all labels are fired then, as those that symmetries exchange are of different individuals.
pub fn answer<M: PackedModel + Clone + Send, C: Canonicaliser>(
    (model, canonicaliser): (&M, &C),
    question: &Question,
    classify: Option<Classify<'_>>,
    individuals: Option<Box<dyn Individuals + '_>>,
    settings: &Settings,
    watch: &mut dyn FnMut(&Progress) -> bool,
) -> Report {
    let begun = Instant::now();
    let price = Price::new(settings.price.clone(), &canonicaliser.group_order(), 1);
    let shared = Shared::new(Order::Breadth, begun, price);
    let view = View { model, held: Held::default() };
    let (compares, is_fair) = (canonicaliser.compares(), individuals.is_some());
    let mut session = Session {
        structure: Structure::new(model.schema(), compares, &question.state_atoms, question.taken()),
        question,
        answers: question.formulas.iter().map(|_| Answer::default()).collect(),
        is_entered: false,
        next_state: 0,
        labelling: Labelling::default(),
        next_formula: 0,
        search: None,
        spent: 0.0,
        steps: Steps::new(classify, individuals, question.constants),
        watch: Watch::new(&shared, &view.held, settings),
    };
    if !question.keeps_edges {
        session.structure.forget_edges();
    }
    thread::scope(|scope| {
        let work = || {
            let _done = Done(&shared);
            let _entered = shared.cancel.enter();
            session.run_through_layouts(model.clone(), canonicaliser, settings.prune && !is_fair);
        };
        match thread::Builder::new().stack_size(WORKER_STACK).spawn_scoped(scope, work) {
            Ok(worker) => {
                monitor::until_done(&view, settings, &shared, begun, watch);
                worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            }
            Err(_) => shared.stop(Stopped::MaxMemory),
        }
    });
    let Session { structure, answers, labelling, .. } = session;
    Report {
        stopped: shared.stopped().unwrap_or(Stopped::Exhausted),
        answers,
        states: u64::from(structure.states()),
        expanded: structure.expanded,
        edges: structure.edges,
        has_failed: structure.has_failed,
        lacks_witnesses: structure.lacks_witnesses,
        bytes: (structure.bytes() + labelling.bytes()) as u64,
        edge_bytes: (structure.edge_bytes.max(structure.kept_bytes()) + labelling.edge_bytes()) as u64,
        keeps_edges: structure.keeps_edges(),
        seconds: begun.elapsed().as_secs_f64(),
    }
}

/// What is known so far; nothing of it depends on the layout of states.
struct Session<'s> {
    structure: Structure,
    question: &'s Question,
    answers: Vec<Answer>,
    is_entered: bool,
    /// States below this are expanded, where all have to be.
    next_state: u32,
    labelling: Labelling,
    next_formula: usize,
    search: Option<(Claim, Emptiness)>,
    /// Seconds spent on the formula at hand.
    spent: f64,
    steps: Steps<'s>,
    watch: Watch<'s>,
}

impl<'s> Session<'s> {
    fn run_through_layouts<M: PackedModel + Clone, C: Canonicaliser>(
        &mut self,
        mut model: M,
        canonicaliser: &C,
        prune: bool,
    ) {
        let mut widening = Widening::default();
        loop {
            let unfinished = {
                let shared = self.watch.shared();
                let mut quotient = Quotient::new(&model, canonicaliser, prune, &shared.cancel);
                if quotient.reduces() && !shared.price.is_off() {
                    quotient.measure(shared.price.meter(0));
                }
                self.run(&mut quotient).err()
            };
            let stopped = match unfinished {
                None => return,
                Some(Unfinished::Narrow(overflow)) if overflow.bits <= 64 => {
                    let states = u64::from(self.structure.states());
                    widening.count(states);
                    let wider = widening.widened(&model, overflow, states);
                    self.structure.lay_out_anew(model.schema(), wider.schema());
                    model = wider;
                    continue;
                }
                Some(Unfinished::Narrow(_)) => Stopped::Overflow,
                Some(Unfinished::GaveUp) => Stopped::Limit,
                Some(Unfinished::Full) => Stopped::MaxMemory,
                Some(Unfinished::Cancelled) => Stopped::Interrupted,
            };
            // A reason that is there already is not replaced.
            self.watch.shared().stop(stopped);
            return;
        }
    }

    fn run<M: PackedModel, C: Canonicaliser>(
        &mut self,
        quotient: &mut Quotient<'_, M, C>,
    ) -> Result<(), Unfinished> {
        if !self.is_entered {
            let starts = quotient.model.starts(&mut quotient.workspace);
            if quotient.model.has_given_up() {
                return Err(Unfinished::GaveUp);
            }
            self.structure.enter(quotient, &starts, &mut self.steps)?;
            self.is_entered = true;
        }
        if self.question.formulas.iter().any(|formula| !formula.is_linear) {
            self.expand_all(quotient)?;
        }
        while let Some(formula) = self.question.formulas.get(self.next_formula) {
            let begun = Instant::now();
            let answered = if formula.is_linear {
                self.answer_linear(formula, quotient)
            } else {
                self.answer_branching(formula, quotient)
            };
            self.spent += begun.elapsed().as_secs_f64();
            let mut answer = answered?;
            answer.seconds = std::mem::take(&mut self.spent);
            self.answers[self.next_formula] = answer;
            self.search = None;
            self.next_formula += 1;
        }
        Ok(())
    }

    fn expand_all<M: PackedModel, C: Canonicaliser>(
        &mut self,
        quotient: &mut Quotient<'_, M, C>,
    ) -> Result<(), Unfinished> {
        let mut packed = vec![0; quotient.model.schema().words()];
        let mut batch = Vec::new();
        while self.next_state < self.structure.states() {
            let left = self.watch.states_left(&self.structure).map_or(BATCH, |left| left / NEW_STATES);
            let end =
                self.next_state.saturating_add(left.clamp(1, BATCH) as u32).min(self.structure.states());
            let is_due = |&state: &u32| {
                !self.structure.is_expanded(state) && !self.structure.is_shadow(state, &mut packed)
            };
            batch.clear();
            batch.extend((self.next_state..end).filter(is_due));
            self.ground(quotient).expand_together(&batch)?;
            self.next_state = end;
        }
        self.structure.shrink_edges();
        self.watch.on_structure(&self.structure);
        Ok(())
    }

    fn ground<'g, 'q, M: PackedModel, C: Canonicaliser>(
        &'g mut self,
        quotient: &'g mut Quotient<'q, M, C>,
    ) -> QuotientGround<'g, 'q, 's, M, C> {
        QuotientGround { structure: &mut self.structure, quotient, steps: &mut self.steps, watch: self.watch }
    }

    /// On the fly, for the automaton of the negation.
    fn answer_linear<M: PackedModel, C: Canonicaliser>(
        &mut self,
        formula: &Formula,
        quotient: &mut Quotient<'_, M, C>,
    ) -> Result<Answer, Unfinished> {
        let (claim, mut search) = match self.search.take() {
            Some(begun) => begun,
            None => match formula.negation() {
                Ok(claim) => {
                    let search = Emptiness::new(&claim);
                    (claim, search)
                }
                Err(error) => return Ok(Answer { why: Some(error.to_string()), ..Answer::default() }),
            },
        };
        let initial = self.structure.initial.clone();
        let found = search.run(&claim, &mut self.ground(quotient), &initial);
        let nodes = search.nodes.count() as u64;
        let automaton = Some((claim.automaton.state_count(), claim.automaton.edge_count()));
        let found = match found {
            Ok(found) => found,
            Err(why) => {
                self.search = Some((claim, search));
                return Err(why);
            }
        };
        let ground = &mut self.ground(quotient);
        let path = Explored { claim: &claim, nodes: &search.nodes, ground }.path(&initial, &found)?;
        let mut answer = match path {
            None if !matches!(found, Found::Nothing) => Answer {
                why: Some("the counterexample could not be found again".into()),
                ..Answer::default()
            },
            None => Answer { holds: Some(true), ..Answer::default() },
            Some(mut path) => {
                if path.decided.is_some() {
                    path.continue_anyhow(&mut self.ground(quotient))?;
                }
                self.refuted(&path, quotient)?
            }
        };
        (answer.nodes, answer.automaton) = (nodes, automaton);
        Ok(answer)
    }

    /// By labelling all states.
    fn answer_branching<M: PackedModel, C: Canonicaliser>(
        &mut self,
        formula: &Formula,
        quotient: &mut Quotient<'_, M, C>,
    ) -> Result<Answer, Unfinished> {
        let mut labelling = std::mem::take(&mut self.labelling);
        let labelled = formula.branching().label(&mut self.ground(quotient), &mut labelling);
        self.labelling = labelling;
        let labels = match labelled {
            Ok(labels) => labels,
            Err(Unlabelled::Unfinished(why)) => return Err(why),
            Err(Unlabelled::Automaton(error)) => {
                return Ok(Answer { why: Some(error.to_string()), ..Answer::default() });
            }
            Err(Unlabelled::NoStateFormula) => {
                let why = "an operator over runs stands outside of every path quantifier".to_string();
                return Ok(Answer { why: Some(why), ..Answer::default() });
            }
        };
        let top = labels.len() - 1;
        let holds = |state: &&u32| labels[top].as_ref().is_some_and(|states| states.contains(**state));
        let Some(&failing) = self.structure.initial.iter().find(|state| !holds(state)) else {
            return Ok(Answer { holds: Some(true), ..Answer::default() });
        };
        let path = explain(&formula.branching(), &labels, &mut self.ground(quotient), top, failing)?;
        self.refuted(&path, quotient)
    }

    /// The answer "no", with a run of the unreduced model.
    fn refuted<M: PackedModel, C: Canonicaliser>(
        &mut self,
        path: &Path,
        quotient: &mut Quotient<'_, M, C>,
    ) -> Result<Answer, Unfinished> {
        let why = match Lifting::new(&self.structure, quotient, &mut self.steps).lift(path) {
            Ok(run) => return Ok(Answer { holds: Some(false), run: Some(run), ..Answer::default() }),
            Err(NotLifted::Unfinished(why)) => return Err(why),
            Err(NotLifted::TooLong) => "the counterexample has more than a million steps",
            Err(NotLifted::NotEquivalent) => "the counterexample is no run of the unreduced model",
        };
        Ok(Answer { why: Some(why.into()), ..Answer::default() })
    }
}

impl Question {
    /// Classes of steps that formulas say are taken.
    fn taken(&self) -> u64 {
        let taken = |source: &AtomSource| if let &AtomSource::Taken(class) = source { class } else { 0 };
        let sources = self.formulas.iter().flat_map(|formula| &formula.atoms);
        sources.map(taken).fold(0, |all, class| all | class)
    }
}

impl Formula {
    fn branching(&self) -> Branching<'_> {
        Branching { rows: &self.rows, atoms: &self.atoms, stutters: self.stutters }
    }

    /// The automaton of the runs that violate a path formula.
    fn negation(&self) -> Result<Claim, automata::Error> {
        if let Some(automaton) = &self.violations {
            return Ok(Claim::new(automaton.clone(), self.atoms.clone(), Vec::new()));
        }
        let nothing = vec![None; self.rows.len()];
        self.branching().claim(self.rows.len() - 1, true, &nothing)
    }
}
