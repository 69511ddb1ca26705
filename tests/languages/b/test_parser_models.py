"""Machines that others wrote, where they lie beside the project: every one is read, quickly."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from burnside.diagnostics import InputError
from burnside.languages.b.parse.project import load_project

from tests.b_trees import extents

MODELS = Path(__file__).parents[4] / "shared" / "models" / "b"
MACHINES = sorted(MODELS.rglob("*.mch"))
NO_MACHINE = {"FlawedMachine"}
"""Prose, on purpose."""

if not MACHINES:
    pytest.skip("no machines beside the project: ../shared/models/b", allow_module_level=True)


@pytest.mark.parametrize("path", MACHINES, ids=lambda path: path.stem)
def test_machine_is_read(path: Path) -> None:
    if path.stem in NO_MACHINE:
        with pytest.raises(InputError, match="expected 'MACHINE'"):
            load_project(path)
        return
    machine = load_project(path).main
    for tree in (machine.invariant, machine.properties, machine.initialisation, machine.operations):
        for at in extents(tree):
            assert 0 <= at.offset < at.offset + at.length <= len(at.source.text)


def test_reading_is_quick() -> None:
    """Fifty milliseconds of processor time for the largest would be slow: the best of three takes less."""
    largest = max(MACHINES, key=lambda path: path.stat().st_size)
    best = min(spent(largest) for _ in range(3))
    assert best < 0.05


def spent(path: Path) -> float:
    start = time.process_time()
    load_project(path)
    return time.process_time() - start
