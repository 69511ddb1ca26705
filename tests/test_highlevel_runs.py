"""Runs of high-level nets on both routes: the same traces in the user's names, in every format; lassos; walks; the
self-check."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import burnside
import pytest
from burnside import _core
from burnside.cli import main
from burnside.diagnostics import ContradictionError, RefusedError
from burnside.outcome import Outcome, Trace

ROOT = Path(__file__).parent.parent
PHILOSOPHERS = ROOT / "examples" / "hln" / "philosophers.hln"
ROUTES = {"direct": False, "unfolded": True}
METHODS = ("none", "search", "minimise", "compare", "flood", "representative")

WORKERS = """
type Proc = unordered {a, b}
place idle: Proc = all
place busy, done: Proc
var p: Proc
transition start(p)
  in  idle: p
  out busy: p
transition stop(p)
  in  busy: p
  out idle: p
transition finish(p)
  in  busy: p
  out done: p
"""


@pytest.fixture
def workers(tmp_path: Path) -> Path:
    path = tmp_path / "workers.hln"
    path.write_text(WORKERS)
    return path


def trace_of(found: Outcome, name: str) -> Trace:
    (chosen,) = (each for each in found.properties if name in each.name)
    assert chosen.verdict == "violated" and chosen.trace is not None
    return chosen.trace


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("route", ROUTES)
def test_shortest_traces(route: str, method: str) -> None:
    found = burnside.check(
        PHILOSOPHERS,
        reduce=method,
        unfold=ROUTES[route],
        deadlock=True,
        goals="eating has 3",
        keep_going=True,
    )
    eating = trace_of(found, "eating has 3")
    assert [each.action for each in eating.steps] == [None, "take_left(p=3)", "take_right(p=3)"]
    assert dict(eating.steps[-1].state) == {
        "thinking": "1 + 2 + 4 + 5 + 6", "fork": "1 + 2 + 5 + 6", "has_left": "{}", "eating": "3"
    }  # fmt: skip
    dead = trace_of(found, "deadlock")
    assert len(dead.steps) == 7
    assert {each.action for each in dead.steps[1:]} == {f"take_left(p={p})" for p in range(1, 7)}


FORMULAS = {
    "F {size(done) = 2}": ("weak", 2, 2),
    "G {size(busy) < 2}": (None, 2, 0),
    "F {done has a}": (None, 1, 2),
    "G (enabled(stop(p = b)) -> F [finish(b)])": (None, 2, 2),
    "forall p: Proc . F {done has p}": (None, 1, 2),
}
"""Assumed fairness, steps to the loop, and of the loop, at most."""


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize("method", ["none", "auto", "search"])
def test_lassos(formula: str, method: str, workers: Path) -> None:
    fair, begin, loop = FORMULAS[formula]
    options: dict[str, Any] = {} if fair is None else {"fair": fair}
    lengths = set()
    for unfold in ROUTES.values():
        found = burnside.check(workers, reduce=method, unfold=unfold, deadlock=False, ltl=formula, **options)
        trace = trace_of(found, formula)
        names = {each.action for each in trace.steps[1:]}
        assert names <= {f"{name}(p={p})" for name in ("start", "stop", "finish") for p in "ab"}
        assert all(set(each.state) == {"idle", "busy", "done"} for each in trace.steps)
        lengths.add((len(trace.steps) - 1, trace.loop_start))
    assert len(lengths) == 1
    ((steps, _),) = lengths
    assert steps <= begin + loop


@pytest.mark.parametrize("suffix", ["json", "txt", "dot"])
def test_files_are_the_same_on_both_routes(
    suffix: str, workers: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = []
    for option in ("--unfold", "--no-unfold"):
        path = workers.with_suffix(f".{suffix}")
        asked = ["check", str(workers), option, "--find", "busy has b", "--ltl", "F {size(done) = 2}"]
        assert main([*asked, "--fair", "weak", "--deadlock", "--trace", str(path), "--keep-going"]) == 1
        texts.append(path.read_text())
        path.unlink()
    assert texts[0] == texts[1]
    for name in ("start(p=b)", "finish(p="):
        assert name in texts[0]
    if suffix == "json":
        kinds = {each["kind"] for each in json.loads(texts[0])["traces"]}
        assert kinds == {"goal", "deadlock", "ltl"}


def test_a_walk_tells_what_is_taken_and_added(workers: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", str(workers), "--steps", "12", "--seed", "1"]) == 0
    shown = capsys.readouterr().out
    assert "absent" not in shown
    assert "  idle - a, busy + a\n" in shown and "  busy - a, done + a\n" in shown
    assert "start(p=" in shown


FALSE = """
type P = unordered {{a, b}}
place x: P = all
place y: P
{}
"""
ONLY_ONE = "transition only in x: a out y: a"
FALSE_NETS = {
    "successor": (ONLY_ONE, "only leads to a successor of the state that nothing leads to from its image"),
    "verdict": (
        'transition t(p: P) in x: p out y: p\ninvariant "not a": not y has a',
        "not a is violated or reached in",
    ),
}


def wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every net's first two elements are believed to be alike."""

    def group(symmetry: Any) -> _core.ElementGroup:
        points = sum(each.size for each in symmetry.sorts)
        return _core.ElementGroup(points, [[1, 0, *range(2, points)]], whole=True)

    monkeypatch.setattr("burnside.kinds.highlevel.element_group", group)


