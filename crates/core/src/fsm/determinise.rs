//! The subset construction: a deterministic machine with the same traces. Actions are the letters; states of the result are
//! the sets of states that a trace may lead to.

use super::interner::Interner;
use super::{StateMachine, Stopped, Watch};

pub struct Determinised {
    /// By state of the result: the states it stands for, ascending.
    pub members: Vec<Vec<u32>>,
    /// Source, action, target.
    pub edges: Vec<u32>,
}

/// The first state of the result is the set of initial states. More than `max_states` states are `TooLarge`.
pub fn determinise(
    machine: &StateMachine,
    max_states: usize,
    watch: &mut Watch<'_>,
) -> Result<Determinised, Stopped> {
    let mut sets = Interner::default();
    let mut first = machine.initial.clone();
    first.sort_unstable();
    first.dedup();
    sets.intern(&first)?;
    let mut edges = Vec::new();
    let mut steps: Vec<(u32, u32)> = Vec::new();
    let mut target = Vec::new();
    let mut source = 0;
    while (source as usize) < sets.len() {
        steps.clear();
        for &state in sets.row(source) {
            watch.step()?;
            steps.extend(machine.edges(state).iter().map(|edge| (edge.action, edge.target)));
        }
        steps.sort_unstable();
        steps.dedup();
        for same in steps.chunk_by(|a, b| a.0 == b.0) {
            target.clear();
            target.extend(same.iter().map(|step| step.1));
            let (number, is_new) = sets.intern(&target)?;
            if is_new && sets.len() > max_states {
                return Err(Stopped::TooLarge);
            }
            edges.extend([source, same[0].0, number]);
        }
        source += 1;
    }
    let members = (0..sets.len() as u32).map(|set| sets.row(set).to_vec()).collect();
    Ok(Determinised { members, edges })
}
