"""The core and the reference engine do the same, step by step, on random machines, of which many fail somewhere."""

from __future__ import annotations

import pytest
from burnside import _core
from burnside.ir.sets import expressions as e
from burnside.ir.sets import substitutions as s
from burnside.ir.sets.checking import problems
from burnside.ir.sets.machine import Claim, Machine, Operation
from burnside.ir.sets.types import BOOLEAN, INTEGER, Element, Pair, Set, Sort, ValueType
from burnside.semantics import ERROR
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.exploring import trace_lengths
from tests.machine_engines import FIRST, both, by_reference, compared, trivial_group
from tests.machine_strategies import machines

laws = settings(max_examples=25, deadline=None)


@laws
@given(machines(), machines(literals=True))
def test_random_machines_are_well_formed(one: Machine, other: Machine) -> None:
    assert problems(one) == problems(other) == ()


@laws
@given(st.booleans().flatmap(lambda literals: machines(literals=literals)))
def test_engines_take_the_same_steps(machine: Machine) -> None:
    with compared():
        found = both(machine)
        core, expected = found.starts()
        assert core == expected
        for state in found.states(FIRST):
            core, expected = found.steps(state)
            assert core == expected
            core, expected = found.judgements(state)
            assert core == expected


@laws
@given(st.booleans().flatmap(lambda literals: machines(literals=literals)))
def test_engines_count_the_same(machine: Machine) -> None:
    with compared():
        expected, core = by_reference(machine), both(machine).core
        found = _core.explore(
            core, trivial_group(machine), _core.Method("none"), _core.Settings(deadlock=True, keep_going=True)
        )
    assert (found.states, found.initial_states) == (expected.states, expected.initial_states)
    assert (found.deadlocks, found.depth) == (expected.deadlocks, expected.depth)
    assert found.firings == expected.firings
    assert trace_lengths(found) == trace_lengths(expected)
    assert found.transitions + found.initial_states == expected.transitions


# What random machines have shown.

SORT = Sort("S", ("s1", "s2"), "full", "deferred set")
MEMBER = Element(SORT)
x = e.Name("x", BOOLEAN, is_state=True)


def undefined(type_: ValueType) -> e.Expression:
    return e.Apply("first", (e.Apply("sequence", (), Set(Pair(INTEGER, type_))),), type_)


def machine_with(body: s.Substitution = s.SKIP, claim: e.Expression = e.TRUE, **more: object) -> Machine:
    start = s.Assign((x,), (e.FALSE,))
    parts = {"initialisation": start, "operations": (Operation("op", (), (), body),), **more}
    return Machine("small", (SORT,), (), (), (x,), claims=(Claim("invariant", "it", claim),), **parts)  # type: ignore[arg-type]


IMPOSSIBLE = s.Alternatives((s.Branch(e.FALSE, s.SKIP),))
FAILING = s.Assign((x,), (undefined(BOOLEAN),))


@pytest.mark.parametrize(
    "parts",
    [
        (FAILING, IMPOSSIBLE),
        (IMPOSSIBLE, FAILING),
    ],
)
def test_what_is_not_possible_does_not_fail(parts: tuple[s.Substitution, ...]) -> None:
    """In whatever order the parts are: they are no sequence."""
    found = both(machine_with(s.Parallel(parts)))
    (state,) = found.states(1)
    assert found.steps(state) == (set(), set())


def test_one_outcome_is_counted_once() -> None:
    same = s.Assign((x,), (x,))
    machine = machine_with(s.Alternatives((s.Branch(e.TRUE, s.SKIP), s.Branch(e.TRUE, same))))
    core = both(machine).core
    ((_, state),) = core.starts()
    assert state is not None and len(core.successors(state)[0]) == 1


def test_every_variable_has_a_value_after_the_initialisation() -> None:
    core, expected = both(machine_with(initialisation=s.SKIP)).starts()
    assert core == expected


