//! The fixpoint: tokens in, instances out, until nothing new appears.
//!
//! `Engine::run` processes all tokens that were found. Transitions whose terms the core does not know are left to the caller,
//! which looks at new tokens itself and adds the instances that it finds (`Engine::add`).

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

use super::plan::{IndexShape, Plan, Step, Transition};
use super::terms::{Absent, Bag, Code, merge};
use super::{Limits, Stop};

/// Steps between two questions whether to go on.
const INTERVAL: u64 = 1 << 16;

struct Index {
    shape: IndexShape,
    tokens: HashMap<u64, Vec<u32>>,
}

pub struct Engine {
    /// None: left to the caller.
    transitions: Vec<Option<Transition>>,
    indices: Vec<Index>,
    /// By place of the high-level net: the plans that begin there, as (transition, plan), and the indices of its tokens.
    plans_at: Vec<Vec<(u32, u32)>>,
    indices_at: Vec<Vec<u32>>,
    found: Found,
    processed: u32,
    started: bool,
}

/// A transition, and values of its variables.
type Waiting = (u32, Box<[Code]>);

/// What was found, in the order in which it was.
pub struct Found {
    limits: Limits,
    /// By place of the high-level net: the numbers of its tokens.
    supports: Vec<HashMap<Code, u32>>,
    /// By number: a place of the unfolded net.
    pub tokens: Vec<(u32, Code)>,
    pub instances: Instances,
    /// By the token that they wait for.
    waiting: HashMap<(u32, Code), Vec<Waiting>>,
    waiting_count: usize,
    work: u64,
}

/// Instances one behind the other: the transition of each, values of variables, arcs to and from tokens by number.
#[derive(Default)]
pub struct Instances {
    pub transitions: Vec<u32>,
    pub values: Vec<Code>,
    /// Where the values of each end.
    pub value_ends: Vec<usize>,
    pub arcs: Vec<(u32, u64)>,
    /// Where the consumed and where the produced tokens of each end.
    pub arc_ends: Vec<(usize, usize)>,
}

/// Tokens of an instance: a place of the high-level net, a code, how many.
pub type Tokens = Vec<(u32, Code, u64)>;

impl Engine {
    /// None where a number is outside what there is.
    pub fn new(
        places: u32,
        transitions: Vec<Option<Transition>>,
        shapes: Vec<IndexShape>,
        limits: Limits,
    ) -> Option<Engine> {
        let sound = transitions.iter().flatten().all(|each| each.is_sound(places, &shapes));
        let fits = |each: &IndexShape| {
            each.place < places && each.paths.iter().all(|(_, path)| path.divisor > 0 && path.modulus > 0)
        };
        if !sound || !shapes.iter().all(fits) {
            return None;
        }
        let mut plans_at = vec![Vec::new(); places as usize];
        for (number, transition) in transitions.iter().enumerate() {
            for (at, plan) in transition.iter().flat_map(|each| &each.plans).enumerate() {
                plans_at[plan.place as usize].push((number as u32, at as u32));
            }
        }
        let mut indices_at = vec![Vec::new(); places as usize];
        for (number, shape) in shapes.iter().enumerate() {
            indices_at[shape.place as usize].push(number as u32);
        }
        let indices = shapes.into_iter().map(|shape| Index { shape, tokens: HashMap::new() }).collect();
        let found = Found {
            limits,
            supports: vec![HashMap::new(); places as usize],
            tokens: Vec::new(),
            instances: Instances::default(),
            waiting: HashMap::new(),
            waiting_count: 0,
            work: 0,
        };
        Some(Engine { transitions, indices, plans_at, indices_at, found, processed: 0, started: false })
    }

    pub fn found(&self) -> &Found {
        &self.found
    }

    pub fn into_found(self) -> Found {
        self.found
    }

    /// Puts a token into the support of a place.
    pub fn mark(&mut self, place: u32, code: Code) -> Result<(), Stop> {
        self.found.number(place, code).map(drop)
    }

    /// An instance of a transition that is left to the caller; its consumed tokens are in the supports.
    pub fn add(
        &mut self,
        transition: u32,
        values: &[Code],
        consumed: &Tokens,
        produced: &Tokens,
    ) -> Result<(), Stop> {
        self.found.add(transition, values, consumed, produced)
    }

