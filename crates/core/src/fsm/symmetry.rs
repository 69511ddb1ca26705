//! Is a pattern a symmetry of a machine? (Romijn and Springintveld 1999, Definition 3.1 and Theorem 6.13)
//!
//! In: a deterministic machine, a pattern. Out: a `Verdict`, with two traces where the pattern is none.
//!
//! Two traces are variants if their actions have the same colours one by one. A pair of nodes is *related* if variant traces
//! lead to them. The conditions:
//!
//! * *covered*: every edge of a node has colours;
//! * *closed* (strict sense only): an action of the alphabet that has the colours of an enabled one is enabled. Related nodes
//!   that enable the same colours are closed for each other if each is closed for itself, so nodes are looked at one by one;
//! * *persistent*: related nodes enable the same colours;
//! * *loop preserving*: no node leads to another one of the same state.
//!
//! Related pairs may be many, a square of the nodes. But if (p, q) and (q, r) are related pairs with equal colours, so are p and
//! r, and their successors are joined through those of q. So it is enough to look at pairs that connect every class of the
//! equivalence that related pairs generate, kept by union and find (Hopcroft and Karp 1971): fewer than two pairs a node.
//! Every pair that is looked at is related itself, so a counterexample is one.

use std::collections::VecDeque;

use super::interner::Interner;
use super::pattern::Nodes;
use super::{NONE, Pattern, StateMachine, Stopped, Watch};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    Uncovered,
    NotClosed,
    NotPersistent,
    NotLoopPreserving,
}

/// Two variant traces; the first goes on by `action`, which has no colours, or whose colours `other` has, which is not
/// enabled after the second, or which no enabled action has. Of loops: a trace, and a longer one to the same state.
#[derive(Debug)]
pub struct Counterexample {
    pub flaw: Flaw,
    pub traces: (Vec<u32>, Vec<u32>),
    pub action: Option<u32>,
    pub other: Option<u32>,
}

#[derive(Debug)]
pub struct Verdict {
    pub counterexample: Option<Counterexample>,
    pub nodes: usize,
    /// Pairs of nodes that were compared.
    pub compared: usize,
    /// Pairs in the equivalence that related pairs generate, where all were found.
    pub related: u64,
}

pub fn check(
    machine: &StateMachine,
    pattern: &Pattern,
    is_strict: bool,
    watch: &mut Watch<'_>,
) -> Result<Verdict, Stopped> {
    let mut graph = Graph::new(machine, pattern)?;
    if let Some(found) = graph.build(machine, pattern, is_strict, watch)? {
        return Ok(Verdict {
            counterexample: Some(found),
            nodes: graph.nodes.len(),
            compared: 0,
            related: 0,
        });
    }
    if let Some(found) = graph.unpreserved_loop(watch)? {
        return Ok(Verdict {
            counterexample: Some(found),
            nodes: graph.nodes.len(),
            compared: 0,
            related: 0,
        });
    }
    let mut comparison = Comparison::new(&graph);
    let counterexample = comparison.run(watch)?;
    let related = if counterexample.is_none() { comparison.related() } else { 0 };
    Ok(Verdict { counterexample, nodes: graph.nodes.len(), compared: comparison.compared, related })
}

/// All nodes, and their edges with colours.
struct Graph {
    nodes: Nodes,
    starts: Vec<usize>,
    edges: Vec<ColouredEdge>,
    depths: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct ColouredEdge {
    colours: u32,
    action: u32,
    target: u32,
}

impl Graph {
    fn new(machine: &StateMachine, pattern: &Pattern) -> Result<Self, Stopped> {
        let nodes = Nodes::new(machine, pattern)?;
        Ok(Graph { nodes, starts: vec![0], edges: Vec::new(), depths: vec![0] })
    }

    fn edges(&self, node: u32) -> &[ColouredEdge] {
        &self.edges[self.starts[node as usize]..self.starts[node as usize + 1]]
    }

