"""Pattern files: the report's patterns as texts are those that Python builds; what is written is read again as it was."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from burnside.diagnostics import Source, UsageError
from burnside.families.machines import chatbox, train
from burnside.testing.automorphisms import Renaming, automorphism_pattern, find_automorphisms, group_order
from burnside.testing.formats import write_machine
from burnside.testing.machine import Action, Edges, StateMachine
from burnside.testing.pattern_files import (
    LoadedPattern,
    found_pattern_text,
    parse_pattern,
    pattern_text,
    read_pattern,
)
from burnside.testing.pattern_files.input_order import natural_key, what_stars_mean
from burnside.testing.patterns import Pattern, Transformation, ranks
from burnside.testing.reference.kernel import kernel
from burnside.testing.reference.symmetry_check import check_symmetry
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.testing.planted import machine_with_symmetry


def parsed(text: str, machine: StateMachine) -> LoadedPattern:
    return parse_pattern(Source("pattern.toml", text), Path(), machine)


CHATBOX = """
[template]
name = "two users"
initial = "present 0"
edges = [
    ["present 0", "DREQ 0 1 MES/DIND", "present 1"],
    ["present 0", "DREQ 1 0 MES/DIND", "present 1"],
    ["present 0", "DREQ 0 0 MES/NO_OUTPUT", "present 0"],
    ["present 0", "DREQ 0 0 ACK/NO_OUTPUT", "present 0"],
    ["present 0", "DREQ 0 1 MES/NO_OUTPUT", "present 0"],
    ["present 0", "DREQ 0 1 ACK/NO_OUTPUT", "present 0"],
    ["present 1", "DREQ 0 1 MES/DIND", "present 2"],
    ["present 1", "DREQ 0 1 ACK/DIND", "present 0"],
    ["present 1", "DREQ 1 0 MES/DIND", "present 2"],
    ["present 1", "DREQ 1 0 ACK/DIND", "present 0"],
    ["present 1", "DREQ 0 0 MES/NO_OUTPUT", "present 1"],
    ["present 1", "DREQ 0 0 ACK/NO_OUTPUT", "present 1"],
    ["present 1", "DREQ 0 1 MES/NO_OUTPUT", "present 1"],
    ["present 1", "DREQ 0 1 ACK/NO_OUTPUT", "present 1"],
    ["present 2", "DREQ 0 1 ACK/DIND", "present 1"],
    ["present 2", "DREQ 1 0 ACK/DIND", "present 1"],
    ["present 2", "DREQ 0 0 MES/NO_OUTPUT", "present 2"],
    ["present 2", "DREQ 0 0 ACK/NO_OUTPUT", "present 2"],
    ["present 2", "DREQ 0 1 MES/NO_OUTPUT", "present 2"],
    ["present 2", "DREQ 0 1 ACK/NO_OUTPUT", "present 2"],
]

[[transformation]]
generate = "ordered pairs"
parameters = ["0", "1"]
elements = "0..2"
"""
LIFO = """
order = [
    "JOIN *",
    { match = "LEAVE *", descending = true },
    "DREQ * * MES",
    { match = "DREQ * * ACK", by = [2, 1], descending = true },
]
"""
TRAIN = """
template = "station.dot"
order = ["REQUEST * 3", "REQUEST * 2", "REQUEST * 1", "REQUEST * 0", { match = "*", descending = true }]

[[transformation]]
generate = "rotations"
name = "station"
parameters = [1]
elements = "0..3"

[initial]
exceptions = { "station 0" = "here" }
"""


def same_traces(one: Pattern, other: Pattern) -> bool:
    """The same but for the order in which the template's edges and actions are written."""
    return edges(one) == edges(other) and copies(one) == copies(other)


def edges(pattern: Pattern) -> frozenset[tuple[str, Action, str]]:
    found = pattern.template
    return frozenset((found.states[s], found.actions[a], found.states[t]) for s, a, t in found.edges)


def copies(pattern: Pattern) -> list[tuple[str, dict[Action, Action], str]]:
    return [
        (each.name, dict(each.images), pattern.template.states[state])
        for each, state in zip(pattern.transformations, pattern.initial, strict=True)
    ]


