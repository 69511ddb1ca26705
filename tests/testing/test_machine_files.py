"""Machines by others, in their files: what is read, what is refused and where."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from burnside.diagnostics import BurnsideError, Source, UnsupportedError, UsageError
from burnside.testing.formats import FORMATS, read_machine
from burnside.testing.machine import Action, Edges, StateMachine
from burnside.testing.reference.facts import ambiguous, classes, distances, missing
from burnside.testing.splits import read_split

MODELS = Path(__file__).parents[3] / "shared" / "models" / "fsm"
EXPECTED = MODELS / "expected.csv"
HTML = "JSSE_1.8.0_25_server_regular.dot"
"""Labels are HTML: an input, a line break, an output. Its figures were counted from the text without the line break, up
to the first slash: `Finished Alert Fatal (Internal error)` with the output `ConnectionClosed`. That is not what the file
draws, but it can be declared."""
AT_FIRST_SLASH = r"(?P<input>[^/]*?)( ?/ ?(?P<output>.*))?"

needs_models = pytest.mark.skipif(not EXPECTED.is_file(), reason="../shared/models/fsm is absent")


def read(extension: str, text: str) -> StateMachine:
    return FORMATS[extension].read(Source("machine", text), None)


def labelled(machine: StateMachine) -> list[tuple[str, str, str]]:
    return [(machine.states[a], str(machine.actions[b]), machine.states[c]) for a, b, c in machine.edges]


def rows() -> list[dict[str, str]]:
    if not EXPECTED.is_file():
        return []
    with EXPECTED.open(newline="") as file:
        return list(csv.DictReader(file))


@needs_models
@pytest.mark.parametrize("row", rows(), ids=lambda row: row["model"])
def test_as_expected(row: dict[str, str]) -> None:
    machine = read_machine(MODELS / row["model"], AT_FIRST_SLASH if row["model"] == HTML else None)
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
    assert {name: str(value) for name, value in found.items()} == {name: row[name] for name in found}


@needs_models
def test_labels_of_html_are_read_as_they_are_drawn() -> None:
    machine = read_machine(MODELS / HTML)
    assert (len(machine.inputs), len({each.output for each in machine.actions})) == (15, 10)
    assert Action("ClientKeyExchange", "Empty") in machine.actions
    assert Action("Finished", "ChangeCipherSpec / Finished") in machine.actions


COUNTED = {
    "automatalib/DFA1.fsm": (2, 2, 1),
    "automatalib/DFA2.fsm": (1, 1, 1),
    "automatalib/MealyAlternating.fsm": (4, 4, 1),
    "automatalib/MealyIO.fsm": (2, 2, 2),
    "automatalib/cfmps.dot": (5, 7, 1),
    "automatalib/cluster.dot": (9, 15, 4),
    "automatalib/dfa.dot": (3, 3, 1),
    "automatalib/graph.dot": (15, 14, 1),
    "automatalib/graph_html.dot": (15, 14, 1),
    "automatalib/mealy.dot": (3, 3, 3),
    "automatalib/moore.dot": (3, 6, 1),
    "automatalib/mts.dot": (3, 9, 1),
    "automatalib/nfa.aut": (3, 3, 1),
    "automatalib/nfa.dot": (3, 6, 1),
    "automatalib/nfa2.dot": (3, 3, 1),
    "automatalib/pmpg.dot": (3, 4, 1),
    "automatalib/quotationTest.aut": (4, 7, 1),
    "automatalib/sba.dot": (12, 17, 1),
    "automatalib/sinkStateTest.aut": (3, 4, 1),
    "automatalib/spa.dot": (10, 11, 1),
    "automatalib/spmm.dot": (12, 17, 5),
    "automatalib/sst.dot": (4, 12, 5),
    "mcrl2/1.aut": (31, 84, 1),
    "mcrl2/2.aut": (2, 1, 1),
    "mcrl2/lts_i.aut": (1, 1, 1),
    "fsmlib-cpp/M0.fsm": (4, 10, 2),
    "fsmlib-cpp/M1.fsm": (4, 10, 3),
    "fsmlib-cpp/M2.fsm": (4, 10, 3),
    "fsmlib-cpp/Mdr2.fsm": (4, 4, 2),
    "fsmlib-cpp/Mdr3.fsm": (3, 3, 2),
    "fsmlib-cpp/N1MIN.fsm": (6, 19, 2),
    "fsmlib-cpp/N2MIN.fsm": (6, 19, 2),
    "fsmlib-cpp/N3MIN.fsm": (6, 19, 2),
    "fsmlib-cpp/N4MIN.fsm": (6, 19, 2),
    "fsmlib-cpp/N5MIN.fsm": (6, 19, 2),
    "fsmlib-cpp/NFSM1.fsm": (9, 30, 3),
    "fsmlib-cpp/NMIN.fsm": (6, 19, 2),
    "fsmlib-cpp/NMIN4.fsm": (6, 19, 2),
    "fsmlib-cpp/NMIN_SUT.fsm": (6, 19, 2),
    "fsmlib-cpp/NN.fsm": (9, 26, 2),
    "fsmlib-cpp/R02.fsm": (4, 4, 2),
    "fsmlib-cpp/R03.fsm": (3, 2, 2),
    "fsmlib-cpp/R23.fsm": (3, 2, 2),
    "fsmlib-cpp/TC-DFSM-0001.fsm": (4, 7, 2),
    "fsmlib-cpp/TC-FSM-0005.fsm": (4, 16, 2),
    "fsmlib-cpp/adaptive-iut-fail.fsm": (4, 10, 2),
    "fsmlib-cpp/adaptive-iut.fsm": (4, 9, 2),
    "fsmlib-cpp/adaptive-kaput-iut.fsm": (2, 3, 3),
    "fsmlib-cpp/adaptive-kaput-spec.fsm": (2, 3, 3),
    "fsmlib-cpp/adaptive.fsm": (4, 10, 2),
    "fsmlib-cpp/adaptive2.fsm": (4, 13, 2),
    "fsmlib-cpp/brake.fsm": (3, 10, 2),
    "fsmlib-cpp/card_reader.fsm": (10, 42, 9),
    "fsmlib-cpp/csm0-abs.fsm": (4, 23, 2),
    "fsmlib-cpp/csm0.fsm": (4, 23, 4),
    "fsmlib-cpp/example-master-fehler-iut.fsm": (4, 9, 3),
    "fsmlib-cpp/example-master-fehler.fsm": (3, 7, 3),
    "fsmlib-cpp/example-master-m1-iut.fsm": (4, 11, 2),
    "fsmlib-cpp/example-master-m1.fsm": (4, 10, 2),
    "fsmlib-cpp/exp1.fsm": (3, 6, 2),
    "fsmlib-cpp/exp2.fsm": (3, 6, 2),
    "fsmlib-cpp/fsm.fsm": (3, 6, 2),
    "fsmlib-cpp/fsmGillA17.fsm": (5, 10, 2),
    "fsmlib-cpp/fsmGillA7.fsm": (9, 27, 2),
    "fsmlib-cpp/fsma.fsm": (2, 4, 2),
    "fsmlib-cpp/fsmb.fsm": (3, 6, 2),
    "fsmlib-cpp/fsmdump.fsm": (6, 19, 2),
    "fsmlib-cpp/garage.fsm": (6, 24, 5),
    "fsmlib-cpp/gill.fsm": (9, 24, 2),
    "fsmlib-cpp/huang201711.fsm": (13, 65, 4),
    "fsmlib-cpp/nonObservable.fsm": (4, 12, 2),
    "fsmlib-cpp/nondetnonmin.fsm": (9, 26, 2),
    "fsmlib-cpp/rDistExample001.fsm": (4, 11, 4),
    "fsmlib-cpp/rDistExample002.fsm": (4, 11, 4),
    "fsmlib-cpp/safety-complete-example-1-abs.fsm": (3, 6, 2),
    "fsmlib-cpp/safety-complete-example-1.fsm": (3, 6, 3),
    "fsmlib-cpp/unreachable_gdc.fsm": (8, 11, 4),
    "fsmlib-cpp/wp1ref.fsm": (4, 10, 3),
    "fsmlib-cpp/wp2imp.fsm": (4, 10, 3),
}
"""States, edges, outputs (no output counts as one)."""
REFUSED = {
    "automatalib/empty.dot": "5:1: there is no state",
    "automatalib/error1.aut": "1:1: expected 'des (initial, edges, states)'",
    "automatalib/error2.aut": "1:5: expected a number from 0 to 999999999",
    "automatalib/error3.aut": "2:5: this label needs quotation marks",
    "automatalib/error4.aut": "1:5: there are only 0 states",
    "automatalib/error5.aut": "2:2: there are only 1 states",
    "automatalib/faulty_automaton.dot": "1:1: graphs without directions are not supported",
    "automatalib/faulty_graph.dot": "1:1: expected 'digraph'",
    "automatalib/graph_global.dot": "20:2: this arc has no label",
    "automatalib/parser.dot": "27:5: this arc has no label",
    "mcrl2/probability1.aut": "1:6: probabilities of states are not supported",
}


@needs_models
def test_every_file_is_expected() -> None:
    files = {str(path.relative_to(MODELS)) for path in MODELS.rglob("*") if path.is_file()}
    assert files == {*COUNTED, *REFUSED, *(row["model"] for row in rows()), EXPECTED.name}


@needs_models
@pytest.mark.parametrize("name", COUNTED)
def test_other_files(name: str) -> None:
    machine = read_machine(MODELS / name)
    outputs = len({each.output for each in machine.actions})
    assert (len(machine.states), len(machine.edges), outputs) == COUNTED[name]


@needs_models
@pytest.mark.parametrize("name", REFUSED)
def test_refused_files(name: str) -> None:
    with pytest.raises(BurnsideError) as caught:
        read_machine(MODELS / name)
    assert placed(caught.value) == REFUSED[name]


def placed(error: BurnsideError) -> str:
    span = error.diagnostic.span
    assert span is not None
    return f"{span.line}:{span.column}: {error.diagnostic.message}"


MANY = " ".join(f"n{each}" for each in range(3_200))

WRONG = {
    ".aut": [
        ("(0,0,0)", "1:1: expected 'des (initial, edges, states)'"),
        ("", "1:1: expected 'des (initial, edges, states)'"),
        ("des (-1, 1, 1)\n(0, a, 0)", "1:6: expected a number from 0 to 999999999"),
        ("des (0, 1, 4)\n(0, PUT_\\6, 1)", "2:5: this label needs quotation marks"),
        ("des (0, 1, 1)\n(1, z, 0)", "2:2: there are only 1 states"),
        ('des (0, 2, 1)\n(0, "z", 0)\n(0, "z", 1)', "3:10: there are only 1 states"),
        ("des (0, 2, 1)\n(0, z, 0)", "2:10: expected an edge '(source, label, target)': 1 more to come"),
        ("des (0, 0, 1)\n(0, z, 0)\n(0, z", "3:1: expected an edge '(source, label, target)'"),
        ('des (0, 0, 1)\n(0, "z, 0)', "2:1: expected an edge '(source, label, target)'"),
        ("des (0, 0, 1)\n(0, , 0)", "2:1: expected an edge '(source, label, target)'"),
        ("des (0, 0, 999999999)", "1:12: more than 10000000 states are not supported"),
        ("des (0 1/7 1, 0, 2)", "1:6: probabilities of states are not supported"),
        ("des (0, 1, 2)\n(0, a, 0 1/2 1)", "2:8: probabilities of states are not supported"),
    ],
    ".dot": [
        ("graph g { a -- b }", "1:1: graphs without directions are not supported"),
        ("digraph g { a -- b }", "1:15: expected '->': the graph is directed"),
        ('digraph g { a -> b [label="x" }', "1:31: expected a name"),
        ("digraph g { a -> b }", "1:13: this arc has no label"),
        ("digraph g { }", "1:14: there is no state"),
        ('digraph g { a -> b [label="x] }', "1:27: this string is not closed"),
        ("digraph g { a /* }", "1:15: this comment is not closed"),
        ("digraph g { // a b c\n ? }", "2:2: unexpected character '?'"),
        (f"digraph g {{ {' ' * 5000} ? }}", "1:5014: unexpected character '?'"),
        ("digraph g { a [label=<b] }", "1:22: this text in angle brackets is not closed"),
        ('digraph g { a [label="b" + c] }', "1:28: expected a string"),
        ("digraph g { a", "1:14: expected '}'"),
        ('digraph g { a [state="x"] b [state="x"] }', "1:36: two states are called 'x'"),
        (
            f"digraph g {{ {{ {MANY} }} -> {{ {MANY} }} [label=x] }}",
            "1:13: more than 10000000 arcs between subgraphs are not supported",
        ),
        ('digraph g { a -> b [label="x"]; c -> d [label="y"] e -> }', "1:57: expected a name"),
        ('digraph g { a -> b [label="x"]; node -> c [label="y"] }', "1:38: expected a name"),
    ],
    ".kiss": [
        (".i 1\n.o 1\n", "3:1: there is no line of a transition"),
        ("0 a b 0", "1:1: '.i' comes before the first transition"),
        (".i x", "1:4: expected a number behind '.i'"),
        (".i 2\n.o 1\n0 a b 0", "3:1: expected 2 bits, as '.i' says"),
        (".i 1\n.o 1\nx a b 0", "3:1: bits are '0', '1' and '-'"),
        (".i 1\n.o 1\n0 a b", "3:5: expected an input, a state, the next state and an output"),
        (".i 1\n.o 1\n.r c\n0 a b 0", "3:4: no transition has this state"),
        (".i 1\n.o 1\n0 a - 0", "3:5: an output without a next state is not supported"),
        (".i 1\n.o 1\n0 - a 0", "3:3: expected a state, or '*' for every state"),
        (".i 1\n.o 1\n0 * * -", "3:3: there is no state"),
        (".names a b", "1:1: '.names' is not known"),
        (".i 1\n.o 1\n.p 3\n0 a b 0\n1 a b 0\n", "6:1: expected a transition: 1 more to come, as '.p' says"),
        (
            f".i 27\n.o 1\n{'-' * 27} a a 0",
            "3:1: more than 10000000 edges are not supported: '-' in an input stands for both bits",
        ),
    ],
    ".fsm": [
        ("", "1:1: there is no edge"),
        ("0 0 0", "1:5: expected four numbers: the source, the input, the output and the target of an edge"),
        ("0 0 x 1", "1:5: expected a number from 0 to 999999999"),
        ("---\n1 1 a", "1:1: expected two lines '---': parameters, states, edges"),
        ("---\n---\n1 1 a", "3:5: expected a label in quotation marks"),
        ('---\n---\n1 1 "a', "3:5: expected a label in quotation marks"),
        ('---\n0\n---\n1 2 "a"', "4:3: there are only 1 states"),
        ('---\n---\n0 1 "a"', "3:1: states are numbered from 1"),
        ('---\n---\n1 1 "a"\n---\n2', "5:1: there are only 1 states"),
        ('---\n---\n1 1 "a"\n---\n1 1/2 1 1/2', "5:1: probabilities of states are not supported"),
        ('b Bool "F"\n---\n0\n---\n', "1:1: expected a parameter: name(size) type values"),
        ('name(1) String "a"\n---\n1\n---\n', "3:1: there are only 1 values"),
        ("{", "1:2: this is no JSON text"),
        ('{"states": [{"name": "a", "initial": false}], "transitions": []}', "1:1: no state is initial"),
        (
            '{"states": [{"name": "a", "initial": true}, {"name": "a"}], "transitions": []}',
            "1:22: two states are called 'a'",
        ),
        (
            '{"states": [{"name": "a", "initial": true}], "transitions": '
            '[{"source": "a", "input": ["x"], "output": "0", "target": "b"}]}',
            "1:119: there is no state 'b'",
        ),
        (
            "5 1\n1 1 1\n1\n0 0\n",
            "1:1: expected the type of a machine: 1 (DFSM), 2 (Mealy), 3 (Moore), 4 (DFA)",
        ),
        ("2 1\n1 1 1\n1\n0 0\n", "5:1: a line for every state is expected"),
        ("2 1\n1 1 1\n1\n0 0\n0 7\n", "5:3: there is no state 7"),
        ("2 1\n1 1 1\n1\n3 0\n", "4:1: expected 1 states below 1"),
    ],
}


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [(name, *case) for name, cases in WRONG.items() for case in cases],
)
def test_wrong(name: str, text: str, expected: str) -> None:
    with pytest.raises(BurnsideError) as caught:
        read(name, text)
    assert placed(caught.value) == expected


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no file of a machine"):
        read_machine(tmp_path / "machine.txt")
    for name in ("absent.dot", "empty.dot", "folder.dot"):
        if name == "empty.dot":
            (tmp_path / name).touch()
        if name == "folder.dot":
            (tmp_path / name).mkdir()
        with pytest.raises(BurnsideError):
            read_machine(tmp_path / name)


# Aldebaran


def test_labels_of_aut_may_hold_quotation_marks() -> None:
    text = 'des(0, 3, 2)\n(0, "SEND !"hello" !"world"", 1)\n( 1 , i , 0 )\n(1, *, 1)\n'
    machine = read(".aut", text)
    assert [each.input for each in machine.actions] == ['SEND !"hello" !"world"', "i", "*"]


def test_lines_of_aut_are_read_alike_however_they_are_spaced() -> None:
    regular = 'des (0, 4, 2)\n(0, "a, b", 1)\n(1, c, 0)\n(0, "a, b", 1)\n(1, *, 0)\n'
    machine = read(".aut", regular)
    assert labelled(machine) == [("0", "a, b", "1"), ("1", "c", "0"), ("1", "*", "0")]
    for changed in (
        regular.replace("(1, c, 0)", "\n  ( 1 ,\tc , 0 )  \r\n"),
        regular.replace("\n", "\r\n"),
        "\n\n" + regular.replace(", 4,", ", 0,") + "\n\n",
        regular.replace("(0, ", "(0,").replace(", 1)", ",1)"),
    ):
        assert read(".aut", changed) == machine


# GraphViz


def test_the_gallery_of_graphviz() -> None:
    """As textbooks and GraphViz's own examples draw automata: shapes for all that follow, a point for the start."""
    machine = read(
        ".gv",
        """digraph finite_state_machine {
            rankdir=LR; node [shape = point ]; qi
            node [shape = doublecircle]; LR_0 LR_3;
            node [shape = circle];
            { node [shape = doublecircle]; inner }
            qi -> LR_1;
            LR_1 -> LR_0 [label = "SS(B)"]; # a comment
            LR_0 -> LR_3 -> inner [label = "S($end)"];
        }""",
    )
    assert machine.states == ("LR_0", "LR_3", "inner", "LR_1")
    assert (machine.initial, machine.accepting) == ((3,), frozenset({0, 1, 2}))


