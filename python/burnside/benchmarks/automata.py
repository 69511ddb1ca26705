"""Automata of the 94 formulas on which translators of LTL are compared, and of their negations.

In: `ltl_formulas`. Out: one table: states, edges, acceptance sets and seconds of each, and the sums. Sizes do not depend
on the machine; a formula of which an automaton has more than 100 states is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from burnside import _core
from burnside.benchmarks.ltl_formulas import FORMULAS
from burnside.benchmarks.measuring import median_seconds
from burnside.benchmarks.tables import Cell, Row, Table, TableSpec, named
from burnside.records import record
from burnside.temporal import formulas as f
from burnside.temporal.automata import automaton_of
from burnside.temporal.syntax import OpaqueAtoms, parse_formula

MAX_STATES = 100
MAX_SECONDS = 0.1

AUTOMATA = TableSpec(
    "automata",
    "Automata of the formulas of the literature",
    named(
        "name | formula | states | edges | acceptance sets | deterministic | seconds | negated: states | negated: edges "
        "| negated: acceptance sets | negated: deterministic | negated: seconds | verdict"
    ),
    "Transition-based generalised Büchi automata of 94 formulas and of their negations: `dac`, patterns of Dwyer, Avrunin "
    "and Corbett 1998; `eh`, Etessami and Holzmann 2000; `sb`, Somenzi and Bloem 2000. The label of an edge is a "
    "conjunction of literals. Seconds are from the formula as data to the reduced automaton, medians of three. `met`: at "
    f"most {MAX_STATES} states and {MAX_SECONDS} seconds for each of the two.",
)


@record
class Measured:
    automaton: _core.Automaton
    seconds: float

    @property
    def cells(self) -> tuple[Cell, ...]:
        is_deterministic = "yes" if self.automaton.is_deterministic else "no"
        found = self.automaton
        return found.states, len(found.edges), found.marks, is_deterministic, self.seconds


def tables() -> Iterator[Table]:
    yield Table(AUTOMATA, rows(FORMULAS))


def rows(texts: Mapping[str, str]) -> Iterator[Row]:
    positive: list[Measured] = []
    negative: list[Measured] = []
    for name, text in texts.items():
        formula = parse_formula(text, OpaqueAtoms(), source=name, dialect="standard")
        positive.append(measured(formula))
        negative.append(measured(f.Not(formula)))
        both = (positive[-1], negative[-1])
        is_small = all(each.automaton.states <= MAX_STATES for each in both)
        is_fast = all(each.seconds <= MAX_SECONDS for each in both)
        verdict = "met" if is_small and is_fast else "missed" if is_small else "WRONG: too many states"
        yield Row((name, text, *both[0].cells, *both[1].cells, verdict), wrong=not is_small)
    yield Row(("all", "", *_sums(positive), *_sums(negative), f"{len(positive)} formulas"))


def measured(formula: f.Formula) -> Measured:
    return Measured(automaton_of(formula), median_seconds(lambda: automaton_of(formula)))


def _sums(each: list[Measured]) -> tuple[Cell, ...]:
    return (
        sum(one.automaton.states for one in each),
        sum(len(one.automaton.edges) for one in each),
        sum(one.automaton.marks for one in each),
        sum(one.automaton.is_deterministic for one in each),
        sum(one.seconds for one in each),
    )
