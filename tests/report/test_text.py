"""What people read: figures with separators, traces with changes only, no colour codes outside a terminal."""

from __future__ import annotations

import io

import pytest
from burnside.outcome import Cost, Hardness, Outcome, PropertyResult, Reduction, Trace, TraceStep, readable
from burnside.records import replace
from burnside.report.lines import plain, show
from burnside.report.text import Details, outcome_lines
from burnside.report.trace_lines import trace_lines
from burnside.report.traces import traces_in

STEPS = (
    TraceStep(None, {"a": "1", "b": "0", "c": "2"}),
    TraceStep("move", {"a": "0", "b": "1", "c": "2"}),
    TraceStep("stay", {"a": "0", "b": "1", "c": "2"}),
)
OUTCOME = Outcome(
    version="0.1.0",
    model="m.pnml",
    language="pnml",
    engine="core",
    stopped="exhausted",
    states=28088,
    transitions=103000,
    initial_states=1,
    deadlocks=0,
    full_states=1105434,
    depth=12,
    reduction=Reduction("search", "canonical", 48, 4, True, ("a = 0",)),
    properties=(PropertyResult("a = 0", "invariant", "violated", Trace(STEPS, ("a", "c = 2"))),),
    facts={"bounds": {"a": 1, "b": 1, "c": 2}, "largest_total": 3},
    dead_transitions=("never",),
    hardness=Hardness(37, 11, 0, 48, 60, 4),
    cost=Cost(0.19, 0.1, 12_000_000, 500_000, 34),
)


def text_of(outcome: Outcome, details: Details | None = None) -> str:
    stream = io.StringIO()
    show(outcome_lines(outcome, details or Details()), stream)
    return stream.getvalue()


def test_the_summary_holds_every_figure() -> None:
    text = text_of(OUTCOME)
    for part in (
        "m.pnml: violated",
        "28,088 orbits, 1,105,434 full states",
        "103,000",
        "search (canonical), group of order 48, 4 generators",
        "restricted by a = 0",
        "at most 2 in a place, 3 in total",
        "1 dead transition",
        "0.19 s",
        "77.08 %",
    ):
        assert part in text


def test_no_colour_codes_in_a_pipe() -> None:
    assert "\x1b" not in text_of(OUTCOME)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("asked", [True, False])
def test_colour_on_a_terminal_unless_refused(asked: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", "" if asked else "1")
    stream = Terminal()
    show(outcome_lines(OUTCOME, Details()), stream)
    assert ("\x1b[" in stream.getvalue()) == asked


def test_a_trace_shows_only_what_changes() -> None:
    lines = [plain(line) for line in trace_lines(OUTCOME.properties[0])]
    assert lines == [
        "trace violating a = 0, 2 steps",
        "  0  initial  a, c = 2",
        "  1  move     a: 1 -> 0, b: 0 -> 1",
        "  2  stay     no change",
    ]


def test_details_are_shown_on_request() -> None:
    assert "never" not in text_of(OUTCOME)
    text = text_of(OUTCOME, Details(bounds=True, dead_transitions=True))
    assert "  never\n" in text
    assert "2  c\n" in text


def test_what_is_not_known_is_said_so() -> None:
    text = text_of(
        replace(OUTCOME, full_states=None, facts={"bounds": None, "largest_total": 3}, dead_transitions=None)
    )
    assert "number of full states not known" in text
    assert "by place not known" in text


def test_an_unfinished_run_does_not_claim_bounds() -> None:
    assert "seen so far" in text_of(replace(OUTCOME, stopped="max-states"))


def test_the_files_of_a_trace() -> None:
    text = traces_in("txt", OUTCOME).decode()
    assert "a: 1 -> 0" in text
    dot = traces_in("dot", OUTCOME).decode()
    assert dot.startswith("digraph")
    assert 's0_0 -> s0_1 [label=" move "]' in dot


@pytest.mark.parametrize(
    ("number", "text"),
    [(1234567, "1,234,567"), (10**29, f"{10**29:,}"), (15 * 10**6000, "about 1.500e6001")],
    ids=["small", "large", "huge"],
)
def test_numbers_stay_readable(number: int, text: str) -> None:
    assert readable(number) == text


FAILED = Trace(
    (
        TraceStep("start", {"x": "0", "y": "undefined"}),
        TraceStep("look(P_0)", {"x": "0", "y": "undefined"}, "y is undefined"),
    ),
    ("x = 0",),
)
OF_PROGRAM = replace(
    OUTCOME,
    properties=(
        PropertyResult("deadlock", "deadlock", "holds"),
        PropertyResult("error", "error", "violated", FAILED, "y is undefined"),
        PropertyResult("boom", "error", "holds"),
        PropertyResult("invariant 1", "invariant", "holds"),
        PropertyResult("x = 3", "goal", "holds"),
        PropertyResult("some day", "cover", "violated", None, "never satisfied"),
    ),
    facts={},
    hardness=None,
)


def test_verdicts_on_what_must_not_happen_read_as_sentences() -> None:
    assert text_of(OF_PROGRAM).splitlines()[1:7] == [
        "  holds     no deadlock",
        "  violated  error: y is undefined, 1 step",
        "  holds     no error boom",
        "  holds     invariant 1",
        "  not found goal x = 3",
        "  violated  cover some day: never satisfied",
    ]


def test_goals_are_found_or_not() -> None:
    run = Trace((TraceStep(None, {"p": "1"}), TraceStep("t", {"p": "3"})))
    found = PropertyResult("p = 3", "goal", "violated", run)
    missed = PropertyResult("p = 4", "goal", "holds")
    held = PropertyResult("p < 9", "invariant", "holds")
    broken = PropertyResult("p < 3", "invariant", "violated", run)

    def head(*properties: PropertyResult, stopped: str = "exhausted") -> list[str]:
        lines = text_of(replace(OUTCOME, properties=properties, stopped=stopped, notes=())).splitlines()
        return [line.removeprefix(f"{OUTCOME.model}: ") for line in lines[: len(properties) + 1]]

    assert head(found, stopped="violation") == [
        "found (stopped at the first goal found)",
        "  found     goal p = 3, 1 step",
    ]
    assert head(missed) == ["not found (all states explored)", "  not found goal p = 4"]
    assert head(missed, held)[0] == "holds (all states explored)"
    assert head(found, missed, held)[0] == "found (all states explored)"
    assert head(found, broken)[0] == "violated (all states explored)"
    unknown = replace(missed, verdict="unknown")
    assert head(unknown, stopped="max-states")[1] == "  unknown   goal p = 4"


def test_why_a_step_fails_stands_in_the_place_of_what_it_does() -> None:
    lines = [plain(line) for line in trace_lines(OF_PROGRAM.properties[1])]
    assert lines == ["trace to an error, 1 step", "  0  start      x = 0", "  1  look(P_0)  y is undefined"]


@pytest.mark.parametrize("extension", ["txt", "dot", "json"])
def test_what_never_happens_has_no_trace(extension: str) -> None:
    assert "some day" not in traces_in(extension, OF_PROGRAM).decode()


def test_the_start_of_a_program_is_no_edge() -> None:
    dot = traces_in("dot", OF_PROGRAM).decode()
    assert 's0_0 -> s0_1 [label=" look(P_0) "]' in dot and "s0_2" not in dot
    assert repr(FAILED) == "Trace(start -> look(P_0))" and len(FAILED) == len(FAILED.actions) == 1


def test_programs_have_actions() -> None:
    text = text_of(OF_PROGRAM, Details(dead_transitions=True))
    assert "1 dead action\n" in text and "dead actions\n  never\n" in text
