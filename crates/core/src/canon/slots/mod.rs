//! Permutations of slots: for nets, whose symmetries move numbers and rename nothing.
//!
//! In: the values of a state, a group as a Schreier-Sims chain in slot order, the structure the group keeps. The chain is
//! searched by `search` under colours from `refine` (A8, A9, A10, A12), or the state is labelled by nauty (A7). What are direct
//! factors made of blocks is sorted instead (`sorting`): direct factors move disjoint slots, so that each gives its part of the
//! representative, and of the stabiliser, by itself.

mod equivalence;
mod labelling;
mod listing;
mod refine;
mod search;
mod sorting;
mod thin;

pub(crate) use refine::{Colours, Refiner, fold};

use std::ops::Range;

use equivalence::Equivalence;
use labelling::Labelling;
use listing::Listing;
use num_bigint::BigUint;
use search::Search;

use super::{Buffers, Cancel, Canonicaliser, Guide, Hardness, Method, SearchCost, Selector, Stabiliser};
use crate::group::{Blocks, Chain, Group};
use crate::perm::Perm;
use crate::random::mix;
use crate::structure::Structure;

/// In a chain of at most so many levels, looking at all children is cheaper than the fixpoint of refinement, which on a
/// ring takes as many rounds as the ring is long.
const SHALLOW: usize = 2;
/// Up to so many candidates for stabilisers are tried without more refinement.
const FEW_CANDIDATES: u64 = 1000;

pub struct SlotCanonicaliser {
    method: Method,
    order: BigUint,
    /// Of the direct factor that is searched; it moves the first slots.
    chain: Chain,
    /// Its elements, where all are gone through.
    listing: Option<Listing>,
    /// The other factors.
    blocks: Vec<Blocks>,
    /// The slots that the group moves come first.
    moved: usize,
    refiner: Refiner,
    labelling: Option<Labelling>,
    stats: bool,
    generators: Vec<Perm>,
}

/// Buffers of one thread; nothing is allocated per state.
pub struct Scratch {
    colours: refine::Colours,
    search: search::Workspace,
    equivalence: equivalence::Workspace,
    labelling: Option<labelling::Workspace>,
    image: Vec<u64>,
    other_colours: refine::Colours,
    sorting: sorting::Workspace,
    listing: listing::Workspace,
    changed: Range<usize>,
    stabiliser: Stabiliser,
    witness: Vec<u32>,
    cancel: Cancel,
}

impl Buffers for Scratch {
    fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }
}

impl SlotCanonicaliser {
    /// The group's base numbers the slots: position x of its chain is slot x, so the first slots are those it moves.
    /// `orbits` names the orbit of each slot; `structure`, over the same slots, is what the group keeps. `stats`: classify every state, which costs a full refinement.
    pub fn new(
        method: Method,
        group: &Group,
        orbits: &[u32],
        structure: &Structure,
        stats: bool,
    ) -> SlotCanonicaliser {
        let moved = group.chain().moved();
        let generators = group.chain().localised(group.generators());
        // nauty labels all slots, and statistics tell what searching all of them would cost.
        let sorts = !stats && method != Method::Nauty;
        let (chain, blocks) = match group.rest_chain() {
            Some(chain) if sorts => (chain, group.blocks().to_vec()),
            _ => (group.chain().clone(), Vec::new()),
        };
        // The factor that is searched leaves the slots of the others where they are. Those behind them never change: elements are
        // symmetries only together with some permutation of these.
        let of_others = chain.moved()..moved;
        let stays = |slot: usize| (slot + orbits.len()) as u32;
        let names =
            |(slot, &orbit): (usize, &u32)| if of_others.contains(&slot) { stays(slot) } else { orbit };
        let own_orbits: Vec<u32> = orbits.iter().enumerate().map(names).collect();
        let refiner = Refiner::new(structure, chain.moved(), &own_orbits);
        let labelling = matches!(method, Method::Nauty).then(|| Labelling::new(structure, orbits));
        let order = group.order().clone();
        let listing = if sorts { Listing::of(&chain) } else { None };
        SlotCanonicaliser {
            method,
            order,
            chain,
            listing,
            blocks,
            moved,
            refiner,
            labelling,
            stats,
            generators,
        }
    }

    /// Widens `scratch.changed` by the slots that change.
    fn sort(&self, values: &mut [u64], scratch: &mut Scratch) {
        let Scratch { sorting, changed, .. } = scratch;
        for blocks in &self.blocks {
            sorting::sort(blocks, 0, values, changed, sorting);
        }
    }

