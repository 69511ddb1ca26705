"""What is read means the same to all: the reference engine, the core, unreduced and reduced, and the unfolded net."""

from __future__ import annotations

from pathlib import Path

import burnside
import pytest
from burnside.ir.highlevel.net import HighLevelNet
from burnside.languages import load
from burnside.unfolding import Limits, unfold

from tests.languages.symmetric_nets import (
    ALL,
    CLASSES,
    DOT,
    ONE_DOT,
    all_of,
    apply,
    arc,
    constant,
    integer,
    net,
    number,
    place,
    product,
    times,
    transition,
    use,
    var,
    variable,
)

PAIRS = product(use("C"), use("F"))
TRIPLES = product(use("C"), use("F"), use("C"))
BAGS = f"<multisetsort>{use('F')}</multisetsort>"
CLASS_OF_X = f"<partitionelementof refpartition='Q'><subterm>{var('x')}</subterm></partitionelementof>"
C1_TWICE_AND_C3 = apply("add", times(2, constant("c1")), constant("c3"))
THREE_MORE_OFTEN = apply("add", times(2, integer(3, 2, 5)), all_of(use("N")))
BELOW_4 = apply("lessthan", var("n"), integer(4, 2, 5))

NETS = {
    "a value and all of the other part": net(
        place("a", use("C"), all_of(use("C"))) + place("p", PAIRS) + place("stop", DOT, times(3, ONE_DOT))
        + transition("t") + transition("u") + arc("a", "t", times(1, var("x")))
        + arc("t", "p", times(2, apply("tuple", var("x"), all_of(use("F")))))
        + arc("p", "u", times(1, apply("tuple", var("x"), var("f")))) + arc("u", "a", times(1, var("x")))
        + arc("stop", "u"),
        ALL,
    ),
    "multisets in a tuple": net(
        place("p", TRIPLES, apply("tuple", C1_TWICE_AND_C3, times(3, constant("red")), constant("c2")))
        + transition("t") + arc("p", "t", apply("tuple", var("x"), constant("red"), constant("c2"))),
        ALL,
    ),
    "subtract": net(
        place("s", DOT, times(2, ONE_DOT)) + place("p", use("C")) + transition("t") + arc("s", "t")
        + arc("t", "p", apply("subtract", all_of(use("C")), apply("add", times(1, var("x")), times(1, var("y"))))),
        ALL,
    ),
    "partition": net(
        place("s", use("C"), all_of(use("C"))) + place("q", use("Q"))
        + transition("t", apply("equality", CLASS_OF_X, constant("low")))
        + arc("s", "t", times(1, var("x"))) + arc("t", "q", times(1, CLASS_OF_X)),
        ALL + CLASSES,
    ),
    "elements of a class": net(
        place("s", use("C"), times(2, constant("low"))) + place("p", PAIRS) + transition("t")
        + arc("s", "t", times(1, var("x"))) + arc("t", "p", apply("tuple", constant("high"), all_of(use("F")))),
        ALL + CLASSES,
    ),
    "cardinalityof": net(
        place("s", use("N"), all_of(use("N"))) + place("d", DOT)
        + transition("t", apply("gt", apply("cardinalityof", THREE_MORE_OFTEN, var("n")), number(1)))
        + arc("s", "t", times(1, var("n"))) + arc("t", "d"),
        ALL,
    ),
    "contains": net(
        place("s", use("C"), all_of(use("C"))) + place("d", use("C"))
        + transition("t", apply("contains", apply("add", constant("c1"), times(2, constant("c2"))), times(2, var("x"))))
        + arc("s", "t", times(1, var("x"))) + arc("t", "d", apply("scalarproduct", number(3), all_of(use("C")))),
        ALL,
    ),
    "orders": net(
        place("s", use("C"), all_of(use("C")))
        + place("p", product(use("N"), use("C")), apply("tuple", all_of(use("N")), constant("c1")))
        + transition("t", apply("imply", BELOW_4, apply("greaterthanorequal", var("x"), var("y"))))
        + arc("s", "t", times(1, apply("predecessor", var("x"))))
        + arc("p", "t", times(1, apply("tuple", var("n"), var("y"))))
        + arc("t", "p", times(1, apply("tuple", apply("successor", var("n")), apply("successor", var("y"))))),
        ALL,
    ),
    "numbers": net(
        place("p", "<natural/>", times(1, number(3))) + transition("t", apply("lt", var("k"), number(7)))
        + arc("p", "t", times(1, var("k"))) + arc("t", "p", times(1, apply("addition", var("k"), number(1)))),
        ALL + variable("k", "<natural/>"),
    ),
    "multisets as tokens": net(
        place("p", BAGS, times(2, all_of(use("F")))) + place("q", use("F")) + transition("t")
        + arc("p", "t", times(1, var("m"))) + arc("t", "q", var("m")),
        ALL + variable("m", BAGS),
    ),
    "truth values": net(
        place("p", "<bool/>", all_of("<bool/>")) + place("q", "<bool/>") + transition("t")
        + arc("p", "t", times(1, var("b"))) + arc("t", "q", times(1, apply("not", var("b")))),
        ALL + variable("b", "<bool/>"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NETS)
def test_states_and_transitions(name: str, tmp_path: Path) -> None:
    path = tmp_path / "model.pnml"
    path.write_text(NETS[name])
    slow = burnside.check(path, engine="reference", reduce="none")
    fast = burnside.check(path, reduce="none")
    reduced = burnside.check(path)
    assert slow.transitions > 0
    assert (fast.states, fast.transitions) == (slow.states, slow.transitions)
    assert reduced.full_states == slow.states
    subject = load(path).subject
    assert isinstance(subject, HighLevelNet)
    unfolded = burnside.check(unfold(subject, Limits()).net, reduce="none")
    assert (unfolded.states, unfolded.transitions) == (slow.states, slow.transitions)