q, r = e.Name("q", MEMBER), e.Name("r", MEMBER)
UNDEFINED = undefined(MEMBER)
NONE, ALL = e.Apply("set", (), Set(MEMBER)), e.Apply("all", (), Set(MEMBER))
NOWHERE = e.Apply("set", (UNDEFINED,), Set(MEMBER))
RELATION = Set(Pair(MEMBER, MEMBER))
EMPTY = e.Apply("set", (), RELATION)
HOLDS, FAILS, HAS_NO_VALUE = "holds", "fails", "has no value"


def says(operator: str, *arguments: e.Expression) -> e.Expression:
    return e.Apply(operator, arguments, BOOLEAN)


def of(operator: str, type_: ValueType, *arguments: e.Expression) -> e.Expression:
    return e.Apply(operator, arguments, type_)


IS_NOTHING, IN_NONE = says("equal", q, UNDEFINED), says("member", r, NONE)
APPLIED = says("equal", of("apply", MEMBER, EMPTY, q), q)


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        # What bounds a name is undefined.
        (e.Forall((q,), IS_NOTHING, e.TRUE), HOLDS),
        (e.Forall((q,), IS_NOTHING, e.FALSE), HAS_NO_VALUE),
        (e.Forall((q,), says("member", q, NOWHERE), e.TRUE), HOLDS),
        (e.Exists((q, r), says("and", IS_NOTHING, IN_NONE)), FAILS),
        (e.Exists((q, r), says("and", IN_NONE, IS_NOTHING)), FAILS),
        (says("equal", e.Comprehension((q, r), says("and", IS_NOTHING, IN_NONE), q), NONE), HOLDS),
        # It would be undefined for values that are not tried.
        (e.Exists((q,), APPLIED), HAS_NO_VALUE),
        (e.Exists((q,), says("and", says("member", q, NONE), APPLIED)), FAILS),
        (says("equal", e.Comprehension((q,), APPLIED, q), NONE), HAS_NO_VALUE),
        (e.Exists((q,), says("member", e.pair(q, UNDEFINED), EMPTY)), HAS_NO_VALUE),
        (e.Exists((q,), says("equal", e.pair(q, UNDEFINED), e.pair(q, q))), HAS_NO_VALUE),
        (e.Exists((q,), says("equal", of("set", Set(MEMBER), q, UNDEFINED), NONE)), HAS_NO_VALUE),
        (e.Exists((q,), says("member", e.pair(q, q), of("product", RELATION, NONE, NOWHERE))), HAS_NO_VALUE),
        # A space is built from something undefined.
        (says("member", NONE, of("power-set", Set(Set(MEMBER)), NOWHERE)), HAS_NO_VALUE),
        (says("member", NONE, of("power-set-1", Set(Set(MEMBER)), NOWHERE)), HAS_NO_VALUE),
        (says("subset", NONE, NOWHERE), HAS_NO_VALUE),
        (says("member", EMPTY, of("total-functions", Set(RELATION), ALL, NOWHERE)), HAS_NO_VALUE),
        (says("member", EMPTY, of("partial-functions", Set(RELATION), NOWHERE, ALL)), HAS_NO_VALUE),
        (e.Exists((q, r), says("member", e.pair(q, r), of("identity", RELATION, NOWHERE))), HAS_NO_VALUE),
        # One part of a disjunction is, and another holds.
        (e.Forall((q,), says("or", IS_NOTHING, says("equal", q, q)), e.FALSE), FAILS),
    ],
)
def test_undefinedness_does_not_depend_on_an_order(claim: e.Expression, expected: str) -> None:
    found = both(machine_with(claim=claim))
    (state,) = found.states(1)
    core, reference = found.judgements(state)
    words = {frozenset(): HOLDS, frozenset({ERROR}): HAS_NO_VALUE}
    assert words.get(frozenset(reference), FAILS) == expected
    assert words.get(frozenset(core), FAILS) == expected
