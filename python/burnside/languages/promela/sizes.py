"""Sizes from the command line: numbers in place of the bodies of macros.

`#define N 3` is a size: a macro without parameters whose body is a number, also inside of an `#ifndef N`. What the user
gives takes the place of the body wherever the macro is defined, so conditions further down see it too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from burnside.diagnostics import Diagnostic, UsageError
from burnside.languages.promela.types import INT
from burnside.languages.shared.lexer import Token


class Sizes:
    """`given`: by name, as spelled by the user. `found`: the sizes of the model, in the order of their definitions."""

    def __init__(self, given: Mapping[str, int] | None = None) -> None:
        self.given = dict(given or {})
        self.found: dict[str, None] = {}

    def body(self, name: str, body: Sequence[Token]) -> Sequence[Token]:
        """Of a macro without parameters."""
        if not _is_number(body):
            return body
        self.found[name] = None
        value = self.given.get(name)
        if value is None:
            return body
        number = body[-1]._replace(text=str(abs(value)))
        return [number] if value >= 0 else [number._replace(kind="symbol", text="-"), number]

    def spelled(self, model: str) -> Mapping[str, int] | None:
        """What was given, in the spelling of the model, where that is another one. Refuses what the model does not have."""
        names: dict[str, int] = {}
        for name, value in self.given.items():
            candidates = [each for each in self.found if each == name] or [
                each for each in self.found if each.lower() == name.lower()
            ]
            if len(candidates) != 1:
                problem = "more than one macro" if candidates else "no macro whose body is a number"
                hint = f"there are: {', '.join(self.found)}" if self.found else "this model has none"
                raise UsageError(Diagnostic(f"{problem} is called '{name}'", model, hint=hint))
            if INT.wraps(value) != value:
                raise UsageError(Diagnostic(f"the size of '{name}' is beyond 32 bits", model))
            names[candidates[0]] = value
        return names if names != self.given else None


def _is_number(body: Sequence[Token]) -> bool:
    if len(body) == 2 and body[0].text == "-":
        body = body[1:]
    return len(body) == 1 and body[0].kind == "number"
