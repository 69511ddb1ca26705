//! Canonical forms and markers of nested values by published figure: Spermann 2009, Leuschel and Massart. Counts are
//! without the root.

mod values;

use std::sync::Arc;

use burnside_core::canon::values::{Encoding, ValuesCanonicaliser};
use burnside_core::canon::{Canonicaliser, MarkerOptions, Method};
use burnside_core::kinds::machine::values::Values;
use burnside_core::random::Random;
use num_bigint::BigUint;
use values::spaces::{philosophers, scheduler1, scheduler1_starts, token_ring, token_ring_starts, towns};
use values::{TREE, TWO_ROUNDS, WIDENED, classes, encoded, explored, made, pack, sorts, unpack};

/// Table 4.1, without the root.
#[test]
fn schedulers_have_the_published_states() {
    let values = Arc::new(Values::new());
    for (n, states, all) in [(3, 28, 144u32), (5, 80, 5200), (10, 385, 0)] {
        let group = sorts(&[n]);
        let methods = [
            TREE,
            Method::Nauty,
            Method::Compare,
            Method::Marker(MarkerOptions::PUBLISHED),
            Method::Hybrid(WIDENED),
        ];
        for method in methods {
            let canonicaliser = made(&values, &group, method, 5);
            let (count, full) =
                explored(&canonicaliser, scheduler1_starts(n), |state| scheduler1(n, &values, state));
            assert_eq!(count, states, "{method:?} {n}");
            assert!(all == 0 || full == BigUint::from(all), "{method:?} {n}: {full}");
            assert!(canonicaliser.is_exact());
        }
    }
}

/// By number of vertices: how many graphs, and their arcs in all, of all transitions of the reduced space.
fn graph_sizes(
    canonicaliser: &ValuesCanonicaliser,
    starts: Vec<Vec<u64>>,
    successors: impl Fn(&[u64]) -> Vec<Vec<u64>>,
) -> Vec<(usize, usize, usize)> {
    let mut sizes: std::collections::BTreeMap<usize, (usize, usize)> = Default::default();
    let sizes_of = std::cell::RefCell::new(&mut sizes);
    let measure = |states: Vec<Vec<u64>>| {
        for state in &states {
            let (vertices, arcs) = canonicaliser.graph_size(state);
            let mut sizes = sizes_of.borrow_mut();
            let entry = sizes.entry(vertices).or_default();
            *entry = (entry.0 + 1, entry.1 + arcs);
        }
        states
    };
    explored(canonicaliser, measure(starts), |state| measure(successors(state)));
    sizes.into_iter().map(|(vertices, (graphs, arcs))| (vertices, graphs, arcs)).collect()
}

/// Table C.1 gives the average number of arcs to one decimal place.
fn assert_averages(found: &[(usize, usize, usize)], published: &[(usize, f64, usize)]) {
    let shown = |&(vertices, graphs, arcs): &(usize, usize, usize)| {
        (vertices, (arcs as f64 / graphs as f64 * 10.0).round() / 10.0, graphs)
    };
    assert_eq!(found.iter().map(shown).collect::<Vec<_>>(), published);
}

#[test]
fn graphs_have_the_published_sizes() {
    let values = Arc::new(Values::new());
    let group = sorts(&[3]);
    let canonicaliser = made(&values, &group, TREE, 5);
    let found = graph_sizes(&canonicaliser, scheduler1_starts(3), |state| scheduler1(3, &values, state));
    assert_averages(
        &found,
        &[(20, 37.0, 11), (25, 46.0, 29), (30, 55.0, 33), (35, 63.7, 12), (40, 71.7, 6), (45, 81.0, 3)],
    );
    let canonicaliser = made(&values, &group, TREE, 4);
    let starts = token_ring_starts(3, &values);
    let found = graph_sizes(&canonicaliser, starts, |state| token_ring(3, &values, state));
    assert_averages(&found, &[(3, 3.0, 6), (16, 30.9, 66), (20, 36.7, 111)]);
}

