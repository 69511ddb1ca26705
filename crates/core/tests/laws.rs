//! Permutations and groups by law, against closure under the generators: what everything else stands on.

use std::collections::HashSet;

use burnside_core::group::Group;
use burnside_core::perm::{Perm, orbit_minima};
use burnside_core::random::Random;
use num_bigint::BigUint;
use proptest::prelude::*;

fn perms(degree: usize) -> impl Strategy<Value = Perm> {
    Just((0..degree as u32).collect::<Vec<_>>())
        .prop_shuffle()
        .prop_map(|images| Perm::from_images(&images).expect("a shuffle is a bijection"))
}

/// So many permutations of one random degree.
fn alike(degrees: std::ops::RangeInclusive<usize>, count: usize) -> impl Strategy<Value = Vec<Perm>> {
    degrees.prop_flat_map(move |degree| prop::collection::vec(perms(degree), count))
}

/// Random permutations nearly always generate everything; products of few swaps and rotations of a part do not.
fn small_moves(degree: usize) -> impl Strategy<Value = Perm> {
    let cycle = prop::sample::subsequence((0..degree as u32).collect::<Vec<_>>(), 0..=degree.min(4));
    prop::collection::vec(cycle.prop_shuffle(), 1..=2).prop_map(move |cycles| {
        cycles.iter().fold(Perm::identity(degree), |product, cycle| along(degree, cycle).after(&product))
    })
}

fn along(degree: usize, cycle: &[u32]) -> Perm {
    let mut images: Vec<u32> = (0..degree as u32).collect();
    for (at, &point) in cycle.iter().enumerate() {
        images[point as usize] = cycle[(at + 1) % cycle.len()];
    }
    Perm::from_images(&images).expect("a cycle is a bijection")
}

