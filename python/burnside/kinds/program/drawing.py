"""What drawings call states and actions of a program: short, and only what distinguishes the states.

The parts of an array are one word, in the order of its index, and so are the fields of one name in an array of records;
undefined parts are dashes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from burnside.graph import StateNames
from burnside.kinds.program.semantics import UNDEFINED
from burnside.reference.values import State
from burnside.words import wrapped

LAST_INDEX = re.compile(r"\[[^\[\]]*\](?=[^\[\]]*$)")
DASH = "-"


class ProgramNames(StateNames):
    """Variables, one word each."""

    def words(self, state: State) -> list[str]:
        """`phase=Idle,Critical`; what is undefined altogether goes without saying."""
        rows: dict[str, list[str]] = {}
        for name, value in self.semantics.show_state(state).items():
            rows.setdefault(LAST_INDEX.sub("", name), []).append(DASH if value == UNDEFINED else value)
        return [f"{name}={','.join(row)}" for name, row in rows.items() if set(row) != {DASH}]

    def lines(self, state: State) -> Sequence[str]:
        return list(wrapped(self.own_words(state) or [UNDEFINED]))
