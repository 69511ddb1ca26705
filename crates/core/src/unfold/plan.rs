//! How the instances of a transition are found: for each input arc, a plan that starts with a new token there.
//!
//! An *atom* is a term of which an instance takes at least one token, whatever its variables are. A plan gives values to the
//! variables step by step; what a token determines is taken from tokens, found in an index by what is known already.

use super::terms::{Bag, Code, Term};

/// A part of a token's code, `code / divisor % modulus`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Path {
    pub divisor: u64,
    pub modulus: u64,
}

impl Path {
    pub fn of(self, code: Code) -> Code {
        code / self.divisor % self.modulus
    }
}

/// Gives a variable the value of a part, which is the variable's successor by `shift`.
pub struct Bind {
    pub path: Path,
    pub variable: u32,
    pub shift: u64,
    pub size: u64,
}

impl Bind {
    pub fn value(&self, code: Code) -> Code {
        let part = self.path.of(code);
        if self.shift == 0 { part } else { (part + self.size - self.shift) % self.size }
    }
}

/// Atoms before that of the plan match older tokens only (`older`), those behind it also the token of the plan: so each choice
/// of tokens is made once.
pub enum Step {
    /// The tokens of an index under a key.
    Match {
        atom: u32,
        index: u32,
        key: Vec<(u64, Term)>,
        binds: Vec<Bind>,
        older: bool,
    },
    /// The one token that a term says.
    Find {
        atom: u32,
        place: u32,
        token: Term,
        older: bool,
    },
    Let {
        variable: u32,
        value: Term,
    },
    Range {
        variable: u32,
        size: u64,
    },
    Check(Term),
    /// Is the token of an atom what its term says?
    Verify {
        atom: u32,
        token: Term,
    },
}

/// Starts with a token of `place`.
pub struct Plan {
    pub atom: u32,
    pub place: u32,
    pub constants: Vec<(Path, Code)>,
    pub binds: Vec<Bind>,
    pub steps: Vec<Step>,
}

/// `start`: the steps of a transition without atoms. `consumes`, `produces`: by place, each place once.
pub struct Transition {
    pub variables: u32,
    /// Names that multisets bind have numbers from `variables` on.
    pub bound: u32,
    pub atoms: u32,
    pub plans: Vec<Plan>,
    pub start: Option<Vec<Step>>,
    pub consumes: Vec<(u32, Bag)>,
    pub produces: Vec<(u32, Bag)>,
}

/// The tokens of a place by some of their parts; the key is the sum of the parts times weights.
pub struct IndexShape {
    pub place: u32,
    pub paths: Vec<(u64, Path)>,
}

impl IndexShape {
    pub fn key(&self, code: Code) -> u64 {
        self.paths.iter().map(|(weight, path)| weight * path.of(code)).sum()
    }
}

impl Transition {
    /// Are all numbers inside what there is?
    pub fn is_sound(&self, places: u32, indices: &[IndexShape]) -> bool {
        let names = self.variables + self.bound;
        let known = |place: u32| place < places;
        let binds_fit = |binds: &[Bind]| {
            binds.iter().all(|each| {
                each.variable < names
                    && each.path.divisor > 0
                    && each.path.modulus > 0
                    && each.size > 0
                    && each.shift <= each.size
            })
        };
        let fits = |step: &Step| match step {
            Step::Match { atom, index, key, binds, .. } => {
                *atom < self.atoms
                    && (*index as usize) < indices.len()
                    && key.iter().all(|(_, term)| term.uses_only(names))
                    && binds_fit(binds)
            }
            Step::Find { atom, place, token, .. } => {
                *atom < self.atoms && known(*place) && token.uses_only(names)
            }
            Step::Let { variable, value } => *variable < names && value.uses_only(names),
            Step::Range { variable, .. } => *variable < names,
            Step::Check(term) => term.uses_only(names),
            Step::Verify { atom, token } => *atom < self.atoms && token.uses_only(names),
        };
        let plan_fits = |plan: &Plan| {
            plan.atom < self.atoms
                && known(plan.place)
                && plan.constants.iter().all(|(path, _)| path.divisor > 0 && path.modulus > 0)
                && binds_fit(&plan.binds)
                && plan.steps.iter().all(fits)
        };
        self.plans.iter().all(plan_fits)
            && self.start.iter().flatten().all(fits)
            && self
                .consumes
                .iter()
                .chain(&self.produces)
                .all(|(place, bag)| known(*place) && bag.uses_only(names))
    }
}
