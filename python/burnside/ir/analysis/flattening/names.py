"""Names, local variables and places while a program is made flat.

In: what the program calls something. Out: names that are unique, local variables of our own, and places that stay what they
are whatever happens next.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from burnside.diagnostics import Span
from burnside.ir import program as p
from burnside.ir.analysis import flat
from burnside.ir.analysis.flat import Expr, Place, Step
from burnside.ir.types import Array, Bag, Optional, Record, Scalar, Type

MAX_STATEMENTS = 100_000
"""Bodies stand wherever they are called: a program that grows beyond this is not made flat."""
_NO_SCALAR = (Array, Bag, Optional, Record)

Meaning = Place | Expr
"""What a name stands for: a place, or a value that does not change."""
Out = list[flat.Statement]


class NotFlat(Exception):
    """Why a program has no flat form."""

    def __init__(self, reason: str, span: Span | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.span = span


class Names:
    """`names`: what each name of the program means at this point. `check` may raise to end the work."""

    def __init__(self, program: p.Program, check: Callable[[], None]) -> None:
        self._functions = {each.name: each for each in program.functions}
        self._state: dict[str, Meaning] = {
            each.name: Place(each.name, each.type, is_state=True) for each in program.variables
        }
        self._numbers = count(1)
        self._check = check
        self._size = 0
        self.most = MAX_STATEMENTS
        self.names: dict[str, Meaning] = {}
        self.is_question = False
        """Is this code of a guard or a property, where no step could go on past a violation that is noted?"""

    def _fresh(self, name: str) -> str:
        return f"{name}#{next(self._numbers)}"

    def _local(self, name: str, type_: Type, out: Out) -> Place:
        """A variable of our own. It begins undefined, not with the first element of its sort: nothing reads that."""
        return self._declared(name, type_ if isinstance(type_, _NO_SCALAR) else Optional(type_), out)

    def _declared(self, name: str, type_: Type, out: Out) -> Place:
        place = Place(self._fresh(name), type_, is_state=False)
        self._add(out, flat.Declare(place.root, type_))
        return place

    def _add(self, out: Out, statement: flat.Statement) -> None:
        self._size += 1
        if self._size > self.most:
            raise NotFlat("with functions written out where they are called, the program is too large")
        out.append(statement)

    def _named(self, value: Expr, out: Out, name: str = "value") -> Expr:
        """An atom with this value, evaluated here."""
        if value.is_atom:
            return value
        fresh = self._fresh(name)
        out.append(flat.Let(fresh, value, value.span))
        return Expr("name", value.type, name=fresh)

    def _frozen(self, place: Place, out: Out, at: int, span: Span | None) -> Place:
        """The same place, evaluated at this point of the statements, wherever it is used later."""
        steps: list[Step] = []
        before: Out = []
        for step in place.steps:
            if step.index is not None:
                index = self._named(step.index, before, name="index")
                step = Step(step.kind, step.name, index, step.fails)
            steps.append(step)
        frozen = Place(place.root, place.type, place.is_state, tuple(steps))
        if frozen.fails:
            before.append(flat.Touch(frozen, span))
            unchecked = [Step(each.kind, each.name, each.index) for each in steps]
            frozen = Place(place.root, place.type, place.is_state, tuple(unchecked))
        out[at:at] = before
        return frozen


def extended(place: Place, step: Step, type_: Type) -> Place:
    return Place(place.root, type_, place.is_state, (*place.steps, step))


def scalar(type_: Type) -> Scalar:
    content = type_.type if isinstance(type_, Optional) else type_
    assert not isinstance(content, Array | Record | Bag)
    return content
