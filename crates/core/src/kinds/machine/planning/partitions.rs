//! Sets that are parts of a partition: what equations between unions and intersections say of one part once the others are
//! known.

use crate::kinds::machine::compile::Compiler;
use crate::kinds::machine::nodes::{Id, Node, Op, Slot, Slots};
use crate::kinds::machine::values::Value;

/// What is left of the subsets of a set.
pub struct Remaining {
    pub of: Id,
    /// Sets that are included in any case.
    pub parts: Vec<Id>,
    /// How many elements are undecided at most, where an equation bounds that.
    pub open: f64,
}

impl Compiler<'_> {
    /// From `x \/ E = C`: what C has beyond E is in x. From `x /\ E = {}`: nothing of E is; that conjunct is settled then.
    pub fn remaining(
        &mut self,
        slot: Slot,
        of: Id,
        unknown: &Slots,
        rest: &[Id],
        settled: &mut Vec<Id>,
    ) -> Remaining {
        let mut remaining = Remaining { of, parts: Vec::new(), open: f64::INFINITY };
        for &id in rest {
            let Node::Binary(Op::Equal, a, b) = self.code.arena.bare(id) else { continue };
            for (open, known) in [(a, b), (b, a)] {
                if self.free(known).intersects(unknown) {
                    continue;
                }
                match self.code.arena.bare(open) {
                    Node::Binary(Op::Union, ..) if !self.code.arena.info(known).is_infinite => {
                        self.remaining_of_union(slot, open, known, unknown, &mut remaining);
                    }
                    Node::Binary(Op::Intersection, a, b)
                        if matches!(self.code.arena.bare(known), Node::Constant(Value::EMPTY)) =>
                    {
                        if let Some(away) = self.other_side(slot, a, b, unknown) {
                            let type_ = self.code.arena.info(remaining.of).type_;
                            remaining.of = self.apply(Op::Difference, &[remaining.of, away], type_, None);
                            settled.push(id);
                        }
                    }
                    _ => {}
                }
            }
        }
        remaining
    }

    fn remaining_of_union(
        &mut self,
        slot: Slot,
        union: Id,
        whole: Id,
        unknown: &Slots,
        remaining: &mut Remaining,
    ) {
        let mut sides = Vec::new();
        self.united(union, &mut sides);
        let before = sides.len();
        sides.retain(|&side| self.unknown_slot(side, unknown) != Some(slot));
        if sides.len() == before || !sides.iter().all(|&side| self.is_listed(side, unknown)) {
            return;
        }
        let type_ = self.code.arena.info(whole).type_;
        let mut beyond = whole;
        for &side in &sides {
            beyond = self.apply(Op::Difference, &[beyond, side], type_, None);
        }
        remaining.parts.push(self.kept(beyond));
        remaining.open = remaining.open.min(sides.iter().map(|&side| self.size(side)).sum());
    }

    /// The sets that a union is made of.
    fn united(&self, id: Id, sides: &mut Vec<Id>) {
        match self.code.arena.bare(id) {
            Node::Binary(Op::Union, a, b) => {
                self.united(a, sides);
                self.united(b, sides);
            }
            _ => sides.push(id),
        }
    }

    /// What is known beside the name of a slot.
    fn other_side(&self, slot: Slot, a: Id, b: Id, unknown: &Slots) -> Option<Id> {
        let is_it = |id: Id| self.unknown_slot(id, unknown) == Some(slot);
        let other = if is_it(a) { b } else { a };
        (is_it(a) != is_it(b) && !self.free(other).intersects(unknown)).then_some(other)
    }
}
