//! The typed language of `burnside.ir`, decoded from the flat table in which a program crosses over.
//!
//! Names and meanings are those of the Python classes; places in the user's text are left behind, because failures are
//! explained by the replay.

use std::collections::HashMap;
use std::rc::Rc;

use crate::kinds::table::{Malformed, NOTHING, Result, Rows};

pub type Name = Rc<str>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Boolean,
    /// None: 64 bits, for values that no state holds.
    Integer(Option<(i64, i64)>),
    /// Sorts by number.
    Element(usize),
    Union(Vec<usize>),
    Optional(Rc<Type>),
    Array(Rc<Type>, Rc<Type>),
    Record(Vec<(Name, Rc<Type>)>),
    Bag(Rc<Type>, usize),
}

impl Type {
    /// The type of its values where they are defined.
    pub fn without_optional(&self) -> &Type {
        match self {
            Type::Optional(inner) => inner,
            other => other,
        }
    }
}

#[derive(Clone, Debug)]
pub enum Place {
    Variable(Name, Rc<Type>),
    Index(Box<Place>, Box<Expr>),
    Component(Box<Place>, Name),
    Entry(Box<Place>, Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

#[derive(Clone, Copy, Debug)]
pub struct Quantifier {
    pub for_all: bool,
    /// Are all instances evaluated? Else those up to the first that decides.
    pub every: bool,
}

#[derive(Clone, Debug)]
pub enum Expr {
    Constant(i64, Rc<Type>),
    Read(Place),
    Binary(Operator, Box<(Expr, Expr)>),
    /// Bitwise where true.
    Negate(bool, Box<Expr>),
    Not(Box<Expr>),
    And(Vec<Expr>),
    Or(Vec<Expr>),
    Conditional(Box<(Expr, Expr, Expr)>),
    Convert(Box<Expr>, Rc<Type>),
    Quantified(Quantifier, Box<Bound>, Box<Expr>),
    IsDefined(Place),
    IsMember(Box<Expr>, usize),
    Same(Place, Place),
    Count(Box<Bound>, Box<Expr>),
    Call(Box<Call>),
    Wrap(Box<Expr>, Rc<Type>),
    Lookup(Box<Lookup>),
}

/// A function of scalars, written out; `NOTHING` where it has no value.
#[derive(Debug)]
pub struct Table {
    /// In the order of the encoded rows.
    pub number: usize,
    pub arguments: Vec<Rc<Type>>,
    pub result: Rc<Type>,
    pub entries: Vec<i64>,
}

#[derive(Clone, Debug)]
pub struct Lookup {
    pub table: Rc<Table>,
    pub arguments: Vec<Expr>,
    /// What a missing entry violates, where it is no error of the model.
    pub property: Option<usize>,
}

#[derive(Clone, Debug)]
pub enum Domain {
    All(Rc<Type>),
    Range(Expr, Expr, Expr),
    Positions(Place),
}

#[derive(Clone, Debug)]
pub struct Bound {
    pub name: Name,
    pub domain: Domain,
}

#[derive(Clone, Debug)]
pub enum Argument {
    Place(Place),
    Value(Expr),
}

#[derive(Clone, Debug)]
pub struct Call {
    pub function: Name,
    pub arguments: Vec<Argument>,
}

pub type Block = Vec<Statement>;

#[derive(Clone, Debug)]
pub enum Statement {
    Assign(Place, Expr),
    Copy(Place, Place),
    CopyCall(Place, Call),
    Clear(Place),
    Undefine(Place),
    If(Vec<(Expr, Block)>, Block),
    For(Bound, Block),
    While(Expr, Block, i64),
    Declare(Vec<(Name, Rc<Type>)>, Block),
    Bind(Name, Place, Block),
    Let(Name, Expr, Block),
    Call(Call),
    Return(Option<Argument>),
    Assert(Expr, usize),
    Note(Expr, usize),
    Assume(Expr),
    Cover(Expr, usize),
    Add(Place, Place),
    Remove(Place, Expr),
    RemoveAll(Bound, Expr),
}

#[derive(Clone, Debug)]
pub struct Action {
    pub parameters: Vec<Bound>,
    pub body: Block,
    pub guard: Expr,
    /// Positions of parameters: the process that acts, and the one that keeps control.
    pub actor: Option<usize>,
    pub keeps_control: Option<usize>,
    pub idle: bool,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub parameters: Vec<(Name, Rc<Type>, bool)>,
    pub result: Option<Rc<Type>>,
    pub body: Block,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    Invariant,
    Assumption,
    Cover,
    /// Found where the expression is true.
    Goal,
    /// Decided by statements.
    Stated,
    /// So is this, and it is about how the model was laid out.
    Limit,
}

#[derive(Clone, Debug)]
pub struct Property {
    pub kind: PropertyKind,
    pub expression: Option<Expr>,
}

pub struct Program {
    /// Sizes of the sorts.
    pub sorts: Vec<usize>,
    pub variables: Vec<(Name, Rc<Type>)>,
    pub starts: Vec<Action>,
    pub actions: Vec<Action>,
    pub properties: Vec<Property>,
    pub functions: HashMap<Name, Function>,
    pub stuttering: bool,
    pub counts_impossible: bool,
    /// The variable that holds the process in control.
    pub control: Option<(Name, Rc<Type>)>,
    pub proper_end: Option<Expr>,
    /// All that are looked up somewhere, by number.
    pub tables: Vec<Rc<Table>>,
}

/// Decodes the table; the last row is the program.
pub fn decode(texts: &[String], rows: &[(String, Vec<i64>)]) -> Result<Program> {
    let names = texts.iter().map(|text| Name::from(text.as_str())).collect();
    let table = Rows { texts, rows };
    let mut decoder = Decoder {
        table,
        names,
        types: HashMap::new(),
        sorts: HashMap::new(),
        tables: HashMap::new(),
        number_of_table: numbers_of_tables(rows),
    };
    decoder.program(rows.len() as i64 - 1)
}

/// By row: the number of the table there.
fn numbers_of_tables(rows: &[(String, Vec<i64>)]) -> HashMap<i64, usize> {
    let tables = (0..).zip(rows).filter(|(_, (class, _))| class == "Table");
    tables.enumerate().map(|(number, (row, _))| (row, number)).collect()
}

struct Decoder<'a> {
    table: Rows<'a>,
    /// By number of a text.
    names: Vec<Name>,
    types: HashMap<i64, Rc<Type>>,
    /// By row: the sort's number.
    sorts: HashMap<i64, usize>,
    /// By row.
    tables: HashMap<i64, Rc<Table>>,
    number_of_table: HashMap<i64, usize>,
}

impl<'a> Decoder<'a> {
    fn each<T>(&mut self, id: i64, decode: impl Fn(&mut Self, i64) -> Result<T>) -> Result<Vec<T>> {
        self.table.list(id)?.iter().map(|&item| decode(self, item)).collect()
    }

