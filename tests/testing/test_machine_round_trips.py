"""What is written is read back as the same machine, or refused by name; and other tools read it too."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from burnside.diagnostics import BurnsideError, Source, UnsupportedError
from burnside.records import replace
from burnside.testing.completing import reachable_part
from burnside.testing.formats import FORMATS, read_machine, write_machine
from burnside.testing.machine import Action, Edges, MachineBuilder, StateMachine
from burnside.testing.reference.facts import classes
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.testing.test_machine_files import COUNTED, MODELS, needs_models, rows

EXTENSIONS = (".aut", ".dot", ".fsm", ".kiss")
ODD = 'ab01 _-*/|"\\!\n\r{}<>;#=,.[]()?%é\u2028\x85\x00\ud800\U0001f600'
names = st.one_of(
    st.text(ODD, max_size=4),
    st.text(max_size=3),
    st.sampled_from(
        ["__start0", "node", "accept", "x / y", "a//b", "-1", "1.5", "s0|1", "{ A | b }", "\\n", "true"]
    ),
)
bits = st.text("01", min_size=2, max_size=2)


@st.composite
def machines(draw: st.DrawFn) -> StateMachine:
    """Any kind of machine; names are odd, or such that formats with plain names have a chance."""
    called = names if draw(st.booleans()) else st.sampled_from(["0", "1", "2", "00", "01", "10", "s0", "s1"])
    own = [str(state) for state in range(draw(st.integers(1, 4)))]
    states = draw(st.lists(called, min_size=1, max_size=4, unique=True)) if draw(st.booleans()) else own
    actions = draw(
        st.one_of(
            st.lists(st.builds(Action, called, output), max_size=4, unique=True)
            for output in (st.none(), called, st.none() | called)
        )
        | st.lists(st.builds(Action, bits, bits), min_size=1, max_size=4, unique=True)
    )
    state = st.integers(0, len(states) - 1)
    one = st.tuples(state, st.integers(0, len(actions) - 1), state)
    edges = draw(st.lists(one, max_size=8)) if actions else []
    machine = StateMachine("machine", tuple(states), (0,), tuple(actions), Edges.of(edges))
    if draw(st.booleans()):
        return machine
    outputs = draw(st.none() | st.lists(called, min_size=len(states), max_size=len(states)).map(tuple))
    accepting = draw(st.none() | st.frozensets(state))
    initial = draw(st.lists(state, min_size=1, max_size=2).map(tuple))
    return replace(machine, initial=initial, outputs=outputs, accepting=accepting)


def is_mealy(machine: StateMachine) -> bool:
    return any(each.output is not None for each in machine.actions)


def from_file(path: Path, machine: StateMachine) -> StateMachine:
    """Read as a machine of this kind: Aldebaran's format has labels only."""
    split = "slash" if path.suffix == ".aut" and is_mealy(machine) else None
    return replace(read_machine(path, split), name=machine.name)