@pytest.mark.parametrize("kind", FALSE_NETS)
@pytest.mark.parametrize("options", [(), ("--reduce", "nauty"), ("--reduce", "marker")], ids=" ".join)
def test_a_false_symmetry(
    kind: str,
    options: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    text, expected = FALSE_NETS[kind]
    path = tmp_path / "false.hln"
    path.write_text(FALSE.format(text))
    wrong(monkeypatch)
    asked = ["check", str(path), "--no-unfold", "--no-deadlock", "--keep-going", "--self-check", "full"]
    assert main([*asked, *options]) == 4
    out, said = capsys.readouterr()
    assert out == ""
    assert "the self-check found a contradiction: (a b) is no" in said
    assert expected in said


def test_a_false_symmetry_is_none_of_the_unfolded_net(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What gets around certification is certified again there."""
    from burnside.symmetry.highlevel import highlevel_symmetry

    path = tmp_path / "false.hln"
    path.write_text(FALSE.format("transition t(p: P) in x: p out y: p"))
    true = highlevel_symmetry(burnside.load(path).subject)
    assert len(true.generators) == 1
    path.write_text(FALSE.format(ONLY_ONE))
    monkeypatch.setattr("burnside.kinds.highlevel.highlevel_symmetry", lambda *_, **__: true)
    with pytest.raises(ContradictionError, match="is no symmetry of the unfolded net"):
        burnside.check(path, unfold=True)


UNFIT = {
    "nauty": ({"reduce": "nauty"}, "nauty needs all automorphisms"),
    "markers": ({"reduce": "marker"}, "markers compare values of tokens"),
    "rounds": ({"reduce": "compare", "rounds": 2}, "markers compare values of tokens"),
    "tree": ({"reduce": "representative", "guide": "tree"}, "it looks at values of tokens"),
}


@pytest.mark.parametrize("kind", UNFIT)
def test_methods_that_are_not_for_unfolded_nets(kind: str) -> None:
    options, why = UNFIT[kind]
    found = burnside.check(PHILOSOPHERS, **options)  # type: ignore[arg-type]
    assert found.route is not None
    assert found.route["name"] == "direct"
    assert why in str(found.route["reason"])
    with pytest.raises(RefusedError, match=why):
        burnside.check(PHILOSOPHERS, unfold=True, **options)  # type: ignore[arg-type]


def test_nauty_finds_all_automorphisms_of_an_unfolded_net() -> None:
    found = burnside.check(PHILOSOPHERS, reduce="nauty", automorphisms=True)
    assert found.states == burnside.check(PHILOSOPHERS, reduce="search", automorphisms=True).states
