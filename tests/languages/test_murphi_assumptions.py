"""Assumptions and covers of Murphi programs, as rumur understands them; both engines agree."""

from __future__ import annotations

from pathlib import Path

import burnside
import pytest

ASSUMED = """
var x: 0 .. 2;
startstate x := 0; end;
rule "a" x = 0 ==> x := 1; end;
rule "b" x = 1 ==> x := 2; {} end;
"""


@pytest.mark.parametrize("engine", ["core", "reference"])
@pytest.mark.parametrize(
    ("statement", "more", "deadlocks"), [("assume x != 2;", "", 1), ("", "assume x != 2;", 0)]
)
def test_deadlocks_where_something_is_assumed(
    engine: str, statement: str, more: str, deadlocks: int, tmp_path: Path
) -> None:
    """As in rumur: a rule that ends by its own assumption is none, one that leads to a forbidden state is one."""
    path = tmp_path / "assumed.m"
    path.write_text(ASSUMED.format(statement) + more)
    outcome = burnside.check(path, engine=engine)
    assert (outcome.states, outcome.deadlocks) == (2, deadlocks)
    assert [result.name for result in outcome.violations] == ["deadlock"] * deadlocks


@pytest.mark.parametrize("engine", ["core", "reference"])
def test_covers_in_guards_that_do_not_hold(engine: str, tmp_path: Path) -> None:
    path = tmp_path / "covered.m"
    path.write_text(
        'var x: 0 .. 2; function f(): boolean; begin cover x = 1 "one"; return x = 2; end;\n'
        "startstate x := 0; end; rule x = 0 ==> x := 1; end; rule x = 1 ==> x := 0; end; rule f() ==> x := 0; end;"
    )
    assert burnside.check(path, engine=engine).verdict == "holds"
