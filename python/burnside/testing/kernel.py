"""Kernels: the part of a machine that holds one trace of each class of symmetric ones.

In: a deterministic machine, a pattern, an order of its inputs. Out: a `Kernel`: states and edges of the machine such
that the representative of every trace is a trace of it (Romijn and Springintveld 1999, Definition 3.3). The
representative is the least of its class, letter by letter, so the order decides how large the kernel is.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import NoReturn

from burnside import _core
from burnside.diagnostics import Diagnostic, InputError
from burnside.records import field, record
from burnside.testing.compiled import CompiledMachine, compiled
from burnside.testing.facts import check_deterministic
from burnside.testing.machine import Edges, StateMachine, first_double
from burnside.testing.pattern_files.input_order import natural_key
from burnside.testing.patterns import Pattern

Progress = Callable[[int], object]
ORDER_HINT = "an order lists all inputs, the least first"


@record
class Kernel:
    """`states`, `edges`: by number in the machine. `visited`: pairs of a state and a vector that were explored."""

    machine: StateMachine
    order: tuple[str, ...]
    states: tuple[int, ...]
    edges: Edges
    visited: int
    core: _core.Kernel = field(repr=False, compare=False)

    def as_machine(self) -> StateMachine:
        """With the states' names. Actions that do not occur are left out."""
        place = {state: at for at, state in enumerate(self.states)}
        used = dict.fromkeys(self.edges.numbers[1::3])
        number = {action: at for at, action in enumerate(used)}
        own = self.machine
        return StateMachine(
            f"kernel of {own.name}",
            tuple(own.states[state] for state in self.states),
            tuple(place[state] for state in own.initial),
            tuple(own.actions[action] for action in used),
            Edges.of((place[source], number[action], place[target]) for source, action, target in self.edges),
            None if own.outputs is None else tuple(own.outputs[state] for state in self.states),
            None
            if own.accepting is None
            else frozenset(place[each] for each in own.accepting if each in place),
        )


def kernel(
    machine: StateMachine,
    pattern: Pattern,
    order: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> Kernel:
    """`order`: all inputs, the least first; by default in their natural order."""
    check_deterministic(machine)
    order = natural_order(machine) if order is None else tuple(order)
    check_order(machine, order)
    own = compiled(machine)
    place = {given: at for at, given in enumerate(order)}
    ranks = [place[each.input] for each in machine.actions]
    try:
        found = own.pattern(pattern).kernel(own.core, ranks, progress)
    except _core.UncoveredError as error:
        _refuse_uncovered(own, pattern, error)
    edges = array("I")
    edges.frombytes(found.edges)
    return Kernel(machine, order, tuple(found.states), Edges(edges), found.visited, found)


def natural_order(machine: StateMachine) -> tuple[str, ...]:
    """Alphabetical, but numbers inside of names by their value."""
    return tuple(sorted(machine.inputs, key=natural_key))


def check_order(machine: StateMachine, order: Sequence[str]) -> None:
    """Every input once, and nothing else."""
    known, given = set(machine.inputs), set(order)
    for what, name in (
        ("names no input of the machine", next((each for each in order if each not in known), None)),
        ("misses an input", next((each for each in machine.inputs if each not in given), None)),
        ("names an input twice", first_double(order)),
    ):
        if name is not None:
            message = f"the order {what}: {name!r}"
            raise InputError(Diagnostic(message, machine.name, hint=ORDER_HINT))


@record
class FoundOrder:
    """The best order that was found, the size of its kernel, and how many kernels were computed."""

    order: tuple[str, ...]
    states: int
    edges: int
    tried: int


def search_order(
    machine: StateMachine,
    pattern: Pattern,
    *,
    order: Sequence[str] | None = None,
    restarts: int = 50,
    tries: int = 500,
    seed: int = 0,
    progress: Progress | None = None,
) -> FoundOrder:
    """An order with a small kernel: the given one and random ones, then moves of single inputs."""
    check_deterministic(machine)
    order = natural_order(machine) if order is None else tuple(order)
    check_order(machine, order)
    own = compiled(machine)
    numbers = [own.inputs[each] for each in order]
    try:
        best, states, edges, tried = own.pattern(pattern).search_order(
            own.core, numbers, restarts, tries, seed, progress
        )
    except _core.UncoveredError as error:
        _refuse_uncovered(own, pattern, error)
    return FoundOrder(tuple(machine.inputs[each] for each in best), states, edges, tried)


def _refuse_uncovered(own: CompiledMachine, pattern: Pattern, error: _core.UncoveredError) -> NoReturn:
    """With the trace, the action, and where the copies are."""
    trace, state, vector, action = error.args
    before = "; ".join(map(str, own.trace(trace))) or "the beginning"
    copies = zip(pattern.transformations, vector, strict=True)
    shown = [f"{each.name}: {pattern.template.states[at]}" for each, at in copies]
    where = ", ".join(shown[:8]) + (", ..." if len(shown) > 8 else "")
    raise InputError(
        Diagnostic(
            f"the pattern does not cover all traces: after {before}, in state {own.machine.states[state]!r}, no copy of "
            f"the template can do {str(own.machine.actions[action])!r} (copies: {where})",
            own.machine.name,
            hint="add the edge to the template, or give a copy another initial state",
        )
    ) from None


def part_from_machine(machine: StateMachine, part: StateMachine) -> Kernel:
    """A kernel that was written to a file, as a part of its machine again. States are found by the traces that lead to them,
    since not every format keeps their names; labels are compared as they are printed."""
    check_deterministic(part)
    targets: list[dict[str, tuple[int, int]]] = [{} for _ in machine.states]
    starts = [0] * (len(machine.states) + 1)
    for source, action, target in machine.edges:
        targets[source][str(machine.actions[action])] = (len(targets[source]), target)
        starts[source + 1] += 1
    for state in range(len(machine.states)):
        starts[state + 1] += starts[state]
    flags = [False] * len(machine.edges)
    of = {part.initial[0]: machine.initial[0]}
    waiting = list(of)
    for state in waiting:
        for action, target in part.leaving[state]:
            label = str(part.actions[action])
            found = targets[of[state]].get(label)
            if target not in of:
                waiting.append(target)
            if found is None or of.setdefault(target, found[1]) != found[1]:
                where = f"state {part.states[state]!r} of it has {label!r}"
                message = f"this is no part of {machine.name}: {where}, which the machine does not do there"
                raise InputError(Diagnostic(message, part.name))
            flags[starts[of[state]] + found[0]] = True
    core = _core.Kernel(compiled(machine).core, flags)
    edges = array("I")
    edges.frombytes(core.edges)
    return Kernel(machine, machine.inputs, tuple(core.states), Edges(edges), 0, core)