def test_initial_states_of_mcrl2() -> None:
    head = 'digraph "" {\ncenter = TRUE;\nmclimit = 10.0;\nnode [ width=0.25, label="" ];\n'
    machine = read(".dot", head + '1 [ peripheries=2 ];\n0->1[label="a"];\n1->0[label="b"];\n}\n')
    assert (machine.states, machine.initial, machine.accepting) == (("1", "0"), (0,), None)
    other = read(".dot", 'digraph { 1 [ peripheries=2 ]; 0->1 [label="a"]; }')
    assert other.accepting == frozenset({0})


def test_tables_in_html() -> None:
    """As older versions of LearnLib write labels."""
    row = "<tr><td>{}</td><td>/</td><td>{}</td></tr>"
    label = f'<<table border="0">{row.format("SEND a &lt; b", "ok &amp; done")}</table>>'
    machine = read(".dot", f"digraph g {{ s0 -> s0 [label={label}]; }}")
    assert machine.actions == (Action("SEND a < b", "ok & done"),)


def test_names_that_are_signs() -> None:
    machine = read(
        ".dot", 'digraph { ";" -> "{" [label="]"]; "{" -> "=" [label="->"] "node" -> "=" [label=x] }'
    )
    assert labelled(machine) == [(";", "]", "{"), ("{", "->", "="), ("node", "x", "=")]


