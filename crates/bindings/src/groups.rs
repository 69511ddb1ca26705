//! Groups of net automorphisms.

use std::sync::Arc;

use burnside_core::kinds::net::symmetry::{self, Keep, NetGroup, PlacePermutation, Refusal, Source};
use burnside_core::perm::orbit_minima;
use burnside_core::random::Random;
use num_bigint::BigUint;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::nets::Net;
use crate::tokens::within;

#[pyclass(frozen, module = "burnside._core")]
pub struct Group {
    pub group: Arc<NetGroup>,
    pub net: Arc<burnside_core::kinds::net::Net>,
    pub collapsed: Arc<burnside_core::kinds::net::collapse::Collapsed>,
}

#[pymethods]
impl Group {
    #[getter]
    fn order(&self) -> BigUint {
        self.group.order().clone()
    }

    #[getter]
    fn acting_order(&self) -> BigUint {
        self.group.acting().order().clone()
    }

    #[getter]
    fn complete(&self) -> bool {
        self.group.is_complete()
    }

    /// How many generators there are.
    #[getter]
    fn generator_count(&self) -> usize {
        self.group.generators().len()
    }

    fn generators(&self) -> Vec<(Vec<u32>, Vec<u32>, &str)> {
        let generators = self.group.generators().iter();
        generators
            .map(|(g, source)| (g.places().images(), g.transitions().images(), source_name(source)))
            .collect()
    }

    pub fn place_orbits(&self) -> Vec<Vec<u32>> {
        orbits(&orbit_minima(self.net.places(), self.group.generators().iter().map(|(g, _)| g.places())))
    }

    pub fn transition_orbits(&self) -> Vec<Vec<u32>> {
        let transitions = self.group.generators().iter().map(|(g, _)| g.transitions());
        orbits(&orbit_minima(self.net.transitions(), transitions))
    }

    fn base(&self) -> Vec<u32> {
        let chain = self.group.acting().chain();
        let place = |point: u32| self.collapsed.place_classes[chain.points()[point as usize] as usize][0];
        chain.levels().iter().map(|level| place(level.point)).collect()
    }

    fn transversal_sizes(&self) -> Vec<usize> {
        self.group.acting().chain().levels().iter().map(|level| level.orbit.len()).collect()
    }

    fn contains(&self, images: Vec<u32>) -> PyResult<bool> {
        let perm = burnside_core::perm::Perm::from_images(&images)
            .ok_or_else(|| PyValueError::new_err("not a permutation"))?;
        Ok(self.group.contains_on_places(&self.collapsed, &perm))
    }

    fn random_element(&self, seed: u64) -> Vec<u32> {
        self.group.random_places(&self.collapsed, &mut Random::new(seed))
    }

    fn fixes(&self, marking: Vec<u64>) -> PyResult<bool> {
        if marking.len() != self.net.places() {
            return Err(PyValueError::new_err("one number for each place was expected"));
        }
        Ok(self.group.fixes(&marking))
    }
}

fn source_name(source: &Source) -> &str {
    match source {
        Source::NetAutomorphism => "net automorphism",
        Source::IdenticalPlaces => "identical places",
        Source::IdenticalTransitions => "identical transitions",
        Source::Given => "given",
        Source::Named(name) => name,
    }
}

fn orbits(minima: &[u32]) -> Vec<Vec<u32>> {
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); minima.len()];
    for (x, &minimum) in minima.iter().enumerate() {
        members[minimum as usize].push(x as u32);
    }
    members.retain(|orbit| !orbit.is_empty());
    members
}

/// `seconds`: then it is the part of the group that was found, or none of it.
#[pyfunction]
#[pyo3(signature = (net, fixing, keeping, seconds=None))]
fn automorphisms(
    py: Python<'_>,
    net: &Net,
    fixing: Vec<Vec<u64>>,
    keeping: Vec<Bound<'_, PyTuple>>,
    seconds: Option<f64>,
) -> PyResult<Group> {
    let fixing = fixing.into_iter().map(|marking| net.marking(marking)).collect::<PyResult<Vec<_>>>()?;
    let collapsed = net.collapsed(&fixing);
    let keep = Keep::new(&collapsed, fixing, net.expressions(&keeping)?);
    let raw = &net.net;
    let found = py.detach(|| {
        let _entered = within(seconds).enter();
        NetGroup::automorphisms(raw, &collapsed, &keep)
    });
    let group = found.map_err(|refusal| PyValueError::new_err(reason(&refusal)))?;
    Ok(Group { group: Arc::new(group), net: raw.clone(), collapsed })
}

