"""What families of nets and of machines share: how they are described, and their parameters.

In: what a family takes, and the texts that stand on the command line. Out: whole numbers, or a `UsageError` that says what
would fit. The size of a member is known from a formula before anything is built, so that a typing error cannot fill the
memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from burnside.diagnostics import Diagnostic, UsageError
from burnside.records import record

DIGITS = 18
"""A parameter of more digits is refused unread."""


@record
class FamilyParameter:
    """A whole number of a family; one with a default may be left out."""

    name: str
    minimum: int
    default: int | None = None

    def __str__(self) -> str:
        return self.name if self.default is None else f"[{self.name}={self.default}]"


@record
class Limit:
    """How much of what a member may have."""

    maximum: int
    noun: str

    def __str__(self) -> str:
        return f"{self.maximum:,} {self.noun}"


@record
class SizedFamily:
    """A parameterised model: how it is called, where it comes from."""

    name: str
    parameters: tuple[FamilyParameter, ...]
    description: str
    section: str

    @property
    def usage(self) -> str:
        return " ".join([self.name, *map(str, self.parameters)])


def unknown_family(name: str, known: Iterable[str]) -> UsageError:
    known = list(known)
    close = get_close_matches(name.lower(), known, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(known)}"
    return UsageError(Diagnostic(f"no example is called '{name}'", hint=hint))


def parameter_values(family: SizedFamily, given: Sequence[str | int], limit: Limit) -> list[int]:
    parameters = family.parameters
    required = sum(parameter.default is None for parameter in parameters)
    most = len(parameters)
    if not required <= len(given) <= most:
        wanted = str(most) if required == most else f"{required} to {most}"
        noun = "parameter" if wanted == "1" else "parameters"
        raise UsageError(
            Diagnostic(
                f"'{family.name}' takes {wanted} {noun}, {len(given)} given",
                hint=f"usage: burnside example {family.usage}",
            )
        )
    pairs = zip(parameters, given, strict=False)
    values = [_value(family, parameter, text, limit) for parameter, text in pairs]
    rest = [each.default for each in parameters[len(given) :] if each.default is not None]
    return values + rest


def _value(family: SizedFamily, parameter: FamilyParameter, text: str | int, limit: Limit) -> int:
    what = f"{parameter.name} of '{family.name}'"
    digits = str(text) if not isinstance(text, int) or abs(text) < 10**DIGITS else "9" * (DIGITS + 1)
    if not re.fullmatch(r"[+-]?[0-9]+", digits):
        raise UsageError(f"{what} must be a whole number, not '{digits[:40]}'")
    if len(digits) > DIGITS:
        raise UsageError(f"{what} has more than {DIGITS} digits; the limit is {limit}")
    if int(digits) < parameter.minimum:
        raise UsageError(f"{what} must be at least {parameter.minimum}, not {digits}")
    return int(digits)


def refuse_giants(family: SizedFamily, values: Sequence[int], size: int, limit: Limit) -> None:
    if size <= limit.maximum:
        return
    amount = f"{size:,}" if size < 10**DIGITS else f"more than 10^{DIGITS}"
    what = " ".join([family.name, *map(str, values)])
    message = f"'{what}' would have {amount} {limit.noun}; the limit is {limit.maximum:,}"
    raise UsageError(Diagnostic(message, hint="choose a smaller size"))
