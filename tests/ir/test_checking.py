"""Wrong programs and machines that were built in Python are refused, each with a sentence that says what is wrong."""

from __future__ import annotations

from typing import Any

import burnside
import pytest
from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.checking import check_program
from burnside.ir.program import Action, Function, Parameter, Program, Property
from burnside.ir.sets import expressions as se
from burnside.ir.sets import substitutions as ss
from burnside.ir.sets.machine import Claim, Machine, Operation
from burnside.ir.sets.types import Set
from burnside.ir.types import (
    BOOLEAN,
    INTEGER,
    Array,
    Bag,
    Element,
    Integer,
    Optional,
    Record,
    Sort,
    Type,
    Union,
)
from burnside.ir.views import Hidden
from burnside.records import replace

S, T = Sort("S", ("a", "b"), "full", "sort"), Sort("T", ("c",), "fixed", "sort")
SMALL = Integer(0, 3)
n = e.Variable("n", SMALL, is_state=True)
b = e.Variable("b", BOOLEAN, is_state=True)
x = e.Variable("x", Element(S), is_state=True)
a = e.Variable("a", Array(Element(S), BOOLEAN), is_state=True)
bag = e.Variable("bag", Bag(Element(S), 2), is_state=True)
i, r = e.Variable("i", SMALL), e.Variable("r", SMALL)
ONE, ONE_OF_S = e.Constant(1, SMALL), e.Constant(0, Element(S))
START = Action(
    "start", (), (s.Assign(n, e.Constant(0, SMALL)), s.Clear(b), s.Assign(x, ONE_OF_S), s.Clear(a))
)
FUNCTION = Function("f", (Parameter(i, False), Parameter(r, True)), SMALL, (s.Return(e.Read(i)),))
CALL = e.Call("f", (e.Read(n), n), SMALL)
GOOD = Program(
    "good",
    (S, T),
    (n, b, x, a, bag),
    (START,),
    (Action("step", (e.Bound("p", e.All(Element(S))),), (s.Assign(n, CALL),)),),
    (Property("assertion", "asserted"), Property("invariant", "small", e.Binary("<", e.Read(n), ONE))),
    (FUNCTION,),
)


def with_body(*statements: Any) -> Program:
    return replace(GOOD, actions=(Action("step", (), statements),))


def with_test(test: Any) -> Program:
    return replace(GOOD, properties=(*GOOD.properties, Property("goal", "wanted", test)))


def with_type(type_: Any) -> Program:
    return replace(GOOD, variables=(*GOOD.variables, e.Variable("v", type_, is_state=True)))


def positions(name: str = "q") -> e.Bound:
    return e.Bound(name, e.Positions(bag))


TABLE = e.Table("t", (Element(S), SMALL), SMALL, (0, 1, None, 3) * 2)
FOUND = e.Lookup(TABLE, (e.Read(x), e.Read(n)), 0)
control = e.Variable("control", Optional(Element(S)), is_state=True)
p = e.Bound("p", e.All(Element(S)))
PROCESSES = replace(
    GOOD,
    variables=(*GOOD.variables, control),
    actions=(
        Action("work", (p,), (s.Assign(n, FOUND), s.Note(e.TRUE, 0)), actor=0, keeps_control=0),
        Action("rest", (), (s.Assign(n, e.Wrap(e.Read(n), Integer(0, 1))),), idle=True),
    ),
    control=control,
    proper_end=e.Binary("=", e.Read(n), ONE),
)


def with_lookup(lookup: e.Lookup) -> Program:
    return with_body(s.Assign(n, lookup))


def with_table(**changes: Any) -> Program:
    return with_lookup(replace(FOUND, table=replace(TABLE, **changes)))


def with_action(**changes: Any) -> Program:
    return replace(PROCESSES, actions=(replace(PROCESSES.actions[0], **changes),))


def with_control(type_: Any) -> Program:
    variable = replace(control, type=type_)
    return replace(PROCESSES, variables=(*GOOD.variables, variable), control=variable)


