//! Searches over the quotient of a random model of a kind made for this purpose, against the model written out in full.

mod toy;

use std::collections::{HashMap, HashSet};

use burnside_core::canon::{Guide, Method, Selector};
use burnside_core::kinds::Subject;
use burnside_core::model::{Model, Step};
use burnside_core::search::{Order, PriceRule, SelfCheck, Settings};
use num_bigint::BigUint;
use proptest::prelude::*;
use toy::{Cells, PreparedCells, VALUES};

const SEARCH: Method = Method::Search { guide: Guide::Partition, selector: Selector::LeastUnique };
const CANONICAL: [Method; 5] = [SEARCH, Method::Minimise, Method::Nauty, Method::Compare, Method::Flood];
const MANY: usize = 100_000;

fn cells() -> impl Strategy<Value = Cells> {
    let outcome = prop::option::weighted(0.5, (0..VALUES, 0..VALUES));
    let rule = prop::collection::vec(outcome, (VALUES * VALUES) as usize);
    (3usize..=4, any::<bool>(), rule, 0..VALUES)
        .prop_map(|(count, ring, rule, initial)| Cells::new(count, ring, rule, initial))
}

/// All reachable states with their labels and successors.
fn written_out(cells: &Cells) -> HashMap<Vec<u64>, Vec<(u32, Vec<u64>)>> {
    let mut found = HashMap::new();
    let mut open = vec![vec![cells.initial; cells.count]];
    while let Some(state) = open.pop() {
        if found.contains_key(&state) {
            continue;
        }
        let mut labels = Vec::new();
        cells.enabled(&state, &mut (), &mut labels, &mut |_, _| {});
        let successors = labels.into_iter().map(|label| {
            let mut next = state.clone();
            assert_eq!(cells.fire(&mut next, label, &mut ()), Ok(Step::Taken));
            (label, next)
        });
        let successors: Vec<_> = successors.collect();
        open.extend(successors.iter().map(|(_, next)| next.clone()));
        found.insert(state, successors);
    }
    found
}

fn images(cells: &Cells, state: &[u64]) -> HashSet<Vec<u64>> {
    let mut found = HashSet::from([state.to_vec()]);
    let mut open = vec![state.to_vec()];
    while let Some(state) = open.pop() {
        for generator in cells.group().generators() {
            let image = generator.act(&state);
            if found.insert(image.clone()) {
                open.push(image);
            }
        }
    }
    found
}

fn reachable_from(space: &HashMap<Vec<u64>, Vec<(u32, Vec<u64>)>>, state: &Vec<u64>) -> HashSet<Vec<u64>> {
    let mut found = HashSet::new();
    let mut open: Vec<Vec<u64>> = space[state].iter().map(|(_, next)| next.clone()).collect();
    while let Some(state) = open.pop() {
        if found.insert(state.clone()) {
            open.extend(space[&state].iter().map(|(_, next)| next.clone()));
        }
    }
    found
}

fn settings(threads: usize) -> Settings {
    Settings {
        order: Order::Breadth,
        threads,
        keep_going: true,
        fatal: None,
        deadlock: Some(0),
        prune: true,
        price: PriceRule::Off,
        self_check: SelfCheck::Full,
        properties: 1,
        max_states: None,
        max_seconds: None,
        max_memory: None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn reachability_counts_orbits_and_their_states(cells in cells(), threads in 1usize..=2) {
        let space = written_out(&cells);
        let orbits: HashSet<Vec<u64>> =
            space.keys().map(|state| images(&cells, state).into_iter().min().expect("itself")).collect();
        let dead = space.values().filter(|successors| successors.is_empty()).count();
        let full = PreparedCells::new(&cells, Method::None).explore(&settings(threads), &mut |_| true);
        let full = full.expect("it fits");
        prop_assert_eq!(full.states, space.len() as u64);
        prop_assert_eq!(full.tally.transitions, space.values().map(Vec::len).sum::<usize>() as u64);
        prop_assert_eq!(full.tally.deadlocks, dead as u64);
        for method in CANONICAL {
            let found = PreparedCells::new(&cells, method).explore(&settings(threads), &mut |_| true);
            let found = found.expect("it fits");
            prop_assert_eq!(found.states, orbits.len() as u64, "{:?}", method);
            prop_assert_eq!(found.full_states, Some(BigUint::from(space.len())), "{:?}", method);
            prop_assert_eq!(found.violations.is_empty(), dead == 0);
            prop_assert!(found.contradiction.is_none());
        }
    }

    /// Every edge is there, and its witness maps the state that the label leads to to the one that is stored.
    #[test]
    fn exported_edges_have_witnesses(cells in cells()) {
        let space = written_out(&cells);
        for method in CANONICAL {
            let graph = PreparedCells::new(&cells, method).graph(MANY, true).expect("it fits");
            prop_assert!(graph.is_complete());
            prop_assert_eq!(graph.witnesses.len(), graph.edges.len());
            prop_assert_eq!(graph.orbit_sizes.iter().sum::<BigUint>(), BigUint::from(space.len()));
            let mut leaving = vec![0; graph.states.len()];
            for ((&(from, label, to), witness), &redirected) in
                graph.edges.iter().zip(&graph.witnesses).zip(&graph.redirected)
            {
                leaving[from] += 1;
                let (_, fired) =
                    space[&graph.states[from]].iter().find(|(each, _)| *each == label).expect("enabled");
                let mut image = fired.clone();
                witness.iter().zip(fired).for_each(|(&y, &value)| image[y as usize] = value);
                prop_assert_eq!(&image, &graph.states[to]);
                prop_assert_eq!(redirected, *fired != graph.states[to]);
            }
            for (state, leaving) in graph.states.iter().zip(leaving) {
                prop_assert_eq!(leaving, space[state].len());
            }
        }
    }

    /// The components of the quotient are the orbits of the components of the model.
    #[test]
    fn components_are_orbits_of_components(cells in cells()) {
        let space = written_out(&cells);
        let reach: HashMap<&Vec<u64>, HashSet<Vec<u64>>> =
            space.keys().map(|state| (state, reachable_from(&space, state))).collect();
        let component = |state: &Vec<u64>| -> Vec<u64> {
            let mutual = reach[state].iter().filter(|other| reach[other].contains(state));
            mutual.chain([state]).min().expect("itself").clone()
        };
        let orbit = |state: &Vec<u64>| -> Vec<u64> {
            images(&cells, state).iter().map(component).min().expect("itself")
        };
        let expected: HashSet<Vec<u64>> = space.keys().map(orbit).collect();
        let cyclic = space.keys().filter(|state| reach[state].contains(*state)).map(orbit);
        let cyclic: HashSet<Vec<u64>> = cyclic.collect();
        for method in [Method::None, SEARCH, Method::Flood, Method::Compare] {
            let found = PreparedCells::new(&cells, method).components(MANY).expect("it fits");
            prop_assert!(!found.is_cut);
            if method == Method::None {
                let all: HashSet<Vec<u64>> = space.keys().map(component).collect();
                prop_assert_eq!(found.members.len(), all.len());
                continue;
            }
            prop_assert_eq!(found.members.len(), expected.len(), "{:?}", method);
            let with_edges = found.has_edges.iter().filter(|&&has| has).count();
            prop_assert_eq!(with_edges, cyclic.len(), "{:?}", method);
        }
    }
}
