//! Is there a run that the automaton accepts? The components of the product, found on the fly.
//!
//! In: a claim and a structure, which is expanded as the search goes. Out: the first component whose edges have all marks, or
//! that there is none; or, where all states are asked about, those from which such a component can be reached. Couvreur 1999: as
//! Tarjan's search finds components, the marks on the edges inside each one are collected, so the search stops as soon as a
//! cycle with all marks is closed, before its component is complete.

use std::collections::HashMap;

use super::fairness::FairSearch;
use super::product::{Claim, Cursor, Ground, Nodes};
use super::structure::Structure;
use crate::automata::{Automaton, ComponentKind};
use crate::canon::Canonicaliser;
use crate::model::PackedModel;
use crate::quotient::Unfinished;

/// Its component is complete, and no accepted run begins there.
const REJECTS: u32 = 0;
/// Its component is complete, and an accepted run begins there.
const ACCEPTS: u32 = u32::MAX;

/// Edges between two looks at whether the run was cancelled.
const POLL_INTERVAL: u32 = 1 << 12;

struct Frame {
    node: u32,
    cursor: Cursor,
}

/// A component that may still grow: the number of its first node, the marks of its edges, and those on the edge that led to it.
struct Root {
    order: u32,
    marks: u64,
    entered_by: u64,
    /// Do its own edges have all marks?
    closes: bool,
    /// Does an accepted run begin in it?
    accepts: bool,
}

/// A search that can be interrupted and go on.
#[derive(Default)]
pub struct Emptiness {
    pub nodes: Nodes,
    /// By node: when it was found, from 1 on; then what its component turned out to do.
    order: Vec<u32>,
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

impl Emptiness {
    pub fn bytes(&self) -> usize {
        self.nodes.bytes()
            + self.order.capacity() * 4
            + self.frames.capacity() * size_of::<Frame>()
            + self.live.capacity() * 4
    }

    /// By state: does an accepted run begin there? Of a structure that is expanded completely.
    pub fn accepting_states<M: PackedModel, C: Canonicaliser>(
        claim: &Claim,
        ground: &mut Ground<'_, '_, '_, M, C>,
    ) -> Result<Vec<bool>, Unfinished> {
        let mut search = Emptiness { is_exhaustive: true, ..Emptiness::default() };
        let states: Vec<u32> = ground.structure.expanded_states().collect();
        search.run(claim, ground, &states)?;
        let accepts = |state: u32| {
            let node = search.nodes.find(state, Automaton::INITIAL);
            node.is_some_and(|node| search.order[node as usize] == ACCEPTS)
        };
        Ok((0..ground.structure.states()).map(accepts).collect())
    }

