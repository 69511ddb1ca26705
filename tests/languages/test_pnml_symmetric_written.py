"""Symmetric nets as tools and people write them, with numbers of states found by hand: every route and engine has them."""

from __future__ import annotations

from pathlib import Path

import burnside
import pytest

from tests.languages.symmetric_nets import (
    DOT,
    ONE_DOT,
    all_of,
    apply,
    arc,
    constant,
    enumeration,
    integer,
    integers,
    named,
    net,
    number,
    operator,
    partition,
    place,
    product,
    times,
    transition,
    use,
    var,
    variable,
)

THREE = named("A", enumeration("finite", "a1", "a2", "a3"))
TWO = named("B", enumeration("finite", "b1", "b2"))
SIX = named("S", enumeration("finite", *(f"s{at}" for at in range(6))))
RING = named("C", enumeration("cyclic", *(f"c{at}" for at in range(6))))
RANGE = named("N", integers(3, 7))
PAIRS = named("P", product(use("A"), use("A")))
HALVES = partition(
    "H",
    use("S"),
    low=constant("s0") + constant("s1") + constant("s2"),
    high=constant("s3") + constant("s4") + constant("s5"),
)
VARIABLES = "".join(
    variable(f"{name}{sort}", use(sort)) for sort in ("A", "B", "S", "C", "N") for name in ("x", "y")
)
DECLARATIONS = THREE + TWO + SIX + RING + RANGE + PAIRS + HALVES + VARIABLES
EVERY = all_of(use("A"))
X, Y = var("xA"), var("yA")


def half(term: str) -> str:
    return f"<partitionelementof refpartition='H'><subterm>{term}</subterm></partitionelementof>"


def moves(sort: str, initial: str, taken: str, given: str = "", guard: str = "") -> str:
    """One place, one transition that takes from it and gives back."""
    back = arc("t", "p", given) if given else ""
    return place("p", use(sort), initial) + transition("t", guard) + arc("p", "t", taken) + back


def passes(initial: str, taken: str, given: str, guard: str = "", target: str = "A") -> str:
    """Two places and a transition from one to the other."""
    places = place("p", use("A"), initial) + place("q", use(target))
    return places + transition("t", guard) + arc("p", "t", taken) + arc("t", "q", given)


FORKS = named("Ph", enumeration("cyclic", "h1", "h2", "h3")) + variable("h", use("Ph"))
FORKS += operator("forks", apply("add", var("k"), times(1, apply("successor", var("k")))), k=use("Ph"))

DINNER = (
    place("think", use("Ph"), all_of(use("Ph")))
    + place("fork", use("Ph"), all_of(use("Ph")))
    + place("eat", use("Ph"))
    + transition("take")
    + transition("put")
    + "".join(
        arc(source, target, constant("forks", var("h")) if "fork" in (source, target) else var("h"))
        for source, target in (
            ("think", "take"), ("fork", "take"), ("take", "eat"), ("eat", "put"), ("put", "think"), ("put", "fork"),
        )
    )
)  # fmt: skip

PREFIXES = """<?xml version="1.0"?>
<p:pnml xmlns:p="http://www.pnml.org/version-2009/grammar/pnml">
<p:net id="n" type="http://www.pnml.org/version-2009/grammar/symmetricnet">
<p:toolspecific tool="X" version="1"><anything xmlns="urn:x"><place id="p"/></anything></p:toolspecific>
<p:page id="g1"><p:declaration><p:structure><p:declarations>
<p:namedsort id="A" name="A"><p:finiteenumeration><p:feconstant id="a1" name="1"/><p:feconstant id="a2" name="2"/>
</p:finiteenumeration></p:namedsort>
<p:variabledecl id="x" name="x"><p:usersort declaration="A"/></p:variabledecl>
</p:declarations></p:structure></p:declaration>
<p:place id="p"><p:graphics><p:position x="3" y="4"/></p:graphics>
<p:type><p:structure><p:usersort declaration="A"/></p:structure></p:type>
<p:hlinitialMarking><p:structure><p:all><p:usersort declaration="A"/></p:all></p:structure></p:hlinitialMarking></p:place>
</p:page>
<p:page id="g2"><p:referencePlace id="rp" ref="p"/><p:transition id="t"/>
<p:arc id="a" source="rp" target="t"><p:hlinscription><p:structure><p:variable refvariable="x"/></p:structure>
</p:hlinscription></p:arc></p:page></p:net></p:pnml>"""

