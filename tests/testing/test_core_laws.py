"""The core against the reference, on random machines: what machines are like, kernels, the check of symmetries, suites."""

from __future__ import annotations

from random import Random

import pytest
from burnside import _core
from burnside.testing import facts, kernel, symmetry_check
from burnside.testing.compiled import compiled
from burnside.testing.machine import Action, Edges, MachineBuilder, StateMachine
from burnside.testing.patterns import Pattern, Transformation
from burnside.testing.reference import facts as slow_facts
from burnside.testing.reference import kernel as slow_kernel
from burnside.testing.reference import symmetry_check as slow_check
from burnside.testing.reference.h_method import h_method
from burnside.testing.reference.mealy import mealy, part_of, whole
from burnside.testing.reference.methods import hsi_method, random_walks, w_method, wp_method
from burnside.testing.reference.separation import without_prefixes
from burnside.testing.reference.suites import size
from burnside.testing.reference.suites import tests as suite_tests


def random_machine(
    random: Random, states: int, inputs: int, outputs: int, *, gaps: float = 0.0, extra: int = 0
) -> StateMachine:
    """`gaps`: the share of missing edges. `extra`: edges beside those of a deterministic machine."""
    builder = MachineBuilder("random")
    for state in range(states):
        builder.state(str(state))
    for state in range(states):
        for given in range(inputs):
            if random.random() >= gaps:
                action = Action(f"i{given}", f"o{random.randrange(outputs)}")
                builder.edge(state, action, random.randrange(states))
    for _ in range(extra):
        action = Action(f"i{random.randrange(inputs)}", f"o{random.randrange(outputs)}")
        builder.edge(random.randrange(states), action, random.randrange(states))
    return builder.machine([0])


@pytest.mark.parametrize("seed", range(150))
def test_facts(seed: int) -> None:
    random = Random(seed)
    machine = random_machine(
        random, random.randrange(1, 9), random.randrange(1, 4), 2, gaps=0.3, extra=random.randrange(8)
    )
    found = facts.facts(machine)
    reached = slow_facts.distances(machine)
    assert (found.reachable, found.depth) == (len(reached), max(reached.values()))
    named = [(machine.states[state], given) for state, given in slow_facts.missing(machine)]
    assert (found.missing, list(found.missing_places)) == (len(named), named[:20])
    ambiguous = [(machine.states[s], i) for s, i in slow_facts.ambiguous(machine) if s in reached]
    assert (found.ambiguous, list(found.ambiguous_places)) == (len(ambiguous), ambiguous)
    classes = slow_facts.classes(machine, range(len(machine.states)))
    assert compiled(machine).core.classes() == classes
    least = facts.minimise(machine)
    assert len(least.states) == found.minimal_states == facts.facts(least).minimal_states
    assert traces_of(least, 4) == traces_of(machine, 4)
    single = facts.determinise(machine)
    assert facts.facts(single).deterministic or all(
        len({t for b, t in edges if b == a}) == 1 for edges in single.leaving for a, _ in edges
    )
    assert traces_of(single, 4) == traces_of(machine, 4)


def traces_of(machine: StateMachine, length: int) -> set[tuple[Action, ...]]:
    found: set[tuple[Action, ...]] = set()
    level = {((), state) for state in machine.initial}
    for _ in range(length + 1):
        found |= {trace for trace, _ in level}
        level = {
            ((*trace, machine.actions[action]), target)
            for trace, state in level
            for action, target in machine.leaving[state]
        }
    return found


@pytest.mark.parametrize("seed", range(40))
def test_classes_of_larger_machines(seed: int) -> None:
    """With many bisimilar states: a machine of classes, each state of it several times."""
    random = Random(seed)
    least = random_machine(random, 8, 2, 2, extra=random.randrange(4))
    copies = [(state, copy) for state in range(8) for copy in range(random.randrange(1, 6))]
    random.shuffle(copies)
    of = {state: [at for at, each in enumerate(copies) if each[0] == state] for state in range(8)}
    edges = [
        (at, action, random.choice(of[target]))
        for at, (state, _) in enumerate(copies)
        for action, target in least.leaving[state]
    ]
    names = tuple(f"{state}.{copy}" for state, copy in copies)
    machine = StateMachine("copies", names, (of[0][0],), least.actions, Edges.of(edges))
    expected = slow_facts.classes(machine, range(len(copies)))
    assert compiled(machine).core.classes() == expected


def random_pattern(random: Random, machine: StateMachine) -> Pattern:
    """A template that covers everything: in each state each action of the machine, renamed by each copy; actions that behave
    alike there often share a target."""
    count = random.randrange(1, 4)
    builder = MachineBuilder("template")
    for state in range(count):
        builder.state(str(state))
    tame = random.random() < 0.6
    for state in range(count):
        for action in machine.actions:
            builder.edge(state, action, state if tame and random.random() < 0.7 else random.randrange(count))
    template = builder.machine([0])
    transformations = [Transformation("identity", {})]
    for copy in range(random.randrange(3)):
        images = list(machine.actions)
        random.shuffle(images)
        transformations.append(
            Transformation(f"copy {copy}", dict(zip(machine.actions, images, strict=True)))
        )
    colours = None
    if random.random() < 0.5:
        colours = tuple(random.randrange(2) for _ in template.edges)
    initial = tuple(random.randrange(count) for _ in transformations)
    return Pattern(template, tuple(transformations), initial, colours)


