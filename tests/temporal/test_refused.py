"""Formulas that are refused: exit code 2, a diagnostic at its place, nothing on standard output, nothing written."""

from __future__ import annotations

from pathlib import Path

import pytest
from burnside.cli import main

from tests.temporal.models import EXAMPLES

MODELS = {
    "net": [str(EXAMPLES / "nets" / "ring.lola")],
    "murphi": [str(EXAMPLES / "murphi" / "sem.m"), "--size", "N=3"],
    "b": [str(EXAMPLES / "b" / "Club.mch")],
}
DEEP = "(" * 500 + "deadlock" + ")" * 500
MANY_ATOMS = " | ".join(f"G F full_1 = {number}" for number in range(140))
LARGE_AUTOMATON = f"G (full_1 = 1 | {'Y ' * 20}full_2 = 1)"
MANY_TUPLES = "".join(f"forall {name}: PROCESS . " for name in "abcdefghijk") + "G phase[a] = Idle"

FORMULAS = [
    # Syntax
    ("net", "", 1, "expected a formula, found the end of the formula"),
    ("net", "G (", 4, "expected a formula, found the end of the formula"),
    ("net", "full_1 = 1 U", 13, "expected a formula, found the end of the formula"),
    ("net", "G full_1 = = 1", 12, "expected a name or a number, found '='"),
    ("net", "G full_1 = 1 & & deadlock", 16, "expected a formula, found '&'"),
    ("net", "G {full_1 = 1", 3, "this brace is not closed"),
    ("net", "G full_1 = 1) & true", 13, "expected an operator or the end of the formula, found ')'"),
    ("net", "G [move_1", 3, "this bracket is not closed"),
    ("murphi", "forall p: PROCESS G free", 25, "expected '.', found the end of the formula"),
    ("murphi", "WF(enter) | G free", 11, "expected '&' or '=>', found '|'"),
    ("murphi", "G (WF(enter) => free)", 4, "fairness stands to the left of the outermost '=>' alone"),
    ("b", "AG (EF", 7, "expected a formula, found the end of the formula"),
    ("b", "!p.(G {p : members})", 5, "expected 'p : ' and the set that it is of, found 'G'"),
    # Names
    ("net", "é = 1", 1, "there is no place 'é'"),
    ("net", "G full_9 = 1", 3, "there is no place 'full_9'"),
    ("net", "G [nowhere]", 4, "there is no transition 'nowhere'"),
    ("murphi", "G phase[PROCESS_7] = Idle", 9, "there is no 'PROCESS_7' here"),
    ("murphi", "WF(entr) => G free", 4, "there is no action 'entr'"),
    ("murphi", "forall p: nothing . G free", 11, "there is no 'nothing' here"),
    ("b", "G {card(x) = 1}", 9, "there is no 'x' here"),
    ("b", "G [join(_)]", 4, "there is no operation 'join'"),
    # Types
    ("net", "G full_1", 3, "expected a condition, found a number of tokens"),
    ("net", "G [move_1(3)]", 4, "the transition 'move_1' has no parameters"),
    ("murphi", "G [want(Idle)]", 9, "this argument must be of type PROCESS, this is of type PHASE"),
    ("murphi", "G [want(_, _)]", 4, "the action 'want' has 1 parameter, not 2"),
    ("murphi", "G phase = Idle", 3, "these are never equal: one is an array, the other is of type PHASE"),
    ("murphi", "G phase[PROCESS_1] = 3", 3, "these are never equal"),
    ("b", "G {members = 1}", 14, "the right side of '=' must be POW(Person), this is INTEGER"),
    ("b", "G [Join(1)]", 9, "this argument must be Person, this is INTEGER"),
    # Sets without bounds, or with many elements
    ("net", "forall x: full_1 . G x = 1", 11, "a place/transition net has no sets"),
    ("murphi", "forall p: 0..100000000 . G free", 11, "'p' would have 100,000,001 values"),
    ("murphi", MANY_TUPLES, 1, "the quantified names have 177,147 tuples of values: at most 100,000"),
    ("b", "!p.(p : NATURAL => G {p > 0})", 9, "this set is not bounded"),
    ("b", "!p.(p : members => G {p : members})", 9, "the set that a name ranges over depends on 'members'"),
    ("b", "!p.(p : POW(Person) => G {p = members})", 9, "quantified names stand for elements of sets"),
    # Size
    ("net", DEEP, 102, "this is more than 100 levels deep"),
    ("net", MANY_ATOMS, 1, "this formula has more than 128 atoms"),
    ("net", LARGE_AUTOMATON, 1, "has more than 10000 states"),
]


