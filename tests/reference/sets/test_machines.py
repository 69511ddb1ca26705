"""Whole machines: what they can do, how many states they have, and what is found in them."""

from __future__ import annotations

from math import comb

import pytest
from burnside.diagnostics import ContradictionError
from burnside.ir.sets.expressions import TRUE, Literal
from burnside.ir.sets.machine import Claim, Machine, Operation
from burnside.ir.sets.substitutions import SKIP, Assign, Choose, Demand, Parallel
from burnside.ir.sets.types import Element, Pair, Set, Sort
from burnside.records import replace
from burnside.reference.sets.failures import TooLarge, Unbounded
from burnside.reference.sets.machines import (
    Label,
    is_setup,
    judge,
    permuted_label,
    setups,
    show_label,
    show_state,
    starts,
    steps,
)
from burnside.reference.sets.values import UNSET, Point, permuted_state
from burnside.semantics import DEADLOCK, ERROR, FIRST_PROPERTY, Failure

from tests.exploring import explore_machine as explore
from tests.exploring import trace_of, violated_kinds
from tests.reference.sets.groups import generators, orbit_count, permutations
from tests.reference.sets.parts import NATURAL, also, empty, everything, name, number, op, operand


def put(target, value):
    return Assign((target,), (operand(value),))


def deferred(called, size):
    return Sort(called, tuple(f"{called}{i + 1}" for i in range(size)), "full", "deferred set")


def login(size):
    """Leuschel and Massart, figure 1."""
    sessions = deferred("Session", size)
    session = Element(sessions)
    active = name("active", Set(session), state=True)
    s, result, parameter = name("s", session), name("res", session), name("p", session)
    free = also(op("member", s, everything(session)), op("not", op("member", s, active)))
    log_in = Choose((s,), free, Parallel((put(result, s), put(active, op("union", active, op("set", s))))))
    log_out = put(active, op("difference", active, op("set", parameter)))
    return Machine(
        "LoginVerySimple",
        (sessions,),
        (),
        (),
        (active,),
        put(active, empty(session)),
        (
            Operation("Login", (), (result,), log_in),
            Operation("Logout", (parameter,), (), log_out, op("member", parameter, active)),
        ),
        (Claim("invariant", "active <: Session", op("subset", active, everything(session))),),
    )


def scheduler(size):
    """Spermann's scheduler0; its guards apply a function outside its domain."""
    processes = deferred("PROC", size)
    process, states = Element(processes), Sort("STATE", ("idle", "ready", "active"), "fixed", "enum")
    state = Element(states)
    idle, ready, active = (Literal(position, state) for position in range(3))
    proc = name("proc", Set(process), state=True)
    pst = name("pst", Set(Pair(process, state)), state=True)

    def operation(called, guard, body):
        p = name(f"{called}_p", process)
        return Operation(called, (p,), (), body(p), guard(p))

    def all_with(p, value, *more):
        return also(op("member", p, everything(process)), op("equal", op("apply", pst, p), value), *more)

    def move(p, value):
        return put(pst, op("override", pst, op("set", op("pair", p, value))))

    idle_one = op("image", op("inverse", pst), op("set", active))
    return Machine(
        "scheduler0",
        (processes, states),
        (),
        (),
        (proc, pst),
        Assign((proc, pst), (empty(process), empty(Pair(process, state)))),
        (
            operation(
                "new",
                lambda p: op("member", p, op("difference", everything(process), proc)),
                lambda p: Parallel((move(p, idle), put(proc, op("union", proc, op("set", p))))),
            ),
            operation(
                "del",
                lambda p: all_with(p, idle),
                lambda p: Parallel(
                    (
                        put(proc, op("difference", proc, op("set", p))),
                        put(pst, op("domain-subtract", op("set", p), pst)),
                    )
                ),
            ),
            operation("ready", lambda p: all_with(p, idle), lambda p: move(p, ready)),
            operation(
                "enter",
                lambda p: all_with(p, ready, op("equal", idle_one, empty(process))),
                lambda p: move(p, active),
            ),
            operation("leave", lambda p: all_with(p, active), lambda p: move(p, idle)),
        ),
        (
            Claim("invariant", "pst", op("member", pst, op("total-functions", proc, everything(state)))),
            Claim("invariant", "one", op("less-equal", op("card", idle_one), 1)),
        ),
    )


a, k = name("a", state=True), name("k", state=True)


def counter(*, properties=(), operations=(), claims=(), constants=(), start=None):
    return Machine(
        "counter", (), constants, properties, (a,), start or put(a, 0), tuple(operations), tuple(claims)
    )


