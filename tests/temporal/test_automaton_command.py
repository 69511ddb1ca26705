"""`burnside automaton`: what it prints, writes and refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from burnside.cli import main

from tests.temporal.hoa import read_hoa


def test_hoa_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["automaton", "[](p ->  <> {x > 3})"]) == 0
    out, err = capsys.readouterr()
    found = read_hoa(out)
    assert err == ""
    assert found.atoms == ("p", "x > 3")
    assert found.headers["name"] == ['"[](p -> <> {x > 3})"']
    assert (len(found.states), found.marks) == (2, 1)


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["automaton", "!{x > 3} U q", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["command"] == "automaton"
    assert (record["states"], record["edges"], record["acceptance_sets"]) == (2, 3, 1)
    assert record["atoms"] == ["x > 3", "q"]
    assert record["kinds"] == ["rejecting", "terminal"]
    assert (record["deterministic"], record["terminal"], record["safety"]) == (True, True, False)
    labels = {(each["source"], each["target"]): each["label"] for each in record["transitions"]}
    assert labels == {(0, 0): "!{x > 3} & !q", (0, 1): "q", (1, 1): "true"}
    assert [each["marks"] for each in record["transitions"]] == [[], [], [0]]


def test_the_end_of_finite_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """`F !X true`: the run ends. Nothing ends where the last state repeats."""
    assert main(["automaton", "F !X true", "--json"]) == 0
    stutter = json.loads(capsys.readouterr().out)
    assert (stutter["finite"], stutter["edges"], stutter["atoms"]) == ("stutter", 0, [])
    assert main(["automaton", "F !X true", "--json", "--finite", "strong"]) == 0
    strong = json.loads(capsys.readouterr().out)
    assert (strong["finite"], strong["atoms"]) == ("strong", ["deadlock"])
    assert strong["edges"] > 0
    # The atom that formulas already have for it is the same one.
    assert main(["automaton", "F(deadlock & p)", "--json", "--finite", "strong"]) == 0
    assert json.loads(capsys.readouterr().out)["atoms"] == ["deadlock", "p"]


@pytest.mark.parametrize("extension", ["hoa", "dot", "svg", "png", "pdf"])
def test_files(extension: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / f"automaton.{extension}"
    assert main(["automaton", 'F {a "b\\N"} & G O q', "-o", str(path)]) == 0
    assert capsys.readouterr() == ("", "")
    content = path.read_bytes()
    starts = {"hoa": b"HOA: v1", "dot": b"digraph {", "svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}
    assert content.startswith(starts[extension])
    if extension == "hoa":
        assert read_hoa(content.decode()).atoms == ('a "b\\N"', "q")


def test_a_picture_shows_what_the_automaton_is(tmp_path: Path) -> None:
    path = tmp_path / "automaton.dot"
    assert main(["automaton", "p U q", "-o", str(path)]) == 0
    dot = path.read_text()
    assert "s0 [shape=circle" in dot and "s1 [shape=doublecircle" in dot
    assert 's0 -> s1 [label="q"]' in dot
    assert 's1 -> s1 [label="true\\n{0}"' in dot


@pytest.mark.parametrize(
    ("formula", "place", "message"),
    [
        ("G(p -> X q", "FORMULA:1:2", "this bracket is not closed"),
        ("p U", "FORMULA:1:4", "expected a formula"),
        ("", "FORMULA:1:1", "expected a formula"),
        ("A G p", "FORMULA:1:1", "a formula with path quantifiers has no automaton"),
        ("forall x: T . G p", "FORMULA:1:11", "a quantifier needs a model"),
        ("WF(a) => p", "FORMULA:1:1", "fairness cannot be assumed here"),
        (f"G(q | {'Y ' * 20} p)", "FORMULA:1:1", "has more than 10000 states"),
        (" & ".join(f"p{number}" for number in range(129)), "FORMULA:1:1", "more than 128 atoms"),
    ],
)
def test_refusals(
    formula: str, place: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "automaton.hoa"
    assert main(["automaton", formula, "-o", str(path), "--json"]) == 2
    out, err = capsys.readouterr()
    first, _, caret, *_ = [*err.splitlines(), "", "", ""]
    assert out == "" and not path.exists()
    assert first.startswith(f"{place}: error: ") and message in first
    assert set(caret.strip(" |")) <= {"^"}


def test_output_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["automaton", "p", "-o", str(tmp_path / "automaton.txt")]) == 2
    assert ".hoa or .dot" in capsys.readouterr().err
    assert main(["automaton", "p", "-o", str(tmp_path / "none" / "automaton.hoa")]) == 2
    assert "no such directory" in capsys.readouterr().err


def test_large_automata_are_not_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    formula = " & ".join(f"F p{number}" for number in range(6))
    assert main(["automaton", formula, "-o", str(tmp_path / "automaton.svg")]) == 2
    assert "729 edges: too many to draw" in capsys.readouterr().err
    assert main(["automaton", formula, "-o", str(tmp_path / "automaton.dot")]) == 0
