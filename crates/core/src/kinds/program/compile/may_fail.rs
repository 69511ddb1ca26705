//! Whether evaluating an expression may fail or have an effect. Decided from types alone; "perhaps" is yes.

use super::super::ir::{Bound, Domain, Expr, Place, Type};
use super::emit::Compiler;
use super::instances::place_type;
use crate::kinds::table::NOTHING;

impl Compiler<'_> {
    pub fn may_fail(&self, expression: &Expr) -> bool {
        match expression {
            Expr::Constant(..) => false,
            Expr::Read(place) => {
                matches!(&*place_type(place, self.types), Type::Optional(_)) || self.finding_may_fail(place)
            }
            Expr::IsDefined(place) => self.finding_may_fail(place),
            Expr::Binary(operator, sides) => {
                !operator.compares() || self.may_fail(&sides.0) || self.may_fail(&sides.1)
            }
            Expr::Negate(bitwise, operand) => !bitwise || self.may_fail(operand),
            Expr::Not(operand) | Expr::IsMember(operand, _) | Expr::Wrap(operand, _) => {
                self.may_fail(operand)
            }
            Expr::And(parts) | Expr::Or(parts) => parts.iter().any(|part| self.may_fail(part)),
            Expr::Conditional(parts) => {
                [&parts.0, &parts.1, &parts.2].into_iter().any(|part| self.may_fail(part))
            }
            Expr::Convert(operand, type_) => {
                !self.fits(&self.type_of(operand), type_) || self.may_fail(operand)
            }
            Expr::Quantified(_, bound, body) | Expr::Count(bound, body) => {
                self.bounding_may_fail(bound) || self.may_fail(body)
            }
            Expr::Same(left, right) => self.finding_may_fail(left) || self.finding_may_fail(right),
            Expr::Lookup(lookup) => {
                let arguments = lookup.table.arguments.iter().zip(&lookup.arguments);
                lookup.table.entries.contains(&NOTHING)
                    || arguments.into_iter().any(|(wanted, given)| {
                        !self.fits(&self.type_of(given), wanted) || self.may_fail(given)
                    })
            }
            // Functions assert, assume, cover and change things.
            Expr::Call(_) => true,
        }
    }

    fn bounding_may_fail(&self, bound: &Bound) -> bool {
        match &bound.domain {
            Domain::All(_) => false,
            Domain::Range(..) => true,
            Domain::Positions(bag) => self.finding_may_fail(bag),
        }
    }

    fn finding_may_fail(&self, place: &Place) -> bool {
        match place {
            Place::Variable(..) => false,
            Place::Component(record, _) => self.finding_may_fail(record),
            Place::Index(array, index) => {
                let inside = match &*place_type(array, self.types) {
                    Type::Array(wanted, _) => self.fits(&self.type_of(index), wanted),
                    _ => false,
                };
                !inside || self.may_fail(index) || self.finding_may_fail(array)
            }
            Place::Entry(..) => true,
        }
    }

    /// Is every value of the one scalar type a value of the other?
    fn fits(&self, from: &Type, to: &Type) -> bool {
        let is_number = |type_: &Type| matches!(type_, Type::Boolean | Type::Integer(_));
        let ((low, high), (least, greatest)) = (self.types.bounds(from), self.types.bounds(to));
        from == to || is_number(from) && is_number(to) && least <= low && high <= greatest
    }
}
