//! Jump threading: a jump to a test whose outcome is known is redirected to where that test leads.
//!
//! Loops that are written out test the same slot again and again: `forall i, j` over a mutual exclusion asks for each j
//! whether i is critical. Where it is not, the first answer is enough for all of them.

use super::super::code::{Code, Op, Target};

/// So far a jump is followed at most; code that goes round in circles must not keep us.
const FARTHEST: usize = 1 << 12;

/// What is known where a jump is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Code { at: u32, code: u32, equal: bool },
    Equal { left: u32, right: u32, equal: bool },
    Truth { test: u32, holds: bool },
    Nothing,
}

pub fn thread_jumps(code: &mut Code) {
    for at in 0..code.ops.len() {
        let (known, target) = match code.ops[at] {
            Op::JumpCode { at, code, target } => (Known::Code { at, code, equal: true }, target),
            Op::JumpNotCode { at, code, target } => (Known::Code { at, code, equal: false }, target),
            Op::JumpEqual { left, right, target } => (Known::Equal { left, right, equal: true }, target),
            Op::JumpNotEqual { left, right, target } => (Known::Equal { left, right, equal: false }, target),
            Op::JumpIf { test, target } => (Known::Truth { test, holds: true }, target),
            Op::JumpUnless { test, target } => (Known::Truth { test, holds: false }, target),
            Op::Jump { target } => (Known::Nothing, target),
            _ => continue,
        };
        let farther = followed(&code.ops, known, target);
        if let Some(target) = super::emit::target(&mut code.ops[at]) {
            *target = farther;
        }
    }
}

fn followed(ops: &[Op], known: Known, mut target: Target) -> Target {
    for _ in 0..FARTHEST {
        let taken = match (ops[target as usize], known) {
            (Op::Jump { .. }, _) => true,
            (Op::JumpCode { at, code, .. }, Known::Code { at: slot, code: known, equal }) if at == slot => {
                match (code == known, equal) {
                    (true, equal) => equal,
                    (false, true) => false,
                    (false, false) => return target,
                }
            }
            (Op::JumpNotCode { at, code, .. }, Known::Code { at: slot, code: known, equal })
                if at == slot =>
            {
                match (code == known, equal) {
                    (true, equal) => !equal,
                    (false, true) => true,
                    (false, false) => return target,
                }
            }
            (Op::JumpEqual { left: l, right: r, .. }, Known::Equal { left, right, equal })
                if (l, r) == (left, right) =>
            {
                equal
            }
            (Op::JumpNotEqual { left: l, right: r, .. }, Known::Equal { left, right, equal })
                if (l, r) == (left, right) =>
            {
                !equal
            }
            (Op::JumpIf { test: t, .. }, Known::Truth { test, holds }) if t == test => holds,
            (Op::JumpUnless { test: t, .. }, Known::Truth { test, holds }) if t == test => !holds,
            _ => return target,
        };
        target = match (taken, ops[target as usize]) {
            (false, _) => target + 1,
            (
                true,
                Op::Jump { target }
                | Op::JumpCode { target, .. }
                | Op::JumpNotCode { target, .. }
                | Op::JumpEqual { target, .. }
                | Op::JumpNotEqual { target, .. }
                | Op::JumpIf { target, .. }
                | Op::JumpUnless { target, .. },
            ) => target,
            _ => return target,
        };
    }
    target
}
