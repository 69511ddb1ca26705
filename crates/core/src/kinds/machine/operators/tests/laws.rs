use proptest::prelude::*;
use proptest::strategy::BoxedStrategy;

use super::model::Model::{self, *};
use super::model::*;
use super::plain;
use crate::kinds::machine::nodes::Op;
use crate::kinds::machine::operators::enumeration::{Arrows, Subsets, Walk, Words};
use crate::kinds::machine::operators::memo::Memo;
use crate::kinds::machine::operators::spaces::{Arrow, Sequences};
use crate::kinds::machine::operators::table::Operator;
use crate::kinds::machine::operators::{Scratch, Undefined, closures, dense, relations, sequences, sets};
use crate::kinds::machine::values::{Value, Values};

/// Names of operators, separated by blanks, and what they are applied to.
fn signatures() -> Vec<(&'static str, BoxedStrategy<Vec<Model>>)> {
    let number =
        || prop_oneof![4 => -3..12i64, 1 => any::<i64>(), 1 => Just(i64::MIN)].prop_map(Number).boxed();
    let small = || (-2..9i64).prop_map(Number).boxed();
    let numbers = || set_of((-9..99i64).prop_map(Number), 5).boxed();
    let atoms = || prop_oneof![set_of(atom(), 6), set_of(atom(), 40)].boxed();
    let few = || set_of(atom(), 3).boxed();
    let sets = || set_of(set_of(atom(), 5), 4).boxed();
    let rel = || prop_oneof![relation(6), relation(40)].boxed();
    let seq = || prop_oneof![9 => sequence(atom()), 1 => relation(3)].boxed();
    let seqs = || prop_oneof![9 => sequence(sequence(atom())), 1 => sequence(relation(2))].boxed();
    let to_sets = || {
        let each = (atom(), set_of(atom(), 4)).prop_map(|(x, ys)| pair(&x, &ys));
        set_of(each, 5).boxed()
    };
    let item = || atom().boxed();
    let one = |a: BoxedStrategy<Model>| a.prop_map(|a| vec![a]).boxed();
    let two = |a: BoxedStrategy<Model>, b: BoxedStrategy<Model>| (a, b).prop_map(|(a, b)| vec![a, b]).boxed();
    vec![
        ("negate", one(number())),
        ("min max", one(numbers())),
        ("power-set power-set-1", one(set_of(atom(), 6).boxed())),
        ("injective-sequences injective-sequences-1 permutations", one(set_of(atom(), 4).boxed())),
        ("card identity", one(atoms())),
        ("general-union general-intersection", one(sets())),
        ("left right", one((atom(), atom()).prop_map(|(x, y)| pair(&x, &y)).boxed())),
        ("domain range inverse closure1 closure as-function card", one(rel())),
        ("as-relation", one(to_sets())),
        ("size reverse first last tail front", one(seq())),
        ("general-concat", one(seqs())),
        ("add subtract multiply divide modulo less less-equal equal", two(number(), number())),
        ("power interval", two(small(), small())),
        ("union intersection difference subset strict-subset equal", two(atoms(), atoms())),
        ("member", two(item(), atoms())),
        ("pair equal", two(item(), item())),
        ("product first-projection second-projection", two(atoms(), few())),
        ("apply", two(rel(), item())),
        ("image range-restrict range-subtract", two(rel(), atoms())),
        ("domain-restrict domain-subtract", two(atoms(), rel())),
        ("compose direct-product override union difference", two(rel(), rel())),
        ("parallel-product", two(relation(6).boxed(), relation(6).boxed())),
        ("iterate", two(rel(), small())),
        ("concat", two(seq(), seq())),
        ("prepend", two(item(), seq())),
        ("append", two(seq(), item())),
        ("take drop", two(seq(), small())),
        (
            "relations total-relations surjective-relations total-surjective-relations partial-functions \
             total-functions partial-injections total-injections partial-surjections total-surjections \
             partial-bijections total-bijections",
            two(few(), few()),
        ),
    ]
}

/// Handles mean the same whatever was interned before.
fn crowded(others: usize) -> Values {
    let values = Values::new();
    for number in 0..others as i64 {
        values.record(&[values.number(number)]);
    }
    values
}