def test_chatbox_without_joining() -> None:
    machine = chatbox.machine(3, joining=False)
    order = LIFO.replace('    "JOIN *",\n    { match = "LEAVE *", descending = true },\n', "")
    found = parsed(order + CHATBOX, machine)
    assert same_traces(found.pattern, chatbox.pattern(3, joining=False))
    assert found.order == chatbox.order(3, joining=False)
    assert found.notes == ()
    reduced = kernel(machine, found.pattern, ranks(found.order))
    assert (len(reduced.states), len(reduced.edges)) == (10, 84)


def test_chatbox_with_a_template_in_a_file(tmp_path: Path) -> None:
    machine = chatbox.machine(3)
    write_machine(chatbox.template(), tmp_path / "users.dot")
    transformation = CHATBOX[CHATBOX.index("[[transformation]]") :]
    path = tmp_path / "chatbox.toml"
    path.write_text(f'template = "users.dot"\n{LIFO}\n{transformation}')
    found = read_pattern(path, machine)
    assert same_traces(found.pattern, chatbox.pattern(3))
    assert found.order == chatbox.order(3)
    assert found.source.name == str(path)
    reduced = kernel(machine, found.pattern, ranks(found.order))
    assert (len(reduced.states), len(reduced.edges)) == (213, 3722)


@pytest.mark.parametrize(("mealy", "kernel_size"), [(False, (625, 3724)), (True, None)])
def test_train(tmp_path: Path, mealy: bool, kernel_size: tuple[int, int] | None) -> None:
    machine = train.machine(4, mealy=mealy)
    write_machine(train.template(4, mealy=mealy), tmp_path / "station.dot")
    path = tmp_path / "train.toml"
    path.write_text(TRAIN)
    found = read_pattern(path, machine)
    built = train.pattern(4, mealy=mealy)
    assert same_traces(found.pattern, built)
    assert found.pattern.initial == built.initial
    assert found.order is not None and set(found.order) == set(machine.inputs)
    if kernel_size is not None:
        reduced = kernel(machine, found.pattern, ranks(train.order(4, mealy=False)))
        assert (len(reduced.states), len(reduced.edges)) == kernel_size


def test_labels_of_a_template_file_are_split(tmp_path: Path) -> None:
    machine = chatbox.machine(2, joining=False)
    template = chatbox.template(joining=False)
    labelled = StateMachine(
        "t", ("0", "1", "2"), (0,), tuple(Action(str(a)) for a in template.actions), template.edges
    )
    write_machine(labelled, tmp_path / "users.aut")
    text = 'template = "users.aut"\nsplit = "slash"\n[[transformation]]\nname = "0 1"\nsubstitute = {}\n'
    path = tmp_path / "pattern.toml"
    path.write_text(text)
    assert read_pattern(path, machine).pattern.template.actions == template.actions


PAGE = Path(__file__).parents[2] / "docs" / "pattern-files.md"


