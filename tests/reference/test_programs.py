"""Labels, permutations, judgements and searches of programs, computed by hand."""

from __future__ import annotations

from typing import Any

import pytest
from burnside.diagnostics import ContradictionError, UsageError
from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Action, Program, Property
from burnside.ir.types import (
    BOOLEAN,
    Array,
    Bag,
    Element,
    Integer,
    Optional,
    Sort,
)
from burnside.reference.steps import (
    initial_states,
    judge,
    label_at,
    label_number,
    permuted_label,
    show_label,
    show_start,
    start_steps,
    successors,
)
from burnside.reference.values import permuted
from burnside.semantics import DEADLOCK, DISCARDED, ERROR, FIRST_PROPERTY, Failure

from tests.exploring import explore_program as explore
from tests.exploring import trace_of
from tests.reference.program_parts import (
    ANY,
    AT,
    BAG,
    DIGIT,
    NODE_TYPE,
    SECOND,
    N,
    X,
    binary,
    bound,
    entries,
    number,
    program,
    read,
    set_to,
    variable,
)

# Labels

RANGE = bound("k", e.Range(number(1), number(5), number(2)))
POSITION = bound("at", e.Positions(BAG))
LABELLED = program(
    [BAG, X],
    Action("Plain", (), ()),
    Action("Both", (bound("i", e.All(NODE_TYPE)), bound("b", e.All(Integer(-1, 1)))), ()),
    Action("Take", (POSITION,), (s.Remove(BAG, read(POSITION.variable)),)),
    Action("Step", (RANGE,), ()),
    Action("Any", (bound("u", e.All(ANY)),), (), binary("=", read(e.Variable("u", ANY)), e.Constant(2, ANY))),
    start=entries(5, 2),
)


def test_labels_are_numbered_in_order() -> None:
    ((_, state),) = initial_states(LABELLED)
    assert isinstance(state, tuple)
    found = {
        label_number(LABELLED, label): show_label(LABELLED, label) for label, _ in successors(LABELLED, state)
    }
    assert found == {
        0: "Plain",
        **{1 + 3 * i + b: f"Both(n{i + 1}, {b - 1})" for i in range(3) for b in range(3)},
        10: "Take(0)",
        11: "Take(1)",
        13: "Step(1)",
        14: "Step(3)",
        15: "Step(5)",
        18: "Any(n2)",
    }
    for label, _ in successors(LABELLED, state):
        assert label_at(LABELLED, label_number(LABELLED, label)) == label
    assert show_start(LABELLED, (0, ())) == "start"


def test_a_domain_may_depend_on_parameters_before_it() -> None:
    bags = variable("bags", Array(NODE_TYPE, Bag(BOOLEAN, 2)))
    i = bound("i", e.All(NODE_TYPE))
    at = bound("at", e.Positions(e.Index(bags, read(i.variable))))
    local = e.Variable("new", BOOLEAN)
    start = s.Declare((local,), (s.Add(e.Index(bags, SECOND), local),))
    made = program([bags], Action("take", (i, at), ()), start=(start,))
    ((_, state),) = initial_states(made)
    assert isinstance(state, tuple)
    assert [label for label, _ in successors(made, state)] == [(0, (1, 0))]
    assert label_number(made, (0, (1, 0))) == 2


# Permutations


def test_indices_and_values_are_renamed_and_bags_sorted_again() -> None:
    names = [
        variable("row", Array(NODE_TYPE, Optional(NODE_TYPE))),
        variable("all", Array(ANY, Optional(ANY))),
        variable("bag", Bag(NODE_TYPE, 2)),
        variable("x", DIGIT),
    ]
    turn = {"Node": (1, 2, 0)}
    state = (1, 0, 2, 2, 1, 0, 4, 1, 1, 1, 2, 7)
    assert permuted(program(names), turn, state) == (3, 2, 0, 3, 2, 1, 0, 1, 0, 1, 2, 7)
    assert permuted(program(names), {}, state) == state


