"""Machines made fit for testing: every input possible in every state, the reachable part, other names, outputs on
edges.

In: a machine. Out: another one, with the states of the first in their order. Nothing is changed where there is nothing
to do.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Literal, get_args

from burnside.diagnostics import Diagnostic, InputError, UnsupportedError, UsageError
from burnside.records import replace
from burnside.testing.compiled import compiled
from burnside.testing.edge_numbers import without_duplicates
from burnside.testing.machine import Action, Edges, StateMachine
from burnside.testing.splits import NO_OUTPUT

Completion = Literal["loops", "sink"]
ACCEPT, REJECT = "accept", "reject"
"""Outputs of an edge to a state that accepts, and to one that does not."""
SHOWN = 5
"""Places that a diagnostic shows."""


def complete(machine: StateMachine, how: Completion = "loops", output: str | None = None) -> StateMachine:
    """An edge for each input that a state has none for: to the state itself, or to a new state that nothing leaves. Its
    output is `output`, or `-`, where edges have outputs; of a Moore machine that is the output of the new state, which
    does not accept where there are accepting states. Edges are added behind those that are there."""
    if how not in get_args(Completion):
        raise UsageError(Diagnostic(f"machines are completed by loops or by a sink, and not by {how!r}"))
    has_outputs = any(each.output is not None for each in machine.actions)
    if output not in (None, NO_OUTPUT) and not has_outputs and machine.outputs is None:
        raise UsageError(Diagnostic("the machine has no outputs: none can be given to edges", machine.name))
    core = compiled(machine).core
    count, ambiguous = core.ambiguous(reachable=False, most=SHOWN)
    if ambiguous:
        raise _not_deterministic(machine, ambiguous, count)
    _, missing = core.missing(reachable=False, most=len(machine.states) * len(machine.inputs))
    if not missing:
        return machine
    text = NO_OUTPUT if output is None else output
    sink = len(machine.states)
    places = list(missing)
    if how == "sink":
        places += [(sink, given) for given in range(len(machine.inputs))]
    actions = {each: at for at, each in enumerate(machine.actions)}
    numbers = array("I", machine.edges.numbers)
    for state, given in places:
        action = Action(machine.inputs[given], text if has_outputs else None)
        number = actions.setdefault(action, len(actions))
        numbers.extend((state, number, state if how == "loops" else sink))
    found = replace(machine, actions=tuple(actions), edges=Edges(numbers))
    return found if how == "loops" else _with_state(found, "sink", text)


def _not_deterministic(machine: StateMachine, places: list[tuple[int, int]], count: int) -> InputError:
    """`places`: the first of `count`."""
    shown = [f"{machine.inputs[given]!r} in {machine.states[state]!r}" for state, given in places]
    more = f" and {count - len(places):,} more" if count > len(places) else ""
    message = f"the machine is not deterministic: several edges for {', '.join(shown)}{more}"
    return InputError(Diagnostic(message, machine.name, hint="determinise it first"))


def _with_state(machine: StateMachine, name: str, output: str) -> StateMachine:
    """One more state, with a name that no other has."""
    known, number = set(machine.states), 1
    unique = name
    while unique in known:
        number += 1
        unique = f"{name}{number}"
    outputs = None if machine.outputs is None else (*machine.outputs, output)
    return replace(machine, states=(*machine.states, unique), outputs=outputs)


def reachable_part(machine: StateMachine) -> StateMachine:
    """States that traces lead to, the edges between them, and the actions of these edges."""
    distances = compiled(machine).core.distances()
    kept = [state for state, distance in enumerate(distances) if distance is not None]
    used = set(machine.edges.numbers[1::3])
    if len(kept) == len(machine.states) and len(used) == len(machine.actions):
        return machine
    place = {state: at for at, state in enumerate(kept)}
    numbers = array("I")
    for source, action, target in machine.edges:
        if source in place:
            numbers.extend((place[source], action, place[target]))
    return _with_used_actions(
        replace(
            machine,
            states=tuple(machine.states[state] for state in kept),
            initial=tuple(place[state] for state in machine.initial),
            edges=Edges(numbers),
            outputs=None if machine.outputs is None else tuple(machine.outputs[state] for state in kept),
            accepting=None
            if machine.accepting is None
            else frozenset(place[state] for state in machine.accepting if state in place),
        )
    )


def _with_used_actions(machine: StateMachine) -> StateMachine:
    used = sorted(set(machine.edges.numbers[1::3]))
    place = {action: at for at, action in enumerate(used)}
    numbers = array("I", machine.edges.numbers)
    numbers[1::3] = array("I", map(place.__getitem__, machine.edges.numbers[1::3]))
    return replace(machine, actions=tuple(machine.actions[each] for each in used), edges=Edges(numbers))


def renamed(
    machine: StateMachine,
    *,
    name: str | None = None,
    states: Callable[[str], str] | None = None,
    actions: Callable[[Action], Action] | None = None,
) -> StateMachine:
    """With other names. Actions may get the same name, and edges that are then equal become one; states may not."""
    new_states = machine.states if states is None else tuple(map(states, machine.states))
    if len(set(new_states)) < len(set(machine.states)):
        raise UsageError(Diagnostic("two states would get the same name", machine.name))
    machine = replace(machine, name=machine.name if name is None else name, states=new_states)
    if actions is None:
        return machine
    known: dict[Action, int] = {}
    number = [known.setdefault(actions(each), len(known)) for each in machine.actions]
    numbers = array("I", machine.edges.numbers)
    numbers[1::3] = array("I", map(number.__getitem__, machine.edges.numbers[1::3]))
    edges = Edges(without_duplicates(numbers, len(machine.states)))
    return replace(machine, actions=tuple(known), edges=edges)


def with_numbered_states(machine: StateMachine) -> StateMachine:
    """States called by their numbers, from 0."""
    return replace(machine, states=tuple(map(str, range(len(machine.states)))))


# Outputs on edges


def as_mealy(machine: StateMachine) -> StateMachine:
    """A Moore machine or an automaton with outputs on its edges instead: the output of an edge is that of the state it
    leads to, and `accept` or `reject` in an automaton (both, with a blank between them, where states have outputs and
    some accept). What the initial state shows before the first input is not observed in a Mealy machine:
    `initial_output` gives it. Other machines are returned as they are."""
    if machine.outputs is None and machine.accepting is None:
        return machine
    if any(each.output is not None for each in machine.actions):
        message = "edges have outputs, and states have outputs or accept: which of them an edge should have is not clear"
        raise UnsupportedError(Diagnostic(message, machine.name))
    shown = [_shown(machine, state) for state in range(len(machine.states))]
    actions: dict[Action, int] = {}
    # By action and output of the target, since most edges share both with others.
    known: dict[tuple[int, str], int] = {}
    numbers = array("I", machine.edges.numbers)
    for at, (_, action, target) in enumerate(machine.edges):
        key = action, shown[target]
        number = known.get(key)
        if number is None:
            new = Action(machine.actions[action].input, shown[target])
            number = known[key] = actions.setdefault(new, len(actions))
        numbers[3 * at + 1] = number
    edges = Edges(without_duplicates(numbers, len(machine.states)))
    return replace(machine, actions=tuple(actions), edges=edges, outputs=None, accepting=None)


def initial_output(machine: StateMachine) -> str | None:
    """What the initial state of a Moore machine or an automaton shows before the first input; None where states show
    nothing."""
    if machine.outputs is None and machine.accepting is None:
        return None
    if len(machine.initial) != 1:
        message = f"the machine has {len(machine.initial)} initial states, expected one"
        raise InputError(Diagnostic(message, machine.name))
    return _shown(machine, machine.initial[0])


def _shown(machine: StateMachine, state: int) -> str:
    texts = [] if machine.outputs is None else [machine.outputs[state]]
    if machine.accepting is not None:
        texts.append(ACCEPT if state in machine.accepting else REJECT)
    return " ".join(texts)
