"""Random small high-level nets whose terms tell elements apart in many ways, and random markings of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from burnside.ir.highlevel.net import Arc, Claim, HighLevelNet, Marking, Place, Transition
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
)
from burnside.ir.highlevel.types import (
    BOOLEAN,
    DOT,
    NATURAL,
    Bag,
    Boolean,
    Dot,
    Element,
    Field,
    ListOf,
    MapOf,
    Natural,
    SetOf,
    Sort,
    Struct,
    TokenType,
    Union,
    domain_size,
)
from burnside.ir.highlevel.values import bag
from hypothesis import strategies as st

Variables = Sequence[Variable]
MAX_INSTANCES = 64
Marks = Sequence[tuple[int, Bag]]
"""Places that a term may ask for."""


def sort(name: str, size: int, symmetry: Any = "fixed") -> Sort:
    return Sort(name, tuple(f"{name.lower()}{at}" for at in range(size)), symmetry, "enumeration")


@st.composite
def nets(draw: st.DrawFn, *, structured: bool = True, claims: bool = True) -> HighLevelNet:
    sizes = draw(st.sampled_from([(3,), (2, 2), (3, 2), (3, 3), (4,), (2, 2, 2)]))
    sorts = tuple(sort(name, size) for name, size in zip("ABC", sizes, strict=False))
    types = token_types(sorts, structured=structured)
    places = tuple(
        Place(f"p{number}", type_, draw(closed_bag(type_)))
        for number, type_ in enumerate(draw(st.lists(st.sampled_from(types), min_size=1, max_size=3)))
    )
    count = draw(st.integers(1, 3))
    found = tuple(draw(transitions(f"t{number}", places, sorts)) for number in range(count))
    marks = [(number, Bag(place.type)) for number, place in enumerate(places)]
    asked = tuple(
        Claim("invariant", f"claim {number}", draw(terms(BOOLEAN, [], sorts, 3, marks)))
        for number in range(draw(st.integers(0, 2)) if claims else 0)
    )
    names = frozenset(each.name for each in sorts)
    return HighLevelNet("random", sorts, places, found, searched=names, claims=asked)


def token_types(sorts: Sequence[Sort], *, structured: bool) -> list[TokenType]:
    elements: list[TokenType] = [Element(each) for each in sorts]
    found = [*elements, Struct(tuple(Field(str(at), each) for at, each in enumerate(elements[:2], 1)))]
    if structured:
        one = elements[0]
        found += [
            DOT,
            SetOf(one),
            ListOf(one),
            MapOf(one, elements[-1]),
            Bag(one),
            Union((Field("some", one), Field("none", DOT))),
            Struct((Field("l", one), Field("r", one))),
        ]
    return found


@st.composite
def transitions(draw: st.DrawFn, name: str, places: Sequence[Place], sorts: Sequence[Sort]) -> Transition:
    finite = [each.type for each in places if domain_size(each.type) is not None]
    types = [*(Element(each) for each in sorts), *finite]
    chosen = draw(st.lists(st.sampled_from(types), max_size=3))
    while prod(domain_size(each) or 0 for each in chosen) > MAX_INSTANCES:
        chosen.pop()
    variables = tuple(Variable(f"x{at}", type_) for at, type_ in enumerate(chosen))
    arcs = st.lists(st.integers(0, len(places) - 1), max_size=2)
    consumes = tuple(_arc(draw, at, places, variables, sorts) for at in draw(arcs))
    produces = tuple(_arc(draw, at, places, variables, sorts) for at in draw(arcs))
    guard = draw(terms(BOOLEAN, variables, sorts, draw(st.integers(0, 3))))
    return Transition(name, variables, consumes, produces, guard)


def _arc(draw: Any, place: int, places: Sequence[Place], variables: Variables, sorts: Sequence[Sort]) -> Arc:
    return Arc(place, draw(terms(Bag(places[place].type), variables, sorts, 2)))


@st.composite
def closed_bag(draw: st.DrawFn, type_: TokenType) -> Term:
    if domain_size(type_) is not None and draw(st.booleans()):
        return Apply("all", (), Bag(type_))
    drawn = draw(st.lists(st.tuples(values(type_), st.integers(1, 2)), max_size=3))
    parts = [
        Apply("tokens", (Literal(number, NATURAL), Literal(value, type_)), Bag(type_))
        for value, number in drawn
    ]
    return Apply("sum", tuple(parts), Bag(type_))


@st.composite
def values(draw: st.DrawFn, type_: TokenType) -> Any:
    def of(inner: TokenType) -> Any:
        return draw(values(inner))

    match type_:
        case Dot():
            return ()
        case Boolean():
            return draw(st.booleans())
        case Natural():
            return draw(st.integers(0, 3))
        case Element(sort):
            return draw(st.integers(0, sort.size - 1))
        case ListOf(element):
            return tuple(of(element) for _ in range(draw(st.integers(0, 2))))
        case Struct(fields):
            return tuple(of(each.type) for each in fields)
        case SetOf(element):
            return frozenset(of(element) for _ in range(draw(st.integers(0, 2))))
        case Bag(element):
            return bag((of(element), 1) for _ in range(draw(st.integers(0, 2))))
        case MapOf(key, image):
            return frozenset({of(key): of(image) for _ in range(draw(st.integers(0, 2)))}.items())
        case Union(alternatives):
            number = draw(st.integers(0, len(alternatives) - 1))
            return number, of(alternatives[number].type)


@st.composite
def markings(draw: st.DrawFn, net: HighLevelNet) -> Marking:
    """Reachable or not: symmetries commute with firing everywhere."""
    return tuple(
        bag(draw(st.lists(st.tuples(values(each.type), st.integers(1, 2)), max_size=4)))
        for each in net.places
    )


@st.composite
def terms(
    draw: st.DrawFn,
    type_: TokenType,
    variables: Variables,
    sorts: Sequence[Sort],
    depth: int,
    marks: Marks = (),
) -> Term:
    """A term of a type, with operators of every kind inside."""

    def of(wanted: TokenType, known: Variables = variables) -> Term:
        return draw(terms(wanted, known, sorts, depth - 1, marks))  # type: ignore[no-any-return]

    def one_of(*choices: Callable[[], Term]) -> Term:
        return draw(st.sampled_from(choices))()

    known = [each for each in variables if each.type == type_]
    if known and draw(st.integers(0, 3 if depth else 0)) < 2:
        return draw(st.sampled_from(known))
    if isinstance(type_, Bag):
        asked = [Marked(place, each) for place, each in marks if each == type_]
        if asked and draw(st.booleans()):
            return draw(st.sampled_from(asked))
    if depth <= 0:
        if isinstance(type_, Bag):
            parts = [] if variables and draw(st.booleans()) else [Literal(1, NATURAL)]
            value = draw(terms(type_.element, variables, sorts, 0))
            return Apply("tokens", (parts[0] if parts else Literal(2, NATURAL), value), type_)
        return Literal(draw(values(type_)), type_)
    element = Element(draw(st.sampled_from(list(sorts))))
    match draw(st.integers(0, 15)):
        case 0:
            return Conditional(of(BOOLEAN), of(type_), of(type_))
        case 1:
            struct = Struct((Field("1", type_), Field("2", element)))
            return Select(Apply("struct", (of(type_), of(element)), struct), "1")
        case 2:
            union = Union((Field("one", type_), Field("two", element)))
            return Cast(Inject("one", of(type_), union), "one")
        case 3:
            return Apply("at", (of(MapOf(element, type_)), of(element)), type_)
    match type_:
        case Element(own):
            match draw(st.integers(0, 3)):
                case 0:
                    number = Literal(draw(st.integers(0, 4)), NATURAL)
                    return Apply("successor", (of(type_), number), type_)
                case 1:
                    return Apply("successor", (of(type_), of(NATURAL)), type_)
                case 2:
                    images = draw(
                        st.lists(
                            st.integers(0, own.size - 1),
                            min_size=element.sort.size,
                            max_size=element.sort.size,
                        )
                    )
                    return Lookup("f", tuple(images), of(element), type_)
            return Apply("element", (of(NATURAL),), type_)
        case Struct(fields):
            if draw(st.booleans()):
                field = draw(st.sampled_from(fields))
                return Update(of(type_), field.name, of(field.type))
            return Apply("struct", tuple(of(each.type) for each in fields), type_)
        case Union(alternatives):
            chosen = draw(st.sampled_from(alternatives))
            return Inject(chosen.name, of(chosen.type), type_)
        case ListOf(inner):
            return one_of(
                lambda: Apply("list", (of(inner),), type_),
                lambda: Apply("add-first", (of(type_), of(inner)), type_),
                lambda: Apply("drop-last", (of(type_), of(NATURAL)), type_),
                lambda: Apply("concatenate", (of(type_), of(type_)), type_),
            )
        case SetOf(inner):
            bound = Variable(f"b{depth}", inner)
            operator = draw(st.sampled_from(["union", "intersection", "difference"]))
            choices: list[Callable[[], Term]] = [
                lambda: Apply("set", (of(inner), of(inner)), type_),
                lambda: Apply(operator, (of(type_), of(type_)), type_),
            ]
            if domain_size(inner) is not None:
                choices += [
                    lambda: Apply("complement", (of(type_),), type_),
                    lambda: Apply("full", (), type_),
                    lambda: Binding("set", bound, of(BOOLEAN, [*variables, bound]), type_),
                ]
            return one_of(*choices)
        case MapOf(key, image):
            bound = Variable(f"b{depth}", key)
            return one_of(
                lambda: Apply("map", (of(key), of(image), of(key), of(image)), type_),
                lambda: Apply("assign", (of(type_), of(key), of(image)), type_),
                lambda: Apply("unset", (of(type_), of(key)), type_),
                lambda: Binding("map", bound, of(image, [*variables, bound]), type_),
            )
        case Bag(inner):
            bound = Variable(f"b{depth}", inner)
            bags: list[Callable[[], Term]] = [
                lambda: Apply("tokens", (Literal(1, NATURAL), of(inner)), type_),
                lambda: Apply("tokens", (of(NATURAL), of(inner)), type_),
                lambda: Apply("sum", (of(type_), of(type_)), type_),
                lambda: Apply("scaled", (of(NATURAL), of(type_)), type_),
                lambda: Apply("bag-difference", (of(type_), of(type_)), type_),
                lambda: Apply("bag-of", (of(SetOf(inner)),), type_),
            ]
            if domain_size(inner) is not None:
                bags += [
                    lambda: Apply("all", (), type_),
                    lambda: Binding("bag", bound, of(NATURAL, [*variables, bound]), type_),
                ]
            return one_of(*bags)
    if type_ == NATURAL:
        operator = draw(st.sampled_from(["add", "multiply", "subtract", "modulo"]))
        return one_of(
            lambda: Apply("position", (of(element),), NATURAL),
            lambda: Apply("distance", (of(element), of(element)), NATURAL),
            lambda: Apply("cardinality", (of(SetOf(element)),), NATURAL),
            lambda: Apply(operator, (of(NATURAL), of(NATURAL)), NATURAL),
            lambda: Apply("size", (of(Bag(element)),), NATURAL),
            lambda: Apply("count", (of(Bag(element)), of(element)), NATURAL),
            lambda: Literal(draw(st.integers(0, 3)), NATURAL),
        )
    if type_ == BOOLEAN:
        return _truth(draw, of, element, variables, depth)
    return Literal(draw(values(type_)), type_)


def _truth(draw: Any, of: Any, element: Element, variables: Variables, depth: int) -> Term:
    match draw(st.integers(0, 9)):
        case 0 | 1:
            return Apply("equal", (of(element), of(element)), BOOLEAN)
        case 2:
            operator = draw(st.sampled_from(["less", "less-equal"]))
            return Apply(operator, (of(element), of(element)), BOOLEAN)
        case 3 | 4:
            operator = draw(st.sampled_from(["and", "or", "implies", "iff", "xor"]))
            return Apply(operator, (of(BOOLEAN), of(BOOLEAN)), BOOLEAN)
        case 5:
            return Apply("not", (of(BOOLEAN),), BOOLEAN)
        case 6:
            bound = Variable(f"b{depth}", element)
            return Binding(
                draw(st.sampled_from(["forall", "exists"])), bound, of(BOOLEAN, [*variables, bound]), BOOLEAN
            )
        case 7:
            return Apply("member", (of(element), of(SetOf(element))), BOOLEAN)
        case 8:
            union = Union((Field("one", element), Field("two", DOT)))
            return IsOf(of(union), "one")
    return Apply("included", (of(Bag(element)), of(Bag(element))), BOOLEAN)
