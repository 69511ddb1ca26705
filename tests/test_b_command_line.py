"""B on the command line: whatever comes in, a diagnostic with its place and exit code 2, or an error of the model with its
trace and exit code 1; and what a user should know of how a machine was read.

Files `running-*` under tests/rejected/b carry what is expected in their first comment: `expect: line:column: message` where
they are refused, `expect: error: message` where the model fails.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from burnside.cli import main

RUNNING = sorted((Path(__file__).parent / "rejected" / "b").glob("running-*.mch"))
PLACED = re.compile(r"expect: (\d+:\d+): (.*)")
FAILING = re.compile(r"expect: (error: .*)")

COUNTER = """MACHINE counter
SETS S; C = {red, green}
VARIABLES x
INVARIANT x <: S
INITIALISATION x := {}
OPERATIONS add(e) = SELECT e : S - x THEN x := x \\/ {e} END
END
"""


@pytest.fixture
def counter(tmp_path: Path) -> Path:
    path = tmp_path / "counter.mch"
    path.write_text(COUNTER)
    return path


def written(folder: Path, **texts: str | bytes) -> str:
    """The files, of which the first is the model."""
    for name, text in texts.items():
        (folder / f"{name}.mch").write_bytes(text.encode() if isinstance(text, str) else text)
    return str(folder / f"{next(iter(texts))}.mch")


def test_there_are_failing_files() -> None:
    assert len(RUNNING) > 15


@pytest.mark.parametrize("path", RUNNING, ids=lambda path: path.stem.removeprefix("running-"))
def test_while_running(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = path.read_text()
    code = main(["check", str(path), "--no-deadlock"])
    said = capsys.readouterr()
    if wanted := FAILING.search(text):
        assert code == 1
        assert f"  violated  {wanted[1]}\n" in said.out
        assert ", 0 steps" in said.out or "step" not in wanted[1] or "\ntrace to an error" in said.out
    else:
        wanted = PLACED.search(text)
        assert wanted is not None, "the file does not say what is expected"
        assert code == 2
        assert said.err.startswith(f"{path}:{wanted[1]}: error: {wanted[2]}\n")
        assert "^" in said.err


WATCH = """
import os, subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, status, used = os.wait4(child.pid, 0)
print(os.waitstatus_to_exitcode(status), used.ru_maxrss)
"""
"""Exit code and peak memory. The peak of a process is at least what its parent held, so the parent must be small."""
GREEDY = [path for path in RUNNING if path.stem.endswith(("loop-too-long", "candidates-too-many"))]


@pytest.mark.parametrize("path", GREEDY, ids=lambda path: path.stem.removeprefix("running-"))
def test_limits_bound_memory(path: Path) -> None:
    """In a process of its own; time is bounded by what is tried and stored, which a slow machine does not change."""
    command = [sys.executable, "-m", "burnside", "check", str(path), "--no-deadlock"]
    watched = subprocess.run(
        [sys.executable, "-c", WATCH, *command], capture_output=True, text=True, check=True
    )
    code, peak = map(int, watched.stdout.split())
    assert code == 2
    assert peak * (1 if sys.platform == "darwin" else 1024) < 500_000_000


DEEP = 10_000
NESTED = {
    "brackets": "(" * DEEP + "1" + ")" * DEEP,
    "sets": "{" * DEEP + "1" + "}" * DEEP,
    "signs": "-" * DEEP + "1",
    "quotients": "/".join("1" * DEEP),
    "pairs": "|->".join("1" * DEEP),
    "conditionals": "IF 1=1 THEN " * DEEP + "1" + " ELSE 1 END" * DEEP,
    "calls": "card(" * DEEP + "{}" + ")" * DEEP,
}


@pytest.mark.parametrize("name", NESTED)
def test_deep_nesting(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, m=f"MACHINE m CONSTANTS c PROPERTIES\n c = {NESTED[name]}\nEND")
    assert main(["check", path]) == 2
    assert re.match(
        rf"{re.escape(path)}:2:\d+: error: this is more than \d+ levels deep\n", capsys.readouterr().err
    )


def test_many_conjuncts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Long is not deep."""
    conjuncts = " & ".join(["x = 1"] * 1000)
    path = written(tmp_path, m=f"MACHINE m VARIABLES x INVARIANT {conjuncts} INITIALISATION x := 1 END")
    assert main(["check", path, "--no-deadlock"]) == 0
    assert "invariant x = 1 (1000)\n" in capsys.readouterr().out


BYTES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", " error: the file is empty"),
    "blank": (b"\n\n", "3:1: error: expected 'MACHINE', 'REFINEMENT' or 'IMPLEMENTATION'"),
    "comment": (b"/* m */", "1:8: error: expected 'MACHINE', 'REFINEMENT' or 'IMPLEMENTATION'"),
    "no UTF-8": (b"MACHINE m\nVARIABLES x /* \xff */ ]", "2:21: error: expected"),
    "NUL": (b"MACHINE m\nVARIABLES x\0", r"2:12: error: '\x00' is no part of B"),
    "NULs": (b"\0" * 100, r"1:1: error: '\x00' is no part of B"),
}


