"""What machines become: claims, guards, substitutions, sizes. Expressions are compared as they are printed."""

from __future__ import annotations

import pytest
from burnside.diagnostics import InputError, Source, UsageError, option_source
from burnside.ir.sets.checking import problems
from burnside.ir.sets.machine import Machine, Operation
from burnside.ir.sets.printing import show_expression
from burnside.languages.b import BModel, load

from tests.b_shown import shown


def model(text: str, **sizes: int) -> BModel:
    found = load(Source("m.mch", text), sizes)
    assert problems(found.machine) == ()
    return found


def machine(text: str, **sizes: int) -> Machine:
    return model(text, **sizes).machine


def operation(body: str, parameters: str = "") -> Operation:
    head = f"go({parameters})" if parameters else "go"
    text = f"""MACHINE m SETS S; C = {{red, green}} VARIABLES x, f, b, r
    INVARIANT x : S & f : S +-> NAT & b : BOOL & r : struct(p : NAT, q : C)
    INITIALISATION x :: S || f := {{}} || b := TRUE || r := rec(p : 0, q : red)
    OPERATIONS {head} = {body} END"""
    return machine(text).operations[0]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("f(x) := 1", "f := f <+ {x|->1}"),
        ("r'p := 1", "r := rec(p:1,q:r'q)"),
        ("x, b := x, FALSE", "x, b := x, FALSE"),
        ("x :: {x}", "any x#3: x#3 : {x}: x := x#3"),
        ("x, b :: S * BOOL", "any x#3, b#2: x#3|->b#2 : S * BOOL: x, b := x#3, b#2"),
        ("x : (x /= x$0)", "any x#3: x#3 /= x: x := x#3"),
        ("f(x) :: NAT", "any f#2: f#2 : 0..3: f := f <+ {x|->f#2}"),
        ("IF b = TRUE THEN skip END", "if[b = TRUE -> skip; else skip]"),
        ("CHOICE b := TRUE OR skip END", "select[TRUE -> b := TRUE; TRUE -> skip; else nothing]"),
        (
            "CASE r'q OF EITHER red THEN skip OR green, red THEN b := TRUE ELSE b := FALSE END END",
            "if[r'q = red -> skip; r'q : {green,red} -> b := TRUE; else b := FALSE]",
        ),
        ("LET y BE y = x IN f(y) := 1 END", "any y: y = x: f := f <+ {y|->1}"),
        ("VAR i IN i := 1; f(x) := i END", "var i: (i := 1 ; f := f <+ {x|->i})"),
        ("ASSERT b = TRUE THEN skip END", "assertion b = TRUE: skip"),
        ("b := bool(x /: dom(f))", "b := x /: dom(f)"),
        ("b := bool(f = {} & x >= x)", None),
        (
            "VAR i IN i := 3; WHILE i > 0 DO i := i - 1 INVARIANT i : NAT & f = f$0 VARIANT i END END",
            "var i: (i := 3 ; any f_before: f_before = f: while 0 < i, i : 0..3 & f = f_before, i: i := i - 1)",
        ),
    ],
)
def test_substitutions(body: str, expected: str | None) -> None:
    if expected is None:
        with pytest.raises(InputError):
            operation(body)
    else:
        assert shown(operation(body).body) == expected


@pytest.mark.parametrize(
    ("body", "guard", "left"),
    [
        ("PRE p : S & f = {} THEN x := p END", "p : S & f = {}", "x := p"),
        ("BEGIN SELECT p : S THEN x := p END END", "p : S", "x := p"),
        ("PRE p : S THEN SELECT b = TRUE THEN x := p END END", "p : S & b = TRUE", "x := p"),
        (
            "SELECT p : S THEN skip WHEN p = x THEN b := TRUE END",
            "p : S or p = x",
            "select[p : S -> skip; p = x -> b := TRUE; else nothing]",
        ),
        (
            "ANY y WHERE y : NAT & p : S & f(p) = y & b = TRUE THEN x := p END",
            "p : S",
            "any y: y : 0..3 & p : S & f(p) = y & b = TRUE: x := p",
        ),
        ("x := p || SELECT p : S THEN skip END", "p : S", "(x := p || select[p : S -> skip; else nothing])"),
        # The parameter has its own condition: nothing is tested twice.
        (
            "PRE p : S THEN SELECT p = x THEN skip WHEN p /= x THEN skip END END",
            "p : S",
            "select[p = x -> skip; p /= x -> skip; else nothing]",
        ),
        ("x := p", "TRUE", "x := p"),
    ],
)
def test_guards(body: str, guard: str, left: str) -> None:
    found = operation(body, "p")
    assert (show_expression(found.guard), shown(found.body)) == (guard, left)


