//! From the search tree to runs of the net: how often a way is repeated follows from what is wanted at its end.
//!
//! In: nodes with their parents, and for each node the ways that were repeated there. Out: a run to a marking that has so many
//! tokens where the omega-marking of a node has omegas, and a pumping run.

use super::forward::order;
use super::system::System;
use super::tokens::OMEGA;

/// Longer runs are not written out.
const MAX_STEPS: i128 = 100_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Witness {
    /// Transitions of the net.
    Run(Vec<u32>),
    /// More steps than can be shown.
    TooLong,
}

/// A run whose steps from `start` on can be repeated for ever, and add tokens each time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pump {
    pub run: Vec<u32>,
    pub start: usize,
}

/// A way that was repeated at a node: from an ancestor, and where it is repeated under symmetries, under which.
struct Loop {
    ancestor: u32,
    element: Option<Box<[u32]>>,
}

struct Node {
    parent: u32,
    transition: u32,
    /// Its loops are those from here to those of the next node.
    loops: u32,
}

#[derive(Default)]
pub struct Tree {
    nodes: Vec<Node>,
    loops: Vec<Loop>,
    element_slots: usize,
    /// Loops that belong to nodes that were entered.
    owned: usize,
}

impl Tree {
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.loops.capacity() * size_of::<Loop>()
            + self.element_slots * size_of::<u32>()
    }

    pub fn parent(&self, node: u32) -> Option<u32> {
        let parent = self.nodes[node as usize].parent;
        (parent != u32::MAX).then_some(parent)
    }

    pub fn loops(&self) -> usize {
        self.loops.len()
    }

    /// A loop of the node that will be pushed next.
    pub fn add_loop(&mut self, ancestor: u32, element: Option<Vec<u32>>) {
        self.element_slots += element.as_ref().map_or(0, Vec::len);
        self.loops.push(Loop { ancestor, element: element.map(Vec::into_boxed_slice) });
    }

    pub fn forget_loops(&mut self, kept: usize) {
        self.loops.truncate(kept);
    }

    pub fn push(&mut self, parent: u32, transition: u32) -> u32 {
        self.nodes.push(Node { parent, transition, loops: self.owned as u32 });
        self.owned = self.loops.len();
        self.nodes.len() as u32 - 1
    }

    pub fn has_loop(&self, node: u32) -> bool {
        !self.loops_of(node).is_empty()
    }

    fn loops_of(&self, node: u32) -> &[Loop] {
        let start = self.nodes[node as usize].loops as usize;
        let end = self.nodes.get(node as usize + 1).map_or(self.owned, |next| next.loops as usize);
        &self.loops[start..end]
    }

    /// From the root on.
    fn path(&self, node: u32) -> Vec<u32> {
        let mut path = vec![node];
        let mut at = node;
        while let Some(parent) = self.parent(at) {
            path.push(parent);
            at = parent;
        }
        path.reverse();
        path
    }

    /// The transitions between an ancestor and a node.
    fn way(&self, ancestor: u32, node: u32) -> Vec<u32> {
        let mut way = Vec::new();
        let mut at = node;
        while at != ancestor {
            way.push(self.nodes[at as usize].transition);
            at = self.nodes[at as usize].parent;
        }
        way.reverse();
        way
    }

    /// What is fired once to repeat the way: itself; under g, its images under g, g^2, ... up to the identity.
    fn repetition(&self, system: &System, each: &Loop, node: u32) -> Vec<u32> {
        let mut way = self.way(each.ancestor, node);
        let Some(element) = &each.element else { return way };
        let mut all = Vec::new();
        for _ in 0..order(element) {
            // The group was certified: images of transitions are transitions.
            way = way.iter().map(|&t| system.image(t, element).unwrap_or(t)).collect();
            all.extend_from_slice(&way);
        }
        all
    }

    /// The first time that an omega was set, which was in a marking without omegas.
    pub fn pump(&self, system: &System, node: u32) -> Pump {
        let mut run = self.way(0, node);
        let first = &self.loops_of(node)[0];
        let start = match first.element {
            None => run.len() - self.way(first.ancestor, node).len(),
            Some(_) => {
                let start = run.len();
                run.extend(self.repetition(system, first, node));
                start
            }
        };
        Pump { run: originals(system, &run), start }
    }

    /// A run that ends in a marking with at least `wanted` tokens where the node's marking has omegas, and at least as many as
    /// that marking elsewhere. `markings` are those of nodes.
    pub fn witness(
        &self,
        system: &System,
        node: u32,
        wanted: &[u64],
        markings: &impl Fn(u32) -> Vec<u64>,
    ) -> Witness {
        let stages = self.stages(system, node, markings);
        let mut wanted: Vec<i128> = wanted.iter().map(|&n| i128::from(n)).collect();
        let mut times = vec![1i128; stages.len()];
        let mut steps = 0i128;
        for (stage, times) in stages.iter().zip(&mut times).rev() {
            let Some(found) = stage.demand(system, &mut wanted) else { return Witness::TooLong };
            *times = found;
            steps = steps.saturating_add(found.saturating_mul(stage.fired.len() as i128));
            if steps > MAX_STEPS {
                return Witness::TooLong;
            }
        }
        let mut run = Vec::with_capacity(steps as usize);
        for (stage, &times) in stages.iter().zip(&times) {
            (0..times).for_each(|_| run.extend_from_slice(&stage.fired));
        }
        Witness::Run(originals(system, &run))
    }

    /// The way to a node, with what is repeated on it.
    fn stages(&self, system: &System, node: u32, markings: &impl Fn(u32) -> Vec<u64>) -> Vec<Stage> {
        let mut stages = Vec::new();
        let path = self.path(node);
        let mut now = markings(path[0]);
        for &at in &path[1..] {
            let transition = self.nodes[at as usize].transition;
            stages.push(Stage { fired: vec![transition], before: now.clone(), is_repeated: false });
            for &(slot, n) in &system.transitions[transition as usize].effect {
                let tokens = &mut now[slot as usize];
                if *tokens != OMEGA {
                    *tokens = (i128::from(*tokens) + n) as u64;
                }
            }
            for each in self.loops_of(at) {
                let fired = self.repetition(system, each, at);
                let (effect, _) = effect_and_need(system, &fired);
                stages.push(Stage { fired, before: now.clone(), is_repeated: true });
                for (tokens, gain) in now.iter_mut().zip(&effect) {
                    if *tokens != OMEGA && *gain > 0 {
                        *tokens = OMEGA;
                    }
                }
            }
        }
        stages
    }
}

