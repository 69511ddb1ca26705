//! State spaces of published machines, written out by hand: what a state's successors are, or all states at once.

use std::sync::Arc;

use burnside_core::kinds::machine::values::{Value, Values};

use super::{pack, unpack};

fn with(values: &Values, set: Value, element: Value) -> Value {
    let mut elements = values.elements(set).to_vec();
    elements.push(element);
    values.set(&mut elements)
}

fn without(values: &Values, set: Value, element: Value) -> Value {
    values.set(&mut values.elements(set).iter().copied().filter(|&each| each != element).collect())
}

/// scheduler1 of the thesis: proc, readyq, activep, activef, idleset.
pub fn scheduler1(n: u32, values: &Values, state: &[u64]) -> Vec<Vec<u64>> {
    let [proc, readyq, activep, activef, idle] = [0, 1, 2, 3, 4].map(|slot| unpack(state[slot]));
    let queue = values.elements(readyq);
    let entry = |at: usize| {
        let here = |&pair: &Value| values.parts(pair).0 == values.number(at as i64);
        queue.iter().copied().find(here).map(|pair| values.parts(pair).1)
    };
    let mut next = Vec::new();
    let mut go = |state: [Value; 5]| next.push(state.map(pack).to_vec());
    for p in (0..n).map(Values::point) {
        if !values.elements(proc).contains(&p) {
            go([with(values, proc, p), readyq, activep, activef, with(values, idle, p)]);
        }
        if values.elements(idle).contains(&p) {
            let rest = without(values, idle, p);
            go([without(values, proc, p), readyq, activep, activef, rest]);
            let last = values.pair(values.number(queue.len() as i64 + 1), p);
            go([proc, with(values, readyq, last), activep, activef, rest]);
        }
    }
    match entry(1) {
        Some(first) if activef == Value::FALSE => {
            let shifted = (2..=queue.len()).filter_map(|at| Some((at - 1, entry(at)?)));
            let mut tail = shifted.map(|(at, p)| values.pair(values.number(at as i64), p)).collect();
            go([proc, values.set(&mut tail), first, Value::TRUE, idle]);
        }
        _ => {}
    }
    if activef == Value::TRUE {
        go([proc, readyq, activep, Value::FALSE, with(values, idle, activep)]);
    }
    next
}

pub fn scheduler1_starts(n: u32) -> Vec<Vec<u64>> {
    let empty = Value::EMPTY;
    let start = |p| [empty, empty, Values::point(p), Value::FALSE, empty].map(pack).to_vec();
    (0..n).map(start).collect()
}

/// The token ring of the thesis: next, token, requests, in_critical.
pub fn token_ring(n: u32, values: &Values, state: &[u64]) -> Vec<Vec<u64>> {
    let [next_of, token, requests, critical] = [0, 1, 2, 3].map(|slot| unpack(state[slot]));
    let mut next = Vec::new();
    let mut go = |state: [Value; 4]| next.push(state.map(pack).to_vec());
    if token == Value::UNSET {
        (0..n).for_each(|p| go([next_of, Values::point(p), Value::EMPTY, Value::EMPTY]));
        return next;
    }
    if critical == Value::EMPTY {
        let after =
            values.elements(next_of).iter().map(|&pair| values.parts(pair)).find(|pair| pair.0 == token);
        go([next_of, after.map_or(token, |pair| pair.1), requests, critical]);
        go([next_of, token, requests, with(values, critical, token)]);
    }
    for p in (0..n).map(Values::point) {
        if !values.elements(requests).contains(&p) {
            go([next_of, token, with(values, requests, p), critical]);
        }
        if values.elements(critical).contains(&p) {
            go([next_of, token, requests, without(values, critical, p)]);
        }
    }
    next
}

pub fn token_ring_starts(n: u32, values: &Values) -> Vec<Vec<u64>> {
    let bijection = |images: Vec<u32>| {
        let pair = |(a, b): (u32, u32)| values.pair(Values::point(a), Values::point(b));
        values.set(&mut (0..).zip(images).map(pair).collect())
    };
    let start = |images| [bijection(images), Value::UNSET, Value::UNSET, Value::UNSET].map(pack).to_vec();
    permutations((0..n).collect()).into_iter().map(start).collect()
}

/// All relations on n points: Towns. Their classes are digraphs with loops up to isomorphism.
pub fn towns(n: u32) -> (Arc<Values>, Vec<Vec<u64>>) {
    let values = Arc::new(Values::new());
    let arcs: Vec<Value> =
        (0..n * n).map(|k| values.pair(Values::point(k / n), Values::point(k % n))).collect();
    let states = (0u32..1 << (n * n))
        .map(|bits| {
            let mut chosen: Vec<Value> =
                (0..n * n).filter(|k| bits >> k & 1 == 1).map(|k| arcs[k as usize]).collect();
            vec![pack(values.set(&mut chosen))]
        })
        .collect();
    (values, states)
}

fn permutations(items: Vec<u32>) -> Vec<Vec<u32>> {
    if items.len() <= 1 {
        return vec![items];
    }
    let mut all = Vec::new();
    for at in 0..items.len() {
        let mut rest = items.clone();
        let first = rest.remove(at);
        all.extend(permutations(rest).into_iter().map(|mut tail| {
            tail.insert(0, first);
            tail
        }));
    }
    all
}

/// The dining philosophers of the paper: constants lFork and rFork (bijections without a common pair), taken. Each fork is
/// free or held by one of the two who can reach it; before that there is a state with only the constants.
pub fn philosophers(n: u32, one_table: bool) -> (Arc<Values>, Vec<Vec<u64>>) {
    let values = Arc::new(Values::new());
    let packed = |pairs: Vec<(u32, u32)>| {
        let pair = |(a, b): (u32, u32)| values.pair(Values::point(a), Values::point(b));
        pack(values.set(&mut pairs.into_iter().map(pair).collect()))
    };
    let bijections = permutations((n..2 * n).collect());
    let mut states = Vec::new();
    for left in &bijections {
        for right in &bijections {
            if left.iter().zip(right).any(|(a, b)| a == b) {
                continue;
            }
            let next =
                |phil: u32| right.iter().position(|&fork| fork == left[phil as usize]).unwrap_or(0) as u32;
            let mut round = 1;
            let mut at = next(0);
            while at != 0 {
                (at, round) = (next(at), round + 1);
            }
            if one_table && round != n {
                continue;
            }
            let constants = [left, right].map(|side| packed((0..).zip(side.iter().copied()).collect()));
            states.push(vec![constants[0], constants[1], pack(Value::UNSET)]);
            for held in 0..3u32.pow(n) {
                let mut taken = Vec::new();
                for fork in n..2 * n {
                    let owner = |side: &[u32]| side.iter().position(|&f| f == fork).unwrap_or(0) as u32;
                    match held / 3u32.pow(fork - n) % 3 {
                        1 => taken.push((fork, owner(left))),
                        2 => taken.push((fork, owner(right))),
                        _ => {}
                    }
                }
                states.push(vec![constants[0], constants[1], packed(taken)]);
            }
        }
    }
    (values, states)
}
