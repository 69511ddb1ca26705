//! Expressions in one arena: nodes that name each other by number, with what is known of each before anything runs.
//!
//! In: the rows of a machine (`compile`) and what `planning` derives from them. Out: the arena that `evaluate` walks. Names
//! are slots of an environment: those of the state first, then every local name.

use super::operators::spaces::Arrow;
pub use super::slots::Slots;
use super::values::{Value, Values, View};
pub use crate::kinds::table::Span;

pub type Id = u32;
pub type Slot = u32;
pub type TypeId = u32;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Boolean,
    Integer,
    Text,
    /// The first point of the sort, and how many it has.
    Element(u32, u32),
    Pair(TypeId, TypeId),
    Set(TypeId),
    Bag(TypeId),
    /// Names of fields are numbers of texts.
    Record(Vec<(i64, TypeId)>),
    /// A free type, by its number. A value is the pair of the number of its constructor and the argument.
    Free(u32),
}

/// What the definition of a free type says; all lists go by constructor.
#[derive(Clone, Debug, Default)]
pub struct FreeType {
    /// Names are numbers of texts.
    pub constructors: Vec<i64>,
    /// None: the constructor is a value by itself, with the truth value FALSE in the place of an argument.
    pub arguments: Vec<Option<TypeId>>,
    /// The rows of what arguments belong to, where that is not all of their type; and what they say.
    pub carriers: Vec<Option<i64>>,
    pub within: Vec<Option<Id>>,
    pub depth: i64,
    pub is_recursive: bool,
    /// How many values it has.
    pub size: f64,
    /// All values, where they are finitely many.
    pub all: Option<Id>,
    /// The values that are tried where nothing bounds a name, once somebody has asked.
    pub tried: Option<Id>,
}

macro_rules! operators {
    ($($name:ident $text:literal)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Op { $($name),* }

        impl Op {
            pub fn named(text: &str) -> Option<Op> {
                match text { $($text => Some(Op::$name),)* _ => None }
            }
        }
    };
}

operators! {
    And "and" Or "or" Not "not" Implies "implies" Iff "iff"
    Equal "equal" Member "member" Subset "subset" StrictSubset "strict-subset" Less "less" LessEqual "less-equal"
    Add "add" Subtract "subtract" Multiply "multiply" Divide "divide" Modulo "modulo" Power "power" Negate "negate"
    Min "min" Max "max"
    Set "set" All "all" UpFrom "up-from" Interval "interval" Union "union" Intersection "intersection"
    Difference "difference" Product "product" PowerSet "power-set" PowerSet1 "power-set-1" Card "card"
    GeneralUnion "general-union" GeneralIntersection "general-intersection"
    Pair "pair" Left "left" Right "right"
    Relations "relations" TotalRelations "total-relations" SurjectiveRelations "surjective-relations"
    TotalSurjectiveRelations "total-surjective-relations" PartialFunctions "partial-functions"
    TotalFunctions "total-functions" PartialInjections "partial-injections" TotalInjections "total-injections"
    PartialSurjections "partial-surjections" TotalSurjections "total-surjections"
    PartialBijections "partial-bijections" TotalBijections "total-bijections"
    Apply "apply" Domain "domain" Range "range" Identity "identity" Inverse "inverse" Image "image"
    Compose "compose" ParallelProduct "parallel-product" DirectProduct "direct-product"
    DomainRestrict "domain-restrict" DomainSubtract "domain-subtract" RangeRestrict "range-restrict"
    RangeSubtract "range-subtract" Override "override"
    Closure1 "closure1" Closure "closure" Iterate "iterate" FirstProjection "first-projection"
    SecondProjection "second-projection" AsFunction "as-function" AsRelation "as-relation"
    Sequence "sequence" Sequences "sequences" Sequences1 "sequences-1" InjectiveSequences "injective-sequences"
    InjectiveSequences1 "injective-sequences-1" Permutations "permutations" Size "size" Concat "concat"
    Prepend "prepend" Append "append" Reverse "reverse" First "first" Last "last" Tail "tail" Front "front"
    Take "take" Drop "drop" GeneralConcat "general-concat"
    Record "record" Records "records"
    // Of elements of a sort, by their order.
    Position "position" ElementAt "element-at" Shift "shift"
    // Multisets.
    Bag "bag" BagChange "bag-change" BagSum "bag-sum" BagDifference "bag-difference" BagScaled "bag-scaled"
    BagIncluded "bag-included" BagCount "bag-count" BagSize "bag-size" Support "support" BagOfSet "bag-of-set"
    BagOfFunction "bag-of-function"
    // Of free types: the pair of a constructor's number and an argument, the same for a constructor that is not for all
    // arguments, the argument of a value, and all values with arguments from these sets.
    Construct "construct" ConstructWithin "construct-within" Argument "argument" Built "built"
}

