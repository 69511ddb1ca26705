//! Successors that were canonicalised not long ago, as they were fired: the representative of each is stored, so there is
//! nothing to do for one that is fired again. A cache of fixed size for one worker; a newer entry replaces an older one.

use crate::visited::hash_words;

/// Logarithm of its size.
const BITS: u32 = 12;

pub struct Recent {
    words: usize,
    /// Which places are in use, and the states there.
    used: Vec<bool>,
    states: Vec<u64>,
}

impl Recent {
    /// For states of so many words; without `remembers`, nothing is cached.
    pub fn new(words: usize, remembers: bool) -> Recent {
        let places = if remembers { 1 << BITS } else { 0 };
        Recent { words, used: vec![false; places], states: vec![0; places * words] }
    }

    /// Is it there? If not it is inserted: the caller stores its representative next.
    #[inline]
    pub fn check_and_insert(&mut self, state: &[u64]) -> bool {
        if self.used.is_empty() {
            return false;
        }
        let place = (hash_words(state) >> (u64::BITS - BITS)) as usize;
        let known = &mut self.states[place * self.words..(place + 1) * self.words];
        if self.used[place] && known == state {
            return true;
        }
        known.copy_from_slice(state);
        self.used[place] = true;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_inserted_is_there_until_it_is_replaced() {
        let mut recent = Recent::new(2, true);
        for state in 0..10_000u64 {
            assert!(!recent.check_and_insert(&[state, 7]));
            assert!(recent.check_and_insert(&[state, 7]));
            assert!(!recent.check_and_insert(&[7, state + 10_000]));
        }
        let still = (0..10_000u64).filter(|&state| recent.check_and_insert(&[state, 7])).count();
        assert!(still < 1 << BITS);
        let mut nothing = Recent::new(1, false);
        assert!(!nothing.check_and_insert(&[1]) && !nothing.check_and_insert(&[1]));
    }
}
