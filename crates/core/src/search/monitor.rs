//! The calling thread while others explore: it watches limits, reports progress, and decides when to stop.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::price::{Judge, Why};
use super::shared::{Queue, Shared};
use super::{Progress, Settings, Stopped};

const INTERVAL: Duration = Duration::from_millis(50);

/// Ends the watching when it is dropped, also where the leading thread panics.
pub(crate) struct Done<'a>(pub &'a Shared);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        let _queue = self.0.queue();
        self.0.done.store(true, Ordering::SeqCst);
        self.0.wake.notify_all();
    }
}

/// What the watching thread knows of the run, whatever is searched.
pub(crate) trait Watched {
    /// Bytes held, beside the frontier; None where that cannot be said now.
    fn bytes(&self) -> Option<usize>;

    /// Asks the model to give up what it is doing.
    fn interrupt(&self);

    /// Symmetry costs too much.
    fn give_up_reducing(&self, shared: &Shared, _restarts: bool, _why: Why) {
        shared.stop(Stopped::Price);
    }
}

/// Watches the limits until the leading thread is done.
pub(crate) fn until_done(
    watched: &impl Watched,
    settings: &Settings,
    shared: &Shared,
    begun: Instant,
    watch: &mut dyn FnMut(&Progress) -> bool,
) {
    let mut held = 0;
    let mut judge = Judge::new(&shared.price);
    while !shared.done.load(Ordering::SeqCst) {
        held = watched.bytes().unwrap_or(held);
        look(held, settings, shared, begun, watch);
        if shared.cancel.is_cancelled() {
            shared.stop(Stopped::Interrupted);
            watched.interrupt();
        } else if let Some((restarts, why)) = judge.decide(&shared.price) {
            watched.give_up_reducing(shared, restarts, why);
        }
        let queue = shared.queue();
        let is_running = |_: &mut Queue| !shared.done.load(Ordering::SeqCst);
        let _ = shared.wake.wait_timeout_while(queue, INTERVAL, is_running);
    }
}

fn look(
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
