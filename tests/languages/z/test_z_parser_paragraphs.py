"""Paragraphs of Z, and which names are schemas."""

from __future__ import annotations

from pathlib import Path

import pytest
from burnside.diagnostics import InputError, Source
from burnside.languages.shared.files import read_source
from burnside.languages.z.parse import parse
from burnside.languages.z.reading import load
from burnside.languages.z.syntax import Attribute

from tests.z_trees import paragraph, paragraphs


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[A, B]", "(GivenSets [A, B])"),
        ("[ A' ]", "(GivenSets [A'])"),
        ("A ::= a | b'", "(FreeType A [(Branch a -), (Branch b' -)])"),
        ("A ::= nil | cons \\ldata \\nat \\cross A \\rdata",
         "(FreeType A [(Branch nil -), (Branch cons (Product [\\nat, A]))])"),
        ("A ::= (\\_ + \\_) \\ldata A \\cross A \\rdata", "(FreeType A [(Branch + (Product [A, A]))])"),
        ("a == 1", "(Abbreviation a [] 1)"),
        ("a' == 1", "(Abbreviation a' [] 1)"),
        ("a[X, Y] == X \\cross Y", "(Abbreviation a [X, Y] (Product [X, Y]))"),
        ("X \\rel Y == \\power (X \\cross Y)", "(Abbreviation \\rel [X, Y] (PowerSet (Product [X, Y])))"),
        ("X \\rel' Y == X", "(Abbreviation \\rel' [X, Y] X)"),
        ("\\seq X == X", "(Abbreviation \\seq [X] X)"),
        ("\\seq_1 X == X", "(Abbreviation \\seq_1 [X] X)"),
        ("(\\_ + \\_)[X] == X", "(Abbreviation + [X] X)"),
        ("(-) == 1", "(Abbreviation (-) [] 1)"),
        ("a == S", "(Abbreviation a [] <S>)"),
        ("New \\defs S", "(SchemaDefinition New [] <S>)"),
        ("S \\defs T", "(SchemaDefinition S [] <T>)"),
        ("New[X] \\defs [x : X]", "(SchemaDefinition New [X] [x : X])"),
        ("\\Delta S \\defs S", "(SchemaDefinition \\Delta S [] <S>)"),
        ("New \\defs New", "(SchemaDefinition New [] <New>)"),
        ("a = 1", "(Constraint (= a 1))"),
        ("a[X] = 1", "(Constraint (= a[X] 1))"),
        ("(a) = 1", "(Constraint (= a 1))"),
        ("a \\rel b = c", "(Constraint (= (\\rel a b) c))"),
        ("S", "(Constraint <S>)"),
        ("S \\vdash x = y", "(Conjecture <S> (= x y))"),
        ("[x : \\nat] \\vdash x = 1", "(Conjecture [x : \\nat] (= x 1))"),
        ("S \\land T \\vdash S", "(Conjecture (and <S> <T>) <S>)"),
    ],
)  # fmt: skip
def test_paragraph(text: str, expected: str) -> None:
    assert paragraph(text) == expected


def test_several_paragraphs() -> None:
    text = "\\begin{zed} [A] \\\\ a == 1 ; b == 2 \\also New \\defs S \\\\ \\end{zed}"
    assert paragraphs(text) == [
        "(GivenSets [A])", "(Abbreviation a [] 1)", "(Abbreviation b [] 2)", "(SchemaDefinition New [] <S>)"
    ]  # fmt: skip
    assert paragraphs(text.replace("{zed}", "{syntax}")) == paragraphs(text)


