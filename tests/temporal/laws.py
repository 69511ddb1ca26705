"""The law of temporal formulas: what the core answers, reduced by whatever method, is what the definitions say of the
unreduced model, and a formula of linear time that is violated comes with a run.

In: a model, properties. Out: nothing, or an assertion that fails; a `Tally` counts what was compared. The core replays every
run that it finds, and raises where it cannot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any

from burnside.diagnostics import (
    LimitError,
    RefusedError,
    UnsupportedError,
    UsageError,
    option_source,
)
from burnside.kinds import kind_of
from burnside.limits import Deadline
from burnside.model import Model
from burnside.progress import Progress
from burnside.records import field, record, replace
from burnside.reference.temporal import check_property
from burnside.reference.temporal.runs import Runs
from burnside.request import Request
from burnside.semantics import Semantics
from burnside.temporal.answers import FormulaAnswer
from burnside.temporal.atoms import Fairness, Proposition
from burnside.temporal.checking import FormulaCheck
from burnside.temporal.formulas import Ends, Formula, refused_by
from burnside.temporal.printing import show_formula
from burnside.temporal.reading import TemporalProperty
from burnside.temporal.shapes import is_path_formula
from hypothesis import reject

MAX_STATES = 150
"""Of random models: the reference engine has a node for each step and each set of subformulas."""

METHODS = ("none", "search", "minimise", "nauty", "compare", "flood", "representative")
APPROXIMATE = "marker"
"""Never wrong, but it may not know."""

VERDICTS = {True: "holds", False: "violated"}


@record(frozen=False)
class Tally:
    """`states`: of each model, unreduced. Answers under a group that is not trivial are counted apart: `reduced`."""

    symmetric: int = 0
    ending: int = 0
    holds: int = 0
    violated: int = 0
    fair: int = 0
    reduced_holds: int = 0
    reduced_violated: int = 0
    unknown: int = 0
    undecided: int = 0
    refused: int = 0
    states: list[int] = field(default_factory=list)

    def check_variety(self) -> None:
        """Were there enough models of each sort, and enough answers of each? Otherwise the law says little."""
        models = len(self.states)
        assert self.symmetric >= 0.3 * models and self.ending >= 0.1 * models
        answers = (self.holds, self.violated, self.reduced_holds, self.reduced_violated, self.fair)
        assert min(answers) >= 0.3 * models

    def numbers(self) -> dict[str, object]:
        """What crosses from one process to another."""
        return {
            "models": len(self.states),
            "with symmetries that formulas keep": self.symmetric,
            "with deadlocks": self.ending,
            "formulas hold": self.holds,
            "are violated": self.violated,
            "have no value": self.undecided,
            "under fairness": self.fair,
            "reduced answers hold": self.reduced_holds,
            "reduced answers violated": self.reduced_violated,
            "answers unknown": self.unknown,
            "methods refused": self.refused,
            "states": self.states,
        }


def property_of(
    formula: Formula,
    propositions: Sequence[Proposition],
    *,
    ends: Ends = "strong",
    fairness: Sequence[Fairness] = (),
) -> TemporalProperty:
    automaton = refused_by(formula)
    text = str(automaton) if automaton else show_formula(formula, lambda at: f"{{{propositions[at].text}}}")
    return TemporalProperty(
        name=text,
        text=text,
        logic="ltl",
        formula=formula,
        propositions=tuple(propositions),
        fairness=tuple(fairness),
        ends=ends,
        source=option_source("--ltl", text),
    )


def remembering(model: Model) -> Semantics[Any, Any, Any]:
    """The semantics of a model, which finds the steps of a state once for all formulas."""
    semantics = kind_of(model.subject).semantics_of(model.subject)
    steps = semantics.steps
    semantics.steps = cache(lambda state: tuple(steps(state)))  # type: ignore[method-assign]
    return semantics


def check_law(
    model: Model,
    properties: Sequence[TemporalProperty],
    methods: Sequence[str],
    tally: Tally,
    ways: Sequence[Mapping[str, Any]] = ({},),
) -> None:
    """Under each method, all formulas at once, in each of several ways: what a request says besides. Models that are too
    large are left alone."""
    named = [replace(each, name=f"{number}: {each.text}") for number, each in enumerate(properties)]
    semantics = remembering(model)
    try:
        runs = Runs(semantics, "strong", MAX_STATES)
    except UsageError:
        reject()
    expected = [check_property(semantics, each).holds for each in named]
    tally.states.append(len(runs.states))
    tally.ending += bool(runs.dead)
    tally.holds += expected.count(True)
    tally.violated += expected.count(False)
    tally.undecided += expected.count(None)
    tally.fair += sum(bool(each.fairness) for each in named)
    orders = [1]
    for method, way in product(methods, ways):
        request = Request(reduce=method, **way)
        try:
            found, groups = FormulaCheck(model, request, named, Deadline()).run(Progress())
        except (RefusedError, UnsupportedError, LimitError):
            tally.refused += 1
            continue
        order_of = {name: group.reduction.group_order for group in groups for name in group.formulas}
        orders += order_of.values()
        for each, wanted, answer in zip(named, expected, found, strict=True):
            _compare(each, wanted, answer, f"{method} {dict(way)}")
            is_reduced = order_of[each.name] > 1
            tally.unknown += answer.verdict == "unknown"
            tally.reduced_holds += is_reduced and answer.verdict == "holds"
            tally.reduced_violated += is_reduced and answer.verdict == "violated"
    tally.symmetric += max(orders) > 1


def _compare(asked: TemporalProperty, wanted: bool | None, answer: FormulaAnswer, method: str) -> None:
    """Where an atom has no value in some state, searches that do not come to that state may answer."""
    if wanted is None:
        return
    shown = f"{method}, {asked.ends}: {asked.text}, {[each.text for each in asked.fairness]}: {answer}"
    if answer.verdict == "unknown":
        fails = answer.trace is not None and answer.trace.steps[-1].failure is not None
        assert method.startswith(APPROXIMATE) or fails, shown
        return
    assert answer.verdict == VERDICTS[wanted], shown
    assert wanted or not is_path_formula(asked.formula) or answer.trace is not None, shown
