//! Whether an expression contains calls of functions, which may change the state, or loops.

use super::ir::{Domain, Expr, Place};

/// May evaluating this change the state or a local? Only functions do.
pub fn may_call(expression: &Expr) -> bool {
    has(expression, &is_call)
}

/// May finding out which place is meant change anything?
pub fn finding_calls(place: &Place) -> bool {
    finding_has(place, &is_call)
}

/// May evaluating this take a loop?
pub fn may_loop(expression: &Expr) -> bool {
    has(expression, &|inner| matches!(inner, Expr::Quantified(..) | Expr::Count(..) | Expr::Call(_)))
}

fn is_call(expression: &Expr) -> bool {
    matches!(expression, Expr::Call(_))
}

/// Is it, or something inside it, such an expression? (Arguments of functions are not looked into.)
fn has(expression: &Expr, wanted: &dyn Fn(&Expr) -> bool) -> bool {
    let inside = |inner: &Expr| has(inner, wanted);
    wanted(expression)
        || match expression {
            Expr::Call(_) | Expr::Constant(..) => false,
            Expr::Read(place) | Expr::IsDefined(place) => finding_has(place, wanted),
            Expr::Binary(_, sides) => inside(&sides.0) || inside(&sides.1),
            Expr::Negate(_, inner)
            | Expr::Not(inner)
            | Expr::Convert(inner, _)
            | Expr::Wrap(inner, _)
            | Expr::IsMember(inner, _) => inside(inner),
            Expr::And(parts) | Expr::Or(parts) => parts.iter().any(inside),
            Expr::Conditional(parts) => inside(&parts.0) || inside(&parts.1) || inside(&parts.2),
            Expr::Quantified(_, bound, test) | Expr::Count(bound, test) => {
                inside(test)
                    || match &bound.domain {
                        Domain::All(_) => false,
                        Domain::Range(low, high, step) => [low, high, step].into_iter().any(inside),
                        Domain::Positions(bag) => finding_has(bag, wanted),
                    }
            }
            Expr::Lookup(lookup) => lookup.arguments.iter().any(inside),
            Expr::Same(left, right) => finding_has(left, wanted) || finding_has(right, wanted),
        }
}

fn finding_has(place: &Place, wanted: &dyn Fn(&Expr) -> bool) -> bool {
    match place {
        Place::Variable(..) => false,
        Place::Component(inner, _) => finding_has(inner, wanted),
        Place::Index(inner, index) | Place::Entry(inner, index) => {
            finding_has(inner, wanted) || has(index, wanted)
        }
    }
}