def test_labels_follow_the_entries_they_mean() -> None:
    bag = variable("bag", Bag(NODE_TYPE, 3))
    at, i = bound("at", e.Positions(bag)), bound("i", e.All(NODE_TYPE))
    made = program([bag], Action("act", (at, i), (s.Remove(bag, read(at.variable)),)))
    swap = {"Node": (1, 0, 2)}
    state = (1, 0, 1, 1, 1, 1)
    assert permuted(made, swap, state) == (1, 0, 1, 0, 1, 1)
    assert [permuted_label(made, swap, state, (0, (k, 2))) for k in range(3)] == [
        (0, (2, 2)),
        (0, (0, 2)),
        (0, (1, 2)),
    ]
    assert permuted_label(made, swap, state, (0, (0, 0))) == (0, (2, 1))


# Properties of states


def test_judgements() -> None:
    properties = (
        Property("assumption", "below 5", binary("<", read(X), 5)),
        Property("invariant", "below 3", binary("<", read(X), 3)),
        Property("cover", "two", binary("=", read(X), 2)),
        Property("invariant", "divides", binary(">=", binary("/", 6, read(X), AT), 2)),
        Property("assertion", "elsewhere"),
    )
    made = program([X], properties=properties)
    assert judge(made, (2,)).covered == (FIRST_PROPERTY + 2,)
    assert judge(made, (4,)).violated == (FIRST_PROPERTY + 1, FIRST_PROPERTY + 3)
    assert judge(made, (0,)).failures == (Failure("a division by zero", AT),)
    assert not judge(made, (5,)).allowed
    assert judge(made, (1,)) == judge(made, (1,)) and judge(made, (1,)).allowed


# Searches


def mutex(processes: int, *, lock: bool = True, **more: Any) -> Program:
    """Processes that are idle, try, and enter where nobody is inside."""
    sort = Sort("Process", tuple(f"p{i + 1}" for i in range(processes)), "full", "scalarset")
    phases = Sort("Phase", ("idle", "trying", "critical"), "fixed", "enum")
    idle, trying, critical = (e.Constant(i, Element(phases)) for i in range(3))
    phase = variable("phase", Array(Element(sort), Element(phases)))
    i, j = (bound(name, e.All(Element(sort))) for name in "ij")
    at_i, at_j = (e.Index(phase, read(each.variable)) for each in (i, j))

    def step(name: str, before: e.Constant, after: e.Constant, *also: e.Expression) -> Action:
        guard = e.Junction("and", (binary("=", read(at_i), before), *also))
        return Action(name, (i,), (s.Assign(at_i, after),), guard)

    nobody = (e.Quantified("forall", j, binary("!=", read(at_j), critical)),) if lock else ()
    both = e.Junction(
        "or",
        (
            binary("=", read(i.variable), read(j.variable)),
            e.Not(e.Junction("and", (binary("=", read(at_i), critical), binary("=", read(at_j), critical)))),
        ),
    )
    exclusion = e.Quantified("forall", i, e.Quantified("forall", j, both))
    return Program(
        "mutex",
        (sort, phases),
        (phase,),
        (Action("start", (), ()),),
        (step("try", idle, trying), step("enter", trying, critical, *nobody), step("leave", critical, idle)),
        (Property("invariant", "exclusion", exclusion),),
        **more,
    )


def full_group(processes: int) -> list[dict[str, tuple[int, ...]]]:
    return [{"Process": (1, 0, *range(2, processes))}, {"Process": (*range(1, processes), 0)}]


@pytest.mark.parametrize("order", ["bfs", "dfs"])
@pytest.mark.parametrize("n", [2, 3, 4])
def test_mutual_exclusion(n: int, order: str) -> None:
    full, reduced = explore(mutex(n), order=order), explore(mutex(n), full_group(n), order=order)
    assert full.states == full.full_states == 2**n + n * 2 ** (n - 1)
    assert reduced.states == (n + 1) + n
    assert reduced.full_states == full.states
    assert full.stopped == reduced.stopped == "exhausted"
    assert (full.deadlocks, full.claims, min(full.firings) > 0) == (0, {}, True)


