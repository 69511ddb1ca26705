//! Whether evaluating an expression may change the state: only functions do.

use super::ir::{Domain, Expr, Place};

/// May evaluating this change the state or a local?
pub fn may_call(expression: &Expr) -> bool {
    match expression {
        Expr::Call(_) => true,
        Expr::Constant(..) => false,
        Expr::Read(place) | Expr::IsDefined(place) => finding_calls(place),
        Expr::Binary(_, sides) => may_call(&sides.0) || may_call(&sides.1),
        Expr::Negate(_, inner) | Expr::Not(inner) | Expr::Convert(inner, _) | Expr::IsMember(inner, _) => {
            may_call(inner)
        }
        Expr::And(parts) | Expr::Or(parts) => parts.iter().any(may_call),
        Expr::Conditional(parts) => may_call(&parts.0) || may_call(&parts.1) || may_call(&parts.2),
        Expr::Quantified(_, bound, test) | Expr::Count(bound, test) => {
            may_call(test)
                || match &bound.domain {
                    Domain::All(_) => false,
                    Domain::Range(low, high, step) => [low, high, step].into_iter().any(may_call),
                    Domain::Positions(bag) => finding_calls(bag),
                }
        }
        Expr::Same(left, right) => finding_calls(left) || finding_calls(right),
    }
}

/// May finding out which place is meant change anything?
fn finding_calls(place: &Place) -> bool {
    match place {
        Place::Variable(..) => false,
        Place::Component(inner, _) => finding_calls(inner),
        Place::Index(inner, index) | Place::Entry(inner, index) => finding_calls(inner) || may_call(index),
    }
}
