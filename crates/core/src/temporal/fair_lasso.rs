//! A cycle through a fair component on which every individual is treated fairly, wherever its name leads.
//!
//! Individuals are followed by the names that they have at the first state of the cycle. The cycle goes to the nearest edge with a
//! mark that is missing, then, for one individual after the other, to where it acts or, for weak fairness, to where it cannot act;
//! those that are satisfied on the way are done too. In the unreduced model the cycle may have to be repeated until it closes; every
//! individual is satisfied in the first round already.

use std::collections::{HashMap, HashSet, VecDeque};

use super::fairness::{FairSearch, Thread, Threads};
use super::lasso::{Explored, Path};
use super::product::ProductEdge;

/// By thread: from which one it was first reached, and along which edge.
type Parents = HashMap<Thread, (Thread, ProductEdge)>;

/// One cycle, as far as it is made.
struct Cycle<'c, 'p, 'f, 'a> {
    search: &'c mut FairSearch<'p, 'f, 'a>,
    inside: &'c HashSet<u32>,
    threads: Threads,
    path: &'c mut Path,
    at: u32,
    missing: u64,
    /// Individuals that are not satisfied yet, by the names they have now.
    pending: Vec<u32>,
}

/// Continues a path by a fair cycle from a node of a component. None where there is none, which contradicts that it is fair.
pub fn go_round_fairly(
    search: &mut FairSearch<'_, '_, '_>,
    path: &mut Path,
    entry: u32,
    inside: &HashSet<u32>,
) -> Option<()> {
    let members: Vec<u32> = inside.iter().copied().collect();
    let threads = search.threads(&members);
    let pending = threads.individuals_at(entry);
    let missing = search.claim.automaton.all_marks();
    let loop_start = path.states.len() - 1;
    let mut cycle = Cycle { search, inside, threads, path, at: entry, missing, pending };
    cycle.drop_satisfied();
    while cycle.missing != 0 || !cycle.pending.is_empty() {
        let steps = if cycle.missing != 0 { cycle.steps_to_mark() } else { cycle.find_satisfaction() }?;
        if !cycle.follow(&steps) {
            return Some(());
        }
    }
    if cycle.at != entry || cycle.path.states.len() == loop_start + 1 {
        let steps = cycle.back_to(entry)?;
        if !cycle.follow(&steps) {
            return Some(());
        }
    }
    path.close(loop_start);
    Some(())
}

impl Cycle<'_, '_, '_, '_> {
    /// Takes out those that need nothing: for weak fairness, an individual that cannot act here; for strong, one that never acts in
    /// the component, which can never act there either, as it is fair.
    fn drop_satisfied(&mut self) {
        let able = self.search.able(self.search.nodes.get(self.at).state);
        let Cycle { pending, threads, search, at, .. } = self;
        pending.retain(|&individual| {
            if search.is_strong(individual) {
                threads.acts((*at, individual))
            } else {
                able.contains(&individual)
            }
        });
    }

    /// Adds the steps to the path; false where the run ends on the way: finite runs are fair.
    fn follow(&mut self, steps: &[ProductEdge]) -> bool {
        for step in steps {
            let Some(edge) = step.edge else { return false };
            let state = self.search.nodes.get(self.at).state;
            self.missing &= !step.marks;
            let pending = std::mem::take(&mut self.pending);
            for individual in pending {
                let (image, acts) = self.search.along(state, step, individual);
                if !acts {
                    self.pending.push(image);
                }
            }
            self.path.push(edge, step.target.0);
            let Some(next) = self.search.nodes.find(step.target.0, step.target.1) else { return false };
            self.at = next;
            self.drop_satisfied();
        }
        true
    }

    fn steps_to_mark(&self) -> Option<Vec<ProductEdge>> {
        let missing = self.missing;
        self.explored().steps_along(self.at, self.inside, |edge| edge.marks & missing != 0)
    }

    fn back_to(&self, entry: u32) -> Option<Vec<ProductEdge>> {
        let nodes = self.search.nodes;
        let leads_back = |edge: &ProductEdge| nodes.find(edge.target.0, edge.target.1) == Some(entry);
        self.explored().steps_along(self.at, self.inside, leads_back)
    }

    fn explored(&self) -> Explored<'_> {
        let FairSearch { claim, structure, nodes, .. } = *self.search;
        Explored { claim, structure, nodes }
    }

    /// To where the first pending individual acts, or where it need not.
    fn find_satisfaction(&mut self) -> Option<Vec<ProductEdge>> {
        let first = (self.at, *self.pending.first()?);
        let mut parents = Parents::new();
        let mut seen = HashSet::from([first]);
        let mut open = VecDeque::from([first]);
        while let Some(thread) = open.pop_front() {
            let (number, individual) = thread;
            let node = self.search.nodes.get(number);
            if !self.search.is_strong(individual) && !self.search.able(node.state).contains(&individual) {
                return Some(steps_to(&parents, thread));
            }
            let mut cursor = self.search.claim.open(self.search.structure, node);
            while let Some(edge) = self.search.claim.next_edge(self.search.structure, node, &mut cursor) {
                let target = self.search.nodes.find(edge.target.0, edge.target.1);
                let Some(target) = target.filter(|target| self.inside.contains(target)) else { continue };
                let (image, acts) = self.search.along(node.state, &edge, individual);
                if acts {
                    let mut steps = steps_to(&parents, thread);
                    steps.push(edge);
                    return Some(steps);
                }
                if seen.insert((target, image)) {
                    parents.insert((target, image), (thread, edge));
                    open.push_back((target, image));
                }
            }
        }
        None
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
