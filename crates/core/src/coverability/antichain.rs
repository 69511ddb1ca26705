//! Markings of which none covers another symmetrically, found again by what covers or is covered.
//!
//! `Store` keeps the numbers of all markings, `Antichain` those that are neither covered (forward search: the maximal ones) nor
//! cover others (backward search: the minimal ones). Several things are compared before permutations are searched for: a key
//! (markings with different keys never cover one another, see `Keys`), which parts are marked (`shelf`), the total, the
//! profile.

use hashbrown::HashMap;

use super::clock::Clock;
use super::covering::{Covered, Covering, profile};
use super::shelf::{Entry, Shelf, Side};
use super::system::System;
use super::tokens::{Tokens, is_covered};
use crate::canon::slots::{Colours, Refiner, fold};
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

/// Which slots are equal, up to symmetry, in all markings that may cover one another: those of P-semiflows y. Their weighted
/// number y M is that of the initial marking, in all markings that are found, so M <= M' is possible only where M and M'
/// agree there; and the group maps semiflows to semiflows, so M <= g(M') only where M and g(M') do. On these slots, what is
/// invariant under the group can be compared for equality: the profile, and colours that respect it.
pub struct Keys {
    /// Parts of the profile.
    parts: Vec<u32>,
    colouring: Option<Colouring>,
}

/// Equitable refinement from the numbers in slots of semiflows; other slots count as empty.
struct Colouring {
    refiner: Refiner,
    /// By slot that moves: is it one of a semiflow?
    counts: Vec<bool>,
}

/// Rounds of refinement; what is not distinguished then is searched through.
const ROUNDS: usize = 4;

impl Keys {
    pub fn new(system: &System, upper_bounds: &[Option<u64>]) -> Keys {
        let moved = system.moved();
        let slot = |part: usize| if part < moved { system.orbit_slots[part] as usize } else { part };
        let parts = (0..system.width()).filter(|&part| upper_bounds[slot(part)].is_some());
        let counts: Vec<bool> = upper_bounds[..moved].iter().map(Option::is_some).collect();
        let colouring = counts.contains(&true).then(|| Colouring {
            refiner: Refiner::new(&system.structure, moved, &system.orbit_names),
            counts,
        });
        Keys { parts: parts.map(|part| part as u32).collect(), colouring }
    }

    /// Nothing is known: all markings have the same key.
    pub fn none() -> Keys {
        Keys { parts: Vec::new(), colouring: None }
    }

    pub fn is_everything(&self, system: &System) -> bool {
        self.parts.len() == system.width()
    }

    pub fn has_colours(&self) -> bool {
        self.colouring.is_some()
    }

    fn key<T: Tokens>(&self, profile: &[T]) -> u64 {
        self.parts.iter().fold(0, |key, &part| mix(key ^ profile[part as usize].number().wrapping_add(1)))
    }

    /// The order of slots is not invariant, the sum of their hashed colours is.
    fn colour_key<T: Tokens>(&self, marking: &[T], buffer: &mut ColourBuffer) -> u64 {
        self.colours(marking, buffer);
        buffer.current().iter().fold(0, |key: u64, &colour| key.wrapping_add(fold(colour ^ 0x51ed_270b)))
    }

    /// Colours of the slots that move: g maps a slot to one of the same colour wherever M <= g(M'). None where there are none.
    pub fn colours<T: Tokens>(&self, marking: &[T], buffer: &mut ColourBuffer) -> bool {
        let Some(Colouring { refiner, counts }) = &self.colouring else { return false };
        let ColourBuffer { values, colours } = buffer;
        values.clear();
        values.extend(counts.iter().zip(marking).map(|(&counts, n)| if counts { n.number() } else { 0 }));
        let colours = colours.get_or_insert_with(|| refiner.colours());
        refiner.start(values, colours);
        (0..ROUNDS).for_each(|_| refiner.round(colours));
        true
    }
}

/// Of one marking; nothing is allocated for the next.
#[derive(Default)]
pub struct ColourBuffer {
    values: Vec<u64>,
    colours: Option<Colours>,
}

