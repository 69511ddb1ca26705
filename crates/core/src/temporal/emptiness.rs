//! Is there a run that the automaton accepts? The components of the product, found on the fly.
//!
//! In: a claim and a structure, which is expanded as the search goes. Out: the first component whose edges have all marks, or
//! that there is none; or, where all states are asked about, those from which such a component can be reached. Couvreur 1999: as
//! Tarjan's search finds components, the marks on the edges inside each one are collected, so the search stops as soon as a
//! cycle with all marks is closed, before its component is complete.

use std::collections::HashMap;

use super::edge_lists::push_gently;
use super::fairness::FairSearch;
use super::ground::Ground;
use super::product::{Claim, Nodes, Status};
use super::state_set::StateSet;
use crate::automata::{Automaton, ComponentKind};
use crate::quotient::Unfinished;

/// Nodes that are entered or left between two looks at limits.
const POLL_INTERVAL: u32 = 1 << 10;

/// A node on the path of the search, and the next of its edges: by the edge of the automaton, then by that of the state.
#[derive(Clone, Copy)]
struct Frame {
    node: u32,
    option: u32,
    edge: u32,
}

/// A component that may still grow: its first node, the marks of its edges, and those on the edge that led to it.
struct Root {
    node: u32,
    marks: u64,
    entered_by: u64,
    /// Do its own edges have all marks?
    closes: bool,
    /// Does an accepted run begin in it?
    accepts: bool,
}

/// A search that can be interrupted and go on.
pub struct Emptiness {
    pub nodes: Nodes,
    frames: Vec<Frame>,
    roots: Vec<Root>,
    /// Nodes whose component is not closed, in the order in which they were found.
    live: Vec<u32>,
    /// How many of the states to begin with are done.
    begun: usize,
    /// Go on after the first accepting component?
    is_exhaustive: bool,
}

/// What was found.
pub enum Found {
    Nothing,
    /// The nodes of an accepting component, or of the part of it that was found.
    Component(Vec<u32>),
    /// A node from which everything is accepted.
    Everything(u32),
}

/// What the edges of a node lead to next.
enum Next {
    /// All edges are followed.
    Left,
    New {
        target: (u32, u32),
        marks: u64,
    },
    /// Back to a live node: all components since are one.
    Back {
        node: u32,
        marks: u64,
    },
    Closed,
}

impl Emptiness {
    pub fn new(claim: &Claim) -> Emptiness {
        Emptiness {
            nodes: Nodes::new(&claim.automaton),
            frames: Vec::new(),
            roots: Vec::new(),
            live: Vec::new(),
            begun: 0,
            is_exhaustive: false,
        }
    }

    pub fn bytes(&self) -> usize {
        self.nodes.bytes()
            + self.frames.capacity() * size_of::<Frame>()
            + self.roots.capacity() * size_of::<Root>()
            + self.live.capacity() * 4
    }

    /// In which states an accepted run begins. Of a structure that is expanded completely.
    pub fn accepting_states<G: Ground>(claim: &Claim, ground: &mut G) -> Result<StateSet, Unfinished> {
        let mut search = Emptiness { is_exhaustive: true, ..Emptiness::new(claim) };
        let states: Vec<u32> = ground.structure().expanded_states().iter().collect();
        search.run(claim, ground, &states)?;
        let accepts = |state: u32| {
            search.nodes.find(state, Automaton::INITIAL).is_some_and(|(_, status)| status == Status::Accepts)
        };
        Ok(StateSet::of(ground.structure().states() as usize, accepts))
    }

    /// Goes on until an accepting component is found from one of these states or none is left. After an error it can be called
    /// again.
    pub fn run<G: Ground>(
        &mut self,
        claim: &Claim,
        ground: &mut G,
        from: &[u32],
    ) -> Result<Found, Unfinished> {
        loop {
            if let Some(found) = self.search(claim, ground)? {
                return Ok(found);
            }
            let Some(&state) = from.get(self.begun) else { return Ok(Found::Nothing) };
            if self.nodes.find(state, Automaton::INITIAL).is_none()
                && let Some(found) = self.discover(claim, ground, (state, Automaton::INITIAL), 0)?
            {
                return Ok(found);
            }
            self.begun += 1;
        }
    }

