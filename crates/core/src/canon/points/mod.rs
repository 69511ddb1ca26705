//! Canonical forms under groups that act on points, for states of any kind: the search tree, stabilisers and equivalence.
//!
//! In: a group on points, and by `GroupAction` how an element acts on a state and which points a state distinguishes. `data`
//! is for slots that move with points, `values` for slots that hold nested values. Out: the `Canonicaliser` of both.

mod colours;
mod isomorphism;
mod search;
mod twins;

pub use colours::Colours;
use isomorphism::{Isomorphism, Settling};
use num_bigint::BigUint;
use search::{Factors, Search, SearchExtent};
use twins::Twins;

use super::{Buffers, Cancel, Canonicaliser, Guide, Hardness, Method, SearchCost, Stabiliser};
use crate::group::{Chain, Group};
use crate::perm::Perm;

/// A kind of states. Points are positions in the group's base; points that never move are no business of it.
pub trait GroupAction: Sync {
    /// Buffers of one thread.
    type Memory: Send;

    fn memory(&self) -> Self::Memory;

    fn slots(&self) -> usize;

    /// g s, for g given by its images.
    fn apply(&self, images: &[u32], values: &[u64], moved: &mut [u64], memory: &mut Self::Memory);

    /// The same without buffers.
    fn moved_by(&self, images: &[u32], values: &[u64], moved: &mut [u64]);

    /// Does the one state come before the other in an order that is the same in every process?
    fn precedes(&self, a: &[u64], b: &[u64]) -> bool {
        a < b
    }

    /// Does g leave the state as it is? `support`: the points it moves.
    fn fixes(&self, images: &[u32], support: &[u32], values: &[u64], memory: &mut Self::Memory) -> bool;

    /// The next states differ little from this one.
    fn prime(&self, _values: &[u64], _memory: &mut Self::Memory) {}

    /// The colours before those of other points contribute.
    fn start(&self, values: &[u64], colours: &mut Colours, memory: &mut Self::Memory);

    /// Rounds of refinement until there are no more new colours; how many there are.
    fn settle(&self, values: &[u64], colours: &mut Colours, memory: &mut Self::Memory) -> usize;

    /// The same, of the colours that `start` just gave.
    fn settle_first(&self, values: &[u64], colours: &mut Colours, memory: &mut Self::Memory) -> usize {
        self.settle(values, colours, memory)
    }

    /// Numbers the points canonically, in place of their settled colours; the nodes of nauty's search tree, 1 where it was
    /// not needed.
    fn number(&self, values: &[u64], colours: &mut Colours, memory: &mut Self::Memory) -> u64;

    /// A hash of what touches no point: equal for equivalent states.
    fn fixed_hash(&self, values: &[u64], memory: &mut Self::Memory) -> u64;

    /// Do the two states agree on everything that no element of the group changes?
    fn agrees_on_fixed(&self, a: &[u64], b: &[u64], memory: &mut Self::Memory) -> bool;
}

pub struct PointCanonicaliser<A: GroupAction> {
    method: Method,
    chain: Chain,
    factors: Factors,
    action: A,
    twins: Twins,
    generators: Vec<Perm>,
    stats: bool,
}

pub struct Scratch<A: GroupAction> {
    pub(super) colours: Colours,
    pub(super) memory: A::Memory,
    other_colours: Vec<u64>,
    search: search::Workspace,
    isomorphism: isomorphism::Workspace,
    twins: twins::Workspace,
    stabiliser: Stabiliser,
    cancel: Cancel,
}

impl<A: GroupAction> Buffers for Scratch<A> {
    fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }
}

/// The refined colours of a state; how many there are.
fn settled<A: GroupAction>(
    action: &A,
    values: &[u64],
    colours: &mut Colours,
    memory: &mut A::Memory,
) -> usize {
    action.start(values, colours, memory);
    action.settle_first(values, colours, memory)
}