impl ColourBuffer {
    pub fn current(&self) -> &[u64] {
        self.colours.as_ref().map_or(&[], Colours::current)
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
    colours: ColourBuffer,
    colour_key: Option<u64>,
}

impl<T: Tokens> Probe<T> {
    /// To be called after the marking was changed.
    pub fn prepare(&mut self, system: &System, keys: &Keys) {
        if system.has_symmetries() {
            profile(system, &self.marking, &mut self.profile);
        }
        let profile = if system.has_symmetries() { &self.profile } else { &self.marking };
        self.key = keys.key(profile);
        self.colour_key = None;
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

    /// It takes time, so it is found out only where lists are long.
    fn colour_key(&mut self, keys: &Keys) -> u64 {
        *self.colour_key.get_or_insert_with(|| keys.colour_key(&self.marking, &mut self.colours))
    }

    fn entry(&self, id: u32) -> Entry {
        Entry { id, support: self.support, total: self.total }
    }
}

/// Entries of one key, from some number on told apart by their colours too.
enum Bucket {
    Whole(Shelf),
    ByColours(HashMap<u64, Shelf>),
}

/// Longer lists are told apart by colours.
const MAX_WHOLE: usize = 16;

#[derive(Default)]
pub struct Antichain {
    by_key: HashMap<u64, Bucket>,
    len: usize,
    shelf_bytes: usize,
}

impl Antichain {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn bytes(&self) -> usize {
        self.shelf_bytes + self.by_key.capacity() * (size_of::<(u64, Bucket)>() + 1)
    }

    pub fn ids(&self) -> Vec<u32> {
        let shelves = self.by_key.values().flat_map(|bucket| -> Box<dyn Iterator<Item = &Shelf>> {
            match bucket {
                Bucket::Whole(shelf) => Box::new(std::iter::once(shelf)),
                Bucket::ByColours(shelves) => Box::new(shelves.values()),
            }
        });
        let mut ids: Vec<u32> = shelves.flat_map(Shelf::entries).map(|entry| entry.id).collect();
        ids.sort_unstable();
        ids
    }

    /// After the marking was stored under this number.
    pub fn insert<T: Tokens>(&mut self, id: u32, probe: &mut Probe<T>, keys: &Keys, store: &Store<T>) {
        let profile_of = |id: u32| store.profile(id);
        let bucket = self.by_key.entry(probe.key).or_insert_with(|| Bucket::Whole(Shelf::default()));
        if let Bucket::Whole(shelf) = bucket
            && shelf.len() >= MAX_WHOLE
            && keys.has_colours()
        {
            let mut colours = ColourBuffer::default();
            let mut shelves: HashMap<u64, Shelf> = HashMap::new();
            self.shelf_bytes -= shelf.bytes();
            for entry in shelf.entries() {
                let key = keys.colour_key(store.marking(entry.id), &mut colours);
                shelves.entry(key).or_default().push(*entry, &profile_of);
            }
            self.shelf_bytes += shelves.values().map(Shelf::bytes).sum::<usize>();
            *bucket = Bucket::ByColours(shelves);
        }
        let shelf = match bucket {
            Bucket::Whole(shelf) => shelf,
            Bucket::ByColours(shelves) => shelves.entry(probe.colour_key(keys)).or_default(),
        };
        self.shelf_bytes -= shelf.bytes();
        shelf.push(probe.entry(id), &profile_of);
        self.shelf_bytes += shelf.bytes();
        self.len += 1;
    }

    fn shelf<T: Tokens>(&mut self, probe: &mut Probe<T>, keys: &Keys) -> Option<&mut Shelf> {
        match self.by_key.get_mut(&probe.key)? {
            Bucket::Whole(shelf) => Some(shelf),
            Bucket::ByColours(shelves) => shelves.get_mut(&probe.colour_key(keys)),
        }
    }

    /// Is there an entry on that side?
    pub fn has<T: Tokens>(
        &mut self,
        looking: &mut Looking<'_, '_, T>,
        probe: &mut Probe<T>,
        side: Side,
    ) -> bool {
        let Some(shelf) = self.shelf(probe, looking.keys) else { return false };
        shelf.any(probe.profile(looking.system), side, |entry| looking.finds(entry, probe, side))
    }

    /// Takes out the entries on that side.
    pub fn remove<T: Tokens>(
        &mut self,
        looking: &mut Looking<'_, '_, T>,
        probe: &mut Probe<T>,
        side: Side,
        removed: &mut Vec<u32>,
    ) {
        let Some(shelf) = self.shelf(probe, looking.keys) else { return };
        let (store, system) = (looking.store, looking.system);
        let before = shelf.bytes();
        let count = shelf.remove(probe.profile(system), side, &|id| store.profile(id), |entry| {
            let found = looking.finds(entry, probe, side);
            removed.extend(found.then_some(entry.id));
            found
        });
        let after = shelf.bytes();
        self.len -= count;
        self.shelf_bytes = self.shelf_bytes + after - before;
    }
}

/// What is needed to compare.
pub struct Looking<'s, 'c, T> {
    pub system: &'s System,
    pub store: &'s Store<T>,
    pub keys: &'s Keys,
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
        self.covering.test(system, self.keys, below, above, self.clock) != Covered::No
    }
}
