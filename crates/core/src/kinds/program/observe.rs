//! What a program does in a sample of its states: which entries of tables it looks up, which values its variables take.
//!
//! In: a program, how many states may be looked at, a seed. Out: an `Observed`. Half of the states are the first ones of a
//! breadth-first search, the others lie on random walks from there, to see some that are far away. Transient states count as
//! any other; nothing is reduced.

use std::collections::{BTreeSet, HashSet};

use super::CompiledProgram;
use super::code::Site;
use crate::model::{Model, Step};
use crate::random::Random;

/// Values of one slot, and arguments of one table, that are kept at most.
const MAX_VALUES: usize = 300;
const MAX_ARGUMENTS: usize = 1 << 17;
/// Steps of one random walk.
const WALK: usize = 1 << 10;

#[derive(Debug, Default)]
pub struct Observed {
    /// By table, in the order of the encoded rows: the arguments it was looked up for, ascending; also those for which it has no
    /// entry.
    pub lookups: Vec<Vec<Vec<i64>>>,
    /// By slot: the first values of it that were seen, ascending, as states hold them.
    pub values: Vec<Vec<u64>>,
    /// How many states were looked at, and whether these are all.
    pub states: usize,
    pub is_complete: bool,
}

/// Arguments by table.
#[derive(Debug, Default)]
pub struct Lookups {
    tables: Vec<HashSet<Vec<i64>>>,
}

impl Lookups {
    pub fn add(&mut self, site: &Site, cells: &[i64]) {
        if let Some(known) = self.tables.get_mut(site.table as usize)
            && known.len() < MAX_ARGUMENTS
        {
            known.insert(site.cells.iter().map(|&cell| cells[cell as usize]).collect());
        }
    }
}

struct Observer<'p> {
    program: &'p CompiledProgram,
    memory: super::Memory,
    values: Vec<BTreeSet<u64>>,
    states: usize,
}

impl CompiledProgram {
    /// Looks at so many states at most.
    pub fn observe(&self, max_states: usize, seed: u64) -> Observed {
        let mut memory = self.workspace();
        memory.observed = Some(Box::new(Lookups { tables: vec![HashSet::new(); self.tables] }));
        let values = vec![BTreeSet::new(); self.schema.slots().len()];
        let mut observer = Observer { program: self, memory, values, states: 0 };
        let is_complete = observer.run(max_states, seed);
        let lookups = observer.memory.observed.map_or_else(Vec::new, |observed| observed.tables);
        let sorted = |arguments: HashSet<Vec<i64>>| {
            let mut arguments: Vec<Vec<i64>> = arguments.into_iter().collect();
            arguments.sort_unstable();
            arguments
        };
        Observed {
            lookups: lookups.into_iter().map(sorted).collect(),
            values: observer.values.into_iter().map(|values| values.into_iter().collect()).collect(),
            states: observer.states,
            is_complete,
        }
    }
}

impl Observer<'_> {
    /// True where all states were seen.
    fn run(&mut self, max_states: usize, seed: u64) -> bool {
        let starts = self.program.starts(&mut self.memory).into_iter();
        let starts = starts.filter(|start| start.step == Step::Taken).map(|start| start.values);
        let mut known: HashSet<Vec<u64>> = HashSet::new();
        let mut order: Vec<Vec<u64>> = Vec::new();
        for state in starts {
            if known.insert(state.clone()) {
                order.push(state);
            }
        }
        let (mut at, mut is_cut) = (0, false);
        while at < order.len() && self.states < max_states.div_ceil(2) {
            for next in self.look_at(&order[at].clone()) {
                let has_room = known.len() < max_states;
                is_cut |= !has_room && !known.contains(&next);
                if has_room && known.insert(next.clone()) {
                    order.push(next);
                }
            }
            at += 1;
        }
        if at == order.len() && !is_cut {
            return true;
        }
        let mut random = Random::new(seed);
        while self.states < max_states && !order.is_empty() {
            let mut state = order[random.below(order.len())].clone();
            for _ in 0..WALK {
                let mut successors = self.look_at(&state);
                if successors.is_empty() || self.states >= max_states {
                    break;
                }
                let chosen = random.below(successors.len());
                state = successors.swap_remove(chosen);
            }
        }
        false
    }

    /// Does all that can be done in a state; the next ones.
    fn look_at(&mut self, state: &[u64]) -> Vec<Vec<u64>> {
        let Observer { program, memory, values, states } = self;
        *states += 1;
        for (seen, &value) in values.iter_mut().zip(state) {
            if seen.len() < MAX_VALUES {
                seen.insert(value);
            }
        }
        let is_transient = program.is_transient(state);
        if !is_transient {
            program.judge(state, memory, &mut |_| {});
        }
        let (mut labels, mut happens) = (Vec::new(), false);
        program.enabled(state, memory, &mut labels, &mut |_, _| happens = true);
        let mut successors = Vec::new();
        for asks_idle in [true, false] {
            for &label in &labels {
                let mut next = state.to_vec();
                match program.fire(&mut next, label, memory) {
                    Ok(Step::Taken) => successors.push(next),
                    Ok(Step::Impossible) => continue,
                    _ => {}
                }
                happens = true;
            }
            if !asks_idle || happens {
                break;
            }
            labels.clear();
            program.idle(state, memory, &mut labels, &mut |_, _| {});
        }
        if successors.is_empty() && !is_transient {
            program.is_proper_end(state, memory);
        }
        successors
    }
}
