"""Tokens of Z: boxes among prose, ends of lines, directives, comments."""

from __future__ import annotations

import pytest
from burnside.diagnostics import InputError, Source
from burnside.languages.z.parse.prose import FileScanner


def tokens(text: str) -> list[str]:
    """Texts of the tokens of a file; `NL` for the end of a line."""
    scanner = FileScanner(Source("f.tex", text))
    assert scanner.error is None, str(scanner.error)
    assert scanner.tokens[-1].kind == "end"
    return ["NL" if each.kind == "newline" else each.text for each in scanner.tokens[:-1]]


def zed(text: str) -> str:
    return " ".join(tokens(f"\\begin{{zed}}{text}\\end{{zed}}")[1:-1])


def kinds(text: str, before: str = "") -> list[tuple[str, str]]:
    scanner = FileScanner(Source("f.tex", f"{before}\n\\begin{{zed}}{text}\\end{{zed}}"))
    found = [(each.kind, each.text) for each in scanner.tokens]
    return found[found.index(("begin", "zed")) + 1 : -2]


def error(text: str) -> str:
    scanner = FileScanner(Source("f.tex", text))
    assert isinstance(scanner.error, InputError)
    return scanner.error.diagnostic.message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a~b", "a b"),
        ("already\\_known", "already\\_known"),
        ("name?'~out!~x_1~S''", "name ?' out ! x _1 S ''"),
        ("x 'y", "x ' y"),
        ("\\nat_1 \\power_1 \\exists_1", "\\nat _1 \\power_1 \\exists_1"),
        ("3x", "3 x"),
        ("1..5", "1 \\upto 5"),
        ("x\\mapsto y", "x \\mapsto y"),
        ("\\{1\\}", "\\{ 1 \\}"),
        ("A ::= a | b", "A ::= a | b"),
        ("a == b", "a == b"),
        ("a=b", "a = b"),
        ("a \\mid b \\spot c", "a | b @ c"),
        ("\\_ + \\_", "\\_ + \\_"),
        ("a \\quad b \\qquad{} c", "a b c"),
        ("a \\, b\\;c\\:d\\!e\\ f & g \" h", "a b c d e f g h"),
        ("[A].", "[ A ]"),
        ("[A],\n ", "[ A ]"),
        ("a.b", "a . b"),
        ("a \\unknowncommand b", "a \\unknowncommand b"),
        ("a % b \\\\ c\n d", "a d"),
        ("a % b\n%% c", "a c"),
        ("x ∈ S ∧ ¬ y ≤ 3", "x \\in S \\land \\lnot y \\leq 3"),
        ("x′₁ ℙ₁X ∃₁", "x '_1 \\power_1 X \\exists_1"),
    ],
)  # fmt: skip
def test_tokens(text: str, expected: str) -> None:
    assert zed(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a \\\\ b", "a NL b"),
        ("a \\also b", "a NL b"),
        ("a \\\\ \\also \\\\ b", "a NL b"),
        ("a \\\\", "a"),
        ("\\\\ a", "NL a"),
        ("a = \\\\ b", "a = b"),
        ("a \\\\ = b", "a = b"),
        ("a \\cup \\\\ \\\\ b", "a \\cup b"),
        ("a \\land \\\\ b", "a \\land b"),
        ("a \\\\ \\land b", "a \\land b"),
        ("a \\implies \\\\ \\t1 b", "a \\implies b"),
        ("a \\pfun \\\\ b", "a \\pfun b"),
        ("a : \\\\ b", "a : b"),
        ("a | \\\\ b", "a | b"),
        ("a @ \\\\ b", "a @ b"),
        ("a \\\\ - b", "a - b"),
        ("a \\\\ ; b", "a ; b"),
        ("a +_1 \\\\ b", "a + _1 b"),
        ("\\disjoint \\\\ b", "\\disjoint NL b"),
        ("\\lnot \\\\ b", "\\lnot NL b"),
        ("( \\\\ a \\\\ )", "( NL a NL )"),
        ("a \\\\ '", "a NL '"),
        ("a \\\\ \\quad b", "a NL b"),
    ],
)
def test_ends_of_lines(text: str, expected: str) -> None:
    assert zed(text) == expected


def test_ends_of_lines_around_where() -> None:
    text = "\\begin{axdef} a : A \\\\ \\where \\t1 b \\\\ \\end{axdef}"
    assert tokens(text) == ["axdef", "a", ":", "A", "\\where", "b", "axdef"]


@pytest.mark.parametrize("text", ["\\t1 a", "a \\\\ \\t2 b", "a \\\\\n\\t{3} b", "a = \\\\ \\t1\\t2 b"])
def test_tabs(text: str) -> None:
    assert "\\t" not in zed(text)


@pytest.mark.parametrize("text", ["a \\t1 = b", "a =\n\\t1 b"])
def test_tabs_elsewhere(text: str) -> None:
    assert error(f"\\begin{{zed}}{text}\\end{{zed}}") == "'\\t1' is not at the start of a line"