/// Table 4.2, without the root: exact and by markers; the second round has 326 where the first has 278.
#[test]
fn token_rings_have_the_published_states() {
    let values = Arc::new(Values::new());
    for (n, exact, marked) in [(2, 18, 18), (3, 59, 59), (4, 173, 140)] {
        let group = sorts(&[n]);
        let count = |method| {
            let canonicaliser = made(&values, &group, method, 4);
            let starts = token_ring_starts(n, &values);
            explored(&canonicaliser, starts, |state| token_ring(n, &values, state)).0
        };
        assert_eq!(count(TREE), exact);
        assert_eq!(count(Method::Nauty), exact);
        assert_eq!(count(Method::Compare), exact);
        assert_eq!(count(Method::Hybrid(MarkerOptions::PUBLISHED)), exact);
        assert_eq!(count(Method::Marker(MarkerOptions::PUBLISHED)), marked);
    }
    let group = sorts(&[5]);
    for (options, states) in [(MarkerOptions::PUBLISHED, 277), (TWO_ROUNDS, 325)] {
        let canonicaliser = made(&values, &group, Method::Marker(options), 4);
        let starts = token_ring_starts(5, &values);
        let found = explored(&canonicaliser, starts, |state| token_ring(5, &values, state));
        assert_eq!(found.0, states);
        assert!(!canonicaliser.is_exact());
        assert_eq!(canonicaliser.imprecise_slots(), [0]);
    }
}

#[test]
fn towns_have_the_published_classes() {
    for (n, exact) in [(2, 10), (3, 104)] {
        let (values, states) = towns(n);
        let group = sorts(&[n]);
        for method in [
            TREE,
            Method::Nauty,
            Method::Compare,
            Method::Hybrid(WIDENED),
            Method::Marker(MarkerOptions::PUBLISHED),
        ] {
            assert_eq!(classes(&made(&values, &group, method, 1), &states), exact, "{method:?} {n}");
        }
    }
}

/// The same one level down, where each pair is a vertex of the state's graph and its sides are distinguished by labels.
#[test]
fn nested_towns_have_the_same_classes() {
    let (values, states) = towns(3);
    let nest = |state: &Vec<u64>| vec![pack(values.set(&mut vec![unpack(state[0])]))];
    let nested: Vec<Vec<u64>> = states.iter().map(nest).collect();
    let group = sorts(&[3]);
    for encoding in [Encoding::Layers, Encoding::LabelSets] {
        assert_eq!(classes(&encoded(&values, &group, Method::Nauty, 1, encoding), &nested), 104);
    }
    assert_eq!(classes(&made(&values, &group, TREE, 1), &nested), 104);
}

/// Rings one level down look the same at every point, so only labels of arcs show their directions.
#[test]
fn nested_rings_have_one_form() {
    let values = Arc::new(Values::new());
    let group = sorts(&[7]);
    let mut random = Random::new(5);
    for steps in [vec![1], vec![1, 2], vec![1, 2, 4]] {
        let mut states = Vec::new();
        for _ in 0..60 {
            let names = group.chain().random_element(&mut random);
            let name = |point: u32| Values::point(names[point as usize % 7]);
            let arcs = (0..7).flat_map(|from| steps.iter().map(move |step| (from, from + step)));
            let relation = values.set(&mut arcs.map(|(a, b)| values.pair(name(a), name(b))).collect());
            states.push(vec![pack(values.set(&mut vec![relation]))]);
        }
        for encoding in [Encoding::Layers, Encoding::LabelSets] {
            assert_eq!(classes(&encoded(&values, &group, Method::Nauty, 1, encoding), &states), 1);
        }
        assert_eq!(classes(&made(&values, &group, TREE, 1), &states), 1);
    }
}

/// Digraphs on four points: 3044 up to isomorphism; markers distinguish 3010.
#[test]
#[cfg_attr(debug_assertions, ignore = "65,536 relations take a minute without optimisation")]
fn four_towns_are_beyond_markers() {
    let (values, states) = towns(4);
    let group = sorts(&[4]);
    assert_eq!(classes(&made(&values, &group, TREE, 1), &states), 3044);
    assert_eq!(classes(&made(&values, &group, Method::Marker(MarkerOptions::PUBLISHED), 1), &states), 3010);
}

/// Table 1 of the paper and Table 4.2 of the thesis, without the root.
#[test]
fn philosophers_have_the_published_classes() {
    let (values, states) = philosophers(4, true);
    let group = sorts(&[4, 4]);
    assert_eq!(states.len(), 11_808);
    let count = |method| classes(&made(&values, &group, method, 3), &states);
    assert_eq!(count(TREE), 25);
    assert_eq!(count(Method::Nauty), 25);
    assert_eq!(count(Method::Marker(MarkerOptions::PUBLISHED)), 19);
    assert_eq!(count(Method::Marker(TWO_ROUNDS)), 24);
    let (values, states) = philosophers(3, false);
    let group = sorts(&[3, 3]);
    assert_eq!(classes(&made(&values, &group, TREE, 3), &states), 12);
}
