"""What actions print. It is no part of what a program means: only walks show it."""

from __future__ import annotations

from burnside.ir.expressions import Expression
from burnside.ir.views import Names
from burnside.records import record


@record
class PrintedValue:
    """A value within a text. `conversion`: as in C, `d`, `u`, `x`, `o`, `c`, or `e` for the name of a number. The expression
    is None where the value is not known to the program."""

    conversion: str
    expression: Expression | None
    names: Names = ()


@record
class Printout:
    """Printed after so many statements of an action's body."""

    after: int
    parts: tuple[str | PrintedValue, ...]
