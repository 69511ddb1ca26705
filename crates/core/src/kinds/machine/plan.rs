//! What a plan is: the steps by which `solve` finds the values of unknown names.

use super::nodes::{Id, Slot};
use super::operators::spaces::Arrow;
use super::solve::sifting::Sifted;
use super::values::Value;

/// What a value is taken apart into.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// A name that gets it.
    Bind(Slot),
    /// It has to be equal to this.
    Known(Id),
    Pair(Box<(Pattern, Pattern)>),
    Record(Vec<Pattern>),
    /// A value that this constructor made of something.
    Constructed(Box<(Value, Pattern)>),
    /// A sequence of so many elements.
    Sequence(Vec<Pattern>),
    /// An element so many places on from another one.
    Shifted(Box<Shifted>),
}

#[derive(Clone, Debug)]
pub struct Shifted {
    pub pattern: Pattern,
    pub by: i64,
    /// The first point of the sort, and how many there are.
    pub sort: (u32, u32),
}

#[derive(Clone, Debug)]
pub enum PlanStep {
    Test(Id),
    Match(Pattern, Id),
    /// Each element of a finite set.
    Each(Pattern, Id),
    /// The same with what was tested next; made when the plan is finished.
    Sifted(Box<Sifted>),
    /// Each number that is at least all of the first and at most all of the others.
    Range {
        slot: Slot,
        low: Vec<Id>,
        high: Vec<Id>,
    },
    Subsets(Box<Subsets>),
    Functions(Box<Functions>),
    /// Sequences over a set, from shorter to longer ones.
    Sequences {
        slot: Slot,
        of: Id,
        injective: bool,
        low: Vec<Id>,
        high: Vec<Id>,
    },
    /// Each of these instead of what would follow.
    Branch(Vec<Vec<PlanStep>>),
    Guarded(Box<Guarded>),
    /// These parts of conjuncts have to be defined; else there is no solution.
    Defined(Vec<Id>),
    /// The step after this one does not try all values of the name: the run is incomplete.
    Cut(Slot),
    /// Something is undefined, and nothing else bounds the names that are left: whatever they are, it is not certain.
    MayBeUndefined,
}

impl PlanStep {
    /// Are images of points taken from a part of an infinite set, unless they are prescribed?
    pub fn may_cut(&self) -> bool {
        matches!(self, PlanStep::Functions(job) if job.is_wider && job.to.is_some())
    }
}

/// A step that takes values from conjuncts which may be undefined.
#[derive(Clone, Debug)]
pub struct Guarded {
    /// What has to be defined before values may be left out.
    pub asks: Vec<Id>,
    pub step: PlanStep,
    /// Instead of the step and what follows, where something is undefined: these conjuncts are tests there.
    pub otherwise: Vec<PlanStep>,
}

/// The subsets of a finite set, element by element.
#[derive(Clone, Debug)]
pub struct Subsets {
    pub slot: Slot,
    pub of: Id,
    /// Elements, and sets of elements, that are in it in any case.
    pub members: Vec<Id>,
    pub parts: Vec<Id>,
    /// Elements that are not.
    pub strangers: Vec<Id>,
    /// Conditions that can be false before the set is complete.
    pub watched: Vec<Id>,
}

/// The functions between two finite sets, point by point.
#[derive(Clone, Debug)]
pub struct Functions {
    pub slot: Slot,
    pub from: Id,
    /// The images of points of which nothing is prescribed. None: there must not be any.
    pub to: Option<Id>,
    /// The target as it is written, and whether it has more elements than `to`.
    pub space: Id,
    pub is_wider: bool,
    pub demands: Arrow,
    pub required: Vec<Required>,
    pub watched: Vec<Id>,
}

/// Points that match the pattern, if the condition holds then, have this image, or one in this set.
#[derive(Clone, Debug)]
pub struct Required {
    pub argument: Pattern,
    pub condition: Option<Id>,
    pub image: Id,
    pub is_set: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub steps: Vec<PlanStep>,
    /// May one valuation be found more than once?
    pub repeats: bool,
}

#[derive(Clone, Debug)]
pub enum Sub {
    Assign(Vec<Slot>, Vec<Id>),
    Parallel(Vec<u32>),
    Sequence(Vec<u32>),
    Choose { condition: Id, plan: u32, body: u32 },
    Alternatives(Vec<(Id, u32)>, Option<u32>),
    If(Vec<(Id, u32)>, u32),
    Demand { is_precondition: bool, condition: Id, body: u32 },
    Local(Vec<Slot>, u32),
    While { test: Id, body: u32, invariant: Id, variant: Id },
}
