//! A false generator of a net, which certification would refuse, is found by the self-check.

use burnside_core::canon::slots::SlotCanonicaliser;
use burnside_core::canon::{Guide, Method, Selector};
use burnside_core::group::Group;
use burnside_core::kinds::net::Net;
use burnside_core::kinds::net::collapse::Collapsed;
use burnside_core::kinds::net::compiled::{CompiledNet, Property, PropertyKind};
use burnside_core::kinds::net::expression::{Expression, Linear};
use burnside_core::kinds::net::symmetry::NetGroup;
use burnside_core::model::Step;
use burnside_core::perm::Perm;
use burnside_core::search::{
    Difference, Effect, Exploration, Order, PriceRule, SelfCheck, Settings, Stopped, explore,
};

/// Two tokens that go round; `last_weight` tokens leave the last place together.
fn ring(places: usize, last_weight: u64) -> Net {
    let mut initial = vec![0; places];
    initial[0] = 2;
    let consumes =
        (0..places as u32).map(|p| vec![(p, if p as usize == places - 1 { last_weight } else { 1 })]);
    let produces = (0..places as u32).map(|p| vec![((p + 1) % places as u32, 1)]);
    Net::new(initial, consumes.collect(), produces.collect()).expect("arcs name places")
}

fn settings(self_check: SelfCheck, order: Order, threads: usize) -> Settings {
    Settings {
        order,
        threads,
        keep_going: true,
        fatal: None,
        deadlock: None,
        prune: true,
        price: PriceRule::Off,
        self_check,
        properties: 3,
        max_states: None,
        max_seconds: None,
        max_memory: None,
    }
}

/// Explores as if the rotation of all places were a symmetry.
fn rotated(
    net: &Net,
    method: Method,
    settings: &Settings,
    properties: Vec<Property>,
) -> Exploration<CompiledNet> {
    let places = net.places() as u32;
    let collapsed = Collapsed::of(net, &[]);
    let rotation = (0..places).map(|p| (p + 1) % places).collect::<Vec<_>>();
    let group =
        Group::generated(net.places(), vec![Perm::from_images(&rotation).expect("a permutation")], None);
    let order = group.chain().points().to_vec();
    let orbits = vec![0; net.places()];
    let model = CompiledNet::new(&collapsed, &order, &orbits, properties);
    let structure = NetGroup::trivial(&collapsed).structure().renamed(model.slot_of_class());
    let canonicaliser = SlotCanonicaliser::new(method, &group, &orbits, &structure, false);
    explore(model, &canonicaliser, settings, &mut |_| true)
}

const METHODS: [Method; 5] = [
    Method::Flood,
    Method::Search { guide: Guide::Partition, selector: Selector::LeastUnique },
    Method::Minimise,
    Method::Compare,
    Method::Representative { guide: Guide::Partition, selector: Selector::LeastUnique, budget: None },
];
const ORDERS: [Order; 4] =
    [Order::Breadth, Order::Depth, Order::Mixed { alpha: 0.5, seed: 1 }, Order::Random { seed: 1 }];

#[test]
fn a_false_generator_is_found() {
    let net = ring(4, 2);
    for method in METHODS {
        for order in ORDERS {
            for threads in [1, 3] {
                let found = rotated(&net, method, &settings(SelfCheck::Full, order, threads), vec![]);
                let contradiction = found.contradiction.expect("the rotation is no symmetry");
                assert_eq!(contradiction.generator, 0);
                assert!(matches!(
                    contradiction.difference,
                    Difference::OnlyInState(_, Effect::Fired(Step::Taken))
                        | Difference::OnlyInImage(_, Effect::Fired(Step::Taken))
                ));
            }
        }
    }
}

#[test]
fn a_sample_begins_with_the_first_state() {
    // Two tokens in the last place, where the initial state has them, leave only together.
    let mut net = ring(3, 2);
    net.initial = vec![0, 0, 2];
    for method in METHODS {
        let found = rotated(&net, method, &settings(SelfCheck::Sample, Order::Breadth, 1), vec![]);
        assert!(found.contradiction.is_some());
        assert_eq!(found.stopped, Stopped::Contradiction);
        let found = rotated(&net, method, &settings(SelfCheck::Off, Order::Breadth, 1), vec![]);
        assert!(found.contradiction.is_none());
        assert_eq!(found.self_checked, 0);
    }
}

#[test]
fn a_property_that_a_true_generator_changes_is_found() {
    let net = ring(4, 1);
    let first_is_empty = Expression::Zero(Linear::new(vec![(0, 1)], 0));
    let property = Property { number: 2, kind: PropertyKind::Goal(first_is_empty) };
    for method in METHODS {
        let whole = settings(SelfCheck::Full, Order::Breadth, 1);
        let fine = rotated(&net, method, &whole, vec![]);
        assert!(fine.contradiction.is_none());
        assert_eq!(fine.self_checked, fine.states);
        assert_eq!(fine.self_check_generators, (1, 1));
        let found = rotated(&net, method, &whole, vec![property.clone()]);
        let difference = found.contradiction.expect("the rotation changes the goal").difference;
        assert!(matches!(difference, Difference::Verdict { property: 2, .. }));
    }
}
