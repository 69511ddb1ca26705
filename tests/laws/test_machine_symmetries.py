"""What is certified of a machine is so: generators are automorphisms of its state graph, also such that exchange
operations. Traces that users see have been run again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from burnside.diagnostics import UnsupportedError
from burnside.ir.sets import expressions as e
from burnside.ir.sets import substitutions as s
from burnside.ir.sets.checking import problems
from burnside.ir.sets.machine import Claim, Machine, Operation
from burnside.ir.sets.types import BOOLEAN, Element, Sort
from burnside.pipeline import check, model_of
from burnside.records import is_record, replace
from burnside.reference.sets.machines import judge, permuted_label, starts, steps
from burnside.reference.sets.values import Generator, State, permuted_state
from burnside.request import Limits, Request
from burnside.semantics import FIRST_PROPERTY, Failure
from burnside.symmetry.elements import by_sort
from burnside.symmetry.machines import certify, machine_symmetry
from burnside.symmetry.points import on_sort, transposition
from hypothesis import assume, given, settings

from tests.machine_engines import MOST, by_reference, compared
from tests.machine_strategies import machines

laws = settings(max_examples=15, deadline=None)
FIRST = 12


def is_automorphism(machine: Machine, generator: Generator, states: Sequence[State]) -> bool:
    """Of the graph around the states. Operations and claims may be exchanged for others."""
    for state in [None, *states]:
        other = None if state is None else permuted_state(state, generator)
        if _leads_to(machine, state, generator) != _leads_to(machine, other, {}):
            return False
        if state is not None and other is not None and _says(machine, state) != _says(machine, other):
            return False
    return True


def _leads_to(machine: Machine, state: State | None, generator: Generator) -> Counter[object]:
    found: Counter[object] = Counter()
    for step in starts(machine) if state is None else steps(machine, state):
        label = permuted_label(step.label, generator)
        after = None if isinstance(step.result, Failure) else permuted_state(step.result, generator)
        found[label.arguments, label.results, after] += 1
    return found


def _says(machine: Machine, state: State) -> Counter[str]:
    judgement = judge(machine, state)
    undefined = [each.evaluated for each in judgement.failures if each.evaluated is not None]
    numbers = (*judgement.violated, *judgement.reached, *undefined)
    return Counter(machine.claims[number - FIRST_PROPERTY].kind for number in numbers)


def swaps(machine: Machine) -> list[tuple[tuple[int, ...], Generator]]:
    """Of two elements of the fixed sort: as points, and by sort."""
    sort = machine.sorts[-1]
    found: list[tuple[tuple[int, ...], Generator]] = []
    for a, b in combinations(range(sort.size), 2):
        images = transposition(sort.size, a, b)
        found.append((tuple(on_sort(machine, sort, images)), {sort.name: images}))
    return found


@laws
@given(machines(literals=True))
def test_what_is_found_is_a_symmetry(machine: Machine) -> None:
    with compared():
        some = by_reference(machine).stored[:FIRST]
        for generator in by_sort(machine_symmetry(machine)):
            assert is_automorphism(machine, generator, some)


@laws
@given(machines(literals=True))
def test_what_is_no_symmetry_is_refused(machine: Machine) -> None:
    with compared():
        some = by_reference(machine).stored[:FIRST]
        for points, generator in swaps(machine):
            assert is_automorphism(machine, generator, some) or not certify(machine, points)


@laws
@given(machines(literals=True))
def test_what_is_made_symmetric_is_found(machine: Machine) -> None:
    """A machine together with its image under a swap; and without one part of it, where that matters."""
    points, generator = swaps(machine)[0]
    whole = with_image(machine, generator)
    assert problems(whole) == ()
    assert certify(whole, points)
    assert tuple(points) in {tuple(each) for each in _reached(whole)}
    with compared():
        some = by_reference(whole).stored[:FIRST]
        assert is_automorphism(whole, generator, some)
        part = replace(whole, operations=whole.operations[:-1], claims=whole.claims[:-1])
        if not is_automorphism(part, generator, some):
            assert not certify(part, points)


def _reached(machine: Machine) -> set[tuple[int, ...]]:
    """Swaps in the group that was found."""
    group = machine_symmetry(machine)
    found = {tuple(each.permutation) for each in group.generators}
    waiting = list(found)
    while waiting:
        one = waiting.pop()
        for each in group.generators:
            other = tuple(each.permutation[image] for image in one)
            if other not in found:
                found.add(other)
                waiting.append(other)
    if not any(each.size > 1 and _is_stored(machine, each) for each in machine.sorts[-1:]):
        found |= {points for points, _ in swaps(machine)}
    return found


def _is_stored(machine: Machine, sort: Sort) -> bool:
    return any(sort.name in repr(each.type) for each in machine.state_names)


def with_image(machine: Machine, generator: Generator) -> Machine:
    return replace(
        machine,
        properties=machine.properties + _image(machine.properties, generator, "1"),
        initialisation=s.Alternatives(
            (
                s.Branch(e.TRUE, machine.initialisation),
                s.Branch(e.TRUE, _image(machine.initialisation, generator, "1")),
            )
        ),
        operations=machine.operations
        + tuple(
            replace(each, name=f"{each.name}_image") for each in _image(machine.operations, generator, "1")
        ),
        claims=tuple(_with_own_image(each, generator) for each in machine.claims),
    )


def _with_own_image(claim: Claim, generator: Generator) -> Claim:
    """One claim says both: a claim is its own image or none."""
    both = (claim.predicate, _image(claim.predicate, generator, "1"))
    return replace(claim, predicate=e.Apply("and", both, BOOLEAN))


def _image(node: Any, generator: Generator, mark: str) -> Any:
    """With elements renamed, and with new names for what is bound, because names are unique."""
    match node:
        case e.Literal(int(value), Element(sort)):
            return replace(node, value=generator.get(sort.name, range(sort.size))[value])
        case e.Name(name, _, False):
            return replace(node, name=f"{name}_{mark}")
        case tuple():
            return tuple(_image(each, generator, mark) for each in node)
        case _ if is_record(node) and not isinstance(node, Sort):
            changes = {
                each: _image(getattr(node, each), generator, mark)
                for each in node.__record_fields__
                if each not in ("type", "span")
            }
            return replace(node, **changes)
        case _:
            return node


def test_the_law_can_fail() -> None:
    """A swap of two elements of which the machine names one."""
    sort = Sort("S", ("a", "b"), "fixed", "enumerated set")
    x = e.Name("x", Element(sort), is_state=True)
    y = e.Name("y", BOOLEAN, is_state=True)
    one = e.Apply("equal", (x, e.Literal(0, Element(sort))), BOOLEAN)
    start = s.Assign((x, y), (e.Literal(0, Element(sort)), e.FALSE))
    machine = Machine("m", (sort,), (), (), (x, y), start, (Operation("op", (), (), s.Assign((y,), (one,))),))
    ((points, generator),) = swaps(machine)
    assert not certify(machine, points)
    assert not is_automorphism(machine, generator, by_reference(machine).stored)
    whole = with_image(machine, generator)
    assert certify(whole, points)
    assert is_automorphism(whole, generator, by_reference(whole).stored)


# Through the pipeline


@laws
@given(machines())
def test_every_trace_replays(machine: Machine) -> None:
    """`check` runs each again on the machine, and complains where one does not lead where it should."""
    found = []
    for reduce in ("none", "search", "flood", "auto"):
        request = Request(reduce=reduce, deadlock=True, keep_going=True, limits=Limits(states=MOST))
        try:
            outcome = check(model_of(machine), request)
        except UnsupportedError:
            assume(False)
        assume(outcome.stopped == "exhausted")
        found.append({each.name: (each.verdict, each.trace is None) for each in outcome.properties})
    assert all(each == found[0] for each in found)
