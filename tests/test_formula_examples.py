"""One model file, its formulas: what the header comment of an example says of temporal formulas, every method must answer.

A line of a header is `ltl VERDICT: FORMULA` or `ctl VERDICT: FORMULA`, with `holds` or `violated`, and conditions in
brackets before the colon where there are some: sizes (`N=3`) and fairness (`fair weak`, `fair strong by p`):

    ltl violated (N=3, fair weak): forall p: PROCESS . G (phase[p] = Waiting -> F phase[p] = Critical)

In the place of a formula may stand the name of one that the model itself carries (`ASSERT_LTL`, Murphi's liveness).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from burnside.pipeline import check, read
from burnside.records import field, record
from burnside.request import AskedFormula, Request

FOLDER = Path(__file__).parent.parent / "examples"
LANGUAGES = ("nets", "murphi", "b", "z")
EXAMPLES = sorted(path for each in LANGUAGES for path in (FOLDER / each).iterdir() if path.is_file())
METHODS = ("auto", "none", "search", "minimise", "nauty", "compare", "flood", "representative")
LINE = re.compile(r"^\W*(ltl|ctl) (holds|violated)(?: \(([^()]*)\))?: (.*)$", re.MULTILINE)
SMALL = 150
"""Up to so many states the reference engine is asked too."""


@record
class Expectations:
    """Formulas of one model with the same sizes and fairness, with their verdicts."""

    path: Path
    sizes: tuple[tuple[str, int], ...] = ()
    fair: str | None = None
    fair_by: str | None = None
    verdicts: dict[tuple[str, str], str] = field(default_factory=dict)

    def __str__(self) -> str:
        words = [self.path.name, *(f"{name}={size}" for name, size in self.sizes)]
        return " ".join([*words, *(each for each in (self.fair, self.fair_by) if each)])

    def found(self, **options: Any) -> dict[tuple[str, str], str]:
        model = read(self.path, None, dict(self.sizes))
        carried = {each.name for each in model.formulas}
        asked = [AskedFormula(logic, text) for logic, text in self.verdicts if text not in carried]  # type: ignore[arg-type]
        fairness = {"fair": self.fair, "fair_by": self.fair_by}
        request = Request(formulas=tuple(asked), deadlock=False, **fairness, **options)  # type: ignore[arg-type]
        results = check(model, request).properties
        answers = {(each.kind, each.name): each.verdict for each in results}
        return {key: answers[key] for key in self.verdicts}

    @property
    def states(self) -> int:
        found = check(read(self.path, None, dict(self.sizes)), Request(deadlock=False)).full_states
        return SMALL + 1 if found is None else found


def expectations(path: Path) -> Iterator[Expectations]:
    by_conditions: dict[str, Expectations] = {}
    for logic, verdict, conditions, text in LINE.findall(path.read_text(errors="replace")):
        found = by_conditions.setdefault(conditions, _empty(path, conditions))
        key = logic, text.strip().replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
        assert key not in found.verdicts, f"{path.name}: {text!r} stands there twice"
        found.verdicts[key] = verdict
    yield from by_conditions.values()


def _empty(path: Path, conditions: str) -> Expectations:
    sizes: list[tuple[str, int]] = []
    fair = fair_by = None
    for each in filter(None, conditions.split(", ")):
        if size := re.fullmatch(r"(\w+)=(\d+)", each):
            sizes.append((size[1], int(size[2])))
        else:
            words = re.fullmatch(r"fair (weak|strong)(?: by (\w+))?", each)
            assert words, f"{path.name}: what is meant by {each!r}?"
            fair, fair_by = words.groups()
    return Expectations(path, tuple(sizes), fair, fair_by)


ALL = [each for path in EXAMPLES for each in expectations(path)]


def test_every_language_has_examples() -> None:
    folders = {each.path.parent.name for each in ALL}
    assert folders == set(LANGUAGES)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("each", ALL, ids=str)
def test_reduced(each: Expectations, method: str) -> None:
    assert each.found(reduce=method) == each.verdicts


@pytest.mark.parametrize("each", ALL, ids=str)
def test_by_definition(each: Expectations) -> None:
    if each.states > SMALL:
        pytest.skip(f"more than {SMALL} states")
    assert each.found(engine="reference") == each.verdicts