def test_the_page(tmp_path: Path) -> None:
    """Its files are read as they stand there."""
    texts = re.findall(r"^```toml\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    machines = [chatbox.machine(3), train.machine(4, mealy=False), chatbox.machine(3)]
    write_machine(chatbox.template(), tmp_path / "two-users.dot")
    found = []
    for text, machine in zip(texts, machines, strict=True):
        path = tmp_path / "pattern.toml"
        path.write_text(text)
        found.append(read_pattern(path, machine))
    assert same_traces(found[0].pattern, chatbox.pattern(3))
    assert found[0].order == chatbox.order(3)
    assert found[1].pattern.initial == (1, 0, 0, 0)
    assert group_order(machines[2], found[2].generators or ()) == 8


# Transformations

EXCHANGE = """
[template]
initial = 0
edges = [[0, "take x", 1], [1, "give x/y", 0]]
"""


def machine_of(*labels: str) -> StateMachine:
    actions = tuple(Action(*each.split("/")) for each in labels)
    return StateMachine("m", ("s",), (0,), actions, Edges.of([(0, at, 0) for at in range(len(actions))]))


def images(text: str, machine: StateMachine) -> dict[str, dict[str, str]]:
    return {
        each.name: {str(a): str(b) for a, b in each.images.items()}
        for each in parsed(EXCHANGE + text, machine).pattern.transformations
    }


TAKE = machine_of("take x", "take y", "give x/y", "give y/x", "take z")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            'name = "a"\nsubstitute = { x = "y", y = "x" }',
            {"a": {"take x": "take y", "give x/y": "give y/x"}},
        ),
        ('name = "a"\nsubstitute = "(x y)"', {"a": {"take x": "take y", "give x/y": "give y/x"}}),
        ('name = "a"\nsubstitute = {}', {"a": {"take x": "take x", "give x/y": "give x/y"}}),
        ('name = "a"\nrename = { "take x" = "take z" }', {"a": {"take x": "take z"}}),
        ('name = "a"\nrename = { "give x" = "give y" }', {"a": {"give x/y": "give y/y"}}),
        ('name = "a"\nrename = { "give x/y" = "give y/x" }', {"a": {"give x/y": "give y/x"}}),
        (
            'name = "a"\nrename = [["give x/y", { input = "give y", output = "a/b" }]]',
            {"a": {"give x/y": "give y/a/b"}},
        ),
        (
            'generate = "permutations"\nelements = ["x", "y"]',
            {
                "()": {"take x": "take x", "give x/y": "give x/y"},
                "(x y)": {"take x": "take y", "give x/y": "give y/x"},
            },
        ),
        (
            'generate = "rotations"\nelements = ["x", "y", "z"]\nname = "by"',
            {
                "by x": {"take x": "take x", "give x/y": "give x/y"},
                "by y": {"take x": "take y", "give x/y": "give y/z"},
                "by z": {"take x": "take z", "give x/y": "give z/x"},
            },
        ),
        (
            'generate = "ordered tuples"\nelements = ["x", "y"]\nparameters = ["x"]',
            {
                "x": {"take x": "take x", "give x/y": "give x/y"},
                "y": {"take x": "take y", "give x/y": "give y/y"},
            },
        ),
    ],
)
def test_transformations(text: str, expected: dict[str, dict[str, str]]) -> None:
    assert images(f"[[transformation]]\n{text}\n", TAKE) == expected


def test_permutations_that_rename_the_template_alike_are_one() -> None:
    found = images(
        '[[transformation]]\ngenerate = "permutations"\nelements = ["x", "y", "z", "u", "v"]\n', TAKE
    )
    assert len(found) == 5 * 4
    assert len({tuple(sorted(each.items())) for each in found.values()}) == 20


def test_words_within_labels() -> None:
    """Of muCRL and LOTOS; `a1` and `_1` are other words."""
    text = """
    template.initial = "0"
    template.edges = [["0", "REQ(CALL,1)", "0"], ["0", "DREQ !1 !a1 !_1", "0"]]
    transformation = [{ name = "2", substitute = { 1 = "2" } }]
    """
    machine = machine_of("REQ(CALL,2)", "DREQ !2 !a1 !_1")
    [each] = parsed(text, machine).pattern.transformations
    assert list(each.images.values()) == list(machine.actions)


def test_initial_states() -> None:
    text = EXCHANGE + '[[transformation]]\ngenerate = "rotations"\nelements = ["x", "y", "z"]\n'
    assert parsed(text, TAKE).pattern.initial == (0, 0, 0)
    assert parsed(text + "[initial]\ndefault = 1\n", TAKE).pattern.initial == (1, 1, 1)
    assert parsed(text + '[initial]\nexceptions = { y = "1" }\n', TAKE).pattern.initial == (0, 1, 0)


def test_notes() -> None:
    text = (
        EXCHANGE
        + '[[transformation]]\nname = "a"\nsubstitute = {}\n[[transformation]]\nname = "b"\nrename = {}\n'
    )
    text += '[[transformation]]\nname = "c"\nsubstitute = { x = "u" }'
    assert parsed(text, TAKE).notes == (
        "no copy has 3 actions of the machine: take y, give y/x, take z",
        "1 copy without any action of the machine: c",
        "the transformations 'a' and 'b' make the same copy",
    )


# Orders

