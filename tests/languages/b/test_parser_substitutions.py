"""How B's substitutions and machines are read."""

from __future__ import annotations

from pathlib import Path

import pytest
from burnside.diagnostics import InputError, Source, UnsupportedError
from burnside.languages.b.parse.machines import parse
from burnside.languages.b.parse.project import load_project

from tests.b_trees import machine, show, substitution

SUBSTITUTIONS = {
    "skip": "Skip<>",
    "x := 1": "Assign<[x] [1]>",
    "x, y := 1, 2": "Assign<[x y] [1 2]>",
    "f(x) := 1": "Assign<[f@x] [1]>",
    "f(x)(y) := 1": "Assign<[f@x@y] [1]>",
    "f(x,y) := 1": "Assign<[f@(x |-> y)] [1]>",
    "r'a := 1": "Assign<[Field<r a>] [1]>",
    "f(x)'a, y := 1, 2": "Assign<[Field<f@x a> y] [1 2]>",
    "x :: S": "BecomesElement<[x] S>",
    "x, y :: S*T": "BecomesElement<[x y] (S * T)>",
    "f(1) :: S": "BecomesElement<[f@1] S>",
    "x : (x > x$0)": "BecomesSuch<[x] (x > x$0)>",
    "x, y : (x = y)": "BecomesSuch<[x y] (x = y)>",
    "x := 1 || y := 2 || skip": "Parallel<[Assign<[x] [1]> Assign<[y] [2]> Skip<>]>",
    "x := 1; y := 2 || skip; skip": "Sequence<[Assign<[x] [1]> Parallel<[Assign<[y] [2]> Skip<>]> Skip<>]>",
    "BEGIN x := 1; skip END || skip": "Parallel<[Sequence<[Assign<[x] [1]> Skip<>]> Skip<>]>",
    "PRE a=1 THEN skip END": "Precondition<(a = 1) Skip<>>",
    "ASSERT a=1 THEN skip END": "Assertion<(a = 1) Skip<>>",
    "IF a=1 THEN skip END": "If<[Branch<(a = 1) Skip<>>] ->",
    "IF a=1 THEN skip ELSIF b=1 THEN op ELSE x := 1 END": (
        "If<[Branch<(a = 1) Skip<>> Branch<(b = 1) OperationCall<[] op []>>] Assign<[x] [1]>>"
    ),
    "SELECT a=1 THEN skip WHEN b=1 THEN skip ELSE op END": (
        "Select<[Branch<(a = 1) Skip<>> Branch<(b = 1) Skip<>>] OperationCall<[] op []>>"
    ),
    "CASE x OF EITHER 1,2 THEN skip OR 3 THEN op ELSE skip END END": (
        "Case<x [CaseBranch<[1 2] Skip<>> CaseBranch<[3] OperationCall<[] op []>>] Skip<>>"
    ),
    "CASE x OF EITHER 1 THEN skip END END": "Case<x [CaseBranch<[1] Skip<>>] ->",
    "CHOICE skip OR op OR skip END": "Choice<[Skip<> OperationCall<[] op []> Skip<>]>",
    "ANY x,y WHERE x=y THEN z := x END": "Any<[x y] (x = y) Assign<[z] [x]>>",
    "LET x BE x=1 IN z := x END": "LetBlock<[x:1] Assign<[z] [x]>>",
    "VAR x IN x := 1; z := x END": "Var<[x] Sequence<[Assign<[x] [1]> Assign<[z] [x]>]>>",
    "WHILE x<3 DO x := x+1 INVARIANT x<4 VARIANT 3-x END": (
        "While<(x < 3) Assign<[x] [(x + 1)]> (x < 4) (3 - x)>"
    ),
    "WHILE x<3 DO skip VARIANT 3-x INVARIANT x<4 END": "While<(x < 3) Skip<> (x < 4) (3 - x)>",
    "op": "OperationCall<[] op []>",
    "op(1,a|->b)": "OperationCall<[] op [1 (a |-> b)]>",
    "m.op(1)": "OperationCall<[] m.op [1]>",
    "x <-- op": "OperationCall<[x] op []>",
    "x, f(1) <-- m.op(1,2)": "OperationCall<[x f@1] m.op [1 2]>",
    "x ≔ 1 ∥ y :∈ S": "Parallel<[Assign<[x] [1]> BecomesElement<[y] S>]>",
}


