"""Whatever comes in, what comes out is a tree or a diagnostic with its place, never anything else.

Files `syntax-*` under tests/rejected/z carry what is expected in their first line: `expect: line:column: message`, and `-`
for the place where it is the whole file.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from burnside.diagnostics import BurnsideError, InputError, Source, UnsupportedError
from burnside.languages.shared.files import read_source
from burnside.languages.z.parse import parse, parse_predicate, read
from burnside.languages.z.printing import specification_text
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.z_trees import EVERYTHING, show

REJECTED = sorted((Path(__file__).parents[2] / "rejected" / "z").glob("syntax-*.tex"))
EXPECT = re.compile(r"% expect: (\S+): (.*)")
VOCABULARY = read(Source("own.tex", EVERYTHING)).vocabulary

bounded = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
PIECES = sorted(set(re.findall(r"\\?\w+|[^\w\s]+", EVERYTHING)))
PIECES += [
    "9" * 5000,
    *("`", "é", "\0", "∀", "ℙ₁", "′", "(((((", "\\{\\{\\{", "\\\\", "\\also", "\\t1", "\\begin{zed}", "\\end{zed}"),
    *("\\end{schema}", "\\begin{zedd}", "%%inop", "%%", "%", "\n", "\r\n", "\n%%type ", "\\vdash", "\\lblot", "\\rblot"),
    *("\\begin{zsection}", "\\relation (\\_ \\foo \\_)", "\\function", "$\"", "==", "::=", "_1", "{}", "~", " "),
]  # fmt: skip


def test_there_are_rejected_files() -> None:
    assert len(REJECTED) > 90


@pytest.mark.parametrize("path", REJECTED, ids=lambda path: path.stem)
def test_rejected_file(path: Path) -> None:
    source = read_source(path)
    expected = EXPECT.match(source.text)
    assert expected is not None, "the file does not say what is expected"
    with pytest.raises(BurnsideError) as caught:
        parse(source)
    diagnostic = caught.value.diagnostic
    span = diagnostic.span
    found = "-" if span is None else f"{span.line}:{span.column}"
    assert f"{found}: {diagnostic.message}" == f"{expected[1]}: {expected[2]}"
    assert isinstance(caught.value, UnsupportedError if "support" in diagnostic.message else InputError)
    assert span is None or "^" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("\\begin{zed} x = 1 )", "the box 'zed' of line 1 seems not to be closed"),
        ("\\begin{zed} x =-1 \\end{zed}", "'=-' is one name: write blanks between signs"),
        ("\\begin{zed} S \\land x = 1 \\end{zed}", "'S' is no schema, as far as the text above says"),
        ("\\begin{zed} T \\defs S \\end{zed}", "'S' is no schema, as far as the text above says"),
        ("\\begin{axdef} x : A \\where x == 1 \\end{axdef}", "'=' compares, '==' defines"),
        ("\\begin{zed} a = \\lambda x : A @ x \\end{zed}", "put brackets around '\\lambda ...'"),
        (
            "\\begin{zed} f~x \\limg y \\rimg = z \\end{zed}",
            "put brackets around the application: (f~x) \\limg S \\rimg",
        ),
        ("\\begin{zed}\n%%inrel foo\n[A] \\end{zed}", "the directive '%%inrel' stands outside of boxes"),
        ("\\begin{zed} a = <1> \\end{zed}", "sequences stand in '\\langle ... \\rangle'"),
        (
            "\\begin{zed} x_{1} = 2 \\end{zed}",
            "a subscript is one digit, x_1; a name may have underscores, x\\_max",
        ),
    ],
)
def test_hints(text: str, hint: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(Source("f.tex", text))
    assert caught.value.diagnostic.hint == hint


# Depth and size


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("(", ")"), ("\\{", "\\}"), ("\\langle ", "\\rangle"), ("f(", ")"), ("f[", "]"), ("S[", "]"), ("\\{ S[", "] \\}"),
        ("(\\lambda x : A @ ", ")"), ("(\\LET x == ", " @ x)"), ("\\IF a = b \\THEN ", " \\ELSE c"), ("a \\limg ", "\\rimg"),
        ("A \\pfun ", ""), ("", "\\inv"), ("", ".x"), ("", "~x"), ("", "^{2}"), ("", " \\setminus a"),
        ("(\\mu x : A | x = ", ")"), ("\\lblot x == ", "\\rblot"), ("\\langle x \\bind ", "\\rangle"),
    ],
)  # fmt: skip
def test_deep_expressions(opening: str, closing: str) -> None:
    check_deep(lambda depth: f"{opening * depth}a{closing * depth} = a")


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("(", ")"), ("\\lnot ", ""), ("\\forall x : A @ ", ""), ("\\LET x == 1 @ ", ""), ("a = b \\implies ", ""),
        ("", "\\iff a = b"), ("a = \\{ x : A | ", "\\}"),
    ],
)  # fmt: skip
def test_deep_predicates(opening: str, closing: str) -> None:
    check_deep(lambda depth: f"{opening * depth}a = a{closing * depth}")


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("(", ")"), ("\\lnot ", ""), ("\\pre ", ""), ("\\exists x : A @ ", ""), ("S \\implies ", ""), ("", "\\hide (x)"),
        ("", " \\semi S"), ("[x : \\power [x : A", "]]"),
    ],
)  # fmt: skip
def test_deep_schemas(opening: str, closing: str) -> None:
    check_deep(
        lambda depth: f"New \\defs {opening * depth}S{closing * depth}", refused_early="power" in opening
    )


def check_deep(text_of: object, refused_early: bool = False) -> None:
    """Some levels are read, a thousand are refused; nothing ends in Python's own limit."""
    assert callable(text_of)
    before = "\\begin{schema}{S} x, y : \\nat \\end{schema}"
    limit = sys.getrecursionlimit()
    if not refused_early:
        parse(Source("f.tex", f"{before} \\begin{{zed}} {text_of(22)} \\end{{zed}}"))
    for depth in (200, 5_000):
        with pytest.raises(InputError) as caught:
            parse(Source("f.tex", f"{before} \\begin{{zed}} {text_of(depth)} \\end{{zed}}"))
        assert refused_early or "more than 100 levels deep" in caught.value.diagnostic.message
    assert sys.getrecursionlimit() == limit