/// Transitions that are fired, once or as often as it takes. `before`: the omega-marking in which they are.
struct Stage {
    fired: Vec<u32>,
    before: Vec<u64>,
    is_repeated: bool,
}

impl Stage {
    /// How often they are fired so that the wanted tokens are there; `wanted` becomes what is wanted before, in the slots that
    /// hold omega there. None where numbers are beyond all measure.
    fn demand(&self, system: &System, wanted: &mut [i128]) -> Option<i128> {
        let (effect, need) = effect_and_need(system, &self.fired);
        let mut times = 1;
        if self.is_repeated {
            times = 0;
            for (slot, &gain) in effect.iter().enumerate() {
                let tokens = self.before[slot];
                if tokens != OMEGA && gain > 0 {
                    let missing = (wanted[slot] - i128::from(tokens)).max(0);
                    times = times.max(missing / gain + i128::from(missing % gain != 0));
                }
            }
        }
        for slot in 0..wanted.len() {
            if self.before[slot] != OMEGA {
                wanted[slot] = 0;
            } else if times > 0 {
                let least = wanted[slot].checked_sub(times.checked_mul(effect[slot])?)?;
                // Enabled the last time, or the first where each time adds.
                let losses = (times - 1).checked_mul(effect[slot].min(0))?;
                wanted[slot] = least.max(need[slot].checked_sub(losses)?).max(0);
            }
        }
        Some(times)
    }
}

/// What transitions add together, and how many tokens they need at the start.
fn effect_and_need(system: &System, fired: &[u32]) -> (Vec<i128>, Vec<i128>) {
    let mut effect = vec![0i128; system.width()];
    let mut need = vec![0i128; system.width()];
    for &t in fired {
        let transition = &system.transitions[t as usize];
        for &(slot, n) in &transition.consumes {
            let slot = slot as usize;
            need[slot] = need[slot].max(i128::from(n) - effect[slot]);
        }
        transition.effect.iter().for_each(|&(slot, n)| effect[slot as usize] += n);
    }
    (effect, need)
}

fn originals(system: &System, run: &[u32]) -> Vec<u32> {
    run.iter().map(|&t| system.transitions[t as usize].original).collect()
}
