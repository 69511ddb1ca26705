//! Groups of blocks, nested or not, by law: recognised from generators of any kind, against closure under these; and sorting,
//! against the orbits of states.

use std::collections::HashSet;

use burnside_core::canon::slots::SlotCanonicaliser;
use burnside_core::canon::{Cancel, Canonicaliser, Guide, Method, Selector};
use burnside_core::group::Group;
use burnside_core::perm::Perm;
use burnside_core::random::Random;
use burnside_core::structure::Structure;
use num_bigint::BigUint;
use proptest::prelude::*;

/// So many blocks, each of single points and of such trees.
#[derive(Clone, Debug)]
struct Tree {
    count: usize,
    single: usize,
    inner: Vec<Tree>,
}

impl Tree {
    fn width(&self) -> usize {
        self.single + self.inner.iter().map(Tree::points).sum::<usize>()
    }

    fn points(&self) -> usize {
        self.count * self.width()
    }

    fn order(&self) -> usize {
        let inside: usize = self.inner.iter().map(Tree::order).product();
        inside.pow(self.count as u32) * (1..=self.count).product::<usize>()
    }

    /// Exchanges of neighbours, and of what is inside the first block, as images of all points.
    fn generators(&self, degree: usize, begin: usize, out: &mut Vec<Perm>) {
        let width = self.width();
        for at in 1..self.count {
            let (a, b) = (begin + (at - 1) * width, begin + at * width);
            let mut images: Vec<u32> = (0..degree as u32).collect();
            (0..width).for_each(|x| images.swap(a + x, b + x));
            out.push(Perm::from_images(&images).expect("an exchange"));
        }
        let mut start = begin + self.single;
        for inner in &self.inner {
            inner.generators(degree, start, out);
            start += inner.points();
        }
    }
}

fn trees() -> impl Strategy<Value = Tree> {
    let leaf = (2usize..=3, 1usize..=2).prop_map(|(count, single)| Tree { count, single, inner: Vec::new() });
    let nested = (2usize..=3, 0usize..=1, prop::collection::vec(leaf.clone(), 1..=2))
        .prop_map(|(count, single, inner)| Tree { count, single, inner });
    prop_oneof![2 => leaf.boxed(), 3 => nested.boxed()]
        .prop_filter("a small group", |tree| tree.order() <= 2000)
}

/// One or two trees side by side, with the points in any order, and a rotation of three points beside them.
#[derive(Clone, Debug)]
struct Acting {
    degree: usize,
    trees: Vec<Tree>,
    rotates: bool,
    names: Vec<u32>,
    seed: u64,
}

fn acting() -> impl Strategy<Value = Acting> {
    (prop::collection::vec(trees(), 1..=2), any::<bool>(), 0usize..=2, any::<u64>())
        .prop_filter("a small group", |(trees, ..)| trees.iter().map(Tree::order).product::<usize>() <= 3000)
        .prop_flat_map(|(trees, rotates, unmoved, seed)| {
            let degree = trees.iter().map(Tree::points).sum::<usize>() + 3 * usize::from(rotates) + unmoved;
            let names = Just((0..degree as u32).collect::<Vec<u32>>()).prop_shuffle();
            (Just((degree, trees, rotates, seed)), names)
        })
        .prop_map(|((degree, trees, rotates, seed), names)| Acting { degree, trees, rotates, names, seed })
}

impl Acting {
    fn order(&self) -> usize {
        self.trees.iter().map(Tree::order).product::<usize>() * if self.rotates { 3 } else { 1 }
    }

    /// `stirred`: each exchange is multiplied by elements that move less.
    fn generators(&self, stirred: bool) -> Vec<Perm> {
        let mut random = Random::new(self.seed);
        let mut all = Vec::new();
        let mut begin = 0;
        for tree in &self.trees {
            let mut own = Vec::new();
            tree.generators(self.degree, begin, &mut own);
            begin += tree.points();
            let size = |g: &Perm| g.images().iter().enumerate().filter(|&(x, &y)| x as u32 != y).count();
            own.sort_by_key(size);
            for at in 0..own.len() {
                let smaller = own.iter().take_while(|g| size(g) < size(&own[at])).count();
                if stirred && smaller > 0 {
                    let factor = own[random.below(smaller)].clone();
                    own[at] = own[at].after(&factor);
                }
            }
            all.extend(own);
        }
        if self.rotates {
            let mut images: Vec<u32> = (0..self.degree as u32).collect();
            images[begin..begin + 3].rotate_left(1);
            all.push(Perm::from_images(&images).expect("a rotation"));
        }
        all.iter().map(|g| g.renamed(&self.names)).collect()
    }
}

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

