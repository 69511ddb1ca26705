//! Fair runs over a quotient, by following individuals.
//!
//! A fairness constraint is about individuals: an action with its parameters, a process. It is *weak*: an individual that can act at all
//! positions from some one on acts infinitely often; or *strong*: one that can act infinitely often does. In the quotient individuals
//! change their names from state to state: along an edge whose witness is w, the individual i of one state is w(i) of the next. So
//! fair runs are found in the threaded graph (Emerson, Sistla 1997; Gyuris, Sistla 1999), whose nodes are pairs of a node of
//! the product and an individual: as many as the product has nodes, times the number of individuals.
//!
//! Why that is right. Let C be a component of the product, and D a component of the unreduced product above it. An individual j of
//! D is at the state g s of D the individual g^-1 j of the representative s, so j is a component of the threaded graph over C, and
//! every such component is some individual of D, as D contains an image of every state of C (the way from a state back to its
//! representative can be repeated until it is the identity). A run that takes all edges of D infinitely often is fair to j if the
//! component of j has an edge on which j acts or, for weak fairness, a state in which j cannot act. If no edge acts: weakly, no run that
//! stays in any part of C is fair; strongly, a fair run avoids the states in which j can act, and the search goes on in what is
//! left (Emerson, Lei 1987).

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use super::emptiness::components_of;
use super::ground::Ground;
use super::product::{Claim, Nodes, ProductEdge};
use crate::model::Label;
use crate::quotient::Unfinished;

/// What the caller says of individuals, which have numbers. All of it is asked once and remembered.
pub trait Individuals: Send {
    /// The individuals that act in a step from this state.
    fn acting(&mut self, label: Label, state: &[u64]) -> Vec<Actor>;

    /// The image of an individual under an element of the group.
    fn image(&mut self, element: &[u32], individual: u32) -> u32;
}

/// An individual that acts in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Actor {
    pub individual: u32,
    /// Is the constraint strong?
    pub is_strong: bool,
    /// Can it act where the step is possible? Not where it takes part in a step of another, as the receiver in a rendezvous does:
    /// that satisfies fairness, and by itself it may be able to do nothing.
    pub is_able: bool,
}

/// Individuals that act in a step, and those of them that the step shows to be able to; ascending.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ActingSet {
    pub acting: Box<[u32]>,
    pub able: Box<[u32]>,
}

/// The individuals as they were asked for so far.
pub struct Fairness<'a> {
    individuals: Box<dyn Individuals + 'a>,
    /// Of a step depends on the first so many slots of the state, which never change.
    constants: usize,
    by_step: HashMap<(Label, Box<[u64]>), u32>,
    sets: Vec<ActingSet>,
    set_numbers: HashMap<ActingSet, u32>,
    is_strong: Vec<bool>,
    elements: Vec<Box<[u32]>>,
    element_numbers: HashMap<Box<[u32]>, u32>,
    /// By element: images of individuals, as far as they were asked for.
    images: Vec<HashMap<u32, u32>>,
}

