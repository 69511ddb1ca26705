//! Constructors that rewrite to smaller equivalent formulas.
//!
//! In: simplified operands. Out: a simplified formula with the same truth value at every position of every word. Rules: Boolean
//! laws with syntactic implication (Somenzi and Bloem 2000, section 4), pure eventualities and universalities (Etessami and
//! Holzmann 2000), the distributive laws of F, G, U, R and X in the direction that leaves fewer operators. Only conjunction, X, U,
//! Y and S have rules; their duals are made by negation, which costs nothing in an `Arena`. Every rule leaves fewer operators, or
//! as many with an X or a suspendable formula further out, so rewriting ends.

use hashbrown::HashMap;

use super::formula::{Arena, FALSE, FormulaId, Node, TRUE};

/// Operands up to which a conjunction is searched for pairs of which one implies the other.
const MAX_COMPARED: usize = 64;

/// Conjuncts with the same key are one operator over a conjunction: X a & X b = X(a & b).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Merge {
    Next,
    EventuallyAlways,
    UntilSameRight(FormulaId),
    ReleaseSameLeft(FormulaId),
    Yesterday,
    SinceSameRight(FormulaId),
    TriggerSameLeft(FormulaId),
}

impl Arena {
    pub fn or(&mut self, operands: impl IntoIterator<Item = FormulaId>) -> FormulaId {
        let negated: Vec<FormulaId> = operands.into_iter().map(FormulaId::negated).collect();
        self.and(negated).negated()
    }

    pub fn release(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        self.until(a.negated(), b.negated()).negated()
    }

    pub fn weak_yesterday(&mut self, a: FormulaId) -> FormulaId {
        self.yesterday(a.negated()).negated()
    }

    pub fn trigger(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        self.since(a.negated(), b.negated()).negated()
    }

    fn eventually(&mut self, a: FormulaId) -> FormulaId {
        self.until(TRUE, a)
    }

    fn globally(&mut self, a: FormulaId) -> FormulaId {
        self.release(FALSE, a)
    }

    pub fn and(&mut self, operands: impl IntoIterator<Item = FormulaId>) -> FormulaId {
        let mut flat = Vec::new();
        for operand in operands {
            flat.extend(self.conjuncts(operand));
        }
        flat.sort_unstable();
        flat.dedup();
        if flat.contains(&FALSE) || flat.windows(2).any(|pair| pair[0].negated() == pair[1]) {
            return FALSE;
        }
        if let Some(merged) = self.merged(&flat) {
            return self.and(merged);
        }
        if flat.len() <= MAX_COMPARED
            && let Some(fewer) = self.without_implied(&flat)
        {
            return self.and(fewer);
        }
        match flat[..] {
            [] => TRUE,
            [only] => only,
            _ => self.intern(Node::And(flat.into())),
        }
    }

    /// The operands with those of the same key merged; None where no two have the same.
    fn merged(&mut self, operands: &[FormulaId]) -> Option<Vec<FormulaId>> {
        let mut groups: HashMap<Merge, Vec<FormulaId>> = HashMap::new();
        let mut merged = Vec::new();
        for &operand in operands {
            match self.merge_key(operand) {
                Some(key) => groups.entry(key).or_default().push(operand),
                None => merged.push(operand),
            }
        }
        if groups.values().all(|group| group.len() == 1) {
            return None;
        }
        let mut groups: Vec<(Merge, Vec<FormulaId>)> = groups.into_iter().collect();
        groups.sort_unstable();
        for (key, group) in groups {
            merged.push(if group.len() == 1 { group[0] } else { self.merged_group(key, &group) });
        }
        Some(merged)
    }

    fn merge_key(&self, id: FormulaId) -> Option<Merge> {
        match *self.node(id) {
            Node::Next(_) => Some(Merge::Next),
            Node::Until(TRUE, b) if matches!(self.node(b), Node::Release(FALSE, _)) => {
                Some(Merge::EventuallyAlways)
            }
            Node::Until(_, b) => Some(Merge::UntilSameRight(b)),
            Node::Release(a, _) => Some(Merge::ReleaseSameLeft(a)),
            Node::Yesterday(_) | Node::WeakYesterday(_) => Some(Merge::Yesterday),
            Node::Since(_, b) => Some(Merge::SinceSameRight(b)),
            Node::Trigger(a, _) => Some(Merge::TriggerSameLeft(a)),
            _ => None,
        }
    }

    fn merged_group(&mut self, key: Merge, group: &[FormulaId]) -> FormulaId {
        let inner: Vec<FormulaId> = group.iter().map(|&each| self.merged_operand(each)).collect();
        let inner = self.and(inner);
        match key {
            Merge::Next => self.next(inner),
            Merge::EventuallyAlways => {
                let always = self.globally(inner);
                self.eventually(always)
            }
            Merge::UntilSameRight(b) => self.until(inner, b),
            Merge::ReleaseSameLeft(a) => self.release(a, inner),
            // One strong yesterday is enough: Z a & Y b = Y(a & b).
            Merge::Yesterday if group.iter().any(|&each| matches!(self.node(each), Node::Yesterday(_))) => {
                self.yesterday(inner)
            }
            Merge::Yesterday => self.weak_yesterday(inner),
            Merge::SinceSameRight(b) => self.since(inner, b),
            Merge::TriggerSameLeft(a) => self.trigger(a, inner),
        }
    }

    /// What of a conjunct goes into the conjunction below the common operator.
    fn merged_operand(&self, id: FormulaId) -> FormulaId {
        match *self.node(id) {
            Node::Until(TRUE, b) => match *self.node(b) {
                Node::Release(FALSE, always) => always,
                _ => TRUE,
            },
            Node::Next(a) | Node::Yesterday(a) | Node::WeakYesterday(a) => a,
            Node::Until(a, _) | Node::Since(a, _) => a,
            Node::Release(_, b) | Node::Trigger(_, b) => b,
            _ => id,
        }
    }

