"""What Spin says of small models, by both engines; and Spin itself, where it is there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import burnside
import pytest
from burnside.pipeline import read

from tests.temporal.promela_facts import FACTS, Fact
from tests.temporal.spin import ABSENT, verdicts

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
    assert verdicts(tmp_path, fact.text, fact.kind) == fact.verdicts
