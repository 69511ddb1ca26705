"""What drawings call states and actions of a program: short, and only what distinguishes the states.

The parts of an array are one word, in the order of its index, and so are the fields of one name in an array of records;
undefined parts are dashes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from burnside.graph import StateNames
from burnside.kinds.program.semantics import ProgramSemantics
from burnside.kinds.program.showing import UNDEFINED
from burnside.reference.values import State
from burnside.words import wrapped

LAST_INDEX = re.compile(r"\[[^\[\]]*\](?=[^\[\]]*$)")
DASH = "-"


class ProgramNames(StateNames):
    """Variables, one word each; members, one line each."""

    semantics: ProgramSemantics

    def words(self, state: State) -> list[str]:
        return [*self._variables(state), *self._members(state)]

    def lines(self, state: State) -> Sequence[str]:
        members = [word for word in self._members(state) if word not in self.common]
        variables = [word for word in self._variables(state) if word not in self.common]
        if not variables and members:
            return members
        return [*wrapped(variables or [UNDEFINED]), *members]

    def _variables(self, state: State) -> list[str]:
        """`phase=Idle,Critical`; what is undefined altogether goes without saying."""
        rows: dict[str, list[str]] = {}
        for entry in self.semantics.showing.entries(state):
            if entry.member is None:
                text = DASH if entry.text == UNDEFINED else entry.text
                rows.setdefault(LAST_INDEX.sub("", entry.name), []).append(text)
        return [f"{name}={','.join(row)}" for name, row in rows.items() if set(row) != {DASH}]

    def _members(self, state: State) -> list[str]:
        """`client(5): line 14, who=3`."""
        rows: dict[str, list[str]] = {}
        for entry in self.semantics.showing.entries(state):
            if entry.member is not None:
                text = entry.text if entry.is_place else f"{entry.own_name}={entry.text}"
                rows.setdefault(entry.member, []).append(text)
        return [f"{name}: {', '.join(row)}" for name, row in rows.items()]
