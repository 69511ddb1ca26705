//! A reduction method by its name and settings.

use burnside_core::canon::values::Encoding;
use burnside_core::canon::{Guide, MINIMISE_LIMIT, MarkerOptions, Method as CoreMethod, Selector};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

#[pyclass(frozen, module = "burnside._core")]
#[derive(Clone)]
pub struct Method {
    pub method: CoreMethod,
    /// Fire one label of each orbit of a state's stabiliser?
    pub prune: bool,
    /// How nauty sees states of nested values.
    pub encoding: Encoding,
}

#[pymethods]
impl Method {
    #[new]
    #[pyo3(signature = (
        name, guide="partition", selector=None, budget=None, prune=true, *, rounds=1, widened=false, layers=false
    ))]
    #[allow(clippy::too_many_arguments)] // the keywords of one Python call
    fn new(
        name: &str,
        guide: &str,
        selector: Option<&str>,
        budget: Option<u64>,
        prune: bool,
        rounds: u8,
        widened: bool,
        layers: bool,
    ) -> PyResult<Method> {
        let unknown = |what: &str, name: &str| PyValueError::new_err(format!("no such {what}: {name}"));
        let guide = match guide {
            "marking" => Guide::Marking,
            "partition" => Guide::Partition,
            "tree" => Guide::Tree,
            other => return Err(unknown("guide", other)),
        };
        let selector = match (selector, guide) {
            (Some(name), _) => Selector::named(name).ok_or_else(|| unknown("selector", name))?,
            (None, Guide::Marking) => Selector::MaxMinFrequency,
            (None, Guide::Partition | Guide::Tree) => Selector::LeastUnique,
        };
        let options = MarkerOptions { rounds, widened };
        let method = match name {
            "none" => CoreMethod::None,
            "flood" => CoreMethod::Flood,
            "nauty" => CoreMethod::Nauty,
            "search" => CoreMethod::Search { guide, selector },
            "minimise" => CoreMethod::Minimise,
            "compare" => CoreMethod::Compare,
            "representative" => CoreMethod::Representative { guide, selector, budget },
            "marker" => CoreMethod::Marker(options),
            "hybrid" => CoreMethod::Hybrid(options),
            other => return Err(unknown("method", other)),
        };
        let encoding = if layers { Encoding::Layers } else { Encoding::LabelSets };
        Ok(Method { method, prune, encoding })
    }
}

impl Method {
    pub fn none() -> Method {
        Method { method: CoreMethod::None, prune: false, encoding: Encoding::default() }
    }
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("MINIMISE_LIMIT", MINIMISE_LIMIT)?;
    m.add_class::<Method>()
}
