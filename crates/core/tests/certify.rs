//! Certification of permutations of nets, by law: what looks at moved places alone decides as the definition does.

use std::sync::Arc;

use burnside_core::canon::{Canonicaliser, Method};
use burnside_core::kinds::Kind;
use burnside_core::kinds::net::Net;
use burnside_core::kinds::net::collapse::Collapsed;
use burnside_core::kinds::net::expression::{Expression, Linear};
use burnside_core::kinds::net::prepared::PreparedNet;
use burnside_core::kinds::net::symmetry::{Keep, NetGroup, certify};
use burnside_core::model::{Label, Model};
use proptest::prelude::*;

const PLACES: usize = 7;

/// By place and transition: weights of the arcs in both directions; 0 is none.
type Weights = Vec<(u64, u64)>;

/// A net, and a permutation of its places and transitions that may be a symmetry.
#[derive(Clone, Debug)]
struct Case {
    weights: Vec<Weights>,
    marking: Vec<u64>,
    sum: Vec<i128>,
    places: Vec<u32>,
    transitions: Vec<u32>,
}

impl Case {
    fn net(&self) -> Net {
        let arcs = |weight: fn(&(u64, u64)) -> u64| {
            let of = |weights: &Weights| {
                let all = (0..).zip(weights.iter().map(weight));
                all.filter(|&(_, weight)| weight > 0).collect::<Vec<(u32, u64)>>()
            };
            self.weights.iter().map(of).collect::<Vec<_>>()
        };
        Net::new(self.marking.clone(), arcs(|pair| pair.0), arcs(|pair| pair.1)).expect("a net")
    }

    fn expression(&self) -> Expression {
        Expression::AtMostZero(Linear::new((0..).zip(self.sum.iter().copied()).collect(), -1))
    }

    /// Junttila 2003, Def. 3.2, place by place and transition by transition.
    fn is_symmetry(&self) -> bool {
        let arcs = self.transitions.iter().enumerate().all(|(t, &image)| {
            (0..PLACES).all(|p| self.weights[t][p] == self.weights[image as usize][self.places[p] as usize])
        });
        let keeps = |p: usize| {
            let image = self.places[p] as usize;
            self.marking[p] == self.marking[image] && self.sum[p] == self.sum[image]
        };
        arcs && (0..PLACES).all(keeps)
    }
}

/// Closed under the permutation; then, often, one thing is changed.
fn cases() -> impl Strategy<Value = Case> {
    let places = prop_oneof![
        Just((0..PLACES as u32).collect::<Vec<_>>()).prop_shuffle(),
        (0..PLACES, 0..PLACES).prop_map(|(a, b)| {
            let mut images: Vec<u32> = (0..PLACES as u32).collect();
            images.swap(a, b);
            images
        }),
    ];
    let weight =
        prop_oneof![6 => Just((0u64, 0u64)), 2 => Just((1, 0)), 2 => Just((0, 1)), 1 => (0u64..3, 0u64..3)];
    let rows = prop::collection::vec(prop::collection::vec(weight, PLACES), 1..=3);
    let by_place = (prop::collection::vec(0u64..2, PLACES), prop::collection::vec(0i128..2, PLACES));
    (places, rows, by_place, any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0u8..6).prop_map(
        |(places, rows, (marking, sum), row, column, change)| {
            let mut case = Case { weights: Vec::new(), marking, sum, places, transitions: Vec::new() };
            for row in rows {
                // The row and its images, until one comes again.
                let first = case.weights.len();
                let mut next = row.clone();
                loop {
                    case.weights.push(next.clone());
                    let mut moved = next.clone();
                    (0..PLACES).for_each(|p| moved[case.places[p] as usize] = next[p]);
                    next = moved;
                    if next == row || case.weights.len() > first + 12 {
                        break;
                    }
                }
                let last = case.weights.len();
                case.transitions.extend((first + 1..last).chain([first]).map(|t| t as u32));
            }
            let smooth = |p: usize| {
                let (mut at, mut least) = (case.places[p] as usize, p);
                while at != p {
                    least = least.min(at);
                    at = case.places[at] as usize;
                }
                least
            };
            let leader: Vec<usize> = (0..PLACES).map(smooth).collect();
            case.marking = leader.iter().map(|&p| case.marking[p]).collect();
            case.sum = leader.iter().map(|&p| case.sum[p]).collect();
            let (row, column) = (row.index(case.weights.len()), column.index(PLACES));
            match change {
                0 => case.weights[row][column].0 += 1,
                1 => case.weights[row][column].1 ^= 1,
                2 => case.marking[column] += 1,
                3 => case.sum[column] += 1,
                _ => {}
            }
            case
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn what_is_certified_is_a_symmetry_by_definition(case in cases()) {
        let net = case.net();
        // Without identical places, which are told apart by name alone.
        let collapsed = Collapsed::of(&net, &[]);
        let keep = Keep::new(&collapsed, vec![case.marking.clone()], vec![case.expression()]);
        let certified = certify(&net, &keep, &case.places, &case.transitions);
        prop_assert_eq!(certified.is_ok(), case.is_symmetry(), "{:?}", certified.err());
    }

    /// Transitions with many arcs, of which few move, and others.
    #[test]
    fn labels_that_a_generator_fixes_do_the_same_as_their_images(case in cases()) {
        let net = Arc::new(case.net());
        let kept = vec![case.marking.clone()];
        let collapsed = Arc::new(Collapsed::of(&net, &kept));
        let keep = Keep::new(&collapsed, kept, Vec::new());
        let group = Arc::new(NetGroup::automorphisms(&net, &collapsed, &keep).expect("certified"));
        let prepared = PreparedNet::new(&net, &collapsed, &group, Method::Minimise, &[], false).expect("prepared");
        let (model, canonicaliser) = (prepared.model(), prepared.canonicaliser());
        let (changing, mut workspace) = (collapsed.changing(), model.workspace());
        for number in 0..canonicaliser.generators() {
            let g = canonicaliser.generator(number);
            for label in 0..collapsed.transition_classes.len() as Label {
                let image = model.image(&g.images(), label, &mut workspace);
                // Labels that differ only at places whose numbers never change are as good as the same.
                let at_changing = |label: Label| {
                    let of = |arcs: &[(u32, u64)]| -> Vec<(u32, u64)> {
                        arcs.iter().copied().filter(|&(class, _)| changing[class as usize]).collect()
                    };
                    (of(&collapsed.consumes[label as usize]), of(&collapsed.produces[label as usize]))
                };
                prop_assert!(!model.is_fixed_by(g.moves(), label) || at_changing(image) == at_changing(label));
            }
        }
    }
}
