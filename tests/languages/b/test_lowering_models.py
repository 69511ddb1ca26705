"""Machines written by others, where they lie beside the project: all become well-formed machines."""

from __future__ import annotations

from pathlib import Path

import pytest
from burnside.diagnostics import InputError
from burnside.ir.sets.checking import problems
from burnside.languages.b import read

MODELS = Path(__file__).parents[4] / "shared" / "models" / "b"
FILES = sorted(MODELS.glob("*.mch")) + sorted((MODELS / "bmoth").glob("*.mch"))
NO_MACHINE = {"FlawedMachine"}
"""A text in English, to be refused."""


def files() -> list[object]:
    if not FILES:
        return [pytest.param(Path(), marks=pytest.mark.skip(reason="../shared/models/b is absent"))]
    return [pytest.param(path, id=path.stem) for path in FILES]


@pytest.mark.parametrize("path", files())
def test_model(path: Path) -> None:
    if path.stem in NO_MACHINE:
        with pytest.raises(InputError, match="expected 'MACHINE'"):
            read(path)
        return
    machine = read(path)
    assert problems(machine) == ()
    assert machine.operations or machine.claims or machine.properties or machine.sorts