NETS = {
    "values without numberof": (8, passes(EVERY, X, times(1, X))),
    "a sort of dots without a declaration": (
        4,
        place("p", DOT, times(3, ONE_DOT)) + place("q", DOT) + transition("t")
        + arc("p", "t", ONE_DOT) + arc("t", "q", times(2, ONE_DOT)),
    ),
    "arcs of dots without an inscription": (
        3,
        place("p", DOT, times(2, ONE_DOT)) + place("q", DOT) + transition("t") + arc("p", "t") + arc("t", "q"),
    ),
    "a broadcast": (8, passes(EVERY, X, apply("tuple", EVERY, X), target="P")),
    "a broadcast to the others": (
        8,
        passes(EVERY, X, apply("subtract", apply("tuple", EVERY, X), apply("tuple", X, X)), target="P"),
    ),
    "two steps on a ring": (
        3,
        moves("C", constant("c1"), var("xC"), apply("successor", apply("successor", var("xC")))),
    ),
    "back on a ring until c3": (
        5,
        moves(
            "C", constant("c1"), var("xC"), apply("predecessor", var("xC")),
            apply("inequality", var("xC"), constant("c3")),
        ),
    ),
    "a range that begins at 3, around its end": (
        5,
        moves("N", integer(7, 3, 7), var("xN"), apply("successor", var("xN"))),
    ),
    "a range up to a constant": (
        4,
        moves(
            "N", integer(7, 3, 7), var("xN"), apply("predecessor", var("xN")),
            apply("greaterthanorequal", var("xN"), integer(5, 3, 7)),
        ),
    ),
    "one class of a partition": (
        8,
        moves("S", all_of(use("S")), var("xS"), "", apply("equality", half(var("xS")), constant("high"))),
    ),
    "a class as a marking": (8, moves("S", constant("high"), var("xS"))),
    "classes in their order": (
        2,
        moves(
            "S", apply("add", constant("s0"), constant("s4")), apply("add", var("xS"), var("yS")), "",
            apply("ltp", half(var("xS")), half(var("yS"))),
        ),
    ),
    "sums and multiples inside of each other": (
        36,
        moves(
            "A",
            apply(
                "add",
                apply("scalarproduct", number(2), apply("add", times(1, constant("a1")), constant("a2"))),
                times(3, constant("a3")),
            ),
            X,
        ),
    ),
    "so many of a multiset": (27, moves("A", times(2, EVERY), X)),
    "all but one": (4, moves("A", EVERY, apply("subtract", EVERY, X))),
    "less than nothing has no value": (1, moves("A", EVERY, apply("subtract", times(1, X), times(2, X)))),
    "a difference that means that two are one": (
        8,
        passes(EVERY, apply("add", X, apply("subtract", X, Y)), Y),
    ),
    "constants in their order": (4, moves("A", EVERY, apply("add", X, Y), "", apply("lessthan", X, Y))),
    "a variable that no token gives a value": (
        3,
        moves("A", constant("a1"), X, Y, apply("inequality", X, Y)),
    ),
    "what a multiset contains": (
        4,
        moves(
            "A", EVERY, X, "",
            apply("contains", apply("add", constant("a1"), constant("a2")), times(1, X)),
        ),
    ),
}  # fmt: skip

OPTIONS: tuple[dict[str, object], ...] = (
    {"reduce": "none", "unfold": False},
    {"reduce": "none", "unfold": True},
    {"reduce": "none", "engine": "reference"},
    {"reduce": "search", "unfold": False},
    {"reduce": "search", "unfold": True},
    {"reduce": "minimise", "engine": "reference"},
)


def states(folder: Path, text: str) -> set[int | None]:
    path = folder / "model.pnml"
    path.write_text(text)
    found: set[int | None] = set()
    for options in OPTIONS:
        outcome = burnside.check(path, **options)  # type: ignore[arg-type]
        found.add(outcome.states if options["reduce"] == "none" else outcome.full_states)
    return found


@pytest.mark.parametrize("name", NETS)
def test_states_are_those_found_by_hand(name: str, tmp_path: Path) -> None:
    expected, body = NETS[name]
    assert states(tmp_path, net(body, DECLARATIONS)) == {expected}


def test_operators_with_parameters(tmp_path: Path) -> None:
    assert states(tmp_path, net(DINNER, FORKS)) == {4}


def test_prefixes_pages_and_parts_of_tools(tmp_path: Path) -> None:
    assert states(tmp_path, PREFIXES) == {4}