    /// Until every token is processed. `go_on` is asked now and then.
    pub fn run(&mut self, go_on: &mut dyn FnMut() -> bool) -> Result<(), Stop> {
        let Engine { transitions, indices, plans_at, indices_at, found, processed, started } = self;
        let mut run = Run { found, go_on, values: Vec::new(), matched: Vec::new(), current: 0 };
        let known = |number: u32| transitions[number as usize].as_ref();
        if !*started {
            *started = true;
            for (number, transition) in transitions.iter().enumerate() {
                let Some(transition) = transition else { continue };
                if let Some(steps) = &transition.start {
                    let subject = run.prepare(number as u32, transition, indices);
                    run.follow(subject, steps)?;
                }
            }
        }
        while (*processed as usize) < run.found.tokens.len() {
            run.current = *processed;
            *processed += 1;
            let (place, code) = run.found.tokens[run.current as usize];
            for &number in &indices_at[place as usize] {
                let index = &mut indices[number as usize];
                let key = index.shape.key(code);
                index.tokens.entry(key).or_default().push(run.current);
            }
            for (number, values) in run.found.no_longer_waiting(place, code) {
                if let Some(transition) = known(number) {
                    let subject = run.prepare(number, transition, indices);
                    run.values[..values.len()].copy_from_slice(&values);
                    run.finish(subject)?;
                }
            }
            for &(number, plan) in &plans_at[place as usize] {
                if let Some(transition) = known(number) {
                    let subject = run.prepare(number, transition, indices);
                    run.begin(subject, &transition.plans[plan as usize], code)?;
                }
            }
        }
        Ok(())
    }
}

impl Found {
    pub fn places(&self) -> usize {
        self.supports.len()
    }

    /// The number of a token that is in the support of its place.
    pub fn known(&self, place: u32, code: Code) -> Option<u32> {
        self.supports[place as usize].get(&code).copied()
    }

    fn number(&mut self, place: u32, code: Code) -> Result<u32, Stop> {
        match self.supports[place as usize].entry(code) {
            Entry::Occupied(known) => Ok(*known.get()),
            Entry::Vacant(free) => {
                if self.tokens.len() >= self.limits.places.min(u32::MAX as usize) {
                    return Err(Stop::Places);
                }
                let number = self.tokens.len() as u32;
                free.insert(number);
                self.tokens.push((place, code));
                Ok(number)
            }
        }
    }

    fn add(
        &mut self,
        transition: u32,
        values: &[Code],
        consumed: &Tokens,
        produced: &Tokens,
    ) -> Result<(), Stop> {
        if self.instances.transitions.len() + self.waiting_count >= self.limits.transitions {
            return Err(Stop::Transitions);
        }
        if self.instances.arcs.len() + consumed.len() + produced.len() > self.limits.arcs {
            return Err(Stop::Arcs);
        }
        self.instances.transitions.push(transition);
        self.instances.values.extend_from_slice(values);
        self.instances.value_ends.push(self.instances.values.len());
        for &(place, code, weight) in consumed {
            let token = self.number(place, code)?;
            self.instances.arcs.push((token, weight));
        }
        let middle = self.instances.arcs.len();
        for &(place, code, weight) in produced {
            let token = self.number(place, code)?;
            self.instances.arcs.push((token, weight));
        }
        self.instances.arc_ends.push((middle, self.instances.arcs.len()));
        Ok(())
    }

    fn wait(&mut self, place: u32, code: Code, transition: u32, values: &[Code]) -> Result<(), Stop> {
        if self.instances.transitions.len() + self.waiting_count >= self.limits.transitions {
            return Err(Stop::Transitions);
        }
        self.waiting_count += 1;
        self.waiting.entry((place, code)).or_default().push((transition, values.into()));
        Ok(())
    }

    fn no_longer_waiting(&mut self, place: u32, code: Code) -> Vec<Waiting> {
        if self.waiting.is_empty() {
            return Vec::new();
        }
        let ready = self.waiting.remove(&(place, code)).unwrap_or_default();
        self.waiting_count -= ready.len();
        ready
    }
}

/// The search for instances with the token `current`.
struct Run<'a> {
    found: &'a mut Found,
    go_on: &'a mut dyn FnMut() -> bool,
    values: Vec<Code>,
    /// By atom: the code of its token.
    matched: Vec<Code>,
    current: u32,
}

/// The transition of which instances are searched for.
#[derive(Clone, Copy)]
struct Subject<'a> {
    number: u32,
    transition: &'a Transition,
    indices: &'a [Index],
}