fn run(values: &Values, name: &str, arguments: &[Value]) -> Result<Value, Undefined> {
    let operator = Operator::named(name).unwrap_or_else(|| panic!("{name} is not known"));
    operator
        .evaluate(values, &mut Scratch::default(), arguments)
        .unwrap_or_else(|| panic!("{name} has no value"))
}

fn check(values: &Values, names: &str, arguments: &[Model], images: &[u32]) -> Result<(), TestCaseError> {
    let handles: Vec<Value> = arguments.iter().map(|each| each.intern(values)).collect();
    let stack = &mut Vec::new();
    let renamed: Vec<Value> = handles.iter().map(|&each| values.renamed(each, images, stack)).collect();
    for name in names.split_whitespace() {
        let result = run(values, name, &handles);
        let wanted = plain::evaluate(name, arguments);
        prop_assert_eq!(&result.map(|value| Model::read(values, value)), &wanted, "{}", name);
        // Equal values have equal handles.
        prop_assert_eq!(result, wanted.map(|model| model.intern(values)), "{}", name);
        let image = result.map(|value| values.renamed(value, images, stack));
        prop_assert_eq!(run(values, name, &renamed), image, "{} and renaming", name);
    }
    Ok(())
}

#[test]
fn operators_do_what_their_definitions_say_and_commute_with_renaming() {
    let stores = [crowded(0), crowded(10_000)];
    for (names, arguments) in signatures() {
        let input = (arguments, renaming(), 0..2usize);
        let config = ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() };
        let mut runner = proptest::test_runner::TestRunner::new(config);
        let outcome = runner
            .run(&input, |(arguments, images, store)| check(&stores[store], names, &arguments, &images));
        outcome.unwrap_or_else(|failure| panic!("{names}: {failure}"));
    }
}

/// Of two sorts, points 0 to 3 and 4 to 8: what has bits there, and what operators are applied to it.
fn typed_signatures() -> Vec<(&'static str, BoxedStrategy<Vec<Model>>)> {
    let point = |of: std::ops::Range<u32>| of.prop_map(Point).boxed();
    let (four, five) = (move || point(0..4), move || point(4..9));
    let some = |element: BoxedStrategy<Model>| set_of(element, 6).boxed();
    let related = |left: BoxedStrategy<Model>, right: BoxedStrategy<Model>| {
        set_of((left, right).prop_map(|(x, y)| pair(&x, &y)), 12).boxed()
    };
    let (mixed, square) = (move || related(four(), five()), move || related(five(), five()));
    let one = |a: BoxedStrategy<Model>| a.prop_map(|a| vec![a]).boxed();
    let two = |a: BoxedStrategy<Model>, b: BoxedStrategy<Model>| (a, b).prop_map(|(a, b)| vec![a, b]).boxed();
    let on_sets = "union intersection difference subset strict-subset equal";
    vec![
        (on_sets, two(some(four()), some(four()))),
        (on_sets, two(square(), square())),
        ("member", two(five(), some(five()))),
        ("member", two((four(), five()).prop_map(|(x, y)| pair(&x, &y)).boxed(), mixed())),
        ("domain range inverse card", one(mixed())),
        ("domain range inverse closure1", one(square())),
        ("apply", two(mixed(), four())),
        ("image", two(mixed(), some(four()))),
        ("range-restrict range-subtract", two(mixed(), some(five()))),
        ("domain-restrict domain-subtract", two(some(four()), mixed())),
        ("compose override union difference", two(square(), square())),
        ("override", two(mixed(), mixed())),
        ("compose", two(mixed(), square())),
        ("product", two(some(four()), some(five()))),
        ("identity power-set", one(some(five()))),
        ("general-union general-intersection", one(set_of(some(five()), 4).boxed())),
    ]
}