def test_labels_that_are_names_and_labels_that_are_outputs() -> None:
    arc = 'a -> b [label="x"]; b -> a [label="x"]'
    assert read(".dot", f"digraph {{ a [label=N]; b [label=N]; {arc} }}").outputs == ("N", "N")
    assert read(".dot", f"digraph {{ a [label=N]; b [label=M]; {arc} }}").outputs is None
    assert read(".dot", f'digraph {{ a [label=""]; b [label=""]; {arc} }}').outputs is None
    mealy = 'digraph { a [label=N]; b [label=N]; a -> b [label="x/0"]; b -> a [label="x/1"] }'
    assert read(".dot", mealy).outputs is None


PLAIN_ARCS = """digraph {
a -> "b c" [label="x/1"];
"b c"->a[label = "y / 2" ]
a -> 3 [label="
"];3 -> a [label="x/1"] [color=red]
a -> 4.5 [label="x/1"]
subgraph { edge [color=red] a -> new [label="x/1"]; new -> a [label="z"] } -> 3 [label="w"]
a -> "b c" [label="x\\/1"]; a -> "\\"" [label="x/1"];
é -> "node" [label="&"]; a -> b [label="x"]}
"""


def test_arcs_that_are_read_at_once_mean_the_same() -> None:
    """Comments keep the reader from reading an arc at once."""
    with_comments = PLAIN_ARCS.replace(" [label", " /* */ [label").replace("[label = ", "/**/[label = ")
    found = read(".dot", PLAIN_ARCS)
    assert found == read(".dot", with_comments)
    assert ("b c", "y/2", "a") in labelled(found) and ("é", "&", "node") in labelled(found)


