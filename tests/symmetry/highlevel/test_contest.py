"""Groups of the contest's symmetric nets. Where the group of the place/transition net of the same name is as large, all its
symmetries are permutations of colours; elsewhere it also exchanges places."""

from __future__ import annotations

from math import factorial
from pathlib import Path

import pytest
from burnside.symmetry.highlevel import certify, highlevel_symmetry

from tests.symmetry.highlevel.nets import order

MODELS = Path(__file__).parents[4] / "shared" / "models" / "pnml"
ORDERS = {
    "AirplaneLD-COL-0010": factorial(11) * factorial(9) * factorial(6) * factorial(4),
    "AirplaneLD-COL-0020": factorial(21) * factorial(19) * factorial(11) * factorial(9),
    "BART-COL-002": 2,
    "CryptoMiner-COL-D03N010": 1,
    "DatabaseWithMutex-COL-02": 4,
    "LamportFastMutEx-COL-2": 2,
    "LamportFastMutEx-COL-3": 6,
    "Murphy-COL-D1N010": 2,
    "PGCD-COL-D02N005": 3,
    "PGCD-COL-D02N006": 3,
    "PermAdmissibility-COL-01": 16,
    "Peterson-COL-2": 1,
    "Philosophers-COL-000005": 5,
    "Philosophers-COL-000010": 10,
    "PhilosophersDyn-COL-03": 6,
    "PhilosophersDyn-COL-10": factorial(10),
    "Referendum-COL-0010": factorial(10),
    "SharedMemory-COL-000005": 120,
    "Sudoku-COL-AN01": 1,
    "Sudoku-COL-AN02": 2,
    "Sudoku-COL-AN03": 6,
    "Sudoku-COL-BN01": 1,
    "TokenRing-COL-005": 1,
    "TokenRing-COL-010": 1,
}


@pytest.mark.parametrize("name", ORDERS)
def test_order(name: str) -> None:
    from burnside.languages.pnml.symmetric import read

    model = MODELS / name / "model.pnml"
    if not model.exists():
        pytest.skip(f"{name} is not here")
    net, _ = read(model)
    symmetry = highlevel_symmetry(net)
    assert order(symmetry) == ORDERS[name]
    assert symmetry.complete
    assert all(certify(net, each.permutation) for each in symmetry.generators)