#[test]
fn operators_on_bits_do_what_their_definitions_say() {
    let stores = [Values::of_sorts(&[4, 5]), Values::of_sorts(&[4, 5, 0, 70]), Values::of_sorts(&[4])];
    let renaming = (Just((0..4u32).collect()).prop_shuffle(), Just((4..9u32).collect()).prop_shuffle());
    let renaming = renaming.prop_map(|(four, five): (Vec<u32>, Vec<u32>)| [four, five].concat());
    for (names, arguments) in typed_signatures() {
        let input = (arguments, renaming.clone(), 0..stores.len());
        let config = ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() };
        let mut runner = proptest::test_runner::TestRunner::new(config);
        let outcome = runner
            .run(&input, |(arguments, images, store)| check(&stores[store], names, &arguments, &images));
        outcome.unwrap_or_else(|failure| panic!("{names}: {failure}"));
    }
}

/// With one element on the right, and for `f(x) := y`, there are ways of their own.
#[test]
fn one_element_is_as_good_as_a_set_of_one() {
    let values = Values::of_sorts(&[4, 5]);
    let scratch = &mut Scratch::default();
    let pairs = (0..20).map(|at| values.pair(Values::point(at % 4), Values::point(4 + at / 4)));
    let pairs: Vec<Value> = pairs.collect();
    for bits in (0..1u32 << 20).step_by(4_099) {
        let chosen = pairs.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
        let relation = values.set(&mut chosen.map(|(_, &pair)| pair).collect());
        for &each in &pairs {
            let alone = values.sorted_set(&[each]);
            let with = dense::with_one(Op::Union, &values, relation, each);
            assert_eq!(with.map(Ok), Some(sets::union(&values, scratch, relation, alone)));
            let without = dense::with_one(Op::Difference, &values, relation, each);
            assert_eq!(without.map(Ok), Some(sets::difference(&values, scratch, relation, alone)));
            let (x, y) = values.parts(each);
            let updated = relations::updated(&values, scratch, relation, x, y);
            assert_eq!(updated, relations::override_(&values, scratch, relation, alone));
        }
        for point in (0..4).map(Values::point) {
            let image = dense::with_one(Op::Image, &values, relation, point);
            let alone = values.sorted_set(&[point]);
            assert_eq!(image.map(Ok), Some(relations::image(&values, scratch, relation, alone)));
        }
    }
}

const ARROWS: [&str; 12] = [
    "relations",
    "total-relations",
    "surjective-relations",
    "total-surjective-relations",
    "partial-functions",
    "total-functions",
    "partial-injections",
    "total-injections",
    "partial-surjections",
    "total-surjections",
    "partial-bijections",
    "total-bijections",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn membership_in_spaces(sizes in (0..4u32, 0..4u32), cells in prop::collection::btree_set((0..5u32, 0..5u32), 0..6)) {
        let values = Values::new();
        let scratch = &mut Scratch::default();
        let from = Set((0..sizes.0).map(Point).collect());
        let to = Set((0..sizes.1).map(|n| Number(n.into())).collect());
        let cell = |(x, y): (u32, u32)| pair(&Point(x), &Number(y.into()));
        let relation = Set(cells.into_iter().map(cell).collect());
        let handles = [&relation, &from, &to].map(|each| each.intern(&values));
        for name in ARROWS {
            let arrow = Arrow::named(name).unwrap();
            let answer = arrow.contains(&values, scratch, handles[0], handles[1], handles[2]);
            prop_assert_eq!(answer, plain::is_in_space(name, &relation, &from, &to), "{}", name);
        }
    }

    #[test]
    fn membership_in_sequences(items in prop::collection::vec(0..4u32, 0..4), most in 0..5u32, at in 0..3i64) {
        let values = Values::new();
        let scratch = &mut Scratch::default();
        let place = |(item, position): (&u32, i64)| pair(&Number(position), &Point(*item));
        let sequence = Set(items.iter().zip(at..).map(place).collect()).intern(&values);
        let over = Set((0..most).map(Point).collect()).intern(&values);
        let distinct = items.iter().collect::<std::collections::BTreeSet<_>>().len() == items.len();
        let is_one = (at == 1 || items.is_empty()) && items.iter().all(|&item| item < most);
        for (kind, wanted) in [
            (Sequences::Any, is_one),
            (Sequences::NotEmpty, is_one && !items.is_empty()),
            (Sequences::Injective, is_one && distinct),
            (Sequences::InjectiveNotEmpty, is_one && distinct && !items.is_empty()),
            (Sequences::Permutations, is_one && distinct && items.len() == most as usize),
        ] {
            prop_assert_eq!(kind.contains(&values, scratch, sequence, over), wanted, "{:?}", kind);
        }
    }

    #[test]
    fn an_update_is_an_override_by_one_pair(below in relation(12), x in atom(), y in atom()) {
        let values = Values::new();
        let scratch = &mut Scratch::default();
        let [below, x, y] = [below, x, y].map(|each| each.intern(&values));
        let above = values.sorted_set(&[values.pair(x, y)]);
        let wanted = relations::override_(&values, scratch, below, above);
        prop_assert_eq!(relations::updated(&values, scratch, below, x, y), wanted);
    }

    #[test]
    fn what_is_pruned_is_not_met_and_the_rest_is(sources in 0..4u32, targets in 1..4u32, without in 0..3u32) {
        let values = Values::new();
        let scratch = &mut Scratch::default();
        let from = Set((0..sources).map(Point).collect()).intern(&values);
        let to = Set((0..targets).map(Point).collect()).intern(&values);
        let banned = values.pair(Values::point(0), Values::point(without));
        for name in ARROWS {
            let arrow = Arrow::named(name).unwrap();
            let all = Arrows::new(&values, arrow, from, to).all(&values, scratch).unwrap();
            let wanted = values.elements(all).iter().filter(|&&each| !sets::member(&values, banned, each)).count();
            let mut walk = Arrows::new(&values, arrow, from, to);
            let mut members = 0;
            while walk.step() {
                if walk.chosen().last() == Some(&banned) {
                    walk.prune();
                } else {
                    members += usize::from(walk.is_member());
                }
            }
            prop_assert_eq!(members, wanted, "{}", name);
        }
    }
}

