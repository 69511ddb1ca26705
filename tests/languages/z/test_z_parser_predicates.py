"""How Z's predicates and schema expressions are read."""

from __future__ import annotations

import pytest
from burnside.diagnostics import Source
from burnside.languages.z import syntax as s
from burnside.languages.z.parse import parse

from tests.z_trees import predicate, schema


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("true", "(Truth True)"),
        ("\\lnot false", "(Not (Truth False))"),
        ("a = b", "(= a b)"),
        ("a \\in b", "(\\in a b)"),
        ("a \\notin b", "(\\notin a b)"),
        ("a \\inrel{near} b", "(near a b)"),
        ("a <_1 b", "(<_1 a b)"),
        ("a < b = c \\in d", "(and (and (< a b) (= b c)) (\\in c d))"),
        ("\\disjoint a", "(PrefixRelation \\disjoint a)"),
        ("\\disjoint a \\cup b", "(PrefixRelation \\disjoint (\\cup a b))"),
        ("a + 1 \\leq b", "(\\leq (+ a 1) b)"),
        ("\\IF a = b \\THEN 1 \\ELSE 2 = c", "(= (Conditional (= a b) 1 2) c)"),
        ("a = \\IF b = c \\THEN 1 \\ELSE 2", "(= a (Conditional (= b c) 1 2))"),
        # Connectives
        ("a = 1 \\land b = 1 \\land c = 1", "(and (and (= a 1) (= b 1)) (= c 1))"),
        ("a = 1 \\lor b = 1 \\land c = 1", "(or (= a 1) (and (= b 1) (= c 1)))"),
        ("a = 1 \\implies b = 1 \\implies c = 1", "(implies (= a 1) (implies (= b 1) (= c 1)))"),
        ("a = 1 \\iff b = 1 \\iff c = 1", "(iff (iff (= a 1) (= b 1)) (= c 1))"),
        ("a = 1 \\iff b = 1 \\implies c = 1 \\lor d = 1", "(iff (= a 1) (implies (= b 1) (or (= c 1) (= d 1))))"),
        ("\\lnot a = 1 \\land b = 1", "(and (Not (= a 1)) (= b 1))"),
        ("\\lnot (a = 1 \\land b = 1)", "(Not (and (= a 1) (= b 1)))"),
        ("\\lnot \\lnot a = 1", "(Not (Not (= a 1)))"),
        # Quantifiers reach as far to the right as possible
        ("\\forall x : A @ x = 1 \\land b = 1", "(Quantified forall [x : A] (and (= x 1) (= b 1)))"),
        ("\\exists x, y : A; z : B | x = y @ x = z", "(Quantified exists [x, y : A; z : B | (= x y)] (= x z))"),
        ("\\exists_1 x : A @ \\forall y : B @ x = y", "(Quantified exists_1 [x : A] (Quantified forall [y : B] (= x y)))"),
        ("b = 1 \\land (\\exists x : A @ x = 1)", "(and (= b 1) (Quantified exists [x : A] (= x 1)))"),
        ("\\forall S @ x = y", "(Quantified forall [<S>] (= x y))"),
        ("\\forall S; z : A | z = x @ true", "(Quantified forall [<S>; z : A | (= z x)] (Truth True))"),
        ("\\LET x == 1 @ x = a \\land x = b", "(LetPredicate [(LetDefinition x 1)] (and (= x a) (= x b)))"),
        # Brackets hold an expression, a predicate or a schema
        ("(a) = b", "(= a b)"),
        ("(a + 1) * 2 = b", "(= (* (+ a 1) 2) b)"),
        ("(a = b)", "(= a b)"),
        ("((a) = (b))", "(= a b)"),
        ("(((a)) = b) \\land (c = d)", "(and (= a b) (= c d))"),
        ("(a, b) \\in c", "(\\in (Tuple [a, b]) c)"),
        ("(a \\in b \\lor c = d) \\implies (a)~b = c", "(implies (or (\\in a b) (= c d)) (= (a b) c))"),
        ("(\\lambda x : A @ x)~a = b", "(= ((Lambda [x : A] x) a) b)"),
        ("(\\forall x : A @ x = 1)", "(Quantified forall [x : A] (= x 1))"),
        ("(\\_ < \\_) = a", "(= < a)"),
        ("(-a) = b", "(= ((-) a) b)"),
        ("(\\LET x == 1 @ x) = a", "(= (Let [(LetDefinition x 1)] x) a)"),
        ("(\\LET x == 1 @ x = a)", "(LetPredicate [(LetDefinition x 1)] (= x a))"),
        # Schemas
        ("S", "<S>"),
        ("S'", "<S'>"),
        ("(S)", "<S>"),
        ("\\Delta S \\land a = b", "(and <\\Delta S> (= a b))"),
        ("S[a/x] \\lor T", "(or <S[a/x]> <T>)"),
        ("(S \\land T) \\lor S", "(or (and <S> <T>) <S>)"),
        ("S = T", "(= <S> <T>)"),
        ("S \\cup T \\subseteq T", "(\\subseteq (\\cup <S> <T>) <T>)"),
        ("(S) \\pfun T = a", "(= (\\pfun <S> <T>) a)"),
        ("\\lnot S", "(Not <S>)"),
        ("\\pre S", "(Precondition <S>)"),
        ("\\pre (S) \\land T", "(and (Precondition <S>) <T>)"),
        ("(\\LET x == 1 @ S)", "(LetPredicate [(LetDefinition x 1)] <S>)"),
        ("(\\LET x == 1 @ S) = a", "(= (Let [(LetDefinition x 1)] <S>) a)"),
        ("(\\LET x == 1 @ (\\LET y == 2 @ S)) \\land T",
         "(and (LetPredicate [(LetDefinition x 1)] (LetPredicate [(LetDefinition y 2)] <S>)) <T>)"),
        ("G[\\nat]", "<G[\\nat]>"),
    ],
)  # fmt: skip
def test_predicate(text: str, expected: str) -> None:
    assert predicate(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("S", "<S>"),
        ("(S)", "<S>"),
        ("\\Delta S", "<\\Delta S>"),
        ("S' \\land T", "(and <S'> <T>)"),
        ("[x : \\nat]", "[x : \\nat]"),
        ("[S; z : A | x = z; z > 3]", "[<S>; z : A | (= x z); (> z 3)]"),
        ("[S']", "[<S'>]"),
        ("S \\land T \\lor S", "(or (and <S> <T>) <S>)"),
        ("S \\implies T \\implies S", "(implies <S> (implies <T> <S>))"),
        ("S \\iff T", "(iff <S> <T>)"),
        ("S \\semi T \\pipe S", "(pipe (compose <S> <T>) <S>)"),
        ("S \\semi T \\semi S", "(compose (compose <S> <T>) <S>)"),
        ("S \\hide (x, y') \\land T", "(and (SchemaHide <S> [x, y']) <T>)"),
        ("S \\land T \\hide (x, y')", "(SchemaHide (and <S> <T>) [x, y'])"),
        ("S \\hide (x) \\hide (y)", "(SchemaHide (SchemaHide <S> [x]) [y])"),
        ("S \\semi T \\hide (x)", "(compose <S> (SchemaHide <T> [x]))"),
        ("S \\project T \\hide (x)", "(SchemaHide (project <S> <T>) [x])"),
        ("S \\project T \\iff S", "(project <S> (iff <T> <S>))"),
        ("\\lnot S \\land T", "(and (SchemaNot <S>) <T>)"),
        ("\\pre S \\land T", "(and (Precondition <S>) <T>)"),
        ("\\pre (S \\land T)", "(Precondition (and <S> <T>))"),
        ("\\exists x : \\nat @ S \\land T", "(SchemaQuantified exists [x : \\nat] (and <S> <T>))"),
        ("\\forall S | x = y @ T", "(SchemaQuantified forall [<S> | (= x y)] <T>)"),
        ("S \\land (\\exists_1 x : \\nat @ T)", "(and <S> (SchemaQuantified exists_1 [x : \\nat] <T>))"),
        ("G[\\nat, A][a/inside]", "<G[\\nat, A][a/inside]>"),
        ("S[\\_ + \\_ / x]", "<S[+/x]>"),
    ],
)
def test_schema(text: str, expected: str) -> None:
    assert schema(text) == expected