impl Op {
    /// Is it a space of relations between its two arguments?
    pub fn demands(self) -> Option<Arrow> {
        let (functional, total, injective, surjective) = match self {
            Op::Relations => (false, false, false, false),
            Op::TotalRelations => (false, true, false, false),
            Op::SurjectiveRelations => (false, false, false, true),
            Op::TotalSurjectiveRelations => (false, true, false, true),
            Op::PartialFunctions => (true, false, false, false),
            Op::TotalFunctions => (true, true, false, false),
            Op::PartialInjections => (true, false, true, false),
            Op::TotalInjections => (true, true, true, false),
            Op::PartialSurjections => (true, false, false, true),
            Op::TotalSurjections => (true, true, false, true),
            Op::PartialBijections => (true, false, true, true),
            Op::TotalBijections => (true, true, true, true),
            _ => return None,
        };
        Some(Arrow { functional, total, injective, surjective })
    }

    /// Is it a space in which membership is tested value by value, without listing it?
    pub fn is_space(self) -> bool {
        use Op::*;
        self.demands().is_some()
            || matches!(
                self,
                PowerSet
                    | PowerSet1
                    | Sequences
                    | Sequences1
                    | InjectiveSequences
                    | InjectiveSequences1
                    | Permutations
                    | Records
            )
    }

    /// Is its result a set that takes longer to build than to look up?
    pub fn is_worth_remembering(self) -> bool {
        use Op::*;
        matches!(self, Union | Intersection | Difference | Product | Image | Compose | DirectProduct)
            || matches!(self, DomainRestrict | DomainSubtract | RangeRestrict | RangeSubtract | Override)
            || matches!(self, BagSum | BagDifference | BagScaled)
            || matches!(self, ParallelProduct | Concat | Prepend | Append | Take | Drop)
    }

    /// Are its arguments a list, however many they are?
    pub fn takes_list(self) -> bool {
        use Op::*;
        matches!(self, And | Or | Set | Sequence | Record | Records | Built | Bag | BagChange)
    }

    /// Can it be undefined where its arguments are not?
    pub fn is_partial(self) -> bool {
        use Op::*;
        matches!(
            self,
            Divide
                | Modulo
                | Power
                | Min
                | Max
                | GeneralIntersection
                | Apply
                | Iterate
                | Size
                | Concat
                | Prepend
                | ConstructWithin
                | Argument
                | ElementAt
        ) || matches!(self, Bag | BagChange | BagDifference | BagScaled | BagOfSet | BagOfFunction)
            || matches!(self, Append | Reverse | First | Last | Tail | Front | Take | Drop | GeneralConcat)
    }
}

#[derive(Clone, Copy, Debug)]
pub enum Node {
    Constant(Value),
    Slot(Slot),
    Nullary(Op),
    Unary(Op, Id),
    Binary(Op, Id, Id),
    /// Arguments are a stretch of the arena's lists.
    Many(Op, u32, u32),
    Forall {
        binder: u32,
        body: Id,
    },
    Exists {
        binder: u32,
    },
    Comprehension {
        binder: u32,
    },
    /// A product where true, else a sum.
    Fold {
        is_product: bool,
        binder: u32,
    },
    Conditional(Id, Id, Id),
    Let(Slot, Id, Id),
    Field(Id, u32),
    /// Depends on nothing, or on constants alone: computed once, kept under this number.
    Kept(Id, u32),
}

/// Names that a condition binds.
#[derive(Clone, Debug)]
pub struct Binder {
    pub names: Vec<Slot>,
    pub condition: Id,
    /// Comprehensions and folds: what is collected.
    pub value: Option<Id>,
    /// How the valuations are found; the name that nothing bounds, where there is one.
    pub plan: Result<u32, Slot>,
    /// Comprehensions: is the value of the first slot a member?
    pub member: Option<(Slot, u32)>,
    /// Comprehensions of pairs: from the first slot (a left side) to the values of the second one.
    pub images: Option<(Slot, Slot, u32)>,
}

/// What is known of a node before anything runs.
#[derive(Clone, Debug)]
pub struct Info {
    pub type_: TypeId,
    pub span: Option<Span>,
    pub free: Slots,
    /// It has a value wherever its names have.
    pub is_total: bool,
    /// A set that is, or has to be taken for, infinite: only membership in it can be asked.
    pub is_infinite: bool,
}

