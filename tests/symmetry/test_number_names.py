"""Numbers that processes use like names: the expected groups, the same states as without, and runs that traps repeat."""

from __future__ import annotations

import burnside
import pytest
from burnside import pipeline
from burnside.diagnostics import Source
from burnside.ir import expressions as e
from burnside.ir.checking import check_program
from burnside.ir.program import Program, Property
from burnside.kinds.program import semantics_of
from burnside.languages import promela
from burnside.languages.promela.lower.program import lowered
from burnside.limits import Deadline
from burnside.records import replace
from burnside.reference.steps import initial_states, successors
from burnside.reference.values import value_of
from burnside.request import Request
from burnside.symmetry.programs import ProgramSymmetry, program_symmetry
from burnside.symmetry.programs.names import find_names, length_of_trial
from burnside.symmetry.programs.names.computations import function_of, is_computation, operands

from tests.process_programs import (
    BYTE,
    NONE,
    equal,
    hypercube,
    late,
    number,
    read,
    ring,
    star,
    state,
    tiers,
)

EXPECTED = {
    "ring of 3": (ring(3), 3, "C3"),
    "ring of 6": (ring(6), 6, "C6"),
    "ring of 5, by two": (ring(5, step=2), 5, "C5"),
    "ring with a first": (ring(4, first=0), 1, "1"),
    "star of 4": (star(4), 24, "S4"),
    "star of 4, one refused": (star(4, special=2), 6, "S3"),
    "square": (hypercube(2), 8, "D4"),
    "cube": (hypercube(3), 48, "S2 wr S3"),
    "cube from 0": (hypercube(3, fixed=True), 6, "S3"),
    "three tiers": (tiers((3, 3, 2)), 144, "(S3 wr S2) x C2"),
    "three tiers, one buffered": (tiers((3, 3, 2), buffered=True), 72, "S3^2 x C2"),
}
QUOTIENTS = {
    # Donaldson, Miller and Calder 2005: states and orbits; smaller ones by GAP.
    "square": (249, 36),
    "cube": (15409, 411),
    "cube from 0": (8866, 1669),
    "three tiers": (4393 - 1, 281 - 1),
    "three tiers, one buffered": (14995 - 1, 1115 - 1),
}
METHODS = ("search", "compare", "minimise", "flood")


@pytest.mark.parametrize("name", EXPECTED)
def test_groups(name: str) -> None:
    program, order, structure = EXPECTED[name]
    check_program(program)
    found = burnside.symmetries(program)
    assert (found.order, found.complete) == (order, True)
    if name != "three tiers, one buffered":
        assert found.structure == structure


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", QUOTIENTS)
def test_published_quotients(name: str, method: str) -> None:
    program, order, _ = EXPECTED[name]
    states, orbits = QUOTIENTS[name]
    found = burnside.check(program, reduce=method, deadlock=False)
    assert (found.states, found.full_states, found.reduction.group_order) == (orbits, states, order)
    assert all(each.kind != "limit" for each in found.properties)


@pytest.mark.parametrize("name", ["ring of 6", "star of 4", "square"])
def test_the_rewritten_program_is_the_original(name: str) -> None:
    """State by state, under the map that names numbers."""
    program = EXPECTED[name][0]
    found = program_symmetry(program)
    assert found.trap is not None
    check_program(found.program)
    old, new = reachable(program), reachable(found.program)
    assert {numbers(found.program, each) for each in new} == {numbers(program, each) for each in old}
    assert len(new) == len(old)


def reachable(program: Program) -> set[tuple[int, ...]]:
    found: set[tuple[int, ...]] = set()
    waiting = [result for _, result in initial_states(program)]
    while waiting:
        result = waiting.pop()
        assert isinstance(result, tuple), result
        if result not in found:
            found.add(result)
            waiting += [after for _, after in successors(program, result)]
    return found


def numbers(program: Program, cells: tuple[int, ...]) -> tuple[str, ...]:
    """What a state shows, cell by cell."""
    return tuple(semantics_of(program).show_state(cells).values())


