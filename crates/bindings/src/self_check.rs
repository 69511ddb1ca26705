//! The self-check for Python: its modes, and the contradiction that it raises.

use burnside_core::model::Step;
use burnside_core::search::{self as core, Difference, Effect};
use pyo3::exceptions::PyException;
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

/// The exception for a contradiction; the generator by its images of the user's points.
pub fn error(py: Python<'_>, found: &core::Contradiction, generator: Vec<u32>) -> PyErr {
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
        generator,
        state: found.state.clone(),
        image: found.image.clone(),
        enabled: found.enabled,
        what,
        labels,
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
