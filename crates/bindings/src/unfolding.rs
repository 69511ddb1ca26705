//! Unfolding of high-level nets: plans and tokens in, a place/transition net out.

use std::time::{Duration, Instant};

use burnside_core::unfold::engine::Engine;
use burnside_core::unfold::plan::{Bind, IndexShape, Path, Plan, Step, Transition};
use burnside_core::unfold::sorting::{Order, Unfolded, sorted};
use burnside_core::unfold::terms::{Bag, Term};
use burnside_core::unfold::{Limits, Stop};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

type Binds = Vec<(u64, u64, u32, u64, u64)>;
type RawPlan<'py> = (u32, u32, Vec<(u64, u64, u64)>, Binds, Vec<Bound<'py, PyTuple>>);
type RawTransition<'py> = (
    u32,
    u32,
    u32,
    Vec<RawPlan<'py>>,
    Option<Vec<Bound<'py, PyTuple>>>,
    Vec<(u32, Bound<'py, PyTuple>)>,
    Vec<(u32, Bound<'py, PyTuple>)>,
);
/// By index: its place, and the paths to what it is about.
type RawIndex = (u32, Vec<(u64, u64, u64)>);
type RawTokens = Vec<(u32, u64, u64)>;
/// Starts of places, their codes, starts of transitions, values of their variables, consumed and produced arcs.
type Sorted<'py> = (
    Vec<usize>,
    Bound<'py, PyBytes>,
    Vec<usize>,
    Bound<'py, PyBytes>,
    Bound<'py, PyTuple>,
    Bound<'py, PyTuple>,
);

#[pyclass(module = "burnside._core")]
pub struct Unfolder {
    engine: Engine,
    transitions: usize,
}

#[pymethods]
impl Unfolder {
    #[new]
    fn new(
        places: u32,
        transitions: Vec<Option<RawTransition<'_>>>,
        indices: Vec<RawIndex>,
        limits: (usize, usize, usize, u64),
    ) -> PyResult<Unfolder> {
        let count = transitions.len();
        let read = |raw: Option<RawTransition<'_>>| raw.map(transition).transpose();
        let transitions = transitions.into_iter().map(read).collect::<PyResult<Vec<_>>>()?;
        let shape = |(place, paths): RawIndex| {
            let path = |(weight, divisor, modulus)| (weight, Path { divisor, modulus });
            IndexShape { place, paths: paths.into_iter().map(path).collect() }
        };
        let limits = Limits { transitions: limits.0, places: limits.1, arcs: limits.2, work: limits.3 };
        let engine = Engine::new(places, transitions, indices.into_iter().map(shape).collect(), limits);
        let engine = engine.ok_or_else(|| PyValueError::new_err("a plan is not about this net"))?;
        Ok(Unfolder { engine, transitions: count })
    }

    fn mark(&mut self, place: u32, codes: Vec<u64>) -> PyResult<Option<&'static str>> {
        self.check(place)?;
        Ok(stopped(codes.into_iter().try_for_each(|code| self.engine.mark(place, code))))
    }

    #[pyo3(signature = (seconds=None))]
    fn run(&mut self, py: Python<'_>, seconds: Option<f64>) -> PyResult<Option<&'static str>> {
        let limit = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds.max(0.0)).ok());
        let end = limit.and_then(|limit| Instant::now().checked_add(limit));
        let mut interrupted = Ok(());
        let engine = &mut self.engine;
        let found = py.detach(|| {
            engine.run(&mut || {
                interrupted = Python::attach(|py| py.check_signals());
                interrupted.is_ok() && end.is_none_or(|end| Instant::now() < end)
            })
        });
        interrupted?;
        Ok(stopped(found))
    }

    fn tokens(&self, start: usize) -> Vec<(u32, u64)> {
        self.engine.found().tokens.get(start..).unwrap_or_default().to_vec()
    }

    fn counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.transitions];
        let instances = &self.engine.found().instances.transitions;
        instances.iter().for_each(|&transition| counts[transition as usize] += 1);
        counts
    }

    fn known(&self, place: u32, code: u64) -> PyResult<bool> {
        self.check(place)?;
        Ok(self.engine.found().known(place, code).is_some())
    }

    fn add(
        &mut self,
        transition: u32,
        values: Vec<u64>,
        consumed: RawTokens,
        produced: RawTokens,
    ) -> PyResult<Option<&'static str>> {
        for (place, _, _) in consumed.iter().chain(&produced) {
            self.check(*place)?;
        }
        if transition as usize >= self.transitions {
            return Err(PyValueError::new_err("no such transition"));
        }
        Ok(stopped(self.engine.add(transition, &values, &consumed, &produced)))
    }

    fn sorted<'py>(
        &self,
        py: Python<'py>,
        tables: Vec<Vec<u32>>,
        places: Vec<Option<usize>>,
        variables: Vec<Vec<Option<usize>>>,
    ) -> PyResult<Sorted<'py>> {
        let order = Order { tables, places, variables };
        if order
            .places
            .iter()
            .chain(order.variables.iter().flatten())
            .flatten()
            .any(|&t| t >= order.tables.len())
        {
            return Err(PyValueError::new_err("no such table"));
        }
        let found = py.detach(|| sorted(self.engine.found(), &order, self.transitions));
        let bytes = |codes: &[u64]| {
            let mut bytes = Vec::with_capacity(codes.len() * 8);
            codes.iter().for_each(|code| bytes.extend_from_slice(&code.to_ne_bytes()));
            PyBytes::new(py, &bytes)
        };
        let mut arcs = Arcs::new(py, &found);
        Ok((
            found.place_starts.clone(),
            bytes(&found.codes),
            found.transition_starts.clone(),
            bytes(&found.values),
            arcs.tuple(|transition| found.consumes(transition))?,
            arcs.tuple(|transition| found.produces(transition))?,
        ))
    }
}

