"""Promises about a program: what the user says of its symmetries. They are certified or refused, never believed."""

from __future__ import annotations

from burnside.diagnostics import Span
from burnside.records import record


@record
class Topology:
    """A graph on processes. `arcs`: pairs of positions among the members of a promise."""

    name: str
    arcs: tuple[tuple[int, int], ...]


@record
class Promise:
    """The user says that these elements can be permuted, whatever else has to move with them: each sort among itself, in all
    ways or, where there is a topology, by its automorphisms. `members`: by sort and element, in the order of the
    topology."""

    members: tuple[tuple[str, int], ...]
    span: Span
    topology: Topology | None = None

    @property
    def sorts(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(sort for sort, _ in self.members))

    @property
    def title(self) -> str:
        """Such as `proctype node as hypercube`."""
        names = self.sorts
        what = f"proctype {names[0]}" if len(names) == 1 else f"proctypes {', '.join(names)}"
        return what if self.topology is None else f"{what} as {self.topology.name}"
