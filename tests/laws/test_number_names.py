"""Programs in which numbers have become names do what the original does, step by step, or come to a trap.

Random programs, all of whose classes of numbers that may be names are named; nothing is reduced. Both programs are run side
by side by the reference engine: states and labels correspond by the numbers that names stand for.
"""

from __future__ import annotations

from collections.abc import Iterator

import burnside
from burnside.ir.checking import check_program
from burnside.ir.program import Action, Program
from burnside.ir.types import Array, Bag, Optional, Record, Scalar, Type, size
from burnside.limits import Deadline
from burnside.reference.steps import Label, judge, start_steps, steps
from burnside.reference.values import State, value_of
from burnside.request import Limits
from burnside.semantics import FIRST_PROPERTY, Failure, Step
from burnside.symmetry.programs import program_symmetry
from burnside.symmetry.programs.dead_stores import without_dead_stores
from burnside.symmetry.programs.names import NumberNames, find_names
from hypothesis import HealthCheck, assume, given, settings

from tests.program_strategies import (
    SymmetricProgram,
    process_programs,
    programs,
    symmetric_process_programs,
)

MOST = 40
few = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
laws = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


class SideBySide:
    """`states`: of the original, to that of the named program."""

    def __init__(self, old: Program, names: NumberNames) -> None:
        self.old = old
        named = names.named()
        assert named is not None
        self.new = named
        self.trap = FIRST_PROPERTY + names.trap
        self.numbers = {
            sort.name: numbers for naming in names.namings.values() for sort, numbers in naming.pieces
        }

    def number(self, value: int, scalar: Scalar) -> int:
        """What a value of the named program stands for."""
        sorts = getattr(scalar, "sorts", None) or ([scalar.sort] if hasattr(scalar, "sort") else [])
        if sorts and sorts[0].name in self.numbers:
            return [number for sort in sorts for number in self.numbers[sort.name]][value]
        return value

    def shown(self, program: Program, state: State) -> tuple[int | None, ...]:
        cells = (cell for each in program.variables for cell in _cells(each.type))
        found = []
        for code, type_ in zip(state, cells, strict=True):
            value = code if type_ is None else value_of(code, type_)
            scalar = type_.type if isinstance(type_, Optional) else type_
            found.append(None if value is None else value if scalar is None else self.number(value, scalar))
        return tuple(found)

    def label(self, actions: tuple[Action, ...], label: Label) -> Label:
        action, values = label
        types = [each.type for each in actions[action].parameters]
        return action, tuple(self.number(value, type_) for value, type_ in zip(values, types, strict=True))

    def compare(self) -> int:
        """How many steps were compared."""
        old, new = start_steps(self.old), start_steps(self.new)
        waiting = list(self.pairs(old, new, self.old.starts, self.new.starts))
        known: set[State] = set()
        count = 0
        while waiting and len(known) < MOST:
            before, after = waiting.pop(0)
            if before in known:
                continue
            known.add(before)
            assert self.shown(self.old, before) == self.shown(self.new, after)
            found, wanted = judge(self.new, after), judge(self.old, before)
            if all(each.number != self.trap for each in found.failures):
                assert found.violated == wanted.violated
            mine, other = list(steps(self.old, before)), list(steps(self.new, after))
            count += len(mine)
            waiting += self.pairs(mine, other, self.old.actions, self.new.actions)
        return count

    def pairs(
        self,
        old: list[Step[State, Label]],
        new: list[Step[State, Label]],
        before: tuple[Action, ...],
        after: tuple[Action, ...],
    ) -> Iterator[tuple[State, State]]:
        mine = {self.label(before, step.label): step for step in old}
        other = {self.label(after, step.label): step for step in new}
        for label, step in other.items():
            if any(each.number == self.trap for each in step.failures):
                continue
            wanted = mine.pop(label)
            assert step.fired == wanted.fired
            if isinstance(step.result, Failure):
                assert isinstance(wanted.result, Failure)
                assert step.result.number == wanted.result.number
            elif isinstance(step.result, tuple):
                assert isinstance(wanted.result, tuple)
                yield wanted.result, step.result
            else:
                assert step.result == wanted.result
        trapped = {
            label for label, step in other.items() if any(x.number == self.trap for x in step.failures)
        }
        assert set(mine) <= trapped


def _cells(type_: Type) -> Iterator[Scalar | Optional | None]:
    match type_:
        case Array(index, element):
            for _ in range(size(index)):
                yield from _cells(element)
        case Record(fields):
            for each in fields:
                yield from _cells(each.type)
        case Bag(element, capacity):
            for _ in range(capacity):
                yield None
                yield from _cells(element)
        case _:
            yield type_


@laws
@given(programs())
def test_a_program_with_names_does_what_the_original_does(program: Program) -> None:
    names = find_names(program, {}, (), 1, Deadline())
    assume(names is not None)
    assert names is not None
    both = SideBySide(program, names)
    check_program(both.new)
    both.compare()


@laws
@given(process_programs())
def test_symmetries_of_programs_with_processes_are_certified(program: Program) -> None:
    """Nothing goes wrong on the way, and what is found is well formed."""
    found = program_symmetry(program)
    check_program(found.program)
    assert all(sorted(each.permutation) == list(range(len(each.permutation))) for each in found.generators)


@laws
@given(programs())
def test_constants_that_are_overwritten_unread_have_no_effect(program: Program) -> None:
    made = without_dead_stores(program)
    waiting = [step.result for step in start_steps(program)]
    known: set[State] = set()
    while waiting and len(known) < MOST:
        state = waiting.pop()
        if isinstance(state, tuple) and state not in known:
            known.add(state)
            after = [(step.label, step.result) for step in steps(program, state)]
            assert after == [(step.label, step.result) for step in steps(made, state)]
            waiting += [result for _, result in after]


@few
@given(symmetric_process_programs())
def test_reduced_answers_are_unreduced_ones(made: SymmetricProgram) -> None:
    """With everything that is found: names, graphs, traps."""
    limits = Limits(states=2000)
    asked = {"keep_going": True, "deadlock": True, "limits": limits}
    plain = burnside.check(made.program, reduce="none", **asked)
    assume(plain.stopped == "exhausted")
    found = burnside.check(made.program, reduce="search", self_check="full", **asked)
    assert [(each.name, each.verdict) for each in found.properties] == [
        (each.name, each.verdict) for each in plain.properties
    ]
    assert found.full_states in (None, plain.states)
