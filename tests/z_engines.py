"""Specifications in Z, in both engines and by brute force, in the same words: what the laws compare.

In: the text of a specification. Out: what was lowered, the oracle, and the way from its values to those of machines.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from burnside.diagnostics import Source
from burnside.ir.sets import expressions as e
from burnside.ir.sets import substitutions as s
from burnside.ir.sets.machine import Machine, Operation
from burnside.ir.sets.types import BOOLEAN, INTEGER, Element, FreeType, Pair, Set, Struct, ValueType
from burnside.languages.z import syntax as t
from burnside.languages.z.lower.machine import MachineLowering
from burnside.languages.z.lower.types import plain as shown
from burnside.languages.z.reading import load
from burnside.languages.z.typing.types import (
    GivenType,
    PowerType,
    ProductType,
    SchemaType,
    Type,
    expanded,
)
from burnside.records import record
from burnside.reference.sets.values import FreeValue, Point, RecordValue
from burnside.reference.sets.values import Value as MachineValue

from tests.z_brute_force import BruteForce
from tests.z_values import Atom, Built, Value

NAME = "text.tex"


@record(eq=False)
class Loaded:
    machine: Machine
    lowering: MachineLowering
    brute: BruteForce
    notes: tuple[str, ...]

    def schema(self, name: str) -> t.SchemaDefinition:
        found = self.lowering.checked.globals[name].paragraph
        assert isinstance(found, t.SchemaDefinition)
        return found

    def translated(self, value: Value, type_: Type) -> MachineValue:
        """A value of the oracle, as machines have it."""
        match expanded(type_):
            case GivenType(name):
                return self._atom(value, name)
            case PowerType(base):
                return frozenset(self.translated(each, base) for each in value)
            case ProductType(factors):
                parts = [self.translated(each, own) for each, own in zip(value, factors, strict=True)]
                found = parts[-1]
                for each in reversed(parts[:-1]):
                    found = (each, found)
                return found
            case SchemaType(components):
                types = {each.name: each.type for each in components}
                pairs = sorted(((shown(name), name, own) for name, own in dict(value).items()))
                return RecordValue(self.translated(own, types[name]) for _, name, own in pairs)
            case other:
                raise AssertionError(other)

    def _atom(self, value: Value, name: str) -> MachineValue:
        match value:
            case Atom(_, number):
                return Point(self.lowering.sorts[name].name, number - 1)
            case Built(constructor, argument):
                branches = self.brute.free[name].branches
                at = next(at for at, each in enumerate(branches) if each.name.text == constructor)
                if name in self.lowering.sorts:
                    return Point(self.lowering.sorts[name].name, at)
                domain = branches[at].domain
                inner = None if domain is None else self.lowering.checked.type_of(domain)
                if inner is None:
                    return FreeValue(shown(name), at)
                inner = expanded(inner)
                assert isinstance(inner, PowerType)
                return FreeValue(shown(name), at, self.translated(argument, inner.base))
            case _:
                return value


def loaded(text: str, sizes: Mapping[str, int] | None = None, **limits: Any) -> Loaded:
    """`limits`: of the oracle."""
    model = load(Source(NAME, text), sizes)
    lowering = model.conditions.lowering
    brute = BruteForce(lowering.checked, lowering.sizes.sets, **limits)
    return Loaded(model.machine, lowering, brute, model.notes)


def written(value: MachineValue, type_: ValueType) -> e.Expression:
    """An expression with this value."""
    match type_:
        case Element() as own:
            return e.Literal(value.position, own)
        case Set(element):
            return e.Apply("set", tuple(written(each, element) for each in value), type_)
        case Pair(left, right):
            return e.pair(written(value[0], left), written(value[1], right))
        case Struct(fields):
            parts = zip(value, fields, strict=True)
            return e.Apply("record", tuple(written(each, own.type) for each, own in parts), type_)
        case FreeType(_, constructors):
            inner = type_.arguments()[value.constructor]
            argument = None if inner is None else written(value.argument, inner)
            return e.Construct(constructors[value.constructor].name, argument, type_)
        case _:
            assert type_ == INTEGER
            return e.Literal(value, INTEGER)


def asking(found: Loaded, values: Mapping[str, MachineValue], asked: e.Expression) -> Machine:
    """One state with these values, and an operation that puts out the value of an expression, or fails."""
    variables = found.machine.variables
    texts = {name.name: text for text, name in found.lowering.variables.items()}
    start = s.Assign(variables, tuple(written(values[texts[each.name]], each.type) for each in variables))
    value = asked
    if e.type_of(asked) == BOOLEAN:
        value = e.Conditional(asked, e.Literal(1, INTEGER), e.Literal(0, INTEGER))
    result = e.Name("result", e.type_of(value))
    operation = Operation("ask", (), (result,), s.Assign((result,), (value,)))
    machine = found.machine
    return Machine(
        "asking", machine.sorts, (), (), variables, start, (operation,), free_types=machine.free_types
    )
