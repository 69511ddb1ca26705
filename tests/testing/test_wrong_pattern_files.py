"""Pattern files that are refused: the message, line and column, and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from burnside.diagnostics import BurnsideError, InputError, Source
from burnside.testing.machine import Action, Edges, StateMachine
from burnside.testing.pattern_files import parse_pattern, read_pattern
from hypothesis import given
from hypothesis import strategies as st

LABELS = ("join 0/ok", "join 1/ok", "join 2/ok", "leave 0/ok", "leave 1/ok", "leave 2/ok")
MACHINE = StateMachine(
    "m",
    ("s", "t"),
    (0,),
    tuple(Action(*each.split("/")) for each in LABELS),
    Edges.of([(0, 0, 1), (0, 1, 1), (0, 2, 0), (1, 3, 0), (1, 4, 0), (1, 5, 1)]),
)
TEMPLATE = """\
[template]
initial = "out"
edges = [["out", "join 0/ok", "in"], ["in", "leave 0/ok", "out"]]
"""
COPIES = '[[transformation]]\ngenerate = "rotations"\nelements = "0..2"\n'
FOUND = "[automorphisms]\ngenerators = [\n  {}\n]\n"

WRONG: dict[str, list[tuple[str, str, str | None]]] = {
    "not TOML": [
        ("template = ", "1:12: this is not TOML: invalid value", "see https://toml.io"),
        ("[template]\nedges = [\n", "3:1: this is not TOML: invalid value", "see https://toml.io"),
        ("a = 1\na = 2\n", "2:6: this is not TOML: cannot overwrite a value", "see https://toml.io"),
        ("a = " + "[" * 30_000, "1:1: lists or tables are nested too deeply", None),
        ("\na" + ".a" * 30_000 + " = 1", "2:1: this key has too many parts", None),
        ('[ a . "b.c"' + ".a" * 30_000 + "]", "1:3: this key has too many parts", None),
        ("a = 1\nb = {a" + ".'a'" * 30_000 + "= 1}", "2:6: this key has too many parts", None),
        ("a = 1\nb = [1, -" + "1_1" * 5_000 + "]", "2:10: this number is too large", None),
        (f"order = [0x{'f' * 5_000}]", "1:10: this number is too large", None),
        (
            f'order = [{{ match = "*", by = [0x{"f" * 5_000}] }}]',
            "1:31: this number is too large",
            None,
        ),
    ],
    "keys": [
        (
            TEMPLATE + "[[transformations]]\n",
            "4:3: the key 'transformations' is not known",
            "did you mean 'transformation'?",
        ),
        (
            "",
            "1:1: the key 'template' is missing",
            "a pattern is a template with transformations, or automorphisms",
        ),
        (
            TEMPLATE,
            "1:1: the key 'transformation' is missing",
            "a pattern is a template with transformations, or automorphisms",
        ),
        (
            COPIES + '[template]\ninital = "out"\n',
            "5:1: the key 'inital' is not known",
            "did you mean 'initial'?",
        ),
        (
            COPIES + "[template]\nedges = []\n",
            "4:2: the key 'initial' is missing",
            "keys here are initial, edges, name, states, actions, outputs, accepting, colours",
        ),
        (TEMPLATE + COPIES + "[initial]\ndefault = true\n", '8:11: expected a text: "..."', None),
        ("order = 3\n", "1:9: expected a list: [ ... ]", None),
        ("transformation = 3\n" + TEMPLATE, "1:18: expected a list: [ ... ]", None),
        ("initial = 3\n" + TEMPLATE + COPIES, "1:11: expected a table: { key = value, ... }", None),
    ],
    "templates": [
        (
            "template = 3\n" + COPIES,
            "1:12: expected a template",
            'the name of a file: "template.aut", or a table [template]',
        ),
        (
            'template = "missing.aut"\n' + COPIES,
            "1:12: there is no such file",
            "looked for 'folder/missing.aut': names are relative to the pattern file",
        ),
        ('template = "a\\u0000.aut"\n' + COPIES, "1:12: there is no such file", None),
        (
            'split = "slash"\n' + TEMPLATE + COPIES,
            "1:9: 'split' is for templates in files of their own",
            None,
        ),
        (
            TEMPLATE.replace('"in", "leave', '"out", "join 0/ok", "out"], ["in", "leave') + COPIES,
            "3:38: the template is not deterministic: in state 'out', 'join 0/ok' leads to 'in' and to 'out'",
            "leave out one of the edges, or give it another action",
        ),
        (TEMPLATE.replace('"leave 0/ok", ', "") + COPIES, "3:38: expected source, action and target", None),
        (
            TEMPLATE.replace('initial = "out"', 'initial = "ot"') + COPIES,
            "2:11: no edge has the state 'ot'",
            "did you mean 'out'?",
        ),
        (
            TEMPLATE + 'states = ["out", "inn"]\n' + COPIES,
            "3:31: 'in' is not in 'states'",
            "did you mean 'inn'?",
        ),
        (
            TEMPLATE + 'actions = ["join 0/ok"]\n' + COPIES,
            "3:45: 'leave 0/ok' is not in 'actions'",
            "there are join 0/ok",
        ),
        (
            TEMPLATE + "colours = [1]\n" + COPIES,
            "4:11: expected a number for each edge: there are 2 edges, 1 colours",
            None,
        ),
        (TEMPLATE + "colours = [1, -1]\n" + COPIES, "4:11: expected numbers from 0 to 4294967295", None),
        ('[template]\ninitial = "0"\nedges = []\n' + COPIES, "3:9: the template has no edges", None),
        (
            TEMPLATE.replace("join", "JOIN").replace("leave", "LEAVE") + COPIES,
            "1:2: the template covers nothing: no copy has an action of the machine",
            "a copy has 'JOIN 0/ok', the machine has join 0/ok, join 1/ok, join 2/ok and 3 more",
        ),
        (
            TEMPLATE.replace("/ok", "") + COPIES,
            "1:2: the template covers nothing: no copy has an action of the machine",
            "the template has no outputs ('split' says where labels of a file have them); "
            "a copy has 'join 0', the machine has join 0/ok, join 1/ok, join 2/ok and 3 more",
        ),
    ],
    "transformations": [
        (
            "transformation = []\n" + TEMPLATE,
            "1:18: there is no transformation",
            "a pattern has one copy or more",
        ),
        (
            TEMPLATE + '[[transformation]]\nname = "a"\n',
            "4:3: expected one of 'substitute', 'rename' and 'generate'",
            None,
        ),
        (
            TEMPLATE
            + '[[transformation]]\nname = "a"\nrename = { "leave 0" = "leave 1", "jion 0" = "join 1" }\n',
            "6:35: the template has neither an action nor an input 'jion 0'",
            "did you mean 'join 0', 'join 0/ok'?",
        ),
        (
            TEMPLATE + '[[transformation]]\nname = "a"\nrename = { "leave 0" = "leave 7" }\n',
            "6:24: the machine has no input 'leave 7'",
            "did you mean 'leave 2', 'leave 1', 'leave 0'?",
        ),
        (
            TEMPLATE
            + '[[transformation]]\nname = "a"\nrename = { "leave 0" = "leave 1", "leave 0/ok" = "leave 2/ok" }\n',
            "6:35: 'leave 0/ok' is renamed twice",
            None,
        ),
        (
            TEMPLATE
            + '[[transformation]]\nname = "a"\nrename = [["leave 0/ok", "leave 1/ok"], ["leave 0/ok", "leave 2/ok"]]\n',
            "6:42: 'leave 0/ok' is renamed twice",
            None,
        ),
        (
            TEMPLATE + '[[transformation]]\nname = "a"\nrename = { "leave 0" = "join 0" }\n',
            "4:3: transformation 'a' is no permutation: 'join 0/ok' and 'leave 0/ok' both become 'join 0/ok'",
            "different actions of the template need different names in a copy",
        ),
        (
            TEMPLATE + '[[transformation]]\nname = "a"\nsubstitute = { 1 = "2" }\n',
            "6:16: no label of the template has the word '1'",
            "there are 0, join, leave, ok",
        ),
        (
            TEMPLATE + '[[transformation]]\nname = "a"\nsubstitute = { "join 0" = "2" }\n',
            "6:16: 'join 0' is not a word",
            "words have letters, digits and underscores",
        ),
        (
            TEMPLATE + '[[transformation]]\nname = "a"\nsubstitute = "0 1"\n',
            "6:14: expected a table of names and images, or cycle notation",
            'cycles are like (a b)("c d" e)',
        ),
        (
            TEMPLATE + '[[transformation]]\nname = "a"\nsubstitute = "(0 1)(1 2)"\n',
            "6:14: '1' stands here twice",
            None,
        ),
        (
            TEMPLATE + COPIES.replace("rotations", "rotation"),
            "5:12: there is no kind of transformations 'rotation'",
            "did you mean 'rotations', 'permutations'?",
        ),
        (
            TEMPLATE + COPIES.replace('"0..2"', '["1", "2"]'),
            "6:12: no label of the template has one of these words",
            None,
        ),
        (TEMPLATE + COPIES.replace('"0..2"', '["0", "0"]'), "6:18: '0' stands here twice", None),
        (TEMPLATE + COPIES.replace('"0..2"', '["0 1"]'), "6:13: '0 1' is not a word", None),
        (
            TEMPLATE + COPIES.replace('"0..2"', '"0-2"'),
            "6:12: expected a list of words, or a range",
            'a range is "0..7"',
        ),
        (TEMPLATE + COPIES.replace("0..2", "2..0"), "6:12: expected a range of 1 to 100,000 numbers", None),
        (
            TEMPLATE + COPIES.replace("0..2", "0..999999999"),
            "6:12: expected a range of 1 to 100,000 numbers",
            None,
        ),
        (
            TEMPLATE + COPIES + "parameters = [0, 1]\n",
            "7:14: rotations have one parameter, there are 2",
            None,
        ),
        (TEMPLATE + COPIES + "parameters = [7]\n", "7:15: there is no element '7'", None),
        (
            TEMPLATE + COPIES + COPIES,
            "7:3: two transformations are called '0'",
            "give the entry a 'name' of its own",
        ),
        (
            TEMPLATE + COPIES.replace("rotations", "permutations") + 'parameters = ["0"]\n',
            "7:1: permutations have no parameters: all elements move",
            'for parameters, use "ordered tuples"',
        ),
        (
            TEMPLATE + COPIES.replace("rotations", "ordered pairs"),
            "4:3: the key 'parameters' is missing: the words that ordered pairs are put in place of",
            'as in parameters = ["0", "1"]',
        ),
        (
            TEMPLATE + COPIES.replace("rotations", "ordered pairs") + 'parameters = ["0"]\n',
            "7:14: ordered pairs have two parameters, there are 1",
            None,
        ),
        (
            TEMPLATE + COPIES.replace("rotations", "ordered tuples") + 'parameters = ["0", "x"]\n',
            "7:20: no label of the template has the word 'x'",
            None,
        ),
        (
            TEMPLATE.replace("join 0", "join 0 1")
            + COPIES.replace("rotations", "ordered pairs").replace("0..2", "0..0")
            + 'parameters = ["0", "1"]\n',
            "6:12: 2 parameters need as many elements, there are 1",
            None,
        ),
        (
            TEMPLATE + COPIES.replace("rotations", "permutations").replace("0..2", "0..9"),
            "4:3: 3,628,800 copies of the template are too many: the limit is 100,000 copies with 5,000,000 actions in all",
            'where the template has few of the elements, use "ordered tuples" with those as parameters',
        ),
        (
            TEMPLATE + COPIES.replace("rotations", "permutations").replace("0..2", "0..99"),
            "4:3: these are too many: the limit is 100,000 copies with 5,000,000 actions in all",
            None,
        ),
    ],
    "initial states": [
        (
            TEMPLATE + COPIES + '[initial]\ndefault = "ou"\n',
            "8:11: there is no state of the template 'ou'",
            "did you mean 'out'?",
        ),
        (
            TEMPLATE + COPIES + '[initial]\nexceptions = { 3 = "in" }\n',
            "8:16: there is no transformation '3'",
            "there are 0, 1, 2",
        ),
        (
            TEMPLATE + COPIES + '[initial.exceptions]\n0 = "inn"\n',
            "8:5: there is no state of the template 'inn'",
            "did you mean 'in'?",
        ),
    ],
    "orders": [
        (
            'order = ["join *"]\n',
            "1:9: the order misses inputs of the machine: 'leave 0', 'leave 1', 'leave 2'",
            'name every input; an entry "*" at the end takes all that are left',
        ),
        ('order = ["join 0", "*", "join 0"]\n', "1:25: the order names 'join 0' twice", None),
        ('order = ["jion 0", "*"]\n', "1:10: the machine has no input 'jion 0'", None),
        ('order = ["JOIN *", "*"]\n', "1:10: no input of the machine has the form 'JOIN *'", None),
        (
            'order = [\n  "*",\n  "join *",\n]\n',
            "3:3: all inputs of the form 'join *' are named by other entries",
            "leave this entry out",
        ),
        (
            'order = [{ match = "*", by = [2] }]\n',
            "1:31: there is no star number 2: stars are numbered from 1 to 1",
            None,
        ),
        ('order = [{ match = "*", descending = 1 }]\n', "1:38: expected true or false", None),
        ("order = [{ by = [1] }]\n", "1:10: the key 'match' is missing", None),
    ],
    "automorphisms": [
        (
            TEMPLATE + FOUND,
            "1:2: a file with 'automorphisms' has no 'template'",
            "the template is the machine itself, in one copy",
        ),
        (
            FOUND.format('{ substitute = "(0 1)" }, { substitute = "(0 2)" }'),
            "3:29: this is no automorphism: state 't' has the image 's', but the edge 'join 1/ok' from 's' to it "
            "is mapped to an edge 'join 1/ok' to 't'",
            "an automorphism maps every edge to an edge and fixes the initial state",
        ),
        (
            FOUND.format("{ inputs = { 'join 0' = 'join 1' } }"),
            "3:3: this is no permutation: input 'join 1' is an image and has none",
            "an automorphism maps every edge to an edge and fixes the initial state",
        ),
        (FOUND.format("{ inputs = '(join0 join1)' }"), "3:14: the machine has no input 'join0'", None),
        (FOUND.format("{ inputs = { 'join 0' = 'a' } }"), "3:14: the machine has no input 'a'", None),
        (FOUND.format("{ outputs = '(ok no)' }"), "3:15: the machine has no output 'no'", "there are ok"),
        (FOUND.format("{ substitute = '(0 7)' }"), "3:18: no label of the machine has the word '7'", None),
        (
            FOUND.format("{ substitute = '(0 1)', inputs = {} }"),
            "3:3: expected 'substitute', or 'inputs' and 'outputs'",
            None,
        ),
    ],
}


def refused(text: str, machine: StateMachine = MACHINE) -> BurnsideError:
    with pytest.raises(BurnsideError) as caught:
        parse_pattern(Source("pattern.toml", text), Path("folder"), machine)
    return caught.value


@pytest.mark.parametrize(("text", "message", "hint"), [case for cases in WRONG.values() for case in cases])
def test_wrong(text: str, message: str, hint: str | None) -> None:
    diagnostic = refused(text).diagnostic
    assert diagnostic.span is not None and diagnostic.source == "pattern.toml"
    assert f"{diagnostic.span.line}:{diagnostic.span.column}: {diagnostic.message}" == message
    if hint:
        assert diagnostic.hint == hint


def test_carets() -> None:
    text = TEMPLATE + COPIES + '[initial]\nexceptions = { 0 = "inn" }\n'
    assert str(refused(text)) == (
        "pattern.toml:8:20: error: there is no state of the template 'inn'\n"
        '  8 | exceptions = { 0 = "inn" }\n'
        "    |                    ^^^^^\n"
        "  = help: did you mean 'in'?"
    )


def test_files(tmp_path: Path) -> None:
    """A template in a file: places are those of the file that is wrong."""
    path = tmp_path / "pattern.toml"
    path.write_text('template = "template.aut"\n' + COPIES)
    for text, message in (
        ("des (0, 1, 1)\n(0, a, 7)\n", "template.aut:2:8: error: there are only 1 states"),
        (
            "des (0, 2, 2)\n(0, a, 0)\n(0, a, 1)\n",
            "pattern.toml:1:12: error: the template is not deterministic",
        ),
        ("des (0, 0, 1)\n", "pattern.toml:1:12: error: the template has no edges"),
    ):
        (tmp_path / "template.aut").write_text(text)
        with pytest.raises(InputError) as caught:
            read_pattern(path, MACHINE)
        assert message in str(caught.value)
    path.write_text('template = "template.txt"\n' + COPIES)
    with pytest.raises(InputError, match=r"1:12: error: this is no file of a machine"):
        read_pattern(path, MACHINE)
    path.write_text('template = "template.aut"\nsplit = "("\n' + COPIES)
    with pytest.raises(InputError, match=r"2:9: error: this is no regular expression"):
        read_pattern(path, MACHINE)
    with pytest.raises(InputError, match="there is no such file"):
        read_pattern(tmp_path / "missing.toml", MACHINE)


GOOD = TEMPLATE + COPIES + '[initial]\nexceptions = { 0 = "in" }\n'


@given(st.integers(0, len(GOOD)), st.integers(0, 12), st.text("[]{}\"'=,.#\n 01ab", max_size=6))
def test_damaged_files_are_read_or_refused(start: int, length: int, new: str) -> None:
    text = GOOD[:start] + new + GOOD[start + length :]
    try:
        parse_pattern(Source("pattern.toml", text), Path("folder"), MACHINE)
    except BurnsideError as error:
        assert error.diagnostic.span is not None
        str(error)
