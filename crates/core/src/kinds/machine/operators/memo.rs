//! A cache of results of costly operators: a table of fixed size for one thread, in which a newer entry replaces an older
//! one.

use super::super::values::Value;
use super::Outcome;

/// Which operator, from 1 on, the handles of both operands, and of the result. All zero: nothing here; such a table is
/// made by the system, page by page, as it is used.
type Entry = [u32; 4];

pub struct Memo {
    entries: Box<[Entry]>,
    shift: u32,
}

pub const DEFAULT_BITS: u32 = 14;

impl Default for Memo {
    fn default() -> Self {
        Memo::new(DEFAULT_BITS)
    }
}

impl Memo {
    /// With 2^bits entries of 16 bytes.
    pub fn new(bits: u32) -> Self {
        Memo { entries: vec![[0; 4]; 1 << bits].into_boxed_slice(), shift: 64 - bits }
    }

    /// The result of `operator` (any number, chosen by the caller) for `a` and `b`: from the cache, or computed and cached.
    /// What is undefined is computed each time.
    #[inline]
    pub fn get_or(
        &mut self,
        operator: u32,
        a: Value,
        b: Value,
        compute: impl FnOnce() -> Outcome,
    ) -> Outcome {
        let place = self.place(operator, a, b);
        let [known, left, right, result] = self.entries[place];
        if known == operator + 1 && left == a.handle() && right == b.handle() {
            return Ok(Value::from_handle(result));
        }
        let result = compute()?;
        self.entries[place] = [operator + 1, a.handle(), b.handle(), result.handle()];
        Ok(result)
    }

    #[inline(always)]
    fn place(&self, operator: u32, a: Value, b: Value) -> usize {
        let operands = u64::from(a.handle()) << 32 | u64::from(b.handle());
        let mixed = (operands ^ u64::from(operator) << 25).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // The lower handle reaches the upper bits by the product, the upper one by the fold.
        ((mixed ^ mixed << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }
}