impl<A: GroupAction> PointCanonicaliser<A> {
    pub(super) fn of(method: Method, action: A, group: &Group, stats: bool) -> Self {
        let chain = group.chain().clone();
        PointCanonicaliser {
            method,
            generators: chain.localised(group.generators()),
            twins: Twins::new(group),
            factors: Factors::of(group),
            chain,
            action,
            stats,
        }
    }

    pub(super) fn action(&self) -> &A {
        &self.action
    }

    fn search(&self, extent: SearchExtent, values: &mut [u64], scratch: &mut Scratch<A>) -> SearchCost {
        let Scratch { colours, memory, search, twins, .. } = scratch;
        let mut cells = 0;
        if !extent.everything {
            cells = settled(&self.action, values, colours, memory);
        }
        let whole_path = self.chain.levels().len() as u64;
        if cells == self.chain.moved() {
            self.tree(extent).walk(values, colours, search, memory);
            values.copy_from_slice(search.best());
            return SearchCost { hardness: Hardness::Trivial, nodes: whole_path };
        }
        if !extent.everything && self.twins.cover_ties(&self.action, values, colours, twins, memory) {
            self.tree(extent).walk(values, colours, search, memory);
            values.copy_from_slice(search.best());
            return SearchCost { hardness: Hardness::Easy, nodes: whole_path };
        }
        let found = self.tree(extent).run(values, colours, search, memory);
        values.copy_from_slice(search.best());
        // Trivial means a discrete partition (7.4.2), which is more than a single compatible element.
        let hardness = match found.hardness {
            Hardness::Trivial => Hardness::Easy,
            other => other,
        };
        SearchCost { hardness, nodes: found.nodes }
    }

    fn tree(&self, extent: SearchExtent) -> Search<'_, A> {
        Search { chain: &self.chain, factors: &self.factors, action: &self.action, extent }
    }

    fn isomorphism(&self) -> Isomorphism<'_, A> {
        Isomorphism { chain: &self.chain, action: &self.action }
    }

    fn label(&self, values: &mut [u64], scratch: &mut Scratch<A>) -> SearchCost {
        let Scratch { colours, memory, search, .. } = scratch;
        settled(&self.action, values, colours, memory);
        let nodes = self.action.number(values, colours, memory);
        // The numbers are all different, so there is one path, and no colour settles any further.
        let extent = SearchExtent { refines: false, ..SearchExtent::CANONICAL };
        self.tree(extent).run(values, colours, search, memory);
        values.copy_from_slice(search.best());
        SearchCost { hardness: if nodes == 1 { Hardness::Trivial } else { Hardness::Hard }, nodes }
    }

    fn isomorphic(&self, a: &[u64], b: &[u64], scratch: &mut Scratch<A>) -> bool {
        let Scratch { colours, memory, other_colours, isomorphism, .. } = scratch;
        if !self.action.agrees_on_fixed(a, b, memory) {
            return false;
        }
        settled(&self.action, a, colours, memory);
        let summary = colours.summary();
        other_colours.copy_from_slice(&colours.current);
        settled(&self.action, b, colours, memory);
        if colours.summary() != summary {
            return false;
        }
        let to_colours = colours.current.clone();
        let mut settling = Settling::<A> { colours, memory };
        self.isomorphism().exists((a, other_colours), (b, &to_colours), &mut settling, isomorphism)
    }
}

impl<A: GroupAction> Canonicaliser for PointCanonicaliser<A> {
    type Scratch = Scratch<A>;

    fn method(&self) -> Method {
        self.method
    }

    fn reduces(&self) -> bool {
        self.method != Method::None && !self.chain.levels().is_empty()
    }

    fn keeps_stats(&self) -> bool {
        self.stats
    }

    fn group_order(&self) -> BigUint {
        self.chain.order()
    }

    fn points(&self) -> usize {
        self.chain.moved()
    }