@pytest.mark.parametrize("text", SUBSTITUTIONS)
def test_substitution(text: str) -> None:
    assert substitution(text) == SUBSTITUTIONS[text]


def test_deep_nesting_is_refused() -> None:
    for text in ("BEGIN ", "IF 1=1 THEN ", "PRE 1=1 THEN ", "ANY x WHERE x=1 THEN ", "CHOICE ", "VAR x IN "):
        with pytest.raises(InputError, match="levels deep"):
            substitution(text * 10_000)


def test_long_is_not_deep() -> None:
    assert substitution(" || ".join(["skip"] * 5_000)).count("Skip") == 5_000


FULL = """
REFINEMENT Full(S, n)
REFINES Abstract
CONSTRAINTS n : 1..3
SEES A, b.B
USES U
INCLUDES c.C(S, n + 1), D
EXTENDS E
IMPORTS F
PROMOTES c.op, other
SETS T; COLOUR = {red, green}; V
ABSTRACT_CONSTANTS k1
CONCRETE_CONSTANTS k2, k3
PROPERTIES k1 = 1
VALUES k2 = 3; T = 1..2
CONCRETE_VARIABLES y
ABSTRACT_VARIABLES x
INVARIANT x = 1
ASSERTIONS x > 0; x < 2
INITIALIZATION x := 1; y := 1
LOCAL_OPERATIONS secret = skip
EVENTS
  go = skip;
  r, q <-- ask(a, b) = r, q := a, b || x := 1;
  fine ref coarse = BEGIN skip; skip END
END
"""


def test_every_clause() -> None:
    found = parse(Source("Full.ref", FULL))
    assert (found.kind, found.name.text, found.refines and found.refines.text) == (
        "refinement",
        "Full",
        "Abstract",
    )
    assert [each.text for each in found.parameters] == ["S", "n"]
    assert [(each.prefix, each.name.text) for each in found.sees] == [(None, "A"), ("b", "B")]
    assert [(each.prefix, each.name.text, show(each.arguments)) for each in found.includes] == [
        ("c", "C", "[S (n + 1)]"),
        (None, "D", "[]"),
    ]
    for clause, name in ((found.uses, "U"), (found.extends, "E"), (found.imports, "F")):
        assert [each.name.text for each in clause] == [name]
    assert [each.text for each in found.promotes] == ["c.op", "other"]
    assert show(found.sets) == "[SetDeclaration<T -> SetDeclaration<COLOUR [red green]> SetDeclaration<V ->]"
    assert [each.text for each in found.constants] == ["k1", "k2", "k3"]
    assert [each.text for each in found.variables] == ["x", "y"]
    assert show(found.values) == "[Valuation<k2 3> Valuation<T (1 .. 2)>]"
    assert show(found.assertions) == "[(x > 0) (x < 2)]"
    assert show(found.constraints) == "(n : (1 .. 3))"
    names = [each.name.text for each in found.operations]
    assert names == ["secret", "go", "ask", "fine"]
    assert found.local_operations == {"secret"}
    ask, fine = found.operations[2:]
    assert [each.text for each in ask.results + ask.parameters] == ["r", "q", "a", "b"]
    assert fine.refines is not None
    assert fine.refines.text == "coarse"
    assert found.clauses["OPERATIONS"].span.line == 22


def test_clauses_in_any_order() -> None:
    found = machine(
        "OPERATIONS o = x := d INITIALISATION x := d DEFINITIONS d == 2; e == d INVARIANT x = e VARIABLES x"
    )
    assert show(found.operations[0].body) == "Assign<[x] [2]>"
    assert show(found.invariant) == "(x = 2)"


@pytest.mark.parametrize("word", ["MACHINE", "MODEL", "SYSTEM"])
def test_headers(word: str) -> None:
    assert machine("", f"{word} m").kind == "machine"
    with pytest.raises(InputError, match="does not say what it REFINES"):
        machine("", "IMPLEMENTATION m")


