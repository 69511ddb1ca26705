//! Access words and covers of a part of a machine: all of it, or a kernel.
//!
//! In: the table of a machine, and which inputs of which states belong to the part. An access word is the alphabetically first of
//! the shortest words that lead to a state within the part.

use super::kernel::Kernel;
use super::mealy::{Mealy, Word};
use super::{NONE, StateMachine};

/// States with the inputs that may be used there.
pub struct Part {
    inputs: usize,
    /// By state and input; None: all.
    has: Option<Vec<bool>>,
}

impl Part {
    pub fn whole(mealy: &Mealy) -> Self {
        Part { inputs: mealy.inputs(), has: None }
    }

    pub fn of_kernel(machine: &StateMachine, kernel: &Kernel) -> Self {
        let inputs = machine.input_count();
        let mut has = vec![false; machine.states() * inputs];
        for ((source, edge), &is_in) in machine.all_edges().zip(&kernel.edges) {
            has[source as usize * inputs + machine.inputs[edge.action as usize] as usize] |= is_in;
        }
        Part { inputs, has: Some(has) }
    }

    pub fn has(&self, state: u32, input: u32) -> bool {
        self.has.as_ref().is_none_or(|has| has[state as usize * self.inputs + input as usize])
    }
}

/// The states of a part in the order in which a breadth-first search finds them, with the steps that led there.
pub struct Access {
    pub states: Vec<u32>,
    /// By state: the state before and the input from there.
    from: Vec<(u32, u32)>,
}

impl Access {
    pub fn new(mealy: &Mealy, part: &Part) -> Self {
        let mut from = vec![(NONE, NONE); mealy.states()];
        let mut is_found = vec![false; mealy.states()];
        let mut states = vec![mealy.initial];
        is_found[mealy.initial as usize] = true;
        let mut at = 0;
        while let Some(&state) = states.get(at) {
            at += 1;
            for (input, &(_, target)) in mealy.row(state).iter().enumerate() {
                if part.has(state, input as u32) && !is_found[target as usize] {
                    is_found[target as usize] = true;
                    from[target as usize] = (state, input as u32);
                    states.push(target);
                }
            }
        }
        Access { states, from }
    }

    pub fn word(&self, state: u32) -> Word {
        let mut word = Vec::new();
        let mut at = self.from[state as usize];
        while at.0 != NONE {
            word.push(at.1);
            at = self.from[at.0 as usize];
        }
        word.reverse();
        word
    }

    /// Calls `add` with each word to a state, and with each of these followed by an input of the part (Romijn and
    /// Springintveld 1999, Definition 5.7); `true` for the former.
    pub fn transition_cover(&self, part: &Part, mut add: impl FnMut(&[u32], bool)) {
        for &state in &self.states {
            let mut word = self.word(state);
            add(&word, true);
            for input in (0..part.inputs as u32).filter(|&input| part.has(state, input)) {
                word.push(input);
                add(&word, false);
                word.pop();
            }
        }
    }
}
