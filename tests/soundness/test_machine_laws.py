"""The law of symmetries on B machines written by people and on small ones that break one inference each."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from burnside import _core
from burnside.diagnostics import BurnsideError
from burnside.ir.sets.machine import Machine
from burnside.languages.b import read as read_path
from burnside.symmetry.machines import machine_symmetry
from burnside.symmetry.points import on_sort, transposition

from tests.soundness.machine_law import MachineLaw, Moves, mixed_states, reference_breach
from tests.soundness.random_machines import examine, read

MODELS = Path(__file__).parents[3] / "shared" / "models" / "b"
EXAMPLES = Path(__file__).parents[2] / "examples" / "b"
ABSENT = pytest.mark.skip(reason="../shared/models/b is absent")
EXAMPLE_FILES = sorted([*EXAMPLES.glob("*.mch"), *EXAMPLES.glob("*.ref")])


def problem(machine: Machine, most: int, mixed: int) -> str | None:
    symmetry = machine_symmetry(machine)
    if not symmetry.generators:
        return None
    law = MachineLaw(machine, most)
    states = mixed_states(machine, list(law.steps), Random(0), mixed)
    for each in symmetry.generators:
        moves = Moves(machine, each.permutation, each.actions)
        found = law.breach(moves) or reference_breach(machine, moves, states)
        if found is not None:
            return f"{each.cycles}: {found}"
    return None


@pytest.mark.parametrize("path", EXAMPLE_FILES, ids=lambda path: path.name)
def test_generators_obey_the_law(path: Path) -> None:
    assert problem(read_path(path), 60, 0) is None


def shared() -> list[Any]:
    paths = sorted(MODELS.glob("*.mch"))
    return [pytest.param(path, id=path.stem) for path in paths] or [pytest.param(None, marks=ABSENT)]


@pytest.mark.slow
@pytest.mark.parametrize("path", shared())
def test_generators_of_other_models_obey_the_law(path: Path) -> None:
    try:
        assert problem(read_path(path), 100, 0) is None
    except (BurnsideError, _core.MachineError):
        pytest.skip("it cannot be explored without further settings")


HEAD = "MACHINE small SETS S = {a, b}; T = {c, d, e} VARIABLES s, n INVARIANT s <: S & n : 0..9"
START = "INITIALISATION s := {} || n := 0"
SMALL = {
    "sets distinguished by types": (
        False,
        f"{HEAD} {START} OPERATIONS one = BEGIN s := {{a}} || n := card(S) END; "
        "two = BEGIN s := {b} || n := card(T) END END",
    ),
    "comprehensions distinguished by types": (
        False,
        f"{HEAD} {START} OPERATIONS one = BEGIN s := {{a}} || n := card({{i | i : S & i = i}}) END; "
        "two = BEGIN s := {b} || n := card({i | i : T & i = i}) END END",
    ),
    "quantifiers distinguished by types": (
        False,
        f"{HEAD} {START} OPERATIONS one = SELECT #i.(i : S & S - {{i}} = {{}}) THEN s := {{a}} END; "
        "two = SELECT #i.(i : T & T - {i} /= {}) THEN s := {b} END END",
    ),
    "claims exchanged": (
        False,
        f"{HEAD} & a : s & b : s {START} OPERATIONS one = s := {{a}}; two = s := {{b}} END",
    ),
    "an order of conditions": (
        False,
        f"{HEAD} {START} OPERATIONS put(i) = PRE i : S THEN s := s \\/ {{i}} END; "
        "go = IF a : s THEN s := {a} ELSIF b : s THEN s := {b} END END",
    ),
    "alternatives": (
        True,
        f"{HEAD} {START} OPERATIONS put(i) = PRE i : S THEN s := s \\/ {{i}} END; "
        "go = SELECT a : s THEN s := {a} WHEN b : s THEN s := {b} END END",
    ),
    "operations exchanged": (
        True,
        f"{HEAD} {START} OPERATIONS one = BEGIN s := {{a}} || n := 1 END; two = BEGIN n := 1 || s := {{b}} END END",
    ),
}


def small() -> list[Any]:
    return [pytest.param(name, id=name) for name in SMALL]


@pytest.mark.parametrize("name", SMALL)
def test_brute_force_says_what_the_table_says(name: str) -> None:
    is_symmetric, text = SMALL[name]
    machine = read(text)
    swap = on_sort(machine, machine.sorts[0], transposition(2, 0, 1))
    law = MachineLaw(machine, 1_000)
    operations = range(len(machine.operations))
    exchanged = [*reversed(operations)]
    breaches = [law.breach(Moves(machine, swap, actions)) for actions in (operations, exchanged)]
    assert (None in breaches) == is_symmetric


@pytest.mark.parametrize("name", small())
def test_nothing_false_is_certified(name: str) -> None:
    assert examine(read(SMALL[name][1]), Random(0), most=1_000, reference=20).problem is None
