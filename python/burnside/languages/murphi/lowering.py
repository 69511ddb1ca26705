"""The base of lowering: scopes, unique names, errors with a place, and what a name or an expression can be.

Lowering goes through the tree once, in the order of the text, because Murphi requires everything to be declared before it is
used. The class that does it is built in layers upon `MurphiContext`, one for each kind of syntax: types, expressions,
binders, calls, statements, rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from burnside.diagnostics import Source
from burnside.ir import expressions as e
from burnside.ir.program import Function, Parameter, Property
from burnside.ir.types import Sort, Type
from burnside.languages.murphi import syntax as s
from burnside.languages.murphi.kinds import Meaning
from burnside.languages.shared.lowering import LoweringContext
from burnside.languages.shared.spans import Extent, Identifier
from burnside.records import record

# What a name stands for


@record(eq=False)
class KnownConstant:
    value: e.Constant


@record(eq=False)
class KnownType:
    type: Type


@record(eq=False)
class KnownPlace:
    """A variable, a parameter, or an alias of a part of one."""

    place: e.Place
    writable: bool


@record(eq=False)
class KnownValue:
    """A bound name, or an alias of an expression."""

    expression: e.Expression
    type: Meaning
    is_bound: bool


@record(eq=False)
class KnownFunction:
    name: str
    parameters: tuple[Parameter, ...]
    result: Type | None
    is_complete: bool


Known = KnownConstant | KnownType | KnownPlace | KnownValue | KnownFunction


# What an expression comes to. `type` is bare: a scalar without `Optional`.


@record
class Stored:
    at: Extent
    type: Meaning
    place: e.Place
    writable: bool


@record
class Value:
    """A scalar; or the structured result of a call."""

    at: Extent
    type: Meaning
    expression: e.Expression
    is_bound: bool = False


@record
class StructuredConditional:
    """`?:` between structured values."""

    at: Extent
    type: Meaning
    test: e.Expression
    then: Operand
    otherwise: Operand


Operand = Stored | Value | StructuredConditional


class Scope:
    def __init__(self, outer: Scope | None = None) -> None:
        self.outer = outer
        self.names: dict[str, Known] = {}

    def find(self, name: str) -> Known | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        return None


class MurphiContext(LoweringContext):
    def __init__(self, source: Source, sizes: Mapping[str, int], global_names: frozenset[str]) -> None:
        self.source = source
        self.sizes = sizes
        self.global_names = global_names
        """All of them, declared already or not: locals have other names in the ir."""
        self.globals = Scope()
        self.scope = self.globals
        self.frame: frozenset[str] = frozenset()
        self.function_name = ""
        self.sorts: list[Sort] = []
        self.functions: dict[str, Function] = {}
        self.properties: list[Property] = []

    def operand(self, node: s.Expression) -> Operand:
        raise NotImplementedError

    # Scopes and names

    @contextmanager
    def inner_scope(self) -> Iterator[None]:
        outer, self.scope = self.scope, Scope(self.scope)
        try:
            yield
        finally:
            self.scope = outer

    @contextmanager
    def inner_frame(self) -> Iterator[None]:
        """A scope of names that are not visible after it: that of a rule, a function, a property."""
        frame = self.frame
        try:
            with self.inner_scope():
                yield
        finally:
            self.frame = frame

    def declare(self, name: Identifier, known: Known) -> None:
        if name.text in self.scope.names:
            raise self.error(f"'{name.text}' is declared twice", name.at)
        self.scope.names[name.text] = known

    def fresh(self, name: str) -> str:
        """A name for the ir that nothing else in this rule or function has, nor any global, nor any function it calls:
        locals of functions go by the function's name, so that names may be kept in one flat table."""
        name = f"{self.function_name}.{name}" if self.function_name else name
        taken, candidate, number = self.frame | self.global_names, name, 1
        while candidate in taken:
            number += 1
            candidate = f"{name}_{number}"
        self.frame |= {candidate}
        return candidate

    def find(self, name: str, at: Extent) -> Known:
        known = self.scope.find(name)
        if known is None:
            raise self.error(f"there is no '{name}' here", at, self.hint(name))
        return known

    def hint(self, name: str) -> str | None:
        if name in self.global_names:
            return "it is declared further down, and must be declared before it is used"
        scope: Scope | None = self.scope
        while scope is not None:
            for other in scope.names:
                if other.lower() == name.lower():
                    return f"did you mean '{other}'? Names are case-sensitive"
            scope = scope.outer
        return None
