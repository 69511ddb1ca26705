"""Promela: what small texts are read as. Graphs are compared with Spin's in `test_promela_graphs`."""

from __future__ import annotations

from pathlib import Path

import pytest
from burnside.diagnostics import InputError, Source, Span, option_source
from burnside.languages.promela import PromelaModel, load, read_model
from burnside.languages.promela import expressions as e
from burnside.languages.promela import statements as s
from burnside.languages.promela.model import Model
from burnside.languages.promela.printing import show, show_statement
from burnside.languages.promela.types import CHAN, ArrayValues, NewChannel, ScalarType, StructType

INIT = "\ninit { skip }\n"


def read(text: str) -> Model:
    return load(Source("m.pml", text)).model


def steps(model: Model, process: str = ":init:") -> list[str]:
    return [show_statement(each.statement) for each in model.by_name[process].graph.transitions]


# The preprocessor


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#define N 3\ninit { x = N }", "x = 3"),
        ("#define ADD(a, b) a + b\ninit { x = ADD(1, ADD(2, 3)) }", "x = ((1+2)+3)"),
        ("#define F(a) a\n#define G F\ninit { x = G(4) }", "x = 4"),
        ("#define F(a) a\n#define x2 x\ninit { x2 = F\n(4) }", "x = 4"),
        ("#define CAT(a, b) a ## b\ninit { CAT(x, ) = CAT(1, 2) }", "x = 12"),
        ("#define SHOW(a) printf(#a)\ninit { SHOW(x + 1) }", "printf('x + 1')"),
        ("#define x x\ninit { x = 1 }", "x = 1"),
        ("#if 0\n'open \" text\n#elif 2 > 1 && !defined(M)\n#define N 5\n#else\n#error\n#endif\ninit { x = N }", "x = 5"),
        ("#define N 1\n#undef N\n#ifdef N\n#error no\n#endif\ninit { x = 2 }", "x = 2"),
        ("#ifndef N\n# define N \\\n 7 /* a comment */ // and another\n#endif\ninit { x = N }", "x = 7"),
        ("#line 30 \"other\"\n#pragma once\ninit { x = 'a' }", "x = 97"),
        ("#if (1 << 4) / 3 == 5 ? 1 : 0\ninit { x = 1 }\n#endif", "x = 1"),
        ("#define ALL(f, ...) f(__VA_ARGS__)\n#define SUM(a, b) a + b\ninit { x = ALL(SUM, 1, 2) }", "x = (1+2)"),
    ],
)  # fmt: skip
def test_preprocessor(text: str, expected: str) -> None:
    assert steps(read("byte x;\n" + text))[0] == expected


def test_places_in_macros_and_files(tmp_path: Path) -> None:
    """A token of a macro is at the macro's use, one of an argument at its own place, one of a file in that file."""
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "values.h").write_text("\n  byte y;\n")
    model_path = tmp_path / "m.pml"
    model_path.write_text('#include "inner/values.h"\n#define SET(v) y = v + 1\ninit {\n   SET(2)\n}\n')
    model = read_model(model_path).model
    (variable,) = model.variables
    assert variable.at.span == Span(2, 8, 1, "inner/values.h")
    statement = model.processes[0].graph.transitions[0].statement
    assert isinstance(statement, s.Assignment)
    assert statement.target.at.span == Span(4, 4, 3)
    assert isinstance(statement.value, e.Binary)
    assert statement.value.left.at.span == Span(4, 8, 1)


def test_place_of_an_inline() -> None:
    """Where its text is, as Spin's line numbers; arguments where they are written."""
    model = read("inline f(v) {\n  v = 1\n}\nbyte x;\ninit { f(x) }")
    statement = model.processes[0].graph.transitions[0].statement
    assert isinstance(statement, s.Assignment)
    assert statement.target.at.span.line == 5
    assert statement.value.at.span.line == 2


def test_temporal_operators_in_macros() -> None:
    claims = "#define always_small [](x <= 1)\n#define soon <>(x == 1)\nltl { always_small && soon }\n"
    same = "ltl { [] (x <= 1) && <>(x == 1) } ltl { (always_small) <-> (soon) }"
    shown = [formula_text(each.formula) for each in read("bit x;\n" + claims + same + INIT).claims]
    assert shown[0] == shown[1] == "(([] {(x<=1)}) && (<> {(x==1)}))"


# Declarations


def test_mtypes_are_counted_from_the_end() -> None:
    model = read("mtype = { a, b, c } mtype = { d, e } mtype:set = { red, green }" + INIT)
    assert [(each.name, dict(each.values)) for each in model.symbols] == [
        (None, {"c": 1, "b": 2, "a": 3, "e": 4, "d": 5}),
        ("set", {"green": 1, "red": 2}),
    ]


