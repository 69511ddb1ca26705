"""What states and actions of a program are called in drawings: short, and only what tells the states apart.

In: a program, the states that are drawn. Out: `ProgramNames`. The parts of an array are one word, in the order of its
index, and so are the fields of one name in an array of records; undefined parts are dashes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from burnside.ir.program import Program
from burnside.records import record
from burnside.reference.steps import label_at, show_label
from burnside.reference.values import decode
from burnside.report.dot import wrapped

LAST_INDEX = re.compile(r"\[[^\[\]]*\](?=[^\[\]]*$)")
UNDEFINED, DASH = "undefined", "-"


@record
class ProgramNames:
    """`common`: words that all drawn states share."""

    program: Program
    common: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        return self.program.name

    @property
    def note(self) -> str:
        return f"the same in all boxes: {', '.join(sorted(self.common))}" if self.common else ""

    def words(self, state: Sequence[int]) -> list[str]:
        words = [word for word in state_words(self.program, state) if word not in self.common]
        return words or [UNDEFINED]

    def lines(self, state: Sequence[int]) -> Sequence[str]:
        return list(wrapped(self.words(state)))

    def record(self, state: Sequence[int]) -> Mapping[str, object]:
        return decode(self.program, tuple(state))

    def action(self, number: int) -> str:
        return show_label(self.program, label_at(self.program, number))

    def operation(self, number: int) -> str:
        return self.action(number).partition("(")[0]


def names_of(program: Program, states: Iterable[Sequence[int]]) -> ProgramNames:
    """For these states: what is the same in all of several is said once."""
    words = [frozenset(state_words(program, state)) for state in states]
    return ProgramNames(program, frozenset.intersection(*words) if len(words) > 1 else frozenset())


def state_words(program: Program, state: Sequence[int]) -> list[str]:
    """`phase=Idle,Critical`; what is undefined altogether goes without saying."""
    rows: dict[str, list[str]] = {}
    for name, value in decode(program, tuple(state)).items():
        rows.setdefault(LAST_INDEX.sub("", name), []).append(DASH if value == UNDEFINED else value)
    return [f"{name}={','.join(row)}" for name, row in rows.items() if set(row) != {DASH}]
