"""What drawings call states and operations of a machine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from burnside.graph import StateNames
from burnside.kinds.machine.semantics import MachineSemantics
from burnside.reference.sets.machines import Label, is_setup
from burnside.reference.sets.values import State

FOLDED = 40
"""Characters of a line in a box."""


class MachineNames(StateNames):
    """One variable a line."""

    def __init__(self, semantics: MachineSemantics, states: Iterable[State] = ()) -> None:
        super().__init__(semantics, states)
        self.machine = semantics.machine

    def lines(self, state: State) -> Sequence[str]:
        """A long value is folded where its elements end."""
        words = self.own_words(state)
        if not words:
            words = ["constants set up" if is_setup(self.machine, state) else "as said below"]
        return [line for word in words for line in _folded(word)]

    def operation(self, label: Label) -> str:
        return label.name


def _folded(word: str, width: int = FOLDED) -> Iterator[str]:
    line = ""
    for part in word.split(","):
        joined = f"{line},{part}" if line else part
        if line and len(joined) > width:
            yield f"{line},"
            line = part.lstrip()
        else:
            line = joined
    yield line