/// Values by position of the base, the other slots behind.
fn order_of(group: &Group) -> Vec<u32> {
    let mut order = group.chain().points().to_vec();
    let moved: HashSet<u32> = order.iter().copied().collect();
    order.extend((0..group.degree() as u32).filter(|slot| !moved.contains(slot)));
    order
}

fn canonicaliser(method: Method, group: &Group) -> SlotCanonicaliser {
    let minima = group.orbit_minima();
    let orbits: Vec<u32> = order_of(group).iter().map(|&slot| minima[slot as usize]).collect();
    SlotCanonicaliser::new(method, group, &orbits, &Structure::new(vec![0; group.degree()]), false)
}

const SEARCH: Method = Method::Search { guide: Guide::Partition, selector: Selector::LeastUnique };
const BY_MARKING: Method = Method::Search { guide: Guide::Marking, selector: Selector::MaxMinFrequency };

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn blocks_are_recognised(acting in acting(), stirred: bool) {
        let generators = acting.generators(stirred);
        let group = Group::generated(acting.degree, generators.clone(), None);
        let elements = closure(acting.degree, &generators);
        prop_assert_eq!(group.order(), &BigUint::from(elements.len()));
        prop_assert!(elements.iter().all(|g| group.contains(g)));
        if !stirred {
            prop_assert_eq!(elements.len(), acting.order());
            prop_assert_eq!(group.blocks().len(), acting.trees.len());
            prop_assert_eq!(group.rest_points().len(), if acting.rotates { 3 } else { 0 });
        }
        let known = Group::generated(acting.degree, generators, Some(group.order()));
        prop_assert_eq!(known.order(), group.order());
    }

    /// Permutations that keep the orbits are mostly no elements.
    #[test]
    fn others_are_not_contained(acting in acting(), seed: u64) {
        let generators = acting.generators(true);
        let group = Group::generated(acting.degree, generators.clone(), None);
        let elements = closure(acting.degree, &generators);
        let minima = group.orbit_minima();
        let mut random = Random::new(seed);
        for _ in 0..40 {
            let mut images: Vec<u32> = (0..acting.degree as u32).collect();
            for _ in 0..3 {
                let (a, b) = (random.below(acting.degree), random.below(acting.degree));
                if minima[a] == minima[b] {
                    images.swap(a, b);
                }
            }
            let g = Perm::from_images(&images).expect("swaps");
            prop_assert_eq!(group.contains(&g), elements.contains(&g));
        }
    }

    /// Junttila 2003, 4.1.1: level k fixes the base points before it, and its orbit is that of its point.
    #[test]
    fn levels_are_the_pointwise_stabilisers(acting in acting()) {
        let generators = acting.generators(false);
        let group = Group::generated(acting.degree, generators.clone(), None);
        let points = group.chain().points();
        let mut elements: Vec<Perm> = closure(acting.degree, &generators).into_iter().collect();
        for level in group.chain().levels() {
            let images: HashSet<u32> = elements.iter().map(|g| g.image(points[level.point as usize])).collect();
            let orbit: HashSet<u32> = level.orbit.iter().map(|&x| points[x as usize]).collect();
            prop_assert_eq!(orbit, images);
            prop_assert_eq!(level.orbit[0], level.point);
            for (member, &c) in level.orbit.iter().enumerate() {
                let moves = level.element(member);
                prop_assert_eq!(moves.image(level.point), c);
                let mut images: Vec<u32> = (0..acting.degree as u32).collect();
                moves.iter().for_each(|(x, y)| images[points[x as usize] as usize] = points[y as usize]);
                let g = Perm::from_images(&images).expect("an element");
                prop_assert!(elements.contains(&g));
                prop_assert!(moves.iter().all(|(x, y)| moves.image(x) == y && x != y));
            }
            elements.retain(|g| g.image(points[level.point as usize]) == points[level.point as usize]);
        }
        prop_assert_eq!(elements.len(), 1);
    }

    #[test]
    fn stabilisers_of_points_are_whole(acting in acting(), seed: u64, count in 1usize..=3) {
        let generators = acting.generators(false);
        let group = Group::generated(acting.degree, generators.clone(), None);
        let mut random = Random::new(seed);
        let points: Vec<u32> = (0..count).map(|_| random.below(acting.degree) as u32).collect();
        let fixes = |g: &&Perm| points.iter().all(|&x| g.image(x) == x);
        let all = closure(acting.degree, &generators);
        let expected = all.iter().filter(fixes).count();
        let found = group.stabiliser(&points);
        prop_assert_eq!(found.order(), &BigUint::from(expected));
        prop_assert!(found.generators().iter().all(|g| fixes(&g) && group.contains(g)));
    }

    /// Every member of an orbit has one form, which is a member; the stabiliser has the right order and keeps the state; related
    /// states are related by an element.
    #[test]
    fn sorting_gives_canonical_forms(acting in acting(), seed: u64, values in 2usize..=3) {
        let generators = acting.generators(true);
        let group = Group::generated(acting.degree, generators.clone(), None);
        let elements = closure(acting.degree, &generators);
        let order = order_of(&group);
        let mut random = Random::new(seed);
        let state: Vec<u64> = (0..acting.degree).map(|_| random.below(values) as u64).collect();
        let laid_out = |state: &[u64]| order.iter().map(|&slot| state[slot as usize]).collect::<Vec<u64>>();
        let orbit: HashSet<Vec<u64>> = elements.iter().map(|g| laid_out(&g.act(&state))).collect();
        for method in [SEARCH, BY_MARKING, Method::Minimise] {
            let canonicaliser = canonicaliser(method, &group);
            let mut scratch = canonicaliser.scratch(&Cancel::default());
            let mut forms = HashSet::new();
            for member in &orbit {
                let mut form = member.clone();
                canonicaliser.canonicalise(&mut form, &mut scratch);
                forms.insert(form);
            }
            prop_assert_eq!(forms.len(), 1);
            prop_assert!(forms.is_subset(&orbit));
            if method == Method::Minimise {
                prop_assert_eq!(forms.iter().next(), orbit.iter().min());
            }
        }
        let canonicaliser = canonicaliser(SEARCH, &group);
        let mut scratch = canonicaliser.scratch(&Cancel::default());
        for member in orbit.iter().take(5) {
            let stabiliser = canonicaliser.stabiliser(member, &mut scratch);
            prop_assert_eq!(stabiliser.order() * orbit.len(), group.order().clone());
            let mut on_points = Vec::new();
            for generator in stabiliser.generators() {
                let mut images: Vec<u32> = (0..acting.degree as u32).collect();
                generator.iter().for_each(|&(x, y)| images[x as usize] = y);
                let g = Perm::from_images(&images).expect("a bijection");
                prop_assert_eq!(&g.act(member), member);
                prop_assert!(elements.contains(&g.renamed(&order)));
                on_points.push(g);
            }
            prop_assert_eq!(BigUint::from(closure(acting.degree, &on_points).len()), stabiliser.order());
            let hash = canonicaliser.invariant(member, &mut scratch);
            prop_assert_eq!(hash, canonicaliser.invariant(&laid_out(&state), &mut scratch));
            let mut images = Vec::new();
            prop_assert!(canonicaliser.witness(&laid_out(&state), member, &mut scratch, &mut images));
            let mut moved = member.clone();
            canonicaliser.moved_by(&images, &laid_out(&state), &mut moved);
            prop_assert_eq!(&moved, member);
            images.extend(images.len() as u32..acting.degree as u32);
            prop_assert!(elements.contains(&Perm::from_images(&images).expect("a bijection").renamed(&order)));
        }
        let other: Vec<u64> = (0..acting.degree).map(|_| random.below(values) as u64).collect();
        let other = laid_out(&other);
        let equivalent = canonicaliser.equivalent(&laid_out(&state), &other, &mut scratch);
        prop_assert_eq!(equivalent, orbit.contains(&other));
    }
}