def test_several_labels_of_one_arc() -> None:
    machine = read(".dot", r'digraph { a -> b [label="x/0\ny/1\l"]; b -> a [label="p\\n"] }')
    assert machine.actions == (Action("x", "0"), Action("y", "1"), Action("p\\n"))


# KISS2


def test_kiss_as_in_the_benchmarks() -> None:
    text = """.model m
.inputs a b
.outputs c
.latch x y
.start_kiss
.i 2
.o 1
.p 4
.s 2
.r st1
1- * st0 -
01 st0 | st1 1
0~ st1 st1 0
00 st1 * -
.end_kiss
.latch_order y
.code st0 0
.names a b
11 1
.end
"""
    machine = read(".kiss2", text)
    assert machine.states[machine.initial[0]] == "st1"
    assert labelled(machine) == [
        ("st0", "10/-", "st0"),
        ("st1", "10/-", "st0"),
        ("st0", "11/-", "st0"),
        ("st1", "11/-", "st0"),
        ("st0", "01/1", "st1"),
        ("st1", "00/0", "st1"),
        ("st1", "01/0", "st1"),
    ]


def test_a_reset_line_leads_to_the_initial_state() -> None:
    machine = read(".kiss", ".i 1\n.o 1\n1 * st1 0\n0 st0 st1 1\n0 st1 st0 1\n")
    assert machine.states[machine.initial[0]] == "st1"


