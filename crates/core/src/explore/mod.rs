//! The explorer: from a model and a canonicaliser to counts, violations and bounds.
//!
//! One thread leads: it finds the starts, works, and lays the states out anew where a slot became too narrow; other workers
//! join it for each layout. They take batches from one frontier and share one visited set; the calling thread watches limits
//! and reports progress. A worker commits what it counted only when a state is finished, so a run may stop anywhere, and a state
//! interrupted by a slot that became too narrow is simply explored again in the wider layout.

mod ending;
mod frontier;
mod graph;
mod pending;
mod resolved;
mod self_check;
mod store;
pub(crate) mod table;
mod tally;
mod watching;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};
use std::thread;
use std::time::Instant;

use ending::Ending;
use frontier::Frontier;
pub use frontier::Order;
pub use graph::{Graph, reachability_graph};
use num_bigint::BigUint;
pub use self_check::{Contradiction, Difference, Effect, MAX_SAMPLED_GENERATORS, SelfCheck};
use store::Store;
pub use store::{StateId, hash_words};
use tally::Tally;
use watching::Done;
use worker::Worker;

use crate::canon::{Cancel, Canonicaliser};
use crate::model::{Label, Model, Start};
use crate::schema::Overflow;

pub struct Settings {
    pub order: Order,
    pub threads: usize,
    pub keep_going: bool,
    /// The number of a property whose violation ends the run also where it would go on past others.
    pub fatal: Option<usize>,
    /// The number under which a deadlock is reported, where it is a violation.
    pub deadlock: Option<usize>,
    /// Fire one label per orbit of the state's stabiliser.
    pub prune: bool,
    /// On which states the law of symmetries is checked.
    pub self_check: SelfCheck,
    /// Which properties there are, by number.
    pub properties: usize,
    pub max_states: Option<u64>,
    pub max_seconds: Option<f64>,
    pub max_memory: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Stopped {
    Exhausted,
    Violation,
    MaxStates,
    MaxSeconds,
    MaxMemory,
    Interrupted,
    Overflow,
    /// The model has given up.
    Limit,
    /// The self-check failed.
    Contradiction,
}

impl Stopped {
    const ALL: [Stopped; 9] = [
        Stopped::Exhausted,
        Stopped::Violation,
        Stopped::MaxStates,
        Stopped::MaxSeconds,
        Stopped::MaxMemory,
        Stopped::Interrupted,
        Stopped::Overflow,
        Stopped::Limit,
        Stopped::Contradiction,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Stopped::Exhausted => "exhausted",
            Stopped::Violation => "violation",
            Stopped::MaxStates => "max-states",
            Stopped::MaxSeconds => "max-seconds",
            Stopped::MaxMemory => "max-memory",
            Stopped::Interrupted => "interrupted",
            Stopped::Overflow => "overflow",
            Stopped::Limit => "limit",
            Stopped::Contradiction => "contradiction",
        }
    }
}

/// What a run looks like from outside, while it runs.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    pub states: u64,
    pub transitions: u64,
    pub frontier: u64,
    pub depth: u32,
    pub seconds: f64,
    pub memory_bytes: u64,
}

/// A violated property and the stored states from an initial one to it.
pub struct Violation {
    pub property: usize,
    pub path: Vec<Vec<u64>>,
    /// The step that fails in the last state, or, where there is none, at the start.
    pub failing: Option<Label>,
}

/// A violation as workers note it.
#[derive(Clone, Copy)]
struct Found {
    property: usize,
    state: Option<StateId>,
    failing: Option<Label>,
}

