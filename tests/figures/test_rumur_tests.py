"""rumur's own language tests, where they lie beside the project: is every model accepted or rejected, and judged, as its
header says?

A header is a line of comment for each thing said: `rumur_exit_code: 1`, the model is wrong; `checker_exit_code: 1`, it is
violated; `rumur_flags`, options of rumur, of which the three kinds of deadlock detection have a meaning here;
`checker_output`, a pattern of what is printed. docs/rumur-tests.md lists the tests that fail, and why. That page is exactly
right: a test that passes must not be on it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from burnside.diagnostics import BurnsideError, InputError
from burnside.ir.program import Program
from burnside.model import Model
from burnside.outcome import Outcome, PropertyResult
from burnside.pipeline import check, read
from burnside.records import replace
from burnside.request import Request

TESTS = Path(__file__).parents[3] / "shared" / "models" / "murphi" / "rumur-tests"
PAGE = Path(__file__).parents[2] / "docs" / "rumur-tests.md"
HERE = sorted(TESTS.glob("*.m")) if TESTS.exists() else []
ABSENT = pytest.mark.skip(reason="../shared/models/murphi/rumur-tests is absent")
WAYS: tuple[dict[str, Any], ...] = ({}, {"reduce": "none"}, {"engine": "reference"})


def listed(heading: str) -> set[str]:
    """The names in the first column of the table under a heading of the page."""
    (section,) = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    names = [
        name
        for row in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
        for name in re.findall(r"`(.*?)`", row)
    ]
    assert len(names) == len(set(names)), "a test is listed twice"
    return set(names)


NOT_MET = listed("Verdicts that differ")
NOT_COMPARED = listed("Output that is not compared")


def each() -> list[Any]:
    found = [pytest.param(path, id=path.stem) for path in HERE]
    return found or [pytest.param(Path(), marks=ABSENT)]


def said(path: Path, key: str) -> str | None:
    found = re.search(rf"^ *-- {key}: (.*)$", path.read_text(), re.MULTILINE)
    return None if found is None else found[1].strip()


def deadlock_detection(path: Path) -> str:
    found = re.search(r"'--deadlock-detection', '(\w+)'", said(path, "rumur_flags") or "")
    return "stuttering" if found is None else found[1]


def load(path: Path) -> Model:
    model = read(path)
    assert isinstance(model.subject, Program)
    return replace(model, subject=replace(model.subject, stuttering=deadlock_detection(path) != "stuck"))


def run(path: Path, **options: Any) -> Outcome:
    return check(load(path), Request(deadlock=deadlock_detection(path) != "off", **options))


def verdicts(path: Path) -> set[str]:
    """What we say: `wrong`, `refused`, or what the check says, by each way to do it."""
    try:
        return {run(path, **options).verdict for options in WAYS}
    except InputError:
        return {"wrong"}
    except BurnsideError:
        return {"refused"}


def wanted(path: Path) -> str:
    if said(path, "rumur_exit_code") == "1":
        return "wrong"
    return "violated" if said(path, "checker_exit_code") == "1" else "holds"


@pytest.mark.parametrize("path", each())
def test_verdict(path: Path) -> None:
    found = verdicts(path)
    if path.stem in NOT_MET:
        assert found != {wanted(path)}, "it passes, and is still listed"
    else:
        assert found == {wanted(path)}


@pytest.mark.skipif(not HERE, reason="../shared/models/murphi/rumur-tests is absent")
def test_the_page_lists_nothing_else() -> None:
    names = {path.stem for path in HERE}
    assert len(names) == 350
    assert names >= NOT_MET
    assert {path.stem for path in HERE if said(path, "checker_output")} == NOT_COMPARED | set(OUTPUT)


@pytest.mark.skipif(not HERE, reason="../shared/models/murphi/rumur-tests is absent")
@pytest.mark.parametrize(
    ("name", "options"),
    [("scalarset-put", {"broken": ("t",)}), ("scalarset-put", {"reduce": "none"})],
)
def test_the_page_is_right_about_the_way_out(name: str, options: dict[str, Any]) -> None:
    path = TESTS / f"{name}.m"
    assert check(read(path), Request(**options)).verdict == wanted(path)


# Liveness

LIVE = [path for path in HERE if re.search(r"^ *(ruleset .* do )?liveness\b", path.read_text(), re.MULTILINE)]
METHODS = ("none", "search", "minimise", "nauty", "compare", "flood", "representative")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "path", [pytest.param(path, id=path.stem) for path in LIVE] or [pytest.param(Path(), marks=ABSENT)]
)
def test_liveness_under_every_reduction(path: Path, method: str) -> None:
    if wanted(path) == "wrong":
        with pytest.raises(InputError):
            load(path)
        return
    found = run(path, reduce=method)
    assert found.verdict == wanted(path)
    assert "ctl" in {each.kind for each in found.properties}


@pytest.mark.skipif(not HERE, reason="../shared/models/murphi/rumur-tests is absent")
def test_all_of_them() -> None:
    ruleset, misses = (
        ("liveness-in-ruleset", "liveness-in-ruleset2"),
        [f"liveness-miss{n}" for n in (1, 2, 3)],
    )
    assert {path.stem for path in LIVE} == {
        "apartment",
        "no-cex-bug2",
        "liveness-statement",
        *ruleset,
        *misses,
    }


# What rumur prints, said in our words.


def the_violation(outcome: Outcome) -> PropertyResult:
    (found,) = outcome.violations
    return found


def violates(name: str) -> Callable[[Outcome], bool]:
    return lambda outcome: the_violation(outcome).name == name


def passes(*actions: str) -> Callable[[Outcome], bool]:
    """Some such action is on the way to the violation."""

    def passed(outcome: Outcome) -> bool:
        trace = the_violation(outcome).trace
        return trace is not None and any(step.action in actions for step in trace)

    return passed


def covers(name: str, verdict: str) -> Callable[[Outcome], bool]:
    return lambda outcome: (
        (name, "cover", verdict) in [(each.name, each.kind, each.verdict) for each in outcome.properties]
    )


def renames_throughout(outcome: Outcome) -> bool:
    """One element of the scalarset is set, then chosen, and shown under one name all along."""
    trace = the_violation(outcome).trace
    assert trace is not None
    _, first, second = trace
    name = str(first.action)[2:-1]
    return (first.action, second.action) == (f"a({name})", f"c({name})") and (
        first.state[f"x[{name}]"],
        second.state["y"],
    ) == ("true", name)


OUTPUT: dict[str, Callable[[Outcome], bool]] = {
    "bad-invariant-number": violates("invariant 1"),
    "cex-boolean": passes("rule 1(true)", "rule 1(false)"),
    "cex-boolean-startstate": passes("startstate 1(true)", "startstate 1(false)"),
    "cex-enum": passes("rule 1(A)", "rule 1(B)"),
    "cex-enum-startstate": passes("startstate 1(A)", "startstate 1(B)"),
    "cover-basic2": covers("x was false", "holds"),
    "cover-miss": covers("x was 2", "violated"),
    "cover-multiple": covers("x was 2", "violated"),
    "cover-stmt": covers("x was true", "holds"),
    "cover-stmt-miss": covers("x was 2", "violated"),
    "cover-trivial": covers("dummy", "holds"),
    "invariant-failure-message": violates("hello world"),
    "liveness-in-ruleset2": violates("x is y"),
    "liveness-miss1": violates("x is 10"),
    "liveness-miss2": violates("x is 10"),
    "liveness-miss3": violates("x is 7"),
    "quantifier-signed-range": lambda outcome: outcome.full_states == 3,
    "ruleset-trace": passes("rule 1(1, 8, -32)"),
    "ruleset-trace2": passes("rule 2(1, 8, -32)"),
    "ruleset-trace3": passes("startstate 1(1, 8, -32)"),
    "scalarset-cex": renames_throughout,
    "smart-quotes": passes("foo"),
    "xml-escape-increment": passes("foo"),
}
"""How often a cover is hit depends on the search; that it is hit does not."""


@pytest.mark.parametrize("name", OUTPUT)
@pytest.mark.parametrize("way", WAYS, ids=lambda way: "_".join(way.values()) or "auto")
def test_output(name: str, way: dict[str, Any]) -> None:
    if not HERE:
        pytest.skip("../shared/models/murphi/rumur-tests is absent")
    assert OUTPUT[name](run(TESTS / f"{name}.m", **way))
