"""Whole specifications in Z: states and steps that both engines find are those of the sets of bindings, state by state and
label by label; every way of checking counts the same; orbits are those of all permutations of the given sets.

Predicates are defined everywhere; an example in which something is undefined all the same is left alone, as are those that
brute force or an engine cannot list. A number that nothing bounds is one of MININT..MAXINT for all of them: which numbers
are tried is no matter of Z.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from burnside import pipeline
from burnside.checking import Check
from burnside.exploration import Exploration
from burnside.limits import Deadline
from burnside.progress import Progress
from burnside.request import Request
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from tests.machine_engines import REFUSED
from tests.z_engines import Loaded, loaded
from tests.z_graphs import Graph, by_brute_force, by_core, by_reference
from tests.z_specifications import Promoted, Writer
from tests.z_values import NotListed, Undefined

laws = settings(max_examples=8, deadline=None)
NUMBERS, LONGEST = range(-1, 4), 2
CANONICAL = ("search", "nauty", "compare", "minimise", "flood")


def graph_of(text: str) -> tuple[Loaded, Graph]:
    found = loaded(text, numbers=NUMBERS, longest=LONGEST)
    try:
        return found, by_brute_force(found)
    except (Undefined, NotListed):
        reject()


def agrees(text: str) -> None:
    found, expected = graph_of(text)
    for explored in (by_reference, by_core):
        try:
            graph = explored(found)
        except REFUSED:
            continue
        assert graph.states == expected.states, explored.__name__
        assert graph.edges == expected.edges, explored.__name__


def counted(path: Path, **options: object) -> Exploration:
    request = Request(symmetry="declared", deadlock=False, keep_going=True, **options)  # type: ignore[arg-type]
    check = Check.prepared(pipeline.read(path, "z"), request, Deadline())
    return check.explore(Progress(), Deadline())


def counts_agree(text: str) -> None:
    found, expected = graph_of(text)
    if not expected.states:
        reject()
    states, orbits = len(expected.states), expected.orbits(found)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text.tex"
        path.write_text(text)
        try:
            plain = [counted(path, reduce="none", engine=engine) for engine in ("core", "reference")]
            reduced = {method: counted(path, reduce=method) for method in CANONICAL}
        except REFUSED:
            reject()
    for each in plain:
        assert (each.states, each.transitions) == (states, expected.steps)
        assert each.deadlocks == expected.deadlocks()
    for method, each in reduced.items():
        assert (each.states, each.full_states) == (orbits, states), method


def picking(draw: st.DrawFn) -> Callable[[int, int], int]:
    return lambda low, high: draw(st.integers(low, high))


@laws
@given(st.data())
def test_specifications_do_what_their_schemas_say(data: st.DataObject) -> None:
    agrees(Writer(picking(data.draw)).text())


@laws
@given(st.data())
def test_promoted_operations_change_one_part(data: st.DataObject) -> None:
    agrees(Promoted(picking(data.draw)).text())


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from((Writer, Promoted)))
def test_every_way_of_checking_counts_the_same(seed: int, kind: type[Writer]) -> None:
    counts_agree(kind(Random(seed).randint).text())


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from((Writer, Writer, Promoted)))
def test_many_specifications_do_what_their_schemas_say(seed: int, kind: type[Writer]) -> None:
    agrees(kind(Random(seed).randint).text())
    counts_agree(kind(Random(seed).randint).text())
