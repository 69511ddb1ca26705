"""B machines with ProB's counts, where they lie beside the project.

Counted as ProB counts: one state for each valuation of the constants, no artificial root, transitions with set-ups and
initialisations, exploration goes on past violations of the invariant. Three things differ by habit and are said here:

* Where constants range over deferred sets, ProB tries only some of the valuations that are alike: those machines are
  compared by orbits.
* ProB ends a run at the first state in which an operation fails (`ENDED`). That state is not counted, its other transitions
  are. We note the error and go on, so such runs are counted again by the plain steps of the reference engine.
* What else differs is in `EXCEPTIONS`, with the reason; `docs/b-models.md` says the same at more length.
"""

from __future__ import annotations

import csv
import re
from collections import deque
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from burnside.ir.sets.machine import Machine
from burnside.model import Model
from burnside.outcome import Outcome
from burnside.pipeline import check, read
from burnside.reference.sets.machines import judge, show_label, starts, steps
from burnside.reference.sets.values import State
from burnside.request import Limits, Request

MODELS = Path(__file__).parents[3] / "shared" / "models" / "b"
ABSENT = pytest.mark.skip(reason="../shared/models/b is absent")
PAGE = Path(__file__).parents[2] / "docs" / "b-models.md"

BOUNDED = {
    "DSP0.mch": {"threshold"},
    "Exp.mch": {"x", "y"},
    "ProtocolSpec.mch": {"msg_size", "nr", "i"},
    "SeqTest2.mch": {"iv"},
    "Set.mch": {"maxel"},
    "SortByPermutation.mch": {"val"},
    "SortByPermutationPF.mch": {"a", "val"},
    "arr.mch": {"n", "index"},
}
"""Machines with names that nothing bounds, and those names. ProB takes them from MININT..MAXINT, so its counts are those
with `--assume-bounds`."""

LONG = {"Galois.mch", "LLParsingStaged.mch", "RefinementAlgorithm.mch"}
"""More than a second or two, unreduced or reduced."""

LONG_REDUCED = {"AbsInt.mch", "TLA_GraphState.mch", "TheSystem_small.mch", "Weighted_Graph_problematic.mch"}
"""More than that by all methods together; CI runs these with the slow tests."""

SYMMETRIC_CONSTANTS = {"ProtocolSpec.mch"}
ENDED = {"AssertTest.mch", "Lambda3.mch", "abort_test.mch"}
HUGE = "Bank3D.mch"

EXCEPTIONS: dict[str, tuple[int | None, int | None, str]] = {
    "Bank3D.mch": (None, None, "ProB's run ended early"),
    "ImpAckProtocol.mch": (1228, 2284, "ProB's run ended early"),
    "Lambda.mch": (6, 31, "ProB's run ended early"),
    "Lambda2.mch": (19, 326, "ProB's run ended early"),
    "MinOfEmptySet.mch": (32, 216, "ProB's run ended early"),
    "Railway0.mch": (239, 5026, "ProB's run ended early"),
    "UndefinedFunction.mch": (6, 8, "what is undefined has any value"),
}
"""Our states and transitions, and why ProB's are others. Verdicts on deadlock and invariant are the same for all."""

STATELESS = {"CAR_CLASS.mch", "Proof.mch", "ROOM_CLASS.mch"}
"""Machines with deferred sets of which no state speaks: there is nothing to permute."""

CANONICAL = ("search", "nauty", "compare", "minimise", "flood")
SMALL = 1_000
"""States of machines that all canonical methods are tried on."""
FEW = 10_000
"""Elements of the group, there."""


def table() -> dict[str, dict[str, str]]:
    path = MODELS / "expected.csv"
    if not path.exists():
        return {}
    with path.open(newline="") as file:
        return {row["model"]: row for row in csv.DictReader(file)}


ROWS = table()
COUNTED = [name for name in ROWS if name not in {*EXCEPTIONS, *ENDED, *SYMMETRIC_CONSTANTS}]


