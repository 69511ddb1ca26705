"""Models with a size: what `burnside example NAME PARAMS` writes.

In: a family's name and its parameters as they stand on the command line. Out: a `Net`. `FAMILIES` is the
table that `--list` prints; whatever does not fit it is a `UsageError` that says what would. The number of
arcs is known from a formula before anything is built, so that a typing error cannot fill the memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from types import MappingProxyType

from burnside.diagnostics import Diagnostic, UsageError
from burnside.families import nets
from burnside.net import Net
from burnside.records import record

MAX_ARCS = 5_000_000
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
class Family:
    """One parameterised model: how it is called, where it comes from, how it is built."""

    name: str
    parameters: tuple[FamilyParameter, ...]
    description: str
    section: str
    build: Callable[..., Net]
    arcs: Callable[..., int]
    refuses: Callable[..., str | None] = lambda *_: None
    """What is wrong with parameters that are fine one by one."""

    @property
    def usage(self) -> str:
        return " ".join([self.name, *map(str, self.parameters)])


def _railroad_refuses(sections: int, trains: int) -> str | None:
    if sections > 2 * trains:
        return None
    return f"{trains} trains need at least {2 * trains + 1} sections to move, not {sections}"


def _grid_arcs(d: int, n: int) -> int:
    # Cut off where the result is far beyond any limit: 2^64 agents are refused as well as 2^(10^6).
    d = min(d, 64)
    rows: int = n ** (d - 1)
    return 4 * n * rows + 4 * d * (n - 1) * rows


_N = "Junttila 2003, 4.5.1"

FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        family.name: family
        for family in (
            Family(
                "ph",
                (FamilyParameter("philosophers", 2),),
                "dining philosophers, left fork first; deadlocks; cyclic symmetry",
                _N,
                nets.philosophers,
                lambda n: 10 * n,
            ),
            Family(
                "db",
                (FamilyParameter("managers", 2),),
                "database managers telling each other of updates; full symmetry",
                _N,
                nets.database,
                lambda n: n * (10 * n - 4),
            ),
            Family(
                "grid",
                (FamilyParameter("dimensions", 1), FamilyParameter("agents_per_row", 2)),
                "mutual exclusion between neighbours of a grid; the symmetries of the cube",
                _N,
                nets.grid,
                _grid_arcs,
            ),
            Family(
                "graphs",
                (FamilyParameter("vertices", 2),),
                "enumerates the undirected graphs; orbits are graphs up to isomorphism",
                _N,
                nets.graphs,
                lambda n: 5 * n * (n - 1) // 2,
            ),
            Family(
                "digraphs",
                (FamilyParameter("vertices", 2),),
                "enumerates the directed graphs; orbits are graphs up to isomorphism",
                _N,
                nets.digraphs,
                lambda n: 5 * n * (n - 1),
            ),
            Family(
                "railroad",
                (FamilyParameter("sections", 3, 6), FamilyParameter("trains", 1, 2)),
                "trains on a ring with signals; rotations, and trains are interchangeable",
                "Junttila 2003, Example 3.1",
                nets.railroad,
                lambda sections, trains: 4 * sections * trains,
                _railroad_refuses,
            ),
            Family(
                "mutex",
                (FamilyParameter("processes", 1),),
                "mutual exclusion by one shared token; full symmetry",
                "Junttila 2003, Example 2.1",
                nets.mutex,
                lambda n: 8 * n,
            ),
        )
    }
)


def build(name: str, params: Sequence[str | int]) -> Net:
    """The net of that family and size; UsageError where there is none."""
    family = _family(name)
    values = _values(family, params)
    reason = family.refuses(*values)
    if reason is not None:
        raise UsageError(Diagnostic(reason, hint=f"usage: burnside example {family.usage}"))
    _refuse_giants(family, values)
    return family.build(*values)


def _family(name: str) -> Family:
    family = FAMILIES.get(name)
    if family is not None:
        return family
    close = get_close_matches(name.lower(), FAMILIES, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(FAMILIES)}"
    raise UsageError(Diagnostic(f"no example is called '{name}'", hint=hint))


def _values(family: Family, params: Sequence[str | int]) -> list[int]:
    required = sum(parameter.default is None for parameter in family.parameters)
    most = len(family.parameters)
    if not required <= len(params) <= most:
        wanted = str(most) if required == most else f"{required} to {most}"
        noun = "parameter" if wanted == "1" else "parameters"
        raise UsageError(
            Diagnostic(
                f"'{family.name}' takes {wanted} {noun}, {len(params)} given",
                hint=f"usage: burnside example {family.usage}",
            )
        )
    pairs = zip(family.parameters, params, strict=False)
    given = [_value(family, parameter, text) for parameter, text in pairs]
    rest = [p.default for p in family.parameters[len(params) :] if p.default is not None]
    return given + rest


def _value(family: Family, parameter: FamilyParameter, text: str | int) -> int:
    what = f"{parameter.name} of '{family.name}'"
    digits = str(text) if not isinstance(text, int) or abs(text) < 10**DIGITS else "9" * (DIGITS + 1)
    if not re.fullmatch(r"[+-]?[0-9]+", digits):
        raise UsageError(f"{what} must be a whole number, not '{digits[:40]}'")
    if len(digits) > DIGITS:
        raise UsageError(f"{what} has more than {DIGITS} digits; the limit is {MAX_ARCS:,} arcs")
    if int(digits) < parameter.minimum:
        raise UsageError(f"{what} must be at least {parameter.minimum}, not {digits}")
    return int(digits)


def _refuse_giants(family: Family, values: Sequence[int]) -> None:
    arcs = family.arcs(*values)
    if arcs <= MAX_ARCS:
        return
    amount = f"{arcs:,}" if arcs < 10**DIGITS else f"more than 10^{DIGITS}"
    what = " ".join([family.name, *map(str, values)])
    message = f"'{what}' would have {amount} arcs; the limit is {MAX_ARCS:,}"
    raise UsageError(Diagnostic(message, hint="choose a smaller size"))
