//! The minimal coverability set of a net, modulo its group.
//!
//! In: a system, goals. Out: `Forward`: the maximal omega-markings, one of each orbit, bounds, a pumping run, runs to goals.
//! The algorithm is that of Valmari and Hansen (*Old and new algorithms for minimal coverability sets*, 2012): a search over
//! omega-markings that keeps an antichain A. A marking that is covered by one of A is dropped, what it covers leaves A and is
//! not followed further; nothing else is pruned. `docs/coverability.md` has the proofs; in short, with g ranging over a group
//! that fixes the initial marking:
//!
//! * Complete: at the end, the initial marking and every successor of a marking of A are covered by some g(M), M in A. So the
//!   set of all g(M) is closed under firing up to covering, and covers all that is reachable. Nothing is said of how the
//!   markings were accelerated, which is why no marking has to be found again (the flaw of Finkel's MCT is that it drops
//!   descendants of what it drops).
//! * Sound: omegas are only set along paths of the net itself: all markings that are kept are limits of reachable ones.
//! * It ends: no marking is entered twice, so on an infinite path some M is followed by an M' > M (Dickson), which gets one
//!   more omega.

use std::collections::VecDeque;

use hashbrown::HashTable;

use super::antichain::{Antichain, Keys, Looking, Probe, Store};
use super::clock::{Clock, Limits};
use super::covering::{Covered, Covering, inverse};
use super::goal::Goal;
use super::runs::{Pump, Tree, Witness};
use super::semiflows::{semiflows, upper_bounds};
use super::shelf::Side;
use super::system::System;
use super::tokens::{Tokens, is_covered};
use crate::search::{Progress, Stopped};

/// A repetition under an element of a larger order would be a long run.
const MAX_ELEMENT_ORDER: usize = 60;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Breadth,
    Depth,
}

#[derive(Clone, Copy, Debug)]
pub struct Settings {
    pub order: Order,
    /// End as soon as all goals are found?
    pub goals_only: bool,
    pub limits: Limits,
}

/// What a search has found; complete where `stopped` is `Exhausted`.
pub struct Forward {
    pub stopped: Stopped,
    /// The maximal omega-markings by place (`OMEGA`), one of each orbit.
    pub markings: Vec<Vec<u64>>,
    /// By place, over all images: the largest number that was found.
    pub bounds: Vec<u64>,
    /// By place: what P-semiflows say that it holds at most; None where they say nothing.
    pub upper_bounds: Vec<Option<u64>>,
    /// By transition: in how many of the omega-markings that were followed it was enabled.
    pub firings: Vec<u64>,
    /// Where some place is unbounded.
    pub pump: Option<Pump>,
    /// By goal.
    pub witnesses: Vec<Option<Witness>>,
    /// Omega-markings that were entered, also those that left again.
    pub entered: u64,
    pub transitions: u64,
    pub depth: u32,
    pub searches: u64,
    pub given_up: u64,
    pub bytes: u64,
    pub seconds: f64,
}

pub fn forward(
    system: &System,
    goals: &[Goal],
    settings: Settings,
    watch: &mut dyn FnMut(&Progress) -> bool,
) -> Forward {
    let mut clock = Clock::new(settings.limits, watch);
    let semiflows = semiflows(system, &mut clock);
    let upper = upper_bounds(system, &semiflows);
    let mut found = Found { goals: vec![None; goals.len()], pump: None };
    let search = Search::<u8>::new(system, goals, settings, &upper);
    search.run(&mut clock, &mut found, &upper)
}

/// Nodes that answer questions.
struct Found {
    goals: Vec<Option<u32>>,
    pump: Option<u32>,
}

struct Search<'s, T> {
    system: &'s System,
    open_goals: Vec<(usize, &'s Goal)>,
    settings: Settings,
    keys: Keys,
    /// Can any place be unbounded? Not where P-semiflows cover all of them.
    accelerates: bool,
    store: Store<T>,
    seen: HashTable<u32>,
    antichain: Antichain,
    covering: Covering,
    tree: Tree,
    /// By node.
    is_kept: Vec<bool>,
    key: Vec<u64>,
    hash: Vec<u64>,
    depth: Vec<u32>,
    waiting: VecDeque<u32>,
    firings: Vec<u64>,
    fired: u64,
    /// The node that is being followed, and the transition that is next.
    current: Option<(u32, usize)>,
    removed: Vec<u32>,
}

/// A number that does not fit its type.
struct Narrow;

