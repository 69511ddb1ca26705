"""Conditions, as they are written on a command line: in LaTeX, in Unicode, in plain letters."""

from __future__ import annotations

import pytest
from burnside.diagnostics import InputError, Source, option_source
from burnside.languages.z.parse import Vocabulary, parse_expression, parse_predicate, read

from tests.z_trees import show

SPECIFICATION = r"""
%%inrel knows
%%inop <+> 3
\begin{zed} [NAME] \also max\_size == 3 \also x\_1 == 4 \end{zed}
\begin{schema}{Book} known : \power NAME \\ birthday : NAME \pfun \nat \\ ran : NAME \\ in\_use : NAME \end{schema}
"""
VOCABULARY = read(Source("book.tex", SPECIFICATION)).vocabulary


def predicate(text: str, vocabulary: Vocabulary = VOCABULARY) -> str:
    return show(parse_predicate(option_source("--find", text), vocabulary))


def expression(text: str) -> str:
    return show(parse_expression(option_source("--range", text), VOCABULARY))


def test_vocabulary() -> None:
    assert VOCABULARY.schemas == {"Book"}
    assert VOCABULARY.operators["knows"].kind == "relation"
    assert {"NAME", "max\\_size", "x\\_1", "known", "birthday", "ran", "in\\_use"} <= VOCABULARY.names


@pytest.mark.parametrize(
    "spellings",
    [
        ("known = \\emptyset", "known = ∅", "known = emptyset", "known=\\emptyset"),
        ("\\# known \\leq 3", "#known <= 3", "# known ≤ 3", "#known leq 3"),
        ("\\dom birthday \\subseteq known", "dom birthday subseteq known", "dom(birthday) ⊆ known"),
        ("a \\neq b \\land a \\notin known", "a /= b and a notin known", "a ≠ b ∧ a ∉ known", "a neq b & a notin known"),
        ("a = b \\land b = c", "a = b /\\ b = c", "a = b and b = c", "a = b land b = c", "a=b&b=c"),
        ("a = b \\lor b = c", "a = b \\/ b = c", "a = b or b = c", "a = b ∨ b = c"),
        ("\\lnot a \\in known", "not a in known", "¬ a ∈ known", "lnot a in known"),
        ("a = b \\implies b = c", "a = b => b = c", "a = b implies b = c", "a = b ⇒ b = c"),
        ("a = b \\iff b = c", "a = b <=> b = c", "a = b iff b = c", "a = b ⇔ b = c"),
        ("\\forall n : known @ birthday(n) > 3", "forall n : known @ birthday(n) > 3", "∀ n : known • birthday~n > 3"),
        ("\\exists_1 n : known @ n = a", "exists1 n : known @ n = a", "exists_1 n : known @ n = a", "∃₁ n : known • n = a"),
        ("birthday = \\{a \\mapsto 3\\}", "birthday = {a |-> 3}", "birthday = {a ↦ 3}", "birthday = {(a mapsto 3)}"),
        ("a \\in \\{a, b\\} \\cup \\{\\}", "a in {a, b} union {}", "a in {a,b} cup {}", "a ∈ {a, b} ∪ {}"),
        ("known \\setminus \\{a\\} = known", "known \\ {a} = known", "known ∖ {a} = known", "known setminus {a} = known"),
        ("\\{a\\} \\ndres birthday = f", "{a} <<| birthday = f", "{a} ⩤ birthday = f", "{a} ndres birthday = f"),
        ("f \\in A \\pfun B", "f in A +-> B", "f ∈ A ⇸ B", "f in A pfun B"),
        ("f \\in \\seq A", "f in seq A"),
        ("n \\in 1 \\upto 3", "n in 1..3", "n in 1 upto 3", "n ∈ 1‥3"),
        ("a = -1", "a=-1", "a = − 1"),
        ("a = b * c \\div d \\mod e - f", "a = b*c div d mod e-f"),
        ("max\\_size = x\\_1", "max_size = x_1"),
        ("y_1' = z", "y_1'=z", "y₁′ = z"),
        ("a knows b", "a~knows~b"),
        ("s = t \\cat \\langle 1, 2 \\rangle", "s = t cat ⟨1, 2⟩", "s = t ⌢ ⟨1, 2⟩"),
        ("known' = known", "known′ = known"),
        ("n? = 3", "n?=3", "n? = 3"),
        ("\\Delta Book \\lor Book", "Delta Book or Book", "ΔBook ∨ Book"),
        ("\\theta Book = \\theta Book'", "theta Book = theta Book'", "θBook = θBook'"),
        ("\\pre Book", "pre Book"),
        ("a^{3} \\limg b \\rimg = c", "a^{3} ⦇b⦈ = c", "a^{3} limg b rimg = c"),
        ("\\IF a = b \\THEN c \\ELSE d = e", "if a = b then c else d = e"),
        ("\\LET n == 3 @ n = 3", "let n == 3 @ n = 3"),
        ("(\\lambda n : \\nat @ n)~3 = 3", "(lambda n : nat @ n) 3 = 3", "(λ n : ℕ • n) 3 = 3"),
        ("a \\inrel{f} b", "a inrel{f} b"),
        ("a <+> b = c", "a<+>b=c"),
        ("a.known = b", "a.known=b"),
        ("\\{n : \\nat | n < 3 @ n\\} = a", "{n : nat | n < 3 @ n} = a"),
        ("\\{\\{\\}, \\{a\\}\\} = b", "{{},{a}} = b"),
        ("true \\lor false", "true or false"),
    ],
)  # fmt: skip
def test_spellings(spellings: tuple[str, ...]) -> None:
    first, *others = map(predicate, spellings)
    assert others == [first] * len(others)


