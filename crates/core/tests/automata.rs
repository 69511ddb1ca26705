//! Automata by law: an automaton accepts a word exactly if its formula holds on it, and exactly one of a formula and its negation
//! does.

mod words;

use burnside_core::automata::{Automaton, ComponentKind, End, Error, Limits, Operator, translate};
use burnside_core::kinds::on_deep_stack;
use proptest::prelude::*;
use words::formulas::{Builder, negated, schematic, tables};
use words::{STRONG, Word, accepts, holds};

fn automaton(table: &[Operator], end: End) -> Automaton {
    translate(table, end, Limits::default()).expect("random formulas are small")
}

/// Words as they are read, with what the formula says on them.
fn check(table: &[Operator], end: End, words: &[(Word, bool)]) -> Result<(), TestCaseError> {
    let found = automaton(table, end);
    let opposite = automaton(&negated(table), end);
    for (word, expected) in words {
        prop_assert_eq!(accepts(&found, word), *expected, "on {:?}: {:?}", word, found);
        prop_assert_eq!(accepts(&opposite, word), !expected, "negation, on {:?}: {:?}", word, opposite);
    }
    Ok(())
}

fn several<T: std::fmt::Debug>(each: impl Strategy<Value = T>) -> impl Strategy<Value = Vec<T>> {
    prop::collection::vec(each, 1..=12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn infinite_words(table in tables(false), words in several(Word::infinite())) {
        let expected: Vec<_> = words.into_iter().map(|word| (word.clone(), holds(&table, &word))).collect();
        check(&table, End::Stutter, &expected)?;
    }

    #[test]
    fn infinite_words_with_past(table in tables(true), words in several(Word::infinite())) {
        let expected: Vec<_> = words.into_iter().map(|word| (word.clone(), holds(&table, &word))).collect();
        check(&table, End::Stutter, &expected)?;
    }

    #[test]
    fn rewritten_formulas(
        table in schematic(),
        infinite in several(Word::infinite()),
        finite in several(Word::finite()),
    ) {
        let infinite: Vec<_> = infinite.into_iter().map(|word| (word.clone(), holds(&table, &word))).collect();
        check(&table, End::Stutter, &infinite)?;
        let finite: Vec<_> =
            finite.into_iter().map(|word| (word.ending(words::ATOMS), holds(&table, &word))).collect();
        check(&table, STRONG, &finite)?;
    }

    #[test]
    fn infinite_words_do_not_see_strong_next(table in tables(true), words in several(Word::infinite())) {
        let expected: Vec<_> = words.into_iter().map(|word| (word.clone(), holds(&table, &word))).collect();
        check(&table, STRONG, &expected)?;
    }

    #[test]
    fn finite_words_with_strong_next(table in tables(true), words in several(Word::finite())) {
        let expected: Vec<_> =
            words.into_iter().map(|word| (word.ending(words::ATOMS), holds(&table, &word))).collect();
        check(&table, STRONG, &expected)?;
    }

    #[test]
    fn finite_words_that_stutter(table in tables(true), words in several(Word::finite())) {
        let read = words.into_iter().map(|word| word.stuttering());
        let expected: Vec<_> = read.map(|word| (word.clone(), holds(&table, &word))).collect();
        check(&table, End::Stutter, &expected)?;
    }
}

/// F p0 & .. & F pn.
fn all_eventually(count: u32) -> Vec<Operator> {
    let (mut table, parts) = Builder::default().each(count, Builder::eventually);
    table.row(Operator::And(parts));
    table.0
}

fn refused(table: &[Operator]) -> Error {
    translate(table, End::Stutter, Limits::default()).expect_err("this must not be made")
}

#[test]
fn explosions_are_refused() {
    // 2^60 states, and already the first has as many edges.
    let little = Limits { work: 5_000_000, ..Limits::default() };
    let text = translate(&all_eventually(60), End::Stutter, little).expect_err("it explodes").to_string();
    assert_eq!(text, "the automaton of this formula takes more than 5000000 steps to make");
    // 2^60 states with few edges each: G(q | Y^60 p).
    let mut table = Builder::default();
    let mut delayed = table.atom(0);
    for _ in 0..60 {
        delayed = table.row(Operator::Yesterday(delayed));
    }
    let other = table.atom(1);
    let either = table.row(Operator::Or(vec![other, delayed]));
    table.always(either);
    assert_eq!(refused(&table.0), Error::TooManyStates(10_000));
    assert_eq!(refused(&table.0).to_string(), "the automaton of this formula has more than 10000 states");
    // 2^100 memories after one letter: F(O p0 & .. & O pn).
    let (mut table, parts) = Builder::default().each(100, Builder::once);
    let all = table.row(Operator::And(parts));
    table.eventually(all);
    let found = translate(&table.0, End::Stutter, little);
    assert_eq!(found.map(|_| ()), Err(Error::TooMuchWork(5_000_000)));
    // 3^8 edges.
    let few = Limits { edges: 1_000, ..Limits::default() };
    let found = translate(&all_eventually(8), End::Stutter, few);
    assert_eq!(found.map(|_| ()), Err(Error::TooManyEdges(1_000)));
}

#[test]
fn atoms_and_nesting_are_bounded() {
    assert_eq!(refused(&[Operator::Atom(128)]), Error::TooManyAtoms(128));
    assert!(translate(&[Operator::Atom(127)], End::Stutter, Limits::default()).is_ok());
    let mut deep = vec![Operator::Atom(0)];
    for row in 0..2_000 {
        deep.push(Operator::Next(row));
    }
    assert_eq!(refused(&deep), Error::TooDeep(2_000));
    deep.pop();
    let automaton = on_deep_stack(|| translate(&deep, End::Stutter, Limits::default()));
    assert_eq!(automaton.expect("a thread").expect("small").state_count(), 2_001);
}

#[test]
fn malformed_tables_are_refused() {
    assert_eq!(refused(&[]), Error::Malformed);
    assert_eq!(refused(&[Operator::Not(0)]), Error::Malformed);
    assert_eq!(refused(&[Operator::Atom(0), Operator::And(vec![0, 2]), Operator::Atom(1)]), Error::Malformed);
}

/// Marks are numbered anew in each component: here none needs more than one, though there are 70 eventualities.
#[test]
fn many_eventualities_need_few_marks() {
    let (mut table, parts) = Builder::default().each(70, |table, atom| {
        let right = table.row(Operator::Not(atom));
        let left = table.atom(100);
        let left = table.row(Operator::And(vec![left, atom]));
        table.row(Operator::Until(left, right))
    });
    table.row(Operator::Or(parts));
    let found = automaton(&table.0, End::Stutter);
    assert_eq!(found.mark_count(), 1);
}

#[test]
fn kinds_of_languages_are_recognised() {
    let of = |build: fn(&mut Builder, usize) -> usize| {
        let mut table = Builder::default();
        let atom = table.atom(0);
        build(&mut table, atom);
        automaton(&table.0, End::Stutter)
    };
    let kinds = |automaton: &Automaton| -> Vec<ComponentKind> {
        (0..automaton.state_count() as u32).map(|state| automaton.kind(state)).collect()
    };
    let always = of(Builder::always);
    assert_eq!(kinds(&always), [ComponentKind::Accepting]);
    assert!(always.is_safety() && always.is_weak() && !always.is_terminal() && always.is_deterministic());
    let eventually = of(Builder::eventually);
    assert_eq!(kinds(&eventually), [ComponentKind::Rejecting, ComponentKind::Terminal]);
    assert!(eventually.is_terminal() && eventually.is_complete() && !eventually.is_safety());
    let infinitely_often = of(|table, atom| {
        let eventually = table.eventually(atom);
        table.always(eventually)
    });
    assert_eq!(kinds(&infinitely_often), [ComponentKind::Mixed]);
    assert!(!infinitely_often.is_weak() && infinitely_often.is_deterministic());
    let now = of(|_, atom| atom);
    assert_eq!(kinds(&now), [ComponentKind::Transient, ComponentKind::Terminal]);
    assert!(now.is_terminal() && now.is_safety());
    let next_never = of(|table, _| table.row(Operator::False));
    assert_eq!((next_never.state_count(), next_never.edge_count()), (1, 0));
}

/// With strong next a formula may say that the run ends; `ended` stays, so G ended is ended.
#[test]
fn the_end_is_an_atom() {
    let table = [Operator::True, Operator::Next(0), Operator::Not(1), Operator::True, Operator::Until(3, 2)];
    let found = automaton(&table, STRONG);
    assert!(accepts(&found, &Word { prefix: vec![0], repeated: Vec::new() }.ending(words::ATOMS)));
    assert!(!accepts(&found, &Word { prefix: vec![], repeated: vec![0] }));
    assert!(automaton(&table, End::Stutter).edge_count() == 0);
}
