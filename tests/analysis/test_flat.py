"""Flat programs mean what the programs mean that they were made from, on states of every kind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from burnside.diagnostics import BurnsideError
from burnside.ir.analysis import flat
from burnside.ir.analysis.definedness import refined
from burnside.ir.analysis.flatten import NotFlat, flatten
from burnside.ir.program import Program
from burnside.ir.types import Array, Bag, Optional, Record, Type, size
from burnside.languages import murphi
from burnside.reference.steps import Result, attempts, start_steps
from burnside.reference.values import State, normalised_state, width
from burnside.semantics import DISCARDED, Failure, Step
from hypothesis import given, settings

from tests.analysis.running import flat_step, labels
from tests.exploring import explore_program as explore
from tests.program_strategies import programs

MODELS = Path("../shared/models/murphi")


def cells(random: Random, type_: Type) -> Iterator[int]:
    """A value of the type, undefined parts included."""
    match type_:
        case Array(index, element):
            for _ in range(size(index)):
                yield from cells(random, element)
        case Record(fields):
            for each in fields:
                yield from cells(random, each.type)
        case Bag(element, capacity):
            present = random.randint(0, capacity)
            for number in range(capacity):
                yield int(number < present)
                yield from cells(random, element) if number < present else [0] * width(element)
        case Optional(inner):
            yield random.randint(0, size(inner))
        case _:
            yield random.randrange(size(type_))


def random_state(random: Random, program: Program) -> State:
    memory = [cell for each in program.variables for cell in cells(random, each.type)]
    return normalised_state(program, memory)


def kind(result: Result) -> object:
    return ("fails", result.number) if isinstance(result, Failure) else result


def outcome(step: Step) -> tuple[object, ...]:
    noted = [each.number for each in step.noted]
    return kind(step.result), step.fired, step.covered, noted


def without_assumptions(program: Program) -> Program:
    from burnside.records import replace

    kept = [
        replace(each, expression=None) if each.kind == "assumption" else each for each in program.properties
    ]
    return replace(program, properties=tuple(kept))


def agree(program: Program, made: flat.Program, state: State) -> int:
    """Every label does the same; how many there were."""
    expected = {
        step.label: outcome(step)
        for step in attempts(program, state)
        if step.fired or step.result != DISCARDED
    }
    found = {}
    for number, action in enumerate(made.actions):
        for values in labels(program, action, state):
            step = flat_step(program, action, state, (number, values))
            if step is not None and (step.fired or step.result != DISCARDED):
                found[number, values] = outcome(step)
    # Labels whose parameters cannot be evaluated fail for the program, and have no place in a flat one.
    assert found == {label: each for label, each in expected.items() if label in found or each[1]}
    return len(found)


def starts_agree(program: Program, made: flat.Program) -> None:
    blank = (0,) * sum(width(each.type) for each in program.variables)
    expected = {step.label: outcome(step) for step in start_steps(program)}
    found = {}
    for number, action in enumerate(made.starts):
        for values in labels(program, action, blank):
            step = flat_step(program, action, blank, (number, values))
            assert step is not None
            found[number, values] = outcome(step)
    assert found == expected


@settings(max_examples=150, deadline=None)
@given(programs())
def test_random_programs_on_random_states(program: Program) -> None:
    program = without_assumptions(program)
    try:
        made = flatten(program)
    except NotFlat:
        return
    random = Random(1)
    starts_agree(program, made)
    for _ in range(6):
        agree(program, made, random_state(random, program))


@settings(max_examples=150, deadline=None)
@given(programs())
def test_checks_that_are_removed_cannot_fail_in_reachable_states(program: Program) -> None:
    program = without_assumptions(program)
    try:
        made = refined(flatten(program)).program
    except NotFlat:
        return
    starts_agree(program, made)
    for state in explore(program, keep_going=True, max_states=25).stored:
        agree(program, made, state)


NAMES = sorted(each.name for each in MODELS.glob("*.m")) or ["none"]


@pytest.mark.parametrize("name", NAMES)
def test_models_of_others(name: str) -> None:
    if name == "none":
        pytest.skip("../shared/models/murphi is absent")
    try:
        program = without_assumptions(murphi.read(MODELS / name, {}))
    except BurnsideError:
        pytest.skip("not read")
    made, random = flatten(program), Random(7)
    checked = refined(made).program
    starts_agree(program, checked)
    reached = explore(program, keep_going=True, max_states=40).stored
    for state in reached[:: max(1, len(reached) // 10)]:
        agree(program, checked, state)
        mixed = list(state)
        other = random_state(random, program)
        for at in random.sample(range(len(mixed)), k=min(2, len(mixed))):
            mixed[at] = other[at]
        if not any(isinstance(each.type, Bag) for each in program.variables):
            agree(program, made, normalised_state(program, mixed))
