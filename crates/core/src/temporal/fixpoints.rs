//! The fixpoints of CTL over a structure that is expanded completely.
//!
//! States are gone through from the last one back, again and again: edges mostly lead to states that were found later, so most of a
//! fixpoint is there after one sweep, and a state is done at the first edge that decides it. What is left after some sweeps is found
//! backwards from what changed last, by lists of predecessors: time is linear in the number of edges then (Clarke, Emerson, Sistla
//! 1986). Where memory is too short for such lists, or for edges at all, sweeps go on to the end.

use super::ground::Ground;
use super::state_set::StateSet;
use super::structure::Structure;
use crate::quotient::Unfinished;

/// Sweeps before predecessors are used.
const SWEEPS: usize = 3;
/// States between two looks at limits.
const POLL_INTERVAL: u32 = 1 << 12;

/// For each state the states before it: the edges of a structure, reversed.
pub struct Predecessors {
    first: Vec<u32>,
    sources: Vec<u32>,
}

impl Predecessors {
    /// None where edges are not kept.
    fn of(structure: &Structure) -> Option<Predecessors> {
        let mut first = vec![0u32; structure.states() as usize + 1];
        for state in structure.expanded_states().iter() {
            structure.edges(state)?.targets.iter().for_each(|&target| first[target as usize] += 1);
        }
        // The ends of lists, which become their beginnings as the lists are filled from the back.
        let mut end = 0;
        for at in &mut first {
            end += *at;
            *at = end;
        }
        let mut sources = vec![0; end as usize];
        for state in structure.expanded_states().iter() {
            for &target in structure.edges(state)?.targets {
                first[target as usize] -= 1;
                sources[first[target as usize] as usize] = state;
            }
        }
        Some(Predecessors { first, sources })
    }

    fn of_state(&self, state: u32) -> &[u32] {
        &self.sources[self.first[state as usize] as usize..self.first[state as usize + 1] as usize]
    }
}

/// What the fixpoints of several formulas share.
#[derive(Default)]
pub struct Labelling {
    predecessors: Option<Predecessors>,
    /// Of the sets of states that are known of the formula at hand.
    pub set_bytes: usize,
}

impl Labelling {
    pub fn bytes(&self) -> usize {
        let lists = self.predecessors.as_ref();
        self.set_bytes + lists.map_or(0, |lists| (lists.first.capacity() + lists.sources.capacity()) * 4)
    }

    /// Bytes of what grows with the number of edges.
    pub fn edge_bytes(&self) -> usize {
        self.predecessors.as_ref().map_or(0, |lists| lists.sources.capacity() * 4)
    }
}

pub struct Fixpoints<'f, G> {
    pub ground: &'f mut G,
    pub labelling: &'f mut Labelling,
    /// Is the last state of a run repeated?
    pub stutters: bool,
    looked: u32,
}

impl<'f, G: Ground> Fixpoints<'f, G> {
    pub fn new(ground: &'f mut G, labelling: &'f mut Labelling, stutters: bool) -> Self {
        Fixpoints { ground, labelling, stutters, looked: 0 }
    }

    /// Some next state is in the set; where the run ends, `at_end` decides, or the state itself where it is repeated.
    pub fn next(&mut self, set: &StateSet, at_end: bool) -> Result<StateSet, Unfinished> {
        let mut found = StateSet::empty(set.universe());
        let mut end = set.universe() as u32;
        let all = self.ground.structure().expanded_states().clone();
        while let Some(state) = all.last_below(end) {
            end = state;
            let holds = if !self.ground.structure().ends().contains(state) {
                self.leads_into(state, set)?
            } else if self.stutters {
                set.contains(state)
            } else {
                at_end
            };
            if holds {
                found.insert(state);
            }
        }
        Ok(found)
    }

    /// The least fixpoint of right | left & EX.
    pub fn until(&mut self, left: &StateSet, right: StateSet) -> Result<StateSet, Unfinished> {
        let mut found = right;
        let mut open = left.clone();
        open.intersect(self.ground.structure().expanded_states());
        open.subtract(&found);
        for sweep in 1.. {
            let mut fresh = Vec::new();
            let mut end = open.universe() as u32;
            while let Some(state) = open.last_below(end) {
                end = state;
                if self.leads_into(state, &found)? {
                    open.remove(state);
                    found.insert(state);
                    fresh.push(state);
                }
            }
            if fresh.is_empty() || open.is_empty() {
                break;
            }
            if sweep >= SWEEPS && self.has_predecessors() {
                // A state that is still open was looked at in this sweep, before what it leads to was found in it.
                while let Some(state) = fresh.pop() {
                    for &source in self.before(state) {
                        if open.contains(source) {
                            open.remove(source);
                            found.insert(source);
                            fresh.push(source);
                        }
                    }
                }
                break;
            }
        }
        Ok(found)
    }

    /// The greatest fixpoint of right & (left | the run ends | EX): states are taken away that have no successor left.
    pub fn release(&mut self, left: &StateSet, right: StateSet) -> Result<StateSet, Unfinished> {
        let mut kept = right;
        let mut open = kept.clone();
        open.intersect(self.ground.structure().expanded_states());
        open.subtract(left);
        open.subtract(self.ground.structure().ends());
        for sweep in 1.. {
            let mut gone = Vec::new();
            let mut end = open.universe() as u32;
            while let Some(state) = open.last_below(end) {
                end = state;
                if !self.leads_into(state, &kept)? {
                    open.remove(state);
                    kept.remove(state);
                    gone.push(state);
                }
            }
            if gone.is_empty() || open.is_empty() {
                break;
            }
            if sweep >= SWEEPS && self.has_predecessors() {
                // A state that is still open had a successor when it was looked at in this sweep.
                while let Some(state) = gone.pop() {
                    for at in 0..self.before(state).len() {
                        let source = self.before(state)[at];
                        if open.contains(source) && !self.leads_into(source, &kept)? {
                            open.remove(source);
                            kept.remove(source);
                            gone.push(source);
                        }
                    }
                }
                break;
            }
        }
        Ok(kept)
    }

    #[inline]
    fn leads_into(&mut self, state: u32, set: &StateSet) -> Result<bool, Unfinished> {
        self.looked = self.looked.wrapping_add(1);
        if self.looked.is_multiple_of(POLL_INTERVAL) {
            self.ground.poll(self.labelling.bytes())?;
        }
        Ok(self.ground.edges(state)?.targets.iter().any(|&target| set.contains(target)))
    }

    fn before(&self, state: u32) -> &[u32] {
        self.labelling.predecessors.as_ref().map_or(&[], |lists| lists.of_state(state))
    }

    /// Makes lists of predecessors, where there is room for them.
    fn has_predecessors(&mut self) -> bool {
        if self.labelling.predecessors.is_none() {
            let structure = self.ground.structure();
            let bytes = (structure.edges as usize + structure.states() as usize) * 4;
            if structure.keeps_edges() && self.ground.has_room(bytes) {
                self.labelling.predecessors = Predecessors::of(structure);
            }
        }
        self.labelling.predecessors.is_some()
    }
}
