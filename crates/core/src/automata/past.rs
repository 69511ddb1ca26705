//! Past operators as memory: what a state must know of the positions before.
//!
//! In: a formula. Out: the same formula in which every past operator has operands without future, a bit of memory for each past
//! operator, and definitions of auxiliary atoms.
//!
//! The value of a past operator is determined by the current letter and one bit: Y p needs p's value at the position before,
//! p S q and p T q need their own (p S q = q | p & Y(p S q)). So the memory is a deterministic function of the word read so far. A
//! future formula f below a past operator is replaced by an auxiliary atom that the automaton guesses, with the obligation that
//! f holds wherever the atom does. The other direction is not needed: formulas in negation normal form are monotone in the
//! atom, so a guess that is false where f holds accepts no word that the right guess does not. Guesses disappear from labels at
//! the end.

use hashbrown::HashMap;

use super::Error;
use super::cube::MAX_ATOMS;
use super::formula::{Arena, FormulaId, Node};

/// Bits of memory are bits of a `u128`.
pub const MAX_PAST: usize = 128;

pub struct Past {
    pub formula: FormulaId,
    /// Auxiliary atoms are those from here on,
    pub first_auxiliary: u32,
    /// and this is what each promises.
    pub definitions: Vec<FormulaId>,
    /// The past operators, without sign: Y and S. Bits of memory are their positions here.
    operators: Vec<FormulaId>,
    bits: HashMap<FormulaId, u32>,
    relevant: HashMap<FormulaId, u128>,
}

impl Past {
    pub fn new(formula: FormulaId, atom_count: u32, arena: &mut Arena) -> Result<Past, Error> {
        let mut past = Past {
            formula,
            first_auxiliary: atom_count,
            definitions: Vec::new(),
            operators: Vec::new(),
            bits: HashMap::new(),
            relevant: HashMap::new(),
        };
        if arena.traits(formula).has_past {
            let mut separation = Separation { arena, past: &mut past, done: HashMap::new() };
            past.formula = separation.separate(formula, false)?;
        }
        Ok(past)
    }

    /// As bits.
    pub fn auxiliary_atoms(&self) -> u128 {
        u128::MAX.checked_shl(self.first_auxiliary).unwrap_or(0)
    }

    /// The bits that decide the values of the past operators in a formula, now and later.
    pub fn relevant(&mut self, id: FormulaId, arena: &Arena) -> Result<u128, Error> {
        let traits = arena.traits(id);
        if !traits.has_past && self.definitions.is_empty() {
            return Ok(0);
        }
        if let Some(&known) = self.relevant.get(&id) {
            return Ok(known);
        }
        let node = arena.node(id);
        let mut bits = 0;
        if node.is_past() {
            bits |= 1 << self.bit(id.unsigned())?;
        }
        if let &Node::Literal { atom, .. } = node
            && atom >= self.first_auxiliary
        {
            bits |= self.relevant(self.definitions[(atom - self.first_auxiliary) as usize], arena)?;
        }
        for operand in node.operands() {
            bits |= self.relevant(operand, arena)?;
        }
        self.relevant.insert(id, bits);
        Ok(bits)
    }

    fn bit(&mut self, operator: FormulaId) -> Result<u32, Error> {
        if let Some(&bit) = self.bits.get(&operator) {
            return Ok(bit);
        }
        if self.operators.len() == MAX_PAST {
            return Err(Error::TooManyPastOperators(MAX_PAST));
        }
        let bit = self.operators.len() as u32;
        self.operators.push(operator);
        self.bits.insert(operator, bit);
        Ok(bit)
    }

    /// What a past operator, of this sign, has in memory.
    pub fn remembered(&self, id: FormulaId, memory: u128) -> bool {
        let unsigned = id.unsigned();
        let bit = memory >> self.bits[&unsigned] & 1 == 1;
        bit == (id == unsigned)
    }

    /// What a bit of memory is after a letter: the value of this formula at that letter. Before the first letter all bits are 0:
    /// Y p and p S q look back to nothing.
    pub fn update(&self, bit: u32, arena: &Arena) -> FormulaId {
        let operator = self.operators[bit as usize];
        match *arena.node(operator) {
            Node::Yesterday(a) => a,
            _ => operator,
        }
    }
}

/// Replaces future formulas below past operators by auxiliary atoms.
struct Separation<'a> {
    arena: &'a mut Arena,
    past: &'a mut Past,
    /// (formula, is it below a past operator?)
    done: HashMap<(FormulaId, bool), FormulaId>,
}

impl Separation<'_> {
    fn separate(&mut self, id: FormulaId, below_past: bool) -> Result<FormulaId, Error> {
        let traits = self.arena.traits(id);
        if !(traits.has_future && (traits.has_past || below_past)) {
            return Ok(id);
        }
        if let Some(&known) = self.done.get(&(id, below_past)) {
            return Ok(known);
        }
        let node = self.arena.node(id).clone();
        let separated = if below_past && node.is_future() {
            let definition = self.separate(id, false)?;
            self.auxiliary(definition)?
        } else {
            let below = below_past || node.is_past();
            let operands: Result<Vec<FormulaId>, Error> =
                node.operands().into_iter().map(|each| self.separate(each, below)).collect();
            self.rebuilt(&node, &operands?)
        };
        self.done.insert((id, below_past), separated);
        Ok(separated)
    }

    fn auxiliary(&mut self, definition: FormulaId) -> Result<FormulaId, Error> {
        let atom = self.past.first_auxiliary + self.past.definitions.len() as u32;
        if atom as usize >= MAX_ATOMS {
            return Err(Error::TooManyAtoms(MAX_ATOMS));
        }
        self.past.definitions.push(definition);
        Ok(self.arena.literal(atom, true))
    }

    fn rebuilt(&mut self, node: &Node, operands: &[FormulaId]) -> FormulaId {
        let arena = &mut self.arena;
        match (node, operands) {
            (Node::And(_), all) => arena.and(all.iter().copied()),
            (Node::Or(_), all) => arena.or(all.iter().copied()),
            (Node::Next(_), &[a]) => arena.next(a),
            (Node::Until(..), &[a, b]) => arena.until(a, b),
            (Node::Release(..), &[a, b]) => arena.release(a, b),
            (Node::Yesterday(_), &[a]) => arena.yesterday(a),
            (Node::WeakYesterday(_), &[a]) => arena.weak_yesterday(a),
            (Node::Since(..), &[a, b]) => arena.since(a, b),
            (Node::Trigger(..), &[a, b]) => arena.trigger(a, b),
            _ => arena.intern(node.clone()),
        }
    }
}
