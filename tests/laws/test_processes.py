"""Programs with processes that keep control, idle actions, notes and proper ends, by both engines and by definition.

The definition is written out here, on the same program without roles: its single steps, and on top of them who has control
and what is idle. Sequences through transient states are followed recursively.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from burnside import _core
from burnside.engine import drawn_graph
from burnside.graph import StateGraph
from burnside.ir.encoding import encoded
from burnside.ir.program import Program
from burnside.ir.types import Optional, Scalar
from burnside.kinds.program import ProgramQuestion
from burnside.kinds.program.semantics import ProgramSemantics
from burnside.model import Model
from burnside.records import record, replace
from burnside.reference.explorer import state_graph
from burnside.reference.steps import attempts, label_number, satisfies, start_steps, steps
from burnside.reference.values import State, converted
from burnside.replay import replay
from burnside.semantics import DEADLOCK, Failure, Step
from burnside.symmetry.programs import ProgramSymmetry
from hypothesis import HealthCheck, assume, given, settings

from tests.bounded_processes import bounded_process_programs, symmetric_bounded_process_programs
from tests.exploring import explore_program as explore
from tests.exploring import replay_program
from tests.program_groups import Acting
from tests.program_strategies import SymmetricProgram, process_programs

MOST = 60
laws = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))


def compiled(program: Program) -> _core.Program:
    table = encoded(program)
    return _core.Program(table.texts, table.rows)


def searched(program: Program, *, max_states: int | None = None) -> _core.Exploration:
    trivial = _core.ElementGroup(sum(sort.size for sort in program.sorts), [])
    asked = _core.Settings(deadlock=True, keep_going=True, max_states=max_states)
    return _core.explore(compiled(program), trivial, _core.Method("none"), asked)


# The definition


@record
class Defined:
    """What exploring a program finds, by definition. States have no process in control."""

    states: frozenset[State]
    transitions: int
    deadlocks: int
    edges: Counter[tuple[State, State]]
    violating: dict[int, set[State]]


class Definition:
    def __init__(self, program: Program) -> None:
        assert program.control is not None and isinstance(program.control.type, Optional)
        self.program, self.processes = program, program.control.type.type
        roleless = [replace(each, actor=None, keeps_control=None, idle=False) for each in program.actions]
        variables = tuple(each for each in program.variables if each != program.control)
        self.plain = replace(program, variables=variables, actions=tuple(roleless), control=None)

    def process(self, action: int, position: int | None, values: tuple[int, ...]) -> int | None:
        if position is None:
            return None
        given: Scalar = self.program.actions[action].parameters[position].type
        return converted(values[position], given, self.processes)

    def steps(self, state: State, control: int | None) -> list[Step]:
        """The actions of the process in control, or of all; the idle ones where no other happens."""
        able = [
            step
            for step in attempts(self.plain, state)
            if control is None
            or self.process(step.label[0], self.program.actions[step.label[0]].actor, step.label[1])
            == control
        ]
        busy = [step for step in able if not self.program.actions[step.label[0]].idle]
        return busy if any(step.possible for step in busy) else able

    def control_after(self, step: Step) -> int | None:
        """The process that keeps control, if one of its guards holds, or fails, for an action that is not idle."""
        number, values = step.label
        process = self.process(number, self.program.actions[number].keeps_control, values)
        if process is None or step.after is None:
            return None
        for each in attempts(self.plain, step.after):
            action = self.program.actions[each.label[0]]
            tries = each.fired or isinstance(each.result, Failure)
            if (
                tries
                and not action.idle
                and self.process(each.label[0], action.actor, each.label[1]) == process
            ):
                return process
        return None

    def ends(
        self, state: State, control: int | None, depth: int = 0
    ) -> Iterator[tuple[Step, State | None, bool]]:
        """Every end of a sequence: its last step, the stored state it leads to, whether it is a transition."""
        assert depth < 50
        taken = self.steps(state, control)
        if depth and not any(step.fired for step in taken):
            yield Step((-1, ()), taken[0].result if taken else state, possible=False), None, True
        for step in taken:
            kept = self.control_after(step)
            if kept is None:
                counts = step.possible or self.program.counts_impossible
                yield step, step.after, step.fired and counts
            else:
                yield Step(step.label, step.result, possible=False, noted=step.noted), None, False
                yield from self.ends(step.after, kept, depth + 1)

    def explored(self) -> Defined:
        waiting = [step.after for step in start_steps(self.plain) if step.after is not None]
        found: set[State] = set()
        edges: Counter[tuple[State, State]] = Counter()
        violating: dict[int, set[State]] = {}
        transitions = deadlocks = 0
        while waiting:
            state = waiting.pop()
            if state in found:
                continue
            found.add(state)
            leads_on = False
            for step, after, is_transition in self.ends(state, None):
                transitions += is_transition
                leads_on |= step.possible and not (self.program.stuttering and step.result == state)
                failures = [*step.noted, *([step.result] if isinstance(step.result, Failure) else [])]
                for failure in failures if step.label[0] >= 0 else []:
                    violating.setdefault(failure.number, set()).add(state)
                if after is not None:
                    edges[state, after] += 1
                    waiting.append(after)
            proper = self.program.proper_end
            if not leads_on and not (proper is not None and satisfies(self.plain, proper, state) is True):
                deadlocks += 1
                violating.setdefault(DEADLOCK, set()).add(state)
        return Defined(frozenset(found), transitions, deadlocks, edges, violating)


def judged_nowhere(program: Program) -> Program:
    """Only what steps do: the definition above says nothing of properties of states, and assumptions are evaluated in stored
    states alone."""
    stated = tuple(each for each in program.properties if each.expression is None)
    return replace(program, properties=stated)


def breaks_limit(program: Program, numbers: set[int]) -> bool:
    properties = ProgramSemantics(program).properties
    return any(properties[number].kind == "limit" for number in numbers if number in properties)


@laws
@given(bounded_process_programs())
def test_both_engines_find_what_the_definition_says(program: Program) -> None:
    program = judged_nowhere(program)
    by_reference = explore(program, deadlock=True, keep_going=True, max_states=MOST)
    assume(by_reference.stopped == "exhausted")
    expected = Definition(program).explored()
    by_core = searched(program)
    for found in (by_reference, by_core):
        assert (found.states, found.transitions) == (len(expected.states), expected.transitions)
        assert found.deadlocks == expected.deadlocks
    counts = {number: len(states) for number, states in sorted(expected.violating.items())}
    assert by_reference.violating == counts == dict(by_core.violating)


# The engines


@laws
@given(process_programs())
def test_single_steps_are_the_same(program: Program) -> None:
    core = compiled(program)
    waiting = [step.after for step in start_steps(program) if step.after is not None]
    known: set[State] = set()
    while waiting and len(known) < 15:
        state = waiting.pop()
        if state in known:
            continue
        known.add(state)
        found = {label_number(program, step.label): step for step in steps(program, state)}
        enabled, failing = core.enabled(state)
        assert sorted(enabled) == sorted(label for label, step in found.items() if step.fired)
        assert {label for label, _ in failing} == {label for label, step in found.items() if not step.fired}
        for label in enabled:
            what, after, number = core.fire(state, label)
            result = found[label].result
            assert number == (result.number if isinstance(result, Failure) else None)
            assert (None if after is None else tuple(after)) == found[label].after, what
        waiting += [step.after for step in found.values() if step.after is not None]


@laws
@given(process_programs() | bounded_process_programs())
def test_explorations_are_the_same(program: Program) -> None:
    semantics = ProgramSemantics(program, deadlock=True)
    expected = explore(program, deadlock=True, keep_going=True, max_states=MOST)
    assume(expected.stopped != "max-states")
    found = searched(program)
    assert found.stopped == expected.stopped
    for number, trace, failing in found.violations:
        replay_program(program, trace, failing, number)
    for number, claim in expected.claims.items():
        if not claim.is_missing_start:
            replay(semantics, claim, number)
    if breaks_limit(program, set(expected.claims)):
        return
    assert (found.states, found.initial_states) == (expected.states, expected.initial_states)
    assert (found.transitions, found.deadlocks) == (expected.transitions, expected.deadlocks)
    assert (dict(found.violating), found.depth) == (expected.violating, expected.depth)
    assert set(found.covered) == expected.covered
    if not any(move.is_endless for state in expected.stored for move in semantics.moves(state)):
        assert list(found.firings) == list(expected.firings)


def edges_of(graph: StateGraph) -> Counter[tuple[State, object, State]]:
    return Counter(
        (graph.states[source], label, graph.states[target]) for source, label, target in graph.edges
    )


@laws
@given(bounded_process_programs())
def test_graphs_are_the_same(program: Program) -> None:
    expected = state_graph(ProgramSemantics(program, deadlock=True), max_states=MOST)
    assume(expected.complete)
    question = ProgramQuestion(
        Model(program, "random", "murphi"), ProgramSymmetry(program=program, generators=()), deadlock=True
    )
    core = question.compiled()
    graph = _core.state_graph(core.handle, core.group, _core.Method("none"), MOST)
    found = drawn_graph(graph, core)
    assume(not breaks_limit(program, {number for _, number in graph.judged}) and found.complete)
    # A run that breaks a limit ends, and a graph does not.
    assume(set(expected.states) == set(found.states))
    assert edges_of(found) == edges_of(expected)
    assert {found.states[at] for at in found.deadlocks} == {expected.states[at] for at in expected.deadlocks}
    assert sorted((found.states[at], label) for at, label in found.failures) == sorted(
        (expected.states[at], label) for at, label in expected.failures
    )


# Reduction


@laws
@given(symmetric_bounded_process_programs())
def test_reduction_keeps_counts_and_verdicts(made: SymmetricProgram) -> None:
    program = made.program
    full = explore(program, deadlock=True, keep_going=True, max_states=MOST)
    assume(full.stopped == "exhausted")
    reduced = explore(program, made.generators, deadlock=True, keep_going=True, self_check="full")
    assert (reduced.full_states, set(reduced.claims)) == (full.states, set(full.claims))
    group = Acting(program.sorts, made.generators).group
    for method in ("search", "minimise", "compare", "flood"):
        asked = _core.Settings(deadlock=True, keep_going=True, self_check="full")
        found = _core.explore(compiled(program), group, _core.Method(method), asked)
        assert found.stopped == "exhausted"
        assert (found.states, found.full_states) == (reduced.states, full.states)
        assert (found.transitions, found.deadlocks) == (reduced.transitions, reduced.deadlocks)
        assert {number for number, *_ in found.violations} == set(full.claims)
        assert set(found.covered) == full.covered
        for number, trace, failing in found.violations:
            replay_program(program, trace, failing, number)
