//! A short run through an accepting component of the product: a stem, and a cycle with all marks.
//!
//! In: the nodes that an emptiness search found. Out: a `Path` through the structure. Every part is found breadth first, so that
//! people have little to read; the whole is not always shortest, which would be much harder to find.

use std::collections::{HashMap, VecDeque};

use super::emptiness::Found;
use super::fair_lasso::go_round_fairly;
use super::fairness::FairSearch;
use super::ground::Ground;
use super::product::{Claim, Nodes, ProductEdge};
use super::state_set::StateSet;
use super::structure::Structure;
use crate::automata::Automaton;
use crate::quotient::Unfinished;

/// Before a state or node: nothing was there. Otherwise the number from which it was first reached, plus one.
const UNSEEN: u32 = 0;

/// A run through the structure: from each state but the last one an edge to the next, by its position among those of the state.
/// The edge of the last state, where there is one, leads back to the state number `loop_start`; where there is none the run ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    pub states: Vec<u32>,
    pub edges: Vec<u32>,
    pub loop_start: Option<usize>,
    /// The formula is decided when this state is reached, whatever follows.
    pub decided: Option<usize>,
}

impl Path {
    /// The path of one state.
    pub fn at(state: u32) -> Path {
        Path { states: vec![state], ..Path::default() }
    }

    pub fn then(mut self, edge: u32, target: u32) -> Path {
        self.push(edge, target);
        self
    }

    /// Continues by a shortest path through allowed states to one that is wanted.
    pub fn shortest<G: Ground>(
        mut self,
        ground: &mut G,
        allowed: impl Fn(u32) -> bool,
        wanted: impl Fn(u32) -> bool,
    ) -> Result<Path, Unfinished> {
        let start = self.states[self.states.len() - 1];
        let mut parents = vec![UNSEEN; ground.structure().states() as usize];
        parents[start as usize] = start + 1;
        let mut open = VecDeque::from([start]);
        while let Some(state) = open.pop_front() {
            if wanted(state) {
                self.follow(ground, &parents, start, state)?;
                break;
            }
            if !allowed(state) {
                continue;
            }
            for &target in ground.edges(state)?.targets {
                if parents[target as usize] == UNSEEN {
                    parents[target as usize] = state + 1;
                    open.push_back(target);
                }
            }
        }
        Ok(self)
    }

    /// Adds the steps from one state to another that `parents` say.
    fn follow<G: Ground>(
        &mut self,
        ground: &mut G,
        parents: &[u32],
        from: u32,
        to: u32,
    ) -> Result<(), Unfinished> {
        let mut passed = vec![to];
        while let Some(&last) = passed.last().filter(|&&last| last != from) {
            passed.push(parents[last as usize] - 1);
        }
        for step in passed.windows(2).rev() {
            let (source, target) = (step[1], step[0]);
            let targets = ground.edges(source)?.targets;
            let edge = targets.iter().position(|&each| each == target).unwrap_or(0);
            self.push(edge as u32, target);
        }
        Ok(())
    }

    /// Continues inside a set of states until one releases it or a cycle closes: a state from which one can stay for ever, or until
    /// released, has a successor of that sort unless it releases.
    pub fn staying<G: Ground>(
        self,
        ground: &mut G,
        stays: impl Fn(u32) -> bool,
        releases: impl Fn(&Structure, u32) -> bool,
    ) -> Result<Path, Unfinished> {
        let start = self.states[self.states.len() - 1];
        // Depth first: the first edge back to the stack closes a cycle.
        let mut path = Path::at(start);
        let mut position = HashMap::from([(start, 0usize)]);
        let mut left = StateSet::empty(ground.structure().states() as usize);
        let mut cursors = vec![0u32];
        while let Some(cursor) = cursors.last_mut() {
            let state = path.states[path.states.len() - 1];
            if *cursor == 0 && releases(ground.structure(), state) {
                break;
            }
            let Some(&target) = ground.edges(state)?.targets.get(*cursor as usize) else {
                cursors.pop();
                path.states.pop();
                path.edges.pop();
                position.remove(&state);
                left.insert(state);
                continue;
            };
            let edge = *cursor;
            *cursor += 1;
            if !stays(target) || left.contains(target) {
                continue;
            }
            path.push(edge, target);
            if let Some(&loop_start) = position.get(&target) {
                path.close(loop_start);
                break;
            }
            position.insert(target, path.states.len() - 1);
            cursors.push(0);
        }
        let mut whole = self;
        if !path.states.is_empty() {
            whole.append(path);
        }
        Ok(whole)
    }

