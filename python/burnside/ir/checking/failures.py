"""The exception for what is wrong with a program."""

from __future__ import annotations

from typing import Any, NoReturn

from burnside.diagnostics import Span


class Wrong(Exception):
    """The reason, and the place in a text, for programs that come from one."""

    def __init__(self, reason: str, span: Span | None = None) -> None:
        super().__init__(reason)
        self.reason, self.span = reason, span


def refuse(reason: str, node: Any = None) -> NoReturn:
    span = getattr(node, "span", None)
    raise Wrong(reason, span if isinstance(span, Span) else None)


def items(value: Any, what: str) -> tuple[Any, ...]:
    """A field that holds several."""
    if not isinstance(value, tuple):
        refuse(f"{what} are a {type(value).__name__}, not a tuple")
    return value


def text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        refuse(f"{what} is {_shown(value)}, not a text")
    return value


def number(value: Any, what: str) -> int:
    if not isinstance(value, int):
        refuse(f"{what} is {_shown(value)}, not a whole number")
    return value


def one_of(value: Any, known: tuple[str, ...], what: str) -> None:
    if value not in known:
        refuse(f"{what} is {_shown(value)}, not one of {', '.join(known)}")


def kind_of(node: Any) -> str:
    """What a node that cannot stand here is."""
    return f"{'an' if type(node).__name__[0] in 'AEIOU' else 'a'} {type(node).__name__}"


def _shown(value: Any) -> str:
    return repr(value) if isinstance(value, int | str | None) else kind_of(value)
