"""Terms rewritten to equal ones, so that more terms that mean the same are written alike.

In: a term. Out: a term that has the same value, and is undefined for the same values of its variables and the same markings.
Nothing here depends on a permutation: a net with rewritten terms is the same net. Each rule keeps undefinedness, which is
strict: a part is dropped only where it has a value always (`is_total`).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import inf
from typing import Any

from burnside.ir.highlevel.terms import (
    FALSE,
    TRUE,
    Apply,
    Binding,
    Conditional,
    Literal,
    Marked,
    Select,
    Term,
    Variable,
    is_total,
    type_of,
)
from burnside.ir.highlevel.types import (
    BOOLEAN,
    NATURAL,
    Bag,
    Element,
    SetOf,
    Struct,
    domain_size,
)
from burnside.ir.walking import nodes
from burnside.records import replace
from burnside.reference.highlevel.evaluation import Undefined, evaluate

MAX_STEPS = 100_000
"""Of the evaluation of a term without variables; longer ones stay as they are."""
LINEAR = frozenset({"all", "sum", "tokens", "scaled"})
"""Operators on multisets whose results are not written out: `all` of a large type is one word."""


def simplified(term: Term) -> Term:
    """Inner terms first."""
    inner = term.with_children(simplified)
    known = _evaluated(inner)
    if known is not None:
        return known
    match inner:
        case Apply("and" | "or" as operator, arguments):
            return junction(operator, arguments)
        case Apply("not", (argument,)):
            return negated(argument)
        case Apply("implies", (premise, conclusion)):
            return junction("or", (negated(premise), conclusion))
        case Apply("xor", (one, other)):
            return negated(_equal(one, other))
        case Apply("equal" | "iff", (one, other)):
            return _equal(one, other)
        case Apply("less-equal", (one, other)):
            return negated(Apply("less", (other, one), BOOLEAN))
        case Apply("successor", (argument, Literal(number))):
            return shifted(argument, number)
        case Select(Apply("struct", fields), name):
            return _selected(inner, fields, name)
        case Conditional(Literal(test), then, otherwise):
            return then if test else otherwise
        case Conditional(test, then, otherwise) if then == otherwise and is_total(test):
            return then
    return inner


def junction(operator: str, arguments: Iterable[Term]) -> Term:
    """`and` and `or` are associative, commutative and idempotent, and strict in all arguments."""
    unit, zero = (TRUE, FALSE) if operator == "and" else (FALSE, TRUE)
    flat: dict[Term, None] = {}
    for each in arguments:
        parts = each.arguments if isinstance(each, Apply) and each.operator == operator else (each,)
        flat |= dict.fromkeys(parts)
    flat.pop(unit, None)
    if zero in flat and all(map(is_total, flat)):
        return zero
    if len(flat) < 2:
        return next(iter(flat), unit)
    return Apply(operator, tuple(flat), BOOLEAN)


def negated(term: Term) -> Term:
    """De Morgan: both sides are defined where all parts are. So are a quantifier and its dual."""
    match term:
        case Literal(value):
            return FALSE if value else TRUE
        case Apply("not", (argument,)):
            return argument
        case Apply("and" | "or" as operator, arguments):
            return junction("or" if operator == "and" else "and", map(negated, arguments))
        case Binding("forall" | "exists" as kind, _, body):
            return replace(term, kind="exists" if kind == "forall" else "forall", body=negated(body))
    return Apply("not", (term,), BOOLEAN)


def shifted(term: Term, number: int) -> Term:
    """That many places on, around the end; places of places add up."""
    type_ = type_of(term)
    assert isinstance(type_, Element)
    match term:
        case Apply("successor", (inner, Literal(before))):
            return shifted(inner, before + number)
        case Literal(position):
            return Literal((position + number) % type_.sort.size, type_, term.span)
    number %= type_.sort.size
    return Apply("successor", (term, Literal(number, NATURAL)), type_) if number else term


def unshifted(term: Term) -> tuple[Term, int]:
    """A term, and how many places on from it this one is."""
    match term:
        case Apply("successor", (inner, Literal(number))):
            return inner, number
    return term, 0


def _equal(one: Term, other: Term) -> Term:
    type_ = type_of(one)
    if one == other and is_total(one):
        return TRUE
    for side, rest in ((one, other), (other, one)):
        if type_ == BOOLEAN and isinstance(side, Literal):
            return rest if side.value else negated(rest)
        if isinstance(type_, Element) and isinstance(side, Literal):
            inner, number = unshifted(rest)
            return Apply("equal", (inner, shifted(side, -number)), BOOLEAN)
    if isinstance(type_, Struct):
        left, right = _fields(one), _fields(other)
        if left is not None and right is not None:
            return junction("and", [_equal(*pair) for pair in zip(left, right, strict=True)])
    return Apply("equal", (one, other), BOOLEAN)


def _fields(term: Term) -> tuple[Term, ...] | None:
    """The parts of a struct, where they are written."""
    match term:
        case Apply("struct", arguments):
            return arguments
        case Literal(values, Struct(fields)):
            return tuple(Literal(value, each.type) for value, each in zip(values, fields, strict=True))
    return None


def _selected(term: Select, fields: tuple[Term, ...], name: str) -> Term:
    struct = type_of(term.struct)
    assert isinstance(struct, Struct)
    at = struct.position(name)
    return fields[at] if all(is_total(each) for number, each in enumerate(fields) if number != at) else term


# Values of terms without variables


def _evaluated(term: Term) -> Literal | None:
    if isinstance(term, Literal | Variable | Marked) or free_variables(term):
        return None
    if isinstance(term, Apply) and isinstance(term.type, Bag) and term.operator in LINEAR:
        return None
    if steps(term) > MAX_STEPS or any(isinstance(each, Marked) for each in nodes(term)):
        return None
    try:
        return Literal(evaluate(term, {}), type_of(term), term.span)
    except Undefined:
        return None


def steps(term: Term) -> float:
    """A bound on the length of an evaluation."""
    match term:
        case Literal(value):
            return _weight(value)
        case Binding(_, variable, body):
            return (domain_size(variable.type) or inf) * (1 + steps(body))
        case Apply("all" | "full" | "complement", arguments, Bag(element) | SetOf(element)):
            return (domain_size(element) or inf) + sum(map(steps, arguments))
        case _:
            return 1 + sum(map(steps, term.children()))


def _weight(value: Any) -> int:
    return 1 + sum(map(_weight, value)) if isinstance(value, tuple | frozenset) else 1


@lru_cache(maxsize=100_000)
def free_variables(term: Term) -> frozenset[Variable]:
    """Those that no `Binding` in the term binds."""
    match term:
        case Variable():
            return frozenset([term])
        case Binding(_, variable, body):
            return frozenset(each for each in free_variables(body) if each.name != variable.name)
    return frozenset().union(*map(free_variables, term.children()))
