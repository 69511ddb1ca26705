//! Successors that were canonicalised not long ago, as they were before: the representative of each is stored, so whoever
//! meets one again has nothing to do. A table of fixed size for one worker, in which a newer one drives out an older one.

use super::store::hash_words;

/// So many are remembered.
const BITS: u32 = 12;

pub struct Resolved {
    words: usize,
    /// Which places are in use, and the states there.
    used: Vec<bool>,
    states: Vec<u64>,
}

impl Resolved {
    /// For states of so many words; `remembers` nothing where it would be of no use.
    pub fn new(words: usize, remembers: bool) -> Resolved {
        let places = if remembers { 1 << BITS } else { 0 };
        Resolved { words, used: vec![false; places], states: vec![0; places * words] }
    }

    /// Was it met before? If not, it is remembered: whoever asks resolves it next.
    #[inline]
    pub fn meets(&mut self, state: &[u64]) -> bool {
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
    fn what_was_met_is_met_again_until_it_is_driven_out() {
        let mut resolved = Resolved::new(2, true);
        for state in 0..10_000u64 {
            assert!(!resolved.meets(&[state, 7]));
            assert!(resolved.meets(&[state, 7]));
            assert!(!resolved.meets(&[7, state + 10_000]));
        }
        let still = (0..10_000u64).filter(|&state| resolved.meets(&[state, 7])).count();
        assert!(still < 1 << BITS);
        let mut nothing = Resolved::new(1, false);
        assert!(!nothing.meets(&[1]) && !nothing.meets(&[1]));
    }
}