    /// Ends at the first node that is not covered, or not closed.
    fn build(
        &mut self,
        machine: &StateMachine,
        pattern: &Pattern,
        is_strict: bool,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Counterexample>, Stopped> {
        let mut multisets = Interner::default();
        let (mut row, mut after, mut colours) = (Vec::new(), Vec::new(), Vec::new());
        let mut is_enabled = vec![NONE; machine.actions()];
        let mut node = 0;
        while (node as usize) < self.nodes.len() {
            row.clear();
            row.extend_from_slice(self.nodes.row(node));
            let first = self.edges.len();
            for edge in machine.edges(row[0]) {
                watch.step()?;
                after.clone_from(&row);
                pattern.step(&mut after, edge.action, &mut colours);
                if colours.is_empty() {
                    return Ok(Some(self.at(node, Flaw::Uncovered, edge.action, None)));
                }
                after[0] = edge.target;
                let (target, is_new) = self.nodes.add(&after, node, edge.action)?;
                if is_new {
                    self.depths.push(self.depths[node as usize] + 1);
                }
                let (colours, _) = multisets.intern(&colours)?;
                self.edges.push(ColouredEdge { colours, action: edge.action, target });
                is_enabled[edge.action as usize] = node;
            }
            self.edges[first..].sort_unstable();
            self.starts.push(self.edges.len());
            if is_strict {
                for action in (0..machine.actions() as u32).filter(|&a| is_enabled[a as usize] != node) {
                    watch.step()?;
                    after.clone_from(&row);
                    pattern.step(&mut after, action, &mut colours);
                    let Some(colours) = multisets.find(&colours) else { continue };
                    let own = self.edges(node);
                    if let Ok(at) = own.binary_search_by_key(&colours, |edge| edge.colours) {
                        let enabled = own[at].action;
                        return Ok(Some(self.at(node, Flaw::NotClosed, enabled, Some(action))));
                    }
                }
            }
            node += 1;
        }
        Ok(None)
    }

    fn at(&self, node: u32, flaw: Flaw, action: u32, other: Option<u32>) -> Counterexample {
        let trace = self.nodes.trace(node);
        Counterexample { flaw, traces: (trace.clone(), trace), action: Some(action), other }
    }

    /// A path between two nodes of one state. Where each state has one node there is nothing to search.
    fn unpreserved_loop(&self, watch: &mut Watch<'_>) -> Result<Option<Counterexample>, Stopped> {
        let mut nodes: Vec<(u32, u32)> =
            (0..self.nodes.len() as u32).map(|node| (self.nodes.state(node), node)).collect();
        nodes.sort_unstable();
        let mut from: Vec<(u32, u32, u32)> = vec![(NONE, NONE, NONE); self.nodes.len()];
        for same in nodes.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1) {
            for &(state, start) in same {
                // `from`: the search it belongs to, predecessor, action.
                from[start as usize] = (start, NONE, NONE);
                let mut queue = vec![start];
                let mut at = 0;
                while let Some(&node) = queue.get(at) {
                    at += 1;
                    for edge in self.edges(node) {
                        watch.step()?;
                        if from[edge.target as usize].0 == start {
                            continue;
                        }
                        from[edge.target as usize] = (start, node, edge.action);
                        if self.nodes.state(edge.target) == state {
                            return Ok(Some(self.looping(&from, start, edge.target)));
                        }
                        queue.push(edge.target);
                    }
                }
            }
        }
        Ok(None)
    }

    fn looping(&self, from: &[(u32, u32, u32)], start: u32, end: u32) -> Counterexample {
        let before = self.nodes.trace(start);
        let mut steps = Vec::new();
        let mut at = end;
        while at != start {
            let (_, node, action) = from[at as usize];
            steps.push(action);
            at = node;
        }
        let mut longer = before.clone();
        longer.extend(steps.iter().rev());
        let flaw = Flaw::NotLoopPreserving;
        Counterexample { flaw, traces: (before, longer), action: None, other: None }
    }
}

/// Two nodes after variant traces: those of the pair `from`, and an action for each. NONE: one node and its own trace.
struct Pair {
    nodes: (u32, u32),
    from: u32,
    actions: (u32, u32),
    depth: u32,
}

struct Comparison<'a> {
    graph: &'a Graph,
    joined: Vec<u32>,
    pairs: Vec<Pair>,
    queue: VecDeque<u32>,
    compared: usize,
}

impl<'a> Comparison<'a> {
    fn new(graph: &'a Graph) -> Self {
        let joined = (0..graph.nodes.len() as u32).collect();
        Comparison { graph, joined, pairs: Vec::new(), queue: VecDeque::new(), compared: 0 }
    }

