"""What an evaluation may end with instead of a value: undefined, not known yet, not listable, or an error of the model.

`Undefined` and `Unknown` are answers of the evaluator and never leave it by accident; `Unbounded` and `TooLarge` are for the
user, whose model asks for more than can be listed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NoReturn

from burnside.diagnostics import Diagnostic, Span, UnsupportedError
from burnside.ir.sets.printing import as_written
from burnside.semantics import Failure

SET_LIMIT = 1_000_000
"""A set of more elements is not built."""
SEARCH_LIMIT = 10_000_000
"""A search for the solutions of one predicate that tries more candidates is given up."""

FailureKind = Literal["undefined", "assertion", "precondition", "unset", "written-twice", "loop"]
"""`undefined`: an expression without a value, where one is needed; `unset`: a name without one is read."""


def model_error(kind: FailureKind, message: str, span: Span | None = None) -> Failure:
    """An error of the model."""
    return Failure(message, span, kind=kind)


class Undefined(Exception):
    """An expression has no value. The message may be a function: in a guard it is not needed."""

    def __init__(self, message: str | Callable[[], str], span: Span | None = None) -> None:
        super().__init__()
        self._message, self.span = message, span

    @property
    def message(self) -> str:
        return self._message if isinstance(self._message, str) else self._message()

    def __str__(self) -> str:
        return self.message

    def failure(self) -> Failure:
        return model_error("undefined", as_written(self.message), self.span)


class Unknown(Exception):
    """Depends on a part of a value that has not been chosen yet."""


class NotListed(UnsupportedError):
    """A set has too many elements to list."""

    def __init__(self, message: str, span: Span | None = None, hint: str | None = None) -> None:
        super().__init__(Diagnostic(as_written(message), span=span, hint=hint))

    def at(self, span: Span | None) -> NotListed:
        """The same with a place, unless it has one."""
        old = self.diagnostic
        return self if old.span is not None else type(self)(old.message, span, old.hint)


class Unbounded(NotListed):
    """There is no end, or none can be seen."""


class TooLarge(NotListed):
    """The set is finite, but too large."""


Trouble = Undefined | Unknown | NotListed
TROUBLES = (Undefined, Unknown, NotListed)
"""Of these a part of a predicate may be in, and the whole still be true or false."""


def worse(first: Trouble | None, second: Trouble) -> Trouble:
    """Which one to report where nothing else decides. What is unknown may still decide; and where something is undefined
    the whole is not true, whatever could not be listed."""
    if first is None:
        return second
    return first if _rank(first) >= _rank(second) else second


def _rank(trouble: Trouble) -> int:
    return 2 if isinstance(trouble, Unknown) else 1 if isinstance(trouble, Undefined) else 0


def undefined(message: str, span: Span | None = None) -> NoReturn:
    raise Undefined(message, span)
