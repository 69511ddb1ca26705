"""How B's predicates and expressions are read: every operator, what binds how strongly, every form of an atom."""

from __future__ import annotations

import pytest
from burnside.diagnostics import InputError, Source
from burnside.languages.b.parse.expressions import PRECEDENCE
from burnside.languages.b.parse.lexer import UNICODE, tokenize
from burnside.languages.b.parse.machines import parse_predicate
from burnside.languages.b.syntax import expressions as s

from tests.b_trees import expression, extents, predicate

PREDICATES = {
    # `&` and `or` bind alike, to the left.
    "a=1 & b=1 or c=1": "(((a = 1) & (b = 1)) or (c = 1))",
    "a=1 or b=1 & c=1": "(((a = 1) or (b = 1)) & (c = 1))",
    "a=1 & b=1 & c=1": "((a = 1) & (b = 1) & (c = 1))",
    "a=1 & (b=1 & c=1)": "((a = 1) & ((b = 1) & (c = 1)))",
    "a=1 => b=1 => c=1": "(((a = 1) => (b = 1)) => (c = 1))",
    "a=1 & b=1 => c=1 or d=1": "(((a = 1) & (b = 1)) => ((c = 1) or (d = 1)))",
    # `<=>` binds more strongly than `&`.
    "a=1 & b=1 <=> c=1": "((a = 1) & ((b = 1) <=> (c = 1)))",
    "a=1 <=> b=1 <=> c=1": "(((a = 1) <=> (b = 1)) <=> (c = 1))",
    "a=1 => b=1 <=> c=1": "((a = 1) => ((b = 1) <=> (c = 1)))",
    "not(a=1) & b=1": "(not((a = 1)) & (b = 1))",
    "!x.(x:S => x>0)": "Quantified<! [x] ((x : S) => (x > 0))>",
    "!(x,y).(x:S & y:S => x=y)": "Quantified<! [x y] (((x : S) & (y : S)) => (x = y))>",
    "#x,y.(x:S & y=x)": "Quantified<# [x y] ((x : S) & (y = x))>",
    "#(x).(x:S) & a=1": "(Quantified<# [x] (x : S)> & (a = 1))",
    "f : A --> B": "(f : (A --> B))",
    "x |-> y : r": "((x |-> y) : r)",
    "a..b <: S": "((a .. b) <: S)",
    "a /<: b & c /<<: d & e <<: f": "((a /<: b) & (c /<<: d) & (e <<: f))",
    "a /: b or c /= d": "((a /: b) or (c /= d))",
    "btrue & bfalse": "(btrue & bfalse)",
    "IF a=1 THEN b=1 ELSE c=1 END": "Conditional<(a = 1) (b = 1) (c = 1)>",
    "LET x BE x=1 IN x>0 END": "Let<[x:1] (x > 0)>",
    "/*@label first*/ a=1 & b=1": "(Labelled<first (a = 1)> & (b = 1))",
    # As bmoth reads it.
    "b & not(c)": "((b = TRUE) & not((c = TRUE)))",
    "f(x) or r'a": "((f@x = TRUE) or (Field<r a> = TRUE))",
}

