//! Sets by their bits, where they have them; `dense` maps elements to bits.

use super::dense::{Spot, Universe, WIDEST};
use super::handle::{INTERNED, Value};
use super::{DENSE, FLAT, HAS_POINTS, SET, Values};

impl Values {
    /// The universe and the bits of a set of these, in any order; none where one is in no universe, or there is none.
    #[inline(always)]
    pub fn as_bits(&self, elements: &[Value]) -> Option<(u32, u64)> {
        let (&first, rest) = elements.split_first()?;
        let Spot { universe, bit } = self.dense.spot(first)?;
        let mut bits = 1 << bit;
        for &each in rest {
            let spot = self.dense.spot(each).filter(|spot| spot.universe == universe)?;
            bits |= 1 << spot.bit;
        }
        Some((universe, bits))
    }

    /// Which bit an element of a set has, where such sets have bits.
    #[inline(always)]
    pub fn spot(&self, element: Value) -> Option<Spot> {
        self.dense.spot(element)
    }

    /// The bits of a set, where it has them; the empty set has none in every universe.
    #[inline(always)]
    pub fn bits(&self, set: Value) -> Option<u64> {
        let index = set.index_if(INTERNED)?;
        (self.arena.marks(index) & DENSE != 0).then(|| self.arena.hash(index))
    }

    /// The universe of a set that has bits and is not empty.
    #[inline(always)]
    pub fn universe_of(&self, set: Value) -> Option<u32> {
        Some(self.dense.spot(*self.elements(set).first()?)?.universe)
    }

    /// The universe of pairs with sides from these universes of points.
    pub fn universe_of_pairs(&self, left: u32, right: u32) -> u32 {
        self.dense.universe_of_pairs(left, right)
    }

    #[inline(always)]
    pub fn universe(&self, universe: u32) -> &Universe {
        self.dense.universe(universe)
    }

    /// Interns all sets of elements of one sort, of sorts of at most `few`. Most states have some of them, so small numbers
    /// make narrow states.
    pub fn intern_small_sets(&self, sizes: &[u32], few: u32) {
        let mut first = 0;
        for &size in sizes {
            if let Some(spot) = self.dense.spot(Values::point(first)).filter(|_| (1..=few).contains(&size)) {
                (1..1 << size).for_each(|bits| {
                    self.dense_set(spot.universe, bits);
                });
            }
            first += size;
        }
    }

    /// The set with these bits.
    #[inline(always)]
    pub fn dense_set(&self, universe: u32, bits: u64) -> Value {
        if bits == 0 {
            return Value::EMPTY;
        }
        let universe = self.dense.universe(universe);
        let index =
            universe.find_or_add(bits, |index| self.arena.hash(index), || self.add_dense(universe, bits));
        Value(index << 3 | INTERNED)
    }

    #[cold]
    fn add_dense(&self, universe: &Universe, bits: u64) -> u32 {
        let mut buffer = [Value::UNSET; WIDEST as usize];
        let count = universe.elements(bits, &mut buffer);
        let flat = if universe.is_of_pairs() { FLAT } else { 0 };
        let index = self.arena.push(&buffer[..count], SET | HAS_POINTS | DENSE | flat, bits);
        index.expect("room for one more value")
    }
}
