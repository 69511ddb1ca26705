"""Programs and machines are below everything: `ir` knows nothing of permutations, engines, languages or reports."""

from __future__ import annotations

import ast
from pathlib import Path

import burnside
import pytest

PACKAGE = Path(burnside.__file__).parent
BELOW = ("burnside.ir", "burnside.records", "burnside.diagnostics", "burnside.limits")


def imports(file: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        match node:
            case ast.ImportFrom(module=str(module)):
                found.add(module)
            case ast.Import(names=names):
                found |= {each.name for each in names}
    return {each for each in found if each.startswith("burnside")}


@pytest.mark.parametrize(
    "file", sorted(PACKAGE.glob("ir/**/*.py")), ids=lambda file: str(file.relative_to(PACKAGE))
)
def test_ir_stands_alone(file: Path) -> None:
    above = {each for each in imports(file) if not each.startswith(BELOW)}
    assert not above


@pytest.mark.parametrize("kind", ["nets", "programs", "machines"])
def test_symmetries_of_one_kind_know_no_other(kind: str) -> None:
    others = {f"burnside.symmetry.{each}" for each in ("nets", "programs", "machines") if each != kind}
    for file in PACKAGE.glob(f"symmetry/{kind}/**/*.py"):
        assert not {each for each in imports(file) if each.startswith(tuple(others))}, file