    fn scratch(&self, cancel: &Cancel) -> Scratch<A> {
        let slots = self.action.slots();
        Scratch {
            colours: Colours::new(self.chain.moved()),
            memory: self.action.memory(),
            other_colours: vec![0; self.chain.moved()],
            search: search::Workspace::new(&self.chain, slots, cancel),
            twins: self.twins.workspace(),
            stabiliser: Stabiliser::default(),
            isomorphism: isomorphism::Workspace::new(&self.chain, slots, cancel),
            cancel: cancel.clone(),
        }
    }

    fn canonicalise(&self, values: &mut [u64], scratch: &mut Scratch<A>) -> SearchCost {
        let refines = |guide: Guide| guide != Guide::Partition;
        if self.chain.levels().is_empty() {
            return SearchCost { hardness: Hardness::Trivial, nodes: 0 };
        }
        match self.method {
            Method::None | Method::Flood | Method::Compare | Method::Marker(_) | Method::Hybrid(_) => {
                SearchCost { hardness: Hardness::Trivial, nodes: 0 }
            }
            Method::Minimise => {
                let extent = SearchExtent { refines: false, everything: true, ..SearchExtent::CANONICAL };
                self.search(extent, values, scratch)
            }
            Method::Search { guide, .. } => self.search(
                SearchExtent { refines: refines(guide), ..SearchExtent::CANONICAL },
                values,
                scratch,
            ),
            Method::Representative { guide, budget, .. } => {
                // One path (A17). Without new colours on the way (A15) any leaf will do as well: the better of the first few.
                let few = (guide == Guide::Partition).then_some(self.chain.levels().len() as u64);
                let budget = budget.or(few);
                let extent = SearchExtent {
                    refines: refines(guide),
                    first_leaf_only: budget.is_none(),
                    budget: budget.unwrap_or(u64::MAX),
                    ..SearchExtent::CANONICAL
                };
                self.search(extent, values, scratch)
            }
            Method::Nauty => self.label(values, scratch),
        }
    }

    fn canonical_form(&self, values: &mut [u64], scratch: &mut Scratch<A>) {
        if !self.chain.levels().is_empty() {
            self.search(SearchExtent::CANONICAL, values, scratch);
        }
    }

    fn invariant(&self, values: &[u64], scratch: &mut Scratch<A>) -> u64 {
        let Scratch { colours, memory, .. } = scratch;
        settled(&self.action, values, colours, memory);
        colours.summary().wrapping_add(self.action.fixed_hash(values, memory))
    }

    fn equivalent(&self, a: &[u64], b: &[u64], scratch: &mut Scratch<A>) -> bool {
        a == b || self.isomorphic(a, b, scratch)
    }

    fn witness(&self, from: &[u64], to: &[u64], scratch: &mut Scratch<A>, images: &mut Vec<u32>) -> bool {
        images.clear();
        if from == to {
            images.extend(0..self.chain.moved() as u32);
            return true;
        }
        let found = self.isomorphic(from, to, scratch);
        images.extend_from_slice(scratch.isomorphism.element());
        found
    }

    fn stabiliser<'s>(&self, values: &[u64], scratch: &'s mut Scratch<A>) -> &'s Stabiliser {
        let Scratch { colours, memory, isomorphism, twins, stabiliser, .. } = scratch;
        // The steps of the state come next.
        self.action.prime(values, memory);
        settled(&self.action, values, colours, memory);
        if self.twins.cover_ties(&self.action, values, colours, twins, memory) {
            self.twins.stabiliser(twins, stabiliser);
            return stabiliser;
        }
        self.isomorphism().stabiliser(values, &mut Settling { colours, memory }, isomorphism)
    }

    fn generators(&self) -> usize {
        self.generators.len()
    }

    fn generator(&self, number: usize) -> &Perm {
        &self.generators[number]
    }

    fn moved_by(&self, element: &[u32], values: &[u64], image: &mut [u64]) {
        self.action.moved_by(element, values, image);
    }
}
