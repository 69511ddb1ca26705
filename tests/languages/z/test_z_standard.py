"""Standard Z where it spells things in another way, and characters of Unicode for marks."""

from __future__ import annotations

import pytest
from burnside.diagnostics import InputError, Source, UnsupportedError
from burnside.languages.z.parse import marks, parse

from tests.z_trees import SCHEMAS, expression, paragraph, paragraphs, predicate, schema

STANDARD = "\\begin{zsection}\n\\SECTION own \\parents standard\\_toolkit\n\\end{zsection}\n" + SCHEMAS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("New == [x : \\nat | x > 1]", "(SchemaDefinition New [] [x : \\nat | (> x 1)])"),
        ("New[X] == [x : X]", "(SchemaDefinition New [X] [x : X])"),
        ("New == S \\land T", "(SchemaDefinition New [] (and <S> <T>))"),
        (
            "New == (S \\land T) \\lor \\lnot S",
            "(SchemaDefinition New [] (or (and <S> <T>) (SchemaNot <S>)))",
        ),
        ("New == \\Delta S \\hide (x)", "(SchemaDefinition New [] (SchemaHide <\\Delta S> [x]))"),
        (
            "New == \\exists x : \\nat @ S",
            "(SchemaDefinition New [] (SchemaQuantified exists [x : \\nat] <S>))",
        ),
        ("New == \\pre S", "(SchemaDefinition New [] (Precondition <S>))"),
        ("a == S \\cross T", "(Abbreviation a [] (Product [<S>, <T>]))"),
        ("a == (S, T)", "(Abbreviation a [] (Tuple [<S>, <T>]))"),
        ("\\vdash? a = b", "(Conjecture [] (= a b))"),
        ("S \\vdash? x = y", "(Conjecture <S> (= x y))"),
    ],
)
def test_spivey_and_standard(text: str, expected: str) -> None:
    """What Spivey's Z has no meaning for is read in both."""
    assert paragraph(text) == paragraph(text, STANDARD) == expected


def test_a_schema_that_is_another() -> None:
    assert paragraph("New == S") == "(Abbreviation New [] <S>)"
    assert paragraph("New == S", STANDARD) == "(SchemaDefinition New [] <S>)"
    assert paragraph("New == S'[a/x]", STANDARD) == "(SchemaDefinition New [] <S'[a/x]>)"


def test_a_schema_that_was_used_before() -> None:
    text = "\\begin{schema}{New} Later \\end{schema} \\begin{zed} Later == [x : \\nat] \\also \\Delta S == S \\end{zed}"
    assert paragraphs(text)[1:] == [
        "(SchemaDefinition Later [] [x : \\nat])",
        "(SchemaDefinition \\Delta S [] <S>)",
    ]


def test_lines_of_horizontal_schemas() -> None:
    text = "New == [x : \\nat \\\\ y : \\nat | x = y \\\\ y > 3]"
    assert paragraph(text, STANDARD) == "(SchemaDefinition New [] [x : \\nat; y : \\nat | (= x y); (> y 3)])"
    with pytest.raises(InputError, match="found the end of a line"):
        paragraph(text)


def test_prefix_operators_of_prefix_operators() -> None:
    assert expression("\\power \\seq \\power A", STANDARD) == "(PowerSet (PrefixGeneric \\seq (PowerSet A)))"


def test_other_spellings() -> None:
    assert (
        expression("\\lblot x == 1, y == 2 \\rblot") == "(Binding [(BindingEntry x 1), (BindingEntry y 2)])"
    )
    assert expression("1 .. \\negate 3") == "(\\upto 1 ((-) 3))"
    assert expression("\\arithmos") == "\\num"
    assert expression("\\num_1") == "\\num_1"
    assert schema("S~' \\zcmp T \\zhide (x) \\zproject S \\zpipe T") == schema(
        "S' \\semi T \\hide (x) \\project S \\pipe T"
    )
    assert expression("a .. b", "%%inop .. 2\n") == "(.. a b)"


def test_templates() -> None:
    text = """\\begin{zed}
    \\relation (\\_ \\knows \\_) \\\\ \\relation (odd \\_) \\\\ \\function 42 \\leftassoc (\\_ \\join \\_) \\\\
    \\function (\\_ \\up) \\\\ \\generic 5 \\rightassoc (\\_ \\to \\_) \\\\ \\generic (\\few \\_)
    \\end{zed}
    \\begin{zed} a \\knows b \\land odd~c \\also d == 1 + 2 \\join 3\\up * 4 \\also X \\to Y == \\few X \\end{zed}"""
    assert paragraphs(text) == [
        "(Constraint (and (\\knows a b) (PrefixRelation odd c)))",
        "(Abbreviation d [] (+ 1 (* (\\join 2 (Postfix \\up 3)) 4)))",
        "(Abbreviation \\to [X, Y] (PrefixGeneric \\few X))",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "\\function 30 \\rightassoc (\\_ \\foo \\_)",
        "\\function (\\_ \\foo \\_ \\bar \\_)",
        "\\relation (\\_ \\foo)",
        "\\generic (\\_ \\foo)",
        "\\relation ()",
        "\\relation (\\_ \\land \\_)",
    ],
)
def test_templates_that_are_not_supported(text: str) -> None:
    with pytest.raises(UnsupportedError, match="operators of this form are not supported"):
        paragraph(text)


def test_unicode() -> None:
    assert predicate("∀ x : ℕ; y : ℙ₁ ℤ | x ∉ ∅ • x ≤ 3 ⇒ ¬ x ∈ y ∪ {}\\{x\\}") == predicate(
        "\\forall x : \\nat; y : \\power_1 \\num | x \\notin \\emptyset @ "
        "x \\leq 3 \\implies \\lnot x \\in y \\cup \\{x\\}"
    )
    assert expression("(λ x : A ⇸ B • x ⦇ y ⦈ ⊕ x ⨾ x∼) ⟨1, 2⟩ ⌢ ⟦⟧") == expression(
        "(\\lambda x : A \\pfun B @ x \\limg y \\rimg \\oplus x \\comp x\\inv) \\langle 1, 2 \\rangle \\cat \\lbag \\rbag"
    )
    assert schema("ΔS ∧ ΞT ⨟ S′ ≫ T₁") == schema("\\Delta S \\land \\Xi T \\semi S' \\pipe T_1")
    assert paragraph("A ⩴ a ⟪ B ⟫") == paragraph("A ::= a \\ldata B \\rdata")


def test_every_character_is_a_mark_or_a_name() -> None:
    for character, mark in marks.UNICODE.items():
        assert mark in marks.RESERVED or mark in marks.TOOLKIT or expression(character) == mark


def test_sections_are_prose() -> None:
    assert len(parse(Source("f.tex", STANDARD)).paragraphs) == 3
