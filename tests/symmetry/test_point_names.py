"""What points are called in generators, orbits and messages: the user's own names, all different."""

from __future__ import annotations

from pathlib import Path

import burnside
import pytest
from burnside import pipeline
from burnside.symmetry.group import SymmetryGroup

EXAMPLES = Path(__file__).parents[2] / "examples" / "promela"
MODELS = sorted(EXAMPLES.rglob("*.pml"))


def group_of(name: str, **sizes: int) -> SymmetryGroup:
    return burnside.symmetries(pipeline.read(EXAMPLES / f"{name}.pml", sizes=sizes)).group


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_names_are_all_different_and_none_is_internal(path: Path) -> None:
    if path.stem == "hypercube_4":
        pytest.skip("takes long")
    found = burnside.symmetries(path)
    names = found.group.names
    assert len(set(names)) == len(names)
    for name in names:
        assert ":at=" not in name and "[self]" not in name and ":field" not in name and ":length" not in name
    # What is printed can be asked for again.
    assert all(each.cycles in found.group for each in found.generators)


def test_numbers_are_called_by_the_variable_that_holds_them() -> None:
    assert "(diff=1 diff=2)" in "".join(group_of("hypercube", N=2).generators)
    assert group_of("three_tiers").orbit("server:who=6") == ("server:who=6", "server:who=7")
    assert group_of("philosophers").orbit("0") == tuple("01234")


def test_points_of_control_are_places_in_the_text() -> None:
    names = [name for name in group_of("polling").names if name.startswith("server at line ")]
    assert len(names) == 10


FAILING = [
    ("byte k, own[2]; do :: k++ :: own[k] = 1 od", "the index 2 of own is not in 0..1"),
    ("byte k = 9; shared[k] = 1", "the index 9 of shared is not in 0..2"),
    ("byte k, own[2]; do :: k++ :: shared[own[k]] = 1 od", "the index 2 of own is not in 0..1"),
    ("byte k = 200; do :: k = _pid :: shared[k] = 1 od", "the index 200 of shared is not in 0..2"),
    ("byte k; do :: k++ :: assert(k < 2) od", "assert(k < 2) (line 2, column "),
]


@pytest.mark.parametrize(("body", "message"), FAILING, ids=[each[0] for each in FAILING])
def test_errors_name_what_the_user_wrote(tmp_path: Path, body: str, message: str) -> None:
    path = tmp_path / "model.pml"
    path.write_text(f"byte shared[3];\nactive [3] proctype p() {{ {body} }}\n")
    for reduce in ("auto", "none"):
        outcome = burnside.check(path, reduce)
        [violated] = outcome.violations
        assert violated.trace is not None
        failure = violated.trace.steps[-1].failure
        assert failure is not None and failure.startswith(message)
        assert failure.count("line") == 1
