"""The state graph of a specification, by brute force and by each engine: sets of states and of labelled steps.

States are tuples of values, as machines have them; a label is the name of an operation with its inputs and outputs by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations, product
from typing import Any

from burnside.ir.sets.machine import INITIALISATION, SETUP
from burnside.records import record
from burnside.reference.sets.machines import Label, starts, steps
from burnside.reference.sets.values import UNSET, State, permuted_state
from burnside.semantics import Failure

from tests.machine_engines import both
from tests.z_engines import Loaded
from tests.z_schemas import Schema
from tests.z_values import Binding, Undefined

MOST_STATES = 2_000

Named = tuple[str, frozenset[tuple[str, Any]]]
Edge = tuple[State | None, Named, State]


@record
class Graph:
    """Edges without a state before them lead to what is there first."""

    states: frozenset[State]
    edges: frozenset[Edge]

    @property
    def steps(self) -> int:
        return len(self.edges)

    def deadlocks(self) -> int:
        return len(self.states - {before for before, _, _ in self.edges})

    def orbits(self, found: Loaded) -> int:
        """Under all permutations of given sets."""
        full = [sort for sort in found.machine.sorts if sort.symmetry == "full"]
        images = [list(permutations(range(sort.size))) for sort in full]
        generators = [
            {sort.name: image for sort, image in zip(full, chosen, strict=True)}
            for chosen in product(*images)
        ]
        left, orbits = set(self.states), 0
        while left:
            state = left.pop()
            orbits += 1
            left -= {permuted_state(state, each) for each in generators}
        return orbits


# By brute force


def by_brute_force(found: Loaded) -> Graph:
    """`Undefined` where a schema is, for some binding: there is no one meaning then."""
    brute = found.brute
    machine = found.machine
    names = {**found.lowering.state_names, **found.lowering.variables}
    texts = {name.name: text for text, name in names.items()}
    types = brute.schema_types("S")
    states: set[State] = set()
    edges: set[Edge] = set()
    for constants in brute.valuations():
        values = tuple(
            found.translated(constants[texts[each.name]], brute.checked.globals[texts[each.name]].type)
            for each in machine.constants
        )
        operations = {each.name: _known(brute.schema_named(each.name)) for each in machine.operations}
        table: dict[Binding, list[tuple[str, dict[str, Any]]]] = {}
        for name, schema in operations.items():
            for each in schema.true:
                one = dict(each)
                before = Binding(sorted((text, one[text]) for text in types))
                table.setdefault(before, []).append((name, one))

        def state(one: Mapping[str, Any], values: State = values) -> State:
            return (
                *values,
                *(
                    found.translated(one[texts[each.name]], types[texts[each.name]])
                    for each in machine.variables
                ),
            )

        setup: State | None = None
        if machine.has_setup:
            setup = (*values, *(UNSET for _ in machine.variables))
            states.add(setup)
            edges.add((None, (SETUP, frozenset()), setup))
        waiting = []
        for each in _known(brute.schema_named("Init")).true:
            first = {name.removesuffix("'"): value for name, value in each}
            edges.add((setup, (INITIALISATION, frozenset()), state(first)))
            waiting.append(first)
        seen: set[State] = set()
        while waiting:
            now = waiting.pop()
            if state(now) in seen:
                continue
            seen.add(state(now))
            for name, one in table.get(Binding(sorted(now.items())), ()):
                after = {text: one[text + "'"] for text in types}
                shown = frozenset(
                    (text, found.translated(value, operations[name].types[text]))
                    for text, value in one.items()
                    if text.endswith(("?", "!"))
                )
                edges.add((state(now), (name, shown), state(after)))
                waiting.append(after)
        states |= seen
    return Graph(frozenset(states), frozenset(edges))


def _known(schema: Schema) -> Schema:
    if schema.undefined:
        raise Undefined("for some binding")
    return schema


# By the engines


def by_reference(found: Loaded) -> Graph:
    machine = found.machine

    def successors(state: State) -> Iterator[tuple[Label, State]]:
        for each in steps(machine, state):
            assert not isinstance(each.result, Failure), each.result.message
            yield each.label, each.result

    first = [(each.label, each.result) for each in starts(machine)]
    return _explored(found, first, successors)


def by_core(found: Loaded) -> Graph:
    engines = both(found.machine)
    core, reading = engines.core, engines.reading
    rows: dict[State, list[int]] = {}

    def read(label: int, row: list[int]) -> tuple[Label, State]:
        state = reading.state(row)
        rows[state] = row
        return reading.label(label), state

    def successors(state: State) -> Iterator[tuple[Label, State]]:
        taken, failing = core.successors(rows[state])
        assert not failing
        for label, row in taken:
            yield read(label, row)

    return _explored(found, [read(label, row) for label, row in core.starts() if row is not None], successors)


def _explored(found: Loaded, first: list[tuple[Label, Any]], successors: Any) -> Graph:
    edges: set[Edge] = {(None, _named(found, label), state) for label, state in first}
    waiting = [state for _, state in first]
    states: set[State] = set()
    while waiting:
        state = waiting.pop()
        if state in states:
            continue
        states.add(state)
        assert len(states) <= MOST_STATES
        for label, after in successors(state):
            edges.add((state, _named(found, label), after))
            waiting.append(after)
    return Graph(frozenset(states), frozenset(edges))


def _named(found: Loaded, label: Label) -> Named:
    operation = next((each for each in found.machine.operations if each.name == label.name), None)
    if operation is None:
        return label.name, frozenset()
    names = [each.name.partition("#")[0] for each in (*operation.parameters, *operation.results)]
    return label.name, frozenset(zip(names, (*label.arguments, *label.results), strict=True))
