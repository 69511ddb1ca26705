"""Random small machines with a symmetry that is known beforehand."""

from __future__ import annotations

from random import Random

from burnside.testing.automorphisms import Renaming
from burnside.testing.machine import Action, MachineBuilder, StateMachine
from burnside.testing.reference.facts import distances

Permutation = list[int]


def permutation(random: Random, size: int, fixed: int = 0) -> Permutation:
    """Of numbers below `size`; those below `fixed` stay."""
    rest = list(range(fixed, size))
    random.shuffle(rest)
    return [*range(fixed), *rest]


def machine_with_symmetry(
    random: Random, *, states: int = 4, inputs: int = 3, outputs: int = 3, density: float = 0.8
) -> tuple[StateMachine, Renaming]:
    """With three or more states that can be reached. `outputs`: 0 for a labelled transition system. `density`: the part of
    possible edges."""
    while True:
        machine, renaming = _drawn(random, states, inputs, outputs, density)
        if len(distances(machine)) >= 3:
            return machine, renaming


def _drawn(
    random: Random, states: int, inputs: int, outputs: int, density: float
) -> tuple[StateMachine, Renaming]:
    """Edges are drawn orbit by orbit. State 0 and output 0 are fixed."""
    of_states = permutation(random, states, fixed=1)
    of_inputs = permutation(random, inputs)
    of_outputs = permutation(random, outputs, fixed=1)
    builder = MachineBuilder("planted")
    for state in range(states):
        builder.state(f"s{state}")
    seen: set[tuple[int, int]] = set()
    for first in [(state, given) for state in range(states) for given in range(inputs)]:
        if first in seen:
            continue
        orbit = [first]
        while (after := (of_states[orbit[-1][0]], of_inputs[orbit[-1][1]])) != first:
            orbit.append(after)
        seen.update(orbit)
        if random.random() > density:
            continue
        target, output = _fixed(random, of_states, len(orbit)), _fixed(random, of_outputs, len(orbit))
        for state, given in orbit:
            label = Action(f"i{given}", None if output is None else f"o{output}")
            assert target is not None
            builder.edge(state, label, target_number := target)
            target = of_states[target_number]
            output = None if output is None else of_outputs[output]
    machine = builder.machine([0])
    used = {each.output for each in machine.actions}
    names = [f"o{each}" for each in range(outputs)]
    renaming = Renaming(
        {f"i{at}": f"i{image}" for at, image in enumerate(of_inputs) if f"i{at}" in machine.inputs},
        {name: names[of_outputs[at]] for at, name in enumerate(names) if name in used},
    )
    return machine, renaming


def _fixed(random: Random, images: Permutation, power: int) -> int | None:
    """One that this power of the permutation fixes."""
    found = []
    for start in range(len(images)):
        at = start
        for _ in range(power):
            at = images[at]
        if at == start:
            found.append(start)
    return random.choice(found) if found else None


def with_accepting(random: Random, machine: StateMachine) -> StateMachine:
    """The same with some reachable states that accept, and outputs of states."""
    reached = sorted(distances(machine))
    accepting = frozenset(each for each in reached if random.random() < 0.3)
    outputs = tuple(random.choice("xy") for _ in machine.states)
    return StateMachine(
        machine.name,
        machine.states,
        machine.initial,
        machine.actions,
        machine.edges,
        outputs if random.random() < 0.5 else None,
        accepting,
    )
