//! Bisimilar states, by partition refinement in O(m log n) for m edges and n states, deterministic or not.
//!
//! The algorithm of Paige and Tarjan (1987) on labelled edges, as Jansen, Groote, Keiren and Wijs (2020) put it: edges are in
//! *bunches*, and blocks of states are stable under each bunch: all states of a block have an edge of it, or none has. The
//! edges of a bunch that lead to one block are a *slice*. While some bunch has several slices, one that has at most half of its
//! edges becomes a bunch of its own, and blocks are split into states with edges of the slice alone, of both, and of the rest.
//! In the end every bunch is a slice, which is what bisimulation asks for.

use super::{StateMachine, Stopped, Watch};

/// By state: the number of its class. Classes are numbered by their first states. All states count, also unreachable ones.
pub fn classes(machine: &StateMachine, watch: &mut Watch<'_>) -> Result<Vec<u32>, Stopped> {
    Refinement::new(machine, watch)?.run(watch)
}

struct Refinement {
    sources: Vec<u32>,
    incoming: Vec<u32>,
    incoming_starts: Vec<u32>,
    blocks: Partition,
    slices: Partition,
    /// By slice.
    bunch_of: Vec<u32>,
    /// By bunch: its slices. A slice that moved to another bunch is taken out.
    bunches: Vec<Vec<u32>>,
    /// By edge: its counter, one for each state and bunch.
    counter_of: Vec<u32>,
    counters: Vec<u32>,
    /// Bunches of several slices.
    unstable: Vec<u32>,
    /// By state: the counter of the slice that is split off, while that is done.
    fresh: Vec<u32>,
}

/// Elements in blocks, each block a range of `elements`; the marked elements of a block are its first ones.
struct Partition {
    elements: Vec<u32>,
    places: Vec<u32>,
    block_of: Vec<u32>,
    starts: Vec<u32>,
    ends: Vec<u32>,
    marked: Vec<u32>,
}

impl Partition {
    /// Blocks of equal keys.
    fn by_key<K: Ord>(count: usize, key: impl Fn(u32) -> K, watch: &mut Watch<'_>) -> Result<Self, Stopped> {
        let mut elements: Vec<u32> = (0..count as u32).collect();
        elements.sort_by_cached_key(|&each| key(each));
        let mut found = Partition {
            places: vec![0; count],
            block_of: vec![0; count],
            starts: Vec::new(),
            ends: Vec::new(),
            marked: Vec::new(),
            elements,
        };
        for place in 0..count {
            watch.step()?;
            let element = found.elements[place];
            if place == 0 || key(found.elements[place - 1]) != key(element) {
                found.starts.push(place as u32);
                found.ends.push(place as u32);
                found.marked.push(0);
            }
            found.places[element as usize] = place as u32;
            found.block_of[element as usize] = found.starts.len() as u32 - 1;
            *found.ends.last_mut().expect("a block was begun") = place as u32 + 1;
        }
        Ok(found)
    }

    fn len(&self) -> usize {
        self.starts.len()
    }

    fn size(&self, block: u32) -> u32 {
        self.ends[block as usize] - self.starts[block as usize]
    }

    fn members(&self, block: u32) -> &[u32] {
        &self.elements[self.starts[block as usize] as usize..self.ends[block as usize] as usize]
    }

    /// True where it is the first one of its block.
    fn mark(&mut self, element: u32) -> bool {
        let block = self.block_of[element as usize] as usize;
        let to = self.starts[block] + self.marked[block];
        let from = self.places[element as usize];
        if from < to {
            return false;
        }
        let other = self.elements[to as usize];
        self.elements.swap(from as usize, to as usize);
        self.places[other as usize] = from;
        self.places[element as usize] = to;
        self.marked[block] += 1;
        self.marked[block] == 1
    }

    /// The marked elements and the others become two blocks, of which the smaller gets a new number; None where all or none
    /// are marked. Nothing is marked afterwards.
    fn split(&mut self, block: u32) -> Option<u32> {
        let at = block as usize;
        let marked = std::mem::take(&mut self.marked[at]);
        let middle = self.starts[at] + marked;
        if marked == 0 || middle == self.ends[at] {
            return None;
        }
        let (start, end) = if 2 * marked <= self.size(block) {
            let new = (self.starts[at], middle);
            self.starts[at] = middle;
            new
        } else {
            let new = (middle, self.ends[at]);
            self.ends[at] = middle;
            new
        };
        let number = self.starts.len() as u32;
        self.starts.push(start);
        self.ends.push(end);
        self.marked.push(0);
        for place in start..end {
            self.block_of[self.elements[place as usize] as usize] = number;
        }
        Some(number)
    }
}

