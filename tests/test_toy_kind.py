"""A kind of model that burnside does not know, made of this file and one line: check, traces, walks, drawings and reports
work as they are.

The model: counters that are raised one at a time and may break at the top. Any two of them can be exchanged.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import burnside
import pytest
from burnside import pipeline
from burnside.cli import main
from burnside.diagnostics import ContradictionError, RefusedError
from burnside.exploration import ClaimedTrace
from burnside.kinds import KINDS, GroupFacts, Question
from burnside.languages import LANGUAGES, Language
from burnside.limits import Deadline
from burnside.model import Model
from burnside.records import record
from burnside.replay import ReplayError, replay
from burnside.report.json import outcome_record
from burnside.report.lines import plain
from burnside.report.quotients import quotient_json
from burnside.report.spaces import graph_dot
from burnside.report.text import Details, outcome_lines
from burnside.request import Request
from burnside.semantics import (
    ERROR,
    FIRST_PROPERTY,
    CheckedProperty,
    Failure,
    Judgement,
    Semantics,
    Step,
    properties_by_number,
)
from burnside.simulate import run

# The kind. A kind that is explored by the core has a `compiled` too, and one with symmetries to show a `symmetries`.


@record
class Counters:
    """`fragile`: a counter at the top fails when it is raised again; otherwise nothing happens there."""

    name: str
    count: int
    top: int
    fragile: bool = False


State = tuple[int, ...]


class CountersSemantics(Semantics[State, int, Sequence[int]]):
    actions = ("raise",)

    def __init__(self, counters: Counters, *, deadlock: bool = False) -> None:
        self.counters, self.name = counters, counters.name
        self.properties: Mapping[int, CheckedProperty] = properties_by_number(
            [CheckedProperty("goal", "all at the top")], deadlock=deadlock
        )

    def starts(self) -> list[Step[State, int]]:
        return [Step(-1, (0,) * self.counters.count)]

    def steps(self, state: State) -> Iterator[Step[State, int]]:
        for number, value in enumerate(state):
            if value < self.counters.top:
                yield Step(number, (*state[:number], value + 1, *state[number + 1 :]))
            elif self.counters.fragile:
                yield Step(number, Failure(f"counter {number} breaks"))

    def judge(self, state: State) -> Judgement:
        return Judgement(reached=(FIRST_PROPERTY,) if set(state) == {self.counters.top} else ())

    def permute(self, generator: Sequence[int], state: State) -> State:
        return tuple(state[image] for image in generator)

    def action(self, label: int) -> int | None:
        return 0

    def show_label(self, label: int) -> str:
        return f"raise({label})" if label >= 0 else "zero"

    def show_state(self, state: State) -> Mapping[str, str]:
        return {f"c{number}": str(value) for number, value in enumerate(state)}

    def show_generator(self, generator: Sequence[int]) -> str:
        return str(tuple(generator))


class CountersQuestion(Question):
    def __init__(self, model: Model, request: Request) -> None:
        assert isinstance(model.subject, Counters)
        self.model, self.counters = model, model.subject
        self._semantics = CountersSemantics(model.subject, deadlock=bool(request.deadlock))
        self.properties, self.actions = self._semantics.properties, self._semantics.actions
        order = 1 if request.reduce == "none" else 2
        self.group = GroupFacts(order=order, acting_order=order, generators=order - 1, complete=False)

    @property
    def semantics(self) -> CountersSemantics:
        return self._semantics

    def generators(self) -> list[tuple[int, ...]]:
        return [(1, 0, *range(2, self.counters.count))]


def question(model: Model, request: Request, deadline: Deadline) -> CountersQuestion:
    return CountersQuestion(model, request)


def check_built(subject: Counters) -> None:
    pass


def semantics_of(subject: Counters) -> CountersSemantics:
    return CountersSemantics(subject)


KINDS[Counters] = __name__  # the one line

# What works.

TWO, FRAGILE = Counters("two", 2, 2), Counters("fragile", 3, 1, fragile=True)


def test_a_check_explores_replays_and_reports() -> None:
    full = burnside.check(TWO, "none", engine="reference", keep_going=True)
    reduced = burnside.check(TWO, engine="reference", keep_going=True)
    assert (full.states, full.transitions, full.deadlocks) == (9, 12, 1)
    assert (reduced.states, reduced.full_states, reduced.reduction.name) == (6, 9, "minimise")
    (found,) = reduced.violations
    assert (found.kind, found.verdict) == ("goal", "violated")
    assert sorted(found.trace.actions) == ["raise(0)", "raise(0)", "raise(1)", "raise(1)"]
    lines = [plain(line) for line in outcome_lines(reduced, Details())]
    assert "  found     goal all at the top, 4 steps" in lines
    assert "  0  zero      c0 = 0, c1 = 0" in lines and "  4  raise(1)  c1: 1 -> 2" in lines
    assert outcome_record(reduced)["properties"][-1]["trace"][-1]["state"] == {"c0": "2", "c1": "2"}
    assert reduced.bounds is None and reduced.facts == {}


def test_steps_that_fail_deadlocks_and_coverage() -> None:
    outcome = burnside.check(FRAGILE, engine="reference", deadlock=True, keep_going=True, coverage=True)
    broken = next(each for each in outcome.violations if each.kind == "error")
    assert broken.message == "counter 0 breaks" and broken.trace.actions == ("raise(0)", "raise(0)")
    assert [each.kind for each in outcome.violations] == ["deadlock", "error", "goal"]
    assert outcome.coverage.violating == {"deadlock": 1, "error": 5, "all at the top": 1}


def test_false_claims_and_false_symmetries_are_caught() -> None:
    semantics = CountersSemantics(TWO)
    with pytest.raises(ReplayError, match="zero does not lead to the claimed state"):
        replay(semantics, ClaimedTrace([(-1, (1, 1))]), FIRST_PROPERTY)
    with pytest.raises(ReplayError, match=r"raise\(0\) does not fail"):
        replay(semantics, ClaimedTrace([(-1, (0, 0))], failing=0), ERROR)

    class OneSided(CountersSemantics):
        def steps(self, state: State) -> Iterator[Step[State, int]]:
            return (step for step in super().steps(state) if step.label == 0)

    from burnside.reference.explorer import explore

    with pytest.raises(ContradictionError, match="is no symmetry of this model"):
        explore(OneSided(TWO), [(1, 0)], keep_going=True, self_check="full")


def test_the_core_does_not_know_it() -> None:
    with pytest.raises(RefusedError, match="reference engine only"):
        burnside.check(TWO)


def test_walks() -> None:
    out = io.StringIO()
    walk = run(semantics_of(TWO), steps=3, seed=1, stdin=io.StringIO(), stdout=out)
    assert len(walk.history) == 4 and out.getvalue().startswith("0  zero      c0 = 0, c1 = 0\n")
    assert sum(map(int, walk.record("two")["steps"][-1]["state"].values())) == 3


def test_drawings() -> None:
    found = pipeline.quotient(pipeline.model_of(TWO), Request(), 10)
    dot = graph_dot(found.names, found.graph)
    assert "two: 6 orbits of 9 states" in dot and dot.count("peripheries=2") == 1
    assert "satisfies all at the top" in dot
    record = json.loads(quotient_json(found))
    assert record["states"][0] == {
        "id": 0,
        "marking": {"c0": "0", "c1": "0"},
        "orbit_size": 1,
        "stabiliser_order": 2,
        "initial": True,
        "deadlock": False,
        "explored": True,
        "violates": [],
        "satisfies": [],
    }
    with pytest.raises(RefusedError, match="more than 4 states"):
        pipeline.space(pipeline.model_of(TWO), Request(), 4)


def test_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def read(language: Language, path: Path, *_: object) -> Model:
        return language.model(path, Counters(path.stem, *map(int, path.read_text().split())))

    monkeypatch.setitem(LANGUAGES, "toy", Language("toy", (".toy",), read, deadlock_is_error=False))
    file, picture = tmp_path / "some.toy", tmp_path / "some.json"
    file.write_text("3 1")
    model = [str(file), "--language", "toy"]
    assert main(["check", *model, "--engine", "reference", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["language"] == "toy"
    assert main(["graph", *model, "-o", str(picture)]) == 0
    assert len(json.loads(picture.read_text())["states"]) == 6
    assert main(["simulate", *model, "--steps", "2"]) == 0
