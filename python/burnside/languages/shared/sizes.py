"""Sizes of a command line. In: names as the user wrote them, names of the model. Out: the sizes by the model's own names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from burnside.diagnostics import Diagnostic, Source, UsageError


def by_own_spelling(
    sizes: Mapping[str, int], names: Sequence[str], source: Source, *, model: str, what: str
) -> Iterator[tuple[str, str, int]]:
    """The name as it was given, as it is in the model, and the size. Capital letters need not be right if nothing else is
    meant. `model`, `what`: what messages call the model and what has a size."""
    known: dict[str, str] = {}
    for given, value in sizes.items():
        fitting = [each for each in names if each == given] or [
            each for each in names if each.lower() == given.lower()
        ]
        if len(fitting) != 1:
            problem = "more than one" if fitting else "no"
            hint = f"there are: {', '.join(names)}" if names else f"this {model} has neither"
            raise UsageError(Diagnostic(f"{problem} {what} is called '{given}'", source.name, hint=hint))
        other = known.setdefault(fitting[0], given)
        if other != given:
            message = f"'{fitting[0]}' has a size twice: as '{other}' and as '{given}'"
            raise UsageError(Diagnostic(message, source.name))
        yield given, fitting[0], value