impl Unfolder {
    fn check(&self, place: u32) -> PyResult<()> {
        if (place as usize) < self.engine.found().places() {
            Ok(())
        } else {
            Err(PyValueError::new_err("no such place"))
        }
    }
}

/// (place, weight) pairs as Python objects, each made once: most arcs share theirs with others.
struct Arcs<'py> {
    py: Python<'py>,
    transitions: usize,
    /// By place: the weights of its arcs. There are few.
    pairs: Vec<Vec<(u64, Bound<'py, PyTuple>)>>,
}

impl<'py> Arcs<'py> {
    fn new(py: Python<'py>, found: &Unfolded) -> Arcs<'py> {
        Arcs { py, transitions: found.transitions(), pairs: vec![Vec::new(); found.codes.len()] }
    }

    fn pair(&mut self, (place, weight): (u32, u64)) -> PyResult<Bound<'py, PyTuple>> {
        let known = &mut self.pairs[place as usize];
        if let Some((_, pair)) = known.iter().find(|each| each.0 == weight) {
            return Ok(pair.clone());
        }
        let pair = (place, weight).into_pyobject(self.py)?;
        known.push((weight, pair.clone()));
        Ok(pair)
    }

    fn tuple<'a>(&mut self, arcs: impl Fn(usize) -> &'a [(u32, u64)]) -> PyResult<Bound<'py, PyTuple>> {
        let mut all = Vec::with_capacity(self.transitions);
        let mut pairs = Vec::new();
        for transition in 0..self.transitions {
            pairs.clear();
            for &arc in arcs(transition) {
                pairs.push(self.pair(arc)?);
            }
            all.push(PyTuple::new(self.py, &pairs)?);
        }
        PyTuple::new(self.py, all)
    }
}

fn stopped(found: Result<(), Stop>) -> Option<&'static str> {
    found.err().map(|stop| match stop {
        Stop::Interrupted => "seconds",
        Stop::Transitions => "transitions",
        Stop::Places => "places",
        Stop::Arcs => "arcs",
        Stop::Work => "work",
        Stop::Weight => "weight",
    })
}

fn transition(raw: RawTransition<'_>) -> PyResult<Transition> {
    let (variables, bound, atoms, plans, start, consumes, produces) = raw;
    let flow = |arcs: Vec<(u32, Bound<'_, PyTuple>)>| {
        arcs.into_iter().map(|(place, given)| Ok((place, bag(&given)?))).collect::<PyResult<Vec<_>>>()
    };
    Ok(Transition {
        variables,
        bound,
        atoms,
        plans: plans.into_iter().map(plan).collect::<PyResult<_>>()?,
        start: start.map(steps).transpose()?,
        consumes: flow(consumes)?,
        produces: flow(produces)?,
    })
}

fn plan((atom, place, constants, given, listed): RawPlan<'_>) -> PyResult<Plan> {
    let constants =
        constants.into_iter().map(|(divisor, modulus, code)| (Path { divisor, modulus }, code)).collect();
    Ok(Plan { atom, place, constants, binds: binds(given), steps: steps(listed)? })
}

fn binds(given: Binds) -> Vec<Bind> {
    let bind = |(divisor, modulus, variable, shift, size)| Bind {
        path: Path { divisor, modulus },
        variable,
        shift,
        size,
    };
    given.into_iter().map(bind).collect()
}

fn steps(given: Vec<Bound<'_, PyTuple>>) -> PyResult<Vec<Step>> {
    given.iter().map(step).collect()
}

