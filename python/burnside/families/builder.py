"""How families of nets are built: places and transitions by name.

In: names, and for each transition those of the places it consumes from and produces to. Out: a `Net`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from burnside.net import Arcs, Net


class NetBuilder:
    """Collects places and transitions by name; every arc has weight 1 unless a place is named twice."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}
        self.initial: list[int] = []
        self.transitions: list[str] = []
        self.consumes: list[Arcs] = []
        self.produces: list[Arcs] = []

    def place(self, name: str, tokens: int = 0) -> str:
        self.places[name] = len(self.places)
        self.initial.append(tokens)
        return name

    def transition(self, name: str, consumes: Iterable[str], produces: Iterable[str]) -> None:
        self.transitions.append(name)
        self.consumes.append(self._arcs(consumes))
        self.produces.append(self._arcs(produces))

    def net(self, name: str) -> Net:
        return Net(
            name,
            tuple(self.places),
            tuple(self.initial),
            tuple(self.transitions),
            tuple(self.consumes),
            tuple(self.produces),
        )

    def _arcs(self, names: Iterable[str]) -> Arcs:
        return tuple(sorted(Counter(self.places[name] for name in names).items()))
