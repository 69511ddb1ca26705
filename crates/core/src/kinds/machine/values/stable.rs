//! A total order of values and a form of them in bytes that do not depend on handles: the same in every process.
//!
//! Handles depend on the order in which values were interned. A canonical state must not, where it is written to a file,
//! compared with one of another process, or only printed the same way twice. So representatives are chosen by this order,
//! and states are saved in this form.

use std::cmp::Ordering;

use super::{Value, Values, View};
use crate::saved::numbers::{from_zigzag, read_number, write_number, zigzag};

const UNSET: u8 = 0;
const FALSE: u8 = 1;
const TRUE: u8 = 2;
const NUMBER: u8 = 3;
const POINT: u8 = 4;
const TEXT: u8 = 5;
const PAIR: u8 = 6;
const RECORD: u8 = 7;
const SET: u8 = 8;
/// Values that are read are nested no deeper than this.
const MAX_DEPTH: u32 = 10_000;

impl Values {
    /// A total order of values that depends on nothing but the values: by hash, and where hashes collide, by bytes.
    #[inline]
    pub fn compare(&self, a: Value, b: Value) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        self.hash(a).cmp(&self.hash(b)).then_with(|| {
            let bytes = |value| {
                let mut bytes = Vec::new();
                self.write(value, &mut bytes);
                bytes
            };
            bytes(a).cmp(&bytes(b))
        })
    }

    /// Appends the value's bytes. The elements of a set are in the order of their bytes.
    pub fn write(&self, value: Value, bytes: &mut Vec<u8>) {
        match self.view(value) {
            View::Unset => bytes.push(UNSET),
            View::Truth(truth) => bytes.push(if truth { TRUE } else { FALSE }),
            View::Number(number) => {
                bytes.push(NUMBER);
                write_number(zigzag(number), bytes);
            }
            View::Point(point) => {
                bytes.push(POINT);
                write_number(u64::from(point), bytes);
            }
            View::Text(text) => {
                bytes.push(TEXT);
                write_number(u64::from(text), bytes);
            }
            View::Pair(left, right) => {
                bytes.push(PAIR);
                self.write(left, bytes);
                self.write(right, bytes);
            }
            View::Record(fields) => {
                bytes.push(RECORD);
                write_number(fields.len() as u64, bytes);
                fields.iter().for_each(|&field| self.write(field, bytes));
            }
            View::Set(elements) => {
                bytes.push(SET);
                write_number(elements.len() as u64, bytes);
                let of_element = |&element: &Value| {
                    let mut bytes = Vec::new();
                    self.write(element, &mut bytes);
                    bytes
                };
                let mut written: Vec<Vec<u8>> = elements.iter().map(of_element).collect();
                written.sort_unstable();
                written.iter().for_each(|element| bytes.extend_from_slice(element));
            }
        }
    }

    /// Takes a value from the front of the bytes; None where they are none.
    pub fn read(&self, bytes: &mut &[u8]) -> Option<Value> {
        self.read_nested(bytes, 0)
    }

    fn read_nested(&self, bytes: &mut &[u8], depth: u32) -> Option<Value> {
        if depth > MAX_DEPTH {
            return None;
        }
        let (&tag, rest) = bytes.split_first()?;
        *bytes = rest;
        Some(match tag {
            UNSET => Values::UNSET,
            FALSE => Values::truth(false),
            TRUE => Values::truth(true),
            NUMBER => self.number(from_zigzag(read_number(bytes)?)),
            POINT => Values::point(small(bytes)?),
            TEXT => Values::text(small(bytes)?),
            PAIR => {
                let left = self.read_nested(bytes, depth + 1)?;
                self.pair(left, self.read_nested(bytes, depth + 1)?)
            }
            RECORD => self.record(&self.read_list(bytes, depth)?),
            SET => self.set(&mut self.read_list(bytes, depth)?),
            _ => return None,
        })
    }

    fn read_list(&self, bytes: &mut &[u8], depth: u32) -> Option<Vec<Value>> {
        let count = read_number(bytes)?;
        // Each takes a byte at least, so no more memory is asked for than was written.
        if count > bytes.len() as u64 {
            return None;
        }
        (0..count).map(|_| self.read_nested(bytes, depth + 1)).collect()
    }
}

/// Points and texts are numbered below 2^28.
fn small(bytes: &mut &[u8]) -> Option<u32> {
    read_number(bytes).and_then(|number| u32::try_from(number).ok()).filter(|&number| number < 1 << 28)
}
