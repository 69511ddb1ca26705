"""How Z's expressions are read: what binds more tightly, what is an operator, what is a name."""

from __future__ import annotations

import pytest
from burnside.diagnostics import Source
from burnside.languages.z import syntax as s
from burnside.languages.z.parse import parse

from tests.z_trees import expression, predicate


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Infix operators: six priorities, all to the left
        ("a + b - c", "(- (+ a b) c)"),
        ("a + b * c", "(+ a (* b c))"),
        ("a * b + c", "(+ (* a b) c)"),
        ("(a + b) * c", "(* (+ a b) c)"),
        ("a \\mapsto b \\upto c + d", "(\\mapsto a (\\upto b (+ c d)))"),
        ("a \\dres b \\oplus c \\cup d", "(\\cup (\\oplus (\\dres a b) c) d)"),
        ("a \\cup b \\cap c \\setminus d", "(\\setminus (\\cup a (\\cap b c)) d)"),
        ("a \\comp b \\comp c", "(\\comp (\\comp a b) c)"),
        ("a +_1 b", "(+_1 a b)"),
        ("1..n", "(\\upto 1 n)"),
        # Generic operators and products: to the right, and flat
        ("A \\pfun B \\fun C", "(\\pfun A (\\fun B C))"),
        ("A \\cross B \\rel C \\cross D", "(\\rel (Product [A, B]) (Product [C, D]))"),
        ("A \\cross B \\cross C", "(Product [A, B, C])"),
        ("(A \\cross B) \\cross C", "(Product [(Product [A, B]), C])"),
        ("A \\cup B \\cross C", "(Product [(\\cup A B), C])"),
        ("1 \\upto 3 \\fun A", "(\\fun (\\upto 1 3) A)"),
        # Prefix operators take no application
        ("\\power A \\cup B", "(\\cup (PowerSet A) B)"),
        ("\\power (\\power A)", "(PowerSet (PowerSet A))"),
        ("\\seq A \\cross B", "(Product [(PrefixGeneric \\seq A), B])"),
        ("\\seq_1 A", "(PrefixGeneric \\seq_1 A)"),
        ("\\power_1 A", "(PrefixGeneric \\power_1 A)"),
        ("-a + b", "(+ ((-) a) b)"),
        ("a - -b", "(- a ((-) b))"),
        ("-a.x", "((-) (Selection a x))"),
        ("a \\limg b \\rimg \\cup c", "(\\cup (_(|_|) a b) c)"),
        ("a\\inv \\limg b \\cup c \\rimg", "(_(|_|) (Postfix \\inv a) (\\cup b c))"),
        ("a \\limg (\\lambda x : A @ x) \\rimg'", "(_(|_|)' a (Lambda [x : A] x))"),
        ("a \\limg \\lambda x : A @ x \\rimg", "(_(|_|) a (Lambda [x : A] x))"),
        # Application, to the left
        ("f~a~b", "((f a) b)"),
        ("f(a)(b)", "((f a) b)"),
        ("f(g~a)", "(f (g a))"),
        ("f(a, b)", "(f (Tuple [a, b]))"),
        ("f \\{a\\}", "(f (Display set [a]))"),
        ("f~a + g~b", "(+ (f a) (g b))"),
        ("\\# a + 1", "(+ (\\# a) 1)"),
        ("f~a\\inv", "(f (Postfix \\inv a))"),
        ("f~a.x", "(f (Selection a x))"),
        ("f \\theta S", "(f (Theta S  []))"),
        ("f~S", "(f <S>)"),
        # Postfix operators and selection
        ("a\\plus\\inv", "(Postfix \\inv (Postfix \\plus a))"),
        ("a.x.y'", "(Selection (Selection a x) y')"),
        ("a.(\\_ + \\_)", "(Selection a +)"),
        ("a.\\theta S", "(Selection a (Theta S  []))"),
        ("a^{2}", "((iter 2) a)"),
        ("a \\bsup n + 1 \\esup", "((iter (+ n 1)) a)"),
        ("a\\inv^{2}", "((iter 2) (Postfix \\inv a))"),
        # Operators as names
        ("(\\_ + \\_)(a, b)", "(+ (Tuple [a, b]))"),
        ("(\\_ + \\_)", "+"),
        ("(\\_ - \\_)", "-"),
        ("(-)", "(-)"),
        ("(-)~a", "((-) a)"),
        ("(- a)", "((-) a)"),
        ("(\\_ \\inv)", "\\inv"),
        ("(\\_ \\limg \\_ \\rimg')", "_(|_|)'"),
        ("(\\_ \\pfun \\_)[A, B]", "\\pfun[A, B]"),
        ("(\\_ \\leq \\_)", "\\leq"),
        ("(\\seq \\_)", "\\seq"),
        ("(\\disjoint \\_)", "\\disjoint"),
        ("(\\_ \\inrel{f} \\_)", "f"),
        # Atoms
        ("\\emptyset[A]", "\\emptyset[A]"),
        ("f[A, B \\cup C]~a", "(f[A, (\\cup B C)] a)"),
        ("(a, b, c)", "(Tuple [a, b, c])"),
        ("((a, b), c)", "(Tuple [(Tuple [a, b]), c])"),
        ("((a))", "a"),
        ("\\langle \\rangle", "(Display sequence [])"),
        ("\\langle a, b \\rangle", "(Display sequence [a, b])"),
        ("\\langle -1, a \\rangle", "(Display sequence [((-) 1), a])"),
        ("\\lbag a \\rbag", "(Display bag [a])"),
        ("\\langle x \\bind 1, y \\bind a \\rangle", "(Binding [(BindingEntry x 1), (BindingEntry y a)])"),
        ("\\langle \\_ + \\_ \\bind 1 \\rangle", "(Binding [(BindingEntry + 1)])"),
        ("\\theta S", "(Theta S  [])"),
        ("\\theta S'[a/x]", "(Theta S ' [(Rename a x)])"),
        ("\\theta \\Delta S", "(Theta \\Delta S  [])"),
        ("\\theta unknown", "(Theta unknown  [])"),
        ("S", "<S>"),
        ("S'[a/x, b/y]", "<S'[a/x, b/y]>"),
        ("G[\\nat]", "<G[\\nat]>"),
        ("G[\\nat][a/inside]", "<G[\\nat][a/inside]>"),
        ("\\Xi S", "<\\Xi S>"),
        ("S \\cross T", "(Product [<S>, <T>])"),
        ("(\\mu x : A)", "(Mu [x : A] -)"),
        ("(\\mu x : A | x > 3 @ x * x)", "(Mu [x : A | (> x 3)] (* x x))"),
        ("(\\lambda x : A; y : B | x \\in y @ x)", "(Lambda [x : A; y : B | (\\in x y)] x)"),
        ("(\\LET x == 1; y == 2 @ x + y)", "(Let [(LetDefinition x 1), (LetDefinition y 2)] (+ x y))"),
        ("\\IF a = b \\THEN 1 \\ELSE 2", "(Conditional (= a b) 1 2)"),
        ("\\IF a = b \\THEN 1 \\ELSE \\IF a = c \\THEN 2 \\ELSE 3", "(Conditional (= a b) 1 (Conditional (= a c) 2 3))"),
        ("f(\\IF a = b \\THEN 1 \\ELSE 2)", "(f (Conditional (= a b) 1 2))"),
        ("already\\_known", "already\\_known"),
    ],
)  # fmt: skip
def test_expression(text: str, expected: str) -> None:
    assert expression(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\\{ \\}", "(Display set [])"),
        ("\\{ a \\}", "(Display set [a])"),
        ("\\{ a, b, c + 1 \\}", "(Display set [a, b, (+ c 1)])"),
        ("\\{ x : A \\}", "(Comprehension [x : A] -)"),
        ("\\{ x, y : A; z : B \\}", "(Comprehension [x, y : A; z : B] -)"),
        ("\\{ x : A | x > 3 \\}", "(Comprehension [x : A | (> x 3)] -)"),
        ("\\{ x : A | x > 3; x < 5 @ x + 1 \\}", "(Comprehension [x : A | (> x 3); (< x 5)] (+ x 1))"),
        ("\\{ x : A @ (x, x) \\}", "(Comprehension [x : A] (Tuple [x, x]))"),
        ("\\{ \\_ + \\_, x' : A \\}", "(Comprehension [+, x' : A] -)"),
        ("\\{ S \\}", "(Comprehension [<S>] -)"),
        ("\\{ S | x > y \\}", "(Comprehension [<S> | (> x y)] -)"),
        ("\\{ S @ \\theta S \\}", "(Comprehension [<S>] (Theta S  []))"),
        ("\\{ S'; z : A \\}", "(Comprehension [<S'>; z : A] -)"),
        ("\\{ \\Delta S \\}", "(Comprehension [<\\Delta S>] -)"),
        ("\\{ (S) \\}", "(Display set [<S>])"),
        ("\\{ S, T \\}", "(Display set [<S>, <T>])"),
        ("\\{ S \\cup T \\}", "(Display set [(\\cup <S> <T>)])"),
        ("\\{ G[A] | inside = a \\}", "(Comprehension [<G[A]> | (= inside a)] -)"),
        ("\\{ G[\\{ G[A] \\}] \\}", "(Comprehension [<G[(Comprehension [<G[A]>] -)]>] -)"),
    ],
)
def test_set(text: str, expected: str) -> None:
    assert expression(text) == expected


