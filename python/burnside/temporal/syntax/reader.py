"""What a parser of formulas asks of a model: an `AtomReader` makes numbered atoms of their texts.

In: places in the text of a formula. Out: numbers; equal atoms have one number, and the reader keeps the list. Readers of
models are in `kinds`; `OpaqueAtoms` is for formulas without a model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from burnside.diagnostics import InputError
from burnside.languages.shared.spans import Extent, Identifier
from burnside.records import record
from burnside.temporal.atoms import ActionPattern, Binder

StateWord = Literal["deadlock", "sink", "initial"]
Bound = tuple[Binder, ...]
"""The quantified names that an atom may mention, outermost first."""


@record(eq=False, repr=False)
class ActionText:
    """An action of the model as it is written: `enter`, `enter(p, _)`. `arguments` is None where there are no brackets, and
    holds None for `_`."""

    at: Extent
    name: Identifier
    arguments: tuple[Extent | None, ...] | None


class AtomReader(Protocol):
    """The atoms of one formula, or of several that share them."""

    def condition(self, text: Extent, bound: Bound) -> int:
        """A condition in the model's own language."""
        ...

    def enabled(self, actions: Sequence[ActionText], bound: Bound, at: Extent) -> int:
        """Can some instance of one of the actions happen?"""
        ...

    def next_action(self, action: ActionText, bound: Bound, at: Extent) -> int:
        """Is the next step of the run an instance of the action?"""
        ...

    def state_word(self, word: StateWord, at: Extent) -> int: ...

    def patterns(self, action: ActionText, bound: Bound) -> tuple[ActionPattern, ...]:
        """What an action means that is no atom: that of a fairness constraint."""
        ...

    def binder(self, name: Identifier, domain: Extent, bound: Bound) -> Binder:
        """A quantified name and what it ranges over."""
        ...

    def instance(self, number: int, binder: Binder, value: int) -> int:
        """The atom with a value in the place of a quantified name."""
        ...


class OpaqueAtoms:
    """Atoms that are nothing but their texts, for formulas without a model."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def condition(self, text: Extent, bound: Bound) -> int:
        return self._number(one_line(text))

    def enabled(self, actions: Sequence[ActionText], bound: Bound, at: Extent) -> int:
        return self._number(f"e({', '.join(map(_written, actions))})")

    def next_action(self, action: ActionText, bound: Bound, at: Extent) -> int:
        return self._number(f"[{_written(action)}]")

    def state_word(self, word: StateWord, at: Extent) -> int:
        return self._number(word)

    def patterns(self, action: ActionText, bound: Bound) -> tuple[ActionPattern, ...]:
        raise InputError(action.at.diagnostic("fairness needs a model: actions are nothing but names here"))

    def binder(self, name: Identifier, domain: Extent, bound: Bound) -> Binder:
        raise InputError(domain.diagnostic("a quantifier needs a model: nothing is known of this set here"))

    def instance(self, number: int, binder: Binder, value: int) -> int:
        return number

    def _number(self, text: str) -> int:
        if text not in self.texts:
            self.texts.append(text)
        return self.texts.index(text)


def one_line(text: Extent) -> str:
    """What is written there, without line breaks and long blanks."""
    return " ".join(text.source.text[text.offset : text.end].split())


def _written(action: ActionText) -> str:
    if action.arguments is None:
        return action.name.text
    shown = ["_" if each is None else one_line(each) for each in action.arguments]
    return f"{action.name.text}({', '.join(shown)})"
