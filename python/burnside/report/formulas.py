"""How formulas were grouped, for people.

In: `FormulaRun`s. Out: for each a line with what was explored and under which symmetries, and one with its formulas.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from burnside.outcome import FormulaRun, Reduction, readable
from burnside.report.lines import Line, Piece, count
from burnside.words import truncated_list

SHOWN_FORMULAS = 4
"""Named on one line before the rest is only counted."""


def formula_lines(runs: Sequence[FormulaRun]) -> Iterator[Line]:
    formulas = sum(len(run.formulas) for run in runs)
    yield (Piece(f"{count(formulas, 'formula')} in {count(len(runs), 'run')}", "bold"),)
    for run in runs:
        explored = f"{count(run.states, 'state')}, {count(run.edges, 'edge')}, {_group(run.reduction)}"
        yield Piece(f"  {explored}"), Piece(f": {truncated_list(run.formulas, SHOWN_FORMULAS)}", "dim")


def _group(reduction: Reduction) -> str:
    cause = f", restricted by {'; '.join(reduction.restricted_by)}" if reduction.restricted_by else ""
    if reduction.name == "none":
        return f"unreduced{cause}" if cause else f"unreduced: {reduction.reason}"
    return f"group of order {readable(reduction.group_order)}{cause}"
