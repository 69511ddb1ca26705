//! Free types: their definitions, expressions about their values, and what is tried of one that has no end.
//!
//! A value is the pair of the number of its constructor and the argument, so values of free types are values like all others:
//! they are renamed, compared and saved as pairs.

use crate::kinds::machine::compile::{Compiler, FOLDING_STEPS, Refusal, Result};
use crate::kinds::machine::evaluate::Evaluator;
use crate::kinds::machine::nodes::{FreeType, Id, Node, Op, Type, TypeId};
use crate::kinds::machine::values::{Value, Values};
use crate::kinds::table::{Malformed, NOTHING};

impl Compiler<'_> {
    /// A definition. While it is being read, `Recursion` is the type that is read last.
    pub fn free_type(&mut self, id: i64, constructors: i64, depth: i64) -> Result<TypeId> {
        let number = self.code.arena.free_types.len();
        self.code.arena.free_types.push(FreeType { depth, size: f64::INFINITY, ..FreeType::default() });
        let type_ = self.code.arena.type_(Type::Free(number as u32));
        self.know_type(id, type_);
        let constructors = self.rows.list(constructors)?.to_vec();
        // Free types inside were read before: they come first in the machine.
        for &each in &constructors {
            let &[name, argument, within] = self.rows.fields(each, "Constructor")?;
            let argument = if argument == NOTHING { None } else { Some(self.type_(argument)?) };
            let free = &mut self.code.arena.free_types[number];
            free.constructors.push(name);
            free.arguments.push(argument);
            free.carriers.push((within != NOTHING).then_some(within));
        }
        for at in 0..constructors.len() {
            let carrier = self.code.arena.free_types[number].carriers[at];
            let within = carrier.map(|row| self.carrier(row, None)).transpose()?;
            self.code.arena.free_types[number].within.push(within);
        }
        if !self.code.arena.free_types[number].is_recursive {
            let arguments = self.argument_sets(number, None)?;
            let size = arguments.iter().map(|&set| self.exact_size(set)).sum();
            self.code.arena.free_types[number].size = size;
            if size.is_finite() {
                let all = self.built(number, &arguments);
                self.code.arena.free_types[number].all = Some(all);
            }
        }
        Ok(type_)
    }

    /// The free type that is being defined, where it stands in its own definition.
    pub fn recursion(&mut self, id: i64) -> Result<TypeId> {
        let last = self.code.arena.free_types.len() as u32;
        let number = last.checked_sub(1).ok_or_else(|| Malformed("no free type is defined here".into()))?;
        self.code.arena.free_types[number as usize].is_recursive = true;
        let type_ = self.code.arena.type_(Type::Free(number));
        self.know_type(id, type_);
        Ok(type_)
    }

    /// Is the row the type of sets of the free type that is being defined?
    pub fn is_itself(&self, set: i64) -> Result<bool> {
        let &[element] = self.rows.fields(set, "Set")?;
        Ok(matches!(self.rows.row(element)?, ("Recursion", _)))
    }

    /// What arguments belong to, with this set for all values of the type itself. Listed where it is finite.
    fn carrier(&mut self, row: i64, itself: Option<Id>) -> Result<Id> {
        let before = (std::mem::take(&mut self.nodes), std::mem::replace(&mut self.itself, itself));
        let set = self.expression(row);
        (self.nodes, self.itself) = before;
        let set = set?;
        if self.code.arena.info(set).is_infinite {
            return Ok(set);
        }
        let type_ = self.code.arena.info(set).type_;
        self.memory.prepare(&self.code, Some(FOLDING_STEPS));
        let evaluator = Evaluator { code: &self.code, values: self.values };
        let value = evaluator.value(set, &mut self.memory);
        Ok(value.map_or(set, |value| self.code.arena.constant(value, type_)))
    }

    /// Infinity also where it is only known about.
    fn exact_size(&self, set: Id) -> f64 {
        match self.code.arena.node(set) {
            Node::Constant(_) | Node::Nullary(_) => self.code.arena.size(set, self.values),
            _ => f64::INFINITY,
        }
    }

    fn free_type_of(&self, type_: TypeId) -> Result<usize> {
        match self.code.arena.types[type_ as usize] {
            Type::Free(number) => Ok(number as usize),
            _ => Err(Refusal::Malformed("a value of no free type".into())),
        }
    }

    fn position(&self, number: usize, constructor: i64) -> Result<usize> {
        let constructors = &self.code.arena.free_types[number].constructors;
        let found = constructors.iter().position(|&name| name == constructor);
        found.ok_or_else(|| Refusal::Malformed(format!("constructor {constructor}")))
    }

    pub fn construct(&mut self, constructor: i64, argument: i64, type_: i64, span: i64) -> Result<Id> {
        let type_ = self.type_(type_)?;
        let number = self.free_type_of(type_)?;
        let at = self.position(number, constructor)?;
        let argument = if argument == NOTHING {
            let boolean = self.code.arena.type_(Type::Boolean);
            self.code.arena.constant(Value::FALSE, boolean)
        } else {
            self.expression(argument)?
        };
        let is_partial = self.code.arena.free_types[number].carriers[at].is_some();
        let op = if is_partial { Op::ConstructWithin } else { Op::Construct };
        let (at, span) = (self.number(at as i64), self.rows.span(span)?);
        Ok(self.apply(op, &[at, argument], type_, span))
    }

    pub fn is_constructed(&mut self, value: i64, constructor: i64, span: i64) -> Result<Id> {
        let value = self.expression(value)?;
        let number = self.free_type_of(self.code.arena.info(value).type_)?;
        let at = self.position(number, constructor)?;
        let (integer, boolean) = (self.integer(), self.code.arena.type_(Type::Boolean));
        let (at, span) = (self.number(at as i64), self.rows.span(span)?);
        let found = self.apply(Op::Left, &[value], integer, span);
        Ok(self.apply(Op::Equal, &[found, at], boolean, span))
    }

    pub fn argument_of(&mut self, value: i64, constructor: i64, span: i64) -> Result<Id> {
        let value = self.expression(value)?;
        let number = self.free_type_of(self.code.arena.info(value).type_)?;
        let at = self.position(number, constructor)?;
        let type_ = self.code.arena.free_types[number].arguments[at]
            .ok_or_else(|| Malformed("a constructor without argument".into()))?;
        let (at, span) = (self.number(at as i64), self.rows.span(span)?);
        Ok(self.apply(Op::Argument, &[value, at], type_, span))
    }

    /// The sets of arguments of each constructor.
    fn argument_sets(&mut self, number: usize, itself: Option<Id>) -> Result<Vec<Id>> {
        let free = self.code.arena.free_types[number].clone();
        let mut sets = Vec::new();
        for at in 0..free.constructors.len() {
            sets.push(match (free.arguments[at], free.carriers[at]) {
                (None, _) => self.no_argument(),
                (Some(_), Some(row)) => self.carrier(row, itself)?,
                (Some(type_), None) => self.by_type(type_, Some(number).zip(itself)),
            });
        }
        Ok(sets)
    }

    fn no_argument(&mut self) -> Id {
        let boolean = self.code.arena.type_(Type::Boolean);
        let type_ = self.code.arena.type_(Type::Set(boolean));
        let only = self.values.sorted_set(&[Values::truth(false)]);
        self.code.arena.constant(only, type_)
    }

    fn built(&mut self, number: usize, arguments: &[Id]) -> Id {
        let free = self.code.arena.type_(Type::Free(number as u32));
        let type_ = self.code.arena.type_(Type::Set(free));
        self.apply(Op::Built, arguments, type_, None)
    }

    /// All values of a type; where they have no end, as a set that is built from those of its parts. `itself`: a free type,
    /// and what stands for all of its values.
    pub fn by_type(&mut self, type_: TypeId, itself: Option<(usize, Id)>) -> Id {
        let set = self.code.arena.type_(Type::Set(type_));
        let kind = self.code.arena.types[type_ as usize].clone();
        if let (Type::Free(number), Some((own, values))) = (&kind, itself)
            && *number as usize == own
        {
            return values;
        }
        if self.code.arena.type_size(type_).is_finite() {
            return self.apply(Op::All, &[], set, None);
        }
        let (op, parts) = match kind {
            Type::Pair(left, right) => (Op::Product, vec![left, right]),
            Type::Set(element) => (Op::PowerSet, vec![element]),
            Type::Record(fields) => (Op::Records, fields.into_iter().map(|field| field.1).collect()),
            _ => return self.code.arena.apply(Op::All, &[], set, None),
        };
        let parts: Vec<Id> = parts.into_iter().map(|part| self.by_type(part, itself)).collect();
        self.apply(op, &parts, set, None)
    }

    /// What is tried of a free type without end: numbers between these, and values of a recursive type with so many
    /// constructors inside each other as its depth says.
    pub fn tried_values(&mut self, number: usize, low: Id, high: Id) -> Option<Id> {
        if let Some(known) = self.code.arena.free_types[number].tried {
            return Some(known);
        }
        let FreeType { is_recursive, depth, .. } = self.code.arena.free_types[number];
        let free = self.code.arena.type_(Type::Free(number as u32));
        let type_ = self.code.arena.type_(Type::Set(free));
        let mut level = self.code.arena.constant(Value::EMPTY, type_);
        for _ in 0..if is_recursive { depth } else { 1 } {
            let sets = self.argument_sets(number, is_recursive.then_some(level)).ok()?;
            let sets: Vec<Id> = sets.into_iter().map(|set| self.bounded_part(set, low, high)).collect();
            level = self.built(number, &sets);
        }
        self.code.arena.free_types[number].tried = Some(level);
        Some(level)
    }
}
