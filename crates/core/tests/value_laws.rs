//! Canonical forms of states that hold nested values, by law: against all elements of small groups.

use std::collections::HashSet;
use std::sync::Arc;

use burnside_core::canon::values::{Encoding, PointGroup, ValuesCanonicaliser};
use burnside_core::canon::{Cancel, Canonicaliser, Guide, MarkerOptions, Method, Selector};
use burnside_core::group::Group;
use burnside_core::kinds::machine::values::{Packing, Value, Values};
use burnside_core::perm::Perm;
use num_bigint::BigUint;
use proptest::prelude::*;

/// Two sorts that are permuted, and two elements that stay.
const FIRST: u32 = 4;
const SECOND: u32 = 3;
const POINTS: u32 = FIRST + SECOND + 2;

#[derive(Clone, Debug)]
enum Term {
    Number(i64),
    Point(u32),
    Pair(Box<Term>, Box<Term>),
    Record(Vec<Term>),
    Set(Vec<Term>),
}

impl Term {
    fn intern(&self, values: &Values) -> Value {
        match self {
            Term::Number(number) => values.number(*number),
            Term::Point(point) => Values::point(*point),
            Term::Pair(left, right) => values.pair(left.intern(values), right.intern(values)),
            Term::Record(fields) => {
                values.record(&fields.iter().map(|field| field.intern(values)).collect::<Vec<_>>())
            }
            Term::Set(elements) => {
                values.set(&mut elements.iter().map(|element| element.intern(values)).collect())
            }
        }
    }
}

fn atoms() -> impl Strategy<Value = Term> {
    prop_oneof![1 => (0i64..3).prop_map(Term::Number), 6 => (0..POINTS).prop_map(Term::Point)]
}

fn pair(
    left: impl Strategy<Value = Term>,
    right: impl Strategy<Value = Term>,
) -> impl Strategy<Value = Term> {
    (left, right).prop_map(|(left, right)| Term::Pair(Box::new(left), Box::new(right)))
}

fn set(element: impl Strategy<Value = Term>, most: usize) -> impl Strategy<Value = Term> {
    prop::collection::vec(element, 0..=most).prop_map(Term::Set)
}

fn any_term() -> impl Strategy<Value = Term> {
    atoms().prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            2 => pair(inner.clone(), inner.clone()),
            1 => prop::collection::vec(inner.clone(), 1..=3).prop_map(Term::Record),
            4 => set(inner, 4),
        ]
    })
}

fn first() -> impl Strategy<Value = Term> {
    (0..FIRST).prop_map(Term::Point)
}

fn second() -> impl Strategy<Value = Term> {
    (FIRST..FIRST + SECOND).prop_map(Term::Point)
}

/// What real machines hold: subsets, relations, functions, sequences, sets of sets.
fn usual_term() -> impl Strategy<Value = Term> {
    let number = || (0i64..3).prop_map(Term::Number);
    prop_oneof![
        set(first(), 4),
        set(pair(first(), number()), 4),
        set(pair(number(), second()), 3),
        set(pair(first(), first()), 6),
        set(pair(first(), second()), 6),
        set(set(first(), 3), 4),
        set(pair(first(), set(second(), 2)), 3),
        pair(first(), set(first(), 3)),
        first(),
    ]
}

fn states() -> impl Strategy<Value = Vec<Term>> {
    prop::collection::vec(prop_oneof![any_term().boxed(), usual_term().boxed()], 1..=3)
}

/// Terms that markers determine.
fn plain_states() -> impl Strategy<Value = Vec<Term>> {
    let number = || (0i64..3).prop_map(Term::Number);
    let fixed = || (FIRST + SECOND..POINTS).prop_map(Term::Point);
    let point = || prop_oneof![first().boxed(), second().boxed(), fixed().boxed()];
    let plain = || prop_oneof![number().boxed(), fixed().boxed(), pair(number(), fixed()).boxed()];
    let term = prop_oneof![
        point().boxed(),
        set(point(), 4).boxed(),
        set(pair(point(), plain()), 4).boxed(),
        set(pair(plain(), pair(plain(), point())), 3).boxed(),
        set(prop_oneof![pair(plain(), point()).boxed(), pair(point(), plain()).boxed()], 4).boxed(),
        pair(point(), set(point(), 3)).boxed(),
    ];
    prop::collection::vec(term, 1..=3)
}

struct World {
    values: Arc<Values>,
    group: Group,
    elements: Vec<Perm>,
    whole: bool,
    kept: Vec<(u32, u32)>,
}

