"""Mealy machines as tables (Romijn and Springintveld 1999, Definitions 5.1 to 5.4), and parts of them.

In: a machine. Out: `Mealy`, which has one output and one target for each state and input, so that it is deterministic and
input enabled by its form. A `Part` of it says which inputs of which states belong to it: all of them, or those of a kernel.
Inputs are numbers: their places among `StateMachine.inputs`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from burnside.diagnostics import Diagnostic, InputError
from burnside.records import record
from burnside.testing.machine import Edge, StateMachine

Word = tuple[int, ...]
Output = str | None
Outcome = tuple[Output, ...]
Row = tuple[tuple[Output, int], ...]
"""By input: output and target."""
Part = Mapping[int, tuple[int, ...]]
"""By state, in the order of a breadth-first search from the initial one: its inputs within the part, ascending."""


@record
class Mealy:
    """`inputs`: how many there are, which a machine without states would not know."""

    initial: int
    inputs: int
    rows: tuple[Row, ...]


def mealy(machine: StateMachine) -> Mealy:
    """The table of a machine. Refused where it is not deterministic or not input enabled, in unreachable states too."""
    if len(machine.initial) != 1:
        message = f"the machine has {len(machine.initial)} initial states, expected one"
        raise InputError(Diagnostic(message, machine.name))
    place = {given: at for at, given in enumerate(machine.inputs)}
    rows: list[dict[int, tuple[Output, int]]] = [{} for _ in machine.states]
    for source, action, target in machine.edges:
        label = machine.actions[action]
        new = (label.output, target)
        if rows[source].setdefault(place[label.input], new) != new:
            raise _refused(machine, source, label.input, "several edges")
    for state, row in enumerate(rows):
        for given, at in place.items():
            if at not in row:
                raise _refused(machine, state, given, "no edge")
    table = tuple(tuple(row[at] for at in range(len(place))) for row in rows)
    return Mealy(machine.initial[0], len(place), table)


def _refused(machine: StateMachine, state: int, given: str, what: str) -> InputError:
    message = f"state {machine.states[state]!r} has {what} for input {given!r}"
    hint = "tests need a machine that is deterministic and input enabled"
    return InputError(Diagnostic(message, machine.name, hint=hint))


def after(machine: Mealy, state: int, word: Word) -> int:
    for given in word:
        state = machine.rows[state][given][1]
    return state


def outcome(machine: Mealy, state: int, word: Word) -> Outcome:
    """The outputs of a word."""
    outputs = []
    for given in word:
        output, state = machine.rows[state][given]
        outputs.append(output)
    return tuple(outputs)


def whole(machine: Mealy) -> Part:
    """All states that can be reached, with all inputs."""
    every = range(machine.inputs)
    return _searched(machine, dict.fromkeys(range(len(machine.rows)), tuple(every)))


def part_of(machine: StateMachine, edges: Iterable[Edge]) -> Part:
    """These edges of a machine and their states: mostly a kernel's."""
    place = {given: at for at, given in enumerate(machine.inputs)}
    found: dict[int, set[int]] = {}
    for source, action, _ in edges:
        found.setdefault(source, set()).add(place[machine.actions[action].input])
    return _searched(mealy(machine), {state: tuple(sorted(inputs)) for state, inputs in found.items()})


def _searched(machine: Mealy, inputs: Part) -> Part:
    found = {machine.initial: inputs.get(machine.initial, ())}
    waiting = [machine.initial]
    for state in waiting:
        for given in found[state]:
            target = machine.rows[state][given][1]
            if target not in found:
                found[target] = inputs.get(target, ())
                waiting.append(target)
    return found


def access_words(machine: Mealy, part: Part) -> Mapping[int, Word]:
    """By state of a part, in the order of `part`: the alphabetically first of the shortest words to it within the part."""
    found: dict[int, Word] = {machine.initial: ()}
    for state, inputs in part.items():
        for given in inputs:
            found.setdefault(machine.rows[state][given][1], (*found[state], given))
    return found


def transition_cover(machine: Mealy, part: Part) -> list[Word]:
    """Words to all states, and each of these with each input of its state (Definition 5.7): as many as edges, and one."""
    words = access_words(machine, part)
    steps = ((*words[state], given) for state, inputs in part.items() for given in inputs)
    return list(dict.fromkeys([*words.values(), *steps]))


def equivalent(one: Mealy, other: Mealy) -> bool:
    """Have two machines with the same inputs the same outcomes for all words (Definition 5.2)?"""
    seen = {(one.initial, other.initial)}
    waiting = list(seen)
    for first, second in waiting:
        for (output, target), (output_, target_) in zip(one.rows[first], other.rows[second], strict=True):
            if output != output_:
                return False
            if (target, target_) not in seen:
                seen.add((target, target_))
                waiting.append((target, target_))
    return True