    pub fn push(&mut self, edge: u32, target: u32) {
        self.edges.push(edge);
        self.states.push(target);
    }

    /// Closes the cycle whose first state was reached again by the last step.
    pub fn close(&mut self, loop_start: usize) {
        self.states.pop();
        self.loop_start = Some(loop_start);
    }

    /// Goes on with another run, which begins where this one ends.
    pub fn append(&mut self, rest: Path) {
        let offset = self.states.len().saturating_sub(1);
        self.states.truncate(offset);
        self.states.extend(rest.states);
        self.edges.extend(rest.edges);
        self.loop_start = rest.loop_start.map(|at| at + offset);
        self.decided = rest.decided.map(|at| at + offset);
    }

    /// Continues along first edges until a state comes back or the run ends, where every continuation will do.
    pub fn continue_anyhow<G: Ground>(&mut self, ground: &mut G) -> Result<(), Unfinished> {
        let begin = self.states.len() - 1;
        let mut at = self.states[begin];
        let mut position = HashMap::from([(at, begin)]);
        loop {
            ground.expand(at)?;
            let Some(&target) = ground.edges(at)?.targets.first() else { return Ok(()) };
            self.push(0, target);
            if let Some(&loop_start) = position.get(&target) {
                self.close(loop_start);
                return Ok(());
            }
            position.insert(target, self.states.len() - 1);
            at = target;
        }
    }
}

/// The product as far as a search explored it.
pub struct Explored<'a, G> {
    pub claim: &'a Claim,
    pub nodes: &'a Nodes,
    pub ground: &'a mut G,
}

/// Steps of the product from one node to another.
struct Walk {
    from: u32,
    steps: Vec<ProductEdge>,
    to: u32,
}

