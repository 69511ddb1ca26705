"""The same model in Z and in B: equal states, transitions, deadlocks, orbits and verdicts, by every method."""

from __future__ import annotations

from pathlib import Path

import pytest
from burnside.languages.options import ReadOptions
from burnside.outcome import Outcome
from burnside.pipeline import check, read
from burnside.records import record
from burnside.request import Request

EXAMPLES = Path(__file__).parents[1] / "examples"
METHODS = ("none", "search", "nauty", "compare", "minimise", "flood", "marker", "representative")


@record
class Twins:
    """`conditions`: goals in Z and the same in B."""

    z: str
    b: str
    sizes: tuple[tuple[str, int], ...]
    conditions: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return self.z

    def outcome(self, name: str, reduce: str, goals: tuple[str, ...] = ()) -> Outcome:
        model = read(EXAMPLES / name, options=ReadOptions(dict(self.sizes)))
        request = Request(
            reduce=reduce,
            symmetry="declared",
            keep_going=True,
            assume_bounds=True,
            goals=goals,
            self_check="full",
        )
        return check(model, request)


TWINS = (
    Twins(
        "z/organisation.tex",
        "b/Organisation.mch",
        (("NAME", 4),),
        (
            (r"\# waiting + \# member > 3", "card(waiting) + card(member) > 3"),
            (r"member \cap waiting \neq \emptyset", "member /\\ waiting /= {}"),
            (r"limit = 3", "limit = 3"),
        ),
    ),
    Twins(
        "z/videoshop.tex",
        "b/VideoShop.mch",
        (("MAXINT", 4),),
        (
            (
                r"\exists t : TITLE @ \# (rented \rres \{ t \}) = 2",
                "#t.(t : TITLE & card(rented |> {t}) = 2)",
            ),
            (
                r"\exists t : \dom stock @ \# (rented \rres \{ t \}) > stock~t",
                "#t.(t : dom(stock) & card(rented |> {t}) > stock(t))",
            ),
        ),
    ),
    Twins(
        "z/birthdaybook.tex",
        "b/BirthdayBook.mch",
        (("NAME", 3), ("DATE", 3)),
        (
            (r"\# (\ran birthday) = 3", "card(ran(birthday)) = 3"),
            (r"known \neq \dom birthday", "known /= dom(birthday)"),
        ),
    ),
    Twins(
        "z/scheduler.tex",
        "b/Scheduler1.ref",
        (("PROC", 3),),
        (
            (r"\# queue = 3 \land processor = busy", "size(queue) = 3 & busy = TRUE"),
            (r"\# queue = 2 \land processor = busy", "size(queue) = 2 & busy = TRUE"),
            (r"current \notin procs", "current /: procs"),
        ),
    ),
    Twins(
        "z/filesystem.tex",
        "b/FileSystem.mch",
        (("NAME", 2), ("BYTE", 2)),
        (
            (
                r"\exists f : \ran files @ \# f.contents = capacity",
                "#f.(f : ran(files) & size(f) = capacity)",
            ),
            (
                r"\exists f : \ran files @ \# f.contents > capacity",
                "#f.(f : ran(files) & size(f) > capacity)",
            ),
        ),
    ),
)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("twins", TWINS, ids=str)
def test_counts_are_equal(twins: Twins, method: str) -> None:
    z, b = twins.outcome(twins.z, method), twins.outcome(twins.b, method)
    assert z.stopped == b.stopped == "exhausted"
    for name in ("states", "transitions", "deadlocks", "full_states", "initial_states", "depth"):
        assert getattr(z, name) == getattr(b, name), name
    assert z.reduction.group_order == b.reduction.group_order
    assert z.reduction.strength == b.reduction.strength


@pytest.mark.parametrize("method", ["none", "auto"])
@pytest.mark.parametrize("twins", TWINS, ids=str)
def test_verdicts_are_equal(twins: Twins, method: str) -> None:
    found = []
    for name, goals in (
        (twins.z, [z for z, _ in twins.conditions]),
        (twins.b, [b for _, b in twins.conditions]),
    ):
        outcome = twins.outcome(name, method, tuple(goals))
        results = [each for each in outcome.properties if each.kind == "goal"]
        found.append(
            [(each.verdict, None if each.trace is None else len(each.trace.steps)) for each in results]
        )
    assert found[0] == found[1]
    assert len(found[0]) == len(twins.conditions)
    assert len({verdict for verdict, _ in found[0]}) > 1 or len(twins.conditions) < 2
