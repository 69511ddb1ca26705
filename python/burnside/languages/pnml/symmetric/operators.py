"""What the built-in operators and constants of PNML mean. In: a tree, a hint of the type looked for. Out: a term.

A function for each name of an element. Comparisons of ranges are read for enumerations too, whose constants are ordered as
they are declared, as models of the contest mean it; the elements after and before another one are found around the end of
all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from burnside.ir.highlevel.terms import Apply, Literal, Term, type_of
from burnside.ir.highlevel.types import BOOLEAN, DOT, NATURAL, Bag, Element, TokenType
from burnside.languages.pnml.symmetric.elements import Element as Tree
from burnside.languages.pnml.symmetric.elements import shortened
from burnside.languages.pnml.symmetric.sorts import CYCLIC, PARTITION
from burnside.languages.pnml.symmetric.tuples import read_tuple
from burnside.net import MAX_TOKENS

if TYPE_CHECKING:
    from burnside.languages.pnml.symmetric.terms import Terms

Hint = TokenType | None
Meaning = Callable[["Terms", Tree, Hint], Term]

ONE = Literal(1, NATURAL)

# Constants


def _dot(terms: Terms, tree: Tree, hint: Hint) -> Term:
    return Literal((), DOT, tree.span)


def _boolean(terms: Terms, tree: Tree, hint: Hint) -> Term:
    value = terms.file.attribute(tree, "value").strip()
    if value not in ("true", "false"):
        raise terms.file.error(f"'true' or 'false' is expected, and this is '{shortened(value)}'", tree)
    return Literal(value == "true", BOOLEAN, tree.span)


def _number(terms: Terms, tree: Tree, hint: Hint) -> Term:
    value = terms.file.number(tree, "value")
    if value < 0:
        raise terms.file.unsupported(f"numbers below zero are not supported, and this is {value}", tree)
    if value > MAX_TOKENS:
        raise terms.file.error(f"the number {value} is beyond 64 bits", tree)
    return Literal(value, NATURAL, tree.span)


def _range_constant(terms: Terms, tree: Tree, hint: Hint) -> Term:
    value = terms.file.number(tree, "value")
    type_ = terms.sorts.range_of(terms.file.only(tree, "integer range"), hint)
    start, end = terms.sorts.bounds[type_.sort.name]
    if not start <= value <= end:
        raise terms.file.error(f"{value} is not in the range {start}..{end}", tree)
    return Literal(value - start, type_, tree.span)


# Multisets


def _all(terms: Terms, tree: Tree, hint: Hint) -> Term:
    type_ = terms.sorts.type_of(terms.file.only(tree, "sort"))
    if isinstance(type_, Element) and isinstance(hint, Element) and terms.sorts.same(type_, hint):
        type_ = hint
    return terms.apply("all", (), Bag(type_), tree)


def _empty(terms: Terms, tree: Tree, hint: Hint) -> Term:
    return Apply("sum", (), Bag(terms.sorts.type_of(terms.file.only(tree, "sort"))), tree.span)


def _number_of(terms: Terms, tree: Tree, hint: Hint) -> Term:
    """n'x; of a multiset, n times as much, as models of the contest have it."""
    *numbers, inner = terms.file.several(tree, "term", 1, 2)
    number = _multiplicity(terms, numbers[0]) if numbers else ONE
    found = terms.term(inner, hint)
    type_ = type_of(found)
    if (hint is not None and terms.sorts.same(type_, hint)) or not isinstance(type_, Bag):
        return Apply("tokens", (number, found), Bag(type_), tree.span)
    return found if number == ONE else Apply("scaled", (number, found), type_, tree.span)


def _multiplicity(terms: Terms, tree: Tree) -> Term:
    if tree.name == "numberconstant" and terms.file.number(tree, "value") < 0:
        raise terms.file.error(f"the multiplicity is negative: {terms.file.number(tree, 'value')}", tree)
    return terms.natural(tree)


