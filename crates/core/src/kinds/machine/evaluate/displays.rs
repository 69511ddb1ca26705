//! Operators whose right side is a set written element by element, which need not be built: s \/ {x, y}, s - {x}, r[{x}].

use crate::kinds::machine::evaluate::{Answer, Evaluator, Memory, computed};
use crate::kinds::machine::nodes::{Id, Node, Op};
use crate::kinds::machine::operators::{dense, sets};
use crate::kinds::machine::values::Value;

/// Beside the numbers of operators in the memo: the right side is the set of the second operand alone.
const SINGLE: u32 = 1 << 17;

impl Evaluator<'_> {
    pub fn with_displayed(&self, id: Id, op: Op, left: Id, right: Id, m: &mut Memory) -> Answer<Value> {
        let Node::Many(_, start, length) = self.code.arena.node(right) else {
            unreachable!("a set that is written out");
        };
        let left = self.value(left, m)?;
        let items = &self.code.arena.lists[start as usize..(start + length) as usize];
        if let &[item] = items {
            let item = self.value(item, m)?;
            let (values, Memory { scratch, memo, .. }) = (self.values, &mut *m);
            let outcome = match dense::with_one(op, values, left, item) {
                Some(value) => return Ok(value),
                None => memo.get_or(SINGLE + op as u32, left, item, || {
                    computed(op, values, scratch, left, values.sorted_set(&[item]))
                }),
            };
            return self.settled(id, outcome, m);
        }
        if let Some(set) = self.with_bits(left, items, m)? {
            return Ok(set);
        }
        let mut right = m.scratch.take();
        for &item in items {
            match self.value(item, m) {
                Ok(value) => right.push(value),
                Err(halt) => {
                    m.scratch.give(right);
                    return Err(halt);
                }
            }
        }
        right.sort_unstable();
        right.dedup();
        let outcome = sets::united(self.values, &mut m.scratch, left, &right);
        m.scratch.give(right);
        self.settled(id, outcome, m)
    }

    /// s \/ {x, y} where all have bits.
    #[inline(always)]
    fn with_bits(&self, set: Value, items: &[Id], m: &mut Memory) -> Answer<Option<Value>> {
        let Some(before) = self.values.bits(set) else { return Ok(None) };
        let (mut bits, mut universe) = (before, 0);
        for &item in items {
            let Some(spot) = self.values.spot(self.value(item, m)?) else { return Ok(None) };
            bits |= 1 << spot.bit;
            universe = spot.universe;
        }
        Ok(Some(if bits == before { set } else { self.values.dense_set(universe, bits) }))
    }
}