impl<'s, T: Tokens> Search<'s, T> {
    fn new(
        system: &'s System,
        goals: &'s [Goal],
        settings: Settings,
        upper: &[Option<u64>],
    ) -> Search<'s, T> {
        let keys = Keys::new(system, upper);
        Search {
            accelerates: !keys.is_everything(system),
            system,
            open_goals: goals.iter().enumerate().collect(),
            settings,
            keys,
            store: Store::new(system),
            seen: HashTable::new(),
            antichain: Antichain::default(),
            covering: Covering::new(system),
            tree: Tree::default(),
            is_kept: Vec::new(),
            key: Vec::new(),
            hash: Vec::new(),
            depth: Vec::new(),
            waiting: VecDeque::new(),
            firings: vec![0; system.transitions.len()],
            fired: 0,
            current: None,
            removed: Vec::new(),
        }
    }

    /// The same with wider numbers.
    fn widened<U: Tokens>(self) -> Search<'s, U> {
        Search {
            system: self.system,
            open_goals: self.open_goals,
            settings: self.settings,
            keys: self.keys,
            accelerates: self.accelerates,
            store: self.store.widened(),
            seen: self.seen,
            antichain: self.antichain,
            covering: self.covering,
            tree: self.tree,
            is_kept: self.is_kept,
            key: self.key,
            hash: self.hash,
            depth: self.depth,
            waiting: self.waiting,
            firings: self.firings,
            fired: self.fired,
            current: self.current,
            removed: self.removed,
        }
    }

    /// As far as numbers fit.
    fn follow(&mut self, clock: &mut Clock, found: &mut Found) -> Result<(), Narrow> {
        let mut probe = Probe::default();
        if self.is_kept.is_empty() {
            for &tokens in &self.system.initial {
                probe.marking.push(T::of(tokens).filter(|n| !n.is_omega()).ok_or(Narrow)?);
            }
            probe.prepare(self.system, &self.keys);
            self.enter(&mut probe, u32::MAX, u32::MAX, clock, found);
        }
        while clock.stopped().is_none() {
            let (id, first) = match self.current.take() {
                Some(current) => current,
                None => match self.next() {
                    Some(id) => (id, 0),
                    None => return Ok(()),
                },
            };
            for t in first..self.system.transitions.len() {
                if clock.poll() || !self.is_kept[id as usize] {
                    break;
                }
                if !self.is_enabled(id, t) {
                    continue;
                }
                if self.fire(id, t, &mut probe).is_err() {
                    self.current = Some((id, t));
                    return Err(Narrow);
                }
                self.firings[t] += 1;
                self.fired += 1;
                clock.progress.transitions = self.fired;
                self.arrive(id, t as u32, &mut probe, clock, found);
            }
        }
        Ok(())
    }

    fn next(&mut self) -> Option<u32> {
        loop {
            let id = match self.settings.order {
                Order::Breadth => self.waiting.pop_front(),
                Order::Depth => self.waiting.pop_back(),
            }?;
            if self.is_kept[id as usize] {
                return Some(id);
            }
        }
    }

    fn is_enabled(&self, id: u32, t: usize) -> bool {
        let marking = self.store.marking(id);
        self.system.transitions[t].consumes.iter().all(|&(slot, n)| marking[slot as usize].number() >= n)
    }

    fn fire(&self, id: u32, t: usize, probe: &mut Probe<T>) -> Result<(), Narrow> {
        probe.marking.clear();
        probe.marking.extend_from_slice(self.store.marking(id));
        for &(slot, n) in &self.system.transitions[t].effect {
            let tokens = &mut probe.marking[slot as usize];
            if !tokens.is_omega() {
                let after = u64::try_from(i128::from(tokens.number()) + n).map_err(|_| Narrow)?;
                *tokens = T::of(after).filter(|n| !n.is_omega()).ok_or(Narrow)?;
            }
        }
        Ok(())
    }

    fn arrive(&mut self, parent: u32, t: u32, probe: &mut Probe<T>, clock: &mut Clock, found: &mut Found) {
        probe.prepare(self.system, &self.keys);
        if self.is_known(probe, clock) || clock.stopped().is_some() {
            return;
        }
        let before = self.tree.loops();
        if self.accelerates && self.accelerate(parent, probe, clock) && self.is_known(probe, clock) {
            self.tree.forget_loops(before);
            return;
        }
        if clock.stopped().is_none() {
            self.enter(probe, parent, t, clock, found);
        }
    }

    /// Was it entered before, or is it covered by one that is kept?
    fn is_known(&mut self, probe: &mut Probe<T>, clock: &mut Clock) -> bool {
        let store = &self.store;
        let is_same = |&id: &u32| store.marking(id) == &probe.marking[..];
        if self.seen.find(probe.hash(), is_same).is_some() {
            return true;
        }
        let mut looking = Looking {
            system: self.system,
            store: &self.store,
            keys: &self.keys,
            covering: &mut self.covering,
            clock,
        };
        self.antichain.has(&mut looking, probe, Side::Above)
    }

    /// Sets omegas for what the way from an ancestor adds, as often as there is something to add.
    fn accelerate(&mut self, parent: u32, probe: &mut Probe<T>, clock: &mut Clock) -> bool {
        let mut is_changed = false;
        loop {
            let mut is_done = true;
            let mut next = Some(parent);
            while let Some(ancestor) = next {
                if clock.poll() {
                    return is_changed;
                }
                next = self.tree.parent(ancestor);
                if self.key[ancestor as usize] == probe.key && self.repeat(ancestor, probe, clock) {
                    (is_done, is_changed) = (false, true);
                    probe.prepare(self.system, &self.keys);
                }
            }
            if is_done {
                return is_changed;
            }
        }
    }

    /// Can the way from this ancestor be repeated, by itself or under symmetries, with something gained?
    fn repeat(&mut self, ancestor: u32, probe: &mut Probe<T>, clock: &mut Clock) -> bool {
        let from = self.store.marking(ancestor);
        if !is_covered(self.store.profile(ancestor), probe.profile(self.system)) {
            return false;
        }
        if is_covered(from, &probe.marking) {
            let mut is_gained = false;
            for (tokens, &before) in probe.marking.iter_mut().zip(from) {
                if before < *tokens && !tokens.is_omega() {
                    *tokens = T::OMEGA;
                    is_gained = true;
                }
            }
            if is_gained {
                self.tree.add_loop(ancestor, None);
            }
            return is_gained;
        }
        // Under g, M' >= g(M): see docs/coverability.md. Only where the way has added no omega.
        let omegas = |marking: &[T]| marking.iter().filter(|n| n.is_omega()).count();
        if !self.system.has_symmetries() || omegas(from) != omegas(&probe.marking) {
            return false;
        }
        if self.covering.test(self.system, &self.keys, from, &probe.marking, clock) != Covered::Symmetrically
        {
            return false;
        }
        let element = inverse(self.covering.element());
        let Some(gained) = gained(from, &probe.marking, &element) else { return false };
        gained.iter().for_each(|&slot| probe.marking[slot as usize] = T::OMEGA);
        self.tree.add_loop(ancestor, Some(element));
        true
    }

    fn enter(&mut self, probe: &mut Probe<T>, parent: u32, t: u32, clock: &mut Clock, found: &mut Found) {
        self.removed.clear();
        let mut looking = Looking {
            system: self.system,
            store: &self.store,
            keys: &self.keys,
            covering: &mut self.covering,
            clock,
        };
        self.antichain.remove(&mut looking, probe, Side::Below, &mut self.removed);
        self.removed.iter().for_each(|&id| self.is_kept[id as usize] = false);
        let id = self.tree.push(parent, t);
        self.store.push(probe);
        self.antichain.insert(id, probe, &self.keys, &self.store);
        self.is_kept.push(true);
        self.key.push(probe.key);
        self.hash.push(probe.hash());
        self.depth.push(self.depth.get(parent as usize).map_or(0, |depth| depth + 1));
        let hashes = &self.hash;
        self.seen.insert_unique(probe.hash(), id, |&other| hashes[other as usize]);
        self.waiting.push_back(id);
        if self.tree.has_loop(id) {
            found.pump.get_or_insert(id);
        }
        let marking = |slot: u32| probe.marking[slot as usize].number();
        self.open_goals.retain(|(number, goal)| {
            let holds = goal.holds(&marking);
            if holds {
                found.goals[*number] = Some(id);
            }
            !holds
        });
        if self.open_goals.is_empty() && self.settings.goals_only {
            clock.stop(Stopped::Violation);
        }
        clock.progress.states = self.antichain.len() as u64;
        clock.progress.frontier = self.waiting.len() as u64;
        clock.progress.depth = self.depth[id as usize];
        clock.progress.memory_bytes = self.bytes();
        if !self.settings.goals_only || !self.open_goals.is_empty() {
            clock.check_size();
        }
    }

    fn bytes(&self) -> u64 {
        let by_node = size_of::<bool>() + 2 * size_of::<u64>() + size_of::<u32>();
        let seen = self.seen.capacity() * (size_of::<u32>() + 1);
        let own = self.is_kept.capacity() * by_node + seen + self.waiting.capacity() * size_of::<u32>();
        (own + self.store.bytes() + self.antichain.bytes() + self.tree.bytes()) as u64
    }

    fn finish(self, clock: &Clock, found: &Found, goals: &[Goal], upper: &[Option<u64>]) -> Forward {
        let system = self.system;
        let numbers = |id: u32| -> Vec<u64> { self.store.marking(id).iter().map(|n| n.number()).collect() };
        let markings: Vec<Vec<u64>> = self.antichain.ids().into_iter().map(numbers).collect();
        let mut bounds = vec![0; system.width()];
        for marking in &markings {
            bounds.iter_mut().zip(marking).for_each(|(most, &n)| *most = n.max(*most));
        }
        for orbit in system.orbit_starts.windows(2) {
            let members = &system.orbit_slots[orbit[0]..orbit[1]];
            let most = members.iter().map(|&slot| bounds[slot as usize]).max().unwrap_or(0);
            members.iter().for_each(|&slot| bounds[slot as usize] = most);
        }
        let witness = |(goal, node): (&Goal, &Option<u32>)| {
            node.map(|node| {
                let mut wanted = vec![0; system.width()];
                goal.demand(&numbers(node), &mut wanted);
                self.tree.witness(system, node, &wanted, &numbers)
            })
        };
        let places = system.places() as u32;
        let upper_bounds =
            (0..places).map(|place| system.place(place).map_or_else(Some, |s| upper[s as usize]));
        Forward {
            stopped: clock.stopped().unwrap_or(Stopped::Exhausted),
            bounds: system.marking(&bounds),
            upper_bounds: upper_bounds.collect(),
            firings: system.by_original(&self.firings),
            pump: found.pump.map(|node| self.tree.pump(system, node)),
            witnesses: goals.iter().zip(&found.goals).map(witness).collect(),
            entered: self.is_kept.len() as u64,
            transitions: self.fired,
            depth: self.depth.iter().copied().max().unwrap_or(0),
            searches: self.covering.searches,
            given_up: self.covering.given_up,
            bytes: self.bytes(),
            seconds: clock.seconds(),
            markings: markings.iter().map(|marking| system.marking(marking)).collect(),
        }
    }
}

