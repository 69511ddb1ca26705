//! The core of burnside: everything between a model in numbers and an outcome in numbers. No Python here.
//!
//! Reading order: `model` (the waist: what the explorer sees of a model) and `schema` (how a state is laid out), `net`
//! (place/transition nets behind that waist), `program` (typed programs behind it) and `shape` (how permutations act on
//! their states), `perm` and `group` (permutations, Schreier-Sims), `structure` (the
//! coloured graph whose automorphisms are the group) with `nauty`, `canon` (representatives of orbits), `explore`
//! (visited set, frontier, workers), `trace` (counterexamples lifted to the unreduced model).

pub mod canon;

pub mod group;
pub mod kinds;
pub mod model;
mod nauty;
pub mod perm;
pub mod quotient;
pub mod random;
pub mod schema;
pub mod search;
pub mod shape;
pub mod structure;
pub mod trace;
pub mod visited;
