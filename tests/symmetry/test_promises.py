"""Declared symmetries of processes: certified, never trusted."""

from __future__ import annotations

from pathlib import Path

import burnside
import pytest
from burnside.cli import main
from burnside.diagnostics import InputError, RefusedError, UsageError
from burnside.languages.options import ReadOptions
from burnside.pipeline import read, symmetries
from burnside.request import Request

ALIKE = """
byte inside;
active [3] proctype worker() { do :: atomic { inside == 0 -> inside++ }; inside-- od }
"""
UNLIKE = ALIKE.replace("inside == 0 ->", "inside == 0 && _pid < 2 ->")


def written(folder: Path, text: str) -> Path:
    path = folder / "model.pml"
    path.write_text(text)
    return path


def test_a_promise_that_is_kept_says_nothing(tmp_path: Path) -> None:
    model = read(written(tmp_path, ALIKE), options=ReadOptions(symmetric=("worker",)))
    outcome = burnside.check(model, symmetry="strict")
    assert outcome.reduction.group_order == 6
    assert outcome.reduction.dropped == ()


def test_a_promise_that_is_broken_is_dropped_or_refused(tmp_path: Path) -> None:
    model = read(written(tmp_path, UNLIKE), options=ReadOptions(symmetric=("worker",)))
    outcome = burnside.check(model)
    [dropped] = outcome.reduction.dropped
    assert (dropped.what, dropped.line) == ("proctype worker", 3)
    assert dropped.reason == "only these were shown to be exchangeable: worker(0), worker(1); worker(2)"
    with pytest.raises(RefusedError, match="proctype worker could not be shown to be symmetric"):
        burnside.check(model, symmetry="strict")


@pytest.mark.parametrize("comment", ["/* burnside: symmetric worker */", "// burnside: symmetric worker\n"])
def test_a_comment_may_promise_it(tmp_path: Path, comment: str) -> None:
    model = read(written(tmp_path, f"{comment}{UNLIKE}"))
    [dropped] = burnside.check(model).reduction.dropped
    assert (dropped.what, dropped.line, dropped.column) == ("proctype worker", 1, comment.index("worker") + 1)


def test_a_property_takes_symmetries_without_breaking_a_promise(tmp_path: Path) -> None:
    text = "byte last = 9;" + ALIKE.replace("inside++", "inside++; last = _pid")
    model = read(written(tmp_path, text), options=ReadOptions(symmetric=("worker",)))
    outcome = burnside.check(model, invariants="last != 1", keep_going=True, symmetry="strict")
    assert outcome.reduction.dropped == ()
    assert outcome.reduction.group_order == 2


def test_only_what_is_declared_is_used(tmp_path: Path) -> None:
    text = (
        ALIKE
        + "byte other;\nactive [2] proctype idle() { do :: atomic { other == 0 -> other++ }; other-- od }\n"
    )
    orders = {}
    for symmetry in ("auto", "declared"):
        found = symmetries(
            read(written(tmp_path, text), options=ReadOptions(symmetric=("worker",))),
            Request(symmetry=symmetry),
        )
        orders[symmetry] = found.order
    assert orders == {"auto": 12, "declared": 6}
    found = symmetries(read(written(tmp_path, text)), Request(symmetry="declared"))
    assert found.order == 1


def test_processes_move_with_what_belongs_to_them(tmp_path: Path) -> None:
    """Each client has a channel of its own, which moves with it."""
    text = """
    chan requests = [2] of { chan };
    active [3] proctype client() { chan mine = [1] of { bit }; do :: requests!mine; mine?_ od }
    active proctype server() { chan whose; do :: requests?whose; whose!1 od }
    """
    model = read(written(tmp_path, text), options=ReadOptions(symmetric=("client",)))
    assert burnside.check(model, symmetry="strict").reduction.group_order == 6
    assert burnside.check(model, symmetry="declared").reduction.group_order == 6


def test_names_must_be_those_of_proctypes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UsageError, match="there is no proctype 'x'"):
        read(written(tmp_path, ALIKE), options=ReadOptions(symmetric=("x",)))
    with pytest.raises(InputError, match="there is no proctype 'inside'"):
        read(written(tmp_path, "/* burnside: symmetric worker, inside */" + ALIKE))
    with pytest.raises(InputError, match="this annotation is not known"):
        read(written(tmp_path, "// burnside: symetric worker\n" + ALIKE))
    net = Path(__file__).parents[2] / "examples" / "nets" / "mutex.lola"
    assert main(["check", str(net), "--symmetric", "p"]) == 2
    assert "it needs a Promela model" in capsys.readouterr().err
