"""Finite state machines: states, actions, edges.

One kind of object for what tools call Mealy machines (outputs on edges), Moore machines (outputs of states), automata
(accepting states) and labelled transition systems (neither): what a machine lacks is None. Romijn and Springintveld (1999,
Definitions 2.1 and 5.1) need deterministic ones; that is checked where it is needed, so that others can be read and mended.

Edges are kept as plain numbers, twelve bytes each: a machine may have tens of millions.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TypeVar, overload

from burnside.diagnostics import Diagnostic, UsageError
from burnside.records import record
from burnside.testing.edge_numbers import without_duplicates

Edge = tuple[int, int, int]
"""Source, action, target, by number."""
State = TypeVar("State", bound=Hashable)
Input = TypeVar("Input")
Output = TypeVar("Output", bound=Hashable)
Value = TypeVar("Value", bound=Hashable)


class Edges(Sequence[Edge]):
    """Edges in a fixed order, never changed. `numbers`: source, action and target of each, one after the other."""

    __slots__ = ("numbers",)

    def __init__(self, numbers: array[int]) -> None:
        self.numbers = numbers

    @classmethod
    def of(cls, edges: Iterable[Edge]) -> Edges:
        return cls(array("I", [number for edge in edges for number in edge]))

    def __len__(self) -> int:
        return len(self.numbers) // 3

    def __iter__(self) -> Iterator[Edge]:
        numbers = iter(self.numbers)
        return zip(numbers, numbers, numbers, strict=True)

    @overload
    def __getitem__(self, at: int) -> Edge: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Edge]: ...
    def __getitem__(self, at: int | slice) -> Edge | Sequence[Edge]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        first = 3 * range(len(self))[at]
        source, action, target = self.numbers[first : first + 3]
        return source, action, target

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Edges) and self.numbers == other.numbers

    def __hash__(self) -> int:
        return hash(self.numbers.tobytes())

    def __repr__(self) -> str:
        return f"Edges.of({list(self[:5])!r}{', ...' if len(self) > 5 else ''})"


@record
class Action:
    """What an edge is labelled with. `output`: None where edges have none."""

    input: str
    output: str | None = None

    def __str__(self) -> str:
        return self.input if self.output is None else f"{self.input}/{self.output}"


@record
class StateMachine:
    """`initial`: mostly one state. `outputs`: by state, of a Moore machine. `accepting`: of an automaton."""

    name: str
    states: tuple[str, ...]
    initial: tuple[int, ...]
    actions: tuple[Action, ...]
    edges: Edges
    outputs: tuple[str, ...] | None = None
    accepting: frozenset[int] | None = None

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """In the order of their first appearance among the actions."""
        return tuple(dict.fromkeys(each.input for each in self.actions))

    @cached_property
    def leaving(self) -> Sequence[Sequence[tuple[int, int]]]:
        """By state: actions and targets of its edges."""
        found: list[list[tuple[int, int]]] = [[] for _ in self.states]
        for source, action, target in self.edges:
            found[source].append((action, target))
        return found

    def observation(self, state: int) -> object:
        """What is seen of a state by itself."""
        output = None if self.outputs is None else self.outputs[state]
        return output, self.accepting is not None and state in self.accepting

    @classmethod
    def explore(
        cls,
        initial: State,
        inputs: Sequence[Input],
        step: Callable[[State, Input], tuple[Output | None, State] | None],
        *,
        name: str = "machine",
        show: Callable[[State], str] | None = None,
    ) -> StateMachine:
        """The machine of a Python function, by breadth-first search. `step(state, input)`: the output and the next state, or
        None where the input is not possible. Inputs and outputs are called by their texts; None is no output. `show`: the
        names of states; without it, their numbers."""
        number: dict[State, int] = {initial: 0}
        waiting = [initial]
        actions: dict[Action, int] = {}
        known: list[tuple[Input, str, dict[Output | None, int]]] = [(each, str(each), {}) for each in inputs]
        double = first_double(text for _, text, _ in known)
        if double is not None:
            raise UsageError(Diagnostic(f"two inputs are called {double!r}", name))
        edges = array("I")
        append = edges.append  # three calls of it are faster than one `extend`
        for source, state in enumerate(waiting):
            for given, text, by_output in known:
                taken = step(state, given)
                if taken is None:
                    continue
                output, after = taken
                target = number.get(after)
                if target is None:
                    target = number[after] = len(waiting)
                    waiting.append(after)
                action = by_output.get(output)
                if action is None:
                    label = Action(text, None if output is None else str(output))
                    action = by_output[output] = actions.setdefault(label, len(actions))
                append(source)
                append(action)
                append(target)
        return cls(name, _names(waiting, show), (0,), tuple(actions), Edges(edges))

    @classmethod
    def explore_successors(
        cls,
        initial: State,
        successors: Callable[[State], Iterable[tuple[Action, State]]],
        *,
        name: str = "machine",
        show: Callable[[State], str] | None = None,
    ) -> StateMachine:
        """As `explore`, where an action may lead to several states or where few of many actions are possible in a state.
        `successors(state)`: actions and next states, each pair once."""
        number: dict[State, int] = {initial: 0}
        waiting = [initial]
        actions: dict[Action, int] = {}
        edges = array("I")
        append = edges.append
        for source, state in enumerate(waiting):
            for label, after in successors(state):
                target = number.get(after)
                if target is None:
                    target = number[after] = len(waiting)
                    waiting.append(after)
                action = actions.get(label)
                if action is None:
                    action = actions[label] = len(actions)
                append(source)
                append(action)
                append(target)
        return cls(name, _names(waiting, show), (0,), tuple(actions), Edges(edges))


def first_double(values: Iterable[Value]) -> Value | None:
    seen: set[Value] = set()
    for value in values:
        if value in seen:
            return value
        seen.add(value)
    return None


def _names(states: Sequence[State], show: Callable[[State], str] | None) -> tuple[str, ...]:
    return tuple(map(str, range(len(states)))) if show is None else tuple(map(show, states))


class MachineBuilder:
    """States and actions get their numbers by first mention."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.states: dict[str, int] = {}
        self._actions: dict[Action, int] = {}
        self._edges = array("I")

    def state(self, name: str) -> int:
        return self.states.setdefault(name, len(self.states))

    def action(self, action: Action) -> int:
        return self._actions.setdefault(action, len(self._actions))

    def edge(self, source: int, action: Action | int, target: int) -> None:
        """`action`: or its number. An edge that is there already is not added again."""
        number = action if isinstance(action, int) else self.action(action)
        append = self._edges.append  # three calls of it are faster than one `extend`
        append(source)
        append(number)
        append(target)

    def machine(
        self,
        initial: Sequence[int],
        outputs: Sequence[str] | None = None,
        accepting: frozenset[int] | None = None,
    ) -> StateMachine:
        return StateMachine(
            self.name,
            tuple(self.states),
            tuple(initial),
            tuple(self._actions),
            Edges(without_duplicates(self._edges, len(self.states))),
            None if outputs is None else tuple(outputs),
            accepting,
        )
