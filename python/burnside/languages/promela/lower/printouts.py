"""`printf` and `printm`: what walks show of them. In searches they do nothing.

In: the statement, and how its arguments are lowered. Out: a `Printout`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from burnside.diagnostics import UnsupportedError
from burnside.ir.expressions import Expression
from burnside.ir.printouts import PrintedValue, Printout
from burnside.ir.views import Names
from burnside.languages.promela import expressions as x
from burnside.languages.promela import statements as st
from burnside.languages.promela.model import Model
from burnside.languages.promela.types import ScalarType

PART = re.compile(r"%[-0-9.]*(?P<conversion>[cdeioux%])|\\(?P<escape>.)")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


def printout(
    statement: st.Print, after: int, model: Model, lowered: Callable[[x.Expression], Expression]
) -> Printout:
    return Printout(after, tuple(_parts(statement, model, lowered)))


def _parts(
    statement: st.Print, model: Model, lowered: Callable[[x.Expression], Expression]
) -> Iterator[str | PrintedValue]:
    arguments = iter(statement.arguments)
    last = 0
    for part in PART.finditer(statement.format):
        yield statement.format[last : part.start()]
        last = part.end()
        conversion, escape = part["conversion"], part["escape"]
        if escape is not None:
            yield ESCAPES.get(escape, escape)
        elif conversion == "%":
            yield "%"
        else:
            yield _value(conversion, next(arguments, None), model, lowered)
    yield statement.format[last:]


def _value(
    conversion: str,
    argument: x.Expression | None,
    model: Model,
    lowered: Callable[[x.Expression], Expression],
) -> PrintedValue:
    if argument is None:
        return PrintedValue(conversion, None)
    try:
        expression = lowered(argument)
    except UnsupportedError:
        return PrintedValue(conversion, None)
    return PrintedValue(conversion, expression, _names(argument, model) if conversion == "e" else ())


def _names(argument: x.Expression, model: Model) -> Names:
    """Of the symbols that the argument may be one of."""
    own = argument.type if isinstance(argument, x.Reference) else None
    is_symbol = isinstance(own, ScalarType) and own.name == "mtype"
    sets = [each.values for each in model.symbols if not is_symbol or each.name == own.symbols]  # type: ignore[union-attr]
    return tuple({number: name for values in reversed(sets) for name, number in values.items()}.items())