    fn text(&self, id: i64) -> Result<Name> {
        let text = usize::try_from(id).ok().and_then(|id| self.names.get(id));
        text.cloned().ok_or_else(|| Malformed(format!("text {id}")))
    }

    fn program(&mut self, id: i64) -> Result<Program> {
        let &[
            _,
            sorts,
            variables,
            starts,
            actions,
            properties,
            functions,
            stuttering,
            _,
            control,
            proper_end,
            counts_impossible,
        ] = self.table.fields(id, "Program")?;
        let mut sizes = Vec::new();
        for (number, &sort) in self.table.list(sorts)?.iter().enumerate() {
            let &[_, elements] = self.table.fields(sort, "Sort")?;
            sizes.push(self.table.list(elements)?.len());
            self.sorts.insert(sort, number);
        }
        let functions = self.each(functions, Self::function)?;
        let mut program = Program {
            sorts: sizes,
            variables: self.each(variables, Self::variable)?,
            starts: self.each(starts, Self::action)?,
            actions: self.each(actions, Self::action)?,
            properties: self.each(properties, Self::property)?,
            functions: functions.into_iter().collect(),
            stuttering: stuttering != 0,
            counts_impossible: counts_impossible != 0,
            control: if control == NOTHING { None } else { Some(self.variable(control)?) },
            proper_end: if proper_end == NOTHING { None } else { Some(self.expr(proper_end)?) },
            tables: Vec::new(),
        };
        program.tables = self.tables.values().cloned().collect();
        program.tables.sort_by_key(|table| table.number);
        Ok(program)
    }

