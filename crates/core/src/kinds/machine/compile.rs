//! From the table of a machine to code: names become slots, conditions become plans, what depends on nothing is computed.

pub(super) mod binders;
pub(super) mod bodies;
pub(super) mod free_types;
pub(super) mod whole;
pub(super) mod widths;

use std::collections::HashMap;

use super::cuts::Cuts;
use super::evaluate::{Evaluator, Memory};
use super::nodes::{Arena, Id, Node, Op, Slot, Slots, Span, Type, TypeId};
use super::plan::{Plan, Sub};
use super::values::{Packing, Values};
use crate::kinds::table::{Malformed, Rows};

/// Why a table is no machine that can run.
#[derive(Debug)]
pub enum Refusal {
    Malformed(String),
    /// Nothing bounds this name.
    Unbounded {
        name: String,
        span: Option<Span>,
    },
}

impl From<Malformed> for Refusal {
    fn from(malformed: Malformed) -> Self {
        Refusal::Malformed(malformed.0)
    }
}

pub type Result<T> = std::result::Result<T, Refusal>;

/// What the evaluator runs.
#[derive(Default)]
pub struct Code {
    pub arena: Arena,
    pub plans: Vec<Plan>,
    pub subs: Vec<Sub>,
    pub sub_spans: Vec<Option<Span>>,
    pub slots: Vec<SlotInfo>,
    /// By number of what is kept: does it depend on nothing at all?
    pub kept_forever: Vec<bool>,
    /// What the run adds to it: names whose values were not all tried.
    pub cuts: Cuts,
}

pub struct SlotInfo {
    pub name: String,
    pub type_: TypeId,
    pub span: Option<Span>,
}

pub struct Operation {
    pub parameters: Vec<Slot>,
    pub results: Vec<Slot>,
    pub plan: u32,
    pub body: u32,
    /// Slots of the state that it looks at.
    pub reads: Vec<Slot>,
    /// Where ways from one state write different variables: all that are written, so that ways which lead to the same
    /// state can be seen to.
    pub completed: Vec<Slot>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClaimKind {
    Invariant,
    Assertion,
    Goal,
}

pub struct Claim {
    pub kind: ClaimKind,
    pub predicate: Id,
    pub reads: Vec<Slot>,
}

pub struct Compiled {
    pub code: Code,
    pub sorts: Vec<u32>,
    /// The first slots are the constants, then come the variables, then local names.
    pub constants: usize,
    /// Is setting up constants, or finding that the properties hold, a step of its own?
    pub has_setup: bool,
    pub states: usize,
    pub packings: Vec<Packing>,
    /// How constants are found, and what has to hold of them.
    pub setup: u32,
    /// Do constants for which the properties are undefined count as if they did not satisfy them?
    pub setup_is_lenient: bool,
    pub properties: Id,
    pub initialisation: u32,
    pub initialisation_reads: Vec<Slot>,
    pub operations: Vec<Operation>,
    pub claims: Vec<Claim>,
}

pub struct Compiler<'a> {
    pub rows: Rows<'a>,
    pub values: &'a Values,
    pub code: Code,
    /// What stands for "any number" where a choice is free and nothing bounds it; quantifiers have no choice.
    implementable: Option<(i64, i64)>,
    /// The same, while a choice is being planned.
    pub numbers: Option<(i64, i64)>,
    /// A number without an upper bound is tried at its lower one, also where that is not implementable.
    pub from_lower_bound: bool,
    /// What stands for all values of the free type that is being defined.
    pub itself: Option<Id>,
    sorts: HashMap<i64, (u32, u32)>,
    types: HashMap<i64, TypeId>,
    pub nodes: HashMap<i64, Id>,
    slots: HashMap<(i64, TypeId), Slot>,
    /// Names that stand for infinite sets.
    aliases: HashMap<Slot, Id>,
    pub constants: usize,
    /// What conjuncts that may be undefined would be taken apart into.
    pub hints: HashMap<Id, Vec<Id>>,
    /// How many plans for undefined conjuncts the condition may still have.
    pub alternatives: usize,
    /// Names that are let be something that may be undefined.
    partial: Slots,
    pub memory: Memory,
}

/// Closed expressions that take longer than so many steps are computed when they are wanted.
pub const FOLDING_STEPS: u64 = 100_000;