WRONG: dict[str, Program] = {
    "two sorts are named S": replace(GOOD, sorts=(S, S)),
    "the sort S has no elements": replace(GOOD, sorts=(replace(S, elements=()),)),
    "two elements of S have one name": replace(GOOD, sorts=(replace(S, elements=("a", "a")),)),
    "two variables are named n": replace(GOOD, variables=(n, n)),
    "two functions are named f": replace(GOOD, functions=(FUNCTION, FUNCTION)),
    "S is no sort of the program": replace(GOOD, sorts=(T,)),
    "the range 3..1 is empty": with_type(Integer(3, 1)),
    "a range has one bound": with_type(Integer(0, None)),
    "v is an integer without bounds": with_type(INTEGER),
    "the index of v is an integer without bounds": with_type(Array(INTEGER, BOOLEAN)),
    "the capacity of v is -1": with_type(Bag(BOOLEAN, -1)),
    "the capacity of v is 0": with_type(Bag(BOOLEAN, 0)),
    "v holds more than": with_type(Array(Integer(0, 2**30), BOOLEAN)),
    "v has more than 2^63 values": with_type(Integer(-(2**63), 2**63 - 1)),
    "is beyond 64 bits": with_type(Integer(0, 2**64)),
    "an Optional, which is no type": with_type(Record),
    "an Optional is no scalar type": with_type(Optional(Optional(BOOLEAN))),  # type: ignore[arg-type]
    "a union has no sorts": with_type(Union(())),
    "there is no variable nobody": with_test(e.Read(e.Variable("nobody", BOOLEAN))),
    "n has another type": with_test(e.Read(replace(n, type=BOOLEAN))),
    "the expression is 0..3, not a boolean": with_test(ONE),
    "an operand of '+' is boolean, not an integer": with_test(e.Binary("=", e.Binary("+", e.TRUE, ONE), ONE)),
    "S is compared with 0..3": with_test(e.Binary("=", ONE_OF_S, ONE)),
    "an operator is '**'": with_test(e.Binary("**", ONE, ONE)),  # type: ignore[arg-type]
    "the constant 7 is not in 0..3": with_test(e.Binary("=", e.Constant(7, SMALL), ONE)),
    "the constant 2 is not in S": with_test(e.Binary("=", e.Constant(2, Element(S)), ONE_OF_S)),
    "an index is 0..3, not S": with_test(e.Read(e.Index(a, ONE))),
    "not an array": with_test(e.Read(e.Index(n, ONE))),
    "0..3 is no bag": with_test(e.Quantified("forall", e.Bound("q", e.Positions(n)), e.TRUE)),
    "S cannot be converted to T": with_test(e.Binary("=", e.Convert(ONE_OF_S, Element(T)), ONE_OF_S)),
    "S is no union with the sort S": with_test(e.IsMember(ONE_OF_S, S)),
    "names are unique": with_test(e.Quantified("exists", e.Bound("n", e.All(BOOLEAN)), e.TRUE)),
    "entries are counted by their positions": with_test(e.Count(e.Bound("q", e.All(BOOLEAN)), e.TRUE)),  # type: ignore[arg-type]
    "there is no function g": with_body(s.CallStatement(e.Call("g", (), SMALL))),
    "f has 2 parameters and is called with 1": with_body(s.CallStatement(e.Call("f", (ONE,), SMALL))),
    "boolean is passed for i, 0..3": with_body(s.CallStatement(e.Call("f", (e.TRUE, n), SMALL))),
    "boolean is passed by reference for r": with_body(s.CallStatement(e.Call("f", (ONE, b), SMALL))),
    "a Constant is no place": with_body(s.CallStatement(e.Call("f", (ONE, ONE), SMALL))),
    "boolean is assigned to 0..3": with_body(s.Assign(n, e.TRUE)),
    "q is the name of a value": with_body(
        s.For(e.Bound("q", e.All(SMALL)), (s.Clear(e.Variable("q", SMALL)),))
    ),
    "a value is returned where there is no result": with_body(s.Return(ONE)),
    "the limit of a loop is -1": with_body(s.While(e.TRUE, (), -1)),
    "an assertion is of property 9, and there are 2": with_body(s.Assert(e.TRUE, 9)),
    "which is of the kind 'invariant'": with_body(s.Assert(e.TRUE, 1)),
    "entries are removed by their positions": with_body(s.RemoveAll(e.Bound("q", e.All(SMALL)), e.TRUE)),
    "the statements of a block are a list": with_body(s.If((), [])),  # type: ignore[arg-type]
    "a Constant is no statement": with_body(ONE),
    "the guard is 0..3": replace(GOOD, actions=(Action("step", (), (), ONE),)),
    "parameters of actions take the values of a type": replace(
        GOOD, actions=(Action("step", (e.Bound("p", e.Range(ONE, ONE)),), ()),)
    ),
    "there is no expression": replace(GOOD, properties=(Property("invariant", "empty"),)),
    "statements decide it": replace(GOOD, properties=(Property("error", "stated", e.TRUE),)),
    "the kind of a property is 'wish'": replace(GOOD, properties=(Property("wish", "w", e.TRUE),)),  # type: ignore[arg-type]
    "functions call each other in a circle": replace(
        GOOD,
        functions=(
            FUNCTION,
            Function("g", (), None, (s.CallStatement(e.Call("h", (), BOOLEAN)),)),
            Function("h", (), None, (s.CallStatement(e.Call("g", (), BOOLEAN)),)),
        ),
    ),
    "nothing is returned where the result is 0..3": replace(
        GOOD, functions=(replace(FUNCTION, body=(s.Return(),)),)
    ),
}
WRONG |= {
    "t has 2 arguments and is looked up with 1": with_lookup(replace(FOUND, arguments=(ONE_OF_S,))),
    "t is looked up with 0..3, not S": with_lookup(replace(FOUND, arguments=(ONE, ONE))),
    "a Variable is no table": with_lookup(replace(FOUND, table=n)),
    "the arguments of t are a list": with_lookup(replace(FOUND, arguments=[])),
    "the table t has 4 entries and needs 8": with_table(entries=(0,) * 4),
    "the entry 4 of t is not in 0..3": with_table(entries=(*TABLE.entries[:7], 4)),
    "an entry of t is 'one', not a whole number": with_table(entries=(*TABLE.entries[:7], "one")),
    "the entries of t are a list": with_table(entries=list(TABLE.entries)),
    "an argument of t is an integer without bounds": with_table(arguments=(INTEGER,)),
    "the table t has more than 1,048,576 entries": with_table(arguments=(Integer(0, 2**20),)),
    "an Optional is no scalar type": with_table(arguments=(Optional(SMALL),)),
    "a Record is no scalar type": with_table(result=Record(())),
    "the name of a table is 7, not a text": with_table(name=7),
    "a missing entry of t is of property 1, which is of the kind 'invariant'": with_lookup(
        replace(FOUND, property=1)
    ),
    "a missing entry of t is of property 7, and there are 2": with_lookup(replace(FOUND, property=7)),
    "0..3 is assigned to boolean": with_body(s.Assign(b, FOUND)),
    "what is wrapped is boolean, not an integer": with_body(s.Assign(n, e.Wrap(e.TRUE, SMALL))),
    "what a number is wrapped to is an integer without bounds": with_body(s.Assign(n, e.Wrap(ONE, INTEGER))),
    "a number is wrapped to boolean": with_body(s.Assign(b, e.Wrap(ONE, BOOLEAN))),  # type: ignore[arg-type]
    "what is noted is 0..3, not a boolean": with_body(s.Note(ONE, 0)),
    "a note is of property 1, which is of the kind 'invariant'": with_body(s.Note(e.TRUE, 1)),
    "limit 'stated': statements decide it": replace(
        GOOD, properties=(Property("limit", "stated", e.TRUE), *GOOD.properties)
    ),
    "the actor is parameter 1, and there are 1": with_action(actor=1),
    "the actor is 'p', not a whole number": with_action(actor="p"),
    "the actor is 0..3, not an element of a sort": with_action(
        parameters=(e.Bound("p", e.All(SMALL)),), keeps_control=None
    ),
    "the actor is T, and control is S?": with_action(parameters=(e.Bound("p", e.All(Element(T))),)),
    "what keeps control is parameter -1": with_action(keeps_control=-1),
    "a process keeps control, and the program has no variable for it": replace(PROCESSES, control=None),
    "idle is neither true nor false": with_action(idle=2),
    "counts_starts is neither true nor false": replace(PROCESSES, counts_starts="no"),  # type: ignore[arg-type]
    "the title '{0} of {1}' names more than the arguments": with_action(title="{0} of {1}"),
    "the title of an action is 3, not a text": with_action(title=3),
    "the views are a int, not a tuple": replace(PROCESSES, views=3),  # type: ignore[arg-type]
    "a Constant is no view": replace(PROCESSES, views=(ONE,)),  # type: ignore[arg-type]
    "a view is of nobody": replace(PROCESSES, views=(Hidden("nobody"),)),
    "no process acts in a start state": replace(PROCESSES, starts=(replace(START, idle=True),)),
    "the control is a Constant, not a variable": replace(PROCESSES, control=ONE),  # type: ignore[arg-type]
    "the control control is no variable of the state": replace(PROCESSES, variables=GOOD.variables),
    "the control control is S, not an element that may be undefined": with_control(Element(S)),
    "the control control is 0..3?, not an element": with_control(Optional(SMALL)),
    "action 'work': there is no variable control": with_action(body=(s.Undefine(control),)),
    "goal 'idle': there is no variable control": replace(
        PROCESSES, properties=(*GOOD.properties, Property("goal", "idle", e.IsDefined(control)))
    ),
    "the proper end: there is no variable control": replace(PROCESSES, proper_end=e.IsDefined(control)),
    "the proper end: the expression is 0..3, not a boolean": replace(PROCESSES, proper_end=ONE),
}
WRONG["a type, which is no type"] = WRONG.pop("an Optional, which is no type")


