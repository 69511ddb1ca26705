"""Conditions of a command line over any high-level net. In: a net, texts. Out: terms in which places stand for their tokens.

The text is that of `.hln` terms. Names with other characters than letters, digits and `_` stand in double quotes, elements
that several types have are written `T.a`, and what a PNML file calls its types are names of types.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from burnside.diagnostics import Source
from burnside.ir.highlevel.net import HighLevelNet
from burnside.ir.highlevel.terms import Literal, Lookup, Marked, Term, Variable, type_of
from burnside.ir.highlevel.types import BOOLEAN, NATURAL, Bag, Element, TokenType, Union
from burnside.ir.walking import nodes
from burnside.languages.hln.lower_operators import OperatorLowering
from burnside.languages.hln.lower_types import KnownType, TypeLowering
from burnside.languages.hln.parser import Parser
from burnside.languages.hln.scope import Function, Scope, Table
from burnside.languages.shared.recursion import deep_recursion
from burnside.temporal.atoms import Binder


class ConditionReader:
    """An `ExpressionReader`. `functions`, `constants`: further names that the text of the net declares."""

    def __init__(
        self,
        net: HighLevelNet,
        functions: Mapping[str, Function | Table] | None = None,
        constants: Mapping[str, int] | None = None,
        types: Mapping[str, KnownType] | None = None,
    ) -> None:
        self.net = net
        self.places: dict[str, Term] = {
            place.name: Marked(number, Bag(place.type)) for number, place in enumerate(net.places)
        }
        self.constants: dict[str, Term] = {
            name: Literal(value, NATURAL) for name, value in (constants or {}).items()
        }
        self._functions, self._constants, self._types = functions, constants or {}, types

    def condition(self, source: Source, bound: Sequence[Binder] = ()) -> Term:
        """A truth value that depends on the marking."""
        return self._read(source, BOOLEAN, {**self.constants, **self.places}, bound)

    def value(self, source: Source, type: TokenType, bound: Sequence[Binder] = ()) -> Term:
        """A value that does not depend on the marking."""
        return self._read(source, type, self.constants, bound)

    def domain(self, source: Source, bound: Sequence[Binder] = ()) -> TokenType:
        with deep_recursion(source):
            tree = Parser(source).whole_type()
            return self._lowering(source).finite(tree)

    def unique_name(self, name: str, bound: Sequence[Binder] = ()) -> str:
        """No name that is written without quotes has a quote at its end."""
        taken = {each.name for each in bound}
        unique = f"{name}'"
        while unique in taken:
            unique += "'"
        return unique

    def _read(
        self, source: Source, wanted: TokenType, names: Mapping[str, Term], bound: Sequence[Binder]
    ) -> Term:
        values = {**names, **{each.written: Variable(each.name, each.type) for each in bound}}
        free = {each.written: frozenset((each.name,)) for each in bound}
        with deep_recursion(source):
            tree = Parser(source).whole_term()
            return self._lowering(source).read(tree, wanted, Scope(values, free=free))

    def _lowering(self, source: Source) -> OperatorLowering:
        types = TypeLowering(source, {})
        types.constants = dict(self._constants)
        types.names = dict(self.net.type_names)
        for sort in self.net.sorts:
            types.elements.add(sort)
        types.types = dict(self._types) if self._types is not None else self._named_types()
        lowering = OperatorLowering(types)
        lowering.functions = dict(self._functions) if self._functions is not None else tables(self.net)
        lowering.unions = [each.type for each in types.types.values() if isinstance(each.type, Union)]
        variables = {each.name for one in self.net.transitions for each in one.variables}
        lowering.unavailable = dict.fromkeys(variables, "variables stand in transitions only")
        return lowering

    def _named_types(self) -> dict[str, KnownType]:
        found = {name: KnownType(type_) for type_, name in self.net.type_names.items()}
        return {**found, **{each.name: KnownType(Element(each)) for each in self.net.sorts}}


def tables(net: HighLevelNet) -> dict[str, Function | Table]:
    """The functions that the net looks up, by name."""
    terms = [each.initial for each in net.places] + [each.condition for each in net.claims]
    for transition in net.transitions:
        terms += [transition.guard, *(arc.term for arc in (*transition.consumes, *transition.produces))]
    found: dict[str, Function | Table] = {}
    for node in nodes(*terms):
        if isinstance(node, Lookup):
            found.setdefault(node.name, Table(node.name, type_of(node.argument), node.type, node.images))
    return found