INPUTS = machine_of("a 1", "a 2", "a 10", "b 1 2", "b 2 1", "*")


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ('["*", "a *", "b *"]', ["*", "a 1", "a 2", "a 10", "b 1 2", "b 2 1"]),
        ('["b *", "a 10", "a *", "*"]', ["b 1 2", "b 2 1", "a 10", "a 1", "a 2", "*"]),
        ('["a *", "a 2", "* 2", "* 1", "*"]', ["a 1", "a 10", "a 2", "b 1 2", "b 2 1", "*"]),
        (
            '[{ match = "a *", descending = true }, { match = "b * *", by = [2, 1] }, "*"]',
            ["a 10", "a 2", "a 1", "b 2 1", "b 1 2", "*"],
        ),
        (
            '[{ match = "** **", by = [4, 2] }, "*"]',
            ["a 1", "b 1 2", "a 2", "b 2 1", "a 10", "*"],
        ),
        ('["a*10", "a*1*", "a*", "b*1*2*", "*", "b*"]', ["a 10", "a 1", "a 2", "b 1 2", "*", "b 2 1"]),
    ],
)
def test_orders(order: str, expected: list[str]) -> None:
    text = f"order = {order}\n[automorphisms]\ngenerators = []\n"
    assert parsed(text, INPUTS).order == tuple(expected)


def test_natural_keys() -> None:
    names = ["b", "a10", "a2", "a", "2", "10", "a2b", "a02"]
    assert sorted(names, key=natural_key) == ["2", "10", "a", "a02", "a2", "a2b", "a10", "b"]
    long = ["1" * 9_000, "00" + "9" * 8_000, "7" * 8_000, "9" * 8_000]
    assert sorted(long, key=natural_key) == ["7" * 8_000, "00" + "9" * 8_000, "9" * 8_000, "1" * 9_000]


TEXTS = st.text("ab1", max_size=8)


@given(TEXTS, st.text("ab*", max_size=5).filter(lambda form: "*" in form))
def test_stars_stand_for_as_little_as_possible(text: str, form: str) -> None:
    found = re.fullmatch("(.*?)".join(map(re.escape, form.split("*"))), text)
    assert what_stars_mean(form, text) == (None if found is None else found.groups())


def test_many_stars_cost_little() -> None:
    assert what_stars_mean("*a" * 200 + "*b", "a" * 10_000) is None
    assert what_stars_mean("*" * 3 + "b", "a" * 3 + "b") == ("", "", "aaa")


# Automorphisms

CYCLES = '("DREQ 0 0 {}" "DREQ 1 1 {}")("DREQ 0 1 {}" "DREQ 1 0 {}")'
BY_NAME = f"{{ inputs = '{CYCLES.format(*['MES'] * 4)} {CYCLES.format(*['ACK'] * 4)}' }}"


@pytest.mark.parametrize(
    "generator",
    [
        '{ substitute = "(0 1)" }',
        '{ substitute = { 0 = "1", 1 = "0" } }',
        BY_NAME,
    ],
)
def test_generators(generator: str) -> None:
    machine = chatbox.machine(2, joining=False)
    found = parsed(f"[automorphisms]\ngenerators = [{generator}]\n", machine)
    moved = {each: each.replace("0", "x").replace("1", "0").replace("x", "1") for each in machine.inputs}
    renaming = Renaming({name: image for name, image in moved.items() if name != image}, {})
    assert found.generators == (renaming,)
    assert found.pattern == automorphism_pattern(machine, [renaming])
    assert check_symmetry(machine, found.pattern, strict=True).counterexample is None


@pytest.mark.parametrize("seed", range(30))
def test_found_patterns_are_read_again(seed: int) -> None:
    machine, _ = machine_with_symmetry(Random(seed), outputs=seed % 3)
    found = find_automorphisms(machine)
    text = found_pattern_text(found, machine, machine.inputs)
    again = parsed(text, machine)
    assert again.pattern == automorphism_pattern(machine, found.generators)
    assert again.generators == found.generators
    assert again.order == machine.inputs


