"""Terms in the form in which the core computes with codes. In: terms of a transition. Out: nested tuples, as the core
reads them.

The core knows what inscriptions are mostly made of; `NotEncoded` is raised for everything else, and then the transition is
unfolded by `general`. All that is encoded has a value, but for differences of multisets.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from burnside.ir.highlevel.terms import (
    Apply,
    Binding,
    Conditional,
    Inject,
    IsOf,
    Literal,
    Lookup,
    Select,
    Term,
    Update,
    Variable,
    type_of,
)
from burnside.ir.highlevel.types import (
    MAX_DOMAIN,
    NATURAL,
    Bag,
    Boolean,
    Element,
    Natural,
    Struct,
    TokenType,
    Union,
)
from burnside.unfolding.codes import Codes

Encoded = tuple[Any, ...]
MAX_DEPTH = 100
"""The core walks terms by recursion."""


class NotEncoded(Exception):
    """The core does not know a part of the term."""


class Encoder:
    """`variables`: of the transition, by name. Names that multisets bind get numbers behind them."""

    def __init__(self, codes: Codes, variables: Mapping[str, int]) -> None:
        self.codes, self.names = codes, dict(variables)
        self.first = self.next = len(variables)
        self.depth = 0

    @property
    def bound(self) -> int:
        return self.next - self.first

    def size(self, type_: TokenType) -> int:
        """Of a type whose codes are computed."""
        size = self.codes.size(type_)
        if not size:
            raise NotEncoded
        return size

    def term(self, term: Term) -> Encoded:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise NotEncoded
        found = self._term(term)
        self.depth -= 1
        return found

    def _term(self, term: Term) -> Encoded:
        match term:
            case Literal(value, type_):
                return "constant", self.codes.code(type_, value)
            case Variable(name):
                return "variable", self.names[name]
            case Conditional(test, then, otherwise):
                return "if", self.term(test), self.term(then), self.term(otherwise)
            case Select(struct, name):
                of = self._struct(struct)
                at = of.position(name)
                return self._part(of, at, self.term(struct))
            case Update(struct, name, value):
                of, whole = self._struct(struct), self.term(struct)
                parts = [self._part(of, at, whole) for at in range(len(of.fields))]
                parts[of.position(name)] = self.term(value)
                return "struct", list(zip(self.codes.weights(of), parts, strict=True))
            case Inject(alternative, value, union):
                self.size(union)
                offset = self.codes.offsets(union)[union.position(alternative)]
                return "struct", [(1, ("constant", offset)), (1, self.term(value))]
            case IsOf(value, alternative):
                of_value = type_of(value)
                assert isinstance(of_value, Union)
                self.size(of_value)
                at = of_value.position(alternative)
                offsets = self.codes.offsets(of_value)
                return "within", self.term(value), offsets[at], offsets[at + 1]
            case Lookup(_, images, argument):
                if len(images) < self.size(type_of(argument)):
                    raise NotEncoded
                return "lookup", list(images), self.term(argument)
            case Apply(operator, arguments, type_):
                return self._applied(operator, arguments, type_)
            case _:
                raise NotEncoded

    def _struct(self, term: Term) -> Struct:
        of = type_of(term)
        assert isinstance(of, Struct)
        self.size(of)
        return of

    def _part(self, of: Struct, at: int, whole: Encoded) -> Encoded:
        return "part", whole, self.codes.weights(of)[at], self.size(of.fields[at].type)

    def _applied(self, operator: str, arguments: tuple[Term, ...], type_: TokenType) -> Encoded:
        match operator:
            case "and" | "or":
                return operator, [self.term(each) for each in arguments]
            case "not":
                return "not", self.term(arguments[0])
            case "equal" | "less":
                return operator, self._comparable(arguments[0]), self._comparable(arguments[1])
            case "less-equal":
                return "not", ("less", self._comparable(arguments[1]), self._comparable(arguments[0]))
            case "implies":
                return "or", [("not", self.term(arguments[0])), self.term(arguments[1])]
            case "iff":
                return "equal", self.term(arguments[0]), self.term(arguments[1])
            case "xor":
                return "not", ("equal", self.term(arguments[0]), self.term(arguments[1]))
            case "position":
                return self.term(arguments[0])
            case "distance":
                size = self.size(type_of(arguments[0]))
                return "distance", self.term(arguments[0]), self.term(arguments[1]), size
            case "successor":
                size = self.size(type_of(arguments[0]))
                return "shift", self.term(arguments[0]), _number(arguments[1]) % size, size
            case "struct":
                self.size(type_)
                assert isinstance(type_, Struct)
                parts = map(self.term, arguments)
                return "struct", list(zip(self.codes.weights(type_), parts, strict=True))
            case _:
                raise NotEncoded

    def _comparable(self, term: Term) -> Encoded:
        """Equal where the values are: codes of one type are. Numbers beyond all codes are left to others."""
        if isinstance(term, Literal) and isinstance(term.type, Natural) and term.value >= MAX_DOMAIN:
            raise NotEncoded
        return self.term(term)

    # Multisets

    def bag(self, term: Term) -> Encoded:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise NotEncoded
        found = self._bag(term)
        self.depth -= 1
        return found

    def _bag(self, term: Term) -> Encoded:
        match term:
            case Literal(tokens, Bag(element)):
                return self._listed(element, tokens)
            case Conditional(test, then, otherwise):
                return "if", self.term(test), self.bag(then), self.bag(otherwise)
            case Apply("tokens", (number, value)):
                return self._several(number, self.term(value))
            case Apply("sum", parts):
                return "sum", [self.bag(each) for each in parts]
            case Apply("scaled", (number, inner)):
                return "scaled", _number(number), self.bag(inner)
            case Apply("bag-difference", (one, other)):
                return "difference", self.bag(one), self.bag(other)
            case Apply("all", (), Bag(element)):
                return "all", self.size(element)
            case Binding("bag", variable, body):
                return self._each(variable, body)
            case _:
                raise NotEncoded

    def _listed(self, element: TokenType, tokens: frozenset[tuple[Any, int]]) -> Encoded:
        pairs = sorted((self.codes.code(element, value), number) for value, number in tokens)
        return "sum", [self._several(Literal(number, NATURAL), ("constant", code)) for code, number in pairs]

    def _several(self, number: Term, value: Encoded) -> Encoded:
        if isinstance(number, Conditional):
            then, otherwise = self._several(number.then, value), self._several(number.otherwise, value)
            return "if", self.term(number.test), then, otherwise
        return "tokens", _number(number), value

    def _each(self, variable: Variable, body: Term) -> Encoded:
        size = self.size(variable.type)
        outer = dict(self.names)
        number = self.names[variable.name] = self.next
        self.next += 1
        found = self._several(body, ("variable", number))
        self.names = outer
        return "each", number, size, found


def _number(term: Term) -> int:
    if (
        isinstance(term, Literal)
        and isinstance(term.type, Natural | Boolean | Element)
        and 0 <= term.value < MAX_DOMAIN
    ):
        return int(term.value)
    raise NotEncoded
