"""One model file, one test: what the header of a B machine or Z specification expects, every engine and method must deliver.

A header holds `expect: KEY VALUE, ...` for the sizes in the file and `expect NAME=SIZE ...: KEY VALUE, ...` for others.
Lines about the same sizes add up. Of the unreduced machine are `states`, `transitions` and `deadlocks`; of every canonical
method `orbits`, `edges` (what leaves the representatives) and `dead orbits`; of the markers of Leuschel and Massart
`markers`, the states they keep (not said where that depends on the order of the search). `group` is the order of the group
of the deferred sets; `found group` and `found orbits` are those of `--symmetry auto`, where elements of enumerated sets are
found to be alike too. States after a set-up of constants count, as in ProB, but there is no artificial root; edges of
set-ups and initialisations count too.

`verdict` is `holds` unless said otherwise; a deadlock is a violation unless the header has `with: --no-deadlock`.
`goal` says whether GOAL is reached. The whole space is explored even after a violation.
`with: --assume-bounds` takes the bounds of numbers for part of the model. `sizes NAME=SIZE ...` are those of lines without
sizes, where the language has no way to say them in the model.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from burnside.checking import Check
from burnside.ir.sets.machine import Machine
from burnside.languages import load
from burnside.languages.options import ReadOptions
from burnside.limits import Deadline
from burnside.model import Model
from burnside.progress import Progress
from burnside.records import record
from burnside.request import Request
from burnside.semantics import FIRST_PROPERTY
from burnside.symmetry.elements import by_sort, element_group
from burnside.symmetry.machines import machine_symmetry

from tests.exploring import explore_machine as explore
from tests.exploring import violated_kinds

FOLDER = Path(__file__).parent.parent / "examples"
EXAMPLES = sorted(path for path in FOLDER.glob("[bz]/*") if path.suffix in (".mch", ".ref", ".tex"))
KEYS = {
    *("states", "transitions", "deadlocks", "orbits", "edges", "dead orbits"),
    *("markers", "group", "found orbits", "found group", "verdict", "goal"),
}
NEEDED = {"states", "orbits", "edges", "group"}
CANONICAL = ("search", "nauty", "compare", "minimise", "flood")
UNHURRIED = 1_000
"""The reference engine runs up to so many states at once, and up to `PATIENT` where slow tests are wanted."""
PATIENT = 20_000
LONG = 100_000
"""Beyond so many states a run of the core is marked slow."""
TOO_LONG = 1_500_000
"""Beyond so many states there is no unreduced run: the sizes of the orbits add up to them, and that must do."""
MOST_IMAGES = 5_000_000
"""Of all representatives, for methods that look at them one by one."""


@record
class Expectation:
    path: Path
    sizes: tuple[tuple[str, int], ...]
    values: dict[str, str]
    options: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join([self.path.name, *(f"{name}={size}" for name, size in self.sizes)])

    @property
    def deadlock(self) -> bool:
        return "--no-deadlock" not in self.options

    @property
    def assume_bounds(self) -> bool:
        return "--assume-bounds" in self.options

    @property
    def model(self) -> Model:
        return load(self.path, None, ReadOptions(dict(self.sizes)))

    @property
    def machine(self) -> Machine:
        found = self.model.subject
        assert isinstance(found, Machine)
        return found

    @property
    def states(self) -> int:
        return int(self.values["states"])

    @property
    def orbits(self) -> int:
        return int(self.values["orbits"])

    @property
    def group(self) -> int:
        return int(self.values["group"])

    def compare(self, found: dict[str, object]) -> None:
        wanted = {"verdict": "holds"} | self.values
        assert {key: str(value) for key, value in found.items() if key in wanted} == {
            key: value for key, value in wanted.items() if key in found
        }


def expectations(path: Path) -> list[Expectation]:
    text = path.read_text()
    options = tuple(" ".join(re.findall(r"^%?   with: (.*)$", text, re.MULTILINE)).split())
    given = " ".join(re.findall(r"^%   sizes (.*)$", text, re.MULTILINE)).split()
    default = {name: int(size) for name, size in (each.split("=") for each in given)}
    by_sizes: dict[tuple[tuple[str, int], ...], dict[str, str]] = {}
    for wanted in re.findall(r"^%?   expect\b(.*)$", text, re.MULTILINE):
        match = re.fullmatch(r"((?: \w+=\d+)*): (.*)", wanted)
        assert match, f"{path.name}: what is meant by 'expect{wanted}'?"
        chosen, line = match.groups()
        pairs = (each.split("=") for each in chosen.split())
        sizes = {**default, **{name: int(size) for name, size in pairs}}
        values = by_sizes.setdefault(tuple(sizes.items()), {})
        for entry in line.split(","):
            key, value = entry.strip().rsplit(" ", 1)
            assert key in KEYS, f"{path.name}: nothing is called {key!r}"
            assert key not in values, f"{path.name}: {key!r} is said twice"
            values[key] = value
    return [Expectation(path, sizes, values, options) for sizes, values in by_sizes.items()]


ALL = [each for path in EXAMPLES for each in expectations(path)]
COUNTED = [each for each in ALL if each.states <= TOO_LONG]


def marked(each: Expectation, states: int, most: int) -> Any:
    marks = [pytest.mark.slow] if states > most else []
    return pytest.param(each, id=str(each), marks=marks)


def by_reference(each: Expectation, *, reduced: bool, search: bool = False) -> dict[str, object]:
    machine = each.machine
    symmetry = machine_symmetry(machine, search=search)
    generators = by_sort(symmetry) if reduced else ()
    found = explore(machine, generators, deadlock=each.deadlock, assume_bounds=each.assume_bounds)
    assert found.stopped == "exhausted"
    kinds = violated_kinds(machine, found)
    violated = bool(kinds - {"goal"}) or any(number < FIRST_PROPERTY for number in found.claims)
    values: dict[str, object] = {
        "verdict": "violated" if violated else "holds",
        "goal": "reached" if "goal" in kinds else "unreached",
        "states": found.full_states,
    }
    if reduced:
        values |= {"orbits": found.states, "edges": found.transitions, "dead orbits": found.deadlocks}
        return values | {"group": element_group(symmetry).order}
    return values | {"transitions": found.transitions, "deadlocks": found.deadlocks}


def by_core(each: Expectation, method: str, symmetry: str = "declared") -> tuple[Any, dict[str, object]]:
    """What was explored, and what was made of it."""
    request = Request(
        reduce=method,
        symmetry=symmetry,
        deadlock=each.deadlock,
        keep_going=True,
        assume_bounds=each.assume_bounds,
    )
    check = Check.prepared(each.model, request, Deadline())
    found = check.explore(Progress(), Deadline())
    assert found.stopped == "exhausted"
    violated = [result for result in check.judge(found) if result.verdict == "violated"]
    goal = any(result.kind == "goal" for result in violated)
    other = any(result.kind != "goal" for result in violated)
    values: dict[str, object] = {
        "verdict": "violated" if other else "holds",
        "goal": "reached" if goal else "unreached",
        "group": check.question.group.order,
    }
    return found, values


def test_every_example_says_what_it_expects() -> None:
    assert EXAMPLES
    for path in EXAMPLES:
        found = expectations(path)
        assert found[0].sizes == () or path.suffix == ".tex", path.name
        for each in found:
            assert each.values.keys() >= NEEDED, str(each)


@pytest.mark.parametrize("reduced", [False, True], ids=["unreduced", "reduced"])
@pytest.mark.parametrize(
    "each", [marked(each, each.states, UNHURRIED) for each in ALL if each.states <= PATIENT]
)
def test_reference(each: Expectation, reduced: bool) -> None:
    each.compare(by_reference(each, reduced=reduced))


FINDING = [each for each in ALL if "found group" in each.values]


@pytest.mark.parametrize(
    "each", [marked(each, each.states, UNHURRIED) for each in FINDING if each.states <= PATIENT]
)
def test_reference_with_what_is_found(each: Expectation) -> None:
    values = by_reference(each, reduced=True, search=True)
    found = {"found orbits": values["orbits"], "found group": values["group"]}
    each.compare(found | {"states": values["states"]})


@pytest.mark.parametrize("each", [marked(each, each.states, LONG) for each in FINDING])
def test_what_is_found(each: Expectation) -> None:
    found, values = by_core(each, "search", "auto")
    counts = {"found orbits": found.states, "states": found.full_states}
    each.compare(counts | {"found group": values["group"]})


@pytest.mark.parametrize("each", [marked(each, each.states, LONG) for each in COUNTED])
def test_unreduced(each: Expectation) -> None:
    found, values = by_core(each, "none")
    counts = {"states": found.states, "transitions": found.transitions, "deadlocks": found.deadlocks}
    each.compare(values | counts | {"group": each.group})


def feasible(each: Expectation, method: str) -> bool:
    """Flooding stores every state, `minimise` tries every element of the group."""
    return method not in ("flood", "minimise") or each.orbits * each.group <= MOST_IMAGES


@pytest.mark.parametrize(
    ("each", "method"),
    [
        pytest.param(each, method, id=f"{each} by {method}")
        for each in ALL
        for method in CANONICAL
        if feasible(each, method)
    ],
)
def test_canonical(each: Expectation, method: str) -> None:
    found, values = by_core(each, method)
    counts = {"orbits": found.states, "edges": found.transitions, "dead orbits": found.deadlocks}
    each.compare(values | counts | {"states": found.full_states})


@pytest.mark.parametrize("each", [marked(each, each.states, LONG) for each in COUNTED])
def test_representative(each: Expectation) -> None:
    found, values = by_core(each, "representative")
    assert found.states >= each.orbits
    each.compare(values)


@pytest.mark.parametrize("each", ALL, ids=str)
def test_markers(each: Expectation) -> None:
    found, values = by_core(each, "marker")
    each.compare(values | {"markers": found.states})
    assert found.states == each.orbits if found.core.is_exact else found.states <= each.orbits
