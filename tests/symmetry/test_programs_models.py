"""Symmetries of Murphi models written by others, where they lie beside the project."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from burnside.ir.program import Program
from burnside.languages.murphi import read
from burnside.symmetry.points import renaming
from burnside.symmetry.programs import find, program_symmetry

from tests.exploring import explore_program as explore

MODELS = Path(__file__).parents[3] / "shared" / "models" / "murphi"
NAMES = sorted(path.stem for path in MODELS.glob("cmurphi_*.m"))

FOUND = {
    "cmurphi_others__dp4": ["(0 2)", "(1 3)", "(0 1 2 3)"],
    "cmurphi_others__dpnew": ["(0 1 2)", "(left right)(1 2)"],
    "cmurphi_toy__pingpong": ["(0 1)"],
    "cmurphi_mux__dek": [],
}


@cache
def model(name: str) -> Program:
    path = MODELS / f"{name}.m"
    if not path.exists():
        pytest.skip(f"{path.name} is not here")
    return read(path)


@pytest.mark.parametrize("name", NAMES)
def test_declared_scalarsets_are_certified(name: str) -> None:
    program = model(name)
    symmetry = program_symmetry(program, search=False)
    assert symmetry.refused == ()
    assert symmetry.restricted_by == ()
    sizes = [sort.size for sort in program.sorts if sort.symmetry == "full"]
    assert len(symmetry.generators) == sum((size > 1) + (size > 2) for size in sizes)


@pytest.mark.parametrize("name", FOUND)
def test_what_is_found_beyond(name: str) -> None:
    program = model(name)
    symmetry = find(program)
    assert [each.cycles for each in symmetry.generators] == FOUND[name]
    generators = [renaming(symmetry.program, each.permutation).images for each in symmetry.generators]
    plain = explore(program, keep_going=True)
    reduced = explore(symmetry.program, generators, keep_going=True)
    assert reduced.full_states == plain.states
    assert (reduced.states < plain.states) == bool(FOUND[name])
