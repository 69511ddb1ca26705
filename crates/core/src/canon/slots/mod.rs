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
mod steps;
mod thin;

pub(crate) use refine::{Colours, Refiner, fold};

use std::ops::Range;

use equivalence::Equivalence;
use labelling::Labelling;
use listing::Listing;
use num_bigint::BigUint;
use search::Search;
use steps::StepColours;

use super::{Buffers, Cancel, Canonicaliser, Guide, Hardness, Method, SearchCost, Selector, Stabiliser};
use crate::group::{Blocks, Chain, Group};
use crate::perm::Perm;
use crate::random::mix;
use crate::structure::Structure;

/// In a chain of at most so many levels, looking at all children is cheaper than the fixpoint of refinement, which on a
/// ring takes as many rounds as the ring is long.
const SHALLOW: usize = 2;
/// With fewer slots and nodes, a step changes the colours of most of them at once.
const WIDE: usize = 64;
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
    steps: Option<StepColours>,
    /// Is the open state known, and are its blocks in order?
    is_open: bool,
    changed: Vec<Range<usize>>,
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

    fn sort(&self, values: &mut [u64], scratch: &mut Scratch) {
        let Scratch { sorting, changed, .. } = scratch;
        for blocks in &self.blocks {
            sorting::sort(blocks, 0, values, changed, sorting);
        }
    }

    /// The part of the representative that is searched for. `step`: where the values differ from those of the open state.
    fn search_rest(&self, values: &mut [u64], step: Option<&[u32]>, scratch: &mut Scratch) -> SearchCost {
        if self.chain.levels().is_empty() {
            return SearchCost { hardness: Hardness::Trivial, nodes: 0 };
        }
        if let (Some(listing), true) = (&self.listing, self.lists()) {
            match step {
                Some(step) => {
                    listing.minimise_step(values, step, &mut scratch.changed, &mut scratch.listing);
                }
                None => listing.minimise(values, &mut scratch.changed, &mut scratch.listing),
            }
            return SearchCost { hardness: Hardness::Easy, nodes: listing.count() };
        }
        match self.method {
            Method::None | Method::Flood | Method::Compare | Method::Marker(_) | Method::Hybrid(_) => {
                SearchCost { hardness: Hardness::Trivial, nodes: 0 }
            }
            Method::Minimise => {
                self.search(Search::whole_group(&self.chain), Guide::Marking, values, step, scratch)
            }
            Method::Search { guide, selector } => {
                self.search(Search::canonical(&self.chain, selector), guide, values, step, scratch)
            }
            Method::Representative { guide, selector, budget } => {
                self.search(Search::bounded(&self.chain, selector, budget), guide, values, step, scratch)
            }
            Method::Nauty => self.label(values, scratch),
        }
    }

    /// Are the colours of the open state asked for with each of its successors?
    fn refines_steps(&self) -> bool {
        let guide = match self.method {
            Method::Search { guide, .. } | Method::Representative { guide, .. } => guide,
            _ => return false,
        };
        let is_wide = self.refiner.vertices() >= WIDE;
        is_wide
            && guide != Guide::Marking
            && !self.stats
            && self.listing.is_none()
            && !self.chain.levels().is_empty()
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

    fn search(
        &self,
        search: Search,
        guide: Guide,
        values: &mut [u64],
        step: Option<&[u32]>,
        scratch: &mut Scratch,
    ) -> SearchCost {
        let moved = self.chain.moved();
        if guide == Guide::Marking {
            scratch.image.copy_from_slice(&values[..moved]);
            let cost = search.run(&values[..moved], &scratch.image, &mut scratch.search);
            return self.take_best(values, cost, scratch);
        }
        let Scratch { colours, steps, search: workspace, changed, .. } = scratch;
        let refines_further = self.chain.levels().len() > SHALLOW;
        let mut cells = 0;
        let valuation = match (step, steps) {
            _ if self.stats => {
                cells = self.refiner.refine_fully(values, colours);
                colours.current()
            }
            (Some(step), Some(steps)) => {
                self.refiner.start_step(values, step, steps);
                for _ in 0..refine::QUICK_ROUNDS {
                    self.refiner.round_step(steps);
                    if search.walk(steps.current(), workspace) {
                        return self.take_walked(values, workspace, changed);
                    }
                }
                if refines_further {
                    cells = self.refiner.refine_further(steps.go_further());
                }
                steps.current()
            }
            _ => {
                self.refiner.start(values, colours);
                for _ in 0..refine::QUICK_ROUNDS {
                    self.refiner.round(colours);
                    if search.walk(colours.current(), workspace) {
                        return self.take_walked(values, workspace, changed);
                    }
                }
                if refines_further {
                    cells = self.refiner.refine_further(colours);
                }
                colours.current()
            }
        };
        let found = search.run(&values[..moved], valuation, workspace);
        // Here trivial means a discrete partition (4.4.1), which is more than a single compatible element.
        let hardness = match found.hardness {
            _ if cells == moved => Hardness::Trivial,
            Hardness::Trivial => Hardness::Easy,
            other => other,
        };
        self.take_best(values, SearchCost { hardness, nodes: found.nodes }, scratch)
    }

    /// A few rounds of refinement singled out one element. How many were needed is the same for equivalent states, so the
    /// representative found is canonical.
    fn take_walked(
        &self,
        values: &mut [u64],
        workspace: &mut search::Workspace,
        changed: &mut Vec<Range<usize>>,
    ) -> SearchCost {
        workspace.take_image(&self.chain, values, changed);
        SearchCost { hardness: Hardness::Trivial, nodes: self.chain.levels().len() as u64 }
    }

    fn take_best(&self, values: &mut [u64], cost: SearchCost, scratch: &mut Scratch) -> SearchCost {
        for (slot, (value, &best)) in values.iter_mut().zip(scratch.search.best()).enumerate() {
            if *value != best {
                *value = best;
                add_slot(&mut scratch.changed, slot);
            }
        }
        cost
    }

    /// Leaves the stabiliser in `scratch`. Are the values in order, as far as they are sorted?
    fn find_stabiliser(&self, values: &[u64], scratch: &mut Scratch) -> bool {
        let Scratch { stabiliser, equivalence, colours, sorting, listing: listed, .. } = scratch;
        if let Some(listing) = &self.listing {
            listing.stabiliser(values, listed, stabiliser);
        } else if self.chain.levels().is_empty() {
            stabiliser.clear();
        } else {
            let search = Equivalence { chain: &self.chain };
            self.refiner.refine_quickly(values, colours);
            if search.candidates(colours.current()) > FEW_CANDIDATES {
                self.refiner.refine_further(colours);
            }
            search.stabiliser(values, colours.current(), equivalence, stabiliser);
        }
        sorting.add_stabiliser(&self.blocks, values, stabiliser)
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
        scratch.search.take_image(&self.chain, values, &mut scratch.changed);
        SearchCost { hardness: if nodes == 1 { Hardness::Trivial } else { Hardness::Hard }, nodes }
    }
}