def test_a_violation_has_the_shortest_trace_of_the_unreduced_program() -> None:
    made = mutex(3, lock=False)
    for generators in ([], full_group(3)):
        found = explore(made, generators)
        assert (found.stopped, list(found.claims)) == ("violation", [FIRST_PROPERTY])
        claim = found.claims[FIRST_PROPERTY]
        assert len(claim.steps) == 5 and claim.failing is None
        current = None
        for label, state in claim.steps:
            results = initial_states(made) if current is None else successors(made, current)
            assert (label, state) in results
            current = state
        assert current is not None and judge(made, current).violated == (FIRST_PROPERTY,)


COUNT = Action("count", (), (set_to(X, binary("+", read(X), 1)),))


def test_an_error_of_the_model_is_a_violation_with_the_failing_label_last() -> None:
    found = explore(program([X], COUNT), keep_going=True)
    assert list(found.claims) == [ERROR]
    claim = found.claims[ERROR]
    assert claim.failure == Failure("the value 10 is not in 0..9")
    assert trace_of(claim)[0] == ((0, ()), (0,)) and trace_of(claim)[-1] == ((0, ()), None)
    assert (found.states, found.transitions, found.deadlocks, found.stopped) == (10, 10, 0, "exhausted")


def test_a_start_that_fails() -> None:
    (claim,) = explore(program([X], start=(set_to(X, 10),))).claims.values()
    assert trace_of(claim) == [((0, ()), None)]
    (step,) = start_steps(program([X], start=(s.Assume(e.FALSE),)))
    assert step.result == DISCARDED
    assert explore(program([X], start=(s.Assume(e.FALSE),))).states == 0


def test_deadlocks() -> None:
    below = Action("count", (), COUNT.body, binary("<", read(X), 2))
    stay = Action("stay", (), ())
    assert explore(program([X], below)).deadlocks == 1
    ((number, claim),) = explore(program([X], below), deadlock=True).claims.items()
    assert (number, claim.steps[-1][1]) == (DEADLOCK, (2,))
    assert explore(program([X], below, stay)).deadlocks == 0
    assert explore(program([X], below, stay, stuttering=True)).deadlocks == 1
    # What a statement assumes away is nothing that can happen (rumur sees it so, and does not count it either).
    never = Action("never", (), (s.Assume(e.FALSE),))
    found = explore(program([X], below, never))
    assert (found.deadlocks, found.transitions) == (1, 2 + 3)


def test_states_that_an_assumption_forbids_are_not_stored() -> None:
    below = Property("assumption", "below 4", binary("<", read(X), 4))
    found = explore(program([X], COUNT, properties=(below,)))
    assert (found.states, found.transitions, found.claims, found.deadlocks) == (4, 4, {}, 0)


def test_covers() -> None:
    covers = tuple(Property("cover", str(n), binary("=", read(X), n)) for n in (3, 12))
    assert explore(program([X], COUNT, properties=covers), keep_going=True).covered == {FIRST_PROPERTY}


def test_limits_and_refusals() -> None:
    made = program([X], COUNT)
    assert explore(made, max_states=3).stopped == "max-states"
    assert explore(made, max_states=3).states == 3
    assert explore(made, max_seconds=0).stopped == "max-seconds"
    with pytest.raises(UsageError):
        explore(made, order="random")


def test_a_property_that_names_an_element_is_refused() -> None:
    first = e.Constant(0, NODE_TYPE)
    named = Property(
        "invariant", "not the first", e.Not(e.Junction("and", (e.IsDefined(N), binary("=", read(N), first))))
    )
    i = bound("i", e.All(NODE_TYPE))
    made = program([N], Action("choose", (i,), (s.Assign(N, read(i.variable)),)), properties=(named,))
    with pytest.raises(ContradictionError, match="distinguishes equivalent states"):
        explore(made, [{"Node": (1, 0, 2)}], keep_going=True)
    assert explore(made, [{"Node": (0, 2, 1)}], keep_going=True).full_states == 4


def test_orbits_of_start_states_that_are_not_all_start_states_are_not_counted() -> None:
    made = program([N], start=(s.Assign(N, SECOND),))
    assert explore(made).full_states == 1
    assert explore(made, [{"Node": (1, 2, 0)}]).full_states is None
