"""Random small Mealy machines that a swap of two users leaves as they are, with patterns that say so.

`mirrored`: users may be swapped once and for all. `two_components`: two copies of a machine side by side, which may be
swapped at any time, as far as their states allow it.
"""

from __future__ import annotations

from random import Random

from burnside.testing.machine import Action, Edges, MachineBuilder, StateMachine
from burnside.testing.patterns import Pattern, Transformation

OUTPUTS = ("x", "y")


def swapped(given: str) -> str:
    """Inputs end with their user; others concern both."""
    return given[:-1] + {"0": "1", "1": "0"}.get(given[-1], given[-1])


def random_machine(random: Random, states: int, inputs: int) -> StateMachine:
    """A machine without any symmetry that is meant."""
    table = [
        [(random.choice(OUTPUTS), random.randrange(states)) for _ in range(inputs)] for _ in range(states)
    ]
    return StateMachine.explore(0, range(inputs), lambda state, given: table[state][given])


def mirrored(random: Random, middle: int, halves: int, inputs: tuple[str, ...]) -> StateMachine:
    """`middle` states that belong to both users, the initial one among them, and two halves, of the user who did something
    first: no way leads from one to the other, or back. The swap of users maps one half to the other."""
    table: dict[tuple[int, int, str], tuple[str, tuple[int, int]]] = {}

    def step(state: tuple[int, int], given: str) -> tuple[str, tuple[int, int]]:
        side, own = state
        if side == 1:
            output, (_, target) = step((0, own), swapped(given))
            return output, (1, target)
        if side < 0 and given.endswith("1"):
            output, (after, target) = step(state, swapped(given))
            return output, (1 if after == 0 else after, target)
        if (side, own, given) not in table:
            stays = side < 0 and given == swapped(given)
            target = (-1, random.randrange(middle)) if stays else (0, random.randrange(halves))
            table[side, own, given] = random.choice(OUTPUTS), target
        return table[side, own, given]

    return StateMachine.explore((-1, 0), inputs, step)


def mirror_pattern(inputs: tuple[str, ...]) -> Pattern:
    """Nobody has done anything (0); the first user did something first (1), or the second (2). All outputs are covered, so
    that faulty machines are compared as well."""
    builder = MachineBuilder("who was first")
    for state in range(3):
        builder.state(str(state))
    for state in range(3):
        for given in inputs:
            first = {"0": 1, "1": 2}.get(given[-1], 0)
            for output in OUTPUTS:
                builder.edge(state, Action(given, output), state or first)
    template = builder.machine([0])
    images = {each: Action(swapped(each.input), each.output) for each in template.actions}
    return Pattern(template, (Transformation("same", {}), Transformation("swap", images)), (0, 0))


def automorphism_pattern(machine: StateMachine) -> Pattern:
    """The machine is its own template; edges that the swap maps to each other have one colour."""
    targets = {(source, machine.actions[action].input): target for source, action, target in machine.edges}
    [first] = machine.initial
    image = {first: first}
    waiting = [first]
    for state in waiting:
        for given in machine.inputs:
            target = targets[state, given]
            if target not in image:
                image[target] = targets[image[state], swapped(given)]
                waiting.append(target)
    colours: dict[frozenset[tuple[int, str]], int] = {}
    numbers = []
    for source, action, _ in machine.edges:
        given = machine.actions[action].input
        orbit = frozenset([(source, given), (image[source], swapped(given))])
        numbers.append(colours.setdefault(orbit, len(colours)))
    return Pattern(machine, (Transformation("same", {}),), (first,), tuple(numbers))


def two_components(random: Random, states: int, commands: int) -> tuple[StateMachine, Pattern]:
    """Inputs are a command and a user; it is the user's component that answers."""
    own = random_machine(random, states, commands)
    table = {
        (source, own.actions[action].input): (own.actions[action].output, target)
        for source, action, target in own.edges
    }
    inputs = [f"{command} {user}" for user in (0, 1) for command in own.inputs]

    def step(both: tuple[int, int], given: str) -> tuple[str | None, tuple[int, int]]:
        command, user = given.split()
        output, target = table[both[int(user)], command]
        return output, (target, both[1]) if user == "0" else (both[0], target)

    actions = tuple(Action(f"{each.input} 0", each.output) for each in own.actions)
    template = StateMachine("one user", own.states, own.initial, actions, Edges.of(own.edges))
    images = {each: Action(swapped(each.input), each.output) for each in actions}
    transformations = (Transformation("user 0", {}), Transformation("user 1", images))
    return StateMachine.explore((0, 0), inputs, step), Pattern(template, transformations, (0, 0))


def order(action: Action) -> tuple[str, str]:
    return action.input, action.output or ""