@pytest.mark.parametrize("name", BYTES)
def test_bytes(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, message = BYTES[name]
    path = written(tmp_path, m=data)
    assert main(["check", path]) == 2
    assert capsys.readouterr().err.startswith(f"{path}:{message}")


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd"])
def test_files_outside(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, m=f'MACHINE m\nDEFINITIONS "{name}"\nEND')
    assert main(["check", path]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"{path}:2:13: error: '{name}' is outside the model's folder\n")
    assert "--allow-path" in said


def test_machines_that_need_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, one="MACHINE one\nINCLUDES two\nEND", two="MACHINE two\nINCLUDES one\nEND")
    assert main(["check", path]) == 2
    assert "two.mch:2:10: error: these machines need each other: one -> two -> one" in capsys.readouterr().err


OPTIONS = {
    "--size Q=3": "no deferred set, parameter or constant is called 'Q'",
    "--size C=3": "an enumerated set has the size of its list",
    "--size S=0": "the set 'S' cannot have 0 elements",
    "--size S=-1": "the set 'S' cannot have -1 elements",
    "--size S=99999999999": "the set 'S' cannot have 99999999999 elements",
    "--size MAXINT=-5": "MININT (-1) is larger than MAXINT (-5)",
    "--break-symmetry Q": "there is no set 'Q'",
    "--invariant x<:T": "--invariant:1:4: error: there is no 'T' here",
    "--invariant x=1": "--invariant:1:3: error: the right side of '=' must be POW(S)",
    "--find (": "--find:1:2: error: expected",
    "--find #y.(y>3)": "'y' cannot be bounded",
    "--safe": "--safe: error: has no effect here",
}


@pytest.mark.parametrize("option", OPTIONS)
def test_options(option: str, counter: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(counter), *option.split()]) == 2
    assert OPTIONS[option] in capsys.readouterr().err


def test_negative_numbers(counter: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--size", "MININT=-5", "--invariant", "MININT = -5", "--no-deadlock"]
    assert main(["check", str(counter), *options]) == 0


def notes(path: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """As text and JSON tell them; both the same."""
    main(["check", path, "--no-deadlock"])
    text = re.findall(r"^  note      (.*)$", capsys.readouterr().out, re.MULTILINE)
    main(["check", path, "--no-deadlock", "--json"])
    record = json.loads(capsys.readouterr().out)
    assert record["notes"] == text
    return text


def test_assumed_numbers_are_noted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, m="MACHINE m\nCONSTANTS a, b\nPROPERTIES a = b + 1\nEND")
    note, hint = notes(path, capsys)
    assert note == f"nothing bounds 'a' ({path}:2:11): only numbers from -1 to 3 (MININT, MAXINT) were tried"
    assert "--assume-bounds" in hint


def test_nothing_to_note(counter: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert notes(str(counter), capsys) == []


def test_left_out_conjuncts_are_noted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "R.ref").write_text(
        "REFINEMENT R REFINES m\nVARIABLES y INVARIANT y : 0..3 & y = x\nINITIALISATION y := 0 END"
    )
    written(tmp_path, m="MACHINE m VARIABLES x INVARIANT x : 0..3 INITIALISATION x := 0 END")
    (note,) = notes(str(tmp_path / "R.ref"), capsys)
    assert "y = x" in note and note.endswith("a variable of the refined machine")


def test_limits_of_a_run_end_the_set_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Finding constants takes long: the limit of the run ends it."""
    properties = "c : 0..3000 & d : 0..3000 & c * c + d * d = -1"
    model = written(tmp_path, m=f"MACHINE m CONSTANTS c, d PROPERTIES {properties} END")
    assert main(["check", model, "--max-seconds", "0.2"]) == 3
    assert "unknown" in capsys.readouterr().out


HUGE = 10**20 - 1
WIDE = "MACHINE m CONSTANTS c PROPERTIES c : INTEGER {} VARIABLES x INVARIANT x : INTEGER INITIALISATION x := {} END"


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (
            WIDE.format("& c = 0", HUGE),
            [],
            ":1:108: error: the number 99,999,999,999,999,999,999 has more than 64 bits",
        ),
        (WIDE.format(f"& c < {HUGE} & c = 0", 1), [], ":1:52: error: the number"),
        (
            WIDE.format("& c = 2 ** 62 * 2 * k & k = 1", 1).replace("c PROP", "c, k PROP"),
            [],
            "beyond 64 bits",
        ),
        (WIDE.format("", 1), ["--size", "c=9223372036854775808"], "the number 9,223,372,036,854,775,808 has"),
        (WIDE.format("", 1), ["--size", f"c={HUGE}"], "at most 19 digits"),
        (WIDE.format("& c = 0", 1), ["--size", "MAXINT=9223372036854775808"], "the number"),
        (WIDE.format("& c = 0", 1), ["--size", "MININT=-9223372036854775809"], "the number"),
        (f"MACHINE m DEFINITIONS SET_PREF_MAXINT == {HUGE} END", [], "the number"),
    ],
)
def test_numbers_beyond_64_bits(
    text: str, options: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", written(tmp_path, m=text), *options]) == 2
    assert message in capsys.readouterr().err


def test_numbers_beyond_64_bits_by_the_reference_engine(tmp_path: Path) -> None:
    path = written(tmp_path, m=WIDE.format("& c = 0", HUGE))
    assert main(["check", path, "--engine", "reference", "--no-deadlock"]) == 0