def test_deep_conditions() -> None:
    for text in ("(" * 500 + "a = b" + ")" * 500, "a" + ".x" * 500 + " = b"):
        with pytest.raises(InputError, match="more than 100 levels deep"):
            parse_predicate(Source("--find", text), VOCABULARY)


def test_shared_parts_are_counted() -> None:
    def nested(depth: int) -> Source:
        text = "\\{ z : A | z = " * depth + "1" + " = y \\}" * depth
        return Source("f.tex", f"\\begin{{zed}} x = {text} \\end{{zed}}")

    parse(nested(10))
    with pytest.raises(InputError, match="more than 1,000,000 parts"):
        parse(nested(25))


@pytest.mark.parametrize(
    "part",
    [
        *("[A] \\\\ ", "a = \\{ b, c \\} \\\\ ", "S \\\\ ", "a == (S, S) \\\\ ", "T \\defs S \\land S \\\\ "),
        *(
            "[x : A] \\vdash S \\\\ ",
            "S = a \\\\ ",
            "\\{ S[a] \\cup b \\} = c \\\\ ",
            "a == S \\land S \\also ",
        ),
    ],
)
def test_long_texts_take_linear_time(part: str) -> None:
    before = "\\begin{schema}{S} x : \\nat \\end{schema} \\begin{zed} "
    short, long = (
        Source("f.tex", f"{before}{part * count} S \\vdash S \\end{{zed}}") for count in (100, 1000)
    )
    assert calls(long) < 12 * calls(short)


def calls(source: Source) -> int:
    """Of functions, while a text is read."""
    count = 0

    def profile(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += 1

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        parse(source)
    finally:
        sys.setprofile(before)
    return count


def test_long_chains() -> None:
    for operator in ("+", "\\cup", "\\cross", "=", "= 1 \\land", "= 1 \\lor"):
        parse(Source("f.tex", f"\\begin{{zed}} a = {f' {operator} '.join(['a'] * 3000)} = 1 \\end{{zed}}"))


# Anything


def test_our_own_specification_is_valid() -> None:
    assert len(parse(Source("own.tex", EVERYTHING)).paragraphs) == 18


@bounded
@given(data=st.data())
def test_mutations(data: st.DataObject) -> None:
    """A few stretches of a specification replaced by pieces of it, or by anything."""
    text = EVERYTHING
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 20)))
        piece = data.draw(st.sampled_from(PIECES) | st.text(max_size=3))
        text = text[:start] + piece + text[end:]
    outcome(text)


@bounded
@given(data=st.data())
def test_swapped_words(data: st.DataObject) -> None:
    words = re.split(r"(\\?\w+)", EVERYTHING)
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(words) // 2 - 1)) * 2 + 1
        words[at] = data.draw(st.sampled_from(PIECES))
    outcome("".join(words))


@bounded
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=60))
def test_token_soup(pieces: list[str]) -> None:
    outcome("\\begin{zed} " + " ".join(pieces) + "\\end{zed}")


@bounded
@given(pieces=st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=30))
def test_condition_soup(pieces: list[str]) -> None:
    try:
        parse_predicate(Source("--find", " ".join(pieces)), VOCABULARY)
    except BurnsideError as error:
        assert str(error).startswith("--find:")


def test_truncation_anywhere() -> None:
    for end in range(0, len(EVERYTHING), 7):
        outcome(EVERYTHING[:end])


def outcome(text: str) -> None:
    try:
        found = read(Source("own.tex", text))
    except BurnsideError as error:
        assert str(error).startswith("own.tex")
        return
    written = Source("written.tex", specification_text(found.specification, found.vocabulary.operators))
    again = [show(each) for each in parse(written).paragraphs]
    assert again == [show(each) for each in found.specification.paragraphs]
