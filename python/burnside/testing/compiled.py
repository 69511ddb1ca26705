"""Machines and patterns as the core sees them: numbers.

In: a `StateMachine`, a `Pattern`. Out: objects of `burnside._core`, made once for each machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from burnside import _core
from burnside.testing.machine import Action, StateMachine
from burnside.testing.patterns import Pattern


class CompiledMachine:
    """`outputs`: by number in the core."""

    def __init__(self, machine: StateMachine) -> None:
        self.machine = machine
        self.inputs: Mapping[str, int] = {each: at for at, each in enumerate(machine.inputs)}
        self.outputs: tuple[str | None, ...] = tuple(dict.fromkeys(each.output for each in machine.actions))
        outputs = {each: at for at, each in enumerate(self.outputs)}
        self.core = _core.StateMachine(
            machine.initial,
            _observations(machine),
            [self.inputs[each.input] for each in machine.actions],
            [outputs[each.output] for each in machine.actions],
            machine.edges.numbers,
        )

    @cached_property
    def numbers(self) -> Mapping[Action, int]:
        return {action: at for at, action in enumerate(self.machine.actions)}

    def pattern(self, pattern: Pattern) -> _core.Pattern:
        template = pattern.template
        colours: Sequence[int] = pattern.edge_colours or range(len(template.edges))
        images = [
            [self.numbers.get(each.images.get(action, action)) for action in template.actions]
            for each in pattern.transformations
        ]
        return _core.Pattern(self.core, template.edges.numbers, colours, images, pattern.initial)

    def trace(self, actions: Sequence[int]) -> tuple[Action, ...]:
        return tuple(self.machine.actions[each] for each in actions)


def _observations(machine: StateMachine) -> list[int]:
    """By state; equal numbers where the same is seen."""
    if machine.outputs is None and machine.accepting is None:
        return [0] * len(machine.states)
    known: dict[object, int] = {}
    return [known.setdefault(machine.observation(state), len(known)) for state in range(len(machine.states))]


def compiled(machine: StateMachine) -> CompiledMachine:
    """Kept beside the machine's fields, as its cached properties are."""
    found = machine.__dict__.get("compiled")
    if not isinstance(found, CompiledMachine):
        found = machine.__dict__["compiled"] = CompiledMachine(machine)
    return found