#[pyfunction]
fn trivial_group(net: &Net) -> Group {
    let collapsed = net.collapsed(std::slice::from_ref(&net.net.initial));
    let group = NetGroup::trivial(&collapsed);
    Group { group: Arc::new(group), net: net.net.clone(), collapsed }
}

#[pyfunction]
fn certify(net: &Net, places: Vec<u32>, transitions: Vec<u32>) -> Option<String> {
    symmetry::certify(&net.net, &Keep::default(), &places, &transitions).err().map(|refusal| reason(&refusal))
}

#[pyfunction]
fn certified_group(py: Python<'_>, net: &Net, generators: Vec<(Vec<u32>, Vec<u32>)>) -> PyResult<Group> {
    // Given generators need not keep the initial marking.
    let collapsed = net.collapsed(&[]);
    let made = py.detach(|| NetGroup::generated(&net.net, &collapsed, &generators));
    let refused = |(number, refusal): (usize, Refusal)| {
        PyValueError::new_err(format!("generator {number}: {}", reason(&refusal)))
    };
    let group = made.map_err(refused)?;
    Ok(Group { group: Arc::new(group), net: net.net.clone(), collapsed })
}

/// Numbers of permutations, with the reasons why they are not in the group.
type Refused = Vec<(usize, String)>;

#[pyfunction]
#[pyo3(signature = (net, fixing, keeping, given, automorphisms, seconds=None))]
fn group_of_given(
    py: Python<'_>,
    net: &Net,
    fixing: Vec<Vec<u64>>,
    keeping: Vec<Bound<'_, PyTuple>>,
    given: Vec<(Vec<u32>, String)>,
    automorphisms: bool,
    seconds: Option<f64>,
) -> PyResult<(Group, Refused)> {
    let fixing = fixing.into_iter().map(|marking| net.marking(marking)).collect::<PyResult<Vec<_>>>()?;
    let collapsed = net.collapsed(&fixing);
    let keep = Keep::new(&collapsed, fixing, net.expressions(&keeping)?);
    let raw = &net.net;
    let permutation =
        |(images, source): (Vec<u32>, String)| PlacePermutation { images, source: source.into() };
    let given = given.into_iter().map(permutation).collect();
    let found = py.detach(|| {
        let search = within(seconds);
        NetGroup::admitting(raw, &collapsed, &keep, given, automorphisms.then_some(&search))
    });
    let found = found.map_err(|refusal| PyValueError::new_err(reason(&refusal)))?;
    let refused = found.refused.iter().map(|(number, refusal)| (*number, reason(refusal))).collect();
    Ok((Group { group: Arc::new(found.group), net: raw.clone(), collapsed }, refused))
}

fn reason(refusal: &Refusal) -> String {
    match refusal {
        Refusal::NotAPermutation => "it is no permutation of the places and transitions".into(),
        Refusal::Arcs { transition, image } => {
            format!("the arcs of transition {transition} do not become those of transition {image}")
        }
        Refusal::Marking { marking, place, image } => {
            format!("marking {marking} has different numbers in place {place} and its image {image}")
        }
        Refusal::Expression { expression } => format!("it changes expression {expression}"),
    }
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Group>()?;
    m.add_function(wrap_pyfunction!(automorphisms, m)?)?;
    m.add_function(wrap_pyfunction!(trivial_group, m)?)?;
    m.add_function(wrap_pyfunction!(certify, m)?)?;
    m.add_function(wrap_pyfunction!(certified_group, m)?)?;
    m.add_function(wrap_pyfunction!(group_of_given, m)?)
}
