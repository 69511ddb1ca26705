"""Types of names are found from any use; where two uses disagree, the complaint names both."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from burnside.diagnostics import BurnsideError, InputError, Source, UnsupportedError
from burnside.ir.sets.types import show_type
from burnside.languages.b import load, read, read_text

REJECTED = sorted((Path(__file__).parents[2] / "rejected" / "b").glob("types-*.mch"))
EXPECT = re.compile(r"expect: (\d+):(\d+): (.*)$", re.MULTILINE)


def types_of(properties: str, names: str = "c", sets: str = "S; T; U = {u1, u2}") -> list[str]:
    text = f"MACHINE m SETS {sets} CONSTANTS {names} PROPERTIES {properties} END"
    return [show_type(each.type) for each in read_text(Source("m.mch", text)).constants]


@pytest.mark.parametrize(
    ("properties", "expected"),
    [
        ("c : 1..3", "INTEGER"),
        ("c <: NAT & 1 : c", "POW(INTEGER)"),
        ("c : S +-> T", "POW(S * T)"),
        ("c : S * T * U", "S * T * U"),
        ("c : S * (T * U)", "S * (T * U)"),
        ("c = (u1, u2, 1)", "U * U * INTEGER"),
        ("c = {x, y | x : S & y = TRUE}", "POW(S * BOOL)"),
        ("c = %(x, y).(x : S & y : T | 1)", "POW(S * T * INTEGER)"),
        ("c = [u1]", "POW(INTEGER * U)"),
        ('c = ["a"] ^ c', "POW(INTEGER * STRING)"),
        ("c = [] & c : seq(seq(S))", "POW(INTEGER * POW(INTEGER * S))"),
        ("c = rec(b : {}, a : 1) & c'b <: S", "struct(a: INTEGER, b: POW(S))"),
        ("c'a = 1 & c : struct(a : NAT)", "struct(a: INTEGER)"),
        ("c : struct(f : S --> NAT)", "struct(f: POW(S * INTEGER))"),
        ("c = bool(1 = 2)", "BOOL"),
        ("c = union({S})", "POW(S)"),
        ("c = UNION(x).(x : S | {x |-> 1})", "POW(S * INTEGER)"),
        ("c = fnc({u1 |-> 1})", "POW(U * POW(INTEGER))"),
        ("c = rel(%x.(x : S | T))", "POW(S * T)"),
        ("c = (id(S) || id(T))", "POW(S * T * (S * T))"),
        ("c = id(S) >< (S * T)", "POW(S * (S * T))"),
        ("c = prj2(S, T)", "POW(S * T * T)"),
        ("c = (id(S) ; S * {1})", "POW(S * INTEGER)"),
        ("c = IF 1 = 2 THEN {} ELSE S END", "POW(S)"),
        ("c = (LET x BE x = u1 IN {x} END)", "POW(U)"),
        ("c = (1..3 <| succ)", "POW(INTEGER * INTEGER)"),
        ("c = (S * T)~", "POW(T * S)"),
        ("c = conc([[u1]])", "POW(INTEGER * U)"),
        ("c = iterate(id(S), 2)", "POW(S * S)"),
        ("c = SIGMA(x).(x : 1..3 | x * x)", "INTEGER"),
    ],
)
def test_types(properties: str, expected: str) -> None:
    assert types_of(properties) == [expected]


@pytest.mark.parametrize(
    ("properties", "expected"),
    [
        # What `-` and `*` mean is decided by whichever use comes first or last.
        ("c = d - e & d : 1..3", "INTEGER"),
        ("c = d - e & e <: S", "POW(S)"),
        ("c = d - e & c = {1}", "POW(INTEGER)"),
        ("d - e = c & d - e > 0", "INTEGER"),
        ("c = d * d * e & d : 1..3 & e = c - d", "INTEGER"),
    ],
)
def test_overloaded_operators_wait(properties: str, expected: str) -> None:
    assert types_of(properties, "c, d, e") == [expected] * 3


def test_a_product_waits_for_its_operands() -> None:
    assert types_of("c = d * e & d = {u1} & e <: S", "c, d, e") == ["POW(U * S)", "POW(U)", "POW(S)"]


def test_a_parameter_has_its_type_from_any_use() -> None:
    text = """
    MACHINE m SETS S VARIABLES v, f INVARIANT v : S & f : S --> 0..3 INITIALISATION v :: S || f := S * {0}
    OPERATIONS
      set(x, y) = SELECT y < 3 THEN v := x || f(x) := y END;
      r, q <-- get(z) = PRE z |-> 1 : f THEN r := {z} || q := f END
    END"""
    machine = read_text(Source("m.mch", text))
    first, second = machine.operations
    assert [show_type(each.type) for each in first.parameters] == ["S", "INTEGER"]
    assert [show_type(each.type) for each in second.results] == ["POW(S)", "POW(S * INTEGER)"]


def test_both_places_are_named() -> None:
    text = """MACHINE m SETS PID VARIABLES owner, queue
INVARIANT owner : PID & queue : seq(PID)
INITIALISATION owner :: PID || queue := []
OPERATIONS take = PRE queue /= [] THEN owner := queue END
END"""
    with pytest.raises(InputError) as caught:
        load(Source("m.mch", text))
    assert caught.value.diagnostic.hint == (
        "POW(INTEGER * PID) because of 'queue : seq(PID)' at 2:25; PID because of 'owner : PID' at 2:11"
    )


def test_a_slip_of_the_pen() -> None:
    text = "MACHINE m CONSTANTS waiting PROPERTIES waiting : NAT & 1 < wating END"
    with pytest.raises(InputError) as caught:
        load(Source("m.mch", text))
    assert caught.value.diagnostic.hint == "did you mean 'waiting'?"


def test_there_are_rejected_files() -> None:
    assert len(REJECTED) > 35


@pytest.mark.parametrize("path", REJECTED, ids=lambda path: path.stem)
def test_rejected_file(path: Path) -> None:
    expected = EXPECT.search(path.read_text())
    assert expected is not None, "the file does not say what is expected"
    with pytest.raises(BurnsideError) as caught:
        read(path)
    diagnostic = caught.value.diagnostic
    assert diagnostic.span is not None
    found = f"{diagnostic.span.line}:{diagnostic.span.column}: {diagnostic.message}"
    assert found == f"{expected[1]}:{expected[2]}: {expected[3]}"
    assert isinstance(caught.value, UnsupportedError if "support" in diagnostic.message else InputError)
    assert "^" in str(caught.value)