#[test]
fn records_of_sets_are_all_choices() {
    let values = Values::new();
    let scratch = &mut Scratch::default();
    let [a, b, c] = [0, 1, 2].map(Values::point);
    let two = values.sorted_set(&[a, b]);
    let three = values.sorted_set(&[a, b, c]);
    let all = sets::records(&values, scratch, &[two, three]).unwrap();
    assert_eq!(values.elements(all).len(), 6);
    assert!(values.elements(all).contains(&values.record(&[b, c])));
    assert_eq!(sets::records(&values, scratch, &[two, Value::EMPTY]), Ok(Value::EMPTY));
    assert!(crate::kinds::machine::operators::spaces::in_records(
        &values,
        values.record(&[b, c]),
        &[two, three]
    ));
    assert!(!crate::kinds::machine::operators::spaces::in_records(
        &values,
        values.record(&[c, c]),
        &[two, three]
    ));
}

#[test]
fn walks_give_each_member_once() {
    let values = Values::new();
    let scratch = &mut Scratch::default();
    let mut count = |walk: &mut dyn Walk| {
        let mut seen = std::collections::BTreeSet::new();
        while let Some(member) = walk.next_member(&values, scratch) {
            assert!(seen.insert(member));
        }
        seen.len()
    };
    let set = |size: u32| values.set(&mut (0..size).map(Values::point).collect());
    assert_eq!(count(&mut Subsets::new(&values, set(10), true)), 1024);
    assert_eq!(count(&mut Subsets::new(&values, set(10), false)), 1023);
    assert_eq!(count(&mut Words::new(&values, Sequences::Any, set(3), 4)), 1 + 3 + 9 + 27 + 81);
    assert_eq!(count(&mut Words::new(&values, Sequences::Any, set(0), 4)), 1);
    assert_eq!(count(&mut Words::new(&values, Sequences::Permutations, set(5), 9)), 120);
    // Onto functions from five to three: 3! S(5,3).
    assert_eq!(
        count(&mut Arrows::new(&values, Arrow::named("total-surjections").unwrap(), set(5), set(3))),
        150
    );
    assert_eq!(
        count(&mut Arrows::new(&values, Arrow::named("total-bijections").unwrap(), set(6), set(6))),
        720
    );
    assert_eq!(
        count(&mut Arrows::new(&values, Arrow::named("total-bijections").unwrap(), set(6), set(5))),
        0
    );
}