def test_long_conjunctions_are_shallow() -> None:
    text = predicate(" \\land ".join(f"a = {i}" for i in range(64)))
    assert text.startswith("(and (and (and (and (and (and (= a 0) (= a 1)) (and (= a 2) (= a 3)))")


def test_chains_share_their_middle() -> None:
    (found,) = parse(Source("f.tex", "\\begin{zed} a = b < c \\end{zed}")).paragraphs
    assert isinstance(found, s.Constraint)
    both = found.predicate
    assert isinstance(both, s.Connected)
    assert isinstance(both.left, s.Equality)
    assert isinstance(both.right, s.InfixRelation)
    assert both.left.right is both.right.left


def test_places() -> None:
    text = "\\begin{zed} (a + b) * c = (d) \\land x = y \\end{zed}"
    (found,) = parse(Source("f.tex", text)).paragraphs
    assert isinstance(found, s.Constraint)
    both = found.predicate
    assert isinstance(both, s.Connected)
    places = [both.at, both.left.at, both.right.at]
    assert [text[at.offset : at.end] for at in places] == [
        "(a + b) * c = (d) \\land x = y", "(a + b) * c = (d)", "x = y"
    ]  # fmt: skip
    assert isinstance(both.left, s.Equality)
    assert isinstance(both.left.left, s.Infix)
    product = both.left.left
    assert text[product.at.offset : product.at.end] == "(a + b) * c"
    assert text[product.left.at.offset : product.left.at.end] == "a + b"
