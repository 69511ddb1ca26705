//! Formulas evaluated on words straight from the definitions, and automata run on words: the two sides of the laws.

pub mod formulas;

use burnside_core::automata::{Automaton, End, Operator};
use proptest::prelude::*;

pub const ATOMS: u32 = 3;
/// An atom that no formula has stands for the end.
pub const STRONG: End = End::StrongNext { ended: ATOMS };

/// Letters as sets of atoms: a prefix, then a loop for ever. Without loop it is a finite word, with at least one letter.
#[derive(Clone, Debug)]
pub struct Word {
    pub prefix: Vec<u128>,
    pub repeated: Vec<u128>,
}

impl Word {
    pub fn infinite() -> impl Strategy<Value = Word> {
        let letters = |least, most| prop::collection::vec(0u128..1 << ATOMS, least..=most);
        (letters(0, 4), letters(1, 4)).prop_map(|(prefix, repeated)| Word { prefix, repeated })
    }

    pub fn finite() -> impl Strategy<Value = Word> {
        let letters = prop::collection::vec(0u128..1 << ATOMS, 1..=5);
        letters.prop_map(|prefix| Word { prefix, repeated: Vec::new() })
    }

    /// The last letter for ever.
    pub fn stuttering(&self) -> Word {
        let repeated = self.prefix.last().copied().into_iter().collect();
        Word { prefix: self.prefix.clone(), repeated }
    }

    /// The last letter for ever, with the atom `ended` in it from its first time on.
    pub fn ending(&self, ended: u32) -> Word {
        let mut word = self.clone();
        if let Some(last) = word.prefix.last_mut() {
            *last |= 1 << ended;
        }
        word.stuttering()
    }
}

/// Does the formula hold at the first position?
///
/// The values of a formula repeat with the loop from some position on: each past operator may need one more turn before that
/// (Laroussinie, Markey and Schnoebelen 2002). So the loop is unrolled once for each row, and the last copy stands for all that follow.
pub fn holds(table: &[Operator], word: &Word) -> bool {
    let mut letters = word.prefix.clone();
    for _ in 0..table.len() {
        letters.extend(&word.repeated);
    }
    let last = letters.len() - 1;
    // The position after the last; on a finite word there is none.
    let back = (!word.repeated.is_empty()).then(|| letters.len() - word.repeated.len());
    let after = |at: usize| if at < last { Some(at + 1) } else { back };
    let mut values: Vec<Vec<bool>> = Vec::new();
    for row in table {
        let of = |row: &usize, at: usize| values[*row][at];
        let positions = 0..letters.len();
        let found: Vec<bool> = match row {
            Operator::True => vec![true; letters.len()],
            Operator::False => vec![false; letters.len()],
            Operator::Atom(atom) => letters.iter().map(|letter| letter >> atom & 1 == 1).collect(),
            Operator::Not(a) => positions.map(|at| !of(a, at)).collect(),
            Operator::And(all) => positions.map(|at| all.iter().all(|a| of(a, at))).collect(),
            Operator::Or(all) => positions.map(|at| all.iter().any(|a| of(a, at))).collect(),
            Operator::Next(a) => positions.map(|at| after(at).is_some_and(|next| of(a, next))).collect(),
            Operator::Until(a, b) => {
                // Least solution of its expansion: going round the loop twice backwards is enough.
                let mut found = vec![false; letters.len()];
                for at in positions.clone().rev().chain(positions.rev()) {
                    found[at] = of(b, at) || of(a, at) && after(at).is_some_and(|next| found[next]);
                }
                found
            }
            Operator::Release(a, b) => {
                let mut found = vec![true; letters.len()];
                for at in positions.clone().rev().chain(positions.rev()) {
                    found[at] = of(b, at) && (of(a, at) || after(at).is_none_or(|next| found[next]));
                }
                found
            }
            Operator::Yesterday(a) => positions.map(|at| at > 0 && of(a, at - 1)).collect(),
            Operator::Since(a, b) => {
                let mut found: Vec<bool> = Vec::new();
                for at in positions {
                    found.push(of(b, at) || of(a, at) && found.last().copied().unwrap_or(false));
                }
                found
            }
            Operator::Trigger(a, b) => {
                let mut found: Vec<bool> = Vec::new();
                for at in positions {
                    found.push(of(b, at) && (of(a, at) || found.last().copied().unwrap_or(true)));
                }
                found
            }
        };
        values.push(found);
    }
    values[table.len() - 1][0]
}

/// Has the automaton an accepting run on the word? By components of the product with the word's positions.
pub fn accepts(automaton: &Automaton, word: &Word) -> bool {
    let letters: Vec<u128> = word.prefix.iter().chain(&word.repeated).copied().collect();
    let positions = letters.len();
    let after = |at: usize| if at + 1 < positions { at + 1 } else { word.prefix.len() };
    let node = |state: u32, at: usize| state as usize * positions + at;
    let successors = |of: usize| -> Vec<(usize, u64)> {
        let (state, at) = ((of / positions) as u32, of % positions);
        automaton
            .matching(state, letters[at])
            .map(|edge| (node(edge.target, after(at)), edge.marks))
            .collect()
    };
    let from = |start: usize| -> Vec<bool> {
        let mut seen = vec![false; automaton.state_count() * positions];
        let mut open = vec![start];
        while let Some(each) = open.pop() {
            for (next, _) in successors(each) {
                if !std::mem::replace(&mut seen[next], true) {
                    open.push(next);
                }
            }
        }
        seen
    };
    let start = node(Automaton::INITIAL, 0);
    let reached: Vec<Vec<bool>> = (0..automaton.state_count() * positions).map(from).collect();
    // All marks are on edges among nodes that reach each other.
    (0..reached.len()).filter(|&each| (each == start || reached[start][each]) && reached[each][each]).any(
        |each| {
            let inside = |other: usize| reached[each][other] && reached[other][each];
            let edges = (0..reached.len()).filter(|&other| inside(other)).flat_map(successors);
            let marks = edges.filter(|&(next, _)| inside(next)).fold(0, |marks, (_, more)| marks | more);
            marks == automaton.all_marks()
        },
    )
}
