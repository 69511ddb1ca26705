"""What every format asks of a machine, and how a machine is made to fit.

In: a machine that is to be written. Out: an `UnsupportedError` that names what a file could not say, so that what is
written is read back as the same machine; or (`in_order_of_use`, `numbered`) the machine with other names or another
order, with a note of each change.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from burnside.diagnostics import Diagnostic, UnsupportedError
from burnside.records import replace
from burnside.testing.edge_numbers import duplicates, without_duplicates
from burnside.testing.machine import Edges, StateMachine, first_double

Notes = tuple[str, ...]
"""What was changed, in words."""
FIT = "the machine can be made to fit, with other names of states or in another order"


def refused(machine: StateMachine, message: str, hint: str | None = None) -> UnsupportedError:
    return UnsupportedError(Diagnostic(message, machine.name, hint=hint))


def check_plain(machine: StateMachine) -> None:
    """What no format can say, since edges are a set and actions get their numbers by first mention."""
    _check_texts(machine)
    if not machine.states:
        raise refused(machine, "a machine without states cannot be written")
    if not machine.initial:
        raise refused(machine, "a machine without an initial state cannot be written")
    if len(set(machine.initial)) < len(machine.initial):
        raise refused(machine, "an initial state is given twice", FIT)
    double = first_double(machine.states)
    if double is not None:
        raise refused(machine, f"two states are called {double!r}", FIT)
    if duplicates(machine.edges.numbers, len(machine.states)):
        raise refused(machine, "an edge occurs twice", FIT)
    if not is_in_order_of_use(machine):
        message = (
            "actions that no edge has, or that are not in the order of their first edges, cannot be written"
        )
        raise refused(machine, message, FIT)


def is_in_order_of_use(machine: StateMachine) -> bool:
    used = list(dict.fromkeys(machine.edges.numbers[1::3]))
    return used == list(range(len(machine.actions))) and first_double(machine.actions) is None


def _check_texts(machine: StateMachine) -> None:
    texts: list[str] = [*machine.states, *(machine.outputs or ())]
    for action in machine.actions:
        texts += [action.input, action.output or ""]
    try:
        "".join(texts).encode()
    except UnicodeEncodeError as error:
        shown = f"U+{ord(error.object[error.start]):04X}"
        raise refused(machine, f"{shown} is no character that UTF-8 can encode") from None


def check_single_initial(machine: StateMachine, name: str) -> int:
    if len(machine.initial) != 1:
        raise refused(machine, f"{name} has one initial state, and this machine has {len(machine.initial)}")
    return machine.initial[0]


def without_state_facts(machine: StateMachine, name: str) -> None:
    """Refuse what only formats with states of their own can say."""
    hint = "a Mealy machine says the same with outputs on edges"
    if machine.outputs is not None:
        raise refused(machine, f"{name} has no place for outputs of states", hint)
    if machine.accepting is not None:
        raise refused(machine, f"{name} has no place for accepting states", hint)


def is_mealy(machine: StateMachine, name: str) -> bool:
    """Has every action an output? (None has one: a transition system.)"""
    with_output = sum(each.output is not None for each in machine.actions)
    if with_output not in (0, len(machine.actions)):
        raise refused(machine, f"{name} has no place for edges with and without outputs in one machine")
    return with_output > 0


# Changes


def in_order_of_use(machine: StateMachine) -> tuple[StateMachine, Notes]:
    """Actions in the order of their first edges, none without an edge and none twice; no edge twice."""
    numbers, notes, actions = machine.edges.numbers, list[str](), machine.actions
    if not is_in_order_of_use(machine):
        used = dict.fromkeys(actions[each] for each in dict.fromkeys(numbers[1::3]))
        place = {action: at for at, action in enumerate(used)}
        numbers = array("I", numbers)
        numbers[1::3] = array("I", (place[actions[each]] for each in machine.edges.numbers[1::3]))
        left_out = len(set(actions)) - len(used)
        if left_out:
            notes.append(_left_out(left_out, "action", "no edge has"))
        if tuple(used) != tuple(each for each in dict.fromkeys(actions) if each in used):
            notes.append("actions are in the order of their first edges")
        elif len(set(actions)) < len(actions):
            notes.append("actions that occurred twice are one")
        actions = tuple(used)
    kept = without_duplicates(numbers, len(machine.states))
    if len(kept) < len(numbers):
        notes.append(_left_out((len(numbers) - len(kept)) // 3, "edge", "occurred twice"))
    if not notes:
        return machine, ()
    return replace(machine, actions=actions, edges=Edges(kept)), tuple(notes)


def _left_out(number: int, thing: str, which: str) -> str:
    one, are = (thing, "is") if number == 1 else (f"{thing}s", "are")
    return f"{number:,} {one} that {which} {are} left out"


def named(machine: StateMachine, names: Sequence[str]) -> tuple[StateMachine, Notes]:
    if tuple(names) == machine.states:
        return machine, ()
    return replace(machine, states=tuple(names)), (f"states are called {names[0]} to {names[-1]}",)


def permuted(machine: StateMachine, order: Sequence[int]) -> StateMachine:
    """The same machine with its states in this order."""
    place = array("I", bytes(4 * len(order)))
    for new, old in enumerate(order):
        place[old] = new
    numbers = array("I", machine.edges.numbers)
    for column in (0, 2):
        numbers[column::3] = array("I", map(place.__getitem__, machine.edges.numbers[column::3]))
    return replace(
        machine,
        states=tuple(machine.states[old] for old in order),
        initial=tuple(place[old] for old in machine.initial),
        edges=Edges(numbers),
        outputs=None if machine.outputs is None else tuple(machine.outputs[old] for old in order),
        accepting=None if machine.accepting is None else frozenset(place[old] for old in machine.accepting),
    )
