//! Automorphisms found by matching against those that nauty finds, and refinement against renaming.

use num_bigint::BigUint;
use proptest::prelude::*;

use super::matching::automorphisms;
use super::partition::Partition;
use super::{cells, parts};
use crate::nauty::{Graph, Workspace};
use crate::perm::Perm;

fn factorial(n: u32) -> BigUint {
    (1..=n).map(BigUint::from).product()
}

fn by_nauty(graph: &Graph, colours: &[u64]) -> BigUint {
    let mut order: Vec<u32> = (0..colours.len() as u32).collect();
    order.sort_by_key(|&v| colours[v as usize]);
    let mut workspace = Workspace::new(graph);
    workspace.colour(cells(&order, |v| colours[v as usize]));
    workspace.automorphisms().order
}

fn is_automorphism(graph: &Graph, colours: &[u64], moves: &[(u32, u32)]) -> bool {
    let Some(g) = Perm::from_moves(colours.len(), moves.to_vec()) else { return false };
    let around = |v: u32| graph.edges[graph.starts[v as usize]..graph.starts[v as usize + 1]].iter();
    (0..colours.len() as u32).all(|v| {
        let mut there: Vec<u32> = around(v).map(|&w| g.image(w)).collect();
        let mut wanted: Vec<u32> = around(g.image(v)).copied().collect();
        there.sort_unstable();
        wanted.sort_unstable();
        there == wanted && colours[v as usize] == colours[g.image(v) as usize]
    })
}

/// The order that is found; None where nauty is to be asked.
fn found(graph: &Graph, colours: &[u64]) -> Option<BigUint> {
    let found = automorphisms(graph, colours)?;
    assert!(found.complete);
    assert!(found.generators.iter().all(|moves| is_automorphism(graph, colours, moves)));
    Some(found.order)
}

/// Clients, servers, and a vertex for each pair of one of these.
fn pairs(clients: u32, servers: u32) -> Graph {
    let mut edges = Vec::new();
    for client in 0..clients {
        for server in 0..servers {
            let pair = clients + servers + client * servers + server;
            edges.push((pair, client));
            edges.push((pair, clients + server));
        }
    }
    Graph::from_pairs((clients + servers + clients * servers) as usize, &edges)
}

fn cycle(n: u32) -> Graph {
    let edges: Vec<(u32, u32)> = (0..n).map(|v| (v, (v + 1) % n)).collect();
    Graph::from_pairs(n as usize, &edges)
}

fn cube(dimension: u32) -> Graph {
    let corners = 1u32 << dimension;
    let edges: Vec<(u32, u32)> = (0..corners)
        .flat_map(|v| (0..dimension).map(move |axis| (v, v ^ (1 << axis))))
        .filter(|&(v, w)| v < w)
        .collect();
    Graph::from_pairs(corners as usize, &edges)
}

#[test]
fn exchanges_of_what_overlaps_are_found() {
    let graph = pairs(12, 9);
    let mut colours = vec![0; 21];
    colours.resize(21 + 108, 1);
    assert_eq!(found(&graph, &colours), Some(factorial(12) * factorial(9)));
    let found = automorphisms(&graph, &colours).expect("found");
    assert_eq!(found.generators.len(), 11 + 8);
    // Two clients, or two servers, with all of their pairs.
    assert!(found.generators.iter().all(|moves| moves.len() == 2 + 2 * 9 || moves.len() == 2 + 2 * 12));
}

#[test]
fn cycles_cubes_and_graphs_without_edges_are_no_exception() {
    for n in [3, 4, 7, 30] {
        assert_eq!(found(&cycle(n), &vec![0; n as usize]), Some(BigUint::from(2 * n)));
    }
    for dimension in 1..=5 {
        let order = factorial(dimension) * (1u32 << dimension);
        assert_eq!(found(&cube(dimension), &vec![3; 1 << dimension]), Some(order));
    }
    let nothing = Graph::from_pairs(6, &[]);
    assert_eq!(found(&nothing, &[1, 1, 2, 2, 2, 5]), Some(BigUint::from(12u8)));
    assert_eq!(found(&Graph::from_pairs(0, &[]), &[]), Some(BigUint::from(1u8)));
}

/// Refinement tells nothing apart in either, and no guess may make one of the other.
#[test]
fn cycles_of_different_lengths_are_not_matched() {
    let mut edges: Vec<(u32, u32)> = (0..6).map(|v| (v, (v + 1) % 6)).collect();
    for triangle in [6, 9] {
        edges.extend((0..3).map(|v| (triangle + v, triangle + (v + 1) % 3)));
    }
    let graph = Graph::from_pairs(12, &edges);
    let order = BigUint::from(12u32 * 6 * 6 * 2);
    assert_eq!(by_nauty(&graph, &[0; 12]), order);
    assert!(found(&graph, &[0; 12]).is_none_or(|found| found == order));
    assert_eq!(parts::automorphisms(&graph, &[0; 12]).order, order);
}