def test_declared_operators() -> None:
    before = "%%inop \\join 3\n%%inop \\with 7\n%%postop \\up\n%%ingen \\to\n%%pregen \\few\n%%inop - 5\n"
    assert expression("a \\join b \\with c + d", before) == "(+ (\\join a (\\with b c)) d)"
    assert expression("a\\up \\to \\few b", before) == "(\\to (Postfix \\up a) (PrefixGeneric \\few b))"
    assert expression("a - b * c", before) == "(* (- a b) c)"


def test_long_sums_are_shallow() -> None:
    assert expression("+".join("a" * 34)).startswith("(+ (+ (+ (+ (+ a a) (+ a a))")
    differences = expression("-".join("a" * 34))
    assert differences.startswith("(- (- (- (- (- a a) (+ a a))")


def test_declared_operators_are_not_regrouped() -> None:
    sums = "+".join("a" * 34)
    assert "(+ " * 33 in predicate(f"a = {sums} \\land b = (\\_ + \\_)")
    assert "(+ " * 33 not in predicate(f"a = {sums} \\land b = (\\_ * \\_)")


@pytest.mark.parametrize("signs", ["+", "-", "+-", "-+", "+--", "-++-"])
@pytest.mark.parametrize("count", [2, 32, 33, 34, 50, 65, 200])
def test_long_sums_keep_their_value(signs: str, count: int) -> None:
    terms = "1" + "".join(f" {signs[i % len(signs)]} {i * i}" for i in range(1, count))
    (found,) = parse(Source("f.tex", f"\\begin{{zed}} a == {terms} \\end{{zed}}")).paragraphs
    assert isinstance(found, s.Abbreviation)
    assert value(found.value) == eval(terms)


def value(tree: s.Expression) -> int:
    if isinstance(tree, s.Number):
        return tree.value
    assert isinstance(tree, s.Infix)
    left, right = value(tree.left), value(tree.right)
    return left + right if tree.operator.text == "+" else left - right


def test_a_name_is_a_schema_from_its_definition_on() -> None:
    assert predicate("S = S").startswith("(= <S> <S>)")
    assert predicate("S = S", "").startswith("(= S S)")
