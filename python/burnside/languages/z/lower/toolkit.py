"""The mathematical tool-kit: what each of its names means, in the operators of machines.

In: the name of a function, relation or set of the tool-kit, and lowered arguments. Out: an expression. Definitions are
those of Spivey's reference manual (second edition, chapter 4); where a name has no operator of its own, its definition is
written out. Sequences and bags are functions, as in Z.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from itertools import combinations

from burnside.diagnostics import Span
from burnside.ir.sets import expressions as e
from burnside.ir.sets.types import BOOLEAN, INTEGER, Pair, Set, ValueType
from burnside.languages.z.lower.operands import (
    Arguments,
    Names,
    another,
    anything,
    bags,
    belong,
    functions,
    naturals,
    once,
    product,
    rows,
    sequences,
    within,
)

Meaning = Callable[[Names, Arguments, ValueType, Span | None], e.Expression]
"""Of arguments, the type of the result, and the place in the text."""


def number(value: int) -> e.Literal:
    return e.Literal(value, INTEGER)


def joined(parts: Arguments) -> e.Expression:
    """The conjunction."""
    flat = tuple(part for each in parts for part in e.conjuncts(each))
    return e.TRUE if not flat else flat[0] if len(flat) == 1 else e.Apply("and", flat, BOOLEAN)


def holds(operator: str, *arguments: e.Expression, span: Span | None = None) -> e.Apply:
    return e.Apply(operator, arguments, BOOLEAN, span)


def element_type(set_: e.Expression) -> ValueType:
    found = e.type_of(set_)
    assert isinstance(found, Set)
    return found.element


def related(relation: e.Expression) -> tuple[ValueType, ValueType]:
    found = element_type(relation)
    assert isinstance(found, Pair)
    return found.left, found.right


def of_operator(operator: str) -> Meaning:
    return lambda _, arguments, type_, span: e.Apply(operator, arguments, type_, span)


def turned(operator: str) -> Meaning:
    return lambda _, arguments, type_, span: e.Apply(operator, arguments[::-1], type_, span)


# Numbers


def _is_natural(value: e.Expression) -> bool:
    match value:
        case e.Literal(int(known)):
            return known >= 0
        case e.Apply("card" | "size"):
            return True
        case e.Apply("add" | "multiply", parts):
            return all(map(_is_natural, parts))
        case _:
            return False


def _divided(names: Names, arguments: Arguments, type_: ValueType, span: Span | None) -> e.Expression:
    """Rounded towards minus infinity, so that `a = b * (a \\div b) + (a \\mod b)`."""
    if all(map(_is_natural, arguments)):
        return e.Apply("divide", arguments, INTEGER, span)
    return once(names, arguments, lambda top, bottom: _quotient(names, top, bottom, span))


def _quotient(names: Names, top: e.Expression, bottom: e.Expression, span: Span | None) -> e.Expression:
    quotient = e.Name(names.fresh("q"), INTEGER)
    rest = e.Apply("subtract", (top, e.Apply("multiply", (quotient, bottom), INTEGER)), INTEGER)
    signs = holds("iff", holds("less", rest, number(0)), holds("less", bottom, number(0)))
    exact = joined((holds("not", holds("equal", rest, number(0))), holds("not", signs)))
    lower = e.Apply("subtract", (quotient, number(1)), INTEGER)
    rounded = e.Apply("divide", (top, bottom), INTEGER, span)
    return e.Let(quotient, rounded, e.Conditional(exact, lower, quotient))


def _remainder(names: Names, arguments: Arguments, type_: ValueType, span: Span | None) -> e.Expression:
    top, bottom = arguments
    if _is_natural(top) and isinstance(bottom, e.Literal) and _is_natural(bottom):
        return e.Apply("modulo", (top, bottom), INTEGER, span)

    def rest(top: e.Expression, bottom: e.Expression) -> e.Expression:
        quotient = _quotient(names, top, bottom, span)
        return e.Apply("subtract", (top, e.Apply("multiply", (quotient, bottom), INTEGER)), INTEGER, span)

    return once(names, arguments, rest)


def _successor(_: Names, arguments: Arguments, type_: ValueType, span: Span | None) -> e.Expression:
    (value,) = arguments
    value = value if _is_natural(value) else within(naturals, value, span)
    return e.Apply("add", (value, number(1)), INTEGER, span)


# Sets and relations


def _intersection_of_all(
    names: Names, arguments: Arguments, type_: ValueType, span: Span | None
) -> e.Expression:
    """Of no sets: everything."""

    def found(family: e.Expression) -> e.Expression:
        none = holds("equal", family, e.Apply("set", (), e.type_of(family)))
        common = e.Apply("general-intersection", (family,), type_, span)
        return e.Conditional(none, e.Apply("all", (), type_), common)

    return once(names, arguments, found)


def _iterated(names: Names, arguments: Arguments, type_: ValueType, span: Span | None) -> e.Expression:
    """R^{n}; a negative n iterates the inverse."""

    def forwards(times: e.Expression, relation: e.Expression) -> e.Expression:
        return e.Apply("iterate", (relation, times), type_, span)

    def both(times: e.Expression, relation: e.Expression) -> e.Expression:
        inverse = e.Apply("inverse", (relation,), type_)
        back = e.Apply("iterate", (inverse, e.Apply("negate", (times,), INTEGER)), type_, span)
        return e.Conditional(holds("less", times, number(0)), back, forwards(times, relation))

    return forwards(*arguments) if _is_natural(arguments[0]) else once(names, arguments, both)


def _distinct(names: Names, arguments: Arguments, type_: ValueType, span: Span | None) -> e.Expression:
    """\\disjoint S: no two sets of the family, which is a function, have an element in common."""
    (family,) = arguments
    if isinstance(family, e.Apply) and family.operator == "sequence" and len(family.arguments) > 1:
        pairs = combinations(family.arguments, 2)
        return joined(tuple(_without_common(*(another(names, each) for each in pair)) for pair in pairs))
    index, set_ = related(family)
    first, second = (e.Name(names.fresh(name), Pair(index, set_)) for name in ("s", "t"))

    def distinct(family: e.Expression) -> e.Expression:
        chosen = joined(
            (
                holds("member", first, family),
                holds("member", second, family),
                holds("not", holds("equal", first, second)),
            )
        )
        sides = tuple(e.Apply("right", (each,), set_) for each in (first, second))
        apart = e.Forall((first, second), chosen, _without_common(*sides), span)
        return joined((belong((family, functions)), apart))

    return once(names, (family,), distinct)


def _without_common(one: e.Expression, other: e.Expression) -> e.Expression:
    both = e.Apply("intersection", (one, other), e.type_of(one))
    return holds("equal", both, e.Apply("set", (), e.type_of(one)))


def _partition(names: Names, arguments: Arguments, type_: ValueType, span: Span | None) -> e.Expression:
    family, whole = arguments
    if isinstance(family, e.Apply) and family.operator == "sequence" and family.arguments:
        sets = tuple(another(names, each) for each in family.arguments)
        union = reduce(lambda a, b: e.Apply("union", (a, b), e.type_of(whole)), sets)
        return joined((_distinct(names, (family,), type_, span), holds("equal", union, whole)))

    def divided(family: e.Expression) -> e.Expression:
        sets = e.Apply("range", (family,), Set(related(family)[1]))
        union = e.Apply("general-union", (sets,), e.type_of(whole))
        return joined((_distinct(names, (family,), type_, span), holds("equal", union, whole)))

    return once(names, (family,), divided)


# Sequences


def _squashed(names: Names, function: e.Expression, span: Span | None) -> e.Expression:
    """The sequence with the same items in the same order: each moves to the place that its number of predecessors gives."""
    given = e.type_of(function)
    value = related(function)[1]
    whole = e.Name(names.fresh("f"), given)
    item = e.Name(names.fresh("p"), Pair(INTEGER, value))
    place = e.Name(names.fresh("i"), INTEGER)
    at = e.Apply("left", (item,), INTEGER)
    domain = e.Apply("domain", (whole,), Set(INTEGER))
    before = e.Comprehension(
        (place,), joined((holds("member", place, domain), holds("less-equal", place, at))), place
    )
    moved = e.pair(e.Apply("card", (before,), INTEGER), e.Apply("right", (item,), value))
    return e.Let(whole, function, e.Comprehension((item,), holds("member", item, whole), moved, span))


def _of_row(names: Names, arguments: Arguments, type_: ValueType, span: Span | None) -> e.Expression:
    return _squashed(names, within(rows, arguments[0], span), span)


def _filtered(names: Names, arguments: Arguments, type_: ValueType, span: Span | None) -> e.Expression:
    sequence, kept = arguments
    sequence = within(sequences, sequence, span)
    return _squashed(names, e.Apply("range-restrict", (sequence, kept), e.type_of(sequence)), span)


def _extracted(names: Names, arguments: Arguments, type_: ValueType, span: Span | None) -> e.Expression:
    places, sequence = arguments
    sequence = within(sequences, sequence, span)
    return _squashed(names, e.Apply("domain-restrict", (places, sequence), e.type_of(sequence)), span)


def _length(sequence: e.Expression) -> e.Expression:
    return e.Apply("size", (sequence,), INTEGER)


def _less(left: e.Expression, right: e.Expression) -> e.Expression:
    return e.Apply("subtract", (left, right), INTEGER)


def _compared(
    one: e.Expression, other: e.Expression, relation: e.Expression, space: Callable[[ValueType], e.Expression]
) -> e.Expression:
    """A relation between two sequences, or two bags, which does not hold between anything else."""
    proper = belong((one, space), (other, space))
    return e.Conditional(proper, relation, e.FALSE)


def _prefix(names: Names, arguments: Arguments, type_: ValueType, span: Span | None) -> e.Expression:
    """A sequence that is a subset of another one."""

    def starts(start: e.Expression, whole: e.Expression) -> e.Expression:
        return joined(
            (belong((start, sequences), (whole, sequences)), holds("subset", start, whole, span=span))
        )

    return once(names, arguments, starts)


def _suffix(names: Names, arguments: Arguments, type_: ValueType, span: Span | None) -> e.Expression:
    def ends(end: e.Expression, whole: e.Expression) -> e.Expression:
        rest = e.Apply("drop", (whole, _less(_length(whole), _length(end))), e.type_of(whole))
        fits = holds("less-equal", _length(end), _length(whole))
        return _compared(
            end, whole, e.Conditional(fits, holds("equal", rest, end, span=span), e.FALSE), sequences
        )

    return once(names, arguments, ends)


def _segment(names: Names, arguments: Arguments, type_: ValueType, span: Span | None) -> e.Expression:
    """Part of a sequence, without gaps."""
    start = e.Name(names.fresh("i"), INTEGER)

    def stands(part: e.Expression, whole: e.Expression) -> e.Expression:
        starts = e.Apply("interval", (number(0), _less(_length(whole), _length(part))), Set(INTEGER))
        rest = e.Apply("drop", (whole, start), e.type_of(whole))
        same = holds("equal", e.Apply("take", (rest, _length(part)), e.type_of(whole)), part)
        found = e.Exists((start,), joined((holds("member", start, starts), same)), span)
        return _compared(part, whole, found, sequences)

    return once(names, arguments, stands)


# Bags


def _count(bag: e.Expression, element: e.Expression, span: Span | None = None) -> e.Expression:
    found = e.Apply("apply", (bag, element), INTEGER, span)
    return e.Conditional(holds("member", element, _domain(bag)), found, number(0))


def _counted(names: Names, arguments: Arguments, type_: ValueType, span: Span | None) -> e.Expression:
    bag, element = arguments
    return once(names, (within(bags, bag, span), element), lambda bag, element: _count(bag, element, span))


def bag_of_items(names: Names, sequence: e.Expression, type_: ValueType, span: Span | None) -> e.Expression:
    value = related(sequence)[1]
    element = e.Name(names.fresh("x"), value)
    single = e.Apply("set", (element,), Set(value))

    def counts(sequence: e.Expression) -> e.Expression:
        items = e.Apply("range", (sequence,), Set(value))
        those = e.Apply("range-restrict", (sequence, single), e.type_of(sequence))
        times = e.Apply("card", (those,), INTEGER)
        return e.Comprehension((element,), holds("member", element, items), e.pair(element, times), span)

    return once(names, (within(sequences, sequence, span),), counts)


def _in_bag(names: Names, arguments: Arguments, type_: ValueType, span: Span | None) -> e.Expression:
    def there(element: e.Expression, bag: e.Expression) -> e.Expression:
        proper = belong((element, anything), (bag, bags))
        return joined((proper, holds("member", element, _domain(bag), span=span)))

    return once(names, arguments, there)


def _contained(names: Names, arguments: Arguments, type_: ValueType, span: Span | None) -> e.Expression:
    element = e.Name(names.fresh("x"), related(arguments[0])[0])

    def enough(small: e.Expression, large: e.Expression) -> e.Expression:
        there = holds("member", element, _domain(small))
        fewer = holds("less-equal", e.Apply("apply", (small, element), INTEGER), _count(large, element))
        return _compared(small, large, e.Forall((element,), there, fewer, span), bags)

    return once(names, arguments, enough)


def _bag(
    names: Names, domain: e.Expression, times: Callable[[e.Expression], e.Expression], span: Span | None
) -> e.Expression:
    """Without elements that are there no times."""
    element = e.Name(names.fresh("x"), element_type(domain))
    there = joined((holds("member", element, domain), holds("less", number(0), times(element))))
    return e.Comprehension((element,), there, e.pair(element, times(element)), span)


def _domain(bag: e.Expression) -> e.Expression:
    return e.Apply("domain", (bag,), Set(related(bag)[0]))


def _bag_sum(names: Names, arguments: Arguments, type_: ValueType, span: Span | None) -> e.Expression:
    def both(left: e.Expression, right: e.Expression) -> e.Expression:
        elements = e.Apply("union", (_domain(left), _domain(right)), e.type_of(_domain(left)))
        return _bag(
            names, elements, lambda x: e.Apply("add", (_count(left, x), _count(right, x)), INTEGER), span
        )

    return once(names, tuple(within(bags, each, span) for each in arguments), both)


def _bag_difference(names: Names, arguments: Arguments, type_: ValueType, span: Span | None) -> e.Expression:
    def rest(left: e.Expression, right: e.Expression) -> e.Expression:
        elements = e.Apply("union", (_domain(left), _domain(right)), e.type_of(_domain(left)))
        return _bag(names, elements, lambda x: _less(_count(left, x), _count(right, x)), span)

    return once(names, tuple(within(bags, each, span) for each in arguments), rest)


def _bag_scaled(names: Names, arguments: Arguments, type_: ValueType, span: Span | None) -> e.Expression:
    times, bag = arguments
    both = within(lambda _: product(naturals(INTEGER), bags(e.type_of(bag))), e.pair(times, bag), span)

    def scaled(both: e.Expression) -> e.Expression:
        times, bag = e.Apply("left", (both,), INTEGER), e.Apply("right", (both,), e.type_of(arguments[1]))
        return _bag(
            names, _domain(bag), lambda x: e.Apply("multiply", (times, _count(bag, x)), INTEGER), span
        )

    return once(names, (both,), scaled)


FUNCTIONS: Mapping[str, tuple[int, Meaning]] = {
    "(-)": (1, of_operator("negate")),
    "+": (2, of_operator("add")),
    "-": (2, of_operator("subtract")),
    "*": (2, of_operator("multiply")),
    "\\div": (2, _divided),
    "\\mod": (2, _remainder),
    "succ": (1, _successor),
    "\\upto": (2, of_operator("interval")),
    "min": (1, of_operator("min")),
    "max": (1, of_operator("max")),
    "\\cup": (2, of_operator("union")),
    "\\cap": (2, of_operator("intersection")),
    "\\setminus": (2, of_operator("difference")),
    "\\bigcup": (1, of_operator("general-union")),
    "\\bigcap": (1, _intersection_of_all),
    "\\#": (1, of_operator("card")),
    "first": (1, of_operator("left")),
    "second": (1, of_operator("right")),
    "\\mapsto": (2, of_operator("pair")),
    "\\dom": (1, of_operator("domain")),
    "\\ran": (1, of_operator("range")),
    "\\dres": (2, of_operator("domain-restrict")),
    "\\rres": (2, of_operator("range-restrict")),
    "\\ndres": (2, of_operator("domain-subtract")),
    "\\nrres": (2, of_operator("range-subtract")),
    "\\inv": (1, of_operator("inverse")),
    "_(|_|)": (2, of_operator("image")),
    "\\oplus": (2, of_operator("override")),
    "\\comp": (2, of_operator("compose")),
    "\\circ": (2, turned("compose")),
    "\\plus": (1, of_operator("closure1")),
    "\\star": (1, of_operator("closure")),
    "\\cat": (2, of_operator("concat")),
    "head": (1, of_operator("first")),
    "last": (1, of_operator("last")),
    "tail": (1, of_operator("tail")),
    "front": (1, of_operator("front")),
    "rev": (1, of_operator("reverse")),
    "\\filter": (2, _filtered),
    "\\extract": (2, _extracted),
    "squash": (1, _of_row),
    "\\dcat": (1, of_operator("general-concat")),
    "\\bcount": (2, _counted),
    "\\uplus": (2, _bag_sum),
    "\\uminus": (2, _bag_difference),
    "\\otimes": (2, _bag_scaled),
    "items": (1, lambda names, arguments, type_, span: bag_of_items(names, arguments[0], type_, span)),
}
"""Functions with one argument, or with a pair of them."""

CURRIED: Mapping[str, Meaning] = {
    "iter": _iterated,
    "count": _counted,
}
"""Functions with one argument that give functions, with both arguments."""

RELATIONS: Mapping[str, Meaning] = {
    "\\neq": lambda _, arguments, __, span: holds("not", holds("equal", *arguments, span=span), span=span),
    "\\notin": lambda _, arguments, __, span: holds("not", holds("member", *arguments, span=span), span=span),
    "\\subseteq": of_operator("subset"),
    "\\subset": of_operator("strict-subset"),
    "<": of_operator("less"),
    "\\leq": of_operator("less-equal"),
    ">": turned("less"),
    "\\geq": turned("less-equal"),
    "\\prefix": _prefix,
    "\\suffix": _suffix,
    "\\inseq": _segment,
    "\\inbag": _in_bag,
    "\\subbageq": _contained,
    "\\partition": _partition,
}

PREDICATES: Mapping[str, Meaning] = {"\\disjoint": _distinct}

SPACES: Mapping[str, str] = {
    "\\rel": "relations",
    "\\pfun": "partial-functions",
    "\\fun": "total-functions",
    "\\pinj": "partial-injections",
    "\\inj": "total-injections",
    "\\psurj": "partial-surjections",
    "\\surj": "total-surjections",
    "\\bij": "total-bijections",
    "\\ffun": "partial-functions",
    "\\finj": "partial-injections",
}
"""Generic sets with two parameters. Values of machines are finite, so all functions are."""


def _bags(_: Names, arguments: Arguments, type_: ValueType, span: Span | None) -> e.Expression:
    positive = e.Apply("up-from", (number(1),), Set(INTEGER))
    return e.Apply("partial-functions", (*arguments, positive), type_, span)


PREFIX_SPACES: Mapping[str, Meaning] = {
    "\\power_1": of_operator("power-set-1"),
    "\\finset": of_operator("power-set"),
    "\\finset_1": of_operator("power-set-1"),
    "\\seq": of_operator("sequences"),
    "\\seq_1": of_operator("sequences-1"),
    "\\iseq": of_operator("injective-sequences"),
    "\\bag": _bags,
    "\\id": of_operator("identity"),
}
"""Generic sets with one parameter."""


def _numbers(least: int | None) -> Meaning:
    if least is None:
        return lambda _, __, type_, span: e.Apply("all", (), type_, span)
    return lambda _, __, type_, span: e.Apply("up-from", (number(least),), type_, span)


SETS: Mapping[str, Meaning] = {
    "\\num": _numbers(None),
    "\\nat": _numbers(0),
    "\\nat_1": _numbers(1),
    "\\empty": lambda _, __, type_, span: e.Apply("set", (), type_, span),
    "\\emptyset": lambda _, __, type_, span: e.Apply("set", (), type_, span),
}


def _is_not_empty(argument: e.Expression) -> e.Expression:
    return holds("not", holds("equal", argument, e.Apply("set", (), e.type_of(argument))))


DOMAINS: Mapping[str, Callable[[e.Expression], e.Expression]] = {
    **dict.fromkeys(("head", "last", "tail", "front", "min", "max"), _is_not_empty),
    **dict.fromkeys(
        ("\\div", "\\mod"),
        lambda pair: holds("not", holds("equal", e.Apply("right", (pair,), INTEGER), number(0))),
    ),
}
"""Where partial functions are defined: needed only where they are values by themselves."""