/// How the value of an operator with two arguments is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It is a truth value.
    Asked,
    /// One side cannot be listed.
    HalfInfinite,
    /// r <+ {x |-> y}: what assigning to one place of a function is.
    Updated,
    /// s \/ {x, y}, s - {x}, r[{x}]: the right side need not be built.
    Displayed,
    /// From both values.
    Computed,
}

#[derive(Default)]
pub struct Arena {
    pub nodes: Vec<Node>,
    pub infos: Vec<Info>,
    pub ways: Vec<Way>,
    pub lists: Vec<Id>,
    pub binders: Vec<Binder>,
    pub types: Vec<Type>,
    pub free_types: Vec<FreeType>,
}

impl Arena {
    pub fn node(&self, id: Id) -> Node {
        self.nodes[id as usize]
    }

    pub fn info(&self, id: Id) -> &Info {
        &self.infos[id as usize]
    }

    pub fn list(&self, start: u32, length: u32) -> &[Id] {
        &self.lists[start as usize..(start + length) as usize]
    }

    pub fn type_(&mut self, type_: Type) -> TypeId {
        match self.types.iter().position(|known| *known == type_) {
            Some(known) => known as TypeId,
            None => {
                self.types.push(type_);
                self.types.len() as TypeId - 1
            }
        }
    }

    /// How many values a type has; infinity where there is no bound.
    pub fn type_size(&self, type_: TypeId) -> f64 {
        match &self.types[type_ as usize] {
            Type::Boolean => 2.0,
            Type::Integer | Type::Text | Type::Bag(_) => f64::INFINITY,
            Type::Element(_, size) => f64::from(*size),
            Type::Pair(left, right) => self.type_size(*left) * self.type_size(*right),
            Type::Set(element) => self.type_size(*element).exp2(),
            Type::Record(fields) => fields.iter().map(|&(_, field)| self.type_size(field)).product(),
            Type::Free(number) => self.free_types[*number as usize].size,
        }
    }

    /// Of an element: the first point of its sort, and how many there are.
    pub fn sort_of(&self, element: Id) -> (u32, u32) {
        match self.types[self.info(element).type_ as usize] {
            Type::Element(first, size) => (first, size),
            _ => unreachable!("not an element of a sort"),
        }
    }

    pub fn element_type(&self, set: TypeId) -> TypeId {
        match self.types[set as usize] {
            Type::Set(element) => element,
            _ => set,
        }
    }

    /// The operator and arguments of an application.
    pub fn application(&self, id: Id) -> Option<(Op, Vec<Id>)> {
        match self.node(id) {
            Node::Nullary(op) => Some((op, Vec::new())),
            Node::Unary(op, a) => Some((op, vec![a])),
            Node::Binary(op, a, b) => Some((op, vec![a, b])),
            Node::Many(op, start, length) => Some((op, self.list(start, length).to_vec())),
            Node::Kept(inner, _) => self.application(inner),
            _ => None,
        }
    }

    /// The node itself, whether its value is kept or not.
    pub fn bare(&self, id: Id) -> Node {
        match self.node(id) {
            Node::Kept(inner, _) => self.node(inner),
            node => node,
        }
    }

    pub fn constant(&mut self, value: Value, type_: TypeId) -> Id {
        let info = Info { type_, span: None, free: Slots::default(), is_total: true, is_infinite: false };
        self.push(Node::Constant(value), info)
    }

    pub fn push(&mut self, node: Node, info: Info) -> Id {
        self.ways.push(self.way(node));
        self.nodes.push(node);
        self.infos.push(info);
        self.nodes.len() as Id - 1
    }

    fn way(&self, node: Node) -> Way {
        use Op::*;
        let Node::Binary(op, a, b) = node else { return Way::Computed };
        match (op, self.node(b)) {
            (Implies | Iff | Equal | Member | Subset | StrictSubset | Less | LessEqual | BagIncluded, _) => {
                Way::Asked
            }
            _ if self.info(a).is_infinite || self.info(b).is_infinite => Way::HalfInfinite,
            (Override, _) if self.one_pair(b).is_some() => Way::Updated,
            (Union, Node::Many(Set, ..)) => Way::Displayed,
            (Difference | Image, Node::Many(Set, _, 1)) => Way::Displayed,
            _ => Way::Computed,
        }
    }

    /// The sides of the only pair of a set that is written as one.
    pub fn one_pair(&self, set: Id) -> Option<(Id, Id)> {
        match self.node(set) {
            Node::Many(Op::Set, start, 1) => match self.node(self.lists[start as usize]) {
                Node::Binary(Op::Pair, x, y) => Some((x, y)),
                _ => None,
            },
            _ => None,
        }
    }

    pub fn slot(&mut self, slot: Slot, type_: TypeId, span: Option<Span>) -> Id {
        let info = Info { type_, span, free: Slots::one(slot), is_total: true, is_infinite: false };
        self.push(Node::Slot(slot), info)
    }

