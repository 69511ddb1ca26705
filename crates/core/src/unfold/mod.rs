//! Unfolding of high-level nets to place/transition nets (Junttila 2003, L1937), the part that static supports reach.
//!
//! In: transitions whose values are numbers (`terms`), with plans that join input arcs (`plan`). Out: the places that can ever
//! hold a token, and the instances of transitions whose tokens are among them (`engine`), sorted (`sorting`).
//!
//! A token is a place of the high-level net and the code of a value. Tokens are processed in the order in which they were found; each
//! is joined with those before it, so that no instance is found twice. An instance whose guard holds but which takes a token
//! that no plan has matched waits for that token.

pub mod engine;
pub mod plan;
pub mod sorting;
pub mod terms;

/// Why an unfolding ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The caller asked for it.
    Interrupted,
    Transitions,
    Places,
    Arcs,
    /// Too many values of variables were tried.
    Work,
    /// An arc takes or gives more tokens than 64 bits can count.
    Weight,
}

/// How large an unfolding may become. `work`: values of variables that are tried.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub transitions: usize,
    pub places: usize,
    pub arcs: usize,
    pub work: u64,
}
