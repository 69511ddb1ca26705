//! Reachability: from a model and a canonicaliser to counts, violations and what the kind of model records.
//!
//! One thread leads: it finds the starts, works, and lays the states out anew where a slot became too narrow or the visited set
//! needs more numbers; other workers join it for each layout. They take batches from one frontier and share one visited set;
//! the calling thread watches limits and reports progress. A worker counts a state only when it is finished, so a run may stop
//! anywhere, and a state interrupted by a slot that became too narrow is explored again in the wider layout.

use std::sync::atomic::Ordering;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};
use std::thread;
use std::time::Instant;

use super::frontier::Frontier;
use super::monitor::{self, Done, Watched};
use super::price::{Change, Price, Why};
use super::shared::{Relayout, Shared};
use super::summary::Summary;
use super::tally::Tally;
use super::widening::Widening;
use super::worker::Worker;
use super::{Exploration, Progress, Settings, Stopped};
use crate::canon::Canonicaliser;
use crate::model::{Model, PackedModel, Start};
use crate::schema::Overflow;
use crate::visited::{Sharded, Visited};

/// Recursion in equivalence tests goes one frame per level of the group's chain.
pub(crate) const WORKER_STACK: usize = 256 << 20;

/// Explores until done, until a limit is reached, or until `watch`, called about twenty times a second, returns false.
pub fn explore<M: PackedModel + Send + Clone, C: Canonicaliser>(
    model: M,
    canonicaliser: &C,
    settings: &Settings,
    watch: &mut dyn FnMut(&Progress) -> bool,
) -> Exploration<M> {
    let begun = Instant::now();
    let price = Price::new(settings.price.clone(), &canonicaliser.group_order(), settings.threads);
    let shared = Shared::new(settings.order, begun, price);
    let visited = Sharded::new(model.schema(), canonicaliser.compares(), settings.threads);
    let layout = RwLock::new(Layout { model, visited });
    let mut run = Run {
        layout: &layout,
        tally: Tally::default(),
        canonicaliser,
        settings,
        shared: &shared,
        widening: Widening::default(),
        starts: Vec::new(),
        begun,
        change: None,
    };
    thread::scope(|scope| {
        let lead = || {
            let _done = Done(&shared);
            run.lead();
        };
        match thread::Builder::new().stack_size(WORKER_STACK).spawn_scoped(scope, lead) {
            Ok(leader) => {
                monitor::until_done(&layout, settings, &shared, begun, watch);
                leader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            }
            Err(_) => shared.stop(Stopped::MaxMemory),
        }
    });
    let Run { tally, starts, change, .. } = run;
    let layout = layout.into_inner().unwrap_or_else(PoisonError::into_inner);
    Summary { layout, tally, canonicaliser, settings, shared, starts, change }.into_exploration(begun)
}

/// What changes where a slot becomes too narrow.
pub(super) struct Layout<M> {
    pub model: M,
    pub visited: Sharded,
}

impl<M: Model> Watched for RwLock<Layout<M>> {
    /// While states are laid out anew there is nothing to interrupt, and what is held is what was.
    fn bytes(&self) -> Option<usize> {
        self.try_read().ok().map(|now| now.visited.bytes() + now.model.bytes())
    }

    fn interrupt(&self) {
        if let Ok(now) = self.try_read() {
            now.model.interrupt();
        }
    }

    fn give_up_reducing(&self, shared: &Shared, restarts: bool, why: Why) {
        shared.give_up_reducing(restarts, why);
    }
}

struct Run<'a, M: Model, C> {
    layout: &'a RwLock<Layout<M>>,
    tally: Tally<M::Observations>,
    canonicaliser: &'a C,
    settings: &'a Settings,
    shared: &'a Shared,
    widening: Widening,
    starts: Vec<Start>,
    begun: Instant,
    change: Option<Change>,
}

