//! The table of a deterministic, input-enabled machine: by state and input, the output and the next state.

use super::{NONE, StateMachine};

pub type Word = Vec<u32>;

pub struct Mealy {
    pub initial: u32,
    inputs: usize,
    rows: Vec<(u32, u32)>,
}

impl Mealy {
    /// None where some state and input have no edge, or several, or there is not one initial state.
    pub fn new(machine: &StateMachine) -> Option<Self> {
        let &[initial] = machine.initial.as_slice() else { return None };
        let inputs = machine.input_count();
        let mut rows = vec![(NONE, NONE); machine.states() * inputs];
        for (source, edge) in machine.all_edges() {
            let at = source as usize * inputs + machine.inputs[edge.action as usize] as usize;
            if rows[at].1 != NONE {
                return None;
            }
            rows[at] = (machine.outputs[edge.action as usize], edge.target);
        }
        rows.iter().all(|row| row.1 != NONE).then_some(Mealy { initial, inputs, rows })
    }

    /// From rows of (output, target), one for each state; None where a target is no state or rows are of different lengths.
    pub fn of_rows(initial: u32, inputs: usize, rows: Vec<(u32, u32)>) -> Option<Self> {
        let states = rows.len().checked_div(inputs)?;
        let fits = rows.len() == states * inputs
            && (initial as usize) < states
            && rows.iter().all(|row| (row.1 as usize) < states);
        fits.then_some(Mealy { initial, inputs, rows })
    }

    pub fn states(&self) -> usize {
        self.rows.len() / self.inputs.max(1)
    }

    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Output and next state.
    #[inline]
    pub fn step(&self, state: u32, input: u32) -> (u32, u32) {
        self.rows[state as usize * self.inputs + input as usize]
    }

    pub fn row(&self, state: u32) -> &[(u32, u32)] {
        &self.rows[state as usize * self.inputs..(state as usize + 1) * self.inputs]
    }

    /// The state after a word.
    pub fn after(&self, state: u32, word: &[u32]) -> u32 {
        word.iter().fold(state, |state, &input| self.step(state, input).1)
    }

    pub fn outcome(&self, mut state: u32, word: &[u32]) -> Word {
        let mut outputs = Vec::with_capacity(word.len());
        for &input in word {
            let (output, next) = self.step(state, input);
            outputs.push(output);
            state = next;
        }
        outputs
    }
}
