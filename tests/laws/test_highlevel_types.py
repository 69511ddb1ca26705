"""Whatever goes through all values of a type goes through its values: variables that no arc binds, names in quantifiers and
comprehensions, `all` and `full`. Directly = unfolded = by the reference engine, for every type constructor."""

from __future__ import annotations

import pytest
from burnside.ir.highlevel.checking import check_net
from burnside.ir.highlevel.net import Arc, HighLevelNet, Place, Transition
from burnside.ir.highlevel.terms import Apply, Binding, Literal, Term, Variable, tokens
from burnside.ir.highlevel.types import (
    BOOLEAN,
    DOT,
    NATURAL,
    Bag,
    Element,
    Field,
    MapOf,
    SetOf,
    Struct,
    TokenType,
    Union,
    domain_size,
)
from burnside.ir.highlevel.values import all_values

from tests.highlevel_strategies import ONE, SEARCHED, SORTS, A, B, C
from tests.laws.test_highlevel_routes import explored, figures, same

SOME = MapOf(DOT, Element(A))
TYPES: dict[str, TokenType] = {
    "dot": DOT,
    "bool": BOOLEAN,
    "unordered": Element(A),
    "cyclic": Element(C),
    "struct": Struct((Field("1", Element(B)), Field("2", BOOLEAN))),
    "struct of one": Struct((Field("1", SOME),)),
    "struct of a map": Struct((Field("1", SOME), Field("2", BOOLEAN), Field("3", SOME))),
    "union": Union((Field("none", DOT), Field("some", Element(A)))),
    "union of a map": Union((Field("none", DOT), Field("some", SOME))),
    "set": SetOf(Element(A)),
    "set of sets": SetOf(SetOf(Element(B))),
    "set of maps": SetOf(SOME),
    "map": MapOf(Element(B), Element(A)),
    "map from a set": MapOf(SetOf(BOOLEAN), BOOLEAN),
    "map to a map": MapOf(BOOLEAN, SOME),
    "map from a map": MapOf(SOME, DOT),
}
USES = ("variable", "pattern", "all", "full", "complement", "forall", "exists", "set", "bag", "map")


def use(name: str, of: TokenType) -> Transition:
    value, other = Variable("v", of), Variable("w", of)
    start = Arc(0, tokens(Literal((), DOT), ONE))
    everything = Apply("all", (), Bag(of))
    is_there = Apply("less", (Literal(0, NATURAL), Apply("count", (everything, value), NATURAL)), BOOLEAN)
    nothing = Apply("set", (), SetOf(of))
    made: dict[str, Term] = {
        "variable": tokens(value, ONE),
        "pattern": Apply("sum", (tokens(value, ONE), tokens(other, ONE)), Bag(of)),
        "all": everything,
        "full": Apply("bag-of", (Apply("full", (), SetOf(of)),), Bag(of)),
        "complement": Apply("bag-of", (Apply("complement", (nothing,), SetOf(of)),), Bag(of)),
        "set": Apply("bag-of", (Binding("set", value, is_there, SetOf(of)),), Bag(of)),
        "bag": Binding("bag", value, ONE, Bag(of)),
    }
    variables = {"variable": (value,), "pattern": (value, other)}.get(name, ())
    if name in made:
        return Transition("t", variables, (start,), (Arc(1, made[name]),))
    if name == "map":
        numbers = MapOf(of, DOT)
        graph = Binding("map", value, Literal((), DOT), numbers)
        return Transition("t", (), (start,), (Arc(2, tokens(graph, ONE)),))
    strange = Apply("not", (is_there,), BOOLEAN)
    guard: Term = Binding("forall", value, is_there, BOOLEAN)
    if name == "exists":
        guard = Apply("not", (Binding("exists", value, strange, BOOLEAN),), BOOLEAN)
    return Transition("t", (), (start,), (), guard)


FEW = 20
"""Values of which all pairs are tried."""
CASES = [
    pytest.param(of, name, id=f"{name} {kind}")
    for kind, of in TYPES.items()
    for name in USES
    if name != "pattern" or (domain_size(of) or 0) <= FEW
]


@pytest.mark.parametrize(("of", "name"), CASES)
def test_all_values_of_a_type(of: TokenType, name: str) -> None:
    size = domain_size(of)
    assert size is not None and size == len(list(all_values(of)))
    empty = Apply("sum", (), Bag(of))
    places = (
        Place("start", DOT, tokens(Literal((), DOT), ONE)),
        Place("values", of, empty),
        Place("graphs", MapOf(of, DOT), Apply("sum", (), Bag(MapOf(of, DOT)))),
    )
    net = HighLevelNet("types", (*SORTS, SEARCHED), places, (use(name, of),), frozenset({"E"}))
    check_net(net)
    expected = explored(net, engine="reference", reduce="none")
    direct = explored(net, unfold=False, reduce="none")
    assert same(direct, expected)
    assert figures(explored(net, unfold=True, reduce="none")) == figures(direct)
    if name == "variable":
        assert expected.transitions == size
    if name in ("all", "full", "complement", "set", "bag"):
        assert direct.bounds is not None and direct.bounds["values"] == size
