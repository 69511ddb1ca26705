"""Which schema is what: what is said where that cannot be known, and names with mark-up."""

from __future__ import annotations

from pathlib import Path

import pytest
from burnside.languages.options import ReadOptions
from burnside.outcome import Outcome
from burnside.pipeline import read

from tests.z_runs import STATE, explored, refused

UNDERSCORES = r"""
\begin{schema}{My\_State} n : 0 \upto 1 \end{schema}
\begin{schema}{Other} m : 0 \upto 1 \end{schema}
\begin{schema}{Start\_It} My\_State; Other \where n = 0; m = 0 \end{schema}
\begin{schema}{Op\_1} \Delta My\_State \where n' = 1 - n \end{schema}
"""


@pytest.mark.parametrize("start", ["Start_It", "Start\\_It"])
def test_names_of_schemas_with_and_without_mark_up(tmp_path: Path, start: str) -> None:
    path = tmp_path / "spec.tex"
    path.write_text(UNDERSCORES)
    model = read(path, options=ReadOptions(start=start, state="My_State"))
    assert [each.name for each in model.subject.operations] == ["Op_1"]


def test_candidates_are_named_without_mark_up(tmp_path: Path) -> None:
    assert "My_State, Other, Start_It, Op_1" in refused(tmp_path, UNDERSCORES)
    text = UNDERSCORES.replace("Start\\_It", "Init\\_It")
    assert "'Init_It' includes 2 schemas, My_State, Other" in refused(tmp_path, text)


def test_a_start_without_a_state(tmp_path: Path) -> None:
    complaint = refused(tmp_path, r"\begin{schema}{Init} n : 0 \upto 1 \end{schema}")
    assert "help: a schema with the components of the state, which 'Init' includes, is needed" in complaint


def test_a_start_with_parameters(tmp_path: Path) -> None:
    text = "\\begin{schema}{S}[X] s : \\power X \\end{schema}\n\\begin{schema}{Init}[X] S'[X] \\end{schema}"
    complaint = refused(tmp_path, text)
    assert complaint.startswith("2:1: error: a schema with parameters is no start")
    assert "such as Start \\defs Init[X]" in complaint


def test_other_starts_are_named_where_there_are_no_operations(tmp_path: Path) -> None:
    text = r"""
    \begin{schema}{Part} n : 0 \upto 1 \end{schema}
    \begin{schema}{InitPart} Part' \where n' = 0 \end{schema}
    \begin{schema}{Whole} w : 0 \upto 1 \pfun Part \end{schema}
    \begin{schema}{InitWhole} Whole' \where w' = \{\} \end{schema}
    \begin{schema}{Drop} \Delta Whole \where w' = \{\} \end{schema}
    """
    notes = " ".join(explored(tmp_path, text).notes)
    assert "InitPart is taken for the start, --init may name another: InitWhole" in notes


def error_of(outcome: Outcome) -> str:
    (found,) = (each for each in outcome.properties if each.kind == "error")
    assert found.message is not None
    return found.message


def test_no_start(tmp_path: Path) -> None:
    """In words of Z, not of B."""
    outcome = explored(tmp_path, STATE.replace("n' = 0", "n' = 7"))
    assert "there is no start: no state satisfies Init" in error_of(outcome)
    text = STATE + r"\begin{axdef} k : \nat \where k < 0 \end{axdef}"
    assert "no values of the constants satisfy the axioms" in error_of(explored(tmp_path, text))