def operation(called, body, guard=TRUE, parameters=(), results=()):
    return Operation(called, tuple(parameters), tuple(results), body, guard)


INCREASE = operation("inc", put(a, op("add", a, 1)), op("less", a, 3))


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_login(size):
    machine = login(size)
    full = explore(machine)
    assert full.states == 2**size
    assert full.transitions == 1 + size * 2**size
    assert full.stopped == "exhausted"
    assert full.claims == {}
    reduced = explore(machine, generators(machine))
    assert reduced.states == size + 1 == orbit_count(machine, full.stored)
    assert reduced.full_states == full.states


@pytest.mark.parametrize(
    ("size", "transitions", "reduced_transitions"), [(2, 37, 23), (3, 190, 59), (4, 865, 121)]
)
def test_scheduler(size, transitions, reduced_transitions):
    """Spermann, table 4.1, where the root is a state; transitions as the digest of it has them."""
    machine = scheduler(size)
    full, reduced = explore(machine), explore(machine, generators(machine))
    assert full.states + 1 == 1 + 3**size + size * 3 ** (size - 1)
    assert full.transitions == transitions
    assert reduced.states + 1 == 1 + comb(size + 2, 2) + comb(size + 1, 2)
    assert reduced.transitions == reduced_transitions
    assert reduced.full_states == full.states
    assert full.claims == reduced.claims == {}
    assert all(full.firings)


def test_permutations_are_symmetries():
    machine = scheduler(3)
    states = explore(machine).stored
    assert len(permutations(machine)) == 6
    for generator in permutations(machine):
        for state in states[:20]:
            images = {
                (permuted_label(step.label, generator), permuted_state(step.result, generator))
                for step in steps(machine, state)
            }
            image = permuted_state(state, generator)
            assert images == {(step.label, step.result) for step in steps(machine, image)}


def test_labels_and_states_in_words():
    machine = login(2)
    (start,) = starts(machine)
    assert show_label(machine, start.label) == "INITIALISATION"
    assert [show_label(machine, step.label) for step in steps(machine, start.result)] == [
        "Login --> Session1",
        "Login --> Session2",
    ]
    assert show_state(machine, (frozenset({Point("Session", 1)}),)) == [("active", "{Session2}")]
    assert show_label(machine, Label("Logout", (Point("Session", 0),))) == "Logout(Session1)"


def test_constants_are_set_up_first():
    machine = counter(
        constants=(k,),
        properties=(op("member", k, {1, 2}),),
        operations=[operation("inc", put(a, op("add", a, 1)), op("less", a, k))],
    )
    assert [step.result for step in setups(machine)] == [(1, UNSET), (2, UNSET)]
    assert all(is_setup(machine, step.result) for step in setups(machine))
    found = explore(machine)
    assert (found.states, found.transitions, found.initial_states, found.deadlocks) == (
        2 + 2 + 3,
        2 + 2 + 3,
        2,
        2,
    )


def test_a_machine_without_variables_has_a_state_after_its_initialisation():
    machine = Machine("table", (), (k,), (op("equal", k, 1),), (), SKIP, ())
    found = explore(machine)
    assert (found.states, found.transitions, found.deadlocks) == (2, 2, 1)


def test_no_set_up():
    machine = counter(constants=(k,), properties=(op("member", k, {1, 2}), op("less", k, 1)))
    ((number, claim),) = explore(machine).claims.items()
    assert number == ERROR and claim.is_missing_start
    undefined = counter(constants=(k,), properties=(op("equal", k, op("divide", 1, 0)),))
    ((number, claim),) = explore(undefined).claims.items()
    assert (number, claim.failure.message) == (ERROR, "1 is divided by zero")


def test_properties_that_are_undefined_for_some_constants():
    machine = counter(constants=(k,), properties=(op("member", k, {0, 1}), op("less", 0, op("divide", 1, k))))
    found = explore(machine)
    assert found.initial_states == 1
    assert found.claims[ERROR].failure.message == "1 is divided by zero"


def test_properties_without_constants_have_to_hold():
    ((number, claim),) = explore(counter(properties=(op("less", 2, 1),))).claims.items()
    assert (number, trace_of(claim)) == (ERROR, [])
    assert claim.failure.message == "no values of the constants satisfy the properties"


