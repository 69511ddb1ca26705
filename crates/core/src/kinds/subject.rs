//! What can be done with a prepared model of any kind, in the numbers of the user's side.

use std::time::{Duration, Instant};

use num_bigint::BigUint;

use super::{Error, Fact, Kind};
use crate::canon::{Cancel, Canonicaliser};
use crate::model::Label;
use crate::quotient::Unfinished;
use crate::search::components::{Components, components};
use crate::search::{self, Change, Contradiction, Difference, Exploration, Graph, Progress, Settings, Tally};
use crate::trace::NotLifted;
use crate::{temporal, trace};

/// Expressions may be nested deeper than the stack of an ordinary thread allows.
const STACK: usize = 256 << 20;
/// For finding runs to violations, after the limit on time or an interrupt.
const LIFTING_SECONDS: f64 = 0.5;
const WATCH_INTERVAL: Duration = Duration::from_millis(50);

/// A violated property and a run of the unreduced model to it: each state with the label that led there.
pub struct TracedViolation {
    pub property: usize,
    pub steps: Vec<(Label, Vec<u64>)>,
    /// The label whose step violates the property, in the last state or, where there is none, at the start.
    pub failing: Option<Label>,
}

/// The answer of a run, whatever the kind of model.
pub struct Report {
    pub stopped: &'static str,
    pub states: u64,
    pub initial_states: u64,
    pub tally: Tally<()>,
    pub full_states: Option<BigUint>,
    pub depth: u32,
    pub violations: Vec<TracedViolation>,
    /// (property, how many stored states violate it): all that do where the run kept going.
    pub violating: Vec<(usize, u64)>,
    /// By action of the user's model: in how many explored states, with how many parameters, it was enabled.
    pub firings: Vec<u64>,
    /// Has every orbit one representative?
    pub is_exact: bool,
    pub facts: Vec<(&'static str, Fact)>,
    pub seconds: f64,
    pub visited_bytes: u64,
    pub packed_bits: u32,
    pub self_checked: u64,
    pub self_check_generators: (usize, usize),
    /// Where the self-check failed: then nothing else here means anything.
    pub contradiction: Option<(Contradiction, Vec<u32>)>,
    /// Where the run gave up reducing.
    pub change: Option<Change>,
    /// Properties that are violated, with no run to show: the limit on time came, or an interrupt, before one was found.
    pub unlifted: Vec<usize>,
}

/// A prepared model, its kind forgotten.
pub trait Subject: Send + Sync {
    /// Properties are numbered below this.
    fn properties(&self) -> usize;

    fn explore(&self, settings: &Settings, watch: &mut dyn FnMut(&Progress) -> bool)
    -> Result<Report, Error>;

    /// The reachability graph, at most so many states; with witnesses, elements that map what labels lead to to what is kept.
    fn graph(&self, max_states: usize, witnesses: bool) -> Result<Graph, Error>;

    fn components(&self, max_states: usize) -> Result<Components, Error>;

    /// Answers temporal formulas; `classify` gets labels as the user's side knows them.
    fn temporal(
        &self,
        question: &temporal::Question,
        classify: Option<temporal::Classify<'_>>,
        individuals: Option<Box<dyn temporal::Individuals + '_>>,
        settings: &Settings,
        watch: &mut dyn FnMut(&Progress) -> bool,
    ) -> Result<temporal::Report, Error>;

    /// The representative of a state, and the order of its stabiliser.
    fn canonical(&self, state: &[u64]) -> Result<(Vec<u64>, BigUint), Error>;

    fn is_equivalent(&self, a: &[u64], b: &[u64]) -> Result<bool, Error>;

    /// A state in a form that is the same in every process.
    fn encode(&self, state: &[u64]) -> Result<Vec<u8>, Error>;

    /// The state that was written in such a form.
    fn decode(&self, bytes: &[u8]) -> Result<Vec<u64>, Error>;
}

impl<K: Kind + Send> Subject for K {
    fn properties(&self) -> usize {
        Kind::properties(self)
    }

    fn explore(
        &self,
        settings: &Settings,
        watch: &mut dyn FnMut(&Progress) -> bool,
    ) -> Result<Report, Error> {
        let found = search::explore(self.model().clone(), self.canonicaliser(), settings, watch);
        let lifted = if found.violations.is_empty() || found.contradiction.is_some() {
            Lifts::default()
        } else {
            lifted_in_time(self, &found, settings, watch)?
        };
        Ok(report(self, found, lifted))
    }

