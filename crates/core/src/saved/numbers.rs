//! Numbers in few bytes: seven bits a byte, the lowest first.

/// Bytes of one number at most.
pub const MAX_BYTES: usize = 10;

pub fn write_number(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number from the front of the bytes; None if they do not begin with one.
pub fn read_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0u64;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// A number with a sign as one without, small where its absolute value is.
#[inline]
pub fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

#[inline]
pub fn from_zigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_are_read_as_they_were_written(numbers in prop::collection::vec((any::<i64>(), 0u32..64), 0..20)) {
            let numbers: Vec<i64> = numbers.iter().map(|&(number, shift)| number >> shift).collect();
            let mut bytes = Vec::new();
            for &number in &numbers {
                let before = bytes.len();
                write_number(zigzag(number), &mut bytes);
                prop_assert!(bytes.len() - before <= MAX_BYTES);
            }
            let mut rest = bytes.as_slice();
            for &number in &numbers {
                prop_assert_eq!(read_number(&mut rest).map(from_zigzag), Some(number));
            }
            prop_assert!(rest.is_empty() && read_number(&mut rest).is_none());
        }
    }
}