impl<M: PackedModel + Send + Clone, C: Canonicaliser> Run<'_, M, C>
where
    M::Observations: Send,
{
    fn lead(&mut self) {
        self.start();
        loop {
            self.round();
            let Some(relayout) = self.shared.queue().relayout.take() else { break };
            match relayout {
                Relayout::GiveUpReducing { restarts, why } => self.give_up_reducing(restarts, why),
                Relayout::MoreShards => self.lay_out_anew(None),
                Relayout::Widen(overflow) => self.lay_out_anew(Some(overflow)),
            }
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
            let join_in = |number| {
                let worker = self.worker(layout, number);
                thread::Builder::new().stack_size(WORKER_STACK).spawn_scoped(scope, || worker.run(&[]))
            };
            let others: Vec<_> = (1..self.settings.threads).map(join_in).collect();
            if others.iter().any(Result::is_err) {
                self.shared.stop(Stopped::MaxMemory);
            }
            let mut counted = vec![self.worker(layout, 0).run(starts)];
            for other in others.into_iter().flatten() {
                counted.push(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            counted
        });
        counted.iter().for_each(|counted| self.tally.add(counted));
    }

    fn worker<'w>(&'w self, layout: &'w Layout<M>, number: usize) -> Worker<'w, M, C> {
        let Layout { model, visited } = layout;
        let own = (number, self.change.is_none());
        Worker::new(model, visited, self.canonicaliser, self.settings, self.shared, own)
    }

    /// What is stored stands for its orbit as before; from now on every state stands for itself, or for its orbit.
    fn give_up_reducing(&mut self, restarted: bool, why: Why) {
        let Shared { states, transitions, started, violated, .. } = self.shared;
        let (after_states, seconds) = (states.load(Ordering::SeqCst), self.begun.elapsed().as_secs_f64());
        self.change = Some(Change { after_states, seconds, restarted, why });
        self.shared.open_round();
        if !restarted {
            return;
        }
        let mut layout = self.layout.write().unwrap_or_else(PoisonError::into_inner);
        layout.visited = Sharded::new(layout.model.schema(), false, self.settings.threads);
        // What was covered was covered.
        let covered = std::mem::take(&mut self.tally.covered);
        self.tally = Tally::default();
        self.tally.covered = covered;
        let mut queue = self.shared.queue();
        queue.frontier = Frontier::new(self.settings.order);
        queue.violations.clear();
        states.store(0, Ordering::SeqCst);
        transitions.store(0, Ordering::SeqCst);
        started.store(false, Ordering::SeqCst);
        violated.store(false, Ordering::SeqCst);
    }

    fn lay_out_anew(&mut self, narrow: Option<Overflow>) {
        let mut layout = self.layout.write().unwrap_or_else(PoisonError::into_inner);
        let Layout { model, visited } = &mut *layout;
        let states = self.shared.states.load(Ordering::SeqCst);
        self.widening.count(states);
        let wider = match narrow {
            None => model.clone(),
            Some(overflow) => self.widening.widened(model, overflow, states),
        };
        let old = std::mem::replace(visited, Sharded::new(wider.schema(), false, 1));
        let (relaid, renumbering) = old.relaid(model.schema(), wider.schema());
        (*visited, *model) = (relaid, wider);
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::canon::Method;
    use crate::kinds::Subject;
    use crate::kinds::net::Net;
    use crate::kinds::net::collapse::Collapsed;
    use crate::kinds::net::prepared::PreparedNet;
    use crate::kinds::net::symmetry::NetGroup;
    use crate::search::{Order, PriceRule, SelfCheck, Settings};

    /// Unit tests have shards of few states, so the visited set gets more of them on the way.
    #[test]
    fn a_run_goes_on_in_more_shards_when_one_is_full() {
        let net =
            Net::new(vec![80, 0, 80, 0], vec![vec![(0, 1)], vec![(2, 1)]], vec![vec![(1, 1)], vec![(3, 1)]]);
        let net = Arc::new(net.expect("a net"));
        let collapsed = Arc::new(Collapsed::of(&net, std::slice::from_ref(&net.initial)));
        let group = Arc::new(NetGroup::trivial(&collapsed));
        let prepared = PreparedNet::new(&net, &collapsed, &group, Method::None, &[], false).expect("fits");
        for (order, threads) in [(Order::Breadth, 1), (Order::Depth, 1), (Order::Breadth, 2)] {
            let settings = Settings {
                order,
                threads,
                keep_going: true,
                fatal: None,
                deadlock: Some(0),
                prune: true,
                price: PriceRule::Off,
                self_check: SelfCheck::Off,
                properties: 2,
                max_states: None,
                max_seconds: None,
                max_memory: None,
            };
            let found = prepared.explore(&settings, &mut |_| true).expect("it fits");
            assert_eq!(
                (found.stopped, found.states, found.tally.transitions),
                ("exhausted", 81 * 81, 2 * 80 * 81)
            );
            let [deadlock] = found.violations.as_slice() else { panic!("one deadlock") };
            assert_eq!(deadlock.steps.len(), 161);
        }
    }
}
