"""Symmetries as people read them: the group, its generators, its orbits.

In: `Symmetries`. Out: lines of styled pieces, shown by `text.show`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from burnside.outcome import readable
from burnside.report.lines import Line, Piece, count
from burnside.symmetry import Symmetries
from burnside.symmetry.cycles import quoted, read_cycles
from burnside.words import truncated_list


def symmetries_lines(symmetries: Symmetries) -> Iterator[Line]:
    structure = f", {symmetries.structure}" if symmetries.structure and symmetries.order > 1 else ""
    yield (
        Piece(symmetries.model, "bold"),
        Piece(f": group of order {readable(symmetries.order)}{structure}"),
        Piece("" if symmetries.complete else " (perhaps not all symmetries)", "yellow"),
    )
    if symmetries.generators:
        yield ()
        yield (Piece(count(len(symmetries.generators), "generator"), "bold"),)
        for generator in symmetries.generators:
            yield Piece(f"  {_shortened(generator.cycles)}  "), Piece(generator.source, "dim")
    typed = not symmetries.transition_orbits
    yield from _orbits("orbits of elements" if typed else "orbits of places", symmetries.orbits)
    if not typed:
        yield from _orbits("orbits of transitions", symmetries.transition_orbits)
    for refusal in symmetries.refused:
        yield ()
        place = f"line {refusal.line}, column {refusal.column}"
        yield Piece("refused ", "bold red"), Piece(f"{refusal.what}: {refusal.reason} ({place})")
    if symmetries.transversal_sizes:
        yield ()
        sizes = " x ".join(map(str, symmetries.transversal_sizes))
        yield (
            Piece("Schreier-Sims ", "bold"),
            Piece(f"base {truncated_list(symmetries.base)}; transversals {sizes}"),
        )


def _orbits(title: str, orbits: Sequence[Sequence[str]]) -> Iterator[Line]:
    moved = [orbit for orbit in orbits if len(orbit) > 1]
    fixed = len(orbits) - len(moved)
    yield ()
    yield Piece(title, "bold"), Piece(f" ({len(orbits):,}, of which {fixed:,} single)", "dim")
    for orbit in moved:
        yield Piece(f"  {len(orbit):>4,}  ", "dim"), Piece(truncated_list(orbit))


def _shortened(cycles: str, limit: int = 200) -> str:
    """As many cycles as there is room for, and how many there are."""
    if len(cycles) <= limit:
        return cycles
    each = [f"({' '.join(map(quoted, cycle))})" for cycle in read_cycles(cycles) or ()]
    shown = ""
    for cycle in each:
        if len(shown) + len(cycle) > limit:
            break
        shown += cycle
    return f"{shown or cycles[:limit]} ... ({len(each)} cycle{'' if len(each) == 1 else 's'})"
