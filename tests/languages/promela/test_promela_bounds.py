"""Models without bounds, and what is refused once a model is lowered: an error with its trace or its place, and soon."""

from __future__ import annotations

from pathlib import Path

import burnside
import pytest
from burnside.diagnostics import BurnsideError, InputError, UnsupportedError
from burnside.outcome import Outcome

REFUSED = {
    "processes of different priorities": (
        "byte x;\nactive proctype P() priority 5 { x = 1 }\nactive proctype Q() { x = 2 }",
        "2:1: processes of different priorities are not supported",
    ),
    "a priority that is set": (
        "init {\n  set_priority(0, 3) }",
        "2:3: set_priority is not supported: priorities of processes are not",
    ),
    "a priority at creation": (
        "proctype P() { skip }\ninit { run P() priority 3 }",
        "2:8: priorities of processes are not supported",
    ),
    "enabled beside a rendezvous": (
        "chan q = [0] of { byte };\nactive proctype P() { q!1 }\nltl a { <> enabled(0) }",
        "3:12: enabled cannot be used in models with rendezvous channels",
    ),
    "too many from the beginning": (
        "active [200] proctype P() { skip }\nactive [100] proctype Q() { skip }",
        "1:1: more than 255 processes run from the beginning",
    ),
}
ENDLESS_CREATION = {
    "one creates the next": "proctype P() { run P() } init { run P() }",
    "all create": "proctype P() { do :: run P() od } init { run P() }",
    "with much to do in between": (
        "proctype P(byte k) { byte x; chan c = [2] of { byte };"
        "do :: c!k; x++ :: c?k :: k < 200 -> run P(k + 1) od } init { run P(0) }"
    ),
}


def checked(text: str, folder: Path) -> Outcome:
    path = folder / "model.pml"
    path.write_text(text)
    return burnside.check(burnside.load(path))


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, tmp_path: Path) -> None:
    text, expected = REFUSED[name]
    with pytest.raises(BurnsideError) as caught:
        checked(text, tmp_path)
    span = caught.value.diagnostic.span
    assert span is not None
    assert f"{span.line}:{span.column}: {caught.value.diagnostic.message}" == expected
    assert isinstance(caught.value, UnsupportedError if "not supported" in expected else InputError)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("text", ["", "priority 1", "priority 7"])
def test_equal_priorities_are_none(text: str, tmp_path: Path) -> None:
    both = f"byte x; active proctype P() {text} {{ x = 1 }} active proctype Q() {text} {{ x = 2 }}"
    assert checked(both, tmp_path).states == 10


@pytest.mark.parametrize("name", ENDLESS_CREATION)
def test_endless_creation_is_an_error_of_the_model(name: str, tmp_path: Path) -> None:
    outcome = checked(ENDLESS_CREATION[name], tmp_path)
    [violated] = [each for each in outcome.properties if each.verdict == "violated"]
    assert violated.name == "more than 255 processes"
    assert violated.trace is not None and len(violated.trace.steps) >= 255


@pytest.mark.parametrize("statement", ["x = 1 - x", "x++; x--"])
def test_an_atomic_sequence_without_end_is_an_error_of_the_model(statement: str, tmp_path: Path) -> None:
    outcome = checked(f"byte x; init {{ atomic {{ do :: {statement} od }} }}", tmp_path)
    [violated] = [each for each in outcome.properties if each.verdict == "violated"]
    assert violated.kind == "error" and violated.trace is not None