pub fn compile(
    texts: &[String],
    rows: &[(String, Vec<i64>)],
    values: &Values,
    assume_numbers: bool,
) -> Result<Compiled> {
    let mut compiler = Compiler {
        rows: Rows { texts, rows },
        values,
        code: Code::default(),
        implementable: None,
        numbers: None,
        from_lower_bound: false,
        itself: None,
        sorts: HashMap::new(),
        types: HashMap::new(),
        nodes: HashMap::new(),
        slots: HashMap::new(),
        aliases: HashMap::new(),
        constants: 0,
        hints: HashMap::new(),
        alternatives: 0,
        partial: Slots::default(),
        memory: Memory::default(),
    };
    compiler.machine(rows.len() as i64 - 1, assume_numbers)
}

/// How many elements each sort has.
pub fn sorts(texts: &[String], rows: &[(String, Vec<i64>)]) -> Result<Vec<u32>> {
    let rows = Rows { texts, rows };
    let &[_, sorts] = rows.fields(rows.rows.len() as i64 - 1, "Machine")?;
    sizes(&rows, sorts)
}

fn sizes(rows: &Rows, sorts: i64) -> Result<Vec<u32>> {
    let size = |&sort: &i64| {
        let &[_, elements] = rows.fields(sort, "Sort")?;
        Ok(rows.list(elements)?.len() as u32)
    };
    rows.list(sorts)?.iter().map(size).collect()
}

