//! Numbers of tokens with omega, in as few bytes as they need: omega is the largest number of the type, so that the order of
//! omega-markings is the order of numbers.

use std::fmt::Debug;
use std::hash::Hash;

/// Omega where numbers cross to others: no finite number of tokens is as large.
pub const OMEGA: u64 = u64::MAX;

pub trait Tokens: Copy + Ord + Hash + Debug + Default {
    const OMEGA: Self;

    /// None where the number is finite and too large for the type.
    fn of(number: u64) -> Option<Self>;

    /// `OMEGA` stays omega.
    fn number(self) -> u64;

    #[inline(always)]
    fn is_omega(self) -> bool {
        self == Self::OMEGA
    }
}

macro_rules! tokens {
    ($type:ty) => {
        impl Tokens for $type {
            const OMEGA: $type = <$type>::MAX;

            #[inline(always)]
            fn of(number: u64) -> Option<$type> {
                if number == OMEGA {
                    return Some(<$type>::MAX);
                }
                <$type>::try_from(number).ok().filter(|&tokens| tokens != <$type>::MAX)
            }

            #[inline(always)]
            fn number(self) -> u64 {
                if self == <$type>::MAX { OMEGA } else { u64::from(self) }
            }
        }
    };
}

tokens!(u8);
tokens!(u32);
tokens!(u64);

/// Is every number at most the one beside it?
#[inline]
pub fn is_covered<T: Tokens>(below: &[T], above: &[T]) -> bool {
    // Blocks without an early exit become vector instructions.
    let (mut below, mut above) = (below, above);
    while below.len() >= BLOCK && above.len() >= BLOCK {
        let (b, a) = (&below[..BLOCK], &above[..BLOCK]);
        if b.iter().zip(a).fold(false, |larger, (b, a)| larger | (b > a)) {
            return false;
        }
        (below, above) = (&below[BLOCK..], &above[BLOCK..]);
    }
    below.iter().zip(above).all(|(b, a)| b <= a)
}

const BLOCK: usize = 16;