def each(names: Any, long: Any = frozenset(LONG)) -> list[Any]:
    if not ROWS:
        return [pytest.param("", marks=ABSENT)]
    return [pytest.param(name, marks=[pytest.mark.slow] if name in long else []) for name in names]


@cache
def load(name: str) -> Model:
    return read(MODELS / name)


def machine(name: str) -> Machine:
    subject = load(name).subject
    assert isinstance(subject, Machine)
    return subject


@cache
def explored(name: str, reduce: str = "none", symmetry: str = "auto") -> Outcome:
    bounded = name in BOUNDED
    request = Request(reduce=reduce, symmetry=symmetry, keep_going=True, assume_bounds=bounded)
    outcome = check(load(name), request)
    assert outcome.stopped == "exhausted"
    assert {each.name for each in outcome.cut_domains} == BOUNDED.get(name, set())
    return outcome


def verdicts(outcome: Outcome) -> tuple[bool, bool]:
    """Is there a deadlock, is the invariant violated?"""
    broken = any(each.kind == "invariant" and each.verdict == "violated" for each in outcome.properties)
    return outcome.deadlocks > 0, broken


def expected(name: str) -> tuple[int, int, bool, bool]:
    row = ROWS[name]
    dead, broken = row["deadlock"] == "true", row["invariant_violated"] == "true"
    return int(row["states"]), int(row["transitions"]), dead, broken


def test_nothing_is_left_out() -> None:
    if not ROWS:
        pytest.skip("../shared/models/b is absent")
    assert len(ROWS) == 172
    assert {path.name for path in MODELS.glob("*.mch")} == set(ROWS)
    assert set(ROWS) >= {*EXCEPTIONS, *ENDED, *SYMMETRIC_CONSTANTS}
    assert len(EXCEPTIONS) <= 7


@pytest.mark.parametrize("name", each(COUNTED))
def test_unreduced(name: str) -> None:
    outcome = explored(name)
    assert (outcome.states, outcome.transitions, *verdicts(outcome)) == expected(name)


@pytest.mark.parametrize("engine", ["core", "reference"])
@pytest.mark.parametrize("name", each(sorted(BOUNDED)))
def test_bounded(name: str, engine: str) -> None:
    """Without the assumption, nothing holds."""
    limits = Limits(states=100) if engine == "reference" else Limits()
    outcome = check(load(name), Request(keep_going=True, engine=engine, limits=limits))
    assert outcome.stopped in ("bounded", "max-states") and outcome.full_states is None
    assert {each.verdict for each in outcome.properties} <= {"unknown", "violated"}
    assert {each.name for each in outcome.cut_domains} <= BOUNDED[name]
    assert all(each.line and each.column and each.file.endswith(name) for each in outcome.cut_domains)
    if outcome.stopped == "bounded":
        assert {each.name for each in outcome.cut_domains} == BOUNDED[name]


@pytest.mark.parametrize("name", each(sorted(SYMMETRIC_CONSTANTS)))
def test_set_ups_that_are_alike(name: str) -> None:
    """Every state has one other that is alike; ProB explores one of each two."""
    full, reduced = explored(name), explored(name, "search", "declared")
    states, transitions, *found = expected(name)
    assert (full.states, full.transitions, list(verdicts(full))) == (2 * states, 2 * transitions, found)
    assert (reduced.states, reduced.full_states) == (states, full.states)


# Runs that end where an operation fails


def succeed(subject: Machine, state: State) -> list[State]:
    return [step.result for step in steps(subject, state) if isinstance(step.result, tuple)]


def fails(subject: Machine, state: State) -> bool:
    return len(succeed(subject, state)) < len(steps(subject, state))


