"""What drawings call markings and instances of a high-level net."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from burnside.graph import StateNames
from burnside.ir.highlevel.net import Marking
from burnside.words import wrapped

WIDTH = 44
MAX_LINES = 4
"""For each place."""


class HighLevelNames(StateNames):
    """A marked place on a line of its own: its tokens have blanks in them."""

    noun = "marking"

    def words(self, state: Marking) -> Sequence[str]:
        return self.semantics.words(state)

    def lines(self, state: Marking) -> Sequence[str]:
        words = self.own_words(state) or ["as said below"]
        return [line for word in words for line in _cut(word)]


def _cut(word: str) -> list[str]:
    lines = list(islice(wrapped(word.split(), WIDTH), MAX_LINES + 1))
    return lines if len(lines) <= MAX_LINES else [*lines[: MAX_LINES - 1], f"{lines[MAX_LINES - 1]} ..."]
