"""Values, types, expressions and labels in the notation of a machine."""

from __future__ import annotations

from typing import Any

import pytest
from burnside.ir.sets import expressions as e
from burnside.ir.sets import substitutions as s
from burnside.ir.sets.machine import Machine, NotationName, Operation
from burnside.ir.sets.notation import NOTATIONS, B, Z
from burnside.ir.sets.printing import as_written
from burnside.ir.sets.types import (
    BOOLEAN,
    INTEGER,
    TEXT,
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
from burnside.pipeline import check, model_of
from burnside.records import replace
from burnside.reference.sets.machines import Label, show_label
from burnside.reference.sets.values import UNSET, FreeValue, Point, RecordValue, sequence
from burnside.request import Request

NAME, DATE = (
    Sort("NAME", ("NAME1", "NAME2"), "full", "given set"),
    Sort("DATE", ("DATE1", "DATE2"), "full", "given set"),
)
N, D = Element(NAME), Element(DATE)
n1, n2 = Point("NAME", 0), Point("NAME", 1)
d1, d2 = Point("DATE", 0), Point("DATE", 1)
TREE = FreeType(
    "TREE",
    (
        Constructor("leaf"),
        Constructor("tip", N),
        Constructor("node", Pair(Recursion("TREE"), Recursion("TREE"))),
    ),
)
TRIPLE = Pair(N, Pair(D, INTEGER, is_tail=True))
RECORD = Struct((StructField("x", INTEGER), StructField("y", N)))


def pair(left: ValueType, right: ValueType) -> Pair:
    return Pair(left, right)


@pytest.mark.parametrize(
    ("value", "type_", "in_z", "in_b"),
    [
        (frozenset([n2, n1]), Set(N), "{NAME1, NAME2}", "{NAME1,NAME2}"),
        ((n1, d1), Pair(N, D), "(NAME1, DATE1)", "(NAME1|->DATE1)"),
        (frozenset([(n1, d2)]), Set(Pair(N, D)), "{NAME1 |-> DATE2}", "{(NAME1|->DATE2)}"),
        ((n1, (d1, 3)), TRIPLE, "(NAME1, DATE1, 3)", "(NAME1|->(DATE1|->3))"),
        ((n1, (d1, 3)), Pair(N, Pair(D, INTEGER)), "(NAME1, (DATE1, 3))", "(NAME1|->(DATE1|->3))"),
        (((n1, d1), 3), Pair(Pair(N, D), INTEGER), "((NAME1, DATE1), 3)", "(NAME1|->DATE1|->3)"),
        (frozenset([(n1, (d1, 3))]), Set(TRIPLE), "{(NAME1, DATE1, 3)}", "{(NAME1|->(DATE1|->3))}"),
        (
            frozenset([(n1, (d1, 3))]),
            Set(Pair(N, Pair(D, INTEGER))),
            "{NAME1 |-> (DATE1, 3)}",
            "{(NAME1|->(DATE1|->3))}",
        ),
        (sequence([n2, n1]), Set(Pair(INTEGER, N)), "<NAME2, NAME1>", "[NAME2,NAME1]"),
        (frozenset(), Set(Pair(INTEGER, N)), "{}", "{}"),
        (frozenset([(2, n1)]), Set(Pair(INTEGER, N)), "{2 |-> NAME1}", "{(2|->NAME1)}"),
        (RecordValue((1, n2)), RECORD, "<| x == 1, y == NAME2 |>", "rec(x:1,y:NAME2)"),
        (FreeValue("TREE", 0), TREE, "leaf", "leaf"),
        (FreeValue("TREE", 1, n1), TREE, "tip(NAME1)", "tip(NAME1)"),
        (
            FreeValue("TREE", 2, (FreeValue("TREE", 1, n1), FreeValue("TREE", 0))),
            TREE,
            "node(tip(NAME1), leaf)",
            "node(tip(NAME1)|->leaf)",
        ),
        (frozenset([FreeValue("TREE", 1, n1), FreeValue("TREE", 0)]), Set(TREE), "{leaf, tip(NAME1)}", "{leaf,tip(NAME1)}"),
        (True, BOOLEAN, "TRUE", "TRUE"),
        ("a", TEXT, '"a"', '"a"'),
    ],
)  # fmt: skip
def test_values(value: Any, type_: ValueType, in_z: str, in_b: str) -> None:
    assert Z.value(value, type_) == in_z
    assert B.value(value, type_) == in_b


@pytest.mark.parametrize(
    ("type_", "in_z", "in_b"),
    [
        (Set(N), "P NAME", "POW(NAME)"),
        (Set(Set(N)), "P (P NAME)", "POW(POW(NAME))"),
        (Set(Pair(N, Set(D))), "P (NAME x P DATE)", "POW(NAME * POW(DATE))"),
        (TRIPLE, "NAME x DATE x ZZ", "NAME * (DATE * INTEGER)"),
        (Pair(N, Pair(D, INTEGER)), "NAME x (DATE x ZZ)", "NAME * (DATE * INTEGER)"),
        (RECORD, "<| x: ZZ; y: NAME |>", "struct(x: INTEGER, y: NAME)"),
        (Set(TREE), "P TREE", "POW(TREE)"),
    ],
)
def test_types(type_: ValueType, in_z: str, in_b: str) -> None:
    assert (Z.type(type_), B.type(type_)) == (in_z, in_b)


known, birthday = e.Name("known", Set(N), True), e.Name("birthday", Set(Pair(N, D)), True)
name, date, found = e.Name("name?", N), e.Name("date?", D), e.Name("date!", D)
i, t = e.Name("i", INTEGER), e.Name("t", TREE)


def applied(operator: str, type_: ValueType, *arguments: e.Expression) -> e.Expression:
    return e.Apply(operator, arguments, type_)


def says(operator: str, *arguments: e.Expression) -> e.Expression:
    return applied(operator, BOOLEAN, *arguments)


def number(value: int) -> e.Expression:
    return e.Literal(value, INTEGER)


ONE_DATE = applied("set", birthday.type, e.pair(name, date))
IS_KNOWN = says("member", name, known)
OF_NAME = applied("apply", D, birthday, name)
SOME = e.Construct("node", e.pair(e.Construct("tip", name, TREE), e.Construct("leaf", None, TREE)), TREE)


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        (IS_KNOWN, "name? in known"),
        (says("not", IS_KNOWN), "name? notin known"),
        (says("implies", says("and", IS_KNOWN, IS_KNOWN), says("or", IS_KNOWN, IS_KNOWN)),
         "name? in known and name? in known => name? in known or name? in known"),
        (says("equal", OF_NAME, date), "birthday(name?) = date?"),
        (applied("union", Set(N), known, applied("set", Set(N), name)), "known union {name?}"),
        (applied("domain", Set(N), applied("override", birthday.type, birthday, ONE_DATE)),
         "dom (birthday oplus {name? |-> date?})"),
        (applied("image", Set(D), birthday, known), "birthday (| known |)"),
        (applied("inverse", Set(Pair(D, N)), birthday), "birthday~"),
        (says("less-equal", applied("card", INTEGER, known), number(3)), "#known <= 3"),
        (applied("interval", Set(INTEGER), number(1), applied("add", INTEGER, i, number(1))), "1..i + 1"),
        (applied("up-from", Set(INTEGER), number(0)), "nat"),
        (applied("power-set", Set(Set(N)), applied("all", Set(N))), "power NAME"),
        (e.Exists((i,), says("less", i, number(1))), "exists i: ZZ @ i < 1"),
        (e.Forall((i,), says("less", i, number(1)), IS_KNOWN), "forall i: ZZ | i < 1 @ name? in known"),
        (e.Comprehension((i,), says("less", i, number(1)), e.pair(i, i)), "{i: ZZ | i < 1 @ i |-> i}"),
        (e.Conditional(IS_KNOWN, OF_NAME, date), "if name? in known then birthday(name?) else date?"),
        (SOME, "node(tip(name?), leaf)"),
        (e.IsConstructed(t, "node"), "t in ran node"),
        (e.ArgumentOf(t, "tip"), "tip~(t)"),
        (applied("record", RECORD, number(1), name), "<| x == 1, y == name? |>"),
        (e.Select(e.Name("r", RECORD), "x"), "r.x"),
        (says("and"), "true"),
    ],
)  # fmt: skip
def test_expressions(expression: e.Expression, shown: str) -> None:
    assert Z.expression(expression) == shown


