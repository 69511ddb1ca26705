//! LTL with past to transition-based generalised Büchi automata.
//!
//! In: a formula in negation normal form. Out: a graph whose states are sets of obligations (Couvreur 1999; Gastin and Oddoux 2001)
//! together with a memory of the past. The edges of a state are the terms of the conjunction of its obligations; an edge has the
//! mark of a right side exactly if it does not promise it.
//!
//! Why it is right. *Every accepted word satisfies the formula*: along a run, call shown at i what the state at i and the terms taken
//! there consist of. Shown formulas keep the expansion laws, so what could go wrong is an Until that is shown for ever without its
//! right side; but then its right side is promised on every edge from there on, and the run lacks the mark. *Every word that
//! satisfies it is accepted*: take terms that the word satisfies, and an Until's right side wherever it holds; a right side is
//! then promised only where it does not hold, and it does hold again and again as long as Untils with it are shown.

use hashbrown::HashMap;

use super::cube::Cube;
use super::formula::FormulaId;
use super::graph::{Edge, Graph, MAX_MARKS, all_marks};
use super::lower::End;
use super::terms::{COST_OF_TERM, Expansion, Term};
use super::{Error, Limits};

/// What splitting a term costs, measured in comparisons of terms. It costs memory: unlike other terms, these are not compared
/// with each other.
const COST_OF_SPLIT: usize = 1_000;

/// A state before it has a number.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct State {
    /// A conjunction, sorted.
    obligations: Vec<FormulaId>,
    /// As far as it matters to the obligations.
    memory: u128,
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct Step {
    letters: Cube,
    promises: u128,
    target: State,
}

pub struct Translation<'a> {
    expansion: Expansion<'a>,
    end: End,
    limits: Limits,
    numbers: HashMap<State, u32>,
    open: Vec<State>,
}

struct Transition {
    label: Cube,
    promises: u128,
    target: u32,
}

impl<'a> Translation<'a> {
    pub fn new(expansion: Expansion<'a>, end: End, limits: Limits) -> Self {
        Translation { expansion, end, limits, numbers: HashMap::new(), open: Vec::new() }
    }

    pub fn run(mut self) -> Result<Graph, Error> {
        let formula = self.expansion.past.formula;
        let initial = self.state(self.expansion.arena.conjuncts(formula), 0)?;
        self.number(initial)?;
        let mut states: Vec<Vec<Transition>> = Vec::new();
        let mut by_steps: HashMap<Vec<Step>, u32> = HashMap::new();
        let mut same: Vec<u32> = Vec::new();
        let mut edge_count = 0;
        // `open` grows while it is read.
        while let Some(state) = self.open.get(states.len()).cloned() {
            let own = states.len() as u32;
            let steps = self.steps(&state)?;
            edge_count += steps.len();
            if edge_count > self.limits.edges {
                return Err(Error::TooManyEdges(self.limits.edges));
            }
            let first = *by_steps.entry(steps.clone()).or_insert(own);
            same.push(first);
            let mut transitions = Vec::new();
            if first == own {
                for Step { letters, promises, target } in steps {
                    transitions.push(Transition { label: letters, promises, target: self.number(target)? });
                }
            }
            states.push(transitions);
        }
        for transition in states.iter_mut().flatten() {
            transition.target = same[transition.target as usize];
        }
        marked(&states, self.expansion.promise_count())
    }

    fn number(&mut self, state: State) -> Result<u32, Error> {
        if let Some(&number) = self.numbers.get(&state) {
            return Ok(number);
        }
        if self.open.len() == self.limits.states {
            return Err(Error::TooManyStates(self.limits.states));
        }
        let number = self.open.len() as u32;
        self.open.push(state.clone());
        self.numbers.insert(state, number);
        Ok(number)
    }

    fn state(&mut self, obligations: Vec<FormulaId>, memory: u128) -> Result<State, Error> {
        let obligations = self.expansion.without_redundant(obligations);
        let memory = memory & self.relevant(&obligations)?;
        Ok(State { obligations, memory })
    }

    fn relevant(&mut self, obligations: &[FormulaId]) -> Result<u128, Error> {
        let mut bits = 0;
        for &each in obligations {
            bits |= self.expansion.past.relevant(each, self.expansion.arena)?;
        }
        Ok(bits)
    }

    /// The edges of a state, sorted.
    fn steps(&mut self, state: &State) -> Result<Vec<Step>, Error> {
        let memory = state.memory;
        let mut steps = Vec::new();
        for term in self.expansion.conjunction(&state.obligations, memory)? {
            for term in self.with_guesses(term, memory)? {
                self.remember(term, memory, &mut steps)?;
            }
        }
        let auxiliary = self.expansion.past.auxiliary_atoms();
        if !self.expansion.past.definitions.is_empty() {
            steps.iter_mut().for_each(|step| step.letters = step.letters.without(auxiliary));
        }
        self.without_dominated(steps)
    }

