//! A stable 64-bit hash of packed states: the same for the words of a state and for the bytes of it that are stored.

/// A stable 64-bit hash of the packed words. Bytes that are not stored are 0, so it is one of the stored bytes too.
#[inline(always)]
pub fn hash_words(words: &[u64]) -> u64 {
    finished(words.iter().fold(SEED, |hash, &word| stirred(hash, word)))
}

#[inline(always)]
pub(super) fn hash_bytes(bytes: &[u8]) -> u64 {
    let (whole, rest) = bytes.as_chunks::<8>();
    let hash = whole.iter().fold(SEED, |hash, word| stirred(hash, u64::from_le_bytes(*word)));
    if rest.is_empty() {
        return finished(hash);
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    finished(stirred(hash, u64::from_le_bytes(last)))
}

const SEED: u64 = 0x243f_6a88_85a3_08d3;

#[inline(always)]
fn stirred(hash: u64, word: u64) -> u64 {
    let product = u128::from(hash ^ word) * u128::from(0x9e37_79b9_7f4a_7c15u64);
    (product as u64) ^ ((product >> 64) as u64)
}

#[inline(always)]
fn finished(hash: u64) -> u64 {
    stirred(hash, 0xa076_1d64_78bd_642f)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// A table that grows hashes stored bytes again; a look-up hashes words.
        #[test]
        fn words_and_their_stored_bytes_have_one_hash(words in prop::collection::vec(any::<u64>(), 0..5), unused in 0usize..8) {
            let mut words = words;
            if let Some(last) = words.last_mut() {
                *last &= u64::MAX >> (8 * unused);
            }
            let stored = 8 * words.len() - if words.is_empty() { 0 } else { unused };
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            prop_assert_eq!(hash_bytes(&bytes[..stored]), hash_words(&words));
        }
    }
}
