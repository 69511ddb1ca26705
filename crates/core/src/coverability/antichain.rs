//! Markings of which none covers another symmetrically, found again by what covers or is covered.
//!
//! `Store` keeps the numbers of all markings, `Antichain` those that are neither covered (forward search: the maximal ones) nor
//! cover others (backward search: the minimal ones). Three things are compared before permutations are searched for: a key
//! (markings with different keys never cover one another, see `Keys`), the slots that are marked with the total, the profile.

use hashbrown::HashMap;

use super::clock::Clock;
use super::covering::{Covered, Covering, profile};
use super::system::System;
use super::tokens::{Tokens, is_covered};
use crate::random::mix;

pub struct Store<T> {
    width: usize,
    numbers: Vec<T>,
    /// Empty where there are no symmetries: then a marking is its own profile.
    profiles: Vec<T>,
    is_symmetric: bool,
}

impl<T: Tokens> Store<T> {
    pub fn new(system: &System) -> Store<T> {
        Store {
            width: system.width(),
            numbers: Vec::new(),
            profiles: Vec::new(),
            is_symmetric: system.has_symmetries(),
        }
    }

    pub fn push(&mut self, probe: &Probe<T>) {
        self.numbers.extend_from_slice(&probe.marking);
        if self.is_symmetric {
            self.profiles.extend_from_slice(&probe.profile);
        }
    }

    #[inline]
    pub fn marking(&self, id: u32) -> &[T] {
        let start = id as usize * self.width;
        &self.numbers[start..start + self.width]
    }

    #[inline]
    pub fn profile(&self, id: u32) -> &[T] {
        let start = id as usize * self.width;
        let from = if self.is_symmetric { &self.profiles } else { &self.numbers };
        &from[start..start + self.width]
    }

    pub fn bytes(&self) -> usize {
        (self.numbers.capacity() + self.profiles.capacity()) * size_of::<T>()
    }

    /// The same in a wider type.
    pub fn widened<U: Tokens>(&self) -> Store<U> {
        // Every number of a narrower type is one of a wider type.
        let all = |numbers: &[T]| numbers.iter().map(|n| U::of(n.number()).unwrap_or_default()).collect();
        Store {
            width: self.width,
            numbers: all(&self.numbers),
            profiles: all(&self.profiles),
            is_symmetric: self.is_symmetric,
        }
    }
}

/// Which parts of a profile are equal in all markings that may cover one another: slots of P-semiflows y. Their weighted
/// number y M is that of the initial marking, in all markings that are found, so M <= M' is possible only where M and M'
/// agree there; and the group maps semiflows to semiflows, so g(M') agrees with M' up to the order within orbits.
pub struct Keys {
    parts: Vec<u32>,
}

impl Keys {
    pub fn new(system: &System, upper_bounds: &[Option<u64>]) -> Keys {
        let moved = system.moved();
        let slot = |part: usize| if part < moved { system.orbit_slots[part] as usize } else { part };
        let parts = (0..system.width()).filter(|&part| upper_bounds[slot(part)].is_some());
        Keys { parts: parts.map(|part| part as u32).collect() }
    }

    /// Nothing is known: all markings have the same key.
    pub fn none() -> Keys {
        Keys { parts: Vec::new() }
    }

    pub fn is_everything(&self, system: &System) -> bool {
        self.parts.len() == system.width()
    }

    fn key<T: Tokens>(&self, profile: &[T]) -> u64 {
        self.parts.iter().fold(0, |key, &part| mix(key ^ profile[part as usize].number().wrapping_add(1)))
    }
}

/// A marking with what is compared first.
#[derive(Default)]
pub struct Probe<T> {
    pub marking: Vec<T>,
    profile: Vec<T>,
    pub key: u64,
    support: u64,
    total: u64,
}

