"""A Promela model as the rest of burnside sees it: a program, and a reader of conditions over it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from burnside.diagnostics import InputError, Source, UnsupportedError
from burnside.ir.expressions import Expression
from burnside.ir.program import Program
from burnside.languages import promela
from burnside.languages.promela import claims
from burnside.languages.promela.annotations import promises, said_in
from burnside.languages.promela.lower.program import ROOM, Lowered, lowered
from burnside.languages.promela.model import Model
from burnside.model import DeferredFormula
from burnside.records import record, replace
from burnside.temporal.atoms import Binder, Proposition
from burnside.temporal.formulas import Formula

MAX_ROOM_FOR_PROMISES = 64
"""Processes for which room is made before a declaration about processes that do not exist is refused."""


@record(eq=False, repr=False)
class LoweredModel:
    """An `ExpressionReader`: conditions are expressions of Promela over globals and remote references."""

    text: promela.PromelaModel
    lowered: Lowered
    symmetric: tuple[str, ...] = ()
    """Symmetries of processes that the user declares beside the text."""

    @cached_property
    def program(self) -> Program:
        said = said_in(self.text, self.symmetric)
        return replace(self.lowered.program, promises=promises(self.lowered, said))

    def with_room_for_promises(self) -> LoweredModel:
        """Processes that a topology counts on may have no room yet, where the room is a guess."""
        larger = self
        while True:
            try:
                if larger.program is not None:
                    return larger
            except InputError:
                if not larger.is_guess or larger.lowered.room >= MAX_ROOM_FOR_PROMISES:
                    return self
            larger = larger.larger()

    def declaring(self, symmetric: tuple[str, ...]) -> LoweredModel:
        """With these promises too."""
        return replace(self, symmetric=symmetric)

    @property
    def is_guess(self) -> bool:
        """Is the room for processes a guess that can be enlarged?"""
        return self.lowered.is_guess and not self.lowered.is_full

    @property
    def is_crowded(self) -> bool:
        """Were more and more processes created, up to as many as there can be?"""
        return self.lowered.is_guess and self.lowered.is_full

    def larger(self) -> LoweredModel:
        """With more room for processes."""
        return replace(self, lowered=lowered(self.text.model, 2 * self.lowered.room))

    @property
    def formulas(self) -> tuple[DeferredFormula, ...]:
        """Claims of the text."""
        return claims.carried(self.text.model, self.lowered.lowering)

    @property
    def cycles(self) -> tuple[DeferredFormula, ...]:
        return claims.cycles(self.text.model, self.lowered.lowering)

    def formula(self, source: Source, number: Callable[[Proposition], int]) -> Formula:
        """As within `ltl { ... }`; `number`: of a proposition."""
        return claims.Conditions(self.lowered.lowering, number).formula(self.text.formula(source))

    @property
    def notes(self) -> tuple[str, ...]:
        """What is read, and has no effect here."""
        return tuple(_ignored(self.text.model))

    def condition(self, source: Source, bound: Sequence[Binder] = ()) -> Expression:
        return self.lowered.lowering.condition(self.text.condition(source))

    def value(self, source: Source, type: Any, bound: Sequence[Binder] = ()) -> Any:
        raise UnsupportedError(source.diagnostic("arguments of actions are not available for Promela", 0))

    def domain(self, source: Source, bound: Sequence[Binder] = ()) -> Any:
        raise UnsupportedError(source.diagnostic("quantified names are not available for Promela", 0))

    def unique_name(self, name: str, bound: Sequence[Binder] = ()) -> str:
        return f"{name} (bound)"


def read_promela(path: Path, sizes: Mapping[str, int] | None = None, room: int = ROOM) -> LoweredModel:
    text = promela.read_model(path, sizes)
    return LoweredModel(text, lowered(text.model, room))


def _ignored(model: Model) -> Iterator[str]:
    for each in model.processes:
        if each.kind in ("trace", "notrace"):
            yield f"the {each.kind} assertion in line {each.at.span.line} is not checked"
    for use in model.exclusive:
        yield f"{use.direction} in line {use.at.span.line} is not checked"