impl Refinement {
    fn new(machine: &StateMachine, watch: &mut Watch<'_>) -> Result<Self, Stopped> {
        let states = machine.states();
        let count = machine.edge_count();
        let mut sources = Vec::with_capacity(count);
        let mut incoming_starts = vec![0; states + 1];
        for (source, edge) in machine.all_edges() {
            watch.step()?;
            sources.push(source);
            incoming_starts[edge.target as usize + 1] += 1;
        }
        for state in 0..states {
            incoming_starts[state + 1] += incoming_starts[state];
        }
        let mut next = incoming_starts.clone();
        let mut incoming = vec![0; count];
        for number in 0..count {
            watch.step()?;
            let place = &mut next[machine.edge(number).target as usize];
            incoming[*place as usize] = number as u32;
            *place += 1;
        }
        // Stable under one bunch for each action: states agree in what is enabled.
        let enabled = |state: u32| {
            let mut actions: Vec<u32> = machine.edges(state).iter().map(|edge| edge.action).collect();
            actions.sort_unstable();
            actions.dedup();
            (machine.observations[state as usize], actions)
        };
        let blocks = Partition::by_key(states, enabled, watch)?;
        let key = |edge: u32| {
            let edge = machine.edge(edge as usize);
            (edge.action, blocks.block_of[edge.target as usize])
        };
        let slices = Partition::by_key(count, key, watch)?;
        let mut bunches: Vec<Vec<u32>> = vec![Vec::new(); machine.actions()];
        let mut bunch_of = Vec::with_capacity(slices.len());
        for slice in 0..slices.len() as u32 {
            let action = machine.edge(slices.members(slice)[0] as usize).action;
            bunch_of.push(action);
            bunches[action as usize].push(slice);
        }
        let unstable = (0..bunches.len() as u32).filter(|&each| bunches[each as usize].len() > 1).collect();
        let mut found = Refinement {
            counter_of: vec![0; count],
            counters: Vec::new(),
            fresh: vec![super::NONE; states],
            sources,
            incoming,
            incoming_starts,
            blocks,
            slices,
            bunch_of,
            bunches,
            unstable,
        };
        found.count_edges(machine, watch)?;
        Ok(found)
    }

    /// At first, a counter for each state and action.
    fn count_edges(&mut self, machine: &StateMachine, watch: &mut Watch<'_>) -> Result<(), Stopped> {
        let mut counter = vec![(super::NONE, 0); machine.actions()];
        for number in 0..self.sources.len() {
            watch.step()?;
            let source = self.sources[number];
            let known = &mut counter[machine.edge(number).action as usize];
            if known.0 != source {
                *known = (source, self.counters.len() as u32);
                self.counters.push(0);
            }
            self.counter_of[number] = known.1;
            self.counters[known.1 as usize] += 1;
        }
        Ok(())
    }

    fn run(mut self, watch: &mut Watch<'_>) -> Result<Vec<u32>, Stopped> {
        while let Some(bunch) = self.unstable.pop() {
            let slice = self.separated(bunch);
            let (alone, both) = self.moved(slice, watch)?;
            self.split(&alone, watch)?;
            self.split(&both, watch)?;
        }
        let mut numbers = vec![super::NONE; self.blocks.len()];
        let mut count = 0;
        let number = |&block: &u32| {
            let known = &mut numbers[block as usize];
            if *known == super::NONE {
                *known = count;
                count += 1;
            }
            *known
        };
        Ok(self.blocks.block_of.iter().map(number).collect())
    }

    /// A slice with at most half of the edges of a bunch, now a bunch of its own.
    fn separated(&mut self, bunch: u32) -> u32 {
        let slices = &mut self.bunches[bunch as usize];
        let last = slices.len() - 1;
        let smaller = if self.slices.size(slices[last]) <= self.slices.size(slices[last - 1]) {
            last
        } else {
            last - 1
        };
        let slice = slices.swap_remove(smaller);
        if slices.len() > 1 {
            self.unstable.push(bunch);
        }
        self.bunch_of[slice as usize] = self.bunches.len() as u32;
        self.bunches.push(vec![slice]);
        slice
    }

    /// Counts the edges of a slice by themselves. Returns the states that have edges of it and none of its former bunch, and
    /// those that have both.
    fn moved(&mut self, slice: u32, watch: &mut Watch<'_>) -> Result<(Vec<u32>, Vec<u32>), Stopped> {
        let mut touched: Vec<(u32, u32)> = Vec::new();
        for place in self.slices.starts[slice as usize]..self.slices.ends[slice as usize] {
            watch.step()?;
            let edge = self.slices.elements[place as usize] as usize;
            let source = self.sources[edge] as usize;
            let old = self.counter_of[edge];
            if self.fresh[source] == super::NONE {
                self.fresh[source] = self.counters.len() as u32;
                self.counters.push(0);
                touched.push((source as u32, old));
            }
            let new = self.fresh[source];
            self.counter_of[edge] = new;
            self.counters[new as usize] += 1;
            self.counters[old as usize] -= 1;
        }
        let (mut alone, mut both) = (Vec::new(), Vec::new());
        for (source, old) in touched {
            self.fresh[source as usize] = super::NONE;
            if self.counters[old as usize] == 0 { alone.push(source) } else { both.push(source) }
        }
        Ok((alone, both))
    }

    /// Splits every block into these states and the others, and slices into edges that lead to the one part and to the other.
    fn split(&mut self, states: &[u32], watch: &mut Watch<'_>) -> Result<(), Stopped> {
        let mut blocks = Vec::new();
        for &state in states {
            if self.blocks.mark(state) {
                blocks.push(self.blocks.block_of[state as usize]);
            }
        }
        for block in blocks {
            if let Some(new) = self.blocks.split(block) {
                self.split_slices(new, watch)?;
            }
        }
        Ok(())
    }

    fn split_slices(&mut self, block: u32, watch: &mut Watch<'_>) -> Result<(), Stopped> {
        let mut touched = Vec::new();
        for &state in self.blocks.members(block) {
            let range = self.incoming_starts[state as usize]..self.incoming_starts[state as usize + 1];
            for place in range {
                watch.step()?;
                let edge = self.incoming[place as usize];
                if self.slices.mark(edge) {
                    touched.push(self.slices.block_of[edge as usize]);
                }
            }
        }
        for slice in touched {
            if let Some(new) = self.slices.split(slice) {
                debug_assert_eq!(new as usize, self.bunch_of.len());
                let bunch = self.bunch_of[slice as usize];
                self.bunch_of.push(bunch);
                self.bunches[bunch as usize].push(new);
                if self.bunches[bunch as usize].len() == 2 {
                    self.unstable.push(bunch);
                }
            }
        }
        Ok(())
    }
}
