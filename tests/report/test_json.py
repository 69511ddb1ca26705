"""The JSON document: keys of the public contract, integers of any length, and agreement with the text."""

from __future__ import annotations

import json
import sys

from burnside.outcome import Cost, Outcome, PropertyResult, Reduction, Trace, TraceStep
from burnside.records import replace
from burnside.report.json import dump, outcome_record, traces_record

OUTCOME = Outcome(
    version="0.1.0",
    model="m.pnml",
    language="pnml",
    engine="core",
    stopped="exhausted",
    states=3,
    transitions=5,
    initial_states=1,
    deadlocks=0,
    full_states=6,
    depth=2,
    reduction=Reduction("search", "canonical", 2, 1, True, ("a = 0",), "asked for"),
    properties=(PropertyResult("a = 0", "invariant", "holds"),),
    facts={"bounds": {"a": 1}, "largest_total": 1},
    dead_transitions=("t",),
    cost=Cost(0.5, 0.25, 1000),
)
TRACE = Trace((TraceStep(None, {"a": "1"}), TraceStep("t", {"a": "0"})))
VIOLATED = replace(
    OUTCOME,
    stopped="violation",
    properties=(PropertyResult("deadlock", "deadlock", "violated", TRACE),),
    dead_transitions=None,
)

CONTRACT = {
    *("version", "command", "model", "language", "engine", "verdict", "stopped", "states", "transitions"),
    *(
        "initial_states",
        "deadlocks",
        "full_states",
        "reduction",
        "properties",
        "seconds",
        "peak_memory_bytes",
    ),
}


def test_every_key_of_the_contract_is_there() -> None:
    record = json.loads(dump(outcome_record(OUTCOME)))
    assert set(record) >= CONTRACT
    keys = {"name", "strength", "group_order", "generators", "complete", "restricted_by"}
    assert set(record["reduction"]) >= keys
    assert record["verdict"] == "holds"
    assert record["command"] == "check"


def test_a_trace_is_there_where_violated_only() -> None:
    held = outcome_record(OUTCOME)["properties"][0]
    violated = outcome_record(VIOLATED)["properties"][0]
    assert "trace" not in held
    assert violated["trace"] == [{"action": None, "state": {"a": "1"}}, {"action": "t", "state": {"a": "0"}}]
    assert traces_record(VIOLATED)["traces"] == [violated]


def test_numbers_beyond_every_limit_stay_integers() -> None:
    order = 10**5000
    huge = replace(OUTCOME, reduction=replace(OUTCOME.reduction, group_order=order), full_states=2**60)
    text = dump(outcome_record(huge))
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        record = json.loads(text)
    finally:
        sys.set_int_max_str_digits(before)
    assert record["reduction"]["group_order"] == order
    assert record["full_states"] == 2**60


def test_names_in_any_script_survive_any_terminal() -> None:
    text = dump(outcome_record(replace(OUTCOME, facts={"bounds": {"Füße": 1}})))
    assert text.isascii()
    assert json.loads(text)["bounds"] == {"Füße": 1}


def test_exit_codes_follow_the_verdict() -> None:
    unknown = replace(
        OUTCOME, stopped="max-states", properties=(PropertyResult("a = 0", "invariant", "unknown"),)
    )
    assert (OUTCOME.exit_code, VIOLATED.exit_code, unknown.exit_code) == (0, 1, 3)


def test_a_limit_without_properties_is_unknown() -> None:
    assert replace(OUTCOME, stopped="max-seconds", properties=()).verdict == "unknown"