fn cycle(points: &[u32]) -> Perm {
    let mut images: Vec<u32> = (0..POINTS).collect();
    for (at, &point) in points.iter().enumerate() {
        images[point as usize] = points[(at + 1) % points.len()];
    }
    Perm::from_images(&images).expect("a cycle is a bijection")
}

impl World {
    fn new(generators: Vec<Perm>, whole: bool) -> World {
        let mut elements = vec![Perm::identity(POINTS as usize)];
        let mut known: HashSet<Perm> = elements.iter().cloned().collect();
        let mut at = 0;
        while at < elements.len() {
            for generator in &generators {
                let product = generator.after(&elements[at]);
                if known.insert(product.clone()) {
                    elements.push(product);
                }
            }
            at += 1;
        }
        let group = Group::generated(POINTS as usize, generators, None);
        World { values: Arc::new(Values::new()), group, elements, whole, kept: Vec::new() }
    }

    fn whole() -> World {
        let second: Vec<u32> = (FIRST..FIRST + SECOND).collect();
        let first: Vec<u32> = (0..FIRST).collect();
        World::new(vec![cycle(&[0, 1]), cycle(&first), cycle(&second[..2]), cycle(&second)], true)
    }

    /// Groups that are not all permutations of their orbits.
    fn partial(which: usize) -> World {
        let generators = match which {
            0 => vec![cycle(&[0, 1, 2, 3])],
            1 => vec![cycle(&[0, 1]).after(&cycle(&[4, 5])), cycle(&[0, 1, 2]).after(&cycle(&[4, 5, 6]))],
            2 => vec![cycle(&[0, 1, 2]), cycle(&[1, 2, 3])],
            _ => vec![cycle(&[0, 1]), cycle(&[2, 3]), cycle(&[0, 2]).after(&cycle(&[1, 3]))],
        };
        World::new(generators, false)
    }

    /// Rotations of the first sort: all permutations that keep its successors.
    fn ring() -> World {
        let kept = (0..FIRST).map(|point| (point, (point + 1) % FIRST)).collect();
        World { kept, ..World::new(vec![cycle(&[0, 1, 2, 3])], true) }
    }

    fn state(&self, terms: &[Term]) -> Vec<u64> {
        terms.iter().map(|term| Packing::SetOrRecord.pack(term.intern(&self.values))).collect()
    }

    fn moved(&self, g: &Perm, state: &[u64]) -> Vec<u64> {
        let packing = Packing::SetOrRecord;
        let image = |&stored: &u64| {
            packing.pack(self.values.renamed(packing.unpack(stored), &g.images(), &mut Vec::new()))
        };
        state.iter().map(image).collect()
    }

    fn orbit(&self, state: &[u64]) -> HashSet<Vec<u64>> {
        self.elements.iter().map(|g| self.moved(g, state)).collect()
    }

    fn canonicaliser(&self, method: Method, slots: usize, encoding: Encoding) -> ValuesCanonicaliser {
        let symmetry = PointGroup { group: &self.group, kept: &self.kept, whole: self.whole };
        let packing = vec![Packing::SetOrRecord; slots];
        ValuesCanonicaliser::new(method, self.values.clone(), &packing, &symmetry, encoding, false)
    }
}

const TREE: Method = Method::Search { guide: Guide::Tree, selector: Selector::LeastUnique };
const PARTITION: Method = Method::Search { guide: Guide::Partition, selector: Selector::LeastUnique };
const ONE_PATH: Method =
    Method::Representative { guide: Guide::Tree, selector: Selector::LeastUnique, budget: None };
const WIDENED: MarkerOptions = MarkerOptions { rounds: 1, widened: true };
const TWO_ROUNDS: MarkerOptions = MarkerOptions { rounds: 2, widened: false };

fn canonical_methods(whole: bool) -> Vec<(Method, Encoding)> {
    let mut methods = vec![
        (TREE, Encoding::default()),
        (PARTITION, Encoding::default()),
        (Method::Minimise, Encoding::default()),
    ];
    if whole {
        methods.extend([(Method::Nauty, Encoding::Layers), (Method::Nauty, Encoding::LabelSets)]);
    }
    methods
}

