//! Automata by law: an automaton accepts a word exactly if its formula holds on it, and exactly one of a formula and its negation
//! does.

mod words;

use burnside_core::automata::{Automaton, End, Limits, Operator, translate};
use proptest::prelude::*;
use words::{STRONG, Word, accepts, holds, negated, tables};

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
