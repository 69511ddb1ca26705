//! Case distinctions: where nothing bounds a name, a disjunction, implication, equivalence or condition is split, so that in
//! each case more is known. `reference/sets/cases.py` has the same rule.

use crate::kinds::machine::compile::Compiler;
use crate::kinds::machine::nodes::{Id, Node, Op, Slots, Type};
use crate::kinds::machine::planning::Mode;

/// The largest number of cases into which one condition is split.
pub const MAX_CASES: usize = 256;

impl Compiler<'_> {
    /// The first conjunct whose cases each bound more, and the conjuncts of each case.
    pub fn cases(&mut self, unknown: &Slots, rest: &[Id], mode: &Mode) -> Option<(Id, Vec<Vec<Id>>)> {
        for &id in rest {
            let Some(cases) = self.cases_of(id) else { continue };
            if cases.len() > mode.cases || !self.may_bound(id, true, unknown) {
                continue;
            }
            let flatten = |case: Vec<Id>| {
                let mut conjuncts = Vec::new();
                case.into_iter().for_each(|part| self.flatten(part, mode.is_lenient, &mut conjuncts));
                conjuncts
            };
            return Some((id, cases.into_iter().map(flatten).collect()));
        }
        None
    }

    fn cases_of(&mut self, id: Id) -> Option<Vec<Vec<Id>>> {
        let boolean = self.code.arena.type_(Type::Boolean);
        if let Node::Conditional(test, then, otherwise) = self.code.arena.bare(id) {
            let fails = self.apply(Op::Not, &[test], boolean, None);
            return Some(vec![vec![test, then], vec![fails, otherwise]]);
        }
        let (op, arguments) = self.code.arena.application(id)?;
        let mut not = |id: Id| self.apply(Op::Not, &[id], boolean, None);
        match (op, arguments.as_slice()) {
            (Op::Or, parts) => Some(parts.iter().map(|&part| vec![part]).collect()),
            (Op::Implies, &[a, b]) => Some(vec![vec![not(a)], vec![b]]),
            (Op::Iff, &[a, b]) => Some(vec![vec![a, b], vec![not(a), not(b)]]),
            _ => None,
        }
    }

    /// Does it contain a comparison that, being true (or false), may bound an unknown name?
    fn may_bound(&self, id: Id, truth: bool, unknown: &Slots) -> bool {
        let arena = &self.code.arena;
        if !self.free(id).intersects(unknown) {
            return false;
        }
        match arena.bare(id) {
            Node::Exists { binder } => {
                truth && self.may_bound(arena.binders[binder as usize].condition, true, unknown)
            }
            Node::Conditional(test, then, otherwise) => {
                self.may_bound(test, true, unknown)
                    || self.may_bound(test, false, unknown)
                    || self.may_bound(then, truth, unknown)
                    || self.may_bound(otherwise, truth, unknown)
            }
            Node::Let(_, _, body) => self.may_bound(body, truth, unknown),
            _ => match arena.application(id) {
                Some((Op::And | Op::Or, parts)) => {
                    parts.iter().any(|&part| self.may_bound(part, truth, unknown))
                }
                Some((Op::Not, parts)) => self.may_bound(parts[0], !truth, unknown),
                Some((Op::Implies, parts)) => {
                    self.may_bound(parts[0], !truth, unknown) || self.may_bound(parts[1], truth, unknown)
                }
                Some((Op::Iff, parts)) => parts
                    .iter()
                    .any(|&part| self.may_bound(part, true, unknown) || self.may_bound(part, false, unknown)),
                Some((Op::Less | Op::LessEqual, _)) => true,
                Some((Op::Equal | Op::Member | Op::Subset | Op::StrictSubset, _)) => truth,
                _ => false,
            },
        }
    }
}
