//! Permutations of points inside nested values: for machines of sets.
//!
//! In: states whose slots hold values (`machine::values`), a group on the points. `nested` is the `GroupAction` for the
//! searches of `points`, with one `sketch` for each value (`flat`: for most of them); `graph` is the state as a graph for
//! nauty; `marker` is the approximate method, and `precision` says when it is exact.

mod exchanges;
mod flat;
mod graph;
mod marker;
mod nested;
mod precision;
mod remembered;
mod sketch;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub use graph::Encoding;
use hashbrown::HashMap;
use marker::Markers;
use nested::Nested;
use num_bigint::BigUint;
pub use precision::MarkedType;
use precision::Reading;

use super::points::{self, PointCanonicaliser};
use super::{Buffers, Cancel, Canonicaliser, MarkerOptions, Method, SearchCost, Stabiliser};
use crate::group::Group;
use crate::kinds::machine::values::{Packing, Value, Values};
use crate::perm::Perm;

/// What is known of values is forgotten beyond so many.
const MAX_PRECISE: usize = 1 << 20;

/// The group that acts on the states of a machine.
pub struct PointGroup<'a> {
    pub group: &'a Group,
    /// Pairs of points that the group maps to such pairs (successors in cyclic sorts).
    pub kept: &'a [(u32, u32)],
    /// Is it all permutations that keep its orbits and `kept`?
    pub whole: bool,
}

pub struct ValuesCanonicaliser {
    inner: PointCanonicaliser<Nested>,
    /// Can markers be exact? Only if the group is all permutations of its orbits.
    markers_may_be_exact: bool,
    /// By slot: did it hold a value that markers do not determine?
    imprecise: Vec<AtomicBool>,
}

pub struct Scratch {
    inner: points::Scratch<Nested>,
    marker: marker::Workspace,
    /// The marker written last, and of which state it is.
    words: Vec<u32>,
    marked: Vec<u64>,
    other_words: Vec<u32>,
    /// By value: do markers determine it?
    precise: HashMap<Value, bool>,
}

impl Buffers for Scratch {
    fn is_cancelled(&self) -> bool {
        self.inner.is_cancelled()
    }
}

impl ValuesCanonicaliser {
    /// `packing`: by slot, how it holds its value.
    pub fn new(
        method: Method,
        values: Arc<Values>,
        packing: &[Packing],
        symmetry: &PointGroup,
        encoding: Encoding,
        stats: bool,
    ) -> Self {
        let PointGroup { group, kept, whole } = *symmetry;
        let nested = Nested::new(values, packing, group, kept, encoding);
        ValuesCanonicaliser {
            inner: PointCanonicaliser::of(method, nested, group, stats),
            markers_may_be_exact: whole && kept.is_empty(),
            imprecise: packing.iter().map(|_| AtomicBool::new(false)).collect(),
        }
    }

    /// Slots that held values which markers do not determine (where the method is `Marker`).
    pub fn imprecise_slots(&self) -> Vec<usize> {
        let is_imprecise = |slot: &usize| self.imprecise[*slot].load(Ordering::Relaxed);
        (0..self.imprecise.len()).filter(is_imprecise).collect()
    }

    /// Do markers determine this state? Then states with the same marker are equivalent to it: values with equal markers
    /// have the same shape, so markers determine the other state, too.
    pub fn is_precise(&self, state: &[u64], scratch: &mut Scratch) -> bool {
        let Some(options) = self.marker_options() else { return true };
        let mut values = self.inner.action().unpacked(state);
        self.markers_may_be_exact && values.all(|value| self.is_determined(options, value, scratch))
    }

    fn is_determined(&self, options: MarkerOptions, value: Value, scratch: &mut Scratch) -> bool {
        let nested = self.inner.action();
        if !nested.values.has_points(value) {
            return true;
        }
        if scratch.precise.len() > MAX_PRECISE {
            scratch.precise.clear();
        }
        *scratch
            .precise
            .entry(value)
            .or_insert_with(|| Reading { nested, widened: options.widened }.is_determined(value))
    }

    /// Vertices and arcs of the state's layered graph (Spermann 2009, Tables C.1 and C.2).
    pub fn graph_size(&self, state: &[u64]) -> (usize, usize) {
        graph::size(self.inner.action(), state)
    }

    fn marker_options(&self) -> Option<MarkerOptions> {
        match self.method() {
            Method::Marker(options) | Method::Hybrid(options) => Some(options),
            _ => None,
        }
    }