    /// By the length of the traces: nodes, each with itself, and pairs that were found.
    fn run(&mut self, watch: &mut Watch<'_>) -> Result<Option<Counterexample>, Stopped> {
        let mut node = 0;
        loop {
            let waiting = self.queue.front().map(|&pair| self.pairs[pair as usize].depth);
            let own = self.graph.depths.get(node as usize).copied();
            match (waiting, own) {
                (None, None) => return Ok(None),
                (depth, Some(own)) if depth.is_none_or(|depth| own <= depth) => {
                    self.join_successors(node, watch)?;
                    node += 1;
                }
                _ => {
                    let pair = self.queue.pop_front().expect("it was looked at");
                    if let Some(found) = self.compare(pair, watch)? {
                        return Ok(Some(found));
                    }
                }
            }
            self.compared += 1;
        }
    }

    /// Edges of one node with the same colours.
    fn join_successors(&mut self, node: u32, watch: &mut Watch<'_>) -> Result<(), Stopped> {
        let edges = self.graph.edges(node);
        let depth = self.graph.depths[node as usize] + 1;
        let mut reflexive = NONE;
        for same in edges.chunk_by(|a, b| a.colours == b.colours) {
            for other in &same[1..] {
                watch.step()?;
                if reflexive == NONE && self.find(same[0].target) != self.find(other.target) {
                    reflexive = self.pairs.len() as u32;
                    let actions = (NONE, NONE);
                    self.pairs.push(Pair { nodes: (node, node), from: NONE, actions, depth: depth - 1 });
                }
                self.join(reflexive, (same[0], *other), depth)?;
            }
        }
        Ok(())
    }

    fn compare(&mut self, pair: u32, watch: &mut Watch<'_>) -> Result<Option<Counterexample>, Stopped> {
        let Pair { nodes: (one, other), depth, .. } = self.pairs[pair as usize];
        let mut ours = self.graph.edges(one).chunk_by(|a, b| a.colours == b.colours).peekable();
        let mut theirs = self.graph.edges(other).chunk_by(|a, b| a.colours == b.colours).peekable();
        loop {
            watch.step()?;
            match (ours.peek(), theirs.peek()) {
                (None, None) => return Ok(None),
                (Some(a), Some(b)) if a[0].colours == b[0].colours => {
                    self.join(pair, (a[0], b[0]), depth + 1)?;
                    ours.next();
                    theirs.next();
                }
                (Some(a), b) if b.is_none_or(|b| a[0].colours < b[0].colours) => {
                    return Ok(Some(self.unmatched(pair, a[0].action, false)));
                }
                (_, Some(b)) => return Ok(Some(self.unmatched(pair, b[0].action, true))),
                (Some(_), None) => unreachable!("no guard holds only for two"),
            }
        }
    }

    fn join(&mut self, from: u32, (a, b): (ColouredEdge, ColouredEdge), depth: u32) -> Result<(), Stopped> {
        let (one, other) = (self.find(a.target), self.find(b.target));
        if one == other {
            return Ok(());
        }
        self.joined[one.max(other) as usize] = one.min(other);
        let number = u32::try_from(self.pairs.len()).map_err(|_| Stopped::TooLarge)?;
        self.pairs.push(Pair { nodes: (a.target, b.target), from, actions: (a.action, b.action), depth });
        self.queue.push_back(number);
        Ok(())
    }

    fn find(&mut self, mut node: u32) -> u32 {
        while self.joined[node as usize] != node {
            let next = self.joined[node as usize];
            self.joined[node as usize] = self.joined[next as usize];
            node = next;
        }
        node
    }

    /// `is_second`: the action is enabled after the second trace, and the first has no variant of it.
    fn unmatched(&self, pair: u32, action: u32, is_second: bool) -> Counterexample {
        let (mut one, mut other) = (Vec::new(), Vec::new());
        let mut at = &self.pairs[pair as usize];
        while at.from != NONE {
            one.push(at.actions.0);
            other.push(at.actions.1);
            at = &self.pairs[at.from as usize];
        }
        let begin = self.graph.nodes.trace(at.nodes.0);
        let whole = |steps: &[u32]| begin.iter().chain(steps.iter().rev()).copied().collect();
        let traces = if is_second { (whole(&other), whole(&one)) } else { (whole(&one), whole(&other)) };
        Counterexample { flaw: Flaw::NotPersistent, traces, action: Some(action), other: None }
    }

    fn related(&mut self) -> u64 {
        let mut sizes = vec![0u64; self.joined.len()];
        for node in 0..self.joined.len() as u32 {
            let class = self.find(node);
            sizes[class as usize] += 1;
        }
        sizes.iter().map(|size| size * size).sum()
    }
}
