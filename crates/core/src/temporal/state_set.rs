//! Sets of states, or of other things that are numbered from 0: a bit for each.

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateSet {
    words: Vec<u64>,
    /// How many states there are, whether in the set or not. Bits beyond are 0.
    universe: usize,
}

impl StateSet {
    pub fn empty(universe: usize) -> StateSet {
        StateSet { words: vec![0; universe.div_ceil(64)], universe }
    }

    pub fn full(universe: usize) -> StateSet {
        let mut set = StateSet { words: vec![!0; universe.div_ceil(64)], universe };
        set.clear_beyond();
        set
    }

    pub fn of(universe: usize, contains: impl Fn(u32) -> bool) -> StateSet {
        let word = |at: usize| {
            let states = at * 64..universe.min(at * 64 + 64);
            states.fold(0, |word, state| word | u64::from(contains(state as u32)) << (state % 64))
        };
        StateSet { words: (0..universe.div_ceil(64)).map(word).collect(), universe }
    }

    pub fn universe(&self) -> usize {
        self.universe
    }

    #[inline]
    pub fn contains(&self, state: u32) -> bool {
        self.words[state as usize / 64] >> (state % 64) & 1 != 0
    }

    #[inline]
    pub fn insert(&mut self, state: u32) {
        self.words[state as usize / 64] |= 1 << (state % 64);
    }

    #[inline]
    pub fn remove(&mut self, state: u32) {
        self.words[state as usize / 64] &= !(1 << (state % 64));
    }

    /// Makes room for more states, which are not in the set.
    pub fn grow(&mut self, universe: usize) {
        self.universe = self.universe.max(universe);
        self.words.resize(self.universe.div_ceil(64), 0);
    }

    pub fn complement(&mut self) {
        self.words.iter_mut().for_each(|word| *word = !*word);
        self.clear_beyond();
    }

    pub fn intersect(&mut self, other: &StateSet) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
    }

    pub fn unite(&mut self, other: &StateSet) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
    }

    pub fn subtract(&mut self, other: &StateSet) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= !other);
    }

    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// The members, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.words.iter().enumerate().flat_map(|(at, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = left.checked_ilog2().map(|_| left.trailing_zeros())?;
                left &= left - 1;
                Some(at as u32 * 64 + bit)
            })
        })
    }

    /// The largest member below a number.
    pub fn last_below(&self, end: u32) -> Option<u32> {
        let (mut at, rest) = (end as usize / 64, end % 64);
        let mut word = self.words.get(at).map_or(0, |word| word & ((1 << rest) - 1));
        while word == 0 {
            at = at.min(self.words.len()).checked_sub(1)?;
            word = self.words[at];
        }
        Some(at as u32 * 64 + word.ilog2())
    }

    pub fn bytes(&self) -> usize {
        self.words.capacity() * 8
    }

    fn clear_beyond(&mut self) {
        if let Some(last) = self.words.last_mut()
            && !self.universe.is_multiple_of(64)
        {
            *last &= (1 << (self.universe % 64)) - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    const UNIVERSE: usize = 200;

    fn set_of(members: &BTreeSet<u32>) -> StateSet {
        let mut set = StateSet::empty(UNIVERSE);
        members.iter().for_each(|&each| set.insert(each));
        set
    }

    fn members() -> impl Strategy<Value = BTreeSet<u32>> {
        prop::collection::btree_set(0..UNIVERSE as u32, 0..60)
    }

    proptest! {
        #[test]
        fn sets_behave_like_sets(a in members(), b in members()) {
            let combine = |with: fn(&mut StateSet, &StateSet)| {
                let mut set = set_of(&a);
                with(&mut set, &set_of(&b));
                set.iter().collect::<BTreeSet<u32>>()
            };
            prop_assert_eq!(combine(StateSet::intersect), &a & &b);
            prop_assert_eq!(combine(StateSet::unite), &a | &b);
            prop_assert_eq!(combine(StateSet::subtract), &a - &b);
            let mut rest = set_of(&a);
            rest.complement();
            prop_assert_eq!(rest.iter().collect::<BTreeSet<u32>>(), &(0..UNIVERSE as u32).collect() - &a);
            prop_assert_eq!(StateSet::of(UNIVERSE, |state| a.contains(&state)), set_of(&a));
            prop_assert_eq!(set_of(&a).is_empty(), a.is_empty());
        }

        #[test]
        fn members_are_found_from_the_end(a in members(), end in 0..=UNIVERSE as u32) {
            prop_assert_eq!(set_of(&a).last_below(end), a.range(..end).next_back().copied());
        }
    }
}
