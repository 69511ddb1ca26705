"""Every operator of the catalogue, on values that tokens bring: directly = unfolded = by the reference engine.

For each operator a net whose transition takes its arguments from places, one token each, and puts the result into another
place, or compares it with a token. So every operator is evaluated, also where it has no value; random nets alone have most
operators where nothing ever comes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from burnside.ir.highlevel.checking import check_net
from burnside.ir.highlevel.net import Arc, HighLevelNet, Place, Transition
from burnside.ir.highlevel.terms import (
    OPERATORS,
    TRUE,
    Apply,
    Binding,
    Cast,
    Conditional,
    Inject,
    IsOf,
    Literal,
    Lookup,
    Select,
    Term,
    Update,
    Variable,
    tokens,
    type_of,
)
from burnside.ir.highlevel.types import (
    BOOLEAN,
    DOT,
    NATURAL,
    Bag,
    Element,
    Field,
    ListOf,
    MapOf,
    SetOf,
    Struct,
    TokenType,
    Union,
    domain_size,
)
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.highlevel_strategies import ONE, SEARCHED, SORTS, A, B, C, O, is_small, token_types, undefined
from tests.highlevel_symmetry_strategies import values
from tests.laws.test_highlevel_routes import EXACT, explored, reference, same, unfolded, verdicts

Draw = Callable[[st.SearchStrategy[Any]], Any]
Build = Callable[[Sequence[Term]], Term]
Made = tuple[Sequence[TokenType], Build]
"""Types of arguments, and the term over them."""

EXAMPLES = 8
"""Of each operator."""

PRIMITIVE = [Element(each) for each in (A, B, C, O, SEARCHED)]


def applied(operator: str, result: TokenType, *arguments: TokenType) -> Made:
    return arguments, lambda parts: Apply(operator, tuple(parts), result)


def elements(draw: Draw) -> Element:
    return draw(st.sampled_from(PRIMITIVE))


def operator_term(draw: Draw, name: str) -> Made:
    some: TokenType = draw(token_types(1))
    of: TokenType = draw(token_types(1).filter(is_small))
    sort = elements(draw)
    key = elements(draw)
    count = draw(st.integers(0, 3))
    of_numbers: TokenType = draw(st.sampled_from((NATURAL, sort)))
    struct = Struct((Field("f", some), Field("g", sort)))
    union = Union((Field("none", DOT), Field("u0", some)))
    signatures: dict[str, Callable[[], Made]] = {
        "equal": lambda: applied(name, BOOLEAN, some, some),
        "and": lambda: applied(name, BOOLEAN, *[BOOLEAN] * count),
        "or": lambda: applied(name, BOOLEAN, *[BOOLEAN] * count),
        "not": lambda: applied(name, BOOLEAN, BOOLEAN),
        "less": lambda: applied(name, BOOLEAN, of_numbers, of_numbers),
        "less-equal": lambda: applied(name, BOOLEAN, of_numbers, of_numbers),
        "successor": lambda: applied(name, sort, sort, NATURAL),
        "distance": lambda: applied(name, NATURAL, sort, sort),
        "position": lambda: applied(name, NATURAL, sort),
        "element": lambda: applied(name, sort, NATURAL),
        "list": lambda: applied(name, ListOf(some), *[some] * count),
        "length": lambda: applied(name, NATURAL, ListOf(some)),
        "get": lambda: applied(name, some, ListOf(some), NATURAL),
        "put": lambda: applied(name, ListOf(some), ListOf(some), NATURAL, some),
        "concatenate": lambda: applied(name, ListOf(some), ListOf(some), ListOf(some)),
        "struct": lambda: applied(name, struct, some, sort),
        "set": lambda: applied(name, SetOf(some), *[some] * count),
        "member": lambda: applied(name, BOOLEAN, some, SetOf(some)),
        "subset": lambda: applied(name, BOOLEAN, SetOf(some), SetOf(some)),
        "cardinality": lambda: applied(name, NATURAL, SetOf(some)),
        "complement": lambda: applied(name, SetOf(of), SetOf(of)),
        "full": lambda: applied(name, SetOf(of)),
        "tokens": lambda: applied(name, Bag(some), NATURAL, some),
        "sum": lambda: applied(name, Bag(some), *[Bag(some)] * count),
        "scaled": lambda: applied(name, Bag(some), NATURAL, Bag(some)),
        "bag-difference": lambda: applied(name, Bag(some), Bag(some), Bag(some)),
        "included": lambda: applied(name, BOOLEAN, Bag(some), Bag(some)),
        "count": lambda: applied(name, NATURAL, Bag(some), some),
        "size": lambda: applied(name, NATURAL, Bag(some)),
        "support": lambda: applied(name, SetOf(some), Bag(some)),
        "bag-of": lambda: applied(name, Bag(some), SetOf(some)),
        "all": lambda: applied(name, Bag(of)),
        "map": lambda: applied(name, MapOf(key, some), *[key, some] * (count % 3)),
        "defined": lambda: applied(name, BOOLEAN, MapOf(key, some), key),
        "at": lambda: applied(name, some, MapOf(key, some), key),
        "assign": lambda: applied(name, MapOf(key, some), MapOf(key, some), key, some),
        "unset": lambda: applied(name, MapOf(key, some), MapOf(key, some), key),
        "conditional": lambda: ((BOOLEAN, some, some), lambda p: Conditional(p[0], p[1], p[2])),
        "chosen": lambda: ((BOOLEAN, some), lambda p: Conditional(p[0], p[1], undefined(some))),
        "undefined": lambda: (
            (BOOLEAN,),
            lambda p: Apply(
                "or", (p[0], Apply("equal", (undefined(some), undefined(some)), BOOLEAN)), BOOLEAN
            ),
        ),
        "select": lambda: ((struct,), lambda p: Select(p[0], draw(st.sampled_from("fg")))),
        "update": lambda: ((struct, some), lambda p: Update(p[0], "f", p[1])),
        "inject": lambda: ((some,), lambda p: Inject("u0", p[0], union)),
        "is": lambda: ((union,), lambda p: IsOf(p[0], draw(st.sampled_from(("none", "u0"))))),
        "cast": lambda: ((union,), lambda p: Cast(p[0], "u0")),
        "lookup": lambda: ((key,), lambda p: Lookup("f", table(draw, key, sort), p[0], sort)),
        "forall": lambda: bound(name, BOOLEAN, of, SetOf(of), "member"),
        "exists": lambda: bound(name, BOOLEAN, of, SetOf(of), "member"),
        "set comprehension": lambda: bound("set", SetOf(of), of, SetOf(of), "member"),
        "bag comprehension": lambda: bound("bag", Bag(of), of, Bag(of), "count"),
        "map comprehension": lambda: bound("map", MapOf(of, NATURAL), of, Bag(of), "count"),
        "undefined in a comprehension": lambda: bound("map", MapOf(of, some), of, MapOf(of, some), "at"),
    }
    alike = {
        **dict.fromkeys(("implies", "iff", "xor"), lambda: applied(name, BOOLEAN, BOOLEAN, BOOLEAN)),
        **dict.fromkeys(
            ("add", "subtract", "multiply", "divide", "modulo"),
            lambda: applied(name, NATURAL, NATURAL, NATURAL),
        ),
        **dict.fromkeys(("add-first", "add-last"), lambda: applied(name, ListOf(some), ListOf(some), some)),
        **dict.fromkeys(
            ("drop-first", "drop-last"), lambda: applied(name, ListOf(some), ListOf(some), NATURAL)
        ),
        **dict.fromkeys(
            ("union", "intersection", "difference"),
            lambda: applied(name, SetOf(some), SetOf(some), SetOf(some)),
        ),
    }
    return {**signatures, **alike}[name]()


OTHERS = (
    "conditional", "chosen", "undefined", "select", "update", "inject", "is", "cast", "lookup", "forall",
    "exists", "set comprehension", "bag comprehension", "map comprehension", "undefined in a comprehension",
)  # fmt: skip


def table(draw: Draw, key: Element, sort: Element) -> tuple[int, ...]:
    size = key.sort.size
    return tuple(draw(st.lists(st.integers(0, sort.sort.size - 1), min_size=size, max_size=size)))


def bound(kind: Any, result: TokenType, of: TokenType, container: TokenType, operator: str) -> Made:
    """A bound name that is looked for in a token."""
    name = Variable("z", of)

    def build(parts: Sequence[Term]) -> Term:
        inner = (name, parts[0]) if operator == "member" else (parts[0], name)
        body = BOOLEAN if operator == "member" else NATURAL
        if isinstance(container, MapOf):
            body = container.value  # type: ignore[assignment]
        return Binding(kind, name, Apply(operator, inner, body), result)

    return (container,), build


def filled(draw: Draw, type_: TokenType, most: int) -> Term:
    found = draw(st.lists(values(type_), min_size=1, max_size=most))
    return Apply("sum", tuple(tokens(Literal(each, type_), ONE) for each in found), Bag(type_))


@st.composite
def operator_nets(draw: Draw, name: str) -> HighLevelNet:
    types, build = operator_term(draw, name)
    variables = [Variable(f"x{at}", each) for at, each in enumerate(types)]
    result = build(variables)
    of = type_of(result)
    most = 3 if len(types) < 3 else 2
    places = [Place(f"a{at}", each, filled(draw, each, most)) for at, each in enumerate(types)]
    taken = [Arc(at, tokens(each, ONE)) for at, each in enumerate(variables)]
    kinds = ["put", "put", "compared", "bound"] + ["several", "several"] * isinstance(of, Bag)
    kind, guard = draw(st.sampled_from(kinds)), TRUE
    consumes, produces = [*taken], [*taken] if draw(st.booleans()) else []
    number = len(places)
    match kind:
        case "put":
            places.append(Place("result", of, Apply("sum", (), Bag(of))))
            produces.append(Arc(number, tokens(result, ONE)))
        case "several":
            assert isinstance(of, Bag)
            places.append(Place("result", of.element, Apply("sum", (), of)))
            produces.append(Arc(number, result))
        case "compared":
            """With what is in a token: the result says which."""
            places.append(Place("result", of, filled(draw, of, 3)))
            consumes.append(Arc(number, tokens(result, ONE)))
        case _:
            """With a variable that an equation of the guard gives its value, or a token."""
            places.append(Place("result", of, filled(draw, of, 3)))
            variables.append(Variable("y", of))
            consumes.append(Arc(number, tokens(variables[-1], ONE)))
            guard = Apply("equal", (variables[-1], result), BOOLEAN)
    if produces:
        places.append(Place("fuel", DOT, tokens(Literal((), DOT), ONE)))
        consumes.append(Arc(number + 1, tokens(Literal((), DOT), ONE)))
    fired = Transition("fired", tuple(variables), tuple(consumes), tuple(produces), guard)
    found = HighLevelNet("operator", (*SORTS, SEARCHED), tuple(places), (fired,), frozenset({"E"}))
    check_net(found)
    return found


def is_few(net: HighLevelNet) -> bool:
    return all((domain_size(each.type) or 0) <= 4_096 for each in net.places)


@pytest.mark.parametrize("name", [*OPERATORS, *OTHERS])
def test_of_an_operator(name: str) -> None:
    fired = 0

    @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def law(data: st.DataObject) -> None:
        nonlocal fired
        net = data.draw(operator_nets(name))
        assume(is_few(net))
        full = reference(net)
        fired += full.states > 1
        direct = explored(net, unfold=False, reduce="none")
        below = unfolded(net, reduce="none")
        assert same(direct, full)
        assert below is None or same(below, direct)
        method = data.draw(st.sampled_from(EXACT))
        orbits = explored(net, engine="reference", reduce="minimise")
        for reduced in (explored(net, unfold=False, reduce=method), unfolded(net, reduce=method)):
            if reduced is not None:
                assert (reduced.states, reduced.full_states) == (orbits.states, full.states)
                assert verdicts(reduced) == verdicts(full)

    law()
    assert fired or name.startswith("undefined")