    fn sort(&self, id: i64) -> Result<usize> {
        self.sorts.get(&id).copied().ok_or_else(|| Malformed("a sort that the program does not list".into()))
    }

    fn type_(&mut self, id: i64) -> Result<Rc<Type>> {
        if let Some(known) = self.types.get(&id) {
            return Ok(known.clone());
        }
        let (class, fields) = self.table.row(id)?;
        let decoded = match (class, fields) {
            ("Boolean", _) => Type::Boolean,
            ("Integer", &[low, high]) => {
                Type::Integer((low != NOTHING && high != NOTHING).then_some((low, high)))
            }
            ("Element", &[sort]) => Type::Element(self.sort(sort)?),
            ("Union", &[sorts]) => Type::Union(self.each(sorts, |d, sort| d.sort(sort))?),
            ("Optional", &[inner]) => Type::Optional(self.type_(inner)?),
            ("Array", &[index, element]) => Type::Array(self.type_(index)?, self.type_(element)?),
            ("Record", &[fields]) => Type::Record(self.each(fields, |d, field| {
                let &[name, type_] = d.table.fields(field, "Field")?;
                Ok((d.text(name)?, d.type_(type_)?))
            })?),
            ("Bag", &[element, capacity]) => Type::Bag(self.type_(element)?, capacity as usize),
            (other, _) => return Err(Malformed(format!("type {other}"))),
        };
        let decoded = Rc::new(decoded);
        self.types.insert(id, decoded.clone());
        Ok(decoded)
    }

    fn variable(&mut self, id: i64) -> Result<(Name, Rc<Type>)> {
        let &[name, type_] = self.table.fields(id, "Variable")?;
        Ok((self.text(name)?, self.type_(type_)?))
    }

    fn place(&mut self, id: i64) -> Result<Place> {
        Ok(match self.table.row(id)? {
            ("Variable", _) => {
                let (name, type_) = self.variable(id)?;
                Place::Variable(name, type_)
            }
            ("Index", &[array, index, ..]) => Place::Index(Box::new(self.place(array)?), self.boxed(index)?),
            ("Component", &[record, name]) => {
                Place::Component(Box::new(self.place(record)?), self.text(name)?)
            }
            ("Entry", &[bag, position, ..]) => {
                Place::Entry(Box::new(self.place(bag)?), self.boxed(position)?)
            }
            (other, _) => return Err(Malformed(format!("place {other}"))),
        })
    }

    fn boxed(&mut self, id: i64) -> Result<Box<Expr>> {
        self.expr(id).map(Box::new)
    }