fn generators(degrees: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = (usize, Vec<Perm>)> {
    degrees.prop_flat_map(|degree| {
        let each = prop_oneof![3 => small_moves(degree).boxed(), 1 => perms(degree).boxed()];
        (Just(degree), prop::collection::vec(each, 0..=3))
    })
}

/// The whole group, one product at a time.
fn closure(degree: usize, generators: &[Perm]) -> HashSet<Perm> {
    let mut found = HashSet::from([Perm::identity(degree)]);
    let mut waiting = vec![Perm::identity(degree)];
    while let Some(current) = waiting.pop() {
        for generator in generators {
            let product = generator.after(&current);
            if found.insert(product.clone()) {
                waiting.push(product);
            }
        }
    }
    found
}

fn all_perms(degree: usize) -> HashSet<Perm> {
    let swaps: Vec<Perm> = (1..degree as u32).map(|x| along(degree, &[x - 1, x])).collect();
    closure(degree, &swaps)
}

/// An element of the chain as a permutation of the slots.
fn drawn(group: &Group, random: &mut Random) -> Perm {
    let points = group.chain().points();
    let mut images: Vec<u32> = (0..group.degree() as u32).collect();
    for (at, &image) in group.chain().random_element(random).iter().enumerate() {
        images[points[at] as usize] = points[image as usize];
    }
    Perm::from_images(&images).expect("an element of a group is a bijection")
}

proptest! {
    #[test]
    fn inverses_undo(gs in alike(1..=12, 1)) {
        let g = &gs[0];
        prop_assert!(g.after(&g.inverse()).is_identity());
        prop_assert!(g.inverse().after(g).is_identity());
        prop_assert_eq!(&g.inverse().inverse(), g);
        prop_assert_eq!(g.moves().is_empty(), g.is_identity());
    }

    #[test]
    fn products_are_read_from_right_to_left(gs in alike(1..=12, 3)) {
        let (a, b, c) = (&gs[0], &gs[1], &gs[2]);
        for x in 0..a.degree() as u32 {
            prop_assert_eq!(a.after(b).image(x), a.image(b.image(x)));
        }
        prop_assert_eq!(a.after(b).after(c), a.after(&b.after(c)));
        prop_assert_eq!(a.after(b).inverse(), b.inverse().after(&a.inverse()));
    }

    #[test]
    fn values_move_with_their_points(gs in alike(1..=12, 2), offset in 0u64..100) {
        let (a, b) = (&gs[0], &gs[1]);
        let values: Vec<u64> = (0..a.degree() as u64).map(|x| x / 2 + offset).collect();
        for x in 0..a.degree() {
            prop_assert_eq!(a.act(&values)[a.image(x as u32) as usize], values[x]);
        }
        prop_assert_eq!(a.after(b).act(&values), a.act(&b.act(&values)));
        prop_assert_eq!(a.inverse().act(&a.act(&values)), values);
    }

    #[test]
    fn renaming_is_conjugation(gs in alike(1..=12, 3)) {
        let (a, b, names) = (&gs[0], &gs[1], &gs[2]);
        let renamed = a.renamed(&names.images());
        prop_assert_eq!(&renamed, &names.after(a).after(&names.inverse()));
        prop_assert_eq!(renamed.after(&b.renamed(&names.images())), a.after(b).renamed(&names.images()));
        prop_assert_eq!(&renamed.renamed(&names.inverse().images()), a);
    }

    /// What is kept are moves; everything else is as with images.
    #[test]
    fn moves_and_images_say_the_same(gs in (2usize..=9).prop_flat_map(|n| prop::collection::vec(small_moves(n), 2))) {
        let (a, b) = (&gs[0], &gs[1]);
        let degree = a.degree();
        let (of_a, of_b) = (a.images(), b.images());
        let product: Vec<u32> = of_b.iter().map(|&x| of_a[x as usize]).collect();
        prop_assert_eq!(a.after(b).images(), product);
        prop_assert!((0..).zip(&of_a).all(|(x, &y)| a.image(x) == y));
        let mut moves: Vec<(u32, u32)> = (0..).zip(of_a).collect();
        moves.reverse();
        let made = Perm::from_moves(degree, moves.clone());
        prop_assert_eq!(made.as_ref(), Some(a));
        prop_assert!(a.moves().is_sorted() && a.moves().iter().all(|(x, y)| x != y));
        // One image too many, or a point beyond.
        if let Some(&(x, y)) = a.moves().first() {
            moves.retain(|&(other, _)| other != x);
            prop_assert_eq!(Perm::from_moves(degree, moves.clone()), None);
            moves.push((x, y));
            moves.push((x, x));
            let again = Perm::from_moves(degree, moves.clone());
            prop_assert_eq!(again.as_ref(), Some(a));
            moves.push((x, degree as u32));
            moves.push((degree as u32, y));
            prop_assert_eq!(Perm::from_moves(degree, moves), None);
        }
    }

    #[test]
    fn what_is_no_bijection_is_refused(images in prop::collection::vec(0u32..8, 0..=7)) {
        let mut sorted = images.clone();
        sorted.sort_unstable();
        let bijection = sorted.iter().enumerate().all(|(x, &image)| x as u32 == image);
        prop_assert_eq!(Perm::from_images(&images).is_some(), bijection);
    }

    #[test]
    fn the_order_is_that_of_the_closure((degree, generators) in generators(1..=7)) {
        let elements = closure(degree, &generators);
        let group = Group::generated(degree, generators.clone(), None);
        prop_assert_eq!(group.order(), &BigUint::from(elements.len()));
        prop_assert_eq!(group.is_trivial(), elements.len() == 1);
        prop_assert_eq!(group.chain().order(), group.order().clone());
        prop_assert!(elements.iter().all(|g| group.contains(g)));
    }

    #[test]
    fn only_elements_are_contained((degree, generators) in generators(1..=6)) {
        let elements = closure(degree, &generators);
        let group = Group::generated(degree, generators, None);
        for g in all_perms(degree) {
            prop_assert_eq!(group.contains(&g), elements.contains(&g), "{:?}", g);
        }
        prop_assert!(!group.contains(&Perm::identity(degree + 1)));
    }

    #[test]
    fn a_known_order_builds_the_same_group((degree, generators) in generators(1..=30)) {
        let found = Group::generated(degree, generators.clone(), None);
        let known = Group::generated(degree, generators, Some(found.order()));
        prop_assert_eq!(known.order(), found.order());
        let mut random = Random::new(7);
        for _ in 0..10 {
            prop_assert!(known.contains(&drawn(&found, &mut random)));
            prop_assert!(found.contains(&drawn(&known, &mut random)));
        }
    }

    #[test]
    fn random_elements_are_elements((degree, generators) in generators(1..=30), seed: u64) {
        let group = Group::generated(degree, generators.clone(), None);
        let mut random = Random::new(seed);
        let (g, h) = (drawn(&group, &mut random), drawn(&group, &mut random));
        prop_assert!(group.contains(&g));
        prop_assert!(group.contains(&g.after(&h)));
        prop_assert!(group.contains(&g.inverse()));
        let minima = orbit_minima(degree, &generators);
        for x in 0..degree as u32 {
            prop_assert_eq!(minima[g.image(x) as usize], minima[x as usize]);
        }
    }

    /// Junttila 2003, 4.1.1: level k fixes the base points before it, and its orbit is that of its point.
    #[test]
    fn levels_are_the_pointwise_stabilisers((degree, generators) in generators(1..=6)) {
        let group = Group::generated(degree, generators.clone(), None);
        let chain = group.chain();
        let mut elements: Vec<Perm> = closure(degree, &generators).into_iter().collect();
        for level in chain.levels() {
            let point = chain.points()[level.point as usize];
            let images: HashSet<u32> = elements.iter().map(|g| g.image(point)).collect();
            let orbit: HashSet<u32> = level.orbit.iter().map(|&x| chain.points()[x as usize]).collect();
            prop_assert_eq!(orbit, images);
            prop_assert_eq!(level.orbit[0], level.point);
            elements.retain(|g| g.image(point) == point);
        }
        prop_assert_eq!(elements.len(), 1);
    }
}

#[test]
fn random_elements_are_drawn_evenly() {
    let group = Group::generated(4, vec![along(4, &[0, 1]), along(4, &[0, 1, 2, 3])], None);
    let mut random = Random::new(1);
    let mut seen = std::collections::HashMap::new();
    for _ in 0..24_000 {
        *seen.entry(drawn(&group, &mut random)).or_insert(0) += 1;
    }
    assert_eq!(seen.len(), 24);
    assert!(seen.values().all(|&times| (800..1200).contains(&times)), "{seen:?}");
}

#[test]
fn large_groups_have_exact_orders() {
    let degree = 40;
    let rotation: Vec<u32> = (0..degree as u32).collect();
    let group = Group::generated(degree, vec![along(degree, &[0, 1]), along(degree, &rotation)], None);
    assert_eq!(*group.order(), (1..=degree).map(BigUint::from).product());
}
