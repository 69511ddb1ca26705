"""Found patterns: the automorphisms of a machine that permute its inputs and its outputs.

In: a deterministic machine with one initial state. Out: generators of the group as renamings (nauty proposes, `certify`
decides), and the pattern that they make. Its template is the machine itself, in one copy without renaming; edges of the
template have one colour if they lie in one orbit of the group.

This pattern is a symmetry in the strict sense (Definition 3.1), by Theorem 6.13:

* A sequence of actions is covered exactly if it is a trace of the machine, since there is one copy, which is the machine.
  Two traces are variants exactly if they are equally long and, position by position, their edges lie in one orbit.
* *Covered*: all traces are. *Closed*: a sequence that is related to a trace is covered, hence a trace.
* *Persistent*: let s and t be the states after variant traces. Either both are the initial state, or the last edges lie in
  one orbit. In both cases some automorphism g maps s to t. If s has an edge with action a, then t has its image, with action
  g(a), in the same orbit.
* *Loop preserving*: the vector is the state.

Outputs of states (Moore machines) and acceptance are no part of traces; an automorphism keeps them as they are.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence

from burnside.diagnostics import Diagnostic, InputError, TimeError, UnsupportedError, contradiction
from burnside.records import record
from burnside.testing.determinism import initial_state, targets_by_action
from burnside.testing.machine import Action, StateMachine
from burnside.testing.patterns import Pattern, Transformation

MAX_EDGES = 1_000_000
"""Of machines that are searched: nauty sees a vertex for each."""
IDENTITY = "machine"
"""The name of the only transformation."""


@record
class Renaming:
    """A permutation of inputs and one of outputs; what is not mentioned stays as it is."""

    inputs: Mapping[str, str]
    outputs: Mapping[str, str]

    def image(self, action: Action) -> Action:
        output = action.output
        return Action(
            self.inputs.get(action.input, action.input),
            None if output is None else self.outputs.get(output, output),
        )


@record
class Automorphism:
    """A certified renaming. `states`: by reachable state, its image."""

    renaming: Renaming
    states: Mapping[int, int]


@record
class AutomorphismGroup:
    """Generators and the order of the group of all automorphisms."""

    generators: tuple[Renaming, ...]
    order: int


def outputs_of(machine: StateMachine) -> tuple[str, ...]:
    """Outputs of edges, in the order of their first appearance among the actions."""
    return tuple(dict.fromkeys(each.output for each in machine.actions if each.output is not None))


def find_automorphisms(machine: StateMachine, seconds: float | None = 60.0) -> AutomorphismGroup:
    """All of them; a `TimeError` where that takes longer than `seconds`. Only the reachable part counts, and what occurs on
    no reachable edge is not moved."""
    from burnside import _core

    if len(machine.edges) > MAX_EDGES:
        raise UnsupportedError(
            Diagnostic(
                f"automorphisms of machines with more than {MAX_EDGES:,} edges are not searched for",
                machine.name,
                hint="give generators by hand in the [automorphisms] of a pattern file",
            )
        )
    graph = _Graph(machine)
    found = _core.graph_automorphisms(graph.points, graph.nodes, graph.edges, seconds)
    if found is None:
        message = f"the automorphisms of the machine were not found in {seconds} seconds"
        hint = "give generators by hand in the [automorphisms] of a pattern file"
        raise TimeError(Diagnostic(message, machine.name, hint=hint))
    generators, order = found
    renamings = tuple(map(graph.renaming, generators))
    for each in renamings:
        try:
            certify(machine, each)
        except InputError as error:
            raise contradiction(f"a proposed automorphism is none: {error}", machine.name) from None
    return AutomorphismGroup(renamings, order)


class _Graph:
    """Points: reachable states, inputs, outputs. Nodes: edges between reachable states, joined to source, input, output and
    target. States are coloured by what is seen of them; the initial one has a colour of its own."""

    def __init__(self, machine: StateMachine) -> None:
        targets = targets_by_action(machine)
        reached = list(_images(machine, initial_state(machine), Renaming({}, {})))
        labels = [machine.actions[action] for state in reached for action in targets[state]]
        self._inputs = list(dict.fromkeys(each.input for each in labels))
        self._outputs = list(dict.fromkeys(each.output for each in labels if each.output is not None))
        state_at = {state: at for at, state in enumerate(reached)}
        input_at = {name: at for at, name in enumerate(self._inputs, len(reached))}
        output_at = {name: at for at, name in enumerate(self._outputs, len(reached) + len(input_at))}
        self._first_input = len(reached)
        self._first_output = len(reached) + len(input_at)
        colours: dict[object, int] = {"initial": 0, "input": 1, "output": 2}
        self.points = [colours.setdefault(machine.observation(state), len(colours)) for state in reached]
        self.points[0] = colours["initial"]
        self.points += [colours["input"]] * len(input_at) + [colours["output"]] * len(output_at)
        self.nodes: list[int] = []
        self.edges: list[tuple[int, int, int]] = []
        for state in reached:
            for action, target in targets[state].items():
                node = len(self.points) + len(self.nodes)
                label = machine.actions[action]
                ends = [state_at[state], state_at[target], input_at[label.input]]
                if label.output is not None:
                    ends.append(output_at[label.output])
                self.nodes.append(len(ends))
                self.edges += [(node, vertex, side) for side, vertex in enumerate(ends)]

    def renaming(self, images: Sequence[int]) -> Renaming:
        def moved(names: Sequence[str], first: int) -> dict[str, str]:
            return {
                name: names[images[first + at] - first]
                for at, name in enumerate(names)
                if images[first + at] != first + at
            }

        return Renaming(moved(self._inputs, self._first_input), moved(self._outputs, self._first_output))


def certify(machine: StateMachine, renaming: Renaming) -> Automorphism:
    """The renaming with the permutation of states that follows from it, or an `InputError` that says why it is no
    automorphism. What proposed the renaming does not matter."""
    first = initial_state(machine)
    _check_permutation(renaming.inputs, machine.inputs, "input", machine)
    _check_permutation(renaming.outputs, outputs_of(machine), "output", machine)
    return Automorphism(renaming, _images(machine, first, renaming))


def _check_permutation(
    images: Mapping[str, str], known: Sequence[str], kind: str, machine: StateMachine
) -> None:
    names = set(known)
    for name in (*images, *images.values()):
        if name not in names:
            raise InputError(Diagnostic(f"the machine has no {kind} {name!r}", machine.name))
    sources: dict[str, str] = {}
    for name, image in images.items():
        if sources.setdefault(image, name) != name:
            message = f"this is no permutation: {sources[image]!r} and {name!r} are both mapped to {image!r}"
            raise InputError(Diagnostic(message, machine.name))
    for name in images.values():
        if name not in images:
            message = f"this is no permutation: {kind} {name!r} is an image and has none"
            raise InputError(Diagnostic(message, machine.name))


def _images(machine: StateMachine, first: int, renaming: Renaming) -> dict[int, int]:
    """By state, in the order of a breadth-first search: its image. The map of states need not be tested for being
    injective: some power of the renaming is the identity, the same power of the map fixes all states, as the machine is
    deterministic, so the map has an inverse. For the same reason all edges of an image are images."""
    targets = targets_by_action(machine)
    number = {action: at for at, action in enumerate(machine.actions)}
    renamed = [number.get(renaming.image(action)) for action in machine.actions]
    found = {first: first}
    waiting = [first]
    for state in waiting:
        image = found[state]
        for action, target in targets[state].items():
            other = renamed[action]
            goes_to = None if other is None else targets[image].get(other)
            if goes_to is None:
                raise _missing_edge(machine, renaming, (state, action, target), image)
            if target not in found:
                _check_observation(machine, target, goes_to)
                found[target] = goes_to
                waiting.append(target)
            elif found[target] != goes_to:
                raise _two_images(machine, renaming, (state, action, target), (found[target], goes_to))
    return found


def _missing_edge(
    machine: StateMachine, renaming: Renaming, edge: tuple[int, int, int], image: int
) -> InputError:
    state, action, target = edge
    names = machine.states
    label = machine.actions[action]
    return InputError(
        Diagnostic(
            f"this is no automorphism: state {names[state]!r} has an edge {str(label)!r} to {names[target]!r}, "
            f"but its image {names[image]!r} has no edge {str(renaming.image(label))!r}",
            machine.name,
        )
    )


def _two_images(
    machine: StateMachine, renaming: Renaming, edge: tuple[int, int, int], images: tuple[int, int]
) -> InputError:
    state, action, target = edge
    names = machine.states
    label = machine.actions[action]
    return InputError(
        Diagnostic(
            f"this is no automorphism: state {names[target]!r} has the image {names[images[0]]!r}, but the edge "
            f"{str(label)!r} from {names[state]!r} to it is mapped to an edge {str(renaming.image(label))!r} "
            f"to {names[images[1]]!r}",
            machine.name,
        )
    )


def _check_observation(machine: StateMachine, state: int, image: int) -> None:
    if machine.observation(state) != machine.observation(image):
        accepts = machine.accepting is not None and (state in machine.accepting) != (
            image in machine.accepting
        )
        what = "only one of them accepts" if accepts else "they have different outputs"
        names = machine.states
        message = (
            f"this is no automorphism: state {names[state]!r} has the image {names[image]!r}, but {what}"
        )
        raise InputError(Diagnostic(message, machine.name))


def group_order(machine: StateMachine, generators: Iterable[Renaming]) -> int:
    """Of the group that these generate on inputs and outputs."""
    from burnside import _core

    inputs, outputs = machine.inputs, outputs_of(machine)
    at = {name: number for number, name in enumerate(inputs)}
    output_at = {name: number for number, name in enumerate(outputs, len(inputs))}
    images = [
        [at[each.inputs.get(name, name)] for name in inputs]
        + [output_at[each.outputs.get(name, name)] for name in outputs]
        for each in generators
    ]
    return _core.ElementGroup(len(inputs) + len(outputs), images).order


def automorphism_pattern(machine: StateMachine, generators: Iterable[Renaming]) -> Pattern:
    """The pattern of the group that these generate; each is certified here. Edges that cannot be reached have colours of
    their own."""
    return Pattern(
        machine,
        (Transformation(IDENTITY, {}),),
        (initial_state(machine),),
        _edge_orbits(machine, [certify(machine, each) for each in generators]),
    )


def _edge_orbits(machine: StateMachine, generators: Sequence[Automorphism]) -> tuple[int, ...]:
    """By edge: the number of its orbit, by the order of their first edges."""
    action_number = {action: at for at, action in enumerate(machine.actions)}
    edge_number = {(source, action): at for at, (source, action, _) in enumerate(machine.edges)}
    parent = array("I", range(len(machine.edges)))

    def root(edge: int) -> int:
        while parent[edge] != edge:
            parent[edge] = parent[parent[edge]]
            edge = parent[edge]
        return edge

    for each in generators:
        renamed = [action_number.get(each.renaming.image(action), -1) for action in machine.actions]
        for number, (source, action, _) in enumerate(machine.edges):
            if source in each.states:
                one, other = root(number), root(edge_number[each.states[source], renamed[action]])
                parent[max(one, other)] = min(one, other)
    colours: dict[int, int] = {}
    return tuple(colours.setdefault(root(edge), len(colours)) for edge in range(len(machine.edges)))
