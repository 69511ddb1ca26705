"""Spin confirms what the header comments of the Promela examples say: counts, deadlocks, verdicts.

Skipped where `spin` or `gcc` is absent. As each run compiles a verifier, other sizes than those in the files are slow,
and so are the asymmetric variants.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from burnside.benchmarks.spin_models import MODELS, located

from tests.promela_headers import (
    CLAIMED,
    EXAMPLES,
    EXPECTED,
    FOLDER,
    NEEDED,
    TOO_LONG,
    Claim,
    Expectation,
    Sizes,
    expectations,
    parameters,
    shown,
)

ABSENT = [name for name in ("spin", "gcc") if shutil.which(name) is None]
needs_spin = pytest.mark.skipif(bool(ABSENT), reason=f"{' and '.join(ABSENT)} is absent")

FAST = {str(each) for each in EXPECTED if not each.sizes and each.path.parent == FOLDER}
COMPILING = {"progress": ["-DNP"], "accept": ["-DNOCLAIM"]}


def by_verifier() -> dict[str, list[Claim]]:
    found: dict[str, list[Claim]] = {}
    for each in CLAIMED:
        found.setdefault(f"{shown(each.path, each.sizes)} {each.kind}", []).append(each)
    return found


VERIFIERS = by_verifier()


class Verifier:
    """Spin's verifier of one model, compiled in a folder of its own: it writes trails beside the model."""

    def __init__(self, path: Path, sizes: Sizes, folder: Path, options: Sequence[str]) -> None:
        model = shutil.copytree(FOLDER, folder / "models") / path.relative_to(FOLDER)
        self.folder = model.parent
        macros = [f"-D{name}={size}" for name, size in sizes]
        self.run("spin", *macros, "-a", "-o1", "-o2", "-o3", model.name)
        self.run("gcc", "-w", "-DNOREDUCE", *options, "-o", "pan", "pan.c")

    def run(self, *command: str) -> str:
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=True)
        return done.stdout

    def verify(self, *options: str) -> str:
        return self.run("./pan", *options)


def number(pattern: str, said: str) -> int:
    match = re.search(pattern, said)
    assert match, said
    return int(match[1])


def test_every_example_says_what_it_expects() -> None:
    assert EXAMPLES
    for path in EXAMPLES:
        found = expectations(path)
        assert () in {each.sizes for each in found}, path.name
        for each in found:
            assert each.values.keys() >= NEEDED, str(each)


@needs_spin
@pytest.mark.parametrize(
    "each", parameters([each for each in EXPECTED if each.number("states") <= TOO_LONG], FAST)
)
def test_counts(each: Expectation, tmp_path: Path) -> None:
    verifier = Verifier(each.path, each.sizes, tmp_path, ["-DSAFETY", "-DNOCLAIM"])
    said = verifier.verify("-c0", "-m10000000", "-w20")
    assert "too small" not in said
    assert {
        "states": number(r"(\d+) states, stored", said),
        "transitions": number(r"(\d+) transitions", said),
        "deadlocks": number(r"errors: (\d+)", said),
    } == {key: each.number(key) for key in NEEDED}
    assert each.verdict == ("violated" if each.number("deadlocks") else "holds")


@needs_spin
@pytest.mark.parametrize("claims", VERIFIERS.values(), ids=VERIFIERS)
def test_verdicts(claims: list[Claim], tmp_path: Path) -> None:
    """A violation ends a run; that a claim holds, only a search to the end can say."""
    verifier = Verifier(claims[0].path, claims[0].sizes, tmp_path, COMPILING.get(claims[0].kind, []))
    for each in claims:
        asked = {"progress": ["-l"], "ltl": ["-a", "-N", each.name]}.get(each.kind, ["-a"])
        said = verifier.verify(*asked, *(["-f"] if each.is_fair else []), "-m10000")
        errors = number(r"errors: (\d+)", said)
        assert each.verdict == ("violated" if errors else "holds"), str(each)
        assert errors or "too small" not in said, str(each)


def test_races_have_models() -> None:
    for each in MODELS:
        path = located(each)
        assert path is not None, str(each)
        expected = {found.sizes: found.number("states") for found in expectations(path)}
        assert expected.get(each.sizes, each.states) == each.states, str(each)
        for name, _ in each.sizes:
            assert f"#ifndef {name}" in path.read_text(), str(each)