    /// Adds what the auxiliary atoms that a term takes to be true promise.
    fn with_guesses(&mut self, term: Term, memory: u128) -> Result<Vec<Term>, Error> {
        if self.expansion.past.definitions.is_empty() {
            return Ok(vec![term]);
        }
        let mut open = vec![(term, 0u128)];
        let mut done = Vec::new();
        let first = self.expansion.past.first_auxiliary;
        while let Some((term, shown)) = open.pop() {
            self.expansion.spend(COST_OF_TERM)?;
            let guesses = term.letters.positive & self.expansion.past.auxiliary_atoms() & !shown;
            if guesses == 0 {
                done.push(term);
                continue;
            }
            let atom = guesses.trailing_zeros();
            let definition = self.expansion.past.definitions[(atom - first) as usize];
            let terms = self.expansion.terms(definition, memory)?;
            let shown = shown | 1 << atom;
            open.extend(self.expansion.product(&[term], &terms)?.into_iter().map(|term| (term, shown)));
        }
        Ok(done)
    }

    /// Splits a term by what is to be remembered of its letter. A letter at the end of a run with strong next changes nothing,
    /// see `lower`.
    fn remember(&mut self, term: Term, memory: u128, steps: &mut Vec<Step>) -> Result<(), Error> {
        let relevant = self.relevant(&term.next)?;
        if relevant == 0 {
            return self.push_step(term, 0, steps);
        }
        let mut goes_on = Some(term);
        if let Some(ended) = self.end.ended() {
            let term = goes_on.take().unwrap_or(Term::TRUE);
            if let Some(letters) = term.letters.and(Cube::literal(ended, true)) {
                self.push_step(Term { letters, ..term.clone() }, memory, steps)?;
            }
            goes_on = term.letters.and(Cube::literal(ended, false)).map(|letters| Term { letters, ..term });
        }
        let mut split: Vec<(Term, u128)> = goes_on.into_iter().map(|term| (term, 0)).collect();
        for bit in (0..u128::BITS).filter(|bit| relevant >> bit & 1 == 1) {
            let value = self.expansion.past.update(bit, self.expansion.arena);
            let mut finer = Vec::new();
            for (formula, set) in [(value, 1 << bit), (value.negated(), 0)] {
                let terms = self.expansion.terms(formula, memory)?;
                for (term, updated) in &split {
                    let product = self.expansion.product(std::slice::from_ref(term), &terms)?;
                    self.expansion.spend(COST_OF_SPLIT * product.len())?;
                    finer.extend(product.into_iter().map(|term| (term, updated | set)));
                }
            }
            split = finer;
        }
        for (term, updated) in split {
            for term in self.with_guesses(term, memory)? {
                self.push_step(term, updated, steps)?;
            }
        }
        Ok(())
    }

    fn push_step(&mut self, term: Term, memory: u128, steps: &mut Vec<Step>) -> Result<(), Error> {
        self.expansion.spend(COST_OF_TERM)?;
        let target = self.state(term.next, memory)?;
        steps.push(Step { letters: term.letters, promises: term.promises, target });
        Ok(())
    }

    /// As for terms: without the steps that weaker ones with the same memory stand for.
    fn without_dominated(&mut self, mut steps: Vec<Step>) -> Result<Vec<Step>, Error> {
        steps.sort_unstable();
        steps.dedup();
        let mut kept: Vec<Step> = Vec::new();
        for step in steps {
            self.expansion.spend(1 + kept.len())?;
            let expansion = &mut self.expansion;
            let mut stands_for = |weaker: &Step, stronger: &Step| {
                weaker.letters.contains(stronger.letters)
                    && weaker.promises & !stronger.promises == 0
                    && weaker.target.memory == stronger.target.memory
                    && expansion.is_weaker(&weaker.target.obligations, &stronger.target.obligations)
            };
            if !kept.iter().any(|each| stands_for(each, &step)) {
                kept.retain(|each| !stands_for(&step, each));
                kept.push(step);
            }
        }
        kept.sort_unstable();
        Ok(kept)
    }
}

/// Marks for promises. Only those that are promised inside a component decide something there, so each component numbers its
/// own; an edge has the marks of all but those it promises.
fn marked(states: &[Vec<Transition>], promise_count: usize) -> Result<Graph, Error> {
    let plain =
        |transition: &Transition| Edge { target: transition.target, marks: 0, label: transition.label };
    let mut graph = Graph {
        states: states.iter().map(|each| each.iter().map(plain).collect()).collect(),
        initial: 0,
        mark_count: 0,
    };
    let components = graph.components();
    let mut promised = vec![0u128; components.count];
    for (source, transitions) in states.iter().enumerate() {
        for transition in transitions {
            let own = components.of[source];
            if components.of[transition.target as usize] == own {
                promised[own as usize] |= transition.promises;
            }
        }
    }
    graph.mark_count = promised.iter().map(|each| each.count_ones()).max().unwrap_or(0);
    if graph.mark_count > MAX_MARKS {
        return Err(Error::TooManyMarks(MAX_MARKS));
    }
    let all = all_marks(graph.mark_count);
    for (source, edges) in graph.states.iter_mut().enumerate() {
        let own = promised[components.of[source] as usize];
        let numbered: Vec<usize> = (0..promise_count).filter(|bit| own >> bit & 1 == 1).collect();
        for (edge, transition) in edges.iter_mut().zip(&states[source]) {
            let kept =
                |(at, bit): (usize, &usize)| (transition.promises >> bit & 1 == 1).then_some(1u64 << at);
            edge.marks = numbered.iter().enumerate().filter_map(kept).fold(all, |marks, bit| marks & !bit);
        }
    }
    Ok(graph)
}
