"""Traces as texts: what a user writes, and what is printed of a trace.

In: a machine and steps that are separated by `;`, or listed; each an input, whose output follows from the machine, or
`input/output`. Out: a trace of the machine, or an `InputError` that says which step is impossible and what is possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from burnside.diagnostics import InputError, Source
from burnside.testing.determinism import initial_state, targets_from
from burnside.testing.machine import Action, StateMachine
from burnside.testing.suggestions import did_you_mean
from burnside.words import truncated_list

Trace = tuple[Action, ...]
SEPARATOR = ";"


def trace_text(trace: Sequence[Action]) -> str:
    return f"{SEPARATOR} ".join(map(str, trace))


def parse_trace(machine: StateMachine, text: str | Sequence[str], name: str = "trace") -> Trace:
    """A trace of the machine from steps that are separated by `;`, or listed. A step is an input, whose output the machine
    knows, or `input/output`. `name`: what diagnostics say of where the text is from."""
    walk = _Walk(machine)
    found = []
    for number, (step, source, offset) in enumerate(_split(text, name), start=1):
        action = walk.find(step)
        if action is None:
            raise _impossible(walk, step, number, source, offset)
        walk.take(action)
        found.append(action)
    return tuple(found)


def check_trace(machine: StateMachine, trace: Sequence[Action]) -> None:
    """Raises an `InputError` where this is no trace of the machine."""
    walk = _Walk(machine)
    for position, action in enumerate(trace):
        if not walk.take(action):
            source = Source("trace", trace_text(trace))
            offset = sum(len(str(each)) + len(SEPARATOR) + 1 for each in trace[:position])
            message = f"step {position + 1}: {str(action)!r} is not possible in state {walk.state_name!r}"
            hint = f"possible: {walk.possible()}"
            raise InputError(source.diagnostic(message, offset, len(str(action)), hint))


def _split(text: str | Sequence[str], name: str) -> Iterator[tuple[str, Source, int]]:
    """Steps, with a source and the offset in it."""
    if not isinstance(text, str):
        for number, step in enumerate(text, start=1):
            yield step, Source(f"{name}, step {number}", step), 0
        return
    source = Source(name, text)
    offset = 0
    parts = text.split(SEPARATOR)
    if not parts[-1].strip():
        parts.pop()
    for part in parts:
        yield part.strip(), source, offset + len(part) - len(part.lstrip())
        offset += len(part) + len(SEPARATOR)


def _impossible(walk: _Walk, step: str, number: int, source: Source, offset: int) -> InputError:
    state = repr(walk.state_name)
    outputs = [each.output for each in walk.actions() if each.input == step]
    given = walk.input_of(step)
    if not step:
        message, hint = f"step {number} is empty", f"steps are separated by '{SEPARATOR}'"
    elif len(outputs) > 1:
        message = f"step {number}: {step!r} has {len(outputs)} outputs in state {state}"
        hint = "write input/output: " + truncated_list([f"{step}/{each}" for each in outputs])
    elif given is None:
        message = f"step {number}: the machine has no input {step!r}"
        hint = did_you_mean(step, walk.inputs) or f"possible here: {walk.possible()}"
    elif any(each.input == given for each in walk.actions()):
        answers = truncated_list([str(each) for each in walk.actions() if each.input == given])
        message = f"step {number}: {step!r} is not what the machine does in state {state}"
        hint = f"it does {answers}"
    else:
        message = f"step {number}: {step!r} is not possible in state {state}"
        hint = f"possible here: {walk.possible()}"
    return InputError(source.diagnostic(message, offset, max(1, len(step)), hint))


class _Walk:
    """A machine and the state after the steps so far."""

    def __init__(self, machine: StateMachine) -> None:
        self._machine = machine
        self._state = initial_state(machine)
        self.inputs = machine.inputs
        self._targets = self._targets_here()

    def _targets_here(self) -> Mapping[Action, int]:
        actions = self._machine.actions
        found = targets_from(self._machine, self._state)
        return {actions[action]: target for action, target in found.items()}

    @property
    def state_name(self) -> str:
        return self._machine.states[self._state]

    def actions(self) -> list[Action]:
        return list(self._targets)

    def possible(self) -> str:
        return truncated_list(list(map(str, self.actions()))) or "nothing"

    def find(self, step: str) -> Action | None:
        """What is written in full, or else the only action with this input."""
        whole = [each for each in self.actions() if str(each) == step]
        alike = whole or [each for each in self.actions() if each.input == step]
        return alike[0] if len(alike) == 1 else None

    def input_of(self, step: str) -> str | None:
        """The input of the machine that a step begins with."""
        found = [each for each in self.inputs if step == each or step.startswith(f"{each}/")]
        return max(found, key=len, default=None)

    def take(self, action: Action) -> bool:
        target = self._targets.get(action)
        if target is None:
            return False
        self._state = target
        self._targets = self._targets_here()
        return True
