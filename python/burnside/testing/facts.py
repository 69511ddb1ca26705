"""What a machine is like, and smaller machines with the same behaviour.

In: a machine. Out: `MachineFacts`: is it deterministic, input enabled, minimal, are all states reachable? `minimise` merges
bisimilar states, `determinise` makes a machine with the same traces in which a trace leads to one state.
"""

from __future__ import annotations

from array import array

from burnside import _core
from burnside.diagnostics import Diagnostic, InputError, UnsupportedError
from burnside.records import record
from burnside.testing.compiled import compiled
from burnside.testing.completing import reachable_part
from burnside.testing.machine import Edges, StateMachine

MAX_PLACES = 20
"""States and inputs that are named."""
MAX_DETERMINISED = 10_000_000
"""States of a determinised machine, which may have a power of two as many as the given one."""


Places = tuple[tuple[str, str], ...]
"""States and inputs."""


@record
class MachineFacts:
    """`outputs`: of edges, where having none counts as one; `state_outputs`: of a Moore machine. `ambiguous`: how many
    reachable states and inputs have several edges; `missing`: how many have none; the first of these by name.
    `minimal_states`: of the reachable part. `depth`: the longest of the shortest traces to its states."""

    states: int
    reachable: int
    inputs: int
    outputs: int
    state_outputs: int | None
    transitions: int
    reachable_transitions: int
    ambiguous: int
    ambiguous_places: Places
    missing: int
    missing_places: Places
    minimal_states: int
    depth: int

    @property
    def deterministic(self) -> bool:
        return not self.ambiguous

    @property
    def complete(self) -> bool:
        return not self.missing


def facts(machine: StateMachine) -> MachineFacts:
    core = compiled(machine).core
    distances = core.distances()
    reached = [state for state, distance in enumerate(distances) if distance is not None]
    ambiguous, ambiguous_places = core.ambiguous(reachable=True, most=MAX_PLACES)
    missing, missing_places = core.missing(reachable=True, most=MAX_PLACES)
    classes = core.classes()
    return MachineFacts(
        states=len(machine.states),
        reachable=len(reached),
        inputs=len(machine.inputs),
        outputs=len({each.output for each in machine.actions}),
        state_outputs=None if machine.outputs is None else len(set(machine.outputs)),
        transitions=len(machine.edges),
        reachable_transitions=sum(distances[source] is not None for source in machine.edges.numbers[::3]),
        ambiguous=ambiguous,
        ambiguous_places=_named(machine, ambiguous_places),
        missing=missing,
        missing_places=_named(machine, missing_places),
        minimal_states=len({classes[state] for state in reached}),
        depth=max((each for each in distances if each is not None), default=0),
    )


def _named(machine: StateMachine, places: list[tuple[int, int]]) -> Places:
    return tuple((machine.states[state], machine.inputs[given]) for state, given in places)


def check_deterministic(machine: StateMachine) -> None:
    """An `InputError` where a trace of inputs may lead to several states, or there is not one initial state."""
    if len(machine.initial) != 1:
        message = f"the machine has {len(machine.initial)} initial states, expected one"
        raise InputError(
            Diagnostic(message, machine.name, hint="determinise it: burnside machine --determinise")
        )
    count, places = compiled(machine).core.ambiguous(reachable=True, most=1)
    if places:
        [(state, given)] = _named(machine, places)
        raise InputError(
            Diagnostic(
                f"the machine is not deterministic: state {state!r} has several edges for {given!r}{_more(count - 1)}",
                machine.name,
                hint="determinise it (burnside machine --determinise), or give the edges different labels",
            )
        )


def check_complete(machine: StateMachine) -> None:
    """An `InputError` where a reachable state has no edge for some input."""
    count, places = compiled(machine).core.missing(reachable=True, most=1)
    if places:
        [(state, given)] = _named(machine, places)
        raise InputError(
            Diagnostic(
                f"the machine is not input enabled: state {state!r} has no edge for {given!r}{_more(count - 1)}",
                machine.name,
                hint="complete it: burnside machine --complete loops, or --complete sink",
            )
        )


def _more(others: int) -> str:
    return f" (and {others:,} more)" if others else ""


def minimise(machine: StateMachine) -> StateMachine:
    """The reachable part with one state for each class of bisimilar states, which has the name of the first one."""
    part = reachable_part(machine)
    classes = compiled(part).core.classes()
    first: dict[int, int] = {}
    for state, number in enumerate(classes):
        first.setdefault(number, state)
    edges = dict.fromkeys(
        (classes[source], action, classes[target])
        for source, action, target in part.edges
        if first[classes[source]] == source
    )
    return StateMachine(
        part.name,
        tuple(part.states[state] for state in first.values()),
        tuple(dict.fromkeys(classes[state] for state in part.initial)),
        part.actions,
        Edges.of(edges),
        None if part.outputs is None else tuple(part.outputs[state] for state in first.values()),
        None if part.accepting is None else frozenset(classes[state] for state in part.accepting),
    )


def determinise(machine: StateMachine) -> StateMachine:
    """The subset construction. Names of states are those of the sets' members; an automaton accepts where a member does."""
    if machine.outputs is not None:
        raise UnsupportedError(
            Diagnostic("Moore machines are not determinised: a set of states has no output", machine.name)
        )
    try:
        members, numbers = compiled(machine).core.determinise(MAX_DETERMINISED)
    except _core.TooLargeError:
        message = f"a deterministic machine with the same traces has more than {MAX_DETERMINISED:,} states"
        raise UnsupportedError(Diagnostic(message, machine.name)) from None
    accepting = machine.accepting
    return StateMachine(
        machine.name,
        _set_names(machine, members),
        (0,),
        machine.actions,
        Edges(array("I", numbers)),
        None,
        None
        if accepting is None
        else frozenset(at for at, each in enumerate(members) if not accepting.isdisjoint(each)),
    )


def _set_names(machine: StateMachine, members: list[list[int]]) -> tuple[str, ...]:
    """A single member's own name; names that would be long or equal are numbers instead."""
    names = [",".join(machine.states[state] for state in each) for each in members]
    if len(set(names)) < len(names) or max(map(len, names)) > 200:
        return tuple(str(at) for at in range(len(members)))
    return tuple(names)