def _add(terms: Terms, tree: Tree, hint: Hint) -> Term:
    parts = terms.multisets(terms.operands(tree), hint)
    return parts[0] if len(parts) == 1 else terms.apply("sum", parts, type_of(parts[0]), tree)


def _subtract(terms: Terms, tree: Tree, hint: Hint) -> Term:
    found, *others = terms.multisets(terms.file.several(tree, "term", 2), hint)
    for each in others:
        found = terms.apply("bag-difference", (found, each), type_of(found), tree)
    return found


def _scalar_product(terms: Terms, tree: Tree, hint: Hint) -> Term:
    first, second = terms.file.several(tree, "term", 2, 2)
    number, inner = _multiplicity(terms, first), terms.multiset(second, hint)
    return terms.apply("scaled", (number, inner), type_of(inner), tree)


def _cardinality(terms: Terms, tree: Tree, hint: Hint) -> Term:
    inner = terms.multiset(terms.file.only(tree, "multiset"), None)
    return terms.apply("size", (inner,), NATURAL, tree)


def _cardinality_of(terms: Terms, tree: Tree, hint: Hint) -> Term:
    """How often a value is in a multiset. The grammar does not say which comes first; their types do."""
    first, second = (terms.term(each) for each in terms.file.several(tree, "term", 2, 2))
    for multiset, value in ((first, second), (second, first)):
        type_ = type_of(multiset)
        if isinstance(type_, Bag) and terms.sorts.same(type_.element, type_of(value)):
            return terms.apply("count", (multiset, value), NATURAL, tree)
    message = "<cardinalityof> needs a multiset and a value of its sort, and these are of sort {} and {}"
    shown = (terms.sorts.show(type_of(each)) for each in (first, second))
    raise terms.file.error(message.format(*shown), tree)


def _contains(terms: Terms, tree: Tree, hint: Hint) -> Term:
    whole, part = terms.multisets(terms.file.several(tree, "term", 2, 2), None)
    return terms.apply("included", (part, whole), BOOLEAN, tree)


# Truth values


def _junction(operator: str) -> Meaning:
    def meaning(terms: Terms, tree: Tree, hint: Hint) -> Term:
        parts = [terms.boolean(each) for each in terms.operands(tree)]
        return parts[0] if len(parts) == 1 else terms.apply(operator, parts, BOOLEAN, tree)

    return meaning


def _not(terms: Terms, tree: Tree, hint: Hint) -> Term:
    return terms.apply("not", (terms.boolean(terms.file.only(tree, "term")),), BOOLEAN, tree)


def _imply(terms: Terms, tree: Tree, hint: Hint) -> Term:
    parts = [terms.boolean(each) for each in terms.file.several(tree, "term", 2, 2)]
    return terms.apply("implies", parts, BOOLEAN, tree)


def _equality(terms: Terms, tree: Tree, hint: Hint) -> Term:
    pair = terms.alike(tree, terms.file.several(tree, "term", 2, 2))
    return Apply("equal", pair, BOOLEAN, tree.span)


def _inequality(terms: Terms, tree: Tree, hint: Hint) -> Term:
    return Apply("not", (_equality(terms, tree, hint),), BOOLEAN, tree.span)


def _comparison(operator: str, *, swapped: bool = False, classes: bool = False) -> Meaning:
    """`classes`: of elements of a partition, and of nothing else."""

    def meaning(terms: Terms, tree: Tree, hint: Hint) -> Term:
        left, right = terms.alike(tree, terms.file.several(tree, "term", 2, 2))
        type_ = type_of(left)
        if classes and not (isinstance(type_, Element) and type_.sort.origin == PARTITION):
            message = f"<{tree.name}> compares elements of a partition, and these are of sort {terms.sorts.show(type_)}"
            raise terms.file.error(message, tree)
        if not isinstance(type_, Element) and type_ != NATURAL:
            message = f"only numbers, constants of enumerations and of ranges are ordered, not {terms.sorts.show(type_)}"
            raise terms.file.error(message, tree)
        pair = (right, left) if swapped else (left, right)
        return Apply(operator, pair, BOOLEAN, tree.span)

    return meaning