    fn expr(&mut self, id: i64) -> Result<Expr> {
        Ok(match self.table.row(id)? {
            ("Constant", &[value, type_, ..]) => Expr::Constant(value, self.type_(type_)?),
            ("Read", &[place, ..]) => Expr::Read(self.place(place)?),
            ("Binary", &[operator, left, right, ..]) => {
                let operator = operator_named(&self.text(operator)?)?;
                Expr::Binary(operator, Box::new((self.expr(left)?, self.expr(right)?)))
            }
            ("Negate", &[operator, operand, ..]) => {
                Expr::Negate(&*self.text(operator)? == "~", self.boxed(operand)?)
            }
            ("Not", &[operand]) => Expr::Not(self.boxed(operand)?),
            ("Junction", &[operator, parts]) => {
                let parts = self.each(parts, Self::expr)?;
                if &*self.text(operator)? == "and" { Expr::And(parts) } else { Expr::Or(parts) }
            }
            ("Conditional", &[test, then, otherwise]) => {
                Expr::Conditional(Box::new((self.expr(test)?, self.expr(then)?, self.expr(otherwise)?)))
            }
            ("Convert", &[operand, type_, ..]) => Expr::Convert(self.boxed(operand)?, self.type_(type_)?),
            ("Quantified", &[quantifier, bound, body, every]) => {
                let for_all = &*self.text(quantifier)? == "forall";
                let quantifier = Quantifier { for_all, every: every != 0 };
                Expr::Quantified(quantifier, Box::new(self.bound(bound)?), self.boxed(body)?)
            }
            ("IsDefined", &[place]) => Expr::IsDefined(self.place(place)?),
            ("IsMember", &[operand, sort]) => Expr::IsMember(self.boxed(operand)?, self.sort(sort)?),
            ("Same", &[left, right]) => Expr::Same(self.place(left)?, self.place(right)?),
            ("Count", &[bound, test]) => Expr::Count(Box::new(self.bound(bound)?), self.boxed(test)?),
            ("Call", _) => Expr::Call(Box::new(self.call(id)?)),
            ("Wrap", &[operand, type_]) => Expr::Wrap(self.boxed(operand)?, self.type_(type_)?),
            ("Lookup", &[table, arguments, property, ..]) => Expr::Lookup(Box::new(Lookup {
                table: self.table_of(table)?,
                arguments: self.each(arguments, Self::expr)?,
                property: usize::try_from(property).ok(),
            })),
            (other, _) => return Err(Malformed(format!("expression {other}"))),
        })
    }

    fn table_of(&mut self, id: i64) -> Result<Rc<Table>> {
        if let Some(known) = self.tables.get(&id) {
            return Ok(known.clone());
        }
        let &[_, arguments, result, entries] = self.table.fields(id, "Table")?;
        let table = Rc::new(Table {
            number: self.number_of_table.get(&id).copied().unwrap_or_default(),
            arguments: self.each(arguments, Self::type_)?,
            result: self.type_(result)?,
            entries: self.table.list(entries)?.to_vec(),
        });
        self.tables.insert(id, table.clone());
        Ok(table)
    }

    fn bound(&mut self, id: i64) -> Result<Bound> {
        let &[name, domain] = self.table.fields(id, "Bound")?;
        let domain = match self.table.row(domain)? {
            ("All", &[type_]) => Domain::All(self.type_(type_)?),
            ("Range", &[low, high, step, ..]) => {
                Domain::Range(self.expr(low)?, self.expr(high)?, self.expr(step)?)
            }
            ("Positions", &[bag]) => Domain::Positions(self.place(bag)?),
            (other, _) => return Err(Malformed(format!("domain {other}"))),
        };
        Ok(Bound { name: self.text(name)?, domain })
    }

    fn argument(&mut self, id: i64) -> Result<Argument> {
        let (class, _) = self.table.row(id)?;
        if matches!(class, "Variable" | "Index" | "Component" | "Entry") {
            Ok(Argument::Place(self.place(id)?))
        } else {
            Ok(Argument::Value(self.expr(id)?))
        }
    }

    fn call(&mut self, id: i64) -> Result<Call> {
        let &[function, arguments] = self.table.fields(id, "Call")?;
        Ok(Call { function: self.text(function)?, arguments: self.each(arguments, Self::argument)? })
    }

    fn block(&mut self, id: i64) -> Result<Block> {
        self.each(id, Self::statement)
    }