impl<'s> Search<'s, u8> {
    /// In wider numbers where they do not fit.
    fn run(mut self, clock: &mut Clock, found: &mut Found, upper: &[Option<u64>]) -> Forward {
        let goals: Vec<Goal> = self.open_goals.iter().map(|(_, goal)| (*goal).clone()).collect();
        if self.follow(clock, found).is_ok() {
            return self.finish(clock, found, &goals, upper);
        }
        let mut wide: Search<'s, u32> = self.widened();
        if wide.follow(clock, found).is_ok() {
            return wide.finish(clock, found, &goals, upper);
        }
        let mut widest: Search<'s, u64> = wide.widened();
        if widest.follow(clock, found).is_err() {
            clock.stop(Stopped::Overflow);
        }
        widest.finish(clock, found, &goals, upper)
    }
}

/// What repeating the way from M to M' >= g(M), then its images under g, g^2, ... until it is back, adds somewhere: all images
/// of what M' has more than g(M). None where that is nothing, or where g has a large order.
fn gained<T: Tokens>(from: &[T], to: &[T], element: &[u32]) -> Option<Vec<u32>> {
    if order(element) > MAX_ELEMENT_ORDER {
        return None;
    }
    let mut gained: Vec<u32> = Vec::new();
    for slot in 0..from.len() as u32 {
        let image = |slot: u32| element.get(slot as usize).copied().unwrap_or(slot);
        let start = image(slot);
        if from[slot as usize] < to[start as usize] {
            let mut at = start;
            loop {
                gained.push(at);
                at = image(at);
                if at == start {
                    break;
                }
            }
        }
    }
    (!gained.is_empty()).then_some(gained)
}

pub(super) fn order(element: &[u32]) -> usize {
    let mut order = 1usize;
    let mut seen = vec![false; element.len()];
    for start in 0..element.len() {
        let (mut at, mut length) = (start, 0);
        while !std::mem::replace(&mut seen[at], true) {
            at = element[at] as usize;
            length += 1;
        }
        if length > 0 {
            let (mut a, mut b) = (order, length);
            while b != 0 {
                (a, b) = (b, a % b);
            }
            order = (order / a).saturating_mul(length);
        }
    }
    order
}