@pytest.mark.parametrize(
    ("text", "missing"),
    [("f x", "~"), ("f' x", "~"), ("f 3", "~"), ("a\\_b x", "~"), ("f\nx", "\\\\"), ("f_1 \r\n x", "\\\\")],
)
def test_names_side_by_side(text: str, missing: str) -> None:
    assert error(f"\\begin{{zed}}{text}\\end{{zed}}").startswith(f"'{missing}' is missing after ")


@pytest.mark.parametrize("text", ["3 x", "f % \n x", "\\dom f", "f~ x", "f \\dom", "f\\ x"])
def test_names_apart(text: str) -> None:
    assert len(zed(text).split()) == 2


def test_prose_is_left_out() -> None:
    text = """
    \\documentclass{article} % \\begin{zed} [A] \\end{zed}
    $x = 1$ \\begin{center} f x `' \\% \\end{center}
    \\begin{zed} [B] \\end{zed} and \\begin{argue} c = d \\end{argue}
    """
    assert tokens(text) == ["zed", "[", "B", "]", "zed"]


def test_hidden_paragraphs() -> None:
    text = "%%\\begin{zed}\n%% [A] % comment\n%%\\end{zed}\n%% \\begin{zed} [B] \\end{zed}\n% \\begin{zed}\n %%\\begin{zed}"
    assert tokens(text) == ["zed", "[", "A", "]", "zed", "zed", "[", "B", "]", "zed"]


def test_unchecked_boxes() -> None:
    text = "%%unchecked\n\\begin{zed} f x `\n% \\end{zed}\n%%\\end{axdef}\n\\begin{zed} [A] \\end{zed}"
    assert tokens(text) == ["zed", "[", "A", "]", "zed"]


def test_line_ends_of_other_systems() -> None:
    assert tokens("\\begin{zed}\r\n [A] \\\\\r\n [B]\r\n\\end{zed}\r\n") == [
        *("zed", "[", "A", "]", "NL"),
        *("[", "B", "]", "zed"),
    ]


def test_directives() -> None:
    before = "%%inop \\foo + 5\n%%inrel knows % who\n"
    before += "%%postop \\up\n%%prerel odd\n%%ingen \\to\n%%pregen \\few\n%%ignore \\big"
    text = "\\foo knows~\\up~odd~\\to \\few \\big + - \\cup"
    assert kinds(text, before) == [
        ("infix", "\\foo"), ("relation", "knows"), ("postfix", "\\up"), ("prefix relation", "odd"), ("generic", "\\to"),
        ("prefix generic", "\\few"), ("infix", "+"), ("minus", "-"), ("infix", "\\cup"),
    ]  # fmt: skip
    scanner = FileScanner(Source("f.tex", before))
    assert scanner.operators["\\foo"].priority == scanner.operators["\\oplus"].priority
    assert scanner.operators["+"].priority > scanner.operators["\\cup"].priority


def test_directives_take_effect_from_there_on() -> None:
    text = "\\begin{zed} a~knows~b \\end{zed}\n%%inrel knows\n\\begin{zed} a knows b \\end{zed}"
    scanner = FileScanner(Source("f.tex", text))
    assert error(text.replace("~", " ")) == "'~' is missing after 'a': two names side by side"
    assert [each.kind for each in scanner.tokens if each.text == "knows"] == ["word"]
    assert scanner.error is not None, "two names side by side, even if one is an operator"


def test_directives_without_effect() -> None:
    text = '%%pname \\foo $"f o o"\n%%line 3 $"g.tex"\n%%debug $"x"\n\\begin{zed} [A] \\end{zed}'
    assert tokens(text) == ["zed", "[", "A", "]", "zed"]


def test_attributes() -> None:
    assert tokens("%%type \\foo bar\n%%tame \\limg\\rimg\n") == [
        "type",
        "\\foo",
        "bar",
        "",
        "tame",
        "_(|_|)",
        "",
    ]


def test_comments_are_no_directives() -> None:
    assert tokens("%inrel foo\n%% inrel foo\n%%%inrel foo\n%%Zinword \\foo foo\n") == []


def test_environments_that_are_no_boxes() -> None:
    text = "\\newenvironment{zedd}{}{} \\begin{zedd} \\end{zedd} \\begin{schemapk} \\begin{scheme} \\begin{zsection}"
    assert tokens(text) == []


@pytest.mark.parametrize(
    "name", ["zedd", "Zed", "ZED", "zed*", " zed", "ze", "zde", "axdefs", "schemas", "gendf"]
)
def test_slips(name: str) -> None:
    assert error(f"\\begin{{{name}}}") == f"'\\begin{{{name}}}' begins no box of Z"


@pytest.mark.parametrize("template", ["\\relation (\\_ \\foo \\_)", "\\relation(\\_~\\foo~\\_)"])
def test_templates(template: str) -> None:
    scanner = FileScanner(Source("f.tex", f"\\begin{{zed}} {template} \\\\ [A] \\end{{zed}}"))
    assert scanner.operators["\\foo"].kind == "relation"
    assert [each.kind for each in scanner.tokens[:3]] == ["begin", "template", "newline"]


def test_words_of_templates_are_names_too() -> None:
    assert kinds("\\function = \\relation") == [
        ("word", "\\function"),
        ("symbol", "="),
        ("word", "\\relation"),
    ]
