"""Conditions on markings as conditions on the unfolded net: the same truth in every reachable marking."""

from __future__ import annotations

from random import Random

import pytest
from burnside.ir.highlevel.net import HighLevelNet
from burnside.ir.highlevel.terms import Apply, Binding, Conditional, Literal, Marked, Term, Variable, element
from burnside.ir.highlevel.types import BOOLEAN, NATURAL, Bag, Element, SetOf
from burnside.kinds.highlevel.semantics import HighLevelSemantics
from burnside.reference.highlevel.evaluation import evaluate
from burnside.reference.highlevel.firing import enabled, fire
from burnside.temporal.atoms import ActionPattern
from burnside.unfolding import Unfolded, unfold
from burnside.unfolding.conditions import Conditions, NotLinear

from tests.highlevel_nets import equal, natural, negation, one, philosophers, together

NET = philosophers(4)
P = Element(NET.sorts[0])
THINK, FORK, EAT = (Marked(place, Bag(P)) for place in range(3))
X = Variable("x", P)


@pytest.fixture(scope="module")
def found() -> Unfolded:
    return unfold(NET)


def size(bag: Term) -> Term:
    return Apply("size", (bag,), NATURAL)


def count(bag: Term, value: Term) -> Term:
    return Apply("count", (bag, value), NATURAL)


def walk(net: HighLevelNet, found: Unfolded, steps: int = 40) -> list[tuple[int, ...]]:
    """Markings of a random walk of the unfolded net; each step is one of the high-level net."""
    random = Random(1)
    state, marking = found.net.initial, found.marking(found.net.initial)
    states = [state]
    for _ in range(steps):
        able = found.net.enabled(state)
        instances = {found.instance(each) for each in able}
        assert instances == set(enabled(net, marking))
        if not able:
            break
        chosen = random.choice(able)
        state, marking = found.net.fire(state, chosen), fire(net, marking, found.instance(chosen))
        assert found.marking(state) == marking
        assert found.state(marking) == state
        states.append(state)
    return states


CONDITIONS = [
    equal(size(EAT), natural(2)),
    negation(equal(size(EAT), natural(0))),
    Apply("less", (size(EAT), size(THINK)), BOOLEAN),
    Apply("less-equal", (Apply("add", (size(EAT), natural(3)), NATURAL), size(THINK)), BOOLEAN),
    Apply("less", (size(FORK), Apply("multiply", (natural(2), size(EAT)), NATURAL)), BOOLEAN),
    equal(count(EAT, element(P.sort, 1)), natural(1)),
    Apply("included", (one(element(P.sort, 2)), THINK), BOOLEAN),
    Apply("included", (EAT, THINK), BOOLEAN),
    equal(together(THINK, EAT), Apply("all", (), Bag(P))),
    equal(Apply("scaled", (natural(2), EAT), Bag(P)), together(EAT, EAT)),
    equal(size(together(EAT, FORK, EAT)), natural(4)),
    equal(count(together(EAT, FORK), element(P.sort, 0)), natural(1)),
    Apply("member", (element(P.sort, 3), Apply("support", (FORK,), SetOf(P))), BOOLEAN),
    Binding("forall", X, equal(count(FORK, X), natural(1)), BOOLEAN),
    Binding("exists", X, Apply("less", (count(EAT, X), count(FORK, X)), BOOLEAN), BOOLEAN),
    Apply("implies", (equal(size(EAT), natural(2)), equal(size(FORK), natural(0))), BOOLEAN),
    Apply("iff", (equal(size(EAT), natural(0)), equal(size(FORK), natural(4))), BOOLEAN),
    Apply("xor", (equal(size(EAT), natural(0)), equal(size(FORK), natural(4))), BOOLEAN),
    equal(equal(size(EAT), natural(0)), equal(size(FORK), natural(4))),
    Conditional(equal(size(EAT), natural(1)), equal(count(EAT, element(P.sort, 0)), natural(1)), Literal(True, BOOLEAN)),
    Apply("or", (equal(size(EAT), natural(7)), Apply("and", (Literal(True, BOOLEAN), equal(EAT, THINK)), BOOLEAN)), BOOLEAN),
]  # fmt: skip


@pytest.mark.parametrize("term", CONDITIONS, ids=map(str, range(len(CONDITIONS))))
def test_the_same_truth(found: Unfolded, term: Term) -> None:
    expression = Conditions(found).expression(term, "a condition")
    for state in walk(NET, found):
        assert expression.evaluate(state) == evaluate(term, {}, found.marking(state))


def test_what_is_not_linear(found: Unfolded) -> None:
    conditions = Conditions(found)
    different = Apply("cardinality", (Apply("support", (EAT,), SetOf(P)),), NATURAL)
    product = Apply("multiply", (size(EAT), size(FORK)), NATURAL)
    less = Apply("subtract", (size(EAT), natural(1)), NATURAL)
    for number, operator in ((different, "cardinality"), (product, "multiply"), (less, "subtract")):
        with pytest.raises(NotLinear, match=f"'{operator}' is no linear sum of numbers of tokens"):
            conditions.expression(equal(number, natural(1)), "a condition")
    undefined = Apply("subtract", (natural(1), natural(2)), NATURAL)
    with pytest.raises(NotLinear, match="'subtract' has no value"):
        conditions.expression(equal(size(EAT), undefined), "a condition")


def test_enabledness(found: Unfolded) -> None:
    conditions = Conditions(found)
    some = conditions.enabled([ActionPattern(1)], "put")
    third = conditions.enabled([ActionPattern(0, (element(P.sort, 2),))], "take(p3)")
    either = conditions.enabled([ActionPattern(0, (None,)), ActionPattern(1)], "anything")
    semantics = HighLevelSemantics(NET)
    for state in walk(NET, found):
        able = {step.label for step in semantics.steps(found.marking(state))}
        assert some.evaluate(state) == any(label is not None and label[0] == 1 for label in able)
        assert third.evaluate(state) == ((0, (2,)) in able)
        assert either.evaluate(state) == bool(able)
    nothing = conditions.enabled([ActionPattern(0, (element(P.sort, 2),))], "take(p3)")
    assert nothing == third


def test_what_can_never_be_marked() -> None:
    from tests.highlevel_nets import Place, nothing

    net = HighLevelNet("empty", (P.sort,), (Place("p", P, nothing(P)),), ())
    found = unfold(net)
    marked = equal(count(Marked(0, Bag(P)), element(P.sort, 0)), natural(0))
    assert Conditions(found).expression(marked, "none").evaluate(())
