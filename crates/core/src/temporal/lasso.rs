//! A short run through an accepting component of the product: a stem, and a cycle with all marks.
//!
//! In: the nodes that an emptiness search found. Out: a `Path` through the structure. Every part is found breadth first, so that
//! people have little to read; the whole is not always shortest, which would be much harder to find.

use std::collections::{HashMap, HashSet, VecDeque};

use super::emptiness::Found;
use super::fair_lasso::go_round_fairly;
use super::fairness::{FairSearch, Fairness};
use super::product::{Claim, Ground, Nodes, ProductEdge};
use super::structure::Structure;
use crate::automata::Automaton;
use crate::canon::Canonicaliser;
use crate::model::PackedModel;
use crate::quotient::Unfinished;

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
    pub fn shortest(
        self,
        structure: &Structure,
        allowed: impl Fn(u32) -> bool,
        wanted: impl Fn(u32) -> bool,
    ) -> Path {
        let start = self.states[self.states.len() - 1];
        let mut parents: HashMap<u32, (u32, u32)> = HashMap::new();
        let mut seen = HashSet::from([start]);
        let mut open = VecDeque::from([start]);
        while let Some(state) = open.pop_front() {
            if wanted(state) {
                return self.along(&parents, state);
            }
            if !allowed(state) {
                continue;
            }
            for (edge, &target) in (0..).zip(structure.targets(state)) {
                if seen.insert(target) {
                    parents.insert(target, (state, edge));
                    open.push_back(target);
                }
            }
        }
        self
    }

    /// Continues inside a set of states until one releases it or a cycle closes: a state from which one can stay for ever, or until
    /// released, has a successor of that sort unless it releases.
    pub fn staying(
        self,
        structure: &Structure,
        stays: impl Fn(u32) -> bool,
        releases: impl Fn(u32) -> bool,
    ) -> Path {
        let start = self.states[self.states.len() - 1];
        // Depth first: the first edge back to the stack closes a cycle.
        let mut path = Path::at(start);
        let mut position = HashMap::from([(start, 0usize)]);
        let mut left = HashSet::new();
        let mut cursors = vec![0u32];
        while let Some(cursor) = cursors.last_mut() {
            let state = path.states[path.states.len() - 1];
            if *cursor == 0 && releases(state) {
                break;
            }
            let Some(&target) = structure.targets(state).get(*cursor as usize) else {
                cursors.pop();
                path.states.pop();
                path.edges.pop();
                position.remove(&state);
                left.insert(state);
                continue;
            };
            let edge = *cursor;
            *cursor += 1;
            if !stays(target) || left.contains(&target) {
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
        whole
    }

    fn along(mut self, parents: &HashMap<u32, (u32, u32)>, end: u32) -> Path {
        let (mut at, mut steps) = (end, Vec::new());
        while let Some(&(parent, edge)) = parents.get(&at) {
            steps.push((edge, at));
            at = parent;
        }
        steps.iter().rev().for_each(|&(edge, target)| self.push(edge, target));
        self
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
    pub fn continue_anyhow<M: PackedModel, C: Canonicaliser>(
        &mut self,
        ground: &mut Ground<'_, '_, '_, M, C>,
    ) -> Result<(), Unfinished> {
        let begin = self.states.len() - 1;
        let mut at = self.states[begin];
        let mut position = HashMap::from([(at, begin)]);
        loop {
            ground.expand(at)?;
            let Some(&target) = ground.structure.targets(at).first() else { return Ok(()) };
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
pub struct Explored<'a> {
    pub claim: &'a Claim,
    pub structure: &'a Structure,
    pub nodes: &'a Nodes,
}

/// Steps of the product from one node to another.
struct Walk {
    from: u32,
    steps: Vec<ProductEdge>,
    to: u32,
}

impl Explored<'_> {
    /// A run from one of these states that the automaton accepts; only its beginning where everything is accepted after that.
    /// None where nothing was found.
    pub fn path(&self, from: &[u32], found: &Found, fairness: Option<&mut Fairness<'_>>) -> Option<Path> {
        let starts = from.iter().filter_map(|&state| self.nodes.find(state, Automaton::INITIAL));
        let starts: Vec<u32> = starts.collect();
        match found {
            Found::Nothing => None,
            Found::Everything(node) => {
                let walk = self.nearest(&starts, None, |at| at == *node, |_| false)?;
                let mut path = Path::at(self.nodes.get(walk.from).state);
                if self.follow(&mut path, &walk) {
                    path.decided = Some(path.states.len() - 1);
                }
                Some(path)
            }
            Found::Component(members) => {
                let inside: HashSet<u32> = members.iter().copied().collect();
                let walk = self.nearest(&starts, None, |at| inside.contains(&at), |_| false)?;
                let mut path = Path::at(self.nodes.get(walk.from).state);
                if !self.follow(&mut path, &walk) {
                    return Some(path);
                }
                match fairness {
                    None => self.go_round(&mut path, walk.to, &inside)?,
                    Some(fairness) => {
                        let Explored { claim, structure, nodes } = *self;
                        let mut search = FairSearch { claim, structure, nodes, fairness };
                        go_round_fairly(&mut search, &mut path, walk.to, &inside)?;
                    }
                }
                Some(path)
            }
        }
    }

    /// Continues a path by a cycle from a node of a component through edges with all marks.
    fn go_round(&self, path: &mut Path, entry: u32, inside: &HashSet<u32>) -> Option<()> {
        let loop_start = path.states.len() - 1;
        let mut missing = self.claim.automaton.all_marks();
        let mut at = entry;
        while missing != 0 {
            let walk = self.nearest(&[at], Some(inside), |_| false, |edge| edge.marks & missing != 0)?;
            walk.steps.iter().for_each(|edge| missing &= !edge.marks);
            if !self.follow(path, &walk) {
                return Some(());
            }
            at = walk.to;
        }
        if at != entry || path.states.len() == loop_start + 1 {
            let back = |edge: &ProductEdge| self.nodes.find(edge.target.0, edge.target.1) == Some(entry);
            let walk = self.nearest(&[at], Some(inside), |_| false, back)?;
            if !self.follow(path, &walk) {
                return Some(());
            }
        }
        path.close(loop_start);
        Some(())
    }

    /// The steps to and along the nearest edge that is wanted, inside a set of nodes.
    pub fn steps_along(
        &self,
        from: u32,
        inside: &HashSet<u32>,
        wanted: impl Fn(&ProductEdge) -> bool,
    ) -> Option<Vec<ProductEdge>> {
        Some(self.nearest(&[from], Some(inside), |_| false, wanted)?.steps)
    }

    /// Adds the steps to the path; false where the run ends on the way: then the last state is repeated for ever.
    fn follow(&self, path: &mut Path, walk: &Walk) -> bool {
        walk.steps.iter().all(|step| {
            step.edge.is_some_and(|edge| {
                path.push(edge, step.target.0);
                true
            })
        })
    }

    /// The way to the nearest node, or along the nearest edge, that is wanted; inside a set of nodes, where one is given.
    fn nearest(
        &self,
        starts: &[u32],
        inside: Option<&HashSet<u32>>,
        node_wanted: impl Fn(u32) -> bool,
        edge_wanted: impl Fn(&ProductEdge) -> bool,
    ) -> Option<Walk> {
        let mut parents: HashMap<u32, (u32, ProductEdge)> = HashMap::new();
        let mut seen: HashSet<u32> = starts.iter().copied().collect();
        let mut open: VecDeque<u32> = starts.iter().copied().collect();
        let walk = |parents: &HashMap<u32, (u32, ProductEdge)>, node: u32| {
            let (mut from, mut steps) = (node, Vec::new());
            while let Some(&(parent, edge)) = parents.get(&from) {
                steps.push(edge);
                from = parent;
            }
            steps.reverse();
            Walk { from, steps, to: node }
        };
        while let Some(number) = open.pop_front() {
            if node_wanted(number) {
                return Some(walk(&parents, number));
            }
            let node = self.nodes.get(number);
            // At the edge of what was explored, states have no edges yet.
            if !self.structure.is_expanded(node.state) {
                continue;
            }
            let mut cursor = self.claim.open(self.structure, node);
            while let Some(edge) = self.claim.next_edge(self.structure, node, &mut cursor) {
                let Some(target) = self.nodes.find(edge.target.0, edge.target.1) else { continue };
                if inside.is_some_and(|inside| !inside.contains(&target)) {
                    continue;
                }
                if edge_wanted(&edge) {
                    let mut walk = walk(&parents, number);
                    walk.steps.push(edge);
                    walk.to = target;
                    return Some(walk);
                }
                if seen.insert(target) {
                    parents.insert(target, (number, edge));
                    open.push_back(target);
                }
            }
        }
        None
    }
}