def test_only_numbers_that_move_are_renamed() -> None:
    found = program_symmetry(late(3, 4))
    assert [sort.name for sort in found.program.sorts] == ["node", "chosen", "chosen (2)"] or [
        sort.name for sort in found.program.sorts
    ] == ["node", "chosen"]
    assert "clock" not in {sort.name for sort in found.program.sorts}


def test_broken_numbers_stay_numbers() -> None:
    assert program_symmetry(ring(4), broken=["node"]).generators == ()


def test_properties_are_rewritten_and_restrict() -> None:
    """A condition that names a number is read over the original program."""
    program = star(4)
    who = next(each for each in program.variables if each.name == "server:who")
    served = e.Binary("!=", read(who, e.Constant(0, who.type.index)), number(1))  # type: ignore[union-attr]
    asked = replace(program, properties=(Property("invariant", "not 1", served),))
    found = burnside.check(asked, deadlock=False)
    [result] = [each for each in found.properties if each.name == "not 1"]
    assert result.verdict == "violated"
    assert found.reduction.group_order == 6
    assert found.reduction.restricted_by == ("not 1",)


def test_traps_repeat_the_run() -> None:
    """Nothing is computed in the states that the trial sees."""
    program = late(3, 8000)
    assert find_names(program, {}, (), 1, Deadline()) is not None
    found = burnside.check(program, deadlock=False)
    assert (found.states, found.full_states, found.reduction.group_order) == (8003, 8007, 3)
    assert burnside.symmetries(program).order == 3
    model = pipeline.model_of(program)
    _, graph = pipeline.space(model, Request(), 10_000)
    assert len(graph.states) == 8003


def test_at_last_numbers_stay_numbers() -> None:
    assert [length_of_trial(repeated) for repeated in range(4)] == [1, 10, 100, None]
    model = replace(pipeline.model_of(late(3, 8000)), enlarged=3)
    found = pipeline.check(model, Request(deadlock=False))
    assert (found.states, found.reduction.group_order) == (8007, 1)


def test_an_index_outside_stays_an_error() -> None:
    """A message for a client that does not exist."""
    program = star(3)
    who = next(each for each in program.variables if each.name == "server:who")
    serve = program.actions[1]
    wrong = replace(serve.body[0], value=number(7))
    broken = replace(
        program,
        actions=(program.actions[0], replace(serve, body=(wrong, *serve.body[1:])), *program.actions[2:]),
    )
    assert who is not None
    plain = burnside.check(broken, reduce="none", deadlock=False)
    named = burnside.check(broken, deadlock=False)
    assert [each.verdict for each in named.properties] == [each.verdict for each in plain.properties]
    assert named.properties[0].verdict == "violated"


FIRST_OF_TWO = """
int owner, first = -1, mark[3] = -1;
active [2] proctype P() {
  do
  :: owner == 0 -> mark[_pid] = 2;
     if :: owner == _pid + 1 -> if :: first == -1 -> first = _pid :: else fi; owner = 0 fi
  od
}
"""


def test_fewer_names_come_to_an_end() -> None:
    """Numbers that are tied to processes share a variable with one that is not, -1: both are named, or none."""
    program = lowered(promela.load(Source("first.pml", FIRST_OF_TWO)).model).program
    found = program_symmetry(program, deadline=Deadline(20.0))
    assert found.in_time
    assert found.order == 1


def test_computations() -> None:
    x, y = e.Read(state("x", BYTE)), e.Read(state("y", BYTE))
    following = e.Binary("%", e.Binary("+", x, number(1)), number(4))
    assert is_computation(following)
    assert operands(following) == (x,)
    assert [function_of(following)((each,)) for each in range(5)] == [1, 2, 3, 0, 1]
    quotient = e.Binary("/", x, y)
    assert function_of(quotient)((7, 0)) is None
    bits = e.Junction(
        "and", (equal(e.Binary("bit-and", x, number(1)), 0), equal(e.Binary("bit-and", x, number(2)), 0))
    )
    assert is_computation(bits)
    assert [function_of(bits)((each,)) for each in range(5)] == [1, 0, 0, 0, 1]
    assert not is_computation(equal(x, 3))
    assert not is_computation(e.Junction("and", (equal(x, 3), equal(y, NONE))))


__all__ = ["ProgramSymmetry", "value_of"]
