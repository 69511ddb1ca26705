//! Permutations of points that move slots and rename what they hold: for typed programs of any language.
//!
//! In: the shape of a state, a group on its points. The colours of `refine` steer the tree of `search`; `isomorphism` gives
//! stabilisers and equivalence; `labelling` asks nauty instead.

mod action;
mod isomorphism;
mod labelling;
mod refine;
mod search;
mod twins;

use action::Action;
use isomorphism::Isomorphism;
use num_bigint::BigUint;
use refine::{Colours, Refiner};
use search::{Extent, Search};
use twins::Twins;

use super::{Buffers, Canonicaliser, Guide, Hardness, Method, Patience, Stabiliser, Verdict};
use crate::group::{Chain, Group};
use crate::random::mix;
use crate::shape::Shape;

pub struct DataCanonicaliser {
    method: Method,
    chain: Chain,
    action: Action,
    refiner: Refiner,
    twins: Twins,
    generators: Vec<Vec<u32>>,
    /// Slots that no element changes.
    fixed: Vec<u32>,
    slots: usize,
    stats: bool,
}

pub struct Scratch {
    colours: Colours,
    other_colours: Vec<u64>,
    search: search::Workspace,
    isomorphism: isomorphism::Workspace,
    twins: twins::Workspace,
    stabiliser: Stabiliser,
    patience: Patience,
}

impl Buffers for Scratch {
    fn is_impatient(&self) -> bool {
        self.patience.has_ended()
    }
}

impl DataCanonicaliser {
    /// `kept`: pairs of points that the group maps to such pairs (successors in cyclic sorts).
    pub fn new(method: Method, shape: &Shape, group: &Group, kept: &[(u32, u32)], stats: bool) -> Self {
        let chain = group.chain().clone();
        let action = Action::new(shape, chain.points());
        let minima = group.orbit_minima();
        let orbits: Vec<u32> = chain.points().iter().map(|&point| minima[point as usize]).collect();
        let local = |point: u32| action.local(point);
        let kept: Vec<(u32, u32)> = kept.iter().filter_map(|&(a, b)| Some((local(a)?, local(b)?))).collect();
        let mut moves = vec![false; shape.slots.len()];
        action.movable.iter().for_each(|each| moves[each.slot as usize] = true);
        DataCanonicaliser {
            method,
            generators: chain.localised(group.generators()),
            twins: Twins::new(group),
            refiner: Refiner::new(shape, &action, &orbits, kept),
            fixed: (0..moves.len() as u32).filter(|&slot| !moves[slot as usize]).collect(),
            slots: shape.slots.len(),
            chain,
            action,
            stats,
        }
    }

    fn search(&self, extent: Extent, values: &mut [u64], scratch: &mut Scratch) -> Verdict {
        let Scratch { colours, search, twins, .. } = scratch;
        let mut cells = 0;
        if !extent.everything {
            self.refiner.start(&self.action, values, colours);
            cells = self.refiner.settle(&self.action, values, colours);
        }
        if cells == self.chain.moved() {
            self.tree(extent).walk(values, colours, search);
            values.copy_from_slice(search.best());
            return Verdict { hardness: Hardness::Trivial, nodes: self.chain.levels().len() as u64 };
        }
        if !extent.everything && self.twins.cover_ties(&self.action, values, colours, twins) {
            self.tree(extent).walk(values, colours, search);
            values.copy_from_slice(search.best());
            return Verdict { hardness: Hardness::Easy, nodes: self.chain.levels().len() as u64 };
        }
        let found = self.tree(extent).run(values, colours, search);
        values.copy_from_slice(search.best());
        // Trivial means a discrete partition (7.4.2), which is more than a single compatible element.
        let hardness = match found.hardness {
            Hardness::Trivial => Hardness::Easy,
            other => other,
        };
        Verdict { hardness, nodes: found.nodes }
    }

    fn tree(&self, extent: Extent) -> Search<'_> {
        Search { chain: &self.chain, action: &self.action, refiner: &self.refiner, extent }
    }

    fn isomorphism(&self) -> Isomorphism<'_> {
        Isomorphism { chain: &self.chain, action: &self.action, refiner: &self.refiner }
    }

    fn label(&self, values: &mut [u64], scratch: &mut Scratch) -> Verdict {
        let Scratch { colours, search, .. } = scratch;
        self.refiner.start(&self.action, values, colours);
        self.refiner.settle(&self.action, values, colours);
        let nodes = labelling::label(&self.refiner, &self.action, values, colours);
        // The numbers are all different, so there is one path, and no colour settles any further.
        let extent = Extent { refines: false, ..Extent::CANONICAL };
        self.tree(extent).run(values, colours, search);
        values.copy_from_slice(search.best());
        Verdict { hardness: if nodes == 1 { Hardness::Trivial } else { Hardness::Hard }, nodes }
    }
}