def test_names_bound_in_a_repeated_guard_are_new() -> None:
    found = operation("SELECT #y.(y : S & p = y) THEN skip WHEN p = x THEN skip END", "p")
    assert show_expression(found.guard) == "#y#2.(y#2 : S & p = y#2) or p = x"


def test_claims_have_the_words_of_the_user() -> None:
    text = """MACHINE m DEFINITIONS small(v) == v < 3 & v > -1; GOAL == x = 2 VARIABLES x, y
    INVARIANT x : NAT /* a number */ & /*@label order*/ x <= y & small(y) & y : NAT
    ASSERTIONS x < 5; x < 6 & y < 6
    INITIALISATION x, y := 0, 0 END"""
    claims = [(each.kind, each.name) for each in machine(text).claims]
    assert claims == [
        ("invariant", "x : NAT"),
        ("invariant", "order"),
        ("invariant", "y < 3"),
        ("invariant", "-1 < y"),
        ("invariant", "y : NAT"),
        ("assertion", "x < 5"),
        ("assertion", "x < 6"),
        ("assertion", "y < 6"),
        ("goal", "GOAL"),
    ]


def test_local_names_are_unique() -> None:
    text = """MACHINE m VARIABLES x INVARIANT x : NAT & !y.(y : 1..2 => y > 0) INITIALISATION x := 0
    OPERATIONS y <-- go(x2) = PRE x2 : NAT & #x2.(x2 : 1..2) THEN y := {x | x : NAT} END END"""
    found = machine(text).operations[0]
    assert [each.name for each in found.parameters + found.results] == ["x2", "y#2"]
    assert show_expression(found.guard) == "x2 : 0..3 & #x2#2.(x2#2 : 1..2)"
    assert shown(found.body) == "y#2 := {x#2|x#2 : 0..3}"


def test_numbers() -> None:
    text = """MACHINE m DEFINITIONS SET_PREF_MAXINT == 7 VARIABLES x
    INVARIANT x : INT & x <= MAXINT & x : NATURAL1 & x : INTEGER & succ(x) = 1 INITIALISATION x := 0 END"""
    shown_claims = [show_expression(each.predicate) for each in machine(text, MININT=-2).claims]
    assert shown_claims == ["x : -2..7", "x <= 7", "x : NATURAL1", "x : INTEGER", "x + 1 = 1"]
    assert machine(text).numbers == (-1, 7)
    assert machine(text, MAXINT=5).numbers == (-1, 5)


# Sizes


def sizes(clauses: str, **asked: int) -> dict[str, int]:
    found = machine(
        f"MACHINE m(P, n) CONSTRAINTS n : 1..4 SETS S; T; E = {{e1, e2, e3}} {clauses} END", **asked
    )
    return {each.name: each.size for each in found.sorts}


@pytest.mark.parametrize(
    ("clauses", "asked", "expected"),
    [
        ("", {}, (2, 2, 2)),
        ("", {"P": 4, "t": 1}, (4, 2, 1)),
        ("DEFINITIONS scope_S == 4; scope_T == 2..4", {}, (2, 4, 3)),
        ("DEFINITIONS scope_S == 4", {"S": 3}, (2, 3, 2)),
        ("PROPERTIES card(S) = 3 & card(T) = card(S)", {}, (2, 3, 3)),
        ("PROPERTIES card(T) = card(E)", {}, (2, 2, 3)),
        ("CONSTANTS N PROPERTIES card(S) = 2 * N & N = 2", {}, (2, 4, 2)),
        ("CONSTANTS N PROPERTIES card(S) = N + 1 & N : 1..4", {"N": 4}, (2, 5, 2)),
        ("DEFINITIONS scope_S == 4 CONSTANTS N PROPERTIES card(S) = N & N : 1..9", {"N": 3}, (2, 3, 2)),
        ("CONSTANTS a, b, c PROPERTIES S = {a, b, c}", {}, (2, 3, 2)),
        ("PROPERTIES card(S) > 3 & card(T) < 2", {}, (2, 4, 1)),
        ("DEFINITIONS SET_PREF_DEFAULT_SETSIZE == 3", {}, (3, 3, 3)),
    ],
)
def test_sizes(clauses: str, asked: dict[str, int], expected: tuple[int, int, int]) -> None:
    found = sizes(clauses, **asked)
    assert (found["P"], found["S"], found["T"]) == expected


