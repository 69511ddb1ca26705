"""Where errors of a machine are said to be: in the file they are in, also when it is included or has definitions only, and
in the text of an option. What a definition stands for as a whole stands where it is used."""

from __future__ import annotations

from pathlib import Path

import pytest
from burnside.cli import main

OUTER = """MACHINE Outer
INCLUDES Inner
DEFINITIONS "shared.def"
VARIABLES z
INVARIANT z : NATURAL
INITIALISATION z := 0
OPERATIONS
  {}
END
"""
INNER = """MACHINE Inner
VARIABLES x
INVARIANT x : 0..8
INITIALISATION x := 0
OPERATIONS
  halve = BEGIN x := 8 / x END;
  grow = BEGIN x := card({{n | n : NATURAL & n mod 2 = x}}) END
END
""".replace("{{", "{").replace("}}", "}")
SHARED = """DEFINITIONS
  half(a) == 1 + 8 / a;
  evens == card({n | n : NATURAL & n mod 2 = 0})
"""


@pytest.fixture
def outer(tmp_path: Path) -> Path:
    (tmp_path / "Inner.mch").write_text(INNER)
    (tmp_path / "shared.def").write_text(SHARED)
    return tmp_path / "Outer.mch"


@pytest.mark.parametrize("engine", ["core", "reference"])
@pytest.mark.parametrize(
    ("operation", "place"),
    [
        ("go = halve", "line 6, column 22 of {}/Inner.mch"),
        ("go = BEGIN z := half(z) END", "line 2, column 18 of {}/shared.def"),
        ("go = BEGIN z := 7 / z END", "line 8, column 19"),
    ],
)
def test_errors_of_the_model(
    engine: str, operation: str, place: str, outer: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outer.write_text(OUTER.format(operation))
    assert main(["check", str(outer), "--no-deadlock", "--engine", engine]) == 1
    assert f" is divided by zero ({place.format(outer.parent)}), 1 step\n" in capsys.readouterr().out


@pytest.mark.parametrize("engine", ["core", "reference"])
@pytest.mark.parametrize(
    ("operation", "place", "line"),
    [
        ("go = grow", "Inner.mch:7:", INNER.splitlines()[6]),
        ("go = BEGIN z := evens END", "shared.def:3:", SHARED.splitlines()[2]),
        (
            "go = BEGIN z := card({n | n : NATURAL & n mod 2 = z}) END",
            "Outer.mch:8:",
            "  go = BEGIN z := card(",
        ),
    ],
)
def test_what_cannot_be_done(
    engine: str, operation: str, place: str, line: str, outer: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outer.write_text(OUTER.format(operation))
    assert main(["check", str(outer), "--no-deadlock", "--engine", engine]) == 2
    said = capsys.readouterr().err.splitlines()
    assert said[0].startswith(f"{outer.parent}/{place}")
    assert line in said[1] and "^" in said[2]


@pytest.mark.parametrize("engine", ["core", "reference"])
def test_texts_of_options(engine: str, outer: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outer.write_text(OUTER.format("go = halve"))
    call = ["check", str(outer), "--no-deadlock", "--engine", engine]
    assert main([*call, "--find", "1 / z = 3"]) == 1
    assert "1 is divided by zero (line 1, column 1 of --find 1 / z = 3)" in capsys.readouterr().out
    assert main([*call, "--invariant", "z = 0", "--invariant", "!y.(y > 3 => y * y > z)"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert said[0].startswith("--invariant:1:2: error: ") and said[1] == "  1 | !y.(y > 3 => y * y > z)"
    assert said[2] == "    |  ^"


def test_texts_of_options_for_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.m"
    path.write_text("var x: 0 .. 2;\nstartstate x := 0; end;\nrule x = 0 ==> x := 1; end;\n")
    for engine in ("core", "reference"):
        assert main(["check", str(path), "--no-deadlock", "--engine", engine, "--find", "2 / x = 1"]) == 1
        assert "(line 1, column 1 of --find 2 / x = 1)" in capsys.readouterr().out