def test_types_and_initial_values() -> None:
    model = read(
        "bit b = 1; bool t; byte y[3] = 7; short s = -1; int i = 2 + 3; unsigned u : 5; pid p; mtype m; chan c;"
        "chan q[2] = [3] of { byte, chan }; byte list[4] = { 1, 2 }; hidden int h; typedef T { byte f; int g[2] } T st"
        + INIT
    )
    found = {each.name: each for each in model.variables}
    assert isinstance(found["u"].type, ScalarType) and found["u"].type.bits == 5
    assert found["y"].size == 3 and isinstance(found["y"].initial, e.Number)
    assert found["q"].size == 2 and isinstance(found["q"].initial, NewChannel)
    assert found["q"].initial.capacity == 3 and found["q"].initial.fields[1] == CHAN
    assert isinstance(found["list"].initial, ArrayValues) and found["list"].initial.values == (1, 2)
    assert found["c"].initial is None and found["h"].prefix == "hidden"
    assert isinstance(found["st"].type, StructType) and found["st"].type.fields[1].size == 2
    assert [each.name for each in model.initialised] == [
        "u", "b", "t", "y", "p", "list", "c", "q", "m", "s", "i", "h", "st",
    ]  # fmt: skip


@pytest.mark.parametrize(("bits", "signed", "value", "stored"), [
    (8, False, 256, 0), (8, False, -1, 255), (16, True, 40000, -25536), (32, True, 1 << 31, -(1 << 31)), (1, False, 3, 1),
])  # fmt: skip
def test_stored_values_wrap(bits: int, signed: bool, value: int, stored: int) -> None:
    assert ScalarType("int", bits, signed).wraps(value) == stored


def test_declarations_behind_statements_are_assignments() -> None:
    model = read("byte x; init { byte a = 3; int b = a; x = 1; byte c = x; byte d[2] }")
    assert steps(model) == ["x = 1", "c = x", "d[0] = 0", "-end-"]
    process = model.by_name[":init:"]
    assert [show(each.initial) for each in process.locals if isinstance(each.initial, e.Expression)] == [
        "3",
        "a",
    ]
    assert [each.name for each in process.locals] == ["a", "b", "c", "d"]


def test_locals_of_blocks_side_by_side() -> None:
    model = read("init { { byte t; t = 1 }; { int t; t = 2 } }")
    assert [each.unique for each in model.by_name[":init:"].locals] == ["t", "t_2"]


def test_locals_of_inlines_are_new_in_every_call() -> None:
    model = read("byte g; inline f(a) { byte t; t = a; a = t }\ninit { f(g); f(g) }")
    assert [each.unique for each in model.by_name[":init:"].locals] == ["t", "t_2"]


# Processes


def test_processes_that_start() -> None:
    model = read(
        "active [2] proctype P() { skip } proctype R() { skip } init { run R() } active proctype Q() { skip }"
    )
    assert [each.name for each in model.starting] == ["P", "P", ":init:", "Q"]


def test_missing_arguments_are_zero_and_structs_are_written_out() -> None:
    model = read(
        "typedef T { byte a; byte b } proctype P(T t; byte x) { skip } init { T t; run P(t); run P(t, 3) }"
    )
    assert steps(model)[:2] == ["(run P(t.a,t.b,0))", "(run P(t.a,t.b,3))"]


def test_priority_and_provided() -> None:
    model = read("byte x; active proctype P() priority 4 provided (x == 1) { skip } D_proctype Q() { skip }")
    first, second = model.processes
    assert (first.priority, first.is_deterministic, second.is_deterministic) == (4, False, True)
    assert first.provided is not None and show(first.provided) == "(x==1)"


def test_messages() -> None:
    model = read(
        "mtype = { m } typedef T { byte a; byte b[2] } chan q = [2] of { mtype, T };"
        "init { T t; q!m(t); q!!m, t; q?m(t); q??m, t; q?<_, t>; q?eval(t.a); q?-1 }"
    )
    shown = "t.a,t.b[0],t.b[1]"
    assert steps(model)[:7] == [
        f"q!m,{shown}", f"q!!m,{shown}", f"q?m,{shown}", f"q??m,{shown}", f"q?<_,{shown}>", "q?eval(t.a)", "q?-1",
    ]  # fmt: skip


def test_precedence() -> None:
    model = read(
        "int x; init { x = 1 | 2 ^ 3 & 4 == 5 < 6 << 7 + 8 * -9; x = !x == 1 && x || x; x = 9 - 2 - 3 / 4 % 5 }"
    )
    assert steps(model)[:3] == [
        "x = (1|(2^(3&(4==(5<(6<<(7+(8*-(9)))))))))",
        "x = (((!(x)==1)&&x)||x)",
        "x = ((9-2)-((3/4)%5))",
    ]


# Control