EXPRESSIONS = {
    "a-b-c": "((a - b) - c)",
    "a+b*c": "(a + (b * c))",
    "a*b/c mod d": "(((a * b) / c) mod d)",
    "a**b**c": "(a ** (b ** c))",
    "-a**b": "(-(a) ** b)",
    "a - -b": "(a - -(b))",
    "-f(x)": "-(f@x)",
    "a..b+1": "(a .. (b + 1))",
    "a|->b..c": "(a |-> (b .. c))",
    "a|->b|->c": "((a |-> b) |-> c)",
    "(a,b,c)": "((a |-> b) |-> c)",
    "(a,(b,c))": "(a |-> (b |-> c))",
    "A\\/B/\\C": "((A \\/ B) /\\ C)",
    "A\\/B-C": "(A \\/ (B - C))",
    "A\\B\\/C": "((A \\ B) \\/ C)",
    "A*B\\/C": "((A * B) \\/ C)",
    "A-->B+->C": "((A --> B) +-> C)",
    "A*B-->C\\/D": "((A * B) --> (C \\/ D))",
    "f<+{x|->y}": "(f <+ SetDisplay<[(x |-> y)]>)",
    "S<|f|>T": "((S <| f) |> T)",
    "S<<|f|>>T": "((S <<| f) |>> T)",
    "(f;g)": "(f ; g)",
    "(f;g;h)": "((f ; g) ; h)",
    "(f||g)": "(f || g)",
    "(f;g||h)": "((f ; g) || h)",
    "f><g": "(f >< g)",
    "s^t<-x": "((s ^ t) <- x)",
    "x->s": "(x -> s)",
    "s/|\\3": "(s /|\\ 3)",
    "s\\|/3": "(s \\|/ 3)",
    "f~": "~(f)",
    "f~[S]": "Image<~(f) S>",
    "f(x)(y)": "f@x@y",
    "f(x,y)": "f@(x |-> y)",
    "f(x)[S]~": "~(Image<f@x S>)",
    "r[f;g]": "Image<r (f ; g)>",
    "(f;g)(x)": "(f ; g)@x",
    "{a|->b}(a)": "SetDisplay<[(a |-> b)]>@a",
    "r'a'b": "Field<Field<r a> b>",
    "f(x)'a": "Field<f@x a>",
    "x$0": "x$0",
    "m.x": "m.x",
    "m.n.x(1)": "m.n.x@1",
    "0x1F": "31",
    '"a\\"b"': "'a\"b'",
    "'''a\nb'''": "'a\\nb'",
    "{}": "SetDisplay<[]>",
    "{1,2}": "SetDisplay<[1 2]>",
    "{x|x:S}": "Comprehension<[x] (x : S) ->",
    "{x,y|x:S & y:S}": "Comprehension<[x y] ((x : S) & (y : S)) ->",
    "{x.x:S|x+1}": "Comprehension<[x] (x : S) (x + 1)>",
    "{x,y.(x:S & y:S)|x|->y}": "Comprehension<[x y] ((x : S) & (y : S)) (x |-> y)>",
    "{m.x,y}": "SetDisplay<[m.x y]>",
    "[]": "SequenceDisplay<[]>",
    "<>": "SequenceDisplay<[]>",
    "[1,2]": "SequenceDisplay<[1 2]>",
    "%x.(x:S|x+1)": "Collected<% [x] (x : S) (x + 1)>",
    "%(x,y).(x:S & y:S|x)": "Collected<% [x y] ((x : S) & (y : S)) x>",
    "SIGMA(x).(x:S|x)": "Collected<SIGMA [x] (x : S) x>",
    "PI(x).(x:S|x)": "Collected<PI [x] (x : S) x>",
    "UNION(x).(x:S|f(x))": "Collected<UNION [x] (x : S) f@x>",
    "INTER(x).(x:S|f(x))": "Collected<INTER [x] (x : S) f@x>",
    "bool(a=1)": "Truth<(a = 1)>",
    "rec(a:1,b:2)": "RecordDisplay<[a:1 b:2]>",
    "struct(a:S,b:T)": "RecordSet<[a:S b:T]>",
    "prj1(S,T)(x)": "(S prj1 T)@x",
    "iterate(r,2)": "(r iterate 2)",
    "succ(x)": "succ@x",
    "IF a=1 THEN 1 ELSIF a=2 THEN 2 ELSE 3 END": "Conditional<(a = 1) 1 Conditional<(a = 2) 2 3>>",
    "LET x,y BE y=2 & x=1 IN x+y END": "Let<[y:2 x:1] (x + y)>",
    "card({x|x:S})*2": "(card(Comprehension<[x] (x : S) ->) * 2)",
    "POW(S)*T": "(POW(S) * T)",
}


@pytest.mark.parametrize("text", PREDICATES)
def test_predicate(text: str) -> None:
    assert predicate(text) == PREDICATES[text]


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expression(text: str) -> None:
    assert expression(text) == EXPRESSIONS[text]


@pytest.mark.parametrize("word", sorted(s.UNARY_OPERATORS - {"-", "~"}))
def test_word_with_an_argument(word: str) -> None:
    assert expression(f"{word}(S;T)") == f"{word}((S ; T))"


@pytest.mark.parametrize("word", sorted(s.CONSTANTS))
def test_constant(word: str) -> None:
    assert expression(word) == word


