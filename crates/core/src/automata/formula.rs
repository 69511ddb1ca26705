//! LTL with past in negation normal form, hash-consed.
//!
//! In: nodes whose operands are there already. Out: a `FormulaId` for each; equal formulas have equal ids. A formula and its
//! negation are stored side by side (ids 2k and 2k + 1), so negation costs nothing, and every rewriting rule of `simplify` is
//! written once and holds for its dual too. Operands have smaller ids than what is made of them.

use hashbrown::HashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FormulaId(u32);

pub const TRUE: FormulaId = FormulaId(0);
pub const FALSE: FormulaId = FormulaId(1);

impl FormulaId {
    #[must_use]
    pub fn negated(self) -> FormulaId {
        FormulaId(self.0 ^ 1)
    }

    /// The one of a formula and its negation that was made first. Of past operators, these are Y and S: `simplify` makes their
    /// duals by negation.
    #[must_use]
    pub fn unsigned(self) -> FormulaId {
        FormulaId(self.0 & !1)
    }

    pub fn is_constant(self) -> bool {
        self.unsigned() == TRUE
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// F is `Until(TRUE, _)`, G is `Release(FALSE, _)`, O is `Since(TRUE, _)`, H is `Trigger(FALSE, _)`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    True,
    False,
    Literal {
        atom: u32,
        positive: bool,
    },
    /// At least two operands, sorted, none of them an `And`.
    And(Box<[FormulaId]>),
    /// At least two operands, sorted, none of them an `Or`.
    Or(Box<[FormulaId]>),
    Next(FormulaId),
    Until(FormulaId, FormulaId),
    Release(FormulaId, FormulaId),
    /// False at the first position.
    Yesterday(FormulaId),
    /// True at the first position: the negation of `Yesterday`.
    WeakYesterday(FormulaId),
    Since(FormulaId, FormulaId),
    Trigger(FormulaId, FormulaId),
}

impl Node {
    fn dual(&self) -> Node {
        let all = |operands: &[FormulaId]| operands.iter().map(|each| each.negated()).collect();
        match self {
            Node::True => Node::False,
            Node::False => Node::True,
            &Node::Literal { atom, positive } => Node::Literal { atom, positive: !positive },
            Node::And(operands) => Node::Or(all(operands)),
            Node::Or(operands) => Node::And(all(operands)),
            Node::Next(a) => Node::Next(a.negated()),
            Node::Until(a, b) => Node::Release(a.negated(), b.negated()),
            Node::Release(a, b) => Node::Until(a.negated(), b.negated()),
            Node::Yesterday(a) => Node::WeakYesterday(a.negated()),
            Node::WeakYesterday(a) => Node::Yesterday(a.negated()),
            Node::Since(a, b) => Node::Trigger(a.negated(), b.negated()),
            Node::Trigger(a, b) => Node::Since(a.negated(), b.negated()),
        }
    }

    pub fn operands(&self) -> Vec<FormulaId> {
        match self {
            Node::True | Node::False | Node::Literal { .. } => Vec::new(),
            Node::And(operands) | Node::Or(operands) => operands.to_vec(),
            &(Node::Next(a) | Node::Yesterday(a) | Node::WeakYesterday(a)) => vec![a],
            &(Node::Until(a, b) | Node::Release(a, b) | Node::Since(a, b) | Node::Trigger(a, b)) => {
                vec![a, b]
            }
        }
    }

    pub fn is_past(&self) -> bool {
        matches!(self, Node::Yesterday(_) | Node::WeakYesterday(_) | Node::Since(..) | Node::Trigger(..))
    }

