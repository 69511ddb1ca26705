//! A cycle through a fair component on which every individual is treated fairly, wherever its name leads.
//!
//! Individuals are followed by the names that they have at the first state of the cycle. The cycle goes to the nearest edge with a
//! mark that is missing, then, for one individual after the other, to where it acts or, for weak fairness, to where it cannot act;
//! those that are satisfied on the way are done too. In the unreduced model the cycle may have to be repeated until it closes; every
//! individual is satisfied in the first round already.

use std::collections::{HashMap, HashSet, VecDeque};

use super::fairness::{FairSearch, Thread, Threads};
use super::ground::Ground;
use super::lasso::{Explored, Path};
use super::product::ProductEdge;
use super::state_set::StateSet;
use crate::quotient::Unfinished;

/// By thread: from which one it was first reached, and along which edge.
type Parents = HashMap<Thread, (Thread, ProductEdge)>;

/// One cycle, as far as it is made.
struct Cycle<'c, 'p, G> {
    search: &'c mut FairSearch<'p, G>,
    inside: &'c StateSet,
    threads: Threads,
    path: &'c mut Path,
    at: u32,
    missing: u64,
    /// Individuals that are not satisfied yet, by the names they have now.
    pending: Vec<u32>,
}

/// Continues a path by a fair cycle from a node of a component. None where there is none, which contradicts that it is fair.
pub fn go_round_fairly<G: Ground>(
    search: &mut FairSearch<'_, G>,
    path: &mut Path,
    entry: u32,
    inside: &StateSet,
) -> Result<Option<()>, Unfinished> {
    let members: Vec<u32> = inside.iter().collect();
    let threads = search.threads(&members)?;
    let pending = threads.individuals_at(entry);
    let missing = search.claim.automaton.all_marks();
    let loop_start = path.states.len() - 1;
    let mut cycle = Cycle { search, inside, threads, path, at: entry, missing, pending };
    cycle.drop_satisfied()?;
    while cycle.missing != 0 || !cycle.pending.is_empty() {
        let steps = if cycle.missing != 0 { cycle.steps_to_mark() } else { cycle.find_satisfaction() }?;
        let Some(steps) = steps else { return Ok(None) };
        if !cycle.follow(&steps)? {
            return Ok(Some(()));
        }
    }
    if cycle.at != entry || cycle.path.states.len() == loop_start + 1 {
        let Some(steps) = cycle.back_to(entry)? else { return Ok(None) };
        if !cycle.follow(&steps)? {
            return Ok(Some(()));
        }
    }
    path.close(loop_start);
    Ok(Some(()))
}

impl<G: Ground> Cycle<'_, '_, G> {
    /// Takes out those that need nothing: for weak fairness, an individual that cannot act here; for strong, one that never acts in
    /// the component, which can never act there either, as it is fair.
    fn drop_satisfied(&mut self) -> Result<(), Unfinished> {
        let able = self.search.able(self.search.nodes.get(self.at).state)?;
        let Cycle { pending, threads, search, at, .. } = self;
        pending.retain(|&individual| {
            if search.ground.is_strong(individual) {
                threads.acts((*at, individual))
            } else {
                able.contains(&individual)
            }
        });
        Ok(())
    }

    /// Adds the steps to the path; false where the run ends on the way: finite runs are fair.
    fn follow(&mut self, steps: &[ProductEdge]) -> Result<bool, Unfinished> {
        for step in steps {
            let Some(edge) = step.edge else { return Ok(false) };
            self.missing &= !step.marks;
            let pending = std::mem::take(&mut self.pending);
            for individual in pending {
                let (image, acts) = self.search.along(step, individual);
                if !acts {
                    self.pending.push(image);
                }
            }
            self.path.push(edge, step.target.0);
            let Some(next) = self.search.nodes.number(step.target) else { return Ok(false) };
            self.at = next;
            self.drop_satisfied()?;
        }
        Ok(true)
    }

    fn steps_to_mark(&mut self) -> Result<Option<Vec<ProductEdge>>, Unfinished> {
        let (missing, at, inside) = (self.missing, self.at, self.inside);
        self.explored().steps_along(at, inside, |edge| edge.marks & missing != 0)
    }

    fn back_to(&mut self, entry: u32) -> Result<Option<Vec<ProductEdge>>, Unfinished> {
        let (nodes, at, inside) = (self.search.nodes, self.at, self.inside);
        self.explored().steps_along(at, inside, |edge| nodes.number(edge.target) == Some(entry))
    }

    fn explored(&mut self) -> Explored<'_, G> {
        let FairSearch { claim, nodes, ground } = &mut *self.search;
        Explored { claim, nodes, ground }
    }

    /// To where the first pending individual acts, or where it need not.
    fn find_satisfaction(&mut self) -> Result<Option<Vec<ProductEdge>>, Unfinished> {
        let Some(&individual) = self.pending.first() else { return Ok(None) };
        let first = (self.at, individual);
        let mut parents = Parents::new();
        let mut seen = HashSet::from([first]);
        let mut open = VecDeque::from([first]);
        while let Some(thread) = open.pop_front() {
            let (number, individual) = thread;
            let state = self.search.nodes.get(number).state;
            if !self.search.ground.is_strong(individual) && !self.search.able(state)?.contains(&individual) {
                return Ok(Some(steps_to(&parents, thread)));
            }
            for edge in self.search.edges_of(number)? {
                let target = self.search.nodes.number(edge.target);
                let Some(target) = target.filter(|&target| self.inside.contains(target)) else { continue };
                let (image, acts) = self.search.along(&edge, individual);
                if acts {
                    let mut steps = steps_to(&parents, thread);
                    steps.push(edge);
                    return Ok(Some(steps));
                }
                if seen.insert((target, image)) {
                    parents.insert((target, image), (thread, edge));
                    open.push_back((target, image));
                }
            }
        }
        Ok(None)
    }
}

fn steps_to(parents: &Parents, mut thread: Thread) -> Vec<ProductEdge> {
    let mut steps = Vec::new();
    while let Some(&(parent, edge)) = parents.get(&thread) {
        steps.push(edge);
        thread = parent;
    }
    steps.reverse();
    steps
}