    /// Writes the marker of a state, unless it is there.
    fn mark(&self, options: MarkerOptions, state: &[u64], scratch: &mut Scratch) {
        if scratch.words.is_empty() || scratch.marked != state {
            scratch.marked.clear();
            scratch.marked.extend_from_slice(state);
            self.markers(options).write(state, &mut scratch.marker, &mut scratch.words);
        }
    }

    fn markers(&self, options: MarkerOptions) -> Markers<'_> {
        Markers::new(self.inner.action(), options)
    }

    /// A new state `b` is compared with several stored ones, so its marker is kept.
    fn marked_alike(&self, options: MarkerOptions, a: &[u64], b: &[u64], scratch: &mut Scratch) -> bool {
        self.mark(options, b, scratch);
        self.markers(options).write(a, &mut scratch.marker, &mut scratch.other_words);
        scratch.words == scratch.other_words
    }

    /// A slot that was imprecise once is not tested again.
    fn note_precision(&self, options: MarkerOptions, state: &[u64], scratch: &mut Scratch) {
        for (value, imprecise) in self.inner.action().unpacked(state).zip(&self.imprecise) {
            if !imprecise.load(Ordering::Relaxed) && !self.is_determined(options, value, scratch) {
                imprecise.store(true, Ordering::Relaxed);
            }
        }
    }
}

impl Canonicaliser for ValuesCanonicaliser {
    type Scratch = Scratch;

    fn method(&self) -> Method {
        self.inner.method()
    }

    fn reduces(&self) -> bool {
        self.inner.reduces()
    }

    fn is_exact(&self) -> bool {
        match self.method() {
            Method::Representative { .. } => !self.reduces(),
            Method::Marker(_) => {
                !self.reduces() || self.markers_may_be_exact && self.imprecise_slots().is_empty()
            }
            _ => true,
        }
    }

    fn keeps_stats(&self) -> bool {
        self.inner.keeps_stats()
    }

    fn group_order(&self) -> BigUint {
        self.inner.group_order()
    }

    fn points(&self) -> usize {
        self.inner.points()
    }

    fn scratch(&self, cancel: &Cancel) -> Scratch {
        Scratch {
            inner: self.inner.scratch(cancel),
            marker: marker::Workspace::default(),
            words: Vec::new(),
            marked: Vec::new(),
            other_words: Vec::new(),
            precise: HashMap::new(),
        }
    }

    fn canonicalise(&self, state: &mut [u64], scratch: &mut Scratch) -> SearchCost {
        self.inner.canonicalise(state, &mut scratch.inner)
    }

    fn canonical_form(&self, state: &mut [u64], scratch: &mut Scratch) {
        self.inner.canonical_form(state, &mut scratch.inner);
    }

    fn invariant(&self, state: &[u64], scratch: &mut Scratch) -> u64 {
        let Some(options) = self.marker_options() else {
            return self.inner.invariant(state, &mut scratch.inner);
        };
        if matches!(self.method(), Method::Marker(_)) {
            self.note_precision(options, state, scratch);
        }
        self.mark(options, state, scratch);
        marker::hash(&scratch.words)
    }

    fn equivalent(&self, a: &[u64], b: &[u64], scratch: &mut Scratch) -> bool {
        if a == b {
            return true;
        }
        let Some(options) = self.marker_options() else {
            return self.inner.equivalent(a, b, &mut scratch.inner);
        };
        let alike = self.marked_alike(options, a, b, scratch);
        match self.method() {
            Method::Hybrid(_) if alike && !self.is_precise(b, scratch) => {
                self.inner.equivalent(a, b, &mut scratch.inner)
            }
            _ => alike,
        }
    }

    fn witness(&self, from: &[u64], to: &[u64], scratch: &mut Scratch, images: &mut Vec<u32>) -> bool {
        self.inner.witness(from, to, &mut scratch.inner, images)
    }

    fn stabiliser<'s>(&self, state: &[u64], scratch: &'s mut Scratch) -> &'s Stabiliser {
        self.inner.stabiliser(state, &mut scratch.inner)
    }

    fn generators(&self) -> usize {
        self.inner.generators()
    }

    fn generator(&self, number: usize) -> &Perm {
        self.inner.generator(number)
    }

    fn moved_by(&self, element: &[u32], state: &[u64], image: &mut [u64]) {
        self.inner.moved_by(element, state, image);
    }
}