    fn graph(&self, max_states: usize, witnesses: bool) -> Result<Graph, Error> {
        let found =
            on_deep_stack(|| search::export(self.model(), self.canonicaliser(), max_states, witnesses))?;
        let mut graph = found.map_err(unfinished)?;
        for state in &mut graph.states {
            *state = self.state(state);
        }
        for (label, _) in &mut graph.starts {
            *label = self.label(*label);
        }
        for (_, label, _) in &mut graph.edges {
            *label = self.label(*label);
        }
        for label in graph.sequences.iter_mut().flat_map(|(_, labels)| labels) {
            *label = self.label(*label);
        }
        for (_, label) in &mut graph.failures {
            *label = self.label(*label);
        }
        for witness in &mut graph.witnesses {
            *witness = self.element(witness);
        }
        Ok(graph)
    }

    fn components(&self, max_states: usize) -> Result<Components, Error> {
        on_deep_stack(|| components(self.model(), self.canonicaliser(), max_states))?.map_err(unfinished)
    }

    fn temporal(
        &self,
        question: &temporal::Question,
        classify: Option<temporal::Classify<'_>>,
        individuals: Option<Box<dyn temporal::Individuals + '_>>,
        settings: &Settings,
        watch: &mut dyn FnMut(&Progress) -> bool,
    ) -> Result<temporal::Report, Error> {
        let classify = classify.map(|mut of_label| -> temporal::Classify<'_> {
            Box::new(move |label, values| of_label(self.label(label), &self.state(values)))
        });
        let individuals = individuals.map(|inner| -> Box<dyn temporal::Individuals + '_> {
            Box::new(Translated { kind: self, inner })
        });
        let mut report = temporal::answer(
            (self.model(), self.canonicaliser()),
            question,
            classify,
            individuals,
            settings,
            watch,
        );
        for run in report.answers.iter_mut().filter_map(|answer| answer.run.as_mut()) {
            for (label, state) in &mut run.steps {
                (*label, *state) = (self.label(*label), self.state(state));
            }
            run.closing = run.closing.map(|label| self.label(label));
            run.holonomy = self.element(&run.holonomy);
        }
        Ok(report)
    }

    fn canonical(&self, state: &[u64]) -> Result<(Vec<u64>, BigUint), Error> {
        let mut values = self.values(state)?;
        let mut scratch = self.canonicaliser().scratch(&Cancel::default());
        let order = self.canonicaliser().stabiliser(&values, &mut scratch).order();
        self.canonicaliser().canonicalise(&mut values, &mut scratch);
        Ok((self.state(&values), order * self.kernel_order()))
    }

    fn is_equivalent(&self, a: &[u64], b: &[u64]) -> Result<bool, Error> {
        let mut scratch = self.canonicaliser().scratch(&Cancel::default());
        Ok(self.canonicaliser().equivalent(&self.values(a)?, &self.values(b)?, &mut scratch))
    }

    fn encode(&self, state: &[u64]) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        Kind::encode(self, &self.values(state)?, &mut bytes);
        Ok(bytes)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Vec<u64>, Error> {
        let values = Kind::decode(self, bytes);
        let values = values.ok_or_else(|| Error::Call("these bytes are no state of the model".into()))?;
        Ok(self.state(&values))
    }
}

/// Individuals of the user's side, asked in the numbers of the core.
struct Translated<'k, K> {
    kind: &'k K,
    inner: Box<dyn temporal::Individuals + 'k>,
}

impl<K: Kind> temporal::Individuals for Translated<'_, K> {
    fn acting(&mut self, label: Label, state: &[u64]) -> Vec<temporal::Actor> {
        self.inner.acting(self.kind.label(label), &self.kind.state(state))
    }

    fn image(&mut self, element: &[u32], individual: u32) -> u32 {
        self.inner.image(&self.kind.element(element), individual)
    }
}

/// Violations with runs of the unreduced model, and those for which there was no time.
#[derive(Default)]
struct Lifts {
    violations: Vec<TracedViolation>,
    unlifted: Vec<usize>,
    was_interrupted: bool,
}

