"""Models that are laid out by a guess: how many processes there are, which numbers are used like names.

A run that leaves what was guessed violates a property of the kind `limit`. Nothing is reported then: the model is laid out
anew, with a larger guess, and the run is repeated.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from burnside.kinds import Question
    from burnside.model import Model


class TooLittleRoom(Exception):
    """A run left what was guessed. `model`: laid out anew."""

    def __init__(self, model: Model) -> None:
        super().__init__(model.name)
        self.model = model


def check_room(question: Question, violated: Iterable[int]) -> None:
    """Raises `TooLittleRoom` where one of these properties, by number, says so."""
    model = question.with_more_room(frozenset(violated))
    if model is not None:
        raise TooLittleRoom(model)
