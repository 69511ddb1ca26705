"""What is written of a tree is read back as the same tree."""

from __future__ import annotations

import pytest
from burnside.diagnostics import Source
from burnside.languages.z.parse import read
from burnside.languages.z.parse.marks import TOOLKIT
from burnside.languages.z.printing import specification_text

from tests.z_trees import EVERYTHING, SCHEMAS, show


def check_round_trip(text: str) -> str:
    first = read(Source("first.tex", text))
    written = specification_text(first.specification, first.vocabulary.operators)
    second = read(Source("second.tex", written))
    shown = [show(each) for each in first.specification.paragraphs]
    assert [show(each) for each in second.specification.paragraphs] == shown
    assert second.vocabulary.operators == first.vocabulary.operators
    assert specification_text(second.specification, second.vocabulary.operators) == written
    return written


def test_every_construct() -> None:
    assert "\\begin{gendef}[X, Y]" in check_round_trip(EVERYTHING)


@pytest.mark.parametrize(
    "predicate",
    [
        "(a = b \\implies b = c) \\implies c = d",
        "a = b \\land (b = c \\land c = d)",
        "(a = b \\land b = c) \\land c = d",
        "\\lnot (\\lnot a = b \\lor b = c)",
        "(\\forall x : A @ x = b) \\land (\\exists x : B @ (\\forall S @ x = y) \\lor x = 1)",
        "(a - (b - c)) * (d + e) = a - b - c",
        "a \\cup (b \\cap c) \\cap d \\setminus (e \\setminus f) = g",
        "(A \\pfun B) \\pfun C = A \\pfun B \\pfun C",
        "(A \\cross B) \\cross (C \\pfun D) = A \\cross B \\cross C",
        "(f~a)~(f~b) = f~(f~a)",
        "(f~a)\\inv = f~(a\\inv)",
        "(f~a) \\limg b \\rimg = (f \\limg a \\rimg) \\limg b \\rimg~'",
        "\\power (\\power (\\seq A)) = \\power_1 (f~A)",
        "-(-a) = -a.x + (-a).x",
        "(\\power A).x = (a + b).x",
        "\\{ (S) \\} = \\{ S \\}",
        "\\{ (S), T \\} = \\{ S, (S \\cross T) \\}",
        "(\\LET x == 1 @ S) = (\\LET x == 1 @ x)",
        "(\\LET x == 1 @ S) \\land (\\LET x == 1 @ x = 1)",
        "(\\IF a = b \\THEN c \\ELSE d) + (\\IF a = b \\THEN c \\ELSE \\IF a = b \\THEN c \\ELSE d) = e",
        "\\langle -1, -a \\rangle = \\langle \\_ + \\_ \\bind 1, - \\bind 2 \\rangle",
        "\\pre (S) \\land \\lnot (\\pre S')",
        "(\\mu S) = (\\mu x : A | x = 1; x = 2 @ x)",
        "a = b \\land b = c \\land c = d \\land a < b = c",
        "\\disjoint (a \\cup b) \\lor a \\inrel{f'} b \\land a <' b",
        "(\\_ \\limg \\_ \\rimg)[A, B] = (\\_ \\inv) = (\\disjoint \\_) = (\\_ <_1 \\_)",
        " - ".join("abcdefghij" * 4) + " = a",
        " \\land ".join(["a = b"] * 40),
    ],
)
def test_brackets(predicate: str) -> None:
    check_round_trip(
        SCHEMAS + f"\\begin{{zed}} {predicate.replace(chr(92) + 'rimg~', chr(92) + 'rimg')} \\end{{zed}}"
    )


@pytest.mark.parametrize(
    "schema",
    [
        "(S \\semi T) \\hide (x)",
        "S \\semi (T \\hide (x, y'))",
        "S \\land (T \\lor S) \\land (S \\implies T) \\implies (T \\implies S)",
        "(S \\implies T) \\implies S",
        "\\lnot (S \\land T) \\pipe \\pre (S \\pipe (T \\pipe S))",
        "(\\exists x : A @ S) \\land (\\forall T | x = 1 @ \\lnot S)",
        "[x : A] \\project ([S; T' | S \\land x = 1; x = 2] \\iff T)",
        "G[A, \\power B][a/b, \\_ + \\_ / -]",
        "\\Delta S \\lor \\Xi T'",
    ],
)
def test_schemas(schema: str) -> None:
    check_round_trip(SCHEMAS + f"\\begin{{zed}} New[X, Y'] \\defs {schema} \\end{{zed}}")


def test_only_the_brackets_that_are_needed() -> None:
    text = "a + b * c - d = f~x~(g~y) \\land x \\in A \\cross B \\pfun C \\implies (\\forall x : A @ x = 1) \\lor y = 2"
    assert text in check_round_trip(f"\\begin{{zed}} {text} \\end{{zed}}")


def test_directives_and_templates() -> None:
    text = "\\begin{zed} \\function 42 (\\_ \\join \\_) \\\\ \\relation (odd~\\_) \\\\"
    text += " a \\join b = c \\land odd~d \\end{zed}"
    written = check_round_trip(text + "\n%%inop - 7\n%%ignore \\big\n")
    for line in ("\\function 42 (\\_ \\join \\_)", "%%prerel odd", "%%inop - 7", "%%ignore \\big"):
        assert line in written
    assert TOOLKIT["-"].priority == 30


def test_lines_that_begin_with_a_minus() -> None:
    text = "\\begin{axdef} a : A ; - : B \\where a = b ; -a = c ; (-a) = d \\end{axdef}"
    assert " ;\n  -a = c ;\n  -a = d" in check_round_trip(text)