impl<T: Tokens> Probe<T> {
    /// To be called after the marking was changed.
    pub fn prepare(&mut self, system: &System, keys: &Keys) {
        if system.has_symmetries() {
            profile(system, &self.marking, &mut self.profile);
        }
        let profile = if system.has_symmetries() { &self.profile } else { &self.marking };
        self.key = keys.key(profile);
        (self.support, self.total) = (0, 0);
        for (part, tokens) in profile.iter().enumerate() {
            self.support |= u64::from(*tokens != T::default()) << (part % 64);
            self.total = self.total.saturating_add(tokens.number());
        }
    }

    pub fn profile(&self, system: &System) -> &[T] {
        if system.has_symmetries() { &self.profile } else { &self.marking }
    }

    pub fn hash(&self) -> u64 {
        self.marking.iter().fold(self.key, |hash, tokens| mix(hash ^ tokens.number().wrapping_add(1)))
    }
}

#[derive(Clone, Copy)]
struct Entry {
    id: u32,
    support: u64,
    total: u64,
}

/// Which entries are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Those that cover the marking.
    Above,
    /// Those that the marking covers.
    Below,
}

#[derive(Default)]
pub struct Antichain {
    by_key: HashMap<u64, Vec<Entry>>,
    len: usize,
}

impl Antichain {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn bytes(&self) -> usize {
        self.len * size_of::<Entry>() + self.by_key.capacity() * (size_of::<(u64, Vec<Entry>)>() + 1)
    }

    pub fn ids(&self) -> Vec<u32> {
        let mut ids: Vec<u32> = self.by_key.values().flatten().map(|entry| entry.id).collect();
        ids.sort_unstable();
        ids
    }

    pub fn insert<T>(&mut self, id: u32, probe: &Probe<T>) {
        let entry = Entry { id, support: probe.support, total: probe.total };
        self.by_key.entry(probe.key).or_default().push(entry);
        self.len += 1;
    }

    /// Is there an entry on that side?
    pub fn has<T: Tokens>(&self, looking: &mut Looking<'_, '_, T>, probe: &Probe<T>, side: Side) -> bool {
        let entries = self.by_key.get(&probe.key).map_or(&[][..], Vec::as_slice);
        // What was found last is near what comes next.
        entries.iter().rev().any(|entry| looking.finds(entry, probe, side))
    }

    /// Takes out the entries on that side.
    pub fn remove<T: Tokens>(
        &mut self,
        looking: &mut Looking<'_, '_, T>,
        probe: &Probe<T>,
        side: Side,
        removed: &mut Vec<u32>,
    ) {
        let Some(entries) = self.by_key.get_mut(&probe.key) else { return };
        let before = entries.len();
        entries.retain(|entry| {
            let found = looking.finds(entry, probe, side);
            removed.extend(found.then_some(entry.id));
            !found
        });
        self.len -= before - entries.len();
    }
}

/// What is needed to compare.
pub struct Looking<'s, 'c, T> {
    pub system: &'s System,
    pub store: &'s Store<T>,
    pub covering: &'s mut Covering,
    pub clock: &'s mut Clock<'c>,
}

impl<T: Tokens> Looking<'_, '_, T> {
    fn finds(&mut self, entry: &Entry, probe: &Probe<T>, side: Side) -> bool {
        if self.clock.poll() {
            return false;
        }
        let (system, store) = (self.system, self.store);
        let own = probe.profile(system);
        let fits = match side {
            Side::Above => {
                probe.support & !entry.support == 0
                    && probe.total <= entry.total
                    && is_covered(own, store.profile(entry.id))
            }
            Side::Below => {
                entry.support & !probe.support == 0
                    && entry.total <= probe.total
                    && is_covered(store.profile(entry.id), own)
            }
        };
        if !fits {
            return false;
        }
        let other = store.marking(entry.id);
        let (below, above) = match side {
            Side::Above => (&probe.marking[..], other),
            Side::Below => (other, &probe.marking[..]),
        };
        self.covering.test(system, below, above, self.clock) != Covered::No
    }
}
