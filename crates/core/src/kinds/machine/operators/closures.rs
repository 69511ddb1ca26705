//! Relations joined with themselves, any number of times.

use super::super::values::{Value, Values};
use super::arithmetic::number;
use super::composition::{by_left, compose};
use super::relations::{identity, pairs};
use super::sets::union;
use super::{Outcome, Scratch, Undefined};

/// Transitive closure: from each source, everything that can be reached. The cost is linear in the edges visited.
pub fn closure1(values: &Values, scratch: &mut Scratch, relation: Value) -> Outcome {
    let mut edges = scratch.take_pairs();
    by_left(values, relation, &mut edges);
    // Where the edges of each edge's target begin, so that nothing is searched for while walking.
    let mut onward = scratch.take_indices();
    onward.extend(
        edges.iter().map(|&(_, target)| edges.partition_point(|&(source, _)| source < target) as u32),
    );
    let (mut out, mut reached, mut visited) =
        (scratch.take(), scratch.take_indices(), scratch.take_indices());
    visited.resize(edges.len(), 0);
    let mut walk = Walk { edges: &edges, onward: &onward, visited: &mut visited, turn: 0 };
    let mut outcome = Ok(());
    let mut start = 0;
    while start < edges.len() && outcome.is_ok() {
        let source = edges[start].0;
        reached.clear();
        walk.from(start, &mut reached);
        out.extend(reached.iter().map(|&edge| values.pair(source, edges[edge as usize].1)));
        if out.len() > scratch.limit {
            out.sort_unstable();
            out.dedup();
            outcome = scratch.admit(out.len());
        }
        start += edges[start..].iter().take_while(|&&(each, _)| each == source).count();
    }
    scratch.give_pairs(edges);
    scratch.give_indices(visited);
    scratch.give_indices(onward);
    scratch.give_indices(reached);
    let set = scratch.set(values, out);
    outcome.map(|()| set)
}

struct Walk<'a> {
    edges: &'a [(Value, Value)],
    onward: &'a [u32],
    /// The last turn in which an edge was visited.
    visited: &'a mut [u32],
    turn: u32,
}

impl Walk<'_> {
    /// All edges on paths from one source, whose first edge is at `start`.
    fn from(&mut self, start: usize, reached: &mut Vec<u32>) {
        self.turn += 1;
        self.visit(start, reached);
        let mut next = 0;
        while next < reached.len() {
            let edge = reached[next] as usize;
            let begin = self.onward[edge] as usize;
            if begin < self.edges.len() && self.edges[begin].0 == self.edges[edge].1 {
                self.visit(begin, reached);
            }
            next += 1;
        }
    }

    /// All edges of the source whose first edge is at `begin`, unless they were visited already.
    fn visit(&mut self, begin: usize, reached: &mut Vec<u32>) {
        if self.visited[begin] == self.turn {
            return;
        }
        let source = self.edges[begin].0;
        self.visited[begin] = self.turn;
        let group = self.edges[begin..].iter().take_while(|&&(each, _)| each == source).count();
        reached.extend((begin..begin + group).map(|edge| edge as u32));
    }
}

/// Reflexive and transitive closure; reflexive on `carrier`, or, without it, on domain and range.
pub fn closure(values: &Values, scratch: &mut Scratch, relation: Value, carrier: Option<Value>) -> Outcome {
    let transitive = closure1(values, scratch, relation)?;
    let loops = loops(values, scratch, relation, carrier)?;
    union(values, scratch, transitive, loops)
}

/// The relation joined with itself so many times; no times: each element of `carrier` (or of domain and range) with itself.
pub fn iterate(
    values: &Values,
    scratch: &mut Scratch,
    relation: Value,
    times: Value,
    carrier: Option<Value>,
) -> Outcome {
    let mut times = number(values, times);
    if times < 0 {
        return Err(Undefined::NegativeIteration);
    }
    if times == 0 {
        return loops(values, scratch, relation, carrier);
    }
    // By squaring.
    let (mut power, mut result) = (relation, None);
    loop {
        if times % 2 == 1 {
            result = Some(match result {
                None => power,
                Some(result) => compose(values, scratch, result, power)?,
            });
        }
        times /= 2;
        match result {
            Some(result) if times == 0 => return Ok(result),
            _ => power = compose(values, scratch, power, power)?,
        }
    }
}

/// Domain and range of a relation together.
pub fn field(values: &Values, scratch: &mut Scratch, relation: Value) -> Outcome {
    let mut out = scratch.take();
    out.extend(pairs(values, relation).flat_map(|(left, right)| [left, right]));
    Ok(scratch.set(values, out))
}

fn loops(values: &Values, scratch: &mut Scratch, relation: Value, carrier: Option<Value>) -> Outcome {
    let carrier = match carrier {
        Some(carrier) => carrier,
        None => field(values, scratch, relation)?,
    };
    identity(values, scratch, carrier)
}
