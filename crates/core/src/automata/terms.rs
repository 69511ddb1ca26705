//! Formulas as disjunctions of terms: what must hold now, and what is left to be shown at the next position.
//!
//! In: a formula and the memory of the past. Out: its terms, by the expansion laws p U q = q | p & X(p U q) and
//! p R q = q & (p | X(p R q)). A term that postpones an Until *promises* its right side (Couvreur 1999, section 3: promises are by
//! right sides, so that p U r and q U r share one). Terms that a weaker one stands for are left out: any word that goes on
//! through the stronger one goes on through the weaker one, with no more promises.

use std::rc::Rc;

use hashbrown::HashMap;

use super::Error;
use super::cube::Cube;
use super::formula::{Arena, FormulaId, Node, TRUE};
use super::past::Past;
use super::work::Work;

/// Promises are bits of a `u128`.
pub const MAX_PROMISES: usize = 128;

/// What making a term costs, measured in comparisons of terms.
pub const COST_OF_TERM: usize = 16;

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Term {
    /// The letters that it is for.
    pub letters: Cube,
    /// Right sides of Untils that are postponed.
    pub promises: u128,
    /// Obligations from the next position on: a conjunction, sorted.
    pub next: Vec<FormulaId>,
}

impl Term {
    pub const TRUE: Term = Term { letters: Cube::ALL, promises: 0, next: Vec::new() };

    fn and(&self, other: &Term) -> Option<Term> {
        let letters = self.letters.and(other.letters)?;
        let mut next = self.next.clone();
        if !other.next.is_empty() {
            next.extend_from_slice(&other.next);
            next.sort_unstable();
            next.dedup();
        }
        Some(Term { letters, promises: self.promises | other.promises, next })
    }
}

/// The formula, its memory of the past, and how much more work may be done on them.
pub struct Expansion<'a> {
    pub arena: &'a mut Arena,
    pub past: Past,
    /// Terms by formula and relevant memory.
    known: HashMap<(FormulaId, u128), Rc<[Term]>>,
    promises: HashMap<FormulaId, u32>,
    work: Work,
    max_work: u64,
}

impl<'a> Expansion<'a> {
    pub fn new(arena: &'a mut Arena, past: Past, max_work: u64) -> Self {
        let work = Work::new(max_work);
        Expansion { arena, past, known: HashMap::new(), promises: HashMap::new(), work, max_work }
    }

    /// How many right sides are promised anywhere so far.
    pub fn promise_count(&self) -> usize {
        self.promises.len()
    }

    pub fn spend(&mut self, steps: usize) -> Result<(), Error> {
        if self.work.spend(steps) { Ok(()) } else { Err(Error::TooMuchWork(self.max_work)) }
    }

    pub fn terms(&mut self, id: FormulaId, memory: u128) -> Result<Rc<[Term]>, Error> {
        let memory = memory & self.past.relevant(id, self.arena)?;
        if let Some(known) = self.known.get(&(id, memory)) {
            return Ok(known.clone());
        }
        let terms: Rc<[Term]> = self.expanded(id, memory)?.into();
        self.known.insert((id, memory), terms.clone());
        Ok(terms)
    }

    fn expanded(&mut self, id: FormulaId, memory: u128) -> Result<Vec<Term>, Error> {
        match self.arena.node(id).clone() {
            Node::True => Ok(vec![Term::TRUE]),
            Node::False => Ok(Vec::new()),
            Node::Literal { atom, positive } => {
                Ok(vec![Term { letters: Cube::literal(atom, positive), ..Term::TRUE }])
            }
            Node::And(operands) => self.conjunction(&operands, memory),
            Node::Or(operands) => {
                let mut all = Vec::new();
                for &operand in &operands {
                    let terms = self.terms(operand, memory)?;
                    self.add_all(&mut all, terms.iter().cloned())?;
                }
                Ok(all)
            }
            Node::Next(a) => Ok(vec![Term { next: self.arena.conjuncts(a), ..Term::TRUE }]),
            Node::Until(a, b) => {
                let promises = 1 << self.promise(b)?;
                let postponed = Term { promises, next: vec![id], ..Term::TRUE };
                let left = self.terms(a, memory)?;
                let mut all = self.terms(b, memory)?.to_vec();
                let later = self.product(&left, &[postponed])?;
                self.add_all(&mut all, later)?;
                Ok(all)
            }
            Node::Release(a, b) => {
                let postponed = Term { next: vec![id], ..Term::TRUE };
                let mut left = self.terms(a, memory)?.to_vec();
                self.add_all(&mut left, [postponed])?;
                let right = self.terms(b, memory)?;
                self.product(&right, &left)
            }
            Node::Yesterday(_) | Node::WeakYesterday(_) => {
                let holds = self.past.remembered(id, memory);
                Ok(if holds { vec![Term::TRUE] } else { Vec::new() })
            }
            Node::Since(a, b) => {
                let mut all = self.terms(b, memory)?.to_vec();
                if self.past.remembered(id, memory) {
                    let left = self.terms(a, memory)?;
                    self.add_all(&mut all, left.iter().cloned())?;
                }
                Ok(all)
            }
            Node::Trigger(a, b) => {
                let right = self.terms(b, memory)?;
                if self.past.remembered(id, memory) {
                    return Ok(right.to_vec());
                }
                let left = self.terms(a, memory)?;
                self.product(&right, &left)
            }
        }
    }