def test_words_of_the_specification_are_names() -> None:
    assert predicate("ran = a") == "(= ran a)"
    assert predicate("dom = a") == "(= \\dom a)"
    assert predicate("in_use = a") == "(= in\\_use a)"


def test_more_names() -> None:
    vocabulary = VOCABULARY.including(["dom", "my_1"])
    assert predicate("dom = my_1", vocabulary) == "(= dom my\\_1)"
    assert predicate("dom = my_1") == "(= \\dom my_1)"


def test_subscripts() -> None:
    assert predicate("x_1 = y_1") == "(= x\\_1 y_1)"
    assert predicate("max_size_2 = nat_1") == "(= max\\_size_2 \\nat_1)"


def test_operators_of_the_specification() -> None:
    assert predicate("a <+> b * c <+> d = e") == "(= (<+> (<+> a (* b c)) d) e)"


def test_expression() -> None:
    assert expression("known") == "known"
    assert expression("{a, b} +-> 1..3") == "(\\pfun (Display set [a, b]) (\\upto 1 3))"
    assert expression("Book") == "<Book>"


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "expected a predicate, found the end"),
        ("known", 6, "expected a relation such as '=' or '\\in', found the end"),
        ("known = ", 9, "expected an expression, found the end"),
        ("known = a b", 9, "'~' is missing after 'a': two names side by side"),
        ("known' a", 1, "'~' is missing after 'known'': two names side by side"),
        ("known 3", 1, "'~' is missing after 'known': two names side by side"),
        ("a != b", 3, "'!=' is no part of Z"),
        ("a = b || c = d", 7, "expected the end, found '|'"),
        ("a = b ∧", 8, "expected a predicate, found the end"),
        ("a /\\ b", 3, "expected a relation such as '=' or '\\in', found '/\\'"),
        ("a = {b", 7, "expected '\\}' for the bracket of line 1, column 5, found the end"),
        ("a = b}", 6, "expected the end, found '}'"),
        ('a = "b"', 5, "'\"' is no part of Z"),
        ("a = b % c", 7, "'%' is no part of Z"),
        ("a = β", 5, "'β' is no part of Z"),
        ("a = 1 => forall n : nat @ n = 1", 10, "expected a predicate, found 'forall'"),
        ("a == 1", 3, "expected a relation, found '=='"),
        ("a = <1, 2>", 5, "expected an expression, found '<'"),
        ("(a = 1", 7, "expected ')' for the bracket of line 1, column 1, found the end"),
        ("a = 1) ", 6, "expected the end, found ')'"),
        ("Bok", 4, "expected a relation such as '=' or '\\in', found the end"),
    ],
)
def test_errors(text: str, column: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        predicate(text)
    diagnostic = caught.value.diagnostic
    assert diagnostic.span is not None
    assert (diagnostic.span.column, diagnostic.message) == (column, message)
    assert diagnostic.span.source == f"--find {text}"


def test_expression_with_a_predicate() -> None:
    with pytest.raises(InputError, match="expected the end, found '='"):
        expression("a = b")


def test_what_is_declared_is_not_regrouped() -> None:
    text = "%%inop \\join 3\n\\begin{schema}{S} \\_ + \\_ : A \\where true \\end{schema}"
    vocabulary = read(Source("f.tex", text)).vocabulary
    assert "+" in vocabulary.names
    sums = "+".join("a" * 34)
    assert "(+ " * 33 in predicate(f"{sums} = a", vocabulary)
    assert "(+ " * 33 not in predicate(f"{sums} = a")