@pytest.mark.parametrize("seed", range(300))
def test_symmetries_and_kernels(seed: int) -> None:
    random = Random(seed)
    machine = random_machine(random, random.randrange(1, 5), random.randrange(1, 4), 1, gaps=0.15)
    if not machine.edges:
        return
    pattern = random_pattern(random, machine)
    for strict in (True, False):
        found = symmetry_check.check_symmetry(machine, pattern, strict=strict)
        expected = slow_check.check_symmetry(machine, pattern, strict=strict)
        assert (found.counterexample is None) == (expected.counterexample is None)
        if found.counterexample is None:
            assert found.quadruples >= expected.quadruples
        else:
            check_counterexample(machine, pattern, found.counterexample)
        if expected.counterexample is not None:
            check_counterexample(machine, pattern, expected.counterexample)
    order = list(machine.inputs)
    random.shuffle(order)
    quick = kernel.kernel(machine, pattern, order)
    slow = slow_kernel.kernel(machine, pattern, lambda action: order.index(action.input))
    assert (frozenset(quick.states), frozenset(quick.edges), quick.visited) == (
        slow.states,
        slow.edges,
        slow.visited,
    )


def check_counterexample(
    machine: StateMachine, pattern: Pattern, found: symmetry_check.Counterexample
) -> None:
    """Two variant traces of the machine, and what is wrong with them."""
    targets = [{machine.actions[action]: target for action, target in edges} for edges in machine.leaving]
    ends = []
    coloured = []
    for trace in found.traces:
        state, vector, seen = machine.initial[0], pattern.initial, []
        for action in trace:
            colours, vector = pattern.step(vector, action)
            seen.append(colours)
            state = targets[state][action]
        ends.append((state, vector))
        coloured.append(seen)
    (state, vector), (other_state, other_vector) = ends
    if found.flaw == "not loop preserving":
        shorter, longer = found.traces
        assert longer[: len(shorter)] == shorter and state == other_state and vector != other_vector
        return
    assert coloured[0] == coloured[1]
    assert found.action is not None and found.action in targets[state]
    colours, _ = pattern.step(vector, found.action)
    alike = [each for each in machine.actions if pattern.step(other_vector, each)[0] == colours]
    if found.flaw == "uncovered":
        assert colours == ()
    elif found.flaw == "not closed":
        assert found.other in alike and found.other not in targets[other_state]
    else:
        assert not any(each in targets[other_state] for each in alike)


def mealy_machine(random: Random) -> StateMachine:
    """Minimal, and all of it reachable."""
    machine = random_machine(random, random.randrange(1, 7), random.randrange(1, 4), random.randrange(1, 4))
    return facts.minimise(machine)


def words(suite: _core.Suite) -> list[tuple[int, ...]]:
    return [tuple(inputs) for inputs, _ in suite.tests()]


@pytest.mark.parametrize("seed", range(120))
def test_suites(seed: int) -> None:
    random = Random(seed)
    machine = mealy_machine(random)
    table = mealy(machine)
    extra = random.randrange(3)
    for first in ("longest", "shortest"):
        own = _core.Specification(compiled(machine).core, None, first)
        for suite, phases in (
            (own.w(extra), w_method(table, whole(table), extra, first)),
            (own.wp(extra), wp_method(table, extra, first)),
            (own.hsi(extra), hsi_method(table, extra, first)),
        ):
            found = words(suite)
            assert found == list(suite_tests(table, phases))
            counted = size(table, phases)
            assert suite.size() == (counted.tests, counted.inputs) == (len(found), sum(map(len, found)))
    assert words(own.h(min(extra, 1))) == list(h_method(table, min(extra, 1)))
    walks = own.random(5, 4, seed)
    assert words(walks) == without_prefixes(random_walks(table, 5, 4, seed))


@pytest.mark.parametrize("seed", range(60))
def test_suites_of_parts(seed: int) -> None:
    """Kernels of patterns that need not be symmetries, on machines that need not be minimal."""
    random = Random(seed)
    machine = random_machine(random, random.randrange(1, 7), random.randrange(1, 4), 2)
    part = kernel.kernel(machine, random_pattern(random, machine))
    table = mealy(machine)
    own = _core.Specification(compiled(machine).core, part.core)
    phases = w_method(table, part_of(machine, part.edges), 1)
    assert words(own.w(1)) == list(suite_tests(table, phases))


def test_numbers_must_fit() -> None:
    machine = compiled(random_machine(Random(1), 3, 2, 2)).core
    with pytest.raises(ValueError):
        _core.Kernel(machine, [True])
    with pytest.raises(ValueError):
        _core.Specification(machine).of_words([[7]])
