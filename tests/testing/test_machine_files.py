"""Machines by others, in their files: what is read, and that what is written is read again."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from burnside.diagnostics import BurnsideError, Source, UnsupportedError
from burnside.testing.formats import FORMATS, aut, dot, fsm, kiss, read_machine
from burnside.testing.machine import StateMachine
from burnside.testing.reference.facts import ambiguous, classes, distances, missing

MODELS = Path(__file__).parents[3] / "shared" / "models" / "fsm"
EXPECTED = MODELS / "expected.csv"
HTML = {"JSSE_1.8.0_25_server_regular.dot"}
"""Labels are HTML, and inputs and outputs were counted without reading it: up to the slash of `<br />`."""

needs_models = pytest.mark.skipif(not EXPECTED.is_file(), reason="../shared/models/fsm is absent")


def rows() -> list[dict[str, str]]:
    if not EXPECTED.is_file():
        return []
    with EXPECTED.open(newline="") as file:
        return list(csv.DictReader(file))


@needs_models
@pytest.mark.parametrize("row", rows(), ids=lambda row: row["model"])
def test_as_expected(row: dict[str, str]) -> None:
    machine = read_machine(MODELS / row["model"])
    reached = distances(machine)
    found = {
        "states": len(machine.states),
        "reachable": len(reached),
        "inputs": len(machine.inputs),
        "outputs": len({each.output for each in machine.actions}),
        "transitions": len(machine.edges),
        "nondet": len(ambiguous(machine)),
        "complete": not missing(machine),
        "minimal_states": len(set(classes(machine, sorted(reached)))),
        "depth": max(reached.values()),
    }
    if row["model"] in HTML:
        row = {**row, "inputs": "15", "outputs": "10"}
    assert {name: str(value) for name, value in found.items()} == {name: row[name] for name in found}


COUNTED = {
    "fsmlib-cpp/M0.fsm": (4, 10, 2),
    "fsmlib-cpp/brake.fsm": (3, 10, 2),
    "fsmlib-cpp/unreachable_gdc.fsm": (8, 11, 4),
    "automatalib/MealyIO.fsm": (2, 2, 2),
    "automatalib/DFA1.fsm": (2, 2, 1),
    "automatalib/quotationTest.aut": (4, 7, 1),
    "automatalib/cluster.dot": (9, 15, 4),
    "mcrl2/1.aut": (31, 84, 1),
}
"""States, edges, outputs."""


@needs_models
@pytest.mark.parametrize("name", COUNTED)
def test_other_dialects(name: str) -> None:
    machine = read_machine(MODELS / name)
    outputs = len({each.output for each in machine.actions})
    assert (len(machine.states), len(machine.edges), outputs) == COUNTED[name]
    if name == "automatalib/quotationTest.aut":
        with pytest.raises(UnsupportedError, match="backslash before a quotation mark"):
            FORMATS[".dot"].write(machine)
        assert again(machine, ".aut") == machine
        return
    assert again(machine, ".dot") == machine


FSMLIB = sorted((MODELS / "fsmlib-cpp").glob("*.fsm"))


@needs_models
@pytest.mark.parametrize("path", FSMLIB, ids=lambda path: path.name)
def test_fsmlib(path: Path) -> None:
    """All have outputs, and what is written with parts is the same machine but for the names of states."""
    machine = read_machine(path)
    assert all(each.output is not None for each in machine.actions)
    if machine.initial == (0,):
        assert again(machine, ".fsm").edges == machine.edges


def again(machine: StateMachine, extension: str) -> StateMachine:
    text = FORMATS[extension].write(machine)
    return FORMATS[extension].read(Source(machine.name, text))


@needs_models
@pytest.mark.parametrize("row", rows(), ids=lambda row: row["model"])
def test_written_and_read_again(row: dict[str, str]) -> None:
    machine = read_machine(MODELS / row["model"])
    assert again(machine, ".dot") == machine
    if row["model"].endswith(".kiss"):
        assert again(machine, ".kiss") == machine
    labelled = again(machine, ".aut")
    assert [tuple(map(str, (a, machine.actions[b], c))) for a, b, c in machine.edges] == [
        tuple(map(str, (a, labelled.actions[b], c))) for a, b, c in labelled.edges
    ]
    assert again(labelled, ".aut") == labelled


WRONG = {
    "aut": [
        ("(0,0,0)", "1:1: expected 'des (initial, edges, states)'"),
        ("des (-1, 1, 1)\n(0, a, 0)", "1:6: expected a number from 0 to 999999999"),
        ("des (0, 1, 4)\n(0, PUT_\\6, 1)", "2:5: this label needs quotation marks"),
        ("des (0, 1, 1)\n(1, z, 0)", "2:2: there are only 1 states"),
        ("des (0, 2, 1)\n(0, z, 0)", "2:10: expected an edge '(source, label, target)': 1 more to come"),
        ("des (0, 0, 1)\n(0, z, 0)\n(0, z", "3:1: expected an edge '(source, label, target)'"),
        ("des (0, 0, 999999999)", "1:12: more than 10000000 states are not supported"),
        ("des (0 1/7 1, 0, 2)", "1:6: probabilities of states are not supported"),
    ],
    "dot": [
        ("graph g { a -- b }", "1:1: graphs without directions are not supported"),
        ("digraph g { a -- b }", "1:15: expected '->': the graph is directed"),
        ('digraph g { a -> b [label="x" }', "1:31: expected a name"),
        ("digraph g { a -> b }", "1:13: this arc has no label"),
        ("digraph g { }", "1:14: there is no state"),
        ('digraph g { a -> b [label="x] }', "1:27: this string is not closed"),
        ("digraph g { a", "1:14: expected '}'"),
    ],
    "kiss": [
        (".i 1\n.o 1\n", "3:1: there is no line of a transition"),
        ("0 a b 0", "1:1: '.i' comes before the first transition"),
        (".i 2\n.o 1\n0 a b 0", "3:1: expected 2 bits, as '.i' says"),
        (".i 1\n.o 1\nx a b 0", "3:1: bits are '0', '1' and '-'"),
        (".i 1\n.o 1\n0 a b", "3:5: expected an input, a state, the next state and an output"),
        (".i 1\n.o 1\n.r c\n0 a b 0", "3:4: no transition has this state"),
        (".i 1\n.o 1\n0 a - 0", "3:5: a next state that nothing is said of is not supported"),
    ],
}
WRONG["fsm"] = [
    ("", "1:1: there is no edge"),
    ("0 0 0", "1:5: expected four numbers: the source, the input, the output and the target of an edge"),
    ("0 0 x 1", "1:5: expected a number from 0 to 999999999"),
    ("---\n1 1 a", "1:1: expected two lines '---': parameters, states, edges"),
    ("---\n---\n1 1 a", "3:5: expected a label in quotation marks"),
    ('---\n0\n---\n1 2 "a"', "4:3: there are only 1 states"),
    ('---\n---\n0 1 "a"', "3:1: states are numbered from 1"),
    ("{", "1:2: this is no JSON text"),
    ('{"states": [{"name": "a", "initial": false}], "transitions": []}', "1:1: no state is initial"),
]
READERS = {"aut": aut.read, "dot": dot.read, "kiss": kiss.read, "fsm": fsm.read}


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [(name, *case) for name, cases in WRONG.items() for case in cases],
)
def test_wrong(name: str, text: str, expected: str) -> None:
    with pytest.raises(BurnsideError) as caught:
        READERS[name](Source("machine", text))
    span = caught.value.diagnostic.span
    assert span is not None
    assert f"{span.line}:{span.column}: {caught.value.diagnostic.message}" == expected


def test_labels_of_aut_may_hold_quotation_marks() -> None:
    text = 'des(0, 3, 2)\n(0, "SEND !"hello" !"world"", 1)\n( 1 , i , 0 )\n(1, *, 1)\n'
    machine = aut.read(Source("machine", text))
    assert [each.input for each in machine.actions] == ['SEND !"hello" !"world"', "i", "*"]
    assert again(machine, ".aut") == machine
