//! Representatives of successors, by law: what is taken from the open state changes nothing.

use burnside_core::canon::slots::SlotCanonicaliser;
use burnside_core::canon::{Cancel, Canonicaliser, Guide, Method, Selector};
use burnside_core::group::Group;
use burnside_core::perm::Perm;
use burnside_core::random::Random;
use burnside_core::structure::Structure;
use proptest::prelude::*;

const SEARCH: Method = Method::Search { guide: Guide::Partition, selector: Selector::LeastUnique };
const BY_MARKING: Method = Method::Search { guide: Guide::Marking, selector: Selector::MaxMinFrequency };
const FIRST: Method =
    Method::Representative { guide: Guide::Partition, selector: Selector::LeastUnique, budget: None };

/// What generates a group, and what it keeps.
#[derive(Debug)]
struct Acting {
    structure: Structure,
    generators: Vec<Perm>,
}

impl Acting {
    /// `image(g, slot)`: of the generator of that number.
    fn new(structure: Structure, generators: usize, image: impl Fn(usize, usize) -> usize) -> Acting {
        let images = |g: usize| (0..structure.slots()).map(|x| image(g, x) as u32).collect::<Vec<u32>>();
        let generators = (0..generators).map(|g| Perm::from_images(&images(g)).expect("a bijection"));
        Acting { generators: generators.collect(), structure }
    }

    /// A ring of so many places with so many slots each; nodes tie neighbours.
    fn ring(count: usize, width: usize) -> Acting {
        let mut structure = Structure::new(vec![0; count * width]);
        for at in 0..count {
            let node = structure.add_node(1);
            for x in 0..width {
                structure.connect(node, (at * width + x) as u32, x as u64);
                structure.connect(node, ((at + 1) % count * width + x) as u32, 10 + x as u64);
            }
        }
        Acting::new(structure, 1, |_, x| (x + width) % (count * width))
    }

    /// Slots for the ordered pairs of so many things, under all permutations of them.
    fn pairs(count: usize) -> Acting {
        let mut structure = Structure::new(vec![0; count * count]);
        for thing in 0..count {
            let node = structure.add_node(1);
            for other in 0..count {
                structure.connect(node, (thing * count + other) as u32, 1);
                structure.connect(node, (other * count + thing) as u32, 2);
            }
        }
        let rotated = move |thing: usize| (thing + 1) % count;
        let swapped = |thing: usize| if thing < 2 { 1 - thing } else { thing };
        Acting::new(structure, 2, move |g, x| {
            let image = |thing| if g == 0 { rotated(thing) } else { swapped(thing) };
            image(x / count) * count + image(x % count)
        })
    }

    /// So many blocks of a slot and two smaller blocks each.
    fn blocks(count: usize, width: usize) -> Acting {
        let whole = 1 + 2 * width;
        let structure = Structure::new(vec![0; count * whole]);
        Acting::new(structure, count, move |g, x| {
            let (block, within) = (x / whole, x % whole);
            if g + 1 < count {
                let to = if block == g {
                    g + 1
                } else if block == g + 1 {
                    g
                } else {
                    block
                };
                to * whole + within
            } else if block == 0 && within > 0 {
                1 + (within - 1 + width) % (2 * width)
            } else {
                x
            }
        })
    }

    fn canonicaliser(&self, method: Method) -> SlotCanonicaliser {
        let group = Group::generated(self.structure.slots(), self.generators.clone(), None);
        let mut order = group.chain().points().to_vec();
        order
            .extend((0..self.structure.slots() as u32).filter(|slot| !group.chain().points().contains(slot)));
        let minima = group.orbit_minima();
        let orbits: Vec<u32> = order.iter().map(|&slot| minima[slot as usize]).collect();
        let mut new_name = vec![0; order.len()];
        (0..).zip(&order).for_each(|(slot, &old)| new_name[old as usize] = slot);
        SlotCanonicaliser::new(method, &group, &orbits, &self.structure.renamed(&new_name), false)
    }
}

fn acting() -> impl Strategy<Value = (Acting, bool)> {
    prop_oneof![
        ((4usize..=10), (1usize..=2)).prop_map(|(count, width)| (Acting::ring(count, width), true)),
        ((129usize..=140), (1usize..=2)).prop_map(|(count, width)| (Acting::ring(count, width), false)),
        (4usize..=6).prop_map(|count| (Acting::pairs(count), true)),
        (8usize..=9).prop_map(|count| (Acting::pairs(count), false)),
        ((2usize..=24), (1usize..=2)).prop_map(|(count, width)| (Acting::blocks(count, width), false)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn steps_have_the_same_representatives((acting, is_small) in acting(), seed: u64, sparse: bool, values in 2usize..=3) {
        let mut random = Random::new(seed);
        let slots = acting.structure.slots();
        let mut methods = vec![SEARCH, BY_MARKING, FIRST];
        if is_small {
            methods.extend([Method::Minimise, Method::Nauty, Method::Compare]);
        }
        for method in methods {
            let canonicaliser = acting.canonicaliser(method);
            let (mut scratch, mut other) =
                (canonicaliser.scratch(&Cancel::default()), canonicaliser.scratch(&Cancel::default()));
            for round in 0..4 {
                let draw = |random: &mut Random| {
                    if sparse && random.below(8) > 0 { 0 } else { random.below(values) as u64 }
                };
                let mut open: Vec<u64> = (0..slots).map(|_| draw(&mut random)).collect();
                // Mostly open states are representatives, but nobody promises it.
                if round > 0 {
                    canonicaliser.canonicalise(&mut open, &mut other);
                }
                let order = canonicaliser.open(&open, &mut scratch).order();
                prop_assert_eq!(order, canonicaliser.stabiliser(&open, &mut other).order());
                for _ in 0..8 {
                    let mut step: Vec<u32> = (0..=random.below(4)).map(|_| random.below(slots) as u32).collect();
                    step.sort_unstable();
                    step.dedup();
                    let mut fired = open.clone();
                    step.iter().for_each(|&slot| fired[slot as usize] = random.below(values) as u64);
                    let (mut form, mut expected) = (fired.clone(), fired.clone());
                    let cost = canonicaliser.canonicalise_step(&mut form, &step, &mut scratch);
                    let whole = canonicaliser.canonicalise(&mut expected, &mut other);
                    prop_assert_eq!(&form, &expected, "{:?}", method);
                    prop_assert_eq!((cost.nodes, cost.hardness), (whole.nodes, whole.hardness));
                    let changed = canonicaliser.changed(&scratch);
                    let is_reported = |slot: usize| changed.iter().any(|range| range.contains(&slot));
                    prop_assert!((0..slots).all(|slot| form[slot] == fired[slot] || is_reported(slot)));
                    if random.below(3) == 0 {
                        canonicaliser.stabiliser(&expected, &mut scratch);
                        canonicaliser.canonical_form(&mut expected, &mut scratch);
                    }
                }
            }
        }
    }
}
