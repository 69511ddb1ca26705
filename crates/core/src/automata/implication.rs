//! Syntactic implication: a cheap, sound and incomplete test whether one formula implies another.
//!
//! In: two formulas of an `Arena`. Out: true only if the second holds at every position of every word where the first does. The
//! rules are those of Somenzi and Bloem 2000 (section 4) with pure eventualities and universalities besides, and their mirror
//! images for the past. Answers are kept; beyond the arena's budget only what is kept or equal is answered.

use super::formula::{Arena, FALSE, FormulaId, Node, TRUE};

impl Arena {
    pub fn implies(&mut self, f: FormulaId, g: FormulaId) -> bool {
        if f == g || f == FALSE || g == TRUE {
            return true;
        }
        if f == TRUE || g == FALSE {
            return false;
        }
        if let Some(&known) = self.implications.get(&(f, g)) {
            return known;
        }
        if self.implication_budget == 0 {
            return false;
        }
        self.implication_budget -= 1;
        let holds = self.by_premise(f, g) || self.by_conclusion(f, g) || self.by_both(f, g);
        // f implies g exactly if not g implies not f, but the rules do not see that by themselves.
        self.implications.insert((f, g), holds);
        self.implications.insert((g.negated(), f.negated()), holds);
        holds
    }

    /// Rules that take the premise apart.
    fn by_premise(&mut self, f: FormulaId, g: FormulaId) -> bool {
        match self.node(f).clone() {
            Node::And(operands) => operands.iter().any(|&each| self.implies(each, g)),
            Node::Or(operands) => operands.iter().all(|&each| self.implies(each, g)),
            // Where g is eventual, b later is enough.
            Node::Until(a, b) => self.implies(b, g) && (self.is_eventual(g) || self.implies(a, g)),
            Node::Release(_, b) | Node::Trigger(_, b) => self.implies(b, g),
            Node::Next(a) => self.is_eventual(g) && self.implies(a, g),
            Node::Since(a, b) => self.implies(b, g) && (self.is_universal(g) || self.implies(a, g)),
            Node::Yesterday(a) => self.is_universal(g) && self.implies(a, g),
            _ => false,
        }
    }

    /// Rules that take the conclusion apart: the contrapositions of those for the premise.
    fn by_conclusion(&mut self, f: FormulaId, g: FormulaId) -> bool {
        match self.node(g).clone() {
            Node::And(operands) => operands.iter().all(|&each| self.implies(f, each)),
            Node::Or(operands) => operands.iter().any(|&each| self.implies(f, each)),
            Node::Until(_, b) | Node::Since(_, b) => self.implies(f, b),
            Node::Release(a, b) => self.implies(f, b) && (self.is_universal(f) || self.implies(f, a)),
            Node::Next(a) => self.is_universal(f) && self.implies(f, a),
            Node::Trigger(a, b) => self.implies(f, b) && (self.is_eventual(f) || self.implies(f, a)),
            Node::WeakYesterday(a) => self.is_eventual(f) && self.implies(f, a),
            _ => false,
        }
    }

    /// All operators are monotone.
    fn by_both(&mut self, f: FormulaId, g: FormulaId) -> bool {
        match (self.node(f).clone(), self.node(g).clone()) {
            (Node::Next(a), Node::Next(b))
            | (Node::Yesterday(a), Node::Yesterday(b) | Node::WeakYesterday(b))
            | (Node::WeakYesterday(a), Node::WeakYesterday(b)) => self.implies(a, b),
            (Node::Until(a, b), Node::Until(c, d))
            | (Node::Release(a, b), Node::Release(c, d))
            | (Node::Since(a, b), Node::Since(c, d))
            | (Node::Trigger(a, b), Node::Trigger(c, d)) => self.implies(a, c) && self.implies(b, d),
            _ => false,
        }
    }
}
