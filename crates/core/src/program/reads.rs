//! What evaluating an expression looks at: the slots it may read, and whether it calls functions.

use std::rc::Rc;

use super::ir::{Domain, Expr, Place, Type};
use super::layout::{Layout, Types};

/// Something met in an expression.
enum Met<'e> {
    /// A place whose content is looked at; the indices in it are met by themselves.
    Place(&'e Place),
    Call,
}

/// May evaluating this change the state or a local?
pub fn may_call(expression: &Expr) -> bool {
    let mut calls = false;
    visit(expression, &mut |met| calls |= matches!(met, Met::Call));
    calls
}

/// By slot: may the expression read it? None where that cannot be said, because a function is called.
pub fn slots_read(expression: &Expr, types: &Types, layout: &Layout) -> Option<Vec<bool>> {
    let mut read = vec![false; layout.schema.slots().len()];
    let mut calls = false;
    visit(expression, &mut |met| match met {
        Met::Call => calls = true,
        Met::Place(place) => {
            let (starts, type_) = extent(place, types, layout);
            for start in starts {
                read[start..start + types.slots(&type_)].fill(true);
            }
        }
    });
    (!calls).then_some(read)
}

/// Where a place may begin, whatever its indices are, and its type. Locals are nowhere.
fn extent(place: &Place, types: &Types, layout: &Layout) -> (Vec<usize>, Rc<Type>) {
    let inner = match place {
        Place::Variable(name, type_) => {
            let first = layout.first_slot.get(name).map(|&slot| slot as usize);
            return (first.into_iter().collect(), type_.clone());
        }
        Place::Index(inner, _) | Place::Component(inner, _) | Place::Entry(inner, _) => inner,
    };
    let (starts, type_) = extent(inner, types, layout);
    match (&*type_, place) {
        (Type::Array(index, element), _) => {
            let width = types.slots(element);
            let elements = |start| (0..types.size(index)).map(move |at| start + at * width);
            (starts.into_iter().flat_map(elements).collect(), element.clone())
        }
        (Type::Record(fields), Place::Component(_, name)) => {
            let (offset, field) = types.field(fields, name);
            (starts.into_iter().map(|start| start + offset).collect(), field.clone())
        }
        // An entry: whether it is there matters too, so all of the bag does.
        _ => (starts, type_.clone()),
    }
}

fn visit<'e>(expression: &'e Expr, met: &mut dyn FnMut(Met<'e>)) {
    match expression {
        Expr::Call(_) => met(Met::Call),
        Expr::Constant(..) => {}
        Expr::Read(place) | Expr::IsDefined(place) => visit_place(place, met),
        Expr::Binary(_, sides) => {
            visit(&sides.0, met);
            visit(&sides.1, met);
        }
        Expr::Negate(_, inner) | Expr::Not(inner) | Expr::Convert(inner, _) | Expr::IsMember(inner, _) => {
            visit(inner, met);
        }
        Expr::And(parts) | Expr::Or(parts) => parts.iter().for_each(|part| visit(part, met)),
        Expr::Conditional(parts) => {
            visit(&parts.0, met);
            visit(&parts.1, met);
            visit(&parts.2, met);
        }
        Expr::Quantified(_, bound, test) | Expr::Count(bound, test) => {
            match &bound.domain {
                Domain::All(_) => {}
                Domain::Range(low, high, step) => {
                    [low, high, step].into_iter().for_each(|part| visit(part, met))
                }
                Domain::Positions(bag) => visit_place(bag, met),
            }
            visit(test, met);
        }
        Expr::Same(left, right) => {
            visit_place(left, met);
            visit_place(right, met);
        }
    }
}

fn visit_place<'e>(place: &'e Place, met: &mut dyn FnMut(Met<'e>)) {
    met(Met::Place(place));
    let mut at = place;
    loop {
        at = match at {
            Place::Variable(..) => return,
            Place::Component(inner, _) => inner,
            Place::Index(inner, index) | Place::Entry(inner, index) => {
                visit(index, met);
                inner
            }
        };
    }
}
