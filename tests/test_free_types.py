"""Free types through both engines: which values are tried, what is cut, and orbits by every method."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from burnside.ir.sets import expressions as e
from burnside.ir.sets import substitutions as s
from burnside.ir.sets.checking import problems
from burnside.ir.sets.machine import Claim, Machine, Operation
from burnside.ir.sets.types import (
    BOOLEAN,
    INTEGER,
    Constructor,
    Element,
    FreeType,
    Pair,
    Recursion,
    Set,
    Sort,
    Struct,
    StructField,
    ValueType,
)
from burnside.outcome import Outcome
from burnside.pipeline import check, model_of
from burnside.records import replace
from burnside.reference.sets.values import EMPTY, FreeValue, Point, ordered
from burnside.request import Request
from burnside.symmetry.machines import certify, machine_symmetry

from tests.machine_engines import both

X = Sort("X", ("x1", "x2"), "full", "given set")
EX = Element(X)
NATURAL = e.Apply("up-from", (e.Literal(0, INTEGER),), Set(INTEGER))
DIGITS = e.Apply("interval", (e.Literal(0, INTEGER), e.Literal(4, INTEGER)), Set(INTEGER))


def recursive(name: str, argument: ValueType, within: e.Expression | None = None, depth: int = 3) -> FreeType:
    return FreeType(name, (Constructor("leaf"), Constructor("node", argument, within)), depth)


OWNER = FreeType("OWNER", (Constructor("none"), Constructor("own", EX)))
TREE = recursive("TREE", Pair(Recursion("TREE"), Recursion("TREE")))
BUSH = recursive(
    "BUSH",
    Set(Pair(INTEGER, Recursion("BUSH"))),
    e.Apply(
        "sequences",
        (e.Apply("all", (), Set(Recursion("BUSH"))),),
        Set(Set(Pair(INTEGER, Recursion("BUSH")))),
    ),
    depth=2,
)
COUNT = FreeType("COUNT", (Constructor("nothing"), Constructor("count", INTEGER, NATURAL)))
DIGIT = FreeType("DIGIT", (Constructor("blank"), Constructor("digit", INTEGER, DIGITS)))
PARTS = FreeType("PARTS", (Constructor("some", Set(EX)), Constructor("both", Pair(EX, BOOLEAN))))
RECORD = Struct((StructField("a", EX), StructField("b", EX)))
FREE_TYPES = (OWNER, TREE, BUSH, COUNT, DIGIT, PARTS)


def everything(type_: ValueType) -> e.Expression:
    return e.Apply("all", (), Set(type_))


def member(element: e.Expression, of: e.Expression) -> e.Expression:
    return e.Apply("member", (element, of), BOOLEAN)


def equal(left: e.Expression, right: e.Expression) -> e.Expression:
    return e.Apply("equal", (left, right), BOOLEAN)


def both_hold(*parts: e.Expression) -> e.Expression:
    return e.Apply("and", parts, BOOLEAN)


def choosing(
    type_: ValueType, within: e.Expression | None = None, *, sort: Sort = X, claims: Sequence[Claim] = ()
) -> Machine:
    """One variable, any value of the set."""
    variable, chosen = e.Name("v", type_, True), e.Name("c", type_)
    whole = everything(type_) if within is None else within
    return Machine(
        "choosing",
        (sort,),
        (),
        (),
        (variable,),
        s.Choose((chosen,), member(chosen, whole), s.Assign((variable,), (chosen,))),
        (Operation("stay", (), (), s.SKIP),),
        tuple(claims),
        free_types=FREE_TYPES,
    )


def outcome(machine: Machine, **asked: object) -> Outcome:
    assert problems(machine) == ()
    return check(model_of(machine), Request(**asked))  # type: ignore[arg-type]


# Values


@pytest.mark.parametrize(
    ("type_", "values", "is_cut"),
    [
        (OWNER, 3, False),
        (Set(OWNER), 8, False),
        (DIGIT, 6, False),
        (PARTS, 8, False),
        # nothing, and count of 0 to 3
        (COUNT, 5, True),
        # At most three constructors inside each other.
        (TREE, 5, True),
        # leaf, and what has up to three parts of {leaf, node of nothing}
        (BUSH, 16, True),
        (Pair(INTEGER, TREE), 25, True),
        (Struct((StructField("a", COUNT), StructField("b", OWNER))), 15, True),
    ],
)
def test_which_values_are_tried(type_: ValueType, values: int, is_cut: bool) -> None:
    machine = choosing(type_)
    core, reference = both(machine).starts()
    assert core == reference
    assert len(core) == values
    found = outcome(machine)
    assert bool(found.cut_domains) is is_cut
    assert (found.verdict == "unknown") is is_cut
    if is_cut:
        assert outcome(machine, assume_bounds=True).verdict == "holds"


def test_a_function_to_a_type_without_end_is_cut() -> None:
    machine = choosing(
        Set(Pair(EX, TREE)),
        e.Apply("partial-functions", (everything(EX), everything(TREE)), Set(Set(Pair(EX, TREE)))),
    )
    core, reference = both(machine).starts()
    assert core == reference and len(core) == 36
    assert outcome(machine).cut_domains


def test_depth_is_a_setting() -> None:
    deeper = replace(TREE, depth=4)
    machine = replace(choosing(deeper), free_types=(OWNER, deeper, BUSH, COUNT, DIGIT, PARTS))
    core, reference = both(machine).starts()
    assert core == reference and len(core) == 26


def test_values_are_read_off_constructors() -> None:
    """No value is cut where an equation says what the argument is."""
    argument, name = e.Name("n", INTEGER), e.Name("v", COUNT, True)
    made = e.Construct("count", argument, COUNT)
    machine = choosing(
        COUNT, e.Apply("set", (e.Construct("count", e.Literal(7, INTEGER), COUNT),), Set(COUNT))
    )
    take = Operation("take", (argument,), (), s.SKIP, both_hold(member(argument, NATURAL), equal(name, made)))
    machine = replace(machine, operations=(take,))
    assert outcome(machine).verdict == "holds"
    for engine in ("core", "reference"):
        found = outcome(machine, engine=engine)
        assert (found.states, found.transitions, found.cut_domains) == (
            1,
            2 if machine.counts_starts else 1,
            (),
        )


def test_constructors_outside_of_their_domain_are_undefined() -> None:
    wrong = e.Construct("count", e.Literal(-1, INTEGER), COUNT)
    claim = Claim("invariant", "it", e.Apply("not", (equal(wrong, wrong),), BOOLEAN))
    found = both(choosing(DIGIT, claims=[claim]))
    (state, *_) = found.states(1)
    core, reference = found.judgements(state)
    assert core == reference == {1}


@pytest.mark.parametrize("engine", ["core", "reference"])
def test_recursion_may_go_on_beyond_what_is_tried(engine: str) -> None:
    """Only choices are cut: a tree that grows by operations has no bound of its own."""
    tree = e.Name("t", TREE, True)
    leaf = e.Construct("leaf", None, TREE)
    grow = s.Assign((tree,), (e.Construct("node", e.pair(tree, leaf), TREE),))
    prune = s.Assign((tree,), (e.Apply("left", (e.ArgumentOf(tree, "node"),), TREE),))
    is_node = e.IsConstructed(tree, "node")
    size = 6
    deep: e.Expression = leaf
    for _ in range(size):
        deep = e.Construct("node", e.pair(deep, leaf), TREE)
    machine = Machine(
        "growing",
        (X,),
        (),
        (),
        (tree,),
        s.Assign((tree,), (leaf,)),
        (
            Operation("grow", (), (), grow, e.Apply("not", (equal(tree, deep),), BOOLEAN)),
            Operation("prune", (), (), prune, is_node),
        ),
        free_types=FREE_TYPES,
    )
    found = outcome(machine, engine=engine)
    assert (found.verdict, found.states, found.cut_domains) == ("holds", size + 1, ())


# Symmetry

EXACT = ("search", "nauty", "minimise", "compare", "flood")

FUNCTIONS_TO_OWNERS = e.Apply(
    "partial-functions", (everything(EX), everything(OWNER)), Set(Set(Pair(EX, OWNER)))
)
RECORDS = e.Name("s", Set(RECORD))
AT_MOST_TWO = e.Comprehension(
    (RECORDS,),
    both_hold(
        member(RECORDS, everything(Set(RECORD))),
        e.Apply("less", (e.Apply("card", (RECORDS,), INTEGER), e.Literal(3, INTEGER)), BOOLEAN),
    ),
    RECORDS,
)


@pytest.mark.parametrize("engine", ["core", "reference"])
@pytest.mark.parametrize(
    ("machine", "full", "orbits"),
    [
        # ProB's nauty mode finds 4 and 3.
        (choosing(Set(Pair(EX, OWNER)), FUNCTIONS_TO_OWNERS), 16, 10),
        (choosing(Set(RECORD), AT_MOST_TWO), 11, 7),
        (choosing(Set(RECORD)), 16, 10),
        (choosing(Set(PARTS)), 256, 144),
        (choosing(Pair(OWNER, Set(OWNER))), 24, 14),
    ],
)
def test_orbits(machine: Machine, full: int, orbits: int, engine: str) -> None:
    assert outcome(machine, reduce="none", engine=engine).states == full
    for method in EXACT if engine == "core" else ("minimise",):
        found = outcome(machine, reduce=method, engine=engine)
        assert (found.states, found.full_states) == (orbits, full), method


@pytest.mark.parametrize("literal", [False, True])
def test_elements_that_constructors_are_for_are_not_exchanged(literal: bool) -> None:
    sort = Sort("X", ("x1", "x2", "x3"), "fixed", "enumerated set")
    element = Element(sort)
    some = e.Apply(
        "set", tuple(e.Literal(each, element) for each in ((0, 1) if literal else ())), Set(element)
    )
    whole = e.Apply("all", (), Set(element))
    free = FreeType("F", (Constructor("none"), Constructor("own", element, some if literal else whole)))
    machine = replace(choosing(free, sort=sort), free_types=(free,))
    assert certify(machine, (1, 0, 2))
    assert certify(machine, (0, 2, 1)) is not literal
    assert len(machine_symmetry(machine).generators) == (1 if literal else 2)


def test_elements_inside_of_arguments_are_stored() -> None:
    assert machine_symmetry(choosing(PARTS)).generators


# Order and truth values


def test_values_are_ordered_by_their_constructors() -> None:
    none, one, two = (
        FreeValue("OWNER", 0),
        FreeValue("OWNER", 1, Point("X", 0)),
        FreeValue("OWNER", 1, Point("X", 1)),
    )
    assert ordered(frozenset([two, none, one])) == (none, one, two)
    some, pair = FreeValue("PARTS", 0, EMPTY), FreeValue("PARTS", 1, (Point("X", 0), True))
    assert ordered(frozenset([pair, some])) == (some, pair)


def test_truth_values_and_numbers_inside_are_told_apart() -> None:
    """Python takes (0, False) and (0, 0) for the same."""
    numbers = frozenset([FreeValue("F", 0), FreeValue("F", 1, 0)])
    truths = frozenset([FreeValue("F", 0), FreeValue("F", 1, False)])
    assert [type(each.argument) for each in ordered(numbers)] == [type(None), int]
    assert [type(each.argument) for each in ordered(truths)] == [type(None), bool]
