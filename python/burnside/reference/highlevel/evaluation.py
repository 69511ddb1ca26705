"""The values of terms. In: a term, values of its variables, and a marking for conditions. Out: a value, or `Undefined`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from burnside.ir.highlevel.terms import (
    Apply,
    Binding,
    Cast,
    Conditional,
    Inject,
    IsOf,
    Literal,
    Lookup,
    Marked,
    Select,
    Term,
    Update,
    Variable,
    type_of,
)
from burnside.ir.highlevel.types import Bag, Element, SetOf, Struct, TokenType, Union
from burnside.ir.highlevel.values import all_values, bag

Value = Any
Values = Mapping[str, Value]


class Undefined(Exception):
    """The term has no value: `err`."""


def evaluate(term: Term, values: Values, marking: tuple[Value, ...] = ()) -> Value:
    """Arguments are evaluated before anything is decided, so `Undefined` in one of them leaves the whole undefined."""

    def of(inner: Term) -> Value:
        return evaluate(inner, values, marking)

    match term:
        case Literal(value):
            return value
        case Variable(name):
            return values[name]
        case Marked(place):
            return marking[place]
        case Conditional(test, then, otherwise):
            return of(then) if of(test) else of(otherwise)
        case Select(struct, name):
            return of(struct)[_struct(struct).position(name)]
        case Update(struct, name, value):
            fields = list(of(struct))
            fields[_struct(struct).position(name)] = of(value)
            return tuple(fields)
        case Inject(alternative, value, union):
            return union.position(alternative), of(value)
        case IsOf(value, alternative):
            return of(value)[0] == _union(value).position(alternative)
        case Cast(value, alternative):
            number, inside = of(value)
            if number != _union(value).position(alternative):
                raise Undefined
            return inside
        case Lookup(_, images, argument):
            return images[of(argument)]
        case Binding(kind, variable, body):
            bodies = [
                (value, evaluate(body, {**values, variable.name: value}, marking))
                for value in all_values(variable.type)
            ]
            return _BINDINGS[kind](bodies)
        case Apply(operator, arguments, type_):
            return _applied(operator, [of(each) for each in arguments], arguments, type_)


def _struct(term: Term) -> Struct:
    of = type_of(term)
    assert isinstance(of, Struct)
    return of


def _union(term: Term) -> Union:
    of = type_of(term)
    assert isinstance(of, Union)
    return of


_BINDINGS: dict[str, Callable[[list[tuple[Value, Value]]], Value]] = {
    "forall": lambda bodies: all(holds for _, holds in bodies),
    "exists": lambda bodies: any(holds for _, holds in bodies),
    "set": lambda bodies: frozenset(value for value, holds in bodies if holds),
    "bag": bag,
    "map": frozenset,
}


def _applied(operator: str, found: list[Value], arguments: tuple[Term, ...], type_: TokenType) -> Value:
    match operator:
        case "successor":
            return (found[0] + found[1]) % _size(type_of(arguments[0]))
        case "distance":
            return (found[1] - found[0]) % _size(type_of(arguments[0]))
        case "element":
            return _defined(found[0], found[0] < _size(type_))
        case "full" | "complement":
            assert isinstance(type_, SetOf)
            return frozenset(all_values(type_.element)).difference(*found)
        case "all":
            assert isinstance(type_, Bag)
            return bag((value, 1) for value in all_values(type_.element))
        case "list" | "struct":
            return tuple(found)
        case "set":
            return frozenset(found)
        case "map":
            return frozenset(dict(zip(found[::2], found[1::2], strict=True)).items())
        case "and":
            return all(found)
        case "or":
            return any(found)
        case "sum":
            return bag(pair for each in found for pair in each)
    return _OPERATORS[operator](*found)


def _size(type_: TokenType) -> int:
    assert isinstance(type_, Element)
    return type_.sort.size


def _defined(value: Value, is_defined: bool) -> Value:
    if not is_defined:
        raise Undefined
    return value


def _divided(a: int, b: int) -> int:
    _defined(a, b > 0)
    return a // b


def _remainder(a: int, b: int) -> int:
    _defined(a, b > 0)
    return a % b


def _put(list_: tuple[Value, ...], position: int, value: Value) -> tuple[Value, ...]:
    _defined(None, 1 <= position <= len(list_))
    return (*list_[: position - 1], value, *list_[position:])


def _get(list_: tuple[Value, ...], position: int) -> Value:
    _defined(None, 1 <= position <= len(list_))
    return list_[position - 1]


def _difference(one: Iterable[tuple[Value, int]], other: Iterable[tuple[Value, int]]) -> Value:
    return _defined(bag((*one, *((value, -number) for value, number in other))), _included(other, one))


def _included(one: Iterable[tuple[Value, int]], other: Iterable[tuple[Value, int]]) -> bool:
    available = dict(other)
    return all(available.get(value, 0) >= number for value, number in one)


def _at(map_: Iterable[tuple[Value, Value]], key: Value) -> Value:
    known = dict(map_)
    return known[_defined(key, key in known)]


_OPERATORS: dict[str, Callable[..., Value]] = {
    "equal": lambda a, b: a == b,
    "not": lambda a: not a,
    "implies": lambda a, b: not a or b,
    "iff": lambda a, b: a == b,
    "xor": lambda a, b: a != b,
    "less": lambda a, b: a < b,
    "less-equal": lambda a, b: a <= b,
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: _defined(a - b, a >= b),
    "multiply": lambda a, b: a * b,
    "divide": _divided,
    "modulo": _remainder,
    "position": lambda a: a,
    "length": len,
    "get": _get,
    "put": _put,
    "add-first": lambda a, v: (v, *a),
    "add-last": lambda a, v: (*a, v),
    "drop-first": lambda a, n: a[n:],
    "drop-last": lambda a, n: a[: max(0, len(a) - n)],
    "concatenate": lambda a, b: a + b,
    "member": lambda v, s: v in s,
    "subset": lambda a, b: a <= b,
    "cardinality": len,
    "union": lambda a, b: a | b,
    "intersection": lambda a, b: a & b,
    "difference": lambda a, b: a - b,
    "tokens": lambda n, v: bag([(v, n)]),
    "scaled": lambda n, m: bag((value, n * number) for value, number in m),
    "bag-difference": _difference,
    "included": _included,
    "count": lambda m, v: dict(m).get(v, 0),
    "size": lambda m: sum(number for _, number in m),
    "support": lambda m: frozenset(value for value, _ in m),
    "bag-of": lambda s: bag((value, 1) for value in s),
    "defined": lambda m, k: any(key == k for key, _ in m),
    "at": _at,
    "assign": lambda m, k, v: frozenset({**dict(m), k: v}.items()),
    "unset": lambda m, k: frozenset(pair for pair in m if pair[0] != k),
}
