//! Kernels: the part of a machine that holds the representative of every trace (Romijn and Springintveld 1999, Definition 3.3).
//!
//! In: a deterministic machine, a pattern, the rank of each action. Out: states and edges. The representative of a trace is the
//! least of its class, so from a node only the least action of each multiset of colours is followed. By Lemma 6.15 which
//! continuations are representative depends on the node alone, so each node is explored once.

use super::pattern::Nodes;
use super::{Pattern, StateMachine, Stopped, Watch};

#[derive(Debug)]
pub struct Kernel {
    /// By state of the machine.
    pub states: Vec<bool>,
    /// By number of an edge of the machine.
    pub edges: Vec<bool>,
    /// Nodes explored.
    pub visited: usize,
}

impl Kernel {
    pub fn state_count(&self) -> usize {
        self.states.iter().filter(|&&is_in| is_in).count()
    }

    pub fn edge_count(&self) -> usize {
        self.edges.iter().filter(|&&is_in| is_in).count()
    }
}

#[derive(Debug)]
pub enum Failure {
    Stopped(Stopped),
    Uncovered(Uncovered),
}

impl From<Stopped> for Failure {
    fn from(stopped: Stopped) -> Self {
        Failure::Stopped(stopped)
    }
}

/// An action after a trace that no copy of the template can do.
#[derive(Debug)]
pub struct Uncovered {
    pub trace: Vec<u32>,
    pub state: u32,
    pub vector: Vec<u32>,
    pub action: u32,
}

/// `ranks`: by action; of equal ranks the smaller number is the lesser.
pub fn kernel(
    machine: &StateMachine,
    pattern: &Pattern,
    ranks: &[u32],
    watch: &mut Watch<'_>,
) -> Result<Kernel, Failure> {
    let mut nodes = Nodes::new(machine, pattern)?;
    let mut found = Kernel {
        states: vec![false; machine.states()],
        edges: vec![false; machine.edge_count()],
        visited: 0,
    };
    found.states[machine.initial[0] as usize] = true;
    let width = pattern.copies() + 1;
    let (mut row, mut after) = (Vec::new(), Vec::new());
    let (mut colours, mut all_colours) = (Vec::new(), Vec::new());
    // By edge of a state: where its colours end, and its number.
    let (mut ends, mut order) = (Vec::new(), Vec::new());
    let mut node = 0;
    while (node as usize) < nodes.len() {
        row.clear();
        row.extend_from_slice(nodes.row(node));
        after.clear();
        all_colours.clear();
        ends.clear();
        order.clear();
        let range = machine.range(row[0]);
        for (at, edge) in machine.edges(row[0]).iter().enumerate() {
            watch.step()?;
            after.extend_from_slice(&row);
            let own = &mut after[at * width..];
            pattern.step(own, edge.action, &mut colours);
            own[0] = edge.target;
            if colours.is_empty() {
                let (trace, vector) = (nodes.trace(node), row[1..].to_vec());
                return Err(Failure::Uncovered(Uncovered {
                    trace,
                    state: row[0],
                    vector,
                    action: edge.action,
                }));
            }
            all_colours.extend_from_slice(&colours);
            ends.push(all_colours.len());
            order.push(at);
        }
        let coloured = |at: usize| &all_colours[if at == 0 { 0 } else { ends[at - 1] }..ends[at]];
        let action = |at: usize| machine.edge(range.start + at).action;
        let rank = |at: usize| (ranks[action(at) as usize], action(at));
        order.sort_unstable_by(|&a, &b| coloured(a).cmp(coloured(b)).then(rank(a).cmp(&rank(b))));
        for (place, &at) in order.iter().enumerate() {
            if place > 0 && coloured(order[place - 1]) == coloured(at) {
                continue;
            }
            found.edges[range.start + at] = true;
            let next = &after[at * width..(at + 1) * width];
            found.states[next[0] as usize] = true;
            nodes.add(next, node, action(at))?;
        }
        node += 1;
    }
    found.visited = nodes.len();
    Ok(found)
}
