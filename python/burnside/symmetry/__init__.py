"""Symmetries of a model: proposed by heuristics, declarations or nauty, admitted by certification alone.

In: a model, what must be fixed, the expressions that must be kept. Out: `Symmetries`: the certified group
and its description: order, generators with their sources, orbits, completeness, a structure
name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from burnside.outcome import readable
from burnside.records import field, record

if TYPE_CHECKING:
    from burnside.symmetry.group import SymmetryGroup

Orbits = tuple[tuple[str, ...], ...]


@record
class Generator:
    """A permutation in cycle notation over the user's names, and who proposed it."""

    cycles: str
    source: str


@record
class Refusal:
    """A proposed symmetry that is none, with its place in the model."""

    what: str
    reason: str
    line: int
    column: int


@record(kw_only=True)
class Symmetries:
    """A certified group in the user's words."""

    model: str
    language: str
    order: int
    structure: str | None
    """Such as `S3 x C2`; None where it is not known. Never a guess."""
    complete: bool
    generators: tuple[Generator, ...]
    orbits: Orbits
    """Of the places of a net, of the elements of a program's sorts; singletons included."""
    transition_orbits: Orbits
    base: tuple[str, ...]
    transversal_sizes: tuple[int, ...]
    refused: tuple[Refusal, ...] = ()
    group: SymmetryGroup = field(repr=False, compare=False)
    """To be asked: stabilisers, membership, elements."""

    def __repr__(self) -> str:
        named = f" ({self.structure})" if self.structure else ""
        order = readable(self.order, "")
        count, orbits = len(self.generators), len(self.orbits)
        counts = f"{count} generator{'' if count == 1 else 's'}, {orbits} orbit{'' if orbits == 1 else 's'}"
        return f"Symmetries({self.model!r}: order {order}{named}, {counts})"