fn step(given: &Bound<'_, PyTuple>) -> PyResult<Step> {
    let kind: String = given.get_item(0)?.extract()?;
    let number = |at: usize| given.get_item(at)?.extract::<u32>();
    Ok(match kind.as_str() {
        "match" => Step::Match {
            atom: number(1)?,
            index: number(2)?,
            key: weighted(&given.get_item(3)?)?,
            binds: binds(given.get_item(4)?.extract()?),
            older: given.get_item(5)?.extract()?,
        },
        "find" => Step::Find {
            atom: number(1)?,
            place: number(2)?,
            token: child(given, 3)?,
            older: given.get_item(4)?.extract()?,
        },
        "let" => Step::Let { variable: number(1)?, value: child(given, 2)? },
        "range" => Step::Range { variable: number(1)?, size: given.get_item(2)?.extract()? },
        "check" => Step::Check(child(given, 1)?),
        "verify" => Step::Verify { atom: number(1)?, token: child(given, 2)? },
        other => return Err(PyValueError::new_err(format!("no such step: {other}"))),
    })
}

fn child(given: &Bound<'_, PyTuple>, at: usize) -> PyResult<Term> {
    term(given.get_item(at)?.cast::<PyTuple>()?)
}

fn boxed(given: &Bound<'_, PyTuple>, at: usize) -> PyResult<Box<Term>> {
    child(given, at).map(Box::new)
}

fn weighted(given: &Bound<'_, PyAny>) -> PyResult<Vec<(u64, Term)>> {
    let pair = |each: PyResult<Bound<'_, PyAny>>| {
        let (weight, part): (u64, Bound<'_, PyTuple>) = each?.extract()?;
        Ok((weight, term(&part)?))
    };
    given.try_iter()?.map(pair).collect()
}

fn term(given: &Bound<'_, PyTuple>) -> PyResult<Term> {
    let kind: String = given.get_item(0)?.extract()?;
    let number = |at: usize| given.get_item(at)?.extract::<u64>();
    let parts = || -> PyResult<Vec<Term>> {
        given.get_item(1)?.try_iter()?.map(|part| term(part?.cast::<PyTuple>()?)).collect()
    };
    Ok(match kind.as_str() {
        "constant" => Term::Constant(number(1)?),
        "variable" => Term::Variable(given.get_item(1)?.extract()?),
        "struct" => Term::Struct(weighted(&given.get_item(1)?)?),
        "part" => Term::Part { of: boxed(given, 1)?, divisor: number(2)?, modulus: number(3)? },
        "shift" => Term::Shift { of: boxed(given, 1)?, by: number(2)?, size: number(3)? },
        "distance" => Term::Distance { from: boxed(given, 1)?, to: boxed(given, 2)?, size: number(3)? },
        "lookup" => Term::Lookup(given.get_item(1)?.extract()?, boxed(given, 2)?),
        "within" => Term::Within { of: boxed(given, 1)?, low: number(2)?, high: number(3)? },
        "equal" => Term::Equal(boxed(given, 1)?, boxed(given, 2)?),
        "less" => Term::Less(boxed(given, 1)?, boxed(given, 2)?),
        "not" => Term::Not(boxed(given, 1)?),
        "and" => Term::And(parts()?),
        "or" => Term::Or(parts()?),
        "if" => Term::If(boxed(given, 1)?, boxed(given, 2)?, boxed(given, 3)?),
        other => return Err(PyValueError::new_err(format!("no such term: {other}"))),
    })
}

fn bag(given: &Bound<'_, PyTuple>) -> PyResult<Bag> {
    let kind: String = given.get_item(0)?.extract()?;
    let number = |at: usize| given.get_item(at)?.extract::<u64>();
    let inner = |at: usize| bag(given.get_item(at)?.cast::<PyTuple>()?).map(Box::new);
    Ok(match kind.as_str() {
        "tokens" => Bag::Tokens(number(1)?, child(given, 2)?),
        "sum" => {
            let parts = given.get_item(1)?;
            Bag::Sum(
                parts.try_iter()?.map(|part| bag(part?.cast::<PyTuple>()?)).collect::<PyResult<Vec<_>>>()?,
            )
        }
        "scaled" => Bag::Scaled(number(1)?, inner(2)?),
        "difference" => Bag::Difference(inner(1)?, inner(2)?),
        "all" => Bag::All(number(1)?),
        "if" => Bag::If(child(given, 1)?, inner(2)?, inner(3)?),
        "each" => Bag::Each { variable: given.get_item(1)?.extract()?, size: number(2)?, body: inner(3)? },
        other => return Err(PyValueError::new_err(format!("no such multiset: {other}"))),
    })
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Unfolder>()
}
