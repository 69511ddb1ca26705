//! Permutations of slots: for nets, whose symmetries move numbers and rename nothing.
//!
//! In: the values of a state, a group as a Schreier-Sims chain in slot order, the structure the group keeps. The chain is
//! searched by `search` under colours from `refine` (A8, A9, A10, A12), or the state is labelled by nauty (A7).

mod equivalence;
mod labelling;
mod refine;
mod search;
mod thin;

pub(crate) use refine::{Colours, Refiner, fold};

use equivalence::Equivalence;
use labelling::Labelling;
use num_bigint::BigUint;
use search::Search;

use super::{Buffers, Cancel, Canonicaliser, Guide, Hardness, Method, SearchCost, Selector, Stabiliser};
use crate::group::{Chain, Group};
use crate::random::mix;
use crate::structure::Structure;

/// In a chain of at most so many levels, looking at all children is cheaper than the fixpoint of refinement, which on a
/// ring takes as many rounds as the ring is long.
const SHALLOW: usize = 2;
/// Up to so many candidates for stabilisers are tried without more refinement.
const FEW_CANDIDATES: u64 = 1000;

pub struct SlotCanonicaliser {
    method: Method,
    chain: Chain,
    refiner: Refiner,
    labelling: Option<Labelling>,
    stats: bool,
    generators: Vec<Vec<u32>>,
}

/// Buffers of one thread; nothing is allocated per state.
pub struct Scratch {
    colours: refine::Colours,
    search: search::Workspace,
    equivalence: equivalence::Workspace,
    labelling: Option<labelling::Workspace>,
    image: Vec<u64>,
    other_colours: refine::Colours,
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
        let chain = group.chain().clone();
        let generators = chain.localised(group.generators());
        let refiner = Refiner::new(structure, chain.moved(), orbits);
        let labelling = matches!(method, Method::Nauty).then(|| Labelling::new(structure, orbits));
        SlotCanonicaliser { method, chain, refiner, labelling, stats, generators }
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
        self.method != Method::None && !self.chain.levels().is_empty()
    }

    fn keeps_stats(&self) -> bool {
        self.stats
    }

    fn group_order(&self) -> BigUint {
        self.chain.order()
    }

    fn scratch(&self, cancel: &Cancel) -> Scratch {
        Scratch {
            colours: self.refiner.colours(),
            search: search::Workspace::new(&self.chain, cancel),
            equivalence: equivalence::Workspace::new(&self.chain, cancel),
            labelling: self.labelling.as_ref().map(Labelling::workspace),
            image: vec![0; self.chain.moved()],
            other_colours: self.refiner.colours(),
            cancel: cancel.clone(),
        }
    }

    fn canonicalise(&self, values: &mut [u64], scratch: &mut Scratch) -> SearchCost {
        if self.chain.levels().is_empty() {
            return SearchCost { hardness: Hardness::Trivial, nodes: 0 };
        }
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

    fn canonical_form(&self, values: &mut [u64], scratch: &mut Scratch) {
        if !self.chain.levels().is_empty() {
            let search = Search::canonical(&self.chain, Selector::LeastUnique);
            self.search(search, Guide::Partition, values, scratch);
        }
    }

    fn invariant(&self, values: &[u64], scratch: &mut Scratch) -> u64 {
        self.refiner.refine_quickly(values, &mut scratch.colours);
        let moved = self.chain.moved();
        let of_colours = scratch.colours.current().iter().fold(0u64, |sum, &c| sum.wrapping_add(mix(c)));
        values[moved..]
            .iter()
            .fold(of_colours, |hash, &value| mix(hash ^ value.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    fn equivalent(&self, a: &[u64], b: &[u64], scratch: &mut Scratch) -> bool {
        let moved = self.chain.moved();
        if a[moved..] != b[moved..] {
            return false;
        }
        self.refiner.refine_quickly(a, &mut scratch.colours);
        self.refiner.refine_quickly(b, &mut scratch.other_colours);
        let search = Equivalence { chain: &self.chain };
        let from = (&a[..moved], scratch.colours.current());
        let to = (&b[..moved], scratch.other_colours.current());
        search.exists(from, to, &mut scratch.equivalence)
    }

    fn witness(&self, from: &[u64], to: &[u64], scratch: &mut Scratch, images: &mut Vec<u32>) -> bool {
        let found = self.equivalent(from, to, scratch);
        images.clear();
        images.extend_from_slice(scratch.equivalence.element());
        found
    }

    fn stabiliser<'s>(&self, values: &[u64], scratch: &'s mut Scratch) -> &'s Stabiliser {
        let moved = self.chain.moved();
        if moved > 0 {
            self.refiner.refine_quickly(values, &mut scratch.colours);
        }
        let search = Equivalence { chain: &self.chain };
        if search.candidates(scratch.colours.current()) > FEW_CANDIDATES {
            self.refiner.refine_further(&mut scratch.colours);
        }
        search.stabiliser(&values[..moved], scratch.colours.current(), &mut scratch.equivalence)
    }

    fn generators(&self) -> usize {
        self.generators.len()
    }

    fn generator(&self, number: usize) -> &[u32] {
        &self.generators[number]
    }

    fn moved_by(&self, element: &[u32], values: &[u64], image: &mut [u64]) {
        image.copy_from_slice(values);
        for (x, &y) in element.iter().enumerate() {
            image[y as usize] = values[x];
        }
    }
}
