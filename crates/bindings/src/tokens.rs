//! Tokens under which threads work: what the core does in a thread ends soon after its token was set.

use std::cell::RefCell;
use std::time::Duration;

use burnside_core::canon::{Cancel, Entered};
use pyo3::prelude::*;

thread_local! {
    /// Of a thread of Python, until it ends.
    static ENTERED: RefCell<Option<Entered>> = const { RefCell::new(None) };
}

/// The token of this thread, which after so many seconds is set in any case.
pub fn within(seconds: Option<f64>) -> Cancel {
    let current = Cancel::current();
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds.max(0.0)).ok());
    time.map_or_else(|| current.child(), |time| current.child_for(time))
}

#[pyclass(frozen, module = "burnside._core")]
#[derive(Default)]
pub struct Token {
    cancel: Cancel,
}

#[pymethods]
impl Token {
    #[new]
    fn new() -> Token {
        Token { cancel: Cancel::current().child() }
    }

    /// From now on this thread works under the token.
    fn enter(&self) {
        ENTERED.set(Some(self.cancel.enter()));
    }

    fn cancel(&self) {
        self.cancel.cancel();
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Token>()
}
