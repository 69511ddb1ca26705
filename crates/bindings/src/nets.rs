//! Nets and expressions from Python's plain data.

use std::sync::Arc;

use burnside_core::kinds::Subject;
use burnside_core::kinds::net::collapse::Collapsed;
use burnside_core::kinds::net::compiled::PropertyKind;
use burnside_core::kinds::net::expression::{Expression, Linear, MAX_COEFFICIENT, MAX_CONSTANT};
use burnside_core::kinds::net::prepared::PreparedNet;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::errors::raised;
use crate::groups::Group;
use crate::method::Method;

type Arcs = Vec<Vec<(u32, u64)>>;

#[pyclass(frozen, module = "burnside._core")]
pub struct Net {
    pub net: Arc<burnside_core::kinds::net::Net>,
    /// As symmetries see it that keep the initial marking.
    collapsed: Arc<Collapsed>,
    /// What is asked of each marking; numbered from 2.
    properties: Vec<PropertyKind>,
}

#[pymethods]
impl Net {
    #[new]
    fn new(py: Python<'_>, initial: Vec<u64>, consumes: Arcs, produces: Arcs) -> PyResult<Net> {
        py.detach(|| {
            let net = burnside_core::kinds::net::Net::new(initial, consumes, produces).ok_or_else(|| {
                PyValueError::new_err("an arc names no place, has weight 0, or stands twice")
            })?;
            let collapsed = Collapsed::of(&net, std::slice::from_ref(&net.initial));
            Ok(Net { net: Arc::new(net), collapsed: Arc::new(collapsed), properties: Vec::new() })
        })
    }

    /// The same net with these properties, numbered from 2: ("safe", None), ("invariant", e), ("goal", e).
    fn with_properties(&self, properties: Vec<(String, Option<Bound<'_, PyTuple>>)>) -> PyResult<Net> {
        let kind = |(name, given): &(String, Option<Bound<'_, PyTuple>>)| {
            let expression = given.as_ref().map(|e| expression(e, self.net.places() as u32)).transpose()?;
            match (name.as_str(), expression) {
                ("safe", None) => Ok(PropertyKind::Safe),
                ("invariant", Some(e)) => Ok(PropertyKind::Invariant(e)),
                ("goal", Some(e)) => Ok(PropertyKind::Goal(e)),
                ("sum", Some(e)) if e.linear().is_some() => Ok(PropertyKind::Sum(e)),
                _ => Err(PyValueError::new_err(format!("no such property: {name}"))),
            }
        };
        let properties = properties.iter().map(kind).collect::<PyResult<Vec<_>>>()?;
        Ok(Net { net: self.net.clone(), collapsed: self.collapsed.clone(), properties })
    }
}

impl Net {
    pub fn prepared(&self, group: &Group, method: &Method, stats: bool) -> PyResult<Box<dyn Subject>> {
        if !Arc::ptr_eq(&self.net, &group.net) {
            return Err(PyValueError::new_err("the group belongs to another net"));
        }
        let (collapsed, symmetries) = (&group.collapsed, &group.group);
        let made = PreparedNet::new(&self.net, collapsed, symmetries, method.method, &self.properties, stats);
        Ok(Box::new(made.map_err(raised)?))
    }

    /// Checks that a marking has one number for each place.
    pub fn marking(&self, marking: Vec<u64>) -> PyResult<Vec<u64>> {
        if marking.len() == self.net.places() {
            Ok(marking)
        } else {
            Err(PyValueError::new_err(format!("a marking of {} places was expected", self.net.places())))
        }
    }

    /// As symmetries see the net that keep these markings.
    pub fn collapsed(&self, kept: &[Vec<u64>]) -> Arc<Collapsed> {
        if kept == [self.net.initial.clone()] {
            self.collapsed.clone()
        } else {
            Arc::new(Collapsed::of(&self.net, kept))
        }
    }

    pub fn expressions(&self, given: &[Bound<'_, PyTuple>]) -> PyResult<Vec<Expression>> {
        given.iter().map(|e| expression(e, self.net.places() as u32)).collect()
    }
}

/// Converts the nested tuples of `_core.pyi`'s `Expression`.
fn expression(given: &Bound<'_, PyTuple>, places: u32) -> PyResult<Expression> {
    let operator: String = given.get_item(0)?.extract()?;
    let parts = || -> PyResult<Vec<Expression>> {
        given.get_item(1)?.try_iter()?.map(|part| expression(part?.cast::<PyTuple>()?, places)).collect()
    };
    Ok(match operator.as_str() {
        "true" => Expression::Constant(true),
        "false" => Expression::Constant(false),
        "not" => expression(given.get_item(1)?.cast::<PyTuple>()?, places)?.negated(),
        "and" => Expression::And(parts()?),
        "or" => Expression::Or(parts()?),
        "<=" => Expression::AtMostZero(linear(given, places)?),
        "=" => Expression::Zero(linear(given, places)?),
        "!=" => Expression::NotZero(linear(given, places)?),
        other => return Err(PyValueError::new_err(format!("no such operator: {other}"))),
    }
    .normalised())
}

fn linear(given: &Bound<'_, PyTuple>, places: u32) -> PyResult<Linear> {
    let terms: Vec<(u32, i128)> = given.get_item(1)?.extract()?;
    let constant: i128 = given.get_item(2)?.extract()?;
    let fits = |&(place, c): &(u32, i128)| place < places && c.abs() <= MAX_COEFFICIENT;
    if terms.iter().all(fits) && constant.abs() <= MAX_CONSTANT {
        Ok(Linear::new(terms, constant))
    } else {
        Err(PyValueError::new_err("a term names no place, or a number is too large"))
    }
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Net>()
}
