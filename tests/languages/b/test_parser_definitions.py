"""DEFINITIONS: where they begin and end, what they may be, how they are put in the place of their uses."""

from __future__ import annotations

from pathlib import Path

import pytest
from burnside.diagnostics import InputError, Source, UnsupportedError
from burnside.languages.b.parse.machines import parse, parse_predicate
from burnside.languages.b.parse.project import load_project

from tests.b_trees import expression, extents, machine, predicate, show, substitution


def test_kinds() -> None:
    texts = (
        "DEFINITIONS e == a + 1; p(x) == x > 0 & x < 3; t == v := 1 || w := 2; q == BEGIN v := 1; w := 2 END"
    )
    assert expression("e * 2", texts) == "((a + 1) * 2)"
    assert predicate("p(e) or p(1)", texts) == "((((a + 1) > 0) & ((a + 1) < 3)) or ((1 > 0) & (1 < 3)))"
    assert substitution("t; q", texts).count("Assign") == 4


def test_any_order_and_nesting() -> None:
    texts = "DEFINITIONS a == b(1) ; b(x) == c + x ; c == k"
    assert expression("a", texts) == "(k + 1)"


def test_semicolons_in_bodies() -> None:
    texts = "DEFINITIONS s == v := 1; w := 2; r == (f;g); n(x) == x;"
    assert substitution("s", texts) == "Sequence<[Assign<[v] [1]> Assign<[w] [2]>]>"
    assert expression("n(r)", texts) == "(f ; g)"


def test_loops_and_blocks_end_no_section() -> None:
    texts = """DEFINITIONS
      loop == WHILE v < 3 DO v := v + 1 INVARIANT v < 4 VARIANT 3 - v END;
      pick == CASE v OF EITHER 1 THEN skip OR 2 THEN skip END END"""
    assert substitution("loop; pick", texts).startswith("Sequence<[While<")


def test_a_body_that_may_be_a_call() -> None:
    texts = "DEFINITIONS go == op(1, 2); cell(i) == f(i)"
    assert substitution("go", texts) == "OperationCall<[] op [1 2]>"
    assert substitution("cell(3) := 1", texts) == "Assign<[f@3] [1]>"
    assert expression("go", texts) == "op@(1 |-> 2)"


def test_membership_or_becoming_such() -> None:
    texts = "DEFINITIONS choose == v : (v > 0 & v < 3); typed == v : (NAT)"
    assert substitution("choose", texts) == "BecomesSuch<[v] ((v > 0) & (v < 3))>"
    assert predicate("typed", texts) == "(v : NAT)"


def test_definition_of_a_function_is_applied() -> None:
    assert expression("d(1)", "DEFINITIONS d == f~") == "~(f)@1"


def test_bound_names_capture_no_argument() -> None:
    texts = "DEFINITIONS some(S) == #x.(x : S & x > 0); both(S) == some({x}) & some(S)"
    assert predicate("some({x})", texts) == ("Quantified<# [x#2] ((x#2 : SetDisplay<[x]>) & (x#2 > 0))>")
    assert predicate("some({y})", texts) == "Quantified<# [x] ((x : SetDisplay<[y]>) & (x > 0))>"
    assert "x#2#2" not in predicate("both({y})", texts)


def test_renaming_meets_renamed_names() -> None:
    """A name that was made for one expansion is in the way of the next one."""
    texts = "DEFINITIONS inner(S) == #x.(x : S); outer(T) == #x.(x : T & inner({x}))"
    assert predicate("outer({x})", texts) == (
        "Quantified<# [x#3] ((x#3 : SetDisplay<[x]>) & Quantified<# [x#2] (x#2 : SetDisplay<[x#3]>)>)>"
    )


def test_free_names_mean_what_they_mean_at_the_use() -> None:
    assert predicate("!x.(x : S => small)", "DEFINITIONS small == x < 3") == (
        "Quantified<! [x] ((x : S) => (x < 3))>"
    )


def test_parameters_may_be_bound() -> None:
    texts = "DEFINITIONS all(x, S) == !x.(x : S => x > 0)"
    assert predicate("all(y, T)", texts) == "Quantified<! [y] ((y : T) => (y > 0))>"


def test_predicates_as_arguments() -> None:
    texts = "DEFINITIONS either(P, Q) == (P & not(Q)) or (Q & not(P)); is(P) == bool(P) = b"
    assert predicate("either(x = 1, y > 2)", texts) == (
        "(((x = 1) & not((y > 2))) or ((y > 2) & not((x = 1))))"
    )
    assert predicate("is(x = 1)", texts) == "(Truth<(x = 1)> = b)"


def test_bound_names_hide_definitions() -> None:
    assert predicate("!d.(d : S => d > 0) & d = 1", "DEFINITIONS d == 7") == (
        "(Quantified<! [d] ((d : S) => (d > 0))> & (7 = 1))"
    )


def test_no_two_uses_share_a_tree() -> None:
    found = machine("DEFINITIONS d == {}; t(x) == (x, x) INVARIANT d = d & t(d) = t(d)").invariant

    def nodes(tree: object) -> list[int]:
        parts = vars(tree).values() if hasattr(tree, "__record_fields__") else ()
        inner = [each for part in parts for each in (part if type(part) is tuple else (part,))]
        return [
            id(tree),
            *(one for each in inner if hasattr(each, "__record_fields__") for one in nodes(each)),
        ]

    sources = {id(at.source) for at in extents(found)}
    every = [each for each in nodes(found) if each not in sources]
    assert len(every) == len(set(every))


