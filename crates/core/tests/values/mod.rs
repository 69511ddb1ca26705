//! What tests of nested values share: groups, canonicalisers, counting classes. Not every test uses all of it.
#![allow(dead_code)]

pub mod spaces;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use burnside_core::canon::values::{Encoding, PointGroup, ValuesCanonicaliser};
use burnside_core::canon::{Cancel, Canonicaliser, Guide, MarkerOptions, Method, Selector};
use burnside_core::group::Group;
use burnside_core::kinds::machine::values::{Packing, Value, Values};
use burnside_core::perm::Perm;
use num_bigint::BigUint;

pub const TREE: Method = Method::Search { guide: Guide::Tree, selector: Selector::LeastUnique };
pub const WIDENED: MarkerOptions = MarkerOptions { rounds: 1, widened: true };
pub const TWO_ROUNDS: MarkerOptions = MarkerOptions { rounds: 2, widened: false };

/// How many classes a method makes of states.
pub fn classes(canonicaliser: &ValuesCanonicaliser, states: &[Vec<u64>]) -> usize {
    let mut scratch = canonicaliser.scratch(&Cancel::default());
    if !canonicaliser.compares() {
        let mut forms = HashSet::new();
        for state in states {
            let mut form = state.clone();
            canonicaliser.canonicalise(&mut form, &mut scratch);
            forms.insert(form);
        }
        return forms.len();
    }
    let mut found: HashMap<u64, Vec<&Vec<u64>>> = HashMap::new();
    for state in states {
        let alike = found.entry(canonicaliser.invariant(state, &mut scratch)).or_default();
        if !alike.iter().any(|other| canonicaliser.equivalent(other, state, &mut scratch)) {
            alike.push(state);
        }
    }
    found.values().map(Vec::len).sum()
}

/// Full symmetric groups on consecutive sorts of these sizes, and packing as sets.
pub fn sorts(sizes: &[u32]) -> Group {
    let degree: u32 = sizes.iter().sum();
    let mut generators = Vec::new();
    let mut start = 0;
    for &size in sizes {
        for point in start + 1..start + size {
            let mut images: Vec<u32> = (0..degree).collect();
            images.swap(point as usize - 1, point as usize);
            generators.push(Perm::from_images(&images).expect("a swap"));
        }
        start += size;
    }
    Group::generated(degree as usize, generators, None)
}

pub fn made(values: &Arc<Values>, group: &Group, method: Method, slots: usize) -> ValuesCanonicaliser {
    encoded(values, group, method, slots, Encoding::default())
}

pub fn encoded(
    values: &Arc<Values>,
    group: &Group,
    method: Method,
    slots: usize,
    encoding: Encoding,
) -> ValuesCanonicaliser {
    let symmetry = PointGroup { group, kept: &[], whole: true };
    let packing = vec![Packing::SetOrRecord; slots];
    ValuesCanonicaliser::new(method, values.clone(), &packing, &symmetry, encoding, false)
}

pub fn pack(value: Value) -> u64 {
    Packing::SetOrRecord.pack(value)
}

pub fn unpack(stored: u64) -> Value {
    Packing::SetOrRecord.unpack(stored)
}

/// States and their number of orbit members, explored one state for each class.
pub fn explored(
    canonicaliser: &ValuesCanonicaliser,
    starts: Vec<Vec<u64>>,
    successors: impl Fn(&[u64]) -> Vec<Vec<u64>>,
) -> (usize, BigUint) {
    let mut scratch = canonicaliser.scratch(&Cancel::default());
    let mut known: HashMap<u64, Vec<Vec<u64>>> = HashMap::new();
    let mut waiting = std::collections::VecDeque::from(starts);
    let (mut count, mut full) = (0, BigUint::ZERO);
    while let Some(mut state) = waiting.pop_front() {
        canonicaliser.canonicalise(&mut state, &mut scratch);
        let hash = if canonicaliser.compares() {
            canonicaliser.invariant(&state, &mut scratch)
        } else {
            burnside_core::visited::hash_words(&state)
        };
        let alike = known.entry(hash).or_default();
        let same = |other: &Vec<u64>, scratch: &mut _| {
            if canonicaliser.compares() {
                canonicaliser.equivalent(other, &state, scratch)
            } else {
                *other == state
            }
        };
        if alike.iter().any(|other| same(other, &mut scratch)) {
            continue;
        }
        alike.push(state.clone());
        count += 1;
        full += canonicaliser.group_order() / canonicaliser.stabiliser(&state, &mut scratch).order();
        waiting.extend(successors(&state));
    }
    (count, full)
}
