"""Random types, places and expressions of programs: the lower half of `program_strategies`.

Everything is drawn by a `Maker`. With `symmetric` nothing depends on which element of a `full` sort is which: no constants
of it, no order, and what stops early (quantifiers) cannot fail, because the order of instances would show. Tables are the
same for all elements of a `full` sort.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, TypeVar

from burnside.ir import expressions as e
from burnside.ir.program import Function
from burnside.ir.types import (
    BOOLEAN,
    INTEGER,
    Array,
    Bag,
    Boolean,
    Element,
    Field,
    Integer,
    Optional,
    Record,
    Scalar,
    Sort,
    Type,
    Union,
    bounds,
    sorts_of,
)
from burnside.records import replace

from tests.program_scopes import Part, Root, Scope, element_of, kinds_match, parts, scalar_of

Found = TypeVar("Found")
ASSERTED, COVERED, LIMITED = 0, 1, 2
"""Numbers of the properties that statements and lookups refer to."""
MAX_ENTRIES = 100
"""Of a table."""


class Maker:
    """Draws by `number(low, high)`. What cannot be made of what is in scope is None, and something else is tried. In a
    `tame` program few things fail: the others seldom come far."""

    def __init__(self, number: Callable[[int, int], int], *, symmetric: bool) -> None:
        self.number, self.symmetric = number, symmetric
        self.sorts: Sequence[Sort] = ()
        self.valued: list[Function] = []
        self.procedures: list[Function] = []
        self.count = 0
        self.tame = self.flip(60)

    def name(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def one(self, choices: Sequence[Found]) -> Found:
        return choices[self.number(0, len(choices) - 1)]

    def flip(self, percent: int = 50) -> bool:
        return self.number(0, 99) < percent

    def first_of(self, makers: Sequence[Callable[[], Found | None]]) -> Found | None:
        """The first that can be made, from a random one on."""
        start = self.number(0, len(makers) - 1) if makers else 0
        for i in range(len(makers)):
            if (made := makers[(start + i) % len(makers)]()) is not None:
                return made
        return None

    # Types

    def names_elements(self, scalar: Scalar) -> bool:
        """Would a constant of this type break the symmetry that is promised?"""
        return self.symmetric and any(sort.symmetry == "full" for sort in sorts_of(scalar))

    def shows_elements(self, type_: Type, *, plain: bool) -> bool:
        """Has it scalars whose smallest value breaks the symmetry? With `plain`, only those that are always defined."""
        match type_:
            case Array(_, element) | Bag(element):
                return self.shows_elements(element, plain=plain)
            case Record(fields):
                return any(self.shows_elements(each.type, plain=plain) for each in fields)
            case Optional(inner):
                return not plain and self.names_elements(inner)
            case _:
                return self.names_elements(type_)

    def scalar(self) -> Scalar:
        choices: list[Scalar] = [BOOLEAN, Integer(0, self.number(1, 2)), Integer(-1, 1)]
        choices += [Element(sort) for sort in self.sorts] * 2
        if len(self.sorts) > 1:
            choices.append(Union(tuple(self.sorts[:2])))
        return self.one(choices)

    def cell(self) -> Type:
        """A scalar of a state. In symmetric programs elements start undefined, because the smallest is a certain one."""
        scalar = self.scalar()
        return Optional(scalar) if self.names_elements(scalar) or self.flip(30) else scalar

    def type(self, depth: int = 2) -> Type:
        if depth == 0 or self.flip(30):
            return self.cell()
        match self.number(0, 4):
            case 0 | 1:
                return Array(self.scalar(), self.type(depth - 1))
            case 2:
                return Record((Field("f", self.type(depth - 1)), Field("g", self.cell())))
            case 3:
                return Bag(self.type(depth - 1), self.number(1, 2))
            case _:
                return Array(self.one([Element(sort) for sort in self.sorts]), self.cell())

    # Places

    def place(self, part: Part, scope: Scope, depth: int) -> e.Place | None:
        """With indices drawn, bound names first; in `total` scopes only such that are inside. There are none below
        depth 0."""
        if depth < 0 and not all(isinstance(step, str) for step in part.steps):
            return None
        place: e.Place = part.root.place
        for step in part.steps:
            match step:
                case str():
                    place = e.Component(place, step)
                case Array(index):
                    near = [r for r in scope.roots if r.kind == "local" and r.type == index]
                    if near and self.flip(70):
                        at: e.Expression | None = e.Read(self.one(near).place)
                    else:
                        at = self.expression(index, scope, depth)
                    if at is None:
                        return None
                    place = e.Index(place, at)
                case Bag():
                    if self.symmetric or scope.total:
                        return None
                    position = self.expression(INTEGER, scope, 0)
                    assert position is not None
                    place = e.Entry(place, position)
        return place

    def parts(self, scope: Scope, wanted: Callable[[Type], bool], *, writable: bool = False) -> list[Part]:
        roots = [root for root in scope.roots if root.writable or not writable]
        roots += [root for root in roots if root.kind in ("local", "entry")] * 2  # what is near is meant
        return [part for root in roots for part in parts(root) if wanted(part.type)]

    def some_place(
        self, scope: Scope, wanted: Callable[[Type], bool], depth: int = 1, *, writable: bool = False
    ) -> tuple[e.Place, Type] | None:
        def maker(part: Part) -> Callable[[], tuple[e.Place, Type] | None]:
            def make() -> tuple[e.Place, Type] | None:
                place = self.place(part, scope, depth)
                return None if place is None else (place, part.type)

            return make

        return self.first_of([maker(part) for part in self.parts(scope, wanted, writable=writable)])

    # Expressions

    def expression(self, wanted: Scalar, scope: Scope, depth: int = 2) -> e.Expression | None:
        """Of the wanted type; in place of an integer, of any bounds, unless the scope is total."""
        roll = self.number(0, 99)
        if depth > 0 and (roll < 65 if wanted == BOOLEAN else roll < 35):
            composed = self.first_of(self.compositions(wanted, scope, depth - 1))
            return composed or self.read(wanted, scope, depth) or self.constant(wanted, scope)
        if roll > 85:
            return self.constant(wanted, scope) or self.read(wanted, scope, depth)
        other = self.comparison(scope, depth - 1) if wanted == BOOLEAN and depth > 0 else None
        return self.read(wanted, scope, depth) or other or self.constant(wanted, scope)

    def compositions(
        self, wanted: Scalar, scope: Scope, depth: int
    ) -> list[Callable[[], e.Expression | None]]:
        match wanted:
            case Boolean():
                found = self.tests(scope, depth)
            case Integer():
                # In total scopes only reads and constants are certainly within bounds.
                found = [] if scope.total and wanted != INTEGER else self.sums(scope, depth)
                found.append(lambda: self.wrapped(wanted, scope, depth))
            case _:
                found = self.elements(wanted, scope, depth)
        if not scope.total:
            found.append(lambda: self.call(wanted, scope))
        if self.flip(30):
            found.append(lambda: self.looked_up(wanted, scope, depth))
        if self.flip(20):
            found.append(lambda: self.conditional(wanted, scope, depth))
        return found

    def constant(self, wanted: Scalar, scope: Scope) -> e.Expression | None:
        if self.names_elements(wanted):
            return None
        if wanted == INTEGER:
            if not scope.total and self.flip(2):
                return e.Constant(self.one((2**63 - 1, -(2**63), 2**40)), INTEGER)
            return e.Constant(self.number(-1, 2), INTEGER)
        return e.Constant(self.number(*bounds(wanted)), wanted)

    def read(self, wanted: Scalar, scope: Scope, depth: int) -> e.Expression | None:
        def fits(type_: Type) -> bool:
            scalar = scalar_of(type_)
            if scalar is None or not kinds_match(wanted, scalar):
                return False
            if not scope.total:
                return True
            return not isinstance(type_, Optional) and wanted in (INTEGER, scalar)

        found = self.some_place(scope, fits, depth - 1)
        return None if found is None else e.Read(found[0])

    def conditional(self, wanted: Scalar, scope: Scope, depth: int) -> e.Expression | None:
        test, then = self.expression(BOOLEAN, scope, depth), self.expression(wanted, scope, depth)
        otherwise = self.expression(wanted, scope, depth)
        if test is None or then is None or otherwise is None or e.type_of(then) != e.type_of(otherwise):
            return None
        return e.Conditional(test, then, otherwise)

    def wrapped(self, wanted: Integer, scope: Scope, depth: int) -> e.Expression | None:
        operand = self.expression(INTEGER, scope, depth)
        return operand and e.Wrap(operand, Integer(-1, 1) if wanted == INTEGER else wanted)

    def looked_up(self, wanted: Scalar, scope: Scope, depth: int) -> e.Expression | None:
        """Entries are missing only where that may fail; only errors may happen where no function is called."""
        types = [self.scalar() for _ in range(self.one((1, 1, 2)))]
        arguments = [self.expression(each, scope, depth) for each in types]
        found = self.table(types, Integer(-1, 2) if wanted == INTEGER else wanted, total=scope.total)
        if found is None or None in arguments:
            return None
        may_assert = scope.calls and not scope.total and self.flip(60)
        return e.Lookup(found, tuple(arguments), self.one((ASSERTED, LIMITED)) if may_assert else None)  # type: ignore[arg-type]

    def table(self, types: Sequence[Scalar], result: Scalar, *, total: bool) -> e.Table | None:
        """In symmetric programs an entry depends only on which arguments are equal, where elements cannot be named; if it
        cannot be named either it is one of the arguments."""
        rows = list(product(*(range(bounds(each)[0], bounds(each)[1] + 1) for each in types)))
        sources = [at for at, each in enumerate(types) if each == result]
        if len(rows) > MAX_ENTRIES or (self.names_elements(result) and not sources):
            return None
        chosen: dict[object, int | None] = {}
        entries: list[int | None] = []
        for row in rows:
            key = tuple(self.pattern(row, types, at) for at in range(len(row)))
            if key not in chosen:
                missing = not total and self.flip(20)
                pick = self.one(sources) if self.names_elements(result) else self.number(*bounds(result))
                chosen[key] = None if missing else pick
            pick_ = chosen[key]
            entries.append(row[pick_] if pick_ is not None and self.names_elements(result) else pick_)
        return e.Table(self.name("T"), tuple(types), result, tuple(entries))

    def pattern(self, row: Sequence[int], types: Sequence[Scalar], at: int) -> object:
        """What may be said of an argument."""
        sort, value = element_of(row[at], types[at])
        if sort is None or sort.symmetry != "full" or not self.symmetric:
            return row[at]
        same = [k for k in range(at) if element_of(row[k], types[k]) == (sort, value)]
        return sort.name, same[0] if same else at

    def call(self, wanted: Scalar, scope: Scope) -> e.Expression | None:
        fitting = [each for each in self.valued if scalar_of(each.result) == wanted]
        if not fitting or not scope.calls:
            return None
        function = self.one(fitting)
        arguments = self.arguments(function, scope)
        return None if arguments is None else e.Call(function.name, arguments, function.result or BOOLEAN)

    def arguments(self, function: Function, scope: Scope) -> tuple[Any, ...] | None:
        given = []
        for parameter in function.parameters:
            type_, scalar = parameter.variable.type, scalar_of(parameter.variable.type)
            argument: Any
            if parameter.by_reference or scalar is None or isinstance(type_, Optional):
                found = self.some_place(
                    scope, lambda each, t=type_: each == t, writable=parameter.by_reference
                )
                argument = found and found[0]
            else:
                argument = self.expression(scalar, scope, 1)
            if argument is None:
                return None
            given.append(argument)
        return tuple(given)

    def pair(self, wanted: Scalar, scope: Scope, depth: int) -> tuple[e.Expression, e.Expression] | None:
        left, right = self.expression(wanted, scope, depth), self.expression(wanted, scope, depth)
        return None if left is None or right is None else (left, right)

    def sums(self, scope: Scope, depth: int) -> list[Callable[[], e.Expression | None]]:
        def arithmetic() -> e.Expression | None:
            operators = ["+", "-", "+", "*", "bit-and", "bit-or", "bit-xor"]
            operators += [] if scope.total else ["/", "%"]
            found = self.pair(INTEGER, scope, depth)
            return found and e.Binary(self.one(operators), *found)

        def shift() -> e.Expression | None:
            operand = self.expression(INTEGER, scope, depth)
            operator = self.one(("shift-left", "shift-right"))
            return operand and e.Binary(operator, operand, e.Constant(self.number(0, 2), INTEGER))

        def negative() -> e.Expression | None:
            operand = self.expression(INTEGER, scope, depth)
            return operand and e.Negate(self.one(("-", "~")), operand)

        def narrowed() -> e.Expression | None:
            operand = None if scope.total else self.expression(INTEGER, scope, depth)
            return operand and e.Convert(operand, Integer(0, self.number(0, 2)))

        def count() -> e.Expression | None:
            found = self.bound(scope, bags_only=True)
            test = found and self.expression(BOOLEAN, replace(found[1], total=True), depth)
            return e.Count(found[0], test) if found and test else None

        return [arithmetic, arithmetic, shift, negative, narrowed, count]

    def elements(self, wanted: Scalar, scope: Scope, depth: int) -> list[Callable[[], e.Expression | None]]:
        def converted() -> e.Expression | None:
            if isinstance(wanted, Union):
                operand = self.expression(Element(self.one(wanted.sorts)), scope, depth)
            else:
                union = Union(tuple(self.sorts[:2]))
                fits = not scope.total and len(self.sorts) > 1 and sorts_of(wanted)[0] in union.sorts
                operand = self.expression(union, scope, depth) if fits else None
            return operand and e.Convert(operand, wanted)

        return [converted]

    def comparison(self, scope: Scope, depth: int) -> e.Expression | None:
        """Of something that can change with something else."""
        found = self.some_place(scope, lambda each: scalar_of(each) is not None, depth)
        scalar = found and scalar_of(found[1])
        if found is None or scalar is None:
            return None
        other = self.expression(
            INTEGER if isinstance(scalar, Integer) and self.flip(20) else scalar, scope, depth
        )
        if other == e.Read(found[0]):
            other = self.constant(scalar, scope)
        if other is None:
            return None
        ordered = not self.names_elements(scalar) and not isinstance(scalar, Boolean) and self.flip(40)
        operator = self.one(("<", "<=", ">", ">=") if ordered else ("=", "!="))
        test = e.Binary(operator, e.Read(found[0]), other)
        if isinstance(found[1], Optional) and (scope.total or self.flip(30)):
            return e.Junction("and", (e.IsDefined(found[0]), test))
        return test

    def tests(self, scope: Scope, depth: int) -> list[Callable[[], e.Expression | None]]:
        def compared() -> e.Expression | None:
            return self.comparison(scope, depth)

        def negated() -> e.Expression | None:
            operand = self.expression(BOOLEAN, scope, depth)
            return operand and e.Not(operand)

        def joined() -> e.Expression | None:
            found = self.pair(BOOLEAN, scope, depth)
            return found and e.Junction(self.one(("and", "or")), found)

        def quantified() -> e.Expression | None:
            found = self.bound(scope)
            if found is None:
                return None
            inner = replace(found[1], total=scope.total or self.symmetric)
            test = self.expression(BOOLEAN, inner, depth)
            quantifier = self.one(("forall", "exists"))
            return test and e.Quantified(quantifier, found[0], test, every=self.flip(60))

        def defined() -> e.Expression | None:
            found = self.some_place(scope, lambda each: isinstance(each, Optional))
            return found and e.IsDefined(found[0])

        def member() -> e.Expression | None:
            if len(self.sorts) < 2:
                return None
            operand = self.expression(Union(tuple(self.sorts[:2])), scope, depth)
            return operand and e.IsMember(operand, self.one(self.sorts[:2]))

        def same() -> e.Expression | None:
            left = self.some_place(scope, lambda _: True)
            right = left and self.some_place(scope, lambda each: each == left[1])
            return e.Same(left[0], right[0]) if left and right and left[0] != right[0] else None

        return [compared, compared, compared, negated, joined, quantified, quantified, defined, member, same]

    def bound(self, scope: Scope, *, bags_only: bool = False) -> tuple[e.Bound, Scope] | None:
        """A new bound name, and the scope in which it is known."""
        name = self.name("i")
        if bags_only or self.flip(25):
            found = self.some_place(scope, lambda each: isinstance(each, Bag), 0)
            if found is None:
                return None
            bound = e.Bound(name, e.Positions(found[0]))
            return bound, scope.at(bound.variable, found[0], as_number=not self.symmetric)
        bound = e.Bound(name, self.domain(scope))
        return bound, scope.plus(Root(bound.variable, bound.type, "local", writable=False))

    def domain(self, scope: Scope) -> e.Domain:
        if self.flip(70):
            return e.All(self.scalar())
        low, high = self.number(-1, 1), self.number(0, 2)
        if self.flip(20):
            return e.Range(e.Constant(high, INTEGER), e.Constant(low, INTEGER), e.Constant(-1, INTEGER))
        end = None if scope.total else self.expression(Integer(0, 2), scope, 1)
        if end is None or e.type_of(end) == INTEGER:  # it may be large, and the loop would not end
            end = e.Constant(high, INTEGER)
        return e.Range(e.Constant(low, INTEGER), end, e.Constant(self.number(1, 2), INTEGER))