impl Compiler<'_> {
    pub fn machine(&mut self, id: i64, assume_numbers: bool) -> Result<Compiled> {
        let &[
            _,
            sorts,
            constants,
            properties,
            variables,
            initialisation,
            operations,
            claims,
            numbers,
            free_types,
            cut_rule,
        ] = self.rows.fields(id, "Machine")?;
        let sizes = sizes(&self.rows, sorts)?;
        let mut first = 0;
        for (&sort, &size) in self.rows.list(sorts)?.iter().zip(&sizes) {
            self.sorts.insert(sort, (first, size));
            first += size;
        }
        if assume_numbers && let &[low, high] = self.rows.list(numbers)? {
            self.implementable = Some((low, high));
        }
        self.from_lower_bound = self.rows.text(cut_rule)? == "from-lower-bound";
        for &free in self.rows.list(free_types)? {
            self.type_(free)?;
        }
        let constants = self.names(constants)?;
        self.constants = constants.len();
        let variables = self.names(variables)?;
        let states = self.constants + variables.len();
        let packings = (0..states).map(|slot| self.packing(slot as Slot)).collect();
        let properties = self.expressions(properties)?;
        let has_setup = self.constants > 0 || !properties.is_empty();
        let mut conjuncts = Vec::new();
        properties.iter().for_each(|&property| self.flatten(property, false, &mut conjuncts));
        let boolean = self.code.arena.type_(Type::Boolean);
        let properties = self.code.arena.apply(Op::And, &properties, boolean, None);
        let (setup, setup_is_lenient) = match self.planned(&constants, conjuncts, false) {
            Ok(plan) => (plan, false),
            // Where a domain is cut, it is not known that the properties are defined for the values that are not tried.
            Err(_) => {
                let mut conjuncts = Vec::new();
                self.flatten(properties, true, &mut conjuncts);
                (self.planned(&constants, conjuncts, true)?, true)
            }
        };
        let initialisation = self.substitution(initialisation)?;
        let mut reads = Slots::default();
        self.looked_at(initialisation, &mut reads);
        let operations = self.rows.list(operations)?.to_vec();
        let operations: Vec<Operation> =
            operations.iter().map(|&each| self.operation(each, states)).collect::<Result<_>>()?;
        let claims = self.rows.list(claims)?.to_vec();
        let claims: Vec<Claim> =
            claims.iter().map(|&each| self.claim(each, states)).collect::<Result<_>>()?;
        let plans: Vec<u32> = operations.iter().map(|each| each.plan).chain([setup]).collect();
        let bodies: Vec<u32> = operations.iter().map(|each| each.body).chain([initialisation]).collect();
        let predicates: Vec<Id> = claims.iter().map(|each| each.predicate).collect();
        self.check_bounds(&plans, &bodies, &predicates)?;
        self.code.arena.trust_types(self.values);
        self.code.cuts = Cuts::of_slots(self.code.slots.len());
        self.code.plans.iter_mut().for_each(|plan| plan.sift(&self.code.arena));
        Ok(Compiled {
            code: std::mem::take(&mut self.code),
            sorts: sizes,
            constants: self.constants,
            has_setup,
            states,
            packings,
            setup,
            setup_is_lenient,
            properties,
            initialisation,
            initialisation_reads: of_state(&reads, states),
            operations,
            claims,
        })
    }

    pub fn operation(&mut self, id: i64, states: usize) -> Result<Operation> {
        let &[_, parameters, results, body, guard] = self.rows.fields(id, "Operation")?;
        let parameters = self.names(parameters)?;
        let results = self.names(results)?;
        let guard = self.expression(guard)?;
        let body = self.substitution(body)?;
        let mut conjuncts = Vec::new();
        self.flatten(guard, true, &mut conjuncts);
        let plan = self.planned(&parameters, conjuncts, true)?;
        let mut reads = self.code.arena.info(guard).free.clone();
        self.looked_at(body, &mut reads);
        let written = self.written(body);
        let completed = if written.differs { of_state(&written.all, states) } else { Vec::new() };
        completed.iter().for_each(|&slot| reads.insert(slot));
        let reads = of_state(&reads, states);
        Ok(Operation { parameters, results, plan, body, reads, completed })
    }

    pub fn claim(&mut self, id: i64, states: usize) -> Result<Claim> {
        let &[kind, _, predicate] = self.rows.fields(id, "Claim")?;
        let kind = match self.rows.text(kind)? {
            "goal" => ClaimKind::Goal,
            "assertion" => ClaimKind::Assertion,
            _ => ClaimKind::Invariant,
        };
        let predicate = self.expression(predicate)?;
        let predicate = self.kept(predicate);
        let reads = of_state(&self.code.arena.info(predicate).free, states);
        Ok(Claim { kind, predicate, reads })
    }

    pub fn names(&mut self, list: i64) -> Result<Vec<Slot>> {
        self.rows.list(list)?.to_vec().iter().map(|&name| self.name(name)).collect()
    }

    pub fn name(&mut self, id: i64) -> Result<Slot> {
        let &[name, type_, _, span] = self.rows.fields(id, "Name")?;
        let (type_, span) = (self.type_(type_)?, self.rows.span(span)?);
        if let Some(&slot) = self.slots.get(&(name, type_)) {
            return Ok(slot);
        }
        let slot = self.new_slot(self.rows.text(name)?, type_, span);
        self.slots.insert((name, type_), slot);
        Ok(slot)
    }

    pub fn new_slot(&mut self, name: &str, type_: TypeId, span: Option<Span>) -> Slot {
        self.code.slots.push(SlotInfo { name: name.to_string(), type_, span });
        self.code.slots.len() as Slot - 1
    }

    pub fn type_(&mut self, id: i64) -> Result<TypeId> {
        if let Some(&known) = self.types.get(&id) {
            return Ok(known);
        }
        let type_ = match self.rows.row(id)? {
            ("Boolean", _) => Type::Boolean,
            ("Integer", _) => Type::Integer,
            ("Text", _) => Type::Text,
            ("Element", &[sort]) => {
                let &(first, size) =
                    self.sorts.get(&sort).ok_or_else(|| Malformed(format!("sort {sort}")))?;
                Type::Element(first, size)
            }
            ("Pair", &[left, right]) => Type::Pair(self.type_(left)?, self.type_(right)?),
            ("Set", &[element]) => Type::Set(self.type_(element)?),
            ("Multiset", &[element]) => Type::Bag(self.type_(element)?),
            ("Struct", &[fields]) => {
                let mut types = Vec::new();
                for &each in self.rows.list(fields)? {
                    let &[name, type_] = self.rows.fields(each, "StructField")?;
                    types.push((name, self.type_(type_)?));
                }
                Type::Record(types)
            }
            ("FreeType", &[_, constructors, depth]) => return self.free_type(id, constructors, depth),
            ("Recursion", _) => return self.recursion(id),
            (other, _) => return Err(Refusal::Malformed(format!("type {other}"))),
        };
        let type_ = self.code.arena.type_(type_);
        self.know_type(id, type_);
        Ok(type_)
    }

    pub fn know_type(&mut self, id: i64, type_: TypeId) {
        self.types.insert(id, type_);
    }

    pub fn expression(&mut self, id: i64) -> Result<Id> {
        if let Some(&known) = self.nodes.get(&id) {
            return Ok(known);
        }
        let node = self.decoded(id)?;
        self.nodes.insert(id, node);
        Ok(node)
    }

    pub fn expressions(&mut self, list: i64) -> Result<Vec<Id>> {
        self.rows.list(list)?.to_vec().iter().map(|&each| self.expression(each)).collect()
    }

    pub fn decoded(&mut self, id: i64) -> Result<Id> {
        Ok(match self.rows.row(id)? {
            ("Literal", &[value, type_, _]) => {
                let type_ = self.type_(type_)?;
                let value = match self.code.arena.types[type_ as usize] {
                    Type::Boolean => Values::truth(value != 0),
                    Type::Element(first, _) => Values::point(first + value as u32),
                    Type::Text => Values::text(value as u32),
                    _ => self.values.number(value),
                };
                self.code.arena.constant(value, type_)
            }
            ("Name", &[_, type_, _, span]) => {
                let slot = self.name(id)?;
                let (type_, span) = (self.type_(type_)?, self.rows.span(span)?);
                match self.aliases.get(&slot) {
                    Some(&alias) => alias,
                    None => {
                        let id = self.code.arena.slot(slot, type_, span);
                        self.code.arena.infos[id as usize].is_total = !self.partial.contains(slot);
                        id
                    }
                }
            }
            ("Apply", &[operator, arguments, type_, span]) => {
                let operator = self.rows.text(operator)?;
                let op = Op::named(operator).ok_or_else(|| Malformed(format!("operator {operator}")))?;
                if op == Op::All
                    && let Some(itself) = self.itself
                    && self.is_itself(type_)?
                {
                    return Ok(itself);
                }
                let arguments = self.expressions(arguments)?;
                let (type_, span) = (self.type_(type_)?, self.rows.span(span)?);
                self.apply(op, &arguments, type_, span)
            }
            ("Construct", &[constructor, argument, type_, span]) => {
                self.construct(constructor, argument, type_, span)?
            }
            ("IsConstructed", &[value, constructor, span]) => {
                self.is_constructed(value, constructor, span)?
            }
            ("ArgumentOf", &[value, constructor, span]) => self.argument_of(value, constructor, span)?,
            ("Forall", &[names, condition, body, span]) => {
                let names = self.names(names)?;
                let (condition, body) = (self.expression(condition)?, self.expression(body)?);
                let span = self.rows.span(span)?;
                let binder = self.binder(&names, condition, None);
                let node = Node::Forall { binder, body };
                self.bound(node, &names, &[condition, body], Type::Boolean, span)
            }
            ("Exists", &[names, condition, span]) => {
                let names = self.names(names)?;
                let condition = self.expression(condition)?;
                let span = self.rows.span(span)?;
                let binder = self.binder(&names, condition, None);
                self.bound(Node::Exists { binder }, &names, &[condition], Type::Boolean, span)
            }
            ("Comprehension", &[names, condition, value, span]) => {
                let names = self.names(names)?;
                let (condition, value) = (self.expression(condition)?, self.expression(value)?);
                let span = self.rows.span(span)?;
                self.comprehension(&names, condition, value, span)
            }
            ("Fold", &[operator, names, condition, value, span]) => {
                let is_product = self.rows.text(operator)? == "product";
                let names = self.names(names)?;
                let (condition, value) = (self.expression(condition)?, self.expression(value)?);
                let span = self.rows.span(span)?;
                let binder = self.binder(&names, condition, Some(value));
                let node = Node::Fold { is_product, binder };
                self.bound(node, &names, &[condition, value], Type::Integer, span)
            }
            ("Conditional", &[test, then, otherwise]) => {
                let parts = [self.expression(test)?, self.expression(then)?, self.expression(otherwise)?];
                let type_ = self.code.arena.info(parts[1]).type_;
                let infinite = parts[1..].iter().any(|&part| self.code.arena.info(part).is_infinite);
                self.composed(Node::Conditional(parts[0], parts[1], parts[2]), &parts, type_, infinite)
            }
            ("Let", &[name, value, body]) => {
                let slot = self.name(name)?;
                let value = self.expression(value)?;
                if self.code.arena.info(value).is_infinite {
                    self.aliases.insert(slot, value);
                    return self.expression(body);
                }
                let value = self.kept(value);
                if !self.code.arena.info(value).is_total {
                    self.partial.insert(slot);
                }
                let body = self.expression(body)?;
                let info = self.code.arena.info(body);
                let (type_, infinite) = (info.type_, info.is_infinite);
                let node = self.composed(Node::Let(slot, value, body), &[value, body], type_, infinite);
                self.code.arena.infos[node as usize].free.remove(slot);
                node
            }
            ("Select", &[record, name, span]) => {
                let inner = self.expression(record)?;
                let type_ = self.code.arena.info(inner).type_;
                let field = match &self.code.arena.types[type_ as usize] {
                    Type::Record(fields) => {
                        fields.iter().position(|field| field.0 == name).map(|at| (at, fields[at].1))
                    }
                    _ => None,
                };
                let (number, field) = field.ok_or_else(|| Malformed("a field of no record".into()))?;
                let node = self.composed(Node::Field(inner, number as u32), &[inner], field, false);
                self.code.arena.infos[node as usize].span = self.rows.span(span)?;
                node
            }
            (other, _) => return Err(Refusal::Malformed(format!("expression {other}"))),
        })
    }

    /// An application; computed at once where everything in it is known and that is no work.
    pub fn apply(&mut self, op: Op, arguments: &[Id], type_: TypeId, span: Option<Span>) -> Id {
        let closed = arguments.iter().all(|&each| self.code.arena.info(each).free.is_empty());
        let mut sealed = arguments.to_vec();
        if !closed {
            sealed.iter_mut().for_each(|each| *each = self.kept(*each));
        }
        let id = self.code.arena.apply(op, &sealed, type_, span);
        let info = self.code.arena.info(id);
        if !closed || info.is_infinite || op.is_space() || self.code.arena.size(id, self.values) > 10_000.0 {
            return id;
        }
        let known = |each: &Id| matches!(self.code.arena.node(*each), Node::Constant(_));
        if !arguments.iter().all(known) && !matches!(op, Op::Member | Op::Subset | Op::Apply) {
            return id;
        }
        self.memory.prepare(&self.code, Some(FOLDING_STEPS));
        let evaluator = Evaluator { code: &self.code, values: self.values };
        match evaluator.value(id, &mut self.memory) {
            Ok(value) => {
                let id = self.code.arena.constant(value, type_);
                self.code.arena.infos[id as usize].span = span;
                id
            }
            Err(_) => id,
        }
    }

    /// The same, remembered where it depends on constants alone and is some work.
    pub fn kept(&mut self, id: Id) -> Id {
        let info = self.code.arena.info(id);
        let depends = info.free.iter().any(|slot| slot as usize >= self.constants);
        let is_work = match self.code.arena.node(id) {
            Node::Constant(_) | Node::Slot(_) | Node::Kept(..) | Node::Nullary(_) => false,
            Node::Field(..)
            | Node::Unary(Op::Left | Op::Right | Op::UpFrom, _)
            | Node::Binary(Op::Pair, ..) => false,
            Node::Unary(op, _) | Node::Binary(op, ..) | Node::Many(op, ..) => !op.is_space(),
            _ => true,
        };
        // Infinite sets have no value, and large ones may only be asked for members.
        if depends || info.is_infinite || !is_work || self.code.arena.size(id, self.values) > 10_000.0 {
            return id;
        }
        let info = info.clone();
        self.code.kept_forever.push(info.free.is_empty());
        self.code.arena.push(Node::Kept(id, self.code.kept_forever.len() as u32 - 1), info)
    }

    pub fn planned(&mut self, names: &[Slot], conjuncts: Vec<Id>, is_lenient: bool) -> Result<u32> {
        self.numbers = self.implementable;
        let plan = self.plan(names, conjuncts, is_lenient);
        self.numbers = None;
        plan.map_err(|slot| self.unbounded(slot))
    }

    pub fn unbounded(&self, slot: Slot) -> Refusal {
        let info = &self.code.slots[slot as usize];
        Refusal::Unbounded { name: info.name.clone(), span: info.span }
    }

    pub fn add_plan(&mut self, plan: Plan) -> u32 {
        self.code.plans.push(plan);
        self.code.plans.len() as u32 - 1
    }
}

fn of_state(slots: &Slots, states: usize) -> Vec<Slot> {
    slots.iter().filter(|&slot| (slot as usize) < states).collect()
}