def refusal(kind: str, folder: Path, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    trace = folder / "trace.json"
    assert main(["check", *MODELS[kind], *options, "--json", "--trace", str(trace)]) == 2
    out, err = capsys.readouterr()
    assert out == "" and not trace.exists()
    assert "Traceback" not in err
    return err


@pytest.mark.parametrize(
    ("kind", "text", "column", "message"), FORMULAS, ids=lambda value: str(value)[:40] if value else "empty"
)
def test_formulas(
    kind: str, text: str, column: int, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logic = "--ctl" if text.startswith("A") else "--ltl"
    err = refusal(kind, tmp_path, capsys, logic, text)
    assert f"{logic}:1:{column}: error: " in err
    assert message in err


FORMULA = "<all-paths><globally>{}</globally></all-paths>"
BOMB = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'


def properties(formula: str) -> str:
    inside = f"<id>one</id><description>d</description><formula>\n{formula}\n</formula>"
    return f"<property-set><property>{inside}</property></property-set>"


def compared(place: str, number: str = "1") -> str:
    tokens = f"<tokens-count>{place}</tokens-count><integer-constant>{number}</integer-constant>"
    return FORMULA.format(f"<integer-le>{tokens}</integer-le>")


GOOD = properties(compared("<place>full_1</place>"))
FILES = [
    (properties(compared("<place>full_9</place>")), (2, 55), "there is no place 'full_9'"),
    (properties(compared("")), (2, 34), "<tokens-count> needs at least one <place>"),
    (properties(compared("<place>full_1</place>", "x")), (2, 102), "is no number of 64 bits"),
    (
        properties(FORMULA.format("<is-fireable><transition>t</transition></is-fireable>")),
        (2, 47),
        "there is no",
    ),
    (
        properties(FORMULA.format("<sometimes><deadlock/></sometimes>")),
        (2, 22),
        "the element <sometimes> is not",
    ),
    (properties("<all-paths></all-paths>"), (2, 1), "<all-paths> needs one formula, it has 0"),
    (properties("<all-paths><globally></all-paths>"), (2, 24), "this is no well-formed XML: mismatched tag"),
    (properties(compared("<place>&bomb;</place>")), (2, 55), "this is no well-formed XML: undefined entity"),
    (f"{BOMB}{properties(compared('<place>&b;</place>'))}", (1, 13), "a DOCTYPE is not supported"),
    (GOOD[:150], None, "this is no well-formed XML"),
    (
        properties("<negation>" * 5000 + "<deadlock/>" + "</negation>" * 5000),
        None,
        "nested more than 400 deep",
    ),
    (
        GOOD.replace("</property-set>", GOOD.removeprefix("<property-set>")),
        None,
        "there are two properties 'one'",
    ),
    ("<a/>", (1, 1), "expected a <property-set>, found <a>"),
    ("", None, "the file is empty"),
    ("ltl a: G full_1 = 1\nltl a: G full_2 = 1\n", (2, 1), "there are two properties 'a'"),
    ("ltl a:\nltl b: G deadlock\n", (1, 7), "expected a formula, found the end of the formula"),
    ("G full_1 = 1\n", (1, 1), "expected 'ltl NAME: FORMULA', 'ctl NAME: FORMULA' or '[NAME]'"),
    ("ltl a: G full_1 = 1 \xff\n", (1, 21), "expected an operator or the end of the formula"),
]


@pytest.mark.parametrize(("text", "place", "message"), FILES, ids=range(len(FILES)))
def test_files(
    text: str,
    place: tuple[int, int] | None,
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "asked"
    path.write_text(text, "latin-1")
    err = refusal("net", tmp_path, capsys, "--properties", str(path))
    if place is not None:
        assert f"{path}:{place[0]}:{place[1]}: error: " in err
    assert message in err


def test_the_file_without_a_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "asked.xml"
    path.write_text(GOOD)
    assert main(["check", *MODELS["net"], "--properties", str(path)]) == 0
    assert "holds" in capsys.readouterr().out


OPTIONS = [
    (
        "net",
        ("--fair", "weak", "--fair-by", "p"),
        "--fair-by: error: has no effect here: actions of this kind",
    ),
    ("murphi", ("--fair-by", "p"), "--fair-by: error: has no effect here: it needs --fair"),
    ("murphi", ("--fair", "weak", "--fair-by", "q"), "--fair-by: error: no action has a parameter 'q'"),
    ("b", ("--fair", "often"), "no such value: 'often'"),
]


@pytest.mark.parametrize(("kind", "options", "message"), OPTIONS, ids=range(len(OPTIONS)))
def test_options(
    kind: str,
    options: tuple[str, ...],
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert message in refusal(kind, tmp_path, capsys, "--ltl", "G deadlock", *options)