def test_places() -> None:
    """The whole stands where the definition is used, its parts where they were written."""
    text = "MACHINE m DEFINITIONS d(x) == x + 1 INVARIANT d(4) = 5 END"
    found = parse(Source("m.mch", text)).invariant
    assert {text[at.offset : at.offset + at.length] for at in extents(found)} >= {
        "d(4)",
        "4",
        "1",
        "d(4) = 5",
    }


def test_settings() -> None:
    found = machine(
        """DEFINITIONS scope_S == 1..3; SET_PREF_MAXINT == 7; GOAL == x = 1; ASSERT_LTL_1 == "G {x=1}";
        HEURISTIC_FUNCTION == x; ANIMATION_FUNCTION == {1|->2}; CUSTOM_GRAPH_NODES == {1}; other == 1"""
    )
    assert set(found.settings) == {
        "scope_S", "SET_PREF_MAXINT", "GOAL", "ASSERT_LTL_1", "HEURISTIC_FUNCTION", "ANIMATION_FUNCTION",
        "CUSTOM_GRAPH_NODES",
    }  # fmt: skip
    assert show(found.settings["scope_S"].expression) == "(1 .. 3)"
    assert show(found.settings["GOAL"].expression) == "(x = 1)"
    assert show(parse_predicate(Source("--goal", "other = 1"), found.macros)) == "(1 = 1)"


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ("a == a + 1", "is defined by itself"),
        ("a == b; b == c; c == a + 1", "is defined by itself"),
        ("a == 1; a == 2", "'a' is already defined"),
        ("a == 1 b == 2", "there is no ';' before this definition"),
        ("a == ", "found the end of the definition"),
        ("a == 1 +", "found the end of the definition"),
        ("a(x) == x; b == a(1, 2)", "has 1 parameter, not 2"),
        ("a(x) == x; b == a", r"expected '\(' and 1 argument"),
        ("a = 1", "expected '=='"),
        ("a(x, x) == 1", "already in this list"),
    ],
)
def test_bad_definitions(texts: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        machine(f"DEFINITIONS {texts}")


def test_a_name_in_the_wrong_place() -> None:
    with pytest.raises(InputError, match="is a substitution"):
        predicate("t", "DEFINITIONS t == v := 1")
    with pytest.raises(InputError, match="is no substitution"):
        substitution("t", "DEFINITIONS t == v + 1")
    with pytest.raises(InputError, match="is also a definition"):
        machine("DEFINITIONS v == 1 VARIABLES v")


def test_definitions_that_explode() -> None:
    texts = ";".join(["d0 == k", *(f"d{n + 1} == (d{n}, d{n})" for n in range(40))])
    with pytest.raises(InputError, match="has more than"):
        machine(f"DEFINITIONS {texts} INVARIANT d40 = d40")


def test_long_chains_of_definitions() -> None:
    for order in (1, -1):
        texts = ";".join([f"d{n} == d{n + 1}" for n in range(3_000)][::order])
        assert expression("d0", f"DEFINITIONS {texts}") == "d3000"
    texts = ";".join(f"d{n} == d{n + 1} + 1" for n in range(3_000))
    with pytest.raises(InputError, match="levels deep"):
        machine(f"DEFINITIONS {texts}")


# Definition files


def test_definition_files(tmp_path: Path) -> None:
    (tmp_path / "one.def").write_text('DEFINITIONS "two.def"; a == b + 1; mine == 0')
    (tmp_path / "two.def").write_text("DEFINITIONS b == 5; scope_S == 3;")
    text = 'MACHINE m DEFINITIONS "one.def"; "two.def"; mine == 7; INVARIANT a = mine END'
    (tmp_path / "m.mch").write_text(text)
    found = load_project(tmp_path / "m.mch")
    assert show(found.main.invariant) == "((5 + 1) = 7)"
    assert set(found.main.settings) == {"scope_S"}
    assert {file.name for file in found.files} == {"m.mch", "one.def", "two.def"}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gone.def", "there is no definition file 'gone.def'"),
        ("../../etc/passwd", "is outside the model's folder"),
        ("/etc/passwd", "is outside the model's folder"),
        ("self.def", "includes itself"),
    ],
)
def test_bad_definition_files(name: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "self.def").write_text('DEFINITIONS "self.def"')
    (tmp_path / "m.mch").write_text(f'MACHINE m DEFINITIONS "{name}"; a == 1 END')
    with pytest.raises(InputError, match=message):
        load_project(tmp_path / "m.mch")


def test_external_functions() -> None:
    assert machine('DEFINITIONS "LibraryStrings.def"').settings == {}
    with pytest.raises(UnsupportedError, match="external function 'STRING_APPEND'"):
        expression('STRING_APPEND("a", "b")', 'DEFINITIONS "LibraryStrings.def"')
    texts = "DEFINITIONS EXTERNAL_FUNCTION_F == INTEGER --> INTEGER; F(x) == x"
    assert expression("1", texts) == "1"
    with pytest.raises(UnsupportedError, match="external function 'F'"):
        expression("F(1)", texts)
    quiet = "DEFINITIONS EXTERNAL_PREDICATE_printf(T) == STRING * T; printf(f, x) == 1 = 1"
    assert predicate('printf("~w", 2)', quiet) == "(1 = 1)"