    /// The part of the representative that is searched for.
    fn search_rest(&self, values: &mut [u64], scratch: &mut Scratch) -> SearchCost {
        if self.chain.levels().is_empty() {
            return SearchCost { hardness: Hardness::Trivial, nodes: 0 };
        }
        if let (Some(listing), true) = (&self.listing, self.lists()) {
            if listing.minimise(values, &mut scratch.listing) {
                scratch.changed = 0..self.chain.moved();
            }
            return SearchCost { hardness: Hardness::Easy, nodes: listing.count() };
        }
        scratch.changed = 0..self.chain.moved();
        match self.method {
            Method::None | Method::Flood | Method::Compare | Method::Marker(_) | Method::Hybrid(_) => {
                SearchCost { hardness: Hardness::Trivial, nodes: 0 }
            }
            Method::Minimise => {
                self.search(Search::whole_group(&self.chain), Guide::Marking, values, scratch)
            }
            Method::Search { guide, selector } => {
                self.search(Search::canonical(&self.chain, selector), guide, values, scratch)
            }
            Method::Representative { guide, selector, budget } => {
                self.search(Search::bounded(&self.chain, selector, budget), guide, values, scratch)
            }
            Method::Nauty => self.label(values, scratch),
        }
    }

    /// Does the method ask for the smallest of some images?
    fn lists(&self) -> bool {
        matches!(self.method, Method::Minimise | Method::Search { .. })
    }

    /// Looks for an element that maps `a` to `b`, and leaves it in `scratch.witness`.
    fn relate(&self, a: &[u64], b: &[u64], scratch: &mut Scratch) -> bool {
        if a[self.moved..] != b[self.moved..] {
            return false;
        }
        let Scratch { sorting, witness, .. } = scratch;
        witness.clear();
        witness.extend(0..self.moved as u32);
        if !self.blocks.is_empty() && !sorting.relate(&self.blocks, a, b, witness) {
            return false;
        }
        let searched = self.chain.moved();
        if searched == 0 {
            return true;
        }
        self.refiner.refine_quickly(a, &mut scratch.colours);
        self.refiner.refine_quickly(b, &mut scratch.other_colours);
        let search = Equivalence { chain: &self.chain };
        let from = (&a[..searched], scratch.colours.current());
        let to = (&b[..searched], scratch.other_colours.current());
        let found = search.exists(from, to, &mut scratch.equivalence);
        scratch.witness[..searched].copy_from_slice(scratch.equivalence.element());
        found
    }

    fn search(&self, search: Search, guide: Guide, values: &mut [u64], scratch: &mut Scratch) -> SearchCost {
        let moved = self.chain.moved();
        let cost = match guide {
            Guide::Marking => {
                scratch.image.copy_from_slice(&values[..moved]);
                search.run(&values[..moved], &scratch.image, &mut scratch.search)
            }
            Guide::Partition | Guide::Tree => {
                let cells = if self.stats {
                    self.refiner.refine_fully(values, &mut scratch.colours)
                } else {
                    if self.walk_early(&search, values, scratch) {
                        return SearchCost {
                            hardness: Hardness::Trivial,
                            nodes: self.chain.levels().len() as u64,
                        };
                    }
                    if self.chain.levels().len() > SHALLOW {
                        self.refiner.refine_further(&mut scratch.colours)
                    } else {
                        0
                    }
                };
                let found = search.run(&values[..moved], scratch.colours.current(), &mut scratch.search);
                // Here trivial means a discrete partition (4.4.1), which is more than a single compatible element.
                let hardness = match found.hardness {
                    _ if cells == moved => Hardness::Trivial,
                    Hardness::Trivial => Hardness::Easy,
                    other => other,
                };
                SearchCost { hardness, nodes: found.nodes }
            }
        };
        values[..moved].copy_from_slice(scratch.search.best());
        cost
    }

    /// Refines round by round until one element is singled out; false where a few rounds do not suffice. How many were
    /// needed is the same for equivalent states, so the representative found is canonical.
    #[inline]
    fn walk_early(&self, search: &Search, values: &mut [u64], scratch: &mut Scratch) -> bool {
        let moved = self.chain.moved();
        self.refiner.start(values, &mut scratch.colours);
        for _ in 0..refine::QUICK_ROUNDS {
            self.refiner.round(&mut scratch.colours);
            if search.walk(scratch.colours.current(), &mut scratch.search) {
                scratch.search.collect(&values[..moved], &mut scratch.image);
                values[..moved].copy_from_slice(&scratch.image);
                return true;
            }
        }
        false
    }

