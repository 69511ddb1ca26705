//! The instances of actions: how they are numbered, and what is known of each.

use std::rc::Rc;

use super::super::code::{Cell, Target};
use super::super::ir::{Action, Bound, Domain, Place, Type};
use super::super::layout::Types;
use super::TooLarge;
use crate::model::Label;

/// The instances of an action: labels `first..first + count`, numbered by parameter values, the last counting fastest.
#[derive(Clone, Debug)]
pub struct Instances {
    pub first: Label,
    pub count: u64,
    pub parameters: Vec<Parameter>,
    /// With code of their own: by instance, where the body begins. Else the one body, and the cells of the parameters.
    pub bodies: Vec<Target>,
    /// By body: where its code ends.
    pub ends: Vec<Target>,
    /// By body: the slots it may write; None where that is not known.
    pub writes: Vec<Option<Box<[u32]>>>,
    /// By body: the judgements that may turn out differently after it.
    pub touches: Vec<Box<[u32]>>,
    pub cells: Option<Cell>,
    /// The process that acts, and the one that keeps control, by parameter.
    pub actor: Option<Role>,
    pub keeps_control: Option<Role>,
}

#[derive(Clone, Debug)]
pub struct Parameter {
    pub low: i64,
    pub size: u64,
    /// The points that its values stand for, from the smallest on; empty where it is no element.
    pub points: Vec<u32>,
    pub is_position: bool,
}

impl Instances {
    /// Which body a label runs.
    pub fn body(&self, label: Label) -> usize {
        if self.cells.is_none() { (label - self.first) as usize } else { 0 }
    }

    /// The values of the parameters, first to last.
    pub fn values(&self, label: Label) -> Vec<i64> {
        let mut rest = u64::from(label - self.first);
        let mut values: Vec<i64> = self
            .parameters
            .iter()
            .rev()
            .map(|parameter| {
                let value = parameter.low + (rest % parameter.size) as i64;
                rest /= parameter.size;
                value
            })
            .collect();
        values.reverse();
        values
    }
}

/// A parameter that is a process.
#[derive(Clone, Debug)]
pub struct Role {
    /// Labels between two of its values, and how many values it has.
    stride: u64,
    size: u64,
    /// By value, from the smallest on: what the variable for the process in control holds for it.
    codes: Box<[u64]>,
}

impl Role {
    /// The parameter of this position, in a program whose processes are the points of these codes, from 1 on.
    fn new(parameters: &[Parameter], at: usize, processes: &[u32]) -> Role {
        let Parameter { points, size, .. } = &parameters[at];
        let code =
            |point: &u32| processes.iter().position(|other| other == point).map_or(0, |code| code as u64 + 1);
        Role {
            stride: parameters[at + 1..].iter().map(|after| after.size).product(),
            size: *size,
            codes: points.iter().map(code).collect(),
        }
    }
}

impl Instances {
    /// The process that acts, as the variable for the process in control holds it; 0 where it is none.
    pub fn actor(&self, label: Label) -> u64 {
        self.actor.as_ref().map_or(0, |role| self.code(role, label))
    }

    /// The process that keeps control after the label; 0 where none does.
    #[inline(always)]
    pub fn keeps_control(&self, label: Label) -> u64 {
        self.keeps_control.as_ref().map_or(0, |role| self.code(role, label))
    }

    fn code(&self, role: &Role, label: Label) -> u64 {
        let digit = u64::from(label - self.first) / role.stride % role.size;
        role.codes.get(digit as usize).copied().unwrap_or(0)
    }
}

pub fn instances(
    action: &Action,
    types: &Types,
    processes: &[u32],
    first: u64,
) -> Result<Instances, TooLarge> {
    let parameters: Vec<Parameter> = action.parameters.iter().map(|bound| parameter(bound, types)).collect();
    let mut count = 1u64;
    for parameter in &parameters {
        count = count.checked_mul(parameter.size).filter(|&n| n <= 1 << 40).ok_or(TooLarge::Labels)?;
    }
    let first = Label::try_from(first).map_err(|_| TooLarge::Labels)?;
    let role = |at: Option<usize>| at.map(|at| Role::new(&parameters, at, processes));
    Ok(Instances {
        first,
        count,
        actor: role(action.actor),
        keeps_control: role(action.keeps_control),
        parameters,
        bodies: Vec::new(),
        ends: Vec::new(),
        writes: Vec::new(),
        touches: Vec::new(),
        cells: None,
    })
}

fn parameter(bound: &Bound, types: &Types) -> Parameter {
    match &bound.domain {
        Domain::All(type_) => {
            let (low, _) = types.bounds(type_);
            let points = types.points_of(type_);
            Parameter { low, size: types.size(type_) as u64, points, is_position: false }
        }
        Domain::Positions(bag) => {
            let capacity = capacity_of(bag, types);
            Parameter { low: 0, size: capacity as u64, points: Vec::new(), is_position: true }
        }
        Domain::Range(..) => unreachable!("parameters of actions range over types or bags"),
    }
}

fn capacity_of(bag: &Place, types: &Types) -> usize {
    match &*place_type(bag, types) {
        Type::Bag(_, capacity) => *capacity,
        _ => unreachable!("the program was type-checked: positions are those of a bag"),
    }
}

pub fn place_type(place: &Place, types: &Types) -> Rc<Type> {
    let inner = match place {
        Place::Variable(_, type_) => return type_.clone(),
        Place::Index(inner, _) | Place::Component(inner, _) | Place::Entry(inner, _) => {
            place_type(inner, types)
        }
    };
    match (&*inner, place) {
        (Type::Array(_, element) | Type::Bag(element, _), _) => element.clone(),
        (Type::Record(fields), Place::Component(_, name)) => types.field(fields, name).1.clone(),
        _ => unreachable!("the program was type-checked"),
    }
}
