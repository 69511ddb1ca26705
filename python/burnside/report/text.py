"""What people read: a verdict, the figures that belong to it, and traces with only what changes.

In: an `Outcome`, and which details are wanted. Out: lines of styled pieces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from burnside.outcome import (
    Change,
    Coverage,
    Hardness,
    Outcome,
    PropertyResult,
    Reduction,
    SelfCheck,
    Trace,
    property_title,
    readable,
)
from burnside.records import record
from burnside.report.coverability import bound_lines, coverability_lines, set_lines
from burnside.report.formulas import formula_lines, instance_texts
from burnside.report.lines import Line, Piece, count, figure
from burnside.report.trace_lines import length, trace_lines, witness_lines
from burnside.words import truncated_list

FOUND, NOT_FOUND, EXPLORED = "found", "not found", "explored"
GOAL_WORDS: Mapping[str, str] = {"holds": NOT_FOUND, "violated": FOUND, "unknown": "unknown"}
"""What the verdict on a goal means."""
SOUGHT = ("goal", "coverability")
"""Kinds of properties that are looked for."""
STYLES: Mapping[str, str] = {
    "holds": "bold green",
    "violated": "bold red",
    "unknown": "bold yellow",
    FOUND: "bold cyan",
    NOT_FOUND: "bold",
    EXPLORED: "bold green",
}
STOPPED = {
    "exhausted": "all states explored",
    "bounded": "incomplete: not all values were tried",
    "violation": "stopped at the first violation",
    "max-states": "stopped: the limit on states was reached",
    "max-seconds": "stopped: the limit on time was reached",
    "max-memory": "stopped: the limit on memory was reached",
    "interrupted": "stopped: interrupted",
    "overflow": "stopped: a token count overflowed",
}


@record
class Details:
    """What is shown beyond the summary."""

    bounds: bool = False
    dead_transitions: bool = False


def outcome_lines(outcome: Outcome, details: Details) -> Iterator[Line]:
    yield from _verdict(outcome)
    yield ()
    yield from _figures(outcome)
    if outcome.coverability is not None:
        yield ()
        yield from coverability_lines(outcome.coverability)
    if outcome.formula_runs:
        yield ()
        yield from formula_lines(outcome.formula_runs)
    if outcome.hardness is not None:
        yield ()
        yield from _hardness(outcome.hardness)
    if outcome.coverage is not None:
        yield ()
        yield from _coverage(outcome, outcome.coverage)
    if details.bounds:
        yield ()
        yield from _bounds(outcome)
    if details.dead_transitions:
        yield ()
        yield from _dead_transitions(outcome)
    yield from _traces(outcome)


def _traces(outcome: Outcome) -> Iterator[Line]:
    """Where the model is wrong, several formulas have one reason to have no answer."""
    shown: list[Trace] = []
    for result in outcome.properties:
        if result.trace is not None and not (result.verdict == "unknown" and result.trace in shown):
            yield ()
            yield from trace_lines(result)
            shown.append(result.trace)
        if result.witness is not None and result.kind != "reachability":
            yield ()
            yield from witness_lines(result.name, result.witness)


def _verdict(outcome: Outcome) -> Iterator[Line]:
    word = _overall(outcome)
    # Without a property there is nothing that could hold: only the space was explored.
    asked = "" if word != EXPLORED else ", no property asked for"
    stopped = STOPPED.get(outcome.stopped, outcome.stopped)
    if word == FOUND and outcome.stopped == "violation":
        stopped = "stopped at the first goal found"
    if outcome.verdict == "holds" and outcome.stopped == "violation":
        stopped = "ended when the answer was known"
    if outcome.stopped in ("violation", "exhausted") and not outcome.explored:
        stopped = "formulas only" if outcome.formulas_only else "no states explored"
    yield Piece(outcome.model, "bold"), Piece(": "), Piece(word, STYLES[word]), Piece(f" ({stopped}{asked})")
    for result in outcome.properties:
        word = _word(result)
        yield (
            Piece(f"  {word:<9}", STYLES.get(word, "bold")),
            Piece(f" {_title(result)}"),
            Piece(_how(result), "dim"),
        )
        for line in instance_texts(result.instances):
            yield Piece("            "), Piece(line, "dim")
    for note in outcome.notes:
        yield Piece("  note      ", "yellow"), Piece(note)


def _overall(outcome: Outcome) -> str:
    """The verdict in words: of goals alone it is said whether they were found."""
    if outcome.verdict == "unknown":
        return "unknown"
    deciding = outcome.violations or outcome.properties
    words = {_answer(result) for result in deciding}
    # Goals that were not found beside properties that hold: the latter are the answer.
    return words.pop() if len(words) == 1 else outcome.verdict if words else EXPLORED


def _word(result: PropertyResult) -> str:
    return _answer(result) if result.value is None else f"{result.value:,}"


def _answer(result: PropertyResult) -> str:
    return GOAL_WORDS[result.verdict] if result.kind in SOUGHT else result.verdict


def _title(result: PropertyResult) -> str:
    """A property as the list of verdicts names it: what must not happen, where it does not, with a `no`."""
    title = property_title(result.kind, result.name)
    unwanted = result.kind in ("deadlock", "error") and result.verdict == "holds"
    return f"no {title}" if unwanted else title


def _how(result: PropertyResult) -> str:
    steps = "" if result.trace is None else f", {length(result.trace)}"
    # Of assertions and errors with a name, the message says that name again; of a formula it is part of the trace.
    is_said = result.name == result.kind or result.trace is None or result.verdict == "unknown"
    is_said = is_said or result.boundedness is not None
    shown = result.message is not None and is_said
    return f": {result.message}{steps}" if shown else steps


def _figures(outcome: Outcome) -> Iterator[Line]:
    if outcome.explored or outcome.formulas_only:
        yield from _figures_of_states(outcome)
    yield figure("time", f"{outcome.cost.seconds:.2f} s")
    yield figure("memory", _memory(outcome))


def _figures_of_states(outcome: Outcome) -> Iterator[Line]:
    yield figure("states", _states(outcome))
    yield figure("transitions", f"{outcome.transitions:,}")
    if outcome.deadlocks is not None:
        yield figure("deadlocks", f"{outcome.deadlocks:,}")
    if outcome.depth is not None:
        yield figure("depth", f"{outcome.depth:,}")
    if outcome.route is not None:
        yield figure("explored", str(outcome.route["reason"]))
    yield figure("reduction", _reduction(outcome.reduction))
    for change in outcome.reduction.changes:
        yield figure("changed", _change(change))
    if outcome.reduction.restricted_by:
        yield figure("restricted by", "; ".join(outcome.reduction.restricted_by))
    if outcome.reduction.self_check is not None:
        yield figure("self-check", _self_check(outcome.reduction.self_check))
    if outcome.largest_total is not None:
        yield figure("tokens", _tokens(outcome))
    if not outcome.formulas_only:
        yield figure("dead", _dead(outcome))


def _states(outcome: Outcome) -> str:
    states = count(outcome.states, "orbit") if _one_per_orbit(outcome) else f"{outcome.states:,}"
    is_reduced = outcome.reduction.strength != "none" and outcome.reduction.group_order > 1
    if not is_reduced or not outcome.exhausted or outcome.formulas_only:
        return states
    if outcome.full_states is None:
        return f"{states}, number of full states not known"
    return f"{states}, {readable(outcome.full_states)} full state{'' if outcome.full_states == 1 else 's'}"


def _one_per_orbit(outcome: Outcome) -> bool:
    return outcome.reduction.strength == "canonical" and outcome.reduction.group_order > 1


def _reduction(reduction: Reduction) -> str:
    if reduction.name == "none":
        return f"none: {reduction.reason}"
    group = f"group of order {readable(reduction.group_order)}, {count(reduction.generators, 'generator')}"
    return f"{reduction.name} ({reduction.strength}), {group}"


def _change(change: Change) -> str:
    when = f"after {count(change.after_states, 'state')} ({change.seconds:.1f} s)"
    how = "begun again without reduction" if change.restarted else "gone on without reduction"
    return f"{when}, {how}: {change.reason}"


def _self_check(check: SelfCheck) -> str:
    generators = count(check.generators, "generator") if check.generators else "no generators"
    if check.generators < check.all_generators:
        generators = f"{check.generators:,} of {check.all_generators:,} generators each"
    return f"{check.states:,} of {count(check.of, 'state')}, {generators}"


def _tokens(outcome: Outcome) -> str:
    seen = "at most" if outcome.exhausted else "seen so far: at most"
    total = f"{outcome.largest_total:,} in total"
    if outcome.bounds is None:
        return f"{seen} {total}, by place not known"
    return f"{seen} {max(outcome.bounds.values(), default=0):,} in a place, {total}"


def _dead(outcome: Outcome) -> str:
    if outcome.dead_transitions is None:
        return "not known"
    what = _actions(outcome)
    if not outcome.dead_transitions:
        return f"no dead {what}s"
    return count(len(outcome.dead_transitions), f"dead {what}")


def _actions(outcome: Outcome) -> str:
    """Nets have tokens and transitions."""
    is_net = outcome.largest_total is not None or outcome.coverability is not None
    return "transition" if is_net else "action"


def _memory(outcome: Outcome) -> str:
    cost = outcome.cost
    if cost.store_bytes is None:
        return _bytes(cost.peak_memory_bytes)
    if cost.packed_bits is None:
        return f"{_bytes(cost.peak_memory_bytes)} at most, {_bytes(cost.store_bytes)} for the ω-markings"
    store = f"{_bytes(cost.store_bytes)} for the states, packed in {cost.packed_bits} bits"
    return f"{_bytes(cost.peak_memory_bytes)} at most, {store}"


def _bytes(number: int) -> str:
    size, unit = float(number), "B"
    for larger in ("kB", "MB", "GB", "TB"):
        if size < 1000:
            break
        size, unit = size / 1000, larger
    return f"{size:,.0f} {unit}" if unit in ("B", "kB") else f"{size:,.1f} {unit}"


def _hardness(hardness: Hardness) -> Iterator[Line]:
    yield (Piece("successors by hardness", "bold"),)
    for name, share in hardness.shares.items():
        yield figure(name, f"{share:6.2f} %  {getattr(hardness, name):,}")
    yield figure("canonicalised", f"{hardness.canonicalised:,}")
    mean = hardness.search_nodes / hardness.canonicalised if hardness.canonicalised else 0.0
    yield figure(
        "search nodes",
        f"{hardness.search_nodes:,}, {mean:.2f} on average, {hardness.most_search_nodes:,} at most",
    )


def _coverage(outcome: Outcome, coverage: Coverage) -> Iterator[Line]:
    """How often, and what; actions that symmetries exchange on one line."""
    counted = ", counted on one state for each orbit" if _one_per_orbit(outcome) else ""
    yield Piece("coverage", "bold"), Piece(counted, "dim")
    left = outcome.states - coverage.explored
    yield figure("states", f"{outcome.states:,} found, {coverage.explored:,} explored, {left:,} open")
    goals = {result.name for result in outcome.properties if result.kind == "goal"}
    for name, states in coverage.violating.items():
        yield figure("satisfied in" if name in goals else "violated in", f"{count(states, 'state')}: {name}")
    what = f"{_actions(outcome)}s"
    yield figure(what, f"{coverage.covered:,} of {len(coverage.actions):,} covered")
    listed: set[str] = set()
    for each in coverage.actions:
        if each.name not in listed:
            listed |= {each.name, *each.shared_with}
            style = "" if each.transitions else "yellow"
            names = truncated_list([each.name, *each.shared_with])
            yield Piece(f"  {each.transitions:>12,}  ", "dim"), Piece(names, style)


def _bounds(outcome: Outcome) -> Iterator[Line]:
    for result in outcome.properties:
        if result.boundedness is not None:
            yield from bound_lines(result.boundedness)
            if outcome.coverability is not None:
                yield from set_lines(outcome.coverability)
            return
    title = "tokens by place, at most" if outcome.exhausted else "tokens by place, seen so far"
    yield (Piece(title, "bold"),)
    if outcome.bounds is None:
        yield (Piece("  not known"),)
        return
    for place, most in outcome.bounds.items():
        yield Piece(f"  {most:>8,}  "), Piece(place)


def _dead_transitions(outcome: Outcome) -> Iterator[Line]:
    yield (Piece(f"dead {_actions(outcome)}s", "bold"),)
    names = outcome.dead_transitions
    if not names:
        yield (Piece("  not known" if names is None else "  none"),)
        return
    for name in names:
        yield (Piece(f"  {name}"),)