/// 400 exchanged blocks of three points, in two copies that are exchanged as wholes.
#[test]
fn large_groups_of_blocks_are_recognised() {
    let half = Tree { count: 400, single: 3, inner: Vec::new() };
    let whole = Tree { count: 2, single: 1, inner: vec![half] };
    let mut generators = Vec::new();
    whole.generators(whole.points(), 0, &mut generators);
    let group = Group::generated(whole.points(), generators, None);
    let factorial: BigUint = (1u32..=400).map(BigUint::from).product();
    assert_eq!(*group.order(), &factorial * &factorial * 2u32);
    let canonicaliser = canonicaliser(SEARCH, &group);
    let mut scratch = canonicaliser.scratch(&Cancel::default());
    let state = vec![0; whole.points()];
    assert_eq!(canonicaliser.stabiliser(&state, &mut scratch).order(), *group.order());
    let mut random = Random::new(3);
    let mut moved: Vec<u64> = (0..whole.points()).map(|_| random.below(3) as u64).collect();
    let element = group.chain().random_element(&mut random);
    let mut image = moved.clone();
    canonicaliser.moved_by(&element, &moved, &mut image);
    assert_ne!(moved, image);
    canonicaliser.canonicalise(&mut moved, &mut scratch);
    canonicaliser.canonicalise(&mut image, &mut scratch);
    assert_eq!(moved, image);
}
