"""Edges between representatives: the witness of an edge maps the state that its label leads to to the state that is stored.
And states in bytes: the same whatever was interned before, in this process or in another one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from burnside import _core
from burnside.kinds.machine.semantics import MachineSemantics
from burnside.reference.permutations import move
from burnside.reference.sets.values import permuted_state
from burnside.reference.values import permuted
from burnside.symmetry.elements import sort_images
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.laws.methods import Grouped, grouped_nets
from tests.laws.test_machine_canonical_forms import FORMS, Case, cases
from tests.machine_engines import both, compared, compiled, trivial_group
from tests.program_groups import actions
from tests.program_groups import compiled as compiled_program
from tests.program_strategies import SymmetricProgram, symmetric_programs

laws = settings(max_examples=30, deadline=None)
MOST = 300
SEARCH = _core.Method("search")


@laws
@given(grouped_nets())
def test_witnesses_of_nets(made: Grouped) -> None:
    graph = _core.state_graph(made.core, made.group, SEARCH, MOST, witnesses=True)
    assert len(graph.witnesses) == len(graph.edges)
    for (source, transition, target), witness in zip(graph.edges, graph.witnesses, strict=True):
        fired = made.net.fire(tuple(graph.states[source]), transition)
        assert list(move(witness, fired)) == graph.states[target]


@laws
@given(symmetric_programs(), st.data())
def test_witnesses_of_programs(made: SymmetricProgram, data: st.DataObject) -> None:
    program = made.program
    core, acting = compiled_program(program), data.draw(actions(program.sorts))
    graph = _core.state_graph(core, acting.group, SEARCH, MOST, witnesses=True)
    for (source, label, target), witness in zip(graph.edges, graph.witnesses, strict=True):
        effect, fired, _ = core.fire(graph.states[source], label)
        assert effect == "taken" and fired is not None
        image = permuted(program, sort_images(program.sorts, witness), tuple(fired))
        assert list(image) == graph.states[target]


@settings(max_examples=15, deadline=None)
@given(cases())
def test_witnesses_of_machines(case: Case) -> None:
    with compared():
        case.reference(reduced=False)
        found = both(case.machine)
        graph = _core.state_graph(found.core, case.acting.group, SEARCH, MOST, witnesses=True)
        for (source, label, target), witness in zip(graph.edges, graph.witnesses, strict=True):
            successors, _ = found.core.successors(graph.states[source])
            generator = sort_images(case.machine.sorts, witness)
            images = [
                permuted_state(found.reading.state(fired), generator)
                for other, fired in successors
                if other == label
            ]
            assert found.reading.state(graph.states[target]) in images


@settings(max_examples=15, deadline=None)
@given(cases())
def test_canonical_states_of_machines_do_not_depend_on_what_was_interned_before(case: Case) -> None:
    with compared():
        case.reference(reduced=False)
        group = case.acting.group
        first, second = compiled(case.machine), compiled(case.machine)
        states = _core.state_graph(first, trivial_group(case.machine), _core.Method("none"), MOST).states
        written = [_core.encode(first, group, state) for state in states]
        # The second one interns the states from the last one on, and everything that is in them.
        read = [_core.decode(second, group, state) for state in reversed(written)][::-1]
        assert [_core.encode(second, group, state) for state in read] == written
        for name, method in case.fitting(FORMS).items():
            for one, other in zip(states, read, strict=True):
                forms = [
                    _core.encode(core, group, _core.canonical(core, group, method, state)[0])
                    for core, state in ((first, one), (second, other))
                ]
                assert forms[0] == forms[1], name


WRITER = """
import sys
from burnside import _core, pipeline
from burnside.checking import Check
from burnside.limits import Deadline
from burnside.request import Request

model = pipeline.read(sys.argv[1], sizes={"PROC": 4})
compiled = Check.prepared(model, Request(), Deadline()).compiled()
if "later" in sys.argv:  # intern values in another order first
    _core.explore(compiled.handle, compiled.group, _core.Method("none"), _core.Settings(order="dfs"))
graph = _core.state_graph(compiled.handle, compiled.group, _core.Method("search"), 1000)
for state in graph.states:
    print(_core.encode(compiled.handle, compiled.group, state).hex())
"""


def test_states_written_by_one_process_are_found_by_another(tmp_path: Path) -> None:
    def written(*options: str) -> list[str]:
        words = [sys.executable, "-c", WRITER, "examples/b/Scheduler1.ref", *options]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()

    first = tmp_path / "states"
    first.write_text("\n".join(written()))
    found = written("later")
    assert len(found) > 20 and set(found) == set(first.read_text().split())


def test_states_of_machines_are_those_of_the_semantics() -> None:
    """A state that was written is read back as the same values."""
    from burnside import pipeline

    machine = pipeline.read(Path("examples/b/Scheduler1.ref")).subject
    found = both(machine)  # type: ignore[arg-type]
    start = next(step.after for step in MachineSemantics(machine).starts())  # type: ignore[arg-type]
    states = _core.state_graph(found.core, trivial_group(machine), _core.Method("none"), 10).states  # type: ignore[arg-type]
    assert start in [found.reading.state(state) for state in states]
    group = trivial_group(machine)  # type: ignore[arg-type]
    for state in states:
        again = _core.decode(found.core, group, _core.encode(found.core, group, state))
        assert found.reading.state(again) == found.reading.state(state)