impl<'a> Fairness<'a> {
    pub fn new(individuals: Box<dyn Individuals + 'a>, constants: usize) -> Fairness<'a> {
        Fairness {
            individuals,
            constants,
            by_step: HashMap::new(),
            sets: Vec::new(),
            set_numbers: HashMap::new(),
            is_strong: Vec::new(),
            elements: Vec::new(),
            element_numbers: HashMap::new(),
            images: Vec::new(),
        }
    }

    /// The number of the set of individuals that act in a sequence of steps from one stored state to the next. Only those of the
    /// first step show that they can act in the state; those of others take part.
    pub fn acting_along(&mut self, labels: &[Label], state: &[u64]) -> u32 {
        let first = self.acting(labels[0], state);
        if labels.len() == 1 {
            return first;
        }
        let numbers: Vec<u32> = labels.iter().map(|&label| self.acting(label, state)).collect();
        let acting = numbers.iter().flat_map(|&number| &self.set(number).acting).copied().collect();
        let set = ActingSet { acting: ascending(acting), able: self.set(first).able.clone() };
        interned(set, &mut self.sets, &mut self.set_numbers)
    }

    /// The number of the set of individuals that act in a step.
    fn acting(&mut self, label: Label, state: &[u64]) -> u32 {
        let key = (label, state[..self.constants].into());
        if let Some(&set) = self.by_step.get(&key) {
            return set;
        }
        let (mut acting, mut able) = (Vec::new(), Vec::new());
        for Actor { individual, is_strong, is_able } in self.individuals.acting(label, state) {
            if self.is_strong.len() <= individual as usize {
                self.is_strong.resize(individual as usize + 1, false);
            }
            self.is_strong[individual as usize] = is_strong;
            acting.push(individual);
            able.extend(is_able.then_some(individual));
        }
        let set = ActingSet { acting: ascending(acting), able: ascending(able) };
        let number = interned(set, &mut self.sets, &mut self.set_numbers);
        self.by_step.insert(key, number);
        number
    }

    pub fn set(&self, number: u32) -> &ActingSet {
        &self.sets[number as usize]
    }

    /// Images have the strength of what they are images of.
    pub fn is_strong(&self, individual: u32) -> bool {
        self.is_strong.get(individual as usize).copied().unwrap_or(false)
    }

    /// The number of an element.
    pub fn element(&mut self, images: &[u32]) -> u32 {
        let number = interned(images.into(), &mut self.elements, &mut self.element_numbers);
        self.images.resize_with(self.elements.len(), HashMap::new);
        number
    }

    pub fn image(&mut self, element: u32, individual: u32) -> u32 {
        let Fairness { individuals, elements, images, is_strong, .. } = self;
        *images[element as usize].entry(individual).or_insert_with(|| {
            let images = &elements[element as usize];
            if images.iter().enumerate().all(|(at, &image)| at == image as usize) {
                return individual;
            }
            let image = individuals.image(images, individual);
            if is_strong.len() <= image as usize {
                is_strong.resize(image as usize + 1, false);
            }
            is_strong[image as usize] = is_strong[individual as usize];
            image
        })
    }

    /// The images of a set of individuals under an element that is not kept.
    pub fn image_of_set(&mut self, element: &[u32], set: u32) -> ActingSet {
        let ActingSet { acting, able } = self.sets[set as usize].clone();
        let mut images = |of: &[u32]| {
            ascending(of.iter().map(|&individual| self.individuals.image(element, individual)).collect())
        };
        ActingSet { acting: images(&acting), able: images(&able) }
    }
}

fn ascending(mut individuals: Vec<u32>) -> Box<[u32]> {
    individuals.sort_unstable();
    individuals.dedup();
    individuals.into()
}

fn interned<T: Clone + Eq + Hash>(item: T, all: &mut Vec<T>, numbers: &mut HashMap<T, u32>) -> u32 {
    if let Some(&number) = numbers.get(&item) {
        return number;
    }
    let number = all.len() as u32;
    all.push(item.clone());
    numbers.insert(item, number);
    number
}

/// Part of a product, and what is needed to look for fair runs in it.
pub struct FairSearch<'p, G> {
    pub claim: &'p Claim,
    pub nodes: &'p Nodes,
    pub ground: &'p mut G,
}

/// A thread: a node and an individual of its state.
pub type Thread = (u32, u32);

/// The components of the threaded graph over a component of the product.
pub struct Threads {
    number: HashMap<Thread, u32>,
    parent: Vec<u32>,
    /// By root: does the individual act on some edge, can it act in some state, can it not in some state?
    acts: Vec<bool>,
    can: Vec<bool>,
    cannot: Vec<bool>,
}

impl Threads {
    fn add(&mut self, thread: Thread) -> (u32, bool) {
        if let Some(&number) = self.number.get(&thread) {
            return (number, false);
        }
        let number = self.parent.len() as u32;
        self.number.insert(thread, number);
        self.parent.push(number);
        self.acts.push(false);
        self.can.push(false);
        self.cannot.push(false);
        (number, true)
    }

    fn root(&mut self, mut at: u32) -> u32 {
        while self.parent[at as usize] != at {
            let grand = self.parent[self.parent[at as usize] as usize];
            self.parent[at as usize] = grand;
            at = grand;
        }
        at
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parent[b as usize] = a;
            self.acts[a as usize] |= self.acts[b as usize];
            self.can[a as usize] |= self.can[b as usize];
            self.cannot[a as usize] |= self.cannot[b as usize];
        }
    }

    /// The individuals that are followed, by their names at a node.
    pub fn individuals_at(&self, node: u32) -> Vec<u32> {
        let mut found: Vec<u32> =
            self.number.keys().filter(|&&(at, _)| at == node).map(|&(_, individual)| individual).collect();
        found.sort_unstable();
        found
    }

    /// Does the individual act somewhere in its component?
    pub fn acts(&mut self, thread: Thread) -> bool {
        self.number.get(&thread).copied().is_some_and(|at| {
            let root = self.root(at);
            self.acts[root as usize]
        })
    }
}