impl Run<'_> {
    fn prepare<'a>(&mut self, number: u32, transition: &'a Transition, indices: &'a [Index]) -> Subject<'a> {
        self.values.clear();
        self.values.resize((transition.variables + transition.bound) as usize, 0);
        self.matched.clear();
        self.matched.resize(transition.atoms as usize, 0);
        Subject { number, transition, indices }
    }

    fn begin(&mut self, subject: Subject<'_>, plan: &Plan, code: Code) -> Result<(), Stop> {
        if plan.constants.iter().any(|(path, constant)| path.of(code) != *constant) {
            return Ok(());
        }
        for bind in &plan.binds {
            self.values[bind.variable as usize] = bind.value(code);
        }
        self.matched[plan.atom as usize] = code;
        self.follow(subject, &plan.steps)
    }

    fn count(&mut self) -> Result<(), Stop> {
        self.found.work += 1;
        if self.found.work >= self.found.limits.work {
            return Err(Stop::Work);
        }
        if self.found.work.is_multiple_of(INTERVAL) && !(self.go_on)() {
            return Err(Stop::Interrupted);
        }
        Ok(())
    }

    fn is_early_enough(&self, token: u32, older: bool) -> bool {
        token < self.current || (token == self.current && !older)
    }

    fn follow(&mut self, subject: Subject<'_>, steps: &[Step]) -> Result<(), Stop> {
        let Some((step, rest)) = steps.split_first() else { return self.finish(subject) };
        match step {
            Step::Check(term) => {
                if term.holds(&self.values) {
                    self.follow(subject, rest)?;
                }
            }
            Step::Verify { atom, token } => {
                if token.value(&self.values) == self.matched[*atom as usize] {
                    self.follow(subject, rest)?;
                }
            }
            Step::Let { variable, value } => {
                self.values[*variable as usize] = value.value(&self.values);
                self.follow(subject, rest)?;
            }
            Step::Range { variable, size } => {
                for code in 0..*size {
                    self.count()?;
                    self.values[*variable as usize] = code;
                    self.follow(subject, rest)?;
                }
            }
            Step::Find { atom, place, token, older } => {
                self.count()?;
                let code = token.value(&self.values);
                let token = self.found.known(*place, code);
                if token.is_some_and(|token| self.is_early_enough(token, *older)) {
                    self.matched[*atom as usize] = code;
                    self.follow(subject, rest)?;
                }
            }
            Step::Match { atom, index, key, binds, older } => {
                let key = key.iter().map(|(weight, term)| weight * term.value(&self.values)).sum::<u64>();
                let tokens = subject.indices[*index as usize].tokens.get(&key);
                for &token in tokens.into_iter().flatten() {
                    if !self.is_early_enough(token, *older) {
                        continue;
                    }
                    self.count()?;
                    let code = self.found.tokens[token as usize].1;
                    for bind in binds {
                        self.values[bind.variable as usize] = bind.value(code);
                    }
                    self.matched[*atom as usize] = code;
                    self.follow(subject, rest)?;
                }
            }
        }
        Ok(())
    }

    /// All variables have values, and the guard holds.
    fn finish(&mut self, subject: Subject<'_>) -> Result<(), Stop> {
        self.count()?;
        let Subject { number, transition, .. } = subject;
        let flows = self
            .flow(&transition.consumes)
            .and_then(|consumed| Ok((consumed, self.flow(&transition.produces)?)));
        let (consumed, produced) = match flows {
            Ok(flows) => flows,
            Err(Absent::Undefined) => return Ok(()),
            Err(Absent::Stopped(stop)) => return Err(stop),
        };
        let values = &self.values[..transition.variables as usize];
        let missing = consumed.iter().find(|(place, code, _)| self.found.known(*place, *code).is_none());
        match missing {
            Some(&(place, code, _)) => self.found.wait(place, code, number, values),
            None => self.found.add(number, values, &consumed, &produced),
        }
    }

    fn flow(&mut self, arcs: &[(u32, Bag)]) -> Result<Tokens, Absent> {
        let mut flow = Tokens::new();
        let mut tokens = Vec::new();
        for (place, bag) in arcs {
            tokens.clear();
            bag.add(&mut self.values, 1, self.found.limits.arcs, &mut tokens)?;
            merge(&mut tokens)?;
            flow.extend(tokens.iter().map(|&(code, weight)| (*place, code, weight)));
        }
        Ok(flow)
    }
}