#[test]
fn what_would_be_too_large_is_refused_before_it_is_built() {
    let values = Values::new();
    let scratch = &mut Scratch::new(1000);
    let too_large = |outcome: Result<Value, Undefined>| {
        assert!(
            matches!(outcome, Err(error @ Undefined::SetTooLarge { .. }) if error.is_limit()),
            "{outcome:?}"
        );
    };
    let hundred = values.set(&mut (0..100).map(Values::point).collect());
    let pairs = relations::identity(&values, scratch, hundred).unwrap();
    too_large(sets::power_set(&values, scratch, hundred));
    too_large(sets::product(&values, scratch, hundred, hundred));
    for (name, arguments) in [
        ("interval", vec![values.number(i64::MIN), values.number(i64::MAX)]),
        ("parallel-product", vec![pairs, pairs]),
        ("first-projection", vec![hundred, hundred]),
        ("total-functions", vec![hundred, hundred]),
        ("permutations", vec![hundred]),
        ("relations", vec![hundred, hundred]),
    ] {
        too_large(Operator::named(name).unwrap().evaluate(&values, scratch, &arguments).unwrap());
    }
    let ring = (0..100).map(|n| values.pair(Values::point(n), Values::point((n + 1) % 100)));
    let ring = values.set(&mut ring.collect());
    too_large(run_in(&values, scratch, "closure1", &[ring]));
    let star = values.set(&mut (0..100).map(|n| values.pair(Value::TRUE, Values::point(n))).collect());
    let back = relations::inverse(&values, scratch, star).unwrap();
    too_large(run_in(&values, scratch, "compose", &[back, star]));
}

fn run_in(
    values: &Values,
    scratch: &mut Scratch,
    name: &str,
    arguments: &[Value],
) -> Result<Value, Undefined> {
    Operator::named(name).unwrap().evaluate(values, scratch, arguments).unwrap()
}

#[test]
fn a_memo_gives_what_was_computed() {
    let values = Values::new();
    let mut memo = Memo::new(3);
    for _ in 0..3 {
        for (a, b) in (0..20).flat_map(|a| (0..20).map(move |b| (a, b))) {
            let (x, y) = (values.number(a), values.number(b));
            let sum = memo.get_or(0, x, y, || Ok(values.number(a + b)));
            let product = memo.get_or(1, x, y, || Ok(values.number(a * b)));
            assert_eq!((sum, product), (Ok(values.number(a + b)), Ok(values.number(a * b))));
        }
    }
    assert_eq!(
        memo.get_or(7, Value::TRUE, Value::TRUE, || Err(Undefined::EmptyMin)),
        Err(Undefined::EmptyMin)
    );
    assert_eq!(memo.get_or(7, Value::TRUE, Value::TRUE, || Ok(Value::FALSE)), Ok(Value::FALSE));
    assert_eq!(memo.get_or(7, Value::TRUE, Value::TRUE, || unreachable!()), Ok(Value::FALSE));
}

#[test]
fn a_sequence_of_items_is_read_back() {
    let values = Values::new();
    let scratch = &mut Scratch::default();
    let list: Vec<Value> = (0..5000).map(Values::point).collect();
    let sequence = sequences::sequence(&values, scratch, &list);
    let mut back = Vec::new();
    assert!(sequences::items(&values, sequence, &mut back));
    assert_eq!(back, list);
}

#[test]
fn a_carrier_says_where_a_closure_is_reflexive() {
    let values = Values::new();
    let scratch = &mut Scratch::default();
    let [a, b, c] = [0, 1, 2].map(Values::point);
    let carrier = values.sorted_set(&[a, b, c]);
    let relation = values.sorted_set(&[values.pair(a, b)]);
    let wanted = [values.pair(a, a), values.pair(a, b), values.pair(b, b), values.pair(c, c)];
    assert_eq!(closures::closure(&values, scratch, relation, Some(carrier)), Ok(values.sorted_set(&wanted)));
    let loops = relations::identity(&values, scratch, carrier);
    assert_eq!(closures::iterate(&values, scratch, relation, values.number(0), Some(carrier)), loops);
}