def test_a_size_of_nothing() -> None:
    with pytest.raises(UsageError, match="no deferred set, parameter or constant is called 'Q'"):
        sizes("", Q=3)
    with pytest.raises(UsageError, match="is called 'E'"):
        sizes("", E=3)
    with pytest.raises(UsageError, match="cannot have 0 elements"):
        sizes("", S=0)


def test_a_value_for_a_constant() -> None:
    found = machine("MACHINE m(n) CONSTRAINTS n : 1..4 CONSTANTS c PROPERTIES c = 3 & c > n END", c=4, n=2)
    assert [show_expression(each) for each in found.properties] == ["n : 1..4", "n < c", "n = 2", "c = 4"]


def test_sorts_and_names_of_elements() -> None:
    found = machine(
        "MACHINE m(P) SETS S; E = {a, b} VARIABLES S1 INVARIANT S1 : S INITIALISATION S1 :: S END"
    )
    assert [(each.name, each.elements, each.symmetry, each.origin) for each in found.sorts] == [
        ("P", ("P1", "P2"), "full", "set parameter"),
        ("S", ("S_1", "S_2"), "full", "deferred set"),
        ("E", ("a", "b"), "fixed", "enumerated set"),
    ]


# Constants that are infinite sets


def test_infinite_constants_stand_for_what_they_are() -> None:
    text = """MACHINE m CONSTANTS inc, ODD, k, table
    PROPERTIES inc : INTEGER --> INTEGER & inc = %x.(x : INTEGER | x + k) & k = 2 &
      ODD = {y | y : NATURAL & y mod 2 = 1} & table = %z.(z : NATURAL & z < 3 | z)
    VARIABLES v INVARIANT v : ODD INITIALISATION v := inc(1) END"""
    found = machine(text)
    assert [each.name for each in found.constants] == ["k", "table"]
    assert [show_expression(each) for each in found.properties] == [
        "k = 2",
        "table = %z.(z : NATURAL & z < 3|z)",
    ]
    assert shown(found.initialisation) == "v := %x.(x : INTEGER|x + k)(1)"
    assert show_expression(found.claims[0].predicate) == "v : {y|y : NATURAL & y mod 2 = 1}"


def test_a_constant_that_speaks_of_itself_stays() -> None:
    text = "MACHINE m CONSTANTS f PROPERTIES f = %x.(x : NATURAL | IF x = 0 THEN 1 ELSE x * f(x - 1) END) END"
    assert [each.name for each in machine(text).constants] == ["f"]


# Conditions


def test_conditions() -> None:
    found = model("""MACHINE m SETS S; E = {a, b} DEFINITIONS twice(n) == n + n
    VARIABLES x, y INVARIANT x : S & y : NAT INITIALISATION x :: S || y := 0 END""")
    assert (
        show_expression(found.condition(option_source("--find", "x = S2 & #z.(z : E & z = a)")))
        == "x = S2 & #z.(z : E & z = a)"
    )
    assert show_expression(found.condition(option_source("--find", "twice(y) > 2"))) == "2 < y + y"
    for text, message in (("x = 1", "must be S"), ("w = 1", "there is no 'w'"), ("y +", "expected")):
        with pytest.raises(InputError, match=message) as caught:
            found.condition(option_source("--find", text))
        assert str(caught.value).startswith("--find:1:")
    with pytest.raises(InputError, match="nothing says what type 'z' has"):
        found.condition(option_source("--find", "#z.(z = z)"))
    assert show_expression(found.condition(option_source("--find", "y = 1"))) == "y = 1"