@pytest.mark.parametrize("extension", EXTENSIONS)
@given(machine=machines())
def test_read_back_or_refused(
    extension: str, machine: StateMachine, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / f"machine{extension}"
    for fit in (False, True):
        found, _ = FORMATS[extension].fit(machine) if fit else (machine, ())
        try:
            write_machine(machine, path, fit=fit)
        except UnsupportedError as error:
            assert error.diagnostic.message
            continue
        assert from_file(path, found) == found


@given(machine=machines())
def test_a_fitted_machine_differs_in_names_and_order_only(machine: StateMachine) -> None:
    for extension in EXTENSIONS:
        found, notes = FORMATS[extension].fit(machine)
        assert bool(notes) == (found != machine)
        assert len(found.states) == len(machine.states)
        assert len(found.edges) == len(set(machine.edges))
        assert FORMATS[extension].fit(found) == (found, ())


def plain_machine(seed: int, kind: str) -> StateMachine:
    """Deterministic and complete, with names that every format can say."""
    source = random.Random(seed)
    builder = MachineBuilder(kind)
    size = source.randint(1, 6)
    states = [builder.state(f"s{number}") for number in range(size)]
    for state in states:
        for given_input in ("a", "b", "go"):
            output = source.choice(["x", "y", "0"]) if kind == "mealy" else None
            builder.edge(state, Action(given_input, output), source.choice(states))
    outputs = [source.choice(["p", "q", "r"]) for _ in states] if kind == "moore" else None
    accepting = frozenset(state for state in states if source.random() < 0.5) if kind == "dfa" else None
    return builder.machine([0], outputs, accepting)


@pytest.mark.parametrize("kind", ["dfa", "mealy", "moore"])
@pytest.mark.parametrize("seed", range(6))
def test_aalpy_reads_what_is_written_and_writes_what_is_read(seed: int, kind: str, tmp_path: Path) -> None:
    handler = pytest.importorskip("aalpy.utils.FileHandler")
    # AALpy leaves out nothing, but its machines may hold reachable states only.
    machine = reachable_part(plain_machine(seed, kind))
    write_machine(machine, tmp_path / "ours.dot")
    theirs = handler.load_automaton_from_file(tmp_path / "ours.dot", kind)
    assert theirs.initial_state.state_id == machine.states[machine.initial[0]]
    assert observed_by_aalpy(theirs, kind) == observed(machine)
    handler.save_automaton_to_file(theirs, tmp_path / "theirs", "dot")
    again = read_machine(tmp_path / "theirs.dot")
    if kind == "dfa" and not machine.accepting:
        again = replace(again, accepting=frozenset())  # AALpy has no way to say that none accepts
    assert observed(again) == observed(machine)
    assert again.initial == machine.initial and again.accepting == machine.accepting


def observed(machine: StateMachine) -> dict[tuple[str, str], tuple[str, str | None, str | None]]:
    """By state and input: target, output of the edge, output of the target."""
    return {
        (machine.states[begin], machine.actions[action].input): (
            machine.states[end],
            machine.actions[action].output,
            None if machine.outputs is None else machine.outputs[end],
        )
        for begin, action, end in machine.edges
    }


def observed_by_aalpy(
    automaton: object, kind: str
) -> dict[tuple[str, str], tuple[str, str | None, str | None]]:
    found = {}
    for state in automaton.states:  # type: ignore[attr-defined]
        for letter, target in state.transitions.items():
            of_edge = str(state.output_fun[letter]) if kind == "mealy" else None
            of_state = str(target.output) if kind == "moore" else None
            found[state.state_id, str(letter)] = (target.state_id, of_edge, of_state)
    return found


@needs_models
@pytest.mark.parametrize("name", [*COUNTED, *(row["model"] for row in rows())])
def test_files_of_others_written_again(name: str, tmp_path: Path) -> None:
    """As GraphViz exactly; in the other formats exactly once it fits, or refused."""
    machine = read_machine(MODELS / name)
    write_machine(machine, tmp_path / "machine.dot")
    assert from_file(tmp_path / "machine.dot", machine) == machine
    for extension in EXTENSIONS:
        path = tmp_path / f"fitted{extension}"
        found, _ = FORMATS[extension].fit(machine)
        try:
            write_machine(machine, path, fit=True)
        except UnsupportedError:
            assert extension in (".aut", ".kiss") or len(machine.initial) > 1
            continue
        assert from_file(path, found) == found


REFUSALS = [
    (".aut", {"initial": (0, 1)}, "has one initial state, and this machine has 2"),
    (".aut", {"outputs": ("x", "y")}, "has no place for outputs of states"),
    (".aut", {"accepting": frozenset({1})}, "has no place for accepting states"),
    (".aut", {"states": ("a", "b")}, "are called 0 to 1"),
    (".aut", {"actions": (Action("a"), Action("a", "b"))}, "edges with and without outputs"),
    (".aut", {"actions": (Action("a"), Action("a\nb"))}, "is on one line"),
    (
        ".aut",
        {"actions": (Action(" a", "b"), Action("c", "d"))},
        "cannot be read back as an input and an output",
    ),
    (".dot", {"actions": (Action("b"), Action("a"), Action("c"))}, "actions that no edge has"),
    (".dot", {"states": ("a", "a")}, "two states are called 'a'"),
    (".dot", {"edges": Edges.of([(0, 0, 1), (1, 1, 0), (0, 0, 1)])}, "an edge occurs twice"),
    (".dot", {"initial": ()}, "without an initial state"),
    (".dot", {"actions": (Action("\ud800"), Action("a"))}, "U+D800 is no character that UTF-8 can encode"),
    (".fsm", {"initial": (0, 1)}, "has one initial state, and this machine has 2"),
    (".fsm", {"actions": (Action("a"), Action("a\nb"))}, "is on one line"),
    (".kiss", {}, "inputs of KISS2 are words of bits, and not 'a'"),
    (
        ".kiss",
        {"actions": (Action("0", "1"), Action("1"))},
        "outputs of KISS2 are words of bits, and not None",
    ),
    (".kiss", {"actions": (Action("0", "1"), Action("10", "1"))}, "words of bits that are all as long"),
    (
        ".kiss",
        {"actions": (Action("0", "1"), Action("1", "1")), "states": ("a b", "c")},
        "'a b' cannot be the name",
    ),
    (
        ".kiss",
        {"actions": (Action("0", "1"), Action("1", "1")), "states": ("a", "b", "c")},
        "states without edges, or in another order",
    ),
]


@pytest.mark.parametrize(("extension", "changes", "message"), REFUSALS)
def test_what_a_format_cannot_say_is_refused_by_name(
    extension: str, changes: dict[str, object], message: str, tmp_path: Path
) -> None:
    machine = StateMachine(
        "m", ("0", "1"), (0,), (Action("a"), Action("b")), Edges.of([(0, 0, 1), (1, 1, 0)])
    )
    path = tmp_path / f"machine{extension}"
    with pytest.raises(UnsupportedError) as caught:
        write_machine(replace(machine, **changes), path)
    assert message in caught.value.diagnostic.message
    assert not path.exists()


def test_notes_say_what_was_changed(tmp_path: Path) -> None:
    edges = Edges.of([(2, 1, 1), (1, 0, 0), (2, 1, 1)])
    machine = StateMachine("m", ("x y", "b", "c"), (2,), (Action("0", "1"), Action("1", "0")), edges)
    notes = write_machine(machine, tmp_path / "machine.kiss", fit=True)
    assert notes == (
        "actions are in the order of their first edges",
        "1 edge that occurred twice is left out",
        "states are in the order of the edges",
        "states are called s0 to s2",
    )
    found = read_machine(tmp_path / "machine.kiss")
    assert len(set(classes(found, range(3)))) == 3
    assert found.states[found.initial[0]] == "s0"
    unused = replace(
        machine, actions=tuple(map(Action, "abcd")), edges=Edges.of([(0, 1, 0), (0, 3, 1), (0, 2, 0)])
    )
    assert write_machine(unused, tmp_path / "machine.dot", fit=True) == (
        "1 action that no edge has is left out",
        "actions are in the order of their first edges",
    )
    doubled = replace(
        machine, actions=tuple(map(Action, "aab")), edges=Edges.of([(0, 0, 0), (0, 1, 1), (0, 2, 0)])
    )
    assert write_machine(doubled, tmp_path / "machine.dot", fit=True) == (
        "actions that occurred twice are one",
    )


SEEDS = [
    'des (0, 2, 2)\n(0, "a, b", 1)\n(1, c, 0)\n',
    'digraph g { a [label="a|0" shape=record]; a -> b [label=<x<br/>y>]; b -> a [label="p/q\\nr"] }',
    ".i 2\n.o 1\n.r a\n0- a b 1\n-1 * a -\n.e\n",
    'n(2) String "F" "T"\n---\n0\n1\n---\n1 2 "a" "b"\n2 1 "c"\n---\n2\n',
    '{"states": [{"name": "a", "initial": true}], "transitions": []}',
    "2 1\n2 1 1\n2\n0 0\n1 0\n0 1\n1 0\n",
    "0 0 0 1\n1 0 1 0\n",
]


@given(
    seed=st.sampled_from(SEEDS),
    changes=st.lists(
        st.tuples(st.integers(0, 99), st.integers(0, 6), st.text(ODD + '[]";', max_size=3)), max_size=4
    ),
)
@settings(max_examples=300)
def test_no_text_is_too_odd_for_the_readers(seed: str, changes: list[tuple[int, int, str]]) -> None:
    for at, length, text in changes:
        seed = seed[: at % (len(seed) + 1)] + text + seed[at % (len(seed) + 1) + length :]
    for extension in EXTENSIONS:
        try:
            FORMATS[extension].read(Source("machine", seed), None)
        except BurnsideError as error:
            assert error.diagnostic.render()