impl<G: Ground> FairSearch<'_, G> {
    /// Individuals that can act in a state.
    pub fn able(&mut self, state: u32) -> Result<Vec<u32>, Unfinished> {
        let edges = self.ground.edges(state)?;
        let mut sets: Vec<u32> = (0..edges.targets.len()).map(|edge| edges.fair(edge).acting).collect();
        sets.sort_unstable();
        sets.dedup();
        let mut able: Vec<u32> = sets.iter().flat_map(|&set| self.ground.able(set)).copied().collect();
        able.sort_unstable();
        able.dedup();
        Ok(able)
    }

    /// The edges of a node.
    pub fn edges_of(&mut self, node: u32) -> Result<Vec<ProductEdge>, Unfinished> {
        self.claim.edges_of(self.ground, self.nodes.get(node))
    }

    /// A part of the component, all of whose edges a fair run with all marks can take infinitely often.
    pub fn fair_part(&mut self, members: &[u32]) -> Result<Option<Vec<u32>>, Unfinished> {
        let mut open = vec![members.to_vec()];
        while let Some(part) = open.pop() {
            for component in components_of(self.claim, self.ground, self.nodes, &part)? {
                match self.judge(&component)? {
                    Judgement::Fair => return Ok(Some(component)),
                    Judgement::Unfair => {}
                    Judgement::FairWithout(avoided) => {
                        let rest = component.into_iter().filter(|node| !avoided.contains(node));
                        open.push(rest.collect());
                    }
                }
            }
        }
        Ok(None)
    }

    fn judge(&mut self, component: &[u32]) -> Result<Judgement, Unfinished> {
        let mut threads = self.threads(component)?;
        let mut avoided = HashSet::new();
        let all: Vec<(Thread, u32)> = threads.number.iter().map(|(&thread, &at)| (thread, at)).collect();
        for ((node, individual), at) in all {
            let root = threads.root(at) as usize;
            if threads.acts[root] || !threads.can[root] {
                continue;
            }
            if !self.ground.is_strong(individual) {
                if !threads.cannot[root] {
                    return Ok(Judgement::Unfair);
                }
            } else if self.able(self.nodes.get(node).state)?.contains(&individual) {
                avoided.insert(node);
            }
        }
        Ok(if avoided.is_empty() { Judgement::Fair } else { Judgement::FairWithout(avoided) })
    }

    /// Follows every individual that can act somewhere in the component.
    pub fn threads(&mut self, component: &[u32]) -> Result<Threads, Unfinished> {
        let inside: HashSet<u32> = component.iter().copied().collect();
        let mut threads = Threads {
            number: HashMap::new(),
            parent: Vec::new(),
            acts: Vec::new(),
            can: Vec::new(),
            cannot: Vec::new(),
        };
        let mut able: HashMap<u32, Vec<u32>> = HashMap::new();
        let mut open: Vec<Thread> = Vec::new();
        for &node in component {
            let state = self.nodes.get(node).state;
            if let Entry::Vacant(entry) = able.entry(state) {
                entry.insert(self.able(state)?);
            }
            for &individual in &able[&state] {
                threads.add((node, individual));
                open.push((node, individual));
            }
        }
        while let Some((number, individual)) = open.pop() {
            let (from, _) = threads.add((number, individual));
            let can = able[&self.nodes.get(number).state].contains(&individual);
            let root = threads.root(from) as usize;
            if can {
                threads.can[root] = true
            } else {
                threads.cannot[root] = true
            }
            for edge in self.edges_of(number)? {
                let target = self.nodes.number(edge.target).filter(|target| inside.contains(target));
                let Some(target) = target else { continue };
                let (image, acts) = self.along(&edge, individual);
                let (to, is_new) = threads.add((target, image));
                if is_new {
                    open.push((target, image));
                }
                threads.join(from, to);
                let root = threads.root(from) as usize;
                threads.acts[root] |= acts;
            }
        }
        Ok(threads)
    }

    /// What an individual is called after an edge, and whether it acts on it.
    pub fn along(&mut self, edge: &ProductEdge, individual: u32) -> (u32, bool) {
        if edge.edge.is_none() {
            return (individual, false);
        }
        let acts = self.ground.acting(edge.fair.acting).contains(&individual);
        (self.ground.image(edge.fair.witness, individual), acts)
    }
}

enum Judgement {
    Fair,
    /// No run that stays in any part of it is fair.
    Unfair,
    /// A fair run does not visit these nodes infinitely often.
    FairWithout(HashSet<u32>),
}