    fn search<G: Ground>(&mut self, claim: &Claim, ground: &mut G) -> Result<Option<Found>, Unfinished> {
        let mut turns = 0u32;
        while let Some(&frame) = self.frames.last() {
            turns = turns.wrapping_add(1);
            if turns.is_multiple_of(POLL_INTERVAL) {
                ground.poll(self.bytes())?;
            }
            let found = match self.follow(claim, ground, frame)? {
                Next::New { target, marks } => match self.discover(claim, ground, target, marks) {
                    Ok(found) => found,
                    Err(why) => {
                        // The edge is followed again.
                        if let Some(frame) = self.frames.last_mut() {
                            frame.edge -= 1;
                        }
                        return Err(why);
                    }
                },
                Next::Back { node, marks } => {
                    self.merge(node, marks);
                    self.closed(claim, ground.is_fair())
                }
                Next::Closed => self.closed(claim, ground.is_fair()),
                Next::Left => self.leave(frame.node, claim, ground)?,
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Follows edges of the node of the last frame up to one that changes more than the marks of the last component.
    fn follow<G: Ground>(&mut self, claim: &Claim, ground: &mut G, frame: Frame) -> Result<Next, Unfinished> {
        let node = self.nodes.get(frame.node);
        let letter = claim.state_letter(ground.structure(), node.state);
        let edges = ground.edges(node.state)?;
        let here = [node.state];
        let targets = if edges.targets.is_empty() { &here } else { edges.targets };
        let options = claim.automaton.edges(node.automaton);
        let all = claim.automaton.all_marks();
        let Emptiness { nodes, frames, roots, .. } = self;
        let (Some(last), Some(root)) = (frames.last_mut(), roots.last_mut()) else { return Ok(Next::Left) };
        let Frame { mut option, mut edge, .. } = frame;
        while let Some(taken) = options.get(option as usize) {
            if !claim.allows(taken.label, letter) {
                (option, edge) = (option + 1, 0);
                continue;
            }
            while let Some(&target) = targets.get(edge as usize) {
                edge += 1;
                if !claim.allows_step(taken.label, &edges, edge as usize - 1) {
                    continue;
                }
                let next = match nodes.find(target, taken.target) {
                    None => Next::New { target: (target, taken.target), marks: taken.marks },
                    Some((_, Status::Rejects)) => continue,
                    Some((_, Status::Accepts)) => {
                        root.accepts = true;
                        continue;
                    }
                    Some((found, Status::Live)) if found >= root.node => {
                        root.marks |= taken.marks;
                        if root.marks != all || root.closes {
                            continue;
                        }
                        Next::Closed
                    }
                    Some((found, Status::Live)) => Next::Back { node: found, marks: taken.marks },
                };
                (last.option, last.edge) = (option, edge);
                return Ok(next);
            }
            (option, edge) = (option + 1, 0);
        }
        Ok(Next::Left)
    }

    /// Begins with a node that is new.
    fn discover<G: Ground>(
        &mut self,
        claim: &Claim,
        ground: &mut G,
        (state, automaton): (u32, u32),
        entered_by: u64,
    ) -> Result<Option<Found>, Unfinished> {
        ground.expand(state)?;
        let node = self.nodes.add(state, automaton)?;
        push_gently(&mut self.live, node);
        // From every state there is a fair run.
        let accepts = claim.automaton.kind(automaton) == ComponentKind::Terminal;
        push_gently(&mut self.roots, Root { node, marks: 0, entered_by, closes: false, accepts });
        push_gently(&mut self.frames, Frame { node, option: 0, edge: 0 });
        Ok((accepts && !self.is_exhaustive).then_some(Found::Everything(node)))
    }

    /// An edge with these marks leads back to a node: all components since are one.
    fn merge(&mut self, node: u32, mut marks: u64) {
        let (mut accepts, mut closes) = (false, false);
        while let Some(root) = self.roots.pop() {
            marks |= root.marks;
            accepts |= root.accepts;
            closes |= root.closes;
            if root.node <= node {
                self.roots.push(Root { marks, accepts, closes, ..root });
                break;
            }
            marks |= root.entered_by;
        }
    }

    /// Does the last component have all marks? Whether a fair run stays in it is known when all of it is there.
    fn closed(&mut self, claim: &Claim, is_fair: bool) -> Option<Found> {
        let all = claim.automaton.all_marks();
        let root = self.roots.last_mut().filter(|root| root.marks == all)?;
        root.closes = true;
        let first = root.node;
        (!self.is_exhaustive && !is_fair).then(|| {
            let first = self.live.partition_point(|&node| node < first);
            Found::Component(self.live[first..].to_vec())
        })
    }

    /// All edges of the node are followed: if it is the first of its component, that is complete.
    fn leave<G: Ground>(
        &mut self,
        node: u32,
        claim: &Claim,
        ground: &mut G,
    ) -> Result<Option<Found>, Unfinished> {
        let Some(root) = self.roots.last().filter(|root| root.node == node) else {
            self.frames.pop();
            return Ok(None);
        };
        let first = self.live.partition_point(|&member| member < node);
        let mut accepts = root.accepts;
        if root.closes && !accepts {
            accepts = true;
            if ground.is_fair() {
                let mut search = FairSearch { claim, nodes: &self.nodes, ground };
                let part = search.fair_part(&self.live[first..])?;
                accepts = part.is_some();
                if !self.is_exhaustive
                    && let Some(part) = part
                {
                    return Ok(Some(Found::Component(part)));
                }
            }
        }
        let status = if accepts { Status::Accepts } else { Status::Rejects };
        self.live.drain(first..).for_each(|member| self.nodes.set_status(member, status));
        self.frames.pop();
        self.roots.pop();
        if accepts && let Some(root) = self.roots.last_mut() {
            root.accepts = true;
        }
        Ok(None)
    }
}

/// The components of part of a product whose edges have all marks.
pub fn components_of<G: Ground>(
    claim: &Claim,
    ground: &mut G,
    nodes: &Nodes,
    part: &[u32],
) -> Result<Vec<Vec<u32>>, Unfinished> {
    let position: HashMap<u32, usize> = part.iter().enumerate().map(|(at, &node)| (node, at)).collect();
    let mut edges: Vec<Vec<(usize, u64)>> = Vec::with_capacity(part.len());
    for &node in part {
        let found = claim.edges_of(ground, nodes.get(node))?.into_iter().filter_map(|edge| {
            let target = nodes.number(edge.target).and_then(|node| position.get(&node));
            target.map(|&target| (target, edge.marks))
        });
        edges.push(found.collect());
    }
    let of = tarjan(&edges);
    let count = of.iter().max().map_or(0, |&most| most + 1);
    let (mut marks, mut has_edges) = (vec![0u64; count], vec![false; count]);
    for (at, targets) in edges.iter().enumerate() {
        for &(_, on_edge) in targets.iter().filter(|&&(target, _)| of[target] == of[at]) {
            marks[of[at]] |= on_edge;
            has_edges[of[at]] = true;
        }
    }
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); count];
    part.iter().enumerate().for_each(|(at, &node)| members[of[at]].push(node));
    let all = claim.automaton.all_marks();
    let accepting = (0..count).filter(|&each| has_edges[each] && marks[each] == all);
    Ok(accepting.map(|each| std::mem::take(&mut members[each])).collect())
}

/// By node: the number of its component.
fn tarjan(edges: &[Vec<(usize, u64)>]) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let (mut index, mut low, mut of) =
        (vec![NONE; edges.len()], vec![0; edges.len()], vec![NONE; edges.len()]);
    let (mut stack, mut found, mut count) = (Vec::new(), 0, 0);
    for root in 0..edges.len() {
        if index[root] != NONE {
            continue;
        }
        let mut frames = vec![(root, 0usize)];
        while let Some(&(node, at)) = frames.last() {
            if at == 0 {
                (index[node], low[node]) = (found, found);
                found += 1;
                stack.push(node);
            }
            if let Some(&(target, _)) = edges[node].get(at) {
                if let Some(frame) = frames.last_mut() {
                    frame.1 += 1;
                }
                if index[target] == NONE {
                    frames.push((target, 0));
                } else if of[target] == NONE {
                    low[node] = low[node].min(index[target]);
                }
                continue;
            }
            frames.pop();
            if low[node] == index[node] {
                while let Some(member) = stack.pop() {
                    of[member] = count;
                    if member == node {
                        break;
                    }
                }
                count += 1;
            }
            if let Some(&(parent, _)) = frames.last() {
                low[parent] = low[parent].min(low[node]);
            }
        }
    }
    of
}