/// Every canonical method gives all states of an orbit one form, which is one of them; stabilisers have the right order.
fn forms_are_canonical(world: &World, state: &[u64]) -> Result<(), TestCaseError> {
    let orbit = world.orbit(state);
    for (method, encoding) in canonical_methods(world.whole) {
        let canonicaliser = world.canonicaliser(method, state.len(), encoding);
        let mut scratch = canonicaliser.scratch(&Cancel::default());
        let forms: HashSet<Vec<u64>> = orbit
            .iter()
            .map(|member| {
                let mut form = member.clone();
                canonicaliser.canonicalise(&mut form, &mut scratch);
                let mut again = member.clone();
                canonicaliser.canonicalise(&mut again, &mut scratch);
                assert_eq!(form, again);
                form
            })
            .collect();
        prop_assert_eq!(forms.len(), 1, "{:?} {:?}", method, encoding);
        prop_assert!(forms.is_subset(&orbit));
    }
    let canonicaliser = world.canonicaliser(TREE, state.len(), Encoding::default());
    let mut scratch = canonicaliser.scratch(&Cancel::default());
    let order = canonicaliser.stabiliser(state, &mut scratch).order();
    prop_assert_eq!(order * BigUint::from(orbit.len()), world.group.order().clone());
    let points = world.group.chain().points();
    for generator in canonicaliser.stabiliser(state, &mut scratch).generators() {
        let mut images: Vec<u32> = (0..POINTS).collect();
        for &(at, image) in generator {
            images[points[at as usize] as usize] = points[image as usize];
        }
        let g = Perm::from_images(&images).expect("a bijection");
        prop_assert!(world.group.contains(&g));
        prop_assert_eq!(world.moved(&g, state), state);
    }
    Ok(())
}

fn flooded(canonicaliser: &ValuesCanonicaliser, state: &[u64]) -> HashSet<Vec<u64>> {
    let mut found = HashSet::from([state.to_vec()]);
    let mut waiting = vec![state.to_vec()];
    while let Some(current) = waiting.pop() {
        for generator in 0..canonicaliser.generators() {
            let mut image = current.clone();
            canonicaliser.moved_by(&canonicaliser.generator(generator).images(), &current, &mut image);
            if found.insert(image.clone()) {
                waiting.push(image);
            }
        }
    }
    found
}

fn tests_are_exact(world: &World, state: &[u64], others: &[Vec<u64>]) -> Result<(), TestCaseError> {
    let orbit = world.orbit(state);
    for method in [Method::Compare, Method::Hybrid(MarkerOptions::PUBLISHED), Method::Hybrid(TWO_ROUNDS)] {
        let canonicaliser = world.canonicaliser(method, state.len(), Encoding::default());
        let mut scratch = canonicaliser.scratch(&Cancel::default());
        let own = canonicaliser.invariant(state, &mut scratch);
        for member in orbit.iter().take(20) {
            prop_assert_eq!(canonicaliser.invariant(member, &mut scratch), own);
            prop_assert!(canonicaliser.equivalent(state, member, &mut scratch));
        }
        for other in others {
            let equivalent = canonicaliser.equivalent(state, other, &mut scratch);
            prop_assert_eq!(equivalent, orbit.contains(other));
        }
    }
    Ok(())
}

