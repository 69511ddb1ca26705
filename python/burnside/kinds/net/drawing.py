"""What drawings call markings and transitions of a net."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from burnside.graph import StateNames
from burnside.kinds.net.semantics import Marking, NetSemantics, Transition, marking_words
from burnside.words import wrapped


class NetNames(StateNames):
    """The marked places; nothing is said once for all markings."""

    noun = "marking"

    def __init__(self, semantics: NetSemantics) -> None:
        super().__init__(semantics)
        self.net = semantics.net

    def lines(self, state: Marking) -> Sequence[str]:
        return list(wrapped(marking_words(self.net, state) or ["no tokens"]))

    def record(self, state: Marking) -> Mapping[str, object]:
        return {name: count for name, count in zip(self.net.places, state, strict=True) if count}

    def operation(self, label: Transition) -> str:
        return "transitions"
