"""Temporal formulas over models that people wrote, each with many symmetries: every method against the definitions."""

from __future__ import annotations

import pytest
from burnside.diagnostics import Source
from burnside.families import build
from burnside.ir.program import Program
from burnside.languages import b, murphi
from burnside.model import Model
from burnside.net import Net
from burnside.temporal.reading import TemporalProperty
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.laws.methods import conditions as net_conditions
from tests.laws.test_temporal_nets import Record, condition, transitions
from tests.temporal import machine_atoms, program_atoms
from tests.temporal.facts import T2, T5, T6
from tests.temporal.laws import APPROXIMATE, METHODS, Tally, check_law
from tests.temporal.models import (
    DEFERRED,
    ENUMERATED,
    EXAMPLES,
    WITH_CONSTANT,
    b_model,
    murphi_model,
    net_model,
    sem,
)
from tests.temporal.mutual_exclusion import RING, SEM
from tests.temporal.properties import random_properties

pytestmark = pytest.mark.slow
"""A minute each: every method, end of runs and kind of fairness against the definitions."""

NETS = ("ph 3", "db 3", "mutex 3", "railroad 6 2", "grid 2 2", "graphs 3")
PROGRAMS = {"peterson.m": {"N": 2}, "digraphs.m": {"N": 2}, "graphs.m": {"N": 3}}
MACHINES: dict[str, dict[str, int]] = {
    "Club.mch": {},
    "LoginVerySimple.mch": {},
    "Personnel.mch": {},
    "ServerFarm.mch": {},
    "USB.mch": {},
    "Scheduler0.mch": {"PROC": 3},
    "Scheduler1.ref": {"PROC": 3},
}
NUMBERED = {
    "sem of numbers": SEM.replace("scalarset(3)", "4 .. 6").replace("MORE", ""),
    "ring of numbers": RING.replace("0 .. N - 1", "1 .. N")
    .replace("(p + 1) % N", "p % N + 1")
    .replace("MORE", ""),
}
"""Ranges that turn out to be names."""
TEXTS = {
    "deferred": DEFERRED,
    "constant": WITH_CONSTANT,
    "enumerated": ENUMERATED,
    "T2": T2,
    "T5": T5,
    "T6": T6,
}


def load(name: str) -> Model:
    if name in NETS:
        family, *parameters = name.split()
        return net_model(build(family, parameters))
    if name in PROGRAMS:
        program = murphi.read_model(EXAMPLES / "murphi" / name, PROGRAMS[name]).program
        return Model(program, name, "murphi")
    if name in MACHINES:
        path = EXAMPLES / "b" / name
        return Model(b.load(Source(str(path), path.read_text()), MACHINES[name]).machine, name, "b")
    if name in NUMBERED:
        return murphi_model(NUMBERED[name])
    return b_model(TEXTS[name]) if name in TEXTS else sem(int(name.removeprefix("sem ")))


NAMES = (*NETS, *PROGRAMS, "sem 2", "sem 3", *NUMBERED, *MACHINES, *TEXTS)


def properties_of(model: Model) -> st.SearchStrategy[list[TemporalProperty]]:
    subject = model.subject
    if isinstance(subject, Net):
        return random_properties(net_conditions(subject).map(condition), transitions(subject))
    atoms = program_atoms if isinstance(subject, Program) else machine_atoms
    made = (atoms.conditions, atoms.patterns, atoms.positions)  # type: ignore[attr-defined]
    return random_properties(*(each(subject) for each in made))


def test_the_core_answers_what_the_definitions_say(record_property: Record) -> None:
    tally, models = Tally(), {name: load(name) for name in NAMES}

    @settings(max_examples=100)
    @given(st.data())
    def law(data: st.DataObject) -> None:
        model = models[data.draw(st.sampled_from(NAMES))]
        properties = data.draw(properties_of(model))
        names = st.sampled_from((*METHODS, APPROXIMATE) if model.language == "b" else METHODS)
        check_law(model, properties, data.draw(st.lists(names, min_size=2, max_size=3, unique=True)), tally)

    law()
    record_property("random formulas over models of people", tally.numbers())
    tally.check_variety()
