"""Traces under a pattern, against brute force: all traces up to a length, their classes, the least of each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from random import Random

import pytest
from burnside.diagnostics import BurnsideError, InputError, UsageError
from burnside.families.machines import chatbox
from burnside.testing.automorphisms import automorphism_pattern
from burnside.testing.machine import Action, Edges, StateMachine
from burnside.testing.patterns import Colours, Pattern
from burnside.testing.reference.symmetry_check import check_symmetry
from burnside.testing.trace_texts import Trace, parse_trace, trace_text
from burnside.testing.traces import action_ranks, are_symmetric, representative, variants

from tests.testing.planted import machine_with_symmetry


def all_traces(machine: StateMachine, length: int) -> list[Trace]:
    found: list[tuple[Trace, int]] = [((), 0)]
    for _ in range(length):
        found = [
            ((*trace, machine.actions[action]), target)
            for trace, state in found
            for action, target in machine.leaving[state]
        ]
    return [trace for trace, _ in found]


def colours_of(pattern: Pattern, trace: Sequence[Action]) -> tuple[Colours, ...]:
    found, vector = [], pattern.initial
    for action in trace:
        colours, vector = pattern.step(vector, action)
        found.append(colours)
    return tuple(found)


def merged(pattern: Pattern, random: Random) -> Pattern:
    """Some edges made alike at random: no symmetry any more, so that there are dead ends."""
    colours = tuple(random.randrange(3) for _ in pattern.template.edges)
    return Pattern(pattern.template, pattern.transformations, pattern.initial, colours)


def drawn(seed: int) -> tuple[StateMachine, Pattern]:
    random = Random(seed)
    machine, renaming = machine_with_symmetry(random, states=5)
    pattern = automorphism_pattern(machine, [renaming])
    return machine, merged(pattern, random) if seed % 2 else pattern


def cases() -> list[tuple[StateMachine, Pattern, int]]:
    boxes = [(chatbox.machine(2, joining=each), chatbox.pattern(2, joining=each)) for each in (True, False)]
    return [(*boxes[0], 2), (*boxes[1], 3), *((*drawn(seed), 4) for seed in range(20))]


@pytest.mark.parametrize("number", range(22))
def test_classes(number: int) -> None:
    machine, pattern, length = cases()[number]
    order = list(machine.inputs)
    Random(number).shuffle(order)
    ranks = action_ranks(machine, order)
    rank = dict(zip(machine.actions, ranks, strict=True))
    for size in range(length + 1):
        classes: dict[tuple[Colours, ...], list[Trace]] = {}
        for trace in all_traces(machine, size):
            classes.setdefault(colours_of(pattern, trace), []).append(trace)
        for members in classes.values():
            members.sort(key=lambda trace: [rank[each] for each in trace])
            one = Random(number).choice(members)
            assert representative(machine, pattern, ranks, one) == members[0]
            assert list(variants(machine, pattern, one, ranks)) == members
            assert sorted(map(trace_text, variants(machine, pattern, one))) == sorted(
                map(trace_text, members)
            )
        firsts = [members[0] for members in classes.values()][:10]
        for one in firsts:
            for other in firsts:
                assert are_symmetric(machine, pattern, one, other).symmetric == (one == other)
            assert all(
                are_symmetric(machine, pattern, one, each).symmetric
                for each in classes[colours_of(pattern, one)]
            )


def test_there_are_dead_ends() -> None:
    """The machines above test more than the greedy choice: some patterns are not persistent."""
    verdicts = [check_symmetry(*drawn(seed), strict=False).counterexample for seed in range(1, 20, 2)]
    assert sum(each is not None and each.flaw == "not persistent" for each in verdicts) > 3


def test_variants_are_lazy() -> None:
    machine, pattern = chatbox.machine(3), chatbox.pattern(3)
    trace = parse_trace(machine, ["JOIN 0", "JOIN 1", "JOIN 2", *["DREQ 0 1 MES", "DREQ 1 0 ACK"] * 200])
    found = list(islice(variants(machine, pattern, trace), 5))
    assert len(set(found)) == 5
    assert all(are_symmetric(machine, pattern, trace, each).symmetric for each in found)


def test_the_report() -> None:
    """Section 7.1: join 1, leave 1, join 1 and join 1, leave 1, join 2 are symmetric; Lemma 6.9: the least one."""
    machine, pattern = chatbox.machine(3), chatbox.pattern(3)
    one, other = (parse_trace(machine, f"JOIN 1; LEAVE 1; JOIN {user}") for user in (1, 2))
    assert are_symmetric(machine, pattern, one, other).symmetric
    assert trace_text(representative(machine, pattern, action_ranks(machine, machine.inputs), other)) == (
        "JOIN 0/OK; LEAVE 0/OK; JOIN 0/OK"
    )


def test_reasons() -> None:
    machine, pattern = chatbox.machine(2), chatbox.pattern(2)

    def reason(one: str, other: str, of: Pattern = pattern) -> str | None:
        return are_symmetric(machine, of, parse_trace(machine, one), parse_trace(machine, other)).reason

    assert reason("JOIN 0", "JOIN 1") is None
    assert reason("JOIN 0; JOIN 1", "JOIN 0") == "one trace has 2 steps, the other 1 step"
    assert reason("JOIN 0; JOIN 1", "JOIN 1; JOIN 1") == (
        "step 2: 'JOIN 1/OK' takes absent 0 -JOIN 0/OK-> present 0; "
        "'JOIN 1/NO_OUTPUT' takes present 0 -JOIN 0/NO_OUTPUT-> present 0"
    )
    without = chatbox.pattern(2, joining=False)
    assert reason("JOIN 0", "JOIN 0", without) == "step 1: no copy of the template takes 'JOIN 0/OK'"
    found = are_symmetric(machine, pattern, parse_trace(machine, "JOIN 0"), parse_trace(machine, "LEAVE 0"))
    assert (found.symmetric, found.position) == (False, 0)
    assert found.colours is not None and found.colours[0] != found.colours[1]
    coloured = automorphism_pattern(machine, [])
    one, other = (machine.actions.index(Action(f"JOIN {user}", "OK")) for user in (0, 1))
    at = {action: number for number, (source, action, _) in enumerate(machine.edges) if source == 0}
    assert reason("JOIN 0", "JOIN 1", coloured) == (
        f"step 1: 'JOIN 0/OK' takes 0 -JOIN 0/OK-> 1 (colour {at[one]}); "
        f"'JOIN 1/OK' takes 0 -JOIN 1/OK-> 2 (colour {at[other]})"
    )


def test_uncovered_traces_have_no_variants() -> None:
    machine, without = chatbox.machine(2), chatbox.pattern(2, joining=False)
    with pytest.raises(InputError, match="step 1: no copy of the template takes 'JOIN 0/OK'"):
        next(variants(machine, without, parse_trace(machine, "JOIN 0")))
    with pytest.raises(InputError, match="step 1: 'JOIN 0/NO_OUTPUT' is not possible in state '0'"):
        are_symmetric(machine, chatbox.pattern(2), (Action("JOIN 0", "NO_OUTPUT"),), ())
    *rest, last = machine.inputs
    with pytest.raises(UsageError, match=f"the order misses the input '{last}'"):
        action_ranks(machine, rest)


@pytest.mark.parametrize("seed", range(5))
def test_texts_are_read_again(seed: int) -> None:
    machine, _ = machine_with_symmetry(Random(seed))
    for trace in all_traces(machine, 3):
        assert parse_trace(machine, trace_text(trace)) == trace
        assert parse_trace(machine, [each.input for each in trace]) == trace


WRONG = {
    "JOIN 0; LEAVE 0/NO_OUTPUT": (
        "1:9: step 2: 'LEAVE 0/NO_OUTPUT' is not what the machine does in state '1'",
        "it does LEAVE 0/OK",
    ),
    "JION 0": ("1:1: step 1: the machine has no input 'JION 0'", "did you mean 'JOIN 0', 'JOIN 1'?"),
    "JOIN 0;; JOIN 1": ("1:8: step 2 is empty", "steps are separated by ';'"),
}


@pytest.mark.parametrize("text", WRONG)
def test_wrong(text: str) -> None:
    with pytest.raises(BurnsideError) as caught:
        parse_trace(chatbox.machine(2), text)
    diagnostic = caught.value.diagnostic
    assert diagnostic.span is not None
    place = f"{diagnostic.span.line}:{diagnostic.span.column}"
    assert (f"{place}: {diagnostic.message}", diagnostic.hint) == WRONG[text]


def test_steps_that_are_not_possible_or_not_unique() -> None:
    actions = (Action("a", "0"), Action("a", "1"), Action("b", "0"), Action("c"))
    machine = StateMachine("m", ("s", "t"), (0,), actions, Edges.of([(0, 0, 1), (0, 1, 1), (1, 2, 0)]))
    assert parse_trace(machine, " a/1 ; b;") == (actions[1], actions[2])
    assert parse_trace(machine, "") == ()
    for text, message, hint in (
        ("a", "step 1: 'a' has 2 outputs in state 's'", "write input/output: a/0, a/1"),
        (["a/0", "c"], "step 2: 'c' is not possible in state 't'", "possible here: b/0"),
        ("a/0; b; b/0", "step 3: 'b/0' is not possible in state 's'", "possible here: a/0, a/1"),
    ):
        with pytest.raises(InputError) as caught:
            parse_trace(machine, text)
        assert (caught.value.diagnostic.message, caught.value.diagnostic.hint) == (message, hint)
