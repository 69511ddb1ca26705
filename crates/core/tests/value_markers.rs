//! What markers must and must not distinguish (Leuschel and Massart), and what large sorts may cost.

mod values;

use std::sync::Arc;

use burnside_core::canon::values::{Encoding, MarkedType};
use burnside_core::canon::{Cancel, Canonicaliser, MarkerOptions, Method};
use burnside_core::group::Group;
use burnside_core::kinds::machine::values::{Value, Values};
use num_bigint::BigUint;
use values::{TREE, TWO_ROUNDS, WIDENED, classes, encoded, made, pack, sorts};

fn marker_tells_apart(
    group: &Group,
    values: &Arc<Values>,
    options: MarkerOptions,
    a: &[Value],
    b: &[Value],
) -> bool {
    let pack = |state: &[Value]| state.iter().map(|&value| pack(value)).collect::<Vec<_>>();
    let canonicaliser = made(values, group, Method::Marker(options), a.len());
    let mut scratch = canonicaliser.scratch(&Cancel::default());
    !canonicaliser.equivalent(&pack(a), &pack(b), &mut scratch)
}

fn exactly_tells_apart(group: &Group, values: &Arc<Values>, a: &[Value], b: &[Value]) -> bool {
    let pack = |state: &[Value]| state.iter().map(|&value| pack(value)).collect::<Vec<_>>();
    let canonicaliser = made(values, group, Method::Compare, a.len());
    let mut scratch = canonicaliser.scratch(&Cancel::default());
    !canonicaliser.equivalent(&pack(a), &pack(b), &mut scratch)
}

fn relation(values: &Values, pairs: &[(u32, u32)]) -> Value {
    let pair = |&(a, b): &(u32, u32)| values.pair(Values::point(a), Values::point(b));
    values.set(&mut pairs.iter().map(pair).collect())
}

#[test]
fn one_cycle_of_four_looks_like_two_of_two() {
    let values = Arc::new(Values::new());
    let group = sorts(&[4]);
    let one = [relation(&values, &[(0, 1), (1, 2), (2, 3), (3, 0)])];
    let two = [relation(&values, &[(0, 1), (1, 0), (2, 3), (3, 2)])];
    for options in [MarkerOptions::PUBLISHED, WIDENED, TWO_ROUNDS] {
        assert!(!marker_tells_apart(&group, &values, options, &one, &two));
    }
    assert!(exactly_tells_apart(&group, &values, &one, &two));
}

#[test]
fn a_hexagon_looks_like_two_triangles() {
    let values = Arc::new(Values::new());
    let group = sorts(&[6]);
    let edges = |pairs: &[(u32, u32)]| {
        let edge = |&(a, b): &(u32, u32)| values.set(&mut vec![Values::point(a), Values::point(b)]);
        [values.set(&mut pairs.iter().map(edge).collect())]
    };
    let hexagon = edges(&[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)]);
    let triangles = edges(&[(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]);
    assert!(!marker_tells_apart(&group, &values, MarkerOptions::PUBLISHED, &hexagon, &triangles));
    assert!(exactly_tells_apart(&group, &values, &hexagon, &triangles));
}

#[test]
fn values_at_pairs_are_told_unless_they_are_sets() {
    let values = Arc::new(Values::new());
    let group = sorts(&[2]);
    let function = |a: Value, b: Value| {
        values.set(&mut vec![values.pair(Values::point(0), a), values.pair(Values::point(1), b)])
    };
    let [one, two] = [values.number(1), values.number(2)];
    let (straight, crossed) = (function(one, two), function(two, one));
    let [a, b] = [[straight, straight], [straight, crossed]];
    assert!(marker_tells_apart(&group, &values, MarkerOptions::PUBLISHED, &a, &b));
    let [one, two] = [one, two].map(|number| values.set(&mut vec![number]));
    let (straight, crossed) = (function(one, two), function(two, one));
    let [a, b] = [[straight, straight], [straight, crossed]];
    assert!(!marker_tells_apart(&group, &values, MarkerOptions::PUBLISHED, &a, &b));
    assert!(marker_tells_apart(&group, &values, WIDENED, &a, &b));
}

