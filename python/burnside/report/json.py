"""The one JSON document of a command, with the keys of the public contract.

In: an `Outcome` or `Symmetries`. Out: text. Group orders and state counts are integers of any length.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from burnside.outcome import (
    Boundedness,
    CoverabilityRun,
    Coverage,
    CutDomain,
    FormulaRun,
    Hardness,
    Instance,
    Outcome,
    PropertyResult,
    Reduction,
    SelfCheck,
    Trace,
    TraceStep,
)
from burnside.symmetry import Symmetries

Record = dict[str, Any]


def outcome_record(outcome: Outcome) -> Record:
    return {
        "version": outcome.version,
        "command": "check",
        "model": outcome.model,
        "language": outcome.language,
        "engine": outcome.engine,
        "verdict": outcome.verdict,
        "stopped": outcome.stopped,
        "states": outcome.states,
        "transitions": outcome.transitions,
        "initial_states": outcome.initial_states,
        "deadlocks": outcome.deadlocks,
        "full_states": outcome.full_states,
        "depth": outcome.depth,
        "reduction": _reduction(outcome.reduction),
        "properties": [property_record(result) for result in outcome.properties],
        "bounds": None if outcome.bounds is None else dict(outcome.bounds),
        "largest_total": outcome.largest_total,
        **({} if outcome.route is None else {"route": dict(outcome.route)}),
        "dead_transitions": None if outcome.dead_transitions is None else list(outcome.dead_transitions),
        "hardness": None if outcome.hardness is None else _hardness(outcome.hardness),
        "coverage": None if outcome.coverage is None else _coverage(outcome.coverage),
        "cut_domains": [_cut_domain(each) for each in outcome.cut_domains],
        "bounds_assumed": outcome.bounds_assumed,
        "seconds": round(outcome.cost.seconds, 6),
        "explore_seconds": round(outcome.cost.explore_seconds, 6),
        "peak_memory_bytes": outcome.cost.peak_memory_bytes,
        "store_bytes": outcome.cost.store_bytes,
        "packed_bits": outcome.cost.packed_bits,
        "formula_runs": [_formula_run(run) for run in outcome.formula_runs],
        "coverability": None if outcome.coverability is None else _coverability(outcome.coverability),
        "notes": list(outcome.notes),
    }


def _cut_domain(domain: CutDomain) -> Record:
    return {"name": domain.name, "file": domain.file, "line": domain.line, "column": domain.column}


def property_record(result: PropertyResult) -> Record:
    record: Record = {"name": result.name, "kind": result.kind, "verdict": result.verdict}
    if result.kind == "bound" or result.value is not None:
        record["value"] = result.value
    if result.message is not None:
        record["message"] = result.message
    if result.trace is not None:
        record["trace"] = trace_record(result.trace)
        if result.trace.loop_start is not None:
            record["loop_start"] = result.trace.loop_start
        if result.trace.pump_start is not None:
            record["pump_start"] = result.trace.pump_start
    if result.boundedness is not None:
        record |= _boundedness(result.boundedness)
    if result.instances:
        record["instances"] = [_instance(each) for each in result.instances]
    if result.witness is not None:
        record["witness"] = trace_record(result.witness)
    return record


def _boundedness(found: Boundedness) -> Record:
    record: Record = {
        "bounds": None if found.bounds is None else dict(found.bounds),
        "bounds_exact": found.exact,
        "unbounded": list(found.unbounded),
    }
    return {**record, "pumped": list(found.pumped)} if found.pumped else record


def _coverability(run: CoverabilityRun) -> Record:
    return {
        "stopped": run.stopped,
        "reduction": _reduction(run.reduction),
        "markings": run.markings,
        "entered": run.entered,
        "transitions": run.transitions,
        "set": None if run.set is None else [dict(marking) for marking in run.set],
        "searches": run.searches,
        "given_up": run.given_up,
        "backward": [
            {
                "goal": each.goal,
                "stopped": each.stopped,
                "markings": each.markings,
                "steps": each.steps,
                "seconds": round(each.seconds, 6),
            }
            for each in run.backward
        ],
        "store_bytes": run.store_bytes,
        "seconds": round(run.seconds, 6),
    }


def _instance(instance: Instance) -> Record:
    follows_from = None if instance.follows_from is None else dict(instance.follows_from)
    return {"values": dict(instance.values), "verdict": instance.verdict, "follows_from": follows_from}


def _formula_run(run: FormulaRun) -> Record:
    return {
        "formulas": list(run.formulas),
        "reduction": _reduction(run.reduction),
        "stopped": run.stopped,
        "states": run.states,
        "edges": run.edges,
        "nodes": list(run.nodes),
        "store_bytes": run.store_bytes,
        "edge_bytes": run.edge_bytes,
        "edges_kept": run.edges_kept,
        "seconds": round(run.seconds, 6),
    }


def trace_record(trace: Trace) -> list[Record]:
    return [_step(step) for step in trace]


def _step(step: TraceStep) -> Record:
    record: Record = {"action": step.action, "state": dict(step.state)}
    if step.failure is not None:
        record["failure"] = step.failure
    return record


def traces_record(outcome: Outcome) -> Record:
    """What `--trace FILE.json` holds: one entry for each violated property that has a trace."""
    return {
        "model": outcome.model,
        "language": outcome.language,
        "traces": [property_record(result) for result in outcome.traced],
    }


def symmetries_record(symmetries: Symmetries) -> Record:
    return {
        "command": "symmetries",
        "model": symmetries.model,
        "language": symmetries.language,
        "group_order": symmetries.order,
        "structure": symmetries.structure,
        "complete": symmetries.complete,
        "generators": [{"cycles": g.cycles, "source": g.source} for g in symmetries.generators],
        "orbits": [list(orbit) for orbit in symmetries.orbits],
        "transition_orbits": [list(orbit) for orbit in symmetries.transition_orbits],
        "base": list(symmetries.base),
        "transversal_sizes": list(symmetries.transversal_sizes),
        "refused": [
            {"what": r.what, "reason": r.reason, "line": r.line, "column": r.column}
            for r in symmetries.refused
        ],
    }


def dump(record: Mapping[str, Any]) -> str:
    with _integers_of_any_length():
        return json.dumps(record, indent=2) + "\n"


def _reduction(reduction: Reduction) -> Record:
    return {
        "name": reduction.name,
        "strength": reduction.strength,
        "group_order": reduction.group_order,
        "generators": reduction.generators,
        "complete": reduction.complete,
        "restricted_by": list(reduction.restricted_by),
        "reason": reduction.reason,
        "dropped": [
            {"what": each.what, "reason": each.reason, "line": each.line, "column": each.column}
            for each in reduction.dropped
        ],
        "self_check": None if reduction.self_check is None else _self_check(reduction.self_check),
        "changes": [
            {
                "after_states": each.after_states,
                "seconds": each.seconds,
                "to": each.to,
                "restarted": each.restarted,
                "reason": each.reason,
            }
            for each in reduction.changes
        ],
    }


def _self_check(check: SelfCheck) -> Record:
    return {"states": check.states, "of": check.of, "generators": check.generators}


def _hardness(hardness: Hardness) -> Record:
    return {
        "trivial": hardness.trivial,
        "easy": hardness.easy,
        "hard": hardness.hard,
        "canonicalised": hardness.canonicalised,
        "search_nodes": hardness.search_nodes,
        "most_search_nodes": hardness.most_search_nodes,
    }


def _coverage(coverage: Coverage) -> Record:
    return {
        "explored": coverage.explored,
        "violating": dict(coverage.violating),
        "actions": [
            {"name": each.name, "transitions": each.transitions, "shared_with": list(each.shared_with)}
            for each in coverage.actions
        ],
    }


@contextmanager
def _integers_of_any_length() -> Iterator[None]:
    """Python refuses to print integers beyond 4,300 digits; groups of large nets have orders beyond that."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)
