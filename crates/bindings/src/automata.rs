//! Automata of temporal formulas.

use std::sync::Arc;

use burnside_core::automata::{self, ComponentKind, Cube, End, Given, Limits, MAX_ATOMS, Operator};
use burnside_core::kinds::on_deep_stack;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::raised;

#[pyclass(frozen, module = "burnside._core")]
pub struct Automaton {
    pub automaton: Arc<automata::Automaton>,
}

/// (source, atoms that must be true, atoms that must be false, marks, target), sets as bits.
type Edge = (u32, u128, u128, u64, u32);

#[pymethods]
impl Automaton {
    #[getter]
    fn states(&self) -> usize {
        self.automaton.state_count()
    }

    #[getter]
    fn marks(&self) -> u32 {
        self.automaton.mark_count()
    }

    #[getter]
    fn edges(&self) -> Vec<Edge> {
        let of = |source: u32| {
            self.automaton
                .edges(source)
                .iter()
                .map(move |edge| (source, edge.label.positive, edge.label.negative, edge.marks, edge.target))
        };
        (0..self.states() as u32).flat_map(of).collect()
    }

    #[getter]
    fn kinds(&self) -> Vec<&'static str> {
        (0..self.states() as u32).map(|state| kind_name(self.automaton.kind(state))).collect()
    }

    #[getter]
    fn components(&self) -> Vec<u32> {
        (0..self.states() as u32).map(|state| self.automaton.component(state)).collect()
    }

    #[getter]
    fn is_weak(&self) -> bool {
        self.automaton.is_weak()
    }

    #[getter]
    fn is_safety(&self) -> bool {
        self.automaton.is_safety()
    }

    #[getter]
    fn is_terminal(&self) -> bool {
        self.automaton.is_terminal()
    }

    #[getter]
    fn is_deterministic(&self) -> bool {
        self.automaton.is_deterministic()
    }

    #[getter]
    fn is_complete(&self) -> bool {
        self.automaton.is_complete()
    }

    /// The automaton as text; `atoms` has a name for each atom of its labels.
    fn hoa(&self, name: &str, atoms: Vec<String>) -> PyResult<String> {
        if self.automaton.atom_count() > atoms.len() {
            return Err(PyValueError::new_err("an atom has no name"));
        }
        let atoms: Vec<&str> = atoms.iter().map(String::as_str).collect();
        Ok(automata::hoa(&self.automaton, name, &atoms))
    }
}

fn kind_name(kind: ComponentKind) -> &'static str {
    match kind {
        ComponentKind::Transient => "transient",
        ComponentKind::Rejecting => "rejecting",
        ComponentKind::Mixed => "mixed",
        ComponentKind::Accepting => "accepting",
        ComponentKind::Terminal => "terminal",
    }
}

/// The automaton of the last row's formula. `ended`: the atom that is true where a finite run has ended, for strong next;
/// without it, finite runs stutter.
#[pyfunction]
#[pyo3(signature = (rows, ended=None))]
fn automaton(py: Python<'_>, rows: Vec<(String, Vec<u32>)>, ended: Option<u32>) -> PyResult<Automaton> {
    let table: PyResult<Vec<Operator>> =
        rows.iter().map(|(name, operands)| operator(name, operands)).collect();
    let table = table?;
    let end = ended.map_or(End::Stutter, |ended| End::StrongNext { ended });
    let translated = py.detach(|| on_deep_stack(|| automata::translate(&table, end, Limits::default())));
    let automaton = translated.map_err(raised)?.map_err(|error| raised(error.into()))?;
    Ok(Automaton { automaton: Arc::new(automaton) })
}

/// An automaton with these edges. Made smaller, as that of a formula.
#[pyfunction]
fn given_automaton(py: Python<'_>, states: usize, marks: u32, edges: Vec<Edge>) -> PyResult<Automaton> {
    let edge = |(source, positive, negative, marks, target)| {
        (source, automata::Edge { target, marks, label: Cube { positive, negative } })
    };
    let given = Given { states, marks, edges: edges.into_iter().map(edge).collect() };
    let made = py.detach(|| given.automaton(Limits::default()));
    let automaton = made.map_err(|error| raised(error.into()))?;
    Ok(Automaton { automaton: Arc::new(automaton) })
}

pub fn operator(name: &str, operands: &[u32]) -> PyResult<Operator> {
    let row = |number: u32| number as usize;
    let all = || operands.iter().copied().map(row).collect();
    Ok(match (name, operands) {
        ("true", []) => Operator::True,
        ("false", []) => Operator::False,
        ("atom", &[atom]) => Operator::Atom(atom),
        ("not", &[a]) => Operator::Not(row(a)),
        ("and", _) => Operator::And(all()),
        ("or", _) => Operator::Or(all()),
        ("next", &[a]) => Operator::Next(row(a)),
        ("until", &[a, b]) => Operator::Until(row(a), row(b)),
        ("release", &[a, b]) => Operator::Release(row(a), row(b)),
        ("yesterday", &[a]) => Operator::Yesterday(row(a)),
        ("since", &[a, b]) => Operator::Since(row(a), row(b)),
        ("trigger", &[a, b]) => Operator::Trigger(row(a), row(b)),
        ("exists" | "forall", _) => {
            return Err(PyValueError::new_err("a formula with path quantifiers has no automaton"));
        }
        _ => return Err(PyValueError::new_err(format!("no operator {name} of {} operands", operands.len()))),
    })
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("MAX_ATOMS", MAX_ATOMS)?;
    m.add_class::<Automaton>()?;
    m.add_function(wrap_pyfunction!(automaton, m)?)?;
    m.add_function(wrap_pyfunction!(given_automaton, m)?)
}
