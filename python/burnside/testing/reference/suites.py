"""Test suites: words of inputs that tell an implementation from its specification (Chow 1978; Romijn and Springintveld 1999,
section 5).

In: a Mealy machine that is deterministic and input enabled, and a part of it: a kernel, or all of it. Out: a transition
cover and a characterising set of that part, and the words of the W-method. The slow reference: readable, and what the core
is compared with.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from burnside.testing.machine import Edge, StateMachine

Word = tuple[int, ...]
"""Inputs, by number among `StateMachine.inputs`."""
Table = Sequence[Sequence[tuple[str | None, int]]]
"""By state and input: output and target."""


def table(machine: StateMachine) -> Table:
    """Of a machine that is deterministic and input enabled."""
    place = {given: at for at, given in enumerate(machine.inputs)}
    rows: list[list[tuple[str | None, int]]] = [[(None, -1)] * len(place) for _ in machine.states]
    for source, action, target in machine.edges:
        label = machine.actions[action]
        rows[source][place[label.input]] = (label.output, target)
    return rows


def outcome(rows: Table, state: int, word: Word) -> tuple[str | None, ...]:
    outputs = []
    for given in word:
        output, state = rows[state][given]
        outputs.append(output)
    return tuple(outputs)


def access_words(machine: StateMachine, edges: Iterable[Edge]) -> Mapping[int, Word]:
    """By state that these edges lead to: a shortest word, by a search in breadth that follows them in their order."""
    place = {given: at for at, given in enumerate(machine.inputs)}
    leaving: dict[int, list[tuple[int, int]]] = {}
    for source, action, target in edges:
        leaving.setdefault(source, []).append((place[machine.actions[action].input], target))
    [first] = machine.initial
    found: dict[int, Word] = {first: ()}
    waiting = deque([first])
    while waiting:
        state = waiting.popleft()
        for given, target in leaving.get(state, ()):
            if target not in found:
                found[target] = (*found[state], given)
                waiting.append(target)
    return found


def transition_cover(machine: StateMachine, edges: Sequence[Edge]) -> list[Word]:
    """The empty word, and for each edge a word to its source with the edge's input behind it (Definition 5.7)."""
    place = {given: at for at, given in enumerate(machine.inputs)}
    words = access_words(machine, edges)
    own = ((*words[source], place[machine.actions[action].input]) for source, action, _ in edges)
    return list(dict.fromkeys([(), *own]))


def separating_word(rows: Table, one: int, other: int) -> Word | None:
    """A shortest word with different outcomes in two states; None where they are bisimilar."""
    seen = {(one, other)}
    waiting: deque[tuple[int, int, Word]] = deque([(one, other, ())])
    while waiting:
        a, b, word = waiting.popleft()
        for given, ((output, after), (output_, after_)) in enumerate(zip(rows[a], rows[b], strict=True)):
            if output != output_:
                return (*word, given)
            if after != after_ and (after, after_) not in seen:
                seen.add((after, after_))
                waiting.append((after, after_, (*word, given)))
    return None


def characterising_set(rows: Table, states: Sequence[int]) -> list[Word]:
    """Words that separate every two of these states that are not bisimilar. Greedy: a shortest word for the first two states
    that are not separated yet, until there are none."""
    chosen: list[Word] = []
    groups = [list(states)]
    while True:
        groups = [group for group in groups if len(group) > 1]
        word = _first_separating(rows, groups)
        if word is None:
            return chosen
        chosen.append(word)
        split: list[list[int]] = []
        for group in groups:
            parts: dict[tuple[str | None, ...], list[int]] = {}
            for state in group:
                parts.setdefault(outcome(rows, state, word), []).append(state)
            split += parts.values()
        groups = split


def _first_separating(rows: Table, groups: Sequence[Sequence[int]]) -> Word | None:
    for group in groups:
        for other in group[1:]:
            word = separating_word(rows, group[0], other)
            if word is not None:
                return word
    return None


def w_method(
    machine: StateMachine, edges: Sequence[Edge], states: Sequence[int], extra: int = 0
) -> Iterator[Word]:
    """Transition cover, up to `extra` inputs, characterising set (Theorem 5.8: `extra` is m1 - n + m2)."""
    rows = table(machine)
    ends = characterising_set(rows, states) or [()]
    for begin in transition_cover(machine, edges):
        for length in range(extra + 1):
            for middle in product(range(len(machine.inputs)), repeat=length):
                yield from ((*begin, *middle, *end) for end in ends)


def without_prefixes(words: Iterable[Word]) -> list[Word]:
    """Without words that others begin with."""
    ordered = sorted(set(words))
    return [
        word
        for at, word in enumerate(ordered)
        if at + 1 == len(ordered) or ordered[at + 1][: len(word)] != word
    ]