/// Runs end soon after the limit on time, and after an interrupt, also while traces are lifted.
fn lifted_in_time<K: Kind>(
    kind: &K,
    found: &Exploration<K::Model>,
    settings: &Settings,
    watch: &mut dyn FnMut(&Progress) -> bool,
) -> Result<Lifts, Error> {
    let begun = Instant::now();
    let left = settings.max_seconds.map(|most| (most - found.seconds).max(0.0) + LIFTING_SECONDS);
    let is_stopped = matches!(found.stopped, search::Stopped::Interrupted);
    let left = if is_stopped { Some(LIFTING_SECONDS) } else { left };
    let cancel = match left {
        Some(left) => Cancel::current().child_for(Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX)),
        None => Cancel::current().child(),
    };
    let progress = Progress {
        states: found.states,
        transitions: found.tally.transitions,
        frontier: 0,
        depth: found.depth,
        seconds: found.seconds,
        memory_bytes: found.visited_bytes,
    };
    let mut was_interrupted = is_stopped;
    let mut lifts: Lifts = std::thread::scope(|scope| {
        let lift = || {
            let _entered = cancel.enter();
            lifted(kind, found)
        };
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, lift);
        let thread = thread.map_err(|error| Error::TooLarge(format!("no thread: {error}")))?;
        let mut wait = Duration::from_micros(100);
        while !thread.is_finished() {
            std::thread::sleep(wait);
            wait = (2 * wait).min(WATCH_INTERVAL);
            let seconds = found.seconds + begun.elapsed().as_secs_f64();
            if wait == WATCH_INTERVAL && !is_stopped && !watch(&Progress { seconds, ..progress }) {
                was_interrupted = true;
                cancel.cancel();
            }
        }
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })?;
    lifts.was_interrupted = was_interrupted;
    Ok(lifts)
}

fn lifted<K: Kind>(kind: &K, found: &Exploration<K::Model>) -> Result<Lifts, Error> {
    let model = kind.restarted(&found.model);
    let mut lifts = Lifts::default();
    for violation in &found.violations {
        match trace::lift(&model, kind.canonicaliser(), violation, found.change.is_some()) {
            Ok(lifted) => {
                let steps = lifted.steps.iter();
                let steps = steps.map(|(label, values)| (kind.label(*label), kind.state(values))).collect();
                let failing = lifted.failing.map(|label| kind.label(label));
                lifts.violations.push(TracedViolation { property: violation.property, steps, failing });
            }
            Err(NotLifted::Cancelled) => lifts.unlifted.push(violation.property),
            Err(NotLifted::Contradiction) => {
                let message = "a counterexample could not be lifted to the unreduced model";
                return Err(Error::Contradiction(message.into()));
            }
        }
    }
    Ok(lifts)
}

fn report<K: Kind>(kind: &K, found: Exploration<K::Model>, lifted: Lifts) -> Report {
    let facts = kind.facts(&found);
    let firings = kind.firings(&found.model, &found.tally.firings);
    let contradiction = found.contradiction.map(|contradiction| {
        let element = kind.element(&kind.canonicaliser().generator(contradiction.generator).images());
        (translated(kind, contradiction), element)
    });
    Report {
        stopped: match (lifted.unlifted.is_empty(), lifted.was_interrupted) {
            (true, _) => found.stopped.name(),
            (false, true) => search::Stopped::Interrupted.name(),
            (false, false) => search::Stopped::MaxSeconds.name(),
        },
        states: found.states,
        initial_states: found.initial_states,
        full_states: found.full_states,
        depth: found.depth,
        violations: lifted.violations,
        unlifted: lifted.unlifted,
        violating: found.violating,
        firings,
        is_exact: match &found.change {
            None => kind.canonicaliser().is_exact(),
            Some(change) => change.restarted,
        },
        change: found.change,
        facts,
        seconds: found.seconds,
        visited_bytes: found.visited_bytes,
        packed_bits: found.packed_bits,
        self_checked: found.self_checked,
        self_check_generators: found.self_check_generators,
        contradiction,
        tally: found.tally.without_observations(),
    }
}

fn translated<K: Kind>(kind: &K, found: Contradiction) -> Contradiction {
    let difference = match found.difference {
        Difference::OnlyInState(label, effect) => Difference::OnlyInState(kind.label(label), effect),
        Difference::OnlyInImage(label, effect) => Difference::OnlyInImage(kind.label(label), effect),
        Difference::Labels(label, other) => Difference::Labels(kind.label(label), kind.label(other)),
        other => other,
    };
    Contradiction { state: kind.state(&found.state), image: kind.state(&found.image), difference, ..found }
}

fn unfinished(why: Unfinished) -> Error {
    match why {
        Unfinished::Narrow(_) => Error::TooLarge("a value has more than 64 bits".into()),
        Unfinished::Full => Error::TooLarge("there are more states than numbers for them".into()),
        Unfinished::GaveUp | Unfinished::Cancelled => Error::Call("the model has given up".into()),
    }
}

/// Runs work whose recursion follows the nesting of expressions.
pub fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Error> {
    on_stack(STACK, work).map_err(|error| Error::TooLarge(format!("no thread: {error}")))
}

/// Runs work in a thread with so many bytes of stack; an error where there is no such thread.
pub(super) fn on_stack<T: Send>(bytes: usize, work: impl FnOnce() -> T + Send) -> std::io::Result<T> {
    let cancel = Cancel::current();
    let work = || {
        let _entered = cancel.enter();
        work()
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(bytes).spawn_scoped(scope, work)?;
        Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}