def test_lines_of_blif_may_go_on() -> None:
    text = (
        ".model m\n.inputs a \\\n b \\\n c\n.outputs z\n.start_kiss\n.i 1\n.o 1\n.p 2\n0 a a 0\n.end_kiss\n"
    )
    assert labelled(read(".kiss", text)) == [("a", "0/0", "a")]


# The dialects of .fsm


def test_tables_of_numbers() -> None:
    mealy = read(".fsm", "2 1\n2 2 2\n2\n0\t0\t0\n1\t1\t0\n0\t1\t0\n1\t-1\t1\n\nPDS: NO\n")
    assert labelled(mealy) == [("0", "0/0", "1"), ("0", "1/0", "0"), ("1", "1/0", "1")]
    moore = read(".fsm", "3 1\n2 1 2\n2\n0 0\n1 1\n0 1\n1 4294967295\n")
    assert (moore.outputs, labelled(moore)) == (("0", "1"), [("0", "0", "1")])
    dfa = read(".fsm", "4 1\n2 1 2\n9\n0 1\n8 0\n0 8\n8 0\n")
    assert (dfa.states, dfa.accepting) == (("0", "8"), frozenset({0}))
    both = read(".fsm", "1 1\n1 1 2\n1\n0 1\n0 0\n0 0\n")
    assert (both.outputs, labelled(both)) == (("1",), [("0", "0/0", "0")])