/// States that differ from equivalent ones in that each slot is renamed by itself.
fn near_misses(world: &World, state: &[u64], seed: usize) -> Vec<Vec<u64>> {
    (0..6)
        .map(|k| {
            let pick = |slot: usize| (seed / (k + 1) + 7 * slot + 3 * k) % world.elements.len();
            let one = |slot: usize| world.moved(&world.elements[pick(slot)], &state[slot..=slot])[0];
            (0..state.len()).map(one).collect()
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn forms_are_canonical_under_all_permutations(terms in states()) {
        let world = World::whole();
        let state = world.state(&terms);
        forms_are_canonical(&world, &state)?;
    }

    #[test]
    fn forms_are_canonical_under_any_group(terms in states(), which in 0usize..4) {
        let world = World::partial(which);
        let state = world.state(&terms);
        forms_are_canonical(&world, &state)?;
    }

    #[test]
    fn forms_are_canonical_on_rings(terms in states()) {
        let world = World::ring();
        let state = world.state(&terms);
        forms_are_canonical(&world, &state)?;
    }

    #[test]
    fn equivalence_is_membership_in_the_orbit(terms in states(), which in 0usize..8, seed in 0usize..1000) {
        let world = if which < 4 { World::partial(which) } else { World::whole() };
        let state = world.state(&terms);
        let others = near_misses(&world, &state, seed);
        tests_are_exact(&world, &state, &others)?;
    }

    #[test]
    fn flooding_meets_the_whole_orbit(terms in states(), which in 0usize..4) {
        let world = World::partial(which);
        let state = world.state(&terms);
        let canonicaliser = world.canonicaliser(Method::Flood, state.len(), Encoding::default());
        prop_assert_eq!(flooded(&canonicaliser, &state), world.orbit(&state));
    }

    #[test]
    fn representatives_are_members(terms in states()) {
        let world = World::whole();
        let state = world.state(&terms);
        let canonicaliser = world.canonicaliser(ONE_PATH, state.len(), Encoding::default());
        let mut form = state.clone();
        canonicaliser.canonicalise(&mut form, &mut canonicaliser.scratch(&Cancel::default()));
        prop_assert!(world.orbit(&state).contains(&form));
        prop_assert!(!canonicaliser.is_exact());
    }

    /// Prop. 1, and that hybrids separate what markers do not.
    #[test]
    fn equivalent_states_have_equal_markers(terms in states(), which in 0usize..8) {
        let world = if which < 4 { World::partial(which) } else { World::whole() };
        let state = world.state(&terms);
        for options in [MarkerOptions::PUBLISHED, WIDENED, TWO_ROUNDS] {
            let canonicaliser = world.canonicaliser(Method::Marker(options), state.len(), Encoding::default());
            let mut scratch = canonicaliser.scratch(&Cancel::default());
            let own = canonicaliser.invariant(&state, &mut scratch);
            for member in world.orbit(&state) {
                prop_assert_eq!(canonicaliser.invariant(&member, &mut scratch), own);
                prop_assert!(canonicaliser.equivalent(&state, &member, &mut scratch));
            }
        }
    }

    /// Prop. 2, in its wider form.
    #[test]
    fn precise_markers_are_exact(terms in plain_states(), seed in 0usize..1000) {
        let world = World::whole();
        let state = world.state(&terms);
        let orbit = world.orbit(&state);
        for options in [MarkerOptions::PUBLISHED, WIDENED, TWO_ROUNDS] {
            let canonicaliser = world.canonicaliser(Method::Marker(options), state.len(), Encoding::default());
            let mut scratch = canonicaliser.scratch(&Cancel::default());
            prop_assert!(canonicaliser.is_precise(&state, &mut scratch));
            for other in near_misses(&world, &state, seed) {
                let same = canonicaliser.equivalent(&state, &other, &mut scratch);
                prop_assert_eq!(same, orbit.contains(&other));
            }
            canonicaliser.invariant(&state, &mut scratch);
            prop_assert!(canonicaliser.is_exact() && canonicaliser.imprecise_slots().is_empty());
        }
    }

    /// The same for whatever passes the test for precision, not only for what was made to.
    #[test]
    fn what_is_called_precise_is_exact(terms in states(), seed in 0usize..1000) {
        let world = World::whole();
        let state = world.state(&terms);
        let orbit = world.orbit(&state);
        for options in [MarkerOptions::PUBLISHED, WIDENED] {
            let canonicaliser = world.canonicaliser(Method::Marker(options), state.len(), Encoding::default());
            let mut scratch = canonicaliser.scratch(&Cancel::default());
            for other in near_misses(&world, &state, seed) {
                let precise = canonicaliser.is_precise(&state, &mut scratch);
                if precise && canonicaliser.equivalent(&state, &other, &mut scratch) {
                    prop_assert!(orbit.contains(&other));
                }
            }
        }
    }
}

proptest! {
    /// What was interned before decides the handles, and nothing else: forms, their bytes and their hashes are those of another
    /// process.
    #[test]
    fn canonical_forms_do_not_depend_on_what_was_interned_before(
        terms in prop::collection::vec(any_term(), 1..=3),
        before in prop::collection::vec(any_term(), 0..=12),
    ) {
        let group = World::whole().group;
        let written = |before: &[Term], method: Method, encoding: Encoding| {
            let values = Arc::new(Values::of_sorts(&[FIRST, SECOND, 2]));
            before.iter().for_each(|term| _ = term.intern(&values));
            let packing = vec![Packing::SetOrRecord; terms.len()];
            let mut state: Vec<u64> = terms.iter().map(|term| Packing::SetOrRecord.pack(term.intern(&values))).collect();
            let symmetry = PointGroup { group: &group, kept: &[], whole: true };
            let canonicaliser = ValuesCanonicaliser::new(method, values.clone(), &packing, &symmetry, encoding, false);
            canonicaliser.canonicalise(&mut state, &mut canonicaliser.scratch(&Cancel::default()));
            let mut bytes = Vec::new();
            let mut hashes = Vec::new();
            for &slot in &state {
                let value = Packing::SetOrRecord.unpack(slot);
                values.write(value, &mut bytes);
                hashes.push(values.hash(value));
            }
            let mut rest = bytes.as_slice();
            for &slot in &state {
                assert_eq!(values.read(&mut rest), Some(Packing::SetOrRecord.unpack(slot)));
            }
            assert!(rest.is_empty());
            (bytes, hashes)
        };
        for (method, encoding) in canonical_methods(true) {
            prop_assert_eq!(written(&[], method, encoding), written(&before, method, encoding), "{:?}", method);
        }
    }
}