    pub fn is_future(&self) -> bool {
        matches!(self, Node::Next(_) | Node::Until(..) | Node::Release(..))
    }
}

/// What is known of a formula by its form.
#[derive(Clone, Copy, Default, Debug)]
pub struct Traits {
    /// Where it holds, it holds at all earlier positions (a pure eventuality of Etessami and Holzmann 2000).
    pub eventual: bool,
    /// Where it holds, it holds at all later positions (purely universal).
    pub universal: bool,
    pub has_past: bool,
    pub has_future: bool,
    pub depth: u32,
}

pub struct Arena {
    /// An atom that stays true once it is.
    lasting: Option<u32>,
    nodes: Vec<Node>,
    traits: Vec<Traits>,
    ids: HashMap<Node, FormulaId>,
    /// For `simplify`: pairs for which implication is decided.
    pub(super) implications: HashMap<(FormulaId, FormulaId), bool>,
    /// For `simplify`: pairs that it may still look at.
    pub(super) implication_budget: u32,
}

impl Arena {
    /// Formulas over words in which the atom `lasting` stays true once it is; all simplifications may rely on it.
    pub fn new(lasting: Option<u32>, implication_budget: u32) -> Self {
        let constant = Traits { eventual: true, universal: true, ..Traits::default() };
        Arena {
            lasting,
            nodes: vec![Node::True, Node::False],
            traits: vec![constant; 2],
            ids: HashMap::from_iter([(Node::True, TRUE), (Node::False, FALSE)]),
            implications: HashMap::new(),
            implication_budget,
        }
    }

    pub fn node(&self, id: FormulaId) -> &Node {
        &self.nodes[id.index()]
    }

    pub fn traits(&self, id: FormulaId) -> Traits {
        self.traits[id.index()]
    }

    pub fn is_eventual(&self, id: FormulaId) -> bool {
        self.traits(id).eventual
    }

    pub fn is_universal(&self, id: FormulaId) -> bool {
        self.traits(id).universal
    }

    /// Has it one truth value on the whole word (such as GF p)?
    pub fn is_suspendable(&self, id: FormulaId) -> bool {
        self.is_eventual(id) && self.is_universal(id)
    }

    pub fn literal(&mut self, atom: u32, positive: bool) -> FormulaId {
        self.intern(Node::Literal { atom, positive })
    }

    /// The node as it stands, without simplification; its negation is made with it.
    pub(super) fn intern(&mut self, node: Node) -> FormulaId {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let id = FormulaId(self.nodes.len() as u32);
        let dual = node.dual();
        for (each, id) in [(node, id), (dual, id.negated())] {
            self.traits.push(self.traits_of(&each));
            self.ids.insert(each.clone(), id);
            self.nodes.push(each);
        }
        id
    }

    /// The operands of a conjunction; anything else is a conjunction of one.
    pub fn conjuncts(&self, id: FormulaId) -> Vec<FormulaId> {
        match self.node(id) {
            Node::True => Vec::new(),
            Node::And(operands) => operands.to_vec(),
            _ => vec![id],
        }
    }

    /// Etessami and Holzmann 2000, section 3, read over positions of a word, so that the past is included: O p stays true, H p
    /// was true before. Of the operands of U, R, S and T only the right one matters: if p U q holds at i, q first at j, and q is
    /// universal, then at every later position p U q (before j) or q (from j on) holds. The others are alike.
    fn traits_of(&self, node: &Node) -> Traits {
        let operands = node.operands();
        let all = |of: fn(&Traits) -> bool| operands.iter().all(|&each| of(&self.traits(each)));
        let any = |of: fn(&Traits) -> bool| operands.iter().any(|&each| of(&self.traits(each)));
        let all_eventual = all(|each| each.eventual);
        let all_universal = all(|each| each.universal);
        let (eventual, universal) = match *node {
            Node::Literal { atom, positive } => {
                let lasts = self.lasting == Some(atom);
                (lasts && !positive, lasts && positive)
            }
            Node::True | Node::False | Node::And(_) | Node::Or(_) | Node::Next(_) => {
                (all_eventual, all_universal)
            }
            Node::Until(a, b) => (a == TRUE || self.is_eventual(b), self.is_universal(b)),
            Node::Release(a, b) => (self.is_eventual(b), a == FALSE || self.is_universal(b)),
            Node::Since(a, b) => (self.is_eventual(b), a == TRUE || self.is_universal(b)),
            Node::Trigger(a, b) => (a == FALSE || self.is_eventual(b), self.is_universal(b)),
            Node::Yesterday(a) => (false, self.is_universal(a)),
            Node::WeakYesterday(a) => (self.is_eventual(a), false),
        };
        Traits {
            eventual,
            universal,
            has_past: node.is_past() || any(|each| each.has_past),
            has_future: node.is_future() || any(|each| each.has_future),
            depth: 1 + operands.iter().map(|&each| self.traits(each).depth).max().unwrap_or(0),
        }
    }
}