/// Both hold their left forks, or both their right forks; one left and one right are distinguished.
#[test]
fn two_philosophers() {
    let values = Arc::new(Values::new());
    let group = sorts(&[2, 2]);
    let state = |taken: &[(u32, u32)]| {
        [relation(&values, &[(0, 2), (1, 3)]), relation(&values, &[(0, 3), (1, 2)]), relation(&values, taken)]
    };
    let (lefts, rights) = (state(&[(2, 0), (3, 1)]), state(&[(3, 0), (2, 1)]));
    assert!(!marker_tells_apart(&group, &values, MarkerOptions::PUBLISHED, &lefts, &rights));
    assert!(exactly_tells_apart(&group, &values, &lefts, &rights));
    let (left, right) = (state(&[(2, 0)]), state(&[(3, 0)]));
    assert_eq!(
        marker_tells_apart(&group, &values, MarkerOptions::PUBLISHED, &left, &right),
        exactly_tells_apart(&group, &values, &left, &right)
    );
}

/// Which nested pairs belong together must not be lost (digest of the thesis, 2.3).
#[test]
fn nested_relations_keep_their_pairs() {
    let values = Arc::new(Values::new());
    let group = sorts(&[2, 2]);
    let nested = |pairs: &[(u32, u32)]| values.set(&mut vec![relation(&values, pairs)]);
    let single = relation(&values, &[(0, 2)]);
    let states =
        [[(0, 2), (1, 3)], [(0, 3), (1, 2)]].map(|pairs| [nested(&pairs), single].map(pack).to_vec());
    for encoding in [Encoding::Layers, Encoding::LabelSets] {
        let canonicaliser = encoded(&values, &group, Method::Nauty, 2, encoding);
        assert_eq!(classes(&canonicaliser, &states), 2);
    }
}

/// Elements that a state does not distinguish cost nothing: 20! permutations.
#[test]
fn large_sorts_of_twins() {
    let values = Arc::new(Values::new());
    let n = 20;
    let group = sorts(&[n]);
    let canonicaliser = made(&values, &group, TREE, 3);
    let mut scratch = canonicaliser.scratch(&Cancel::default());
    let subset =
        |points: &[u32]| pack(values.set(&mut points.iter().map(|&point| Values::point(point)).collect()));
    let queue = |points: &[u32]| {
        let entry = |(at, &point): (i64, &u32)| values.pair(values.number(at), Values::point(point));
        pack(values.set(&mut (1..).zip(points).map(entry).collect()))
    };
    let a = vec![subset(&[0, 1, 2, 3, 4, 5, 6]), queue(&[7, 8, 9]), subset(&[10, 11])];
    let b = vec![subset(&[19, 17, 15, 13, 11, 9, 7]), queue(&[0, 2, 4]), subset(&[6, 8])];
    let (mut x, mut y) = (a.clone(), b.clone());
    assert!(canonicaliser.canonicalise(&mut x, &mut scratch).nodes < 100);
    canonicaliser.canonicalise(&mut y, &mut scratch);
    assert_eq!(x, y);
    let factorial = |n: u32| (1..=n).map(BigUint::from).product::<BigUint>();
    let expected = factorial(7) * factorial(2) * factorial(8);
    assert_eq!(canonicaliser.stabiliser(&a, &mut scratch).order(), expected);
}

/// The condition on types, known before a run.
#[test]
fn types_of_which_markers_say_all() {
    let set = |element: MarkedType| MarkedType::Set(Box::new(element));
    let pair = |left: MarkedType, right: MarkedType| MarkedType::Pair(Box::new(left), Box::new(right));
    use MarkedType::{Element, Fixed};
    for precise in [
        Fixed,
        Element,
        set(Element),
        set(pair(Fixed, Element)),
        set(pair(Element, pair(Fixed, Fixed))),
        set(set(Fixed)),
        pair(Element, set(Element)),
        MarkedType::Record(vec![set(Element), Fixed]),
    ] {
        assert!(precise.is_precise(), "{precise:?}");
    }
    for imprecise in [
        set(pair(Element, Element)),
        set(set(Element)),
        set(pair(Element, set(Fixed))),
        pair(Fixed, set(set(Element))),
        set(MarkedType::Record(vec![Element, Element])),
    ] {
        assert!(!imprecise.is_precise(), "{imprecise:?}");
    }
}
