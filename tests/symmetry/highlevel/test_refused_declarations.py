"""Declared symmetries of high-level nets that do not hold: noted by both routes, refused under `--symmetry strict`."""

from __future__ import annotations

from pathlib import Path

import burnside
import pytest
from burnside.cli import main
from burnside.diagnostics import RefusedError

RAILROAD = Path(__file__).parents[3] / "examples/hln/railroad.hln"


@pytest.mark.parametrize("unfold", [True, False])
def test_both_routes_say_what_was_dropped(unfold: bool) -> None:
    dropped = burnside.check(RAILROAD, unfold=unfold).reduction.dropped
    assert [(each.what, each.line) for each in dropped] == [("unordered Train", 15), ("cyclic Sec", 15)]


@pytest.mark.parametrize("unfold", [True, False])
def test_formulas_too(unfold: bool, capsys: pytest.CaptureFixture[str]) -> None:
    route = "--unfold" if unfold else "--no-unfold"
    assert main(["check", str(RAILROAD), route, "--ltl", "G F [go]"]) == 0
    assert "unordered Train could not be shown to be symmetric" in capsys.readouterr().err


def test_strict_makes_it_an_error() -> None:
    with pytest.raises(RefusedError, match="unordered Train could not be shown") as caught:
        burnside.check(RAILROAD, symmetry="strict")
    diagnostic = caught.value.diagnostic
    assert diagnostic.span is not None and diagnostic.span.line == 15
    assert diagnostic.hint == "--break-symmetry Train treats its elements as fixed"
    with pytest.raises(RefusedError):
        burnside.symmetries(RAILROAD, symmetry="strict")


def test_strict_allows_what_is_broken_or_holds() -> None:
    assert burnside.check(RAILROAD, symmetry="strict", broken=("Train", "Sec"))
    database = RAILROAD.with_name("database.hln")
    assert burnside.check(database, symmetry="strict").reduction.group_order == 24