def until_failure(subject: Machine) -> tuple[int, int, bool, bool]:
    """States, transitions and verdicts of a run, breadth first, that ends at the first state in which an operation fails."""
    first = [step.result for step in starts(subject)]
    assert all(isinstance(state, tuple) for state in first)
    waiting = deque(state for state in dict.fromkeys(first) if isinstance(state, tuple))
    seen, counted, transitions, dead, broken = set(waiting), 0, len(first), False, False
    while waiting:
        state = waiting.popleft()
        following = succeed(subject, state)
        transitions += len(following)
        dead |= not following
        broken |= bool(judge(subject, state).violated)
        if fails(subject, state):
            return counted, transitions, dead, broken
        counted += 1
        waiting.extend(state for state in dict.fromkeys(following) if state not in seen)
        seen.update(following)
    raise AssertionError("no operation fails")


@pytest.mark.parametrize("name", each(sorted(ENDED)))
def test_up_to_the_error(name: str) -> None:
    assert until_failure(machine(name)) == expected(name)
    outcome = explored(name)
    assert [each.kind for each in outcome.violations if each.kind != "deadlock"] == ["error"]


# Exceptions


@pytest.mark.parametrize("name", each(name for name in EXCEPTIONS if name != HUGE))
def test_exceptions(name: str) -> None:
    """Our counts are pinned; the verdicts are ProB's. Where it found a failing operation, we report one."""
    states, transitions, _ = EXCEPTIONS[name]
    outcome = explored(name)
    assert (outcome.states, outcome.transitions) == (states, transitions)
    assert expected(name)[:2] != (states, transitions)
    assert verdicts(outcome) == expected(name)[2:]
    erring = any(each.kind == "error" for each in outcome.violations)
    assert erring == (name in {"Lambda.mch", "Lambda2.mch", "MinOfEmptySet.mch"})


def test_bank_is_much_larger() -> None:
    if not ROWS:
        pytest.skip("../shared/models/b is absent")
    outcome = check(load(HUGE), Request(reduce="none", keep_going=True, limits=Limits(states=50_000)))
    assert (outcome.stopped, outcome.states, outcome.violations) == ("max-states", 50_000, [])
    assert expected(HUGE)[0] < 50_000


WITNESSES = {
    "Lambda.mch": (("", "test", "test swap"), "test swap Tester", 1),
    "Lambda2.mch": (("", "define_pf"), "define_pf2", 1),
}
"""A run of ProB's: the states that it left behind, the state at which it ended, and how many values it took there for the
application of a relation that has several."""


def after(subject: Machine, labels: str) -> State:
    (state,) = (step.result for step in starts(subject))
    assert isinstance(state, tuple)
    for name in [*(["INITIALISATION"] if subject.constants else ()), *labels.split()]:
        state = next(
            step.result
            for step in steps(subject, state)
            if show_label(subject, step.label) == name and isinstance(step.result, tuple)
        )
    return state


@pytest.mark.parametrize("name", each(WITNESSES))
def test_runs_that_end_at_several_values(name: str) -> None:
    """ProB does not mind `pf(x)` where pf is empty, and ends its run where pf(x) has several values."""
    left, end, taken = WITNESSES[name]
    subject, set_up = machine(name), len(machine(name).constants)
    states = [after(subject, labels) for labels in left]
    last = after(subject, end)
    counted = len(set(states)) + set_up
    transitions = 1 + set_up + sum(len(succeed(subject, state)) for state in (*states, last)) + taken
    assert last not in states and fails(subject, last)
    assert (counted, transitions) == expected(name)[:2]


def test_railway_ends_after_the_set_up() -> None:
    """Twenty transitions leave the first initialised state, where the guard of TrainLeaveCdvA applies occp outside of its
    domain: for us the operation is not possible there, for ProB it is an error."""
    if not ROWS:
        pytest.skip("../shared/models/b is absent")
    subject = machine("Railway0.mch")
    (set_up,) = (step.result for step in starts(subject))
    assert isinstance(set_up, tuple)
    first = succeed(subject, set_up)
    ways_on = [len(succeed(subject, state)) for state in first]
    assert 20 in ways_on
    assert (1, 1 + len(first) + 20) == expected("Railway0.mch")[:2]


