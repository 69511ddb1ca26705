"""Random conditions on the markings of a high-level net, and patterns of its transitions."""

from __future__ import annotations

from burnside.ir.highlevel.net import HighLevelNet
from burnside.ir.highlevel.terms import Apply, Binding, Literal, Marked, Term, Variable
from burnside.ir.highlevel.types import BOOLEAN, NATURAL, Bag, Boolean, Element, TokenType
from burnside.temporal.atoms import ActionPattern, Condition, Patterns, Proposition
from hypothesis import strategies as st

from tests.highlevel_strategies import Terms, is_small
from tests.temporal.properties import Positions, whose_steps


@st.composite
def conditions(draw: st.DrawFn, net: HighLevelNet) -> Proposition:
    """Numbers of tokens, of some value, of all; sometimes anything, which may have no value."""
    types = [each.type for each in net.places]
    if draw(st.integers(0, 5)) == 0:
        found = Terms(draw, (), places=types).boolean(3)
    else:
        found = draw(_comparison(net))
    if draw(st.integers(0, 3)) == 0:
        found = Apply(draw(st.sampled_from(("and", "or"))), (found, draw(_comparison(net))), BOOLEAN)
    return Condition(found, str(found))


@st.composite
def _comparison(draw: st.DrawFn, net: HighLevelNet) -> Term:
    at = draw(st.integers(0, len(net.places) - 1))
    of = Bag(net.places[at].type)
    least = Literal(draw(st.integers(0, 2)), NATURAL)
    tokens: Term = Apply("size", (Marked(at, of),), NATURAL)
    kind = draw(st.sampled_from(("all", "one", "each")))
    if kind == "one":
        value = Terms(draw, ()).values(of.element)
        tokens = Apply("count", (Marked(at, of), value), NATURAL)
    if kind == "each" and is_small(of.element):
        value = Variable("each", of.element)
        body = Apply("less", (least, Apply("count", (Marked(at, of), value), NATURAL)), BOOLEAN)
        return Binding(draw(st.sampled_from(("forall", "exists"))), value, body, BOOLEAN)
    return Apply("less", (least, tokens), BOOLEAN)


@st.composite
def patterns(draw: st.DrawFn, net: HighLevelNet) -> Patterns:
    """One or two transitions; some with values of their variables."""
    numbers = st.lists(st.integers(0, len(net.transitions) - 1), min_size=1, max_size=2, unique=True)
    return tuple(draw(_pattern(net, number)) for number in sorted(draw(numbers)))


@st.composite
def _pattern(draw: st.DrawFn, net: HighLevelNet, number: int) -> ActionPattern:
    types = [each.type for each in net.transitions[number].variables]
    if not types or draw(st.integers(0, 2)):
        return ActionPattern(number)
    return ActionPattern(number, tuple(draw(_argument(each)) for each in types))


@st.composite
def _argument(draw: st.DrawFn, type_: TokenType) -> Literal | None:
    match type_:
        case Boolean():
            values = range(2)
        case Element(sort):
            values = range(sort.size)
        case _:
            values = range(0)
    chosen = draw(st.sampled_from([None, *values]))
    return None if chosen is None else Literal(bool(chosen) if type_ == BOOLEAN else chosen, type_)


def positions(net: HighLevelNet) -> st.SearchStrategy[Positions]:
    """Individuals are elements of sorts, and truth values."""
    return whose_steps(
        [
            [each.type if isinstance(each.type, Element | Boolean) else None for each in one.variables]
            for one in net.transitions
        ]
    )
