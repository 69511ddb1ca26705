//! The explorer: from a model and a canonicaliser to counts, violations and bounds.
//!
//! Workers take batches from one frontier and share one visited set; the calling thread watches limits and reports
//! progress. A worker commits what it counted only when a state is finished, so a run may stop anywhere, and a state
//! interrupted by a slot that became too narrow is simply explored again in the wider layout.

mod frontier;
mod graph;
mod pending;
mod store;
pub(crate) mod table;
mod tally;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use frontier::Frontier;
pub use frontier::Order;
pub use graph::{Graph, reachability_graph};
use num_bigint::BigUint;
use store::{Link, Store};
pub use store::{StateId, hash_words};
use tally::Tally;
use worker::Worker;

use crate::canon::{Canonicaliser, Method, Patience};
use crate::model::{Label, Model, Start, Step};
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
}

impl Stopped {
    const ALL: [Stopped; 8] = [
        Stopped::Exhausted,
        Stopped::Violation,
        Stopped::MaxStates,
        Stopped::MaxSeconds,
        Stopped::MaxMemory,
        Stopped::Interrupted,
        Stopped::Overflow,
        Stopped::Limit,
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
    pub seconds: f64,
    pub store_bytes: u64,
    pub packed_bits: u32,
}

/// What workers share.
struct Shared {
    queue: Mutex<Queue>,
    wake: Condvar,
    /// Set once: the reason to stop, or RUNNING.
    stop: AtomicU8,
    /// Have all initial states been entered?
    started: AtomicBool,
    /// Jobs that are not finished.
    running: AtomicUsize,
    states: AtomicU64,
    transitions: AtomicU64,
    flooding: Mutex<()>,
    /// Has a property been found violated by some state?
    violated: AtomicBool,
    /// Ends with a reason to stop that cannot wait for the state at hand.
    patience: Patience,
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
const WATCH_INTERVAL: Duration = Duration::from_millis(50);
/// Recursion in equivalence tests goes one frame per level of the group's chain.
const WORKER_STACK: usize = 256 << 20;

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stop(&self, why: Stopped) {
        let _ = self.stop.compare_exchange(RUNNING, why as u8, Ordering::SeqCst, Ordering::SeqCst);
        if matches!(why, Stopped::MaxSeconds | Stopped::MaxMemory | Stopped::Interrupted) {
            self.patience.end();
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
        running: AtomicUsize::new(0),
        states: AtomicU64::new(0),
        transitions: AtomicU64::new(0),
        flooding: Mutex::new(()),
        violated: AtomicBool::new(false),
        patience: Patience::default(),
    };
    let compares = canonicaliser.compares();
    let mut run = Run {
        store: Store::new(model.schema(), compares, settings.threads),
        tally: Tally::new(model.schema().slots().len()),
        model,
        canonicaliser,
        settings,
        shared,
        begun,
        relaid: 0,
        starts: Vec::new(),
    };
    run.start(watch);
    loop {
        run.round(watch);
        let Some(overflow) = run.shared.queue().widen.take() else { break };
        run.widen(overflow);
    }
    run.finish()
}

struct Run<'a, M, C> {
    model: M,
    store: Store,
    tally: Tally,
    canonicaliser: &'a C,
    settings: &'a Settings,
    shared: Shared,
    begun: Instant,
    /// States laid out anew so far.
    relaid: u64,
    starts: Vec<Start>,
}

impl<M: Model + Send + Clone, C: Canonicaliser> Run<'_, M, C> {
    /// Finds the initial states, which may take long.
    fn start(&mut self, watch: &mut dyn FnMut(&Progress) -> bool) {
        let job = || {
            let mut workspace = self.model.workspace();
            let starts = self.model.starts(&mut workspace);
            (starts, self.model.covered(&workspace))
        };
        for (starts, covered) in self.watched(watch, vec![job]) {
            self.starts = starts;
            self.tally.covered.extend(covered);
        }
        if self.model.has_given_up() {
            self.shared.stop(Stopped::Limit);
        }
    }

    /// Lets the workers run until there is nothing left to do, a reason to stop, or a slot to widen.
    fn round(&mut self, watch: &mut dyn FnMut(&Progress) -> bool) {
        let threads = self.settings.threads.max(1);
        // One worker begins with the initial states; the others wait for what it finds.
        let starts: &[Start] = if self.shared.started.load(Ordering::SeqCst) { &[] } else { &self.starts };
        self.shared.queue().exploring = usize::from(!starts.is_empty());
        let job = |number| {
            let worker = self.worker();
            move || worker.run(if number == 0 { starts } else { &[] })
        };
        let jobs = (0..threads).map(job).collect();
        let counted = self.watched(watch, jobs);
        counted.iter().for_each(|counted| self.tally.add(counted));
    }

