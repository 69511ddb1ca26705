"""State spaces of machines as pictures, in ProB's manner."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from burnside.cli import main

GUESTS = """MACHINE guests
SETS P
CONSTANTS boss
PROPERTIES boss : P
DEFINITIONS scope_P == 3; GOAL == (card(in) = 2)
VARIABLES in, n
INVARIANT in <: P & n : 0..2
INITIALISATION in := {} || n := 0
OPERATIONS
  enter(p) = SELECT p : P - in & n < 3 THEN in := in \\/ {p} || n := n + 1 END;
  r <-- ask = SELECT n < 2 THEN r := bool(boss : in) END;
  fail = SELECT n = 3 THEN n := 1 / (n - 3) END
END
"""


@pytest.fixture
def guests(tmp_path: Path) -> Path:
    path = tmp_path / "guests.mch"
    path.write_text(GUESTS)
    return path


def drawn(model: Path, *options: str) -> str:
    output = model.with_suffix(".dot")
    assert main(["graph", str(model), "-o", str(output), *options]) == 0
    return output.read_text()


def test_root_setup_and_initialisation_come_first(guests: Path) -> None:
    dot = drawn(guests)
    assert "root [shape=invtriangle" in dot
    assert 'root -> s0 [label=" SETUP_CONSTANTS "];' in dot
    assert 'root -> s0 [label=" SETUP_CONSTANTS (x2) ", style=dashed];' in dot
    assert 's0 [label="boss=' in dot
    assert 's0 -> s1 [label=" INITIALISATION "];' in dot
    assert "start0" not in dot


def test_what_all_states_share_is_said_once(guests: Path) -> None:
    fixed = GUESTS.replace("CONSTANTS boss", "CONSTANTS limit").replace("boss : P", "limit = 3")
    guests.write_text(fixed.replace("bool(boss : in)", "bool(n < limit)"))
    dot = drawn(guests)
    assert 's0 [label="constants set up' in dot
    assert "the same in all boxes: limit=3" in dot


def test_operations_show_arguments_and_results(guests: Path) -> None:
    dot = drawn(guests, "--reduce", "none")
    assert '[label=" ask --> FALSE "];' in dot and '[label=" ask --> TRUE "];' in dot
    assert '[label=" enter(P1) "];' in dot
    assert "dashed" not in dot and "nx1" not in dot


def test_what_is_wrong_is_seen(guests: Path) -> None:
    dot = drawn(guests)
    bad = [line for line in dot.splitlines() if "violates n : 0..2" in line]
    assert len(bad) == 1 and "peripheries=2" in bad[0] and "#b3261e" in bad[0]
    assert dot.count("satisfies GOAL") == 2
    assert dot.count("shape=octagon") == 1 and '[label=" fail ", color=' in dot
    assert "double border: deadlock; red: violates a property; yellow: satisfies a goal" in dot.replace(
        "\\n", " "
    )


def test_arrows_to_equivalent_states_are_dashed() -> None:
    dot = drawn_example("examples/b/Dining.mch")
    assert "style=dashed" in dot and "dashed arrow: to an equivalent state" in dot


def drawn_example(name: str) -> str:
    from burnside import pipeline
    from burnside.report.spaces import graph_dot
    from burnside.request import Request

    root = Path(__file__).parents[2]
    return graph_dot(*pipeline.space(pipeline.read(root / name), Request(), 500))


def test_the_beginning_of_a_large_space(guests: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["graph", str(guests), "-o", str(guests.with_suffix(".svg")), "--max-states", "4"]) == 2
    assert "--partial" in capsys.readouterr().err
    dot = drawn(guests, "--max-states", "4", "--partial")
    assert "guests: 4 orbits of 15 states, 2 of them not explored" in dot
    assert dot.count('style="rounded,filled,dashed"') == 2 and "dashed border: not explored" in dot


def test_the_same_as_json(guests: Path) -> None:
    output = guests.with_suffix(".json")
    assert main(["graph", str(guests), "-o", str(output)]) == 0
    graph = json.loads(output.read_text())
    assert graph["starts"] == [
        {"action": "SETUP_CONSTANTS", "to": 0, "equivalent": equivalent} for equivalent in (True, True, False)
    ]
    assert [state["violates"] for state in graph["states"] if state["deadlock"]] == [["n : 0..2"]]
    assert all(state["explored"] for state in graph["states"])
    assert graph["failures"] == [{"from": len(graph["states"]) - 1, "action": "fail"}]


def test_an_arrow_names_some_of_each_operation(tmp_path: Path) -> None:
    model = tmp_path / "many.mch"
    model.write_text(
        "MACHINE many VARIABLES x INVARIANT x : 0..1 INITIALISATION x := 0 OPERATIONS\n"
        "  a(p) = SELECT p : 1..9 THEN x := 1 END; b(p) = SELECT p : 1..3 THEN x := 1 END\nEND"
    )
    dot = drawn(model)
    assert r'" a(1) \n a(2) \n and 7 more \n b(1) \n b(2) \n b(3) "' in dot


def test_the_history_of_what_is_wrong(guests: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dot = drawn(guests, "--what", "history")
    assert 'label="invariant n : 0..2"' in dot or 'label="GOAL"' in dot or 'label="goal GOAL"' in dot
    assert "SETUP_CONSTANTS" in dot and "INITIALISATION" in dot
    example = Path(__file__).parents[2] / "examples/b/LoginVerySimple.mch"
    output = str(guests.with_suffix(".svg"))
    assert main(["graph", str(example), "--what", "history", "-o", output]) == 2
    assert "there is no history to draw: the verdict is 'holds'" in capsys.readouterr().err
    assert main(["check", str(guests), "--trace", output]) == 1
    assert b"<svg" in Path(output).read_bytes()
