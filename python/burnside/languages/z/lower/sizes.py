"""How large given sets are, which numbers are tried, and values of constants that a user asks for.

In: `--size NAME=N`. Out: `Sizes`. A given set that is not named has two elements, or as many as `*=N` says; that is no
error where there are none, so that one option will do for many specifications.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from burnside.diagnostics import Diagnostic, UsageError
from burnside.languages.z.lower.types import plain
from burnside.records import record

DEFAULT_SIZE = 2
DEFAULT_NUMBERS = (-1, 3)
DEFAULT_DEPTH = 3
MAX_SIZE = 100_000
"""Elements of one set. A larger number is most likely a typing error."""
MAX_DEPTH = 20
MAX_APPLICATIONS = 64


@record(eq=False)
class Sizes:
    """By name: elements of given sets, depths of recursive free types, how often functions that are defined by themselves
    are applied within each other (where that is said), values of numeric constants. `numbers`: MININT and MAXINT, between
    which a number is that nothing bounds."""

    sets: Mapping[str, int]
    depths: Mapping[str, int]
    applications: Mapping[str, int]
    constants: Mapping[str, int]
    numbers: tuple[int, int]


def sizes_of(
    asked: Mapping[str, int],
    sets: Sequence[str],
    recursive: Sequence[str],
    functions: Sequence[str],
    constants: Sequence[str],
    source: str,
) -> Sizes:
    known = {plain(name): name for name in (*sets, *recursive, *functions, *constants)}
    chosen: dict[str, int] = {}
    for given, value in asked.items():
        chosen[given if given in ("*", "MAXINT", "MININT") else _found(given, known, source)] = value
    low, high = (
        chosen.get(name, default) for name, default in zip(("MININT", "MAXINT"), DEFAULT_NUMBERS, strict=True)
    )
    if low > high:
        raise UsageError(Diagnostic(f"MININT ({low}) is larger than MAXINT ({high})", source))
    default = chosen.get("*", DEFAULT_SIZE)
    return Sizes(
        {name: _checked(name, chosen.get(name, default), MAX_SIZE, "elements", source) for name in sets},
        {
            name: _checked(name, chosen.get(name, DEFAULT_DEPTH), MAX_DEPTH, "levels", source)
            for name in recursive
        },
        {
            name: _checked(name, chosen[name], MAX_APPLICATIONS, "applications", source)
            for name in functions
            if name in chosen
        },
        {name: chosen[name] for name in constants if name in chosen},
        (low, high),
    )


def _found(given: str, known: Mapping[str, str], source: str) -> str:
    """On a command line, capital letters need not be right if nothing else is meant."""
    candidates = [name for name in known if name == given] or [
        name for name in known if name.lower() == given.lower()
    ]
    if len(candidates) == 1:
        return known[candidates[0]]
    message = f"{'more than one' if candidates else 'no'} given set or numeric constant is called '{given}'"
    hint = f"there are: {', '.join((*known, 'MAXINT', 'MININT'))}; '*' is every given set that is not named"
    raise UsageError(Diagnostic(message, source, hint=hint))


def _checked(name: str, size: int, most: int, what: str, source: str) -> int:
    if 1 <= size <= most:
        return size
    message = f"'{plain(name)}' cannot have {size} {what}, but from 1 to {most:,}"
    raise UsageError(Diagnostic(message, source))