    fn label(&self, values: &mut [u64], scratch: &mut Scratch) -> SearchCost {
        let moved = self.chain.moved();
        let (Some(labelling), Some(workspace)) = (&self.labelling, &mut scratch.labelling) else {
            return SearchCost { hardness: Hardness::Hard, nodes: 0 };
        };
        let nodes = labelling.run(values, workspace);
        let search = Search::canonical(&self.chain, Selector::Min);
        let unique = search.walk(&workspace.numbers()[..moved], &mut scratch.search);
        debug_assert!(unique, "a canonical labelling numbers every slot differently");
        scratch.search.collect(&values[..moved], &mut scratch.image);
        values[..moved].copy_from_slice(&scratch.image);
        SearchCost { hardness: if nodes == 1 { Hardness::Trivial } else { Hardness::Hard }, nodes }
    }
}

impl Canonicaliser for SlotCanonicaliser {
    type Scratch = Scratch;

    fn method(&self) -> Method {
        self.method
    }

    fn reduces(&self) -> bool {
        self.method != Method::None && self.moved > 0
    }

    fn keeps_stats(&self) -> bool {
        self.stats
    }

    fn group_order(&self) -> BigUint {
        self.order.clone()
    }

    fn points(&self) -> usize {
        self.moved
    }

    fn scratch(&self, cancel: &Cancel) -> Scratch {
        Scratch {
            colours: self.refiner.colours(),
            search: search::Workspace::new(&self.chain, cancel),
            equivalence: equivalence::Workspace::new(&self.chain, cancel),
            labelling: self.labelling.as_ref().map(Labelling::workspace),
            image: vec![0; self.chain.moved()],
            other_colours: self.refiner.colours(),
            sorting: sorting::Workspace::default(),
            listing: listing::Workspace::default(),
            changed: 0..0,
            stabiliser: Stabiliser::default(),
            witness: Vec::new(),
            cancel: cancel.clone(),
        }
    }

    fn canonicalise(&self, values: &mut [u64], scratch: &mut Scratch) -> SearchCost {
        scratch.changed = 0..0;
        let cost = self.search_rest(values, scratch);
        if !matches!(self.method, Method::None | Method::Flood | Method::Compare) {
            self.sort(values, scratch);
        }
        cost
    }

    fn changed(&self, scratch: &Scratch) -> Range<usize> {
        scratch.changed.clone()
    }

    fn canonical_form(&self, values: &mut [u64], scratch: &mut Scratch) {
        if let Some(listing) = &self.listing {
            listing.minimise(values, &mut scratch.listing);
        } else if !self.chain.levels().is_empty() {
            let search = Search::canonical(&self.chain, Selector::LeastUnique);
            self.search(search, Guide::Partition, values, scratch);
        }
        self.sort(values, scratch);
    }

    fn invariant(&self, values: &[u64], scratch: &mut Scratch) -> u64 {
        let searched = self.chain.moved();
        let mut hash = 0;
        if searched > 0 {
            self.refiner.refine_quickly(values, &mut scratch.colours);
            hash = scratch.colours.current().iter().fold(0u64, |sum, &c| sum.wrapping_add(mix(c)));
        }
        let mut others = std::mem::take(&mut scratch.image);
        others.clear();
        others.extend_from_slice(values);
        self.sort(&mut others, scratch);
        let add = |hash: u64, &value: &u64| mix(hash ^ value.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        hash = others[searched..].iter().fold(hash, add);
        others.truncate(searched);
        scratch.image = others;
        hash
    }

    fn equivalent(&self, a: &[u64], b: &[u64], scratch: &mut Scratch) -> bool {
        self.relate(a, b, scratch)
    }

    fn witness(&self, from: &[u64], to: &[u64], scratch: &mut Scratch, images: &mut Vec<u32>) -> bool {
        let found = self.relate(from, to, scratch);
        images.clear();
        images.extend_from_slice(&scratch.witness);
        found
    }

    fn stabiliser<'s>(&self, values: &[u64], scratch: &'s mut Scratch) -> &'s Stabiliser {
        let searched = self.chain.moved();
        let Scratch { stabiliser, equivalence, colours, sorting, listing: listed, .. } = scratch;
        if let Some(listing) = &self.listing {
            listing.stabiliser(values, listed, stabiliser);
        } else if searched == 0 {
            stabiliser.clear();
        } else {
            let search = Equivalence { chain: &self.chain };
            self.refiner.refine_quickly(values, colours);
            if search.candidates(colours.current()) > FEW_CANDIDATES {
                self.refiner.refine_further(colours);
            }
            search.stabiliser(&values[..searched], colours.current(), equivalence, stabiliser);
        }
        sorting.add_stabiliser(&self.blocks, values, stabiliser);
        stabiliser
    }

    fn generators(&self) -> usize {
        self.generators.len()
    }

    fn generator(&self, number: usize) -> &Perm {
        &self.generators[number]
    }

    fn moved_by(&self, element: &[u32], values: &[u64], image: &mut [u64]) {
        image.copy_from_slice(values);
        for (x, &y) in element.iter().enumerate() {
            image[y as usize] = values[x];
        }
    }
}