def test_conjectures_among_paragraphs() -> None:
    text = "\\begin{zed} [A] \\\\ S \\\\ x = 1 \\\\ S \\vdash x = y \\\\ y = 2 \\end{zed}"
    assert paragraphs(text)[1:] == [
        "(Constraint <S>)", "(Constraint (= x 1))", "(Conjecture <S> (= x y))", "(Constraint (= y 2))"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{New} x : A \\end{schema}", "(SchemaDefinition New [] [x : A])"),
        ("{New}[X, Y] x : X \\end{schema}", "(SchemaDefinition New [X, Y] [x : X])"),
        ("{New[X]} x : X \\end{schema}", "(SchemaDefinition New [X] [x : X])"),
        ("{\\Xi S} S; S' \\end{schema}", "(SchemaDefinition \\Xi S [] [<S>; <S'>])"),
        ("{New} x, y : A; z : B \\\\ S' \\where x = y \\\\ z = 1; S \\end{schema}",
         "(SchemaDefinition New [] [x, y : A; z : B; <S'> | (= x y); (= z 1); <S>])"),
        ("{New} \\Delta S \\\\ \\Xi T \\\\ n? : A \\where n? \\in\nB \\\\\n\\end{schema}",
         "(SchemaDefinition New [] [<\\Delta S>; <\\Xi T>; n? : A | (\\in n? B)])"),
    ],
)  # fmt: skip
def test_schema_box(text: str, expected: str) -> None:
    assert paragraphs("\\begin{schema}" + text) == [expected]


def test_other_boxes() -> None:
    text = "\\begin{axdef} \\_ + \\_, - : A \\where a = b \\end{axdef}"
    assert paragraphs(text) == ["(AxiomaticDefinition [+, (-) : A | (= a b)])"]
    text = "\\begin{gendef}[X, Y] \\disjoint \\_ : X \\rel Y \\end{gendef}"
    assert paragraphs(text) == ["(GenericDefinition [X, Y] [\\disjoint : (\\rel X Y)])"]
    assert paragraphs("\\begin{gendef} a : A \\end{gendef}") == ["(GenericDefinition [] [a : A])"]


def test_attributes() -> None:
    text = "%%type \\foo A\n%%tame \\limg\\rimg\n\\begin{zed} [A] \\end{zed}"
    assert paragraphs(text) == ["(Attribute type [\\foo, A])", "(Attribute tame [_(|_|)])", "(GivenSets [A])"]


def test_a_name_by_itself_in_a_box_is_a_schema_from_there_on() -> None:
    text = "\\begin{axdef} Later \\\\ x : Later \\where Later \\end{axdef}"
    assert paragraphs(text) == ["(AxiomaticDefinition [<Later>; x : <Later> | <Later>])"]
    text = "\\begin{schema}{New} Later'[a/b]; Other[A] \\end{schema}"
    assert paragraphs(text) == ["(SchemaDefinition New [] [<Later'[a/b]>; <Other[A]>])"]


def test_a_name_is_a_schema_only_after_its_definition() -> None:
    text = "\\begin{zed} a == Later \\\\ Later \\defs S \\\\ b == Later \\end{zed}"
    assert paragraphs(text)[0] == "(Abbreviation a [] Later)"
    assert paragraphs(text)[2] == "(Abbreviation b [] <Later>)"


def test_one_error_hides_what_stands_behind_it() -> None:
    text = "\\begin{zed}\n  a =\n\\end{zed}\n\\begin{zed} f x ` \\end{zed}"
    with pytest.raises(InputError) as caught:
        parse(Source("f.tex", text))
    assert str(caught.value).startswith("f.tex:3:1: error: expected an expression, found '\\end{zed}'")


def test_other_encodings(tmp_path: Path) -> None:
    path = tmp_path / "old.tex"
    path.write_bytes("é \\begin{zed} [A] % ü\n\\end{zed}".encode("iso-8859-1"))
    assert len(parse(read_source(path)).paragraphs) == 1
    path.write_bytes("é \\begin{zed} [Aä] \\end{zed}".encode("iso-8859-1"))
    with pytest.raises(InputError, match="'ä' is no part of Z"):
        parse(read_source(path))
    path.write_bytes(b"\\begin{zed} [A] \\end{zed} \xff\x00\x80")
    assert len(parse(read_source(path)).paragraphs) == 1


@pytest.mark.parametrize(
    "text", ["", " \n", "%%type A\n", "\\begin{document}\\end{document}", "% \\begin{zed}"]
)
def test_texts_without_z(text: str) -> None:
    """They have no paragraphs, as for fuzz; there is nothing to explore."""
    assert not any(not isinstance(each, Attribute) for each in parse(Source("f.tex", text)).paragraphs)
    with pytest.raises(InputError, match="there is no Z in this file") as caught:
        load(Source("f.tex", text))
    assert str(caught.value).startswith("f.tex: error: ")