impl Canonicaliser for DataCanonicaliser {
    type Scratch = Scratch;

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

    fn scratch(&self, patience: &Patience) -> Scratch {
        Scratch {
            colours: self.refiner.colours(),
            other_colours: vec![0; self.chain.moved()],
            search: search::Workspace::new(&self.chain, self.slots, patience),
            twins: self.twins.workspace(),
            stabiliser: Stabiliser::default(),
            isomorphism: isomorphism::Workspace::new(&self.chain, self.slots, patience),
            patience: patience.clone(),
        }
    }

    fn canonicalise(&self, values: &mut [u64], scratch: &mut Scratch) -> Verdict {
        let refines = |guide: Guide| guide != Guide::Partition;
        if self.chain.levels().is_empty() {
            return Verdict { hardness: Hardness::Trivial, nodes: 0 };
        }
        match self.method {
            Method::None | Method::Flood | Method::Compare => {
                Verdict { hardness: Hardness::Trivial, nodes: 0 }
            }
            Method::Minimise => {
                let extent = Extent { refines: false, everything: true, ..Extent::CANONICAL };
                self.search(extent, values, scratch)
            }
            Method::Search { guide, .. } => {
                self.search(Extent { refines: refines(guide), ..Extent::CANONICAL }, values, scratch)
            }
            Method::Representative { guide, budget, .. } => {
                // One path (A17). Without new colours on the way (A15) any leaf will do as well: the better of the first few.
                let few = (guide == Guide::Partition).then_some(self.chain.levels().len() as u64);
                let budget = budget.or(few);
                let extent = Extent {
                    refines: refines(guide),
                    first_leaf_only: budget.is_none(),
                    budget: budget.unwrap_or(u64::MAX),
                    ..Extent::CANONICAL
                };
                self.search(extent, values, scratch)
            }
            Method::Nauty => self.label(values, scratch),
        }
    }

    fn canonical_form(&self, values: &mut [u64], scratch: &mut Scratch) {
        if !self.chain.levels().is_empty() {
            self.search(Extent::CANONICAL, values, scratch);
        }
    }

    fn invariant(&self, values: &[u64], scratch: &mut Scratch) -> u64 {
        self.refiner.start(&self.action, values, &mut scratch.colours);
        self.refiner.settle(&self.action, values, &mut scratch.colours);
        let told = scratch.colours.summary().wrapping_add(self.refiner.aside(&self.action, values));
        self.fixed
            .iter()
            .fold(told, |hash, &slot| mix(hash ^ values[slot as usize].wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    fn equivalent(&self, a: &[u64], b: &[u64], scratch: &mut Scratch) -> bool {
        if self.fixed.iter().any(|&slot| a[slot as usize] != b[slot as usize]) {
            return false;
        }
        let Scratch { colours, other_colours, isomorphism, .. } = scratch;
        self.refiner.start(&self.action, a, colours);
        self.refiner.settle(&self.action, a, colours);
        let summary = colours.summary();
        other_colours.copy_from_slice(&colours.current);
        self.refiner.start(&self.action, b, colours);
        self.refiner.settle(&self.action, b, colours);
        if colours.summary() != summary {
            return false;
        }
        let to_colours = colours.current.clone();
        self.isomorphism().exists((a, other_colours), (b, &to_colours), colours, isomorphism)
    }

    fn stabiliser<'s>(&self, values: &[u64], scratch: &'s mut Scratch) -> &'s Stabiliser {
        let Scratch { colours, isomorphism, twins, stabiliser, .. } = scratch;
        self.refiner.start(&self.action, values, colours);
        self.refiner.settle(&self.action, values, colours);
        if self.twins.cover_ties(&self.action, values, colours, twins) {
            self.twins.stabiliser(twins, stabiliser);
            return stabiliser;
        }
        self.isomorphism().stabiliser(values, colours, isomorphism)
    }

    fn generators(&self) -> usize {
        self.generators.len()
    }

    fn moved_by(&self, generator: usize, values: &[u64], image: &mut [u64]) {
        self.action.apply(&self.generators[generator], values, image);
    }
}