    fn worker(&self) -> Worker<'_, M, C> {
        Worker::new(&self.model, &self.store, self.canonicaliser, self.settings, &self.shared)
    }

    /// Runs the jobs on threads of their own, while this thread watches the limits; what they return.
    fn watched<T: Send, J: FnOnce() -> T + Send>(
        &self,
        watch: &mut dyn FnMut(&Progress) -> bool,
        jobs: Vec<J>,
    ) -> Vec<T> {
        let shared = &self.shared;
        shared.running.store(jobs.len(), Ordering::SeqCst);
        std::thread::scope(|scope| {
            let spawn = |job: J| {
                let job = move || {
                    let result = job();
                    let _queue = shared.queue();
                    shared.running.fetch_sub(1, Ordering::SeqCst);
                    shared.wake.notify_all();
                    result
                };
                std::thread::Builder::new().stack_size(WORKER_STACK).spawn_scoped(scope, job)
            };
            let threads: Vec<_> = jobs.into_iter().map(spawn).collect();
            if threads.iter().any(Result::is_err) {
                shared.stop(Stopped::MaxMemory);
            }
            let threads: Vec<_> = threads.into_iter().flatten().collect();
            while !threads.iter().all(|thread| thread.is_finished()) {
                let held = self.store.bytes() + self.model.bytes();
                watch_limits(held, self.settings, shared, self.begun, watch);
                if shared.patience.has_ended() {
                    self.model.interrupt();
                }
                wait_a_little(shared);
            }
            let joined = threads.into_iter().map(|thread| thread.join());
            joined.map(|result| result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
        })
    }

    fn widen(&mut self, overflow: Overflow) {
        let states = self.shared.states.load(Ordering::SeqCst);
        self.relaid += states;
        // Slots grow one by one while that costs no more than exploring does; then all that are narrower grow at once.
        let patient = self.relaid <= RELAY_FACTOR * states.max(RELAY_FREE);
        let all: Vec<u32> = (0..self.model.schema().slots().len() as u32).collect();
        let wider = self
            .model
            .widened(if patient { std::slice::from_ref(&overflow.slot) } else { &all }, overflow.bits);
        let old = std::mem::replace(&mut self.store, Store::new(wider.schema(), false, 1));
        let (store, renumbering) = old.relaid(&self.model, &wider);
        self.store = store;
        self.model = wider;
        let mut queue = self.shared.queue();
        queue.frontier.renumber(&renumbering);
        for found in &mut queue.violations {
            found.state = found.state.map(|state| renumbering.renumber(state));
        }
    }

    fn finish(self) -> Exploration<M> {
        let stopped = self.shared.stopped().unwrap_or(Stopped::Exhausted);
        let queue = self.shared.queue();
        let mut violations: Vec<Violation> = Vec::new();
        for property in 0..self.settings.properties {
            if let Some(found) = queue.violations.iter().find(|found| found.property == property) {
                let path = found.state.map_or_else(Vec::new, |state| self.path(state));
                violations.push(Violation { property, path, failing: found.failing });
            }
        }
        let states = self.shared.states.load(Ordering::SeqCst);
        let depth = queue.frontier.depth();
        drop(queue);
        let full_states = match self.canonicaliser.method() {
            Method::None => Some(BigUint::from(states)),
            _ if !self.canonicaliser.is_exact() => None,
            _ => Some(self.tally.full_states(&self.canonicaliser.group_order())),
        };
        Exploration {
            stopped,
            states: self.settings.max_states.map_or(states, |most| states.min(most)),
            initial_states: self.starts.iter().filter(|start| start.step == Step::Taken).count() as u64,
            full_states,
            depth,
            violations,
            seconds: self.begun.elapsed().as_secs_f64(),
            store_bytes: self.store.bytes() as u64,
            packed_bits: self.model.schema().bits(),
            tally: self.tally,
            model: self.model,
        }
    }

    /// The stored states from an initial one to this one.
    fn path(&self, mut state: StateId) -> Vec<Vec<u64>> {
        let schema = self.model.schema();
        let mut packed = vec![0; schema.words()];
        let mut path = Vec::new();
        loop {
            let link = self.store.read(state, &mut packed);
            let mut values = vec![0; schema.slots().len()];
            schema.unpack(&packed, &mut values);
            path.push(values);
            match link {
                Link::From(parent) => state = parent,
                Link::Initial | Link::Shadow(_) => {
                    path.reverse();
                    return path;
                }
            }
        }
    }
}

fn watch_limits(
    held: usize,
    settings: &Settings,
    shared: &Shared,
    begun: Instant,
    watch: &mut dyn FnMut(&Progress) -> bool,
) {
    let (frontier, depth, waiting) = {
        let queue = shared.queue();
        (queue.frontier.len() as u64, queue.frontier.depth(), queue.frontier.bytes())
    };
    let progress = Progress {
        states: shared.states.load(Ordering::Relaxed),
        transitions: shared.transitions.load(Ordering::Relaxed),
        frontier,
        depth,
        seconds: begun.elapsed().as_secs_f64(),
        memory_bytes: (held + waiting) as u64,
    };
    if settings.max_seconds.is_some_and(|most| progress.seconds >= most) {
        shared.stop(Stopped::MaxSeconds);
    }
    if settings.max_memory.is_some_and(|most| progress.memory_bytes >= most) {
        shared.stop(Stopped::MaxMemory);
    }
    if !watch(&progress) {
        shared.stop(Stopped::Interrupted);
    }
}

/// Sleeps until the next look, or until the workers are done.
fn wait_a_little(shared: &Shared) {
    let queue = shared.queue();
    let _ =
        shared.wake.wait_timeout_while(queue, WATCH_INTERVAL, |_| shared.running.load(Ordering::SeqCst) > 0);
}
