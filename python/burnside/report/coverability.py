"""What searches for coverability took, bounds of places, and the minimal coverability set, as lines.

In: a `CoverabilityRun`, a `Boundedness`. Out: lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from burnside.outcome import Boundedness, CoverabilityRun, readable
from burnside.report.lines import Line, Piece, count, figure
from burnside.words import truncated_list

MAX_SHOWN = 50
"""Markings of a set that are listed."""
UNBOUNDED = "unbounded"


def coverability_lines(run: CoverabilityRun) -> Iterator[Line]:
    yield (Piece("coverability", "bold"),)
    if run.entered:
        yield figure("set", _size(run))
        yield figure("transitions", f"{run.transitions:,} fired, {count(run.depth, 'step')} deep")
    for each in run.backward:
        yield figure(
            "backward", f"{count(each.markings, 'minimal marking')}, {count(each.steps, 'step')}: {each.goal}"
        )
    yield figure("reduction", _reduction(run))
    if run.reduction.restricted_by:
        yield figure("restricted by", "; ".join(run.reduction.restricted_by))
    if run.given_up:
        yield figure("given up", f"{run.given_up:,} of {count(run.searches, 'search')} for a symmetry")


def _size(run: CoverabilityRun) -> str:
    what = "orbit of ω-markings" if run.reduction.group_order > 1 else "ω-marking"
    if run.markings != 1:
        what = what.replace("orbit", "orbits") if "orbit" in what else f"{what}s"
    kept = f"{run.markings:,} {what}"
    if run.stopped != "exhausted":
        kept += " so far"
    return f"{kept}, {run.entered:,} entered"


def _reduction(run: CoverabilityRun) -> str:
    reduction = run.reduction
    if reduction.name == "none":
        return f"none: {reduction.reason}"
    group = f"group of order {readable(reduction.group_order)}, {count(reduction.generators, 'generator')}"
    return f"symmetric covering, {group}"


def bound_lines(found: Boundedness) -> Iterator[Line]:
    yield (Piece("tokens by place, at most" if found.exact else "tokens by place, no more than", "bold"),)
    if found.bounds is None:
        yield (Piece("  not known"),)
        return
    for place, most in found.bounds.items():
        yield Piece(f"  {UNBOUNDED if most is None else f'{most:,}':>9}  "), Piece(place)


def set_lines(run: CoverabilityRun) -> Iterator[Line]:
    """Of a small set every marking."""
    if run.set is None or len(run.set) > MAX_SHOWN:
        return
    yield ()
    each = ", one of each orbit" if run.reduction.group_order > 1 else ""
    yield Piece("minimal coverability set", "bold"), Piece(each, "dim")
    for marking in run.set:
        yield Piece("  "), Piece(truncated_list(_words(marking), None) or "no tokens")


def _words(marking: Mapping[str, str]) -> list[str]:
    return [place if tokens == "1" else f"{tokens}*{place}" for place, tokens in marking.items()]