def test_a_number_of_16_bits_may_be_a_state() -> None:
    """`-1` as an unsigned number is no state only where there is none of this number."""
    moore = "3 1\n2 1 2\n{}\n0 0\n65535 1\n0 65535\n65535 4294967295\n"
    assert labelled(read(".fsm", moore.format(65536))) == [("0", "0", "65535")]
    assert labelled(read(".fsm", "3 1\n1 1 2\n1\n0 0\n0 65535\n")) == []


def test_parameters_of_mcrl2() -> None:
    text = 'b(2) Bool "F" "T"\nfan_in(0)\nnode_nr(0)\n---\n0 13 1\n1 6 2\n---\n1 2 "c(0)"\n2 1 "up\'"\n1 2 "c(0)"\n'
    machine = read(".fsm", text)
    assert labelled(machine) == [("1", "c(0)", "2"), ("2", "up'", "1")]
    assert read(".fsm", text + "---\n2\n").initial == (1,)


def test_machines_with_inputs_and_outputs_of_their_own_are_not_split() -> None:
    for extension, text in (
        (".kiss", ".i 1\n.o 1\n0 a a 0\n"),
        (".fsm", "0 0 0 0\n"),
        (".fsm", '---\n0\n---\n1 1 "a" "b"\n'),
    ):
        with pytest.raises(BurnsideError, match="nothing to split"):
            FORMATS[extension].read(Source("machine", text), read_split("slash"))


@pytest.mark.parametrize("extension", FORMATS)
def test_a_machine_without_states_is_refused(extension: str) -> None:
    with pytest.raises(UnsupportedError, match="without states"):
        FORMATS[extension].write(StateMachine("none", (), (), (), Edges.of([])))