# Elements and numbers


def _step(forward: bool) -> Meaning:
    def meaning(terms: Terms, tree: Tree, hint: Hint) -> Term:
        inner = terms.term(terms.file.only(tree, "term"), hint)
        type_ = type_of(inner)
        if not isinstance(type_, Element) or type_.sort.origin == PARTITION:
            message = f"<{tree.name}> is of constants of an enumeration, and this is of sort {terms.sorts.show(type_)}"
            raise terms.file.error(message, tree)
        if type_.sort.origin != CYCLIC:
            terms.wrapped[type_.sort.name] = type_.sort.origin
        number = Literal(1 if forward else max(0, type_.sort.size - 1), NATURAL)
        return terms.apply("successor", (inner, number), type_, tree)

    return meaning


def _arithmetic(operator: str) -> Meaning:
    def meaning(terms: Terms, tree: Tree, hint: Hint) -> Term:
        pair = [terms.natural(each) for each in terms.file.several(tree, "term", 2, 2)]
        return terms.apply(operator, pair, NATURAL, tree)

    return meaning


def _subtraction(terms: Terms, tree: Tree, hint: Hint) -> Term:
    """Of integers in the standard; here there are none below zero."""
    match [terms.natural(each) for each in terms.file.several(tree, "term", 2, 2)]:
        case [Literal(int(left)), Literal(int(right))] if left >= right:
            return Literal(left - right, NATURAL, tree.span)
    message = "<subtraction> is not supported but of two constants: its value may be below zero"
    raise terms.file.unsupported(message, tree)


def _class_of(terms: Terms, tree: Tree, hint: Hint) -> Term:
    return terms.partitions.class_of(tree)


OPERATORS: dict[str, Meaning] = {
    "dotconstant": _dot,
    "booleanconstant": _boolean,
    "numberconstant": _number,
    "finiteintrangeconstant": _range_constant,
    "tuple": read_tuple,
    "all": _all,
    "empty": _empty,
    "numberof": _number_of,
    "add": _add,
    "subtract": _subtract,
    "scalarproduct": _scalar_product,
    "cardinality": _cardinality,
    "cardinalityof": _cardinality_of,
    "contains": _contains,
    "and": _junction("and"),
    "or": _junction("or"),
    "not": _not,
    "imply": _imply,
    "equality": _equality,
    "inequality": _inequality,
    # Of ranges, and of numbers: the standard has other names for these.
    "lessthan": _comparison("less"),
    "lessthanorequal": _comparison("less-equal"),
    "greaterthan": _comparison("less", swapped=True),
    "greaterthanorequal": _comparison("less-equal", swapped=True),
    "lt": _comparison("less"),
    "leq": _comparison("less-equal"),
    "gt": _comparison("less", swapped=True),
    "geq": _comparison("less-equal", swapped=True),
    "ltp": _comparison("less", classes=True),
    "gtp": _comparison("less", swapped=True, classes=True),
    "partitionelementof": _class_of,
    "successor": _step(forward=True),
    "predecessor": _step(forward=False),
    "addition": _arithmetic("add"),
    "mult": _arithmetic("multiply"),
    "div": _arithmetic("divide"),
    "mod": _arithmetic("modulo"),
    "subtraction": _subtraction,
}

_STRINGS = "stringconstant stringconcatenation stringappend stringlength substring lts leqs gts geqs"
_LISTS = "listconstant emptylist makelist listlength listappend listconcatenation memberatindex sublist"
UNSUPPORTED = {
    **dict.fromkeys(_STRINGS.split(), "strings"),
    **dict.fromkeys(_LISTS.split(), "lists"),
    "unparsed": "texts without a meaning",
}
"""Operators of high-level nets that symmetric nets do not have."""
