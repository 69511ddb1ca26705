"""What Spin says of small models, by both engines; and Spin itself, where it is there."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import burnside
import pytest
from burnside.pipeline import read

from tests.temporal.promela_facts import FACTS, Fact

ABSENT = [name for name in ("spin", "gcc") if shutil.which(name) is None]

NAMED = pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.name)


@pytest.mark.parametrize("engine", ["core", "reference"])
@pytest.mark.parametrize("is_fair", [False, True], ids=["all runs", "fair runs"])
@NAMED
def test_as_spin(fact: Fact, is_fair: bool, engine: str, tmp_path: Path) -> None:
    path = tmp_path / "fact.pml"
    path.write_text(fact.text)
    options: Any = {} if fact.kind == "claim" else {"cycles": fact.kind}
    if is_fair:
        options["fair"] = "weak"
    outcome = burnside.check(read(path), deadlock=False, engine=engine, **options)
    [found] = [each for each in outcome.properties if each.kind in ("ltl", "never", "cycles")]
    assert found.verdict == fact.verdicts[is_fair]


@pytest.mark.slow
@pytest.mark.skipif(bool(ABSENT), reason=f"{' and '.join(ABSENT)} is absent")
@NAMED
def test_spin_says_so(fact: Fact, tmp_path: Path) -> None:
    (tmp_path / "fact.pml").write_text(fact.text)

    def run(*command: str) -> str:
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout

    run("spin", "-a", "-o1", "-o2", "-o3", "fact.pml")
    compiled = ["-DNP"] if fact.kind == "progress" else []
    run("gcc", "-w", "-DNOREDUCE", *compiled, "-o", "pan", "pan.c")
    labels = [] if fact.kind == "claim" else ["-A"]
    asked = ["-l" if fact.kind == "progress" else "-a", "-E", *labels]
    found = ["errors: 0" not in run("./pan", *asked, *fair) for fair in ([], ["-f"])]
    assert found == [verdict == "violated" for verdict in fact.verdicts]
