//! The self-check for Python: how it is asked for, and what a contradiction looks like.

use burnside_core::model::Step;
use burnside_core::search::{self as core, Difference, Effect, SelfCheck};
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(
    _core,
    SelfCheckError,
    PyException,
    "The law of symmetries does not hold; its argument is a Contradiction."
);

/// A generator that is no symmetry, with a state that shows it. Points are places of nets, or elements of sorts.
#[pyclass(frozen, get_all, module = "burnside._core")]
pub struct Contradiction {
    generator: Vec<u32>,
    state: Vec<u64>,
    image: Vec<u64>,
    /// How many actions are enabled in the state, and in its image.
    enabled: (usize, usize),
    /// steps, labels, verdict or cover.
    what: &'static str,
    /// The action, where the difference is in steps; with `labels`, the two that are taken for images of each other.
    labels: Vec<u32>,
    /// Of the action: taken, discarded, impossible, failed or guard-failed.
    effect: Option<&'static str>,
    /// The property that is violated, or covered.
    property: Option<usize>,
    /// Does it happen in the state and not in the image? Otherwise it is the other way round.
    in_state: bool,
}

pub fn mode(name: &str) -> PyResult<SelfCheck> {
    match name {
        "off" => Ok(SelfCheck::Off),
        "sample" => Ok(SelfCheck::Sample),
        "full" => Ok(SelfCheck::Full),
        other => Err(PyValueError::new_err(format!("no such self-check: {other}"))),
    }
}

/// How numbers of the core become those that Python knows.
pub struct Translation<'a> {
    pub generator: &'a dyn Fn(usize) -> Vec<u32>,
    pub state: &'a dyn Fn(&[u64]) -> Vec<u64>,
    pub label: &'a dyn Fn(u32) -> u32,
}

/// The exception for a contradiction.
pub fn error(py: Python<'_>, found: &core::Contradiction, translation: &Translation<'_>) -> PyErr {
    let (what, labels, effect, property, in_state) = match found.difference {
        Difference::OnlyInState(label, effect) => ("steps", vec![label], Some(effect), None, true),
        Difference::OnlyInImage(label, effect) => ("steps", vec![label], Some(effect), None, false),
        Difference::Labels(label, other) => ("labels", vec![label, other], None, None, true),
        Difference::Verdict { property, in_state } => ("verdict", vec![], None, Some(property), in_state),
        Difference::Cover { property, in_state } => ("cover", vec![], None, Some(property), in_state),
    };
    let (effect, violated) = effect.map_or((None, None), |effect| {
        let (name, property) = named(effect);
        (Some(name), property)
    });
    let contradiction = Contradiction {
        generator: (translation.generator)(found.generator),
        state: (translation.state)(&found.state),
        image: (translation.state)(&found.image),
        enabled: found.enabled,
        what,
        labels: labels.into_iter().map(translation.label).collect(),
        effect,
        property: property.or(violated),
        in_state,
    };
    match Py::new(py, contradiction) {
        Ok(contradiction) => SelfCheckError::new_err((contradiction,)),
        Err(error) => error,
    }
}

fn named(effect: Effect) -> (&'static str, Option<usize>) {
    match effect {
        Effect::Fired(Step::Taken) => ("taken", None),
        Effect::Fired(Step::Discarded) => ("discarded", None),
        Effect::Fired(Step::Impossible) => ("impossible", None),
        Effect::Fired(Step::Failed(property)) => ("failed", Some(property)),
        Effect::FailsInGuard(property) => ("guard-failed", Some(property)),
    }
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("MAX_SAMPLED_GENERATORS", core::MAX_SAMPLED_GENERATORS)?;
    m.add("SelfCheckError", m.py().get_type::<SelfCheckError>())?;
    m.add_class::<Contradiction>()
}
