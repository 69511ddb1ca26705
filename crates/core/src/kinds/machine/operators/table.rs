//! Operators by name, for the compiler of expressions: of one argument, of two, or of any number.
//!
//! Not here, because they need more than values: connectives, `all`, `up-from`, spaces on the right of `member` (`spaces`),
//! and `closure` and `iterate` where the type of the elements is finite (`closures`, which take that set).

use super::super::values::{Value, Values};
use super::enumeration::{Arrows, Walk, Words};
use super::spaces::{Arrow, Sequences};
use super::{Outcome, Scratch, arithmetic, closures, composition, relations, sequences, sets};

pub type Unary = fn(&Values, &mut Scratch, Value) -> Outcome;
pub type Binary = fn(&Values, &mut Scratch, Value, Value) -> Outcome;

/// How an operator is evaluated.
#[derive(Clone, Copy)]
pub enum Operator {
    Unary(Unary),
    Binary(Binary),
    /// Of the elements, items or fields.
    Many(fn(&Values, &mut Scratch, &[Value]) -> Outcome),
    /// All members of a space of relations.
    Arrows(Arrow),
    /// All members of a space of sequences; those that are not injective have no end.
    Sequences(Sequences),
}

impl Operator {
    pub fn named(name: &str) -> Option<Operator> {
        unary(name)
            .map(Operator::Unary)
            .or_else(|| binary(name).map(Operator::Binary))
            .or_else(|| Arrow::named(name).map(Operator::Arrows))
            .or_else(|| Sequences::named(name).map(Operator::Sequences))
            .or(match name {
                "set" => Some(Operator::Many(|values, scratch, items| Ok(sets::set(values, scratch, items)))),
                "sequence" => Some(Operator::Many(|values, scratch, items| {
                    Ok(sequences::sequence(values, scratch, items))
                })),
                "record" => Some(Operator::Many(|values, _, fields| Ok(values.record(fields)))),
                "records" => Some(Operator::Many(sets::records)),
                _ => None,
            })
    }

    /// The value for so many arguments; none: not so many, or a space that has no end.
    pub fn evaluate(self, values: &Values, scratch: &mut Scratch, arguments: &[Value]) -> Option<Outcome> {
        Some(match (self, arguments) {
            (Operator::Unary(operator), &[a]) => operator(values, scratch, a),
            (Operator::Binary(operator), &[a, b]) => operator(values, scratch, a, b),
            (Operator::Many(operator), _) => operator(values, scratch, arguments),
            (Operator::Arrows(arrow), &[a, b]) => Arrows::new(values, arrow, a, b).all(values, scratch),
            (Operator::Sequences(kind), &[over]) if kind.is_injective() || over == Value::EMPTY => {
                Words::new(values, kind, over, values.elements(over).len()).all(values, scratch)
            }
            _ => return None,
        })
    }
}

/// An operator of one argument that has a value of its own.
pub fn unary(name: &str) -> Option<Unary> {
    Some(match name {
        "negate" => |values, _, a| arithmetic::negate(values, a),
        "min" => |values, _, a| arithmetic::min(values, a),
        "max" => |values, _, a| arithmetic::max(values, a),
        "not" => |_, _, a| Ok(Values::truth(a != Value::TRUE)),
        "power-set" => sets::power_set,
        "power-set-1" => sets::power_set_1,
        "card" => |values, _, a| Ok(sets::card(values, a)),
        "general-union" => sets::general_union,
        "general-intersection" => sets::general_intersection,
        "left" => |values, _, a| Ok(values.parts(a).0),
        "right" => |values, _, a| Ok(values.parts(a).1),
        "domain" => relations::domain,
        "range" => relations::range,
        "identity" => relations::identity,
        "inverse" => relations::inverse,
        "closure1" => closures::closure1,
        "closure" => |values, scratch, a| closures::closure(values, scratch, a, None),
        "as-function" => composition::as_function,
        "as-relation" => composition::as_relation,
        "size" => sequences::size,
        "reverse" => sequences::reverse,
        "first" => sequences::first,
        "last" => sequences::last,
        "tail" => sequences::tail,
        "front" => sequences::front,
        "general-concat" => sequences::general_concat,
        _ => return None,
    })
}

/// An operator of two arguments that has a value of its own.
pub fn binary(name: &str) -> Option<Binary> {
    Some(match name {
        "equal" => |_, _, a, b| Ok(Values::truth(a == b)),
        "member" => |values, _, a, b| Ok(Values::truth(sets::member(values, a, b))),
        "subset" => |values, _, a, b| Ok(Values::truth(sets::subset(values, a, b))),
        "strict-subset" => |values, _, a, b| Ok(Values::truth(sets::strict_subset(values, a, b))),
        "less" => |values, _, a, b| Ok(Values::truth(arithmetic::less(values, a, b))),
        "less-equal" => |values, _, a, b| Ok(Values::truth(arithmetic::less_equal(values, a, b))),
        "add" => |values, _, a, b| arithmetic::add(values, a, b),
        "subtract" => |values, _, a, b| arithmetic::subtract(values, a, b),
        "multiply" => |values, _, a, b| arithmetic::multiply(values, a, b),
        "divide" => |values, _, a, b| arithmetic::divide(values, a, b),
        "modulo" => |values, _, a, b| arithmetic::modulo(values, a, b),
        "power" => |values, _, a, b| arithmetic::power(values, a, b),
        "interval" => arithmetic::interval,
        "union" => sets::union,
        "intersection" => sets::intersection,
        "difference" => sets::difference,
        "product" => sets::product,
        "pair" => |values, _, a, b| Ok(values.pair(a, b)),
        "apply" => |values, _, a, b| relations::apply(values, a, b),
        "image" => relations::image,
        "compose" => composition::compose,
        "parallel-product" => composition::parallel_product,
        "direct-product" => composition::direct_product,
        "domain-restrict" => relations::domain_restrict,
        "domain-subtract" => relations::domain_subtract,
        "range-restrict" => relations::range_restrict,
        "range-subtract" => relations::range_subtract,
        "override" => relations::override_,
        "iterate" => |values, scratch, a, b| closures::iterate(values, scratch, a, b, None),
        "first-projection" => composition::first_projection,
        "second-projection" => composition::second_projection,
        "concat" => sequences::concat,
        "prepend" => sequences::prepend,
        "append" => sequences::append,
        "take" => sequences::take,
        "drop" => sequences::drop,
        _ => return None,
    })
}