@pytest.mark.parametrize("operator", sorted(e.OPERATORS))
def test_every_operator_is_shown(operator: str) -> None:
    arguments = tuple(e.Name(f"a{at}", INTEGER) for at in range(max(e.OPERATORS[operator], 0) or 2))
    type_: ValueType = Struct(tuple(StructField(each.name, INTEGER) for each in arguments))
    if operator not in ("record",):
        type_ = Set(type_) if operator == "records" else Set(INTEGER)
    arguments = () if operator == "all" else arguments
    assert NOTATIONS["z"].expression(e.Apply(operator, arguments, type_))


def birthday_book(notation: NotationName) -> Machine:
    add = Operation(
        "AddBirthday",
        (replace(name, name="name?#1"), date),
        (),
        s.Assign(
            (known,),
            (applied("union", Set(N), known, applied("set", Set(N), replace(name, name="name?#1"))),),
        ),
    )
    find = Operation("FindBirthday", (name,), (found,), s.Assign((found,), (OF_NAME,)), IS_KNOWN)
    nothing = applied("set", Set(N)), applied("set", birthday.type)
    return Machine(
        "BirthdayBook",
        (NAME, DATE),
        (),
        (),
        (known, birthday),
        s.Assign((known, birthday), nothing),
        (add, find),
        notation=notation,
    )