def test_undefined_guards_written_out(tmp_path: Path) -> None:
    """ProB's counts are those of the machine in which `f(yy)` without a value is any value: then `f(yy) = iv` can be true,
    and so can `f(yy) /= iv`. For us an operation whose guard is undefined is not possible."""
    if not ROWS:
        pytest.skip("../shared/models/b is absent")
    text = (MODELS / "UndefinedFunction.mch").read_text()
    for guard in ("not(f(yy)=iv)", "f(yy)=iv"):
        assert f"& {guard} " in text
        text = text.replace(f"& {guard} ", f"& (yy /: dom(f) or (card(f[{{yy}}]) = 1 & {guard})) ")
    path = tmp_path / "UndefinedFunction.mch"
    path.write_text(text)
    outcome = check(read(path), Request(reduce="none", keep_going=True))
    assert (outcome.states, outcome.transitions, *verdicts(outcome)) == expected(path.name)


def test_acknowledgements_as_their_author_counted(tmp_path: Path) -> None:
    """The machine says: 271 nodes under symmetry with messages up to 5. That is one for each orbit, and ProB's root."""
    if not ROWS:
        pytest.skip("../shared/models/b is absent")
    text = (MODELS / "ImpAckProtocol.mch").read_text()
    noted = re.search(r"MSG_SIZE = 5 and 3 devices:\s+942 nodes; with symmetry markers (\d+)", text)
    assert noted and "MSG_SIZE == 4" in text
    path = tmp_path / "ImpAckProtocol.mch"
    path.write_text(text.replace("MSG_SIZE == 4", "MSG_SIZE == 5"))
    outcome = check(read(path), Request(reduce="search", symmetry="declared", keep_going=True))
    assert outcome.states + 1 == int(noted[1])


def test_the_page_lists_the_exceptions() -> None:
    rows = re.findall(r"^\| `(\w+)` \|.*?\| ([\d,]+) / ([\d,]+) \| (.*?) \|$", PAGE.read_text(), re.MULTILINE)
    listed = {f"{name}.mch": (states, transitions) for name, states, transitions, _ in rows}
    exact = {name: (f"{s:,}", f"{t:,}") for name, (s, t, _) in EXCEPTIONS.items() if s is not None}
    assert {name: counts for name, counts in listed.items() if name in EXCEPTIONS} == exact
    assert all(f"`{name.removesuffix('.mch')}`" in PAGE.read_text() for name in {*EXCEPTIONS, *ENDED})


# Symmetries


@pytest.mark.parametrize("symmetry", ["declared", "auto"])
@pytest.mark.parametrize("name", each((name for name in ROWS if name != HUGE), LONG | LONG_REDUCED))
def test_reduced(name: str, symmetry: str) -> None:
    """Orbits add up to all states, and say the same of each claim."""
    full, reduced = explored(name), explored(name, "search", symmetry)
    assert reduced.full_states == full.states
    assert verdicts(reduced) == verdicts(full)
    assert [(each.name, each.verdict) for each in reduced.properties] == [
        (each.name, each.verdict) for each in full.properties
    ]
    if int(ROWS[name]["deferred_sets"]) and name not in STATELESS:
        assert reduced.reduction.group_order > 1


@pytest.mark.parametrize(
    "name", each((name for name in ROWS if name not in LONG and name != HUGE), LONG_REDUCED)
)
def test_canonical(name: str) -> None:
    orbits = explored(name, "search")
    small = explored(name).states <= SMALL and 1 < orbits.reduction.group_order <= FEW
    if not small:
        pytest.skip("no symmetry, or too large for methods that look at everything")
    for method in CANONICAL:
        # nauty finds forms under all permutations that keep the sets, which may be more than were found.
        symmetry = "declared" if method == "nauty" else "auto"
        outcome, wanted = explored(name, method, symmetry), explored(name, "search", symmetry)
        assert (method, outcome.states, outcome.full_states) == (method, wanted.states, wanted.full_states)
        assert (method, verdicts(outcome)) == (method, verdicts(wanted))
