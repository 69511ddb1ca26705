"""Random programs and machines in which enough happens: without steps that fail, small, with more than a few states.

Most random models of other laws fail somewhere, so that formulas over them have no answer, or stay where they begin. Here a
number is the seed of the first model from there on that does neither.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import TypeVar

from burnside import _core
from burnside.ir.program import Program
from burnside.ir.sets.machine import Machine
from burnside.kinds.program import core_program
from burnside.semantics import ERROR
from hypothesis import strategies as st

from tests.bounded_processes import bounded
from tests.machine_engines import compiled
from tests.machine_strategies import machines, seeded_machine
from tests.program_strategies import programs, seeded_program, symmetric_programs
from tests.temporal.laws import MAX_STATES

MIN_STATES = 5
SEEDS = st.integers(0, 2**32)

Subject = TypeVar("Subject", Program, Machine)
Core = _core.Program | _core.Machine


def lively_programs() -> st.SearchStrategy[Program]:
    """Most of them are symmetric by construction."""

    def made(*, symmetric: bool) -> st.SearchStrategy[Program]:
        return SEEDS.map(
            lambda seed: _lively(seed, lambda at: seeded_program(at, symmetric=symmetric), _program)
        )

    rest = symmetric_programs().map(lambda found: found.program) | programs()
    return st.one_of(*[made(symmetric=True)] * 5, made(symmetric=False), rest)


def lively_process_programs() -> st.SearchStrategy[Program]:
    """With processes that keep control; sequences of their steps end."""

    def made(*, symmetric: bool) -> st.SearchStrategy[Program]:
        def program(seed: int) -> Program:
            return bounded(seeded_program(seed, symmetric=symmetric, processes=True))

        return SEEDS.map(lambda seed: _lively(seed, program, _program))

    return st.one_of(*[made(symmetric=True)] * 3, made(symmetric=False))


def lively_machines() -> st.SearchStrategy[Machine]:
    """In half of them elements have names, so that not all permutations are symmetries."""

    def made(*, literals: bool) -> st.SearchStrategy[Machine]:
        return SEEDS.map(
            lambda seed: _lively(seed, lambda at: seeded_machine(at, literals=literals), compiled)
        )

    return st.one_of(*[made(literals=False), made(literals=True)] * 3, machines())


def _program(program: Program) -> _core.Program:
    return core_program(program, "random")


def _lively(seed: int, made: Callable[[int], Subject], core: Callable[[Subject], Core]) -> Subject:
    return next(model for at in count(seed) if _is_lively(model := made(at), core))


def _is_lively(model: Subject, core: Callable[[Subject], Core]) -> bool:
    points = sum(sort.size for sort in model.sorts)
    settings = _core.Settings(keep_going=True, max_states=MAX_STATES)
    try:
        found = _core.explore(core(model), _core.ElementGroup(points, []), _core.Method("none"), settings)
    except _core.MachineError:
        return False
    if any(number == ERROR or failing is not None for number, _, failing in found.violations):
        return False
    return found.stopped == "exhausted" and found.states >= MIN_STATES
