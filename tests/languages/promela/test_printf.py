"""What `printf` and `printm` print in a walk, compared with what Spin prints."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path

import pytest
from burnside import pipeline
from burnside.ir.encoding import encoded
from burnside.ir.program import Program
from burnside.kinds import kind_of
from burnside.records import replace
from burnside.simulate import run
from burnside.walk import Walk

from tests.promela_spin import HAS_SPIN

COLOURS = "mtype = { red, green }; mtype:fruit = { apple, pear };\n"
MODELS = {
    "a statement of its own": 'byte n = 7; active proctype p() { printf("n is %d\\n", n) }',
    "before and after in an atomic sequence": """byte n;
active proctype p() { atomic { printf("%d ", n); n++; printf("%d ", n); n = n * 5; printf("%d\\n", n) } }""",
    "symbols": COLOURS
    + """mtype c = green; mtype:fruit f = apple;
active proctype p() { printf("%e %e %d\\n", c, f, c); printm(c); printf("\\n"); printf("%e\\n", red) }""",
    "conversions": """int n = 30;
active proctype p() { printf("%x %o %u %d 100%% %c\\n", n, n, n, -n, n + 35) }""",
    "tabs and lines": 'active proctype p() { printf("a\\tb\\nc\\n"); printf("d\\n") }',
    "arrays, channels and expressions": """byte a[3]; chan c = [2] of { byte };
active proctype p() { a[1] = 4; c!3; printf("%d %d %d\\n", a[a[0] + 1], len(c), a[1] > 2 && a[0] == 0) }""",
    "a loop in an atomic sequence": """byte i;
active proctype p() { atomic { do :: i < 3 -> printf("%d;", i); i++ :: else -> break od }; printf("\\n") }""",
}


def walked(folder: Path, text: str, steps: int = 40) -> Walk:
    path = folder / "model.pml"
    path.write_text(text)
    model = pipeline.read(path)
    walk = Walk(kind_of(model.subject).semantics_of(model.subject))
    walk.walk(steps)
    return walk


@pytest.mark.skipif(not HAS_SPIN, reason="spin is not installed")
@pytest.mark.parametrize("name", MODELS)
def test_as_spin_prints_it(tmp_path: Path, name: str) -> None:
    printed = "".join(moment.printed for moment in walked(tmp_path, MODELS[name]).history)
    done = subprocess.run(
        ["spin", "-T", "model.pml"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    lines = done.stdout.splitlines()
    # Behind the output Spin says how many processes there were.
    assert lines[-1].endswith("created")
    assert printed.splitlines() == lines[:-1]


def test_a_value_that_is_missing(tmp_path: Path) -> None:
    walk = walked(tmp_path, 'byte n; active proctype p() { printf("%d %d", n) }')
    assert walk.history[1].printed == "0 ?"


def test_a_step_that_fails_prints_nothing_further(tmp_path: Path) -> None:
    text = 'byte n, a[2]; active proctype p() { atomic { printf("one"); a[n + 2] = 1; printf("two") } }'
    walk = walked(tmp_path, text)
    assert walk.failed is not None
    assert "".join(moment.printed for moment in walk.history) in ("", "one")


def test_the_walk_shows_it(tmp_path: Path) -> None:
    path = tmp_path / "model.pml"
    path.write_text(MODELS["before and after in an atomic sequence"])
    model = pipeline.read(path)
    out = io.StringIO()
    semantics = kind_of(model.subject).semantics_of(model.subject)
    walk = run(semantics, steps=3, seed=0, stdin=io.StringIO(), stdout=out)
    assert [line.strip() for line in out.getvalue().splitlines() if "prints" in line] == ["prints: 0 1 5"]
    steps = walk.record("model")["steps"]
    assert [step.get("printed") for step in steps] == [None, "0 1 5\n", None]
    talked = io.StringIO()
    run(semantics, steps=None, seed=0, stdin=io.StringIO("1\nt\nu\nq\n"), stdout=talked)
    assert talked.getvalue().count("prints: 0 1 5") == 2


def test_printing_is_no_part_of_the_program(tmp_path: Path) -> None:
    path = tmp_path / "model.pml"
    path.write_text(MODELS["before and after in an atomic sequence"])
    program = pipeline.read(path).subject
    assert isinstance(program, Program)
    assert any(each.prints for each in program.actions)
    silent = replace(program, actions=tuple(replace(each, prints=()) for each in program.actions))
    assert silent == program
    assert encoded(silent) == encoded(program)


def test_an_end_that_is_proper_is_no_deadlock(tmp_path: Path) -> None:
    path = tmp_path / "model.pml"
    path.write_text("active proctype p() { skip }")
    model = pipeline.read(path)
    out = io.StringIO()
    semantics = kind_of(model.subject).semantics_of(model.subject)
    walk = run(semantics, steps=9, seed=0, stdin=io.StringIO(), stdout=out, deadlock_is_error=True)
    assert (walk.deadlock, walk.ended, walk.violations()) == (False, True, [])
    assert out.getvalue().splitlines()[-1] == "a proper end: no action is enabled"