impl<G: Ground> Explored<'_, G> {
    /// A run from one of these states that the automaton accepts; only its beginning where everything is accepted after that.
    /// None where nothing was found.
    pub fn path(&mut self, from: &[u32], found: &Found) -> Result<Option<Path>, Unfinished> {
        let starts = from.iter().filter_map(|&state| self.nodes.number((state, Automaton::INITIAL)));
        let starts: Vec<u32> = starts.collect();
        match found {
            Found::Nothing => Ok(None),
            Found::Everything(node) => {
                let Some(walk) = self.nearest(&starts, None, |at| at == *node, |_| false)? else {
                    return Ok(None);
                };
                let mut path = Path::at(self.nodes.get(walk.from).state);
                if path.follow_product(&walk) {
                    path.decided = Some(path.states.len() - 1);
                }
                Ok(Some(path))
            }
            Found::Component(members) => {
                let mut inside = StateSet::empty(self.nodes.count());
                members.iter().for_each(|&member| inside.insert(member));
                let Some(walk) = self.nearest(&starts, None, |at| inside.contains(at), |_| false)? else {
                    return Ok(None);
                };
                let mut path = Path::at(self.nodes.get(walk.from).state);
                if !path.follow_product(&walk) {
                    return Ok(Some(path));
                }
                let closed = if self.ground.is_fair() {
                    let Explored { claim, nodes, ground } = self;
                    go_round_fairly(
                        &mut FairSearch { claim, nodes, ground: *ground },
                        &mut path,
                        walk.to,
                        &inside,
                    )
                } else {
                    self.go_round(&mut path, walk.to, &inside)
                };
                Ok(closed?.map(|()| path))
            }
        }
    }

    /// Continues a path by a cycle from a node of a component through edges with all marks.
    fn go_round(&mut self, path: &mut Path, entry: u32, inside: &StateSet) -> Result<Option<()>, Unfinished> {
        let loop_start = path.states.len() - 1;
        let mut missing = self.claim.automaton.all_marks();
        let mut at = entry;
        while missing != 0 {
            let walk = self.nearest(&[at], Some(inside), |_| false, |edge| edge.marks & missing != 0)?;
            let Some(walk) = walk else { return Ok(None) };
            walk.steps.iter().for_each(|edge| missing &= !edge.marks);
            if !path.follow_product(&walk) {
                return Ok(Some(()));
            }
            at = walk.to;
        }
        if at != entry || path.states.len() == loop_start + 1 {
            let nodes = self.nodes;
            let back = |edge: &ProductEdge| nodes.number(edge.target) == Some(entry);
            let Some(walk) = self.nearest(&[at], Some(inside), |_| false, back)? else { return Ok(None) };
            if !path.follow_product(&walk) {
                return Ok(Some(()));
            }
        }
        path.close(loop_start);
        Ok(Some(()))
    }

    /// The steps to and along the nearest edge that is wanted, inside a set of nodes.
    pub fn steps_along(
        &mut self,
        from: u32,
        inside: &StateSet,
        wanted: impl Fn(&ProductEdge) -> bool,
    ) -> Result<Option<Vec<ProductEdge>>, Unfinished> {
        Ok(self.nearest(&[from], Some(inside), |_| false, wanted)?.map(|walk| walk.steps))
    }

    /// The way to the nearest node, or along the nearest edge, that is wanted; inside a set of nodes, where one is given.
    fn nearest(
        &mut self,
        starts: &[u32],
        inside: Option<&StateSet>,
        node_wanted: impl Fn(u32) -> bool,
        edge_wanted: impl Fn(&ProductEdge) -> bool,
    ) -> Result<Option<Walk>, Unfinished> {
        let mut parents = vec![UNSEEN; self.nodes.count()];
        starts.iter().for_each(|&start| parents[start as usize] = start + 1);
        let mut open: VecDeque<u32> = starts.iter().copied().collect();
        while let Some(number) = open.pop_front() {
            if node_wanted(number) {
                return Ok(Some(self.walk(&parents, number)?));
            }
            let node = self.nodes.get(number);
            // At the edge of what was explored, states have no edges yet.
            if !self.ground.structure().is_expanded(node.state) {
                continue;
            }
            for edge in self.claim.edges_of(self.ground, node)? {
                let Some(target) = self.nodes.number(edge.target) else { continue };
                if inside.is_some_and(|inside| !inside.contains(target)) {
                    continue;
                }
                if edge_wanted(&edge) {
                    let mut walk = self.walk(&parents, number)?;
                    walk.steps.push(edge);
                    walk.to = target;
                    return Ok(Some(walk));
                }
                if parents[target as usize] == UNSEEN {
                    parents[target as usize] = number + 1;
                    open.push_back(target);
                }
            }
        }
        Ok(None)
    }

    /// The steps to a node that `parents` say: a start is its own parent. Between two nodes, the first edge.
    fn walk(&mut self, parents: &[u32], to: u32) -> Result<Walk, Unfinished> {
        let mut passed = vec![to];
        let mut from = to;
        while parents[from as usize] != from + 1 {
            from = parents[from as usize] - 1;
            passed.push(from);
        }
        let mut steps = Vec::with_capacity(passed.len());
        for step in passed.windows(2).rev() {
            let edges = self.claim.edges_of(self.ground, self.nodes.get(step[1]))?;
            steps.extend(edges.into_iter().find(|edge| self.nodes.number(edge.target) == Some(step[0])));
        }
        Ok(Walk { from, steps, to })
    }
}

impl Path {
    /// Adds the steps to the path; false where the run ends on the way: then the last state is repeated for ever.
    fn follow_product(&mut self, walk: &Walk) -> bool {
        walk.steps.iter().all(|step| {
            step.edge.is_some_and(|edge| {
                self.push(edge, step.target.0);
                true
            })
        })
    }
}