def test_claims_are_judged_one_by_one():
    claims = [
        Claim("invariant", "a < 2", op("less", a, 2)),
        Claim("assertion", "a < 9", op("less", a, 9)),
        Claim("goal", "a = 3", op("equal", a, 3)),
        Claim("invariant", "6 / a > 0", op("less", 0, op("divide", 6, a))),
    ]
    machine = counter(operations=[INCREASE], claims=claims)
    assert judge(machine, (3,)).violated == (FIRST_PROPERTY,)
    assert judge(machine, (3,)).reached == (FIRST_PROPERTY + 2,)
    assert [each.evaluated for each in judge(machine, (0,)).failures] == [FIRST_PROPERTY + 3]
    found = explore(machine, deadlock=True)
    assert set(found.claims) == {DEADLOCK, ERROR, FIRST_PROPERTY, FIRST_PROPERTY + 2}
    assert found.claims[ERROR].failure.evaluated == FIRST_PROPERTY + 3
    assert [state for _, state in found.claims[FIRST_PROPERTY].steps] == [(0,), (1,), (2,)]
    assert violated_kinds(machine, found) == {"invariant", "goal"}
    assert explore(machine, keep_going=False).stopped == "violation"


def test_assertions_about_constants_are_judged_before_initialisation():
    claims = [Claim("assertion", "k", op("less", k, 0)), Claim("assertion", "a", op("less", a, 0))]
    machine = counter(constants=(k,), properties=(op("equal", k, 1),), claims=claims)
    assert judge(machine, (1, UNSET)).violated == (FIRST_PROPERTY,)


def test_errors_of_the_model_have_traces():
    fails = operation("fails", Demand("assertion", op("less", a, 2), SKIP))
    machine = counter(operations=[INCREASE, fails])
    ((number, claim),) = explore(machine).claims.items()
    assert number == ERROR
    assert [label.name for label, _ in trace_of(claim)] == ["INITIALISATION", "inc", "inc", "fails"]
    assert trace_of(claim)[-1][1] is None


def test_a_step_that_fails_leads_nowhere():
    machine = counter(operations=[operation("fails", put(a, op("divide", 1, a)))])
    found = explore(machine)
    assert (found.states, found.transitions, found.deadlocks) == (1, 1, 1)


def test_each_label_and_state_once():
    twice = Choose((name("c"),), op("member", name("c"), {1, 2}), put(a, 5))
    machine = counter(operations=[operation("twice", twice)])
    assert len(steps(machine, (0,))) == 1


def test_undefined_guards_disable():
    p = name("p")
    guard = also(op("member", p, {0, 1}), op("less", 0, op("divide", 1, p)))
    machine = counter(operations=[operation("op", SKIP, guard, [p])])
    assert [step.label for step in steps(machine, (0,))] == [Label("op", (1,))]


def test_variables_need_values():
    machine = counter(start=SKIP)
    (step,) = starts(machine)
    assert isinstance(step.result, Failure)
    assert step.result.kind == "unset"
    machine = counter(start=put(a, op("add", a, 1)))
    (step,) = starts(machine)
    assert isinstance(step.result, Failure)


def test_numbers_without_bounds_are_those_of_the_machine():
    """As ProB does it for constants, parameters and choices; sets have to be bounded."""
    p = name("p")
    machine = counter(operations=[operation("op", put(a, p), op("member", p, NATURAL), [p])])
    assert [step.label.arguments for step in steps(machine, (0,))] == [(0,), (1,), (2,), (3,)]
    machine = counter(operations=[operation("op", put(a, op("card", NATURAL)))])
    with pytest.raises(Unbounded):
        steps(machine, (0,))


def test_a_claim_that_tells_equivalent_states_apart():
    machine = login(2)
    first = Literal(0, machine.operations[0].results[0].type)
    claim = Claim("invariant", "first", op("not", op("member", first, machine.variables[0])))
    with pytest.raises(ContradictionError):
        explore(replace(machine, claims=(claim,)), generators(machine))


def test_limits():
    machine = counter(operations=[operation("inc", put(a, op("add", a, 1)))])
    assert explore(machine, max_states=10).stopped == "max-states"
    assert explore(machine, max_seconds=0.0).stopped == "max-seconds"
    depth_first = explore(machine, max_states=10, order="dfs")
    assert depth_first.depth == 9


def test_deep_expressions():
    total = number(0)
    for _ in range(1500):
        total = op("add", total, 1)
    assert starts(counter(start=put(a, total)))[0].result == (1500,)
    for _ in range(20_000):
        total = op("add", total, 1)
    with pytest.raises(TooLarge, match="deeply"):
        starts(counter(start=put(a, total)))
