"""Specifications with a wrong type, undeclared names and the like.

Files `types-*` under tests/rejected/z carry what is expected in their first line: `expect: line:column: message`. Lines are
those in which Spivey's type checker reports the same error.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from burnside.diagnostics import InputError, Source
from burnside.languages.shared.files import read_source
from burnside.languages.z.parse import parse
from burnside.languages.z.typing import check

REJECTED = sorted((Path(__file__).parents[2] / "rejected" / "z").glob("types-*.tex"))
EXPECT = re.compile(r"% expect: (\d+):(\d+): (.*)")


def error_of(source: Source) -> InputError:
    specification = parse(source)
    with pytest.raises(InputError) as caught:
        check(specification, source)
    return caught.value


def help_for(text: str) -> str | None:
    return error_of(Source("f.tex", text)).diagnostic.hint


def test_there_are_rejected_files() -> None:
    assert len(REJECTED) > 80


@pytest.mark.parametrize("path", REJECTED, ids=lambda path: path.stem)
def test_rejected(path: Path) -> None:
    source = read_source(path)
    expected = EXPECT.match(source.text)
    assert expected is not None
    found = error_of(source).diagnostic
    assert found.span is not None
    assert (str(found.span.line), str(found.span.column), found.message) == expected.groups()


def test_rendered() -> None:
    source = Source("f.tex", "\\begin{zed}\n  x == \\{1\\} \\cup 2\n\\end{zed}\n")
    assert str(error_of(source)) == (
        "f.tex:2:19: error: the right operand of '\\cup' has the type \\nat, expected \\power \\nat\n"
        "  2 |   x == \\{1\\} \\cup 2\n"
        "    |                   ^"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\\begin{zed} [NAME] \\\\ x == Name \\end{zed}", "did you mean 'NAME'?"),
        ("\\begin{zed} x == frist(1, 2) \\end{zed}", "did you mean 'first'?"),
        ("\\begin{zed} \\exists count : \\nat @ cuont = 1 \\end{zed}", "did you mean 'count'?"),
        ("\\begin{zed} x == later1 \\\\ later2 == 1 \\end{zed}", "did you mean 'later2'?"),
        ("\\begin{zed} x == quux \\end{zed}", None),
        ("\\begin{schema}{S} x : \\nat \\where x! = 1 \\end{schema}", "'x' is declared without decoration"),
        (
            "\\begin{schema}{S} x : \\nat \\where x' = 1 \\end{schema}",
            "'x' is declared without decoration: \\Delta of a schema declares both states",
        ),
        ("\\begin{schema}{S} \\Delta T \\end{schema}", "there is no schema 'T'"),
        (
            "\\begin{schema}{Stock} x : \\nat \\end{schema}\\begin{schema}{S} \\Xi Stok \\end{schema}",
            "did you mean 'Stock'?",
        ),
        (
            "\\begin{schema}{S} size : \\nat \\end{schema}\\begin{zed} T \\defs S[n/sise] \\end{zed}",
            "did you mean 'size'?",
        ),
        (
            "\\begin{schema}{S} size : \\nat \\end{schema}\\begin{zed} \\forall s : S @ s.siz = 1 \\end{zed}",
            "did you mean 'size'?",
        ),
        ("\\begin{zed} x == \\emptyset \\end{zed}", "write them after the name: \\emptyset[...]"),
        (
            "\\begin{axdef}\n n : \\nat \\end{axdef}\n\\begin{axdef}\n m,\n n : \\nat \\end{axdef}",
            "first at 2:2, as a constant; this is about what stands at 5:2",
        ),
        (
            "\\begin{zed} x == \\{1\\} \\cup\n 2 \\end{zed}",
            "this is about what stands at 2:2",
        ),
        (
            "\\begin{zed} \\forall n : \\nat @ 1 = n\n (n) = 2 \\end{zed}",
            "the argument is in another line: '\\\\' separates predicates; this is about what stands at 1:36",
        ),
        (
            "\\begin{zed} x == \\# \\dom \\{1 \\mapsto 2\\} \\end{zed}",
            "functions are applied from the left: f~g~x is (f~g)~x, so write f(g~x)",
        ),
        (
            "\\begin{zed} x == \\{n : \\nat @ n \\bsup 2 \\esup\\} \\end{zed}",
            "a raised number iterates a relation; numbers have no powers in the tool-kit",
        ),
    ],
)
def test_help(text: str, expected: str | None) -> None:
    assert help_for(text) == expected


def test_the_first_error_is_in_what_is_needed() -> None:
    """As the type checker, which looks at a definition where it is first used."""
    text = "\\begin{zed}\n a == c \\cup 1 \\\\\n b == 1 \\cup 2 \\\\\n c == undeclared \\end{zed}"
    found = error_of(Source("f.tex", text)).diagnostic
    assert found.span is not None
    assert found.span.line == 4


def test_large_types_are_shown_by_their_size() -> None:
    fields = "; ".join(f"x{number} : \\nat" for number in range(400))
    text = f"\\begin{{zed}} S[X] \\defs [{fields}] \\\\ \\forall s : S[\\nat] @ s = 1 \\end{{zed}}"
    assert "a type of more than 300 parts and \\nat" in str(error_of(Source("f.tex", text)))