def test_labels() -> None:
    book = birthday_book("z")
    assert show_label(book, Label("AddBirthday", (n1, d1))) == "AddBirthday(name? = NAME1, date? = DATE1)"
    assert (
        show_label(book, Label("FindBirthday", (n1,), (d2,)))
        == "FindBirthday(name? = NAME1) --> date! = DATE2"
    )
    assert (
        show_label(book, Label("FindBirthday", (n1,), (UNSET,)))
        == "FindBirthday(name? = NAME1) --> date! = ?"
    )
    assert show_label(book, Label("INITIALISATION")) == "INITIALISATION"
    book = birthday_book("b")
    assert show_label(book, Label("AddBirthday", (n1, d1))) == "AddBirthday(NAME1,DATE1)"
    assert show_label(book, Label("FindBirthday", (n1,), (d2,))) == "FindBirthday(NAME1) --> DATE2"


def test_names_are_shown_as_they_were_written() -> None:
    assert (
        as_written("name?#12 in known#3 and known'#4 = {} and date!#1")
        == "name? in known and known' = {} and date!"
    )


@pytest.mark.parametrize(
    ("notation", "message", "label"),
    [
        ("z", "birthday is applied to NAME1, which is not in its domain", "AddBirthday(name? = NAME1, date? = DATE1)"),
        ("b", "birthday is applied to NAME1, which is not in its domain", "AddBirthday(NAME1,DATE1)"),
    ],
)  # fmt: skip
def test_traces(notation: NotationName, message: str, label: str) -> None:
    outcome = check(model_of(birthday_book(notation)), Request())
    (broken,) = [each for each in outcome.properties if each.trace is not None]
    assert broken.trace is not None
    steps = [each.action for each in broken.trace.steps]
    assert label in steps
    assert message in str(broken.trace.steps[-1].failure)
