"""Laws of Promela models, from text to verdict, on random ones: the engines agree, and so do reduced and unreduced searches.

Seeds are fixed. What fails for a seed is shown with the text of the model.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import burnside
import pytest
from burnside.diagnostics import InputError, RefusedError, UnsupportedError
from burnside.model import Model
from burnside.outcome import Outcome
from burnside.request import Limits

from tests.promela_programs import program
from tests.promela_symmetric import symmetric_program

MAX_STATES, MAX_SECONDS = 3_000, 10
MAX_REFERENCE_STATES = 150
"""The reference engine takes its time."""
CANONICAL = ("search", "compare", "flood", "minimise", "nauty")
MAX_ELEMENTS = 5_000
"""Of groups that `minimise` goes through one by one."""
CHUNK = 5
Texts = Callable[[int], str]


def chunks(first: int, last: int) -> list[range]:
    return [range(start, start + CHUNK) for start in range(first, last, CHUNK)]


def name_of(seeds: range) -> str:
    return f"{seeds.start} to {seeds.stop - 1}"


@cache
def loaded(texts: Texts, seed: int) -> Model | None:
    """None where the text is no model, or needs what is not supported."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.pml"
        path.write_text(texts(seed))
        try:
            return burnside.load(path)
        except (InputError, UnsupportedError):
            return None


def explored(model: Model, reduce: str, *, engine: str = "core", most: int = MAX_STATES) -> Outcome:
    limits = Limits(states=most, seconds=MAX_SECONDS)
    self_check = "off" if reduce == "none" or engine == "reference" else "full"
    return burnside.check(
        model, reduce=reduce, engine=engine, keep_going=True, self_check=self_check, limits=limits
    )


def verdicts(found: Outcome) -> list[tuple[str, str, str]]:
    return [(each.kind, each.name, each.verdict) for each in found.properties]


# Laws: each gives what is wrong, or None


def engines_differ(model: Model) -> str | None:
    core = explored(model, "none", most=MAX_REFERENCE_STATES)
    if core.stopped != "exhausted":
        return None
    reference = explored(model, "none", engine="reference", most=MAX_REFERENCE_STATES)
    one, other = (
        (each.states, each.transitions, each.deadlocks, verdicts(each)) for each in (core, reference)
    )
    return None if one == other else f"core: {one}, reference: {other}"


def reduction_differs(model: Model) -> str | None:
    full = explored(model, "none")
    if full.stopped != "exhausted":
        return None
    group = burnside.symmetries(model)
    orbits: dict[str, int] = {}
    for method in ("auto", *CANONICAL):
        if method == "minimise" and group.order > MAX_ELEMENTS:
            continue
        try:
            found = explored(model, method)
        except RefusedError:
            continue
        one, other = (found.full_states, verdicts(found)), (full.states, verdicts(full))
        if one != other:
            return f"{method}: {one}, unreduced: {other}"
        if method in CANONICAL:
            orbits[method] = found.states
    return None if len(set(orbits.values())) <= 1 else f"orbits: {orbits}"


def problems(texts: Texts, seeds: range, law: Callable[[Model], str | None]) -> list[str]:
    found = []
    for seed in seeds:
        model = loaded(texts, seed)
        if model is not None and (problem := law(model)) is not None:
            found.append(f"seed {seed}: {problem}\n{texts(seed)}")
    return found


@pytest.mark.parametrize("seeds", chunks(0, 40), ids=name_of)
def test_both_engines_find_the_same(seeds: range) -> None:
    assert not problems(program, seeds, engines_differ)


@pytest.mark.parametrize("seeds", chunks(0, 20), ids=name_of)
def test_both_engines_find_the_same_in_symmetric_models(seeds: range) -> None:
    assert not problems(symmetric_program, seeds, engines_differ)


@pytest.mark.parametrize("seeds", chunks(0, 15), ids=name_of)
def test_reduced_searches_find_the_same(seeds: range) -> None:
    assert not problems(program, seeds, reduction_differs)


@pytest.mark.parametrize("seeds", chunks(0, 30), ids=name_of)
def test_reduced_searches_find_the_same_in_symmetric_models(seeds: range) -> None:
    assert not problems(symmetric_program, seeds, reduction_differs)


@pytest.mark.slow
@pytest.mark.parametrize("seeds", chunks(1_000, 1_500), ids=name_of)
def test_both_engines_find_the_same_in_many(seeds: range) -> None:
    assert not problems(program, seeds, engines_differ)
    assert not problems(symmetric_program, seeds, engines_differ)


@pytest.mark.slow
@pytest.mark.parametrize("seeds", chunks(1_000, 1_500), ids=name_of)
def test_reduced_searches_find_the_same_in_many(seeds: range) -> None:
    assert not problems(program, seeds, reduction_differs)
    assert not problems(symmetric_program, seeds, reduction_differs)


def test_many_symmetric_models_have_symmetries() -> None:
    """Else the laws would say little."""
    models = [model for seed in range(20) if (model := loaded(symmetric_program, seed)) is not None]
    assert sum(burnside.symmetries(each).order > 1 for each in models) >= 10