/// Copies of one random graph, some of whose vertices hang on vertices that are shared.
fn copies() -> impl Strategy<Value = (Graph, Vec<u64>)> {
    let edge = |n: u32| (0..n, 0..n);
    (1u32..=6, 1u32..=4, 0u32..=3)
        .prop_flat_map(move |(n, count, shared)| {
            let edges = prop::collection::vec(edge(n), 0..=8);
            let colours = prop::collection::vec(0u64..2, n as usize);
            let hooks = prop::collection::vec((0..n, 0..shared.max(1)), 0..=3);
            let more = prop::collection::vec(edge(n * count + shared), 0..=2);
            (Just((n, count, shared)), edges, colours, hooks, more)
        })
        .prop_map(|((n, count, shared), edges, colours, hooks, more)| {
            let all = n * count + shared;
            let mut pairs: Vec<(u32, u32)> = more;
            for copy in 0..count {
                pairs.extend(edges.iter().map(|&(v, w)| (copy * n + v, copy * n + w)));
                if shared > 0 {
                    pairs.extend(hooks.iter().map(|&(v, hub)| (copy * n + v, n * count + hub)));
                }
            }
            let mut pairs: Vec<(u32, u32)> =
                pairs.into_iter().filter(|(v, w)| v != w).map(|(v, w)| (v.min(w), v.max(w))).collect();
            pairs.sort_unstable();
            pairs.dedup();
            let mut of_all: Vec<u64> = (0..count).flat_map(|_| colours.clone()).collect();
            of_all.resize(all as usize, 7);
            (Graph::from_pairs(all as usize, &pairs), of_all)
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn what_is_found_is_what_nauty_finds((graph, colours) in copies()) {
        let order = by_nauty(&graph, &colours);
        if let Some(found) = found(&graph, &colours) {
            prop_assert_eq!(found, order);
        }
    }

    /// Nearly all of these are sparse and far from strongly regular: to ask nauty for them is a failure.
    #[test]
    fn trees_of_copies_need_no_nauty(n in 1u32..=5, count in 1u32..=5) {
        let edges: Vec<(u32, u32)> =
            (0..count).flat_map(|copy| (0..n).map(move |v| {
                let at = 1 + copy * n + v;
                (at, if v == 0 { 0 } else { at - 1 })
            })).collect();
        let graph = Graph::from_pairs((1 + n * count) as usize, &edges);
        let colours = vec![0; (1 + n * count) as usize];
        prop_assert_eq!(found(&graph, &colours), Some(by_nauty(&graph, &colours)));
    }

    #[test]
    fn refinement_does_not_know_names((graph, colours) in copies(), seed in any::<u64>()) {
        let n = colours.len();
        let mut names: Vec<u32> = (0..n as u32).collect();
        let mut random = crate::random::Random::new(seed);
        for at in (1..n).rev() {
            names.swap(at, random.below(at + 1));
        }
        let mut pairs = Vec::new();
        for v in 0..n {
            for &w in &graph.edges[graph.starts[v]..graph.starts[v + 1]] {
                if (v as u32) < w {
                    pairs.push((names[v], names[w as usize]));
                }
            }
        }
        let renamed = Graph::from_pairs(n, &pairs);
        let mut renamed_colours = vec![0; n];
        names.iter().zip(&colours).for_each(|(&name, &colour)| renamed_colours[name as usize] = colour);
        let (mut one, mut other) = (Partition::new(&graph, &colours), Partition::new(&renamed, &renamed_colours));
        prop_assert_eq!(one.refine(&mut |_| true), other.refine(&mut |_| true));
        let mark = one.mark();
        let before: Vec<u32> = (0..n as u32).map(|v| one.cell(v)).collect();
        while !one.is_discrete() {
            let cell = one.smallest().expect("a cell of several vertices");
            prop_assert_eq!(other.smallest(), Some(cell));
            let v = one.members(cell)[0];
            one.individualise(v);
            other.individualise(names[v as usize]);
            prop_assert_eq!(one.refine(&mut |_| true), other.refine(&mut |_| true));
            prop_assert!((0..n as u32).all(|v| one.cell(v) == other.cell(names[v as usize])));
        }
        one.undo(mark);
        prop_assert_eq!(before, (0..n as u32).map(|v| one.cell(v)).collect::<Vec<u32>>());
    }

    /// Vertices of one cell have as many neighbours in each cell.
    #[test]
    fn refined_is_equitable((graph, colours) in copies()) {
        let mut partition = Partition::new(&graph, &colours);
        partition.refine(&mut |_| true);
        let counts = |v: u32| {
            let around = &graph.edges[graph.starts[v as usize]..graph.starts[v as usize + 1]];
            let mut cells: Vec<u32> = around.iter().map(|&w| partition.cell(w)).collect();
            cells.sort_unstable();
            (colours[v as usize], cells)
        };
        for v in 0..colours.len() as u32 {
            let first = partition.members(partition.cell(v))[0];
            prop_assert_eq!(counts(v), counts(first));
        }
    }
}
