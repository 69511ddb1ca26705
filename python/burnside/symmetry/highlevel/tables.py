"""What a term depends on, and its table: the value for each of the values that its variables have.

In: a term without places. Out: rows of values with the value of the term there. A table is the term's meaning, so terms with
one table are equal however they are written: `x = a or x = b` and `not (x = c)` where there are three elements.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from burnside.ir.highlevel.net import Transition
from burnside.ir.highlevel.terms import (
    Apply,
    Literal,
    Lookup,
    Marked,
    Term,
    Variable,
    type_of,
)
from burnside.ir.highlevel.types import BOOLEAN, Bag, TokenType, domain_size, sorts_of
from burnside.ir.highlevel.values import SortImages, all_values, permuted
from burnside.ir.walking import nodes
from burnside.records import record
from burnside.reference.highlevel.evaluation import Undefined, evaluate
from burnside.symmetry.highlevel.simplified import free_variables, steps
from burnside.symmetry.points import full

MAX_ROWS_OF_ONE = 4096
"""Of a table with one variable."""
MAX_ROWS = 1024
"""Of a table with several variables; only for terms that see the order of elements."""
MAX_STEPS = 500_000
"""Of the evaluations of one table."""

UNDEFINED = "undefined"
Movable = frozenset[str]
"""Names of the sorts whose elements may be permuted."""


@record
class Row:
    """Values of the variables, in their order, and that of the term: a tuple with it, or nothing where it has none."""

    values: tuple[Any, ...]
    result: tuple[Any, ...]


@record
class Table:
    variables: tuple[Variable, ...]
    type: TokenType
    rows: frozenset[Row]

    @property
    def is_total(self) -> bool:
        return all(row.result for row in self.rows)

    @property
    def results(self) -> frozenset[tuple[Any, ...]]:
        return frozenset(row.result for row in self.rows)

    def renamed(self, images: SortImages) -> frozenset[Row]:
        types = [each.type for each in self.variables]
        return frozenset(
            Row(
                tuple(permuted(type_, value, images) for type_, value in zip(types, row.values, strict=True)),
                tuple(permuted(self.type, value, images) for value in row.result),
            )
            for row in self.rows
        )

    def is_invariant(self, movable: Movable) -> bool:
        """Under all permutations of these sorts: a transposition and a long cycle generate those of one sort."""
        types = [*(each.type for each in self.variables), self.type]
        sorts = {each.name: each for type_ in types for each in sorts_of(type_) if each.name in movable}
        return all(
            self.renamed({name: images}) == self.rows
            for name, sort in sorts.items()
            for images in full(sort.size, range(sort.size))
        )


def is_movable(type_: TokenType, movable: Movable) -> bool:
    return any(sort.name in movable for sort in sorts_of(type_))


def sees_order(term: Term, movable: Movable) -> bool:
    """Is this node one that depends on the order of elements, or on numbers for them, in another way than a function from
    elements to elements does?"""
    match term:
        case Apply("less" | "position" | "distance", (first, *_)):
            return is_movable(type_of(first), movable)
        case Apply("element", _, type_):
            return is_movable(type_, movable)
        case Apply("successor", (_, number), type_):
            return not isinstance(number, Literal) and is_movable(type_, movable)
    return False


def names_elements(term: Term, movable: Movable) -> bool:
    """Is this node one that tells elements apart?"""
    match term:
        case Literal(_, type_):
            return is_movable(type_, movable)
        case Lookup(_, _, argument, type_):
            return is_movable(type_of(argument), movable) or is_movable(type_, movable)
        case Apply("successor", _, type_):
            return is_movable(type_, movable)
    return sees_order(term, movable)


def table_of(term: Term, movable: Movable) -> Table | None:
    """None where the term has none, or need not have one: most terms with several variables are as good without."""
    if isinstance(term, Variable | Literal) or isinstance(type_of(term), Bag):
        return None
    variables = tuple(sorted(free_variables(term), key=lambda each: each.name))
    if not variables:
        return None
    inside = list(nodes(term))
    ordered = any(sees_order(each, movable) for each in inside)
    if not ordered and (type_of(term) != BOOLEAN or len(variables) > 1):
        return None
    if not any(names_elements(each, movable) for each in inside):
        return None
    if any(isinstance(each, Marked) for each in inside):
        return None
    size = assignments([each.type for each in variables])
    if size is None or size > (MAX_ROWS if len(variables) > 1 else MAX_ROWS_OF_ONE):
        return None
    if size * steps(term) > MAX_STEPS:
        return None
    return Table(variables, type_of(term), frozenset(_rows(term, variables)))


def assignments(types: Sequence[TokenType]) -> int | None:
    """How many there are; None where there is no end to them."""
    count = 1
    for each in types:
        size = domain_size(each)
        if size is None:
            return None
        count *= size
    return count


def _rows(term: Term, variables: Sequence[Variable]) -> Iterator[Row]:
    names = [each.name for each in variables]
    for values in product(*(tuple(all_values(each.type)) for each in variables)):
        try:
            yield Row(values, (evaluate(term, dict(zip(names, values, strict=True))),))
        except Undefined:
            yield Row(values, ())


def instances(transition: Transition) -> int | None:
    return assignments([each.type for each in transition.variables])