    pub fn apply(&mut self, op: Op, arguments: &[Id], type_: TypeId, span: Option<Span>) -> Id {
        let mut free = Slots::default();
        let mut is_total = !op.is_partial();
        for &argument in arguments {
            let info = self.info(argument);
            free.add(&info.free);
            is_total &= info.is_total;
        }
        let is_infinite = self.applied_is_infinite(op, arguments, type_);
        let node = match *arguments {
            [] if op == Op::All => Node::Nullary(op),
            [a] if !op.takes_list() => Node::Unary(op, a),
            [a, b] if !op.takes_list() => Node::Binary(op, a, b),
            _ => {
                let start = self.lists.len() as u32;
                self.lists.extend_from_slice(arguments);
                Node::Many(op, start, arguments.len() as u32)
            }
        };
        self.push(node, Info { type_, span, free, is_total, is_infinite })
    }

    fn applied_is_infinite(&self, op: Op, arguments: &[Id], type_: TypeId) -> bool {
        use Op::*;
        let infinite = |at: usize| self.info(arguments[at]).is_infinite;
        if op.demands().is_some()
            || matches!(op, Union | Product | Override | ParallelProduct | DirectProduct)
        {
            return infinite(0) || infinite(1);
        }
        match op {
            All => self.type_size(type_).is_infinite(),
            UpFrom | Sequences | Sequences1 => true,
            Intersection => infinite(0) && infinite(1),
            Difference => infinite(0),
            // Of a function without end, what it does on a finite set is found point by point.
            DomainRestrict => infinite(0) && infinite(1),
            DomainSubtract => infinite(1),
            RangeRestrict | RangeSubtract => infinite(0),
            PowerSet | PowerSet1 | InjectiveSequences | InjectiveSequences1 | Permutations => infinite(0),
            Records | Built => (0..arguments.len()).any(infinite),
            Identity | Inverse | Closure1 | Closure | Domain | Range | GeneralUnion | AsFunction
            | AsRelation => infinite(0),
            Compose | Iterate => infinite(0),
            FirstProjection | SecondProjection => infinite(0) || infinite(1),
            _ => false,
        }
    }

    /// How many elements a set is likely to have.
    pub fn size(&self, id: Id, values: &Values) -> f64 {
        use Op::*;
        if self.info(id).is_infinite {
            return f64::INFINITY;
        }
        let by_type = || self.type_size(self.element_type(self.info(id).type_)).min(8.0);
        let size = |id: Id| self.size(id, values);
        match self.node(id) {
            Node::Constant(value) => match values.view(value) {
                View::Set(elements) => elements.len() as f64,
                _ => 1.0,
            },
            Node::Kept(inner, _) => size(inner),
            Node::Nullary(All) => self.type_size(self.element_type(self.info(id).type_)),
            Node::Unary(PowerSet | PowerSet1, of) => size(of).exp2(),
            Node::Unary(InjectiveSequences | InjectiveSequences1 | Permutations, of) => {
                size(of).powf(size(of))
            }
            Node::Unary(Domain | Range | Inverse | Identity, of) => size(of),
            Node::Binary(op, a, b) if op.demands().is_some() => {
                let demands = op.demands().expect("just asked");
                match (demands.functional, demands.total) {
                    (true, true) => size(b).powf(size(a)),
                    (true, false) => (size(b) + 1.0).powf(size(a)),
                    (false, _) => (size(a) * size(b)).exp2(),
                }
            }
            Node::Binary(Interval, a, b) => match (self.number(a, values), self.number(b, values)) {
                (Some(a), Some(b)) => ((b - a + 1) as f64).max(0.0),
                _ => 8.0,
            },
            Node::Binary(Union, a, b) => size(a) + size(b),
            Node::Binary(Intersection, a, b) => size(a).min(size(b)),
            Node::Binary(Difference | RangeRestrict | RangeSubtract, a, _) => size(a),
            Node::Binary(DomainRestrict | DomainSubtract, _, b) => size(b),
            Node::Binary(Product, a, b) => size(a) * size(b),
            Node::Many(Set | Sequence, _, length) => f64::from(length),
            Node::Many(Records, start, length) => {
                self.list(start, length).iter().map(|&id| size(id)).product()
            }
            Node::Many(Built, start, length) => self.list(start, length).iter().map(|&id| size(id)).sum(),
            _ => by_type(),
        }
    }

    pub fn number(&self, id: Id, values: &Values) -> Option<i64> {
        match self.node(id) {
            Node::Constant(value) => values.as_number(value),
            _ => None,
        }
    }
}