def test_a_good_program_runs() -> None:
    outcome = burnside.check(GOOD)
    assert outcome.states == burnside.check(GOOD, engine="reference").states == 1


def test_a_good_program_with_processes_is_well_formed() -> None:
    check_program(PROCESSES)
    check_program(with_control(Optional(Union((T, S)))))


@pytest.mark.parametrize("reason", WRONG)
def test_wrong_programs(reason: str) -> None:
    with pytest.raises(burnside.InputError) as error:
        burnside.check(WRONG[reason])
    assert reason in error.value.diagnostic.message
    with pytest.raises(burnside.InputError):
        burnside.symmetries(WRONG[reason])


def test_deep_programs() -> None:
    test: e.Expression = e.TRUE
    for _ in range(100_000):
        test = e.Not(test)
    with pytest.raises(burnside.InputError, match="nested too deeply"):
        burnside.check(with_test(test))


y = se.Name("y", Set(Element(S)), is_state=True)
EMPTY = se.Apply("set", (), Set(Element(S)))
MACHINE = Machine("good", (S,), (), (), (y,), ss.Assign((y,), (EMPTY,)), (Operation("op", (), (), ss.SKIP),))


def with_claim(predicate: Any) -> Machine:
    return replace(MACHINE, claims=(Claim("invariant", "claim", predicate),))


