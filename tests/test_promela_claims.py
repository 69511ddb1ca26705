"""Claims, labels and fairness of Promela models by the command line: which are checked, by which names, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from burnside.cli import main

COUNTER = (
    "byte x, y; active proctype P() { do :: x = (x + 1) % 3 od } active proctype Q() { do :: y = 1 - y od }\n"
)
CLAIMS = (
    f"{COUNTER} ltl low {{ [] (x < 3) }} ltl {{ <> (x == 2) }} never {{ do :: x < 2 od; accept: x == 2 }}"
)


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Verdicts of formulas, without the lengths of runs."""
    said = capsys.readouterr().out
    kinds = ("ltl", "never", "no acceptance", "no non-progress")
    rows = [each.strip().split(",")[0] for each in said.splitlines() if each.startswith("  ")]
    return [" ".join(each.split()) for each in rows if any(f"  {kind}" in each for kind in kinds)]


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.pml"
    path.write_text(CLAIMS)
    return path


def test_all_claims_are_checked(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(model)]) == 1
    assert lines(capsys) == ["holds never_0", "holds ltl low", "violated ltl_0"]


def test_claims_by_name(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(model), "--ltl", "low", "--ltl", "never_0"]) == 0
    assert lines(capsys) == ["holds never_0", "holds ltl low"]


def test_formulas_beside_claims(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In the words of Promela and in those of all languages; the last state of a run is repeated."""
    asked = ["[] (x <= 2 implies <> (x == 0 || true))", "G {x < 3}", "always (len(q) >= 0)"]
    model.write_text("chan q = [1] of { byte };" + CLAIMS)
    assert main(["check", str(model), "--ltl", "low", *(f"--ltl={each}" for each in asked)]) == 0
    assert lines(capsys) == [f"holds ltl {each}" for each in ("low", *asked)]


def test_every_run_is_looked_at_under_fairness(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(model), "--ltl", "ltl_0", "--fair", "weak"]) == 0
    assert lines(capsys) == ["holds ltl_0"]


@pytest.mark.parametrize(
    "text, arguments, message",
    [
        (
            COUNTER,
            ["--cycles", "accept"],
            "--cycles accept: error: has no effect here: no process has a label",
        ),
        (COUNTER, ["--cycles", "end"], "no such value: 'end'"),
        (COUNTER, ["--ltl", "[] (z == 0)"], "'z' is not declared"),
        (COUNTER, ["--ltl", "G {z == 0}"], "'z' is not declared"),
        (COUNTER, ["--fair", "weak"], "--fair"),
        (COUNTER + "never { x = 1 }", [], "a never claim with side effects is not supported"),
        (COUNTER + "never { timeout }", [], "as a condition on states it is not supported"),
    ],
)
def test_refused(
    text: str, arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "model.pml"
    path.write_text(text)
    assert main(["check", str(path), *arguments]) == 2
    assert message in capsys.readouterr().err


def test_labels_of_other_languages(capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(__file__).parents[1] / "examples" / "murphi" / "sem.m"
    assert main(["check", str(path), "--cycles", "progress"]) == 2
    assert "only Promela has such labels" in capsys.readouterr().err


def test_a_claim_that_is_not_supported_is_no_matter_to_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "model.pml"
    path.write_text(COUNTER + "ltl p { [] (x < 3) } never { timeout }")
    assert main(["check", str(path), "--ltl", "p"]) == 0
    assert lines(capsys) == ["holds ltl p"]


def test_more_room_where_a_claim_needs_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The exploration ends before the room for processes does, the search for runs goes on."""
    path = tmp_path / "model.pml"
    path.write_text(
        "byte n, x; proctype P() { do :: x = 1 - x od }"
        "active proctype A() { assert(n == 1); do :: n < 9 -> n++; run P() :: n == 9 -> break od }"
        "ltl q { [] (n < 9) }"
    )
    assert main(["check", str(path)]) == 1
    assert lines(capsys) == ["violated ltl q"]
