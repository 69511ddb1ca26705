"""<tuple>: a value of a product, or a multiset of them where a part is a multiset."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from burnside.ir.highlevel.terms import (
    TRUE,
    Apply,
    Binding,
    Conditional,
    Literal,
    Select,
    Term,
    Variable,
    type_of,
)
from burnside.ir.highlevel.types import BOOLEAN, NATURAL, Bag, Field, Struct, TokenType, domain_size
from burnside.languages.pnml.symmetric.elements import Element as Tree

if TYPE_CHECKING:
    from burnside.languages.pnml.symmetric.terms import Terms


def read_tuple(terms: Terms, tree: Tree, hint: TokenType | None) -> Term:
    wanted: Sequence[TokenType | None] = [None] * len(tree.children)
    if isinstance(hint, Struct):
        wanted = [each.type for each in hint.fields]
        if len(wanted) != len(tree.children):
            message = (
                f"{terms.sorts.show(hint)} has {len(wanted)} parts, and this <tuple> has {len(tree.children)}"
            )
            raise terms.file.error(message, tree)
    parts = [_part(terms, *each) for each in zip(tree.children, wanted, strict=True)]
    if isinstance(hint, Struct):
        type_ = hint
    else:
        fields = (Field(str(number), _value_type(each)) for number, each in enumerate(parts, start=1))
        type_ = Struct(tuple(fields))
    if any(_is_multiset(each, field) for each, field in zip(parts, type_.fields, strict=True)):
        return _product(terms, parts, type_, tree)
    return Apply("struct", tuple(parts), type_, tree.span)


def _part(terms: Terms, tree: Tree, wanted: TokenType | None) -> Term:
    found = terms.term(tree, wanted)
    if wanted is None or terms.sorts.same(type_of(found), Bag(wanted)):
        return found
    return terms.fitted(found, wanted, tree)


def _value_type(part: Term) -> TokenType:
    found = type_of(part)
    return found.element if isinstance(found, Bag) else found


def _is_multiset(part: Term, field: Field) -> bool:
    return isinstance(type_of(part), Bag) and not isinstance(field.type, Bag)


def _product(terms: Terms, parts: Sequence[Term], type_: Struct, tree: Tree) -> Term:
    """All tuples: those whose parts are the values, as often as the multisets have the others."""
    if domain_size(type_) is None:
        message = f"a <tuple> of multisets over {terms.sorts.show(type_)} is not supported: there is no end of values"
        raise terms.file.unsupported(message, tree)
    each = Variable(terms.fresh_name(), type_)
    tests: list[Term] = []
    number: Term = Literal(1, NATURAL)
    for part, field in zip(parts, type_.fields, strict=True):
        selected = Select(each, field.name)
        if not _is_multiset(part, field):
            tests.append(Apply("equal", (selected, part), BOOLEAN, tree.span))
        elif not (isinstance(part, Apply) and part.operator == "all"):
            count = Apply("count", (part, selected), NATURAL, tree.span)
            number = Apply("multiply", (number, count), NATURAL) if isinstance(number, Apply) else count
    if not tests and isinstance(number, Literal):
        return Apply("all", (), Bag(type_), tree.span)
    test = TRUE if not tests else tests[0] if len(tests) == 1 else Apply("and", tuple(tests), BOOLEAN)
    body = Conditional(test, number, Literal(0, NATURAL), tree.span) if tests else number
    return Binding("bag", each, body, Bag(type_), tree.span)