    /// Without conjuncts that others imply, and without disjuncts of conjuncts that others exclude; None where there are none.
    fn without_implied(&mut self, operands: &[FormulaId]) -> Option<Vec<FormulaId>> {
        for (at, &y) in operands.iter().enumerate() {
            for (other, &x) in operands.iter().enumerate() {
                if at == other {
                    continue;
                }
                if self.implies(x, y) {
                    return Some(operands.iter().copied().filter(|&each| each != y).collect());
                }
                if self.implies(x, y.negated()) {
                    return Some(vec![FALSE]);
                }
                if let Node::Or(disjuncts) = self.node(y).clone() {
                    let kept: Vec<FormulaId> =
                        disjuncts.iter().copied().filter(|each| !self.implies(x, each.negated())).collect();
                    if kept.len() < disjuncts.len() {
                        let smaller = self.or(kept);
                        let others = operands.iter().copied().filter(|&each| each != y);
                        return Some(others.chain([smaller]).collect());
                    }
                }
            }
        }
        None
    }

    pub fn next(&mut self, a: FormulaId) -> FormulaId {
        // One truth value on the whole word: the position does not matter.
        if self.is_suspendable(a) {
            return a;
        }
        if let Some((suspendable, rest)) = self.split_suspendable(a) {
            let rest = self.and(rest);
            let rest = self.next(rest);
            return self.and(suspendable.into_iter().chain([rest]));
        }
        if let Some((suspendable, rest)) = self.split_suspendable(a.negated()) {
            let rest = self.and(rest);
            let rest = self.next(rest);
            return self.and(suspendable.into_iter().chain([rest])).negated();
        }
        self.intern(Node::Next(a))
    }

    pub fn until(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        // Where b holds later it holds now, or a holds only where b does: no need to go on.
        if b.is_constant() || self.is_eventual(b) || self.implies(a, b) {
            return b;
        }
        if a != TRUE && self.implies(b.negated(), a) {
            return self.eventually(b);
        }
        if let Some((suspendable, rest)) = self.split_suspendable(b) {
            let rest = self.and(rest);
            let rest = self.until(a, rest);
            return self.and(suspendable.into_iter().chain([rest]));
        }
        if let Some(smaller) = self.until_by_right(a, b).or_else(|| self.until_by_left(a, b)) {
            return smaller;
        }
        self.intern(Node::Until(a, b))
    }

    fn until_by_right(&mut self, a: FormulaId, b: FormulaId) -> Option<FormulaId> {
        match self.node(b).clone() {
            Node::Until(c, d) => {
                if a == TRUE {
                    return Some(self.eventually(d));
                }
                self.implies(a, c).then_some(b)
            }
            Node::Next(d) => {
                let c = match *self.node(a) {
                    Node::Next(c) => c,
                    _ if a == TRUE => TRUE,
                    _ => return None,
                };
                let both = self.until(c, d);
                Some(self.next(both))
            }
            // F(e | x) = e | F x, where e is eventual.
            Node::Or(operands) if a == TRUE => {
                let (eventual, rest): (Vec<_>, Vec<_>) =
                    operands.iter().partition(|&&each| self.is_eventual(each));
                if eventual.is_empty() {
                    return None;
                }
                let rest = self.or(rest);
                let rest = self.eventually(rest);
                Some(self.or(eventual.into_iter().chain([rest])))
            }
            _ => None,
        }
    }

    fn until_by_left(&mut self, a: FormulaId, b: FormulaId) -> Option<FormulaId> {
        match self.node(a).clone() {
            // (c U b) U b = c U b.
            Node::Until(_, d) if d == b => Some(a),
            // The left side matters only where b does not hold: disjuncts that imply b add nothing,
            Node::Or(operands) => {
                let kept: Vec<_> = operands.iter().copied().filter(|&each| !self.implies(each, b)).collect();
                if kept.len() == operands.len() {
                    return None;
                }
                let left = self.or(kept);
                Some(self.until(left, b))
            }
            // and conjuncts that hold wherever b does not are not needed.
            Node::And(operands) => {
                let kept: Vec<_> =
                    operands.iter().copied().filter(|&each| !self.implies(b.negated(), each)).collect();
                if kept.len() == operands.len() {
                    return None;
                }
                let left = self.and(kept);
                Some(self.until(left, b))
            }
            _ => None,
        }
    }

    pub fn yesterday(&mut self, a: FormulaId) -> FormulaId {
        if a == FALSE { FALSE } else { self.intern(Node::Yesterday(a)) }
    }

    pub fn since(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        if b.is_constant() || self.is_universal(b) || self.implies(a, b) {
            return b;
        }
        if a != TRUE && self.implies(b.negated(), a) {
            return self.since(TRUE, b);
        }
        if let Node::Since(c, d) = *self.node(b) {
            if a == TRUE {
                return self.since(TRUE, d);
            }
            if self.implies(a, c) {
                return b;
            }
        }
        self.intern(Node::Since(a, b))
    }

    /// The suspendable conjuncts and the others; None where one of these is empty.
    fn split_suspendable(&self, id: FormulaId) -> Option<(Vec<FormulaId>, Vec<FormulaId>)> {
        let Node::And(operands) = self.node(id) else { return None };
        let (suspendable, rest): (Vec<_>, Vec<_>) =
            operands.iter().partition(|&&each| self.is_suspendable(each));
        (!suspendable.is_empty() && !rest.is_empty()).then_some((suspendable, rest))
    }
}