def test_d_step_is_one_transition_with_a_graph() -> None:
    model = read("byte x; init { d_step { x > 1 -> do :: x > 3 -> x = 0; break :: else -> x++ od; x = 5 } }")
    first, last = model.by_name[":init:"].graph.transitions
    assert isinstance(first.statement, s.DeterministicStep) and isinstance(last.statement, s.End)
    graph = first.statement.graph
    assert [(each.source, each.target, show_statement(each.statement)) for each in graph.transitions] == [
        (1, 7, "((x>1))"),
        (7, 3, "((x>3))"),
        (7, 6, "else"),
        (6, 7, "x = (x+1)"),
        (3, 10, "x = 0"),
        (10, None, "x = 5"),
    ]
    assert graph.entry == 1


def test_escapes_are_groups_in_front() -> None:
    model = read(
        "byte x; init { { { x = 1; x = 2 } unless { if :: x == 3 :: x == 4 fi } } unless { x == 5 } }"
    )
    graph = model.by_name[":init:"].graph
    found = [(show_statement(each.statement), each.escape) for each in graph.leaving(graph.entry)]
    outer, inner = found[0][1], found[1][1]
    assert found == [("((x==5))", outer), ("((x==4))", inner), ("((x==3))", inner), ("x = 1", 0)]
    assert 0 != outer != inner != 0


def test_atomic_keeps_control_but_for_its_last_statement() -> None:
    model = read("byte x; init { atomic { x = 1; x = 2; x = 3 }; x = 4 }")
    transitions = model.by_name[":init:"].graph.transitions
    assert [each.keeps_control for each in transitions] == [True, True, False, False, False]


def test_labels_and_marks() -> None:
    model = read("byte x; init { end1: x = 1; progress: M: x = 2; accept_all: x = 3 }")
    graph = model.by_name[":init:"].graph
    found = [
        (each.labels, each.is_end, each.is_progress, each.is_accepting) for each in graph.states.values()
    ]
    assert found == [
        (("end1",), True, False, False),
        (("M", "progress"), False, True, False),
        (("accept_all",), False, False, True),
        ((), True, False, False),
    ]
    assert graph.labels == {"end1": 1, "M": 2, "progress": 2, "accept_all": 3}


# Formulas and lone expressions

OWN = "byte x; chan q = [2] of { byte }; proctype P(byte k) { byte t; L: t = 1; k = 2 } init { run P(1) }"


@pytest.fixture(scope="module")
def own() -> PromelaModel:
    return load(Source("m.pml", OWN))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[] (x == 1 -> <> (x > 2))", "([] ({(x==1)} -> (<> {(x>2)})))"),
        ("always (x == 1) implies eventually x", "(([] {(x==1)}) -> (<> {x}))"),
        ("x U x == 1 || x && !x", "(({x} U {(x==1)}) || {(x&&!(x))})"),
        ("!(x V x) W X x", "((! ({x} V {x})) W (X {x}))"),
        ("P@L <-> P[1]:k == 2 && !empty(q)", "({P@L} <-> {((P[1]:k==2)&&!(empty(q)))})"),
        ("[]<>x /\\ <>[]x \\/ x release x", "((([] (<> {x})) && (<> ([] {x}))) || ({x} V {x}))"),
        ("x -> x -> x", "(({x} -> {x}) -> {x})"),
    ],
)
def test_formulas(text: str, expected: str, own: PromelaModel) -> None:
    assert formula_text(own.formula(option_source("--ltl", text))) == expected


@pytest.mark.parametrize(
    "text", ["[] x == 1", "x U", "missing", "[] (<> x + 1)", "(x -> 1 : 2)", "x x", "run P(1)"]
)
def test_formulas_that_are_none(text: str, own: PromelaModel) -> None:
    with pytest.raises(InputError):
        own.formula(option_source("--ltl", text))


def formula_text(formula: e.Formula) -> str:
    if isinstance(formula, e.Atom):
        return f"{{{show(formula.condition)}}}"
    shown = [formula_text(each) for each in formula.operands]
    return (
        f"({formula.operator} {shown[0]})"
        if len(shown) == 1
        else f"({shown[0]} {formula.operator} {shown[1]})"
    )


def test_conditions(own: PromelaModel) -> None:
    assert show(own.condition(option_source("--invariant", "x < 3 && !P[1]@L"))) == "((x<3)&&!(P[1]@L))"
    with pytest.raises(InputError, match="not declared"):
        own.condition(option_source("--invariant", "k == 1"))
    with pytest.raises(InputError, match="expected an operator or the end"):
        own.condition(option_source("--invariant", "x == 1 }"))


def test_formulas_are_read_last() -> None:
    """They may name what comes behind them, and use macros."""
    model = read(
        "#define late (y == 1)\nltl first { [] late && P@L }\nbyte y; active proctype P() { L: y = 1 }"
    )
    assert formula_text(model.claims[0].formula) == "(([] {(y==1)}) && {P@L})"