def name(text: str, type_: Any) -> se.Name:
    return se.Name(text, type_)


WRONG_MACHINES: dict[str, Machine] = {
    "two state names are alike": replace(MACHINE, variables=(y, y)),
    "S is no sort of the program": replace(MACHINE, sorts=(T,)),
    "which is no type of values": replace(MACHINE, variables=(replace(y, type=Optional(BOOLEAN)),)),  # type: ignore[arg-type]
    "a predicate is wanted": with_claim(y),
    "z is not in scope": with_claim(se.Name("z", BOOLEAN)),
    "no operator sum": with_claim(se.Apply("sum", (), BOOLEAN)),
    "not of 2 arguments": with_claim(se.Apply("not", (se.TRUE, se.TRUE), BOOLEAN)),
    "card from (BOOL) to INTEGER": with_claim(
        se.Apply("equal", (se.Apply("card", (se.TRUE,), INTEGER), se.Literal(1, INTEGER)), BOOLEAN)
    ),
    "y is bound twice": with_claim(se.Exists((name("y", BOOLEAN),), se.TRUE)),
    "5 is no S": with_claim(se.Apply("member", (se.Literal(5, Element(S)), y), BOOLEAN)),
    "no field k": with_claim(se.Select(y, "k")),
    "two operations have one name": replace(MACHINE, operations=MACHINE.operations * 2),
    "1 values for 2 names": replace(MACHINE, initialisation=ss.Assign((y, y), (EMPTY,))),
    "y is assigned a value of another type": replace(MACHINE, initialisation=ss.Assign((y,), (se.TRUE,))),
    "a Literal is no substitution": replace(MACHINE, initialisation=se.TRUE),  # type: ignore[arg-type]
    "the kind of a claim is 'wish'": replace(MACHINE, claims=(Claim("wish", "w", se.TRUE),)),  # type: ignore[arg-type]
    "MININT and MAXINT are no range": replace(MACHINE, numbers=(3, 1)),
}


def test_a_good_machine_runs() -> None:
    assert burnside.check(MACHINE).states == 1


@pytest.mark.parametrize("reason", WRONG_MACHINES)
def test_wrong_machines(reason: str) -> None:
    with pytest.raises(burnside.InputError) as error:
        burnside.check(WRONG_MACHINES[reason])
    assert reason in error.value.diagnostic.message


def test_types_are_checked_where_they_are_shared() -> None:
    """One type object may stand in many places."""
    shared: Type = Array(Element(S), Record(()))
    burnside.check(
        replace(GOOD, variables=(*GOOD.variables, *(e.Variable(each, shared, True) for each in "vw")))
    )