def test_a_found_pattern_is_readable() -> None:
    """Words where a permutation of words is all, names where not."""
    machine = machine_of("give x/y", "give y/x")
    assert '{ substitute = "(x y)" }' in found_pattern_text(find_automorphisms(machine), machine)
    other = machine_of("a b", "c")
    assert """{ inputs = '("a b" c)' }""" in found_pattern_text(find_automorphisms(other), other)


# Written and read again


@pytest.mark.parametrize("joining", [False, True])
def test_chatbox_is_read_again(joining: bool) -> None:
    machine, pattern = chatbox.machine(3, joining=joining), chatbox.pattern(3, joining=joining)
    order = chatbox.order(3, joining=joining)
    text = pattern_text(pattern, machine, order)
    again = parsed(text, machine)
    assert (again.pattern, again.order) == (pattern, order)
    assert 'substitute = { 0 = "2", 1 = "0" }' in text


@pytest.mark.parametrize("mealy", [False, True])
def test_train_is_read_again(mealy: bool) -> None:
    machine, pattern = train.machine(4, mealy=mealy), train.pattern(4, mealy=mealy)
    again = parsed(pattern_text(pattern, machine), machine)
    assert (again.pattern, again.order) == (pattern, None)


def test_patterns_with_colours_are_read_again() -> None:
    machine = chatbox.machine(2)
    pattern = automorphism_pattern(machine, find_automorphisms(machine).generators)
    assert parsed(pattern_text(pattern, machine), machine).pattern == pattern


names = st.text("ab/ \"'\\\n\x7f*=", min_size=1, max_size=3)


@st.composite
def patterns(draw: st.DrawFn) -> tuple[StateMachine, Pattern, tuple[str, ...]]:
    """A machine with one state, and a pattern whose copies have inputs of the machine."""
    outputs = st.none() if draw(st.booleans()) else st.one_of(st.none(), names)
    actions = tuple(draw(st.lists(st.builds(Action, names, outputs), min_size=1, max_size=5, unique=True)))
    machine = StateMachine("m", ("s",), (0,), actions, Edges.of([(0, at, 0) for at in range(len(actions))]))
    states = tuple(draw(st.lists(names, min_size=1, max_size=3, unique=True)))
    own = tuple(draw(st.permutations(actions)))
    state, label = st.integers(0, len(states) - 1), st.integers(0, len(own) - 1)
    targets = draw(st.dictionaries(st.tuples(state, label), state, min_size=1, max_size=6))
    drawn = [(source, action, target) for (source, action), target in targets.items()]
    template = StateMachine(
        draw(names),
        states,
        (drawn[0][0],),
        own,
        Edges.of(drawn),
        draw(st.none() | st.tuples(*[names] * len(states))),
        draw(st.none() | st.frozensets(state)),
    )
    titles = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    transformations = []
    for title in titles:
        moved = dict(zip(own, draw(st.permutations(own)), strict=True))
        kept = {a: b for a, b in moved.items() if a != b} if draw(st.booleans()) else moved
        transformations.append(Transformation(title, kept))
    initial = tuple(draw(state) for _ in titles)
    colours = draw(st.none() | st.tuples(*[st.integers(0, 3)] * len(drawn)))
    return (
        machine,
        Pattern(template, tuple(transformations), initial, colours),
        draw(st.permutations(machine.inputs)),
    )


@given(patterns())
@settings(max_examples=200, deadline=None)
def test_all_patterns_are_read_again(case: tuple[StateMachine, Pattern, tuple[str, ...]]) -> None:
    machine, pattern, order = case
    again = parsed(pattern_text(pattern, machine, order), machine)
    assert again.pattern == pattern
    assert again.order == tuple(order)


def test_what_cannot_be_written() -> None:
    machine, pattern = chatbox.machine(2), chatbox.pattern(2)
    one, _ = pattern.transformations
    for wrong, reason in (
        (Pattern(pattern.template, (one, one), (0, 0)), "transformations have different names"),
        (
            Pattern(pattern.template, (Transformation("a", {Action("x"): Action("y")}),), (0,)),
            "transformations rename actions of the template, and 'x' is none",
        ),
    ):
        with pytest.raises(UsageError, match=reason):
            pattern_text(wrong, machine)