@pytest.mark.parametrize("operator", sorted(s.BINARY_OPERATORS - {"prj1", "prj2", "iterate"}))
def test_operator_by_itself(operator: str) -> None:
    """Every one is read, with or without blanks around it."""
    assert expression(f"(a {operator} b)") == f"(a {operator} b)"
    assert expression(f"(A{' mod ' if operator == 'mod' else operator}B)") == f"(A {operator} B)"


@pytest.mark.parametrize("first", sorted(s.BINARY_OPERATORS - {"prj1", "prj2", "iterate"}))
def test_operators_in_a_row(first: str) -> None:
    """The stronger one first; of equals the left one, except for `**`."""
    for second in sorted(s.BINARY_OPERATORS - {"prj1", "prj2", "iterate"}):
        left_first = PRECEDENCE[first] > PRECEDENCE[second] or (
            PRECEDENCE[first] == PRECEDENCE[second] and first != "**"
        )
        expected = f"((a {first} b) {second} c)" if left_first else f"(a {first} (b {second} c))"
        assert expression(f"(a {first} b {second} c)") == expected


@pytest.mark.parametrize("operator", sorted(s.COMPARISONS))
def test_comparison(operator: str) -> None:
    assert predicate(f"a+1 {operator} b\\/c") == f"((a + 1) {operator} (b \\/ c))"


@pytest.mark.parametrize("symbol", UNICODE)
def test_unicode_means_what_ascii_means(symbol: str) -> None:
    found = tokenize(Source("m.mch", f" {symbol} x"))[0]
    assert (found.text, found.length) == (UNICODE[symbol], len(symbol))


def test_a_predicate_in_unicode() -> None:
    text = "∀x·(x∈ℕ∧x≤3⇒¬(x∉A∪B)) ∧ f∈S⇸T ∧ ∅≠{1} ∧ λx.(x∈ℤ∣x+1)=g∼"
    assert predicate(text) == predicate(
        "!x.(x:NATURAL & x<=3 => not(x/:A\\/B)) & f:S+->T & {}/={1} & %x.(x:INTEGER|x+1)=g~"
    )


def test_names_may_be_in_any_script() -> None:
    assert expression("größe + Δ₁ + `any thing`") == "((größe + Δ₁) + any thing)"


def test_comments_and_pragmas_are_left_out() -> None:
    assert expression("/* ** / */ 1 // + 2\n + /*@desc x */ 3") == "(1 + 3)"


def test_places() -> None:
    """Every tree knows exactly where it stands."""
    text = "!x.(x : S =>\n  f(x, 1) + 2 = r'a)"
    tree = parse_predicate(Source("option", text))
    places = {text[at.offset : at.offset + at.length] for at in extents(tree)}
    assert places >= {text, "x : S", "f(x, 1)", "x, 1", "f(x, 1) + 2", "r'a", "f(x, 1) + 2 = r'a"}
    assert all(at.source.name == "option" for at in extents(tree))


def test_deep_nesting_is_refused() -> None:
    deep = {
        "brackets": "(" * 10_000 + "1" + ")" * 10_000 + " = 1",
        "minus": "-" * 10_000 + "1 = 1",
        "not": "not(" * 10_000,
        "quotients": "1" + " / 1" * 10_000 + " = 1",
        "power": "1" + " ** 1" * 10_000 + " = 1",
        "implication": "1 = 1" + " => 1 = 1" * 10_000,
        "braces": "{" * 10_000,
        "sequences": "[" * 10_000,
        "calls": "f(" * 10_000,
        "applications": "f" + "(1)" * 10_000 + " = 1",
        "tuple": "(1" + ", 1" * 10_000 + ") = 1",
        "quantifiers": "!x.(" * 10_000,
        "labels": "/*@label x*/" * 10_000,
        "conditionals": "IF 1 = 1 THEN " * 10_000,
        "lets": "LET x BE x = 1 IN " * 10_000,
    }
    for text in deep.values():
        with pytest.raises(InputError, match="levels deep"):
            parse_predicate(Source("option", text))


def test_long_is_not_deep() -> None:
    assert predicate(" & ".join(["a = 1"] * 5_000)).count("a = 1") == 5_000
    assert expression("{" + ", ".join(["1"] * 5_000) + "}").count("1") == 5_000
