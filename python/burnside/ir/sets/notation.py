"""How a machine is shown: its values, types, expressions and labels, in the notation of the language that it was written in.

In: a machine, which says which notation it has. Out: a `Notation`; there is one for each name that `Machine.notation` may
have. Everything that shows something of a machine asks here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from burnside.ir.sets import printing as b
from burnside.ir.sets import types as b_types
from burnside.ir.sets import z_printing as z
from burnside.ir.sets.expressions import Expression, Name
from burnside.ir.sets.machine import Machine, NotationName
from burnside.ir.sets.printing import as_written
from burnside.ir.sets.types import ValueType
from burnside.records import record

Values = Sequence[Any | None]
"""None: it has no value."""

NO_VALUE = "?"


@record(eq=False)
class Notation:
    """`label`: an operation with the values of its parameters and results. `bounds`: what may bound a name, for hints.
    `properties`: of constants, what a user calls them. `no_start`: that there is none, with the title of the start."""

    value: Callable[[Any, ValueType], str]
    expression: Callable[[Expression], str]
    type: Callable[[ValueType], str]
    label: Callable[[str, str, str], str]
    item: Callable[[str, str], str]
    gap: str
    bounds: str
    properties: str
    no_start: str

    def operation(
        self,
        name: str,
        parameters: Sequence[Name],
        arguments: Values,
        results: Sequence[Name],
        answers: Values,
    ) -> str:
        """What happens: with the values of parameters and results, where there are any."""
        return self.label(name, self._items(parameters, arguments), self._items(results, answers))

    def _items(self, names: Sequence[Name], values: Values) -> str:
        return self.gap.join(
            self.item(as_written(name.name), NO_VALUE if value is None else self.value(value, name.type))
            for name, value in zip(names, values, strict=True)
        )


def _label(name: str, arguments: str, results: str) -> str:
    return f"{name}{f'({arguments})' if arguments else ''}{f' --> {results}' if results else ''}"


B = Notation(
    value=b.show_value,
    expression=b.show_expression,
    type=b_types.show_type,
    label=_label,
    item=lambda name, value: value,
    gap=",",
    bounds="'x : S' or 'x <= n'",
    properties="properties",
    no_start="the initialisation is not possible",
)
"""`borrow(ann,book1) --> TRUE`"""

Z = Notation(
    value=z.show_value,
    expression=z.show_expression,
    type=z.show_type,
    label=_label,
    item=lambda name, value: f"{name} = {value}",
    gap=", ",
    bounds="'x \\in S' or 'x \\leq n'",
    properties="axioms",
    no_start="there is no start: no state satisfies {}",
)
"""`FindBirthday(name? = NAME1) --> date! = DATE2`"""

NOTATIONS: dict[NotationName, Notation] = {"b": B, "z": Z}


def notation_of(machine: Machine) -> Notation:
    return NOTATIONS[machine.notation]
