//! Groups on the elements of the sorts of programs and machines.

use std::sync::Arc;

use burnside_core::group::Group;
use burnside_core::kinds;
use burnside_core::perm::Perm;
use num_bigint::BigUint;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The generators are certified before the group is made.
#[pyclass(frozen, module = "burnside._core")]
pub struct ElementGroup {
    pub symmetry: kinds::ElementGroup,
}

#[pymethods]
impl ElementGroup {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "as many as the Python class has")]
    #[pyo3(signature = (points, generators, kept=Vec::new(), whole=false, order=None, exchanged=Vec::new(), telling=Vec::new()))]
    fn new(
        py: Python<'_>,
        points: usize,
        generators: Vec<Vec<u32>>,
        kept: Vec<(u32, u32)>,
        whole: bool,
        order: Option<BigUint>,
        exchanged: Vec<u32>,
        telling: Vec<u32>,
    ) -> PyResult<Self> {
        let perms = generators
            .iter()
            .map(|images| Perm::from_images(images).filter(|perm| perm.degree() == points))
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| PyValueError::new_err("a generator is no permutation of the elements"))?;
        let group = py.detach(|| Group::with_telling(points, perms, order.as_ref(), &telling));
        Ok(ElementGroup { symmetry: kinds::ElementGroup { group: Arc::new(group), kept, whole, exchanged } })
    }

    #[getter]
    fn order(&self) -> BigUint {
        self.symmetry.group.order().clone()
    }

    fn base(&self) -> Vec<u32> {
        let chain = self.symmetry.group.chain();
        chain.levels().iter().map(|level| chain.points()[level.point as usize]).collect()
    }

    fn transversal_sizes(&self) -> Vec<usize> {
        self.symmetry.group.chain().levels().iter().map(|level| level.orbit.len()).collect()
    }

    /// Generators of the subgroup that fixes these points, one by one.
    fn stabiliser(&self, py: Python<'_>, points: Vec<u32>) -> PyResult<Vec<Vec<u32>>> {
        let group = &self.symmetry.group;
        if points.iter().any(|&point| point as usize >= group.degree()) {
            return Err(PyValueError::new_err("no such point"));
        }
        let found = py.detach(|| group.stabiliser(&points));
        Ok(found.generators().iter().map(|g| g.images()).collect())
    }

    /// By one member of each transversal.
    fn element(&self, members: Vec<usize>) -> PyResult<Vec<u32>> {
        let found = self.symmetry.group.element(&members);
        Ok(found.ok_or_else(|| PyValueError::new_err("no such element"))?.images())
    }

    fn contains(&self, images: Vec<u32>) -> PyResult<bool> {
        let perm = Perm::from_images(&images).ok_or_else(|| PyValueError::new_err("not a permutation"))?;
        Ok(self.symmetry.group.contains(&perm))
    }
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<ElementGroup>()
}
