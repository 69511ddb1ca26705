//! Temporal logic over a quotient.
//!
//! In: a model with a canonicaliser, formulas over atoms that the group keeps. Out: for each formula whether it holds, and if not a
//! run of the unreduced model that shows it. The quotient is bisimilar to the model for such atoms (Junttila 2003, Thm 2.14;
//! Emerson, Sistla 1996), so every formula of CTL* has the same value in both.
//!
//! Reading order: `atoms` (what formulas see of states and steps), `structure` (the quotient as it is known, with `edge_lists`),
//! `expanding` (how states and edges get there), `ground` (what searches see of both); `product` and `emptiness` (LTL: is there a run
//! that the automaton of the negation accepts?), `lasso` (which one), `lift` (as a run of the unreduced model), `branching` and
//! `fixpoints` (CTL*), `explain` (why not), `fairness` and `fair_lasso` (fair runs, by following individuals), `answer` and `watch` (all
//! formulas over one structure, limits and layouts).

pub mod answer;
pub mod atoms;
pub mod branching;
pub mod edge_lists;
pub mod emptiness;
mod expanding;
pub mod explain;
mod fair_lasso;
pub mod fairness;
pub mod fixpoints;
pub mod ground;
pub mod lasso;
pub mod lift;
pub mod product;
pub mod state_set;
pub mod structure;
pub mod watch;

pub use answer::{Answer, Formula, Question, Report, answer};
pub use atoms::{Classify, StateAtom};
pub use branching::Row;
pub use fairness::{Actor, Individuals};
pub use lift::Run;
pub use product::AtomSource;
