//! Settings of a run, and reports of its progress.

use burnside_core::search::{self as core, Order, PriceRule, SelfCheck};
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;

#[pyclass(frozen, module = "burnside._core")]
#[derive(Clone)]
pub struct Settings {
    order: Order,
    threads: usize,
    deadlock: bool,
    keep_going: bool,
    fatal: Option<usize>,
    max_states: Option<u64>,
    max_seconds: Option<f64>,
    max_memory: Option<u64>,
    price: PriceRule,
    self_check: SelfCheck,
    /// Classify every state by how hard it is to canonicalise?
    pub stats: bool,
}

#[pymethods]
impl Settings {
    #[new]
    #[pyo3(signature = (
        *, order="bfs", alpha=0.5, seed=0, threads=1, deadlock=false, keep_going=false, fatal=None, max_states=None,
        max_seconds=None, max_memory=None, stats=false, self_check="off", gives_up=false, gives_up_after=None
    ))]
    #[allow(clippy::too_many_arguments)] // the keywords of one Python call
    fn new(
        order: &str,
        alpha: f64,
        seed: u64,
        threads: usize,
        deadlock: bool,
        keep_going: bool,
        fatal: Option<usize>,
        max_states: Option<u64>,
        max_seconds: Option<f64>,
        max_memory: Option<u64>,
        stats: bool,
        self_check: &str,
        gives_up: bool,
        gives_up_after: Option<(u64, bool)>,
    ) -> PyResult<Settings> {
        let unknown = |what: &str, name: &str| PyValueError::new_err(format!("no such {what}: {name}"));
        let order = match order {
            "bfs" => Order::Breadth,
            "dfs" => Order::Depth,
            "mixed" => Order::Mixed { alpha, seed },
            "random" => Order::Random { seed },
            other => return Err(unknown("order", other)),
        };
        let self_check = match self_check {
            "off" => SelfCheck::Off,
            "sample" => SelfCheck::Sample,
            "full" => SelfCheck::Full,
            other => return Err(unknown("self-check", other)),
        };
        let price = match (gives_up_after, gives_up) {
            (Some((states, restarts)), _) => PriceRule::After { states, restarts },
            (None, true) => PriceRule::Measured,
            (None, false) => PriceRule::Off,
        };
        Ok(Settings {
            order,
            threads,
            deadlock,
            keep_going,
            fatal,
            max_states,
            max_seconds,
            max_memory,
            price,
            self_check,
            stats,
        })
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            order: Order::Breadth,
            threads: 1,
            deadlock: false,
            keep_going: false,
            fatal: None,
            max_states: None,
            max_seconds: None,
            max_memory: None,
            price: PriceRule::Off,
            self_check: SelfCheck::Off,
            stats: false,
        }
    }
}

impl Settings {
    pub fn core(&self, properties: usize, prune: bool) -> core::Settings {
        core::Settings {
            order: self.order,
            threads: self.threads,
            keep_going: self.keep_going,
            fatal: self.fatal,
            deadlock: self.deadlock.then_some(0),
            prune,
            price: self.price.clone(),
            self_check: self.self_check,
            properties,
            max_states: self.max_states,
            max_seconds: self.max_seconds,
            max_memory: self.max_memory,
        }
    }
}

#[pyclass(frozen, get_all, module = "burnside._core")]
pub struct Progress {
    states: u64,
    transitions: u64,
    frontier: u64,
    depth: u32,
    seconds: f64,
    memory_bytes: u64,
}

impl From<core::Progress> for Progress {
    fn from(p: core::Progress) -> Self {
        Progress {
            states: p.states,
            transitions: p.transitions,
            frontier: p.frontier,
            depth: p.depth,
            seconds: p.seconds,
            memory_bytes: p.memory_bytes,
        }
    }
}

/// Checks for Ctrl-C and calls Python's progress function; false to stop. An error of that function is kept for the caller.
pub fn report(now: &core::Progress, progress: Option<&Py<PyAny>>, failure: &mut Option<PyErr>) -> bool {
    Python::attach(|py| {
        if py.check_signals().is_err() {
            return false;
        }
        let Some(progress) = progress else { return true };
        match progress.call1(py, (Progress::from(*now),)) {
            Ok(_) => true,
            Err(error) if error.is_instance_of::<PyKeyboardInterrupt>(py) => false,
            Err(error) => {
                *failure = Some(error);
                false
            }
        }
    })
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Settings>()?;
    m.add_class::<Progress>()
}