    fn statement(&mut self, id: i64) -> Result<Statement> {
        use Statement as S;
        Ok(match self.table.row(id)? {
            ("Assign", &[place, value, ..]) => S::Assign(self.place(place)?, self.expr(value)?),
            ("Copy", &[target, source, ..]) => S::Copy(self.place(target)?, self.place(source)?),
            ("CopyCall", &[target, call]) => S::CopyCall(self.place(target)?, self.call(call)?),
            ("Clear", &[place]) => S::Clear(self.place(place)?),
            ("Undefine", &[place]) => S::Undefine(self.place(place)?),
            ("If", &[branches, otherwise]) => {
                let branches = self.each(branches, |d, branch| {
                    let &[test, body] = d.table.fields(branch, "Branch")?;
                    Ok((d.expr(test)?, d.block(body)?))
                })?;
                S::If(branches, self.block(otherwise)?)
            }
            ("For", &[bound, body, ..]) => S::For(self.bound(bound)?, self.block(body)?),
            ("While", &[test, body, limit, ..]) => S::While(self.expr(test)?, self.block(body)?, limit),
            ("Declare", &[variables, body]) => {
                S::Declare(self.each(variables, Self::variable)?, self.block(body)?)
            }
            ("Bind", &[variable, place, body]) => {
                S::Bind(self.variable(variable)?.0, self.place(place)?, self.block(body)?)
            }
            ("Let", &[variable, value, body]) => {
                S::Let(self.variable(variable)?.0, self.expr(value)?, self.block(body)?)
            }
            ("CallStatement", &[call]) => S::Call(self.call(call)?),
            ("Return", &[value, ..]) => {
                S::Return(if value == NOTHING { None } else { Some(self.argument(value)?) })
            }
            ("Assert", &[test, property, ..]) => S::Assert(self.expr(test)?, property as usize),
            ("Note", &[test, property, ..]) => S::Note(self.expr(test)?, property as usize),
            ("Assume", &[test]) => S::Assume(self.expr(test)?),
            ("Cover", &[test, property]) => S::Cover(self.expr(test)?, property as usize),
            ("Add", &[bag, source, ..]) => S::Add(self.place(bag)?, self.place(source)?),
            ("Remove", &[bag, position, ..]) => S::Remove(self.place(bag)?, self.expr(position)?),
            ("RemoveAll", &[bound, test]) => S::RemoveAll(self.bound(bound)?, self.expr(test)?),
            (other, _) => return Err(Malformed(format!("statement {other}"))),
        })
    }

    fn action(&mut self, id: i64) -> Result<Action> {
        let &[_, parameters, body, guard, actor, keeps_control, idle] = self.table.fields(id, "Action")?;
        Ok(Action {
            parameters: self.each(parameters, Self::bound)?,
            body: self.block(body)?,
            guard: self.expr(guard)?,
            actor: usize::try_from(actor).ok(),
            keeps_control: usize::try_from(keeps_control).ok(),
            idle: idle != 0,
        })
    }

    fn function(&mut self, id: i64) -> Result<(Name, Function)> {
        let &[name, parameters, result, body] = self.table.fields(id, "Function")?;
        let parameters = self.each(parameters, |d, parameter| {
            let &[variable, by_reference] = d.table.fields(parameter, "Parameter")?;
            let (name, type_) = d.variable(variable)?;
            Ok((name, type_, by_reference != 0))
        })?;
        let result = if result == NOTHING { None } else { Some(self.type_(result)?) };
        Ok((self.text(name)?, Function { parameters, result, body: self.block(body)? }))
    }

    fn property(&mut self, id: i64) -> Result<Property> {
        let &[kind, _, expression] = self.table.fields(id, "Property")?;
        let kind = match &*self.text(kind)? {
            "invariant" => PropertyKind::Invariant,
            "assumption" => PropertyKind::Assumption,
            "cover" => PropertyKind::Cover,
            "goal" => PropertyKind::Goal,
            "limit" => PropertyKind::Limit,
            _ => PropertyKind::Stated,
        };
        let expression = if expression == NOTHING { None } else { Some(self.expr(expression)?) };
        Ok(Property { kind, expression })
    }
}

fn operator_named(name: &str) -> Result<Operator> {
    use Operator::*;
    Ok(match name {
        "+" => Add,
        "-" => Subtract,
        "*" => Multiply,
        "/" => Divide,
        "%" => Remainder,
        "bit-and" => BitAnd,
        "bit-or" => BitOr,
        "bit-xor" => BitXor,
        "shift-left" => ShiftLeft,
        "shift-right" => ShiftRight,
        "=" => Equal,
        "!=" => NotEqual,
        "<" => Less,
        "<=" => LessOrEqual,
        ">" => Greater,
        ">=" => GreaterOrEqual,
        other => return Err(Malformed(format!("operator {other}"))),
    })
}
