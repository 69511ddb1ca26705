"""Claims, labels and fairness of random Promela models: both engines, reduced and unreduced, say what Spin says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import burnside
import pytest
from burnside.diagnostics import UsageError
from burnside.outcome import PropertyResult
from burnside.pipeline import read

from tests.temporal.promela_models import random_model
from tests.temporal.spin import ABSENT, verdicts

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(ABSENT), reason=f"{' and '.join(ABSENT)} is absent"),
]

SEEDS = range(60)
KINDS = ("ltl", "never", "cycles")


def answer(path: Path, kind: str, *, is_fair: bool, **options: Any) -> PropertyResult | None:
    """None where the labels are in no process that is used."""
    asked: Any = {"fair": "weak"} if is_fair else {}
    if kind != "claim":
        asked["cycles"] = kind
    try:
        outcome = burnside.check(read(path), deadlock=False, **asked, **options)
    except UsageError:
        return None
    [found] = [each for each in outcome.properties if each.kind in KINDS]
    return found


def is_spins_way(found: PropertyResult, wanted: tuple[str, str]) -> bool:
    """Under `-f`, Spin goes wrong where runs end: it misses some of them, and contradicts what it says without `-f`."""
    ends = found.trace is not None and found.trace.loop_start is None
    return (found.verdict == "violated" and ends) or wanted == ("holds", "violated")


@pytest.mark.parametrize("seed", SEEDS)
def test_as_spin(seed: int, tmp_path: Path) -> None:
    model = random_model(seed)
    wanted = verdicts(tmp_path, model.text, model.kind)
    if wanted is None:
        pytest.skip("Spin refuses the model")
    for is_fair in (False, True):
        for options in ({"reduce": "none"}, {"reduce": "auto"}, {"engine": "reference"}):
            found = answer(tmp_path / "model.pml", model.kind, is_fair=is_fair, **options)
            if found is not None and found.verdict != wanted[is_fair]:
                assert is_fair and is_spins_way(found, wanted), (options, model.text)
