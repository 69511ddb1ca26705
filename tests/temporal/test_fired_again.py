"""Edges that are not kept are fired again: the same answers in less memory."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from burnside.benchmarks import ctl_formulas
from burnside.diagnostics import option_source
from burnside.families import build
from burnside.kinds import kind_of
from burnside.limits import Deadline
from burnside.model import Model
from burnside.outcome import FormulaRun
from burnside.progress import Progress
from burnside.reference.temporal import check_property
from burnside.request import Limits, Logic, Request
from burnside.temporal.answers import FormulaAnswer
from burnside.temporal.checking import FormulaCheck
from burnside.temporal.reading import TemporalProperty, dialect_of, read_property

from tests.temporal.models import DEFERRED, WITH_CONSTANT, b_model, net_model, sem

EATING = " + ".join(f"eating_{number}" for number in range(1, 5))
EATING_11 = " + ".join(f"eating_{number}" for number in range(1, 12))
FORMULAS: dict[str, tuple[str, ...]] = {
    "net": (
        f"G {{{EATING} <= 2}}",
        f"F deadlock or G F {{{EATING} >= 1}}",
        "G F {eating_1 = 1}",
        "G ({has_left_1 = 1} -> F [take_right_1])",
        "WEF => G F {eating_1 = 1}",
        "SEF => F deadlock or G F {eating_1 = 1}",
        "AG EF {eating_1 = 1}",
        "E [{eating_1 = 0} U ({eating_2 = 1} & EX {eating_2 = 0})]",
        "EG {eating_1 = 0}",
        "AF deadlock",
        "EX [take_left_1] AX {fork_1 = 0}",
        "A (G F {eating_1 = 1} or F E G {eating_1 = 0})",
    ),
    "program": (
        "G {forall p: PROCESS do phase[p] = Critical -> !free end}",
        "G F {free}",
        "WEF => G F {free}",
        "SEF => G F {exists p: PROCESS do phase[p] = Critical end}",
        "AG EF {free}",
        "EG {free}",
        "G ({!free} -> F [leave])",
    ),
    "machine": (
        "G F {c = {}}",
        "WEF => G F {c = {}}",
        "G ({w /= {}} => F {c /= {}})",
        "SEF => G ({w /= {}} => F {c /= {}})",
        "AG EF {c = {} & w = {}}",
        "EG {c = {}}",
        "G F [enter(_)]",
    ),
}
MODELS: dict[str, tuple[str, Callable[[], Model]]] = {
    "ph 4": ("net", lambda: net_model(build("ph", ["4"]))),
    "sem 3": ("program", lambda: sem(3)),
    "deferred": ("machine", lambda: b_model(DEFERRED)),
    "constant": ("machine", lambda: b_model(WITH_CONSTANT)),
}


class FiringAgain(FormulaCheck):
    keep_edges = False


def properties(model: Model, texts: tuple[str, ...]) -> list[TemporalProperty]:
    atoms = kind_of(model.subject).atom_reader(model)

    def read(text: str) -> TemporalProperty:
        logic: Logic = "ctl" if text[0] in "AE" else "ltl"
        return read_property(option_source("--ltl", text), atoms, dialect=dialect_of(model), logic=logic)

    return [read(text) for text in texts]


def checked(
    kind: type[FormulaCheck], model: Model, asked: list[TemporalProperty], request: Request
) -> tuple[list[FormulaAnswer], list[FormulaRun]]:
    return kind(model, request, asked, Deadline()).run(Progress())


@pytest.mark.parametrize("reduce", ["none", "search", "flood", "compare", "representative"])
@pytest.mark.parametrize("name", MODELS)
def test_answers_are_the_same(name: str, reduce: str) -> None:
    kind, load = MODELS[name]
    model, request = load(), Request(reduce=reduce)
    asked = properties(model, FORMULAS[kind])
    kept, kept_runs = checked(FormulaCheck, model, asked, request)
    again, again_runs = checked(FiringAgain, model, asked, request)
    assert {each.verdict for each in kept} == {"holds", "violated"}
    assert [each.verdict for each in again] == [each.verdict for each in kept]
    assert [each.trace is None for each in again] == [each.trace is None for each in kept]
    assert all(run.edges_kept for run in kept_runs) and not any(run.edges_kept for run in again_runs)


@pytest.mark.parametrize("examination", ctl_formulas.SHAPES)
def test_examinations_are_answered_as_the_definitions_say(examination: str) -> None:
    net = build("ph", ["3"])
    model = net_model(net)
    asked = properties(model, tuple(f"A ({text})" for text in ctl_formulas.formulas(examination, net)))
    semantics = kind_of(model.subject).semantics_of(model.subject)
    expected = ["holds" if check_property(semantics, each).holds else "violated" for each in asked]
    for kind in (FormulaCheck, FiringAgain):
        found, _ = checked(kind, model, asked, Request(reduce="none"))
        assert [each.verdict for each in found] == expected


def limited(
    model: Model, asked: list[TemporalProperty], memory: int | None
) -> tuple[list[str], FormulaRun, str]:
    check = FormulaCheck(model, Request(reduce="none", limits=Limits(memory_bytes=memory)), asked, Deadline())
    found, (run,) = check.run(Progress())
    return [each.verdict for each in found], run, check.stopped


@pytest.mark.parametrize(
    "text", ["AG EF {eating_1 = 1}", f"F deadlock or G F {{{EATING_11} >= 1}}", "AG AF deadlock"]
)
def test_a_memory_limit_decides_whether_edges_are_kept(text: str) -> None:
    model = net_model(build("ph", ["11"]))
    asked = properties(model, (text,))
    verdicts, run, stopped = limited(model, asked, None)
    assert run.edges_kept and stopped == "exhausted" and run.store_bytes and run.edge_bytes
    states = run.store_bytes - run.edge_bytes
    # Room for states and the search, not for the edges as well.
    fewer, again, stopped = limited(model, asked, 2 * states)
    assert (fewer, stopped, again.edges_kept) == (verdicts, "exhausted", False)
    nothing, _, stopped = limited(model, asked, states // 3)
    assert (nothing, stopped) == (["unknown"], "max-memory")
