"""The law of symmetries of machines: step(g s, g a) = g step(s, a), and every claim says the same of s and g s.

`MachineLaw` asks the core about states that it reaches. `reference_breach` asks the reference engine about any state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from burnside import _core
from burnside.ir.encoding import encoded
from burnside.ir.sets.machine import Machine
from burnside.kinds.machine.values import Reading
from burnside.reference.sets.machines import Label, judge, show_state, steps
from burnside.reference.sets.values import Generator, State, permuted
from burnside.semantics import Failure
from burnside.symmetry.points import Images, identity

METHODS = ("search", "minimise", "nauty", "compare", "flood")
MAX_STATES = 3_000

Happening = tuple[str, tuple[object, ...], tuple[object, ...], State | None]
"""An operation, its arguments and results, and the state after it; None: it fails."""


def by_sort(machine: Machine, permutation: Images) -> Generator:
    images, first = {}, 0
    for sort in machine.sorts:
        images[sort.name] = tuple(image - first for image in permutation[first : first + sort.size])
        first += sort.size
    return images


class Moves:
    """A permutation, and which operation becomes which. Images of states are remembered."""

    def __init__(self, machine: Machine, permutation: Images, actions: Sequence[int]) -> None:
        names = [each.name for each in machine.operations]
        self.operations = {name: names[image] for name, image in zip(names, actions, strict=True)}
        self.generator = by_sort(machine, permutation)
        self._values: dict[object, object] = {}
        self._states: dict[State, State] = {}

    def state(self, state: State) -> State:
        if state not in self._states:
            self._states[state] = self._all(state)
        return self._states[state]

    def happening(self, found: Happening) -> Happening:
        name, arguments, results, after = found
        moved = None if after is None else self.state(after)
        return self.operations.get(name, name), self._all(arguments), self._all(results), moved

    def _all(self, values: tuple[object, ...]) -> tuple[object, ...]:
        return tuple(map(self._image, values))

    def _image(self, value: object) -> object:
        if value is True or value is False:  # equal to numbers, which would be found instead
            return value
        if value not in self._values:
            self._values[value] = permuted(value, self.generator)
        return self._values[value]


class MachineLaw:
    """What the core does in the first states of a machine."""

    def __init__(self, machine: Machine, most: int) -> None:
        self.machine = machine
        table = encoded(machine)
        self.core = _core.Machine(table.texts, table.rows, assume_numbers=True)
        self.trivial_group = _core.ElementGroup(len(identity(machine)), [])
        reading = Reading(machine, self.core)
        labels: dict[int, tuple[str, tuple[object, ...], tuple[object, ...]]] = {}

        def happening(label: int, after: State | None) -> Happening:
            if label not in labels:
                shown = reading.label(label)
                labels[label] = shown.name, shown.arguments, shown.results
            return (*labels[label], after)

        graph = _core.state_graph(self.core, self.trivial_group, _core.Method("none"), most)
        states = [reading.state(state) for state in graph.states]
        self.complete = graph.complete
        self.starts = {
            happening(label, None if after is None else reading.state(after))
            for label, after in self.core.starts()
        }
        explored = range(graph.explored)
        self.steps: dict[State, set[Happening]] = {states[at]: set() for at in explored}
        self.violated: dict[State, set[int]] = {states[at]: set() for at in explored}
        for source, label, target in graph.edges:
            if source in explored:
                self.steps[states[source]].add(happening(label, states[target]))
        for source, label in graph.failures:
            if source in explored:
                self.steps[states[source]].add(happening(label, None))
        for at, number in graph.judged:
            if at in explored:
                self.violated[states[at]].add(number)

    def breach(self, moves: Moves) -> str | None:
        """Where the law fails. A state whose image was not reached is a failure only if all states are known."""
        if {moves.happening(each) for each in self.starts} != self.starts:
            return "starts"
        for state, found in self.steps.items():
            image = moves.state(state)
            if image not in self.steps:
                if self.complete:
                    return f"the image of {show_state(self.machine, state)} is not reached"
                continue
            if {moves.happening(each) for each in found} != self.steps[image]:
                return f"steps in {show_state(self.machine, state)}"
            if self.violated[state] != self.violated[image]:
                return f"claims in {show_state(self.machine, state)}: {self.violated[state]}, {self.violated[image]}"
        return None

    def explored(self, group: _core.ElementGroup, method: str) -> dict[str, object] | None:
        """None where the method does not fit the group, or there are too many states."""
        try:
            found = _core.explore(
                self.core,
                group,
                _core.Method(method),
                _core.Settings(deadlock=True, keep_going=True, max_states=MAX_STATES),
            )
        except _core.MethodError:
            return None
        if found.stopped != "exhausted":
            return None
        return {"states": found.full_states, "violated": sorted(number for number, _ in found.violating)}


# The reference engine


def mixed_states(machine: Machine, known: Sequence[State], random: Random, count: int) -> list[State]:
    """States whose variables have values from different known states."""
    whole = [state for state in known if len(state) == len(machine.state_names)]
    if not whole or not machine.variables:
        return []
    first = len(machine.constants)
    found = []
    for _ in range(count):
        state = random.choice(whole)
        same = [each for each in whole if each[:first] == state[:first]]
        found.append(
            state[:first] + tuple(random.choice(same)[at] for at in range(first, len(machine.state_names)))
        )
    return found


def reference_breach(machine: Machine, moves: Moves, states: Iterable[State]) -> str | None:
    for state in states:
        image = moves.state(state)
        here = {moves.happening(each) for each in _happenings(machine, state)}
        if here != _happenings(machine, image):
            return f"reference: steps in {show_state(machine, state)}"
        if _said(machine, state) != _said(machine, image):
            return f"reference: claims in {show_state(machine, state)}"
    return None


def _happenings(machine: Machine, state: State) -> set[Happening]:
    return {_shown(each.label, each.result) for each in steps(machine, state)}


def _shown(label: Label, result: State | Failure) -> Happening:
    """Without the words of failures, and without arguments where a guard fails."""
    if isinstance(result, Failure):
        return label.name, label.arguments, (), None
    return label.name, label.arguments, label.results, result


def _said(machine: Machine, state: State) -> object:
    found = judge(machine, state)
    return set(found.violated), set(found.reached), {each.evaluated for each in found.failures}
