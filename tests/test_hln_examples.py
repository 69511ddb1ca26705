"""One model file, one test: what the header of an extended well-formed net expects, the reference engine and the core must
deliver, the core on both routes and by every method.

A header holds `expect: KEY VALUE, ...` for the sizes in the file and `expect NAME=SIZE ...: KEY VALUE, ...` for others. Of
the unreduced net are `states`, `transitions` and `deadlocks`; of every canonical method `orbits`, `edges` (instances that
are enabled in the representatives) and `dead orbits`. `group` is the order of the group of the declared types that keeps
the initial marking. `verdict` is `holds` unless said otherwise, `goal` says whether a goal of the net is reached. The whole
space is explored even after a violation.

Twins are the same system in another language: as a net of the families, or in Murphi.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest
from burnside.families import build
from burnside.ir.highlevel.net import HighLevelNet, Marking
from burnside.ir.highlevel.values import SortImages
from burnside.ir.types import Sort
from burnside.kinds.highlevel.semantics import HighLevelSemantics
from burnside.languages import load
from burnside.languages.options import ReadOptions
from burnside.model import Model
from burnside.outcome import Outcome
from burnside.pipeline import check, read
from burnside.records import record
from burnside.reference.highlevel.firing import enabled, fire, initial_marking
from burnside.request import Request
from burnside.unfolding import unfold

EXAMPLES = Path(__file__).parents[1] / "examples"
SHARED = Path(__file__).parents[2] / "shared" / "models" / "pnml"
FILES = sorted((EXAMPLES / "hln").glob("*.hln"))
KEYS = {
    "states", "transitions", "deadlocks", "orbits", "edges", "dead orbits", "group", "verdict", "goal"
}  # fmt: skip
NEEDED = {"states", "orbits", "edges", "group"}
FEW, MANY = 160, 1_200
"""Up to so many states the reference engine runs at once, and where slow tests are wanted."""
MAX_GROUP = 720


@record
class Expectation:
    path: Path
    sizes: tuple[tuple[str, int], ...]
    values: dict[str, str]

    def __str__(self) -> str:
        return " ".join([self.path.stem, *(f"{name}={size}" for name, size in self.sizes)])

    def number(self, key: str) -> int:
        return int(self.values[key])

    @property
    def model(self) -> Model:
        return load(self.path, None, ReadOptions(dict(self.sizes)))

    @property
    def net(self) -> HighLevelNet:
        found = self.model.subject
        assert isinstance(found, HighLevelNet)
        return found

    def compare(self, found: dict[str, object]) -> None:
        wanted = {"verdict": "holds"} | self.values
        assert {key: str(value) for key, value in found.items() if key in wanted} == {
            key: value for key, value in wanted.items() if key in found
        }


def expectations(path: Path) -> list[Expectation]:
    by_sizes: dict[tuple[tuple[str, int], ...], dict[str, str]] = {}
    for wanted in re.findall(r"^-- expect\b(.*)$", path.read_text(), re.MULTILINE):
        match = re.fullmatch(r"((?: \w+=\d+)*): (.*)", wanted)
        assert match, f"{path.name}: what is meant by 'expect{wanted}'?"
        chosen, line = match.groups()
        pairs = (each.split("=") for each in chosen.split())
        values = by_sizes.setdefault(tuple((name, int(size)) for name, size in pairs), {})
        for entry in line.split(","):
            key, value = entry.strip().rsplit(" ", 1)
            assert key in KEYS, f"{path.name}: nothing is called {key!r}"
            assert key not in values, f"{path.name}: {key!r} is said twice"
            values[key] = value
    return [Expectation(path, sizes, values) for sizes, values in by_sizes.items()]


ALL = [each for path in FILES for each in expectations(path)]


def marked(each: Expectation) -> Any:
    marks = [pytest.mark.slow] if each.number("states") > FEW else []
    return pytest.param(each, id=str(each), marks=marks)


EXPLORED = [marked(each) for each in ALL if each.number("states") <= MANY]


def test_every_example_says_what_it_expects() -> None:
    assert FILES
    for path in FILES:
        found = expectations(path)
        assert () in {each.sizes for each in found}, path.name
        for each in found:
            assert each.values.keys() >= NEEDED, str(each)


@pytest.mark.parametrize("each", EXPLORED)
def test_unreduced(each: Expectation) -> None:
    found = check(each.model, Request(engine="reference", reduce="none", keep_going=True))
    goals = [one.verdict == "violated" for one in found.properties if one.kind == "goal"]
    violated = any(one.verdict == "violated" for one in found.properties if one.kind != "goal")
    each.compare(
        {
            "states": found.states,
            "transitions": found.transitions,
            "deadlocks": found.deadlocks,
            "verdict": "violated" if violated else "holds",
            **({"goal": "reached" if any(goals) else "unreached"} if "goal" in each.values else {}),
        }
    )


def group(semantics: HighLevelSemantics, sorts: tuple[Sort, ...]) -> Iterator[SortImages]:
    """All permutations that the sorts promise and that keep the initial marking."""
    start = initial_marking(semantics.net)
    choices = []
    for sort in sorts:
        places = range(sort.size)
        if sort.symmetry == "full":
            choices.append([{sort.name: each} for each in permutations(places)])
        elif sort.symmetry == "cyclic":
            choices.append([{sort.name: tuple((at + k) % sort.size for at in places)} for k in places])
    for chosen in product(*choices):
        images = {name: each for one in chosen for name, each in one.items()}
        if semantics.permute(images, start) == start:
            yield images


@pytest.mark.parametrize("each", [each for each in EXPLORED if each.values[0].number("group") <= MAX_GROUP])
def test_orbits(each: Expectation) -> None:
    """By writing out every orbit."""
    net = each.net
    semantics = HighLevelSemantics(net)
    images = list(group(semantics, net.sorts))
    edges: dict[Marking, int] = {}
    waiting = [initial_marking(net)]
    while waiting:
        marking = waiting.pop()
        if marking not in edges:
            after = [fire(net, marking, each) for each in enabled(net, marking)]
            edges[marking] = len(after)
            waiting += after
    orbits = {frozenset(semantics.permute(one, marking) for one in images) for marking in edges}
    of_orbits = [{edges[marking] for marking in orbit} for orbit in orbits]
    assert all(len(each) == 1 for each in of_orbits)
    each.compare(
        {
            "orbits": len(orbits),
            "edges": sum(next(iter(one)) for one in of_orbits),
            "dead orbits": sum(0 in one for one in of_orbits),
            "group": len(images),
            "states": len(edges),
        }
    )


ROUTES = {"direct": False, "unfolded": True}
ENDLESS = {"lock_server"}
"""Lists in channels: whatever their length, a value that can be there has a place in an unfolding."""
CANONICAL = ("search", "nauty", "compare", "minimise", "flood")
SOUND = ("representative", "marker")
MOST_EXPLORED, MOST_FLOODED, MOST_COMPARED = 300_000, 20_000, 500
LONG = 6_000
"""Markings, or orbits, that take a second or two by all methods together."""


def routes(found: list[Expectation]) -> list[Any]:
    return [
        pytest.param(
            each,
            route,
            id=f"{each} {route}",
            marks=[pytest.mark.slow]
            if min(each.number("states"), LONG * each.number("orbits")) > LONG
            else [],
        )
        for each in found
        for route in ROUTES
        if route == "direct" or each.path.stem not in ENDLESS
    ]


def explored(each: Expectation, route: str, method: str) -> Outcome:
    request = Request(reduce=method, unfold=ROUTES[route], deadlock=False, keep_going=True)
    found = check(each.model, request)
    assert found.stopped == "exhausted"
    assert found.route is not None and found.route["name"] == route
    return found


def claims(found: Outcome) -> dict[str, object]:
    goals = [one.verdict == "violated" for one in found.properties if one.kind == "goal"]
    violated = any(one.verdict == "violated" for one in found.properties if one.kind != "goal")
    return {
        "verdict": "violated" if violated else "holds",
        **({"goal": "reached" if any(goals) else "unreached"} if goals else {}),
    }


def lengths(found: Outcome) -> list[int | None]:
    return [None if each.trace is None else len(each.trace.steps) for each in found.properties]


@pytest.mark.parametrize(("each", "route"), routes([e for e in ALL if e.number("states") <= MOST_EXPLORED]))
def test_unreduced_by_the_core(each: Expectation, route: str) -> None:
    found = explored(each, route, "none")
    each.compare(counted(found) | claims(found))
    assert lengths(found) == lengths(explored(each, route, "search"))


def may_be_asked(each: Expectation, route: str, method: str) -> bool:
    """The rest is refused, or tries every element or marking of large groups and orbits."""
    match method:
        case "nauty":
            return route == "direct"
        case "minimise":
            return each.number("group") <= MAX_GROUP
        case "flood":
            return each.number("states") <= MOST_FLOODED
        case "compare":
            return route == "direct" or each.number("orbits") <= MOST_COMPARED
    return True


@pytest.mark.parametrize(("each", "route"), routes(ALL))
def test_orbits_by_the_core(each: Expectation, route: str) -> None:
    for method in CANONICAL:
        if not may_be_asked(each, route, method):
            continue
        found = explored(each, route, method)
        assert found.reduction.group_order == each.number("group")
        each.compare(
            {
                "orbits": found.states,
                "edges": found.transitions,
                "dead orbits": found.deadlocks,
                "states": found.full_states,
                **claims(found),
            }
        )


@pytest.mark.parametrize(("each", "route"), routes([e for e in ALL if e.number("states") <= MOST_EXPLORED]))
def test_other_methods_by_the_core(each: Expectation, route: str) -> None:
    """`representative` has at least a marking of each orbit, markers at most one."""
    orbits, states = each.number("orbits"), each.number("states")
    found = explored(each, route, "representative")
    assert orbits <= found.states <= states
    assert found.transitions >= each.number("edges")
    each.compare(claims(found))
    if route == "direct":
        assert explored(each, route, "marker").states <= orbits


def test_railroad_under_the_whole_group() -> None:
    """Twelve permutations of trains and sections, ten of which move the initial marking: of the unfolded net."""
    net = expectations(EXAMPLES / "hln" / "railroad.hln")[0].net
    for model in (
        Model(unfold(net).net, "railroad", "pnml"),
        Model(build("railroad", []), "railroad", "pnml"),
    ):
        found = check(model, Request(fixing=(), deadlock=False, reduce="search"))
        assert (found.states, found.transitions) == (2, 3)
        assert found.reduction.group_order == 12


TWINS: dict[str, tuple[str, dict[str, int]]] = {
    "railroad": ("railroad", {}),
    "database": ("db {Site}", {"Site": 4}),
    "philosophers": ("ph {Phil}", {"Phil": 6}),
    "graphs": ("graphs {Vertex}", {"Vertex": 5}),
    "digraphs": ("digraphs {Vertex}", {"Vertex": 3}),
    "lamport": ("lamport.m N={Pid}", {"Pid": 2}),
}
"""What is compared, with the sizes of the files."""
TOO_LONG = 300_000


def slow_if_large(each: Expectation) -> Any:
    marks = [pytest.mark.slow] if each.number("orbits") > LONG or each.number("states") > TOO_LONG else []
    return pytest.param(each, id=str(each), marks=marks)


def twin(each: Expectation) -> Model:
    pattern, sizes = TWINS[each.path.stem]
    name, *sizes_of_twin = pattern.format(**{**sizes, **dict(each.sizes)}).split()
    if name.endswith(".m"):
        pairs = (size.split("=") for size in sizes_of_twin)
        return read(EXAMPLES / "murphi" / name, options=ReadOptions({key: int(size) for key, size in pairs}))
    return Model(build(name, sizes_of_twin), name, "pnml")


def counted(found: Outcome) -> dict[str, object]:
    return {"states": found.states, "transitions": found.transitions, "deadlocks": found.deadlocks}


@pytest.mark.parametrize("each", [slow_if_large(each) for each in ALL if each.path.stem in TWINS])
def test_twins(each: Expectation) -> None:
    """Larger nets too: the core explores both."""
    model = twin(each)
    if each.number("states") <= TOO_LONG:
        each.compare(counted(check(model, Request(reduce="none", deadlock=False, keep_going=True))))
    found = check(model, Request(reduce="search", deadlock=False, keep_going=True))
    order = found.reduction.group_order
    assert order is not None and order % each.number("group") == 0  # an unfolded net may have more symmetries
    each.compare(
        {
            "orbits": found.states,
            "edges": found.transitions,
            "dead orbits": found.deadlocks,
            "states": found.full_states,
        }
    )


@pytest.mark.skipif(not SHARED.exists(), reason="the models of the contest are not here")
@pytest.mark.parametrize("pid", [2, 3])
def test_lamport_is_that_of_the_contest(pid: int) -> None:
    sizes = {2: (), 3: (("Pid", 3),)}
    expected = next(each for each in ALL if each.path.stem == "lamport" and each.sizes == sizes[pid])
    rows = (SHARED / "expected.csv").read_text().splitlines()
    row = next(each.split(",") for each in rows if each.startswith(f"LamportFastMutEx-PT-{pid},"))
    expected.compare({"states": row[2], "transitions": row[3]})


def test_the_symmetric_net_in_pnml_is_the_same_net_too() -> None:
    """`philosophers.pnml`: its sort promises nothing, and the rotations are found."""
    coloured = check(read(EXAMPLES / "hln" / "philosophers.pnml"), Request())
    as_text = check(load(EXAMPLES / "hln" / "philosophers.hln", None, ReadOptions({"Phil": 5})), Request())
    for found in (coloured, as_text):
        assert (found.states, found.full_states, found.transitions) == (18, 82, 57)
        assert found.reduction.group_order == 5