def test_unsupported_clause() -> None:
    with pytest.raises(UnsupportedError, match="FREETYPES"):
        machine("FREETYPES T = a, b(NAT)")


# Several files


def write(folder: Path, **texts: str) -> Path:
    for name, text in texts.items():
        (folder / f"{name}.mch").write_text(text)
    return folder / f"{next(iter(texts))}.mch"


def test_machines_across_files(tmp_path: Path) -> None:
    (tmp_path / "R.ref").write_text("REFINEMENT R REFINES M SEES C END")
    write(tmp_path, M="MACHINE M INCLUDES p.N USES C END", N="MACHINE N SEES C END", C="MACHINE C END")
    project = load_project(tmp_path / "R.ref")
    assert project.main.name.text == "R"
    assert set(project.others) == {"M", "N", "C"}
    assert project.files[0].name == "R.ref"


def test_missing_machine(tmp_path: Path) -> None:
    path = write(tmp_path, M="MACHINE M\nINCLUDES p.Gone(1)\nEND")
    with pytest.raises(InputError, match=r"there is no file 'Gone\.mch'") as caught:
        load_project(path)
    assert caught.value.diagnostic.span is not None
    assert (caught.value.diagnostic.span.line, caught.value.diagnostic.span.column) == (2, 10)


def test_machines_that_need_each_other(tmp_path: Path) -> None:
    path = write(tmp_path, M="MACHINE M SEES A END", A="MACHINE A INCLUDES B END", B="MACHINE B USES A END")
    with pytest.raises(InputError, match="need each other: A -> B -> A") as caught:
        load_project(path)
    assert str(caught.value).startswith(str(tmp_path / "B.mch"))
    with pytest.raises(InputError, match="M -> M"):
        load_project(write(tmp_path, M="MACHINE M SEES M END"))


def test_many_machines_in_a_row(tmp_path: Path) -> None:
    chain = {f"M{number}": f"MACHINE M{number} SEES M{number + 1} END" for number in range(1500)}
    assert len(load_project(write(tmp_path, **chain, M1500="MACHINE M1500 END")).others) == 1500


def test_file_with_another_machine(tmp_path: Path) -> None:
    path = write(tmp_path, M="MACHINE M SEES A END", A="MACHINE B END")
    with pytest.raises(InputError, match="has a machine 'B', not 'A'"):
        load_project(path)


def test_paths_outside_the_folder(tmp_path: Path) -> None:
    inside, outside = tmp_path / "model", tmp_path / "other"
    inside.mkdir()
    outside.mkdir()
    write(outside, A="MACHINE A END")
    for said in ("../other/A.mch", str(outside / "A.mch"), "../../../../etc/passwd", "/etc/passwd"):
        path = write(inside, M=f'MACHINE M SEES A /*@file "{said}" */ END')
        with pytest.raises(InputError, match="is outside the model's folder"):
            load_project(path)
    path = write(inside, M='MACHINE M SEES A /*@file "../other/A.mch" */ END')
    assert set(load_project(path, [outside]).others) == {"A"}
    assert set(load_project(write(inside, M="MACHINE M SEES A END"), [outside]).others) == {"A"}


def test_links_that_lead_outside(tmp_path: Path) -> None:
    inside = tmp_path / "model"
    inside.mkdir()
    write(tmp_path, A="MACHINE A END")
    (inside / "A.mch").symlink_to(tmp_path / "A.mch")
    with pytest.raises(InputError, match="there is no file"):
        load_project(write(inside, M="MACHINE M SEES A END"))


def test_latin_1_in_an_included_file(tmp_path: Path) -> None:
    path = write(tmp_path, M="MACHINE M SEES A END")
    (tmp_path / "A.mch").write_bytes(b"MACHINE A /* caf\xe9 */\nEND")
    load_project(path)
    (tmp_path / "A.mch").write_bytes(b"MACHINE A /* caf\xe9 */ \xb0 END")
    with pytest.raises(InputError, match="is no part of B") as caught:
        load_project(path)
    assert caught.value.diagnostic.span is not None and caught.value.diagnostic.span.column == 22
