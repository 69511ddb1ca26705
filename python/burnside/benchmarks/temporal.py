"""What temporal formulas cost, against plain exploration in the same run.

In: a net, a program and a machine, formulas that hold, formulas that do not, examinations of the contest's form. Out: three
tables: `temporal-ltl` (seconds for each node of the product against seconds for each state of a plain exploration),
`temporal-early` (how much is expanded until a formula is refuted) and `temporal-ctl` (16 formulas against one exploration,
and bytes for each edge). Processor seconds are compared, of which other processes take none, and runs alternate. A wrong
verdict is an error; a missed target only says so.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from burnside import _core, pipeline
from burnside.benchmarks import b_instances, instances
from burnside.benchmarks.ctl_formulas import formulas
from burnside.benchmarks.measuring import family
from burnside.benchmarks.tables import Row, Table, TableSpec, named, without_figures
from burnside.checking import Check
from burnside.diagnostics import option_source
from burnside.kinds import kind_of
from burnside.limits import Deadline
from burnside.model import Model
from burnside.progress import Progress
from burnside.records import record
from burnside.request import Logic, Request
from burnside.temporal.checking import FormulaCheck
from burnside.temporal.reading import TemporalProperty, dialect_of, read_property

LTL_RATIO = 3.0
CTL_RATIO = 5.0
EDGE_BYTES = 12.0
REPETITIONS = 3

LTL = TableSpec(
    "temporal-ltl",
    "LTL formulas that hold",
    named(
        "model | kind | reduction | formula | states | nodes | exploring, µs a state | formula, µs a node | ratio | target "
        "| verdict"
    ),
    "One thread, processor seconds, the least of three runs that alternate. A node is a state of the model with one of the "
    "automaton; plain exploration is that of the same space under the same group, without formulas and self-check.",
)
EARLY = TableSpec(
    "temporal-early",
    "LTL formulas that do not hold",
    named(
        "model | kind | reduction | formula | states of the whole space | expanded | exploring s | formula s | steps "
        "| verdict"
    ),
    "States expanded, and processor seconds of the core, until a counterexample is there, beside the whole space. `steps`: "
    "of the counterexample.",
)
CTL = TableSpec(
    "temporal-ctl",
    "Examinations of 16 CTL formulas",
    named(
        "net | examination | states | edges | hold | violated | exploring s | formulas s | ratio | target | bytes an edge "
        "| target for bytes | verdict"
    ),
    "Unreduced, one thread, processor seconds, the least of three runs that alternate. Shapes of formulas are those of an "
    "examination of the contest, over atoms of the net. Bytes an edge: of all that grows with the number of edges, "
    "predecessors included.",
)


@record
class Case:
    """A model, how it is reduced, and formulas: those that hold, those that do not."""

    name: str
    kind: str
    reduce: str
    hold: tuple[str, ...]
    fail: tuple[str, ...]

    def missing(self) -> str:
        """Why there can be no row; empty where there can."""
        match self.kind:
            case "program":
                return instances.missing(self.name)
            case "machine":
                return b_instances.missing(self.name)
            case _:
                return ""

    def model(self) -> Model:
        match self.kind:
            case "program":
                found = instances.instance(self.name)
                return pipeline.read(found.file, "murphi", found.sizes)
            case "machine":
                return pipeline.read(b_instances.file_of(self.name), "b", b_instances.sizes_of(self.name))
            case _:
                return pipeline.model_of(family(self.name))

    @property
    def request(self) -> Request:
        return Request(reduce=self.reduce, self_check="off", threads=1, keep_going=True)


EATING = " + ".join(f"eating_{number}" for number in range(1, 16))
PH_HOLDS = (
    f"G {{{EATING} <= 7}}",
    f"G ({{{EATING} >= 3}} -> ({{{EATING} >= 2}} W {{{EATING} <= 2}}))",
    f"F deadlock or G F {{{EATING} >= 1}}",
)
PH_FAILS = (f"G {{{EATING} <= 6}}", f"F {{{EATING} >= 1}}", f"G F {{{EATING} = 0}}")
GERMAN_HOLDS = (
    "G {forall i: NODE do Cache[i].State = Exclusive -> ExGntd end}",
    "G ({ExGntd} -> ({ExGntd} W {exists i: NODE do Chan3[i].Cmd = InvAck end} or {!ExGntd}))",
    "F G {CurCmd != Empty} or F G {CurCmd = Empty} or G F {exists i: NODE do Chan1[i].Cmd != Empty end}",
)
GERMAN_FAILS = (
    "G !{ExGntd}",
    "G ({CurCmd = ReqS} -> F {CurCmd = Empty})",
    "F {exists i: NODE do Cache[i].State = Shared end}",
)
SCHEDULER_HOLDS = (
    "G {queue = [] or busy = TRUE or first(queue) : procs}",
    "G ({busy = TRUE} => ({busy = TRUE} W {current : idlers}))",
    "F G {busy = FALSE} or F G {busy = TRUE} or G F [enter]",
)
SCHEDULER_FAILS = ("G {card(queue) <= 3}", "G ({queue /= []} => F {busy = TRUE})", "G F [create]")

CASES = (
    Case("ph 15", "net", "none", PH_HOLDS, PH_FAILS),
    Case("ph 15", "net", "search", PH_HOLDS, PH_FAILS),
    Case("german", "program", "none", GERMAN_HOLDS, GERMAN_FAILS),
    Case("german", "program", "search", GERMAN_HOLDS, GERMAN_FAILS),
    Case("Scheduler1 PROC=7", "machine", "none", SCHEDULER_HOLDS, SCHEDULER_FAILS),
    Case("Scheduler1 PROC=20", "machine", "search", SCHEDULER_HOLDS, SCHEDULER_FAILS),
)


@record
class Examination:
    """A net with known counts, and how many formulas of an examination hold."""

    net: str
    name: str
    states: int
    edges: int
    hold: int


EXAMINATIONS = (
    Examination("ph 16", "CTLFireability", 1_331_714, 13_774_112, 10),
    Examination("ph 16", "CTLCardinality", 1_331_714, 13_774_112, 9),
    Examination("digraphs 5", "CTLFireability", 1_048_576, 10_485_760, 11),
    Examination("digraphs 5", "CTLCardinality", 1_048_576, 10_485_760, 10),
)


def tables() -> Iterator[Table]:
    yield Table(LTL, ltl_rows(CASES))
    yield Table(EARLY, early_rows(CASES))
    yield Table(CTL, ctl_rows(EXAMINATIONS))


@record
class _Plain:
    """A plain exploration."""

    seconds: float
    states: int
    edges: int


@record
class _Asked:
    """A run for formulas: what the core said, and processor seconds of it."""

    seconds: float
    report: _core.TemporalReport
    verdicts: tuple[str, ...]
    steps: int | None


class _MeasuredCheck(FormulaCheck):
    """Keeps what the core said last, and how long it took."""

    seconds = 0.0
    report: _core.TemporalReport

    def _report(self, *arguments: Any) -> _core.TemporalReport:
        begun = time.process_time()
        self.report = super()._report(*arguments)
        self.seconds += time.process_time() - begun
        return self.report


def _explorer(model: Model, request: Request) -> Callable[[], _Plain]:
    check = Check.prepared(model, request, Deadline())

    def explore() -> _Plain:
        handle = check.compiled()
        begun = time.process_time()
        found = check.explore_compiled(handle, Progress(), Deadline())
        seconds = time.process_time() - begun
        if found.stopped == "interrupted":
            raise KeyboardInterrupt
        return _Plain(seconds, found.states, found.transitions)

    return explore


def _asker(model: Model, request: Request, texts: Sequence[str], logic: Logic) -> Callable[[], _Asked]:
    asked = [_property(model, text, logic) for text in texts]

    def ask() -> _Asked:
        check = _MeasuredCheck(model, request, asked, Deadline())
        answers, _ = check.run(Progress())
        if check.stopped == "interrupted":
            raise KeyboardInterrupt
        steps = [len(each.trace) for each in answers if each.trace is not None]
        verdicts = tuple(each.verdict for each in answers)
        return _Asked(check.seconds, check.report, verdicts, max(steps, default=None))

    return ask


def _property(model: Model, text: str, logic: Logic) -> TemporalProperty:
    atoms = kind_of(model.subject).atom_reader(model)
    return read_property(option_source(f"--{logic}", text), atoms, dialect=dialect_of(model), logic=logic)


def _by_turns(explore: Callable[[], _Plain], ask: Callable[[], _Asked]) -> tuple[_Plain, _Asked]:
    """The fastest of each; other load on the machine falls on both."""
    pairs = [(explore(), ask()) for _ in range(REPETITIONS)]
    plain, asked = zip(*pairs, strict=True)
    return min(plain, key=lambda each: each.seconds), min(asked, key=lambda each: each.seconds)


def ltl_rows(cases: Sequence[Case]) -> Iterator[Row]:
    for case in cases:
        if why := case.missing():
            yield without_figures(LTL, case.name, why)
            continue
        model = case.model()
        explore = _explorer(model, case.request)
        for text in case.hold:
            plain, asked = _by_turns(explore, _asker(model, case.request, [text], "ltl"))
            (answer,) = asked.report.answers
            a_state, a_node = plain.seconds / plain.states * 1e6, asked.seconds / max(1, answer.nodes) * 1e6
            wrong = _wrong(asked.verdicts, ("holds",)) or _other_space(plain, asked)
            verdict = wrong or ("met" if a_node <= LTL_RATIO * a_state else "missed")
            figures = (asked.report.states, answer.nodes, a_state, a_node, a_node / a_state, f"{LTL_RATIO}")
            yield Row((case.name, case.kind, case.reduce, _short(text), *figures, verdict), wrong=bool(wrong))


def early_rows(cases: Sequence[Case]) -> Iterator[Row]:
    for case in cases:
        if why := case.missing():
            yield without_figures(EARLY, case.name, why)
            continue
        model = case.model()
        plain = _explorer(model, case.request)()
        for text in case.fail:
            asked = _asker(model, case.request, [text], "ltl")()
            wrong = _wrong(asked.verdicts, ("violated",))
            share = f"{100 * asked.report.expanded / plain.states:.2g} % expanded"
            figures = (plain.states, asked.report.expanded, plain.seconds, asked.seconds, asked.steps)
            yield Row(
                (case.name, case.kind, case.reduce, _short(text), *figures, wrong or share), wrong=bool(wrong)
            )


def ctl_rows(examinations: Sequence[Examination]) -> Iterator[Row]:
    request = Request(reduce="none", self_check="off", threads=1, keep_going=True)
    for each in examinations:
        net = family(each.net)
        model = pipeline.model_of(net)
        texts = formulas(each.name, net)
        plain, asked = _by_turns(_explorer(model, request), _asker(model, request, texts, "ctl"))
        hold, violated = (asked.verdicts.count(verdict) for verdict in ("holds", "violated"))
        counts = {(found.states, found.edges) for found in (plain, asked.report)}
        is_right = counts == {(each.states, each.edges)} and (hold, hold + violated) == (
            each.hold,
            len(texts),
        )
        wrong = "" if is_right else f"WRONG: expected {each.states:,} / {each.edges:,}, {each.hold} hold"
        ratio, a_edge = asked.seconds / plain.seconds, asked.report.edge_bytes / asked.report.edges
        verdict = wrong or ("met" if ratio <= CTL_RATIO and a_edge <= EDGE_BYTES else "missed")
        figures = (
            hold,
            violated,
            plain.seconds,
            asked.seconds,
            ratio,
            f"{CTL_RATIO}",
            a_edge,
            f"{EDGE_BYTES:.0f}",
        )
        counted = (each.net, each.name, plain.states, plain.edges)
        yield Row((*counted, *figures, verdict), wrong=bool(wrong))


def _wrong(found: tuple[str, ...], expected: tuple[str, ...]) -> str:
    return "" if found == expected else f"WRONG: {', '.join(found)}"


def _other_space(plain: _Plain, asked: _Asked) -> str:
    """A formula that holds need not look at all states, but sees none that plain exploration does not."""
    return "" if asked.report.states <= plain.states else f"WRONG: {plain.states:,} states without formula"


def _short(text: str) -> str:
    """For a table."""
    return text.replace(EATING, "eating")
