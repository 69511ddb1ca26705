"""Machines of models that act by themselves: an input, and what the model does until it comes to rest.

In: a transition system whose labels are actions of a model, and which of them are inputs or internal; all others are
outputs. Out: a Mealy machine. Its states are the stable ones, in which no output and no internal action is possible. An
edge is an input together with the outputs that follow it, up to the next stable state; inputs that are possible before
that are not given.

The run to stability must be unique up to its outputs and its end: internal actions may interleave in any way that makes
no difference. Where it does make one, or where a run has no end, nothing can be expected of an implementation, and the
runs are shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import pairwise

from burnside.diagnostics import Diagnostic, InputError, UsageError
from burnside.records import record
from burnside.testing.machine import Action, MachineBuilder, StateMachine
from burnside.testing.splits import NO_OUTPUT
from burnside.words import truncated_list

Step = tuple[int, int]
"""An action and a state, by number."""
INPUT, OUTPUT, INTERNAL = "input", "output", "internal"


def input_output_machine(
    machine: StateMachine, inputs: Sequence[str], internal: Sequence[str] = ()
) -> StateMachine:
    """`inputs`, `internal`: labels, in which `*`, `?` and `[...]` stand for others as in names of files. Outputs of an
    edge are joined by blanks; without outputs it is `-`. What the model puts out before the first input is not part of
    the machine."""
    return _Stable(machine, _roles(machine, inputs, internal)).machine()


def _roles(machine: StateMachine, inputs: Sequence[str], internal: Sequence[str]) -> list[str]:
    """By action."""
    labels = list(map(str, machine.actions))
    for option, patterns in (("--inputs", inputs), ("--internal", internal)):
        for pattern in patterns:
            if not any(fnmatchcase(label, pattern) for label in labels):
                known = f"actions are {truncated_list(sorted(labels))}"
                raise UsageError(Diagnostic(f"no action matches {pattern!r}", source=option, hint=known))
    found = []
    for label in labels:
        is_input, is_internal = (
            any(fnmatchcase(label, pattern) for pattern in each) for each in (inputs, internal)
        )
        if is_input and is_internal:
            message = f"the action {label!r} is declared an input and internal"
            raise UsageError(Diagnostic(message, source="--internal"))
        found.append(INPUT if is_input else INTERNAL if is_internal else OUTPUT)
    return found


@record
class _Rest:
    """Where a run comes to rest, and its outputs: the first one, and the rest behind it by number."""

    end: int
    outputs: int


class _Stable:
    """`_rests`: by state, how its runs end. Sequences of outputs are numbered, so that equal ones are one object
    however long they are: each is its first output and the number of what follows; 0 is the empty one."""

    def __init__(self, machine: StateMachine, roles: Sequence[str]) -> None:
        self._given, self._roles = machine, roles
        self._rests: dict[int, _Rest] = {}
        self._sequences: dict[tuple[int, int], int] = {}
        self._parts: list[tuple[int, int]] = [(-1, 0)]

    def machine(self) -> StateMachine:
        given = self._given
        builder = MachineBuilder(given.name)
        number: dict[int, int] = {}
        initial = dict.fromkeys(self._rest(state, "at the start").end for state in given.initial)
        waiting = list(initial)
        for state in waiting:
            number[state] = builder.state(given.states[state])
        for state in waiting:
            for action, target in given.leaving[state]:
                label = str(given.actions[action])
                rest = self._rest(target, f"after {label!r} in {given.states[state]!r}")
                if rest.end not in number:
                    number[rest.end] = builder.state(given.states[rest.end])
                    waiting.append(rest.end)
                output = " ".join(self._texts(rest.outputs)) or NO_OUTPUT
                builder.edge(number[state], Action(label, output), number[rest.end])
        return builder.machine([number[state] for state in initial])

    def _steps(self, state: int) -> list[Step]:
        """What the model does by itself."""
        return [step for step in self._given.leaving[state] if self._roles[step[0]] != INPUT]

    def _rest(self, begin: int, where: str) -> _Rest:
        """By a search in depth: a state is settled once all states after it are."""
        path: list[int] = [begin]
        waiting: list[Iterator[Step]] = [iter(self._steps(begin))]
        on_path = {begin}
        while path:
            target = next((state for _, state in waiting[-1] if state not in self._rests), None)
            if target is None:
                state = path.pop()
                waiting.pop()
                on_path.discard(state)
                self._rests[state] = self._settled(state, path, where)
            elif target in on_path:
                raise self._endless([*path, target], where)
            else:
                path.append(target)
                on_path.add(target)
                waiting.append(iter(self._steps(target)))
        return self._rests[begin]

    def _settled(self, state: int, path: Sequence[int], where: str) -> _Rest:
        """`path`: to the state, without it."""
        steps = self._steps(state)
        if not steps:
            return _Rest(state, 0)
        found = [self._after(step) for step in steps]
        for step, rest in zip(steps[1:], found[1:], strict=True):
            if rest != found[0]:
                raise self._different([*path, state], steps[0], step, where)
        return found[0]

    def _after(self, step: Step) -> _Rest:
        action, state = step
        rest = self._rests[state]
        if self._roles[action] == INTERNAL:
            return rest
        key = action, rest.outputs
        if key not in self._sequences:
            self._sequences[key] = len(self._parts)
            self._parts.append(key)
        return _Rest(rest.end, self._sequences[key])

    def _texts(self, outputs: int) -> Iterator[str]:
        while outputs:
            action, outputs = self._parts[outputs]
            yield str(self._given.actions[action])

    # Runs that are shown

    def _different(self, path: Sequence[int], one: Step, other: Step, where: str) -> InputError:
        begin = self._labels(path)
        runs = [
            f"{truncated_list([*begin, *self._run(step)])} (to {self._end(step)!r})" for step in (one, other)
        ]
        return InputError(
            Diagnostic(
                f"{where}, the model may do {runs[0]}, or {runs[1]}",
                self._given.name,
                hint="outputs and the state they lead to must be unique: declare other actions as inputs or internal",
            )
        )

    def _endless(self, path: Sequence[int], where: str) -> InputError:
        at = path.index(path[-1])
        begin, cycle = self._labels(path[: at + 1]), self._labels(path[at:])
        before = f"do {truncated_list(begin)}, and then " if begin else ""
        has_outputs = any(not label.startswith("(") for label in cycle)
        what = "puts out something" if has_outputs else "does internal actions"
        return InputError(
            Diagnostic(
                f"{where}, the model may {before}repeat {truncated_list(cycle)} for ever",
                self._given.name,
                hint=f"it {what} without end, and comes to no stable state: declare one of these actions an input",
            )
        )

    def _run(self, step: Step) -> Iterator[str]:
        """One run to stability; internal actions are in brackets."""
        action, state = step
        yield self._shown(action)
        while steps := self._steps(state):
            action, state = steps[0]
            yield self._shown(action)

    def _end(self, step: Step) -> str:
        return self._given.states[self._rests[step[1]].end]

    def _labels(self, path: Sequence[int]) -> list[str]:
        found = []
        for begin, end in pairwise(path):
            found.append(self._shown(next(action for action, target in self._steps(begin) if target == end)))
        return found

    def _shown(self, action: int) -> str:
        label = str(self._given.actions[action])
        return f"({label})" if self._roles[action] == INTERNAL else label
