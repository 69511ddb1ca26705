//! Which slots a piece of code may write: what has to be looked at after a body ran, and put back before the next.

use super::code::{Cell, Code, Op};

/// The slots in ascending order; None where it cannot be said beforehand.
pub fn slots_written(code: &Code, ops: &[Op]) -> Option<Vec<u32>> {
    let mut written = Vec::new();
    for op in ops {
        let (first, count) = region(code, op)?;
        written.extend((first..first + count).filter(|&cell| (cell as usize) < code.slots));
    }
    written.sort_unstable();
    written.dedup();
    Some(written)
}

/// The cells that an instruction writes, as (first, how many).
fn region(code: &Code, op: &Op) -> Option<(u32, u32)> {
    Some(match *op {
        Op::Move { to, .. }
        | Op::Load { to, .. }
        | Op::Plus { to, .. }
        | Op::Fetch { to, .. }
        | Op::Encode { to, .. }
        | Op::Recode { to, .. }
        | Op::Same { to, .. }
        | Op::Scale { to, .. }
        | Op::Add { to, .. }
        | Op::Subtract { to, .. }
        | Op::Multiply { to, .. }
        | Op::Divide { to, .. }
        | Op::Remainder { to, .. }
        | Op::BitAnd { to, .. }
        | Op::BitOr { to, .. }
        | Op::BitXor { to, .. }
        | Op::ShiftLeft { to, .. }
        | Op::ShiftRight { to, .. }
        | Op::Negate { to, .. }
        | Op::Complement { to, .. }
        | Op::Entry { to, .. }
        | Op::Present { to, .. } => (to, 1),
        Op::Advance { counter, .. } => (counter, 1),
        Op::Attempt { into, .. } => (into, 1),
        // Locals lie behind the slots, so an offset from there never comes back to a slot.
        Op::Put { base, .. } if base as usize >= code.slots => (base, 0),
        Op::Copy { to, count, .. } => (constant(code, to)?, count),
        Op::Zero { at, count } => (constant(code, at)?, count),
        Op::Sort { bag, spec } => {
            let (width, capacity) = code.bags[spec as usize];
            (constant(code, bag)?, width * capacity)
        }
        Op::Put { .. } | Op::Take { .. } | Op::Remove { .. } | Op::RemoveFlagged { .. } | Op::Restore => {
            return None;
        }
        Op::Check { .. }
        | Op::Jump { .. }
        | Op::JumpIf { .. }
        | Op::JumpUnless { .. }
        | Op::JumpEqual { .. }
        | Op::JumpNotEqual { .. }
        | Op::JumpLess { .. }
        | Op::JumpLessOrEqual { .. }
        | Op::JumpCode { .. }
        | Op::JumpNotCode { .. }
        | Op::JumpPast { .. }
        | Op::Emit { .. }
        | Op::EmitCell { .. }
        | Op::Cover { .. }
        | Op::Catch { .. }
        | Op::Uncatch
        | Op::Settle
        | Op::FailWith { .. }
        | Op::Fail { .. }
        | Op::Discard
        | Op::Halt => (0, 0),
    })
}

/// What a cell among the constants holds.
fn constant(code: &Code, cell: Cell) -> Option<u32> {
    let at = (cell as usize).checked_sub(code.slots)?;
    code.constants.get(at).map(|&value| value as u32)
}