/// Appends a slot to ranges of slots.
#[inline(always)]
fn add_slot(ranges: &mut Vec<Range<usize>>, slot: usize) {
    match ranges.last_mut() {
        Some(last) if last.end == slot => last.end += 1,
        _ => ranges.push(slot..slot + 1),
    }
}

/// Appends a range that begins so many slots later.
#[inline(always)]
fn add_range(ranges: &mut Vec<Range<usize>>, start: usize, range: Range<usize>) {
    if !range.is_empty() {
        ranges.push(start + range.start..start + range.end);
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
            steps: self.refines_steps().then(|| StepColours::new(&self.refiner)),
            is_open: false,
            changed: Vec::new(),
            stabiliser: Stabiliser::default(),
            witness: Vec::new(),
            cancel: cancel.clone(),
        }
    }

    fn canonicalise(&self, values: &mut [u64], scratch: &mut Scratch) -> SearchCost {
        scratch.changed.clear();
        let cost = self.search_rest(values, None, scratch);
        if !matches!(self.method, Method::None | Method::Flood | Method::Compare) {
            self.sort(values, scratch);
        }
        cost
    }

    fn canonicalise_step(&self, values: &mut [u64], step: &[u32], scratch: &mut Scratch) -> SearchCost {
        if !scratch.is_open {
            return self.canonicalise(values, scratch);
        }
        scratch.changed.clear();
        let cost = self.search_rest(values, Some(step), scratch);
        if !matches!(self.method, Method::None | Method::Flood | Method::Compare) {
            let Scratch { sorting, changed, .. } = scratch;
            for blocks in &self.blocks {
                sorting::sort_step(blocks, 0, values, step, changed, sorting);
            }
        }
        cost
    }

    fn changed<'s>(&self, scratch: &'s Scratch) -> &'s [Range<usize>] {
        &scratch.changed
    }

    fn canonical_form(&self, values: &mut [u64], scratch: &mut Scratch) {
        scratch.changed.clear();
        if let Some(listing) = &self.listing {
            listing.minimise(values, &mut scratch.changed, &mut scratch.listing);
        } else if !self.chain.levels().is_empty() {
            let search = Search::canonical(&self.chain, Selector::LeastUnique);
            self.search(search, Guide::Partition, values, None, scratch);
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
        self.find_stabiliser(values, scratch);
        &scratch.stabiliser
    }

    fn open<'s>(&self, values: &[u64], scratch: &'s mut Scratch) -> &'s Stabiliser {
        let Scratch { stabiliser, equivalence, steps, sorting, listing: listed, .. } = scratch;
        let is_in_order = if let Some(listing) = &self.listing {
            listing.open(values, listed, stabiliser);
            sorting.add_stabiliser(&self.blocks, values, stabiliser)
        } else if let Some(steps) = steps {
            let search = Equivalence { chain: &self.chain };
            self.refiner.open(values, steps);
            if search.candidates(steps.current()) > FEW_CANDIDATES {
                self.refiner.refine_further(steps.go_further());
            }
            search.stabiliser(values, steps.current(), equivalence, stabiliser);
            sorting.add_stabiliser(&self.blocks, values, stabiliser)
        } else {
            self.find_stabiliser(values, scratch)
        };
        scratch.is_open = is_in_order;
        &scratch.stabiliser
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
