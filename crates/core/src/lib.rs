//! The core of burnside: everything between a model in numbers and an outcome in numbers. No Python here.
//!
//! Reading order: `model` (the waist: what a kind of models brings) and `schema` (how a state is laid out), `quotient` (edges
//! between representatives), `visited` (the set of stored states), `search` (what follows edges), `saved` (the file format
//! of both), `trace` (counterexamples lifted to the unreduced model) with `steps`, `kinds` (nets, programs and machines behind the waist),
//! `shape` (how permutations act on states of programs), `perm` and `group` (permutations, Schreier-Sims), `structure` (the
//! coloured graph whose automorphisms are the group) with `nauty`, `canon` (representatives of orbits).
//! `coverability` is a search of its own, over omega-markings of nets. `automata` stands by itself: automata for temporal
//! formulas. So do `fsm`: state machines and test suites, and `unfold`: high-level nets to place/transition nets.

pub mod automata;
pub mod canon;
pub mod coverability;
pub mod fsm;
pub mod group;
pub mod kinds;
pub mod model;
mod nauty;
pub mod perm;
pub mod quotient;
pub mod random;
pub mod saved;
pub mod schema;
pub mod search;
pub mod shape;
mod steps;
pub mod structure;
pub mod temporal;
pub mod trace;
pub mod unfold;
pub mod visited;
