//! The net's labelled graph over place classes, transition classes, and the trees of the expressions to keep: what the group is
//! the automorphism group of.

use std::collections::BTreeMap;

use super::certify::Keep;
use super::collapse::Collapsed;
use super::expression::{Expression, Linear};
use crate::structure::Structure;

const CONSUMES: u64 = 0;
const PRODUCES: u64 = 1;
const OPERAND: u64 = 0;

pub fn structure(collapsed: &Collapsed, keep: &Keep) -> Structure {
    let mut colours = Colours::default();
    let slot_colours = collapsed.place_classes.iter().map(|class| {
        let kept = keep.markings().iter().map(|marking| marking[class[0] as usize]).collect();
        colours.of(Paint::Places(class.len(), kept))
    });
    let mut structure = Structure::new(slot_colours.collect());
    for (class, members) in collapsed.transition_classes.iter().enumerate() {
        let node = structure.add_node(colours.of(Paint::Transitions(members.len())));
        for &(slot, weight) in &collapsed.consumes[class] {
            structure.connect(node, slot, colours.of(Paint::Arc(CONSUMES, weight)));
        }
        for &(slot, weight) in &collapsed.produces[class] {
            structure.connect(node, slot, colours.of(Paint::Arc(PRODUCES, weight)));
        }
    }
    for (number, expression) in keep.expressions().iter().enumerate() {
        let on_classes = expression.renamed(&|place| collapsed.class_of_place[place as usize]);
        add_expression(&mut structure, &mut colours, &on_classes, number, 0);
    }
    structure
}

/// What a colour or an edge label stands for; equal paint, equal number.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Paint {
    Places(usize, Vec<u64>),
    Transitions(usize),
    Arc(u64, u64),
    /// (expression, depth, operator, constant): depth keeps nested operators apart.
    Operator(usize, usize, u8, i128),
    Coefficient(i128),
}

#[derive(Default)]
struct Colours(BTreeMap<Paint, u64>);

impl Colours {
    fn of(&mut self, paint: Paint) -> u64 {
        let next = self.0.len() as u64;
        *self.0.entry(paint).or_insert(next)
    }
}

fn add_expression(
    structure: &mut Structure,
    colours: &mut Colours,
    e: &Expression,
    number: usize,
    depth: usize,
) -> Option<u32> {
    match e {
        Expression::Constant(_) => None,
        Expression::And(parts) | Expression::Or(parts) => {
            let code = u8::from(matches!(e, Expression::And(_)));
            let node = structure.add_node(colours.of(Paint::Operator(number, depth, code, 0)));
            for part in parts {
                if let Some(child) = add_expression(structure, colours, part, number, depth + 1) {
                    structure.connect(node, child, OPERAND);
                }
            }
            Some(node)
        }
        Expression::AtMostZero(sum) => Some(add_sum(structure, colours, sum, (number, depth, 2))),
        Expression::Zero(sum) => Some(add_equation(structure, colours, sum, (number, depth, 3))),
        Expression::NotZero(sum) => Some(add_equation(structure, colours, sum, (number, depth, 4))),
    }
}

/// An equation has two sides that may be exchanged.
fn add_equation(
    structure: &mut Structure,
    colours: &mut Colours,
    sum: &Linear,
    at: (usize, usize, u8),
) -> u32 {
    let (number, depth, code) = at;
    let node = structure.add_node(colours.of(Paint::Operator(number, depth, code, 0)));
    for sign in [1, -1] {
        let terms =
            sum.terms.iter().filter(|term| term.1 * sign > 0).map(|&(slot, c)| (slot, c * sign)).collect();
        let side = Linear { terms, constant: (sum.constant * sign).max(0) };
        let child = add_sum(structure, colours, &side, (number, depth + 1, 5));
        structure.connect(node, child, OPERAND);
    }
    node
}

fn add_sum(structure: &mut Structure, colours: &mut Colours, sum: &Linear, at: (usize, usize, u8)) -> u32 {
    let (number, depth, code) = at;
    let node = structure.add_node(colours.of(Paint::Operator(number, depth, code, sum.constant)));
    for &(slot, coefficient) in &sum.terms {
        structure.connect(node, slot, colours.of(Paint::Coefficient(coefficient)));
    }
    node
}