pub struct Exploration<M> {
    /// The model in its last layout.
    pub model: M,
    pub stopped: Stopped,
    pub states: u64,
    pub initial_states: u64,
    pub tally: Tally,
    /// Sum of the orbit sizes of the explored states; None where several may share an orbit.
    pub full_states: Option<BigUint>,
    pub depth: u32,
    pub violations: Vec<Violation>,
    /// (property, how many stored states violate it): all that do where the run kept going.
    pub violating: Vec<(usize, u64)>,
    pub seconds: f64,
    pub store_bytes: u64,
    pub packed_bits: u32,
    /// States on which the self-check was made.
    pub self_checked: u64,
    /// Under how many generators each, of how many.
    pub self_check_generators: (usize, usize),
    /// Where it failed: then nothing else here means anything.
    pub contradiction: Option<Contradiction>,
}

/// What workers share.
struct Shared {
    queue: Mutex<Queue>,
    wake: Condvar,
    /// Set once: the reason to stop, or RUNNING.
    stop: AtomicU8,
    /// Have all initial states been entered?
    started: AtomicBool,
    /// Is the leading thread done?
    done: AtomicBool,
    states: AtomicU64,
    transitions: AtomicU64,
    flooding: Mutex<()>,
    /// Has a property been found violated by some state?
    violated: AtomicBool,
    /// Ends with a reason to stop that cannot wait for the state at hand.
    cancel: Cancel,
    self_check: self_check::Record,
}

struct Queue {
    frontier: Frontier,
    exploring: usize,
    /// A slot became too narrow: everybody leaves, the layout changes, everybody comes back.
    widen: Option<Overflow>,
    violations: Vec<Found>,
}

const RUNNING: u8 = u8::MAX;
/// States that a worker takes at most at a time, breadth first; more where successors are stored together.
const BATCH: usize = 64;
const LARGE_BATCH: usize = 256;
/// Each state may be laid out anew so often, on average, before narrow slots are widened all at once.
const RELAY_FACTOR: u64 = 3;
const RELAY_FREE: u64 = 20_000;
/// Recursion in equivalence tests goes one frame per level of the group's chain.
const WORKER_STACK: usize = 256 << 20;

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stop(&self, why: Stopped) {
        let _ = self.stop.compare_exchange(RUNNING, why as u8, Ordering::SeqCst, Ordering::SeqCst);
        if matches!(why, Stopped::MaxSeconds | Stopped::MaxMemory | Stopped::Interrupted) {
            self.cancel.cancel();
        }
        self.wake.notify_all();
    }

    fn stopped(&self) -> Option<Stopped> {
        Stopped::ALL.get(self.stop.load(Ordering::Relaxed) as usize).copied()
    }
}

/// Explores until done, stopped by a limit, or told to stop by `watch` (called about twenty times a second).
pub fn explore<M: Model + Send + Clone, C: Canonicaliser>(
    model: M,
    canonicaliser: &C,
    settings: &Settings,
    watch: &mut dyn FnMut(&Progress) -> bool,
) -> Exploration<M> {
    let begun = Instant::now();
    let shared = Shared {
        queue: Mutex::new(Queue {
            frontier: Frontier::new(settings.order),
            exploring: 0,
            widen: None,
            violations: Vec::new(),
        }),
        wake: Condvar::new(),
        stop: AtomicU8::new(RUNNING),
        started: AtomicBool::new(false),
        done: AtomicBool::new(false),
        states: AtomicU64::new(0),
        transitions: AtomicU64::new(0),
        flooding: Mutex::new(()),
        violated: AtomicBool::new(false),
        cancel: Cancel::default(),
        self_check: self_check::Record::new(begun),
    };
    let tally = Tally::new(model.schema().slots().len());
    let store = Store::new(model.schema(), canonicaliser.compares(), settings.threads);
    let layout = RwLock::new(Layout { model, store });
    let mut run = Run {
        layout: &layout,
        tally,
        canonicaliser,
        settings,
        shared: &shared,
        relaid: 0,
        starts: Vec::new(),
    };
    thread::scope(|scope| {
        let lead = || {
            let _done = Done(&shared);
            run.lead();
        };
        match thread::Builder::new().stack_size(WORKER_STACK).spawn_scoped(scope, lead) {
            Ok(leader) => {
                watching::until_done(&layout, settings, &shared, begun, watch);
                leader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            }
            Err(_) => shared.stop(Stopped::MaxMemory),
        }
    });
    let Run { tally, starts, .. } = run;
    let layout = layout.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ending { layout, tally, canonicaliser, settings, shared, starts }.told(begun)
}

