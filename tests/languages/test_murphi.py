"""Murphi: what real models and small texts are read as."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from burnside.diagnostics import (
    BurnsideError,
    InputError,
    Source,
    Span,
    UnsupportedError,
    UsageError,
    option_source,
)
from burnside.ir.encoding import encoded
from burnside.ir.printing import show_expression, show_program
from burnside.ir.program import Program
from burnside.ir.statements import Assign
from burnside.ir.types import show_type
from burnside.languages.murphi import MurphiModel, load, read, read_text

MODELS = Path(__file__).parents[3] / "shared" / "models" / "murphi"
RUMUR = MODELS / "rumur-tests"

REFUSED = {
    "recursion1": "recursion",
    "recursion2": "recursion",
    "recursion4": "recursion",
    "recursion5": "recursion",
    "read-slice": "no start state",
    "uint64-model": "beyond 64 bits",
}
"""What rumur reads and burnside refuses, by a word of the refusal."""

NOT_ABOUT_THE_MODEL = {"bound-illegal": "its command line is wrong, its text is right"}


def files(folder: Path) -> list[object]:
    found = sorted(folder.glob("*.m")) if folder.exists() else []
    if not found:
        return [
            pytest.param(Path(), marks=pytest.mark.skip(reason=f"../shared/models/{folder.name} is absent"))
        ]
    return [pytest.param(path, id=path.stem) for path in found]


@pytest.mark.parametrize("path", files(MODELS))
def test_real_model(path: Path) -> None:
    program = read(path)
    assert program.name == path.stem
    assert program.starts and program.actions and program.stuttering


@pytest.mark.parametrize("path", files(RUMUR))
def test_rumur(path: Path) -> None:
    """Read or rejected as the header says."""
    name, is_wrong = path.stem, "-- rumur_exit_code: 1" in path.read_text()
    if is_wrong and name not in NOT_ABOUT_THE_MODEL:
        with pytest.raises(InputError) as caught:
            read(path)
        assert caught.value.diagnostic.span is not None
        assert caught.value.diagnostic.text is not None
    elif name in REFUSED:
        with pytest.raises(BurnsideError, match=REFUSED[name]):
            read(path)
    else:
        assert read(path).starts


# Small texts

STATE = "var x: 0..3; b: boolean; "
START = "startstate begin x := 0; end; "


def program(text: str, **sizes: int) -> Program:
    return read_text(Source("m.m", text), sizes)


def body(statements: str, before: str = "") -> str:
    """What a rule with these statements looks like, without its heading."""
    shown = show_program(program(f"{STATE}{before}{START}rule begin {statements} end;"))
    lines = shown.split("action 'rule 1'()\n")[1].splitlines()
    return "\n".join(line[2:] for line in lines if line.startswith("  "))


def condition(text: str, before: str = "") -> str:
    return show_expression(
        load(Source("m.m", STATE + before + START)).condition(option_source("--find", text))
    )


def test_a_whole_program() -> None:
    text = """
    const N: 2;
    type id: scalarset(N); colour: enum { red, green };
    var a: array[id] of record c: colour; n: 0..N; end;
    startstate "zero" begin clear a; end;
    ruleset i: id; k: 1..N do
      rule "up" a[i].n < k ==> a[i].n := k; a[i].c := green; end;
      invariant "low" a[i].n <= N;
    end;
    """
    assert show_program(program(text)) == (
        "program m\n"
        "sort id (full): id_0, id_1\n"
        "sort colour (fixed): red, green\n"
        "var a: [id] {c: colour?, n: 0..2?}\n"
        "start 'zero'()\n"
        "  clear a\n"
        "action 'up'(i: id, k: 1..2)\n"
        "  when (a[i].n < k)\n"
        "  a[i].n := k\n"
        "  a[i].c := green\n"
        "invariant 'low': (forall every i: id. (forall k: 1..2. (a[i].n <= 2)))\n"
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("!x = 1", "not (x = 1)"),
        ("!b & b", "(not b and b)"),
        ("b | b & b", "(b or (b and b))"),
        ("b -> b | b", "(not b or b or b)"),
        ("b ? b : !b", "(if b then b else not b)"),
        ("x + 1 * 2 - x < 3", "(((x + 2) - x) < 3)"),
        ("-x + ~x = 0", "((-x + ~x) = 0)"),
        ("x << 1 = 2", "((x shift-left 1) = 2)"),
        ("(x & 1) = 1", "((x bit-and 1) = 1)"),
        ("(x | 1 ^ x) >= 1", "((x bit-or (1 bit-xor x)) >= 1)"),
        ("x == 1 ∧ ¬(x ≠ 1) ∨ b", "(((x = 1) and not (x != 1)) or b)"),
        ("∀ i: 0..3 do x ≥ i end", "(forall i: 0..3. (x >= i))"),
        ("exists i := 0 to x by 2 do x = i end", "(exists i: 0 to x by 2. (x = i))"),
        ("forall i: boolean; j: boolean do i = j end", "(forall i: boolean. (forall j: boolean. (i = j)))"),
        ("isundefined(x)", "not defined(x)"),
        ("x × 2 ÷ 2 − 1 ≤ 3", "((((x * 2) / 2) - 1) <= 3)"),
    ],
)
def test_expressions(text: str, shown: str) -> None:
    assert condition(text) == shown


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7 / 2", 3),
        ("-7 / 2", -3),
        ("-7 % 2", -1),
        ("7 % -2", 1),
        ("0x1F + 010 + 0b11", 42),
        ("1 << 62 >> 60", 4),
        ("1 << 128", 0),
        ("8 << -2", 2),
        ("-3 >> 1", -2),
        ("5 & 6 | 8", 12),
        ("false ? 1 : 2", 2),
        ("0 * (1 / 0)", 0),
        ("~0", -1),
    ],
)
def test_constants(text: str, value: int) -> None:
    (variable,) = program(f"const n: {text}; var y: n..n; startstate begin end;").variables
    assert show_type(variable.type) == f"{value}..{value}?"


def test_constant_parts_are_folded_without_losing_errors() -> None:
    assert condition("true & b") == "b"
    assert condition("b & false") == "(b and false)"
    assert condition("false -> 1 / 0 = 1") == "true"
    assert condition("b | 1 / 0 = 1") == "(b or ((1 / 0) = 1))"


def test_copies_keep_undefinedness_and_other_reads_do_not() -> None:
    before = "y: 0..3; z: 0..2; "
    assert body("x := y; x := z; x := y + 0;", before) == "x := y\nx := z\nx := (y + 0)"
    blocks = program(f"{STATE}{before}{START}rule begin x := y; x := z; end;").actions[0].body
    assert [type(statement).__name__ for statement in blocks] == ["Copy", "Assign"]


def test_statements() -> None:
    assert body("switch x case 0, 1: b := true; case 2: else x := 0; end;") == (
        "let switch = x\n"
        "  if ((switch = 0) or (switch = 1))\n"
        "    b := true\n"
        "  elif (switch = 2)\n"
        "  else\n"
        "    x := 0"
    )
    assert body("for i: boolean do b := i; end; for i := 3 to 0 by -1 do x := i end") == (
        "for i: boolean\n  b := i\nfor i_2: 3 to 0 by -1\n  x := i_2"
    )
    assert body("while x < 3 do x := x + 1; end; undefine b; return;") == (
        "while (x < 3) (at most 1000000 times)\n  x := (x + 1)\nundefine b\nreturn"
    )
    assert body('put "x"; put x; if b then elsif x = 1 then x := 2; end;;') == (
        "if b\nelif (x = 1)\n  x := 2"
    )


def test_aliases() -> None:
    assert body("alias y: x; z: y + 1; n: 2 do y := z + n; end;") == (
        "alias y = x\n  let z = (y + 1)\n    y := (z + 2)"
    )


def test_aliases_around_rules() -> None:
    text = f"{STATE}{START}alias y: x; z: x + 1 do rule y < z ==> y := z; end; rule y = 0 ==> b := true; end; end;"
    shown = show_program(program(text))
    assert "  when (x < (x + 1))\n  alias y = x\n    let z = (x + 1)\n      y := z\n" in shown
    assert "  when (x = 0)\n  b := true\n" in shown


def test_names_are_unique_within_a_rule() -> None:
    rule = "rule x = 1 ==> var b: 0..3; begin b := x; for x: 0..3 do b := x; end; end;"
    text = f"{STATE}{START}ruleset x: 0..1 do {rule} end;"
    shown = show_program(program(text)).split("action ")[1]
    assert shown == (
        "'rule 1'(x_2: 0..1)\n"
        "  when (x_2 = 1)\n"
        "  var b_2: 0..3?\n"
        "    b_2 := x_2\n"
        "    for x_3: 0..3\n"
        "      b_2 := x_3\n"
    )


def test_functions() -> None:
    before = (
        "type pair: record l: boolean; r: 0..3; end; var p: pair; q: pair; "
        "function id(x: 0..3): 0..3; begin return x; end; "
        "function next(n: 0..3): 0..3; begin return (n + 1) % 4; end; "
        "function swap(var a: pair): pair; var t: pair; begin t := a; undefine a; return t; end; "
        "procedure take(a: pair; c: boolean) b := a.l & c; end; "
    )
    shown = show_program(program(f"{STATE}{before}{START}"))
    assert "function id(id.x: 0..3?): 0..3?\n  return id.x\n" in shown
    assert "function next(next.n: 0..3?): 0..3\n  return 0..3(((next.n + 1) % 4))\n" in shown
    assert "function swap(var swap.a: {l: boolean?, r: 0..3?}): {l: boolean?, r: 0..3?}\n" in shown
    assert body("x := id(x); x := next(x); p := swap(q); next(x);", before) == (
        "x := id(x)\nx := next(x)\np := swap(q)\nnext(x)"
    )
    assert body("take(swap(p), UNDEFINED);", before) == (
        "var a: {l: boolean?, r: 0..3?}, c: boolean?\n  a := swap(p)\n  take(a, c)"
    )
    assert body("take(b ? p : q, true);", before) == (
        "var a: {l: boolean?, r: 0..3?}\n  if b\n    a := p\n  else\n    a := q\n  take(a, true)"
    )


def test_structured_values_in_guards_become_functions() -> None:
    text = (
        "type t: record a: boolean; end; var s: array[0..1] of t; "
        "function f(i: 0..1): t; begin return s[i]; end; "
        "startstate begin end; ruleset i: 0..1 do rule f(i) = s[0] ==> end; end;"
    )
    shown = show_program(program(text))
    name = "expression at line 1, column 152"
    assert f"function {name}({name}: i: 0..1): boolean\n" in shown
    assert f"  when {name}(i)\n" in shown


def test_multisets() -> None:
    text = (
        "var net: multiset[3] of boolean; b: boolean; startstate begin multisetadd(b, net); MultiSetAdd(true, net); end; "
        'choose m: net do rule "take" net[m] ==> b := net[m]; multisetremove(m, net); end; end; '
        "rule multisetcount(m: net, !net[m]) = 3 ==> multisetremovepred(m: net, net[m] = b); end;"
    )
    assert show_program(program(text)).split("start ")[1] == (
        "'startstate 1'()\n"
        "  add b to net\n"
        "  var entry: boolean?\n"
        "    entry := true\n"
        "    add entry to net\n"
        "action 'take'(m: positions of net)\n"
        "  when net[m]\n"
        "  b := net[m]\n"
        "  remove net[m]\n"
        "action 'rule 2'()\n"
        "  when (count(m: positions of net. not net[m]) = 3)\n"
        "  remove m_2: positions of net where (net[m_2] = b)\n"
    )


def test_unions() -> None:
    text = (
        "type a: scalarset(2); c: enum { up }; u: union { a, c }; var x: u; y: a; t: array[u] of boolean; "
        "startstate begin x := y; x := up; y := x; t[y] := true; end; rule x = y & ismember(x, a) & x != up ==> end;"
    )
    shown = show_program(program(text))
    assert "  x := a + c(y)\n  x := up\n  y := a(x)\n  t[a + c(y)] := true\n" in shown
    assert "  when ((x = a + c(y)) and (x in a) and (x != up))\n" in shown


def test_properties() -> None:
    text = (
        f"{STATE}{START}invariant b; assert x < 3 'one'; invariant \"two\" b; assume b; cover x = 1; "
        'ruleset i: 0..1 do cover "some" x = i; end; '
        'rule begin assert b; assert "named" b; assert b "behind"; error "never"; assume b; cover "seen" b; end;'
    ).replace("'", '"')
    found = program(text)
    assert [(each.kind, each.name) for each in found.properties] == [
        ("invariant", "invariant 1"),
        ("invariant", "one"),
        ("invariant", "two"),
        ("assumption", "assumption 1"),
        ("cover", "cover 1"),
        ("cover", "some"),
        ("assertion", "assertion at line 1"),
        ("assertion", "named"),
        ("assertion", "behind"),
        ("error", "never"),
        ("cover", "seen"),
    ]
    shown = show_program(found)
    assert "cover 'some': (exists i: 0..1. (x = i))\n" in shown
    assert "  assert false (property 9)\n  assume b\n  cover b (property 10)\n" in shown


def test_anonymous_types_are_named_after_what_they_belong_to() -> None:
    found = program(
        "var a: array[scalarset(2)] of enum { p, q }; r: record s: scalarset(1); end; s: scalarset(1); "
        "startstate begin end;"
    )
    assert [sort.name for sort in found.sorts] == ["a_index", "a", "s", "s_2"]
    assert found.sorts[3].elements == ("s_2_0",)


def test_words_of_one_checker_are_names_elsewhere() -> None:
    text = "var cover: boolean; union: 0..1; choose: 0..1; startstate begin cover := union = choose; assume cover; end;"
    assert "  cover := (union = choose)\n  assume cover\n" in show_program(program(text))


def test_guards_and_first_statements_are_told_apart() -> None:
    text = f"{STATE}procedure p(); begin end; {START}rule x := 1; end; rule p(); end; rule p() end; rule x = 1 ==> end;"
    assert [show_expression(action.guard) for action in program(text).actions] == ["true"] * 3 + ["(x = 1)"]


def test_rulesets_with_steps_are_an_action_for_each_value() -> None:
    text = """
        var x: 0..9;
        ruleset s := 6 to 4 by -2 do startstate "s" begin x := s; end; end;
        ruleset i := 0 to 8 by 4; j: boolean do rule "r" begin x := i; end; invariant x >= 0 | i > 0; end;
        ruleset k := 3 to 2 do rule "never" begin x := k; end; end;
    """
    program = read_text(Source("steps.m", text))
    assert [[show_type(each.type) for each in action.parameters] for action in program.actions] == [
        ["0..0", "boolean"],
        ["4..4", "boolean"],
        ["8..8", "boolean"],
    ]
    assert [[show_type(each.type) for each in start.parameters] for start in program.starts] == [
        ["6..6"],
        ["4..4"],
    ]
    assert len(program.properties) == 1


def test_spans() -> None:
    found = program(f"{STATE}{START}\n  rule begin\n    x := 1;\n  end;")
    assert found.actions[0].span == Span(2, 3, len("rule"))
    (assign,) = found.actions[0].body
    assert isinstance(assign, Assign)
    assert assign.span == Span(3, 5, len("x := 1"))


class TestSizes:
    TEXT = "const N: 3; M: N + 1; yes: true; type id: scalarset(M); var a: array[id] of 0..N; startstate begin end;"

    def test_constants_and_what_depends_on_them(self) -> None:
        found = program(self.TEXT, N=1)
        assert show_type(found.variables[0].type) == "[id] 0..1?"
        assert found.sorts[0].size == 2

    def test_scalarsets(self) -> None:
        assert program(self.TEXT, id=5).sorts[0].elements[-1] == "id_4"

    def test_capital_letters_need_not_be_right(self) -> None:
        assert program(self.TEXT, n=7, ID=2).sorts[0].size == 2

    def test_unless_two_are_meant(self) -> None:
        text = "const nn: 1; Nn: 2; var x: nn..Nn; startstate begin end;"
        with pytest.raises(UsageError, match="more than one constant or scalarset is called 'NN'"):
            program(text, NN=1)
        assert show_type(program(text, nn=0).variables[0].type) == "0..2?"

    def test_unknown(self) -> None:
        with pytest.raises(UsageError, match="no constant or scalarset is called 'k'") as caught:
            program(self.TEXT, k=1)
        assert caught.value.diagnostic.hint == "there are: N, M, yes, id"

    def test_not_a_number(self) -> None:
        with pytest.raises(UsageError, match="'yes' is no number"):
            program(self.TEXT, yes=1)

    def test_nothing_left(self) -> None:
        with pytest.raises(InputError, match="a scalarset of 0 elements"):
            program(self.TEXT, id=0)


class TestConditions:
    MODEL = (
        "const top: 3; type t: record a: boolean; end; var x: 0..top; p: t; "
        "function f(n: 0..top): boolean; begin return n = top; end; function g(): t; begin return p; end; "
        "startstate begin end;"
    )

    @pytest.fixture
    def model(self) -> MurphiModel:
        return load(Source("m.m", self.MODEL))

    def test_over_variables_constants_and_functions(self, model: MurphiModel) -> None:
        found = model.condition(option_source("--invariant", "x = top -> f(x) & p.a"))
        assert show_expression(found) == "(not (x = 3) or (f(x) and p.a))"

    def test_constant(self, model: MurphiModel) -> None:
        assert show_expression(model.condition(option_source("--find", "top = 3"))) == "true"

    @pytest.mark.parametrize(
        ("text", "message", "column"),
        [
            ("y = 1", "there is no 'y' here", 1),
            ("x + 1", "a condition must be a boolean, this is a number", 1),
            ("x = 1 x", "expected an operator or the end, found 'x'", 7),
            ("", "expected an expression, found the end of the text", 1),
        ],
    )
    def test_wrong_ones(self, model: MurphiModel, text: str, message: str, column: int) -> None:
        with pytest.raises(InputError) as caught:
            model.condition(option_source("--invariant", text))
        diagnostic = caught.value.diagnostic
        assert (diagnostic.source, diagnostic.message) == ("--invariant", message)
        assert diagnostic.span is not None and diagnostic.span.column == column

    def test_what_would_need_a_function(self, model: MurphiModel) -> None:
        with pytest.raises(UnsupportedError, match="a record that is no variable"):
            model.condition(option_source("--find", "g() = p"))
        assert len(model.program.functions) == 2 == len(model.lowering.functions)


def test_long_conjunctions_are_not_deep() -> None:
    found = condition(" & ".join(["b"] * 5000))
    assert len(re.findall("b", found)) == 5000


@pytest.mark.parametrize("inner", ["(" * 90 + "b" + ")" * 90, "!" * 90 + "b", "b = (" * 44 + "b" + ")" * 44])
def test_what_is_deep_but_allowed_goes_through_everything(inner: str) -> None:
    found = program(f"{STATE}{START}rule begin b := {inner}; end; rule {inner} ==> end; invariant {inner};")
    assert show_program(found) and encoded(found).rows
    blocks = program(f"{STATE}{START}rule begin {'if b then ' * 47}x := 1{' end' * 47}; end;")
    assert show_program(blocks) and encoded(blocks).rows