    /// The terms of all of them together.
    pub fn conjunction(&mut self, operands: &[FormulaId], memory: u128) -> Result<Vec<Term>, Error> {
        let mut all = vec![Term::TRUE];
        for &operand in operands {
            let terms = self.terms(operand, memory)?;
            all = self.product(&all, &terms)?;
        }
        Ok(all)
    }

    pub fn product(&mut self, one: &[Term], other: &[Term]) -> Result<Vec<Term>, Error> {
        let mut all = Vec::new();
        for x in one {
            self.spend(COST_OF_TERM * other.len())?;
            self.add_all(&mut all, other.iter().filter_map(|y| x.and(y)))?;
        }
        Ok(all)
    }

    /// Adds terms; those that others stand for are left out.
    fn add_all(&mut self, all: &mut Vec<Term>, added: impl IntoIterator<Item = Term>) -> Result<(), Error> {
        for term in added {
            self.spend(1 + all.len())?;
            if all.iter().any(|each| self.stands_for(each, &term)) {
                continue;
            }
            all.retain(|each| !self.stands_for(&term, each));
            all.push(term);
        }
        Ok(())
    }

    fn stands_for(&mut self, weaker: &Term, stronger: &Term) -> bool {
        weaker.letters.contains(stronger.letters)
            && weaker.promises & !stronger.promises == 0
            && self.is_weaker(&weaker.next, &stronger.next)
    }

    /// Does the second conjunction imply the first?
    pub fn is_weaker(&mut self, weaker: &[FormulaId], stronger: &[FormulaId]) -> bool {
        weaker.iter().all(|&g| {
            stronger.binary_search(&g).is_ok() || stronger.iter().any(|&f| self.arena.implies(f, g))
        })
    }

    fn promise(&mut self, right: FormulaId) -> Result<u32, Error> {
        let count = self.promises.len();
        let bit = *self.promises.entry(right).or_insert(count as u32);
        if bit as usize >= MAX_PROMISES {
            return Err(Error::TooManyPromises(MAX_PROMISES));
        }
        Ok(bit)
    }

    /// A smaller set of obligations with the same terms.
    ///
    /// Every step removes one obligation f that the others stand for *in every term*: f is a conjunct of h, where p R h is there,
    /// since the terms of p R h are terms of h; or f is a disjunction, an Until or a Release whose terms of one kind are those of
    /// obligations that are there. So the terms of the smaller set are terms of the larger one, and what remains of the latter
    /// are terms for which these stand. In particular an Until that is left out is still fulfilled or promised on every edge:
    /// that is why mere implication would not do (GF p implies F p, but so does F p itself).
    pub fn without_redundant(&self, mut obligations: Vec<FormulaId>) -> Vec<FormulaId> {
        let mut at = 0;
        while at < obligations.len() {
            let candidate = obligations.remove(at);
            if !self.is_redundant(candidate, &obligations) {
                obligations.insert(at, candidate);
                at += 1;
            }
        }
        obligations
    }

    fn is_redundant(&self, candidate: FormulaId, others: &[FormulaId]) -> bool {
        let holds = |id: FormulaId| self.arena.conjuncts(id).iter().all(|&each| self.is_shown(each, others));
        if self.is_shown(candidate, others) {
            return true;
        }
        match self.arena.node(candidate) {
            Node::Or(operands) => operands.iter().any(|&each| holds(each)),
            &Node::Until(_, b) => holds(b),
            &Node::Release(a, b) => holds(a) && holds(b),
            _ => false,
        }
    }

    /// Is it in every term of the others: one of them, or a conjunct below a Release?
    fn is_shown(&self, id: FormulaId, others: &[FormulaId]) -> bool {
        id == TRUE
            || others.binary_search(&id).is_ok()
            || others.iter().any(|&other| match *self.arena.node(other) {
                Node::Release(_, h) => self.is_shown(id, &self.arena.conjuncts(h)),
                _ => false,
            })
    }
}