    /// Goes on until an accepting component is found from one of these states or none is left. After an error it can be called
    /// again.
    pub fn run<M: PackedModel, C: Canonicaliser>(
        &mut self,
        claim: &Claim,
        ground: &mut Ground<'_, '_, '_, M, C>,
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

    fn search<M: PackedModel, C: Canonicaliser>(
        &mut self,
        claim: &Claim,
        ground: &mut Ground<'_, '_, '_, M, C>,
    ) -> Result<Option<Found>, Unfinished> {
        let all = claim.automaton.all_marks();
        let mut followed = 0u32;
        loop {
            followed = followed.wrapping_add(1);
            if followed.is_multiple_of(POLL_INTERVAL) {
                ground.watch.on_searching(self.bytes())?;
            }
            let Some(frame) = self.frames.last_mut() else { return Ok(None) };
            let node = self.nodes.get(frame.node);
            let before = frame.cursor;
            let Some(edge) = claim.next_edge(ground.structure, node, &mut frame.cursor) else {
                let number = frame.node;
                self.frames.pop();
                if let Some(found) = self.leave(number, claim, ground) {
                    return Ok(Some(found));
                }
                continue;
            };
            let Some(target) = self.nodes.find(edge.target.0, edge.target.1) else {
                match self.discover(claim, ground, edge.target, edge.marks) {
                    Ok(None) => continue,
                    Ok(Some(found)) => return Ok(Some(found)),
                    Err(why) => {
                        // The edge is followed again.
                        if let Some(frame) = self.frames.last_mut() {
                            frame.cursor = before;
                        }
                        return Err(why);
                    }
                }
            };
            match self.order[target as usize] {
                REJECTS => {}
                ACCEPTS => self.accept(),
                order => {
                    let closes = self.merge(order, edge.marks) == all;
                    // Whether a fair run stays in a component is known when all of it is there.
                    if closes && !self.is_exhaustive && ground.steps.fairness.is_none() {
                        return Ok(Some(Found::Component(self.top_component())));
                    }
                    if let Some(root) = self.roots.last_mut() {
                        root.closes |= closes;
                    }
                }
            }
        }
    }

    /// Begins with a node that is new.
    fn discover<M: PackedModel, C: Canonicaliser>(
        &mut self,
        claim: &Claim,
        ground: &mut Ground<'_, '_, '_, M, C>,
        (state, automaton): (u32, u32),
        entered_by: u64,
    ) -> Result<Option<Found>, Unfinished> {
        ground.expand(state)?;
        let number = self.nodes.add(state, automaton);
        let order = self.order.len() as u32 + 1;
        self.order.push(order);
        self.live.push(number);
        // From every state there is a fair run.
        let accepts_everything = claim.automaton.kind(automaton) == ComponentKind::Terminal;
        self.roots.push(Root { order, marks: 0, entered_by, closes: false, accepts: accepts_everything });
        let cursor = claim.open(ground.structure, self.nodes.get(number));
        self.frames.push(Frame { node: number, cursor });
        Ok((accepts_everything && !self.is_exhaustive).then_some(Found::Everything(number)))
    }

    /// An edge leads back to a node found at that time: all components since are one. Its marks.
    fn merge(&mut self, order: u32, mut marks: u64) -> u64 {
        let (mut accepts, mut closes) = (false, false);
        while let Some(root) = self.roots.pop() {
            marks |= root.marks;
            accepts |= root.accepts;
            closes |= root.closes;
            if root.order <= order {
                self.roots.push(Root { marks, accepts, closes, ..root });
                break;
            }
            marks |= root.entered_by;
        }
        marks
    }

    fn accept(&mut self) {
        if let Some(root) = self.roots.last_mut() {
            root.accepts = true;
        }
    }

    /// The nodes of the component found last, as far as they are known.
    fn top_component(&self) -> Vec<u32> {
        let from = self.roots.last().map_or(0, |root| root.order);
        let first = self.live.partition_point(|&node| self.order[node as usize] < from);
        self.live[first..].to_vec()
    }

    /// All edges of the node are followed: if it is the first of its component, that is complete.
    fn leave<M: PackedModel, C: Canonicaliser>(
        &mut self,
        node: u32,
        claim: &Claim,
        ground: &mut Ground<'_, '_, '_, M, C>,
    ) -> Option<Found> {
        let order = self.order[node as usize];
        let root = self.roots.pop_if(|root| root.order == order)?;
        let first = self.live.iter().rposition(|&member| member == node).unwrap_or(0);
        let members = self.live.split_off(first);
        let mut accepts = root.accepts;
        if root.closes && !accepts {
            match &mut ground.steps.fairness {
                None => accepts = true,
                Some(fairness) => {
                    let (structure, nodes) = (&*ground.structure, &self.nodes);
                    let part = FairSearch { claim, structure, nodes, fairness }.fair_part(&members);
                    if let Some(part) = part {
                        if !self.is_exhaustive {
                            return Some(Found::Component(part));
                        }
                        accepts = true;
                    }
                }
            }
        }
        for member in members {
            self.order[member as usize] = if accepts { ACCEPTS } else { REJECTS };
        }
        if accepts {
            self.accept();
        }
        None
    }
}

/// The components of part of a product whose edges have all marks.
pub fn components_of(claim: &Claim, structure: &Structure, nodes: &Nodes, part: &[u32]) -> Vec<Vec<u32>> {
    let position: HashMap<u32, usize> = part.iter().enumerate().map(|(at, &node)| (node, at)).collect();
    let targets = |at: usize| {
        let node = nodes.get(part[at]);
        let mut cursor = claim.open(structure, node);
        let mut found = Vec::new();
        while let Some(edge) = claim.next_edge(structure, node, &mut cursor) {
            let target = nodes.find(edge.target.0, edge.target.1).and_then(|node| position.get(&node));
            found.extend(target.map(|&target| (target, edge.marks)));
        }
        found
    };
    let edges: Vec<Vec<(usize, u64)>> = (0..part.len()).map(targets).collect();
    let of = tarjan(&edges);
    let count = of.iter().max().map_or(0, |&most| most + 1);
    let (mut marks, mut has_edges) = (vec![0u64; count], vec![false; count]);
    for (at, targets) in edges.iter().enumerate() {
        for &(target, on_edge) in targets.iter().filter(|&&(target, _)| of[target] == of[at]) {
            debug_assert_eq!(of[target], of[at]);
            marks[of[at]] |= on_edge;
            has_edges[of[at]] = true;
        }
    }
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); count];
    part.iter().enumerate().for_each(|(at, &node)| members[of[at]].push(node));
    let all = claim.automaton.all_marks();
    let accepting = (0..count).filter(|&each| has_edges[each] && marks[each] == all);
    accepting.map(|each| std::mem::take(&mut members[each])).collect()
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
