"""How formulas were checked, for people.

In: `FormulaRun`s, instances of quantified formulas. Out: lines that say what was explored under which symmetries, for which
formulas and for which values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from burnside.outcome import FormulaRun, Instance, Reduction, readable
from burnside.report.lines import Line, Piece, count
from burnside.words import truncated_list

SHOWN_FORMULAS = 4
"""Named on one line before the rest is only counted."""
SHOWN_ORBITS = 8
"""Of instances of a quantified formula."""


def formula_lines(runs: Sequence[FormulaRun]) -> Iterator[Line]:
    formulas = sum(len(run.formulas) for run in runs)
    yield (Piece(f"{count(formulas, 'formula')} in {count(len(runs), 'run')}", "bold"),)
    for run in runs:
        edges = f"{count(run.edges, 'edge')}{'' if run.edges_kept else ' (not kept, fired again)'}"
        explored = f"{count(run.states, 'state')}, {edges}, {_group(run.reduction)}"
        yield Piece(f"  {explored}"), Piece(f": {truncated_list(run.formulas, SHOWN_FORMULAS)}", "dim")


def _group(reduction: Reduction) -> str:
    cause = f", restricted by {'; '.join(reduction.restricted_by)}" if reduction.restricted_by else ""
    if reduction.name == "none":
        if reduction.changes:
            return f"unreduced: {reduction.reason}, {reduction.changes[0].reason}"
        return f"unreduced{cause}" if cause else f"unreduced: {reduction.reason}"
    return f"group of order {readable(reduction.group_order)}{cause}"


def instance_texts(instances: Sequence[Instance]) -> Iterator[str]:
    """Of a quantified formula: for which values it was checked, and which others follow by symmetry."""
    orbits: list[list[Instance]] = []
    for each in instances:
        if each.follows_from is None:
            orbits.append([])
        orbits[-1].append(each)
    for orbit in orbits[:SHOWN_ORBITS]:
        first, *others = orbit
        text = f"checked for {_values(first)}: {first.verdict}"
        yield (
            f"{text}; {_several(others)} follow{'s' if len(others) == 1 else ''} by symmetry"
            if others
            else text
        )
    if len(orbits) > SHOWN_ORBITS:
        yield f"and for {count(len(orbits) - SHOWN_ORBITS, 'other tuple')} of values, for which --json says it"


def _values(instance: Instance) -> str:
    return ", ".join(f"{name} = {value}" for name, value in instance.values.items())


def _several(instances: Sequence[Instance]) -> str:
    if len(instances[0].values) > 1:
        return truncated_list([f"({_values(each)})" for each in instances], SHOWN_ORBITS)
    (name,) = instances[0].values
    return f"{name} = {truncated_list([each.values[name] for each in instances], SHOWN_ORBITS)}"
