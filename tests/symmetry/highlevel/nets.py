"""Small high-level nets, written in Python; and what the reference engine says of a group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from burnside.diagnostics import ContradictionError
from burnside.exploration import Exploration
from burnside.ir.highlevel.checking import check_net
from burnside.ir.highlevel.net import Arc, Claim, HighLevelNet, Place, Transition
from burnside.ir.highlevel.terms import TRUE, Apply, Binding, Literal, Marked, Term, Variable, type_of
from burnside.ir.highlevel.types import (
    BOOLEAN,
    DOT,
    NATURAL,
    Bag,
    Element,
    Field,
    Sort,
    Struct,
    TokenType,
)
from burnside.kinds.highlevel.semantics import HighLevelSemantics
from burnside.reference.explorer import explore
from burnside.symmetry.elements import element_group, sort_images
from burnside.symmetry.highlevel import HighLevelSymmetry, certify, highlevel_symmetry
from burnside.symmetry.points import full, on_sort

DOT_TERM = Literal((), DOT)
EMPTY: list[Term] = []


def sort(name: str, size: int, symmetry: Any = "fixed") -> Sort:
    return Sort(name, tuple(f"{name.lower()}{at}" for at in range(size)), symmetry, "enumeration")


def var(name: str, sort: Sort) -> Variable:
    return Variable(name, Element(sort))


def el(sort: Sort, position: int) -> Literal:
    return Literal(position, Element(sort))


def num(number: int) -> Literal:
    return Literal(number, NATURAL)


def eq(one: Term, other: Term) -> Term:
    return Apply("equal", (one, other), BOOLEAN)


def ne(one: Term, other: Term) -> Term:
    return no(eq(one, other))


def no(term: Term) -> Term:
    return Apply("not", (term,), BOOLEAN)


def both(*terms: Term) -> Term:
    return Apply("and", terms, BOOLEAN)


def some(*terms: Term) -> Term:
    return Apply("or", terms, BOOLEAN)


def less(one: Term, other: Term) -> Term:
    return Apply("less", (one, other), BOOLEAN)


def after(term: Term, number: Term | int = 1) -> Term:
    by = num(number) if isinstance(number, int) else number
    return Apply("successor", (term, by), type_of(term))


def pair(*parts: Term) -> Term:
    return Apply("struct", parts, struct(*(type_of(each) for each in parts)))


def struct(*types: TokenType) -> Struct:
    return Struct(tuple(Field(str(at), each) for at, each in enumerate(types, 1)))


def tokens(*values: Term, times: int | Term = 1) -> Term:
    number = num(times) if isinstance(times, int) else times
    type_ = Bag(type_of(values[0]))
    return Apply("sum", tuple(Apply("tokens", (number, each), type_) for each in values), type_)


def every(sort: Sort) -> Term:
    return Apply("all", (), Bag(Element(sort)))


def nothing(type_: TokenType) -> Term:
    return Apply("sum", (), Bag(type_))


def place(name: str, type_: TokenType, initial: Term | None = None) -> Place:
    return Place(name, type_, nothing(type_) if initial is None else initial)


def holds(net_places: Sequence[Place], number: int, value: Term) -> Term:
    """Has a place a token of this value?"""
    marked = Marked(number, Bag(net_places[number].type))
    return less(num(0), Apply("count", (marked, value), NATURAL))


def exists(variable: Variable, body: Term) -> Term:
    return Binding("exists", variable, body, BOOLEAN)


def forall(variable: Variable, body: Term) -> Term:
    return Binding("forall", variable, body, BOOLEAN)


def move(
    name: str,
    variables: Sequence[Variable],
    takes: Sequence[tuple[int, Term]],
    puts: Sequence[tuple[int, Term]],
    guard: Term = TRUE,
) -> Transition:
    return Transition(
        name, tuple(variables), tuple(Arc(*each) for each in takes), tuple(Arc(*each) for each in puts), guard
    )


def net(
    sorts: Sequence[Sort],
    places: Sequence[Place],
    transitions: Sequence[Transition],
    claims: Sequence[Claim] = (),
) -> HighLevelNet:
    names = frozenset(each.name for each in sorts)
    made = HighLevelNet(
        "net", tuple(sorts), tuple(places), tuple(transitions), searched=names, claims=tuple(claims)
    )
    check_net(HighLevelNet("net", made.sorts, made.places, made.transitions))
    return made


def order(symmetry: HighLevelSymmetry) -> int:
    return element_group(symmetry).order


def explored(net: HighLevelNet, generators: Sequence[Any] = ()) -> Exploration:
    images = [sort_images(net.sorts, each) for each in generators]
    return explore(HighLevelSemantics(net, deadlock=True), images, keep_going=True)


def agrees(net: HighLevelNet, generators: Sequence[Any]) -> bool:
    """Does a run under the group say what one without says, and were all traces found?"""
    unreduced = explored(net)
    try:
        reduced = explored(net, generators)
    except ContradictionError:
        return False
    return (
        reduced.full_states == unreduced.states
        and set(reduced.claims) == set(unreduced.claims)
        and [count > 0 for count in reduced.firings] == [count > 0 for count in unreduced.firings]
    )


def all_of_sorts(net: HighLevelNet) -> list[tuple[int, ...]]:
    """Generators of all permutations of each sort: the group that a rule too generous would give."""
    return [on_sort(net, sort, images) for sort in net.sorts for images in full(sort.size, range(sort.size))]


def found(net: HighLevelNet, **options: Any) -> HighLevelSymmetry:
    """The symmetries, of which the reference engine is asked, and the certifier again."""
    symmetry = highlevel_symmetry(net, **options)
    generators = [each.permutation for each in symmetry.generators]
    assert all(certify(net, each, options.get("conditions", ())) for each in generators)
    assert agrees(net, generators)
    return symmetry