/// What changes where a slot becomes too narrow.
struct Layout<M> {
    model: M,
    store: Store,
}

struct Run<'a, M, C> {
    layout: &'a RwLock<Layout<M>>,
    tally: Tally,
    canonicaliser: &'a C,
    settings: &'a Settings,
    shared: &'a Shared,
    /// States laid out anew so far.
    relaid: u64,
    starts: Vec<Start>,
}

impl<M: Model + Send + Clone, C: Canonicaliser> Run<'_, M, C> {
    fn lead(&mut self) {
        self.start();
        loop {
            self.round();
            let Some(overflow) = self.shared.queue().widen.take() else { break };
            self.widen(overflow);
        }
    }

    /// Finds the initial states, which may take long.
    fn start(&mut self) {
        let Layout { model, .. } = &*reading(self.layout);
        let mut workspace = model.workspace();
        self.starts = model.starts(&mut workspace);
        self.tally.covered.extend(model.covered(&workspace));
        if model.has_given_up() {
            self.shared.stop(Stopped::Limit);
        }
    }

    /// Lets the workers run until there is nothing left to do, a reason to stop, or a slot to widen.
    fn round(&mut self) {
        let layout = &*reading(self.layout);
        // One worker begins with the initial states; the others wait for what it finds.
        let starts: &[Start] = if self.shared.started.load(Ordering::SeqCst) { &[] } else { &self.starts };
        self.shared.queue().exploring = usize::from(!starts.is_empty());
        let counted = thread::scope(|scope| {
            let join_in = |_| {
                let worker = self.worker(layout);
                thread::Builder::new().stack_size(WORKER_STACK).spawn_scoped(scope, || worker.run(&[]))
            };
            let others: Vec<_> = (1..self.settings.threads).map(join_in).collect();
            if others.iter().any(Result::is_err) {
                self.shared.stop(Stopped::MaxMemory);
            }
            let mut counted = vec![self.worker(layout).run(starts)];
            for other in others.into_iter().flatten() {
                counted.push(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            counted
        });
        counted.iter().for_each(|counted| self.tally.add(counted));
    }

    fn worker<'w>(&'w self, layout: &'w Layout<M>) -> Worker<'w, M, C> {
        Worker::new(&layout.model, &layout.store, self.canonicaliser, self.settings, self.shared)
    }

    fn widen(&mut self, overflow: Overflow) {
        let mut layout = self.layout.write().unwrap_or_else(PoisonError::into_inner);
        let Layout { model, store } = &mut *layout;
        let states = self.shared.states.load(Ordering::SeqCst);
        self.relaid += states;
        // Slots grow one by one while that costs no more than exploring does; then all that are narrower grow at once.
        let patient = self.relaid <= RELAY_FACTOR * states.max(RELAY_FREE);
        let all: Vec<u32> = (0..model.schema().slots().len() as u32).collect();
        let wider =
            model.widened(if patient { std::slice::from_ref(&overflow.slot) } else { &all }, overflow.bits);
        let old = std::mem::replace(store, Store::new(wider.schema(), false, 1));
        let (relaid, renumbering) = old.relaid(model, &wider);
        (*store, *model) = (relaid, wider);
        let mut queue = self.shared.queue();
        queue.frontier.renumber(&renumbering);
        for found in &mut queue.violations {
            found.state = found.state.map(|state| renumbering.renumber(state));
        }
    }
}

fn reading<M>(layout: &RwLock<Layout<M>>) -> RwLockReadGuard<'_, Layout<M>> {
    layout.read().unwrap_or_else(PoisonError::into_inner)
}
